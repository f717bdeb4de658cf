"""The oracle of Shitenno: its figures, a pile that runs out, a payment that is one card too many."""

import pytest

from ..alone import play_out
from ..oracle.shitenno import board
from ..oracle.shitenno.audit import AuditError, audit
from ..oracle.shitenno.oracle import OracleGame
from ..oracle.shitenno.random_chance import RandomChance
from ..oracles import record_of


@pytest.mark.slow
@pytest.mark.parametrize(("players", "decisions", "score"), [(2, 90, 85), (3, 115, 65), (4, 116, 48)])
def test_random_play__mean_figures__are_those_of_the_rules(players: int, decisions: int, score: int) -> None:
    numbers: list[int] = []
    points: list[int] = []
    for seed in range(60):
        game, _, number = play_out("shitenno", {"num_players": players}, seed)
        numbers.append(number)
        points += game.table.points.values()
    assert sum(numbers) / len(numbers) == pytest.approx(decisions, abs=8)
    assert sum(points) / len(points) == pytest.approx(score, abs=4)


@pytest.mark.full
def test_hoarding__of_four__runs_the_troop_pile_out() -> None:
    """The discard comes back in the middle of a draw, and pools can be short (S2)."""
    pools = [
        line
        for seed in range(60)
        for line in play_out("shitenno", {}, seed, "hoarding")[0].lines
        if line["t"] == "pool"
    ]
    assert any(len(line["troops"]) < 8 for line in pools)
    assert any(line["reshuffled"] is not None and line["reshuffled"] > 0 for line in pools)


def test_returns__before_the_end__are_zero() -> None:
    game = OracleGame(players=3, chance=RandomChance(1))
    assert game.returns("win") == [0.0, 0.0, 0.0]
    with pytest.raises(ValueError, match="unknown reward 'points'"):
        game.returns("points")


def test_audit__payment_with_a_superfluous_card__is_refused() -> None:
    """A card of the hand that could be left out is no part of a legal payment (S11)."""
    lines = record_of("shitenno", {}, play_out("shitenno", {}, 11, "eager")[0])
    number = next(n for n, line in enumerate(lines, 1) if line["t"] == "control" and line["by"] == "koku")
    player, cards = lines[number - 1]["player"], lines[number - 1]["cards"]
    state = next(line for line in reversed(lines[:number]) if line["t"] == "state")
    more = next(kind for kind in state["hands"][player] if state["hands"][player][kind] > cards.count(kind))
    lines[number - 1]["cards"] = board.in_order([*cards, more])
    with pytest.raises(AuditError, match=rf"^line {number}: "):
        audit(lines)
