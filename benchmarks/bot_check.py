"""Check a program that plays by ``docs/protocol.md``: ``shogun-env bot-check "python my_bot.py"``.

It plays games against ``random``, one after the other, and then all together. It prints the faults of each game by
kind, with what was wrong the first time, decisions per second, the program's share of the wins, and the last line of
its standard error: what it does wrong while it is only told of games is no fault. A program that has crashed twice in a
game is not started again; its other decisions there count as crashes. The exit status is 1 if there was a fault.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from shogun_env import cli
from shogun_env.agents.program.agent import Exec, make_exec
from shogun_env.benchmarks.arena.referee import Referee
from shogun_env.policies import make_agent, play_on, wants_records
from shogun_env.shares import shares_of_win
from shogun_env.spec.bots import FAULTS

if TYPE_CHECKING:  # --help is quick without the engine
    from shogun_env.batch.batch import Batch


class Trial(NamedTuple):
    """What a program did in some games."""

    decisions: int
    seconds: float
    """Those that it took for its decisions."""
    wins: float
    """The sum of its shares of the win."""
    faults: dict[str, int]
    """Number of faults by kind."""
    texts: dict[str, str]
    """What was wrong the first time, by kind."""


def play(batch_type: type[Batch], program: Exec, options: Mapping[str, Any], games: Sequence[int], seed: int) -> Trial:
    """Play games at once, by their numbers; the program plays each player in turn, ``random`` all others."""
    program.starts = 0  # it may be started again as often as at the beginning
    record, number = wants_records([program]), np.array(games)
    batch = batch_type(len(games), seed=seed + games[0], record=record, **{**options, "reward": "win"})
    own = np.arange(batch.num_players) == number[:, None] % batch.num_players
    referee = Referee(program, len(games), batch.num_players)
    play_on(batch, [referee, make_agent("random", batch.spec)], np.where(own, 0, 1).astype(np.int8))
    return Trial(
        decisions=int(referee.asked.sum()), seconds=float(referee.seconds.sum()),
        wins=float(shares_of_win(batch)[own].sum()),
        faults={kind: int(n) for kind, n in zip(FAULTS, referee.faults.sum((0, 1)), strict=True) if n},
        texts=referee.texts,
    )  # fmt: skip


def findings(hello: Any, alone: Sequence[Trial], together: Trial, errors: str) -> str:
    """Return what was found, in words, a line each; ``errors`` ends the standard error (``Exec.errors``)."""
    lines = [f"{hello.name}: wants {', '.join(hello.wants) or '-'}"]
    named = {**{f"game {number}": played for number, played in enumerate(alone, 1)}, "all games together": together}
    for where, played in named.items():
        lines += [f"{where}: {n} {kind}: {played.texts[kind]}" for kind, n in played.faults.items()]
    faults = sum(sum(played.faults.values()) for played in named.values())
    decisions, seconds = (sum(getattr(played, name) for played in named.values()) for name in ("decisions", "seconds"))
    lines.append(
        f"{faults} faults in {decisions} decisions, {decisions / max(seconds, 1e-9):,.0f} decisions per second"
    )
    share = sum(played.wins for played in alone) / len(alone)
    lines.append(f"share of the wins against random: {share:.2f} ({len(alone)} games)")
    lines += [f"its standard error ends with{errors}"] if errors else []
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
    batch_type = cli.batch_class(args.game)
    options = batch_type.spec.check_options(cli.options_of(args))
    is_spec = args.command.startswith("exec:")
    program = make_agent(args.command, batch_type.spec) if is_spec else make_exec(batch_type.spec, args.command)
    assert isinstance(program, Exec), "that is what exec makes"
    unseen = batch_type(1, **options)  # loads what is loaded once, which is not timed
    play_on(unseen, [make_agent("random", unseen.spec)], np.zeros((1, unseen.num_players), np.int8), lambda *_: None)
    alone = [play(batch_type, program, options, [game], args.seed) for game in range(args.games)]
    together = play(batch_type, program, options, range(args.games), args.seed)
    errors = program.errors()
    program.close()
    print(findings(program.hello, alone, together, errors))
    return int(any(played.faults for played in (*alone, together)))
