"""Who plays where in a call of ``Batch.play``: policies and seats, checked and arranged for the loop."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from shogun_env.batch.fillers import forgetful, no_plan
from shogun_env.batch.loops import ASK, COMPILED, NO_PLANNER, NOBODY, UNIFORM, WITH_MEMORY, uniform
from shogun_env.kernel.jit import MAX_PLANNERS, MAX_POLICIES, Functions, MemoryPolicy, Policy, address_of

PolicySpec = str | Policy | Callable[..., Any] | tuple[Any, Any]
"""A compiled function, or a pair (function, params float64[K]); ``"random"`` is the built-in uniform policy."""


@dataclass(frozen=True, kw_only=True)
class PolicyTable:
    """The policies of the rows ``begin .. end - 1`` as the loop takes them: arrays and functions."""

    seats: np.ndarray
    """int8[B, P], the policy that plays each player, or ASK."""
    kinds: np.ndarray
    """int64[N], UNIFORM, COMPILED or WITH_MEMORY."""
    which: np.ndarray
    """int64[N], index of the function of each policy; of one with memory its own number."""
    params: np.ndarray
    """float64[N, K], parameters of each policy, padded with zeros."""
    functions: Functions
    """Policies, planners and the policy with memory, padded with some that are not called."""
    planner_of: np.ndarray
    """int64[N], index of the planner of each policy, or NO_PLANNER."""
    memory: int
    """How many numbers of memory a policy needs at most, at least 1."""
    begin: int
    end: int

    def new_memory(self, players: int, least: int = 1) -> tuple[np.ndarray, np.ndarray]:
        """Return ``memories`` float32[P, M] and ``keepers`` int64[P] of a thread, in which nothing is kept.

        Args: least, the lowest M.
        """
        return np.zeros((players, max(least, self.memory)), np.float32), np.full(players, NOBODY)

    def arguments(self) -> tuple[Any, ...]:
        """Return the arrays and the functions in the order in which ``play_games`` takes them."""
        return (self.seats, self.kinds, self.which, self.params, self.functions, self.planner_of)


def seat_table(seats: Any, num_games: int, num_players: int, num_policies: int) -> np.ndarray:
    """Return int8[B, P], the policy that plays each player; without ``seats`` policy p plays player p.

    Raises: ValueError for seats that do not fit the games or the policies.
    """
    if seats is None:
        if num_policies != num_players:
            raise ValueError(
                f"{num_policies} policies for {num_players} players: give one for each player, or give seats"
            )
        seats = np.arange(num_players)
    table = np.array(np.broadcast_to(np.asarray(seats), (num_games, num_players)), np.int8, order="C")
    if table.min() < ASK or table.max() >= num_policies:
        raise ValueError(
            f"seats from {table.min()} to {table.max()}: must be from -1 to {num_policies - 1}, the last policy"
        )
    return table


def _function_of(spec: Any) -> Any:
    """Return a policy's function in the form in which a loop takes it; None for the built-in policy."""
    if isinstance(spec, str):
        if spec != "random":
            example = f"compiled_policy({spec!r}, Batch.spec)"
            raise ValueError(f"policy {spec!r}: must be 'random' or a compiled function, such as {example}")
        return None
    if isinstance(spec, Policy):
        return None if spec is uniform else spec.address
    return address_of(spec)


def whole_table(policies: Sequence[PolicySpec], seats: Any, num_games: int, num_players: int) -> PolicyTable:
    """Return the one table by which policies play all seats of all games.

    Raises: ValueError if somebody has no policy, or if there are too many different ones.
    """
    table = seat_table(seats, num_games, num_players, len(policies))
    if table.min() < 0:
        raise ValueError("every player needs a policy here: seats from 0 on")
    tables = list(policy_tables(policies, table))
    if len(tables) > 1:
        raise ValueError(f"{MAX_POLICIES} different policies at most can play here")
    return tables[0]


def policy_tables(policies: Sequence[PolicySpec], seats: np.ndarray) -> Iterator[PolicyTable]:
    """Yield the tables for ``seats`` int8[B, P]: one for all rows, or one per row if there are too many functions."""
    pairs = [spec if isinstance(spec, tuple) else (spec, ()) for spec in policies]
    functions = [_function_of(function) for function, _ in pairs]
    values = [np.atleast_1d(np.asarray(params, np.float64)) for _, params in pairs]
    params = np.zeros((max(1, len(values)), max([1, *map(len, values)])))
    for row, own in zip(params, values, strict=False):
        row[: len(own)] = own
    with_memory = [isinstance(function, MemoryPolicy) for function, _ in pairs]
    keeping = {id(function): function for (function, _), own in zip(pairs, with_memory, strict=True) if own}
    if len(keeping) > 1:
        raise ValueError("policies with memory must share one function: give networks of one kind")
    memory_policy: Any = next(iter(keeping.values()), forgetful)
    memory = max([1, *(int(own[0]) for own, keeps in zip(values, with_memory, strict=True) if keeps)])
    functions = [None if keeps else function for function, keeps in zip(functions, with_memory, strict=True)]
    kinds = np.array([UNIFORM if function is None else COMPILED for function in functions], np.int64)
    kinds[with_memory] = WITH_MEMORY
    planners = {id(f.planner): f.planner for f, _ in pairs if isinstance(f, Policy) and f.planner is not None}
    planner_at = {key: index for index, key in enumerate(list(planners)[:MAX_PLANNERS])}
    planner_of = np.array([planner_at.get(id(getattr(f, "planner", None)), NO_PLANNER) for f, _ in pairs], np.int64)
    planner_addresses = [planners[key].address for key in planner_at] + [no_plan.address] * MAX_PLANNERS
    ranges = [(0, len(seats))]
    if len({id(function) for function in functions} - {id(None)}) > MAX_POLICIES:
        ranges = [(row, row + 1) for row in range(len(seats))]
    for begin, end in ranges:
        used = set(np.unique(seats[begin:end]).tolist()) - {ASK}
        compiled = {id(functions[i]): functions[i] for i in sorted(used) if functions[i] is not None}
        index_of = {key: i for i, key in enumerate(compiled)}
        which = np.array([index_of.get(id(function), 0) for function in functions], np.int64)
        which[with_memory] = np.flatnonzero(with_memory)
        addresses = [*compiled.values(), *[uniform.address] * MAX_POLICIES][:MAX_POLICIES]
        yield PolicyTable(
            seats=seats,
            kinds=kinds,
            which=which,
            params=params,
            functions=Functions((tuple(addresses), tuple(planner_addresses[:MAX_PLANNERS]), (memory_policy.address,))),
            planner_of=planner_of,
            memory=memory,
            begin=begin,
            end=end,
        )
