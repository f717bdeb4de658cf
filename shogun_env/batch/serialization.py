"""A batch as bytes: a head that says what it is, and its buffers; a game's specification as a reference."""

from __future__ import annotations

import copyreg
import io
import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from shogun_env.kernel.log import FULL, HEAD, LENGTH, TAPE, TAPE_ERROR, WIDTH
from shogun_env.spec.game_spec import GameSpec

FORMAT = "shogun-env-batch"
VERSION = 1

batch_classes: dict[str, type[Any]] = {}
"""The ``Batch`` of each game, by the game's name."""


def _spec_of(batch_class: type[Any]) -> Any:
    return batch_class.spec


# A specification holds compiled functions: it is pickled, and copied, as a reference to the class that has it.
copyreg.pickle(GameSpec, lambda spec: (_spec_of, (batch_classes[spec.name],)))


def to_bytes(head: Mapping[str, Any], buffers: Sequence[np.ndarray]) -> bytes:
    """Return head (what JSON can hold) and buffers as bytes."""
    text = json.dumps({"format": FORMAT, "version": VERSION, **head}).encode()
    arrays: dict[str, Any] = {f"a{i}": np.frombuffer(buffer.tobytes(), np.uint8) for i, buffer in enumerate(buffers)}
    stream = io.BytesIO()
    np.savez_compressed(stream, head=np.frombuffer(text, np.uint8), **arrays)
    return stream.getvalue()


class SavedBatch:
    """What ``to_bytes`` made.

    Raises: ValueError if the bytes are something else, of another version, damaged, or differ in what ``expected``
        names.
    """

    def __init__(self, data: bytes, expected: Mapping[str, Any], state_bytes: int) -> None:
        """Read the head and compare it; a state takes ``state_bytes``."""
        try:
            with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
                self._arrays = {name: arrays[name] for name in arrays.files}
            head = json.loads(self._arrays["head"].tobytes())
            found = {name: head.get(name) for name in ("format", "version", *expected)}
            self.num_games: int = head["num_games"]
            self.arguments: dict[str, Any] = {"reward": head["reward"], "record": head["record"], **head["options"]}
        except Exception:  # whatever numpy, zip or JSON make of bytes that are something else
            raise ValueError("these bytes are not a saved batch") from None
        for name, value in {"format": FORMAT, "version": VERSION, **expected}.items():
            if found[name] != value:
                raise ValueError(f"saved batch: {name} is {found[name]!r}, expected {value!r}")
        if self._arrays.get("a0", np.empty(0)).size != state_bytes * self.num_games:
            raise ValueError("this saved batch is damaged")

    def fill(self, buffers: Sequence[np.ndarray]) -> None:
        """Write the saved buffers into ``buffers``, of the same shapes and dtypes; ValueError if they do not fit."""
        for i, buffer in enumerate(buffers):
            saved = self._arrays.get(f"a{i}")
            if saved is None or saved.dtype != np.uint8 or saved.size != buffer.nbytes:
                raise ValueError("this saved batch is damaged")
            buffer[...] = np.frombuffer(saved.tobytes(), buffer.dtype).reshape(buffer.shape)


def check_logs(logs: np.ndarray) -> None:
    """Raise ValueError if the heads of logs int16[B, L] point outside their rows: kernels rely on them."""
    length = logs.shape[1]
    if length == 1:
        return
    head = logs[:, :HEAD].astype(np.int64)
    end = np.where(head[:, TAPE] == 0, length, head[:, TAPE])
    fits = (head[:, LENGTH] >= 0) & (HEAD + WIDTH * head[:, LENGTH] <= end) & (end <= length)
    flags = head[:, [FULL, TAPE_ERROR]]
    if not fits.all() or flags.any():
        raise ValueError("the log of a game is damaged")
