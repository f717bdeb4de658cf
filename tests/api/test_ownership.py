"""What an environment returns belongs to the caller: neither of the two writes into what the other one keeps."""

import copy
import itertools
from typing import Any

import numpy as np
import pytest

from tests.api.environments import KINDS, Chooser, begin, make, same, turn, vector, without_times

CASES = [
    *itertools.product(["shogun", "coins"], KINDS, ["flat"], ["both", "info"]),
    *itertools.product(["shitenno"], KINDS, ["entities", "bytes"], ["both"]),
    *itertools.product(["shitenno"], KINDS, ["flat"], ["observation"]),
]
CASES = [case for case in CASES if case[1] != "sb3" or case[3] == "info"]  # it has a method for masks


def scribble(value: Any) -> None:
    """Write into everything that can be written into."""
    if isinstance(value, np.ndarray):
        assert value.flags.writeable or value.dtype == object, "the caller may write into what it is given"
        if value.dtype == object:
            for each in value.ravel():
                scribble(each)
        value[...] = None if value.dtype == object else 1
    elif isinstance(value, dict | tuple | list):
        for each in value.values() if isinstance(value, dict) else value:
            scribble(each)
        if isinstance(value, dict):
            value.clear()


@pytest.mark.parametrize(("name", "kind", "form", "mask"), CASES)
def test_everything_returned__written_into_by_the_caller__changes_nothing(name: str, kind: str, form: str, mask: str):
    options = {"observation": form, "mask": mask, "max_cycles": 17}
    env, other = (make(kind, name, 3, **options) for _ in range(2))
    kept = [begin(env, 3)]
    expected = [copy.deepcopy(kept[0])]
    scribble(begin(other, 3))
    mine, theirs = Chooser(5), Chooser(5)
    for _ in range(40):
        kept.append(turn(env, mine))
        expected.append(copy.deepcopy(kept[-1]))
        value = turn(other, theirs)
        assert same(without_times(value), without_times(kept[-1]))
        scribble(value)
    assert same(kept, expected), "nor does the environment write into it again"


@pytest.mark.parametrize("mode", ["NEXT_STEP", "DISABLED"])
def test_vector_env__ends_written_into_by_the_caller__change_nothing(mode: str):
    outputs: list[list[Any]] = []
    for is_written in (False, True):
        env, choose = vector("shitenno", 3, autoreset_mode=mode, max_cycles=4), Chooser(2)
        env.reset(seed=3)
        outputs.append([])
        for _ in range(14):
            result = env.step(choose.all(env.batch.legal))
            outputs[-1].append(copy.deepcopy(result))
            if mode == "DISABLED" and (ended := result[2] | result[3]).any():
                env.reset(options={"reset_mask": ended})
            if is_written:
                scribble(result)
    assert same(*outputs)


def test_sb3__actions_of_an_asynchronous_step__are_not_read_late():
    env = make("sb3", "shitenno")
    env.reset()
    actions = env.action_masks().argmax(1)
    env.step_async(actions)
    actions[:] = -1
    assert not any(info.get("illegal_action") for info in env.step_wait()[-1])
