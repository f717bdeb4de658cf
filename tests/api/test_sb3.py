"""The masked VecEnv: stable-baselines3's check, no array given out twice, and a short run of MaskablePPO."""

import numpy as np
import pytest

from tests.api.environments import Chooser, same, single, vector
from tests.games import batch_class, each_game

pytest.importorskip("sb3_contrib")

from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.vec_env import VecMonitor

from shogun_env.envs.sb3 import MaskedVecEnv
from shogun_env.spec.options import OptionError


@each_game
@pytest.mark.filterwarnings("error", "ignore:First-class function type", "ignore:.* the illegal action .* was replaced")
def test_single_env__stable_baselines_check__passes(name):
    check_env(single(name))


@each_game
def test_vec_env__rows__are_those_of_the_vector_env(name):
    options = {"learner_seat": 1, "reward": "rank", "max_cycles": 60}
    env, rows, choose = MaskedVecEnv(batch_class(name), 3, **options), vector(name, 3, **options), Chooser(4)
    env.seed(30)
    assert same(env.reset(), rows.reset(seed=30)[0])
    ends = 0
    for _ in range(200):
        actions = choose.all(get_action_masks(env))
        observations, rewards, dones, infos = env.step(actions)
        theirs, paid, terminated, truncated, told = rows.step(actions)
        assert same((observations, rewards, dones), (theirs, paid.astype(np.float32), terminated | truncated))
        for row in np.flatnonzero(dones):
            assert same(infos[row]["terminal_observation"], told["final_obs"][row])
            assert infos[row]["TimeLimit.truncated"] is bool(truncated[row])
            assert infos[row]["points"] == told["final_info"]["points"][row].tolist()
            ends += 1
    assert ends >= 3


@each_game
def test_vec_env__rgb_array__is_the_boards_of_the_learners(name):
    env = MaskedVecEnv(batch_class(name), 2, learner_seat="rotate", render_mode="rgb_array")
    env.reset()
    images = env.get_images()
    assert len(images) == 2 and all(image.dtype == np.uint8 and image.ndim == 3 for image in images)
    assert env.render().shape[0] >= images[0].shape[0]
    with pytest.raises(OptionError, match="render_mode='ansi': must be 'rgb_array' here"):
        MaskedVecEnv(batch_class(name), 2, render_mode="ansi")


@each_game
def test_vec_env__without_a_monitor__logs_mean_rewards(name):
    env = MaskedVecEnv(batch_class(name), 4, learner_seat="rotate", max_cycles=3, reward="rank")
    model = MaskablePPO("MlpPolicy", env, n_steps=16, batch_size=64, n_epochs=1, seed=1, device="cpu")
    model.set_logger(Logger(None, []))
    model.learn(4 * 16 * 2)
    assert len(model.ep_info_buffer) == 4 * (2 * 16 // 3)
    assert {episode["l"] for episode in model.ep_info_buffer} == {3}
    rewards, lengths = evaluate_policy(model, env, n_eval_episodes=4, return_episode_rewards=True, warn=False)
    assert lengths == [3] * 4 and len(rewards) == 4


@each_game
def test_vec_env__what_it_says_of_episodes__is_what_a_monitor_says(name):
    env = MaskedVecEnv(batch_class(name), 3, max_cycles=40, reward="margin")
    monitored, choose, own = VecMonitor(env), Chooser(3), []
    step = env.step_wait

    def noted():
        result = step()
        own.extend(dict(info["episode"]) for info in result[3] if "episode" in info)
        return result

    env.step_wait = noted
    monitored.reset()
    theirs = []
    for _ in range(200):
        *_, infos = monitored.step(choose.all(env.action_masks()))
        theirs += [info["episode"] for info in infos if "episode" in info]
    assert len(own) > 9
    assert [(each["l"], round(each["r"], 5)) for each in own] == [
        (each["l"], round(float(each["r"]), 5)) for each in theirs
    ]


@pytest.mark.parametrize("given", [None, 3, "shogun", VecMonitor, object()])
def test_vec_env__of_something_else_than_a_batch__says_in_a_line_what_it_wants(given):
    for arguments in ((given,), (given, 8), (VecMonitor(MaskedVecEnv(batch_class("shitenno"), 2)),)):
        with pytest.raises(
            OptionError, match=r"must be a class, the Batch of a game, as in MaskedVecEnv\(Batch"
        ) as error:
            MaskedVecEnv(*arguments)
        assert "\n" not in str(error.value)
    for wrong in (0, -1, 2.5, "four"):
        with pytest.raises(ValueError, match=f"num_envs={wrong!r}: must be a whole number, at least 1"):
            MaskedVecEnv(batch_class("shitenno"), wrong)


@each_game
def test_vec_env__attributes__are_those_sb3_asks_for(name):
    env = VecMonitor(MaskedVecEnv(batch_class(name), 3))
    assert is_masking_supported(env)
    assert env.get_attr("render_mode") == [None] * 3
    assert env.env_method("action_masks", indices=[0, 2]).shape == (2, env.action_space.n)
    assert env.env_is_wrapped(VecMonitor) == [False] * 3
    with pytest.raises(AttributeError, match="action_masks"):
        env.env_method("dance")
    with pytest.raises(AttributeError, match="no attributes of their own"):
        env.set_attr("colour", "red")
