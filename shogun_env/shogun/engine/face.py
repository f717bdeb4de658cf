"""The functions of Shogun's engine that the shared loops call, in one place."""

from shogun_env.shogun.constants import N_SPACES, OVER
from shogun_env.shogun.engine.board_features import board_features
from shogun_env.shogun.engine.flow import decide, run, start
from shogun_env.shogun.engine.legal import legal, legal_for
from shogun_env.shogun.engine.observe import observation_epoch, observe, update_observation
from shogun_env.shogun.engine.plans import STAGES, adopt, plan_slot, rewind, stage
from shogun_env.shogun.engine.redeal import redeal
from shogun_env.shogun.engine.value import VALUE_NAMES, value_features
from shogun_env.shogun.rules.scoring import reward_so_far
from shogun_env.shogun.rules.tower import throw_outcomes
from shogun_env.spec.engine import Engine

ENGINE = Engine(
    name="shogun",
    source=__file__,
    start=start,
    decide=decide,
    run=run,
    over=OVER,
    legal=legal,
    legal_for=legal_for,
    observe=observe,
    observation_epoch=observation_epoch,
    update_observation=update_observation,
    redeal=redeal,
    reward_so_far=reward_so_far,
    throw_outcomes=throw_outcomes,
    plan_slot=plan_slot,
    plan_size=N_SPACES,
    stages=STAGES,
    stage=stage,
    rewind=rewind,
    adopt=adopt,
    value_features=value_features,
    value_names=VALUE_NAMES,
    board_features=board_features,
)
