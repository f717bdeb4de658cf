"""The scripted bot as one policy: it reads the observation and leaves the decision to the even or the odd year."""

import numpy as np

from shogun_env.agents.scripted.shitenno.control import choose_flip, choose_item, choose_turn
from shogun_env.agents.scripted.shitenno.division import choose_answer, choose_division, choose_half, choose_lot
from shogun_env.agents.scripted.shitenno.features import extract_features
from shogun_env.kernel.jit import policy
from shogun_env.kernel.scratch import stack_floats, stack_ints
from shogun_env.kernel.types import Int, Mask, Observation, Params, Rng
from shogun_env.shitenno import constants as c
from shogun_env.shitenno import layout as at

_SIZE = c.N_PROVINCES
"""The size of scratch rows, which numba takes from a name of this module only."""


@policy
def scripted(observation: Observation, legal: Mask, rng: Rng, params: Params) -> Int:
    """Choose an action by the numbers ``params`` (see ``NUMBERS``); draws no random numbers."""
    phase = np.int64(0)
    while phase < c.SENSEI_TURN and observation[at.PHASE + phase] == 0:
        phase += 1
    if phase == c.PAY:
        return choose_item(observation, legal)
    f = extract_features(
        observation, params, stack_ints(_SIZE), stack_ints(_SIZE), stack_floats(_SIZE), stack_floats(_SIZE)
    )
    if phase == c.FORM_LOT:
        return choose_lot(f, legal)
    if phase == c.DIVIDE:
        return choose_division(f, legal)
    if phase == c.ANSWER:
        return choose_answer(f)
    if phase == c.CHOOSE:
        return choose_half(f)
    if phase == c.TURN:
        return choose_turn(f, legal)
    return choose_flip(f, legal)
