"""What a bot may leave behind in the process that it shares with a tournament, and how it is put back.

Bots that are not isolated run where the referee runs. This keeps mistakes and carelessness of one of them from ending
the tournament. It is no defence against malice: see "What a bot can do" in ``docs/bots_of_strangers.md``.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import warnings
from contextlib import suppress
from types import FrameType, TracebackType
from typing import Any, Self

import numpy as np

try:
    import resource
except ImportError:  # not a POSIX system
    resource = None  # type: ignore[assignment]

STREAMS = ("stdin", "stdout", "stderr")
"""Names in ``sys`` of the file handles 0, 1 and 2."""
TIMERS = ("ITIMER_REAL", "ITIMER_VIRTUAL", "ITIMER_PROF")
ALARMS = ("SIGALRM", "SIGVTALRM", "SIGPROF", "SIGXCPU", "SIGUSR1", "SIGUSR2")
"""Signals that would end the process, and which a bot can have sent to itself by accident."""
OTHERS = ("SIGTERM", "SIGHUP", "SIGPIPE", "SIGCHLD")
"""Other signals whose handlers are put back."""
LIMITS = ("RLIMIT_FSIZE", "RLIMIT_NOFILE", "RLIMIT_AS", "RLIMIT_CPU")
_getsignal = getattr(signal.getsignal, "__wrapped__", signal.getsignal)
"""Without its enumerations, which take thirty times as long."""
MOST_STOPS = 3
"""The user's Ctrl-C that ends the process at once, for bots that catch the first ones."""


class ProcessState:
    """What is put back after each answer of a bot: a context in which ``restore`` may be called, as often as wanted.

    Put back are the recursion limit, the streams 0 to 2, handlers of signals, timers, soft limits, the folder, the
    mask for new files, numpy's and Python's treatment of warnings, and functions for tracing. Handlers of signals and
    timers belong to the main thread: in others they are left alone.

    Attributes:
        is_stopped: whether the user has pressed Ctrl-C in the context, which is how the referee tells it from a
            ``KeyboardInterrupt`` that a bot raises.
        recursion: the recursion limit.
    """

    def __enter__(self) -> Self:
        """Remember everything."""
        self.is_stopped = False
        self._stops = 0
        self.recursion = sys.getrecursionlimit()
        self._tracing = sys.gettrace(), sys.getprofile()
        self._streams = [getattr(sys, name) for name in STREAMS]
        self._handles = [_copy_of(handle) for handle in range(len(STREAMS))]
        self._filters, self._floats, self._folder = list(warnings.filters), np.geterr(), _folder()
        self._limits = {_of(resource, name): resource.getrlimit(_of(resource, name)) for name in LIMITS if resource}
        self._umask = os.umask(0o022)
        os.umask(self._umask)
        self._handlers: dict[int, Any] = {}
        self._timers: list[int] = []
        if threading.current_thread() is threading.main_thread() and hasattr(signal, "setitimer"):
            self._timers = [_of(signal, name) for name in TIMERS]
            self._timers = [timer for timer in self._timers if not signal.getitimer(timer)[0]]
            for number in [signal.SIGINT, *(_of(signal, name) for name in (*ALARMS, *OTHERS))]:
                self._handlers[number] = signal.getsignal(number)
        self._inside = {number: self._handler(number) for number in self._handlers}
        self._set(self._inside)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Put everything back, handlers of signals included."""
        self.restore()
        self._set(self._handlers)
        for copied in self._handles:
            if copied is not None:
                with suppress(OSError):
                    os.close(copied[0])

    def restore(self) -> None:
        """Put back what was changed."""
        sys.setrecursionlimit(self.recursion)  # first, as anything else may need it
        sys.settrace(self._tracing[0])
        sys.setprofile(self._tracing[1])
        for timer in self._timers:
            signal.setitimer(timer, 0)
        self._set(self._inside)
        for limit, values in self._limits.items():
            if resource.getrlimit(limit) != values:
                with suppress(OSError, ValueError):
                    resource.setrlimit(limit, (values[0], resource.getrlimit(limit)[1]))
        for handle, name in enumerate(STREAMS):
            self._restore_stream(handle, name)
        os.umask(self._umask)
        if _folder() != self._folder:
            with suppress(OSError):
                os.chdir(self._folder)
        if warnings.filters != self._filters:
            warnings.filters[:] = self._filters  # type: ignore[index]
            warnings._filters_mutated()  # type: ignore[attr-defined]
        if np.geterr() != self._floats:
            np.seterr(**self._floats)

    def _restore_stream(self, handle: int, name: str) -> None:
        """Put back a handle that leads to another file or none, and an object of ``sys`` that is another or closed."""
        copied, stream = self._handles[handle], self._streams[handle]
        if copied is not None and _file_of(handle) != copied[1]:
            with suppress(OSError):
                os.dup2(copied[0], handle)
        if stream is not None and stream.closed:
            with suppress(OSError):
                mode = "w" if handle else "r"
                self._streams[handle] = open(handle, mode, closefd=False)  # noqa: SIM115 - it is what sys has from now on
        if getattr(sys, name, None) is not self._streams[handle]:
            setattr(sys, name, self._streams[handle])

    def _handler(self, number: int) -> Any:
        """Return what handles a signal in the context: the user's Ctrl-C is remembered, alarms are exceptions."""
        before = self._handlers[number]
        if number == signal.SIGINT:
            return self._stop if callable(before) else before
        is_alarm = before is signal.SIG_DFL and signal.Signals(number).name in ALARMS
        return _alarm if is_alarm else before

    def _stop(self, number: int, frame: FrameType | None) -> None:
        """Take the user's Ctrl-C."""
        self.is_stopped = True
        self._stops += 1
        if self._stops >= MOST_STOPS:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            signal.raise_signal(signal.SIGINT)
        self._handlers[number](number, frame)

    def _set(self, handlers: dict[int, Any]) -> None:
        """Set handlers of signals where others are set."""
        for number, handler in handlers.items():
            if handler is not None and _getsignal(number) != handler:
                signal.signal(number, handler)


def _alarm(number: int, frame: FrameType | None) -> None:
    """Raise what counts as an error of the bot that is being asked, where the process would end."""
    raise RuntimeError(f"signal {signal.Signals(number).name}, which nobody handles")


def _of(module: Any, name: str) -> int:
    return int(getattr(module, name))


def _folder() -> str:
    """Return the working directory; an empty text if it was removed."""
    with suppress(OSError):
        return os.getcwd()
    return ""


def _file_of(handle: int) -> tuple[int, int] | None:
    """Return which file a handle leads to; None for none."""
    try:
        found = os.fstat(handle)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _copy_of(handle: int) -> tuple[int, tuple[int, int] | None] | None:
    """Return a copy of a handle, and which file it leads to; None if it is closed."""
    try:
        return os.dup(handle), _file_of(handle)
    except OSError:
        return None
