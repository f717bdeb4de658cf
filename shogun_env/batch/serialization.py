"""A batch as bytes: a head that describes it, and its arrays; a game's specification as a reference."""

from __future__ import annotations

import copyreg
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from shogun_env.files import ArrayFile, reading_arrays
from shogun_env.kernel.log import FULL, HEAD, LENGTH, TAPE, TAPE_ERROR, WIDTH
from shogun_env.spec.forms import COUNT, FLAG, anything, fault_of, json_of
from shogun_env.spec.game_spec import GameSpec

FORMAT = "shogun-env-batch"
VERSION = 1
DAMAGED_LOG = "the log of the game is damaged"
DAMAGED = "not a saved batch of this game, or damaged"

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

    Attributes:
        num_games: number of games.
        arguments: the other arguments of the batch.
    """

    def __init__(self, data: bytes, identity: Mapping[str, Any], options: Iterable[str], state_bytes: int) -> None:
        """Read the head, and see that there are as many games as it says.

        Args:
            data: the bytes.
            identity: values that the head must have besides format and version.
            options: names of the options of play.
            state_bytes: bytes of a state.

        Raises: ValueError saying what is wrong with them.
        """
        forms = {
            "format": FORMAT, "version": VERSION, **identity, "num_games": COUNT, "reward": str,
            "record": FLAG, "options": dict.fromkeys(options, anything),
        }  # fmt: skip
        self._data = data
        try:
            with reading_arrays(io.BytesIO(data)) as arrays:
                head = json_of(arrays.text("head"))
                if fault := fault_of(head, forms, "the head"):
                    raise ValueError(fault)
                self.num_games: int = head["num_games"]
                self.arguments: dict[str, Any] = {"reward": head["reward"], "record": head["record"], **head["options"]}
                _read(arrays, 0, state_bytes * self.num_games)  # before a batch of that many games is made
        except ValueError as error:
            raise ValueError(f"{DAMAGED}: {error}") from None

    def fill(self, buffers: Sequence[np.ndarray]) -> None:
        """Write the saved arrays into ``buffers``, of the same shapes and dtypes; ValueError if they do not fit."""
        try:
            with reading_arrays(io.BytesIO(self._data)) as arrays:
                for i, buffer in enumerate(buffers):
                    saved = _read(arrays, i, buffer.nbytes)
                    buffer[...] = np.frombuffer(saved.tobytes(), buffer.dtype).reshape(buffer.shape)
        except ValueError as error:
            raise ValueError(f"{DAMAGED}: {error}") from None


def _read(arrays: ArrayFile, number: int, size: int) -> np.ndarray:
    """Return one of the arrays that ``to_bytes`` wrote, ``size`` bytes long; ValueError if it is another."""
    declared = arrays.declared.get(f"a{number}")
    if declared is None or (declared.dtype, declared.shape) != (np.dtype(np.uint8), (size,)):
        raise ValueError(f"array {number} does not have {size} bytes")
    return arrays.read(f"a{number}")


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
