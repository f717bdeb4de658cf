"""The whole plan at once: ten actions and the bid, out of one hand of provinces and one purse (rules 3.3).

Every province has a worth on every space. The plan is built greedily, best card first, and then improved: two spaces
exchange their provinces, or a space takes one that is left over.
"""

from typing import NamedTuple

import numpy as np

from shogun_env.agents.scripted.shogun import evaluate as w
from shogun_env.agents.scripted.shogun import numbers as n
from shogun_env.agents.scripted.shogun.evaluate import COST, KNOWN_SIZE, SURVEY_SIZE, UNKNOWN
from shogun_env.agents.scripted.shogun.features import Features, armies_in, is_mine
from shogun_env.agents.scripted.shogun.odds import danger, enemies_near
from shogun_env.kernel.jit import kernel
from shogun_env.kernel.scratch import stack_floats, stack_ints
from shogun_env.kernel.types import Bool, Float, Int, Mask, Observation, Prov, Row, Rows
from shogun_env.shogun import constants as c
from shogun_env.shogun import layout as at

IN_HAND = -1
"""Value of ``Hand.space`` for a province that is on no space."""
NO_CARD, CLOSED = -1, -2
"""Values of a space without a province: it may get one; it is filled with something else."""
N_SPACES = c.N_SPACES
"""The size of a plan; numba takes sizes of scratch from names of this module only."""
WORTH_SIZE = N_SPACES * c.N_PROVINCES
N_PROVINCES = c.N_PROVINCES
MUST_LAY = N_SPACES - c.N_CHEST_CARDS
"""This many spaces no chest card can fill."""
BATTLE_A, BATTLE_B = 1 + c.BATTLE_MOVE_A, 1 + c.BATTLE_MOVE_B
BETTER = 1e-9
"""A smaller gain is one of rounding: with it two provinces could be exchanged for ever."""
FEW = 2
"""Armies of which none is worth a march."""


class Hand(NamedTuple):
    """The provinces of the observer, one column for each: what they are worth on every space, and where they lie."""

    worth: Rows
    """float64[N_SPACES, N_PROVINCES], in points."""
    prov: Row
    """int64[N_PROVINCES], the number of the province."""
    space: Row
    """int64[N_PROVINCES], the space on which it lies, or IN_HAND."""
    target: Row
    """int64[N_PROVINCES], the best target of a battle from it, NONE without one."""
    second_worth: Row
    """float64[N_PROVINCES], what a battle from it is worth if another battle has taken that target."""


@kernel
def fill_hand(f: Features, hand: Hand) -> Int:
    """Write the provinces of the observer, and what each is worth on every space; return how many there are."""
    known = stack_floats(KNOWN_SIZE)
    known[:] = UNKNOWN
    count = np.int64(0)
    for prov in range(c.N_PROVINCES):
        if is_mine(f.obs, prov):
            hand.prov[count], hand.space[count] = prov, IN_HAND
            target, second = fill_column(f, prov, hand.worth[:, count], known)
            hand.target[count], hand.second_worth[count] = target, second
            count += 1
    return count


@kernel
def fill_column(f: Features, prov: Prov, worth: Row, known: Row) -> tuple[Int, Float]:
    """Write what one province is worth on every space: float64[N_SPACES], a column of ``Hand.worth``.

    Returns int, float: the best target of a battle, and what a battle is worth without it
    """
    held, near, armies = w.holding(f, prov), enemies_near(f, prov), armies_in(f.obs, prov)
    lost = danger(f, prov, armies, near)
    worth[c.BID_SPACE] = f.params[n.SPARE_BID]
    for act in range(c.BUILD_CASTLE, c.BUILD_NO_THEATRE + 1):
        worth[1 + act] = w.building_worth(f, act, prov, w.PER_BATTLE * lost, known)
    for act in range(c.CONFISCATE_RICE, c.COLLECT_TAXES + 1):
        worth[1 + act] = w.income_worth(f, act, prov, held, w.PER_BATTLE * lost)
    attacks = stack_floats(SURVEY_SIZE)
    w.survey(f, prov, attacks, known)
    for level in range(1, w.N_LEVELS):
        act = np.int64(c.DEPLOY_5_ARMIES + level - 1)
        averted = f.params[n.DEFEND] * held * (lost - danger(f, prov, armies + w.MORE[level], near))
        better = f.params[n.PRIZE] * (attacks[level] - attacks[0]) if f.seasons_left > 1 else 0.0
        worth[1 + act] = w.deployment_worth(f, act, averted, better)
    target, best, second = np.int64(c.NONE), 0.0, 0.0
    if armies > 1:
        left = f.params[n.GARRISON] * held * (danger(f, prov, np.int64(1), near) - lost)
        target, best, second = battles_of(f, prov, attacks, left, known)
    worth[BATTLE_A] = worth[BATTLE_B] = best
    return target, second


@kernel
def battles_of(f: Features, prov: Prov, attacks: Row, left: Float, known: Row) -> tuple[Int, Float, Float]:
    """Return the target of the best battle/move from a province, what that is worth, and what the second best is worth.

    Args: attacks, as ``survey`` writes them; left, cost of leaving one army behind in an attack
    """
    target = np.int64(attacks[w.FIRST])
    if target == c.NONE and armies_in(f.obs, prov) <= FEW:
        return target, 0.0, 0.0
    if target == c.NONE:  # two marches may have the same target
        target, worth = w.best_march(f, prov, known)
        return target, worth, worth
    return target, attacks[0] - left, 0.0 if attacks[w.SECOND] == c.NONE else attacks[w.SECOND_WORTH] - left


@kernel
def price_of_plan(spaces: Row) -> Int:
    """Return the chests that the actions planned so far cost."""
    price = np.int64(0)
    for act in range(c.N_ACTION_CARDS):
        if spaces[1 + act] >= 0:
            price += COST[act]
    return price


@kernel
def purse(obs: Observation, spaces: Row, hand: Hand, price: Int, act: Int) -> Float:
    """Return the chests that are left for an action: what is there and taxes that come before, less ``price``.

    Args: spaces int64[N_SPACES], the column of the province on each space, or below 0
    """
    chests = float(np.int64(obs[at.CHESTS]) - price)
    taxes = spaces[1 + c.COLLECT_TAXES]
    if taxes >= 0 and act != c.COLLECT_TAXES:
        chests += np.int64(obs[at.TAX + hand.prov[taxes]]) * w.chance_before(obs, np.int64(c.COLLECT_TAXES), act)
    return chests


@kernel
def lay(space: Int, index: Int, count: Int, spaces: Row, hand: Hand) -> None:
    """Put a province on a space; what the first battle attacks is no target of the second."""
    spaces[space] = index
    hand.space[index] = space
    if space != BATTLE_A and space != BATTLE_B:
        return
    following = BATTLE_A + BATTLE_B - space
    if spaces[following] >= 0:
        return
    for other in range(count):
        if hand.target[other] == hand.target[index]:
            hand.worth[following, other] = hand.second_worth[other]


@kernel
def lay_fixed(obs: Observation, count: Int, spaces: Row, hand: Hand) -> Int:
    """Lay the cards that the observer has laid already; return how many of them are provinces."""
    laid = np.int64(0)
    for space in range(c.N_SPACES):
        card = np.int64(obs[at.OWN_CARD + space])
        if card > 0:
            spaces[space] = CLOSED
            for index in range(count):
                if hand.prov[index] == card - 1:
                    lay(np.int64(space), np.int64(index), count, spaces, hand)
                    laid += 1
    return laid


@kernel
def best_in_hand(worth: Row, space_of: Row, count: Int) -> Int:
    """Return the column of the province in hand that is worth most on a space; NONE if no province is in hand.

    Args: worth float64[N_PROVINCES], on this space; space_of, as ``Hand.space``; count, number of provinces
    """
    best = np.int64(c.NONE)
    for index in range(count):
        if space_of[index] == IN_HAND and (best == c.NONE or worth[index] > worth[best]):
            best = np.int64(index)
    return best


@kernel
def lay_best(f: Features, count: Int, laid: Int, needed: Int, spaces: Row, hand: Hand) -> Int:
    """Lay provinces, best first, while it pays or no chest card can replace them; return how many are laid."""
    candidates = stack_ints(N_SPACES)
    for space in range(c.N_SPACES):
        candidates[space] = best_in_hand(hand.worth[space], hand.space, count)
    while laid < min(count, c.N_SPACES):
        best_space, best = np.int64(c.NONE), 0.0
        price = price_of_plan(spaces)
        for space in range(c.N_SPACES):
            if spaces[space] == NO_CARD:
                # An action that cannot be paid is skipped: it does nothing, whatever the province.
                paid = space == c.BID_SPACE or purse(f.obs, spaces, hand, price, np.int64(space - 1)) >= COST[space - 1]
                worth = hand.worth[space, candidates[space]] if paid else 0.0
                if best_space == c.NONE or worth > best:
                    best_space, best = np.int64(space), worth
        if best_space == c.NONE or (best <= f.params[n.LEAST] and laid >= needed):
            break
        index = candidates[best_space]
        lay(best_space, index, count, spaces, hand)
        laid += 1
        for space in range(c.N_SPACES):
            if candidates[space] == index or space >= BATTLE_A:
                candidates[space] = best_in_hand(hand.worth[space], hand.space, count)
    return laid


@kernel
def improve(count: Int, first: Int, spaces: Row, hand: Hand) -> None:
    """Exchange provinces between spaces, or with those in hand, while that is worth more; spaces from ``first`` on."""
    for space in range(first, c.N_SPACES):
        if spaces[space] >= 0:
            worth = hand.worth[space]
            for index in range(count):
                here, other = spaces[space], hand.space[index]
                gain = worth[index] - worth[here]
                if other >= first and other != space:
                    gain += hand.worth[other, here] - hand.worth[other, index]
                if index != here and (other == IN_HAND or other >= first) and gain > BETTER:
                    spaces[space] = index
                    hand.space[index], hand.space[here] = space, other
                    if other >= 0:
                        spaces[other] = here


@kernel
def chest_bid(f: Features, spaces: Row, hand: Hand) -> Int:
    """Return the chest card worth bidding, of what the plan leaves in the purse; 0 for none."""
    left = purse(f.obs, spaces, hand, price_of_plan(spaces), np.int64(c.COLLECT_TAXES))
    bid = f.params[n.LAST_BID] * left if f.seasons_left == 1 else f.params[n.BID_RATE] * (left - f.params[n.RESERVE])
    return min(np.int64(max(0.0, bid)), np.int64(c.N_CHEST_CARDS - 1))


@kernel
def write_plan(bid: Int, spaces: Row, plan: Row) -> None:
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
def make_plan(f: Features, fixed: Bool, plan: Row, hand: Hand) -> None:
    """Write the whole plan of the observer.

    Args:
        fixed: keep the cards that the observer has laid already.
        plan: int64[N_SPACES], written: the action for each space; of spaces that are filled already, any.
        hand: scratch, written.
    """
    spaces = stack_ints(N_SPACES)
    spaces[:] = NO_CARD
    count = fill_hand(f, hand)
    laid = lay_fixed(f.obs, count, spaces, hand) if fixed else np.int64(0)
    first = np.int64(0)
    while fixed and first < c.N_SPACES and f.obs[at.OWN_CARD + first] > 0:
        first += 1
    needed = min(count, np.int64(MUST_LAY))
    laid = lay_best(f, count, laid, needed, spaces, hand)
    improve(count, first, spaces, hand)
    bid = np.int64(0)
    if first == 0:
        bid = chest_bid(f, spaces, hand)
        if bid > 0:
            if spaces[c.BID_SPACE] >= 0:
                hand.space[spaces[c.BID_SPACE]] = IN_HAND
                laid -= 1
            spaces[c.BID_SPACE] = CLOSED
            lay_best(f, count, laid, needed, spaces, hand)
            improve(count, first, spaces, hand)
    write_plan(bid, spaces, plan)
    for space in range(c.N_SPACES):
        if spaces[space] >= 0:
            plan[space] = c.A_CARD + hand.prov[spaces[space]]


@kernel
def complete_plan(f: Features, laid: Int, plan: Row) -> None:
    """Write the whole plan of the observer, or if the first ``laid`` cards differ from it, the best one with these.

    Args: plan int64[N_SPACES], written, as by ``make_plan``
    """
    hand = Hand(
        worth=stack_floats(WORTH_SIZE).reshape((N_SPACES, N_PROVINCES)),
        prov=stack_ints(N_PROVINCES),
        space=stack_ints(N_PROVINCES),
        target=stack_ints(N_PROVINCES),
        second_worth=stack_floats(N_PROVINCES),
    )
    make_plan(f, False, plan, hand)
    for space in range(laid):
        card = np.int64(f.obs[at.OWN_CARD + space])
        if (card if card <= c.N_CARDS else np.int64(c.A_NO_CARD)) != plan[space]:
            make_plan(f, True, plan, hand)
            break


@kernel
def choose_card(f: Features, legal: Mask, space: Int) -> Int:
    """Choose the card for a planning space: that of the whole plan, or of the best plan with the cards laid already."""
    plan = stack_ints(N_SPACES)
    complete_plan(f, space, plan)
    if legal[plan[space]] == 1:
        return plan[space]
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
