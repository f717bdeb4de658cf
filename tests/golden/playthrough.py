"""Golden playthroughs: whole games as text that a person can read, so that a change of play shows as a diff.

Written are every decision, every line of the record (chance among them), and now and then everything a player sees: the
mask by name and the parts of his observation that are not zero, by their names in the game's ``OBS_LAYOUT``.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from shogun_env import shitenno, shogun
from shogun_env.batch.batch import Batch
from shogun_env.shogun.constants import NUMBER, REVOLT_ORDER, TARGET
from tests.words import line_text, show

FOLDER = Path(__file__).parent


def kamon_text(place: dict[str, Any]) -> str:
    """Show a province of Shitennō: the troop on top, then the Kamon from the left, golden ones with a star."""
    return "/".join([show(place["top"]), *(f"P{player}{'*' * golden}" for player, golden in place["kamon"])])


class Style(NamedTuple):
    """What the playthroughs of a game differ in."""

    batch: type[Batch]
    every: int
    """Decisions between two full views."""
    half_way: tuple[int, ...]
    """Phases in which a line of the record is in the making; what is whole before them is told after them."""
    row: int
    """Provinces of a state in a row."""
    place_text: Callable[[Any], str]
    """What a state says of a province -> text."""


SHOGUN = Style(shogun.Batch, every=40, half_way=(TARGET, NUMBER, REVOLT_ORDER), row=9, place_text=show)
SHITENNO = Style(shitenno.Batch, every=15, half_way=(), row=8, place_text=kamon_text)

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


def playthrough(name: str) -> str:
    """Return the text of a golden game."""
    style, options = GAMES[name]
    return "\n".join([f"# {name}: {options}; `make golden` writes this file", *tell(new_game(name), style)]) + "\n"


def new_game(name: str) -> Batch:
    """Return the game of a file at its start."""
    style, options = GAMES[name]
    return style.batch(1, seed=list(GAMES).index(name), record=True, **options)


def tell(batch: Batch, style: Style) -> Iterator[str]:
    """Play a game with actions from a fixed stream and tell it line by line."""
    chooser = random.Random(int(batch.seeds[0]))
    game = batch.spec
    told = 0
    number = 0
    while True:
        phase = int(batch.games["phase"][0])
        if phase not in style.half_way:
            lines = batch.records()[0]
            yield from (line for each in lines[told:] for line in line_of(each, style))
            told = len(lines)
        if batch.over[0]:
            break
        if number % style.every == 0:
            yield from view(batch)
        legal = np.flatnonzero(batch.legal[0])
        action = int(legal[chooser.randrange(len(legal))])
        yield (
            f"{number:3} player {batch.player[0]} {game.phase_names[phase]}: {game.action_name(action)} of {len(legal)}"
        )
        batch.step(np.array([action]))
        number += 1
    yield "returns " + " ".join(f"{value:.4f}" for value in batch.returns[0])


def line_of(line: dict[str, Any], style: Style) -> Iterator[str]:
    """Show a line of the record; of a state a row for each player with counts by name, and rows of provinces."""
    places = style.batch.spec.position_format.places
    if line["t"] != "state":
        yield "    " + line_text({name: by_place(value, places) for name, value in line.items()})
        return
    by_player = [name for name, value in line.items() if isinstance(value, list) and isinstance(value[0], dict)]
    yield "    " + line_text({name: value for name, value in line.items() if name not in (*by_player, "provinces")})
    for player, counts in enumerate(zip(*(line[name] for name in by_player), strict=True)):
        pairs = zip(by_player, counts, strict=True)
        yield f"      player {player} " + " ".join(f"{name}={show(value)}" for name, value in pairs)
    for first in range(0, len(places), style.row):
        names = [name for name in places[first : first + style.row] if name in line["provinces"]]
        yield "      " + " ".join(f"{name}={style.place_text(line['provinces'][name])}" for name in names)


def by_place(value: Any, places: Sequence[str]) -> Any:
    """Make of an object with a value for each province a list, in which zeros are shown too."""
    if isinstance(value, dict) and value.keys() == {*places}:
        return [f"{place}:{show(value[place])}" for place in places]
    return value


def view(batch: Batch) -> Iterator[str]:
    """Show the mask of who decides and what he sees."""
    game = batch.spec
    yield "    legal: " + " ".join(game.action_name(action) for action in np.flatnonzero(batch.legal[0]).tolist())
    seen = batch.observe()[0]
    for piece in game.obs_layout:
        values = seen[piece.start : piece.stop]
        if values.any():
            yield f"    sees {piece.name}: " + " ".join(f"{at}:{values[at]}" for at in np.flatnonzero(values))


def path_of(name: str) -> Path:
    """Return where a golden game is kept."""
    return FOLDER / f"{name}.txt"
