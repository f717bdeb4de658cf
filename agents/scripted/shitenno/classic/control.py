"""What the scripted bot of Shitennō decides in the odd year: placements, payments, golden Kamon."""

from __future__ import annotations

import numpy as np

from shogun_env.agents.scripted.shitenno.payment import coins_for
from shogun_env.agents.scripted.shitenno.reading import Features, seals_of
from shogun_env.kernel.jit import kernel
from shogun_env.kernel.types import Action, Mask, Observation
from shogun_env.shitenno import board
from shogun_env.shitenno import constants as c


@kernel
def choose_turn(o: Observation, legal: Mask, s: Features) -> Action:
    """Choose to draw if that is legal, else the placement worth most beyond its cost, else to end the turn."""
    if legal[c.A_DRAW] == 1:
        return np.int64(c.A_DRAW)
    more = board.TITLE_POINTS[seals_of(o, 0)]
    best, best_gain = np.int64(c.A_END_TURN), 0.0
    for prov in range(c.N_PROVINCES):
        if legal[c.A_TROOPS + prov] == 1:
            gain = s.by_troops[prov] + more
            if gain > best_gain:
                best, best_gain = np.int64(c.A_TROOPS + prov), gain
        if legal[c.A_KOKU + prov] == 1:
            coins, paid = coins_for(o, s.prices[prov])
            gain = s.by_koku[prov] + more - s.koku * (paid - s.prices[prov])
            if coins > 0 and gain > best_gain:
                best, best_gain = np.int64(c.A_KOKU + prov), gain
    return best
