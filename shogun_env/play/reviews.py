"""Replays and reviews of games that are over, as pages that are made once.

A review is worked out while others are served, and its page is kept next to the record.
"""

import hashlib
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from shogun_env import __version__
from shogun_env.batch.batch import Batch
from shogun_env.files import write_whole
from shogun_env.play.saving import SUFFIX, save_name
from shogun_env.records.record import record_text
from shogun_env.records.view import html_page
from shogun_env.review.analysis import Effort
from shogun_env.review.findings import review_page
from shogun_env.spec.game_spec import Line

MOST_PAGES = 20
"""Replays that are kept, of 400 kB each."""
EFFORT = Effort(first=32, again=256)
"""Half of what the command ``review`` usually does, since somebody waits."""


class Reviews:
    """The replays and reviews of the games that are looked at.

    Args: folder: where reviews are kept.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._under_way: dict[Path, float | Exception] = {}
        """How far a review is, or why there is none."""
        self._replays: dict[str, str] = {}
        """Replays made before: a large one takes seconds."""
        self._lock = threading.Lock()

    def replay(self, batch_type: type[Batch], lines: Sequence[Line], reader: int | None, can_begin: bool) -> str:
        """Return the replay of a game; see ``html_page``."""
        key = _key_of(lines, reader, can_begin)
        if key not in self._replays:
            if len(self._replays) >= MOST_PAGES:
                del self._replays[next(iter(self._replays))]
            self._replays[key] = html_page(batch_type, lines, seat=reader, can_begin=can_begin)
        return self._replays[key]

    def ask(
        self, batch_type: type[Batch], lines: Sequence[Line], reader: int | None, resigned: Mapping[int, int],
        since: int, can_begin: bool = False,
    ) -> str | float:  # fmt: skip
        """Return the page of a review, or how far the work is, from 0 to 1; the first question begins it.

        Args: batch_type; lines, the record; reader, whose decisions are reviewed, None for all; resigned and
            since, as for ``review``; can_begin, as for ``html_page``.
        Raises: what has ended the work.
        """
        saved = self._folder / save_name(batch_type.spec.name, lines[0]["seed"])
        path = self._folder / f".{saved.name.removesuffix(SUFFIX)}.{_key_of(lines, reader, can_begin)}.review.html"
        if path.exists():
            return path.read_text("utf-8")
        with self._lock:
            is_new = path not in self._under_way
            known = self._under_way.setdefault(path, 0.0)
        if is_new:
            page = partial(
                review_page, batch_type, lines, reader, EFFORT, resigned=resigned, since=since, can_begin=can_begin
            )
            args = path, page, saved if saved.exists() else None
            threading.Thread(target=self._work, args=args, daemon=True).start()
        if isinstance(known, Exception):
            self._under_way.pop(path, None)  # a full disk may be emptied: the next question begins the work again
            raise known
        return known

    def _work(self, path: Path, page: Callable[..., str], saved: Path | None) -> None:
        """Work a review out, of which ``page`` returns the page; it goes with the file of its game, ``saved``."""

        def show(done: float, text: str) -> None:
            self._under_way[path] = done

        try:
            write_whole(path, page(show=show))
            if saved and not saved.exists():  # looked at last: the game is deleted before the reviews that are there
                path.unlink(missing_ok=True)
            del self._under_way[path]  # the file has it; where that goes, it is worked out again
        except Exception as error:  # whoever asks next is told
            self._under_way[path] = error


def _key_of(lines: Sequence[Line], reader: int | None, can_begin: bool) -> str:
    """Return what stands for a page of a game; a page that another version has made is not shown."""
    return hashlib.sha256(f"{record_text(lines)}{reader} {can_begin} {__version__}".encode()).hexdigest()[:16]
