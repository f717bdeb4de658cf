"""Games for property tests, drawn by hypothesis: options, seed, how far the game has gone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

from shogun_env.batch.batch import Batch
from tests.games import STARTS, TOWERS, Options, advance, batch_class

SOME_OPTIONS: dict[str, st.SearchStrategy[Options]] = {
    "shogun": st.builds(
        lambda start, rest: {**start, **rest},
        st.sampled_from(STARTS),
        st.fixed_dictionaries(
            {"num_players": st.integers(3, 5), "tower": st.sampled_from(TOWERS), "optional_moves": st.booleans()}
        ),
    ),
    "shitenno": st.fixed_dictionaries({"num_players": st.integers(2, 4)}),
}
"""Any combination of options that a game may have."""

STEPS = {"shogun": 450, "shitenno": 150}
"""Decisions that lead through most of a game, or to its end."""

seeds = st.integers(0, 2**53 - 1)


def draw_batch(data: Any, name: str, count: int = 1, **more: Any) -> Batch:
    """Draw options and seed of a batch."""
    batch: Batch = batch_class(name)(count, **{"seed": data.draw(seeds)} | data.draw(SOME_OPTIONS[name]) | more)
    return batch


def draw_state(data: Any, name: str, count: int = 1, **more: Any) -> Batch:
    """Draw a batch some random decisions on."""
    batch = draw_batch(data, name, count, **more)
    advance(batch, int(batch.seeds[0]), data.draw(st.integers(0, STEPS[name])))
    return batch


def redealt_games(data: Any, batch: Batch) -> Iterator[tuple[int, Batch]]:
    """Yield each player, with a copy of the games in which what the player cannot know was dealt again."""
    for player in range(batch.num_players):
        copy = batch.take()
        copy.redeal(None, player, seed=data.draw(st.integers(0, 999)))
        yield player, copy
