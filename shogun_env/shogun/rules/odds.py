"""How battles end on average: the same attack, fought many times by the rules of battles (rules 5.1, 5.2)."""

import numpy as np

from shogun_env.kernel.jit import kernel
from shogun_env.kernel.types import Int, Log, Prov, Rng, Row, State
from shogun_env.shogun import constants as c
from shogun_env.shogun.rules.battle import attack
from shogun_env.shogun.rules.tower import cubes_inside, spread

WON, HELD, LEFT = 0, 1, 2
"""What is counted: victories of the attacker, those of the defender, armies of the attacker after victories."""


@kernel
def fight_often(
    g: State, memory: Row, before: Row, rng: Rng, log: Log, source: Prov, prov: Prov, armies: Int, times: Int, out: Row
) -> None:
    """Let armies attack a province many times from the same state, and count how it ends.

    Nobody knows on which floors the cubes inside the tower rest: they are dealt again for each battle (R10).

    Args:   g, scratch; memory, its bytes; before, the bytes of the state; source, the province that the armies leave,
            prov, the one that they attack; armies, their number; times, number of battles; out, int64[3], to which
            WON, HELD and LEFT are added
    """
    for _ in range(times):
        for at in range(before.shape[0]):
            memory[at] = before[at]
        player, defender = np.int64(g["owner"][source]), np.int64(g["owner"][prov])
        for colour in range(c.N_COLOURS):
            spread(g, rng, np.int64(colour), cubes_inside(g, np.int64(colour)))
        attack(g, rng, log, player, source, prov, armies)
        owner = np.int64(g["owner"][prov])
        if owner == player:
            out[WON] += 1
            out[LEFT] += np.int64(g["armies"][prov])
        elif owner == defender and owner != c.NONE:
            out[HELD] += 1
