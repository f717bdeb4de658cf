"""Policies that cannot be bots: what they are told names the bot and what is wrong."""

from random import random

import numba
import numpy as np
import pytest

from shogun_env.kernel.jit import planner, policy

ASKED = np.zeros(3, np.uint8), np.ones(3, np.int8), np.ones(2, np.uint64), np.zeros(1)


def floating(observation, legal, rng, params):
    return legal.argmax() + 0.7


def mixed(observation, legal, rng, params):
    return np.int64(0) if legal[0] else rng[0] % np.uint64(3)


def cast(observation, legal, rng, params):
    return np.int64(np.int64(0) if legal[0] else rng[0] % np.uint64(3))


def misspelt(observation, legal, rng, params):
    return first_of(legal)  # noqa: F821


def allocating(observation, legal, rng, params):
    return np.int64(len([0, 1]))


def importing(observation, legal, rng, params):
    import math

    return np.int64(math.pi)


def helped():
    return random()


@pytest.mark.parametrize("drawn", [lambda: np.random.random(), lambda: np.random.randint(3), helped])
def test_policy__that_draws_from_random_numbers_of_its_own__is_refused(drawn):
    inner = numba.njit(drawn)

    def drawing(observation, legal, rng, params):
        return np.int64(inner())

    with pytest.raises(ValueError, match="the bot drawing draws from random numbers of its own: must draw from rng"):
        policy(drawing)(*ASKED)


def test_policy__of_no_file__may_name_a_function_random_and_not_draw_from_numpy():
    scope = {"np": np, "random": numba.njit(lambda: 2)}
    exec("def named(observation, legal, rng, params):\n    return np.int64(random())\n", scope)
    assert policy(scope["named"])(*ASKED) == 2
    exec("def drawing(observation, legal, rng, params):\n    return np.random.randint(3)\n", scope := {"np": np})
    with pytest.raises(ValueError, match="the bot drawing draws from"):
        policy(scope["drawing"])(*ASKED)  # of no file, as in a notebook


def weighted(observation, legal, rng, params):
    return np.int64(params[0])


def narrow(observation, legal, rng, params):
    return legal[0]


def short(observation, legal, rng):
    return legal.argmax()


def test_policy__that_returns_no_whole_number_or_does_not_compile__is_refused_by_its_name():
    """A float was cut off in silence, where that of a bot in Python is refused."""
    with pytest.raises(ValueError, match="the bot floating returns float64: must be a whole number"):
        policy(floating)(*ASKED)
    with pytest.raises(ValueError, match=r"the bot mixed returns float64: .*; write np\.int64\(…\) around it:"):
        policy(mixed)(*ASKED)
    assert policy(cast)(*ASKED) == 0
    with pytest.raises(ValueError, match=r"the bot misspelt does not compile: .*name 'first_of' is not defined"):
        policy(misspelt)(*ASKED)
    with pytest.raises(ValueError, match=r"the bot allocating does not compile: it makes a list.* \(line \d+\)$"):
        policy(allocating)(*ASKED)
    with pytest.raises(ValueError, match=r"the bot importing does not compile: Use of unsupported opcode"):
        policy(importing)(*ASKED)
    assert policy(narrow)(*ASKED) == 1


def test_policy__with_parameters_that_are_read_only__chooses_as_with_others():
    params = np.array([2.0])
    params.flags.writeable = False
    assert policy(weighted)(*ASKED[:3], params) == 2


def test_policy__with_another_number_of_parameters__is_refused_when_it_is_made():
    with pytest.raises(ValueError, match=r"the bot short has 3 parameters: must have observation, legal, rng, params$"):
        policy(short)
    with pytest.raises(ValueError, match=r"the bot narrow has 4 parameters: .* rng, params, plan or memory$"):
        planner(narrow)
