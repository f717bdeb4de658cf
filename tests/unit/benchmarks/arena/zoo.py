"""A zoo of bad bots, each the function of its name: ``zoo.py:hangs``. They do wrong at their third question."""

from __future__ import annotations

import ctypes
import gc
import os
import random
import resource
import signal
import sys
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from typing import Any

import numpy as np

from shogun_env.batch.batch import Batch
from shogun_env.kernel.rng import choose
from shogun_env.policies import FaultError


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


def stumbles(spec: Any) -> Bot:
    """Raise at the third question only."""
    turns = count()

    def answer(view: Any, rng: np.ndarray) -> Any:
        if not next(turns):
            raise RuntimeError("stumbled")
        return at_random(view, rng)

    return Bot(answer)


def draws(spec: Any) -> Bot:
    """Draw as the honest bot does, and raise then."""

    def answer(view: Any, rng: np.ndarray) -> Any:
        at_random(view, rng)
        raise RuntimeError("too late")

    return Bot(answer)


def presses(spec: Any, catches: bool = False) -> Bot:
    """Send the process what it is sent when the user presses Ctrl-C."""

    def answer(view: Any, rng: np.ndarray) -> Any:
        try:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.05)
        except BaseException:
            if not catches:
                raise
        return at_random(view, rng)

    return Bot(answer)


def leaves(spec: Any) -> Bot:
    return Bot(lambda view, rng: sys.exit(5))


def illegal(spec: Any) -> Bot:
    return Bot(lambda view, rng: view.masks.argmin(1), good=0)


def rival(spec: Any) -> Bot:
    """An honest bot under another name, for games with those that are not."""
    return Bot(at_random)


def dies(spec: Any) -> Bot:
    """Do as a bot whose process dies at its third question: it begins anew three times, and then answers no more."""
    asked = count(1)

    def answer(view: Any, rng: np.ndarray) -> Any:
        question = next(asked)
        if question % 3 and question < 12:
            return at_random(view, rng)
        raise RuntimeError("its process ended")

    return Bot(answer, good=0)


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


# --- bots that raise -------------------------------------------------------------------------------------------------


class UnprintableError(Exception):
    """Raises when it is printed, whichever way."""

    def __str__(self) -> str:
        raise KeyboardInterrupt("no text")

    __repr__ = __format__ = __str__  # type: ignore[assignment]


class Odd(BaseException):
    """Is no ``Exception``."""


RAISED: dict[str, Callable[[], BaseException]] = {
    "interrupt": lambda: KeyboardInterrupt("not the user's"),
    "exit": lambda: SystemExit(0),
    "generator exit": lambda: GeneratorExit(),
    "memory": lambda: MemoryError(),
    "recursion": lambda: RecursionError(),
    "base exception": lambda: Odd("a class of my own"),
    "group": lambda: BaseExceptionGroup("several", [Odd("one"), ValueError("two")]),
    "unprintable": lambda: UnprintableError(),
    "escapes": lambda: ValueError("\x1b[2Jscreen\ncleared\a"),
    "not a kind": lambda: FaultError("points", "a kind of my own"),
    "no text kind": lambda: FaultError(["late"], "a kind that is no text"),  # type: ignore[arg-type]
    "long": lambda: ValueError("x" * 1_000_000),
}


def raising(spec: Any, what: str) -> Bot:
    def answer(view: Any, rng: np.ndarray) -> Any:
        raise RAISED[what]()

    return Bot(answer)


class Bomb:
    """An answer that does wrong when it is looked at."""

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def __array__(self, *more: Any, **words: Any) -> Any:
        raise self.error

    __len__ = __getitem__ = __array__


def bomb(spec: Any) -> Bot:
    return Bot(lambda view, rng: Bomb(Odd("when it is looked at")))


# --- bots that spoil what they are given, or the process they are in -------------------------------------------------


def _shape(view: Any, rng: np.ndarray) -> None:
    rng.shape = (-1,)


def _dtype(view: Any, rng: np.ndarray) -> None:
    rng.dtype = "S8"


def _resize(view: Any, rng: np.ndarray) -> None:
    rng.resize((1000, 7), refcheck=False)


def _read_only(view: Any, rng: np.ndarray) -> None:
    rng.flags.writeable = False


def _slots(view: Any, rng: np.ndarray) -> None:
    object.__setattr__(view, "rows", None)
    object.__setattr__(view, "masks", "none")
    view.players.resize((0,), refcheck=False)


def _close_streams(view: Any, rng: np.ndarray) -> None:
    sys.stdout.close()
    sys.stderr.close()
    sys.stdin = sys.stdout = sys.stderr = None  # type: ignore[assignment]


def _close_handles(view: Any, rng: np.ndarray) -> None:
    os.closerange(0, 3)


def _redirect(view: Any, rng: np.ndarray) -> None:
    handle = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(handle, stream)
    os.close(handle)


def _recursion(view: Any, rng: np.ndarray) -> None:
    for limit in count(50):
        with suppress(RecursionError):
            return sys.setrecursionlimit(limit)


def _alarm(view: Any, rng: np.ndarray) -> None:
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)


def _wakes(view: Any, rng: np.ndarray) -> None:
    signal.setitimer(signal.ITIMER_REAL, 0.001)
    time.sleep(0.05)


def _handlers(view: Any, rng: np.ndarray) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)


def _file_size(view: Any, rng: np.ndarray) -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))


def _folder(view: Any, rng: np.ndarray) -> None:
    os.chdir("/")


def _umask(view: Any, rng: np.ndarray) -> None:
    os.umask(0o777)


def _warnings(view: Any, rng: np.ndarray) -> None:
    warnings.simplefilter("error")
    np.seterr(all="raise")


def _trace(view: Any, rng: np.ndarray) -> None:
    sys.setprofile(lambda *event: None)


def _environment(view: Any, rng: np.ndarray) -> None:
    os.environ.clear()


def _seeds(view: Any, rng: np.ndarray) -> None:
    np.random.seed(0)
    random.seed(0)


SPOILS: dict[str, Callable[[Any, np.ndarray], None]] = {
    function.__name__.strip("_"): function
    for function in (
        _shape, _dtype, _resize, _read_only, _slots, _close_streams, _close_handles, _redirect, _recursion, _alarm,
        _wakes, _handlers, _file_size, _folder, _umask, _warnings, _trace, _environment, _seeds,
    )
}  # fmt: skip


def spoils(spec: Any, what: str) -> Bot:
    """Spoil something after a good answer, whose draws are made before."""

    def answer(view: Any, rng: np.ndarray) -> Any:
        actions = at_random(view, rng)
        SPOILS[what](view, rng)
        return actions

    return Bot(answer)


# --- factories -------------------------------------------------------------------------------------------------------


def bad_factory(spec: Any, what: str) -> Bot:
    raise RAISED[what]()


def bad_compiled(spec: Any) -> Any:
    class Liar(Bot):
        compiled = 5

    return Liar(at_random)


def bad_attribute(spec: Any) -> Any:
    class Liar(Bot):
        @property
        def compiled(self) -> Any:
            raise Odd("not you")

    return Liar(at_random)


def no_act(spec: Any) -> Any:
    return 5


made_before: list[int] = []


def made_once(spec: Any) -> Bot:
    """Can be made three times: by the check at the start, for the first games, and once more."""
    made_before.append(1)
    if len(made_before) > 3:
        raise OSError("used up")
    return Bot(at_random)


def counter(spec: Any) -> Bot:
    """Remember how many questions it was asked, and answer by that."""
    asked = count()
    return Bot(lambda view, rng: view.masks.argmax(1) if next(asked) % 3 else at_random(view, rng), good=0)


# --- what a plain tournament does not prevent ------------------------------------------------------------------------


def _points(view: Any, batch: Any) -> None:
    batch.games["points"][view.rows[0], view.players[0]] = 90


def _by_frames(view: Any) -> None:
    frame: Any = sys._getframe()
    while frame is not None:
        for value in list(frame.f_locals.values()):
            if isinstance(value, Batch) and value.num_games > view.rows[0] and value is not view.batch:
                _points(view, value)
        frame = frame.f_back


def _by_gc(view: Any) -> None:
    for value in gc.get_objects():
        if issubclass(type(value), Batch) and value.num_games > view.rows[0] and value is not view.batch:
            _points(view, value)


def _by_patch(view: Any) -> None:
    arena: Any = sys.modules["shogun_env.benchmarks.arena.arena"]
    arena.places_and_wins = lambda returns: (np.ones(returns.shape), np.ones(returns.shape))


CHEATS = {"frames": _by_frames, "gc": _by_gc, "patch": _by_patch}


def cheats(spec: Any, how: str) -> Bot:
    """Win by something else than play, at the third question."""
    turns = count()

    def answer(view: Any, rng: np.ndarray) -> Any:
        if not next(turns):
            CHEATS[how](view)
        return at_random(view, rng)

    return Bot(answer)
