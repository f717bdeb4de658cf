"""Measure what time buys a search: ``shogun-env budget --game shogun --json out/budget.json``.

Bots that differ in how much they search play one against copies of one opponent, on the same seeds, in every seat. For
each of them the share of wins is kept with the CPU seconds that a game takes. The file is written after every few
seeds, and a run that finds it goes on where it ends; ``--publish`` puts files into ``budget.json``, which
``make pictures`` draws.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from shogun_env import FULL_GAMES
from shogun_env.batch.batch import Batch
from shogun_env.benchmarks.arena.folder import fingerprints
from shogun_env.benchmarks.documents import published, read_json
from shogun_env.benchmarks.tournament import made_by
from shogun_env.cli import Parser, Progress, batch_class, command_line, count, no_progress, origin, progress, write_json
from shogun_env.policies import make_agent, specs_in
from shogun_env.shares import share_of, wins

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


def measure(batch_type: type[Batch], agent: str, against: str, first: int, seeds: int) -> tuple[np.ndarray, float]:
    """Return the shares of the win float64[seeds, P] of an agent from seed ``first`` on, and the CPU seconds used."""
    one, other = make_agent(agent, batch_type.spec), make_agent(against, batch_type.spec)
    begin = time.process_time()
    won = wins(batch_type, one, other, np.arange(first, first + seeds), {"num_players": PLAYERS})
    return won, time.process_time() - begin


def run(
    batch_type: type[Batch], agents: Sequence[str], against: str, seeds: int, file: Path | None = None,
    limit: float = float("inf"), show: Progress = no_progress, **about: Any,
) -> dict[str, Any]:  # fmt: skip
    """Measure agents until each has played on ``seeds`` seeds in every seat, and return the figures.

    Args:
        batch_type: the game's ``Batch``.
        agents: specs of the bots.
        against: spec of the bot that plays all other seats.
        seeds: seeds for each bot.
        file: where the figures are written after every few seeds; what is in it already is kept and not played again.
        limit: seconds after which no more games begin.
        show: shows progress, in seeds.
        about: further entries of the figures, such as the machine.

    Raises: ValueError for an unknown bot, or a file of another game, opponent or version, or of bots that have changed.
    """
    figures: dict[str, Any] = {"game": batch_type.spec.name, "players": PLAYERS, "against": against, "seed": SEED}
    figures["made_by"] = made_by(batch_type.spec.name)
    made_of = fingerprints({name: make_agent(name, batch_type.spec) for name in (*agents, against)})
    figures["made_of"] = made_of[against]
    points: list[dict[str, Any]] = []
    if file is not None and file.exists():
        known = read_json(file, *figures, "points")
        if any(known[name] != value for name, value in figures.items()):
            raise ValueError(f"{file} is of another game, opponent or version; give a file of its own")
        points = known["points"]
        for old in points:
            if made_of.get(old["agent"], old["made_of"]) != old["made_of"]:
                raise ValueError(f"{file}: {old['agent']} has changed since it was measured; give a file of its own")
    figures |= {**about, "points": points}
    begin, known_points = time.perf_counter(), {point["agent"]: point for point in points}
    for goal in [*range(CHUNK, seeds, CHUNK), seeds]:  # a run that is stopped has something of every bot
        for number, agent in enumerate(agents):
            if time.perf_counter() - begin >= limit:
                return figures
            point = known_points.get(agent)
            if point is None:
                measure(batch_type, agent, against, SEED - 1, 1)  # loads the loops, whose time is not that of the bot
                point = known_points[agent] = {"agent": agent, "made_of": made_of[agent], "cpu_seconds": 0.0, "won": []}
                points.append(point)
            first = len(point["won"])
            if first < goal:
                won, cpu_seconds = measure(batch_type, agent, against, SEED + first, goal - first)
                point["won"] += won.tolist()
                point["cpu_seconds"] += cpu_seconds
                all_won = np.array(point["won"])
                point |= share_of(all_won)._asdict() | {"cpu_s_per_game": point["cpu_seconds"] / all_won.size}
                write_json(file, figures)
            show((goal - CHUNK) * len(agents) + CHUNK * (number + 1), agent)
    return figures


def point_line(point: dict[str, Any]) -> str:
    """Return what was measured of a bot in one line."""
    share, low, high = (100 * point[name] for name in ("share", "low", "high"))
    return f"{point['cpu_s_per_game']:7.3f} s/game {share:5.1f} % ({low:.1f}–{high:.1f}) {point['agent']}"


def publish(paths: Sequence[Path], results: Path) -> None:
    """Put files written by ``--json`` into the published results; they replace those of the same game and opponent.

    Several files of one game and opponent, whose bots were measured by several processes, are joined.

    Raises: ValueError for a file that is not of this command.
    """
    old = read_json(results, "runs")["runs"] if results.exists() else []
    new: dict[tuple[str, str], dict[str, Any]] = {}
    for path in paths:
        run = read_json(path, "game", "against", "points", "command")
        points = [
            {name: point[name] for name in point if name not in ("won", "made_of")}
            for point in run["points"]
            if point["won"]
        ]
        joined = new.setdefault((run["game"], run["against"]), run | {"points": [], "command": []})
        joined["points"] += points
        joined["command"].append(run["command"])
    runs = [run for run in old if (run["game"], run["against"]) not in new] + list(new.values())
    write_json(results, {"runs": runs})


def make_parser() -> Parser:
    """Return the parser of the command."""
    parser = Parser(prog="shogun-env budget", description="Measure what time buys a search.")
    parser.add_argument("--agents", metavar="SPECS", help="the bots, separated by commas (those of the table)")
    parser.add_argument("--against", default="scripted", metavar="SPEC", help="the opponent (scripted)")
    parser.add_argument("--seeds", type=count, default=60, metavar="N", help="seeds per bot, each in all seats (60)")
    parser.add_argument(
        "--seconds", type=float, default=float("inf"), metavar="S", help="begin no game after S seconds"
    )
    parser.add_argument(
        "--publish", type=Path, nargs="+", metavar="FILE", help="measure nothing; put these files into budget.json"
    )
    parser.add_game()
    parser.add_json("the figures")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    parser = make_parser()
    args = parser.parse_args(arguments)
    with parser.one_line_errors():
        if args.publish:
            publish(args.publish, published("budget.json"))
            return 0
        if not args.agents and args.game not in FULL_GAMES:
            raise ValueError(f"--game {args.game}: has no table of bots, name some with --agents")
        agents = specs_in(args.agents) if args.agents else [*COMPARED, *AGENTS[args.game]]
        about = {"machine": origin(), "command": command_line(parser, arguments)}
        with progress(f"budgets against {args.against}", len(agents) * args.seeds) as show:
            figures = run(
                batch_class(args.game), agents, args.against, args.seeds, args.json, args.seconds, show, **about
            )
        for point in figures["points"]:
            if point["won"]:
                print(point_line(point))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
