"""What lines of a record are as events: what a fight was, and how everybody stands."""

from collections.abc import Sequence

import numpy as np

from shogun_env.shogun.text.kinds import COLOUR_KEYS
from shogun_env.spec.game_spec import Line
from shogun_env.spec.pages import FARMERS, Fight


def fights(before: np.void, lines: Sequence[Line]) -> list[Fight]:
    """Return the throws of an event; ``before`` is the state before it."""
    found = []
    tray = dict(zip(COLOUR_KEYS, before["tray"].tolist(), strict=True))
    for at, line in enumerate(lines):
        if line["t"] != "throw":
            continue
        thrown, cubes = line["thrown"], line["tray"]
        fight = lines[at + 1] if at + 1 < len(lines) and lines[at + 1]["t"] == "fight" else None
        if fight is None:
            found.append(Fight(why="the tower is filled", thrown=thrown, tray=cubes))
            continue
        attacker, defender = (FARMERS if fight[role] is None else str(fight[role]) for role in ("attacker", "defender"))
        holds = {"attacker": attacker, "defender": defender}.get(fight["outcome"], FARMERS)
        found.append(
            Fight(
                why="battle" if line["why"] == "battle" else "revolt",
                thrown=thrown,
                tray=cubes,
                province=fight["province"],
                sides=tuple((colour, thrown.get(colour, 0) - tray[colour]) for colour in (attacker, defender)),
                holder=None if holds == FARMERS else holds,
                remaining=fight["remaining"],
            )
        )
    return found


def standing(g: np.void) -> dict[str, list[int]]:
    """Return how the players stand, by what is counted: nothing that anybody does not know."""
    players = range(g["n_players"])
    own = [g["owner"] == player for player in players]
    return {
        "provinces": [int(mine.sum()) for mine in own],
        "armies": [int(g["armies"][mine].sum()) for mine in own],
        "buildings": [int(g["building"][:, mine].sum()) for mine in own],
        "points": [int(g["points"][player]) for player in players],
    }
