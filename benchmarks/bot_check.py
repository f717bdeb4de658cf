"""Check a program that plays by ``docs/protocol.md``: ``shogun-env bot-check "python my_bot.py"``.

It plays games against ``random``, one after the other, and then all at once. It prints the faults of each game by kind,
with what was wrong the first time, decisions per second, and the program's share of the wins. A program that has
crashed four times in a game is not started again; its other decisions there count as crashes. The exit status is 1 if
there was a fault.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from shogun_env import cli
from shogun_env.agents.program.agent import Exec
from shogun_env.benchmarks.arena.referee import Referee
from shogun_env.policies import make_agent, play_on, wants_records
from shogun_env.shares import shares_of_win
from shogun_env.spec.bots import FAULTS

if TYPE_CHECKING:  # --help is quick without the engine
    from shogun_env.batch.batch import Batch


class Played(NamedTuple):
    """What a program did in some games."""

    decisions: int
    seconds: float
    """Those that it took for its decisions,"""
    game_seconds: float
    """and those of the games, with all that they needed."""
    wins: float
    """The sum of its shares of the win."""
    faults: dict[str, int]
    """Number of faults by kind."""
    texts: dict[str, str]
    """What was wrong the first time, by kind."""


def play(batch_type: type[Batch], program: Exec, options: Mapping[str, Any], games: Sequence[int], seed: int) -> Played:
    """Play games at once, by their numbers; the program plays each player in turn, ``random`` all others."""
    program.starts = 0  # it may be started again as often as at the beginning
    record, number = wants_records([program]), np.array(games)
    batch = batch_type(len(games), seed=seed + games[0], record=record, **{**options, "reward": "win"})
    own = np.arange(batch.num_players) == number[:, None] % batch.num_players
    referee = Referee(program, len(games), batch.num_players)
    begin = time.perf_counter()
    play_on(batch, [referee, make_agent("random", batch.spec)], np.where(own, 0, 1).astype(np.int8))
    return Played(
        decisions=int(referee.asked.sum()), seconds=float(referee.seconds.sum()),
        game_seconds=time.perf_counter() - begin, wins=float(shares_of_win(batch)[own].sum()),
        faults={kind: int(n) for kind, n in zip(FAULTS, referee.faults.sum((0, 1)), strict=True) if n},
        texts=referee.texts,
    )  # fmt: skip


def findings(hello: Any, alone: Sequence[Played], at_once: Played) -> str:
    """Return what was found, in words, a line each."""
    lines = [
        f"{hello.name}: at_once {hello.at_once}, processes {hello.processes}, wants {', '.join(hello.wants) or '-'}"
    ]
    named = {**{f"game {number}": played for number, played in enumerate(alone, 1)}, "all games at once": at_once}
    for where, played in named.items():
        lines += [f"{where}: {n} {kind}: {played.texts[kind]}" for kind, n in played.faults.items()]
    faults = sum(sum(played.faults.values()) for played in named.values())
    decisions = sum(played.decisions for played in alone)
    lines.append(f"{faults} faults in {decisions + at_once.decisions} decisions")
    seconds, game_seconds = (sum(getattr(each, name) for each in alone) for name in ("seconds", "game_seconds"))
    one, many = decisions / max(seconds, 1e-9), at_once.decisions / max(at_once.seconds, 1e-9)
    lines.append(f"{one:,.0f} decisions per second in one game at a time, {many:,.0f} in {len(alone)} at once")
    one, many = decisions / game_seconds, at_once.decisions / at_once.game_seconds
    lines.append(f"with the games: {one:,.0f} and {many:,.0f}")
    share = sum(played.wins for played in alone) / len(alone)
    lines.append(f"share of the wins against random: {share:.2f} ({len(alone)} games)")
    return "\n".join(lines)


def add_arguments(parser: cli.Parser, game: str) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "command",
        metavar="COMMAND",
        help="the program with its arguments, in quotation marks, with or without exec: before it",
    )
    parser.add_games(10)
    parser.add_seed("seed of the first game")
    parser.add_play(game)


def main(args: argparse.Namespace) -> int:
    """Run the command; return its exit status."""
    batch_type, options = cli.batch_class(args.game), cli.options_of(args)
    program = make_agent(f"exec:{args.command.removeprefix('exec:')}", batch_type.spec)
    assert isinstance(program, Exec), "that is what exec makes"
    unseen = batch_type(1, **options)  # loads what is loaded once, which is not timed
    play_on(unseen, [make_agent("random", unseen.spec)], np.zeros((1, unseen.num_players), np.int8), lambda *_: None)
    alone = [play(batch_type, program, options, [game], args.seed) for game in range(args.games)]
    at_once = play(batch_type, program, options, range(args.games), args.seed)
    program.close()
    print(findings(program.hello, alone, at_once))
    return int(any(played.faults for played in (*alone, at_once)))
