"""The log has room for the longest game there can be, and its tape for that game's chance with it."""

import numpy as np
import pytest

from shogun_env.batch.base import LOG_LENGTH
from shogun_env.kernel import log as log_module
from shogun_env.kernel.log import (
    ERR_LOG_FULL,
    ERR_TAPE,
    HEAD,
    MAX_ENTRIES,
    OK,
    WIDTH,
    entries,
    log_entry,
    log_status,
    new_log,
    new_tape,
    next_taped,
    set_tape,
)
from shogun_env.shogun import constants as c
from tests.games import KINDS, batch_class, each_game, play_on, rare_action, tape_of


@each_game
def test_log__many_games_that_seek_what_is_rare__leave_room_for_longer_ones(name: str):
    for number, options in enumerate(KINDS[name]):
        batch = batch_class(name)(40, record=True, seed=number, **options)
        for _ in play_on(batch, number, pick=rare_action):
            pass
        row = int(batch.logs[:, log_module.LENGTH].argmax())
        longest = int(batch.logs[row, log_module.LENGTH])
        assert HEAD + 1.2 * WIDTH * longest <= LOG_LENGTH and 1.2 * longest <= MAX_ENTRIES
        assert HEAD + WIDTH * longest + 2 * len(tape_of(batch, row)) <= LOG_LENGTH


def test_log_entry__row_is_full__is_marked_and_nothing_is_overwritten():
    row = new_log(2)
    for number in range(3):
        log_entry(row, 9, number, 0, 0, 0, 0, 0, 0)
    assert entries(row)[:, :2].tolist() == [[9, 0], [9, 1]]
    assert row[log_module.FULL] == 1


def taped(outcomes):
    """Return a log row with room for one entry and a tape."""
    row = np.zeros(HEAD + WIDTH + 2 * len(outcomes), np.int16)
    set_tape(row, new_tape(outcomes, len(row)))
    return row


@pytest.mark.parametrize("outcomes", [[(1, 2**15)], [(1,)], [(1, 2, 3)], [(1, 1.5)], [5], [("a", "b")]])
def test_new_tape__no_pairs_of_whole_numbers_of_16_bits__is_refused(outcomes):
    with pytest.raises(ValueError, match="a tape must hold pairs"):
        new_tape(outcomes, 100)


def test_log_entry__row_with_a_tape__stops_before_the_tape():
    row = taped([(5, 11), (6, 12)])
    for number in range(2):
        log_entry(row, 9, number, 0, 0, 0, 0, 0, 0)
    assert row[log_module.FULL] == 1
    assert [next_taped(row, 5), next_taped(row, 6)] == [11, 12]
    assert row[log_module.TAPE_ERROR] == 0
    assert next_taped(row, 5) == c.NONE
    assert row[log_module.TAPE_ERROR] == 1


def test_next_taped__another_kind__is_marked_and_stays():
    row = taped([(5, 11)])
    assert next_taped(row, 6) == c.NONE
    assert row[log_module.TAPE_ERROR] == 1
    assert next_taped(row, 5) == 11


def test_entries__log_switched_off__says_how_to_switch_it_on():
    with pytest.raises(ValueError, match="record=True"):
        entries(np.zeros(1, np.int16))


def test_log_status__no_room_or_a_tape_of_another_kind__is_reported_and_nothing_else_is():
    assert log_status(np.zeros(1, np.int16)) == OK
    full = new_log(1)
    log_entry(full, 3, 0, 0, 0, 0, 0, 0, 0)
    assert log_status(full) == OK
    log_entry(full, 3, 0, 0, 0, 0, 0, 0, 0)
    assert log_status(full) == ERR_LOG_FULL
    row = taped([(3, 7)])
    assert (next_taped(row, 3), log_status(row)) == (7, OK)
    assert (next_taped(row, 3), log_status(row)) == (-1, ERR_TAPE)
