"""Taking and losing a province, and moving cubes between province, supply and tray: what every family of actions
shares.
"""

from __future__ import annotations

import numpy as np

from shogun_env.kernel.jit import kernel
from shogun_env.kernel.types import Bool, Int, Player, Prov, State
from shogun_env.shogun import constants as c


@kernel
def holds_special(g: State, player: Player, special: Int) -> Bool:
    """Say whether a player has this special's privilege in this round."""
    position = np.int64(g["position_of"][player])
    return position != c.NONE and g["special_at"][position] == special


@kernel
def to_tray(g: State, colour: Int, wanted: Int) -> Int:
    """Put up to ``wanted`` cubes from the supply into the tray; a short supply gives what it has (R11). Returns the
    number.
    """
    given = min(np.int64(wanted), np.int64(g["supply"][colour]))
    g["supply"][colour] -= given
    g["tray"][colour] += given
    return given


@kernel
def from_tray(g: State, colour: Int, cubes: Int) -> None:
    """Return cubes from the tray to their supply."""
    g["tray"][colour] -= cubes
    g["supply"][colour] += cubes


@kernel
def armies_to_tray(g: State, prov: Prov, armies: Int) -> None:
    """Take armies out of a province into the tray; the owner's colour."""
    g["armies"][prov] -= armies
    g["tray"][g["owner"][prov]] += armies


@kernel
def take_province(g: State, prov: Prov, player: Player) -> None:
    """Make ``player`` the owner of a neutral province; its card comes into his hand, unplanned (rules 3.6)."""
    g["owner"][prov] = player
    g["gained"][prov] = 1
    g["n_owned"][player] += 1


@kernel
def lose_province(g: State, prov: Prov) -> None:
    """Make a province neutral; if its card lay on a space, the space is empty now and everybody saw it (R19)."""
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
    """Make a province neutral and clear it of buildings and revolt markers; they go back to the box (R17)."""
    lose_province(g, prov)
    g["revolts"][prov] = 0
    for kind in range(c.N_KINDS):
        g["kinds_left"][kind] += g["building"][kind, prov]
        g["building"][kind, prov] = 0
