"""The page of a league, ``index.html``: standings, who met whom, faults, chosen games, and how to check it all.

It shows rounds that are over, and nothing of one that is being played but how many games it has.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from shogun_env import cli
from shogun_env.benchmarks.arena.arena import FaultTexts
from shogun_env.benchmarks.arena.blocks import play_block
from shogun_env.benchmarks.arena.checking import SURE, UNKNOWN, kind_of
from shogun_env.benchmarks.arena.programs import is_stranger
from shogun_env.benchmarks.arena.seating import Seating
from shogun_env.benchmarks.arena.standings import percent_or_dash
from shogun_env.benchmarks.league.history import Games, History, Round
from shogun_env.benchmarks.league.league import blocks_of, tournament_of
from shogun_env.benchmarks.league.standings import counted, ends, met, whole, without_faults
from shogun_env.benchmarks.report import STYLE, html_table
from shogun_env.files import write_whole
from shogun_env.policies import make_agent
from shogun_env.records.document import document
from shogun_env.records.record import parse_record
from shogun_env.records.view import html_page

PAGE, REPLAYS, TEXTS = "index.html", "replays", "faults.json"
"""The page, the folder of its replays, and what was wrong with bots the first time."""
MOST_SHOWN = 12
"""The table of pairings has this many of the best bots."""
RECENT = 10
"""Games are chosen from this many rounds, the last."""
WIDE = "body { max-width: 72rem; } p, li { overflow-wrap: anywhere; }"


def write(folder: Path, history: History, summary: Mapping[str, Any], texts: FaultTexts) -> None:
    """Write the page of a league into its folder.

    Args:
        folder: that of the league.
        history: what its journal says.
        summary: its standings (``standings.summary_of``).
        texts: what was wrong in this run, the first time; kept for later ones.
    """
    known = {**texts, **_texts_in(folder)}
    cli.write_json(folder / TEXTS, [[*key, text] for key, text in sorted(known.items())])
    write_whole(folder / PAGE, page(history, summary, known, _replays_in(folder)))


def _texts_in(folder: Path) -> FaultTexts:
    """Return what was wrong the first time, as earlier runs kept it."""
    try:
        return {(agent, kind): str(text) for agent, kind, text in json.loads((folder / TEXTS).read_text("utf-8"))}
    except (OSError, ValueError, TypeError):
        return {}


def page(history: History, summary: Mapping[str, Any], texts: FaultTexts, replays: Mapping[str, str]) -> str:
    """Return the page as HTML.

    Args: replays, file of each by what it shows; others as for ``write``.
    """
    settings = summary["settings"]
    title = f"League: {cli.batch_class(settings['game']).spec.title}, {settings['preset']}"
    options = cli.option_arguments(cli.unusual_options(cli.batch_class(settings["game"]).spec, settings["options"]))
    running = history.open_round
    parts = [
        f"<h1>{escape(title)}</h1>",
        f"<p>{counted(history.n_games, len(history.rounds))}, {history.players} players each; conditions: "
        f"{escape(' '.join(options) or 'the usual ones')}."
        + (f" Round {running.number} is being played.</p>" if running else "</p>"),
        "<h2>Standings</h2>",
        "<p>Ratings: Plackett–Luce, 400 points are odds of ten to one; those of the reference pool are fixed. "
        "Intervals: 95 %, games on one seed are one draw.</p>",
        html_table(*_standings(summary["standings"])),
        _met_part(history, summary["standings"]),
        _faults_part(summary["standings"], history, texts),
        _replays_part(replays),
        _check_part(history),
    ]
    return document(title, STYLE + WIDE, "\n".join(filter(None, parts)))


def _standings(rows: Sequence[Mapping[str, Any]]) -> tuple[list[str], list[list[str]]]:
    head = ["bot", "place", "rating", "95 %", "games", "wins", "without games with faults", "remarks"]
    lines = []
    for place, row in enumerate(rows, 1):
        interval = "fixed" if row["fixed"] else ends(row["low"], row["high"])
        remark = ": ".join(filter(None, (row["mark"], row["why"])))
        share = percent_or_dash(row["win_share"])
        values = [
            row["name"],
            str(place),
            "unknown" if row["rating"] is None else whole(row["rating"]),
            interval,
            str(row["games"]),
            share,
            without_faults(row),
            remark,
        ]
        lines.append([value or "–" for value in values])
    return head, lines


def _met_part(history: History, rows: Sequence[Mapping[str, Any]]) -> str:
    """Return who met whom, for the best bots."""
    names = [row["name"] for row in rows][:MOST_SHOWN]
    count, ahead = met(history.games, [history.number_of(name) for name in names])
    lines = [
        [
            f"{place} {name}",
            *(f"{100 * won / n:.0f} % of {n}" if n else "–" for won, n in zip(wins, games, strict=True)),
        ]
        for place, (name, wins, games) in enumerate(zip(names, ahead.tolist(), count.tolist(), strict=True), 1)
    ]
    told = "How often the bot of the row finished ahead of that of the column, and in how many games they met"
    more = f" (the first {MOST_SHOWN})" if len(rows) > MOST_SHOWN else ""
    head = ["", *(str(place) for place in range(1, len(names) + 1))]
    return f"<h2>Pairings</h2>\n<p>{told}{more}; a tie counts half.</p>{html_table(head, lines)}"


def _faults_part(rows: Sequence[Mapping[str, Any]], history: History, texts: FaultTexts) -> str:
    """Return the faults, with the text of the first of each kind that is known."""
    spec_of = {entry.name: entry.spec for entry in history.entries}
    lines = [
        [row["name"], kind, str(number), texts.get((spec_of[row["name"]], kind), "–")]
        for row in rows
        for kind, number in row["faults"].items()
    ]
    head = ["bot", "kind", "number", "the first"]
    if not lines:
        return "<h2>Faults</h2>\n<p>None.</p>"
    return f"<h2>Faults</h2>\n<p>The lowest legal action was played instead.</p>{html_table(head, lines)}"


def _replays_part(replays: Mapping[str, str]) -> str:
    items = [f'<li><a href="{escape(file)}">{escape(text)}</a></li>' for text, file in replays.items()]
    return f"<h2>Games</h2>\n<ul>\n{chr(10).join(items)}\n</ul>" if items else ""


def _check_part(history: History) -> str:
    """Return how to check the league, and the secrets of the last rounds."""
    over = [now for now in history.rounds if now.secret is not None][-RECENT:]
    rows = [[str(now.number), str(len(now.tables) * history.players), (now.secret or b"").hex()] for now in over]
    first, last = history.commitment.hex(), history.chain
    return f"""<h2>Check it</h2>
<p>All seeds were fixed by <code>{first}</code> before the first bot entered: the SHA-256 of the secret of
the first round; that of each later one is the secret before it. The hashes of the journal end with <code>{last}</code>.
<code>shogun-env league verify</code> checks both, chooses and plays the games again.</p>
{html_table(["round", "games", "its secret"], rows[::-1])}"""


# --- replays ---------------------------------------------------------------------------------------------------------


def chosen_games(history: History, summary: Mapping[str, Any]) -> dict[str, int]:
    """Return games of the last rounds that are worth a look: what they are, and their numbers in all games."""
    over = [now for now in history.rounds if now.secret is not None]
    if not over:
        return {}
    first, end = over[-RECENT:][0].first, over[-1].first + len(over[-1].tables) * history.players
    games: Games = history.games.some(slice(first, end))
    rating_of = {row["name"]: row["rating"] or 0.0 for row in summary["standings"]}
    ratings = np.array([rating_of[name] for name in history.names])[games.bots]
    best = np.take_along_axis(ratings, games.place.argmin(axis=1)[:, None], axis=1)[:, 0]
    points = np.sort(games.points, axis=1)
    scores = {
        "the greatest surprise": best - ratings.max(axis=1),
        "the strongest table": -ratings.sum(axis=1),
        "the closest end": (points[:, -1] - points[:, -2]) * 1000 - ratings.mean(axis=1),
    }
    found: dict[str, int] = {}
    for text, score in scores.items():
        order = np.argsort(score, kind="stable")
        game = next((int(each) for each in order if first + int(each) not in found.values()), None)
        if game is not None:
            names = ", ".join(history.names[bot] for bot in games.bots[game])
            found[f"{text} of the last rounds: {names} ({' '.join(map(str, games.points[game]))} points)"] = (
                first + game
            )
    return found


def write_replays(folder: Path, history: History, summary: Mapping[str, Any]) -> None:
    """Play chosen games again and write a page of each; other ones are removed.

    Only games of bots are shown that are compiled here, or say that they are replayable, and that come out as before.
    """
    (folder / REPLAYS).mkdir(exist_ok=True)
    wanted = {}
    for text, game in chosen_games(history, summary).items():
        path = folder / REPLAYS / f"{game}.html"
        html = path.read_text("utf-8") if path.exists() else replay_of(history, game, folder)
        if html:
            write_whole(path, html)
            wanted[path.name] = text
    for path in (folder / REPLAYS).glob("*.html"):
        if path.name not in wanted:
            path.unlink()
    write_whole(folder / REPLAYS / "list.txt", "".join(f"{name} {text}\n" for name, text in wanted.items()))


def _replays_in(folder: Path) -> dict[str, str]:
    """Return the files of the replays in the folder of a league, by what they show."""
    try:
        lines = (folder / REPLAYS / "list.txt").read_text("utf-8").splitlines()
    except OSError:
        return {}
    return {text: f"{REPLAYS}/{name}" for name, _, text in (line.partition(" ") for line in lines)}


def replay_of(history: History, game: int, folder: Path) -> str:
    """Return a page of a game, by its number in all games; empty if it cannot be played again."""
    now = next(each for each in reversed(history.rounds) if each.first <= game)
    batch_type = cli.batch_class(history.settings["game"])
    specs = [history.entries[bot].spec for bot in history.games.bots[game]]
    if any(_kind(spec, history) != SURE for spec in specs) or now.secret is None:
        return ""
    tournament = tournament_of(history, now, now.secret, None, folder)
    seating = _seating(history, now, game, tournament.secret)
    (result,), _ = play_block(replace(tournament, records=True), [seating])
    if result.points != history.games.points[game].tolist() or result.record_text is None:
        return ""
    return html_page(batch_type, parse_record(result.record_text.encode(), batch_type.spec))


def _kind(spec: str, history: History) -> str:
    """Return whether a bot of the package plays the same game again; UNKNOWN for one of strangers."""
    game_spec = cli.batch_class(history.settings["game"]).spec
    return UNKNOWN if is_stranger(spec) else kind_of(make_agent(spec, game_spec))


def _seating(history: History, now: Round, game: int, secret: bytes) -> Seating:
    """Return the seating of a game, by its number in all games."""
    every = [seating for block in blocks_of(history, now, secret) for seating in block]
    return every[game - now.first]
