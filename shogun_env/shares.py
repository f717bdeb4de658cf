"""Shares of the win: of players, of one agent against copies of another, and tests that stop as soon as they know."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from shogun_env.batch.validation import seeds_of
from shogun_env.policies import Agent, bot_of, play_on, wants_records
from shogun_env.spec.game_spec import GameSpec
from shogun_env.spec.voice import counted

if TYPE_CHECKING:  # --help is quick without the engine
    from shogun_env.batch.batch import Batch
    from shogun_env.batch.collecting import Decisions

Z95 = 1.959964
"""Standard deviations on either side that hold 95 % of a normal distribution."""
FEWEST = 6
"""Seeds that a measure has at least: of five, values that are one of two all agree one time in 16, of six in 32."""
STUDENT = (float("inf"), 12.706205, 4.302653, 3.182446, 2.776445)
"""The same of Student's distribution with 0 to 4 degrees of freedom."""


class Share(NamedTuple):
    """What a number of games say about the share of wins of one agent."""

    share: float
    """Share of wins, 0..1."""
    low: float
    """Lower end of the 95 % interval, over seeds: the rotations of one seed are one draw."""
    high: float
    """Upper end of that interval."""
    seats: tuple[float, ...]
    """Share of wins as player 0, 1, …"""
    games: int

    @property
    def half_width(self) -> float:
        """The wider side of the interval, which may be cut off at 0 or 1."""
        return max(self.share - self.low, self.high - self.share)


def final_shares(batch: Batch, decisions: Decisions, n_players: int) -> np.ndarray:
    """Return the final share of the win per player for each decision, starting with the player to act: float32[n, P].

    Args: batch: games that are over, with ``reward="win"``; decisions: made in them; n_players: P.
    """
    players, shares = batch.num_players, shares_of_win(batch)
    out = np.zeros((len(decisions), n_players), np.float32)
    others = (decisions.players[:, None] + np.arange(players)) % players
    out[:, :players] = shares[decisions.rows[:, None], others]
    return out


def wins(
    batch_class: type[Batch],
    agent: Agent,
    opponent: Agent | Sequence[Agent],
    seeds: np.ndarray,
    options: dict[str, Any],
    num_threads: int = 1,
) -> np.ndarray:
    """Play one agent against copies of another in all rotations of the seats; return its share of the win of each game.

    Args:
        batch_class: the game's ``Batch``.
        agent: the one.
        opponent: plays all other seats; of several, each seed draws who plays which of them, nobody twice if there are
            enough.
        seeds: int64[S]; each is played in every rotation.
        options: options of play; those that are left out have their defaults.
        num_threads: threads of the engine; results do not depend on their number.

    Returns: float64[S, P], by seed and by player that the agent played; a win that is shared counts as a part.
    """
    batch, players = rotated(batch_class, agent, opponent, seeds, options, num_threads)
    return shares_of_win(batch)[np.arange(len(players)), players].reshape(len(seeds), -1)


def rotated(
    batch_class: type[Batch],
    agent: Agent,
    opponent: Agent | Sequence[Agent],
    seeds: np.ndarray,
    options: dict[str, Any],
    num_threads: int = 1,
    record: bool = False,
) -> tuple[Batch, np.ndarray]:
    """Play the games of ``wins``; return them, seed by seed, and the player that the agent was in each: int64[S * P].

    Args:
        batch_class, agent, opponent, seeds, options, num_threads: as for ``wins``.
        record: whether the batch keeps records, also if no bot wants what is in them.
    """
    players: int = batch_class.spec.check_options(options)["num_players"]
    others = list(opponent) if isinstance(opponent, list | tuple) else [opponent]
    _some("seeds", seeds := seeds_of(seeds, np.size(seeds)))
    _some("opponent", others)
    bots = [bot_of(each) for each in (agent, *others)]
    record = record or wants_records(bots)
    batch = batch_class(len(seeds) * players, num_threads=num_threads, record=record, **{**options, "reward": "win"})
    batch.reset(seeds=np.repeat(seeds, players))
    played = np.tile(np.arange(players), len(seeds))
    seats = np.zeros((len(played), players), np.int8)
    for row, (seed, player) in enumerate(zip(np.repeat(seeds, players).tolist(), played.tolist(), strict=True)):
        drawn = np.random.default_rng(seed).choice(len(others), players - 1, replace=len(others) < players - 1)
        seats[row, (player + np.arange(1, players)) % players] = 1 + drawn
    play_on(batch, bots, seats)
    return batch, played


def shares_of_win(batch: Batch) -> np.ndarray:
    """Return each player's share of the win, float64[B, P], of games with the reward ``win`` that are over."""
    n = batch.num_players
    return (batch.returns * (n - 1) + 1) / n  # the reward is (n z - 1) / (n - 1) for a share z


def mean_shares(
    batch_class: type[Batch],
    agent: Agent,
    opponent: Agent | Sequence[Agent],
    seeds: np.ndarray,
    variants: Sequence[dict[str, Any]],
    num_threads: int = 1,
) -> np.ndarray:
    """Return for each seed the mean share of the win of one agent against copies of another: float64[S].

    The mean is over the variants and, in each, over all rotations of the seats. Its expectation if both are equally
    strong is ``parity``, and seeds are independent: these are the values that a test (``decide``) asks for.

    Args:
        batch_class, agent, opponent, seeds, num_threads: as for ``wins``.
        variants: sets of options of play, at least one; one that comes twice is played once, and counts twice.
    """
    _some("variants", variants)
    each = [options for at, options in enumerate(variants) if options not in variants[:at]]
    parts = [wins(batch_class, agent, opponent, seeds, options, num_threads).mean(1) for options in each]
    return np.average(parts, axis=0, weights=[variants.count(options) for options in each])


def parity(spec: GameSpec, variants: Sequence[dict[str, Any]]) -> float:
    """Return the mean share of the win over variants if all players are equally strong."""
    _some("variants", variants)
    return float(np.mean([1 / spec.check_options(options)["num_players"] for options in variants]))


def share_of(won: np.ndarray) -> Share:
    """Return the share of wins float64[S, P] with its interval, from the spread between seeds.

    If all seeds agree there is no spread, and the interval is Wilson's for as many independent games.

    Raises: ValueError for what is no such array of shares.
    """
    won = _shares(won, 2)
    _some("won", won)
    seeds, players = won.shape
    share = float(won.mean())
    by_seed = won.mean(1)
    if np.ptp(by_seed) == 0:
        low, high = wilson(share * won.size, won.size)
    else:
        half = half_width(by_seed)
        low, high = max(0.0, share - half), min(1.0, share + half)
    return Share(share=share, low=low, high=high, seats=tuple(won.mean(0).tolist()), games=seeds * players)


def half_width(values: np.ndarray, games: int = 0) -> float:
    """Return half the width of the 95 % interval of the mean of independent values float64[n]; infinity for one alone.

    Where shares 0..1, of this many games together, all agree, it is the wider side of Wilson's interval.

    Example:
        >>> round(half_width(np.array([26.6, 27.8, 25.9, 25.2, 26.1])), 2)
        1.2
    """
    n = len(values)
    if games and n > 1 and np.ptp(values) == 0:
        return max(abs(end - float(values[0])) for end in wilson(float(values[0]) * games, games))
    return student(n - 1) * float(values.std(ddof=1)) / n**0.5 if n > 1 else float("inf")


def student(freedom: int) -> float:
    """Return the standard errors on either side that hold 95 % of Student's distribution, of 1 or more degrees.

    From five degrees on by Fisher's series in 1 / degrees (Abramowitz and Stegun 26.7.5), .1 % too little at most.

    Example:
        >>> [round(student(n), 3) for n in (4, 5, 249)]
        [2.776, 2.568, 1.97]
    """
    if freedom < len(STUDENT):
        return STUDENT[freedom]
    z, square, n = Z95, Z95 * Z95, float(freedom)
    first = (square + 1) / 4
    second = ((5 * square + 16) * square + 3) / 96
    third = (((3 * square + 19) * square + 17) * square - 15) / 384
    return z * (1 + (first + (second + third / n) / n) / n)


def _some(name: str, values: Sequence[Any] | np.ndarray) -> None:
    """Raise ValueError if there are none."""
    if not len(values):
        raise ValueError(f"{name}: give at least one")


def _shares(values: Any, dimensions: int) -> np.ndarray:
    """Return shares as float64; ValueError unless all are from 0 to 1, in an array of so many dimensions."""
    shares = np.asarray(values, np.float64)
    if shares.ndim != dimensions:
        raise ValueError(f"values of shape {shares.shape}: must be an array of {counted(dimensions, 'dimension')}")
    if shares.size and not (shares.min() >= 0.0 and shares.max() <= 1.0):
        raise ValueError(f"values from {shares.min():g} to {shares.max():g}: must be in [0, 1]")
    return shares


def wilson(wins: float, games: int) -> tuple[float, float]:
    """Return the 95 % Wilson interval of a share of wins, for independent games.

    Example:
        >>> [round(end, 3) for end in wilson(10, 10)]
        [0.722, 1.0]
    """
    if not 0 <= wins <= games or not games:
        raise ValueError(f"{wins:g} wins of {games:g} games: must be from 0 to all of at least one")
    share, square = wins / games, Z95 * Z95
    middle = (share + square / (2 * games)) / (1 + square / games)
    half = Z95 * (share * (1 - share) / games + square / (4 * games * games)) ** 0.5 / (1 + square / games)
    return max(0.0, middle - half), min(1.0, middle + half)


# --- tests that stop as soon as they know ----------------------------------------------------------------------------
#
# Two bets are made on the values as they come. One can only win in the long run if the mean is above ``low``, the
# other if it is below ``high``. As soon as one of them has multiplied its capital by 1 / ``error``, the claim against
# which it was made is refuted. By Ville's inequality a true claim is refuted with a probability of at most ``error``,
# whenever one looks and whatever the values are distributed like, as long as the mean of each, given those before, is
# the same (I. Waudby-Smith and A. Ramdas, "Estimating means of bounded random variables by betting", JRSS B 86,
# 2024). What is staked suits a mean at the other bound, so that about as many values are needed as by Wald's test
# (SPRT).
#
# Where the mean is between the bounds either answer is right, so every test ends.

YES, NO, UNDECIDED = "yes", "no", "undecided"
PRIOR = 4.0
"""The first guesses of mean and variance count as this many values."""
SMALLEST = 0.25
"""The first guess of the variance is this part of the variance of a coin with the mean of the bound: a value is mostly
the mean of a few games."""
STAKE = 0.5
"""At most this part of the capital can be lost by one value."""
GRID = 1000
"""The interval is that of the means 1 / GRID, 2 / GRID, … that are not refuted, one step wider on either side."""
SECONDS = 2.0
"""A call for values should take about as long: what is played when a run is stopped is lost."""


class Bounds(NamedTuple):
    """The question, fixed before the first value is seen."""

    low: float
    """``yes`` says that the mean is above this."""
    high: float
    """``no`` says that the mean is below this, which is above ``low``."""
    error: float = 0.05
    """The highest probability of ``yes`` if the mean is at most ``low``, and of ``no`` if it is at least ``high``."""

    def check(self) -> None:
        """Raise ValueError for bounds that ask nothing."""
        if not 0.0 < self.low < self.high < 1.0:
            raise ValueError(f"bounds {self.low:g} and {self.high:g}: must be 0 < low < high < 1")
        if not 0.0 < self.error < 0.5:
            raise ValueError(f"error={self.error:g}: must be more than 0 and less than 0.5")


class Decision(NamedTuple):
    """What a test says."""

    verdict: str
    """``yes``, ``no``, or ``undecided`` if the values do not suffice."""
    used: int
    """Number of values up to the verdict; what comes after them is left out."""
    mean: float
    """Their mean, 0 without values."""


def log_capital(values: np.ndarray, bound: np.ndarray | float, zone: float) -> np.ndarray:
    """Return the logarithm of the capital of a bet that the mean of ``values`` is above a bound, after each value.

    Args:
        values: float64[..., n], in [0, 1].
        bound: between 0 and 1, or an array that broadcasts to ``values``, such as float64[m, 1].
        zone: the bet suits a mean at least this far above the bound.

    Returns: float64[..., n]; it starts from 0 before the first value.
    """
    number = PRIOR + np.arange(values.shape[-1])
    mean = (PRIOR * bound + np.cumsum(values, -1) - values) / number  # of the values before
    square = (values - mean) ** 2
    variance = (PRIOR * SMALLEST * bound * (1.0 - bound) + np.cumsum(square, -1) - square) / number
    gain = np.maximum(mean - bound, zone)
    bet = np.minimum(gain / (variance + gain**2), STAKE / bound)
    return np.cumsum(np.log1p(bet * (values - bound)), -1)


def decide(values: Sequence[float] | np.ndarray, bounds: Bounds) -> Decision:
    """Return what a test says of the values so far; their number need not be fixed before.

    Args:
        values: in [0, 1], in the order in which they came.
        bounds: the question.

    Raises: ValueError for values out of range, or bounds that ask nothing.

    Example:
        >>> decide([1.0, 0.5] * 12, Bounds(low=0.25, high=0.3)).verdict
        'yes'
    """
    bounds.check()
    x = _shares(values, 1)
    zone, enough = bounds.high - bounds.low, -np.log(bounds.error)
    ends = {}
    for verdict, capital in (
        (YES, log_capital(x, bounds.low, zone)),
        (NO, log_capital(1.0 - x, 1.0 - bounds.high, zone)),
    ):
        if (capital >= enough).any():
            ends[verdict] = int((capital >= enough).argmax()) + 1
    verdict = min(ends, key=ends.__getitem__, default=UNDECIDED)
    used = ends.get(verdict, x.size)
    return Decision(verdict=verdict, used=used, mean=float(x[:used].mean()) if used else 0.0)


def interval(values: np.ndarray, error: float = 0.05) -> tuple[float, float]:
    """Return an interval that holds the mean of values float64[n] with a probability of 1 - ``error``, whenever asked.

    It is wider than an interval for a number of values fixed before, which a test that stops may not use.

    Raises: ValueError for values that are no shares, or an ``error`` that is none.
    """
    values = _shares(values, 1)
    if not 0.0 < error < 1.0:
        raise ValueError(f"error={error:g}: must be more than 0 and less than 1")
    grid = np.arange(1, GRID)[:, None] / GRID
    if not values.size:
        return 0.0, 1.0
    enough = np.log(2.0 / error)
    above = log_capital(values, grid, 0.0).max(1) < enough
    below = log_capital(1.0 - values, 1.0 - grid, 0.0).max(1) < enough
    possible = np.flatnonzero(above & below)
    if not possible.size:  # the values change in time: no one mean fits them all
        return float(values.mean()), float(values.mean())
    return float(possible[0] / GRID), float((possible[-1] + 2) / GRID)


def run_test(play: Callable[[int, int], Any], bounds: Bounds, most: int, values: list[float]) -> Iterator[Decision]:
    """Ask for values until the test knows, or there are ``most``; yield what it says at first and after each call.

    Args:
        play: ``play(first, count)`` returns the values number ``first`` to ``first + count - 1``, float64[count].
        bounds: the question.
        most: values are asked for up to this number.
        values: those of an earlier run with the same question, to be resumed; new ones are appended.

    Raises: ValueError for bounds that ask nothing.
    """
    decision, count = decide(values, bounds), 1
    yield decision
    while decision.verdict == UNDECIDED and len(values) < most:
        begin = time.perf_counter()
        values.extend(np.asarray(play(len(values), min(count, most - len(values))), np.float64).tolist())
        count = 2 * count if time.perf_counter() - begin < SECONDS / 2 else max(1, count // 2)
        decision = decide(values, bounds)
        yield decision
