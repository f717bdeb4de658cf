"""Measure how fast a game is on this machine: ``shogun-env speed --game shitenno --json out/speed.json``.

All figures are measured round by round, each in turn, so that a slow moment of the machine does not fall on one of
them. ``make book ADD=FILE`` puts the file of ``--json`` into ``benchmarks/speed.json``, from which documents are made.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Annotated

import shogun_env
from shogun_env import cli
from shogun_env.benchmarks.documents import SPEED_FIGURES, Tree, read_json
from shogun_env.benchmarks.experiment import Experiment, Seed, Watch, WithOptions
from shogun_env.benchmarks.markdown import markdown_table, number
from shogun_env.spec.settings import Option

if TYPE_CHECKING:
    from shogun_env.benchmarks.work import Work

BUSY = 0.5
"""If a larger share of the cores is at work before a run begins, a warning is printed."""
CEILINGS = {
    "random_decisions_per_s": "no_rules_decisions_per_s",
    "observed_decisions_per_s": "no_rules_observed_decisions_per_s",
    "vector_env_decisions_per_s": "no_rules_observed_decisions_per_s",
}
"""Figures that are compared with those of a loop without rules: a share of it means the same on any machine."""
TIMED_GAMES = 1024
"""Games of a batch."""
PLACE = Path(shogun_env.__file__).parents[1]
"""The folder that holds the package, where new processes run: a checkout, or installed packages."""
PUBLISHED = Path(__file__).with_name("speed.json")
"""The figures that documents show."""
WARM = "import_warm_s"
FIRST_STEP = """
from shogun_env import {game}_v0
env = {game}_v0.parallel_env(**{options})
_, infos = env.reset(seed=1)
env.step({{agent: int(infos[agent]["action_mask"].argmax()) for agent in env.agents}})
"""
Figure = dict[str, float]


@dataclass(frozen=True)
class Settings(WithOptions):
    """What to measure, and how long."""

    quick: bool = False
    """A fifth of the time."""
    shares: bool = False
    """Only random, observed and vector play, as shares of a loop without rules."""
    seed: Seed = 0
    """Seed of all games."""
    seconds: Annotated[float, Option(None)] = 0.5
    """Seconds for which each piece of work is repeated in each round, a fifth of it with ``quick``."""
    rounds: Annotated[int, Option(None)] = 5
    games: Annotated[int, Option(None)] = TIMED_GAMES


# --- measuring -------------------------------------------------------------------------------------------------------


def rate(work: Work, seconds: float) -> tuple[float, float]:
    """Repeat ``work`` for ``seconds`` seconds, at least once.

    Returns: the amount of work per second; and the number of cores that this process had meanwhile, which is less than
        one on a busy machine.
    """
    done = 0.0
    begin, cpu = time.perf_counter(), time.process_time()
    while True:
        done += work()
        spent = time.perf_counter() - begin
        if spent >= seconds:
            return done / spent, (time.process_time() - cpu) / spent


def start_seconds(settings: Settings) -> float:
    """Return the seconds of a process that starts and makes the first step of an environment, kernels from the cache.

    Python keeps the bytecode of modules there as usual, even if this process was told not to: to compile it again in
    every process takes a tenth of a second.
    """
    code = FIRST_STEP.format(game=settings.game, options=dict(settings.options))
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    begin = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], cwd=PLACE, env=environment, check=True)
    return time.perf_counter() - begin


Sample = tuple[str, float, float | None]
"""What a round measured of a figure: its name, the value, and the cores that this process had, None for seconds."""


def measure(settings: Settings, watch: Watch) -> Iterator[Sample]:
    """Yield what each round measures of each figure.

    Raises: ValueError for an unknown game, or options of play that it does not allow.
    """
    from shogun_env.benchmarks.work import works_of  # not above: --help needs no engine

    cli.batch_class(settings.game).spec.check_options(settings.options)
    load = cli.origin()["load"]
    if load is not None and load > BUSY * cli.cores():
        busy = f"this machine is busy (load {load} on {cli.cores()} cores)"
        print(f"{busy}: figures will be low, and those per core-second a little", file=sys.stderr)
    works = works_of(settings.game, settings.options, settings.games, settings.seed)
    if settings.shares:
        works = {name: works[name] for name in SPEED_FIGURES if name in CEILINGS or name in CEILINGS.values()}
    for work in works.values():
        work()  # compiles kernels and fills caches
    if not settings.shares:
        start_seconds(settings)  # keeps bytecode
    seconds = settings.seconds / 5 if settings.quick else settings.seconds
    for _ in watch.each(range(settings.rounds), lambda done: f"round {done + 1} of {settings.rounds}"):
        for name, work in works.items():
            yield name, *rate(work, seconds)
        if not settings.shares:
            yield WARM, start_seconds(settings), None


def figures(settings: Settings, samples: Sequence[Sample]) -> Tree:
    """Return median, lowest and highest of what the rounds measured of each figure.

    A rate also has ``per_core_second``: divided by the number of cores that the process had, which is what an idle
    machine would do.
    """
    found: dict[str, Figure] = {}
    for figure in dict.fromkeys(name for name, *_ in samples):
        values = [value for name, value, _ in samples if name == figure]
        steady = [value / cores for name, value, cores in samples if name == figure and cores is not None]
        found[figure] = {"median": median(values), "min": min(values), "max": max(values)}
        found[figure] |= {"per_core_second": median(steady)} if steady else {}
    options = cli.unusual_options(cli.batch_class(settings.game).spec, settings.options)
    return {"game": settings.game, "options": options, "seed": settings.seed, "figures": found}


def shares(found: Mapping[str, Figure]) -> dict[str, float]:
    """Return what share of a loop without rules the figures of a run are, those that it has."""
    return {
        name: found[name]["per_core_second"] / found[ceiling]["per_core_second"]
        for name, ceiling in CEILINGS.items()
        if name in found and ceiling in found
    }


def published_shares(game: str) -> dict[str, float]:
    """Return the shares of the last figures that were published, empty if they have no loop without rules."""
    figures = [run["figures"] for run in read_json(PUBLISHED, "runs")["runs"] if run["game"] == game]
    return shares(figures[0]) if figures else {}


def table(run: Tree) -> str:
    """Return the table of a run."""
    rows, of_ceiling, published = [], shares(run["figures"]), published_shares(run["game"])
    for name, figure in run["figures"].items():
        lowest, highest, middle = (number(figure[key]) for key in ("min", "max", "median"))
        steady = number(figure["per_core_second"]) if "per_core_second" in figure else "–"
        share = f"{of_ceiling[name]:.3f}" if name in of_ceiling else "–"
        before = f"{published[name]:.3f}" if name in published else "–"
        rows.append([SPEED_FIGURES[name], steady, share, before, middle, lowest, highest])
    head = f"{run['game']}; {run['machine']['cpu']}, commit {run['machine']['commit']}"
    titles = ["figure", "per core-second", "share of no rules", "published", "median", "min", "max"]
    return f"{head}\n\n{markdown_table(titles, rows)}"


EXPERIMENT = Experiment(
    name="speed",
    settings=Settings,
    measure=measure,
    figures=figures,
    table=table,
)
add_arguments, main = EXPERIMENT.add_arguments, EXPERIMENT.main
