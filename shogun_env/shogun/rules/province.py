"""Winning and losing a province, and moving cubes between province, supply and tray (rules 1, 3.6, 5.2, 5.3).

All families of actions use these; cubes only ever move, so that each colour always adds up to the same number.
"""

import numpy as np

from shogun_env.kernel.jit import kernel
from shogun_env.kernel.types import Bool, Int, Player, Prov, State
from shogun_env.shogun import constants as c


@kernel
def holds_special(g: State, player: Player, special: Int) -> Bool:
    """Say whether a player has the privilege of a special in this round (3.5).

    Args:   special, one of PLUS_1_CHEST .. PLUS_1_DEFENCE

    Reads:  special_at, position_of
    """
    position = np.int64(g["position_of"][player])
    return position != c.NONE and g["special_at"][position] == special


@kernel
def to_tray(g: State, colour: Int, cubes: Int) -> Int:
    """Put up to ``cubes`` cubes from the supply into the tray; a short supply gives what it has (5.2, R11).

    Args:   colour, a player or FARMERS
    Reads:  supply
    Writes: supply, tray
    Returns int: the number of cubes put.
    """
    given = min(np.int64(cubes), np.int64(g["supply"][colour]))
    g["supply"][colour] -= given
    g["tray"][colour] += given
    return given


@kernel
def from_tray(g: State, colour: Int, cubes: Int) -> None:
    """Put cubes from the tray back into their supply (5.2).

    Args:   colour, a player or FARMERS; cubes, no more than lie in the tray
    Writes: supply, tray
    """
    g["tray"][colour] -= cubes
    g["supply"][colour] += cubes


@kernel
def armies_to_tray(g: State, prov: Prov, armies: Int) -> None:
    """Move armies of the owner from a province into the tray (5.2).

    Args:   armies, no more than the province has
    Reads:  owner
    Writes: armies, tray
    """
    g["armies"][prov] -= armies
    g["tray"][g["owner"][prov]] += armies


@kernel
def take_province(g: State, prov: Prov, player: Player) -> None:
    """Make ``player`` the owner of a neutral province; its card comes into their hand, not into the plan (3.6).

    Writes: owner, gained, n_owned
    """
    g["owner"][prov] = player
    g["gained"][prov] = 1
    g["n_owned"][player] += 1


@kernel
def lose_province(g: State, prov: Prov) -> None:
    """Make a province neutral; a space on which its card lay is empty then, and everybody saw it (3.6, R19).

    Reads:  owner, plan
    Writes: owner, n_owned, plan, emptied
    """
    player = np.int64(g["owner"][prov])
    if player == c.NONE:
        return
    g["owner"][prov] = c.NONE
    g["n_owned"][player] -= 1
    for space in range(c.N_SPACES):
        if g["plan"][player, space] == prov:
            g["plan"][player, space] = c.EMPTY
            g["emptied"][player, space] = 1


@kernel
def lay_waste(g: State, prov: Prov) -> None:
    """Make a province neutral and put its buildings and revolt markers back into the box (5.2, R17).

    Reads:  owner, building, plan
    Writes: revolts, building, kinds_left, what ``lose_province`` writes
    """
    lose_province(g, prov)
    g["revolts"][prov] = 0
    for kind in range(c.N_KINDS):
        g["kinds_left"][kind] += g["building"][kind, prov]
        g["building"][kind, prov] = 0
