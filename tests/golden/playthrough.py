"""Golden playthroughs: whole games as text that a person can read, so that a change of play shows as a diff.

Written are every decision, every line of the record (chance among them), and now and then everything a player sees: the
mask by name and the parts of his observation that are not zero, by their names in ``OBS_LAYOUT``.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from shogun_env.shogun import OBS_LAYOUT, SHOGUN, Batch, action_name, board
from shogun_env.shogun import constants as c
from tests.words import line_text, show

FOLDER = Path(__file__).parent
EVERY = 40
"""Decisions between two full views."""

HALF_WAY = (c.TARGET, c.NUMBER, c.REVOLT_ORDER)
"""Phases in which the last line of the record is not yet whole."""

GAMES: dict[str, dict[str, Any]] = {
    "sun_3_preset": {"num_players": 3},
    "sun_4_preset": {"num_players": 4},
    "sun_5_preset": {"num_players": 5},
    "moon_3_draft": {"num_players": 3, "side": "moon", "start": "draft"},
    "moon_4_random_optional": {"num_players": 4, "side": "moon", "start": "random", "optional_moves": True},
    "moon_5_draft_one_shot": {"num_players": 5, "side": "moon", "start": "draft", "tower": "one_shot"},
    "sun_4_shuffled_free_tower": {"shuffle_seats": True, "tower": (4, 0.3, 0.5, 0.2)},
}
"""Options of each file; the seed is its place in this table."""


def playthrough(name: str) -> str:
    """Return the text of a golden game."""
    return "\n".join([f"# {name}: {GAMES[name]}; `make golden` writes this file", *tell(name)]) + "\n"


def tell(name: str) -> Iterator[str]:
    """Play the game of a file with actions from a fixed stream and tell it line by line."""
    seed = list(GAMES).index(name)
    chooser = random.Random(seed)
    batch = Batch(1, seed=seed, record=True, **GAMES[name])
    told = 0
    number = 0
    while True:
        if batch.games["phase"][0] not in HALF_WAY:
            lines = batch.records()[0]
            yield from (line for each in lines[told:] for line in line_of(each))
            told = len(lines)
        if batch.over[0]:
            break
        if number % EVERY == 0:
            yield from view(batch)
        legal = np.flatnonzero(batch.legal[0])
        action = legal[chooser.randrange(len(legal))]
        phase = SHOGUN.phase_names[batch.games["phase"][0]]
        yield f"{number:3} player {batch.player[0]} {phase}: {action_name(action)} of {len(legal)}"
        batch.step(np.array([action]))
        number += 1
    yield "returns " + " ".join(f"{value:.4f}" for value in batch.returns[0])


def line_of(line: dict[str, Any]) -> Iterator[str]:
    """Show a line of the record; of a state one row a region's province."""
    if line["t"] != "state":
        yield "    " + line_text(line)
        return
    yield "    " + line_text({name: value for name, value in line.items() if name != "provinces"})
    for first in range(0, len(board.PROVINCE_NAMES), 9):
        names = [name for name in board.PROVINCE_NAMES[first : first + 9] if name in line["provinces"]]
        yield "      " + " ".join(f"{name}={show(line['provinces'][name])}" for name in names)


def view(batch: Batch) -> Iterator[str]:
    """Show the mask of who decides and what he sees."""
    yield "    legal: " + " ".join(action_name(action) for action in np.flatnonzero(batch.legal[0]))
    seen = batch.observe()[0]
    for piece in OBS_LAYOUT:
        values = seen[piece.start : piece.stop]
        if values.any():
            yield f"    sees {piece.name}: " + " ".join(f"{at}:{values[at]}" for at in np.flatnonzero(values))


def path_of(name: str) -> Path:
    """Return where a golden game is kept."""
    return FOLDER / f"{name}.txt"
