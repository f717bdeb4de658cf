"""Checks of what callers pass to a batch: rows, players, seeds, numbers. Each error says what would be right."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

MAX_SEED = 2**53
"""Seeds lie below it: JSON readers hold such numbers exactly."""


def whole_number(name: str, value: Any, low: int, high: int | None = None) -> int:
    """Return ``value`` as int; ValueError naming it if it is not a whole number from ``low`` to below ``high``."""
    is_whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if not is_whole or value < low or (high is not None and value >= high):
        top = f" and below {high}" if high else ""
        raise ValueError(f"{name}={value!r}: must be a whole number, at least {low}{top}")
    return int(value)


def writable(state: Mapping[str, Any]) -> dict[str, Any]:
    """Return the attributes of a pickled object with its arrays writable.

    Joblib and Ray hand large arrays over as read-only views of memory they share; kernels write into theirs.
    """
    return {
        name: np.array(value) if isinstance(value, np.ndarray) and not value.flags.writeable else value
        for name, value in state.items()
    }


def _one_each(name: str, values: Any, count: int) -> np.ndarray:
    """Return whole numbers int64[count]; a scalar is none."""
    given = np.asarray(values)
    if given.shape != (count,) or given.dtype.kind not in "iu":
        what = f"{name} of shape {given.shape} and type {given.dtype}"
        raise ValueError(f"{what}: must be whole numbers, one for each of {count} rows")
    return np.ascontiguousarray(given, np.int64)


def rows_of(which: Any, num_games: int) -> np.ndarray:
    """Return the rows meant by bool[B] or indices, all by None, as int64[n]."""
    if which is None:
        return np.arange(num_games)
    rows = np.atleast_1d(np.asarray(which))
    if rows.dtype == np.bool_:
        if rows.shape != (num_games,):
            raise ValueError(f"a mask of shape {rows.shape} for {num_games} games")
        return np.flatnonzero(rows)
    if rows.size == 0:
        return np.zeros(0, np.int64)
    rows = _one_each("rows", rows, rows.size)
    if rows.min() < 0 or rows.max() >= num_games:
        raise ValueError(f"rows must lie from 0 to {num_games - 1}, found {int(rows.min())} to {int(rows.max())}")
    return rows


def players_of(player: Any, count: int, num_players: int) -> np.ndarray:
    """Return one player for each of ``count`` rows, as int8[count], from an int or int[count]."""
    players = np.asarray(player)
    players = _one_each("player", np.full(count, players) if players.ndim == 0 else players, count)
    if count and (players.min() < 0 or players.max() >= num_players):
        raise ValueError(f"players are 0 to {num_players - 1}, found {int(players.min())} to {int(players.max())}")
    return players.astype(np.int8)


def seeds_of(seeds: Any, count: int) -> np.ndarray:
    """Return one seed for each of ``count`` rows, as int64[count]."""
    given = _one_each("seeds", np.atleast_1d(np.asarray(seeds)), count)
    if count and (given.min() < 0 or given.max() >= MAX_SEED):
        raise ValueError("seeds must lie from 0 to 2^53 - 1")
    return given


def actions_of(actions: Any, count: int) -> np.ndarray:
    """Return one action for each of ``count`` rows, as int64[count]; whether they are legal is seen elsewhere."""
    return _one_each("actions", actions, count)
