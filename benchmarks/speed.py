"""Measure how fast a game is on this machine: ``shogun-env speed --game shitenno --json out/speed.json``.

All figures are measured round by round, each in turn, so that a slow moment of the machine does not fall on one of
them. ``make book ADD=FILE`` puts the file of ``--json`` into ``benchmarks/speed.json``, from which documents are made.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Annotated

import shogun_env
from shogun_env import cli
from shogun_env.benchmarks.documents import SPEED_FIGURES, Tree
from shogun_env.benchmarks.experiment import Experiment, Seed, Watch, WithOptions
from shogun_env.benchmarks.markdown import markdown_table, number
from shogun_env.spec.settings import Option

if TYPE_CHECKING:
    from shogun_env.benchmarks.work import Work

BUSY = 0.5
"""If a larger share of the cores is at work before a run begins, a warning is printed."""
TIMED_GAMES = 1024
"""Games of a batch."""
PLACE = Path(shogun_env.__file__).parents[1]
"""The folder that holds the package, where new processes run: a checkout, or installed packages."""
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
    for work in works.values():
        work()  # compiles kernels and fills caches
    start_seconds(settings)  # keeps bytecode
    seconds = settings.seconds / 5 if settings.quick else settings.seconds
    for _ in watch.each(range(settings.rounds), lambda done: f"round {done + 1} of {settings.rounds}"):
        for name, work in works.items():
            yield name, *rate(work, seconds)
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


def table(run: Tree) -> str:
    """Return the table of a run."""
    rows = []
    for name, figure in run["figures"].items():
        middle, lowest, highest = (number(figure[key]) for key in ("median", "min", "max"))
        steady = number(figure["per_core_second"]) if "per_core_second" in figure else "–"
        rows.append([SPEED_FIGURES[name], steady, middle, lowest, highest])
    head = f"{run['game']}; {run['machine']['cpu']}, commit {run['machine']['commit']}"
    return f"{head}\n\n{markdown_table(['figure', 'per core-second', 'median', 'min', 'max'], rows)}"


EXPERIMENT = Experiment(name="speed", settings=Settings, measure=measure, figures=figures, table=table)
add_arguments, main = EXPERIMENT.add_arguments, EXPERIMENT.main
