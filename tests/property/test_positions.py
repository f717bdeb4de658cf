"""What ``Validity`` accepts can be played to its end: states and saved batches with other numbers."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shogun_env.batch.batch import Batch
from shogun_env.kernel.log import HEAD, LENGTH, WIDTH
from shogun_env.records.record import RecordError
from shogun_env.records.replay import verify
from shogun_env.shogun import SHOGUN
from shogun_env.shogun import Batch as ShogunBatch
from shogun_env.shogun.constants import NOT_SHOWN
from shogun_env.spec.position import text_from_state
from tests.games import batch_class, each_game, game_at_phase, some_action
from tests.property.strategies import draw_state

MOST_STEPS = 4000
BOUNDLESS = {"shogun": {"stick", "dislodge", "shake", "chests", "rice", "points"}, "shitenno": {"points"}}
"""Fields that may hold any number, or 100."""


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


def neighbours(batch: Batch, far: bool) -> Iterator[tuple[str, np.ndarray]]:
    """Yield copies of the state of a game with one number changed, or one unit moved within a field, and its name.

    A number becomes another that is near or small; if ``far``, one that no game has. Only then are options changed.
    """
    state = batch.games[0]
    fixed = {"pad"} if far else {"pad", *batch.spec.position_format.options}
    for name in sorted({*(state.dtype.names or ())} - fixed):
        info = np.iinfo(state[name].dtype)
        numbers = state[name].reshape(-1).tolist()
        for index, value in enumerate(numbers):
            others = {info.min or info.max, info.max, 100} if far else {value - 1, value + 1, *range(-1, 6)}
            changes = [{index: other} for other in sorted(others)]
            if not far and len(numbers) > 1:
                changes.append({index: value - 1, (index or len(numbers)) - 1: numbers[index - 1] + 1})
            for change in changes:
                copy = batch.games.copy()
                for at, number in change.items():
                    copy[name].reshape(-1)[at] = min(max(number, info.min), info.max)
                if copy.tobytes() != batch.games.tobytes():
                    yield name, copy


def accepted(batch: Batch, far: bool) -> tuple[Batch, set[str]]:
    """Return the neighbours of a game that are accepted, as a batch, and the fields in which they differ from it."""
    names, games = zip(*neighbours(batch, far), strict=True)
    trial = batch.take(np.zeros(len(games), np.int64))
    trial.games[:] = np.concatenate(games)
    rows = np.flatnonzero(trial.check() == 0)
    found = trial.take(rows)
    if not far:
        found.refresh()
    return found, {names[row] for row in rows}


@pytest.mark.full
@each_game
@settings(max_examples=settings.default.max_examples // 10)
@given(data=st.data())
def test_state__changed_and_accepted__is_playable_to_its_end(name: str, data: Any):
    batch = draw_state(data, name)
    assert faults(accepted(batch, far=False)[0], seed=1) == []
    assert accepted(batch, far=True)[1] <= BOUNDLESS[name]


@pytest.mark.parametrize("field", ["holder=100", "rank=100", "position_of=100", "bid_order=100"])
def test_position__number_far_out_of_range__is_refused(field: str):
    batch = ShogunBatch(1, seed=0)
    with pytest.raises(ValueError, match=f"a number of {field.partition('=')[0]} is not from"):
        batch.set_position(0, f"{text_from_state(SHOGUN, batch.games[0])} {field}")


def test_state__card_of_a_pending_move_not_shown__is_refused():
    """A redeal would put another card there, and the move would begin somewhere else."""
    batch = game_at_phase("shogun", "target", start="draft", optional_moves=True)
    g = batch.games[0]
    g["shown"][g["player"], g["shown"][g["player"]] == g["source"]] = NOT_SHOWN
    assert batch.spec.check_messages[int(batch.check()[0])] == "the pending move is not that of the card shown"


def test_state__province_drawn_outside_of_winter__is_refused():
    batch = ShogunBatch(1)
    batch.games["drawn"][0, 0] = 3
    assert batch.spec.check_messages[int(batch.check()[0])].startswith("a field is set that the phase does not know")


def test_state__row_of_an_absent_player_used__is_refused():
    batch = batch_class("shitenno")(1, num_players=3)
    batch.games["gained"][0, 3] = 1
    assert batch.spec.check_messages[int(batch.check()[0])] == "a row of an absent player is used"


@given(record=st.booleans(), data=st.data())
def test_saved_batch__with_a_bit_changed_or_cut_off__is_refused(record: bool, data: Any):
    batch_type = batch_class("shitenno")
    saved = batch_type(2, seed=5, record=record).save()
    at, bit = data.draw(st.integers(0, len(saved) - 1)), 1 << data.draw(st.integers(0, 7))
    for changed in (saved[:at] + bytes([saved[at] ^ bit]) + saved[at + 1 :], saved[:at]):
        with pytest.raises(ValueError, match="not saved games of this version, or are damaged"):
            batch_type.load(changed)


def test_saved_batch__of_another_game_or_of_other_rules__names_both(monkeypatch: pytest.MonkeyPatch):
    batch_type = batch_class("shitenno")
    data = batch_type(1).save()
    with pytest.raises(ValueError, match=r'^saved games whose game is "shitenno": must be "shogun"$'):
        batch_class("shogun").load(data)
    monkeypatch.setattr(batch_type, "spec", replace(batch_type.spec, rules_version=99))
    with pytest.raises(ValueError, match=r"^saved games whose rules is \d+: must be 99$"):
        batch_type.load(data)


@each_game
@given(data=st.data())
def test_record__of_a_changed_log__cannot_be_made_or_is_refused_by_verify(name: str, data: Any):
    batch = batch_class(name)(1, seed=5, record=True)
    batch.play(["random"] * batch.num_players)
    (lines,) = batch.records()
    at = data.draw(st.integers(HEAD, HEAD + WIDTH * int(batch.logs[0, LENGTH]) - 1))
    batch.logs[0, at] += data.draw(st.sampled_from([-1, 1, -300, 300]))
    try:
        (read,) = batch.records()
    except (LookupError, TypeError, ValueError):  # the numbers of a log are looked up in many tables
        return
    if read != lines:
        with pytest.raises(RecordError):
            verify(batch_class(name), read)
