"""Games as bytes: a head that says what they are, and their arrays; a game's specification as a reference.

The bytes begin with the hash of the others. So what is read is what was written, and it need not be checked again.
"""

import copyreg
import hashlib
import json
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from shogun_env.spec.game_spec import GameSpec

HASH_BYTES = 16

batch_classes: dict[str, type[Any]] = {}
"""The ``Batch`` of each game, by the game's name."""


def _spec_of(batch_class: type[Any]) -> Any:
    return batch_class.spec


# A specification holds compiled functions, so it is pickled and copied as a reference to the class that has it.
copyreg.pickle(GameSpec, lambda spec: (_spec_of, (batch_classes[spec.name],)))


def _hash_of(body: bytes) -> bytes:
    return hashlib.blake2b(body, digest_size=HASH_BYTES).digest()


def to_bytes(head: Mapping[str, Any], buffers: Sequence[np.ndarray]) -> bytes:
    """Return ``head``, JSON values, and the arrays ``buffers`` as bytes."""
    arrays = zlib.compress(b"".join(buffer.tobytes() for buffer in buffers), 1)
    body = json.dumps(head).encode() + b"\n" + arrays
    return _hash_of(body) + body


def from_bytes(data: bytes, expected: Mapping[str, Any]) -> tuple[dict[str, Any], bytes]:
    """Return the head in bytes that ``to_bytes`` made, and the bytes of all arrays, for ``fill``.

    Raises: ValueError if the bytes were changed, or are none, or if the head has other values than ``expected``, JSON
        values.
    """
    try:
        data = bytes(memoryview(data))
    except TypeError:
        raise ValueError(f"saved games: must be bytes, not {type(data).__name__}") from None
    body = data[HASH_BYTES:]
    if _hash_of(body) != data[:HASH_BYTES]:
        raise ValueError("these bytes are not saved games of this version, or are damaged")
    head, _, arrays = body.partition(b"\n")
    values: dict[str, Any] = json.loads(head)
    for name, value in expected.items():
        if values.get(name) != value:
            raise ValueError(f"saved games whose {name} is {json.dumps(values.get(name))}: must be {json.dumps(value)}")
    return values, zlib.decompress(arrays)


def fill(buffers: Sequence[np.ndarray], data: bytes) -> None:
    """Write the bytes of arrays, one after the other, into ``buffers``; ValueError if they are not as many."""
    size = sum(buffer.nbytes for buffer in buffers)
    if len(data) != size:
        raise ValueError(f"saved games of {len(data)} bytes: must be {size}, as in this version")
    at = 0
    for buffer in buffers:
        buffer[...] = np.frombuffer(data, buffer.dtype, buffer.size, at).reshape(buffer.shape)
        at += buffer.nbytes
