"""Measure what time buys a search: ``shogun-env budget --game shogun --json out/budget.json``.

Bots that differ in how much they search play against copies of one opponent, on the same seeds, in every seat. For each
bot the file has its share of wins and the CPU seconds of a game. It is written after every few seeds, and a run that
finds it resumes there; ``--publish`` puts files into ``budget.json``, which ``make pictures`` draws.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from shogun_env import cli
from shogun_env.benchmarks.arena.entries import fingerprint
from shogun_env.benchmarks.arena.settings import made_by
from shogun_env.benchmarks.documents import Tree
from shogun_env.benchmarks.experiment import Experiment, OfGame, Published, Watch, number, same, setting
from shogun_env.policies import make_agent, specs_in
from shogun_env.shares import share_of, wins

if TYPE_CHECKING:  # --help is quick without the engine
    from shogun_env.batch.batch import Batch

SEED = 3_000_000
"""The first seed: not one of the ladder, so that budgets may be chosen by these figures."""
CHUNK = 5
"""Seeds between two writings of the file."""
PLAYERS = 4
BUDGETS: dict[str, tuple[str, ...]] = {
    "shogun": (
        "8:rollouts=4:critic=fitted", "8:rollouts=4", "50:rollouts=8:critic=fitted", "25:rollouts=8",
        "100:rollouts=15", "50:rollouts=30", "400:rollouts=60", "200:rollouts=120", "1600:rollouts=240",
        "1600:rollouts=240:horizon=year", "6400:rollouts=960:horizon=year",
    ),
    "shitenno": (
        "8:rollouts=4", "30:rollouts=8", "16:rollouts=12", "120:rollouts=40", "60:rollouts=80", "480:rollouts=160",
        "1920:rollouts=640",
    ),
}  # fmt: skip
"""Rollouts for a whole plan or lot and for another decision: several budgets, some of them split in two ways."""
AGENTS: dict[str, tuple[str, ...]] = {
    game: tuple(f"search:base=champion:plan_rollouts={budget}" for budget in budgets)
    for game, budgets in BUDGETS.items()
}
"""The bots that are measured unless others are given."""
COMPARED = ("champion", "scripted")
"""Bots that do not search, which are measured first."""


@dataclass(frozen=True)
class Settings(OfGame):
    """Who is measured against whom, and how long."""

    agents: str | None = setting(None, "the bots, separated by commas (those of the table)", metavar="SPECS")
    against: str = setting("scripted", "the opponent")
    seeds: int = number(60, "seeds per bot, each in all seats")
    seconds: float | None = setting(None, "begin no game after S seconds", cli.seconds, "S")

    def names(self) -> list[str]:
        """Return the bots."""
        return specs_in(self.agents) if self.agents else [*COMPARED, *AGENTS[self.game]]


def played(batch_type: type[Batch], agent: str, against: str, first: int, seeds: int) -> tuple[np.ndarray, float]:
    """Return the shares of the win float64[seeds, P] of an agent from seed ``first`` on, and the CPU seconds used."""
    one, other = make_agent(agent, batch_type.spec), make_agent(against, batch_type.spec)
    begin = time.process_time()
    won = wins(batch_type, one, other, np.arange(first, first + seeds), {"num_players": PLAYERS})
    return won, time.process_time() - begin


def question(settings: Settings) -> Tree:
    """Return what a file must share to be added to; ValueError for a game that this number of players cannot play."""
    spec = cli.batch_class(settings.game).spec
    if PLAYERS not in spec.players:
        raise ValueError(f"--game {settings.game}: bots are measured with {PLAYERS} players, and it has fewer")
    asked = {"game": settings.game, "players": PLAYERS, "against": settings.against, "seed": SEED}
    made_of = fingerprint(settings.against, spec)
    return {**asked, "made_by": made_by(settings.game), "made_of": made_of}


def measure(settings: Settings, watch: Watch) -> Iterator[list[Tree]]:
    """Yield what is known of the bots, one after the other, until each has played on all seeds in every seat.

    Raises: ValueError for an unknown bot, or if one has changed since an earlier run.
    """
    begin, batch_type, agents = time.perf_counter(), cli.batch_class(settings.game), settings.names()
    made_of = {name: fingerprint(name, batch_type.spec) for name in agents}
    points: list[Tree] = list(watch.earlier)
    for old in points:
        if made_of.get(old["agent"], old["made_of"]) != old["made_of"]:
            raise ValueError(f"{old['agent']} has changed since it was measured; give another --json")
    yield points
    known, goals = {point["agent"]: point for point in points}, [*range(CHUNK, settings.seeds, CHUNK), settings.seeds]
    for goal, agent in watch.each([(goal, agent) for goal in goals for agent in agents], lambda each: each[1]):
        # goal by goal: a run that is stopped has something of every bot
        if settings.seconds is not None and time.perf_counter() - begin >= settings.seconds:
            return
        point = known.get(agent)
        if point is None:
            played(batch_type, agent, settings.against, SEED - 1, 1)  # the time of loading loops is not the bot's
            point = known[agent] = {"agent": agent, "made_of": made_of[agent], "cpu_seconds": 0.0, "won": []}
            points.append(point)
        if (first := len(point["won"])) < goal:
            won, cpu_seconds = played(batch_type, agent, settings.against, SEED + first, goal - first)
            point["won"] += won.tolist()
            point["cpu_seconds"] += cpu_seconds
            all_won = np.array(point["won"])
            point |= share_of(all_won)._asdict() | {"cpu_s_per_game": point["cpu_seconds"] / all_won.size}
            yield points


def table(run: Tree) -> str:
    """Return what was measured of each bot in a line."""
    lines = []
    for point in run["points"]:
        if point["won"]:
            share, low, high = (100 * point[name] for name in ("share", "low", "high"))
            seconds = f"{point['cpu_s_per_game']:7.3f} s/game"
            lines.append(f"{seconds} {share:5.1f} % ({low:.1f}–{high:.1f}) {point['agent']}\n")
    return "".join(lines)


def joined(runs: Sequence[tuple[Path, Tree]]) -> list[Tree]:
    """Return runs as they are published: those of one game and opponent, by several processes, are one."""
    of: dict[tuple[str, str], Tree] = {}
    for _, run in runs:
        one = of.setdefault((run["game"], run["against"]), run | {"points": [], "command": []})
        one["command"].append(run["command"])
        one["points"] += [
            {name: point[name] for name in point if name not in ("won", "made_of")}
            for point in run["points"]
            if point["won"]
        ]
    return list(of.values())


EXPERIMENT = Experiment(
    name="budget",
    settings=Settings,
    measure=measure,
    question=question,
    resumed_from="points",
    figures=lambda settings, rows: {"points": rows[-1]},
    table=table,
    published=Published("budget.json", ("game", "against", "points", "command"), same("game", "against"), joined),
)
add_arguments, main = EXPERIMENT.add_arguments, EXPERIMENT.main
