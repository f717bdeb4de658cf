"""The worked examples 1 to 17: 2 to 7 are printed in the rulebook, the others constructed.

Hands are set directly: between the printed examples a card turns up twice, so cards are not conserved across them. The
title points are those of the titles held (S25).
"""

from __future__ import annotations

import pytest

from shogun_env.shitenno import Batch, board
from shogun_env.shitenno import constants as c
from shogun_env.shitenno.rules.payment import suffices
from shogun_env.shitenno.rules.scoring import holder_of, koku_points
from tests.rulebook_shitenno.table import Table, kinds

HONDA, SAKAKIBARA, SAKAI, II = range(4)
NEW_SEALS = (1, 4, 2, 3)
EXAMPLES = board.DATA["worked_examples"]


def control_example(player: str, province: str) -> dict:
    return next(e for e in EXAMPLES["control"] if e["player"] == player and e.get("province") == province)


def test_example_1__set_up__cards_kamon_and_stacks_are_those_of_the_table():
    for players, troops, koku, kamon in ((2, 4, 2, 12), (3, 6, 3, 10), (4, 8, 4, 8)):
        batch = Batch(1, num_players=players)
        g = batch.games[0]
        pool = g["pool"].astype(int)
        assert (pool[: c.N_TROOP_KINDS].sum(), pool[c.N_TROOP_KINDS :].sum()) == (troops, koku)
        assert g["kamon"][:players].tolist() == [kamon] * players
        assert g["hand"][:players, : c.N_TROOP_KINDS].sum(1).tolist() == [2] * players
        assert g["unturned"].sum() == 24
        assert g["covered"].sum() == 16
        assert (g["top"] != c.NONE).all()


def test_example_2__division__four_generals_end_with_the_printed_lots_and_titles():
    table = Table(4, 3, 2, 1)
    rest = ("bushi", "samurai", "bushi_bushi", "bushi", "samurai", "shinobi")
    table.division("sohei", "shinobi", *rest, "koku_1", "koku_1", "koku_1", "koku_3")
    table.lot("koku_1", "koku_1", "sohei", "shinobi", seals=2)
    assert table.player == SAKAKIBARA
    table.act("refuse")
    assert table.player == SAKAI
    table.act("accept")  # Ii isn't asked
    assert (table.player, table.phase) == (HONDA, "form_lot")
    assert "seals_2" not in table.legal
    table.lot("bushi", "samurai", "bushi_bushi", seals=1)
    table.act("refuse")
    assert table.player == II  # Sakai isn't asked
    table.act("refuse")
    assert table.cards(HONDA) == ["bushi", "samurai", "bushi_bushi"]
    assert (table.player, table.phase) == (SAKAKIBARA, "divide")
    table.lot("bushi", "koku_3", seals=4)  # the last tile, of 3 seals, goes to B by itself
    assert (table.player, table.phase) == (II, "choose")
    table.act("pick_b")
    assert table.g["seals"].tolist() == list(NEW_SEALS)
    gained = EXAMPLES["division"]["cards_gained"]
    for player, name in enumerate(("honda", "sakakibara", "sakai", "ii")):
        hand = kinds(table.cards(player))
        assert hand[: c.N_TROOP_KINDS].sum() == gained[name]["troop"]
        assert hand[c.N_TROOP_KINDS :].sum() == gained[name]["koku"]
    assert not table.g["pool"].any()
    order = [line["player"] for line in table.lines if line["t"] == "turn"]
    assert order[0] == SAKAKIBARA


def kanto_table() -> Table:
    table = Table(*NEW_SEALS)
    table.place("kanto", top="bushi")
    table.place("chubu", "0", "2", top="bushi")
    table.place("hokkaido", "1", "1", "3")
    return table


def test_example_3__kanto_by_troops__double_pays_one_unit_and_the_daimyo_scores_seven():
    table, example = kanto_table(), control_example("sakakibara", "kanto")
    table.give(SAKAKIBARA, *example["pay_cards"], "shinobi")
    table.next_tiles("exchange", "sohei")
    table.turn(SAKAKIBARA)
    line = table.pay("kanto", "troops", *example["pay_cards"])
    assert (line["points"], line["title_points"]) == (example["position_points"], example["title_points"])
    assert table.points(SAKAKIBARA) == 7
    assert table.tiles(SAKAKIBARA) == {"exchange": 1}
    assert table.g["top"][board.PROVINCE_NAMES.index("kanto")] == board.TROOP_NAMES.index("sohei")


def test_examples_4_and_5__ii__pays_koku_then_troops_with_the_tile_just_gained_and_may_not_place_a_third():
    table = kanto_table()
    table.place("kanto", "1", top="sohei")
    koku, troops = control_example("ii", "kanto"), control_example("ii", "chubu")
    table.give(II, *koku["pay_cards"], *troops["pay_cards"], "koku_3", "koku_3")
    table.next_tiles("plus_one")
    table.turn(II)
    line = table.pay("kanto", "koku", *koku["pay_cards"])
    assert (line["points"], line["title_points"], table.tiles(II)) == (6, 1, {"plus_one": 1})
    table.next_tiles("exchange")
    line = table.pay("chubu", "troops", *troops["pay_cards"], "plus_one")
    assert (line["position"], line["points"], line["title_points"]) == (3, 6, 1)
    assert table.points(II) == 14
    assert table.tiles(II) == {"exchange": 1}
    turn = [line["t"] for line in table.lines if line["t"] in ("control", "end_turn") and line["player"] == II]
    assert turn == ["control", "control", "end_turn"], "no third Kamon, though Koku for it are left"


def test_example_6__sakai__may_end_his_turn_without_placing():
    table = kanto_table()
    table.give(SAKAI, "koku_3")
    table.turn(SAKAI)
    assert {"end_turn", "chugoku_by_koku"} <= table.legal
    table.act("end_turn")
    assert table.points(SAKAI) == 0
    assert (table.player, table.phase) == (SAKAI, "sensei"), "the Kamon in Chūbu could be turned"


def test_example_7__hokkaido_last_position__double_exchange_and_plus_one_are_three_sohei():
    table, example = kanto_table(), control_example("honda", "hokkaido")
    table.give(HONDA, *example["pay_cards"], exchange=1, plus_one=1)
    table.turn(HONDA)
    line = table.pay("hokkaido", "troops", *example["pay_tiles"], *example["pay_cards"])
    assert (line["position"], line["points"], line["title_points"], line["joker"]) == (4, 9, 0, False)
    assert table.tiles(HONDA) == {}


@pytest.mark.parametrize(("seals", "extra"), [(4, 4), (3, 2), (2, 0), (1, 0)])
def test_example_8_S25__two_placements__the_title_scores_twice(seals: int, extra: int):
    table = Table(*([seals] + [s for s in (4, 3, 2, 1) if s != seals]))
    table.give(0, "koku_3", "koku_3", "koku_1")
    table.turn(0)
    table.pay("chugoku", "koku", "koku_3")
    table.pay("chubu", "koku", "koku_3")
    assert table.points(0) == 3 + 3 + extra


def test_example_9__koku_in_hand__one_point_each():
    table = Table(4, 3, 2, 1)
    table.give(0, "koku_1", "koku_2", "koku_3")
    assert koku_points(table.g, 0) == 6


def test_example_10__price_5__pays_with_loss_but_without_a_superfluous_card():
    table = Table(4, 3, 2, 1)
    table.give(0, "koku_3", "koku_3")
    table.turn(0)
    assert table.pay("tohoku", "koku", "koku_3", "koku_3")["points"] == 5
    table = Table(4, 3, 2, 1)
    table.give(0, "koku_3", "koku_2", "koku_1")
    table.turn(0)
    table.act("tohoku_by_koku")
    assert next(line for line in table.lines if line["t"] == "control")["cards"] == ["koku_2", "koku_3"]


def payment(*items: str) -> int:
    names = ("joker", "exchange", "plus_one", *board.KIND_NAMES)
    return sum(int(board.WORTH[names.index(item)]) for item in items)


def troops(**need: int) -> int:
    return sum(number << 8 * board.TROOP_NAMES.index(troop) for troop, number in need.items())


@pytest.mark.parametrize(
    ("need", "items", "enough"),
    [
        (troops(samurai=3, bushi=1), ("samurai", "samurai", "samurai", "plus_one"), False),
        (troops(samurai=3, bushi=1), ("samurai", "samurai", "samurai", "plus_one", "exchange"), True),
        (troops(sohei=3), ("joker", "plus_one", "plus_one"), True),
        (troops(sohei=3), ("exchange", "plus_one", "plus_one"), False),
        (troops(sohei=1), ("koku_2", "exchange"), True),
        (troops(sohei=2), ("koku_2", "exchange"), False),
    ],
)
def test_examples_11_to_13__tiles__pay_or_do_not(need: int, items: tuple[str, ...], enough: bool):
    assert suffices(payment(*items), need) == enough


def test_example_13__koku_of_two_with_an_exchange__the_other_unit_is_lost():
    table = Table(4, 3, 2, 1)
    table.place("chugoku", top="sohei")
    table.give(0, "samurai", "samurai", "koku_2", exchange=1)
    table.turn(0)
    table.pay("chugoku", "troops", "exchange", "samurai", "samurai", "koku_2")
    assert table.g["spent"].tolist() == [0, 1, 0]
    assert table.cards(0) == []


@pytest.mark.parametrize(
    ("cards", "tiles", "points"),
    [
        (("koku_1", "koku_3", "bushi_sohei"), {"exchange": 1, "plus_one": 1}, 6),
        ((), {"plus_one": 2}, 0),
        (("bushi",), {"exchange": 1, "plus_one": 1}, 2),
        (("koku_2",), {"exchange": 1, "plus_one": 1, "draw": 1}, 3),
    ],
)
def test_example_14__end__tiles_left_help_the_koku_in_hand(cards: tuple[str, ...], tiles: dict[str, int], points: int):
    table = Table(1, 2, 3, 4)
    table.give(0, *cards, **tiles)
    assert koku_points(table.g, 0) == points


@pytest.mark.parametrize(
    ("kamon", "holder"), [(("0", "1*"), 1), (("0", "0", "1*"), 0), (("0", "1", "1", "2*"), 1), ((), -1)]
)
def test_example_15__majority__weight_then_leftmost_of_the_tied(kamon: tuple[str, ...], holder: int):
    table = Table(4, 3, 2, 1)
    table.place("kanto", *kamon)
    assert holder_of(table.g, board.PROVINCE_NAMES.index("kanto")) == holder


def test_example_16__first_player_places_his_last_kamon__the_others_still_play():
    table = Table(4, 3, 2, 1)
    table.g["kamon"][0] = 1
    for player in range(4):
        table.give(player, "koku_3", "koku_3")
    table.turn(0)
    table.pay("chugoku", "koku", "koku_3")
    assert table.player == 1, "without a Kamon nothing is left to do"
    table.pay("chubu", "koku", "koku_3")
    table.act("end_turn")
    table.act("end_turn")
    assert table.player == 3
    table.act("end_turn")
    assert table.phase == "over"


def test_example_17__sixth_division_of_four__empties_the_koku_pile_and_is_the_last():
    batch = Batch(40, num_players=4, record=True)
    batch.play(["random"] * 4)
    long = [record for record in batch.records() if any(line.get("round") == 6 for line in record)]
    assert len(long) > 5
    for record in long:
        rounds = [line["round"] for line in record if line["t"] == "round"]
        assert rounds == [1, 2, 3, 4, 5, 6]
        states = [line["pile"][1] for line in record if line["t"] == "state"]
        assert states[-4:] == [4, 4, 0, 0]
