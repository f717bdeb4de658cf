"""A zoo of bad bots, each the function of its name: ``zoo.py:hangs``. They do wrong at their third question."""

from __future__ import annotations

import ctypes
import gc
import os
import sys
import time
from collections.abc import Callable
from itertools import count
from typing import Any

import numpy as np

from shogun_env.batch.batch import Batch
from shogun_env.kernel.rng import choose


class Bot:
    """Plays like ``honest``, but answers its third question, and all later ones, by ``answer(view, rng)``."""

    def __init__(self, answer: Callable[[Any, np.ndarray], Any], good: int = 2) -> None:
        self.answer = answer
        self.good = good
        self.questions = 0

    def act(self, view: Any, rng: np.ndarray) -> Any:
        self.questions += 1
        return at_random(view, rng) if self.questions <= self.good else self.answer(view, rng)


def at_random(view: Any, rng: np.ndarray) -> np.ndarray:
    return np.array([choose(row, mask) for row, mask in zip(rng, view.masks, strict=True)])


def lowest_legal(view: Any, rng: np.ndarray) -> np.ndarray:
    return view.masks.argmax(1)


def honest(spec: Any) -> Bot:
    return Bot(at_random)


def lowest(spec: Any) -> Bot:
    return Bot(lowest_legal, good=0)


def raises(spec: Any, good: int = 2) -> Bot:
    def answer(view: Any, rng: np.ndarray) -> Any:
        raise RuntimeError("out of ideas")

    return Bot(answer, good)


def leaves(spec: Any) -> Bot:
    return Bot(lambda view, rng: sys.exit(5))


def illegal(spec: Any) -> Bot:
    return Bot(lambda view, rng: view.masks.argmin(1), good=0)


def hangs(spec: Any) -> Bot:
    def answer(view: Any, rng: np.ndarray) -> Any:
        while True:
            pass

    return Bot(answer)


def sleeps(spec: Any) -> Bot:
    return Bot(lambda view, rng: time.sleep(3600))


def exits(spec: Any) -> Bot:
    return Bot(lambda view, rng: os._exit(3))


def segfaults(spec: Any) -> Bot:
    return Bot(lambda view, rng: ctypes.string_at(0))


def fills_memory(spec: Any) -> Bot:
    return Bot(lambda view, rng: np.ones(1 << 40))


def prints(spec: Any) -> Bot:
    def answer(view: Any, rng: np.ndarray) -> Any:
        print("x" * 1_000_000)
        print("y" * 1_000_000, file=sys.stderr)
        return at_random(view, rng)

    return Bot(answer)


def writes(spec: Any) -> Bot:
    """Write into everything that the bot is given, and give itself points."""

    def answer(view: Any, rng: np.ndarray) -> Any:
        actions = at_random(view, rng)
        for array in (view.rows, view.players, view.observations, view.masks, *view.batch.buffers()):
            if array.dtype.names is None:
                array[...] = 1
        view.batch.games["points"][:] = 99
        view.batch._blank["points"] = 50
        view.options["num_players"] = 7
        return actions

    return Bot(answer)


def searches(spec: Any) -> Bot:
    """Look through everything in the process for the games that are played, every 20th time, as there is much of it;
    own up to it by an illegal action.
    """
    turns = count()

    def answer(view: Any, rng: np.ndarray) -> Any:
        if next(turns) % 20:
            return at_random(view, rng)
        keys = set(rng[:, 0].tolist())
        batches = [each for each in gc.get_objects() if issubclass(type(each), Batch)]
        is_there = any(keys & set(batch.policy_rngs[..., 0].ravel().tolist()) for batch in batches)
        return np.full(len(rng), -7) if is_there else at_random(view, rng)

    return Bot(answer)


WRONG: dict[str, Any] = {
    "nothing": None,
    "text": "five",
    "a number": 3,
    "floats": [0.5],
    "nan": [float("nan")],
    "too many": [1, 2, 3],
    "lists": [[1]],
    "complex": [1j],
    "truth": [True],
    "huge": [2**63],
    "negative": [-1],
    "object": [object()],
    "ragged": [[1], [1, 2]],
}
"""Answers that are no actions, for a view of one decision."""


def wrong(spec: Any, kind: str) -> Bot:
    return Bot(lambda view, rng: WRONG[kind])


def refuses(spec: Any) -> Bot:
    raise OSError("no such weights")
