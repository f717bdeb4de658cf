"""The scripted bot as one policy: it reads the observation and leaves the decision to the planner or the marcher."""

from __future__ import annotations

from shogun_env.agents.scripted.shogun.classic.marcher import choose_draft, choose_number, choose_target
from shogun_env.agents.scripted.shogun.classic.planner import choose_plan, choose_special
from shogun_env.agents.scripted.shogun.features import PHASE, RUNNING, extract_features, flag_of
from shogun_env.agents.scripted.shogun.marcher import choose_revolt
from shogun_env.agents.scripted.shogun.opening import choose_group
from shogun_env.kernel.jit import policy
from shogun_env.kernel.types import Int, Mask, Observation, Params, Rng
from shogun_env.shogun import constants as c


@policy
def classic(observation: Observation, legal: Mask, rng: Rng, params: Params) -> Int:
    """Choose an action by the weights ``params`` (see ``NUMBERS``); draws no random numbers."""
    s = extract_features(observation)
    phase = flag_of(observation, PHASE, c.N_DECISIONS)
    if phase == c.PLAN:
        return choose_plan(observation, legal, s, flag_of(observation, RUNNING, c.N_SPACES), params)
    if phase == c.TARGET:
        return choose_target(observation, legal, s, params)
    if phase == c.NUMBER:
        return choose_number(observation, s)
    if phase == c.TAKE_SPECIAL:
        return choose_special(observation, legal, params)
    if phase == c.REVOLT_ORDER:
        return choose_revolt(observation, legal)
    if phase == c.DRAFT_CARD:
        return choose_draft(observation, legal, s)
    return choose_group(observation, legal, s)
