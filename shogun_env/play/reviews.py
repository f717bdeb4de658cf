"""Reviews of games that are over: each is worked out once, while others are served, and kept next to the record."""

import hashlib
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from shogun_env.batch.batch import Batch
from shogun_env.records.document import document
from shogun_env.records.record import record_text
from shogun_env.review.analysis import Effort
from shogun_env.review.findings import Findings, findings_of, read_findings, write_findings
from shogun_env.spec.game_spec import Line
from shogun_env.svg.style import page_style

MOST_PAGES = 20
"""Pages that are kept, of 400 kB each."""
EFFORT = Effort(first=32, again=256)
"""Half of what the command ``review`` usually does, since somebody waits."""


class Reviews:
    """The reviews of the games that are looked at.

    Args: folder: where they are kept.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._under_way: dict[Path, float | Exception] = {}
        """How far a review is, or why there is none."""
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

    def ask(self, batch_type: type[Batch], lines: Sequence[Line], reader: int | None) -> Findings | float:
        """Return the review of a game, or how far it is, from 0 to 1; the first question begins it.

        Args: batch_type; lines, the record; reader, whose decisions are reviewed, None for all.
        Raises: what has ended the work.
        """
        path = self._folder / f".{key_of(lines, reader)}.review.json"
        if (findings := read_findings(path)) is not None:
            return findings
        with self._lock:
            is_new = path not in self._under_way
            known = self._under_way.setdefault(path, 0.0)
        if is_new:
            threading.Thread(target=self._work, args=(path, batch_type, lines, reader), daemon=True).start()
        if isinstance(known, Exception):
            raise known
        return known

    def _work(self, path: Path, batch_type: type[Batch], lines: Sequence[Line], reader: int | None) -> None:
        """Work a review out."""

        def show(done: float, text: str) -> None:
            self._under_way[path] = done

        try:
            write_findings(path, findings_of(batch_type, lines, reader, EFFORT, show))
            del self._under_way[path]  # the file has it; where that goes, it is worked out again
        except Exception as error:  # whoever asks next is told
            self._under_way[path] = error


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
