"""A batch as bytes: a head that describes it, and its arrays; a game's specification as a reference."""

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


# A specification holds compiled functions, so it is pickled and copied as a reference to the class that has it.
copyreg.pickle(GameSpec, lambda spec: (_spec_of, (batch_classes[spec.name],)))


def to_bytes(head: Mapping[str, Any], buffers: Sequence[np.ndarray]) -> bytes:
    """Return ``head``, JSON values, and the arrays ``buffers`` as bytes."""
    text = json.dumps({"format": FORMAT, "version": VERSION, **head}).encode()
    arrays: dict[str, Any] = {f"a{i}": np.frombuffer(buffer.tobytes(), np.uint8) for i, buffer in enumerate(buffers)}
    stream = io.BytesIO()
    np.savez_compressed(stream, head=np.frombuffer(text, np.uint8), **arrays)
    return stream.getvalue()


class SavedBatch:
    """The head and the arrays in bytes made by ``to_bytes``.

    Raises: ValueError if the bytes are something else, have another version, are damaged, or their head has other
        values than ``expected``.
    """

    def __init__(self, data: bytes, expected: Mapping[str, Any], state_bytes: int) -> None:
        """Read the bytes and compare the head with ``expected``; a state takes ``state_bytes`` bytes."""
        try:
            with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
                self._arrays = {name: arrays[name] for name in arrays.files}
            head = json.loads(self._arrays["head"].tobytes())
            identity = {name: head.get(name) for name in ("format", "version", *expected)}
            self.num_games: int = head["num_games"]
            self.arguments: dict[str, Any] = {"reward": head["reward"], "record": head["record"], **head["options"]}
        except Exception:  # numpy, zip and JSON raise many kinds of errors for other bytes
            raise ValueError("these bytes are not a saved batch") from None
        for name, value in {"format": FORMAT, "version": VERSION, **expected}.items():
            if identity[name] != value:
                raise ValueError(f"saved batch: {name} is {identity[name]!r}, expected {value!r}")
        if self._arrays.get("a0", np.empty(0)).size != state_bytes * self.num_games:
            raise ValueError("this saved batch is damaged")

    def fill(self, buffers: Sequence[np.ndarray]) -> None:
        """Write the saved arrays into ``buffers``, of the same shapes and dtypes; ValueError if they do not fit."""
        for i, buffer in enumerate(buffers):
            saved = self._arrays.get(f"a{i}")
            if saved is None or saved.dtype != np.uint8 or saved.size != buffer.nbytes:
                raise ValueError("this saved batch is damaged")
            buffer[...] = np.frombuffer(saved.tobytes(), buffer.dtype).reshape(buffer.shape)


def check_logs(logs: np.ndarray) -> None:
    """Raise ValueError if the head of one of ``logs`` int16[B, L] points outside its row; kernels do not check that."""
    length = logs.shape[1]
    if length == 1:
        return
    head = logs[:, :HEAD].astype(np.int64)
    end = np.where(head[:, TAPE] == 0, length, head[:, TAPE])
    fits = (head[:, LENGTH] >= 0) & (HEAD + WIDTH * head[:, LENGTH] <= end) & (end <= length)
    flags = head[:, [FULL, TAPE_ERROR]]
    if not fits.all() or flags.any():
        raise ValueError("the log of a game is damaged")
