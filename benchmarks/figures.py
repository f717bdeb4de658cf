"""Print what uniformly random play of Shogun comes to, with standard errors: ``python -m benchmarks.figures``.

The figures are compared with those of independent simulations of the same rules (``tests/unit/test_figures.py``).
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from shogun_env.log import entries
from shogun_env.shogun import Batch
from shogun_env.shogun import constants as c
from training.terminal import Parser

CHUNK = 250
"""Games at a time; a log takes 64 kB."""

Figures = dict[str, tuple[float, float]]
"""Mean of each figure over games, and its standard error."""


def of_games(batch: Batch) -> dict[str, np.ndarray]:
    """Return the figures of each game of a batch that was played out with ``record=True``: float64[B] each."""
    rows = [entries(log) for log in batch.logs]
    by_rank = -np.sort(-batch.points, axis=1)
    thrown = [list(row[row[:, 0] == c.LOG_THROWN, 1 + c.N_COLOURS]) for row in rows]
    inside = [row[row[:, 0] == c.LOG_STATE_TOWER, 1 : 1 + c.N_COLOURS].sum(1) for row in rows]
    found: dict[str, np.ndarray] = {f"points of rank {rank + 1}": by_rank[:, rank] for rank in range(batch.num_players)}
    found |= {
        "battles": np.array([why.count(c.WHY_BATTLE) for why in thrown]),
        "revolts": np.array([why.count(c.WHY_REVOLT) + why.count(c.WHY_WINTER_REVOLT) for why in thrown]),
        "cubes in the tower after the fill": np.array([cubes[0] for cubes in inside]),
        "cubes in the tower at the end": np.array([cubes[-1] for cubes in inside]),
        "decisions": batch.decisions.copy(),
    }
    return {name: values.astype(np.float64) for name, values in found.items()}


def measure(games: int, seed: int = 0, **options: Any) -> Figures:
    """Play games of uniformly random players with the seeds from ``seed`` on.

    Args: options of ``shogun_env.shogun.Batch``.
    """
    parts: list[dict[str, np.ndarray]] = []
    for first in range(0, games, CHUNK):
        batch = Batch(min(CHUNK, games - first), seed=seed + first, record=True, **options)
        batch.play(["random"] * batch.num_players)
        parts.append(of_games(batch))
    whole = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    return {name: (values.mean(), values.std(ddof=1) / len(values) ** 0.5) for name, values in whole.items()}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    parser = Parser(prog="python -m benchmarks.figures", description=(__doc__ or "").split(":")[0])
    parser.add_argument("--games", type=int, default=2000, help="how many games, at least 2 (2000)")
    parser.add_argument("--players", type=int, default=4, help="3, 4 or 5 (4)")
    parser.add_argument("--side", default="sun", help="sun or moon (sun)")
    parser.add_argument("--start", default="preset", help="preset, draft or random (preset)")
    parser.add_argument("--tower", default="two_floor", help="two_floor or one_shot (two_floor)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the first game (0)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    args = parser.parse_args(arguments)
    if args.games < 2:
        parser.error(f"--games {args.games}: a standard error needs at least 2 games")
    try:
        options = {"num_players": args.players, "side": args.side, "start": args.start, "tower": args.tower}
        figures = measure(args.games, args.seed, **options)
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
