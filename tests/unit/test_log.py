"""The log has room for the longest game there can be, and its tape for that game's chance beside it."""

from __future__ import annotations

import numpy as np
import pytest

from shogun_env import log as log_module
from shogun_env.frame.batch import LOG_LENGTH
from shogun_env.log import HEAD, MAX_ENTRIES, WIDTH, entries, new_log, new_taped_log, note, take
from shogun_env.shogun import Batch, board
from shogun_env.shogun import constants as c
from tests.positions import tape_of
from tests.property.games import STARTS, eager_to_bury, play_on

STATE = c.N_PROVINCES + 2  # and one a player
THROW = 2
FIGHT = THROW + 2


def most_entries(n: int) -> int:
    """Bound of the entries of a game with n players, piece by piece as the rules run."""
    groups = n * int(board.ARMY_GROUPS[n].sum())
    draft = 1 + 2 + groups * (1 + 1 + 2 + 2)  # starter, two cards; a pick: bury, draft, two new cards, deck and refill
    start = max(groups, draft) + THROW + STATE + n
    a_collect, an_attack, a_move = 1 + FIGHT, 1 + 1 + FIGHT, 1 + 1
    a_player = (
        5 * 1 + 2 * a_collect + a_move + 2 * an_attack
    )  # builds and deployments, collects, deploy/move 1, A and B
    a_round = 1 + c.N_ACTION_CARDS + 1 + 2 * n + 1 + 2 + n + c.N_ACTION_CARDS + n * a_player + STATE + n
    a_winter = 2 + n * (2 + c.MAX_FAMINE * FIGHT) + n + STATE + n
    return start + c.N_YEARS * (1 + c.N_SEASONS * a_round + a_winter) + 1


def most_outcomes(n: int) -> int:
    """Bound of the pairs on a tape of a game with n players."""
    groups = n * int(board.ARMY_GROUPS[n].sum())
    start = max(n, 1 + 2 + groups * 4) + c.N_COLOURS
    a_round = c.N_ACTION_CARDS + c.N_SPECIALS + 1 + n + n * 4 * c.N_COLOURS
    return start + c.N_YEARS * (4 + c.N_SEASONS * a_round + n * c.MAX_FAMINE * (1 + c.N_COLOURS))


@pytest.mark.parametrize("n", [3, 4, 5])
def test_log__longest_game__fits_and_its_tape_beside_it(n: int):
    assert most_entries(n) <= MAX_ENTRIES
    assert HEAD + WIDTH * most_entries(n) + 2 * most_outcomes(n) <= LOG_LENGTH <= np.iinfo(np.int16).max


@pytest.mark.parametrize("start", STARTS, ids=lambda start: "-".join(map(str, start.values())))
def test_log__many_games__stay_below_the_bounds_and_come_near(start: dict):
    for n in (3, 4, 5):
        batch = Batch(40, num_players=n, record=True, seed=n, **start)
        for _ in play_on(batch, n, pick=eager_to_bury):
            pass
        longest = int(batch.logs[:, log_module.LENGTH].max())
        assert longest <= most_entries(n) < 2 * longest
        tapes = [len(tape_of(batch, row)) for row in range(batch.num_games)]
        assert max(tapes) <= most_outcomes(n)


def test_note__row_is_full__is_marked_and_nothing_is_overwritten():
    row = new_log(2)
    for number in range(3):
        note(row, 9, number, 0, 0, 0, 0, 0, 0)
    assert entries(row)[:, :2].tolist() == [[9, 0], [9, 1]]
    assert row[log_module.FULL] == 1


def test_note__row_with_a_tape__stops_before_the_tape():
    row = new_taped_log([(5, 11), (6, 12)], entries=1)
    for number in range(2):
        note(row, 9, number, 0, 0, 0, 0, 0, 0)
    assert row[log_module.FULL] == 1
    assert [take(row, 5), take(row, 6)] == [11, 12]
    assert row[log_module.TAPE_ERROR] == 0
    assert take(row, 5) == c.NONE
    assert row[log_module.TAPE_ERROR] == 1


def test_take__another_kind__is_marked_and_stays():
    row = new_taped_log([(5, 11)])
    assert take(row, 6) == c.NONE
    assert row[log_module.TAPE_ERROR] == 1
    assert take(row, 5) == 11


def test_entries__log_switched_off__says_how_to_switch_it_on():
    with pytest.raises(ValueError, match="record=True"):
        entries(np.zeros(1, np.int16))
