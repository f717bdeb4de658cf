"""The option ``mask``: where environments show which actions are legal."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import parallel_api_test, parallel_seed_test

from tests.api.environments import Chooser, module, same, single, vector
from tests.games import batch_class, each_game

each_mask = pytest.mark.parametrize("mask", ["both", "observation", "info"])


def place_of_mask(observation: Any, info: dict[str, Any]) -> str:
    """Return the value of ``mask`` that shows masks where these are."""
    in_observation = isinstance(observation, dict) and set(observation) == {"observation", "action_mask"}
    return {(True, True): "both", (True, False): "observation", (False, True): "info"}[
        in_observation, "action_mask" in info
    ]


def bare(observation: Any, mask: str) -> Any:
    return observation if mask == "info" else observation["observation"]


@each_game
@each_mask
@pytest.mark.parametrize("form", ["flat", "entities"])
def test_parallel_env__mask__is_where_it_is_asked_for_and_nothing_else_changes(name: str, mask: str, form: str):
    env, usual = (module(name).parallel_env(observation=form, **more) for more in ({"mask": mask}, {}))
    observations, infos = env.reset(seed=3)
    expected, masks = usual.reset(seed=3)
    choose = Chooser(2)
    while env.agents:
        for agent in env.agents:
            assert place_of_mask(observations[agent], infos[agent]) == mask
            assert env.observation_space(agent).contains(observations[agent])
            assert same(bare(observations[agent], mask), expected[agent]["observation"])
            shown = infos[agent] if mask == "info" else observations[agent]
            assert same(shown["action_mask"], masks[agent]["action_mask"])
        actions = choose.parallel(masks)
        observations, *_, infos = env.step(actions)
        expected, *_, masks = usual.step(actions)
    assert not usual.agents


@each_game
@each_mask
def test_aec_env__mask__is_where_it_is_asked_for(name: str, mask: str):
    env = module(name).env(mask=mask)
    env.reset(seed=3)
    legal = env.unwrapped.batch.legal
    for agent in env.agent_iter(60):
        observation, _, _, _, info = env.last()
        assert place_of_mask(observation, info) == mask
        assert env.observation_space(agent).contains(observation)
        shown = info if mask == "info" else observation
        assert same(shown["action_mask"], legal[0])
        env.step(int(legal[0].argmax()))


@each_game
@each_mask
def test_gymnasium_envs__mask__is_where_it_is_asked_for_to_the_last_observation(name: str, mask: str):
    env, rows = single(name, mask=mask, max_cycles=5), vector(name, 2, mask=mask, max_cycles=5)
    observation, info = env.reset(seed=4)
    many, infos = rows.reset(seed=4)
    for _ in range(5):
        assert place_of_mask(observation, info) == place_of_mask(many, infos) == mask
        assert env.observation_space.contains(observation)
        assert rows.observation_space.contains(many)
        legal = env.action_masks()
        assert np.array_equal(rows.action_masks()[0], legal)
        if mask != "info":
            assert same(observation["action_mask"], legal.astype(np.int8))
            assert same(many["action_mask"][0], observation["action_mask"])
        if mask != "observation":
            assert same(infos["action_mask"][0], info["action_mask"])
        action = int(legal.argmax())
        observation, *_, info = env.step(action)
        many, _, _, truncated, infos = rows.step(rows.action_masks().argmax(1))
    assert truncated.all()
    assert same(infos["final_obs"][0], observation)
    assert place_of_mask(infos["final_obs"][1], infos["final_info"]) == mask
    check_env(single(name, mask=mask), skip_render_check=True)


@each_game
@each_mask
def test_pettingzoo__its_tests__pass_wherever_the_mask_is(name: str, mask: str):
    parallel_api_test(module(name).parallel_env(mask=mask), num_cycles=40)
    parallel_seed_test(lambda: module(name).parallel_env(mask=mask))


@each_game
def test_vector_env__mask_in_observations__suits_gymnasiums_own_vector_env(name: str):
    env_id = f"shogun_env/{name.capitalize()}-v0"
    ours = gymnasium.make_vec(env_id, num_envs=2, mask="both")
    theirs = gymnasium.make_vec(env_id, num_envs=2, vectorization_mode="sync", mask="both")
    first, second = ours.reset(seed=1), theirs.reset(seed=1)
    assert all(same(first[0][name], second[0][name]) for name in ("observation", "action_mask"))
    assert ours.single_observation_space == theirs.single_observation_space


@each_game
def test_gymnasium_envs__default__is_info(name: str):
    assert place_of_mask(*single(name).reset(seed=1)) == "info"
    assert place_of_mask(*vector(name, 2).reset(seed=1)) == "info"


@each_game
def test_sb3__mask_elsewhere_than_in_its_method__is_refused(name: str):
    sb3 = pytest.importorskip("shogun_env.envs.sb3", reason="needs [rl]")
    with pytest.raises(ValueError, match="mask='both': must be 'info'"):
        sb3.MaskedVecEnv(batch_class(name), 2, mask="both")
