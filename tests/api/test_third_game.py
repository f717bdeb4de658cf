"""A third game, known to no shared code: batch, environments, records, positions, tournament and training take it."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test

from shogun_env.benchmarks.arena.arena import Arena
from shogun_env.benchmarks.arena.tables import standings
from shogun_env.policies import register_agent
from shogun_env.records.record import RecordError, read_record, record_name, write_record
from shogun_env.records.replay import verify
from shogun_env.records.view import html_page
from tests.coins import COINS, Batch, CoinsAEC, CoinsEnv, CoinsParallel, CoinsVectorEnv, Game
from tests.zoo.bots import highest

register_agent("greedy", lambda game_spec: highest(None), "coins")


def test_redeal__of_coins__makes_the_others_charms_uniform():
    batch = Batch(1, seed=2).take(np.zeros(3000, np.int64))
    batch.redeal(None, 0, 1)
    assert set(batch.games["charm"][:, 0].tolist()) == {int(Batch(1, seed=2).games["charm"][0, 0])}
    assert np.bincount(batch.games["charm"][:, 1]) == pytest.approx([1000] * 3, abs=120)


def test_record__of_coins__is_verified_and_a_changed_one_refused(tmp_path: Any):
    batch = Batch(20, seed=3, record=True)
    batch.play(["random"] * 2)
    for row, lines in enumerate(batch.records(agents=["random"] * 2)):
        path = tmp_path / record_name(COINS, row)
        write_record(path, lines)
        verify(Batch, read_record(path, COINS))
        assert "Coins" in html_page(Batch, lines)
        number = next(index for index, line in enumerate(lines) if line["t"] == "take")
        changed = [{**line, "coins": 4 - line["coins"]} if i == number else line for i, line in enumerate(lines)]
        if changed != lines:
            with pytest.raises(RecordError, match="line "):
                verify(Batch, changed)


def test_game__of_coins__is_played_by_name_from_positions_and_records():
    game = Game(seed=4)
    game.play("take_3", "take_2")
    assert Game(position=game.position()).position() == game.position()
    assert "7 in the pile" in str(game)
    assert "charms ?, " in game.render(1)
    while not game.is_over:
        game.play(game.suggest("greedy"))
    middle = Game.from_record(game.record(), 6)
    assert [move.action for move in middle.moves] == ["take_3"]
    assert game.winners


def test_environments__of_coins__pass_the_official_tests():
    parallel_api_test(CoinsParallel(num_players=3), num_cycles=100)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(CoinsAEC(num_players=2), num_cycles=100)
        check_env(CoinsEnv(opponents="random"), skip_render_check=True)
    envs = CoinsVectorEnv(num_envs=8, opponents="greedy", observation="entities")
    assert envs.reset(seed=1)[0]["players"].shape == (8, 3, 1)


def test_tournament__of_coins__rates_the_better_bot_higher():
    results = list(Arena(Batch, {"num_players": 2}).play(["greedy", "random"], games=200))
    table = {standing.agent: standing for standing in standings(results)}
    assert table["greedy"].win_share > 0.7
