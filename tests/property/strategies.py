"""What hypothesis draws: games, by their options, seed and how far they have gone; and inputs that are nearly right."""

import copy
import io
import json
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
from hypothesis import strategies as st

from shogun_env.batch.batch import Batch
from tests.games import STARTS, TOWERS, Options, advance, batch_class

SOME_OPTIONS: dict[str, st.SearchStrategy[Options]] = {
    "shogun": st.builds(
        lambda start, rest: {**start, **rest},
        st.sampled_from(STARTS),
        st.fixed_dictionaries(
            {"num_players": st.integers(3, 5), "tower": st.sampled_from(TOWERS), "optional_moves": st.booleans()}
        ),
    ),
    "shitenno": st.fixed_dictionaries({"num_players": st.integers(2, 4)}),
    "shikoku": st.fixed_dictionaries({"num_players": st.integers(2, 3), "size": st.sampled_from(["small", "large"])}),
    "coins": st.fixed_dictionaries({"num_players": st.integers(2, 3)}),
}
"""Any combination of options that a game may have."""

STEPS = {"shogun": 450, "shitenno": 150, "shikoku": 40, "coins": 12}
"""Decisions that lead through most of a game, or to its end."""

seeds = st.integers(0, 2**53 - 1)


def draw_batch(data: Any, name: str, count: int = 1, **more: Any) -> Batch:
    """Draw options and seed of a batch."""
    batch: Batch = batch_class(name)(count, **{"seed": data.draw(seeds)} | data.draw(SOME_OPTIONS[name]) | more)
    return batch


def draw_state(data: Any, name: str, count: int = 1, **more: Any) -> Batch:
    """Draw a batch some random decisions on."""
    batch = draw_batch(data, name, count, **more)
    advance(batch, int(batch.seeds[0]), data.draw(st.integers(0, STEPS[name])))
    return batch


def redealt_games(data: Any, batch: Batch) -> Iterator[tuple[int, Batch]]:
    """Yield each player, with a copy of the games in which what the player cannot know was dealt again."""
    for player in range(batch.num_players):
        again = batch.take()
        again.redeal(None, player, seed=data.draw(st.integers(0, 999)))
        yield player, again


# --- inputs that are nearly right, as damage and strangers make them -------------------------------------------------

DEEP = 100_000
"""How deep a value is nested that nobody can read."""
BYTES = (b"", b"\0", b"\n", b"9" * 400, b"-", b"[" * 5000, b'{"a":' * 5000, b"\xc3", b"\r\n", b'"', b"1e999")
"""What is put between bytes: nothing, ends of lines, half a letter, large numbers, depth."""
VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.integers(-3, 130), st.floats(), st.text(max_size=9),
    st.sampled_from([10**400, "random", "player_0", [], [0], [None], [[]], {}, {"": 0}, {"0": []}]),
)  # fmt: skip
"""What a value becomes: each type, and numbers that fit nowhere."""


@st.composite
def changed_bytes(draw: Any, data: bytes) -> bytes:
    """Bytes in which one to three stretches became others, or nothing."""
    for _ in range(draw(st.integers(1, 3))):
        at, other = (draw(st.integers(0, len(data))) for _ in "ab")
        end = draw(st.sampled_from([at, at + 1, at + 8, len(data)]))
        copied = data[other : other + draw(st.integers(0, 40))]
        put = draw(st.one_of(st.binary(min_size=1, max_size=9), st.sampled_from([*BYTES, copied])))
        data = data[:at] + put + data[end:]
    return data


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield each container inside a JSON value with each of its keys."""
    for key in list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield value, key
        yield from places(value[key])


@st.composite
def changed_value(draw: Any, value: Any) -> Any:
    """A JSON value in which one to three of the values became others, or are left out, repeated or renamed."""
    whole = [copy.deepcopy(value)]
    for _ in range(draw(st.integers(1, 3))):
        spots = list(places(whole)) or [(whole, 0)]
        owner, key = spots[draw(st.one_of(*[st.integers(0, len(spots) - 1)] * 9, st.just(0)))]
        way = draw(st.sampled_from(["other", "near", "left out", "repeated"]))
        if way == "left out" and owner is not whole:
            del owner[key]
        elif way == "repeated" and isinstance(owner, dict):
            owner[draw(st.sampled_from([*owner, "x", "", "0", "seed"]))] = owner.pop(key)
        elif way == "repeated":
            owner.insert(key, copy.deepcopy(owner[key]))
        elif way == "near" and type(owner[key]) in (int, float):
            owner[key] += draw(st.sampled_from([-1, 1, 100, 10**6]))
        else:
            owner[key] = copy.deepcopy(draw(VALUES))
    return whole[0]


@st.composite
def changed_json(draw: Any, data: bytes) -> bytes:
    """A JSON text changed as bytes, as a value, or made deep."""
    way = draw(st.sampled_from(["bytes", *["value"] * 4, "deep"]))
    if way == "bytes":
        return draw(changed_bytes(data))
    text = json.dumps(draw(changed_value(json.loads(data)))) if way == "value" else data.decode()
    return (text.replace("[", "[" * DEEP, 1) if way == "deep" else text).encode()


@st.composite
def changed_lines(draw: Any, data: bytes) -> bytes:
    """Lines of JSON of which one is changed, left out, repeated or moved; or all changed as bytes."""
    way, lines = draw(st.sampled_from(["bytes", "line", "line", "line", "repeated", "left out"])), data.splitlines(True)
    at, other = (draw(st.integers(0, len(lines) - 1)) for _ in "ab")
    if way == "bytes":
        return draw(changed_bytes(data))
    put = {"line": [lines[at]], "repeated": [lines[at], lines[other]], "left out": []}[way]
    if way == "line":
        put = [draw(changed_json(lines[at].rstrip())) + b"\n"]
    return b"".join([*lines[:at], *put, *lines[at + 1 :]])


@st.composite
def changed_words(draw: Any, text: str, more: str = "") -> bytes:
    """A text in which one to three words became others of it or of ``more``, or numbers; or changed as bytes."""
    if draw(st.integers(0, 3)) == 3:
        return draw(changed_bytes(text.encode()))
    fields = re.split(r"([ \n])", text)
    words = re.split(r"[ ,:/=\n]", f"{text} {more}")
    others = st.one_of(st.sampled_from([*words, "\n", "9" * 5000, "[" * DEEP, "{" * 50]), st.integers(-1, 12).map(str))
    for _ in range(draw(st.integers(1, 3))):
        field = 2 * draw(st.integers(0, len(fields) // 2))  # the odd ones are what stands between
        parts = re.split(r"([,:/=])", fields[field])
        parts[draw(st.integers(0, len(parts) - 1))] = draw(others)
        fields[field] = "".join(parts)
    return "".join(fields).encode()


@st.composite
def changed_arrays(draw: Any, data: bytes, texts: str = "", only: str = "") -> bytes:
    """An ``.npz`` file of which one array is changed, the one of JSON text as such; or changed as bytes."""
    if draw(st.integers(0, 2)) == 2:
        return draw(changed_bytes(data))
    with np.load(io.BytesIO(data)) as file:
        arrays = {name: file[name] for name in file.files}
    names = [name for name in arrays if arrays[name].size]
    name = only or draw(st.sampled_from([*names, *[texts] * len(names)]))
    raw, dtype = arrays[name].tobytes(), arrays[name].dtype
    part = draw((changed_json if name == texts else changed_bytes)(raw))
    if draw(st.booleans()) and len(part) != len(raw) and name != texts:
        part = part[: len(raw)].ljust(len(raw), b"\0")
    arrays[name] = np.frombuffer(part, dtype if len(part) == len(raw) else np.uint8)
    stream = io.BytesIO()
    np.savez(stream, **arrays)
    return stream.getvalue()
