"""The signature of a game's rules: a hash of many seeded games of random legal actions, over all its options.

It changes if anything in play changes: rules, chance, masks, observations, points. The folder of a training run holds
it; ``make signature`` prints it for a commit message.
"""

from __future__ import annotations

import functools
import hashlib
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:  # --help is quick without the engine
    from shogun_env.batch.batch import Batch


SIGNED_GAMES = 1000
"""Number of games unless another is given."""


def combinations_of(batch_class: type[Batch]) -> list[dict[str, Any]]:
    """Return every combination of the values in ``spec.option_choices`` that the game allows."""
    choices = batch_class.spec.option_choices
    combinations = []
    for values in product(*choices.values()):
        options = dict(zip(choices, values, strict=True))
        try:
            batch_class.spec.check_options(options)
        except ValueError:
            continue  # the game does not allow this combination
        combinations.append(options)
    return combinations


@functools.cache  # the rules do not change in a process, and each run of a recipe asks for the same
def signature(batch_class: type[Batch], games: int = SIGNED_GAMES) -> str:
    """Return the signature of a game as 16 hexadecimal digits.

    Args:
        batch_class: the game's ``Batch``.
        games: number of games, divided evenly among the combinations of options.
    """
    tables = combinations_of(batch_class)
    digest = hashlib.sha256()
    for index, options in enumerate(tables):
        count = games * (index + 1) // len(tables) - games * index // len(tables)
        if count:
            _hash_games(digest, batch_class(count, seed=index * games, **options))
    return digest.hexdigest()[:16]


def _hash_games(digest: Any, batch: Batch) -> None:
    """Play a batch to its end with random legal actions; add every mask, observation and result to the hash."""
    rng = np.random.Generator(np.random.PCG64(int(batch.seeds[0])))
    while not batch.over.all():
        digest.update(batch.legal.tobytes())
        digest.update(batch.observe().tobytes())
        digest.update(batch.player.tobytes())
        batch.step((rng.random(batch.legal.shape) * batch.legal).argmax(1))
    digest.update(batch.points.tobytes())
    digest.update(batch.returns.tobytes())
