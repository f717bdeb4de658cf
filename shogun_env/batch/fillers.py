"""What takes the place of functions that an engine does not have, or that a call does not use."""

from __future__ import annotations

from shogun_env.kernel.jit import kernel, memory_policy, planner
from shogun_env.kernel.types import Bool, Int, Mask, Observation, Params, Player, Rng, Row, Rows, State

NEVER = -1
"""The epoch of a state whose observations cannot be updated."""
NO_SLOT = -1
"""The slot of a decision outside planning."""


@planner
def no_plan(observation: Observation, legal: Mask, rng: Rng, params: Params, plan: Row) -> Int:
    """Plan nothing: what fills the places of planners that are not used."""
    return 0


@memory_policy
def forgetful(observation: Observation, legal: Mask, rng: Rng, params: Params, memory: Row) -> Int:
    """Choose nothing: what fills the place of a policy with memory that is not used."""
    return 0


@kernel
def no_plan_slot(g: State) -> Int:
    """Return NO_SLOT, for an engine without whole plans."""
    return NO_SLOT


@kernel
def no_stage(g: State, index: Int) -> Int:
    """Return 0, for an engine without stages."""
    return 0


@kernel
def no_epoch(g: State) -> Int:
    """Return NEVER, for an engine without observation epochs."""
    return NEVER


@kernel
def no_update(g: State, player: Player, out: Observation) -> None:
    """Do nothing, for an engine without observation epochs, whose observations are never updated."""


@kernel
def no_rewind(g: State) -> Bool:
    """Return False, for an engine without whole plans."""
    return False


@kernel
def no_adopt(g: State, h: State, rng: Rng, player: Player, mask: Mask) -> None:
    """Do nothing, for an engine without whole plans."""


@kernel
def no_features(g: State, out: Rows) -> None:
    """Do nothing, for an engine without features of a value."""


@kernel
def no_throws(g: State, thrown: Row, inside: Row, values: Rows, shares: Row) -> Int:
    """Return -1, for an engine without throws."""
    return -1
