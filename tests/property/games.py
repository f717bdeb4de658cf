"""Games for property tests: options and seeds to draw from, and random play from Python."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from hypothesis import strategies as st

from shogun_env.shogun import Batch
from shogun_env.shogun import constants as c

Options = dict[str, Any]

STARTS = (
    {"side": "sun", "start": "preset"},
    {"side": "sun", "start": "preset", "shuffle_seats": True},
    {"side": "sun", "start": "draft"},
    {"side": "sun", "start": "random"},
    {"side": "moon", "start": "draft"},
    {"side": "moon", "start": "random"},
)
TOWERS = ("two_floor", "one_shot", (4, 0.3, 0.5, 0.2), (1, 1.0, 0.0, 0.0), (3, 0.0, 1.0, 1.0))


def some_options() -> st.SearchStrategy[Options]:
    """Any combination of options that a game may have."""
    parts = {"num_players": st.integers(3, 5), "tower": st.sampled_from(TOWERS), "optional_moves": st.booleans()}
    return st.builds(lambda start, rest: {**start, **rest}, st.sampled_from(STARTS), st.fixed_dictionaries(parts))


seeds = st.integers(0, 2**53 - 1)
steps = st.integers(0, 450)


def some_action(batch: Batch, rng: np.random.Generator) -> np.ndarray:
    """Return a legal action for every game: int[B]."""
    return (batch.legal * rng.random(batch.legal.shape)).argmax(1)


def eager_to_bury(batch: Batch, rng: np.random.Generator) -> np.ndarray:
    """The same, but in a draft bury whenever allowed and mostly take from the deck, so that it may be."""
    weights = batch.legal * rng.random(batch.legal.shape)
    weights[:, [c.A_DECK, c.A_BURY]] *= [20, 10**6]
    return weights.argmax(1)


def play_on(batch: Batch, seed: int, most: int = 10_000, pick: Any = some_action) -> Iterator[np.ndarray]:
    """Play random legal actions until all games are over, or ``most`` steps; yields the actions after each step."""
    rng = np.random.default_rng(seed)
    for _ in range(most):
        if batch.over.all():
            return
        actions = pick(batch, rng)
        batch.step(actions)
        yield actions


def advance(batch: Batch, seed: int, most: int) -> None:
    """Play so many random steps, or to the end."""
    for _ in play_on(batch, seed, most):
        pass


def content(batch: Batch) -> list[bytes]:
    """Return everything a batch holds, as bytes."""
    return [buffer.tobytes() for buffer in batch.buffers()]
