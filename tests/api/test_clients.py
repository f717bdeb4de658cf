"""What other libraries do with environments: they share their memory, try options out, choose rows, trim infos."""

import copy
import pickle
import re
import sys
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers import vector as vector_wrappers

from tests.api.environments import Chooser, begin, each_kind, make, module, played, same, vector
from tests.games import batch_class, each_game
from tests.tree import run


def shared(value: Any) -> Any:
    """Pickle and load an object with its arrays read-only, as Ray and joblib hand them to other processes."""
    buffers: list[pickle.PickleBuffer] = []
    data = pickle.dumps(value, protocol=5, buffer_callback=buffers.append)
    return pickle.loads(data, buffers=[bytes(buffer) for buffer in buffers])


@each_game
def test_batch__arrays_read_only__plays_on_like_the_original(name: str):
    batch = batch_class(name)(3, seed=4)
    batch.step(batch.legal.argmax(1))
    other = shared(batch)
    assert all(buffer.flags.writeable for buffer in other.buffers())
    for each in (batch, other):
        each.step(each.legal.argmax(1))
        each.observe_for(1)
        each.redeal(None, 0, 1)
        each.play(["random"] * each.num_players)
        each.reset()
    assert all(map(same, batch.buffers(), other.buffers()))


@each_game
@each_kind
def test_env__arrays_read_only__plays_on_like_the_original(name: str, kind: str):
    env = make(kind, name, 3)
    begin(env, 1)
    other = shared(env)
    assert same(played(other, 5), played(env, 5))


@each_game
def test_game__pickled_or_copied__is_a_reference(name: str):
    game = batch_class(name).spec
    assert pickle.loads(pickle.dumps(game)) is game
    assert copy.deepcopy({"game": game})["game"] is game


@each_game
def test_sb3__first_lines_of_its_tutorials__work(name: str):
    common = pytest.importorskip("stable_baselines3.common.env_util", reason="needs [rl]")
    from sb3_contrib import MaskablePPO

    env_id = f"shogun_env/{name.capitalize()}-v0"
    env = common.make_vec_env(env_id, n_envs=2)
    env.reset()
    MaskablePPO("MlpPolicy", env_id, n_steps=8, batch_size=8).learn(8)


@pytest.mark.full
def test_play__with_warnings_as_errors__raises_none():
    code = "from shogun_env.shogun import Batch\nBatch(2).play(['random'] * 4)\nimport shogun_env, gymnasium\n"
    code += "gymnasium.make('shogun_env/Shogun-v0').reset(seed=1)"
    result = run(sys.executable, "-W", "error:::numba", "-W", "error::Warning:shogun_env", "-c", code)
    assert result.returncode == 0, result.stderr


@each_game
@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_vector_env__autoreset_mode__is_an_attribute_and_can_be_given_by_name(name: str, mode: AutoresetMode):
    for given in (mode, mode.name, mode.value):
        env = vector(name, 2, autoreset_mode=given)
        assert env.autoreset_mode is mode
        assert env.metadata["autoreset_mode"] is mode


@each_game
def test_vector_env__reset_mask__starts_those_rows_and_no_other(name: str):
    env, other = vector(name, 4), vector(name, 4)
    choose = Chooser(3)
    for each in (env, other):
        each.reset(seed=7)
    for _ in range(5):
        actions = choose.all(env.batch.legal)
        env.step(actions)
        before = other.step(actions)[0]
    mask = np.array([True, False, True, False])
    observations, infos = env.reset(options={"reset_mask": mask})
    assert same(observations[1], before[1])
    assert same(observations[3], before[3])
    assert not same(observations[0], before[0])
    assert infos["action_mask"].any(1).all()
    assert env.batch.decisions[mask].max() < before.shape[0] * 20
    assert same(env.batch.games[~mask], other.batch.games[~mask])
    fresh = vector(name, 4)
    fresh.reset(seed=7)
    fresh.reset()
    assert same(env.batch.seeds[mask], fresh.batch.seeds[mask])


@each_game
@pytest.mark.parametrize("mask", [np.ones(3, np.bool_), np.ones(2, np.int64), [1, 0]])
def test_vector_env__bad_reset_mask__is_refused_and_changes_nothing(name: str, mask: Any):
    env = vector(name, 2)
    env.reset(seed=7)
    before = env.batch.save()
    with pytest.raises(ValueError, match="reset_mask"):
        env.reset(options={"reset_mask": mask})
    assert env.batch.save() == before


@each_game
def test_vector_env__disabled_autoreset__waits_for_the_caller(name: str):
    env = vector(name, 3, autoreset_mode=AutoresetMode.DISABLED)
    with pytest.raises(ValueError, match="reset_mask"):
        env.reset(options={"reset_mask": np.array([True, False, True])})
    env.reset(seed=1)
    choose = Chooser(5)
    ended = np.zeros(3, np.bool_)
    while not ended.any():
        _, _, terminated, truncated, _ = env.step(choose.all(env.batch.legal))
        ended = terminated | truncated
    assert env.batch.over[ended].all()
    with pytest.raises(ValueError, match=re.escape(str(np.flatnonzero(ended).tolist()))):
        env.step(np.zeros(3, np.int64))
    env.reset(options={"reset_mask": ended})
    assert not env.batch.over.any()
    env.step(choose.all(env.batch.legal))


@each_game
def test_aec__infos_trimmed_by_the_caller__masks_are_still_observed(name: str):
    env, other = module(name).raw_env(), module(name).raw_env()
    for each in (env, other):
        each.reset(seed=3)
    choose = Chooser(1)
    for _ in range(60):
        for agent in env.infos:
            env.infos[agent] = {}
        for agent in env.agents:
            assert same(env.observe(agent), other.observe(agent))
        action = choose.one(env.observe(env.agent_selection)["action_mask"])
        for each in (env, other):
            each.step(action)


@each_game
def test_vector_env__gymnasiums_observation_wrappers__take_next_step(name: str):
    env_id, mode = f"shogun_env/{name.capitalize()}-v0", AutoresetMode.NEXT_STEP
    wrapped = vector_wrappers.NormalizeObservation(gymnasium.make_vec(env_id, num_envs=2, autoreset_mode=mode))
    observations, _ = wrapped.reset(seed=1)
    assert observations.shape == wrapped.observation_space.shape
