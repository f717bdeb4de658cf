"""Do the intervals of ratings hold what they say? ``shogun-env coverage``.

Bots have strengths that are known, places are drawn from the model of Plackett and Luce, and ``arena.fit`` rates them.
A row of the table is one kind of tournament, drawn many times: how many ratings had an interval, a bound or nothing,
and how many of both hold the truth. Where the true distance is infinite, no interval may be given.
"""

from __future__ import annotations

import argparse
from typing import NamedTuple

import numpy as np

from shogun_env import cli
from shogun_env.benchmarks.arena.fit import rate
from shogun_env.benchmarks.arena.likelihood import SCALE
from shogun_env.benchmarks.markdown import markdown_table, percent

SPREAD = 200.0
"""Deviation of the true ratings."""
NEVER = 60.0
"""Added to the strengths of bots that never lose to the others: their odds are e^60 to one."""


class Kind(NamedTuple):
    """A kind of tournament."""

    bots: int
    players: int
    games: int
    anchor: bool = True
    """Whether the first bot is the anchor; otherwise the mean is."""
    never_lose: int = 0
    """This many bots never lose to the others."""
    never_meet: bool = False
    """Whether the bots play in two halves."""

    def __str__(self) -> str:
        about = [f"{self.never_lose} never lose"] * (self.never_lose > 0) + ["halves never meet"] * self.never_meet
        return ", ".join(
            [f"{self.bots} bots, {self.players} players", *about, "" if self.anchor else "no anchor"]
        ).strip(", ")


KINDS = [
    *(Kind(bots=2, players=2, games=games) for games in (12, 40, 200, 1000, 10_000)),
    *(Kind(bots=3, players=3, games=games) for games in (12, 100)),
    *(Kind(bots=4, players=4, games=games) for games in (12, 40, 1000)),
    *(Kind(bots=6, players=4, games=games, anchor=False) for games in (12, 100)),
    *(Kind(bots=8, players=2, games=games) for games in (40, 400)),
    *(Kind(bots=12, players=4, games=games) for games in (12, 40, 200, 1000, 10_000)),
    Kind(bots=12, players=3, games=30, anchor=False),
    *(Kind(bots=4, players=2, games=games, never_lose=1) for games in (12, 100)),
    *(Kind(bots=6, players=3, games=games, never_lose=2) for games in (40, 1000)),
    *(Kind(bots=8, players=4, games=games, never_meet=True) for games in (24, 400)),
    Kind(bots=12, players=3, games=120, anchor=False, never_lose=3, never_meet=True),
]
"""The kinds of the table."""


class Count(NamedTuple):
    """How many ratings there were, and how many hold the truth."""

    intervals: int = 0
    intervals_hold: int = 0
    bounds: int = 0
    bounds_hold: int = 0
    nothing: int = 0
    wrong: int = 0
    """Intervals, or bounds on the wrong side, of bots whose true distance is infinite."""
    infinite: int = 0
    """Bounds of bots whose true distance is infinite."""

    @property
    def hold(self) -> float:
        """Share of intervals and bounds that hold a finite truth."""
        return (self.intervals_hold + self.bounds_hold) / max(self.intervals + self.bounds, 1)


def drawn(rng: np.random.Generator, strength: np.ndarray, kind: Kind) -> tuple[np.ndarray, np.ndarray]:
    """Return the bots and the places of the games of a tournament, int64 and float64[N, P]."""
    draws = rng.random((kind.games, kind.bots))
    if kind.never_meet:
        draws += (np.arange(kind.bots) % 2 != rng.integers(2, size=kind.games)[:, None]) * 1.0
    bots = draws.argsort(axis=1)[:, : kind.players]
    luck = strength[bots] + rng.gumbel(size=bots.shape)
    return bots, 1.0 + (-luck).argsort(axis=1).argsort(axis=1)


def counted(kind: Kind, tournaments: int, seed: int = 0) -> Count:
    """Draw tournaments of a kind, and return what the ratings of their bots hold."""
    rng = np.random.default_rng([seed, *map(int, kind)])
    count = dict.fromkeys(Count._fields, 0)
    for _ in range(tournaments):
        strength = rng.normal(size=kind.bots) * SPREAD / SCALE
        strength[kind.bots - kind.never_lose :] += NEVER
        rated = rate(*drawn(rng, strength, kind), kind.bots, anchors={0: 0.0} if kind.anchor else {})
        for bot in range(kind.bots):
            anchor = rated.anchor[rated.group[bot]]
            level = (
                strength[rated.compared & (rated.group == rated.group[bot])].mean() if anchor < 0 else strength[anchor]
            )
            truth = SCALE * float(strength[bot] - level)
            holds = bool(rated.low[bot] <= truth <= rated.high[bot])
            if abs(truth) > SCALE * NEVER / 4:
                count["infinite" if holds and rated.kind[bot] != "interval" else "wrong"] += 1
            elif rated.kind[bot] == "interval":
                count["intervals"] += 1
                count["intervals_hold"] += holds
            elif rated.kind[bot] in ("at least", "at most"):
                count["bounds"] += 1
                count["bounds_hold"] += holds
            elif rated.kind[bot] == "unknown":
                count["nothing"] += 1
    return Count(**count)


HEAD = ["bots", "games", "intervals", "hold", "bounds", "hold", "both hold", "nothing known", "truth infinite", "wrong"]


def row_of(kind: Kind, count: Count) -> list[str]:
    """Return a row of the table."""

    def share(some: int, of: int) -> str:
        return percent(some / of) if of else "–"

    return [
        str(kind), f"{kind.games:,}", str(count.intervals), share(count.intervals_hold, count.intervals),
        str(count.bounds), share(count.bounds_hold, count.bounds),
        share(count.intervals_hold + count.bounds_hold, count.intervals + count.bounds),
        str(count.nothing), str(count.infinite), str(count.wrong),
    ]  # fmt: skip


def add_arguments(parser: cli.Parser, game: str) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "--tournaments", type=cli.count, default=200, metavar="N", help="tournaments of each kind (200)"
    )
    parser.add_seed("seed of the strengths and of the results")


def main(args: argparse.Namespace) -> None:
    """Run the command."""
    print(markdown_table(HEAD, [row_of(kind, counted(kind, args.tournaments, args.seed)) for kind in KINDS]))
