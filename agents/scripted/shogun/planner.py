"""The whole plan at once: ten actions and the bid, out of one hand of provinces and one purse (rules 3.3).

Every province has a worth on every space. The plan is built greedily, best card first, and then improved: two spaces
exchange their provinces, or a space takes one that is left over.
"""

from __future__ import annotations

import numpy as np

from shogun_env.agents.scripted.shogun.features import (
    CHESTS,
    OWN_CARD,
    TAX,
    Features,
    armies_in,
    is_mine,
)
from shogun_env.agents.scripted.shogun.numbers import (
    BID_RATE,
    DEFEND,
    GARRISON,
    LAST_BID,
    LEAST,
    PRIZE,
    RESERVE,
    SPARE_BID,
)
from shogun_env.agents.scripted.shogun.odds import danger, enemies_near
from shogun_env.agents.scripted.shogun.worth import (
    COST,
    FIRST,
    KNOWN_SIZE,
    MORE,
    N_LEVELS,
    SECOND,
    UNKNOWN,
    before,
    best_march,
    building_worth,
    deployment_worth,
    holding,
    income_worth,
    survey,
)
from shogun_env.agents.scripted.shogun.worth import SECOND_WORTH as SECOND_ATTACK
from shogun_env.kernel.jit import kernel
from shogun_env.kernel.scratch import stack_floats, stack_ints
from shogun_env.kernel.types import Bool, Float, Int, Mask, Observation, Params, Prov, Row
from shogun_env.shogun import constants as c

# Rows of the working table ``t`` float64[17 x 45]: a number per province of the observer, in the order of OWN.
TARGET, SECOND_TARGET, SECOND_WORTH = c.N_SPACES, c.N_SPACES + 1, c.N_SPACES + 2
"""After worth on every space: best target of a battle, the second best and its worth (spaces: of the first)."""
SPACE, OWN, KNOWN = c.N_SPACES + 3, c.N_SPACES + 4, c.N_SPACES + 5
"""The space on which the province is, or IN_HAND; its number; and after these rows what ``prize_of`` keeps."""
STRIDE = c.N_PROVINCES
TABLE_SIZE = KNOWN * STRIDE + KNOWN_SIZE
IN_HAND = -1.0
NO_CARD, CLOSED = -1.0, -2.0
"""Values of a space without a province: it may get one; it is filled with something else."""
MUST_LAY = c.N_SPACES - c.N_CHEST_CARDS
"""So many spaces no chest card can fill."""
BATTLE_A, BATTLE_B = 1 + c.BATTLE_MOVE_A, 1 + c.BATTLE_MOVE_B
BETTER = 1e-9
FEW = 2
"""Armies of which none is worth a march."""


@kernel
def fill_worth(o: Observation, s: Features, t: Row, params: Params) -> Int:
    """Write the provinces of the observer, and what each is worth on every space; return how many there are.

    Args: t float64[TABLE_SIZE], written
    """
    known = t[KNOWN * STRIDE : TABLE_SIZE]
    known[:] = UNKNOWN
    count = np.int64(0)
    for prov in range(c.N_PROVINCES):
        if is_mine(o, prov):
            column = t[count:]
            column[OWN * STRIDE], column[SPACE * STRIDE] = prov, IN_HAND
            fill_column(o, s, prov, column, known, params)
            count += 1
    return count


@kernel
def fill_column(o: Observation, s: Features, prov: Prov, t: Row, known: Row, params: Params) -> None:
    """Write what one province is worth on every space, into every 45th number of ``t``."""
    held, near, armies = holding(o, s, prov, params), enemies_near(o, s, prov), armies_in(o, prov)
    lost = danger(o, s, prov, armies, near, params)
    t[c.BID_SPACE * STRIDE] = params[SPARE_BID]
    for act in range(c.BUILD_CASTLE, c.BUILD_NO_THEATRE + 1):
        t[(1 + act) * STRIDE] = building_worth(o, s, act, prov, 0.5 * lost, known, params)
    for act in range(c.CONFISCATE_RICE, c.COLLECT_TAXES + 1):
        t[(1 + act) * STRIDE] = income_worth(o, s, act, prov, held, 0.5 * lost, params)
    attacks = stack_floats(7)
    survey(o, s, prov, attacks, known, params)
    for level in range(1, N_LEVELS):
        act = np.int64(c.DEPLOY_5_ARMIES + level - 1)
        averted = params[DEFEND] * held * (lost - danger(o, s, prov, armies + MORE[level], near, params))
        better = params[PRIZE] * (attacks[level] - attacks[0]) if s.seasons_left > 1 else 0.0
        t[(1 + act) * STRIDE] = deployment_worth(o, s, act, averted, better, params)
    if armies > 1:
        left = params[GARRISON] * held * (danger(o, s, prov, np.int64(1), near, params) - lost)
        fill_battles(o, s, prov, attacks, left, t, known, params)
    else:
        t[TARGET * STRIDE] = t[SECOND_TARGET * STRIDE] = c.NONE
        t[BATTLE_A * STRIDE] = t[BATTLE_B * STRIDE] = t[SECOND_WORTH * STRIDE] = 0.0


@kernel
def fill_battles(
    o: Observation, s: Features, prov: Prov, attacks: Row, left: Float, t: Row, known: Row, params: Params
) -> None:
    """Write what the best and the second best battle/move from one province are worth, and their targets.

    Args: attacks, as ``survey`` writes them; left, cost of leaving one army behind in an attack
    """
    target, worth = np.int64(attacks[FIRST]), attacks[0] - left
    second, second_worth = np.int64(attacks[SECOND]), attacks[SECOND_ATTACK] - left
    if target == c.NONE and armies_in(o, prov) <= FEW:
        worth = second_worth = 0.0
    elif target == c.NONE:  # two marches may have the same target
        target, worth = best_march(o, s, prov, known, params)
        second, second_worth = target, worth
    elif second == c.NONE:
        second_worth = 0.0
    t[TARGET * STRIDE], t[BATTLE_A * STRIDE], t[BATTLE_B * STRIDE] = target, worth, worth
    t[SECOND_TARGET * STRIDE], t[SECOND_WORTH * STRIDE] = second, second_worth


@kernel
def price_of_plan(spaces: Row) -> Int:
    """Return the chests that the actions planned so far cost."""
    price = np.int64(0)
    for act in range(c.N_ACTION_CARDS):
        if spaces[1 + act] >= 0:
            price += COST[act]
    return price


@kernel
def purse(o: Observation, spaces: Row, t: Row, price: Int, act: Int) -> Float:
    """Return the chests that are left for an action: what is there and taxes that come before, less ``price``.

    Args: spaces float64[11], index of the province on each space, or below 0
    """
    chests = float(np.int64(o[CHESTS]) - price)
    taxes = np.int64(spaces[1 + c.COLLECT_TAXES])
    if taxes >= 0 and act != c.COLLECT_TAXES:
        prov = np.int64(t[OWN * STRIDE + taxes])
        chests += np.int64(o[TAX + prov]) * before(o, np.int64(c.COLLECT_TAXES), act)
    return chests


@kernel
def lay(space: Int, index: Int, count: Int, spaces: Row, t: Row) -> None:
    """Put a province on a space; what the first battle attacks is no target of the second."""
    spaces[space] = index
    t[SPACE * STRIDE + index] = space
    if space != BATTLE_A and space != BATTLE_B:
        return
    following = BATTLE_A + BATTLE_B - space
    if spaces[following] >= 0:
        return
    target = t[TARGET * STRIDE + index]
    for other in range(count):
        if t[TARGET * STRIDE + other] == target:
            t[following * STRIDE + other] = t[SECOND_WORTH * STRIDE + other]


@kernel
def lay_fixed(o: Observation, count: Int, spaces: Row, t: Row) -> Int:
    """Lay the cards that the observer has laid already; return how many of them are provinces."""
    laid = np.int64(0)
    for space in range(c.N_SPACES):
        card = np.int64(o[OWN_CARD + space])
        if card > 0:
            spaces[space] = CLOSED
            for index in range(count):
                if t[OWN * STRIDE + index] == card - 1:
                    lay(np.int64(space), np.int64(index), count, spaces, t)
                    laid += 1
    return laid


@kernel
def best_in_hand(space: Int, count: Int, t: Row) -> Int:
    """Return the index of the province in hand that is worth most on a space; NONE if no province is in hand."""
    best = np.int64(c.NONE)
    for index in range(count):
        is_better = best == c.NONE or t[space * STRIDE + index] > t[space * STRIDE + best]
        if t[SPACE * STRIDE + index] == IN_HAND and is_better:
            best = np.int64(index)
    return best


@kernel
def lay_best(o: Observation, count: Int, laid: Int, needed: Int, spaces: Row, t: Row, params: Params) -> Int:
    """Lay provinces, best first, while it pays or no chest card can replace them; return how many are laid."""
    candidates = stack_ints(11)
    for space in range(c.N_SPACES):
        candidates[space] = best_in_hand(np.int64(space), count, t)
    while laid < min(count, c.N_SPACES):
        best_space, best = np.int64(c.NONE), 0.0
        price = price_of_plan(spaces)
        for space in range(c.N_SPACES):
            if spaces[space] == NO_CARD:
                # An action that cannot be paid is skipped: it does nothing, whatever the province.
                paid = space == c.BID_SPACE or purse(o, spaces, t, price, np.int64(space - 1)) >= COST[space - 1]
                worth = t[space * STRIDE + candidates[space]] if paid else 0.0
                if best_space == c.NONE or worth > best:
                    best_space, best = np.int64(space), worth
        if best_space == c.NONE or (best <= params[LEAST] and laid >= needed):
            break
        index = candidates[best_space]
        lay(best_space, index, count, spaces, t)
        laid += 1
        for space in range(c.N_SPACES):
            if candidates[space] == index or space >= BATTLE_A:
                candidates[space] = best_in_hand(np.int64(space), count, t)
    return laid


@kernel
def improve(count: Int, first: Int, spaces: Row, t: Row) -> None:
    """Exchange provinces between spaces, or with those in hand, while that is worth more; spaces from ``first`` on."""
    for space in range(first, c.N_SPACES):
        if spaces[space] >= 0:
            for index in range(count):
                own, other = np.int64(spaces[space]), np.int64(t[SPACE * STRIDE + index])
                gain = t[space * STRIDE + index] - t[space * STRIDE + own]
                if other >= first and other != space:
                    gain += t[other * STRIDE + own] - t[other * STRIDE + index]
                if index != own and (other == IN_HAND or other >= first) and gain > BETTER:
                    spaces[space] = index
                    t[SPACE * STRIDE + index], t[SPACE * STRIDE + own] = space, other
                    if other >= 0:
                        spaces[other] = own


@kernel
def chest_bid(o: Observation, s: Features, spaces: Row, t: Row, params: Params) -> Int:
    """Return the chest card worth bidding, of what the plan leaves in the purse; 0 for none."""
    left = purse(o, spaces, t, price_of_plan(spaces), np.int64(c.COLLECT_TAXES))
    bid = params[LAST_BID] * left if s.seasons_left == 1 else params[BID_RATE] * (left - params[RESERVE])
    return min(np.int64(max(0.0, bid)), np.int64(c.N_CHEST_CARDS - 1))


@kernel
def write_plan(count: Int, bid: Int, spaces: Row, plan: Row) -> None:
    """Write the action for every space: a province, then chest cards, then no card where nothing is left."""
    chests = np.int64(0)
    for step in range(c.N_SPACES):
        if spaces[step] >= 0:
            continue
        if step == c.BID_SPACE:
            plan[step] = c.A_CHEST + bid
            continue
        if chests == bid and spaces[c.BID_SPACE] < 0:
            chests += 1
        plan[step] = c.A_CHEST + chests if chests < c.N_CHEST_CARDS else c.A_NO_CARD
        chests += 1


@kernel
def make_plan(o: Observation, s: Features, fixed: Bool, plan: Row, t: Row, params: Params) -> None:
    """Write the whole plan of the observer.

    Args:
        fixed: keep the cards that the observer has laid already.
        plan: int64[11], written: the action for each space; of spaces that are filled already, any.
        t: float64[TABLE_SIZE], scratch.
    """
    spaces = stack_floats(11)
    spaces[:] = NO_CARD
    count = fill_worth(o, s, t, params)
    laid = lay_fixed(o, count, spaces, t) if fixed else np.int64(0)
    first = np.int64(0)
    while fixed and first < c.N_SPACES and o[OWN_CARD + first] > 0:
        first += 1
    needed = min(count, np.int64(MUST_LAY))
    laid = lay_best(o, count, laid, needed, spaces, t, params)
    improve(count, first, spaces, t)
    bid = np.int64(0)
    if first == 0:
        bid = chest_bid(o, s, spaces, t, params)
        if bid > 0:
            if spaces[c.BID_SPACE] >= 0:
                t[SPACE * STRIDE + np.int64(spaces[c.BID_SPACE])] = IN_HAND
                laid -= 1
            spaces[c.BID_SPACE] = CLOSED
            lay_best(o, count, laid, needed, spaces, t, params)
            improve(count, first, spaces, t)
    write_plan(count, bid, spaces, plan)
    for space in range(c.N_SPACES):
        if spaces[space] >= 0:
            plan[space] = c.A_CARD + np.int64(t[OWN * STRIDE + np.int64(spaces[space])])


@kernel
def choose_card(o: Observation, legal: Mask, s: Features, space: Int, params: Params) -> Int:
    """Choose the card for a planning space: that of the whole plan, or of the best plan with the cards laid already."""
    plan, t = stack_ints(11), stack_floats(780)
    make_plan(o, s, False, plan, t, params)
    for earlier in range(space):
        card = np.int64(o[OWN_CARD + earlier])
        if (card if card <= c.N_CARDS else np.int64(c.A_NO_CARD)) != plan[earlier]:
            make_plan(o, s, True, plan, t, params)
            break
    if legal[np.int64(plan[space])] == 1:
        return np.int64(plan[space])
    return fallback(legal)


@kernel
def fallback(legal: Mask) -> Int:
    """Return a legal card that does least: a chest card, no card, else the first province."""
    for value in range(c.N_CHEST_CARDS):
        if legal[c.A_CHEST + value] == 1:
            return np.int64(c.A_CHEST + value)
    action = np.int64(c.A_NO_CARD)
    if legal[action] == 0:
        action = np.int64(0)
        while legal[action] == 0:
            action += 1
    return action
