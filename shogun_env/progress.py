"""How far a task is, shown on stderr."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

PLAIN_EVERY = 10.0
"""Seconds between two lines of progress, if it is not shown on a terminal."""

Progress = Callable[[float, str], None]
"""``show(done, text)`` shows how far a task is."""
_bars: list[str] = []
"""The titles of the bars that are shown: one at a time, as older versions of rich show no second one."""


def no_progress(done: float, text: str) -> None:
    """Show nothing."""


@contextmanager
def progress(title: str, total: float) -> Iterator[Progress]:
    """Provide a function ``show(done, text)`` that shows how far a task is.

    It shows a bar on a terminal, if rich is installed, and otherwise prints a line every ten seconds and at the end; so
    does a task within one that has a bar.

    Args:
        title: name of the task.
        total: size of the task, in the unit of ``done``.

    Example:
        >>> with progress("games", 2) as show:  # doctest: +SKIP
        ...     show(1, "half")
    """
    if not _bars and getattr(sys.stderr, "isatty", bool)():  # a program may have put something else there, or None
        try:
            from rich.console import Console
            from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
            from rich.progress import Progress as Bar
        except ImportError:
            pass
        else:
            text = TextColumn("{task.fields[text]}")
            columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), text)
            _bars.append(title)
            try:
                with Bar(*columns, console=Console(stderr=True)) as bar:
                    task = bar.add_task(title, total=total, text="")
                    yield lambda done, text: bar.update(task, completed=min(done, total), text=text)
            finally:
                _bars.pop()
            return
    yield _plain(title, total)


def _plain(title: str, total: float) -> Progress:
    """Return a function that prints a line every ten seconds, and one at the end."""
    next_time = time.monotonic() + PLAIN_EVERY

    def show(done: float, text: str) -> None:
        nonlocal next_time
        now = time.monotonic()
        if now >= next_time or (done >= total and next_time < float("inf")):
            next_time = now + PLAIN_EVERY if done < total else float("inf")
            if sys.stderr is not None:
                sys.stderr.write(f"{title}: {min(1.0, done / total):4.0%}  {text}\n")
                sys.stderr.flush()

    return show
