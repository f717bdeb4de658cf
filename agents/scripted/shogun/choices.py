"""What the scripted bot of Shogun decides besides its plan: the draft, special cards, targets, armies, revolts."""

import numpy as np

from shogun_env.agents.scripted.shogun import evaluate as w
from shogun_env.agents.scripted.shogun import numbers as n
from shogun_env.agents.scripted.shogun.evaluate import KNOWN_SIZE, UNKNOWN
from shogun_env.agents.scripted.shogun.features import (
    NEAR,
    SOURCE_MARK,
    TARGET_MARK,
    Features,
    armies_in,
    foreign_near,
    is_mine,
    is_planned,
    marked,
    owner_of,
)
from shogun_env.agents.scripted.shogun.odds import attack_chance, danger, defence_of, enemies_near
from shogun_env.kernel.jit import kernel
from shogun_env.kernel.scratch import stack_floats
from shogun_env.kernel.types import Action, Float, Int, Mask, Observation, Prov, Row
from shogun_env.shogun import constants as c
from shogun_env.shogun import layout as at

PER_POINT = 0.25
"""The number ``plus_defence`` is for provinces that are in danger by four points together, about the mean."""


# --- the draft and special cards --------------------------------------------------------------------------------------


@kernel
def all_danger(f: Features) -> Float:
    """Return what the observer is expected to lose in one round, in points."""
    total = 0.0
    for prov in range(c.N_PROVINCES):
        if is_mine(f.obs, prov):
            lost = danger(f, prov, armies_in(f.obs, prov), enemies_near(f, prov))
            total += lost * w.holding(f, prov)
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


# --- actions and winter -----------------------------------------------------------------------------------------------


@kernel
def best_number(f: Features, source: Prov, prov: Prov, known: Row) -> Int:
    """Return how many armies should best march from one own province to another."""
    best, best_worth = np.int64(1), UNKNOWN
    stayed = w.stay_worth(f, source, known) + w.stay_worth(f, prov, known)
    for armies in range(1, armies_in(f.obs, source)):
        worth = w.march_worth(f, source, prov, np.int64(armies), stayed, known)
        if worth > best_worth:
            best, best_worth = np.int64(armies), worth
    return best


@kernel
def choose_target(f: Features, legal: Mask) -> Action:
    """Choose the province to attack, or if no attack is worth it, the one to march to (4).

    To stay, where that is allowed, is worth nothing.
    """
    known = stack_floats(KNOWN_SIZE)
    known[:] = UNKNOWN
    source = marked(f.obs, SOURCE_MARK)
    best, best_worth = best_legal_attack(f, legal, source, known)
    if best_worth > 0.0:
        return best
    stayed = w.stay_worth(f, source, known)
    if legal[c.A_NO_CARD] == 1:
        best, best_worth = np.int64(c.A_NO_CARD), 0.0
    for index in range(c.MAX_NEIGHBOURS + 1):
        prov = np.int64(NEAR[f.side, f.players, source, index])
        if prov == c.NONE:
            break
        if legal[c.A_CARD + prov] == 1 and is_mine(f.obs, prov):
            both = stayed + w.stay_worth(f, prov, known)
            worth = w.march_worth(f, source, prov, armies_in(f.obs, source) - 1, both, known)
            if worth > best_worth:
                best, best_worth = np.int64(c.A_CARD + prov), worth
    return best


@kernel
def best_legal_attack(f: Features, legal: Mask, source: Prov, known: Row) -> tuple[Action, Float]:
    """Return the best attack with all armies but one, and what it is worth; NONE if none is legal."""
    armies = armies_in(f.obs, source) - 1
    near, held = enemies_near(f, source), w.holding(f, source)
    left = w.left_behind(f, source, np.int64(1), near, held)
    best, best_worth = np.int64(c.NONE), UNKNOWN
    for index in range(c.MAX_NEIGHBOURS + 1):
        prov = np.int64(NEAR[f.side, f.players, source, index])
        if prov == c.NONE:
            break
        if legal[c.A_CARD + prov] == 1 and not is_mine(f.obs, prov):
            worth = w.attack_on(f, prov, armies, known) - left
            if worth > best_worth:
                best, best_worth = np.int64(c.A_CARD + prov), worth
    return best, best_worth


@kernel
def choose_number(f: Features) -> Action:
    """Choose how many armies go: the number that is worth most, in an attack less what is left behind."""
    known = stack_floats(KNOWN_SIZE)
    known[:] = UNKNOWN
    source, prov = marked(f.obs, SOURCE_MARK), marked(f.obs, TARGET_MARK)
    defender = owner_of(f.obs, prov)
    if defender == 0:
        return c.A_NUMBER + best_number(f, source, prov, known)
    here, prize = armies_in(f.obs, source), w.prize_of(f, prov, defender, known)
    near, held = enemies_near(f, source), w.holding(f, source)
    theirs, inside = defence_of(f.obs, prov, defender)
    best, best_worth = here - 1, UNKNOWN
    for armies in range(here - 1, 0, -1):
        chance = attack_chance(f, np.int64(armies), theirs, inside)
        worth = w.attack_worth(f, chance, np.int64(armies), prize)
        worth -= w.left_behind(f, source, here - armies, near, held)
        if worth > best_worth:
            best, best_worth = np.int64(armies), worth
        if chance < f.params[n.SURE] and best_worth > UNKNOWN:
            break
    return c.A_NUMBER + best


@kernel
def choose_revolt(obs: Observation, legal: Mask) -> Action:
    """Choose the province that revolts next: the one best able to fight the farmers in the tray (R21).

    All cubes in the tray are thrown in with the first revolt; the farmers that come out of the tower are not there for
    the later ones.
    """
    strong_first = obs[at.TRAY + c.FARMERS] >= obs[at.TRAY]
    best, best_worth = np.int64(c.NONE), UNKNOWN
    for prov in range(c.N_PROVINCES):
        if legal[c.A_CARD + prov] == 1:
            spare = armies_in(obs, prov) - np.int64(obs[at.REVOLTS + prov])
            worth = float(spare if strong_first else -spare)
            if worth > best_worth:
                best, best_worth = np.int64(prov), worth
    return c.A_CARD + best
