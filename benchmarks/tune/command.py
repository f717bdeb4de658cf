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
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from shogun_env import cli
from shogun_env.batch.batch import Batch
from shogun_env.benchmarks.comparison import EXIT_STATUS
from shogun_env.benchmarks.experiment import (
    Played,
    earlier,
    first_seed,
    number,
    parser_of,
    setting,
    settings_in,
    threads,
)
from shogun_env.benchmarks.tune.conditions import Condition, Judge, conditions_of
from shogun_env.benchmarks.tune.report import Outcome, as_json, measure, page
from shogun_env.benchmarks.tune.search import Search, rounded
from shogun_env.benchmarks.tune.table import write_table
from shogun_env.kernel.jit import Policy
from shogun_env.policies import Compiled, make_agent
from shogun_env.shares import YES
from shogun_env.spec.game_spec import GameSpec

if TYPE_CHECKING:  # it imports all games, and --help is quick
    from shogun_env.agents.scripted.numbers import Numbers

REPORT_SEED = 2**52
"""First seed of the final report; no generation comes near it."""


def _step(text: str) -> float:
    value = cli.seconds(text)
    if value == 0.0:
        raise argparse.ArgumentTypeError(f"{text!r} must be a number above 0")
    return value


@dataclass(frozen=True)
class Settings(Played):
    """What is tuned, against whom, and how long; options of play may be lists."""

    bot: str = setting("scripted", "bot with numbers to tune")
    against: list[str] | None = setting(
        None, "bot that plays the other seats; may be repeated (the bot itself, as it is)",
        metavar="[WEIGHT*]SPEC", action="append",
    )  # fmt: skip
    only: str = setting("", "tune these numbers only, separated by commas", metavar="NAMES")
    games: int = number(1600, "games per candidate")
    generations: int = number(40, "generations in all")
    minutes: float | None = setting(None, "begin no generation after this time", cli.seconds, "X")
    sigma: float = setting(0.3, "first step, as a fraction of each number", _step, "X")
    population: int | None = number(None, "candidates per generation (chosen by the library)")
    report_games: int = number(8000, "games of the final report, per bot")
    write: Path | None = setting(
        None, "put the numbers into this table, a Python file, if they are better", Path, "FILE"
    )
    threads: int = threads()
    seed: int = first_seed("seed of the search and of its first game")
    out: Path = setting(Path("runs/tune/scripted"), "folder", Path, "DIR")


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


def question_of(settings: Settings, subject: Subject, conditions: Sequence[Condition]) -> dict[str, Any]:
    """Return what a search depends on, as JSON values: a folder holds one search."""
    return {
        "game": settings.game,
        "bot": settings.bot,
        "start": dict(zip(names_of(subject), subject.start.tolist(), strict=True)),
        "conditions": [[c.weight, c.against, cli.plain_options(c.options)] for c in conditions],
        "games": settings.games,
        "sigma": settings.sigma,
        "seed": settings.seed,
        "population": settings.population,
    }


def names_of(subject: Subject) -> list[str]:
    """Return the names of the numbers that are tuned."""
    return [subject.table.numbers[index].name for index in subject.chosen]


def run_search(settings: Settings, subject: Subject, judge: Judge, asked: dict[str, Any]) -> tuple[Search, int]:
    """Search until there are enough generations, or the time is over; resume what the folder holds.

    Args: settings; subject, the bot; judge, plays the candidates; asked, from ``question_of``.

    Returns: the search, and how many generations it has.
    Raises: ValueError for a folder that holds another search.
    """
    file, total = settings.out / "state.json", settings.generations
    values: list[list[float]] = earlier(file, {"settings": asked}, "generations", "--out")
    numbers = [subject.table.numbers[index] for index in subject.chosen]
    search = Search(numbers, subject.start.tolist(), settings.sigma, settings.seed, settings.population)
    for known in values:
        search.replay(known)
    deadline = float("inf") if settings.minutes is None else time.monotonic() + 60 * settings.minutes
    with cli.progress(f"tune {subject.spec}", total * search.population) as report:
        while len(values) < total and time.monotonic() < deadline:
            seed = settings.seed + len(values) * settings.games
            done = len(values) * search.population

            def value_of(candidate: np.ndarray, seed: int = seed, begin: int = done) -> float:
                nonlocal done
                done += 1
                report(done, f"generation {begin // search.population + 1} of {total}")
                return judge.value(subject.agent(candidate), seed)

            values.append(search.generation(value_of))
            mean = dict(zip(names_of(subject), map(rounded, search.mean.tolist()), strict=True))
            cli.write_json(file, {"settings": asked, "mean": mean, "generations": values})
            text = f"generation {len(values)}: mean value {np.mean(values[-1]):.3f}, best {max(values[-1]):.3f}"
            report(len(values) * search.population, text)
    return search, len(values)


# --- the command -----------------------------------------------------------------------------------------------------


def make_parser(game: str) -> cli.Parser:
    """Return the parser of the command, with the options of play of ``game``."""
    lists = "An option of play may list values, separated by commas (--players 3,4,5): all combinations are mixed."
    return parser_of("tune", f"Tune the numbers of a bot by CMA-ES. {lists}", Settings, game)


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
        settings = settings_in(args, Settings)
        batch_type: type[Batch] = cli.batch_class(settings.game)
        subject = subject_of(settings.bot, batch_type.spec, settings.only)
        if settings.write and ":" in settings.bot:
            raise ValueError(f"--write: the table holds the bot {settings.bot.partition(':')[0]}, not {settings.bot}")
        conditions = conditions_of(batch_type.spec, settings.against or [settings.bot], settings.options)
        judge = Judge(batch_type, conditions, settings.games, settings.threads)
        asked = question_of(settings, subject, conditions)
        search, generations = run_search(settings, subject, judge, asked)
        outcome = outcome_of(batch_type, subject, judge, search, settings.report_games)
        print(page(outcome, batch_type.spec))
        command = cli.command_line(parser, arguments)
        result = {"command": command, "commit": cli.commit(), "generations": generations}
        result |= as_json(outcome, batch_type.spec) | {"bot": settings.bot, "settings": asked}
        cli.write_json(settings.out / "numbers.json", result)
        cli.write_json(args.json, result)
        (settings.out / "report.md").write_text(page(outcome, batch_type.spec), "utf-8")
        print(f"{generations} generations of {search.population}; written to {settings.out}")
        if settings.write and outcome.verdict != YES:
            print(f"{settings.write} is left as it was: the numbers are not surely better", file=sys.stderr)
            return EXIT_STATUS[outcome.verdict]
        if settings.write:
            origin = f"{command}: {generations} generations of {search.population}"
            write_table(settings.write, outcome.changes(), origin)
    return 0
