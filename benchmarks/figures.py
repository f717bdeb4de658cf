"""Print what uniformly random play of a game comes to, with standard errors: ``python -m benchmarks.figures``.

The figures are compared with those of independent simulations of the same rules (``tests/unit/test_figures.py``).
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from shogun_env.batch.batch import Batch
from shogun_env.cli import Parser, batch_class, chosen_game, count, options_of, write_json
from shogun_env.kernel.log import entries

CHUNK = 250
"""Games at a time; a log takes 64 kB."""

Figures = dict[str, tuple[float, float]]
"""Mean of each figure over games, and its standard error."""


def of_any_game(batch: Batch) -> dict[str, np.ndarray]:
    """Return what every game has: points by rank, and decisions."""
    by_rank = -np.sort(-batch.points, axis=1)
    found: dict[str, np.ndarray] = {f"points of rank {rank + 1}": by_rank[:, rank] for rank in range(batch.num_players)}
    return found | {"decisions": batch.decisions.copy()}


def measure(batch_type: type[Batch], games: int, seed: int = 0, **options: Any) -> Figures:
    """Play games of uniformly random players with the seeds from ``seed`` on.

    Args: options of play.
    """
    parts: list[dict[str, np.ndarray]] = []
    for first in range(0, games, CHUNK):
        batch = batch_type(min(CHUNK, games - first), seed=seed + first, record=True, **options)
        batch.play(["random"] * batch.num_players)
        logs = [entries(log) for log in batch.logs]
        parts.append(of_any_game(batch) | batch.spec.statistics(batch.games, logs))
    whole = {name: np.concatenate([part[name] for part in parts]).astype(np.float64) for name in parts[0]}
    return {name: (values.mean(), values.std(ddof=1) / len(values) ** 0.5) for name, values in whole.items()}


def make_parser(game: str) -> Parser:
    """Return the command's parser, with the options of ``game``."""
    parser = Parser(prog="python -m benchmarks.figures", description=(__doc__ or "").split(":")[0])
    parser.add_game(game)
    parser.add_argument("--games", type=count, default=2000, help="how many games, at least 2 (2000)")
    parser.add_seed()
    parser.add_json("write the figures there too")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    parser = make_parser(chosen_game(arguments))
    args = parser.parse_args(arguments)
    if args.games < 2:
        parser.error(f"--games {args.games}: a standard error needs at least 2 games")
    try:
        figures = measure(batch_class(args.game), args.games, args.seed, **options_of(args))
    except ValueError as error:
        parser.error(str(error))
    width = max(map(len, figures))
    for name, (mean, error_of_mean) in figures.items():
        print(f"{name:<{width}}  {mean:8.2f} ± {error_of_mean:.2f}")
    write_json(args.json, {name: {"mean": mean, "standard_error": error} for name, (mean, error) in figures.items()})
    return 0


if __name__ == "__main__":
    sys.exit(main())
