"""The signature of a game's rules: a hash of many seeded random-legal games over the combinations of its options.

It changes when anything in play changes: rules, chance, masks, observations, points. A run folder keeps it; the command
``python -m benchmarks.signature`` prints it for a commit message.
"""

from __future__ import annotations

import hashlib
from itertools import product
from typing import Any

import numpy as np

from shogun_env.batch.batch import Batch

GAMES = 1000


def combinations_of(batch_class: type[Batch]) -> list[dict[str, Any]]:
    """Return every combination of options that the game allows."""
    choices = batch_class.spec.option_choices
    found = []
    for values in product(*choices.values()):
        options = dict(zip(choices, values, strict=True))
        try:
            batch_class.spec.check_options(options)
        except ValueError:
            continue  # a combination there is no game of
        found.append(options)
    return found


def signature(batch_class: type[Batch], games: int = GAMES) -> str:
    """Return the hash of ``games`` games, shared out evenly over the combinations, as 16 hex digits."""
    tables = combinations_of(batch_class)
    digest = hashlib.sha256()
    for index, options in enumerate(tables):
        count = games * (index + 1) // len(tables) - games * index // len(tables)
        if count:
            _hash_games(digest, batch_class(count, seed=index * games, **options))
    return digest.hexdigest()[:16]


def _hash_games(digest: Any, batch: Batch) -> None:
    """Play a batch to its end with random legal actions; hash every mask and observation on the way."""
    rng = np.random.Generator(np.random.PCG64(int(batch.seeds[0])))
    while not batch.over.all():
        digest.update(batch.legal.tobytes())
        digest.update(batch.observe().tobytes())
        digest.update(batch.player.tobytes())
        batch.step((rng.random(batch.legal.shape) * batch.legal).argmax(1))
    digest.update(batch.points.tobytes())
    digest.update(batch.returns.tobytes())
