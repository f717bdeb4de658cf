"""The scripted bot as one policy, and as a planner that writes its whole plan at once."""

from shogun_env.agents.scripted.shogun.choices import (
    choose_draft,
    choose_group,
    choose_number,
    choose_revolt,
    choose_special,
    choose_target,
)
from shogun_env.agents.scripted.shogun.features import extract_features, flag_of
from shogun_env.agents.scripted.shogun.planner import choose_card, complete_plan
from shogun_env.kernel.jit import planner, policy
from shogun_env.kernel.types import Int, Mask, Observation, Params, Rng, Row
from shogun_env.shogun import constants as c
from shogun_env.shogun import layout as at


@planner
def scripted_plan(observation: Observation, legal: Mask, rng: Rng, params: Params, plan: Row) -> Int:
    """Write the whole plan that ``scripted`` would lay card by card, cards that are laid already included."""
    laid = flag_of(observation, at.RUNNING, c.N_SPACES)
    complete_plan(extract_features(observation, params), laid, plan)
    return 0


@policy(planner=scripted_plan)
def scripted(observation: Observation, legal: Mask, rng: Rng, params: Params) -> Int:
    """Choose an action by the numbers ``params`` (see ``NUMBERS``); draws no random numbers."""
    f = extract_features(observation, params)
    phase = flag_of(observation, at.PHASE, c.N_DECISIONS)
    if phase == c.PLAN:
        return choose_card(f, legal, flag_of(observation, at.RUNNING, c.N_SPACES))
    if phase == c.TARGET:
        return choose_target(f, legal)
    if phase == c.NUMBER:
        return choose_number(f)
    if phase == c.TAKE_SPECIAL:
        return choose_special(f, legal)
    if phase == c.REVOLT_ORDER:
        return choose_revolt(observation, legal)
    if phase == c.DRAFT_CARD:
        return choose_draft(f, legal)
    return choose_group(f, legal)
