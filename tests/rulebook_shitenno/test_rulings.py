"""A test for each ruling S1 to S25 that no worked example shows, named after it."""

from __future__ import annotations

import numpy as np
import pytest

from shogun_env.shitenno import Batch
from shogun_env.shitenno import constants as c
from shogun_env.shitenno.rules.scoring import holder_of, koku_points, winner_of
from tests.rulebook_shitenno.table import Table


def test_S1__two_players__any_two_of_the_four_titles_are_dealt():
    batch = Batch(600, num_players=2)
    dealt, counts = np.unique(batch.games["seals"][:, :2], axis=0, return_counts=True)
    assert len(dealt) == 12
    assert counts.min() > 25


def test_S2__pool_larger_than_the_pile__the_discard_is_shuffled_in_when_a_card_is_due():
    table = Table(2, 1)
    table.g["pile"] = table.g["discard"] = 0
    table.g["pile"][0], table.g["discard"][1] = 2, 5
    table.give(1, draw=1)
    table.turn(1)
    table.act("draw")  # then nothing can be done, and the next round begins
    draw = next(line for line in table.lines if line["t"] == "draw")
    pool = next(line for line in reversed(table.lines) if line["t"] == "pool")
    assert (draw["card"], draw["reshuffled"]) == ("bushi", False)
    assert (pool["troops"], pool["reshuffled"]) == (["bushi", "samurai", "samurai", "samurai"], 1)
    assert (table.g["pile"][1], table.g["discard"].any()) == (2, False)


def test_S2__pile_and_discard_empty__fewer_cards_and_no_use_for_a_draw_tile():
    table = Table(2, 1)
    table.g["pile"] = table.g["discard"] = 0
    table.g["pile"][3] = 3
    table.give(1, "koku_3", draw=2)
    table.turn(1)
    table.act("draw", "draw")
    table.give(1, draw=1)
    table.show()
    assert "draw" in table.legal, "one card is left"
    table.act("draw")
    table.give(1, draw=1)
    table.show()
    assert "draw" not in table.legal
    table.act("end_turn")
    pool = next(line for line in reversed(table.lines) if line["t"] == "pool")
    assert (pool["troops"], len(pool["koku"])) == ([], 2)


def test_S3__lot__may_hold_no_card_or_all():
    table = Table(4, 3, 2, 1)
    table.division("bushi", "koku_1")
    table.lot(seals=1)
    table.act("accept")
    assert (table.g["seals"][1], table.g["gained"][1], table.cards(1)) == (3, 1, [])
    table.lot("bushi", "koku_1", seals=2)
    table.act("accept")
    assert table.cards(2) == ["bushi", "koku_1"]


def test_S4__three_players__all_four_hierarchy_tiles_are_on_offer_and_one_rests():
    table = Table(3, 2, 1)
    table.division("bushi", "samurai")
    assert {f"seals_{n}" for n in (1, 2, 3, 4)} <= table.legal
    table.lot(seals=4)
    table.act("accept", "add_bushi", "seals_1")
    assert table.legal == {"seals_2", "seals_3"}, "cards that are not in A are B's"
    table.act("seals_3", "pick_a")
    assert table.g["seals"].tolist() == [3, 4, 1, 0]


def test_S5__two_lots__tiles_and_cards_are_shown_before_the_choice():
    table = Table(2, 1)
    table.division("bushi", "koku_3")
    table.lot("koku_3", seals=1)
    assert table.player == 0
    table.act("seals_4")
    assert (table.player, table.legal) == (1, {"pick_a", "pick_b"})
    line = table.lines[-1]
    assert (line["a"], line["b"]) == ({"cards": ["koku_3"], "seals": 1}, {"cards": ["bushi"], "seals": 4})
    seen = {piece.name: table.batch.observe()[0][piece.start : piece.stop] for piece in Batch.spec.obs_layout}
    assert seen["lot_seals"].tolist() == [1, 4]
    assert (seen["lot"].nonzero()[0].tolist(), seen["pool"].nonzero()[0].tolist()) == ([16], [0])


def test_S6__accepted_lot__is_in_the_hand_at_once_and_known_to_all():
    table = Table(4, 3, 2, 1)
    table.division("bushi", "bushi", "koku_1")
    table.give(1, "bushi")
    table.lot("bushi", seals=1)
    table.act("accept")
    assert table.cards(1) == ["bushi", "bushi"]
    assert table.g["known"][1].tolist()[0] == 1


def test_S7__division__old_titles_rule_until_it_is_over():
    table = Table(4, 3, 2, 1)
    table.division("bushi")
    table.lot(seals=4)
    table.act("refuse", "refuse", "accept")
    assert table.g["seals"].tolist()[:4] == [4, 3, 2, 1]
    assert table.player == 0
    table.lot(seals=1)
    table.act("refuse", "refuse")
    assert (table.player, table.phase) == (1, "divide")


def test_S8__troop_hands__are_hidden_beyond_what_came_from_lots_and_koku_are_not():
    table = Table(4, 3, 2, 1)
    table.give(1, "bushi", "koku_2")
    table.turn(0)
    seen = {p.name: table.batch.observe_for(0)[0][p.start : p.stop] for p in Batch.spec.obs_layout}
    assert (seen["known_next_1"].nonzero()[0].tolist(), seen["troop_cards"][1], seen["koku"][1]) == ([15], 1, 2)


def test_S8__known_card_discarded__one_less_is_known():
    table = Table(4, 3, 2, 1)
    table.place("chugoku", top="samurai")
    table.give(0, "samurai", "samurai", "samurai", "samurai")
    table.g["known"][0, 1] = 2
    table.turn(0)
    table.pay("chugoku", "troops", *["samurai"] * 3)
    assert table.g["known"][0, 1] == 0
    assert table.g["n_troops"][0] == 1


def test_S9__bonus_sides__are_drawn_only_when_a_tile_is_taken():
    batch = Batch(1)
    assert batch.games["unturned"][0].tolist() == [[2, 2, 2]] * 4
    names = {name for name, *_ in batch.spec.state_dtype.descr}
    assert "stack" not in names


def test_S10__payment__is_by_troops_or_by_koku():
    table = Table(4, 3, 2, 1)
    table.place("chugoku", top="samurai")
    table.give(0, "samurai", "samurai", "koku_2")
    table.turn(1)
    table.turn(0)
    assert not {"chugoku_by_troops", "chugoku_by_koku"} & table.legal


def test_S12__double__an_exchange_changes_one_unit_and_the_other_counts():
    table = Table(4, 3, 2, 1)
    table.place("chugoku", top="samurai")
    table.give(0, "samurai", "samurai_shinobi", exchange=1)
    table.turn(0)
    table.pay("chugoku", "troops", "exchange", "samurai", "samurai_shinobi")


def test_S13_S14__joker__is_a_troop_for_tiles_even_to_become_a_koku():
    table = Table(1, 2, 3, 4)
    table.give(0, exchange=1, plus_one=2)
    table.turn(0)
    table.pay("chugoku", "koku", "joker", "exchange", "plus_one", "plus_one")
    assert table.g["joker_used"] == 1 or table.player != 0


def test_S14__joker__once_a_turn():
    table = Table(1, 2, 3, 4)
    table.place("chugoku", top="samurai")
    table.place("chubu", top="shinobi")
    table.give(0, "samurai", "samurai", "shinobi", "shinobi", "koku_3")
    table.next_tiles("exchange", "bushi")
    table.turn(0)
    table.pay("chugoku", "troops", "joker", "samurai", "samurai")
    table.g["tiles"] = 0
    table.show()
    assert "chubu_by_troops" not in table.legal
    assert "chubu_by_koku" in table.legal


def test_S15__tiles_alone__pay_nothing():
    table = Table(4, 3, 2, 1)
    table.give(0, exchange=5, plus_one=8, draw=1)
    table.turn(0)
    assert not [name for name in table.legal if "_by_" in name]


def test_S16__draw_tile__between_placements_but_not_while_paying():
    table = Table(4, 3, 2, 1)
    table.give(0, "koku_3", "koku_2", "koku_1", "koku_1", "koku_1", draw=1)
    table.turn(0)
    assert "draw" in table.legal
    table.act("tohoku_by_koku")
    assert (table.phase, "draw" in table.legal) == ("pay", False)


def test_S17__spent_koku__leave_the_game_and_troops_go_to_the_discard():
    table = Table(4, 3, 2, 1)
    table.place("chugoku", top="samurai")
    table.g["discard"] = table.g["spent"] = 0
    table.give(0, "koku_3", "samurai", "samurai", "samurai_samurai", "samurai")
    table.turn(0)
    table.pay("chubu", "koku", "koku_3")
    table.pay("chugoku", "troops", "samurai", "samurai_samurai")
    assert table.g["spent"].tolist() == [0, 0, 1]
    assert table.g["discard"].nonzero()[0].tolist() == [1, 8]


def test_S18__tile__is_taken_and_the_fourth_position_has_none():
    table = Table(4, 3, 2, 1)
    table.place("kyushu", "1", "2", top="bushi")
    table.give(0, "koku_3", "koku_3", "koku_3", "koku_3", "koku_3")
    table.next_tiles("draw")
    table.turn(0)
    table.pay("kyushu", "koku", "koku_3", "koku_3")
    assert table.tiles(0) == {"draw": 1}
    assert table.g["top"][3] == c.NONE
    table.pay("kyushu", "koku", "koku_3", "koku_3", "koku_3")
    assert table.tiles(0) == {"draw": 1}


def test_S19__sensei__turns_the_leftmost_simple_kamon_of_any_year():
    table = Table(2, 3, 4, 1)
    table.place("kanto", "0*", "0", "0", top=None)
    table.place("chubu", "1", top="bushi")
    table.turn(0)
    table.act("end_turn")
    assert table.legal == {"flip_kanto", "flip_none"}, "not of others, and any year"
    table.act("flip_kanto")
    assert table.g["golden"][7].tolist() == [1, 1, 0, 0]


def test_S20__second_kamon_placed__the_turn_goes_on_while_a_draw_tile_can_be_used():
    table = Table(4, 3, 2, 1)
    table.give(0, "koku_3", "koku_3", draw=1)
    table.turn(0)
    table.pay("chugoku", "koku", "koku_3")
    table.pay("chubu", "koku", "koku_3")
    assert (table.player, table.legal) == (0, {"draw", "end_turn"})


def test_S21__majority_tie__a_weaker_player_further_left_is_no_part_of_it():
    table = Table(4, 3, 2, 1)
    table.place("kanto", "0", "1", "2*", "1")
    assert holder_of(table.g, 7) == 1


def test_S22__tiles_at_the_end__joker_and_draw_tiles_give_nothing():
    table = Table(1, 2, 3, 4)
    table.give(0, draw=3, exchange=1, plus_one=1)
    assert koku_points(table.g, 0) == 0


@pytest.mark.parametrize(("points", "winner"), [((9, 9, 3, 9), 1), ((10, 9, 3, 9), 0)])
def test_S23__equal_points__the_higher_title_wins_alone(points: tuple[int, ...], winner: int):
    table = Table(1, 4, 2, 3)
    table.g["points"] = points
    assert winner_of(table.g) == winner


def test_S24__score__has_no_top():
    table = Table(4, 3, 2, 1)
    table.g["points"][0] = 97
    table.give(0, "koku_3")
    table.turn(0)
    table.pay("chugoku", "koku", "koku_3")
    assert table.points(0) == 102
