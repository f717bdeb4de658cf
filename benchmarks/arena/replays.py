"""Pages of a few games of an arena that are worth a look, on which they are replayed."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from shogun_env import cli
from shogun_env.agents.parts import is_own
from shogun_env.benchmarks.arena.check import SURE, kind_of
from shogun_env.benchmarks.arena.games import History
from shogun_env.benchmarks.arena.tables import ratings
from shogun_env.benchmarks.arena.workers import Block, play_block
from shogun_env.files import text_in, write_whole
from shogun_env.policies import make_agent
from shogun_env.records.record import parse_record

REPLAYS, LIST = "replays", "list.txt"
"""The folder of the replays, and what each shows."""
RECENT = 10
"""Games are chosen from this many rounds, the last."""


def chosen_games(history: History) -> dict[str, int]:
    """Return games of the last rounds that are worth a look: what they are, and their places among all games."""
    first = min((each.number for each in history.rounds[-RECENT:]), default=0) << 32
    which = np.flatnonzero(history.games.number >= first)
    games = history.games.some(which)
    if not len(which):
        return {}
    rating_of = {row.agent: row.rating or 0.0 for row in ratings(history.games, history)}
    rated = np.array([rating_of.get(name, 0.0) for name in history.names])[games.bots]
    best = np.take_along_axis(rated, games.place.argmin(axis=1)[:, None], axis=1)[:, 0]
    points = np.sort(games.points, axis=1)
    scores = {
        "the greatest surprise": best - rated.max(axis=1),
        "the strongest table": -rated.sum(axis=1),
        "the closest end": (points[:, -1] - points[:, -2]) * 1000 - rated.mean(axis=1),
    }
    found: dict[str, int] = {}
    for text, score in scores.items():
        game = next((int(at) for at in np.argsort(score, kind="stable") if int(which[at]) not in found.values()), None)
        if game is not None:
            names = ", ".join(history.names[bot] for bot in games.bots[game])
            words = f"{text} of the last rounds: {names} ({' '.join(map(str, games.points[game]))} points)"
            found[words] = int(which[game])
    return found


def write_replays(folder: Path, history: History) -> None:
    """Play chosen games again and write a page of each; pages of other games are removed.

    Only games are shown whose bots are the package's own and replayable, and that come out as before.
    """
    wanted = {}
    for text, game in chosen_games(history).items():
        path = folder / REPLAYS / f"{history.games.number[game]}.html"
        html = text_in(path) if path.exists() else replay_of(history, game)
        if html:
            write_whole(path, html)
            wanted[path.name] = text
    for path in (folder / REPLAYS).glob("*.html"):
        if path.name not in wanted:
            path.unlink()
    write_whole(folder / REPLAYS / LIST, "".join(f"{name} {text}\n" for name, text in wanted.items()))


def replays_in(folder: Path) -> dict[str, str]:
    """Return the files of the replays in the folder of an arena, by what they show."""
    try:
        lines = text_in(folder / REPLAYS / LIST).splitlines()
    except (OSError, ValueError):
        return {}
    return {text: f"{REPLAYS}/{name}" for name, _, text in (line.partition(" ") for line in lines)}


def replay_of(history: History, game: int) -> str:
    """Return a page of a game, by its place among all games; empty if it cannot be played again."""
    batch_type, games = cli.batch_class(history.settings.game), history.games
    specs = tuple(history.entries[bot].spec for bot in games.bots[game] if bot >= 0)
    if not all(is_own(each, batch_type.spec) and kind_of(make_agent(each, batch_type.spec)) == SURE for each in specs):
        return ""
    block = Block(round=0, first=0, variant=int(games.variant[game]), agents=[specs], seeds=[int(games.seed[game])])
    settings = replace(history.settings, record=True)
    (result,) = play_block(settings, history.secret_sha256 or "", None, block).results
    if result.points != games.points[game, : len(specs)].tolist() or result.record_text is None:
        return ""
    from shogun_env.records.view import html_page  # not above: --help needs no engine

    return html_page(batch_type, parse_record(result.record_text.encode(), batch_type.spec))
