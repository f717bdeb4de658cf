"""Who plays where in a call of ``Batch.play``: policies and seats, checked and arranged for the loop."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from shogun_env.batch.arrays import ASK, COMPILED, NO_PLANNER, NOBODY, UNIFORM, WITH_MEMORY, PlayerScratch, Policies
from shogun_env.batch.loops import uniform
from shogun_env.batch.shared import forgetful, no_plan
from shogun_env.kernel.jit import JIT, MAX_PLANNERS, MAX_POLICIES, Functions, MemoryPolicy, Policy, address_of
from shogun_env.kernel.scratch import aligned_zeros
from shogun_env.spec.forms import shown
from shogun_env.spec.game_spec import GameSpec

PolicySpec = str | Policy | Callable[..., Any] | tuple[Any, Any]
"""A compiled function, or a pair (function, params float64[K]); ``"random"`` is the built-in uniform policy."""


@dataclass(frozen=True, kw_only=True)
class PolicyTable:
    """The policies of the rows ``begin .. end - 1`` as the loop takes them, and how much memory they need."""

    policies: Policies
    memory: int
    """How many numbers of memory a policy needs at most, at least 1."""
    begin: int
    end: int


def player_scratch(spec: GameSpec, num_players: int, memory: int) -> PlayerScratch:
    """Return the scratch of a thread, in which nothing is kept, with ``memory`` numbers for each player."""
    return PlayerScratch(
        observations=np.zeros((num_players, spec.obs_size), np.uint8),
        observed_at=np.zeros(num_players, np.int64),
        plans=np.zeros((num_players, max(1, spec.engine.plan_size)), np.int64),
        planned_at=np.zeros(num_players, np.int64),
        memories=aligned_zeros((num_players, -(-memory // 16) * 16), np.float32),
        keepers=np.full(num_players, NOBODY),
    )


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


def _pair_of(spec: PolicySpec) -> tuple[Any, Any]:
    """Return a policy's function and its parameters; ValueError for what is none that a loop can play."""
    function, params = spec if isinstance(spec, tuple) and len(spec) == 2 else (spec, ())
    is_known = function == "random" if isinstance(function, str) else isinstance(function, Policy)
    if not is_known and not _is_compiled(function):
        raise ValueError(
            f"policy {shown(spec)}: must be 'random', a function made with @policy, or a pair of one and its "
            "parameters, such as compiled_policy('scripted', Batch.spec); agents with act(view, rng) play by play_on"
        )
    return function, params


def _is_compiled(function: Any) -> bool:
    """Say whether a loop can call a function that is no ``Policy``: it must be one of numba's, or all be Python."""
    return callable(function) and (hasattr(function, "py_func") or hasattr(function, "address") or not JIT)


def _function_of(spec: Any) -> Any:
    """Return a policy's function in the form in which a loop takes it; None for the built-in policy."""
    if isinstance(spec, Policy):
        return None if spec is uniform else spec.address
    return None if isinstance(spec, str) else address_of(spec)


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
    pairs = [_pair_of(spec) for spec in policies]
    functions = [_function_of(function) for function, _ in pairs]
    values = [np.atleast_1d(np.asarray(params, np.float64)) for _, params in pairs]
    longest = max([1, *map(len, values)])
    params = aligned_zeros((max(1, len(values)), -(-longest // 8) * 8), np.float64)
    for index, numbers in enumerate(values):
        params[index, : len(numbers)] = numbers
    with_memory = [index for index, (function, _) in enumerate(pairs) if isinstance(function, MemoryPolicy)]
    memory_policies: dict[int, Any] = {id(pairs[index][0]): pairs[index][0] for index in with_memory}
    if len(memory_policies) > 1:
        raise ValueError("policies with memory must share one function: give networks of one kind")
    memory_policy = next(iter(memory_policies.values()), forgetful)
    memory = max([1, *(int(values[index][0]) for index in with_memory)])
    for index in with_memory:
        functions[index] = None  # the loop takes it by itself
    kinds = np.array([UNIFORM if function is None else COMPILED for function in functions], np.int64)
    kinds[with_memory] = WITH_MEMORY
    planners = {id(f.planner): f.planner for f, _ in pairs if isinstance(f, Policy) and f.planner is not None}
    planner_at = {key: index for index, key in enumerate(list(planners)[:MAX_PLANNERS])}
    planner_of = np.array([planner_at.get(id(getattr(f, "planner", None)), NO_PLANNER) for f, _ in pairs], np.int64)
    planner_addresses = [planners[key].address for key in planner_at] + [no_plan.address] * MAX_PLANNERS
    are_many = len({id(function) for function in functions} - {id(None)}) > MAX_POLICIES
    for begin, end in [(row, row + 1) for row in range(len(seats))] if are_many else [(0, len(seats))]:
        used = sorted(set(seats[begin].tolist()) - {ASK}) if are_many else range(len(functions))
        compiled = {id(functions[i]): functions[i] for i in used if functions[i] is not None}
        index_of = {key: i for i, key in enumerate(compiled)}
        function_of = np.array([index_of.get(id(function), 0) for function in functions], np.int64)
        function_of[with_memory] = with_memory
        addresses = [*compiled.values(), *[uniform.address] * MAX_POLICIES][:MAX_POLICIES]
        table = Policies(
            seats=seats,
            kinds=kinds,
            function_of=function_of,
            planner_of=planner_of,
            params=params,
            n_params=np.array([*map(len, values)], np.int64),
            functions=Functions((tuple(addresses), tuple(planner_addresses[:MAX_PLANNERS]), (memory_policy.address,))),
        )
        yield PolicyTable(policies=table, memory=memory, begin=begin, end=end)
