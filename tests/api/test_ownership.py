"""What an environment returns belongs to the caller: writing into it changes no game, mask, reward or info."""

from __future__ import annotations

import copy
import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from tests.api.environments import Chooser, module, same, single, vector
from tests.coins import Batch as CoinsBatch
from tests.coins import CoinsAEC, CoinsEnv, CoinsParallel, CoinsVectorEnv
from tests.games import batch_class

GAMES = ["shogun", "shitenno", "shikoku", "coins"]
COINS = {"parallel": CoinsParallel, "aec": CoinsAEC, "raw_aec": CoinsAEC, "single": CoinsEnv, "vector": CoinsVectorEnv}
STEPS = 40


def make(kind: str, name: str, **options: Any) -> Any:
    if kind == "sb3":
        sb3 = pytest.importorskip("shogun_env.envs.sb3", reason="needs [rl]")
        return sb3.MaskedVecEnv(CoinsBatch if name == "coins" else batch_class(name), 3, **{**options, "mask": "info"})
    rows = {"num_envs": 3} if kind == "vector" else {}
    if name == "coins":
        return COINS[kind](**rows, **options)
    if kind in ("single", "vector"):
        return single(name, **options) if kind == "single" else vector(name, **rows, **options)
    return {"parallel": module(name).parallel_env, "aec": module(name).env, "raw_aec": module(name).raw_env}[kind](
        **options
    )


def legal_of(env: Any) -> np.ndarray:
    return env.unwrapped.batch.legal if hasattr(env, "unwrapped") else env.batch.legal


def played(kind: str, env: Any) -> Iterator[Any]:
    """Yield all that an environment returns in some games, resets included; actions are chosen from the batch."""
    choose = Chooser(5)
    if hasattr(env, "seed") and kind == "sb3":
        env.seed(3)
    yield env.reset() if kind == "sb3" else env.reset(seed=3)
    for _ in range(STEPS):
        if kind in ("single", "vector", "sb3"):
            yield env.action_masks()
            actions = choose.all(legal_of(env))
            result = env.step(actions if kind != "single" else int(actions[0]))
            yield result
            if kind == "single" and (result[2] or result[3]):
                yield env.reset()
        elif kind == "parallel":
            if not env.agents:
                yield env.reset()
            masks = [env.batch.legal_for(player)[0] for player in range(len(env.agents))]
            yield env.state()
            yield env.look()
            yield env.step({agent: choose.one(mask) for agent, mask in zip(env.agents, masks, strict=True)})
        else:
            yield [env.observe(agent) for agent in env.agents]
            yield env.last()
            ended = env.terminations[env.agent_selection] or env.truncations[env.agent_selection]
            env.step(None if ended else choose.one(legal_of(env)[0]))
            if not env.agents:
                env.reset()


def scribble(value: Any) -> None:
    """Write into everything that can be written into."""
    if isinstance(value, np.ndarray):
        assert value.flags.writeable or value.dtype == object, "the caller may write into what it is given"
        if value.dtype == object:
            for each in value.ravel():
                scribble(each)
        value[...] = None if value.dtype == object else 1
    elif isinstance(value, dict):
        for each in value.values():
            scribble(each)
        value.clear()
    elif isinstance(value, tuple | list):
        for each in value:
            scribble(each)


CASES = [
    *itertools.product(GAMES, ["parallel", "aec", "raw_aec", "single", "vector", "sb3"], ["flat"], ["both", "info"]),
    *itertools.product(["shitenno"], ["parallel", "raw_aec", "single", "vector"], ["entities", "bytes"], ["both"]),
    *itertools.product(["shitenno"], ["parallel", "raw_aec", "single", "vector"], ["flat"], ["observation"]),
]


@pytest.mark.parametrize(("name", "kind", "form", "mask"), CASES)
def test_everything_returned__written_into_by_the_caller__changes_nothing(name: str, kind: str, form: str, mask: str):
    options = {"observation": form, "mask": mask, "max_cycles": 17}
    usual = [copy.deepcopy(value) for value in played(kind, make(kind, name, **options))]
    pairs = zip(played(kind, make(kind, name, **options)), usual, strict=True)
    for count, (value, expected) in enumerate(pairs):
        assert same(without_times(value), without_times(expected)), f"value {count}"
        scribble(value)


def without_times(value: Any) -> Any:
    """Leave out how many seconds a game took."""
    if isinstance(value, dict):
        return {key: without_times(each) for key, each in value.items() if key != "t"}
    return type(value)(map(without_times, value)) if isinstance(value, tuple | list) else value


@pytest.mark.parametrize("mode", ["NEXT_STEP", "DISABLED"])
def test_vector_env__ends_written_into_by_the_caller__change_nothing(mode: str):
    outputs = []
    for is_written in (False, True):
        env, choose = vector("shitenno", 3, autoreset_mode=mode, max_cycles=4), Chooser(2)
        env.reset(seed=3)
        outputs.append([])
        for _ in range(14):
            observations, rewards, terminated, truncated, infos = env.step(choose.all(env.batch.legal))
            outputs[-1].append(copy.deepcopy((observations, rewards, terminated, truncated, infos)))
            if env.autoreset_mode is AutoresetMode.DISABLED and (ended := terminated | truncated).any():
                env.reset(options={"reset_mask": ended})
            if is_written:
                scribble((observations, rewards, terminated, truncated, infos))
    assert same(*outputs)
