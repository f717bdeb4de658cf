"""Compare algorithms by finished runs: ``shogun-env algorithms --runs runs --json a.json --picture a.png``.

The folder holds runs named ``ALGORITHM-SEED``, such as ``mmd-0``. Each run plays against copies of other bots, in every
seat, on the seeds of the ladder, with its own options of play unless others are given. Its network plays its best
action. If the algorithm learns a mixture of snapshots, the mixture is measured too: one snapshot is drawn for all games
of a seed. Intervals are over the runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from shogun_env.benchmarks import pictures
from shogun_env.benchmarks.documents import Tree
from shogun_env.benchmarks.experiment import Experiment, Played, Watch, number, setting, threads
from shogun_env.benchmarks.markdown import markdown_table
from shogun_env.benchmarks.strength import SEED, SEEDS
from shogun_env.cli import batch_class, plain_options
from shogun_env.policies import make_agent, specs_in
from shogun_env.shares import share_of, wins

if TYPE_CHECKING:
    from shogun_env.training.runs import Run


@dataclass(frozen=True)
class Settings(Played):
    """Which runs are measured against whom."""

    runs: Path = setting(Path("runs"), "folder of the runs, named ALGORITHM-SEED", Path, "DIR")
    against: str = setting("scripted,pool:20min,pool:champion-0.2", "other bots, with commas", metavar="SPECS")
    seeds: int = number(SEEDS, "seeds, each in all seats")
    threads: int = threads()
    picture: Path | None = setting(None, "draw shares of wins along the runs into this file", Path, "FILE.png")


def finished(settings: Settings) -> list[Run]:
    """Return the runs of a folder, in order; ValueError if there is none, or one that is not at its end."""
    from shogun_env.training.runs import Run, read_progress, resuming  # not above: --help needs no engine

    if settings.picture is not None and not pictures.is_available():
        raise ValueError(f"--picture {settings.picture}: needs the extra viz (matplotlib)")
    runs = []
    for about in sorted(settings.runs.glob("*-*/run.json")):
        if not about.parent.name.rsplit("-", 1)[1].isdecimal():
            continue
        run = Run.open(about.parent, batch_class(settings.game))
        last, ends = [{}, *read_progress(run.folder)][-1], run.config
        over = [last.get(name, 0) >= limit for name in ("decisions", "seconds") if (limit := getattr(ends, name))]
        if not any(over):
            raise ValueError(f"{run.folder}: the run is not at its end; {resuming(run.folder)} resumes it")
        runs.append(run)
    if not runs:
        raise ValueError(f"--runs {settings.runs}: no runs in it that are named ALGORITHM-SEED, such as mmd-0")
    return runs


def name_of(run: Run) -> str:
    """Return the algorithm in the name of a run's folder."""
    return run.folder.name.rsplit("-", 1)[0]


def learnt(run: Run) -> Iterator[tuple[str, list[str], np.ndarray]]:
    """Yield by name what a run has learnt: bots, and how often each is drawn, float64[n]; the network, the mixture."""
    from shogun_env.training.runs import mixture_of  # not above: --help needs no engine

    yield name_of(run), [f"ppo:{run.folder}"], np.ones(1)
    if run.config.snapshot_draw != "score":
        yield f"{name_of(run)}, mixture", *mixture_of(run)


def measure(settings: Settings, watch: Watch) -> Iterator[Tree]:
    """Draw the picture; yield the share of wins of each run, and of its mixture; what was measured before as it is.

    Raises: ValueError for an unknown bot, runs that are not at their end, or options that the game does not allow.
    """
    from shogun_env.training.runs import read_progress  # not above: --help needs no engine

    batch_type = batch_class(settings.game)
    others = {name: make_agent(name, batch_type.spec) for name in specs_in(settings.against)}
    seeds = np.arange(SEED, SEED + settings.seeds)
    known = {(row["run"], row["algorithm"], row["against"]): row for row in watch.earlier}
    runs = finished(settings)
    if settings.picture is not None:
        settings.picture.write_bytes(pictures.picture(lambda axes: draw(axes, runs), 3.6, "png"))
    for run in watch.each(runs, lambda run: run.folder.name):
        last, options = read_progress(run.folder)[-1], {**run.config.options, **settings.options}
        about = {"decisions": last["decisions"], "minutes": last["seconds"] / 60, "options": plain_options(options)}
        for name, bots, parts in learnt(run):
            drawn = np.random.default_rng(run.config.seed).choice(len(bots), len(seeds), p=parts / parts.sum())
            agents = {bot: make_agent(bots[bot], batch_type.spec) for bot in np.unique(drawn)}
            for against, other in others.items():
                if earlier := known.get((run.folder.name, name, against)):
                    yield earlier
                    continue
                won = [
                    wins(batch_type, agent, other, seeds[drawn == bot], options, settings.threads)
                    for bot, agent in agents.items()
                ]
                share = share_of(np.concatenate(won))
                figures = {"share": share.share, "low": share.low, "high": share.high, "games": share.games}
                yield {"run": run.folder.name, "algorithm": name, "against": against, **figures, **about}


def table(run: Tree) -> str:
    """Return a row for each algorithm and bot: the shares of the runs, their mean with Student's interval, minutes."""
    groups: dict[tuple[str, str], list[Tree]] = {}
    for row in run["rows"]:
        groups.setdefault((row["against"], row["algorithm"]), []).append(row)
    lines = []
    for (against, name), rows in sorted(groups.items()):
        shares = np.array([100 * row["share"] for row in rows])
        minutes = np.median([row["minutes"] for row in rows])
        each = ", ".join(f"{share:.1f}" for share in shares)
        lines.append([name, f"`{against}`", each, mean_interval(shares), f"{minutes:.1f}"])
    return markdown_table(["algorithm", "opponent", "% of the wins, run by run", "mean", "minutes"], lines)


def mean_interval(values: np.ndarray) -> str:
    """Return the mean of runs with Student's interval of 95 %, the mean alone of one run.

    Example:
        >>> mean_interval(np.array([26.6, 27.8, 25.9, 25.2, 26.1]))
        '26.3 ± 1.2'
    """
    from scipy.stats import sem, t  # not above: --help needs neither

    half = "" if len(values) < 2 else f" ± {t.ppf(0.975, len(values) - 1) * sem(values):.1f}"
    return f"{values.mean():.1f}{half}"


def draw(axes: Any, runs: list[Run]) -> None:
    """Draw the shares of wins along the runs, against the last bot of their evaluations."""
    from shogun_env.training.runs import read_progress  # not above: --help needs no engine

    against = runs[0].config.evaluate_against[-1]
    bands: dict[str, list[tuple[list[float], list[float]]]] = {}
    for run in runs:
        points = [(line["decisions"] / 1e6, 100 * line["win_share"][against]) for line in read_progress(run.folder)]
        bands.setdefault(name_of(run), []).append(([at for at, _ in points], [share for _, share in points]))
    pictures.draw_bands(axes, bands)
    axes.set_xlabel("decisions learnt from, millions")
    axes.set_ylabel(f"% of games won against {against}")


EXPERIMENT = Experiment(
    name="algorithms",
    settings=Settings,
    measure=measure,
    figures=lambda settings, rows: {"rows": rows},
    table=table,
    question=lambda settings: {
        "game": settings.game, "runs": str(settings.runs), "seeds": settings.seeds,
        "options": plain_options(settings.options),
    },
    resumed_from="rows",
    line=lambda row: f"{row['run']:<14} {row['algorithm']:<22} {row['share']:.1%} against {row['against']}",
)  # fmt: skip
add_arguments, main = EXPERIMENT.add_arguments, EXPERIMENT.main
