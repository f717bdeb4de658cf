"""What the scripted bot of Shogun decides in the draft, and which special card it takes."""

from __future__ import annotations

import numpy as np

from shogun_env.agents.scripted.shogun import numbers as n
from shogun_env.agents.scripted.shogun.evaluate import UNKNOWN, holding
from shogun_env.agents.scripted.shogun.features import (
    NEAR,
    SOURCE_MARK,
    Features,
    armies_in,
    foreign_near,
    is_mine,
    is_planned,
    marked,
    owner_of,
)
from shogun_env.agents.scripted.shogun.odds import danger, enemies_near
from shogun_env.kernel.jit import kernel
from shogun_env.kernel.types import Action, Float, Int, Mask, Observation, Params, Prov
from shogun_env.shogun import constants as c
from shogun_env.shogun import layout as at

PER_POINT = 0.25
"""The number ``plus_defence`` is for provinces that are in danger by four points together, about the mean."""


@kernel
def all_danger(obs: Observation, features: Features, params: Params) -> Float:
    """Return what the observer is expected to lose in one round, in points."""
    total = 0.0
    for prov in range(c.N_PROVINCES):
        if is_mine(obs, prov):
            lost = danger(obs, features, prov, armies_in(obs, prov), enemies_near(obs, features, prov), params)
            total += lost * holding(obs, features, prov, params)
    return total


@kernel
def special_worth(obs: Observation, features: Features, special: Int, params: Params) -> Float:
    """Return what a special card is worth with the observer's plan."""
    if special == c.SIX_ARMIES:
        return params[n.SIX] if is_planned(obs, np.int64(c.DEPLOY_5_ARMIES)) else 0.0
    if special == c.PLUS_1_CHEST:
        return params[n.PLUS_CHEST] if is_planned(obs, np.int64(c.COLLECT_TAXES)) else 0.0
    if special == c.PLUS_1_RICE:
        return params[n.PLUS_RICE] if is_planned(obs, np.int64(c.CONFISCATE_RICE)) else 0.0
    if special == c.PLUS_1_DEFENCE:
        return params[n.PLUS_DEFENCE] * PER_POINT * all_danger(obs, features, params)
    battles = (1 if is_planned(obs, np.int64(c.BATTLE_MOVE_A)) else 0) + (
        1 if is_planned(obs, np.int64(c.BATTLE_MOVE_B)) else 0
    )
    return params[n.PLUS_ATTACK] * battles


@kernel
def choose_special(obs: Observation, legal: Mask, features: Features, params: Params) -> Action:
    """Choose a special card by its privilege and its position in the turn order (3.5)."""
    best, best_worth = np.int64(c.NONE), UNKNOWN
    for position in range(c.N_SPECIALS):
        if legal[c.A_SPECIAL + position] == 1:
            worth = special_worth(obs, features, np.int64(obs[at.OFFER + position]) - 1, params)
            worth -= params[n.EARLY] * position
            if worth > best_worth:
                best, best_worth = np.int64(position), worth
    return c.A_SPECIAL + best


@kernel
def site_worth(obs: Observation, features: Features, prov: Prov, params: Params) -> Float:
    """Return how good a province is to start with: its yield, its building sites, its neighbours."""
    worth = params[n.SITE_INCOME] * (np.int64(obs[at.TAX + prov]) + np.int64(obs[at.RICE + prov]))
    worth += params[n.SITE_SITES] * np.int64(obs[at.SITES + prov])
    for index in range(c.MAX_NEIGHBOURS + 1):
        other = np.int64(NEAR[features.side, features.players, prov, index])
        if other == c.NONE:
            break
        if is_mine(obs, other):
            worth += params[n.SITE_OWN]
        elif owner_of(obs, other) != c.NONE:
            worth -= params[n.SITE_ENEMY]
    return worth


@kernel
def choose_draft(obs: Observation, legal: Mask, features: Features, params: Params) -> Action:
    """Take the better open card, or the top card of the deck if both are worse than the average unseen card (2)."""
    total, count = 0.0, 0
    best, best_worth = np.int64(c.A_DECK), UNKNOWN
    for prov in range(c.N_PROVINCES):
        if legal[c.A_CARD + prov] == 1:
            worth = site_worth(obs, features, np.int64(prov), params)
            if worth > best_worth:
                best, best_worth = np.int64(c.A_CARD + prov), worth
        elif owner_of(obs, prov) == c.NONE and obs[at.SITES + prov] > 0:
            total += site_worth(obs, features, np.int64(prov), params)
            count += 1
    if legal[c.A_DECK] == 1 and count > 0 and total > best_worth * count:
        return np.int64(c.A_DECK)
    return best


@kernel
def choose_group(obs: Observation, legal: Mask, features: Features) -> Action:
    """Choose the army group: the largest if two neighbours or more are not one's own, else the smallest."""
    large = foreign_near(obs, features, marked(obs, SOURCE_MARK)) > 1
    best = np.int64(c.NONE)
    for size in range(c.MAX_GROUP + 1):
        if legal[c.A_NUMBER + size] == 1 and (large or best == c.NONE):
            best = np.int64(c.A_NUMBER + size)
    return best
