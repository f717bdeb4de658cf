"""Measure how strong a bot is on a fixed ladder: ``shogun-env strength --agent scripted --json out/s.json``.

The bot plays against copies of one opponent, one rung of the ladder after the other: with every number of players, in
every seat. The ladder, the seeds and the options are fixed, so that figures of different days and bots can be
compared; a change of them is a new ``PROTOCOL``. ``--publish`` puts the files of ``--json`` into ``strength.json``,
from which the tables of documents are made (``benchmarks.documents``).

``--against SPEC`` asks one question instead, and plays no longer than it takes to answer it: does the bot win more than
its part against copies of this one? The exit status is the answer (``benchmarks.comparison``).
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import shogun_env
from shogun_env.batch.batch import Batch
from shogun_env.benchmarks import comparison
from shogun_env.benchmarks.documents import PROTOCOL, ROOT, published, read_json, write
from shogun_env.benchmarks.markdown import percent, percent_interval
from shogun_env.benchmarks.tournament import made_by
from shogun_env.cli import (
    Parser,
    Progress,
    batch_class,
    command_line,
    count,
    no_progress,
    option_arguments,
    origin,
    percentage,
    plain_options,
    progress,
    write_json,
)
from shogun_env.policies import make_agent, specs_in
from shogun_env.sequential import Decision
from shogun_env.shares import share_of, wins
from shogun_env.signature import signature
from shogun_env.spec.game_spec import GameSpec

SEED = 1_000_000
"""The first seed."""
SEEDS = 500
"""Number of seeds for each number of players unless another is given; each is played in every seat."""
MOST_SEEDS = 5000
"""A test is undecided after this many seeds unless another number is given."""
OPPONENTS = ("random", "pool:2min", "pool:20min", "scripted", "pool:champion-0.2")
"""The opponents of every game, the weakest first as far as that is known. Networks of the pool never change."""


class Rung(NamedTuple):
    """An opponent, and the options with which it is met."""

    against: str
    """Spec of the bot that all opponents are copies of."""
    options: dict[str, Any]
    """Options of play that are not the usual ones, without the number of players."""

    @property
    def title(self) -> str:
        """The rung in words, such as ``scripted --start random``."""
        return " ".join([self.against, *option_arguments(self.options)])


def variants(spec: GameSpec) -> list[dict[str, Any]]:
    """Return the options of play with which opponents are met, besides the number of players: usual ones, fair ones.

    Shogun's printed start positions are not equally good, and figures of fair ones do not depend on them.
    """
    return [{}, dict(spec.fair)] if spec.fair else [{}]


def ladder(spec: GameSpec, opponents: Sequence[str] = OPPONENTS) -> list[Rung]:
    """Return the rungs of a game: every opponent with every variant of the options."""
    return [Rung(against, options) for against in opponents for options in variants(spec)]


def player_counts(spec: GameSpec) -> list[int]:
    """Return the numbers of players of a game, in order."""
    return sorted(spec.option_choices["num_players"])


def climb(
    agent: str,
    batch_type: type[Batch],
    rungs: Sequence[Rung],
    players: Sequence[int],
    seeds: int,
    num_threads: int = 1,
    show: Callable[[dict[str, Any]], None] = lambda rung: None,
    report: Progress = no_progress,
) -> list[dict[str, Any]]:
    """Measure a bot against every rung with every number of players; after Ctrl-C return the rungs that are complete.

    Args:
        agent: spec of the bot.
        batch_type: the game's ``Batch``.
        rungs: opponents and options.
        players: numbers of players.
        seeds: number of seeds for each number of players.
        num_threads: threads of the engine; results do not depend on their number.
        show: is called with each rung that is complete.
        report: shows progress, in measurements.

    Returns: for each rung its opponent, its options, and by number of players the share with interval and seats, and
        the seconds.
    Raises: ValueError for an unknown bot, or options that the game does not allow; nothing is played in that case.
    """
    spec = batch_type.spec
    one, others = make_agent(agent, spec), [make_agent(rung.against, spec) for rung in rungs]
    tables = [[spec.check_options({"num_players": number, **rung.options}) for number in players] for rung in rungs]
    results: list[dict[str, Any]] = []
    try:
        for rung, other, options_of_rung in zip(rungs, others, tables, strict=True):
            by_players = {}
            for done, options in enumerate(options_of_rung, len(results) * len(players)):
                report(done, f"against {rung.title}, {options['num_players']} players")
                begin = time.perf_counter()
                won = wins(batch_type, one, other, np.arange(SEED, SEED + seeds), options, num_threads)
                figures = share_of(won)._asdict() | {"seconds": round(time.perf_counter() - begin, 2)}
                by_players[str(options["num_players"])] = figures
            results.append({**rung._asdict(), "players": by_players})
            show(results[-1])
        report(len(rungs) * len(players), "done")
    except KeyboardInterrupt:
        print("stopped; complete rungs are kept", file=sys.stderr)
    return results


def rung_line(rung: Mapping[str, Any]) -> str:
    """Return a rung in one line: by number of players the share with its interval, and the shares by seat."""
    parts = [
        f"{players} players {percent_interval(figures['share'], figures['low'], figures['high'])}, "
        f"seats {seats_text(figures)}"
        for players, figures in rung["players"].items()
    ]
    return f"against {Rung(rung['against'], rung['options']).title}: {'; '.join(parts)}"


def seats_text(figures: Mapping[str, Any]) -> str:
    """Return the shares by seat in per cent, such as ``31/7/35/27``."""
    return "/".join(f"{100 * share:.0f}" for share in figures["seats"])


# --- publishing ------------------------------------------------------------------------------------------------------


def publish(paths: Sequence[Path], results: Path) -> None:
    """Add files written by ``--json`` to the published results; a bot that is published already is replaced.

    Results of other protocols, which cannot be compared with these, are dropped.

    Raises: ValueError for a file that is not of this command or of another protocol.
    """
    runs = read_json(results, "runs")["runs"] if results.exists() else []
    runs = [run for run in runs if run["protocol"] == PROTOCOL]
    for path in paths:
        run = read_json(path, "protocol", "game", "agent", "rungs", "machine", "command")
        if run["protocol"] != PROTOCOL:
            raise ValueError(f"{path}: of protocol {run['protocol']}, not {PROTOCOL}; measure it again")
        same = [(old["game"], old["agent"]) == (run["game"], run["agent"]) for old in runs]
        runs = [old for old, is_same in zip(runs, same, strict=True) if not is_same] + [run]
    write_json(results, {"runs": runs})


# --- the command -----------------------------------------------------------------------------------------------------


def make_parser() -> Parser:
    """Return the parser of the command; it has no options of play, as the protocol fixes them."""
    parser = Parser(prog="shogun-env strength", description="Measure how strong a bot is on a fixed ladder.")
    parser.add_argument("--agent", default="scripted", metavar="SPEC", help="the bot (scripted)")
    parser.add_argument("--rungs", metavar="SPECS", help="other opponents, separated by commas")
    parser.add_argument("--players", metavar="N", help="only these numbers of players, separated by commas")
    parser.add_argument(
        "--seeds", type=count, metavar="N",
        help=f"seeds per number of players, in all seats ({SEEDS}; of a test at most {MOST_SEEDS})",
    )  # fmt: skip
    parser.add_argument("--threads", type=count, default=2, metavar="N", help="threads of the engine (2)")
    parser.add_argument(
        "--publish",
        type=Path,
        nargs="+",
        metavar="FILE",
        help="measure nothing; put these files into benchmarks/strength.json and the documents",
    )
    test = parser.add_argument_group("a test that stops as soon as it knows")
    test.add_argument(
        "--against", metavar="SPEC",
        help="ask whether the bot wins more than its part against copies of this one; the exit status is 0 for yes, "
        "1 for no, 3 for undecided; the same command resumes from the file of --json",
    )  # fmt: skip
    test.add_argument(
        "--better-than", type=percentage, metavar="PERCENT", help="ask whether it wins more than this (parity)"
    )
    zone = 100 * comparison.ZONE
    test.add_argument(
        "--zone", type=percentage, metavar="PERCENT",
        help=f"yes is sure if it wins this much more; where the share is in between either answer is right ({zone:g})",
    )  # fmt: skip
    parser.add_game()
    parser.add_json("the figures")
    return parser


def test_of(args: argparse.Namespace, batch_type: type[Batch], players: Sequence[int]) -> dict[str, Any]:
    """Return the settings of the test that a command line asks for; see ``comparison.compare``."""
    spec = batch_type.spec
    played = [
        plain_options(spec.check_options({"num_players": number, **options}))
        for options in variants(spec)
        for number in players
    ]
    bounds = comparison.bounds_of(
        batch_type, played, args.better_than, comparison.ZONE if args.zone is None else args.zone
    )
    for bot in (args.agent, args.against):
        make_agent(bot, spec)  # an unknown one is refused before anything is played
    return {
        "protocol": PROTOCOL,
        "game": args.game,
        "agent": args.agent,
        "against": args.against,
        "seed": SEED,
        "made_by": made_by(args.game),
        "variants": played,
        "bounds": bounds._asdict(),
    }


def ask(args: argparse.Namespace, batch_type: type[Batch], players: Sequence[int], command: str) -> int:
    """Run the test that a command line asks for; return the exit status."""
    settings, most = test_of(args, batch_type, players), args.seeds or MOST_SEEDS
    about = {"machine": origin(), "command": command}
    with progress(f"{args.agent} against {args.against}", most) as report:

        def show(decision: Decision) -> None:
            report(decision.used, f"{decision.used} seeds, {percent(decision.mean)}")

        result = comparison.compare(batch_type, settings, most, args.json, args.threads, about, show)
    print(comparison.sentence(result))
    return comparison.EXIT_STATUS[result["verdict"]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    parser = make_parser()
    args = parser.parse_args(arguments)
    with parser.one_line_errors():
        if args.publish:
            publish(args.publish, published("strength.json"))
            write(ROOT)
            return 0
        batch_type: type[Batch] = batch_class(args.game)
        spec = batch_type.spec
        rungs = ladder(spec, specs_in(args.rungs) if args.rungs else OPPONENTS)
        players = [_number(text) for text in args.players.split(",")] if args.players else player_counts(spec)
        if args.against is not None and args.rungs:
            raise ValueError("--rungs: not with --against, which asks about one opponent")
        if args.against is not None:
            return ask(args, batch_type, players, command_line(parser, arguments))
        for name, value in (("better-than", args.better_than), ("zone", args.zone)):
            if value is not None:
                raise ValueError(f"--{name}: name the opponent with --against")
        where, seeds = origin(), args.seeds or SEEDS
        with progress(f"strength of {args.agent}", len(rungs) * len(players)) as report:
            results = climb(
                args.agent, batch_type, rungs, players, seeds, args.threads, lambda r: print(rung_line(r)), report
            )
        figures = {
            "protocol": PROTOCOL,
            "version": shogun_env.__version__,
            "signature": signature(batch_type),
            "machine": where,
            "command": command_line(parser, arguments),
            "game": args.game,
            "agent": args.agent,
            "seed": SEED,
            "seeds": seeds,
            "rungs": results,
        }
        write_json(args.json, figures)
    return 0


def _number(text: str) -> int:
    if not text.isdecimal():
        raise ValueError(f"--players: {text!r} must be a whole number")
    return int(text)


if __name__ == "__main__":
    raise SystemExit(main())
