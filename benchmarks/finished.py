"""What runs of learners reach, next to each other: ``shogun-env strength --runs DIR``, or ``--task NAME``.

A task (``docs/tasks.md``) measures one bot for each run of any learner: ``--agent A,B,C,D,E``. The folder holds runs
named ``ALGORITHM-SEED``, such as ``mmd-0``. Each run plays against copies of other bots, in every seat, on the seeds of
the panel, at the tables it was trained at, each of which counts as often as among its ``variants``. Its network plays
its best action. If the algorithm learns a mixture of snapshots, the mixture is measured too: one snapshot is drawn for
all games of a seed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from shogun_env.benchmarks.documents import Tree
from shogun_env.benchmarks.markdown import markdown_table
from shogun_env.cli import plain_options
from shogun_env.policies import Bot, make_agent
from shogun_env.shares import half_width, mean_shares, share_of, wins

if TYPE_CHECKING:
    from shogun_env.batch.batch import Batch
    from shogun_env.training.runs import Run


TASKS = {
    "scratch-1h": ("random", "pool:2min", "scripted"),
    "teach-1h": ("random", "pool:2min", "scripted"),
    "exploit-1h": ("pool:champion-0.2",),
}
"""The opponents of each named task."""


def finished(folder: Path, batch_type: type[Batch]) -> list[Run]:
    """Return the runs in a folder, in order; ValueError if there is none, or one that is not at its end."""
    from shogun_env.training.runs import Run, read_progress, resuming  # not above: --help needs no engine

    runs = []
    for about in sorted(folder.glob("*-*/run.json")):
        if not about.parent.name.rsplit("-", 1)[1].isdecimal():
            continue
        run = Run.open(about.parent, batch_type)
        last, ends = [{}, *read_progress(run.folder)][-1], run.config
        over = [last.get(name, 0) >= limit for name in ("decisions", "seconds") if (limit := getattr(ends, name))]
        if not any(over):
            raise ValueError(f"{run.folder}: the run is not at its end; {resuming(run.folder)} resumes it")
        runs.append(run)
    if not runs:
        raise ValueError(f"--runs {folder}: no runs in it that are named ALGORITHM-SEED, such as mmd-0")
    return runs


def learnt(run: Run) -> Iterator[tuple[str, list[str], np.ndarray]]:
    """Yield by name what a run has learnt: bots, and how often each is drawn, float64[n]; the network, the mixture."""
    from shogun_env.training.runs import mixture_of  # not above: --help needs no engine

    name = run.folder.name.rsplit("-", 1)[0]
    yield name, [f"ppo:{run.folder}"], np.ones(1)
    if run.config.snapshot_draw != "score":
        yield f"{name}, mixture", *mixture_of(run)


def rows_of(run: Run, others: Mapping[str, Bot], seeds: np.ndarray, threads: int) -> Iterator[Tree]:
    """Yield the share of wins of what a run has learnt, against copies of each of the others, by their names."""
    from shogun_env.training.runs import read_progress  # not above: --help needs no engine

    spec, last = run.batch_class.spec, read_progress(run.folder)[-1]
    tables = run.config.every_options
    games = len(seeds) * sum(spec.check_options(options)["num_players"] for options, _ in run.config.tables())
    about = {"minutes": last["seconds"] / 60, "variants": [*map(plain_options, tables)], "games": games}
    for name, bots, parts in learnt(run):
        drawn = np.random.default_rng(run.config.seed).choice(len(bots), len(seeds), p=parts / parts.sum())
        agents = {bot: make_agent(bots[bot], spec) for bot in np.unique(drawn)}
        for against, other in others.items():
            won = [
                mean_shares(run.batch_class, agent, other, seeds[drawn == bot], tables, threads)
                for bot, agent in agents.items()
            ]
            yield row_of(np.concatenate(won)[:, None], run=run.folder.name, algorithm=name, against=against) | about


def row_of(won: np.ndarray, **about: str) -> Tree:
    """Return a row of the table: what was measured, and the share of wins in ``won``."""
    share = share_of(won)
    return {**about, "share": share.share, "low": share.low, "high": share.high, "games": share.games}


def rows_of_task(task: str, name: str, batch_type: type[Batch], seeds: np.ndarray, threads: int) -> Iterator[Tree]:
    """Yield the share of wins of a bot, by its name, against each opponent of a task, in fair games of four players."""
    spec = batch_type.spec
    options = spec.check_options({"num_players": 4, **spec.fair})
    for against in TASKS[task]:
        won = wins(batch_type, make_agent(name, spec), make_agent(against, spec), seeds, options, threads)
        yield row_of(won, run=name, algorithm=task, against=against) | {"options": plain_options(options)}


def table(run: Tree) -> str:
    """Return a row for each algorithm and bot: the shares of the runs, their mean with Student's interval, minutes."""
    groups: dict[tuple[str, str], list[Tree]] = {}
    for row in run["rows"]:
        groups.setdefault((row["against"], row["algorithm"]), []).append(row)
    lines = []
    for (against, name), rows in sorted(groups.items()):
        shares = np.array([100 * row["share"] for row in rows])
        minutes = [f"{np.median([row['minutes'] for row in rows]):.1f}"] if "minutes" in rows[0] else []
        each = ", ".join(f"{share:.1f}" for share in shares)
        mean = mean_interval(shares, sum(row["games"] for row in rows))
        lines.append([name, f"`{against}`", each, mean, *minutes])
    head = ["algorithm", "opponent", "% of the wins, run by run", "mean", "minutes"]
    return markdown_table(head[: len(lines[0])], lines)


def mean_interval(values: np.ndarray, games: int) -> str:
    """Return the mean of runs with Student's interval of 95 %, or by their games if all agree; the mean alone of one.

    Example:
        >>> mean_interval(np.array([26.6, 27.8, 25.9, 25.2, 26.1]), 10_000)
        '26.3 ± 1.2'
    """
    half = "" if len(values) < 2 else f" ± {100 * half_width(values / 100, games):.1f}"
    return f"{values.mean():.1f}{half}"
