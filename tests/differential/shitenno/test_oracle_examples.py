"""The worked examples of the rules of Shitenno, section 10, and its payments, set up on the oracle's table."""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from ..oracle.shitenno import board
from ..oracle.shitenno.control import control, possible_controls, take_turn
from ..oracle.shitenno.division import divide
from ..oracle.shitenno.oracle import Chance, OracleGame
from ..oracle.shitenno.payment import Items, Price, is_legal, legal_payments, price_of, suffices, units_of
from ..oracle.shitenno.random_chance import RandomChance
from ..oracle.shitenno.scoring import holder, koku_points
from ..oracle.shitenno.table import Table
from ..oracles import run

DAIMYO, SHOMYO, SENSEI, HATAMOTO = 4, 3, 2, 1
HONDA, SAKAKIBARA, SAKAI, II = range(4)
SEALS_NOW = {HONDA: HATAMOTO, SAKAKIBARA: DAIMYO, SAKAI: SENSEI, II: SHOMYO}


def table_with(*outcomes: tuple[str, Any], top: dict[str, str] | None = None, **taken: int) -> Table:
    """A table of four in the odd year of the examples: troops on top of stacks, positions already taken."""
    table = Table(players=4, chance=Chance(outcomes))
    table.seals = dict(SEALS_NOW)
    for name, number in taken.items():
        table.positions[name] = [[SAKAI, 0] for _ in range(number)]
        table.below[name] = max(0, board.STACK - number - 1)
    table.top.update(top or {})
    return table


def placing(table: Table, player: int, name: str, by: str, *payment: str, tiles: Items | None = None) -> Iterator[int]:
    """Answers that place in a province and pay so; those to forced decisions are left out."""
    yield board.control_action(name, by)
    items = Items(*((tiles.joker, tiles.exchanges, tiles.plus_ones) if tiles else (0, 0, 0)), payment)
    joker = int(table.seals[player] == HATAMOTO)
    price = price_of(name, len(table.positions[name]) + 1, table.top[name], by)
    mine = table.tiles[player]
    options = legal_payments(price, joker, mine["exchange"], mine["plus_one"], table.hands[player])
    sequences = [one.actions() for one in options]
    assert items.actions() in sequences
    for done, action in enumerate(items.actions()):
        prefix = items.actions()[:done]
        if len({one[done] for one in sequences if one[:done] == prefix}) > 1:
            yield action


def lines_of(table: Table, kind: str) -> list[dict[str, Any]]:
    """Lines of one type."""
    return [line for line in table.lines if line["t"] == kind]


# --- examples of the rulebook ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "troops", "koku", "kamon"), [(2, 4, 2, 12), (3, 6, 3, 10), (4, 8, 4, 8)])
def test_example_1__set_up_and_draw__by_player_count(players: int, troops: int, koku: int, kamon: int) -> None:
    table = OracleGame(players=players, chance=RandomChance(0)).table
    (pool,) = lines_of(table, "pool")
    assert (len(pool["troops"]), len(pool["koku"])) == (troops, koku)
    assert set(table.kamon.values()) == {kamon}
    assert len(board.NAMES) * board.STACK == sum(board.TILES.values()) == table.covered.total() + len(board.NAMES) == 24


def test_example_2__division_of_four__new_titles_and_cards() -> None:
    troops = ["sohei", "shinobi", "bushi", "samurai", "bushi", "samurai", "shinobi", "bushi_samurai"]
    koku = ["koku_1", "koku_1", "koku_3", "koku_1"]
    table = table_with(*(("card", one) for one in troops), *(("koku", one) for one in koku))
    table.seals = {HONDA: 4, SAKAKIBARA: 3, SAKAI: 2, II: 1}
    first = [board.add_action(kind) for kind in ("shinobi", "sohei", "koku_1", "koku_1")]
    second = [board.add_action(kind) for kind in ("bushi", "bushi", "samurai")]
    third = [board.add_action(kind) for kind in ("samurai", "koku_3")]
    run(
        divide(table),
        *(*first, board.tile_action(2), board.REFUSE, board.ACCEPT),
        *(*second, board.tile_action(1), board.REFUSE, board.REFUSE),
        *(*third, board.tile_action(4), board.PICK_B),
    )
    asked = [line["player"] for line in lines_of(table, "answer")]
    assert asked == [SAKAKIBARA, SAKAI, SAKAKIBARA, II]
    assert [line["player"] for line in lines_of(table, "take")] == [SAKAI, HONDA, II, SAKAKIBARA]
    assert table.seals == SEALS_NOW
    assert table.by_rank() == [SAKAKIBARA, II, SAKAI, HONDA]
    assert table.pool.total() == 0
    gained = {
        player: (table.known[player].total(), sum(hand[kind] for kind in board.KOKU_KINDS))
        for player, hand in table.hands.items()
    }
    assert gained == {SAKAI: (2, 2), HONDA: (3, 0), SAKAKIBARA: (1, 1), II: (2, 1)}


def test_example_3__kanto_by_troops__points_tile_and_next_need() -> None:
    table = table_with(("bonus", "exchange"), ("top", "sohei"), top={"kanto": "bushi"})
    table.below["kanto"] = 2
    table.hands[SAKAKIBARA] = Counter(samurai=3, bushi_sohei=1)
    assert price_of("kanto", 1, "bushi", "troops") == Price((("samurai", 3), ("bushi", 1)))
    run(take_turn(table, SAKAKIBARA), board.control_action("kanto", "troops"))
    (line,) = lines_of(table, "control")
    assert line["cards"] == ["samurai", "samurai", "samurai", "bushi_sohei"]
    assert (line["points"], line["title_points"], table.points[SAKAKIBARA]) == (5, 2, 7)
    assert (table.tiles[SAKAKIBARA], table.top["kanto"]) == (Counter(exchange=1), "sohei")
    assert price_of("kanto", 2, "sohei", "troops") == Price((("samurai", 3), ("sohei", 1)))


def test_examples_4_and_5__by_koku_then_with_the_tile_just_gained__and_no_third_kamon() -> None:
    table = table_with(
        *(("bonus", "plus_one"), ("top", "shinobi"), ("bonus", "exchange")),
        top={"kanto": "sohei", "chubu": "bushi"},
        kanto=1,
        chubu=2,
    )
    table.hands[II] = Counter(koku_1=4, koku_2=1, shinobi=1, bushi=1)
    koku = list(placing(table, II, "kanto", "koku", "koku_1", "koku_1", "koku_1", "koku_1", "koku_2"))
    run(take_turn(table, II), *koku, board.control_action("chubu", "troops"))
    first, second = lines_of(table, "control")
    assert (first["position"], first["points"], first["title_points"]) == (2, 6, 1)
    assert (second["position"], second["points"], second["title_points"]) == (3, 6, 1)
    assert (second["cards"], second["plus_ones"], second["exchanges"]) == (["bushi", "shinobi"], 1, 0)
    assert (table.tiles[II]["exchange"], table.tiles[II]["plus_one"], table.top["chubu"]) == (1, 0, None)
    assert (table.points[II], table.lines[-1]["t"]) == (14, "end_turn")


def test_example_5__third_kamon__is_not_offered_though_it_could_be_paid() -> None:
    table = table_with(*[("bonus", "draw"), ("top", "sohei")] * 2, top=dict.fromkeys(board.NAMES, "bushi"))
    table.hands[II] = Counter(koku_3=4)
    offered = []
    flow = take_turn(table, II)
    decision = next(flow)
    while decision[1] != "turn" or board.control_action("kyushu", "koku") in decision[2]:
        offered.append(decision)
        decision = flow.send(decision[2][0] if decision[1] == "pay" else board.control_action("chugoku", "koku"))
    assert [line["position"] for line in lines_of(table, "control")] == [1, 2]
    assert decision[2] == [board.USE_DRAW_TILE, board.END_TURN]
    assert possible_controls(table, II, 0)


def test_example_6__turn_without_placing__ends() -> None:
    table = table_with(top=dict.fromkeys(board.NAMES, "bushi"))
    table.hands[SAKAI] = Counter(koku_3=2)
    run(take_turn(table, SAKAI), board.END_TURN)
    assert [line["t"] for line in table.lines] == ["turn", "end_turn"]
    assert table.kamon[SAKAI] == 8


def test_example_7__hokkaido_last_position__double_exchange_and_plus_one_without_the_joker() -> None:
    table = table_with(hokkaido=3)
    table.hands[HONDA], table.tiles[HONDA] = Counter(bushi_sohei=1), Counter(exchange=1, plus_one=1)
    answers = placing(table, HONDA, "hokkaido", "troops", "bushi_sohei", tiles=Items(0, 1, 1, ()))
    run(take_turn(table, HONDA), *answers)
    (line,) = lines_of(table, "control")
    assert (line["points"], line["title_points"], line["joker"]) == (9, 0, False)
    assert (table.hands[HONDA].total(), table.tiles[HONDA].total(), lines_of(table, "bonus")) == (0, 0, [])


@pytest.mark.parametrize(("player", "extra"), [(SAKAKIBARA, 4), (II, 2), (SAKAI, 0), (HONDA, 0)])
def test_example_8__placing_twice__title_points(player: int, extra: int) -> None:
    table = table_with(*[("bonus", "draw"), ("top", "sohei")] * 2, top=dict.fromkeys(board.NAMES, "bushi"))
    table.hands[player] = Counter(koku_3=1, koku_2=2)
    for _ in range(2):
        pays = [board.pay_action("koku_3")] if table.hands[player]["koku_3"] else []
        run(control(table, player, "chugoku", "koku", 0), *pays)
    assert table.points[player] == 3 + 4 + extra


@pytest.mark.parametrize(
    ("hand", "tiles", "points"),
    [
        ({"koku_1": 1, "koku_2": 1, "koku_3": 1}, {}, 6),
        ({"koku_1": 1, "koku_3": 1, "bushi_sohei": 1}, {"exchange": 1, "plus_one": 1}, 6),
        ({}, {"plus_one": 2}, 0),
        ({"sohei": 1}, {"exchange": 1, "plus_one": 1}, 2),
        ({"koku_2": 1}, {"exchange": 1, "plus_one": 1}, 3),
        ({"sohei": 1}, {"exchange": 2, "plus_one": 2}, 3),
        ({"koku_2": 1}, {"draw": 3}, 2),
    ],
)
def test_examples_9_and_14__koku_at_the_end__with_the_best_use_of_tiles(
    hand: dict[str, int], tiles: dict[str, int], points: int
) -> None:
    table = table_with()
    table.hands[HONDA], table.tiles[HONDA] = Counter(hand), Counter(tiles)
    assert koku_points(table, HONDA) == points


# --- constructed examples --------------------------------------------------------------------------------------------

FIVE = Price((("koku", 5),))
SAMURAI_BUSHI = Price((("samurai", 3), ("bushi", 1)))
SOHEI = Price((("sohei", 3),))


def payments(price: Price, *, tiles: tuple[int, int, int] = (0, 0, 0), **hand: int) -> set[Items]:
    return set(legal_payments(price, *tiles, Counter(hand)))


def test_example_10__koku__overpaying_only_where_nothing_can_be_left_out() -> None:
    assert payments(FIVE, koku_3=2) == {Items(0, 0, 0, ("koku_3", "koku_3"))}
    assert payments(FIVE, koku_1=1, koku_2=1, koku_3=1) == {Items(0, 0, 0, ("koku_2", "koku_3"))}


def test_example_11__plus_one__copies_only_what_is_there() -> None:
    samurai = ("samurai",) * 3
    assert not suffices(SAMURAI_BUSHI, Items(0, 0, 1, samurai))
    assert is_legal(SAMURAI_BUSHI, Items(0, 1, 1, samurai))


def test_example_12__joker_and_tiles__but_not_tiles_alone() -> None:
    assert is_legal(SOHEI, Items(1, 0, 2, ()))
    assert not suffices(SOHEI, Items(0, 1, 2, ()))


def test_example_13__exchange__changes_one_koku_only() -> None:
    price = Price((("bushi", 2), ("sohei", 1)))
    assert suffices(price, Items(0, 1, 0, ("bushi", "sohei", "koku_2")))
    assert not suffices(price, Items(0, 1, 0, ("sohei", "koku_2")))
    assert suffices(price, Items(0, 2, 0, ("sohei", "koku_2")))


@pytest.mark.parametrize(
    ("positions", "expected"),
    [
        ([[0, 0], [1, 1]], 1),
        ([[0, 0], [0, 0], [1, 1]], 0),
        ([[0, 0], [1, 0], [1, 0], [2, 1]], 1),
        ([], None),
    ],
)
def test_example_15__majority__tied_the_leftmost_of_the_tied(positions: list[list[int]], expected: int | None) -> None:
    assert holder(positions) == expected


def test_example_16__last_kamon_of_the_first_player__the_others_still_play() -> None:
    game, rng = OracleGame(players=4, chance=RandomChance(3)), random.Random(3)
    while (decision := game.decision()) is not None and not lines_of(game.table, "turn"):
        game.play(rng.choice(decision[2]))
    first = game.table.by_rank()[0]
    game.table.kamon[first] = 0
    while (decision := game.decision()) is not None:
        game.play(rng.choice(decision[2]))
    assert [line["player"] for line in lines_of(game.table, "turn")] == game.table.by_rank()
    assert (game.table.round, game.lines[-1]["t"]) == (1, "result")


@pytest.mark.parametrize(("players", "rounds"), [(2, 12), (3, 8), (4, 6)])
def test_example_17__empty_koku_pile__last_odd_year(players: int, rounds: int) -> None:
    game = OracleGame(players=players, chance=RandomChance(5))
    while (decision := game.decision()) is not None:
        game.play(board.END_TURN if decision[1] == "turn" else decision[2][0])
    assert (game.table.round, game.table.koku_pile.total()) == (rounds, 0)
    assert len(lines_of(game.table, "turn")) == players * rounds


# --- rulings that random play seldom meets ---------------------------------------------------------------------------


def test_S2__discard__is_shuffled_in_only_when_a_card_is_due() -> None:
    table = table_with(("card", "bushi"), ("card", "sohei"))
    table.troop_pile, table.discard = Counter(bushi=1), Counter(sohei=1)
    assert table.draw_troop() == ("bushi", False)
    assert table.discard == Counter(sohei=1)
    assert table.draw_troop() == ("sohei", True)
    assert table.draw_troop() is None


def test_S2_S16__draw_tile__needs_a_card_in_pile_or_discard() -> None:
    table = table_with(("card", "sohei"))
    table.troop_pile, table.discard = Counter(), Counter(sohei=1)
    table.tiles[SAKAI]["draw"] = 2
    run(take_turn(table, SAKAI), board.USE_DRAW_TILE)
    assert [line["t"] for line in table.lines] == ["turn", "draw", "end_turn"]
    assert (table.lines[1]["reshuffled"], table.hands[SAKAI], table.known[SAKAI]) == (True, Counter(sohei=1), Counter())


def test_S14__joker__once_a_turn() -> None:
    table = table_with(("bonus", "plus_one"), ("top", "sohei"), top={"chubu": "bushi", "hokkaido": "bushi"})
    table.hands[HONDA] = Counter(shinobi=2, sohei=2)
    run(take_turn(table, HONDA), board.control_action("chubu", "troops"))
    assert lines_of(table, "control")[0]["joker"] is True
    assert board.control_action("hokkaido", "troops") in possible_controls(table, HONDA, 1)


def test_S19__sensei__turns_the_leftmost_simple_one_also_of_earlier_years() -> None:
    table = table_with(chubu=3)
    table.positions["chubu"] = [[SAKAI, 1], [II, 0], [SAKAI, 0], [SAKAI, 0]]
    run(take_turn(table, SAKAI), board.flip_action("chubu"))
    assert table.positions["chubu"] == [[SAKAI, 1], [II, 0], [SAKAI, 1], [SAKAI, 0]]


def test_known__cards_of_lots_and_of_hidden_draws__lower_bound() -> None:
    table = table_with()
    table.give(II, ["bushi", "koku_1"])
    table.hands[II]["bushi"] += 1
    for bound in (0, 0):
        table.discard_card(II, "bushi")
        assert table.known[II]["bushi"] == bound
    assert (table.discard, table.known[II]["koku_1"]) == (Counter(bushi=2), 0)


# --- payments: the search against the closed formula and against full enumeration ------------------------------------


def formula(price: Price, items: Items) -> bool:
    """The test of rules 5.3, as it is written there."""
    troops = Counter(unit for kind in items.cards for unit in units_of(kind))
    koku = troops.pop("koku", 0)
    total, joker = troops.total(), items.joker
    if price.in_koku:
        value = koku + min(items.exchanges, total + joker)
        return value + (items.plus_ones if value else 0) >= price.need[0][1]
    need = Counter(dict(price.need))
    lacking, spare = (need - troops).total(), (troops - need).total() + koku
    missing = sum(troops[troop] == 0 for troop in need)
    if not lacking:
        return True
    if total + koku + joker == 0:
        return False
    return any(
        (lacking - j - e) + max(0, e - spare) <= items.plus_ones and j + e >= missing
        for j in range(min(joker, lacking) + 1)
        for e in range(min(items.exchanges, lacking - j) + 1)
    )


TROOP_PRICES = [SAMURAI_BUSHI, Price((("samurai", 2), ("bushi", 1))), SOHEI, Price((("samurai", 4),))]


@pytest.mark.parametrize("price", TROOP_PRICES, ids=str)
def test_5_3__troops_suffice__search_equals_the_closed_formula(price: Price) -> None:
    names = [name for name, _ in price.need]
    for *units, rest, koku in product(*[range(price.numbers[0] + 2)] * len(names), range(3), range(3)):
        cards = tuple(name for name, number in zip(names, units, strict=True) for _ in range(number))
        cards += ("shinobi",) * rest + (f"koku_{koku}",) * (koku > 0)
        for tiles in product(range(2), range(4), range(4)):
            items = Items(*tiles, cards)
            assert suffices(price, items) == formula(price, items), items


def test_5_3__koku_suffice__search_equals_the_closed_formula() -> None:
    for cost, troops, koku in product((3, 4, 5, 6, 8, 9, 11), range(4), range(12)):
        for tiles in product(range(2), range(4), range(5)):
            items = Items(*tiles, ("shinobi",) * troops + ("koku_1",) * koku)
            assert suffices(Price((("koku", cost),)), items) == formula(Price((("koku", cost),)), items), items


def sub_multisets(hand: Counter[str]) -> Iterator[tuple[str, ...]]:
    """Every selection of cards, in the order of the data."""
    kinds = board.in_order(list(hand))
    for numbers in product(*(range(hand[kind] + 1) for kind in kinds)):
        yield tuple(kind for kind, number in zip(kinds, numbers, strict=True) for _ in range(number))


def compare_with_enumeration(seed: int, cards: int) -> int:
    """Compare the legal payments of a random price and hand with all selections; give their number."""
    rng = random.Random(seed)
    name, position, top = rng.choice(board.NAMES), rng.randint(1, 4), rng.choice(board.TROOPS)
    price = price_of(name, position, None if position == 4 else top, rng.choice(["troops", "koku"]))
    deck = [kind for kind in board.KINDS for _ in range(board.CARDS[kind]["copies"])]
    hand = Counter(rng.sample(deck, cards))
    joker, exchanges, plus_ones = rng.randint(0, 1), rng.randint(0, 3), rng.randint(0, 3)
    expected = {
        items
        for selection in sub_multisets(hand)
        for tiles in product(range(joker + 1), range(exchanges + 1), range(plus_ones + 1))
        if formula(price, items := Items(*tiles, selection))
        and not any(formula(price, less) for less in items.each_less_one())
    }
    payments = legal_payments(price, joker, exchanges, plus_ones, hand)
    assert len(payments) == len(set(payments))
    assert set(payments) == expected
    return len(payments)


def test_S11__legal_payments__equal_full_enumeration() -> None:
    assert sum(compare_with_enumeration(seed, 5) > 1 for seed in range(40)) > 15


@pytest.mark.full
def test_S11__legal_payments_of_larger_hands__equal_full_enumeration() -> None:
    assert max(compare_with_enumeration(seed, 9) for seed in range(40)) > 50
