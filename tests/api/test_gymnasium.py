"""The Gymnasium environments: the official check, and row i of the vector environment against a single one."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

from shogun_env.policies import Compiled, uniform
from tests.api.environments import Chooser, each_variant, same, single, vector
from tests.games import NAMES, batch_class, each_game, each_game_and_player_count
from tests.zoo.bots import asked

STEPS = 260  # more than two games of a learner


@each_game_and_player_count
@pytest.mark.parametrize("observation", ["flat", "entities", "bytes"])
@pytest.mark.filterwarnings("error", "ignore:First-class function type", "ignore:.* the illegal action .* was replaced")
def test_single_env__official_check__passes(name, players, observation):
    # rendering is tested in test_options; check_env makes a new environment by its spec for it
    check_env(single(name, num_players=players, observation=observation), skip_render_check=True)


@each_game
def test_make__registered_names__give_our_environments(name):
    ident = f"shogun_env/{name.capitalize()}-v0"
    env = gymnasium.make(ident, num_players=3, opponents=["random", "random"], render_mode="ansi")
    env.reset(seed=1)
    assert env.get_wrapper_attr("action_masks")().dtype == np.int8
    assert isinstance(env.render(), str)
    rows = gymnasium.make_vec(ident, num_envs=3, learner_seat="rotate")
    assert rows.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    observations, infos = rows.reset(seed=1)
    assert observations in rows.observation_space
    assert rows.single_action_space.n == infos["action_mask"].shape[1]


def play_rows(name: str, mode: AutoresetMode, seeds: list[int], **options: Any) -> None:
    """Step a vector environment and single ones side by side, comparing everything."""
    rows = vector(name, len(seeds), autoreset_mode=mode, **options)
    singles = [single(name, **options) for _ in seeds]
    choose = Chooser(17)
    observations, infos = rows.reset(seed=seeds)
    starts = [env.reset(seed=seed) for env, seed in zip(singles, seeds, strict=True)]
    check_rows(name, observations, infos, starts)
    ended = [False] * len(seeds)
    games = 0
    for _ in range(STEPS):
        actions = choose.all(infos["action_mask"])
        observations, rewards, terminated, truncated, infos = rows.step(actions)
        shown = []
        for row, env in enumerate(singles):
            if mode is AutoresetMode.NEXT_STEP and ended[row]:
                observation, info = env.reset()
                shown.append((observation, info))
                assert (rewards[row], terminated[row], truncated[row]) == (0.0, False, False)
                ended[row] = False
                continue
            *result, info = env.step(actions[row])
            assert (rewards[row], terminated[row], truncated[row]) == tuple(result[1:])
            ended[row] = terminated[row] or truncated[row]
            games += ended[row]
            if mode is AutoresetMode.SAME_STEP:
                assert infos.get("_final_obs", np.zeros(len(seeds)))[row] == ended[row]
                if ended[row]:
                    assert same(infos["final_obs"][row], result[0])
                    check_info(infos["final_info"], info, row)
                    result[0], info = env.reset()
            shown.append((result[0], info))
        check_rows(name, observations, infos, shown)
    assert games > len(seeds)


def check_info(infos: dict[str, Any], info: dict[str, Any], row: int) -> None:
    for key, value in info.items():
        assert infos["_" + key][row]
        assert np.array_equal(infos[key][row], value), key


def check_rows(name: str, observations: Any, infos: dict[str, Any], shown: list[tuple[Any, dict[str, Any]]]) -> None:
    for row, (observation, info) in enumerate(shown):
        mine = {k: v[row] for k, v in observations.items()} if isinstance(observations, dict) else observations[row]
        assert same(mine, observation)
        check_info(infos, info, row)


@each_variant
@pytest.mark.parametrize("mode", [AutoresetMode.SAME_STEP, AutoresetMode.NEXT_STEP])
def test_vector_env__row_i__is_the_single_env_of_its_seed(name, options, mode):
    play_rows(name, mode, [40, 41, 90], learner_seat=1, reward="rank", **options)


@each_game
def test_vector_env__cut_short_and_entities_and_python_bots__is_the_single_env(name):
    play_rows(name, AutoresetMode.SAME_STEP, [5, 6], max_cycles=37, observation="entities")
    play_rows(
        name, AutoresetMode.NEXT_STEP, [5, 6], max_cycles=37, opponents=["random", asked(Compiled(uniform)), "random"]
    )


@each_game
def test_vector_env__kinds_of_bots_and_threads__make_no_difference(name):
    def run(**options: Any) -> list[Any]:
        env, choose = vector(name, 5, learner_seat="rotate", **options), Chooser(3)
        outputs = [env.reset(seed=1)]
        for _ in range(60):
            outputs.append(env.step(choose.all(outputs[-1][-1]["action_mask"])))
        return outputs

    plain = run()
    assert same(plain, run(opponents=asked(Compiled(uniform))))
    assert same(plain, run(opponents=["random", asked(Compiled(uniform)), uniform], num_threads=2))


@each_game
def test_opponents__list__sit_in_player_order_after_the_learner(name):
    agents = [asked(Compiled(uniform)) for _ in range(3)]
    for number, agent in enumerate(agents):
        agent.__name__ = f"bot{number}"
    env = single(name, opponents=agents, learner_seat=2, record=True)
    env.reset(seed=0)
    assert env.record()[0]["agents"] == ["bot1", "bot2", "learner", "bot0"]


@each_game
def test_reward__learner__is_the_sum_of_their_returns(name):
    env, choose = single(name, learner_seat=3, reward=batch_class(name).spec.rewards[-1]), Chooser(1)
    env.reset(seed=2)
    total, terminated = 0.0, False
    while not terminated:
        _, reward, terminated, _, info = env.step(choose.one(env.action_masks()))
        total += reward
    assert total == pytest.approx(env.batch.returns[0, 3], abs=1e-6)
    assert info["points"].tolist() == env.batch.points[0].tolist()
    assert not info["to_act"]
    with pytest.raises(ValueError, match="reset"):
        env.step(0)


@pytest.mark.parametrize(
    ("name", "players", "form"),
    [
        (name, players, form)
        for name in NAMES
        for players, form in zip(batch_class(name).spec.players, ("flat", "entities", "bytes"), strict=True)
    ],
)
@pytest.mark.parametrize("mode", [AutoresetMode.SAME_STEP, AutoresetMode.NEXT_STEP])
def test_vector_env__without_copies__shows_the_same_in_arrays_of_its_own(name, players, form, mode):
    options = {"num_players": players, "observation": form, "autoreset_mode": mode, "learner_seat": "rotate"}
    options |= {"max_cycles": 23, "mask": "both", "board_features": form == "entities"}
    usual, own, choose = vector(name, 3, **options), vector(name, 3, copy=False, **options), Chooser(4)
    (observations, infos), first = usual.reset(seed=5), own.reset(seed=5)
    assert same((observations, infos), first)
    memory = arrays_of(first[0]["observation"])
    for step in range(60):
        actions = choose.all(infos["action_mask"])
        (*returned, infos), shown = usual.step(actions), own.step(actions)
        assert same((*returned, infos), shown), step
        for before, now in zip(memory, arrays_of(shown[0]["observation"]), strict=True):
            assert np.shares_memory(before, now)
            with pytest.raises(ValueError, match="read-only"):
                now[...] = 0
        if step == 30:
            own.batch.observe()  # overwrites a buffer of the batch, and not of the environment
            start = {"position": usual.batch.position(0), "reset_mask": np.array([False, True, True])}
            assert same(usual.reset(seed=8, options=start), own.reset(seed=8, options=start))
            infos = {"action_mask": usual.action_masks()}


def arrays_of(shown: Any) -> list[np.ndarray]:
    return list(shown.values()) if isinstance(shown, dict) else [shown]
