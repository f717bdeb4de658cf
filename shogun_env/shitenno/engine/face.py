"""The engine of Shitennō: the functions that shared loops call, in one place."""

from shogun_env.shitenno.constants import OVER
from shogun_env.shitenno.engine.board_features import board_features
from shogun_env.shitenno.engine.flow import STAGES, decide, run, stage
from shogun_env.shitenno.engine.legal import legal, legal_for
from shogun_env.shitenno.engine.observe import observe
from shogun_env.shitenno.engine.redeal import redeal
from shogun_env.shitenno.engine.value import VALUE_NAMES, value_features
from shogun_env.shitenno.rules.scoring import reward_so_far
from shogun_env.spec.engine import Engine

ENGINE = Engine(
    name="shitenno",
    source=__file__,
    decide=decide,
    run=run,
    over=OVER,
    legal=legal,
    legal_for=legal_for,
    observe=observe,
    redeal=redeal,
    reward_so_far=reward_so_far,
    stages=STAGES,
    stage=stage,
    value_features=value_features,
    value_names=VALUE_NAMES,
    board_features=board_features,
)
