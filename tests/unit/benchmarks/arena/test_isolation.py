"""Isolated agents: a bot may hang, exit, crash or fill the memory; the tournament ends, and says what happened.

What it may not see or do in a sandbox is in ``test_sandbox.py``.
"""

from __future__ import annotations

import os
import re
import signal
from pathlib import Path

import pytest

from shogun_env.benchmarks.arena import isolation, nursery
from shogun_env.benchmarks.arena.arena import Arena
from shogun_env.benchmarks.arena.isolation import IsolatedAgent
from shogun_env.benchmarks.arena.nursery import Limits
from shogun_env.benchmarks.arena.seating import Seating
from tests.games import batch_class
from tests.unit.benchmarks.arena.test_referee import ZOO, plain, without_names
from tests.unit.benchmarks.arena.zoo import WRONG

THREE_PLAYERS = {"num_players": 3}
GENEROUS = Limits(decision_seconds=20.0, memory_mb=512, sandbox=False)
TIGHT = Limits(decision_seconds=0.02, first_seconds=0.1, game_seconds=0.3, memory_mb=512, sandbox=False)
LATE = r"no answer within 0\.02 s|more than 0\.3 s in one game"
"""What is said of a late bot; which limit it breaks first depends on how busy the machine is."""


def play(bot, limits, rotations=(0,), name="shogun", rival="random"):
    """Return the results of a bot in rotations of one line-up, and the arena."""
    arena = Arena(batch_class(name), THREE_PLAYERS, limits=limits)
    line_up = (bot, rival, "scripted")
    games = [Seating(variant=arena.variant, line_up=line_up, seed=1, rotation=turn) for turn in rotations]
    return arena.play_games(games), arena


def count_faults(results, bot):
    return {kind: n for result in results for kind, n in result.faults[result.agents.index(bot)].items()}


def test_isolation__honest_bot__plays_the_same_games_as_without():
    bot = f"{ZOO}:honest"
    isolated, arena = play(bot, GENEROUS, (0, 1, 2), "shitenno")
    inside, _ = play(bot, None, (0, 1, 2), "shitenno")
    assert [plain(result) for result in isolated] == [plain(result) for result in inside]
    assert not arena.fault_texts
    assert isinstance(arena.agent(bot), IsolatedAgent)
    assert hasattr(arena.agent("scripted"), "compiled")


@pytest.mark.parametrize(
    ("name", "limits", "kinds", "says"),
    [
        ("raises", GENEROUS, {"error"}, "RuntimeError: out of ideas"),
        ("leaves", GENEROUS, {"error"}, "SystemExit: 5"),
        ("fills_memory", GENEROUS, {"error"}, "MemoryError"),
        ("exits", GENEROUS, {"crash"}, "status 3"),
        ("segfaults", GENEROUS, {"crash"}, "signal SIGSEGV"),
        ("hangs", TIGHT, {"late"}, LATE),
        ("sleeps", TIGHT, {"late"}, LATE),
    ],
)
def test_isolation__bad_bot__is_counted_and_the_game_ends(name, limits, kinds, says):
    bot = f"{ZOO}:{name}"
    results, arena = play(bot, limits)
    faults = count_faults(results, bot)
    # A late bot is not started again after three restarts, which a busy machine reaches before the time of a game ends.
    assert kinds <= set(faults) <= kinds | ({"crash"} if limits == TIGHT else set())
    assert sum(faults.values()) > 50
    assert any(re.search(says, text) for text in arena.fault_texts.values())


@pytest.mark.full
def test_isolation__bot_that_is_always_late__is_restarted_three_times_then_plays_lowest():
    bot = f"{ZOO}:hangs"
    results, arena = play(bot, Limits(decision_seconds=0.1, first_seconds=0.4, memory_mb=512, sandbox=False))
    assert arena.agent(bot).starts == 0  # a new batch begins with a new process
    assert count_faults(results, bot)["late"] == 1 + isolation.RESTARTS
    assert "not started again after 3 restarts" in arena.fault_texts[bot, "crash"]


def test_isolation__prints_and_wrong_answers__stay_in_the_process(capfd):
    for bot in [f"{ZOO}:prints", f"{ZOO}:writes"]:
        results, arena = play(bot, GENEROUS)
        honest, _ = play(f"{ZOO}:honest", None)
        assert without_names(results) == without_names(honest)
        assert not arena.fault_texts
    for kind in WRONG:
        bot = f"{ZOO}:wrong:{kind}"
        assert count_faults(play(bot, GENEROUS)[0], bot)
    assert capfd.readouterr() == ("", "")


@pytest.mark.slow
def test_isolation__bot_that_searches_its_process_for_the_games__does_not_find_them():
    bot = f"{ZOO}:searches"
    assert "illegal" in count_faults(play(bot, None)[0], bot), "without isolation they are in the same process"
    isolated, arena = play(bot, GENEROUS)
    assert not arena.fault_texts
    assert without_names(isolated) == without_names(play(f"{ZOO}:honest", None)[0])


def test_isolation__bot_that_cannot_be_made__is_refused_in_one_line():
    arena = Arena(batch_class("shogun"), THREE_PLAYERS, limits=GENEROUS)
    with pytest.raises(ValueError, match="OSError: no such weights"):
        arena.agent(f"{ZOO}:refuses")
    with pytest.raises(ValueError, match="unknown agent 'nobody'"):
        arena.agent("nobody")


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
def test_isolation__starter_killed_or_stopped__is_replaced(number, monkeypatch):
    monkeypatch.setattr(nursery, "ORDER_SECONDS", 2.0)
    nursery.starters.clear()
    agent = IsolatedAgent(f"{ZOO}:honest", "shogun_env.shogun", GENEROUS)
    agent.start()
    parent = Path(f"/proc/{agent._process}/stat").read_text().rpartition(")")[2].split()[1]
    os.kill(int(parent), number)
    agent.renew()
    agent.start()
    agent.stop()


def test_isolation__process__ends_with_the_tournament():
    agent = IsolatedAgent(f"{ZOO}:honest", "shogun_env.shogun", GENEROUS)
    agent.start()
    pid = agent._process
    os.kill(pid, 0)
    agent.stop()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
