"""Tune the numbers of a bot by CMA-ES: ``shogun-env tune --against scripted --players 3,4,5``.

A candidate's value is its share of wins times the number of players, averaged over opponents and sets of options, with
all seats rotated. Candidates of a generation share its seeds, and every generation has fresh ones. The folder ``--out``
holds ``state.json``, written after every generation; the same command resumes it, with more ``--generations`` too. At
the end the mean of the search is compared with the start on fresh seeds, by a test at which one may look at any time
(``shares.decide``); ``--write`` takes the numbers over only if it says that they are better, and the exit status is
that of ``shogun-env strength --against`` otherwise.
"""

from __future__ import annotations

import argparse
import functools
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from shogun_env import cli
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
from shogun_env.benchmarks.tune.conditions import Judge, conditions_of, title_of
from shogun_env.benchmarks.tune.search import Search, rounded
from shogun_env.benchmarks.tune.table import write_table
from shogun_env.policies import Compiled, make_agent
from shogun_env.shares import NO, UNDECIDED, YES, Bounds, decide, half_width, share_of

if TYPE_CHECKING:  # it imports all games, and --help is quick
    from shogun_env.agents.scripted.numbers import Number, Numbers
    from shogun_env.kernel.jit import Policy

STATE = "state.json"
REPORT_SEED = 2**52
"""First seed of the final report; no generation comes near it."""
ZONE = 0.05
"""By how much the value of the new numbers has to be better for the test to be sure to say so; parity is 1."""
ANSWERS = {YES: "better than before", NO: "no better than before", UNDECIDED: "perhaps better than before"}


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


# --- the search ------------------------------------------------------------------------------------------------------


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
        if done < len(watch.earlier):
            values = watch.earlier[done]
            search.replay(values)
        elif time.monotonic() >= deadline:
            return
        else:
            watch.show(done / total, f"generation {done + 1} of {total}, {search.population} candidates")
            values = search.generation(functools.partial(value_of, settings.seed + done * settings.games))
        yield Generation(values=values, mean=subject.named([*map(rounded, search.mean.tolist())]))


SEARCH = Experiment(
    name="tune",
    text="Tune the numbers of a bot by CMA-ES. An option of play may list values, separated by commas (--players "
    "3,4,5): all combinations are mixed.",
    settings=Settings,
    measure=measure,
    question=question,
    kept="generations",
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

    Args:
        judge: has the conditions and their weights.
        old, new: for each condition the shares of wins float64[S, P].
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
            f"`{title_of(spec, line['against'], line['options'])}`", percent(1 / line["options"]["num_players"]),
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


# --- the command -----------------------------------------------------------------------------------------------------

make_parser = SEARCH.make_parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    parser = make_parser(cli.chosen_game(arguments))
    args = parser.parse_args(arguments)
    with parser.one_line_errors():
        settings, command = settings_in(args, Settings), cli.command_line(parser, arguments)
        if settings.write and ":" in settings.bot:
            raise ValueError(f"--write: the table holds the bot {settings.bot.partition(':')[0]}, not {settings.bot}")
        if stopped := SEARCH.run(settings, settings.out / STATE, command, "--out"):
            return stopped
        state, subject = read_json(settings.out / STATE), settings.subject()
        outcome = outcome_of(settings.judge(settings.report_games), subject, state["mean"], REPORT_SEED)
        text, generations = page(outcome, subject, settings.game), len(state["generations"])
        result = {"command": command, "commit": cli.commit(), "generations": generations}
        result |= outcome | {"bot": settings.bot, "settings": state["settings"]}
        cli.write_json(settings.out / "numbers.json", result)
        cli.write_json(args.json, result)
        (settings.out / "report.md").write_text(text, "utf-8")
        print(f"{text}\n{generations} generations; written to {settings.out}")
        if settings.write and outcome["better"] != YES:
            print(f"{settings.write} is left as it was: the numbers are not surely better", file=sys.stderr)
            return EXIT_STATUS[outcome["better"]]
        if settings.write:
            write_table(settings.write, outcome["numbers"], f"{command}: {generations} generations")
    return 0
