"""Parallel, AEC and Batch play the same game; rewards; forced decisions; nothing leaks within a step."""

import numpy as np
import pytest

from tests.api.environments import Chooser, each_variant, module, same
from tests.games import NAMES, batch_class, each_game


@pytest.mark.floors
@each_variant
def test_parallel_and_aec_and_batch__same_decisions__same_game(name, options):
    """In a step in which all decide, nobody's observation depends on the decisions of that step."""
    parallel, aec, choose = module(name).parallel_env(**options), module(name).raw_env(**options), Chooser(1)
    batch = batch_class(name)(1, seed=11, **options)
    shown, infos = parallel.reset(seed=11)
    aec.reset(seed=11)
    while parallel.agents:
        assert parallel.batch.games.tobytes() == aec.batch.games.tobytes() == batch.games.tobytes()
        actions = choose.parallel(infos)
        for agent in set(parallel.agents) - {aec.agent_selection}:
            assert np.flatnonzero(aec.observe(agent)["action_mask"]).tolist() == [0]
        for agent in parallel.possible_agents:
            if infos[agent]["to_act"]:
                assert aec.agent_selection == agent == f"player_{batch.player[0]}"
                observation, _, _, _, info = aec.last()
                assert same(observation, shown[agent])
                assert np.array_equal(observation["action_mask"], infos[agent]["action_mask"])
                assert np.array_equal(observation["action_mask"], batch.legal[0])
                assert info["phase"] == infos[agent]["phase"]
                aec.step(actions[agent])
                batch.step([actions[agent]])
        shown, *_, infos = parallel.step(actions)
    assert batch.over[0]
    assert parallel.batch.games.tobytes() == aec.batch.games.tobytes() == batch.games.tobytes()


REWARDS = [
    (name, players[number % len(players)], reward)
    for name in NAMES
    for players in [batch_class(name).spec.players]
    for number, reward in enumerate(batch_class(name).spec.rewards)
]


@pytest.mark.parametrize(("name", "players", "reward"), REWARDS)
def test_rewards__whole_game__sum_to_zero_and_match_the_batch(name, players, reward):
    options = {"num_players": players, "reward": reward}
    parallel, aec, choose = module(name).parallel_env(**options), module(name).raw_env(**options), Chooser(4)
    _, infos = parallel.reset(seed=2)
    aec.reset(seed=2)
    total = np.zeros(players)
    collected = dict.fromkeys(parallel.possible_agents, 0.0)
    paid = 0
    while parallel.agents:
        actions = choose.parallel(infos)
        for agent in parallel.possible_agents:
            if infos[agent]["to_act"]:
                collected[agent] += aec.last(observe=False)[1]
                aec.step(actions[agent])
        _, gained, *_, infos = parallel.step(actions)
        assert sum(gained.values()) == pytest.approx(0, abs=1e-5)
        assert all(type(value) is float for value in gained.values())
        paid += any(gained.values())
        total += list(gained.values())
    assert paid == (2 if options["reward"] == "points" else 1)
    assert total == pytest.approx(parallel.batch.returns[0], abs=1e-6)
    last = aec._cumulative_rewards
    assert [collected[agent] + last[agent] for agent in collected] == pytest.approx(total, abs=1e-6)


@each_variant
def test_masks__every_step__hold_two_actions_for_deciders_and_action_0_alone_for_others(name, options):
    env, choose = module(name).parallel_env(**options), Chooser(5)
    observations, infos = env.reset(seed=9)
    while env.agents:
        assert any(info["to_act"] for info in infos.values())
        for agent, info in infos.items():
            mask = info["action_mask"]
            assert mask.dtype == np.int8
            assert np.array_equal(observations[agent]["action_mask"], mask)
            assert (mask.sum() >= 2 and mask[0] == 0) if info["to_act"] else (mask.sum() == 1 and mask[0] == 1)
        observations, *_, infos = env.step(choose.parallel(infos))
    assert {info["phase"] for info in infos.values()} == {"over"}


@each_variant
def test_state__every_step__is_all_flat_observations_side_by_side(name, options):
    env, choose = module(name).parallel_env(**options), Chooser(7)
    observations, infos = env.reset(seed=1)
    for _ in range(20):
        state = np.concatenate([observations[agent]["observation"] for agent in env.possible_agents])
        assert np.array_equal(env.state(), state)
        assert env.state() in env.state_space
        observations, *_, infos = env.step(choose.parallel(infos))


@each_game
@pytest.mark.parametrize("columns", [{}, {"static_columns": False}, {"board_features": True}])
def test_entities__a_step__hold_the_values_of_flat_block_after_block(name, columns):
    flat, _ = module(name).parallel_env(**columns).reset(seed=4)
    env = module(name).parallel_env(observation="entities", **columns)
    entities, _ = env.reset(seed=4)
    for agent, observation in flat.items():
        blocks = entities[agent]["observation"]
        assert env.observation_space(agent)["observation"].contains(blocks)
        assert [len(block) for block in blocks.values()][:-1] == list(batch_class(name).spec.block_rows.values())[:-1]
        joined = np.concatenate([block.reshape(-1) for block in blocks.values()])
        assert np.array_equal(joined, observation["observation"])


@each_game
def test_record__whole_game__is_that_of_the_batch(name):
    env, choose = module(name).env(record=True), Chooser(9)
    batch = batch_class(name)(1, seed=6, record=True)
    env.reset(seed=6)
    for agent in env.agent_iter():
        _, _, terminated, _, info = env.last()
        action = None if terminated else choose.one(info["action_mask"])
        if action is not None:
            batch.step([action])
        env.step(action)
        del agent
    lines = env.unwrapped.record()
    assert lines == batch.records([0])[0]
    assert lines[0]["seed"] == 6
