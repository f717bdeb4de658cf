"""Inputs that are nearly right: bytes and JSON values with one to three changes, as damage and strangers make them."""

from __future__ import annotations

import copy
import functools
import io
import json
import random
import zipfile
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

VALUES: tuple[Any, ...] = (
    None, False, True, 0, 1, -1, 3, 127, 2**31, 2**53, 2**63, -(2**63) - 1, 10**30, 10**400, 0.0, -0.5, 1.5, 1e300,
    float("nan"), float("inf"), "", "0", "1", "random", "player_0", "a\nb", "\u00e4\u20ac", "\0", [], [0], [None], [[]],
    {}, {"": 0}, {"0": []},
)  # fmt: skip
"""What a value becomes: each type, and numbers that fit nowhere."""
BYTES = (b"\0", b"\xff", b"\n", b"9" * 400, b"-", b"[" * 5000, b'{"a":' * 5000, b"\xc3", b"\r\n", b'"', b"1e999")
"""What is put between bytes: ends of lines, half a letter, large numbers, depth."""
DEPTH = 100_000
"""How deep a value is nested that nobody can read."""


def changed_bytes(data: bytes, chance: random.Random) -> bytes:
    """Return bytes with one to three changes: flipped, overwritten, cut off, left out, repeated, or put in."""
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(len(data) + 1)
        end = min(len(data), at + int(chance.expovariate(0.1)))
        rest = data[at + 1 :]
        way = chance.randrange(7)
        if way == 0 and at < len(data):
            data = data[:at] + bytes([data[at] ^ (1 << chance.randrange(8))]) + rest
        elif way == 1 and at < len(data):
            data = data[:at] + bytes([chance.randrange(256)]) + rest
        elif way == 2:
            data = data[:at] if chance.random() < 0.3 else data[:at] + data[end:]
        elif way == 3:
            data = data[:end] + data[at:]
        elif way == 4:
            data = data[:at] + chance.choice(BYTES) + data[at:]
        elif way == 5:
            other = chance.randrange(len(data) + 1)
            data = data[:at] + data[other : other + end - at] + data[end:]
        else:
            data = data[:at] + bytes(end - at) + data[end:]
    return data


def changed_value(value: Any, chance: random.Random) -> Any:
    """Return a JSON value with one to three of the values in it changed, left out, repeated, renamed or swapped."""
    value = copy.deepcopy(value)
    for _ in range(chance.randint(1, 3)):
        places = list(_places(value))
        if not places:
            return chance.choice(VALUES)
        owner, key = chance.choice(places)
        way = chance.randrange(8)
        if way == 0:
            del owner[key]
        elif way == 1 and isinstance(owner, list):
            owner.insert(key, copy.deepcopy(owner[key]))
        elif way == 1:
            owner[chance.choice([*owner, "x", "", "0", "seed"])] = owner.pop(key)
        elif way == 2:
            other, place = chance.choice(places)
            owner[key] = copy.deepcopy(other[place]) if place in _keys(other) else None
        elif way in (3, 4) and type(owner[key]) in (int, float):
            owner[key] = _moved(owner[key], chance.choice((-1, 1, -0.5, 100, 1e6)))
        else:
            owner[key] = copy.deepcopy(chance.choice(VALUES))
    return value


def _moved(number: float, by: float) -> float:
    try:
        return number + by
    except OverflowError:  # a whole number that no float can hold
        return number + int(by)


def _keys(value: Any) -> Any:
    return value if isinstance(value, dict) else range(len(value))


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield each container inside a JSON value with each of its keys."""
    for key in list(_keys(value)) if isinstance(value, dict | list) else ():
        yield value, key
        yield from _places(value[key])


def changed_json(data: bytes, chance: random.Random) -> bytes:
    """Return a JSON text changed as a value, as bytes, or made deep."""
    way = chance.random()
    if way < 0.25:
        return changed_bytes(data, chance)
    text = json.dumps(changed_value(json.loads(data), chance))
    if way < 0.27:
        at = text.find("[") + 1 or len(text)
        return (text[:at] + "[" * DEPTH + text[at:]).encode()
    return text.encode()


def changed_lines(data: bytes, chance: random.Random) -> bytes:
    """Return lines of JSON with one of them changed, left out, repeated or moved; or changed as bytes."""
    way, lines = chance.randrange(6), data.splitlines(keepends=True)
    at, other = (chance.randrange(len(lines)) for _ in "ab")
    if way == 0:
        return changed_bytes(data, chance)
    if way == 1:
        lines[at], lines[other] = lines[other], lines[at]
    elif way == 2:
        lines.insert(at, lines[other])
    elif way == 3:
        del lines[at]
    else:
        lines[at] = changed_json(lines[at], chance) + b"\n"
    return b"".join(lines)


class Arrays:
    """An ``.npz`` file whose arrays are changed one at a time, as texts or as bytes; made anew in a tenth of a
    millisecond, where ``np.savez`` takes two.

    Args:
        data: the file.
        texts: the arrays in it that hold JSON texts.
    """

    def __init__(self, data: bytes, texts: tuple[str, ...]) -> None:
        self.texts = texts
        with np.load(io.BytesIO(data)) as arrays:
            self.arrays = {name: arrays[name] for name in arrays.files}

    def changed(self, chance: random.Random, names: tuple[str, ...] = ()) -> bytes:
        """Return the file with one array changed, one of ``names`` if there are any."""
        chosen = chance.choice(names or tuple(self.arrays))
        change = changed_json if chosen in self.texts else changed_bytes
        part = change(self.arrays[chosen].tobytes(), chance)
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w") as archive:
            for name, whole in self._members.items():
                member = npy_of(np.frombuffer(part, np.uint8)) if name == chosen else whole
                archive.writestr(zipfile.ZipInfo(f"{name}.npy"), member)
        return stream.getvalue()

    @functools.cached_property
    def _members(self) -> dict[str, bytes]:
        return {name: npy_of(array) for name, array in self.arrays.items()}


def npy_of(array: np.ndarray) -> bytes:
    """Return an array as it is in an ``.npz`` file."""
    stream = io.BytesIO()
    np.lib.format.write_array(stream, array, (1, 0), allow_pickle=False)
    return stream.getvalue()


def changed_words(words: str) -> Callable[[bytes, random.Random], bytes]:
    """Return a function that changes a text: a word becomes another of the text or of ``words``, or bytes change."""
    more = words.split()

    def changed(data: bytes, chance: random.Random) -> bytes:
        if chance.random() < 0.3:
            return changed_bytes(data, chance)
        parts = data.decode().split(" ")
        for _ in range(chance.randint(1, 3)):
            at = chance.randrange(len(parts))
            parts[at] = chance.choice([*parts, *more, "", "\n", "9" * 5000, "[" * DEPTH, "{" * 50])
        return " ".join(parts).encode()

    return changed
