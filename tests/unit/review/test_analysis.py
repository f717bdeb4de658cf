"""Reviews: choices that belong together are one, the champion's own cost nothing, and bad ones cost."""

from functools import cache
from typing import Any

import numpy as np
import pytest

from shogun_env.cli import game_class
from shogun_env.policies import View, make_agent
from shogun_env.review.analysis import Effort, _choices, review, turning_points, why
from shogun_env.spec.voice import words
from tests.games import batch_class, each_game

LITTLE = Effort(first=8, again=16, costliest=2)


@cache
def game_of(name: str, *bots: str) -> list[Any]:
    """Return the record of a game of bots."""
    batch = batch_class(name)(1, num_players=len(bots), seed=4, record=True)
    batch.play([make_agent(bot, batch.spec).compiled for bot in bots])
    return batch.records(agents=list(bots))[0]


@pytest.mark.full
@each_game
def test_review__of_a_champion__finds_its_own_choices(name: str):
    lines = game_of(name, "champion", "random", "random")
    (found,) = review(batch_class(name), lines, [0], effort=LITTLE)
    assert found.choices > 10
    assert found.alike == found.choices
    assert found.others == ()


@pytest.mark.full
@each_game
def test_review__of_a_random_bot__says_what_it_cost(name: str):
    # Among bots that are all random: against a champion it loses whatever it chooses, and nothing costs.
    lines, told = game_of(name, "random", "random", "random"), []
    (found,) = review(batch_class(name), lines, [1], effort=LITTLE, show=lambda *done: told.append(done))
    assert found.alike < found.choices
    assert 0 < sum(one.cost != 0 for one in found.others) <= LITTLE.costliest
    assert sum(one.cost for one in found.others) > 0
    assert told[-1][0] == 1.0
    assert all(any(mine != better for _, mine, better in one.rows) for one in found.others)
    assert all(one.when and one.line and one.text.startswith("That ") for one in found.others)
    again = review(batch_class(name), lines, [1], effort=LITTLE)
    assert again == [found]


def test_choices__of_a_plan__are_one_for_each_player_and_round():
    lines = game_of("shogun", "champion", "random", "random")
    plans = [choice for choice in _choices(batch_class("shogun"), lines, [0, 1, 2]) if choice.is_plan]
    assert [choice.player for choice in plans] == [0, 1, 2] * 6
    spaces = batch_class("shogun").spec.plan_spaces
    for choice in plans:
        line = next(
            line for line in lines[choice.line - 1 :] if line["t"] == "plan" and line["player"] == choice.player
        )
        cards = {spaces[slot]: choice.root.spec.action_name(action) for slot, (action, _) in choice.played.items()}
        assert {space: line[space] or "none" for space in cards} == cards


@each_game
def test_turning_points__are_the_largest_changes_first(name: str):
    lines = game_of(name, "champion", "random", "random")
    turns = turning_points(batch_class(name), lines, count=4)
    changes = [abs(turn.after - turn.before) for turn in turns]
    assert len(turns) == 4
    assert changes == sorted(changes, reverse=True)
    assert changes[0] > 0.02
    assert all(turn.first <= turn.last <= len(lines) for turn in turns)
    assert any(turn.texts for turn in turns)


@each_game
def test_why__of_a_hint__says_what_the_champion_makes_of_it(name: str):
    game = game_class(name)(seed=2, num_players=3)
    champion = make_agent("champion", game.spec)
    best = game.suggest(champion)
    called = {name: game.spec.action_label(number) or words(name) for name, number in game.legal_actions().items()}
    assert why(game, best).startswith(f"The champion would choose the same: {called[best]} ")
    other = next(action for action in game.legal_actions() if action != best)
    text = why(game, other)
    assert text.startswith("The champion would choose otherwise: ")
    assert f" {called[other]} " in text
    assert why(game.redeal(game.player, 3), best) == why(game, best)
    (weighed,) = champion.weigh(View.of(game.batch, np.zeros(1, np.int64)))
    assert weighed.chances.sum() == pytest.approx(1)
    assert set(np.flatnonzero(weighed.chances)) <= set(game.legal_actions().values())


def test_review__bad_arguments__are_refused_in_one_line():
    lines, batch = game_of("shitenno", "champion", "random", "random"), batch_class("shitenno")
    with pytest.raises(ValueError, match="player 3: this game has players 0 to 2"):
        review(batch, lines, [3])
    with pytest.raises(ValueError, match="champion 'scripted': must be a network"):
        review(batch, lines, champion="scripted")
    with pytest.raises(ValueError, match="at least 4 rollouts"):
        review(batch, lines, effort=Effort(first=2))
