"""A batch as bytes: a head that says what it is, and its buffers; a game's description as a reference."""

from __future__ import annotations

import copyreg
import io
import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from shogun_env.frame.game import Game

FORMAT = "shogun-env-batch"
VERSION = 1

batch_classes: dict[str, type[Any]] = {}
"""The ``Batch`` of each game, by the game's name."""


def _game_of(batch_class: type[Any]) -> Any:
    return batch_class.game


# A game's description holds compiled functions: it is pickled, and copied, as a reference to the class that has it.
copyreg.pickle(Game, lambda game: (_game_of, (batch_classes[game.name],)))


def to_bytes(head: Mapping[str, Any], buffers: Sequence[np.ndarray]) -> bytes:
    """Return head (what JSON can hold) and buffers as bytes."""
    text = json.dumps({"format": FORMAT, "version": VERSION, **head}).encode()
    arrays: dict[str, Any] = {f"a{i}": np.frombuffer(buffer.tobytes(), np.uint8) for i, buffer in enumerate(buffers)}
    stream = io.BytesIO()
    np.savez_compressed(stream, head=np.frombuffer(text, np.uint8), **arrays)
    return stream.getvalue()


class Saved:
    """What ``to_bytes`` made.

    Raises: ValueError if the bytes are no such thing, of another version, or differ in what ``expected`` names.
    """

    def __init__(self, data: bytes, expected: Mapping[str, Any]) -> None:
        """Read the head and compare it."""
        try:
            self._arrays = np.load(io.BytesIO(data), allow_pickle=False)
            self.head: dict[str, Any] = json.loads(self._arrays["head"].tobytes())
        except (ValueError, OSError, KeyError, EOFError):
            raise ValueError("these bytes are not a saved batch") from None
        for name, value in {"format": FORMAT, "version": VERSION, **expected}.items():
            if self.head.get(name) != value:
                raise ValueError(f"saved batch: {name} is {self.head.get(name)!r}, this is {value!r}")

    def fill(self, buffers: Sequence[np.ndarray]) -> None:
        """Write the saved buffers into ``buffers``, of the same shapes and dtypes."""
        for i, buffer in enumerate(buffers):
            buffer[...] = self._arrays[f"a{i}"].view(buffer.dtype).reshape(buffer.shape)
