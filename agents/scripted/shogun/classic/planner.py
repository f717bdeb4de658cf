"""What the scripted bot of Shogun decides before the actions run: the bid, the ten cards of its plan, the special card.

Every planning decision works out the whole plan again: first the most important actions that have no card yet, each
with its best card, then the action asked for. Cards placed before are not in the hand any more, so the plan stays the
same from space to space, and takes less and less time.
"""

from __future__ import annotations

import numpy as np

from shogun_env.agents.scripted.shogun.classic.evaluate import (
    attack_value,
    danger,
    holding,
    majority_gain,
    strongest_near,
)
from shogun_env.agents.scripted.shogun.classic.numbers import ATTACK, BID, BUILD, DEFEND, FRONT, INCOME
from shogun_env.agents.scripted.shogun.features import (
    BUILDING,
    CHESTS,
    NEAR,
    OFFER,
    PROVINCES,
    REVOLTS,
    RICE,
    RICE_TRACK,
    SITES,
    SUPPLY,
    TAX,
    Features,
    armies_in,
    buildings_in,
    is_mine,
    is_planned,
    owner_of,
)
from shogun_env.kernel.jit import kernel
from shogun_env.kernel.types import Action, Float, Int, Mask, Observation, Params, Prov
from shogun_env.shogun import board
from shogun_env.shogun import constants as c

COST = board.COST
_CHEST = 0.25
_GRAIN = 0.35
_UNSETTLED = 3.0
_ENOUGH_RICE = 4
_SPARE = 0.02
_NOTHING = -1000.0
_LEAST = 0.05
"""Points that a province card must be worth to be placed."""


@kernel
def revolt_risk(o: Observation, prov: Prov) -> Float:
    """Return a penalty for unrest in ``prov``: 0 without a marker, else higher the fewer armies are there (rules 4)."""
    markers = np.int64(o[REVOLTS + prov])
    if markers == 0:
        return 0.0
    return max(0.0, _UNSETTLED * markers - armies_in(o, prov)) * (1.0 + buildings_in(o, prov))


@kernel
def score_income(o: Observation, s: Features, act: Int, prov: Prov, floor: Float, params: Params) -> Float:
    """Score taxes or rice in a province (rules 4): the income, less unrest, less the danger of losing it before."""
    if act == c.COLLECT_TAXES:
        worth = _CHEST * (o[TAX + prov] + 1.0) if s.seasons_left > 1 else _LEAST
    else:
        worth = _GRAIN * o[RICE + prov]
        if np.int64(o[RICE_TRACK]) > np.int64(o[PROVINCES]) + _ENOUGH_RICE:
            worth *= 0.2
    worth = params[INCOME] * worth - revolt_risk(o, prov)
    if worth <= floor:
        return worth
    return worth * (1.0 - danger(o, prov, strongest_near(o, s, prov), armies_in(o, prov)))


@kernel
def score_building(o: Observation, s: Features, act: Int, prov: Prov, floor: Float, params: Params) -> Float:
    """Score a castle, temple or theatre in a province: a point per scoring, the majority, less the danger there."""
    if o[BUILDING + act * c.N_PROVINCES + prov] == 1 or buildings_in(o, prov) >= np.int64(o[SITES + prov]):
        return _NOTHING
    gain = s.scorings * (1.0 + majority_gain(o, s, prov, act)) * params[BUILD]
    gain -= _SPARE * (np.int64(o[TAX + prov]) + np.int64(o[RICE + prov]))
    if gain <= floor:
        return gain
    return gain * (1.0 - danger(o, prov, strongest_near(o, s, prov), armies_in(o, prov)))


@kernel
def score_deployment(o: Observation, s: Features, act: Int, prov: Prov, params: Params) -> Float:
    """Score armies deployed in a province: the danger they avert, and the attacks that they allow next season."""
    added = board.DEPLOYED_ARMIES[act]
    armies = armies_in(o, prov)
    enemy = strongest_near(o, s, prov)
    averted = danger(o, prov, enemy, armies) - danger(o, prov, enemy, armies + added)
    score = params[DEFEND] * averted * holding(o, s, prov)
    if s.seasons_left > 1:
        weakest = np.int64(c.MAX_GROUP * c.MAX_GROUP)
        for index in range(c.MAX_NEIGHBOURS + 1):
            other = np.int64(NEAR[s.side, s.players, prov, index])
            if other == c.NONE:
                break
            if not is_mine(o, other):
                weakest = min(weakest, armies_in(o, other))
        score += params[FRONT] * params[ATTACK] * min(1.0, max(0.0, 0.25 * (armies + added - weakest)))
    if o[SUPPLY] < added:
        return _NOTHING
    return score


@kernel
def score_attack(o: Observation, s: Features, prov: Prov, params: Params) -> Float:
    """Score the best attack from a province with all armies but one, less the danger to the province itself."""
    armies = armies_in(o, prov) - 1
    if armies < 2:
        return _NOTHING
    best = 0.0
    for index in range(c.MAX_NEIGHBOURS + 1):
        other = np.int64(NEAR[s.side, s.players, prov, index])
        if other == c.NONE:
            break
        if armies_in(o, other) <= armies:
            defender = owner_of(o, other)
            if defender != 0:
                best = max(best, attack_value(o, s, other, defender, armies, best, params))
    if best == 0.0:
        return _NOTHING
    return best - danger(o, prov, strongest_near(o, s, prov), 1) * holding(o, s, prov)


@kernel
def best_attacks(o: Observation, legal: Mask, s: Features, params: Params) -> tuple[Int, Int]:
    """Return the best and the second best province in the hand to attack from; NONE where no attack is worth it."""
    first, second = np.int64(c.NONE), np.int64(c.NONE)
    first_score = second_score = 0.0
    for prov in range(c.N_PROVINCES):
        if legal[c.A_CARD + prov] == 1:
            score = score_attack(o, s, prov, params)
            if score > first_score:
                second, second_score = first, first_score
                first, first_score = np.int64(prov), score
            elif score > second_score:
                second, second_score = np.int64(prov), score
    return first, second


@kernel
def score_card(o: Observation, s: Features, act: Int, prov: Prov, floor: Float, params: Params) -> Float:
    """Return what ``act``, not a battle, is worth in ``prov``, in points; a bound if it is at most ``floor``."""
    if act <= c.BUILD_NO_THEATRE:
        return score_building(o, s, act, prov, floor, params)
    if act <= c.COLLECT_TAXES:
        return score_income(o, s, act, prov, floor, params)
    return score_deployment(o, s, act, prov, params)


@kernel
def best_card(
    o: Observation, legal: Mask, s: Features, act: Int, keep_a: Prov, keep_b: Prov, keep_c: Prov, params: Params
) -> Int:
    """Return the best province in the hand for ``act``, except three kept for others, or NONE if none is worth it."""
    best = np.int64(c.NONE)
    best_score = _LEAST * (1 + COST[act])
    for prov in range(c.N_PROVINCES):
        if legal[c.A_CARD + prov] == 1 and prov != keep_a and prov != keep_b and prov != keep_c:
            score = score_card(o, s, act, prov, best_score, params)
            if score > best_score:
                best = np.int64(prov)
                best_score = score
    return best


@kernel
def money_left(o: Observation) -> Int:
    """Return the chests that the actions planned so far do not need."""
    chests = np.int64(o[CHESTS])
    for act in range(c.N_ACTION_CARDS):
        if is_planned(o, act):
            chests -= COST[act]
    return chests


@kernel
def plan_card(o: Observation, legal: Mask, s: Features, act: Int, params: Params) -> Int:
    """Return the province planned for ``act``, or NONE to do nothing there.

    The most important actions choose first: the two attacks, then the taxes; the others in the order of the spaces.
    """
    attack_a, attack_b = best_attacks(o, legal, s, params)
    if act == c.BATTLE_MOVE_B or act == c.BATTLE_MOVE_A:
        return attack_a
    nothing = np.int64(c.NONE)
    chests = money_left(o)
    taxes = nothing
    if act < c.COLLECT_TAXES:
        taxes = best_card(o, legal, s, c.COLLECT_TAXES, attack_a, attack_b, nothing, params)
        chests += np.int64(o[TAX + taxes]) // 2 if taxes != c.NONE else 0
    if chests < COST[act] and COST[act] > 0:
        return nothing
    return best_card(o, legal, s, act, attack_a, attack_b, taxes, params)


@kernel
def fallback_card(o: Observation, legal: Mask, s: Features, act: Int, params: Params) -> Int:
    """Return the legal action that does least there: a chest card, no card, or the province that loses least."""
    for value in range(c.N_CHEST_CARDS):
        if legal[c.A_CHEST + value] == 1:
            return np.int64(c.A_CHEST + value)
    if legal[c.A_NO_CARD] == 1:
        return np.int64(c.A_NO_CARD)
    best = np.int64(c.NONE)
    best_score = 2.0 * _NOTHING
    for prov in range(c.N_PROVINCES):
        if legal[c.A_CARD + prov] == 1:
            if act >= c.BATTLE_MOVE_A:
                score = -float(armies_in(o, prov))
            else:
                score = score_card(o, s, act, prov, best_score, params)
            if score > best_score:
                best = np.int64(prov)
                best_score = score
    return c.A_CARD + best


@kernel
def choose_bid(o: Observation, legal: Mask, params: Params) -> Action:
    """Bid the chest card of the value in ``params``, or the next lower one that is legal."""
    value = min(np.int64(params[BID]), np.int64(c.N_CHEST_CARDS - 1))
    while value > 0 and legal[c.A_CHEST + value] == 0:
        value -= 1
    return c.A_CHEST + value


@kernel
def choose_plan(o: Observation, legal: Mask, s: Features, space: Int, params: Params) -> Action:
    """Choose the card for a planning space (rules 3.3)."""
    if space == c.BID_SPACE:
        return choose_bid(o, legal, params)
    act = space - 1
    card = plan_card(o, legal, s, act, params)
    if card != c.NONE:
        return c.A_CARD + card
    return fallback_card(o, legal, s, act, params)


@kernel
def special_value(o: Observation, special: Int, params: Params) -> Float:
    """Return what a special card is worth with the observer's plan."""
    if special == c.SIX_ARMIES:
        return 0.8 if is_planned(o, c.DEPLOY_5_ARMIES) else 0.0
    if special == c.PLUS_1_CHEST:
        return 0.8 if is_planned(o, c.COLLECT_TAXES) else 0.0
    if special == c.PLUS_1_RICE:
        return 0.7 if is_planned(o, c.CONFISCATE_RICE) else 0.0
    if special == c.PLUS_1_DEFENCE:
        return 0.6 * params[DEFEND]
    attacks = (1 if is_planned(o, c.BATTLE_MOVE_A) else 0) + (1 if is_planned(o, c.BATTLE_MOVE_B) else 0)
    return 0.8 * params[ATTACK] * attacks


@kernel
def choose_special(o: Observation, legal: Mask, params: Params) -> Action:
    """Choose a special card by its privilege and its position in the turn order: early is better (rules 3.5)."""
    best = np.int64(c.NONE)
    best_value = _NOTHING
    for position in range(c.N_SPECIALS):
        if legal[c.A_SPECIAL + position] == 1:
            value = special_value(o, np.int64(o[OFFER + position]) - 1, params) - 0.15 * position
            if value > best_value:
                best = np.int64(position)
                best_value = value
    return c.A_SPECIAL + best
