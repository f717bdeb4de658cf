"""Reviews of games that are over: each is worked out once, while others are served, and kept next to the record."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from shogun_env.batch.batch import Batch
from shogun_env.records.document import document
from shogun_env.records.record import Line, record_text
from shogun_env.review.analysis import Effort
from shogun_env.review.told import ToldReview, read_told, tell_review, write_told
from shogun_env.svg.style import page_style

__all__ = ["Reviews", "key_of", "waiting_page"]

MOST_PAGES = 20
"""Pages that are kept, of 400 kB each."""
EFFORT = Effort(first=32, again=256)
"""Half of what the command ``review`` usually does, since somebody waits."""


class Reviews:
    """The reviews of the games that are looked at.

    Args: folder: where they are kept; None: in memory only.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._known: dict[str, ToldReview | float | Exception] = {}
        """By game and reader the review, how far it is, or why there is none."""
        self._pages: dict[str, str] = {}
        """Pages made before: a large one takes seconds."""
        self._lock = threading.Lock()

    def page(self, key: str, make: Callable[[], str]) -> str:
        """Return a page by its key, made once."""
        if key not in self._pages:
            if len(self._pages) >= MOST_PAGES:
                del self._pages[next(iter(self._pages))]
            self._pages[key] = make()
        return self._pages[key]

    def ask(self, batch_type: type[Batch], lines: Sequence[Line], reader: int | None, kept: str) -> ToldReview | float:
        """Return the review of a game, or how far it is, from 0 to 1; the first question begins it.

        Args: batch_type; lines, the record; reader, whose decisions are reviewed, None for all; kept, the name under
            which the review is kept, empty for one that is not.
        Raises: what has ended the work.
        """
        key = key_of(lines, reader)
        path = self._folder / f".{kept}.{key}.review.json" if self._folder and kept else None
        with self._lock:
            known = self._known.get(key) or (read_told(path) if path else None)
            if known is None:
                self._known[key] = known = 0.0001
                threading.Thread(target=self._work, args=(key, batch_type, lines, reader, path), daemon=True).start()
        if isinstance(known, Exception):
            raise known
        return known

    def _work(
        self, key: str, batch_type: type[Batch], lines: Sequence[Line], reader: int | None, path: Path | None
    ) -> None:
        """Work a review out."""

        def show(done: int, total: int) -> None:
            self._known[key] = max(0.0001, min(0.99, done / total))

        try:
            told = tell_review(batch_type, lines, reader, EFFORT, show)
            if path is not None:
                write_told(path, told)
            self._known[key] = told
        except Exception as error:  # whoever asks next is told
            self._known[key] = error


def key_of(lines: Sequence[Line], reader: int | None) -> str:
    """Return what stands for a game and its reader."""
    return f"{hashlib.sha256(record_text(lines).encode()).hexdigest()[:16]}-{reader}"


def waiting_page(share: float) -> str:
    """Return the page that is shown, and asked for anew each second, while a review is worked out."""
    body = (
        "<main><h1>A review of the decisions</h1><p>The champion plays the decisions again; this happens once.</p>"
        f'<p><progress value="{share:.2f}" aria-label="how far the review is"></progress> {100 * share:.0f} %</p>'
        "</main>"
    )
    return document("Review – shogun-env", page_style() + "body{padding:1rem;font:15px system-ui;}", body)
