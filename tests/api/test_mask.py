"""The option ``mask``: where environments show which actions are legal."""

import warnings
from typing import Any

import gymnasium
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test

from tests.api.environments import Chooser, bare, begin, is_over, lowest, make, same, single, turn, vector
from tests.games import batch_class, each_game, each_of_all_games

each_mask = pytest.mark.parametrize("mask", ["both", "observation", "info"])


def place_of_mask(observation: Any, info: dict[str, Any]) -> str:
    """Return the value of ``mask`` that shows masks where these are."""
    in_observation = isinstance(observation, dict) and set(observation) == {"observation", "action_mask"}
    return {(True, True): "both", (True, False): "observation", (False, True): "info"}[
        in_observation, "action_mask" in info
    ]


def shown(env: Any, result: Any) -> list[tuple[Any, dict[str, Any], Any]]:
    """Return observation, info and observation space of each agent, those of learners from what a call returned."""
    if hasattr(env, "look"):
        observations, infos = env.look()
        return [(observations[agent], infos[agent], env.observation_space(agent)) for agent in env.agents]
    if hasattr(env, "agent_selection"):
        observation, *_, info = env.last()
        return [(observation, info, env.observation_space(env.agent_selection))]
    return [(result[0], result[-1], env.observation_space)]


@pytest.mark.parametrize(("name", "form"), [("shogun", "flat"), ("shitenno", "entities")])
@each_mask
@pytest.mark.parametrize("kind", ["parallel", "aec", "single", "vector"])
def test_mask__of_every_environment__is_where_it_is_asked_for_and_nothing_else_changes(
    name: str, mask: str, kind: str, form: str
):
    env, usual = (make(kind, name, 2, mask=each, observation=form, max_cycles=20) for each in (mask, "both"))
    result, expected, choices = begin(env, 3), begin(usual, 3), (Chooser(2), Chooser(2))
    while not is_over(env) and bare(env).batch.decisions[0] < 60:
        for (observation, info, space), (both, whole, _) in zip(
            shown(env, result), shown(usual, expected), strict=True
        ):
            assert place_of_mask(observation, info) == mask
            assert space.contains(observation)
            if mask == "info":
                assert same([observation, info["action_mask"]], [both["observation"], both["action_mask"]])
            else:
                assert same(observation, both)
                assert mask == "observation" or same(info["action_mask"], whole["action_mask"])
        result, expected = turn(env, choices[0])[-1], turn(usual, choices[1])[-1]
    assert same(bare(env).batch.save(), bare(usual).batch.save())


@each_of_all_games
@each_mask
def test_gymnasium_envs__mask__is_in_the_last_observation_too(name: str, mask: str):
    rows = vector(name, 2, mask=mask, max_cycles=1)
    rows.reset(seed=4)
    *_, infos = rows.step(lowest(rows))
    assert place_of_mask(infos["final_obs"][1], infos["final_info"]) == mask
    check_env(single(name, mask=mask), skip_render_check=True)


@each_of_all_games
@each_mask
def test_pettingzoo__its_tests__pass_wherever_the_mask_is(name: str, mask: str):
    parallel_api_test(make("parallel", name, mask=mask), num_cycles=40)
    parallel_seed_test(lambda: make("parallel", name, mask=mask))
    if mask == "both":  # the suite wants it there
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            api_test(make("raw_aec", name, mask=mask), num_cycles=50)


@each_game
def test_vector_env__mask_in_observations__suits_gymnasiums_own_vector_env(name: str):
    env_id = f"shogun_env/{name.capitalize()}-v0"
    ours = gymnasium.make_vec(env_id, num_envs=2, mask="both")
    theirs = gymnasium.make_vec(env_id, num_envs=2, vectorization_mode="sync", mask="both")
    first, second = ours.reset(seed=1), theirs.reset(seed=1)
    assert all(same(first[0][name], second[0][name]) for name in ("observation", "action_mask"))
    assert ours.single_observation_space == theirs.single_observation_space


@each_game
def test_sb3__mask_elsewhere_than_in_its_method__is_refused(name: str):
    sb3 = pytest.importorskip("shogun_env.envs.sb3", reason="needs [rl]")
    with pytest.raises(ValueError, match="mask='both': must be 'info'"):
        sb3.MaskedVecEnv(batch_class(name), 2, mask="both")
