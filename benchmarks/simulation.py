"""How soon a league knows who is stronger: ``shogun-env simulation --bots 1000 --games 1000000``.

Bots have strengths that are known, and results are drawn from the model of Plackett and Luce, not played. The same
number of games is chosen by ``schedule`` and at random, next to each other, and the order of the fitted strengths is
compared with the truth. Everything else is what a league does: the journal with its hashes is written and read again.
``--newcomers N`` asks in addition how many games those need who enter when all others have been rated.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from shogun_env import GAMES, cli
from shogun_env.benchmarks.arena.fit import rate
from shogun_env.benchmarks.arena.games import History
from shogun_env.benchmarks.arena.journal import FILE, VERSION, Journal
from shogun_env.benchmarks.arena.likelihood import SCALE, Strengths, expected
from shogun_env.benchmarks.arena.schedule import choose, choose_any
from shogun_env.benchmarks.arena.settings import TELLING, Settings, made_by
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


class Measured(NamedTuple):
    """A simulated league."""

    points: list[Point]
    seconds: dict[str, float]
    """Seconds of computing of each part of the book-keeping."""
    journal_mb: float


def by_information(rng: np.random.Generator, known: Strengths, meetings: int) -> np.ndarray:
    """Return who meets as a league chooses."""
    return choose(rng, known.rounded(), meetings, PLAYERS)


def by_chance(rng: np.random.Generator, known: Strengths, meetings: int) -> np.ndarray:
    """Return who meets at random."""
    return choose_any(rng, len(known.mean), meetings, PLAYERS)


def drawn(rng: np.random.Generator, truth: np.ndarray, bots: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return places and points of games between bots int32[N, P], drawn from the model: float32 and int32[N, P]."""
    luck = truth[bots] + rng.gumbel(size=bots.shape)
    place = 1 + np.argsort(np.argsort(-luck, axis=1), axis=1)
    return place.astype(np.float32), (60 - 8 * place).astype(np.int32)


def play_round(journal: Journal, history: History, tables: np.ndarray, truth: np.ndarray, rng: Any) -> None:
    """Draw the games of a round and write them into the journal, in the blocks in which a league plays them."""
    number = len(history.rounds)
    history.tell(journal.append({"kind": "round", "number": number, "variant": 0, "tables": tables.tolist()}))
    now = history.rounds[-1]
    for block in range(now.n_blocks):
        games = now.games(block)
        place, points = drawn(rng, truth, now.bots(games))
        event = {
            "kind": "games", "round": number, "block": block, "seeds": games.tolist(),
            "place": place.astype(int).tolist(), "points": points.tolist(), "faults": [], "seconds": {}, "records": [],
        }  # fmt: skip
        history.tell(journal.append(event))


def checkpoints(games: int, first: int) -> list[int]:
    """Return after how many games to look: ``first``, then about twice and five times as many and so on.

    Example:
        >>> checkpoints(10000, 1000)
        [1000, 2000, 5000, 10000]
    """
    steps = [first * step * 10**power for power in range(9) for step in (1, 2, 5)]
    return [*[step for step in steps if step < games], games]


def simulate(truth: np.ndarray, games: int, choice: Choice, seed: int, folder: Path) -> Measured:
    """Simulate a league; the time that is measured is that of everything but drawing the results.

    Args: truth, float64[n], strengths; games, their number; choice, who meets; folder for the journal.
    """
    rng, size = np.random.default_rng(seed), len(truth)
    fixed = dict(enumerate(truth[:ANCHORS].tolist()))
    journal, history = begun(folder, size)
    looks = checkpoints(games, max(size, PLAYERS))
    points: list[Point] = []
    seconds = dict.fromkeys(("choose", "journal", "rate", "read again", "intervals"), 0.0)
    known = strengths_of(history, fixed)
    while history.n_games < games:
        begin = time.process_time()
        step = min(max(size // 2, history.n_games // GROWTH), looks[len(points)] - history.n_games)
        tables = choice(rng, known, -(-step // PLAYERS))
        seconds["choose"] += time.process_time() - begin
        begin = time.process_time()
        play_round(journal, history, tables, truth, rng)
        seconds["journal"] += time.process_time() - begin
        begin = time.process_time()
        known = strengths_of(history, fixed)
        seconds["rate"] += time.process_time() - begin
        if history.n_games >= looks[len(points)]:
            begin = time.process_time()
            points.append(point_of(history, truth))
            seconds["intervals"] += time.process_time() - begin
    journal.close()
    begin = time.process_time()
    again = History.at(folder / FILE)
    assert again.n_games == history.n_games, "the journal holds all games"
    seconds["read again"] = time.process_time() - begin
    return Measured(points=points, seconds=seconds, journal_mb=(folder / FILE).stat().st_size / 1e6)


def begun(folder: Path, size: int, schedule: str = TELLING, spec: str = "random") -> tuple[Journal, History]:
    """Return the journal and the history of a new league, or of a tournament, of ``size`` bots."""
    journal, history, names = Journal(folder / FILE), History(), [f"bot {bot}" for bot in range(size)]
    more: dict[str, Any] = {"agents": names} if schedule != TELLING else {}
    settings = Settings(game=GAMES[0], variants=({"num_players": PLAYERS},), schedule=schedule, seed=0, **more)
    start = {"kind": "start", "version": VERSION, "settings": settings.kept(), "made_by": made_by(GAMES[0])}
    history.tell(journal.append({**start, "secret_sha256": None}))
    for bot, name in enumerate(names):
        entry = {"kind": "entry", "bot": bot, "name": name, "spec": spec, "sha256": "", "rating": None}
        history.tell(journal.append(entry))
    return journal, history


def strengths_of(history: History, fixed: dict[int, float]) -> Strengths:
    """Return what the games of a league say about strengths, as it chooses games by them."""
    return expected(history.games.bots, history.games.place, len(history.entries), fixed)


def point_of(history: History, truth: np.ndarray) -> Point:
    """Return how well strengths are known."""
    from scipy.stats import kendalltau, spearmanr

    games, fixed = history.games, dict(enumerate((SCALE * truth[:ANCHORS]).tolist()))
    found = rate(games.bots, games.place, len(truth), fixed=fixed)
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

    Args:
        truth: float64[n], strengths; the last ``newcomers`` bots enter.
        newcomers: their number.
        width: of the 95 % interval that each of them must reach, in rating points.
        choice: who meets.
        seed: of chance.
    """
    rng, size = np.random.default_rng(seed), len(truth)
    fixed = dict(enumerate(truth[:-newcomers].tolist()))
    bots, place = np.zeros((0, PLAYERS), np.int32), np.zeros((0, PLAYERS), np.float32)
    while True:
        known = expected(bots, place, size, fixed)
        if 2 * Z95 * SCALE * np.sqrt(known.variance.max()) <= width:
            return len(bots)
        tables = choice(rng, known, max(newcomers, len(bots) // GROWTH // PLAYERS))
        seats = np.repeat(tables, PLAYERS, axis=0).astype(np.int32)  # where they sit does not count here
        bots, place = np.concatenate([bots, seats]), np.concatenate([place, drawn(rng, truth, seats)[0]])


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
        "--spread", type=cli.seconds, default=SPREAD, metavar="X", help=f"standard deviation of ratings ({SPREAD:g})"
    )
    parser.add_argument(
        "--newcomers", type=cli.count, metavar="N", help="also say how soon this many newcomers are rated"
    )
    parser.add_argument(
        "--width",
        type=cli.seconds,
        default=100.0,
        metavar="X",
        help="width of the intervals at which newcomers count as rated (100)",
    )
    parser.add_seed("seed of the strengths and of the results")
    parser.add_json("the figures")


def main(args: argparse.Namespace) -> None:
    """Run the command."""
    if args.bots < 2 * PLAYERS or (args.newcomers or 0) > args.bots - PLAYERS:
        raise ValueError(f"--bots {args.bots}: at least {2 * PLAYERS} and {PLAYERS} more than newcomers")
    truth = np.random.default_rng(args.seed).normal(size=args.bots) * args.spread / SCALE
    found = {}
    for name, choice in (("chosen", by_information), ("random", by_chance)):
        with tempfile.TemporaryDirectory() as folder:
            found[name] = simulate(truth, args.games, choice, args.seed, Path(folder))
    chosen, random = found["chosen"], found["random"]
    print(markdown_table(HEAD, rows_of(chosen.points, random.points)))
    times = ", ".join(f"{part} {seconds:.1f} s" for part, seconds in chosen.seconds.items())
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"Chosen: {sum(chosen.seconds.values()):.1f} s ({times}); the journal {chosen.journal_mb:.0f} MB; "
          f"at most {memory:.0f} MB of memory, both runs.")  # fmt: skip
    figures = {name: {**each._asdict(), "points": [p._asdict() for p in each.points]} for name, each in found.items()}
    if args.newcomers:
        games = [
            games_of_newcomers(truth, args.newcomers, args.width, each, args.seed)
            for each in (by_information, by_chance)
        ]
        print(f"{args.newcomers} newcomers are rated within {args.width:g} points after {games[0]:,} games, "
              f"chosen at random {games[1]:,}.")  # fmt: skip
        figures["newcomers"] = {"chosen": games[0], "random": games[1]}
    cli.write_json(args.json, {"figures": figures, "memory_mb": memory, "origin": cli.origin()})
