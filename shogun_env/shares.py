"""Shares of the win: of the players of a game, and of one agent against copies of another, with its interval."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from shogun_env.batch.batch import Batch
from shogun_env.batch.collecting import Decisions
from shogun_env.policies import Agent, play_on
from shogun_env.spec.game_spec import GameSpec

Z95 = 1.959964
"""Standard deviations on either side that hold 95 % of a normal distribution."""


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
        """Half the width of the interval."""
        return (self.high - self.low) / 2


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
    opponent: Agent,
    seeds: np.ndarray,
    options: dict[str, Any],
    num_threads: int = 1,
) -> np.ndarray:
    """Play one agent against copies of another in all rotations of the seats; return its share of the win of each game.

    Args:
        batch_class: the game's ``Batch``.
        agent: the one.
        opponent: plays all other seats.
        seeds: int64[S]; each is played in every rotation.
        options: options of play; those that are left out have their defaults.
        num_threads: threads of the engine; results do not depend on their number.

    Returns: float64[S, P], by seed and by player that the agent played; a win that is shared counts as a part.
    """
    batch, own = rotated(batch_class, agent, opponent, seeds, options, num_threads)
    shares: np.ndarray = shares_of_win(batch)[np.arange(len(own)), own].reshape(len(seeds), -1)
    return shares


def rotated(
    batch_class: type[Batch],
    agent: Agent,
    opponent: Agent,
    seeds: np.ndarray,
    options: dict[str, Any],
    num_threads: int = 1,
    record: bool = False,
) -> tuple[Batch, np.ndarray]:
    """Play the games of ``wins``; return them, seed by seed, and the player that the agent was in each: int64[S * P].

    Args:
        batch_class, agent, opponent, seeds, options, num_threads: as for ``wins``.
        record: whether the batch keeps records.
    """
    players: int = batch_class.spec.check_options(options)["num_players"]
    batch = batch_class(len(seeds) * players, num_threads=num_threads, record=record, **{**options, "reward": "win"})
    batch.reset(seeds=np.repeat(seeds, players))
    own = np.tile(np.arange(players), len(seeds))
    seats = np.ones((len(own), players), np.int8)
    seats[np.arange(len(own)), own] = 0
    play_on(batch, [agent, opponent], seats)
    return batch, own


def shares_of_win(batch: Batch) -> np.ndarray:
    """Return each player's share of the win, float64[B, P], of games with the reward ``win`` that are over."""
    n = batch.num_players
    shares: np.ndarray = (batch.returns * (n - 1) + 1) / n  # the reward is (n z - 1) / (n - 1) for a share z
    return shares


def mean_shares(
    batch_class: type[Batch],
    agent: Agent,
    opponent: Agent,
    seeds: np.ndarray,
    variants: Sequence[dict[str, Any]],
    num_threads: int = 1,
) -> np.ndarray:
    """Return for each seed the mean share of the win of one agent against copies of another: float64[S].

    The mean is over the variants and, in each, over all rotations of the seats. Its expectation if both are equally
    strong is ``parity``, and seeds are independent: these are the values that a test (``sequential``) asks for.

    Args:
        batch_class, agent, opponent, seeds, num_threads: as for ``wins``.
        variants: sets of options of play, at least one.
    """
    parts = [wins(batch_class, agent, opponent, seeds, options, num_threads).mean(1) for options in variants]
    mean: np.ndarray = np.mean(parts, axis=0)
    return mean


def parity(spec: GameSpec, variants: Sequence[dict[str, Any]]) -> float:
    """Return the mean share of the win over variants if all players are equally strong."""
    return float(np.mean([1 / spec.check_options(options)["num_players"] for options in variants]))


def share_of(won: np.ndarray) -> Share:
    """Return the share of wins float64[S, P] with its interval, from the spread between seeds.

    If all seeds agree there is no spread, and the interval is Wilson's for as many independent games.
    """
    seeds, players = won.shape
    share = float(won.mean())
    by_seed = won.mean(1)
    if np.ptp(by_seed) == 0:
        low, high = wilson(share * won.size, won.size)
    else:
        half = half_width(by_seed)
        low, high = max(0.0, share - half), min(1.0, share + half)
    return Share(share=share, low=low, high=high, seats=tuple(won.mean(0).tolist()), games=seeds * players)


def half_width(values: np.ndarray) -> float:
    """Return half the width of the 95 % interval of the mean of independent values float64[n]; infinity for one alone.

    Example:
        >>> round(half_width(np.array([0.0, 1.0])), 2)
        0.98
    """
    n = len(values)
    return Z95 * float(values.std(ddof=1)) / n**0.5 if n > 1 else float("inf")


def wilson(wins: float, games: int) -> tuple[float, float]:
    """Return the 95 % Wilson interval of a share of wins, for independent games.

    Example:
        >>> [round(end, 3) for end in wilson(10, 10)]
        [0.722, 1.0]
    """
    share, square = wins / games, Z95 * Z95
    middle = (share + square / (2 * games)) / (1 + square / games)
    half = Z95 * (share * (1 - share) / games + square / (4 * games * games)) ** 0.5 / (1 + square / games)
    return max(0.0, middle - half), min(1.0, middle + half)
