"""Who plays where in a call of ``Batch.play``: policies and seats, checked and arranged for the loop."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from shogun_env.batch.arrays import COMPILED, NO_PLANNER, NOBODY, UNIFORM, WITH_MEMORY, PlayerScratch, Policies
from shogun_env.batch.loops import uniform
from shogun_env.batch.validation import params_of, seats_of
from shogun_env.kernel.jit import JIT, MemoryPolicy, Policy, address_of, is_ours
from shogun_env.kernel.scratch import aligned_zeros
from shogun_env.spec.forms import shown
from shogun_env.spec.game_spec import GameSpec

PolicySpec = str | Policy | Callable[..., Any] | tuple[Any, Any]
"""A compiled function, or a pair (function, params float64[K]); ``"random"`` is the built-in uniform policy."""


FEW = 1024
"""Parameters that are copied for each call: at most this many."""
KEPT = 4
"""Arrays of rows that are kept, the latest."""
_kept: dict[tuple[int | bytes, ...], tuple[np.ndarray, Sequence[np.ndarray]]] = {}
"""Rows of parameters, and these, by the ids of the long ones and what the others hold."""


@dataclass(frozen=True, kw_only=True)
class PolicyTable:
    """Policies as loops take them, and how much memory they need."""

    policies: Policies
    memory: int
    """How many numbers of memory a policy needs at most, at least 1."""
    functions: list[Any]
    """The functions whose addresses the policies hold, so that they stay valid."""


def player_scratch(spec: GameSpec, num_players: int, memory: int) -> PlayerScratch:
    """Return the scratch of a thread, in which nothing is kept, with ``memory`` numbers for each player."""
    return PlayerScratch(
        observations=np.zeros((num_players, spec.obs_size), np.uint8),
        observed_at=np.zeros(num_players, np.int64),
        plans=np.zeros((num_players, max(1, spec.engine.plan_size)), np.int64),
        planned_at=np.zeros(num_players, np.int64),
        memories=aligned_zeros((num_players, -(-memory // 16) * 16), np.float32),
        keepers=np.full(num_players, NOBODY),
        lent_observation=np.zeros(spec.obs_size, np.uint8),
        lent_mask=np.zeros(spec.n_actions, np.int8),
    )


def _pair_of(spec: PolicySpec) -> tuple[Any, Any]:
    """Return a policy's function and its parameters; ValueError for what is none that a loop can play."""
    function, params = spec if isinstance(spec, tuple) and len(spec) == 2 else (spec, ())
    is_known = function == "random" if isinstance(function, str) else isinstance(function, Policy)
    # Another function must be one of numba's, or all be Python.
    if not is_known and not (callable(function) and (hasattr(function, "py_func") or not JIT)):
        raise ValueError(
            f"policy {shown(spec)}: must be 'random', a function made with @policy, or a pair of one and its "
            "parameters, such as compiled_policy('scripted', Batch.spec); agents with act(view, rng) play by play_on"
        )
    return function, params


def _address_of(function: Any) -> int:
    """Return the address of a policy's function, or of a planner; NO_PLANNER for None."""
    if function is None:
        return NO_PLANNER
    function = uniform if isinstance(function, str) else function
    return function.address if isinstance(function, Policy) else address_of(function)


def _kind_of(function: Any) -> int:
    """Return the kind of a policy by its function."""
    if isinstance(function, str) or function is uniform:
        return UNIFORM
    return WITH_MEMORY if isinstance(function, MemoryPolicy) else COMPILED


def _rows_of(values: Sequence[np.ndarray]) -> np.ndarray:
    """Return parameters float64[K] as rows of one array, as loops take them: float64[n, K].

    To copy a network's weights takes longer than some decisions by it. Where all long ones are read-only the rows are
    those of an earlier call.
    """
    may_change = [each.flags.writeable for each in values if len(each) > FEW]
    key: tuple[int | bytes, ...] = ()
    if may_change and not any(may_change):
        key = tuple(id(each) if len(each) > FEW else each.tobytes() for each in values)
    kept = _kept.get(key)
    if kept:
        return kept[0]
    rows = aligned_zeros((max(1, len(values)), -(-max([1, *map(len, values)]) // 8) * 8), np.float64)
    for row, numbers in zip(rows, values, strict=False):
        row[: len(numbers)] = numbers
    if key:
        _kept[key] = rows, values
        if len(_kept) > KEPT:
            _kept.pop(next(iter(_kept)), None)
    return rows


def policy_table(
    spec: GameSpec, policies: Sequence[PolicySpec], seats: Any, num_games: int, num_players: int, is_whole: bool = True
) -> PolicyTable:
    """Return the table by which policies play, as loops take it.

    Args:
        spec: of the game.
        policies, seats: as in ``Batch.play``.
        num_games, num_players: shape of ``seats``, B and P.
        is_whole: whether every player needs a policy.

    Raises: ValueError for what is no policy, for seats that do not fit, or if somebody has no policy who needs one.
    """
    if isinstance(policies, str):
        raise ValueError(f"policies={policies!r}: must be a list, such as [{policies!r}] * {num_players}")
    table = seats_of(seats, num_games, num_players, len(policies))
    if is_whole and table.min(initial=0) < 0:
        raise ValueError("every player needs a policy here: seats from 0 on")
    pairs = [_pair_of(each) for each in policies]
    functions = [function for function, _ in pairs]
    for function in functions:
        if isinstance(function, Policy):
            function.check_reads(spec.obs_size)
    planners = [function.planner if isinstance(function, Policy) else None for function in functions]
    values = [params_of(params, f"policies[{index}]") for index, (_, params) in enumerate(pairs)]
    lengths, kinds = [*map(len, values)], [*map(_kind_of, functions)]
    is_lent = [not isinstance(each, str) and not is_ours(each) for each in functions]
    arrays = Policies(
        seats=table,
        kinds=np.array(kinds, np.int64),
        functions=np.array([*map(_address_of, functions)], np.int64),
        planners=np.array([*map(_address_of, planners)], np.int64),
        params=_rows_of(values),
        n_params=np.array(lengths, np.int64),
        is_lent=np.array(is_lent, bool),
    )
    memory = [int(numbers[0]) for numbers, kind in zip(values, kinds, strict=True) if kind == WITH_MEMORY]
    return PolicyTable(policies=arrays, memory=max([1, *memory]), functions=[*functions, *planners])
