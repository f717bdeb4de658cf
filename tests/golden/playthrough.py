"""Golden playthroughs: whole games as text that a person can read, so that a change of play shows as a diff.

``python -m tests.golden.playthrough`` rewrites the files; read the diff before you commit it.

A file begins with the game's versions and sizes, and with what never changes in it. Then come every decision by name,
every line of the record (chance among them), and now and then the board as ``Game.render`` shows it. Masks,
observations and drawings are kept as short hashes: behind each decision that of its mask and of what all players see.
"""

import hashlib
import random
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from shogun_env import shitenno, shogun
from shogun_env.game import Game
from shogun_env.kernel.log import LENGTH
from shogun_env.records.picture import draw_state
from shogun_env.records.story import sentences
from tests.lines import field_text, line_text

FOLDER = Path(__file__).parent


class Style(NamedTuple):
    """What the playthroughs of a game differ in."""

    game: type[Game]
    boards: int
    """Decisions between two boards."""
    half_way: tuple[str, ...]
    """Phases in which a line of the record is in the making; what is complete before them is written after them."""
    constants: tuple[str, ...]
    """Features of provinces in an observation that never change in a game."""
    provinces: Callable[[dict[str, Any]], Iterator[str]]
    """Returns the provinces of a state line as lines of text."""


def provinces_of_shogun(provinces: dict[str, list[Any]]) -> Iterator[str]:
    """Yield for each owner the provinces with armies, buildings (C, T, N) and revolt markers (!)."""
    owners = sorted({owner for owner, *_ in provinces.values() if owner is not None})
    for player in (*owners, None):
        places = [
            f"{name} {armies}{'C' * castle}{'T' * temple}{'N' * theatre}{'!' * revolts}" if owner is not None else name
            for name, (owner, armies, revolts, castle, temple, theatre) in provinces.items()
            if owner == player
        ]
        yield f"{'neutral' if player is None else f'P{player}'}: {', '.join(places) or '-'}"


def provinces_of_shitenno(provinces: dict[str, dict[str, Any]]) -> Iterator[str]:
    """Yield each province with the troop on its tile and the Kamon from the left, golden ones with a star."""
    for name, place in provinces.items():
        kamon = (f"P{player}{'*' * golden}" for player, golden in place["kamon"])
        yield " ".join([f"{name}:", place["top"] or "-", *kamon])


SHOGUN = Style(
    shogun.Game,
    boards=60,
    half_way=("target", "number", "revolt_order"),
    constants=("in_play", "region", "tax", "rice", "sites"),
    provinces=provinces_of_shogun,
)
SHITENNO = Style(
    shitenno.Game,
    boards=20,
    half_way=(),
    constants=("icons_bushi", "icons_samurai", "icons_shinobi", "icons_sohei"),
    provinces=provinces_of_shitenno,
)

GAMES: dict[str, tuple[Style, dict[str, Any]]] = {
    "sun_3_preset": (SHOGUN, {"num_players": 3}),
    "sun_4_preset": (SHOGUN, {"num_players": 4}),
    "sun_5_preset": (SHOGUN, {"num_players": 5}),
    "moon_3_draft": (SHOGUN, {"num_players": 3, "side": "moon", "start": "draft"}),
    "moon_4_random_optional": (SHOGUN, {"num_players": 4, "side": "moon", "start": "random", "optional_moves": True}),
    "moon_5_draft_one_shot": (SHOGUN, {"num_players": 5, "side": "moon", "start": "draft", "tower": "one_shot"}),
    "sun_4_shuffled_free_tower": (SHOGUN, {"shuffle_seats": True, "tower": (4, 0.3, 0.5, 0.2)}),
    "shitenno_2": (SHITENNO, {"num_players": 2}),
    "shitenno_3": (SHITENNO, {"num_players": 3}),
    "shitenno_4": (SHITENNO, {"num_players": 4}),
}
"""Style and options of each file; the seed is its place in this table."""
STORIES = {"shogun": SHOGUN, "shitenno": SHITENNO}
"""Games of which a player is told, so that a change of wording shows as a diff."""


def playthrough(name: str) -> str:
    """Return the text of a golden game."""
    style, options = GAMES[name]
    seed = list(GAMES).index(name)
    game = style.game(seed=seed, **options)
    parts = [header(name, game, seed), constants(game, style), transcript(game, style, random.Random(seed))]
    return "\n\n".join("\n".join(part) for part in parts) + "\n"


def header(name: str, game: Game, seed: int) -> Iterator[str]:
    """Yield what the game is, in versions, sizes and options."""
    spec = game.spec
    yield f"# {name}: a playthrough of {spec.title}. `make golden` writes it; read the diff before you commit it."
    yield ""
    yield f"game: {spec.name}; versions: rules {spec.rules_version}, observation {spec.obs_version}"
    yield f"options: {' '.join(f'{option}={value}' for option, value in game.options.items())}"
    yield f"seed: {seed}"
    yield f"phases: {' '.join(spec.phase_names)}"
    yield f"rewards: {' '.join(spec.rewards)}"
    yield f"actions: {spec.n_actions}; names {short_hash(' '.join(map(spec.action_name, range(spec.n_actions))))}"
    yield f"observation: {spec.obs_size} bytes; layout {short_hash(repr([tuple(part) for part in layout_of(game)]))}"
    yield f"state: {spec.state_dtype.itemsize} bytes"


def layout_of(game: Game) -> Iterator[tuple[Any, ...]]:
    """Yield block, name, place and highest value of each feature."""
    for piece in game.spec.obs_layout:
        yield piece.block, piece.name, piece.start, piece.stop, piece.high


def constants(game: Game, style: Style) -> Iterator[str]:
    """Yield a table of what players see of the provinces that never changes."""
    features = game.features(0)
    rows = [["constants", *style.constants]]
    for index, place in enumerate(game.spec.position_format.places):
        rows.append([place, *(str(features[name][index]) for name in style.constants)])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def transcript(game: Game, style: Style, chooser: random.Random) -> Iterator[str]:
    """Play a game with random actions and yield its decisions, the lines of its record, and boards."""
    yield "playthrough"
    n_written, n_logged, number = 0, -1, 0
    while True:
        logged = int(game.batch.logs[0, LENGTH])
        if game.phase not in style.half_way and logged != n_logged:
            lines, n_logged = game.record(), logged
            yield from (text for line in lines[n_written:] for text in lines_of(line, style))
            n_written = len(lines)
        if game.is_over:
            break
        if number % style.boards == 0:
            yield from board(game)
        legal = list(game.legal_actions())
        action = chooser.choice(legal)
        what = f"{number:3} P{game.player} {game.phase}: {action}"
        yield f"{what:<42} of {len(legal)}; mask {short_hash(game.mask(), 4)}, views {hash_of_views(game)}"
        game.play(action)
        number += 1
    yield from board(game)
    for reward in game.spec.rewards:
        yield f"returns {reward} {' '.join(f'{value:.4f}' for value in game.returns(reward))}"


def lines_of(line: dict[str, Any], style: Style) -> Iterator[str]:
    """Yield a line of the record; of a state a row for each player, and rows of provinces."""
    if line["t"] != "state":
        yield "    " + line_text(line)
        return
    by_player = [name for name, value in line.items() if isinstance(value, list) and isinstance(value[0], dict)]
    yield "    " + line_text({name: value for name, value in line.items() if name not in (*by_player, "provinces")})
    for player, values in enumerate(zip(*(line[name] for name in by_player), strict=True)):
        pairs = zip(by_player, values, strict=True)
        yield f"      P{player} " + " ".join(f"{name}={field_text(name, value)}" for name, value in pairs)
    for text in style.provinces(line["provinces"]):
        yield f"      {text}"


def board(game: Game) -> Iterator[str]:
    """Yield the referee's view, a hash of its drawing, and the legal actions, with a bar in front."""
    for row in game.render().splitlines():
        yield f"  | {row}".rstrip()
    yield f"  | drawn: {short_hash(''.join(draw_state(game.spec, game.batch.games[0]).parts.values()))}"
    if not game.is_over:
        yield f"  | legal: {' '.join(game.legal_actions())}"


# --- hashes ----------------------------------------------------------------------------------------------------------


def short_hash(value: str | np.ndarray, digits: int = 8) -> str:
    """Return the first digits of the hash of a text or an array."""
    data = value.encode() if isinstance(value, str) else np.ascontiguousarray(value).tobytes()
    return hashlib.sha256(data).hexdigest()[:digits]


def hash_of_views(game: Game) -> str:
    """Return a hash of what every player may know."""
    return short_hash(np.concatenate([game.observation(player) for player in range(game.num_players)]))


# --- files -----------------------------------------------------------------------------------------------------------


def story(name: str) -> str:
    """Play a game of three at random and return what player 0 is told of it, after the numbers of the lines."""
    game, chooser = STORIES[name].game(seed=3, num_players=3), random.Random(3)
    while not game.is_over:
        game.play(chooser.choice(list(game.legal_actions())))
    rows = []
    for told in sentences(game.spec, game.record(["person", "random", "random"]), 0):
        lines = str(told.first) if told.first == told.last else f"{told.first}-{told.last}"
        rows.append(f"{lines:>7} {told.text}\n")
    return "".join(rows)


def texts() -> dict[Path, Callable[[], str]]:
    """Return every golden file with what makes its text: the playthroughs in the order of their table, then stories."""
    games: dict[Path, Callable[[], str]] = {FOLDER / f"{name}.txt": partial(playthrough, name) for name in GAMES}
    return games | {FOLDER / "stories" / f"{name}.txt": partial(story, name) for name in STORIES}


def main() -> None:
    """Write every file and print which changed."""
    for path, make in texts().items():
        text = make()
        is_new = not path.exists() or path.read_text("utf-8") != text
        path.write_text(text, "utf-8")
        print(f"{path.name}: {'rewritten' if is_new else 'as before'}")


if __name__ == "__main__":
    main()
