"""Who sits there: odds of kinds by what others show, and search that draws others by them."""

import copy

import numpy as np
import pytest

from shogun_env.agents.search import lots, plans
from shogun_env.agents.search.agent import make_search
from shogun_env.agents.search.others import DRAWN, MATCH, Others, versions
from shogun_env.agents.search.whole import drawing, varied
from shogun_env.batch.loops import NO_ACTION
from shogun_env.policies import View, compiled_policy, make_agent, play_on
from shogun_env.shitenno import Batch as Shitenno
from shogun_env.shogun import Batch as Shogun
from tests.games import batch_class

GAMES = [(Shogun, plans, 2), (Shitenno, lots, 3)]
CHAMPION, SCRIPTED = 0, 1
LIST = {"base": "pool;2min", "model": "pool;2min;greedy=false+scripted", "plan_rollouts": 16, "rollouts": 8}


def watched(batch_type, planning, rounds: int, sits: list[int]) -> tuple[Others, np.ndarray]:
    """Return what player 0 of a game among others of these kinds knows after some rounds, and the odds of its logs."""
    batch = batch_type(1, num_players=4, seed=4)
    champion, scripted = compiled_policy("champion", batch.spec), compiled_policy("scripted", batch.spec)
    others = Others(planning, [drawing(champion), scripted])
    stage = batch.spec.engine.stages.index("round")
    while batch.spec.engine.stage(batch.games[0], stage) < rounds:
        batch.play([champion, scripted], np.array([[-1, *sits]], np.int8))
        others.look(View.of(batch, np.arange(1)), batch.policy_rngs[0, batch.player])
        batch.step(batch.legal.argmax(1))
    return others, others._notes[0, 0].log_odds


@pytest.mark.parametrize(("batch_type", "planning", "rounds"), GAMES)
def test_others__what_was_shown__tells_a_champion_from_scripted(batch_type, planning, rounds):
    sits = [CHAMPION, SCRIPTED, CHAMPION]
    _, logs = watched(batch_type, planning, rounds, sits)
    told = logs[1:, CHAMPION] - logs[1:, SCRIPTED]
    known = told != 0
    assert known.any() and ((told > 0) == (np.array(sits) == CHAMPION))[known].all()


def test_others__drawn__by_the_odds_with_the_plans_of_their_kinds():
    others, _ = watched(Shogun, plans, 1, [CHAMPION, SCRIPTED, CHAMPION])
    note = others._notes[0, 0]
    note.log_odds[1] = [60.0, 0.0]
    note.settle()
    drawn = [others.draw(0, 0, seed) for seed in range(400)]
    share = np.mean([kinds[1] == CHAMPION for kinds, _ in drawn])
    assert 0.95 < share < 1.0  # the floor
    kinds, laid = others.draw(0, 0, 5)
    assert all((note.plans[kinds[p], :, p] == laid[p]).all(1).any() for p in (1, 2, 3))
    assert note.plans.shape == (2, DRAWN, 4, 11)
    again, same = copy.deepcopy(others).draw(0, 0, 5)
    assert (kinds == again).all() and (laid == same).all()


def test_others__what_was_shown_in_this_round__speaks_for_plans_that_hold_it():
    others, _ = watched(Shogun, plans, 1, [CHAMPION, SCRIPTED, CHAMPION])
    note = others._notes[0, 0]
    note.shown[:] = NO_ACTION
    laid = note.plans[CHAMPION, :, 1]
    space, card, count = min(
        ((s, c, n) for s in range(11) for c, n in zip(*np.unique(laid[:, s], return_counts=True), strict=True)),
        key=lambda each: each[2],
    )
    assert count < DRAWN / 8
    note.shown[1, space] = card
    note.settle()
    drawn = [plans[1] for kinds, plans in (others.draw(0, 0, seed) for seed in range(2000)) if kinds[1] == CHAMPION]
    weight = MATCH * count
    assert abs(np.mean([plan[space] == card for plan in drawn]) - weight / (weight + DRAWN - count)) < 0.06


def test_others__another_game_in_the_row__begins_with_even_odds():
    others, logs = watched(Shogun, plans, 2, [CHAMPION, SCRIPTED, CHAMPION])
    assert logs.any()
    batch = Shogun(1, num_players=4, seed=9)
    others.look(View.of(batch, np.arange(1)), batch.policy_rngs[0, batch.player])
    assert not others._notes[0, int(batch.player[0])].log_odds.any()
    others.forget(np.array([0]))
    assert not others._notes


@pytest.mark.parametrize(("players", "seed"), [(4, 5), (3, 4), (4, 4)])
def test_others__another_game_in_the_first_round_of_the_row__begins_with_even_odds(players: int, seed: int):
    def look(batch: Shitenno, draws: int) -> np.ndarray:
        batch.play([champion], np.array([[0, -1, *[0] * (batch.num_players - 2)]], np.int8))
        batch.policy_rngs[:, 1, 1] = draws
        others.look(View.of(batch, np.arange(1)), batch.policy_rngs[:, 1])
        return others._notes[0, 1].log_odds

    batch, other = (Shitenno(1, num_players=number, seed=at) for number, at in ((4, 4), (players, seed)))
    champion = compiled_policy("champion", batch.spec)
    others = Others(lots, [drawing(champion), compiled_policy("scripted", batch.spec)])
    while not look(batch, 1).any():
        batch.step(batch.legal.argmax(1))
    assert others._notes[0, 1].round == 0
    begin = look(other, 0)
    fresh = Others(lots, others.kinds)
    fresh.look(View.of(other, np.arange(1)), other.policy_rngs[:, 1])
    assert begin.shape == (players, 2) and (begin == fresh._notes[0, 1].log_odds).all()


def test_search__kinds_of_a_game_that_tells_none_apart__are_refused():
    with pytest.raises(ValueError, match="model of search: shikoku has no way to tell 2 kinds apart; give one"):
        make_search(batch_class("shikoku").spec, model="scripted+random")


@pytest.mark.parametrize("batch_type", [Shogun, Shitenno])
def test_search__told_a_list__same_games_alone_and_among_others(batch_type):
    def played(seeds: list[int]) -> np.ndarray:
        batch = batch_type(len(seeds), num_players=3)
        batch.reset(seeds=np.array(seeds))
        bots = [make_search(batch.spec, **LIST), make_agent("scripted", batch.spec)]
        play_on(batch, bots, np.array([0, 1, 1], np.int8)[None].repeat(len(seeds), 0))
        return batch.points

    together = played([3, 5])
    assert (together == np.concatenate([played([3]), played([5])])).all()


def test_versions__of_a_network_and_of_rules_of_thumb__only_the_latter_vary():
    champion, scripted = (compiled_policy(name, Shogun.spec) for name in ("champion", "scripted"))
    rng = np.random.default_rng(1)
    assert versions(champion, rng) == [champion]
    (_, own), *others = versions(scripted, rng)
    assert (own == scripted[1]).all() and len(others) == DRAWN - 1
    assert all((params != own).any() for _, params in others)
    factors = varied(np.ones(100), 0.5, rng)
    assert (factors == factors.round(12)).all() and len(set(factors)) == 100
