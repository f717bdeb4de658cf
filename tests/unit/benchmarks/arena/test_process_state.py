"""The zoo of bad bots in a plain tournament: each does what the documents say, and harms nobody's games."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from shogun_env.benchmarks import tournament
from shogun_env.benchmarks.arena import arena as arena_module
from shogun_env.benchmarks.arena.arena import Arena, made
from shogun_env.benchmarks.arena.referee import LONGEST
from shogun_env.benchmarks.arena.seating import Seating
from tests.games import batch_class
from tests.refusals import refusal
from tests.unit.benchmarks.arena.test_referee import ZOO
from tests.unit.benchmarks.arena.zoo import CHEATS, RAISED, SPOILS, WRONG

DOCUMENT = Path(__file__).parents[4] / "docs" / "bots_of_strangers.md"
RAISES = "Whatever it returns or raises is counted by kind, and the lowest legal action is played instead"
WRITES = "What it writes there changes nothing"
LEAVES = "After each answer the referee puts back what a careless bot leaves behind"
FACTORY = "A bot that cannot be made is refused in one line, before any game"
PREVENTS = "reach the games through frames, the garbage collector or patched modules"


class Case(NamedTuple):
    """A bad bot, and what is said of it."""

    bot: str
    sentence: str
    """What the document promises."""
    twin: str
    """The bot whose games are the same, byte for byte."""
    kinds: frozenset[str] = frozenset()
    """The kinds of faults that are counted."""


FAILS = {"shape": "form", "dtype": "form", "resize": "form", "wakes": "error"}
CASES = [
    *(Case(f"raising:{what}", RAISES, "raises", frozenset({"error"})) for what in RAISED),
    *(Case(f"wrong:{what}", RAISES, "raises", frozenset({"form", "nan", "illegal", "error"})) for what in WRONG),
    Case("bomb", RAISES, "raises", frozenset({"error"})),
    Case("illegal", RAISES, "lowest", frozenset({"illegal"})),
    Case("leaves", RAISES, "raises", frozenset({"error"})),
    Case("writes", WRITES, "honest"),
    *(
        Case(
            f"spoils:{what}",
            WRITES if FAILS.get(what) == "form" or what in ("read_only", "slots") else LEAVES,
            {"form": "raises", "error": "draws"}.get(FAILS.get(what, ""), "honest"),
            frozenset({FAILS[what]} if what in FAILS else ()),
        )
        for what in SPOILS
    ),
]
"""Bots that a plain tournament survives."""


@contextmanager
def own_streams():
    """Lend streams that bots may close, in place of those that pytest reads."""
    before = sys.stdin, sys.stdout, sys.stderr
    sys.stdin, sys.stdout, sys.stderr = (os.fdopen(os.dup(handle), "w" if handle else "r") for handle in range(3))
    try:
        yield
    finally:
        sys.stdin, sys.stdout, sys.stderr = before


def play(bots, **more):
    """Return the results of one game of each bot, all in one batch, by bot; and the arena."""
    arena = Arena(batch_class("shitenno"), {"num_players": 3}, **more)
    line_ups = [(f"{ZOO}:{bot}", "scripted", "random") for bot in bots]
    seatings = [Seating(arena.variant, line_up, seed, seed % 3) for seed, line_up in enumerate(line_ups, 1)]
    return dict(zip(bots, arena.play_games(seatings), strict=True)), arena


def game_of(result):
    """Return what a game was, without the names of the bots."""
    return (result.seed, result.rotation, result.points, result.place, result.win, result.decisions)


def test_zoo__plain_tournament__every_bad_bot_plays_as_its_twin_and_faults_are_its_own():
    with own_streams():
        results, arena = play([case.bot for case in CASES])
    expected = {}
    for twin in {case.twin for case in CASES}:
        arena_of_twins = Arena(batch_class("shitenno"), {"num_players": 3})
        name = f"{ZOO}:{twin}"
        cases = [(seed, case.bot) for seed, case in enumerate(CASES, 1) if case.twin == twin]
        seatings = [Seating(arena.variant, (name, "scripted", "random"), seed, seed % 3) for seed, _ in cases]
        expected |= zip([bot for _, bot in cases], arena_of_twins.play_games(seatings), strict=True)
    wrong = []
    for case in CASES:
        result = results[case.bot]
        me = result.agents.index(f"{ZOO}:{case.bot}")
        kinds = set(result.faults[me])
        if game_of(result) != game_of(expected[case.bot]):
            wrong.append((case.bot, "other games than its twin", kinds))
        if not kinds <= case.kinds or bool(kinds) != bool(case.kinds):
            wrong.append((case.bot, kinds))
        if any(faults for player, faults in enumerate(result.faults) if player != me):
            wrong.append((case.bot, "others are blamed"))
    assert wrong == []
    assert all(text.isprintable() and len(text) <= LONGEST for text in arena.fault_texts.values())


def test_zoo__sentences__are_in_the_document():
    text = " ".join(DOCUMENT.read_text("utf-8").split())
    assert [case.sentence for case in CASES if case.sentence not in text] == []
    assert FACTORY in text
    assert PREVENTS in text


@pytest.mark.parametrize("how", CHEATS)
def test_zoo__what_the_document_does_not_promise__is_so_without_isolation(how, monkeypatch):
    """If one of them fails, the sentence of the document says too much."""
    monkeypatch.setattr(arena_module, "places_and_wins", arena_module.places_and_wins)
    (honest,) = play(["honest"])[0].values()
    results, arena = play([f"cheats:{how}"])
    (cheated,) = results.values()
    assert game_of(cheated) != game_of(honest)
    assert not arena.fault_texts


@pytest.mark.parametrize("bot", ["presses", "presses:catches=true"])
def test_zoo__ctrl_c__stops_the_run_whatever_the_bot_does(bot):
    with pytest.raises(KeyboardInterrupt):
        play([bot, "honest"])


FACTORIES = [
    *(f"bad_factory:{what}" for what in RAISED),
    "bad_compiled",
    "bad_attribute",
    "no_act",
    "refuses",
]


def test_zoo__factories__one_line_and_status_2(tmp_path, capsys):
    for factory in FACTORIES:
        with pytest.raises(ValueError) as said:
            made(f"{ZOO}:{factory}", batch_class("shitenno").spec)
        assert ZOO.name in str(said.value), factory
        assert str(said.value).isprintable(), factory
    arguments = [
        "--agents",
        f"{ZOO}:bad_factory:interrupt,random,scripted",
        "--seed",
        "1",
        "--out",
        str(tmp_path / "t"),
    ]
    line = refusal(capsys, tournament.main, *arguments)
    assert line.endswith("cannot be made: KeyboardInterrupt: not the user's")
    assert not (tmp_path / "t").exists()


def test_zoo__factory_that_fails_later__is_a_fault():
    bot = f"{ZOO}:made_once"
    arena = Arena(batch_class("shitenno"), {"num_players": 3})
    results = [arena.play_games([Seating(arena.variant, (bot, "random", "random"), seed, 0)])[0] for seed in range(5)]
    assert [bool(result.faults[0]) for result in results] == [False, False, False, True, True]
    assert arena.fault_texts == {(bot, "error"): f"agent '{bot}' cannot be made: OSError: used up"}


def test_zoo__bot_that_remembers__plays_the_same_games_in_any_order():
    """It is made anew for each group of games."""
    bot = f"{ZOO}:counter"
    orders = [[0, 1], [1, 0]]
    games = []
    for order in orders:
        arena = Arena(batch_class("shitenno"), {"num_players": 3})
        blocks = arena.blocks([bot, "scripted", "random"], games=2 * 64 * 3)
        games.append({result.seating: game_of(result) for index in order for result in arena.play_games(blocks[index])})
    assert games[0] == games[1]


@pytest.mark.usefixtures("no_pictures")
def test_zoo__run_with_careless_bots__ends_and_writes_its_tables(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    for careless in (["close_handles", "close_streams", "file_size"], ["umask", "folder", "redirect"]):
        agents = ",".join(f"{ZOO}:spoils:{what}" for what in careless)
        command = ["--game", "shitenno", "--agents", agents, "--players", "3", "--games", "3", "--seed", "1"]
        with own_streams():
            assert tournament.main([*command, "--out", careless[0]]) == 0
            sys.stdout.flush()
        assert f"spoils:{careless[0]}" in capfd.readouterr().out
        assert os.access(tmp_path / careless[0] / "leaderboard.md", os.R_OK)
        assert len((tmp_path / careless[0] / "results.jsonl").read_bytes().splitlines()) == 3
