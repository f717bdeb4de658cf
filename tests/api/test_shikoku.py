"""Shikoku, the small Shogun, is a game like the others: batch, environments, records, positions, pages."""

from __future__ import annotations

import itertools
from typing import Any

import gymnasium
import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test

from shogun_env import shikoku_v0
from shogun_env.agents.scripted import STYLES
from shogun_env.batch.signature import signature
from shogun_env.benchmarks.arena.arena import Arena
from shogun_env.benchmarks.arena.tables import standings
from shogun_env.exact.policies import profile_of
from shogun_env.exact.tree import Tree
from shogun_env.exact.values import exploitability
from shogun_env.policies import ask, make_agent
from shogun_env.records.record import read_record, record_name, write_record
from shogun_env.records.replay import verify
from shogun_env.records.view import html_page
from shogun_env.shikoku import SHIKOKU, Batch, Game
from tests.games import some_action

GAMES = list(itertools.product((2, 3), ("small", "large")))


@pytest.mark.parametrize(("players", "size"), GAMES)
def test_record__of_a_game__is_verified_and_shown(players: int, size: Any, tmp_path: Any):
    batch = Batch(20, num_players=players, size=size, seed=3, record=True)
    batch.play(["random"] * players)
    for row, lines in enumerate(batch.records(agents=["random"] * players)):
        path = tmp_path / record_name(SHIKOKU, row)
        write_record(path, lines)
        verify(Batch, read_record(path, SHIKOKU))
    assert "Shikoku" in html_page(Batch, lines)


def test_game__along_its_decisions__is_written_as_a_position_and_drawn():
    game = Game(seed=5, size="large")
    while not game.is_over:
        assert Game(position=game.position()).position() == game.position()
        assert "Shikoku" in str(game) and "not in play" not in game.render(0)
        game.play(list(game.legal_actions())[-1])
    assert "over; " in str(game)


@pytest.mark.parametrize(("players", "size"), GAMES)
def test_scripted__of_every_style__answers_in_every_position_of_random_games(players: int, size: Any):
    bots = [f"scripted:style={style}" for style in STYLES["shogun"]]
    batch = Batch(200, num_players=players, size=size, seed=2)
    targets = 0
    rng = np.random.default_rng(1)
    while not batch.over.all():
        rows = np.flatnonzero(~batch.over)
        targets += int((batch.phase[rows] == SHIKOKU.phase_names.index("target")).sum())
        for bot in bots:
            actions = ask(make_agent(bot, SHIKOKU), batch.take(), rows)
            assert batch.legal[rows, actions].all(), bot
        batch.step(some_action(batch, rng))
    assert targets > 20


def test_environments__of_shikoku__keep_to_their_interfaces():
    parallel_api_test(shikoku_v0.parallel_env(), 50)
    api_test(shikoku_v0.env(num_players=3), 50)
    env = gymnasium.make("shogun_env/Shikoku-v0", opponents="random")
    observation, info = env.reset(seed=1)
    assert env.observation_space.contains(observation) and info["action_mask"].sum() >= 2
    envs = gymnasium.make_vec("shogun_env/Shikoku-v0", num_envs=4, size="large")
    assert envs.reset(seed=1)[0].shape == (4, 3181)


def test_signature__of_the_rules__is_the_known_one():
    assert signature(Batch, 50) == "9a8738b23ed064d1"


def test_solved__against_random_and_in_the_tree__plays_an_equilibrium():
    tree = Tree.of(Batch)
    assert exploitability(tree, profile_of(tree, ["solved"]).profile).nash_conv < 0.002
    results = Arena(Batch, {}).play(["solved", "random"], games=200, seed=1)
    table = {standing.agent: standing for standing in standings(results)}
    assert table["solved"].win_share > 0.6
    with pytest.raises(ValueError, match="gap=-1"):
        make_agent("solved:gap=-1", SHIKOKU)
