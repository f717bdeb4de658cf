"""A zoo of bots, each the function of its name: ``bots.py:raises``. The bad ones do wrong at their third question."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from shogun_env.kernel.rng import choose
from shogun_env.policies import FaultError

ZOO = Path(__file__)


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


def highest(spec: Any) -> Bot:
    """In Coins it takes as many as there are."""
    return Bot(lambda view, rng: view.masks.shape[1] - 1 - view.masks[:, ::-1].argmax(1), good=0)


def asked(agent: Any) -> Bot:
    """Hide the kernel of a compiled bot, so that it is asked through Python."""
    return Bot(agent.act, good=0)


def looks(spec: Any) -> Bot:
    """Decide by all that it is shown: observation, mask, and a game redealt and played on."""

    def answer(view: Any, rng: np.ndarray) -> Any:
        ahead = view.redeal(7)
        ahead.step(ahead.legal.argmax(1))
        weights = view.observations.sum(1, dtype=np.int64) + ahead.legal.sum(1) + view.batch.legal.sum(1)
        weights += view.players + view.options["num_players"]
        return np.array(
            [np.flatnonzero(mask)[int(each) % int(mask.sum())] for mask, each in zip(view.masks, weights, strict=True)]
        )

    def one_by_one(view: Any, rng: np.ndarray) -> Any:  # as a program is asked
        return np.concatenate([answer(view.part(np.array([each])), rng) for each in range(len(view.rows))])

    return Bot(one_by_one, good=0)


def raising(error: BaseException, good: int = 2) -> Bot:
    def answer(view: Any, rng: np.ndarray) -> Any:
        raise error.with_traceback(None)  # or it would keep the frames of all questions before

    return Bot(answer, good)


def raises(spec: Any, good: int = 2) -> Bot:
    return raising(RuntimeError("out of ideas"), good)


def leaves(spec: Any) -> Bot:
    return Bot(lambda view, rng: sys.exit(5))


def interrupts(spec: Any) -> Bot:
    return raising(KeyboardInterrupt())


class UnprintableError(Exception):
    """Raises when it is printed."""

    def __str__(self) -> str:
        raise ValueError("no text")


def unprintable(spec: Any) -> Bot:
    return raising(UnprintableError())


def paints(spec: Any) -> Bot:
    return raising(ValueError("\x1b[2Jscreen\ncleared\a"))


def claims(spec: Any) -> Bot:
    return raising(FaultError("points", "a kind of my own"))


def spoils(spec: Any) -> Bot:
    def answer(view: Any, rng: np.ndarray) -> Any:
        actions = at_random(view, rng)
        rng.shape = (-1,)
        return actions

    return Bot(answer)


def illegal(spec: Any) -> Bot:
    return Bot(lambda view, rng: view.masks.argmin(1), good=0)


def writes(spec: Any, good: int = 2) -> Bot:
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

    return Bot(answer, good)


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


def leaves_at_once(spec: Any) -> Bot:
    sys.exit(3)


def no_act(spec: Any) -> Any:
    return 5


def bad_compiled(spec: Any) -> Any:
    class Liar(Bot):
        compiled = 5

    return Liar(at_random)
