"""The two small games, which little code knows by name: Shikoku, which is solved, and Coins, which only tests have.

That their environments keep to the interfaces is tested with those of the other games.
"""

from typing import Any

import numpy as np
import pytest

from shogun_env import shikoku
from shogun_env.agents.scripted import STYLES
from shogun_env.batch.signature import signature
from shogun_env.benchmarks.arena.arena import Arena
from shogun_env.benchmarks.arena.tables import standings
from shogun_env.exact.policies import profile_of
from shogun_env.exact.tree import Tree
from shogun_env.exact.values import exploitability
from shogun_env.policies import ask, make_agent, register_agent
from shogun_env.records.record import RecordError, read_record, record_name, write_record
from shogun_env.records.replay import verify
from shogun_env.records.view import html_page
from shogun_env.shikoku import SHIKOKU
from tests import coins
from tests.games import some_action
from tests.zoo.bots import highest

register_agent("greedy", lambda game_spec: highest(None), "coins")
OF_SHIKOKU = [{"num_players": players, "size": size} for players in (2, 3) for size in ("small", "large")]
GAMES = [(coins, {}), *((shikoku, options) for options in OF_SHIKOKU)]


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_record__of_a_game__is_verified_and_shown_and_one_cut_short_refused(game: Any, options: Any, tmp_path: Any):
    batch = game.Batch(20, seed=3, record=True, **options)
    batch.play(["random"] * batch.num_players)
    for row, lines in enumerate(batch.records(agents=["random"] * batch.num_players)):
        path = tmp_path / record_name(batch.spec, row)
        write_record(path, lines)
        verify(game.Batch, read_record(path, batch.spec))
        with pytest.raises(RecordError, match=f"line {len(lines)}: the record ends"):
            verify(game.Batch, lines[:-1])
    assert batch.spec.title in html_page(game.Batch, lines)


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_game__along_its_decisions__is_written_as_a_position_told_and_taken_up(game: Any, options: Any):
    assert game.Game(**options).position() == game.Game(seed=0, **options).position()
    played = game.Game(seed=5, **options)
    while not played.is_over:
        assert game.Game(position=played.position()).position() == played.position()
        assert played.spec.title in str(played) and "not in play" not in played.render(0)
        played.play(played.suggest("random"))
    assert played.winners
    middle = game.Game.from_record(played.record(), len(played.record()) - 1)
    assert middle.moves == played.moves[: len(middle.moves)]


def test_redeal__of_coins__makes_the_others_charms_uniform():
    batch = coins.Batch(1, seed=2).take(np.zeros(3000, np.int64))
    own = int(batch.games["charm"][0, 0])
    batch.redeal(None, 0, 1)
    assert set(batch.games["charm"][:, 0].tolist()) == {own}
    assert np.bincount(batch.games["charm"][:, 1]) == pytest.approx([1000] * 3, abs=120)


@pytest.mark.parametrize("options", OF_SHIKOKU)
def test_scripted__of_every_style__answers_in_every_position_of_random_games_of_shikoku(options: Any):
    bots = [make_agent(f"scripted:style={style}", SHIKOKU) for style in STYLES["shogun"]]
    batch, rng, targets = shikoku.Batch(200, seed=2, **options), np.random.default_rng(1), 0
    while not batch.over.all():
        rows = np.flatnonzero(~batch.over)
        targets += int((batch.phase[rows] == SHIKOKU.phase_names.index("target")).sum())
        for bot in bots:
            assert batch.legal[rows, ask(bot, batch.take(), rows)].all()
        batch.step(some_action(batch, rng))
    assert targets > 20


def test_signature__of_shikoku__is_the_known_one():
    assert signature(shikoku.Batch, 50) == "9a8738b23ed064d1"


@pytest.mark.parametrize(("game", "better", "least"), [(coins, "greedy", 0.7), (shikoku, "solved", 0.6)])
def test_arena__of_a_small_game__rates_the_better_bot_higher(game: Any, better: str, least: float):
    results = Arena(game.Batch, {}).play([better, "random"], games=200, seed=1)
    table = {standing.agent: standing for standing in standings(list(results))}
    assert table[better].win_share > least


def test_solved__in_the_tree_of_shikoku__plays_an_equilibrium():
    tree = Tree.of(shikoku.Batch)
    assert exploitability(tree, profile_of(tree, ["solved"]).profile).nash_conv < 0.002
    for gap in (-1, 0):
        with pytest.raises(ValueError, match=f"gap={gap}"):
            make_agent(f"solved:gap={gap}", SHIKOKU)
