"""What the scripted bot of Shogun decides while actions run and in winter: targets, numbers of armies, revolts."""

from __future__ import annotations

import numpy as np

from shogun_env.agents.scripted.shogun import numbers as n
from shogun_env.agents.scripted.shogun.evaluate import (
    KNOWN_SIZE,
    UNKNOWN,
    attack_on,
    attack_worth,
    holding,
    left_behind,
    march_worth,
    prize_of,
    stay_worth,
)
from shogun_env.agents.scripted.shogun.features import (
    NEAR,
    SOURCE_MARK,
    TARGET_MARK,
    Features,
    armies_in,
    is_mine,
    marked,
    owner_of,
)
from shogun_env.agents.scripted.shogun.odds import attack_chance, defence_of, enemies_near
from shogun_env.kernel.jit import kernel
from shogun_env.kernel.scratch import stack_floats
from shogun_env.kernel.types import Action, Float, Int, Mask, Observation, Prov, Row
from shogun_env.shogun import constants as c
from shogun_env.shogun import layout as at


@kernel
def best_number(f: Features, source: Prov, prov: Prov, known: Row) -> Int:
    """Return how many armies should best march from one own province to another."""
    best, best_worth = np.int64(1), UNKNOWN
    stayed = stay_worth(f, source, known) + stay_worth(f, prov, known)
    for armies in range(1, armies_in(f.obs, source)):
        worth = march_worth(f, source, prov, np.int64(armies), stayed, known)
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
    stayed = stay_worth(f, source, known)
    if legal[c.A_NO_CARD] == 1:
        best, best_worth = np.int64(c.A_NO_CARD), 0.0
    for index in range(c.MAX_NEIGHBOURS + 1):
        prov = np.int64(NEAR[f.side, f.players, source, index])
        if prov == c.NONE:
            break
        if legal[c.A_CARD + prov] == 1 and is_mine(f.obs, prov):
            both = stayed + stay_worth(f, prov, known)
            worth = march_worth(f, source, prov, armies_in(f.obs, source) - 1, both, known)
            if worth > best_worth:
                best, best_worth = np.int64(c.A_CARD + prov), worth
    return best


@kernel
def best_legal_attack(f: Features, legal: Mask, source: Prov, known: Row) -> tuple[Action, Float]:
    """Return the best attack with all armies but one, and what it is worth; NONE if none is legal."""
    armies = armies_in(f.obs, source) - 1
    near, held = enemies_near(f, source), holding(f, source)
    left = left_behind(f, source, np.int64(1), near, held)
    best, best_worth = np.int64(c.NONE), UNKNOWN
    for index in range(c.MAX_NEIGHBOURS + 1):
        prov = np.int64(NEAR[f.side, f.players, source, index])
        if prov == c.NONE:
            break
        if legal[c.A_CARD + prov] == 1 and not is_mine(f.obs, prov):
            worth = attack_on(f, prov, armies, known) - left
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
    here, prize = armies_in(f.obs, source), prize_of(f, prov, defender, known)
    near, held = enemies_near(f, source), holding(f, source)
    theirs, inside = defence_of(f.obs, prov, defender)
    best, best_worth = here - 1, UNKNOWN
    for armies in range(here - 1, 0, -1):
        chance = attack_chance(f, np.int64(armies), theirs, inside)
        worth = attack_worth(f, chance, np.int64(armies), prize)
        worth -= left_behind(f, source, here - armies, near, held)
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
