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
from shogun_env.kernel.types import Action, Float, Int, Mask, Prov
from shogun_env.shogun import constants as c
from shogun_env.shogun import layout as at

PER_POINT = 0.25
"""The number ``plus_defence`` is for provinces that are in danger by four points together, about the mean."""


@kernel
def all_danger(f: Features) -> Float:
    """Return what the observer is expected to lose in one round, in points."""
    total = 0.0
    for prov in range(c.N_PROVINCES):
        if is_mine(f.obs, prov):
            lost = danger(f, prov, armies_in(f.obs, prov), enemies_near(f, prov))
            total += lost * holding(f, prov)
    return total


@kernel
def special_worth(f: Features, special: Int) -> Float:
    """Return what a special card is worth with the observer's plan."""
    if special == c.SIX_ARMIES:
        return f.params[n.SIX] if is_planned(f.obs, np.int64(c.DEPLOY_5_ARMIES)) else 0.0
    if special == c.PLUS_1_CHEST:
        return f.params[n.PLUS_CHEST] if is_planned(f.obs, np.int64(c.COLLECT_TAXES)) else 0.0
    if special == c.PLUS_1_RICE:
        return f.params[n.PLUS_RICE] if is_planned(f.obs, np.int64(c.CONFISCATE_RICE)) else 0.0
    if special == c.PLUS_1_DEFENCE:
        return f.params[n.PLUS_DEFENCE] * PER_POINT * all_danger(f)
    battles = np.int64(is_planned(f.obs, np.int64(c.BATTLE_MOVE_A))) + is_planned(f.obs, np.int64(c.BATTLE_MOVE_B))
    return f.params[n.PLUS_ATTACK] * battles


@kernel
def choose_special(f: Features, legal: Mask) -> Action:
    """Choose a special card by its privilege and its position in the turn order (3.5)."""
    best, best_worth = np.int64(c.NONE), UNKNOWN
    for position in range(c.N_SPECIALS):
        if legal[c.A_SPECIAL + position] == 1:
            worth = special_worth(f, np.int64(f.obs[at.OFFER + position]) - 1)
            worth -= f.params[n.EARLY] * position
            if worth > best_worth:
                best, best_worth = np.int64(position), worth
    return c.A_SPECIAL + best


@kernel
def site_worth(f: Features, prov: Prov) -> Float:
    """Return how good a province is to start with: its yield, its building sites, its neighbours."""
    worth = f.params[n.SITE_INCOME] * (np.int64(f.obs[at.TAX + prov]) + np.int64(f.obs[at.RICE + prov]))
    worth += f.params[n.SITE_SITES] * np.int64(f.obs[at.SITES + prov])
    for index in range(c.MAX_NEIGHBOURS + 1):
        other = np.int64(NEAR[f.side, f.players, prov, index])
        if other == c.NONE:
            break
        if is_mine(f.obs, other):
            worth += f.params[n.SITE_OWN]
        elif owner_of(f.obs, other) != c.NONE:
            worth -= f.params[n.SITE_ENEMY]
    return worth


@kernel
def choose_draft(f: Features, legal: Mask) -> Action:
    """Take the better open card, or the top card of the deck if both are worse than the average unseen card (2)."""
    total, count = 0.0, 0
    best, best_worth = np.int64(c.A_DECK), UNKNOWN
    for prov in range(c.N_PROVINCES):
        if legal[c.A_CARD + prov] == 1:
            worth = site_worth(f, np.int64(prov))
            if worth > best_worth:
                best, best_worth = np.int64(c.A_CARD + prov), worth
        elif owner_of(f.obs, prov) == c.NONE and f.obs[at.SITES + prov] > 0:
            total += site_worth(f, np.int64(prov))
            count += 1
    if legal[c.A_DECK] == 1 and count > 0 and total > best_worth * count:
        return np.int64(c.A_DECK)
    return best


@kernel
def choose_group(f: Features, legal: Mask) -> Action:
    """Choose the army group: the largest if two neighbours or more are not one's own, else the smallest."""
    large = foreign_near(f, marked(f.obs, SOURCE_MARK)) > 1
    best = np.int64(c.NONE)
    for size in range(c.MAX_GROUP + 1):
        if legal[c.A_NUMBER + size] == 1 and (large or best == c.NONE):
            best = np.int64(c.A_NUMBER + size)
    return best
