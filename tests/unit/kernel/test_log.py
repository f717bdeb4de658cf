"""The log has room for the longest game there can be, and its tape for that game's chance with it."""

from collections.abc import Callable

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
from shogun_env.shitenno import board as shitenno
from shogun_env.shitenno.constants import N_TROOP_KINDS
from shogun_env.shogun import board
from shogun_env.shogun import constants as c
from tests.games import KINDS, batch_class, each_game, each_game_and_player_count, play_on, rare_action, tape_of

Bound = tuple[int, int]


def most_of_shogun(n: int) -> Bound:
    """Most entries and most outcomes of a game with n players, piece by piece as the rules run."""
    throw, fight, state = 2, 2 + 2, c.N_PROVINCES + 2 + n
    groups = n * int(board.ARMY_GROUPS[0, n].sum())
    draft = 1 + 2 + groups * (1 + 1 + 2 + 2)  # starter, two cards; a pick: bury, draft, two new cards, deck and refill
    start = n + max(groups, draft) + throw + state
    a_collect, an_attack, a_move = 1 + fight, 1 + 1 + fight, 1 + 1
    # builds and deployments, collects, deploy/move 1, A and B
    a_player = 5 * 1 + 2 * a_collect + a_move + 2 * an_attack
    opening = 1 + c.N_ACTION_CARDS + c.N_SPECIALS  # of a round; then plans, event, bids, payments, specials
    a_round = opening + 2 * n + 1 + n + 1 + n + c.N_ACTION_CARDS + n * a_player + state
    a_winter = 2 + n * (c.MAX_FAMINE + 1 + c.MAX_FAMINE * fight) + n + state
    entries_in_all = start + c.N_YEARS * (c.N_YEAR_EVENTS + c.N_SEASONS * a_round + a_winter) + 1
    drawn = n + max(groups, 1 + 2 + groups * 4) + c.N_COLOURS
    drawn_a_round = c.N_ACTION_CARDS + c.N_SPECIALS + 1 + n + n * 4 * c.N_COLOURS
    drawn_a_year = c.N_YEAR_EVENTS + c.N_SEASONS * drawn_a_round + n * c.MAX_FAMINE * (1 + c.N_COLOURS)
    return entries_in_all, drawn + c.N_YEARS * drawn_a_year


def most_of_shitenno(n: int) -> Bound:
    """The same: the Koku last for so many rounds; tiles and positions are used up once."""
    cards, state = 3, n * (1 + 3 + 3) + 8 + 1 + 3 + 1  # rows of six numbers: kinds, troop kinds, Koku
    rounds = int(shitenno.COPIES[N_TROOP_KINDS:].sum() // shitenno.POOL_KOKU[n])
    pool = int(shitenno.POOL_TROOPS[n] + shitenno.POOL_KOKU[n])
    a_lot = 1 + cards + n - 1 + 1 + cards
    a_division = 1 + pool + 1 + (n - 2) * a_lot + 1 + 2 * cards + 1 + 2 * (1 + cards) + 1
    a_round = a_division + state + 2 * n + 1 + state
    tiles, positions, draws = 24, 32, 8
    controls = positions * (1 + 4) + 2 * tiles + 2 * draws
    start = n * (shitenno.START_CARDS + 1)
    drawn = start + 2 * tiles + draws + rounds * pool
    return start + 1 + state + rounds * a_round + controls + n + 2 + 1, drawn


MOST: dict[str, Callable[[int], Bound]] = {"shogun": most_of_shogun, "shitenno": most_of_shitenno}


@each_game_and_player_count
def test_log__longest_game__fits_and_its_tape_beside_it(name: str, players: int):
    most_entries, most_outcomes = MOST[name](players)
    assert most_entries <= MAX_ENTRIES
    assert HEAD + WIDTH * most_entries + 2 * most_outcomes <= LOG_LENGTH <= np.iinfo(np.int16).max


@each_game
def test_log__many_games__stay_below_the_bounds_and_come_near(name: str):
    for number, options in enumerate(KINDS[name]):
        batch = batch_class(name)(40, record=True, seed=number, **options)
        for _ in play_on(batch, number, pick=rare_action):
            pass
        longest = int(batch.logs[:, log_module.LENGTH].max())
        most_entries, most_outcomes = MOST[name](batch.num_players)
        assert longest <= most_entries < 2 * longest
        tapes = [len(tape_of(batch, row)) for row in range(0, batch.num_games, 4)]
        assert max(tapes) <= most_outcomes


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
