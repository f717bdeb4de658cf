"""What an attack promises, from what everybody knows: how likely it is won, and with how many armies left."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from shogun_env.kernel.rng import seed_stream
from shogun_env.shogun import board
from shogun_env.shogun import constants as c
from shogun_env.shogun.rules.battle_move import neighbour
from shogun_env.shogun.rules.odds import HELD, LEFT, WON, fight_often
from shogun_env.shogun.state import STATE
from shogun_env.spec.voice import counted

BATTLES = 1500
"""Battles fought for one attack: the standard error of a chance is 1.3 % at most."""
SEED = 1
"""Of their chance, so that equal positions have equal odds."""
PRIVATE = ("hand", "plan", "cards_left", "blanks_left", "space", "player")
"""Fields that only some players know, or that have nothing to do with battles."""


class Odds(NamedTuple):
    """What an attack promises."""

    won: float
    """Probability that the attacker takes the province."""
    held: float
    """Probability that the defender keeps it; otherwise nobody has it afterwards."""
    left: float
    """Mean number of armies left in the province when it is taken; 0 if it never is."""

    def __str__(self) -> str:
        """Return the odds in a few words, such as ``wins 46 %, 2 left``."""
        percent = round(100 * self.won)
        chance = "over 99" if percent > 99 else "under 1" if percent < 1 else percent
        return f"wins {chance}\u00a0%" + (f", {max(1, round(self.left))} left" if self.left else "")


def attack_odds(g: np.void, source: int, prov: int, armies: int) -> Odds:
    """Return what an attack promises, if nothing else happens before.

    Args: g; source, a province of the attacker; prov, the neighbour attacked, of somebody else; armies, 1 to those in
        ``source`` less 1.
    """
    public = np.array([g], STATE)
    for name in PRIVATE:
        public[name] = c.EMPTY if name == "plan" else 0
    public["tower"][0, 0], public["tower"][0, 1:] = g["tower"].sum(axis=0), 0  # nobody knows the floors
    return _odds(public.tobytes(), source, prov, armies)


@lru_cache(maxsize=4096)
def _odds(state: bytes, source: int, prov: int, armies: int) -> Odds:
    scratch, rng, out = np.zeros(1, STATE), np.zeros(2, np.uint64), np.zeros(3, np.int64)
    before, log = np.frombuffer(bytearray(state), np.uint8), np.zeros(1, np.int16)
    seed_stream(rng, SEED, 0)
    fight_often(scratch[0], scratch.view(np.uint8), before, rng, log, source, prov, armies, BATTLES, out)
    won = int(out[WON])
    return Odds(won=won / BATTLES, held=int(out[HELD]) / BATTLES, left=int(out[LEFT]) / max(1, won))


def promises(g: np.void) -> dict[int, str]:
    """Return what the attacks promise that the player who decides can choose, by action.

    Of a target all armies that may go attack it.
    """
    source, phase, player = int(g["source"]), int(g["phase"]), int(g["player"])
    if phase not in (c.TARGET, c.NUMBER) or source == c.NONE:
        return {}
    most = int(g["armies"][source]) - 1
    if phase == c.NUMBER:
        prov = int(g["target"])
        if g["owner"][prov] == player:
            return {}
        return {c.A_NUMBER + armies: f"{attack_odds(g, source, prov, armies)}" for armies in range(1, most + 1)}
    with_all = f"with {counted(most, 'army', 'armies')}"
    near = [prov for prov in neighbours(g, source) if g["owner"][prov] != player]
    return {c.A_CARD + prov: f"{with_all} {attack_odds(g, source, prov, most)}" for prov in near}


def neighbours(g: np.void, prov: int) -> list[int]:
    """Return the neighbours of a province that are in play."""
    found = {int(neighbour(g, prov, index)) for index in range(c.MAX_NEIGHBOURS)}
    return sorted(near for near in found if near != c.NONE and board.IN_PLAY[g["side"], g["n_players"], near])
