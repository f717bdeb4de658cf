"""The oracle of Shogun: rulings that random play seldom meets, the tower's figures."""

import random
from itertools import pairwise
from typing import Any

import pytest

from ..alone import play_out
from ..oracle.shogun import board
from ..oracle.shogun.audit import audit
from ..oracle.shogun.oracle import Chance, ChanceError, OracleGame
from ..oracle.shogun.random_chance import RandomChance
from ..oracles import record_of


@pytest.mark.parametrize("players", [3, 4, 5])
def test_draft__R3__same_open_cards_may_be_buried_once_a_turn(players: int) -> None:
    """A player who always takes the top card may bury from their second turn on, and then has to pick."""
    options = {"num_players": players, "side": "moon", "start": "draft"}
    lines = record_of("shogun", options, play_out("shogun", options, players, "deck")[0])
    picks = [line for line in lines if line["t"] in ("draft", "bury")]
    assert [line["t"] for line in picks[:players]] == ["draft"] * players
    assert any(line["t"] == "bury" for line in picks)
    for line, after in pairwise(picks):
        if line["t"] == "bury":
            assert (after["t"], after["player"]) == ("draft", line["player"])
    audit(lines)


def test_draft__R3__buried_cards_come_last_in_their_order() -> None:
    """When all unseen cards are gone only the card that went under first can come."""
    names = board.PROVINCES
    outcomes: list[tuple[str, Any]] = [("starter", 0), ("card", names[0]), ("card", names[1])]
    game = OracleGame(players=4, side="moon", start="draft", chance=Chance([*outcomes, ("card", names[3])]))
    game.table.draft.update(unseen=[], buried=[names[2], names[3]])
    with pytest.raises(ChanceError, match="impossible card"):
        game.play(board.TOP_OF_DECK)


def test_audit__places_in_another_order__is_accepted() -> None:
    """Starting provinces may stand in any order."""
    record = record_of("shogun", {}, play_out("shogun", {}, 1)[0])
    end = 1 + 4 * 8
    audit([record[0], *record[end - 1 : 0 : -1], *record[end:]])


def test_random_play__two_floor__mean_figures() -> None:
    """A few games of random play lie near the figures of the tower ruling (R10), with wide margins."""
    inside, end, points = [], [], []
    for seed in range(40):
        game, rng = OracleGame(players=4, side="sun", start="preset", chance=RandomChance(seed)), random.Random(seed)
        inside.append(sum(game.drawn_state()["tower"].values()))
        while (decision := game.decision()) is not None:
            game.play(rng.choice(decision[2]))
        end.append(sum(game.drawn_state()["tower"].values()))
        points.append(sum(game.drawn_state()["points"]))
    assert 6 < sum(inside) / 40 < 9
    assert 10 < sum(end) / 40 < 14.5
    assert 125 < sum(points) / 40 < 142
