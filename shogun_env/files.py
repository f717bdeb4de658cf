"""Files that are written whole: no reader finds half of one, and a process that is killed leaves none."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def writing_whole(path: Path) -> Iterator[BinaryIO]:
    """Open a file to write bytes into; it appears under its name, or replaces the old one, when it is complete."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with open(temporary, "wb") as stream:
            yield stream
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def write_whole(path: Path, text: str) -> None:
    """Write a text; see ``writing_whole``."""
    with writing_whole(path) as stream:
        stream.write(text.encode())
