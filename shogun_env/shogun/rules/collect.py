"""The actions confiscate rice and collect taxes, and the unrest that follows them (rules 4, R9)."""

import numpy as np

from shogun_env.kernel.jit import kernel
from shogun_env.kernel.log import log_entry
from shogun_env.kernel.types import Int, Log, Player, Prov, Rng, State
from shogun_env.shogun import constants as c
from shogun_env.shogun.board import EVENT_BOUND, RICE, TAX
from shogun_env.shogun.rules.battle import revolt
from shogun_env.shogun.rules.province import holds_special


@kernel
def bounded_by_event(g: State, amount: Int, at_least: Int, at_most: Int) -> Int:
    """Return an income after the event that bounds it: ``at_least`` or ``at_most``, if one of them is in force (4)."""
    event = np.int64(g["event"])
    if event == at_least:
        return max(np.int64(amount), EVENT_BOUND[event])
    if event == at_most:
        return min(np.int64(amount), EVENT_BOUND[event])
    return np.int64(amount)


@kernel
def income(g: State, player: Player, act: Int, prov: Prov) -> Int:
    """Return the yield of a province: the printed number, changed by the event, then +1 with the special (4)."""
    if act == c.COLLECT_TAXES:
        amount = bounded_by_event(g, TAX[prov], c.TAXES_AT_LEAST_6, c.TAXES_AT_MOST_5)
        return amount + (1 if holds_special(g, player, c.PLUS_1_CHEST) else 0)
    amount = bounded_by_event(g, RICE[prov], c.RICE_AT_LEAST_4, c.RICE_AT_MOST_3)
    return amount + (1 if holds_special(g, player, c.PLUS_1_RICE) else 0)


@kernel
def collect(g: State, rng: Rng, log: Log, player: Player, act: Int, prov: Prov) -> None:
    """Take rice or chests; then comes unrest: the first marker, or a revolt of as many farmers as there are markers.

    Rule:   4; the income is kept in any case (R9), the rice track has no top (R16), the bank does not run out (R1).
    Args:   act, CONFISCATE_RICE or COLLECT_TAXES
    Reads:  event, revolts, special_at, position_of, what ``revolt`` reads
    Writes: rice, chests, revolts, what ``revolt`` writes; rice or chests by the action
    Draws:  with a revolt those of one throw, see ``throw``; else none
    """
    amount = income(g, player, act, prov)
    if act == c.COLLECT_TAXES:
        g["chests"][player] += amount
    else:
        g["rice"][player] += amount
    markers = np.int64(g["revolts"][prov])
    log_entry(log, c.LOG_DO, player, act, prov, c.COLLECTED, amount, 1 if markers > 0 else 0, 0)
    if markers == 0 or revolt(g, rng, log, prov, markers, c.WHY_REVOLT):
        g["revolts"][prov] = markers + 1  # markers are unlimited (R2)
