"""The zoo of bad bots under ``--isolate``: what each does, and that it harms nobody.

Every bot plays three times: in the tournament's own process (``test_process_state.py``, ``test_compiled.py``), in a
process of its own and in a sandbox. What tries to get out of the sandbox is in ``test_sandbox.py``, and is played in it
only: outside it would do what it tries.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import pytest

from shogun_env.benchmarks.arena import sandbox
from shogun_env.benchmarks.arena.arena import Arena
from shogun_env.benchmarks.arena.nursery import Limits
from shogun_env.benchmarks.arena.seating import Seating
from tests.games import batch_class
from tests.unit.benchmarks.arena import test_compiled, test_process_state
from tests.unit.benchmarks.arena.test_process_state import DOCUMENT, FACTORIES, FACTORY, RAISES, WRITES, game_of
from tests.unit.benchmarks.arena.test_referee import ZOO
from tests.unit.benchmarks.arena.zoo import CHEATS

REACH = "reaches no process that it has not started, so that it cannot stop, kill or blame another bot"
AGAIN = "A process that dies is started again, up to three times for each group of games"
LATE = "An answer is late when as much time as `--decision-seconds` has passed"
SILENT = "what it prints is thrown away"
ANYTHING = frozenset({"illegal", "form", "nan", "error", "late", "crash"})
IN_TIME = Limits(decision_seconds=20.0, memory_mb=512)
IN_A_HURRY = Limits(decision_seconds=0.05, first_seconds=1.0, memory_mb=512)


class Case(NamedTuple):
    """A bad bot in a process of its own."""

    bot: str
    sentence: str
    """What the document promises."""
    twin: str | None
    """The bot of ``zoo.py`` whose games are the same, byte for byte; None where its own games are not determined."""
    kinds: frozenset[str] = frozenset()
    """The kinds of faults that may be counted, one at least; none for none."""
    limits: Limits = IN_TIME


SPOILT = {
    "resize": ("raises", {"error"}), "slots": ("raises", {"error"}),  # an array that was sent cannot be resized
    "close_streams": ("raises:good=3", {"error"}), "wakes": ("dies", {"crash"}),
    "alarm": (None, ANYTHING), "recursion": (None, ANYTHING),
}  # fmt: skip
"""Bots that spoil their own process, in which it stays spoilt: their twins, and kinds of their faults."""


def in_its_process(case: test_process_state.Case) -> Case:
    """Return what a bot does in a process of its own that a plain tournament survives."""
    spoils = case.bot.removeprefix("spoils:")
    if spoils in SPOILT:
        twin, kinds = SPOILT[spoils]
        return Case(case.bot, REACH, twin, frozenset(kinds))
    return Case(case.bot, case.sentence if case.sentence in (RAISES, WRITES) else REACH, case.twin, case.kinds)


CASES = [
    Case("honest", REACH, "honest"),
    *map(in_its_process, test_process_state.CASES),
    *(Case(f"cheats:{how}", REACH, "honest") for how in CHEATS if how != "patch"),
    Case("cheats:patch", REACH, "stumbles", frozenset({"error"})),  # there is no arena to be patched
    Case("presses", RAISES, "raises", frozenset({"error"})),
    Case("presses:catches=true", REACH, "honest"),
    Case("prints", SILENT, "honest"),
    Case("searches", REACH, "honest"),
    Case("made_once", REACH, "honest"),
    Case("counter", REACH, "counter"),
    Case("fills_memory", RAISES, "raises", frozenset({"error"})),
    Case("exits", AGAIN, "dies", frozenset({"crash"})),
    Case("segfaults", AGAIN, "dies", frozenset({"crash"})),
    Case("hangs", LATE, "dies", frozenset({"late", "crash"}), IN_A_HURRY),
    Case("sleeps", LATE, "dies", frozenset({"late", "crash"}), IN_A_HURRY),
]
COMPILED = {"honest": frozenset(), "untidy": frozenset(), "memory_writer": frozenset()}
"""Compiled bots that are honest in a process of their own, too; all others harm that process, however they do."""
QUICK = ("honest", "raising:unprintable", "wrong:object", "spoils:resize", "spoils:close_handles", "cheats:gc", "exits")


def games_of(bots, limits, folder_of_bots=ZOO):
    """Return the game of each bot, by bot, and what was said of faults; all are played as one batch, with an honest
    stranger in each, which is isolated like them.
    """
    arena = Arena(batch_class("shitenno"), {"num_players": 3}, limits=limits)
    specs = [f"{folder_of_bots}:{bot}" for bot in bots]
    rival = f"{ZOO}:rival"
    arena.prepare([*specs, rival])
    seatings = [Seating(arena.variant, (spec, rival, "random"), seed, seed % 3) for seed, spec in enumerate(specs, 1)]
    return dict(zip(bots, arena.play_games(seatings), strict=True)), arena.fault_texts


def twin_of(result, twin):
    """Return the game that a plain tournament plays with a twin in place of a bot."""
    arena = Arena(batch_class("shitenno"), {"num_players": 3})
    line_up = (f"{ZOO}:{twin}", *result.line_up[1:])
    return arena.play_games([Seating(arena.variant, line_up, result.seed, result.rotation)])[0]


def wrongs(case, result):
    """Yield what is wrong with the game of a bot and of the honest ones next to it."""
    me = result.agents.index(result.line_up[0])
    kinds = set(result.faults[me])
    if not kinds <= case.kinds or (bool(kinds) != bool(case.kinds) and case.kinds != ANYTHING):
        yield case.bot, kinds
    if any(faults for player, faults in enumerate(result.faults) if player != me):
        yield case.bot, "others are blamed"
    if case.twin is not None and game_of(result) != game_of(twin_of(result, case.twin)):
        yield case.bot, "other games than its twin"


def check(cases, sandboxed):
    """Play the games of bad bots, and see that each did what is said of it."""
    wrong = []
    for limits in dict.fromkeys(case.limits for case in cases):
        group = [case for case in cases if case.limits == limits]
        results, texts = games_of([case.bot for case in group], replace(limits, sandbox=sandboxed))
        wrong += [fault for case in group for fault in wrongs(case, results[case.bot])]
        assert all(text.isprintable() for text in texts.values())
    assert wrong == [], "\n".join(map(str, wrong))


@pytest.fixture(params=[False, True], ids=["process", "sandbox"])
def sandboxed(request):
    if request.param and sandbox.why_not() is not None:
        pytest.skip("bubblewrap is not installed, so no sandbox is tried")
    return request.param


def test_zoo__sentences__are_in_the_document():
    text = " ".join(DOCUMENT.read_text("utf-8").split())
    assert [case.sentence for case in CASES if case.sentence not in text] == []


@pytest.mark.full
def test_zoo__a_few_in_a_sandbox__play_as_their_twins_and_harm_nobody():
    if sandbox.why_not() is not None:
        pytest.skip("bubblewrap is not installed, so no sandbox is tried")
    check([case for case in CASES if case.bot in QUICK], True)


@pytest.mark.slow
def test_zoo__isolated__every_bad_bot_plays_as_its_twin_and_harms_nobody(sandboxed):
    check(CASES, sandboxed)


@pytest.mark.slow
def test_zoo_compiled__isolated__harms_nobody(sandboxed):
    bots = [f"make:{case.bot}" for case in test_compiled.CASES]
    results, _ = games_of(bots, replace(IN_TIME, sandbox=sandboxed), test_compiled.ZOO)
    cases = [Case(bot, REACH, None, COMPILED.get(bot.removeprefix("make:"), ANYTHING)) for bot in bots]
    wrong = [fault for case in cases for fault in wrongs(case, results[case.bot])]
    assert wrong == [], "\n".join(map(str, wrong))


@pytest.mark.slow
def test_zoo__factories__isolated__are_refused_in_one_line(sandboxed):
    """The attribute ``compiled`` is not looked at there."""
    specs = [f"{ZOO}:{factory}" for factory in FACTORIES if factory not in ("bad_compiled", "bad_attribute")]
    arena = Arena(batch_class("shitenno"), {"num_players": 3}, limits=replace(IN_TIME, sandbox=sandboxed))
    arena.prepare(specs)
    assert FACTORY in " ".join(DOCUMENT.read_text("utf-8").split())
    for spec in specs:
        with pytest.raises(ValueError) as said:
            arena.agent(spec)
        assert str(said.value).isprintable(), spec
