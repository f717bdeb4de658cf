"""Print statistics of uniformly random play of a game, with standard errors: ``python -m benchmarks.figures``.

Tests compare them with those of independent simulations of the same rules (``tests/unit/benchmarks/test_figures.py``).
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from shogun_env.batch.batch import Batch
from shogun_env.cli import (
    Parser,
    Progress,
    batch_class,
    chosen_game,
    no_progress,
    options_of,
    progress,
    write_json,
)
from shogun_env.kernel.log import entries

CHUNK = 250
"""Number of games at a time; the log of each takes 64 kB."""

Figures = dict[str, tuple[float, float]]
"""For each figure its mean over the games, and the standard error of the mean."""


def of_any_game(batch: Batch) -> dict[str, np.ndarray]:
    """Return the figures that every game has, int[B] each: points by rank, and decisions."""
    by_rank = -np.sort(-batch.points, axis=1)
    points: dict[str, np.ndarray] = {f"points of rank {k + 1}": by_rank[:, k] for k in range(batch.num_players)}
    return points | {"decisions": batch.decisions.copy()}


def measure(
    batch_type: type[Batch], games: int, seed: int = 0, show: Progress = no_progress, **options: Any
) -> Figures:
    """Return the figures of games of uniformly random players.

    Args:
        batch_type: the game's ``Batch``.
        games: number of games, at least 2.
        seed: seed of the first game; each later game has the next seed.
        show: shows progress, in games.
        options: options of play.

    Raises: ValueError for fewer than 2 games, or bad options.
    """
    if games < 2:
        raise ValueError(f"{games} game: a standard error needs at least 2 games")
    parts: list[dict[str, np.ndarray]] = []
    for first in range(0, games, CHUNK):
        batch = batch_type(min(CHUNK, games - first), seed=seed + first, record=True, **options)
        batch.play(["random"] * batch.num_players)
        logs = [entries(log) for log in batch.logs]
        parts.append(of_any_game(batch) | batch.spec.statistics(batch.games, logs))
        done = first + batch.num_games
        show(done, f"{done} of {games} games")
    joined = {name: np.concatenate([part[name] for part in parts]).astype(np.float64) for name in parts[0]}
    return {name: (values.mean(), values.std(ddof=1) / len(values) ** 0.5) for name, values in joined.items()}


def make_parser(game: str) -> Parser:
    """Return the parser of the command, with the options of play of ``game``."""
    parser = Parser(prog="python -m benchmarks.figures", description=(__doc__ or "").split(":")[0])
    parser.add_games(2000, "number of games, at least 2")
    parser.add_seed()
    parser.add_json("the figures")
    parser.add_play(game)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    parser = make_parser(chosen_game(arguments))
    args = parser.parse_args(arguments)
    with parser.one_line_errors():
        batch_type = batch_class(args.game)
        options = batch_type.spec.check_options(options_of(args))
        with progress("figures", args.games) as show:
            figures = measure(batch_type, args.games, args.seed, show, **options)
        width = max(map(len, figures))
        for name, (mean, error) in figures.items():
            print(f"{name:<{width}}  {mean:8.2f} ± {error:.2f}")
        write_json(
            args.json, {name: {"mean": mean, "standard_error": error} for name, (mean, error) in figures.items()}
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
