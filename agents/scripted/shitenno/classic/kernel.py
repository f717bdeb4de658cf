"""The scripted bot of version 0.1 as one policy: the even or the odd year decides."""

from __future__ import annotations

import numpy as np

from shogun_env.agents.scripted.shitenno.classic.control import choose_turn
from shogun_env.agents.scripted.shitenno.classic.division import choose_answer, choose_half, choose_share
from shogun_env.agents.scripted.shitenno.classic.features import extract_features
from shogun_env.agents.scripted.shitenno.payment import choose_flip, choose_item
from shogun_env.agents.scripted.shitenno.reading import PHASE
from shogun_env.kernel.jit import policy
from shogun_env.kernel.types import Int, Mask, Observation, Params, Rng
from shogun_env.shitenno import constants as c


@policy
def classic(observation: Observation, legal: Mask, rng: Rng, params: Params) -> Int:
    """Choose an action by the weights ``params`` (see ``NUMBERS``); draws no random numbers."""
    phase = np.int64(0)
    while phase < c.SENSEI_TURN and observation[PHASE + phase] == 0:
        phase += 1
    if phase == c.PAY:
        return choose_item(observation, legal)
    s = extract_features(observation, params)
    if phase == c.FORM_LOT or phase == c.DIVIDE:
        return choose_share(observation, legal, s, phase, params)
    if phase == c.ANSWER:
        return choose_answer(observation, s, params)
    if phase == c.CHOOSE:
        return choose_half(observation, s, params)
    if phase == c.TURN:
        return choose_turn(observation, legal, s)
    return choose_flip(observation, legal, s)
