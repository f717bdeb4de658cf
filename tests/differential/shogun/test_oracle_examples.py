"""The worked examples of the rules, section 7, and some rulings, set up on the oracle's table."""

from typing import Any

import pytest

from ..oracle.shogun import board
from ..oracle.shogun.actions import carry_out
from ..oracle.shogun.battle import revolt
from ..oracle.shogun.oracle import Chance, OracleGame
from ..oracle.shogun.planning import bid_rank, hand, legal_cards, pay_bids
from ..oracle.shogun.table import Table
from ..oracle.shogun.winter import famine, majority_points, returns, winners, winter
from ..oracles import run

Line = dict[str, Any]


def tray(**counts: int) -> tuple[str, dict[str, dict[str, int]]]:
    """Outcome of a throw; p0, p1, … are the players."""
    return "throw", {"tray": {name.removeprefix("p"): number for name, number in counts.items()}}


def table_with(*outcomes: tuple[str, Any], players: int = 3, **provinces: tuple[int, int]) -> Table:
    """A bare table on the sun side with these provinces owned: name=(player, armies)."""
    table = Table(players=players, side="sun", chance=Chance(outcomes))
    for name, (player, armies) in provinces.items():
        give(table, name, player, armies)
    return table


def give(table: Table, name: str, player: int, armies: int = 1) -> None:
    """Put armies of a player into a province."""
    table.owner[name], table.armies[name] = player, armies
    table.supply[str(player)] -= armies


def act(table: Table, player: int, action: str, name: str, *answers: int) -> Line:
    """Carry an action out in a province; give its `do` line."""
    table.plans[player][action] = name
    before = len(table.lines)
    run(carry_out(table, player, action), *answers)
    return table.lines[before]


def attack(table: Table, source: str, target: str, armies: int) -> Line:
    """Attack with so many armies; give the `fight` line."""
    player = table.owner[source]
    assert player is not None
    flow = carry_out(table, player, "battle_move_a")
    table.plans[player]["battle_move_a"] = source
    run(flow, board.province_action(target), *([board.number_action(armies)] if table.armies[source] > 2 else []))
    return table.lines[-1]


def test_example_1__taxes_at_most_5_and_special__6_chests() -> None:
    """The event comes before the special."""
    table = table_with(Settsu=(0, 2))
    table.event_name, table.special = "taxes_at_most_5", {0: "plus_1_chest"}
    line = act(table, 0, "collect_taxes", "Settsu")
    assert (line["amount"], line["unrest"], table.chests[0]) == (6, "marker", 24)


@pytest.mark.parametrize(("players", "cubes"), [(3, 31), (4, 38), (5, 45)])
def test_example_2__set_up__throws_so_many_cubes(players: int, cubes: int) -> None:
    """Seven of each player and ten farmers."""
    chance = Chance([("throw", {"tray": {}}), ("events", board.EVENT_CARDS[:4])])
    chance.add("actions", board.ACTIONS[:5])
    chance.add("specials", board.SPECIALS)
    game = OracleGame(players=players, side="sun", start="preset", chance=chance)
    fill = next(line for line in game.lines if line["t"] == "throw")
    assert sum(fill["thrown"].values()) == cubes
    assert sum(game.drawn_state()["tower"].values()) == cubes


def test_example_3__taxes_with_2_markers_won__3_markers() -> None:
    """Two farmers against four armies; the win adds a marker."""
    table = table_with(tray(p0=3, farmers=1), Mikawa=(0, 4))
    table.revolts["Mikawa"] = 2
    assert act(table, 0, "collect_taxes", "Mikawa")["unrest"] == "revolt"
    assert table.lines[1]["thrown"] == {"0": 4, "farmers": 2}
    assert (table.revolts["Mikawa"], table.armies["Mikawa"]) == (3, 2)


def test_example_4__2_rice_short__one_province_against_3_farmers() -> None:
    """Two extra farmers and one for the marker; winter adds no marker (R14)."""
    table = table_with(("famine", ["Kai"]), tray(p0=2), Kai=(0, 2), Suruga=(0, 1))
    table.revolts["Kai"] = 1
    run(famine(table, 0, 2))
    assert table.lines[1]["thrown"] == {"0": 2, "farmers": 3}
    assert (table.revolts["Kai"], table.armies["Kai"]) == (1, 2)


def test_example_5__9_provinces_6_rice__2_revolts_with_2_extra_farmers() -> None:
    """Three short; the player fixes the order before the first throw (R21)."""
    outcomes = [("famine", ["Aki", "Hoki"]), tray(p0=1), tray(p0=1, farmers=2)]
    table = table_with(*outcomes)
    for name in ["Aki", "Hoki", "Bingo", "Bitchu", "Bizen", "Kai", "Kii", "Ise", "Omi"]:
        give(table, name, 0)
    table.rice[0], table.year, table.events_open = 9, 1, [["rice_at_least_4", 3]]
    run(winter(table, [2, 0, 1]), board.province_action("Hoki"))
    assert table.lines[0]["short"] == [3, 0, 0]
    assert table.lines[1]["order"] == ["Hoki", "Aki"]
    throws = [line["thrown"] for line in table.lines if line["t"] == "throw"]
    assert throws == [{"0": 1, "farmers": 2}] * 2
    assert (table.owner["Hoki"], table.owner["Aki"], table.rice[0]) == (0, None, 0)


@pytest.mark.parametrize(("markers", "remaining", "farmers_left"), [(0, 1, 0), (1, 2, 1)])
def test_example_6__shinano_into_kozuke__3_against_2_or_1(markers: int, remaining: int, farmers_left: int) -> None:
    """Farmers take part only without a marker; else they stay in the tray."""
    table = table_with(tray(p0=3, p1=1, farmers=1), Shinano=(0, 5), Kozuke=(1, 3))
    table.revolts["Kozuke"] = markers
    table.tower["farmers"], table.supply["farmers"] = 1, 19
    line = attack(table, "Shinano", "Kozuke", 4)
    assert (line["outcome"], line["remaining"], line["farmers_in"]) == ("attacker", remaining, markers == 0)
    assert (table.owner["Kozuke"], table.armies["Kozuke"], table.revolts["Kozuke"]) == (0, remaining, markers)
    assert table.tray["farmers"] == farmers_left
    assert [table.cubes(colour) for colour in table.colours] == [62, 62, 62, 20]


def test_example_7__aki_with_a_temple__castle_or_theatre_can_follow() -> None:
    """Two sites, no kind twice."""
    table = table_with(Aki=(0, 1))
    table.buildings["Aki"] = ["temple"]
    assert act(table, 0, "build_temple", "Aki")["why"] == "kind_present"
    assert act(table, 0, "build_castle", "Aki") == {
        "t": "do",
        "player": 0,
        "action": "build_castle",
        "province": "Aki",
        "result": "built",
        "paid": 3,
    }
    assert act(table, 0, "build_no_theatre", "Aki")["why"] == "no_site"
    table.chests[0] = 0
    assert act(table, 0, "build_no_theatre", "Aki")["why"] == "cannot_pay"


def test_R17__kind_used_up__none_left_until_one_goes_back() -> None:
    """A kind that is used up cannot be built; one that is removed can be built again."""
    table = table_with(Aki=(0, 1), players=4)
    for name in [name for name in board.PROVINCES if name != "Aki"][:28]:
        table.buildings[name] = ["castle"]
    assert act(table, 0, "build_castle", "Aki")["why"] == "none_left"
    table.lay_waste("Awa-Boso")
    assert act(table, 0, "build_castle", "Aki")["result"] == "built"


def test_example_8__shima_and_izu__are_adjacent() -> None:
    """Sea routes join."""
    assert "Izu" in board.neighbours("Shima")
    assert "Shima" in board.neighbours("Izu")
    assert "Iyo" in board.neighbours("Aki")
    assert "Aki" not in Table(players=3, side="moon", chance=Chance()).owner


@pytest.mark.parametrize(
    ("event", "special", "supply", "armies"),
    [
        ("fewer_recruits", "six_armies", 40, 6),
        (None, "six_armies", 40, 6),
        (None, "six_armies", 5, 5),
        (None, "six_armies", 4, None),
        ("fewer_recruits", "six_armies", 5, 5),
        ("fewer_recruits", "six_armies", 4, 3),
        ("fewer_recruits", "plus_1_rice", 3, 3),
        ("fewer_recruits", "plus_1_rice", 2, None),
        (None, "plus_1_rice", 5, 5),
    ],
)
def test_example_9__deploy_5__event_special_and_supply(
    event: str | None, special: str, supply: int, armies: int | None
) -> None:
    """Event and six-armies special give 6; a short supply gives 5, or what there is without the special (R6, R7)."""
    table = table_with(Aki=(0, 1))
    table.event_name, table.special, table.supply["0"] = event, {0: special}, supply
    line = act(table, 0, "deploy_5_armies", "Aki")
    assert (line.get("armies"), line.get("why")) == (armies, None if armies else "supply_short")


def test_example_10__bids__province_between_chest_1_and_chest_0() -> None:
    """Ranks of bids, and who pays (R18)."""
    cards = ["chest_4", "chest_3", "chest_2", "chest_1", "Ise", "chest_0", None]
    assert sorted(cards, key=bid_rank) == cards
    assert bid_rank("Aki") == bid_rank("Ise")
    table = table_with(("bid_order", [2, 0, 1]), Ise=(0, 1))
    for player, card in enumerate(["Ise", "chest_0", "chest_1"]):
        table.plans[player]["bid"] = card
    assert pay_bids(table) == [2, 0, 1]
    assert table.lines[0]["paid"] == [0, 0, 1]
    assert [table.chests[player] for player in table.players] == [18, 18, 17]


def test_example_11__ise_lost_and_won_back__taxes_skipped_card_in_hand() -> None:
    """The card of a lost province leaves its space for good (R19)."""
    table = table_with(tray(p1=3), tray(p0=4), Ise=(0, 1), Shima=(0, 6), Yamato=(1, 5))
    for player in (0, 1):
        table.plans[player] = dict.fromkeys(board.SPACES)
    table.plans[0]["collect_taxes"] = "Ise"
    attack(table, "Yamato", "Ise", 4)
    assert (table.owner["Ise"], table.emptied[0]) == (1, ["collect_taxes"])
    attack(table, "Shima", "Ise", 5)
    assert table.owner["Ise"] == 0
    run(carry_out(table, 0, "collect_taxes"))
    assert table.lines[-1] == {
        "t": "do",
        "player": 0,
        "action": "collect_taxes",
        "province": None,
        "result": "skipped",
        "why": "no_card",
    }
    assert "Ise" in hand(table, 0)


@pytest.mark.parametrize("farmers", [2, 3])
def test_example_12__only_farmers_defend__draw_lays_waste(farmers: int) -> None:
    """Equal numbers, or more farmers without a defender's cube: a draw."""
    table = table_with(tray(p0=2, farmers=farmers), Shinano=(0, 5), Kozuke=(1, 3))
    table.tower["farmers"], table.supply["farmers"] = 4, 16
    table.buildings["Kozuke"] = ["castle"]
    line = attack(table, "Shinano", "Kozuke", 4)
    assert (line["outcome"], line["remaining"]) == ("draw", 0)
    assert (table.owner["Kozuke"], table.buildings["Kozuke"]) == (None, [])
    assert [table.cubes(colour) for colour in table.colours] == [62, 62, 62, 20]


def test_5_2__defender_holds__farmers_fall_first() -> None:
    """Three attackers against two farmers and three armies: one army falls."""
    table = table_with(tray(p0=3, p1=3, farmers=2), Shinano=(0, 5), Kozuke=(1, 3))
    table.tower["farmers"], table.supply["farmers"] = 2, 18
    line = attack(table, "Shinano", "Kozuke", 4)
    assert (line["outcome"], line["remaining"], table.armies["Kozuke"]) == ("defender", 2, 2)
    assert table.tray == dict.fromkeys(table.colours, 0)


@pytest.mark.parametrize(("event", "stock", "farmers"), [(None, 9, 1), ("two_farmers", 9, 2), ("two_farmers", 1, 1)])
def test_5_2__neutral_province__farmers_thrown(event: str | None, stock: int, farmers: int) -> None:
    """One farmer, two with the event, fewer when the supply is short (R11)."""
    table = table_with(tray(p0=3), Shinano=(0, 5))
    table.event_name, table.supply["farmers"] = event, stock
    attack(table, "Shinano", "Kozuke", 4)
    assert table.lines[0]["bonus"] == {"attacker": 0, "defender": 0, "farmers": farmers}


def test_5_2__castle_and_specials__bonus_armies_from_the_supplies() -> None:
    """Attack special, defence special and castle event add one each, as far as supplies go (R11, R12)."""
    for stock, bonus in [(9, 2), (1, 1), (0, 0)]:
        table = table_with(tray(p0=3), Shinano=(0, 5), Kozuke=(1, 3))
        table.special, table.event_name = {0: "plus_1_attack", 1: "plus_1_defence"}, "castle_defence"
        table.buildings["Kozuke"], table.supply["1"] = ["castle"], stock
        attack(table, "Shinano", "Kozuke", 4)
        assert table.lines[0]["bonus"] == {"attacker": 1, "defender": bonus, "farmers": 0}
        assert table.lines[1]["thrown"] == {"0": 5, "1": 3 + bonus}


def test_5_3__revolt__specials_and_castle_do_not_apply() -> None:
    """Only the armies and the farmers are thrown (R13); equal numbers lose the province."""
    table = table_with(tray(p0=2, farmers=2), Mikawa=(0, 4))
    table.special, table.event_name = {0: "plus_1_defence"}, "castle_defence"
    table.buildings["Mikawa"] = ["castle"]
    assert not revolt(table, 0, "Mikawa", 2, "revolt")
    assert table.lines[0]["thrown"] == {"0": 4, "farmers": 2}
    assert (table.lines[1]["outcome"], table.owner["Mikawa"]) == ("draw", None)


def test_4__temple_peace__attack_forbidden_own_move_allowed() -> None:
    """A temple keeps attackers out this round; no target left is a reason to skip."""
    table = table_with(Shima=(0, 3), Ise=(1, 2), Izu=(0, 1))
    table.event_name = "temple_peace"
    table.buildings = {name: ["temple"] for name in table.buildings}
    line = act(table, 0, "battle_move_a", "Shima", board.number_action(2))
    assert (line["result"], line["to"], table.armies["Izu"]) == ("moved", "Izu", 3)
    table.armies["Shima"], table.owner["Izu"] = 3, 1
    assert act(table, 0, "battle_move_b", "Shima")["why"] == "no_target"
    table.armies["Shima"] = 1
    assert act(table, 0, "battle_move_b", "Shima")["why"] == "too_few_armies"


def test_R8__optional_moves__a_player_may_decline() -> None:
    """With the option a possible battle/move may be declined."""
    table = table_with(Shima=(0, 3), Izu=(0, 1))
    table.optional_moves = True
    assert act(table, 0, "battle_move_a", "Shima", board.NONE)["why"] == "declined"


def test_4__deploy_1__armies_may_move_on_or_stay() -> None:
    """One army, then a move to an own neighbour; at least one stays."""
    table = table_with(Shima=(0, 1), Izu=(0, 1))
    line = act(table, 0, "deploy_move_1_army", "Shima", board.province_action("Izu"))
    assert (line["to"], line["armies_moved"], table.armies["Izu"]) == ("Izu", 1, 2)
    line = act(table, 0, "deploy_move_1_army", "Shima", board.NONE)
    assert (line["to"], line["armies_moved"], table.armies["Shima"]) == (None, 0, 2)


def test_4__theatre_calms__takes_one_marker_off() -> None:
    """The event takes a marker off when a theatre is built, if there is one."""
    for markers, left in [(2, 1), (0, 0)]:
        table = table_with(Aki=(0, 1))
        table.event_name, table.revolts["Aki"] = "no_theatre_calms", markers
        act(table, 0, "build_no_theatre", "Aki")
        assert table.revolts["Aki"] == left


def test_R4_R15__no_provinces__payable_chest_cards_or_nothing() -> None:
    """A player without provinces fills five of eleven spaces and bids only what they have."""
    table = table_with()
    table.chests[0] = 1
    assert legal_cards(table, 0, "bid") == [46, 47, board.NONE]
    table.plans[0] = dict.fromkeys(board.SPACES[:6])
    assert legal_cards(table, 0, board.SPACES[6]) == [46, 47, 48, 49, 50]


def test_R22__majorities__ties_get_one_less_and_none_where_none_stand() -> None:
    """Kai and Suruga are yellow, Aki is green on the sun side."""
    table = table_with(Kai=(0, 1), Suruga=(1, 1), Aki=(2, 1))
    table.buildings.update(Kai=["castle", "no_theatre"], Suruga=["castle", "no_theatre"], Aki=["temple"])
    assert majority_points(table, "castle") == {0: 2, 1: 2, 2: 0}
    assert majority_points(table, "temple") == {0: 0, 1: 0, 2: 2}
    assert majority_points(table, "no_theatre") == {0: 0, 1: 0, 2: 0}


def test_R5__ties__chests_decide_then_the_win_is_shared() -> None:
    """Most points, then most chests, then shared."""
    table = table_with(players=4)
    table.points = {0: 30, 1: 30, 2: 30, 3: 10}
    table.chests = {0: 4, 1: 5, 2: 5, 3: 9}
    table.over = True
    assert winners(table) == [1, 2]
    assert returns(table, "win") == pytest.approx([-1 / 3, 1 / 3, 1 / 3, -1 / 3])
    assert returns(table, "rank") == pytest.approx([-1 / 3, 2 / 3, 2 / 3, -1])
