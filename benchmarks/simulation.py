"""How soon a league knows who is stronger: ``shogun-env simulation --bots 1000 --games 1000000``.

Bots have strengths that are known, and results are drawn from the model of Plackett and Luce, not played. The same
number of games is chosen by ``schedule`` and at random, next to each other, and the order of the fitted strengths is
compared with the truth. ``--newcomers N`` asks in addition how many games those need who enter when all others have
been rated. What the book-keeping costs is measured by ``shogun-env scale``.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from shogun_env import cli
from shogun_env.benchmarks.arena.fit import rate
from shogun_env.benchmarks.arena.likelihood import SCALE, Strengths, expected
from shogun_env.benchmarks.arena.schedule import choose, choose_any
from shogun_env.benchmarks.markdown import markdown_table, percent
from shogun_env.shares import Z95

SPREAD = 300.0
"""Deviation of the true ratings: nine of ten bots lie within 1,000 points, as from ``random`` to ``champion``."""
GROWTH = 3
"""A round has this part of the games before it, so that few rounds make many games."""
ANCHORS = 4
"""The strengths of this many bots are fixed, as those of the reference pool."""
PLAYERS = 4

Choice = Callable[[np.random.Generator, Strengths, int], np.ndarray]


class Point(NamedTuple):
    """How well the order of all bots is known after some games."""

    games: int
    spearman: float
    kendall: float
    covered: float
    """Share of the 95 % intervals that hold the truth."""


class Games(NamedTuple):
    """Games that were drawn."""

    bots: np.ndarray = np.zeros((0, PLAYERS), np.int32)
    """int32[N, P]."""
    place: np.ndarray = np.zeros((0, PLAYERS))
    """float64[N, P]."""

    def and_more(self, rng: np.random.Generator, truth: np.ndarray, tables: np.ndarray) -> Games:
        """Return these games and those of bots that meet, int32[n, P], in all rotations of their seats."""
        bots = np.stack([np.roll(tables, -turn, axis=1) for turn in range(PLAYERS)], axis=1).reshape(-1, PLAYERS)
        return Games(np.concatenate([self.bots, bots]), np.concatenate([self.place, drawn(rng, truth, bots)]))


def drawn(rng: np.random.Generator, truth: np.ndarray, bots: np.ndarray) -> np.ndarray:
    """Return the places in games between bots int[N, P], drawn from the model of Plackett and Luce: float64[N, P]."""
    luck = truth[bots] + rng.gumbel(size=bots.shape)
    places: np.ndarray = 1.0 + (-luck).argsort(axis=1).argsort(axis=1)
    return places


def checkpoints(games: int, first: int) -> list[int]:
    """Return after how many games to look: ``first``, then about twice and five times as many and so on.

    Example:
        >>> checkpoints(10000, 1000)
        [1000, 2000, 5000, 10000]
    """
    steps = [first * step * 10**power for power in range(9) for step in (1, 2, 5)]
    return [*[step for step in steps if step < games], games]


def simulate(truth: np.ndarray, games: int, choice: Choice, seed: int) -> list[Point]:
    """Simulate a league of bots with strengths float64[n], and return how well they are known on the way."""
    rng, size = np.random.default_rng(seed), len(truth)
    fixed = dict(enumerate(truth[:ANCHORS].tolist()))
    so_far, points = Games(), []
    for look in checkpoints(games, max(size, PLAYERS)):
        while (n := len(so_far.bots)) < look:
            known = expected(*so_far, size, fixed)
            step = min(max(size // 2, n // GROWTH), look - n)
            so_far = so_far.and_more(rng, truth, choice(rng, known, -(-step // PLAYERS)))
        points.append(point_of(so_far, truth))
    return points


def point_of(games: Games, truth: np.ndarray) -> Point:
    """Return how well strengths are known."""
    from scipy.stats import kendalltau, spearmanr

    found = rate(*games, len(truth), fixed=dict(enumerate((SCALE * truth[:ANCHORS]).tolist())))
    known = np.isfinite(found.rating)
    held = (found.low <= SCALE * truth) & (found.high >= SCALE * truth)
    return Point(
        games=len(games.bots),
        spearman=float(spearmanr(found.rating[known], truth[known]).statistic),
        kendall=float(kendalltau(found.rating[known], truth[known]).statistic),
        covered=float(held[ANCHORS:][known[ANCHORS:]].mean()),
    )


def games_of_newcomers(truth: np.ndarray, newcomers: int, width: float, choice: Choice, seed: int) -> int:
    """Return how many games are played until newcomers are rated, where all others have been and are fixed.

    Args: truth, float64[n], strengths, those of newcomers last; newcomers, how many; width of the 95 % interval that
        each of them must reach, in rating points; choice; seed.
    """
    rng, size = np.random.default_rng(seed), len(truth)
    fixed = dict(enumerate(truth[:-newcomers].tolist()))
    so_far = Games()
    while True:
        known, n = expected(*so_far, size, fixed), len(so_far.bots)
        if 2 * Z95 * SCALE * np.sqrt(known.variance.max()) <= width:
            return n
        so_far = so_far.and_more(rng, truth, choice(rng, known, max(newcomers, n // GROWTH // PLAYERS)))


def needed(points: Sequence[Point], kendall: float) -> float:
    """Return after how many games Kendall's correlation is reached, between points by their logarithms; or NaN."""
    reached = np.array([point.kendall for point in points])
    if reached.max() < kendall:
        return float("nan")
    games = np.log([point.games for point in points])
    return float(np.exp(np.interp(kendall, np.maximum.accumulate(reached), games)))


def rows_of(chosen: Sequence[Point], random: Sequence[Point]) -> Iterator[list[str]]:
    """Yield the rows of the table that compares both."""
    for one, other in zip(chosen, random, strict=True):
        enough = needed(chosen, other.kendall)
        yield [
            f"{one.games:,}", f"{one.spearman:.4f}", f"{other.spearman:.4f}", f"{one.kendall:.4f}",
            f"{other.kendall:.4f}", "–" if np.isnan(enough) else percent(enough / other.games, 0), percent(one.covered),
        ]  # fmt: skip


HEAD = ["games", "Spearman, chosen", "random", "Kendall, chosen", "random", "as good with", "intervals hold"]


def add_arguments(parser: cli.Parser, game: str) -> None:
    """Add the arguments of the command."""
    parser.add_argument("--bots", type=cli.count, default=1000, metavar="N", help="number of bots (1000)")
    parser.add_games(1_000_000)
    parser.add_argument(
        "--spread", type=cli.number, default=SPREAD, metavar="X", help=f"standard deviation of ratings ({SPREAD:g})"
    )
    words = "also say how soon this many newcomers are rated"
    parser.add_argument("--newcomers", type=cli.count, metavar="N", help=words)
    words = "width of the intervals at which newcomers count as rated (100)"
    parser.add_argument("--width", type=cli.positive, default=100.0, metavar="X", help=words)
    parser.add_seed("seed of the strengths and of the results")
    parser.add_json("the figures")


def main(args: argparse.Namespace) -> None:
    """Run the command."""
    if args.bots < 2 * PLAYERS or (args.newcomers or 0) > args.bots - PLAYERS:
        raise ValueError(f"--bots {args.bots}: at least {2 * PLAYERS} and {PLAYERS} more than newcomers")
    truth = np.random.default_rng(args.seed).normal(size=args.bots) * args.spread / SCALE
    choices: dict[str, Choice] = {
        "chosen": lambda rng, known, meetings: choose(rng, known.rounded(), meetings, PLAYERS),  # as a league chooses
        "random": lambda rng, known, meetings: choose_any(rng, len(known.mean), meetings, PLAYERS),
    }
    points = {name: simulate(truth, args.games, choice, args.seed) for name, choice in choices.items()}
    print(markdown_table(HEAD, rows_of(**points)), end="")
    figures: dict[str, Any] = {name: {"points": [point._asdict() for point in own]} for name, own in points.items()}
    if args.newcomers:
        asked = args.newcomers, args.width
        games = {name: games_of_newcomers(truth, *asked, choice, args.seed) for name, choice in choices.items()}
        print(f"\n{args.newcomers} newcomers are rated within {args.width:g} points after {games['chosen']:,} games, "
              f"chosen at random {games['random']:,}.")  # fmt: skip
        figures["newcomers"] = games
    cli.write_json(args.json, {"figures": figures, "origin": cli.origin()})
