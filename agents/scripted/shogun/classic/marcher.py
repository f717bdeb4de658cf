"""What the scripted bot of Shogun decides in the draft, while actions run, and in winter."""

from __future__ import annotations

import numpy as np

from shogun_env.agents.scripted.shogun.classic.evaluate import attack_value, danger, holding, strongest_near
from shogun_env.agents.scripted.shogun.features import (
    NEAR,
    RICE,
    SITES,
    SOURCE_MARK,
    TARGET_MARK,
    TAX,
    Features,
    armies_in,
    foreign_near,
    is_mine,
    marked,
    owner_of,
)
from shogun_env.agents.scripted.shogun.odds import attack_chance, defence_of
from shogun_env.kernel.jit import kernel
from shogun_env.kernel.types import Action, Float, Int, Mask, Observation, Params, Prov
from shogun_env.shogun import constants as c

_STAY = 0.0
_SHIFT = -0.02
_FRONT = 0.05
_SURE = 0.9
_NOTHING = -1000.0


@kernel
def best_shift(o: Observation, s: Features, source: Prov, prov: Prov) -> tuple[Int, Float]:
    """Return how many armies should best march from one of the observer's provinces to another, and what that is worth.

    It is worth the danger that it averts in ``prov``, less the danger that it causes in ``source``, and a little more
    if it brings armies to a front. At least one army marches, and one stays.
    """
    here, there = armies_in(o, source), armies_in(o, prov)
    enemy_here, enemy_there = strongest_near(o, s, source), strongest_near(o, s, prov)
    worth_here, worth_there = holding(o, s, source), holding(o, s, prov)
    before = danger(o, source, enemy_here, here) * worth_here + danger(o, prov, enemy_there, there) * worth_there
    to_front = foreign_near(o, s, source) == 0 and foreign_near(o, s, prov) > 0
    best = np.int64(1)
    best_value = _NOTHING
    for armies in range(1, here):
        value = before - danger(o, source, enemy_here, here - armies) * worth_here
        value -= danger(o, prov, enemy_there, there + armies) * worth_there
        value += _FRONT * armies if to_front else 0.0
        if value > best_value:
            best = np.int64(armies)
            best_value = value
    return best, best_value + _SHIFT


@kernel
def choose_target(o: Observation, legal: Mask, s: Features, params: Params) -> Action:
    """Choose the province to march to or attack; to stay, where that is allowed, is worth nothing (rules 4)."""
    source = marked(o, SOURCE_MARK)
    armies = armies_in(o, source) - 1
    left = danger(o, source, strongest_near(o, s, source), 1) * holding(o, s, source)
    best = np.int64(c.A_NO_CARD)
    best_value = _STAY if legal[c.A_NO_CARD] == 1 else _NOTHING
    for index in range(c.MAX_NEIGHBOURS + 1):
        prov = np.int64(NEAR[s.side, s.players, source, index])
        if prov == c.NONE:
            break
        if legal[c.A_CARD + prov] == 1:
            defender = owner_of(o, prov)
            if defender == 0:
                value = best_shift(o, s, source, prov)[1]
            else:
                value = attack_value(o, s, prov, defender, armies, best_value + left, params) - left
            if value > best_value:
                best = np.int64(c.A_CARD + prov)
                best_value = value
    return best


@kernel
def choose_number(o: Observation, s: Features) -> Action:
    """Choose how many armies go: the best number for both provinces, or enough to win and those not needed at home."""
    source, prov = marked(o, SOURCE_MARK), marked(o, TARGET_MARK)
    defender = owner_of(o, prov)
    if defender == 0:
        return c.A_NUMBER + best_shift(o, s, source, prov)[0]
    most = armies_in(o, source) - 1
    fewest = max(np.int64(1), most - strongest_near(o, s, source))
    theirs, inside = defence_of(o, prov, defender)
    armies = most
    while armies > fewest and attack_chance(o, s, armies - 1, theirs, inside) > _SURE:
        armies -= 1
    return c.A_NUMBER + armies


@kernel
def site_value(o: Observation, s: Features, prov: Prov) -> Float:
    """Return how good a province is to start with: its yield, its building sites, its neighbours."""
    value = 0.3 * (np.int64(o[TAX + prov]) + np.int64(o[RICE + prov])) + 0.4 * o[SITES + prov]
    for index in range(c.MAX_NEIGHBOURS + 1):
        other = np.int64(NEAR[s.side, s.players, prov, index])
        if other == c.NONE:
            break
        if is_mine(o, other):
            value += 0.5
        elif owner_of(o, other) != c.NONE:
            value -= 0.2
    return value


@kernel
def choose_draft(o: Observation, legal: Mask, s: Features) -> Action:
    """Take the better open card, or the top card of the deck if both are worse than the average unseen card."""
    total = 0.0
    count = 0
    best = np.int64(c.A_DECK)
    best_value = _NOTHING
    for prov in range(c.N_PROVINCES):
        if legal[c.A_CARD + prov] == 1:
            value = site_value(o, s, prov)
            if value > best_value:
                best = np.int64(c.A_CARD + prov)
                best_value = value
        elif owner_of(o, prov) == c.NONE and o[SITES + prov] > 0:
            total += site_value(o, s, prov)
            count += 1
    if legal[c.A_DECK] == 1 and count > 0 and total > best_value * count:
        return np.int64(c.A_DECK)
    return best
