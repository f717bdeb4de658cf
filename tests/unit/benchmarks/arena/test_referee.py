"""The referee: what a bot returns or raises is counted by kind, and the games go on."""

import re

import numpy as np
import pytest

from shogun_env.benchmarks.arena.arena import Arena, Seating
from shogun_env.benchmarks.arena.referee import Referee
from shogun_env.policies import Bot, Compiled, View, policy
from shogun_env.spec.bots import FAULTS
from tests.games import batch_class
from tests.zoo.bots import WRONG, ZOO

BATCH, THREE_PLAYERS = batch_class("shitenno"), {"num_players": 3}
KINDS = {"nan": "nan", "negative": "illegal"}


@policy
def stubborn(observation, legal, rng, params):
    """Returns an illegal action."""
    return np.int64(-5)


def play(bot, **more):
    """Return the results of three games of a bot, and the arena."""
    arena = Arena(BATCH, THREE_PLAYERS, **more)
    return arena.play([bot, "random", "scripted"], games=3, seed=1), arena


def without_names(results):
    """Return what does not depend on who played: points by game."""
    return [(result.seed, result.points, result.place) for result in results]


class Half(Bot):
    """Fails in half of the decisions."""

    def decide(self, decision):
        return decision.names[1 // int(decision.view.rows[decision.index] % 2)]


class Asking(Bot):
    """Asks another bot in part of the decisions."""

    def act(self, view, rng):
        actions = view.masks.argmax(1)
        actions[1:] = Half().act(view.part(np.arange(1, len(view.rows))), rng[1:])
        return actions


def test_referee__fault_about_part_of_the_decisions__loses_them_all_and_no_tournament():
    view = View.of(BATCH(4, num_players=3, seed=1), np.arange(4))
    referee = Referee(Asking(), 4, 3)
    assert referee.act(view, np.zeros((4, 2), np.uint64)).tolist() == view.masks.argmax(1).tolist()
    assert referee.faults.sum(axis=(0, 1)).tolist() == [4 * (kind == "error") for kind in FAULTS]
    assert "ZeroDivisionError" in referee.texts["error"]


@pytest.mark.parametrize("kind", WRONG)
def test_referee__wrong_answer__is_counted_and_the_lowest_legal_action_played(kind):
    results, arena = play(f"{ZOO}:wrong:{kind}")
    for result in results:
        counts = result.faults[result.agents.index(f"{ZOO}:wrong:{kind}")]
        assert set(counts) <= {"form", "nan", "illegal", "error"}
        assert counts[max(counts, key=counts.get)] > 10
        assert sum(map(len, result.faults)) == len(counts)
    if kind in KINDS:
        assert KINDS[kind] in {kind for _, kind in arena.fault_texts}


@pytest.mark.parametrize(
    ("bot", "kind", "says"),
    [
        ("raises", "error", "RuntimeError: out of ideas"),
        ("leaves", "error", "SystemExit: 5"),
        ("unprintable", "error", "UnprintableError: a text that cannot be printed"),
        ("paints", "error", "ValueError: [2Jscreen cleared"),
        ("claims", "error", "FaultError: a kind of my own"),
        ("spoils", "form", "rng was changed to shape (6,) and type uint64"),
    ],
)
def test_referee__exception__is_counted_and_its_text_is_one_printable_line(bot, kind, says):
    results, arena = play(f"{ZOO}:{bot}")
    assert all(kind in result.faults[result.agents.index(f"{ZOO}:{bot}")] for result in results)
    assert re.fullmatch(re.escape(says) + r"( \(bots.py, line \d+\))?", arena.fault_texts[f"{ZOO}:{bot}", kind])


def test_referee__ctrl_c__stops_the_run():
    with pytest.raises(KeyboardInterrupt):
        play(f"{ZOO}:interrupts")


def test_referee__bot_that_always_fails__plays_as_one_that_plays_lowest():
    failing, _ = play(f"{ZOO}:raises:good=0")
    lowest, _ = play(f"{ZOO}:lowest")
    assert without_names(failing) == without_names(lowest)


def test_referee__bot_that_writes_into_what_it_is_given__changes_nothing():
    writing, arena = play(f"{ZOO}:writes")
    honest, _ = play(f"{ZOO}:honest")
    assert without_names(writing) == without_names(honest)
    assert not arena.fault_texts
    assert arena.options["num_players"] == 3


def test_referee__compiled_bot_with_illegal_actions__is_counted_too():
    results, arena = play("stubborn", agents={"stubborn": Compiled(stubborn)})
    lowest, _ = play(f"{ZOO}:lowest")
    assert without_names(results) == without_names(lowest)
    assert arena.fault_texts == {("stubborn", "illegal"): "action -5 is illegal"}


class Forgetful(Bot):
    """Plays the lowest action by number in games that it was told of, and fails when it is told how they end."""

    wants = ("result",)
    games = frozenset()

    def begin(self, rows):
        self.games |= {*rows.tolist()}
        raise RuntimeError("no room for more games")

    def act(self, view, rng):
        assert set(view.rows.tolist()) <= self.games
        return view.masks.argmax(1)

    def end(self, ends):
        raise RuntimeError("what games?")


def test_referee__bot_that_fails_when_games_begin_and_end__plays_all_the_same():
    results, arena = play("forgetful", agents={"forgetful": Forgetful()})
    lowest, _ = play(f"{ZOO}:lowest")
    assert without_names(results) == without_names(lowest)
    ((who, text),) = arena.fault_texts.items()
    assert who == ("forgetful", "error") and text.startswith("RuntimeError: no room for more games (test_referee.py, ")
    assert not any(any(result.faults) for result in results)


def test_play__games_without_the_bad_bot__are_as_if_it_were_not_there():
    good = ("scripted", "random", f"{ZOO}:honest")
    games = [Seating(good, seed) for seed in range(6)]
    alone = Arena(BATCH, THREE_PLAYERS).play_games(games)
    for bad in ("raises", "illegal", "writes"):
        others = [Seating((f"{ZOO}:{bad}", *good[1:]), seed) for seed in range(6, 9)]
        together = Arena(BATCH, THREE_PLAYERS).play_games([*others, *games])
        assert together[3:] == alone


@policy
def divides(observation, legal, rng, params):
    """Raises, as kernels do for a division by zero."""
    return np.int64(legal.sum() // (observation[0] * 0))


def test_referee__compiled_bot_that_raises__is_counted_as_one_in_python():
    """It ended the tournament, and a league could not go on with it nor without it."""
    results, arena = play("divides", agents={"divides": Compiled(divides)})
    assert all(set(result.faults[result.agents.index("divides")]) == {"error"} for result in results)
    assert "ZeroDivisionError" in arena.fault_texts["divides", "error"]


class Rare(Bot):
    """Cannot decide when the chance to come is odd."""

    def decide(self, decision):
        if decision.rng[0] % 2:
            raise KeyError(decision.player)
        return decision.legal[-1]


def test_referee__one_decision_that_fails__costs_no_other_that_is_asked_with_it():
    together, arena = play("rare", agents={"rare": Rare()})
    alone = [arena.play_games([Seating(result.agents, result.seed)])[0] for result in together]
    assert [(result.points, result.faults) for result in together] == [(one.points, one.faults) for one in alone]
    assert any(map(any, (result.faults for result in together)))
