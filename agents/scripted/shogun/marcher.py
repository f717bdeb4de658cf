"""What the scripted bot of Shogun decides while actions run and in winter: targets, numbers of armies, revolts."""

from __future__ import annotations

import numpy as np

from shogun_env.agents.scripted.shogun.evaluate import (
    KNOWN_SIZE,
    UNKNOWN,
    attack_worth,
    holding,
    left_behind,
    march_worth,
    prize_of,
    stay_worth,
)
from shogun_env.agents.scripted.shogun.features import (
    NEAR,
    REVOLTS,
    SOURCE_MARK,
    TARGET_MARK,
    TRAY,
    Features,
    armies_in,
    is_mine,
    marked,
    owner_of,
)
from shogun_env.agents.scripted.shogun.numbers import SURE
from shogun_env.agents.scripted.shogun.odds import attack_chance, defence_of, enemies_near
from shogun_env.kernel.jit import kernel
from shogun_env.kernel.scratch import stack_floats
from shogun_env.kernel.types import Action, Float, Int, Mask, Observation, Params, Prov, Row
from shogun_env.shogun import constants as c


@kernel
def best_number(o: Observation, s: Features, source: Prov, prov: Prov, known: Row, params: Params) -> Int:
    """Return how many armies should best march from one own province to another."""
    best, best_worth = np.int64(1), UNKNOWN
    stayed = stay_worth(o, s, source, known, params) + stay_worth(o, s, prov, known, params)
    for armies in range(1, armies_in(o, source)):
        worth = march_worth(o, s, source, prov, np.int64(armies), stayed, known, params)
        if worth > best_worth:
            best, best_worth = np.int64(armies), worth
    return best


@kernel
def choose_target(o: Observation, legal: Mask, s: Features, params: Params) -> Action:
    """Choose the province to attack, or if no attack is worth it, the one to march to (4).

    To stay, where that is allowed, is worth nothing.
    """
    known = stack_floats(KNOWN_SIZE)
    known[:] = UNKNOWN
    source = marked(o, SOURCE_MARK)
    best, best_worth = best_legal_attack(o, legal, s, source, known, params)
    if best_worth > 0.0:
        return best
    stayed = stay_worth(o, s, source, known, params)
    if legal[c.A_NO_CARD] == 1:
        best, best_worth = np.int64(c.A_NO_CARD), 0.0
    for index in range(c.MAX_NEIGHBOURS + 1):
        prov = np.int64(NEAR[s.side, s.players, source, index])
        if prov == c.NONE:
            break
        if legal[c.A_CARD + prov] == 1 and is_mine(o, prov):
            both = stayed + stay_worth(o, s, prov, known, params)
            worth = march_worth(o, s, source, prov, armies_in(o, source) - 1, both, known, params)
            if worth > best_worth:
                best, best_worth = np.int64(c.A_CARD + prov), worth
    return best


@kernel
def best_legal_attack(
    o: Observation, legal: Mask, s: Features, source: Prov, known: Row, params: Params
) -> tuple[Action, Float]:
    """Return the best attack with all armies but one, and what it is worth; NONE if none is legal."""
    armies = armies_in(o, source) - 1
    near, held = enemies_near(o, s, source), holding(o, s, source, params)
    left = left_behind(o, s, source, np.int64(1), near, held, params)
    best, best_worth = np.int64(c.NONE), UNKNOWN
    for index in range(c.MAX_NEIGHBOURS + 1):
        prov = np.int64(NEAR[s.side, s.players, source, index])
        if prov == c.NONE:
            break
        if legal[c.A_CARD + prov] == 1 and not is_mine(o, prov):
            defender = owner_of(o, prov)
            theirs, inside = defence_of(o, prov, defender)
            prize = prize_of(o, s, prov, defender, known, params)
            worth = attack_worth(s, attack_chance(o, s, armies, theirs, inside), armies, prize, params) - left
            if worth > best_worth:
                best, best_worth = np.int64(c.A_CARD + prov), worth
    return best, best_worth


@kernel
def choose_number(o: Observation, s: Features, params: Params) -> Action:
    """Choose how many armies go: the number that is worth most, in an attack less what is left behind."""
    known = stack_floats(KNOWN_SIZE)
    known[:] = UNKNOWN
    source, prov = marked(o, SOURCE_MARK), marked(o, TARGET_MARK)
    defender = owner_of(o, prov)
    if defender == 0:
        return c.A_NUMBER + best_number(o, s, source, prov, known, params)
    here, prize = armies_in(o, source), prize_of(o, s, prov, defender, known, params)
    near, held = enemies_near(o, s, source), holding(o, s, source, params)
    theirs, inside = defence_of(o, prov, defender)
    best, best_worth = here - 1, UNKNOWN
    for armies in range(here - 1, 0, -1):
        chance = attack_chance(o, s, np.int64(armies), theirs, inside)
        worth = attack_worth(s, chance, np.int64(armies), prize, params)
        worth -= left_behind(o, s, source, here - armies, near, held, params)
        if worth > best_worth:
            best, best_worth = np.int64(armies), worth
        if chance < params[SURE] and best_worth > UNKNOWN:
            break
    return c.A_NUMBER + best


@kernel
def choose_revolt(o: Observation, legal: Mask) -> Action:
    """Choose the province that revolts next: the one best able to fight the farmers in the tray (R21).

    All cubes in the tray are thrown in with the first revolt; the farmers that come out of the tower are not there for
    the later ones.
    """
    strong_first = o[TRAY + c.FARMERS] >= o[TRAY]
    best, best_worth = np.int64(c.NONE), UNKNOWN
    for prov in range(c.N_PROVINCES):
        if legal[c.A_CARD + prov] == 1:
            spare = armies_in(o, prov) - np.int64(o[REVOLTS + prov])
            worth = float(spare if strong_first else -spare)
            if worth > best_worth:
                best, best_worth = np.int64(prov), worth
    return c.A_CARD + best
