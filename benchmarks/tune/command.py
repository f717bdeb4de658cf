"""Tune the numbers of a bot by CMA-ES: ``shogun-env tune --against scripted --players 3,4,5``.

A candidate's value is its share of wins times the number of players, averaged over opponents and sets of options, with
all seats rotated. Candidates of a generation share its seeds, and every generation has fresh ones. The folder ``--out``
holds ``state.json``, written after every generation; the same command resumes it, with more ``--generations`` too. At
the end the mean of the search is compared with the start on fresh seeds, by a test at which one may look at any time
(``sequential``); ``--write`` takes the numbers over only if it says that they are better, and the exit status is that
of ``benchmarks.strength --against`` otherwise.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from shogun_env import cli
from shogun_env.batch.batch import Batch
from shogun_env.benchmarks.comparison import EXIT_STATUS
from shogun_env.benchmarks.tune.conditions import Condition, Judge, conditions_of
from shogun_env.benchmarks.tune.report import Outcome, as_json, measure, page
from shogun_env.benchmarks.tune.search import Search, read_state, rounded, write_state
from shogun_env.benchmarks.tune.table import write_table
from shogun_env.kernel.jit import Policy
from shogun_env.policies import Compiled, make_agent
from shogun_env.sequential import YES
from shogun_env.spec.game_spec import GameSpec

if TYPE_CHECKING:  # it imports all games, and --help is quick
    from shogun_env.agents.scripted.numbers import Numbers

REPORT_SEED = 2**52
"""First seed of the final report; no generation comes near it."""


class Subject(NamedTuple):
    """The bot that is tuned."""

    spec: str
    policy: Policy
    table: Numbers
    params: np.ndarray
    """Its numbers at the start, float64[K]."""
    chosen: tuple[int, ...]
    """Indices of the numbers that are tuned."""

    def agent(self, values: Sequence[float] | np.ndarray) -> Compiled:
        """Return the bot with these values of the numbers that are tuned."""
        params = self.params.copy()
        params[list(self.chosen)] = values
        return Compiled(self.policy, params)

    @property
    def start(self) -> np.ndarray:
        """The values at the start of the numbers that are tuned."""
        values: np.ndarray = self.params[list(self.chosen)]
        return values


def subject_of(spec: str, game_spec: GameSpec, only: str = "") -> Subject:
    """Return the bot of a spec, to be tuned.

    Args:
        spec: of a compiled bot with numbers.
        game_spec: the specification of the game.
        only: names of the numbers to be tuned, separated by commas; empty for all.

    Raises: ValueError for a bot without a table of numbers, or an unknown number.
    """
    agent = make_agent(spec, game_spec)
    table: Numbers | None = getattr(agent, "numbers", None)
    if not isinstance(agent, Compiled) or table is None:
        raise ValueError(f"--bot {spec}: has no table of numbers to tune")
    function, params = agent.compiled
    names = [number.name for number in table.numbers]
    selected = only.split(",") if only else names
    for name in selected:
        if name not in names:
            raise ValueError(f"--only: unknown number {name!r}; known are {', '.join(names)}")
    chosen = tuple(index for index, name in enumerate(names) if name in selected)
    return Subject(spec=spec, policy=function, table=table, params=params, chosen=chosen)


def settings_of(args: argparse.Namespace, subject: Subject, conditions: Sequence[Condition]) -> dict[str, Any]:
    """Return what a search depends on, as JSON values: a folder holds one search."""
    return {
        "game": args.game,
        "bot": args.bot,
        "start": dict(zip(names_of(subject), subject.start.tolist(), strict=True)),
        "conditions": [[c.weight, c.against, cli.plain_options(c.options)] for c in conditions],
        "games": args.games,
        "sigma": args.sigma,
        "seed": args.seed,
        "population": args.population,
    }


def names_of(subject: Subject) -> list[str]:
    """Return the names of the numbers that are tuned."""
    return [subject.table.numbers[index].name for index in subject.chosen]


def run_search(
    subject: Subject, judge: Judge, settings: dict[str, Any], out: Path, generations: int, minutes: float
) -> tuple[Search, int]:
    """Search until there are enough generations, or the time is over; resume what the folder holds.

    Args:
        subject: the bot.
        judge: plays the candidates.
        settings: of the search, from ``settings_of``.
        out: folder of the state.
        generations: number of generations, those done earlier included.
        minutes: no generation is begun after this time.

    Returns: the search, and how many generations it has.
    Raises: ValueError for a folder that holds another search.
    """
    values = read_state(out / "state.json", settings)
    numbers = [subject.table.numbers[index] for index in subject.chosen]
    search = Search(numbers, subject.start.tolist(), settings["sigma"], settings["seed"], settings["population"])
    for earlier in values:
        search.replay(earlier)
    deadline = time.monotonic() + 60 * minutes
    with cli.progress(f"tune {subject.spec}", generations * search.population) as report:
        while len(values) < generations and time.monotonic() < deadline:
            seed = settings["seed"] + len(values) * settings["games"]
            done = len(values) * search.population

            def value_of(candidate: np.ndarray, seed: int = seed, begin: int = done) -> float:
                nonlocal done
                done += 1
                report(done, f"generation {begin // search.population + 1} of {generations}")
                return judge.value(subject.agent(candidate), seed)

            values.append(search.generation(value_of))
            mean = dict(zip(names_of(subject), map(rounded, search.mean.tolist()), strict=True))
            write_state(out / "state.json", settings, values, mean=mean)
            text = f"generation {len(values)}: mean value {np.mean(values[-1]):.3f}, best {max(values[-1]):.3f}"
            report(len(values) * search.population, text)
    return search, len(values)


# --- the command -----------------------------------------------------------------------------------------------------


def make_parser(game: str) -> cli.Parser:
    """Return the parser of the command, with the options of play of ``game``."""
    parser = cli.Parser(
        prog="shogun-env tune",
        description="Tune the numbers of a bot by CMA-ES.",
        epilog="An option of play may list values, separated by commas (--players 3,4,5): all combinations are mixed.",
    )
    parser.add_argument("--bot", default="scripted", metavar="SPEC", help="bot with numbers to tune (scripted)")
    parser.add_argument(
        "--against",
        action="append",
        metavar="[WEIGHT*]SPEC",
        help="bot that plays the other seats; may be repeated (the bot itself, as it is)",
    )
    parser.add_argument("--only", default="", metavar="NAMES", help="tune these numbers only, separated by commas")
    parser.add_games(1600, "games per candidate")
    parser.add_argument("--generations", type=cli.count, default=40, metavar="N", help="generations in all (40)")
    parser.add_argument(
        "--minutes", type=cli.seconds, default=float("inf"), metavar="X", help="begin no generation after this time"
    )
    parser.add_argument("--sigma", type=_step, default=0.3, metavar="X", help="first step, as part of a number (0.3)")
    parser.add_argument("--population", type=cli.count, metavar="N", help="candidates per generation (by the library)")
    parser.add_argument(
        "--report-games", type=cli.count, default=8000, metavar="N", help="games of the final report, per bot (8000)"
    )
    parser.add_argument(
        "--write", type=Path, metavar="FILE", help="put the numbers into this table, a Python file, if they are better"
    )
    parser.add_argument("--threads", type=cli.count, default=2, metavar="N", help="threads of the engine (2)")
    parser.add_seed("seed of the search and of its first game")
    parser.add_out("runs/tune/scripted")
    parser.add_json("the result")
    parser.add_play(game)
    return parser


def _step(text: str) -> float:
    value = cli.seconds(text)
    if value == 0.0:
        raise argparse.ArgumentTypeError(f"{text!r} must be a number above 0")
    return value


def outcome_of(batch_type: type[Batch], subject: Subject, judge: Judge, search: Search, games: int) -> Outcome:
    """Return the result of a search: its numbers, and the shares of the bot before and after on fresh seeds."""
    after = [rounded(value) for value in search.mean.tolist()]
    fresh = Judge(batch_type, judge.conditions, games, judge.num_threads)
    numbers = [subject.table.numbers[index] for index in subject.chosen]
    return measure(fresh, numbers, subject.start.tolist(), after, subject.agent, REPORT_SEED)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    parser = make_parser(cli.chosen_game(arguments))
    args = parser.parse_args(arguments)
    with parser.one_line_errors():
        batch_type: type[Batch] = cli.batch_class(args.game)
        subject = subject_of(args.bot, batch_type.spec, args.only)
        if args.write and ":" in args.bot:
            raise ValueError(f"--write: the table holds the bot {args.bot.partition(':')[0]}, not {args.bot}")
        conditions = conditions_of(batch_type.spec, args.against or [args.bot], cli.options_of(args))
        judge = Judge(batch_type, conditions, args.games, args.threads)
        settings = settings_of(args, subject, conditions)
        search, generations = run_search(subject, judge, settings, args.out, args.generations, args.minutes)
        outcome = outcome_of(batch_type, subject, judge, search, args.report_games)
        print(page(outcome, batch_type.spec))
        command = cli.command_line(parser, arguments)
        result = {"command": command, "commit": cli.commit(), "generations": generations}
        result |= as_json(outcome, batch_type.spec) | {"bot": args.bot, "settings": settings}
        cli.write_json(args.out / "numbers.json", result)
        cli.write_json(args.json, result)
        (args.out / "report.md").write_text(page(outcome, batch_type.spec), "utf-8")
        print(f"{generations} generations of {search.population}; written to {args.out}")
        if args.write and outcome.verdict != YES:
            print(f"{args.write} is left as it was: the numbers are not surely better", file=sys.stderr)
            return EXIT_STATUS[outcome.verdict]
        if args.write:
            write_table(args.write, outcome.changes(), f"{command}: {generations} generations of {search.population}")
    return 0
