"""Print what uniformly random play of a game comes to, with standard errors: ``python -m benchmarks.figures``.

The figures are compared with those of independent simulations of the same rules (``tests/unit/test_figures.py``).
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from shogun_env.frame.batch import Batch
from shogun_env.log import entries
from shogun_env.shogun import constants as c
from training.terminal import Parser, batch_class, options_of

CHUNK = 250
"""Games at a time; a log takes 64 kB."""

Figures = dict[str, tuple[float, float]]
"""Mean of each figure over games, and its standard error."""


def of_any_game(batch: Batch) -> dict[str, np.ndarray]:
    """Return what every game has: points by rank, and decisions."""
    by_rank = -np.sort(-batch.points, axis=1)
    found: dict[str, np.ndarray] = {f"points of rank {rank + 1}": by_rank[:, rank] for rank in range(batch.num_players)}
    return found | {"decisions": batch.decisions.copy()}


def of_shogun(batch: Batch) -> dict[str, np.ndarray]:
    """Return battles, revolts, and cubes in the tower, from the logs."""
    rows = [entries(log) for log in batch.logs]
    thrown = [list(row[row[:, 0] == c.LOG_THROWN, 1 + c.N_COLOURS]) for row in rows]
    inside = [row[row[:, 0] == c.LOG_STATE_TOWER, 1 : 1 + c.N_COLOURS].sum(1) for row in rows]
    return {
        "battles": np.array([why.count(c.WHY_BATTLE) for why in thrown]),
        "revolts": np.array([why.count(c.WHY_REVOLT) + why.count(c.WHY_WINTER_REVOLT) for why in thrown]),
        "cubes in the tower after the fill": np.array([cubes[0] for cubes in inside]),
        "cubes in the tower at the end": np.array([cubes[-1] for cubes in inside]),
    }


def of_shitenno(batch: Batch) -> dict[str, np.ndarray]:
    """Return rounds, and Kamon on the board."""
    return {"rounds": batch.games["round"].copy(), "Kamon on the board": batch.games["filled"].sum(1)}


OF_GAMES: dict[str, Callable[[Batch], dict[str, np.ndarray]]] = {"shogun": of_shogun, "shitenno": of_shitenno}
"""By game: a batch that was played out with ``record=True`` -> the figures of each of its games, float64[B] each."""


def measure(batch_type: type[Batch], games: int, seed: int = 0, **options: Any) -> Figures:
    """Play games of uniformly random players with the seeds from ``seed`` on.

    Args: options of play.
    """
    parts: list[dict[str, np.ndarray]] = []
    for first in range(0, games, CHUNK):
        batch = batch_type(min(CHUNK, games - first), seed=seed + first, record=True, **options)
        batch.play(["random"] * batch.num_players)
        parts.append(of_any_game(batch) | OF_GAMES[batch.game.name](batch))
    whole = {name: np.concatenate([part[name] for part in parts]).astype(np.float64) for name in parts[0]}
    return {name: (values.mean(), values.std(ddof=1) / len(values) ** 0.5) for name, values in whole.items()}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    parser = Parser(prog="python -m benchmarks.figures", description=(__doc__ or "").split(":")[0])
    parser.add_argument("--game", default="shogun", help="shogun or shitenno (shogun)")
    parser.add_argument("--games", type=int, default=2000, help="how many games, at least 2 (2000)")
    parser.add_argument("--players", type=int, default=4, help="players of a game (4)")
    parser.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="an option, such as side=moon"
    )
    parser.add_argument("--seed", type=int, default=0, help="seed of the first game (0)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    args = parser.parse_args(arguments)
    if args.games < 2:
        parser.error(f"--games {args.games}: a standard error needs at least 2 games")
    try:
        figures = measure(batch_class(args.game), args.games, args.seed, **options_of(args.option, args.players))
    except ValueError as error:
        parser.error(str(error))
    width = max(map(len, figures))
    for name, (mean, error_of_mean) in figures.items():
        print(f"{name:<{width}}  {mean:8.2f} ± {error_of_mean:.2f}")
    if args.json:
        numbers = {name: {"mean": mean, "standard_error": error} for name, (mean, error) in figures.items()}
        args.json.write_text(json.dumps(numbers, indent=1) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
