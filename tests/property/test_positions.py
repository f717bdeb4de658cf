"""What ``check_game`` accepts can be played to its end: states, position texts and saved batches changed at random."""

from __future__ import annotations

import io
import json
import re
from typing import Any

import numpy as np
import pytest

from shogun_env.batch.batch import Batch
from shogun_env.kernel.log import HEAD, LENGTH, WIDTH
from shogun_env.records.record import RecordError
from shogun_env.records.replay import verify
from shogun_env.shogun.constants import NOT_SHOWN
from shogun_env.spec.game_spec import GameSpec
from shogun_env.spec.position import text_from_state
from tests.games import KINDS, advance, batch_class, each_game, game_at_phase, some_action

LONGEST = {"shogun": 500, "shitenno": 170}
"""About as many random decisions as a game has."""
MOST_STEPS = 4000


def spread_over_time(name: str, options: dict[str, Any], count: int, seed: int) -> np.ndarray:
    """Return states of ``count`` random games, each taken at another time."""
    rng = np.random.default_rng(seed)
    batch = batch_class(name)(count, seed=seed, **options)
    states = batch.games.copy()
    for step in range(LONGEST[name]):
        late = np.arange(count) * LONGEST[name] >= step * count
        states[late] = batch.games[late]
        if batch.over.all():
            break
        batch.step(some_action(batch, rng))
    return states


def mutate(spec: GameSpec, g: np.void, rng: np.random.Generator) -> None:
    """Change one to three numbers of a state: by one, to a small number, to another of the field; or swap two."""
    free = sorted({*(spec.state_dtype.names or ())} - {*spec.position_format.options, "pad"})
    for field in rng.choice(free, rng.integers(1, 4)):
        values = np.atleast_1d(g[field]).reshape(-1).copy()
        index, other = rng.integers(values.size, size=2)
        low, high = np.iinfo(values.dtype).min, np.iinfo(values.dtype).max
        way = rng.integers(5)
        if way == 4:
            values[[index, other]] = values[[other, index]]
        else:
            number = (
                int(values[index]) + int(rng.choice([-1, 1])), int(rng.integers(-1, 6)), int(values[other]),
                int(rng.integers(-1, 50)),
            )[way]  # fmt: skip
            values[index] = min(max(number, low), high)
        g[field] = values.reshape(g[field].shape) if g[field].ndim else values[0]


def faults(batch: Batch, seed: int) -> list[str]:
    """Play valid states to their ends, each redealt for every player; return what was not as it must be."""
    messages, spec = [], batch.spec
    for player in range(batch.num_players):
        other = batch.take()
        observations = other.observe_for(player).copy()
        other.redeal(None, player, seed)
        if other.check().any() or (other.observe_for(player) != observations).any():
            messages.append(f"redeal for player {player}")
    rng = np.random.default_rng(seed)
    for step in range(MOST_STEPS):
        if batch.over.all():
            return messages
        batch.step(some_action(batch, rng))
        codes, choices = batch.check(), batch.legal.sum(1)
        wrong = (codes != 0) | (~batch.over & (choices < 2))
        if wrong.any():
            row = int(np.flatnonzero(wrong)[0])
            return [*messages, f"step {step}, row {row}: {spec.check_messages.get(int(codes[row]), 'no choice')}"]
    return [*messages, "no end"]


def accepted_after_mutation(name: str, options: dict[str, Any], count: int, seed: int) -> Batch | None:
    """Return the changed states of random games that are accepted, as a batch; None if none are."""
    spec, rng = batch_class(name).spec, np.random.default_rng(seed)
    before = spread_over_time(name, options, count, seed)
    states = before.copy()
    for g in states:
        mutate(spec, g, rng)
    trial: Batch = batch_class(name)(count, **options)
    trial.games[:] = states
    rows = np.flatnonzero((trial.check() == 0) & (states != before))
    if not len(rows):
        return None
    batch = trial.take(rows)
    batch.refresh()
    return batch


def play_mutated(name: str, count: int, seed: int) -> int:
    """Play the accepted of ``count`` changed states for each kind of game; return how many there were."""
    accepted = 0
    for number, options in enumerate(KINDS[name]):
        batch = accepted_after_mutation(name, options, count, seed + number)
        if batch is not None:
            accepted += batch.num_games
            assert faults(batch, seed) == [], f"{options}, seed {seed + number}"
    return accepted


COUNT = {"shogun": 60, "shitenno": 300}


@pytest.mark.full
@each_game
def test_state__changed_and_accepted__is_playable_to_its_end(name: str):
    assert play_mutated(name, COUNT[name], seed=1) > 10


@pytest.mark.slow
@each_game
@pytest.mark.parametrize("seed", (100, 200, 300))
def test_state__many_changed_and_accepted__are_playable_to_their_ends(name: str, seed: int):
    assert play_mutated(name, 10 * COUNT[name], seed) > 100


def test_state__card_of_a_pending_move_not_shown__is_refused():
    """A redeal would put another card there, and the move would begin somewhere else."""
    batch = game_at_phase("shogun", "target", start="draft", optional_moves=True)
    g = batch.games[0]
    g["shown"][g["player"], g["shown"][g["player"]] == g["source"]] = NOT_SHOWN
    assert batch.spec.check_messages[int(batch.check()[0])].startswith("a field is set that the phase does not know")


def test_state__numbers_of_an_absent_player_that_add_up_to_0__are_refused():
    batch = batch_class("shitenno")(1, num_players=3)
    batch.games["seals"][0, 3], batch.games["gained"][0, 3] = -1, 1
    assert batch.spec.check_messages[int(batch.check()[0])].endswith("a row of an absent player is used")


def changed_text(text: str, other: str, rng: np.random.Generator) -> str:
    """Return a position text with a few parts left out, taken from another text, or with another number or word."""
    parts, others = text.split(" "), other.split(" ")
    for _ in range(rng.integers(1, 3)):
        index = int(rng.integers(1, len(parts)))
        way = rng.integers(4)
        if way == 0:
            parts[index] = ""
        elif way == 1:
            parts.append(str(rng.choice(others[1:])))
        elif way == 2:
            parts[index] = re.sub(r"\d+", lambda _: str(rng.integers(12)), parts[index], count=int(rng.integers(1, 4)))
        else:
            words = re.split(r"([,:/=])", parts[index])
            words[int(rng.integers(len(words)))] = str(rng.choice(re.split(r"[,:/=]", str(rng.choice(others)))))
            parts[index] = "".join(words)
    return " ".join(part for part in parts if part)


@pytest.mark.full
@each_game
def test_text__changed__is_refused_and_changes_nothing_or_is_playable(name: str):
    rng = np.random.default_rng(3)
    for number, options in enumerate(KINDS[name]):
        states = spread_over_time(name, options, 40, seed=number)
        batch = batch_class(name)(40, seed=number, **options)
        spec, accepted = batch.spec, []
        for row, g in enumerate(states):
            before = batch.save() if row % 10 == 0 else None
            text = changed_text(text_from_state(spec, g), text_from_state(spec, states[rng.integers(40)]), rng)
            try:
                batch.set_position(row, text)
                accepted.append(row)
            except ValueError as error:
                assert "position" in str(error), text
                assert before is None or batch.save() == before, text
        if accepted:
            assert faults(batch.take(accepted), seed=number) == []


def changed_save(data: bytes, rng: np.random.Generator) -> bytes:
    """Return a saved batch with one byte of one of its arrays changed."""
    with np.load(io.BytesIO(data)) as arrays:
        content = {key: arrays[key].copy() for key in arrays.files}
    key = str(rng.choice([key for key in content if content[key].size]))
    content[key][rng.integers(content[key].size)] = rng.integers(256)
    stream = io.BytesIO()
    np.savez_compressed(stream, **content)
    return stream.getvalue()


def with_parts(data: bytes, **parts: Any) -> bytes:
    """Return a saved batch with another head, or other arrays."""
    with np.load(io.BytesIO(data)) as arrays:
        content = {key: arrays[key] for key in arrays.files}
    head = json.dumps({**json.loads(content["head"].tobytes()), **parts.pop("head", {})}).encode()
    stream = io.BytesIO()
    np.savez_compressed(stream, **{**content, "head": np.frombuffer(head, np.uint8), **parts})
    return stream.getvalue()


@pytest.mark.parametrize(
    ("parts", "says"),
    [
        ({"head": {"num_games": None}}, "num_games is null, must be a whole number"),
        ({"head": {"num_games": 10**12}}, "array 0 does not have"),
        ({"head": {"options": {"side": "sun"}}}, "options is .*, must be an object of num_players"),
        ({"head": {"rules": 99}}, "rules is 99, must be"),
        ({"a0": np.zeros(2**22, np.uint8)}, "array 0 does not have"),
        ({"a4": np.zeros(16, np.uint8)}, None),
        ({"a4": np.full(16, 255, np.uint8)}, "seeds must be from 0 to 2\\^53"),
        ({"a9": np.full(24, 255, np.uint8)}, "returns of a game are not"),
    ],
)
def test_saved_batch__with_a_part_that_is_wrong__names_it(parts: dict[str, Any], says: str | None):
    make = batch_class("shitenno")
    data = with_parts(make(2, num_players=3, seed=5).save(), **parts)
    if says is None:
        assert make.load(data).seeds.tolist() == [0, 0]
        return
    with pytest.raises(ValueError, match=says):
        make.load(data)


@each_game
def test_saved_batch__with_another_log__is_refused_or_has_records(name: str):
    rng, make = np.random.default_rng(6), batch_class(name)
    batch = make(1, seed=5, record=True)
    advance(batch, 5, 60)
    refused = 0
    for _ in range(40):
        other = batch.take(record=True)
        used = HEAD + WIDTH * int(other.logs[0, LENGTH])
        other.logs[0, rng.integers(HEAD, used)] = rng.integers(-300, 300)
        try:
            make.load(other.save()).records()
        except ValueError as error:
            assert "log of the game is damaged" in str(error)
            refused += 1
    assert refused > 0


@each_game
def test_saved_batch__log_changed_but_readable__is_refused_by_verify(name: str):
    """``load`` sees only that a log makes lines; whether they are those of a game, ``verify`` says."""
    batch = batch_class(name)(1, seed=5, record=True)
    batch.play(["random"] * batch.num_players)
    (lines,) = batch.records()
    rng, changed = np.random.default_rng(1), 0
    for _ in range(40):
        other = batch.take(record=True)
        at = int(rng.integers(HEAD, HEAD + WIDTH * int(batch.logs[0, LENGTH])))
        other.logs[0, at] += int(rng.choice([-1, 1]))
        try:
            (read,) = batch_class(name).load(other.save()).records()
        except ValueError:
            continue
        if read != lines:
            changed += 1
            with pytest.raises(RecordError):
                verify(batch_class(name), read)
    assert changed > 0


@pytest.mark.full
@each_game
@pytest.mark.parametrize("record", [False, True])
def test_saved_batch__changed__is_refused_or_is_playable(name: str, record: bool):
    rng = np.random.default_rng(4)
    make = batch_class(name)
    batch = make(2, seed=5, record=record)
    advance(batch, 5, 60)
    data = batch.save()
    loaded = 0
    for seed in range(60):
        try:
            other = make.load(changed_save(data, rng))
        except ValueError as error:
            assert len(str(error).splitlines()) == 1
            continue
        loaded += 1
        other = other.take()
        assert faults(other, seed) == []
    assert loaded > 0
