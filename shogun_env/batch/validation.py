"""Checks of the arguments of a batch: rows, players, seeds, numbers. Each error says what would be right."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from shogun_env.spec.forms import from_0, shown
from shogun_env.spec.options import is_whole

MAX_SEED = 2**53
"""Seeds are below it, so that every JSON reader holds them exactly."""
MOST_POLICIES = 127
"""Seats are bytes, -1 for nobody."""


class WritableArrays:
    """A class whose objects have arrays that kernels can write into, also after they have been pickled.

    Joblib and Ray pass large arrays as read-only views of shared memory.
    """

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        """Restore the attributes from a pickle, with copies of the arrays that are read-only."""
        for name, value in state.items():
            read_only = isinstance(value, np.ndarray) and not value.flags.writeable
            self.__dict__[name] = np.array(value) if read_only else value


def _one_each(name: str, values: Any, count: int) -> np.ndarray:
    """Return ``values`` as int64[count]; ValueError unless they are ``count`` whole numbers."""
    try:
        numbers = np.asarray(values)
    except ValueError:  # of no one shape, such as what ``predict`` of a library returns: actions and None
        numbers = np.asarray(None)
    fits = numbers.dtype.kind in "iu" and (numbers.dtype != np.uint64 or numbers.max(initial=0) < 2**63)
    given = [] if fits else numbers.ravel().tolist()
    if given and all(map(is_whole, given)):
        raise ValueError(f"{name} must be below 2^{53 if name == 'seeds' else 63}, found {max(given, key=abs)}")
    if numbers.shape != (count,) or not fits:
        form = f"{name} of shape {numbers.shape} and type {numbers.dtype}"
        raise ValueError(f"{form}: must be whole numbers (int64), one for each of {count} rows, not {shown(values)}")
    own = np.ascontiguousarray(numbers, np.int64)
    return own if own.flags.writeable else own.copy()  # for a read-only array kernels would be compiled anew


def params_of(values: Any, who: str) -> np.ndarray:
    """Return the parameters of a policy as float64[K]; ValueError naming whose they are for what is no such row."""
    try:
        params = np.atleast_1d(np.asarray(values, np.float64))
    except (TypeError, ValueError):
        params = np.zeros((0, 0))
    if params.ndim != 1:
        raise ValueError(f"{who}: the parameters must be one row of numbers, float64[K], not {shown(values)}")
    return params


def spread_of(value: Any) -> float:
    """Return how far parameters vary as a float; ValueError unless it is a finite number, 0 or more."""
    if not from_0(value.item() if isinstance(value, np.generic) else value):
        raise ValueError(f"spread={shown(value)}: must be a finite number, 0 or more")
    return float(value)


def rows_of(which: Any, num_games: int) -> np.ndarray:
    """Return rows as indices int64[n], from bool[B], indices int[n], or None for all; ValueError for bad ones."""
    if which is None:
        return np.arange(num_games)
    rows = np.atleast_1d(np.asarray(which))
    if rows.dtype == np.bool_:
        if rows.shape != (num_games,):
            raise ValueError(f"rows: a mask of shape {rows.shape} must have one entry for each of {num_games} games")
        return np.flatnonzero(rows)
    if rows.size == 0:
        return np.zeros(0, np.int64)
    rows = _one_each("rows", rows, rows.size)
    if rows.min() < 0 or rows.max() >= num_games:
        raise ValueError(f"rows must be from 0 to {num_games - 1}, found {int(rows.min())} to {int(rows.max())}")
    return rows


def distinct_rows_of(which: Any, num_games: int) -> np.ndarray:
    """Return rows that are written into as ``rows_of`` does; ValueError also for one that is named twice."""
    rows = rows_of(which, num_games)
    if which is not None and (counts := np.bincount(rows, minlength=1)).max() > 1:
        raise ValueError(f"rows: row {int(counts.argmax())} is named twice; give each once")
    return rows


def each_number(name: str, value: Any, count: int) -> np.ndarray:
    """Return one number for each of ``count`` rows as int64[count], from int or int[count]; ValueError for others."""
    numbers = np.asarray(value)
    return _one_each(name, np.full(count, numbers) if numbers.ndim == 0 else numbers, count)


def players_of(player: Any, count: int, num_players: int) -> np.ndarray:
    """Return one player for each of ``count`` rows as int8[count], from int or int[count]; ValueError for bad ones."""
    players = each_number("player", player, count)
    if count and (players.min() < 0 or players.max() >= num_players):
        raise ValueError(f"players are 0 to {num_players - 1}, found {int(players.min())} to {int(players.max())}")
    return players.astype(np.int8)


def seeds_of(seeds: Any, count: int) -> np.ndarray:
    """Return one seed for each of ``count`` rows as int64[count]; ValueError for bad ones."""
    numbers = _one_each("seeds", np.atleast_1d(np.asarray(seeds)), count)
    if count and (numbers.min() < 0 or numbers.max() >= MAX_SEED):
        raise ValueError(f"seeds must be from 0 to 2^53 - 1, found {int(numbers.min())} to {int(numbers.max())}")
    return numbers


def actions_of(actions: Any, count: int) -> np.ndarray:
    """Return one action for each of ``count`` rows as int64[count]; whether they are legal is checked elsewhere."""
    return _one_each("actions", actions, count)


def seats_of(seats: Any, num_games: int, num_players: int, num_policies: int) -> np.ndarray:
    """Return int8[B, P], the policy that plays each player, or -1; without ``seats`` policy p plays player p.

    Raises: ValueError for seats that do not fit the games or the policies.
    """
    if num_policies > MOST_POLICIES:
        raise ValueError(f"{num_policies} policies: at most {MOST_POLICIES} fit, each once, as seats are bytes")
    if seats is None:
        if num_policies != num_players:
            raise ValueError(
                f"{num_policies} policies for {num_players} players: give one for each player, or give seats"
            )
        seats = np.arange(num_players)
    given, table = np.asarray(seats), np.empty((num_games, num_players), np.int8)
    try:
        fitting = given if given.shape == table.shape else np.broadcast_to(given, table.shape)
    except ValueError:
        fitting = None
    if fitting is None or given.dtype.kind not in "iu":
        form = f"seats of shape {given.shape} and type {given.dtype}"
        raise ValueError(f"{form}: must be whole numbers that fit the shape ({num_games}, {num_players})")
    if given.size and (given.min() < -1 or given.max() >= num_policies):
        raise ValueError(
            f"seats from {given.min()} to {given.max()}: must be from -1 to {num_policies - 1}, the last policy"
        )
    table[...] = fitting
    return table


def stage_of(until: str | None, stages: Sequence[str]) -> int:
    """Return the index of the stage named ``until``, -1 for None.

    Raises: ValueError for a stage that the game does not have.
    """
    if until is None:
        return -1
    if until not in stages:
        raise ValueError(f"until={until!r}: must be None or one of {', '.join(stages) or 'none in this game'}")
    return list(stages).index(until)
