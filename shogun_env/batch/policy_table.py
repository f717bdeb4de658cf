"""Who plays where in a call of ``Batch.play``: policies and seats, checked and arranged for the loop."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

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
"""Parameters that are looked at in each call, as somebody may have written into them: at most this many."""
KEPT = 4
"""Tables that are kept, the latest."""
_kept: dict[Any, tuple[Any, ...]] = {}
"""Tables, with what the ids in their keys are those of."""


class PolicyTable(NamedTuple):
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


def _table_of(spec: GameSpec, functions: Sequence[Any], values: Sequence[np.ndarray]) -> PolicyTable:
    """Return the table of policies with these parameters float64[K], in which seats are still to be taken.

    To make it takes longer than a step of one game, and to copy a network's weights longer than some decisions by it.
    So that of an earlier call is taken where all long ones are read-only, and all others as they were.
    """
    key: Any = None
    if JIT and not any(len(each) > FEW and each.flags.writeable for each in values):
        names = (each if isinstance(each, str) else id(each) for each in functions)
        key = id(spec), *names, *(id(each) if len(each) > FEW else each.tobytes() for each in values)
        if key in _kept:
            table: PolicyTable = _kept[key][0]
            return table
    for function in functions:
        if isinstance(function, Policy):
            function.check_reads(spec.obs_size)
    planners = [function.planner if isinstance(function, Policy) else None for function in functions]
    kinds = [*map(_kind_of, functions)]
    rows = aligned_zeros((max(1, len(values)), -(-max([1, *map(len, values)]) // 8) * 8), np.float64)
    for row, numbers in zip(rows, values, strict=False):
        row[: len(numbers)] = numbers
    memory = [int(numbers[0]) for numbers, kind in zip(values, kinds, strict=True) if kind == WITH_MEMORY]
    table = PolicyTable(
        policies=Policies(
            seats=np.zeros((0, 0), np.int8),
            kinds=np.array(kinds, np.int64),
            functions=np.array([*map(_address_of, functions)], np.int64),
            planners=np.array([*map(_address_of, planners)], np.int64),
            params=rows,
            n_params=np.array([*map(len, values)], np.int64),
            is_lent=np.array([not isinstance(each, str) and not is_ours(each) for each in functions], bool),
        ),
        memory=max([1, *memory]),
        functions=[*functions, *planners],
    )
    if key is not None:
        _kept[key] = table, spec, values
        if len(_kept) > KEPT:
            _kept.pop(next(iter(_kept)), None)
    return table


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
    values = [params_of(params, f"policies[{index}]") for index, (_, params) in enumerate(pairs)]
    kept = _table_of(spec, [function for function, _ in pairs], values)
    return PolicyTable(kept.policies._replace(seats=table), kept.memory, kept.functions)
