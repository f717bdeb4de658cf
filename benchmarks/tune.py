"""Tune the numbers of a bot by CMA-ES: ``shogun-env tune --against scripted --players 3,4,5``.

A candidate's value is its share of wins times the number of players, averaged over opponents and sets of options, with
all seats rotated. Candidates of a generation share its seeds, and every generation has fresh ones. The folder ``--out``
holds ``state.json``, written after every generation; the same command resumes it, with more ``--generations`` too. At
the end the mean of the search is compared with the start on fresh seeds, by a test at which one may look at any time
(``shares.decide``); ``--write`` takes the numbers over only if it says that they are better, and the exit status is
that of ``shogun-env strength --against`` otherwise.
"""

from __future__ import annotations

import functools
import sys
import time
from argparse import ArgumentTypeError, Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from shogun_env import cli
from shogun_env.benchmarks.arena.settings import variant_name
from shogun_env.benchmarks.documents import Tree, read_json
from shogun_env.benchmarks.experiment import (
    Experiment,
    Played,
    Watch,
    first_seed,
    number,
    setting,
    settings_in,
    threads,
)
from shogun_env.benchmarks.markdown import markdown_table, percent, percent_interval
from shogun_env.benchmarks.strength import EXIT_STATUS
from shogun_env.files import write_whole
from shogun_env.policies import Agent, Compiled, make_agent
from shogun_env.shares import NO, UNDECIDED, YES, Bounds, decide, half_width, share_of, wins
from shogun_env.spec.forms import above_0
from shogun_env.spec.game_spec import GameSpec

if TYPE_CHECKING:  # they import the engine and all games, and --help is quick
    from shogun_env.agents.scripted.numbers import Number, Numbers
    from shogun_env.batch.batch import Batch
    from shogun_env.kernel.jit import Policy

STATE = "state.json"
REPORT_SEED = 2**52
"""First seed of the final report; no generation comes near it."""
ZONE = 0.05
"""By how much the value of the new numbers has to be better for the test to be sure to say so; parity is 1."""
DIGITS = 4
"""Significant digits of the numbers that a search yields."""
SMALL = 0.1
"""A number below this part of its highest value is searched in steps of that part."""
ANSWERS = {YES: "better than before", NO: "no better than before", UNDECIDED: "perhaps better than before"}


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
    minutes: float | None = setting(None, "begin no generation after this time", cli.number, "X")
    sigma: float = setting(0.3, "first step, as a fraction of each number", cli.positive, "X")
    population: int | None = number(None, "candidates per generation (chosen by the library)")
    report_games: int = number(8000, "games of the final report, per bot")
    write: Path | None = setting(None, "put the numbers into this table, a TOML file, if they are better", Path, "FILE")
    threads: int = threads()
    seed: int = first_seed("seed of the search and of its first game")
    out: Path = setting(Path("runs/tune/scripted"), "folder", Path, "DIR")

    def judge(self, games: int) -> Judge:
        """Return what plays this many games for each candidate; ValueError for bad opponents or options."""
        batch_type = cli.batch_class(self.game)
        conditions = conditions_of(batch_type.spec, self.against or [self.bot], self.options)
        return Judge(batch_type, conditions, games, self.threads)

    def subject(self) -> Subject:
        """Return the bot that is tuned; ValueError for one without a table of numbers, or an unknown number."""
        agent = make_agent(self.bot, cli.batch_class(self.game).spec)
        table: Numbers | None = getattr(agent, "numbers", None)
        if not isinstance(agent, Compiled) or table is None:
            raise ValueError(f"--bot {self.bot}: has no table of numbers to tune")
        of_name = {number.name: index for index, number in enumerate(table.numbers)}
        for name in (selected := self.only.split(",") if self.only else [*of_name]):
            if name not in of_name:
                raise ValueError(f"--only: unknown number {name!r}; known are {', '.join(of_name)}")
        numbers = {index: table.numbers[index] for name, index in of_name.items() if name in selected}
        return Subject(*agent.compiled, numbers=numbers)


class Subject(NamedTuple):
    """The bot that is tuned."""

    policy: Policy
    params: np.ndarray
    """Its numbers at the start, float64[K]."""
    numbers: dict[int, Number]
    """Those that are tuned, by their index."""

    def agent(self, values: Sequence[float] | np.ndarray) -> Compiled:
        """Return the bot with these values of the numbers that are tuned."""
        params = self.params.copy()
        params[list(self.numbers)] = values
        return Compiled(self.policy, params)

    @property
    def start(self) -> list[float]:
        """The values at the start of the numbers that are tuned."""
        return [float(self.params[index]) for index in self.numbers]

    def named(self, values: Sequence[float]) -> dict[str, float]:
        """Return values by the names of the numbers."""
        return {number.name: value for number, value in zip(self.numbers.values(), values, strict=True)}


# --- what it is tuned for ---------------------------------------------------------------------------------------------


class Condition(NamedTuple):
    """One opponent and one set of options."""

    against: str
    """Spec of the bot that plays all other seats."""
    weight: float
    """What the condition counts in addition to the others."""
    options: dict[str, Any]
    """Options of play, complete."""
    opponent: Agent

    @property
    def players(self) -> int:
        """Number of players."""
        return int(self.options["num_players"])


def weighted(text: str) -> tuple[float, str]:
    """Return the weight and the spec in ``WEIGHT*SPEC``; the weight is 1 in a text without it.

    Raises: ValueError for a weight that is not a positive number.

    Example:
        >>> weighted("2*scripted:style=builder"), weighted("random")
        ((2.0, 'scripted:style=builder'), (1.0, 'random'))
    """
    weight, star, spec = text.partition("*")
    try:
        return (cli.number(weight, above_0), spec) if star else (1.0, text)
    except ArgumentTypeError:
        raise ValueError(f"--against {text}: {weight!r} must be a number above 0") from None


def conditions_of(spec: GameSpec, against: Sequence[str], options: Mapping[str, Any]) -> list[Condition]:
    """Return every opponent, which may have a weight, with every combination of options that the game allows.

    Args: spec; against; options, whose values may be lists, such as ``3,4,5``.
    Raises: ValueError for a bad weight, an unknown opponent, or options of which the game allows no combination.
    """
    sets, errors = [], []
    for one in cli.combinations_of(options):
        try:
            sets.append(spec.check_options(one))
        except ValueError as error:
            errors.append(error)
    if not sets:
        raise errors[0]
    opponents = [(weight, name, make_agent(name, spec)) for weight, name in map(weighted, against)]
    return [Condition(name, weight, one, opponent) for weight, name, opponent in opponents for one in sets]


class Judge(NamedTuple):
    """Plays a bot under all conditions."""

    batch_class: type[Batch]
    conditions: Sequence[Condition]
    games: int
    """Number of games under all conditions together; rounded so that every rotation of a seat is played."""
    num_threads: int = 1

    def wins(self, agent: Agent, seed: int) -> list[np.ndarray]:
        """Return the wins float64[S, P] under each condition, by seed from ``seed`` on and by player."""
        results = []
        for each in self.conditions:
            seeds = seed + np.arange(max(2, round(self.games / len(self.conditions) / each.players)))
            results.append(wins(self.batch_class, agent, each.opponent, seeds, each.options, self.num_threads))
        return results

    def value(self, agent: Agent, seed: int) -> float:
        """Return the mean over the conditions of share of wins times players: 1 is as good as the opponents."""
        won = self.wins(agent, seed)
        total = sum(c.weight * float(w.mean()) * c.players for c, w in zip(self.conditions, won, strict=True))
        return total / sum(condition.weight for condition in self.conditions)


# --- the search ------------------------------------------------------------------------------------------------------


class Search:
    """CMA-ES over some of the numbers of a bot, in units in which a step of each is about as large.

    A number is searched in units of its value at the start, or of a tenth of its highest value if that is more, within
    0 and the highest value. The candidates of a generation follow from the seed and the values of earlier ones, so that
    these values alone resume a search.

    Args: numbers; start, their values; sigma, standard deviation of the first candidates, in these units; seed;
        population, candidates per generation (None leaves it to the library).
    Raises: ValueError if the library is not installed.
    """

    def __init__(
        self, numbers: Sequence[Number], start: Sequence[float], sigma: float, seed: int, population: int | None = None
    ) -> None:
        try:
            from cmaes import CMA
        except ImportError:
            raise ValueError("tuning needs the library cmaes: pip install 'shogun-env[eval]'") from None
        self._highest = np.array([number.highest for number in numbers])
        self.units = np.maximum(start, SMALL * self._highest)
        bounds = np.stack([np.zeros(len(numbers)), self._highest / self.units], 1)
        self._cma = CMA(start / self.units, sigma, bounds=bounds, seed=seed, population_size=population)
        self.population = int(self._cma.population_size)

    @property
    def mean(self) -> np.ndarray:
        """The numbers around which the next candidates are drawn: float64[K]."""
        values: np.ndarray = np.clip(self._cma.mean * self.units, 0.0, self._highest)
        return values

    def generation(self, value_of: Callable[[np.ndarray], float], earlier: Sequence[float] = ()) -> list[float]:
        """Draw candidates, learn from the value of each, and return the values, higher being better.

        Args: value_of, called with each candidate, float64[K], unless there are ``earlier`` values of this generation.
        """
        points = [self._cma.ask() for _ in range(self.population)]
        values = list(earlier) or [value_of(point * self.units) for point in points]
        self._cma.tell([(point, -value) for point, value in zip(points, values, strict=True)])
        return values


def question(settings: Settings) -> Tree:
    """Return what a search depends on, as JSON values: a folder holds one search."""
    subject, names = settings.subject(), ("games", "sigma", "seed", "population")
    conditions = [[c.weight, c.against, cli.plain_options(c.options)] for c in settings.judge(1).conditions]
    about = {"game": settings.game, "bot": settings.bot, "start": subject.named(subject.start)}
    return {"settings": about | {"conditions": conditions, **{name: getattr(settings, name) for name in names}}}


class Generation(NamedTuple):
    """What came of a generation."""

    values: list[float]
    """Those of its candidates."""
    mean: dict[str, float]
    """The mean of the search after it, by name."""


def measure(settings: Settings, watch: Watch) -> Iterator[Generation]:
    """Yield the generations, first those of earlier runs, until there are enough or the time is over."""
    subject, judge, total = settings.subject(), settings.judge(settings.games), settings.generations
    search = Search([*subject.numbers.values()], subject.start, settings.sigma, settings.seed, settings.population)

    def value_of(seed: int, candidate: np.ndarray) -> float:
        return judge.value(subject.agent(candidate), seed)

    deadline = float("inf") if settings.minutes is None else time.monotonic() + 60 * settings.minutes
    for done in range(max(total, len(watch.earlier))):
        earlier = watch.earlier[done] if done < len(watch.earlier) else ()
        if not earlier and time.monotonic() >= deadline:
            return
        watch.show(done / total, f"generation {done + 1} of {total}, {search.population} candidates")
        values = search.generation(functools.partial(value_of, settings.seed + done * settings.games), earlier)
        mean = [float(f"{value:.{DIGITS}g}") for value in search.mean]
        yield Generation(values=values, mean=subject.named(mean))


SEARCH = Experiment(
    name="tune",
    settings=Settings,
    measure=measure,
    question=question,
    resumed_from="generations",
    figures=lambda settings, rows: {
        "mean": rows[-1].mean if rows else settings.subject().named(settings.subject().start),
        "generations": [row.values for row in rows],
    },
)

# --- what it is worth ------------------------------------------------------------------------------------------------


def outcome_of(judge: Judge, subject: Subject, after: dict[str, float], seed: int) -> Tree:
    """Return as JSON values the numbers before and after a search, and the shares of both on the same fresh seeds."""
    old, new = (judge.wins(subject.agent(values), seed) for values in (subject.start, [*after.values()]))
    shares = [
        {
            "against": condition.against, "options": cli.plain_options(condition.options), "weight": condition.weight,
            "before": share_of(was)._asdict(), "after": share_of(now)._asdict(),
            "gain_error": half_width(now.mean(1) - was.mean(1)),
        }
        for condition, was, now in zip(judge.conditions, old, new, strict=True)
    ]  # fmt: skip
    before = subject.named(subject.start)
    return {"numbers": after, "before": before, "better": verdict_of(judge, old, new), "shares": shares}


def verdict_of(judge: Judge, old: Sequence[np.ndarray], new: Sequence[np.ndarray]) -> str:
    """Return whether the mean value of ``new`` is above that of ``old``: ``yes``, ``no`` or ``undecided``.

    Args: judge; old and new, for each condition the shares of wins float64[S, P].
    """
    seeds = min(map(len, old))
    most = max(condition.players for condition in judge.conditions)
    total = sum(condition.weight for condition in judge.conditions)
    gains = np.zeros(seeds)
    for condition, was, now in zip(judge.conditions, old, new, strict=True):
        parts = np.array_split(now.mean(1) - was.mean(1), seeds)
        gains += condition.weight * condition.players / total * np.array([part.mean() for part in parts])
    # A gain is between -most and +most; the test wants values from 0 to 1.
    return decide((gains / most + 1) / 2, Bounds(low=0.5, high=0.5 + ZONE / most / 2)).verdict


def page(outcome: Tree, subject: Subject, game: str) -> str:
    """Return the result as two tables in Markdown."""
    spec, shares = cli.batch_class(game).spec, []
    for line in outcome["shares"]:
        before, after = ([line[side][name] for name in ("share", "low", "high")] for side in ("before", "after"))
        shares.append([
            f"`{line['against']}, {variant_name(spec, line['options'])}`", percent(1 / line["options"]["num_players"]),
            percent_interval(*before), percent_interval(*after),
            f"{100 * (after[0] - before[0]):+.1f} ± {percent(line['gain_error'])}",
        ])  # fmt: skip
    moved = [
        [number.name, f"{was:g}", f"{now:g}", f"{now - was:+.3g}", number.unit]
        for number in subject.numbers.values()
        for was, now in [(outcome["before"][number.name], outcome["numbers"][number.name])]
    ]
    return (
        markdown_table(["against", "parity", "before", "after", "gain"], shares)
        + f"\nOver all conditions the new numbers are {ANSWERS[outcome['better']]}.\n\n"
        + markdown_table(["number", "before", "after", "moved", "unit"], moved)
    )


def write_table(path: Path, values: Mapping[str, float], origin: str) -> None:
    """Put new values, by name, and their origin into a file of ``Numbers``.

    Raises: ValueError for a file that is no such table, or lacks one of the names; nothing is written in that case.
    """
    from shogun_env.agents.scripted.numbers import Numbers  # not above: it imports all games, and --help is quick

    table = Numbers.read(path)
    if missing := values.keys() - {number.name for number in table.numbers}:
        raise ValueError(f"{path}: not the table of these numbers; it lacks {', '.join(sorted(missing))}")
    numbers = tuple(number._replace(value=values.get(number.name, number.value)) for number in table.numbers)
    table._replace(numbers=numbers, origin=origin).write(path)


# --- the command -----------------------------------------------------------------------------------------------------


def add_arguments(parser: cli.Parser, game: str) -> None:
    """Add the arguments of the command."""
    SEARCH.add_arguments(parser, game)
    parser.epilog = "Options of play may list values, separated by commas (--players 3,4): all combinations are mixed."


def main(args: Namespace) -> int:
    """Run the command; return its exit status."""
    settings, command = settings_in(args, Settings), args.command_line
    if settings.write and ":" in settings.bot:
        raise ValueError(f"--write: the table holds the bot {settings.bot.partition(':')[0]}, not {settings.bot}")
    if settings.write:
        from shogun_env.agents.scripted.numbers import Numbers  # not above: --help is quick

        Numbers.read(settings.write)  # now rather than after the search
    if stopped := SEARCH.run(settings, settings.out / STATE, command, "--out"):
        return stopped
    state, subject = read_json(settings.out / STATE), settings.subject()
    outcome = outcome_of(settings.judge(settings.report_games), subject, state["mean"], REPORT_SEED)
    text, generations = page(outcome, subject, settings.game), len(state["generations"])
    result = {"command": command, "commit": cli.commit(), "generations": generations}
    result |= outcome | {"bot": settings.bot, "settings": state["settings"]}
    cli.write_json(settings.out / "numbers.json", result)
    cli.write_json(args.json, result)
    write_whole(settings.out / "report.md", text)
    print(f"{text}\n{generations} generations; written to {settings.out}")
    if settings.write and outcome["better"] != YES:
        print(f"{settings.write} is left as it was: the numbers are not surely better", file=sys.stderr)
        return EXIT_STATUS[outcome["better"]]
    if settings.write:
        write_table(settings.write, outcome["numbers"], f"{command}: {generations} generations")
    return 0
