"""The oracle of Shitenno by itself: whole random games, its auditor."""

import copy
import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from .corruptions import Corruption, changed, doubled, plus_one, removed, turned, without_field
from .oracle import shitenno_board as board
from .oracle.shitenno_audit import AuditError, audit, audit_file, chance_of, main
from .oracle.shitenno_oracle import Chance, ChanceError, OracleGame
from .shitenno_random_chance import RandomChance

Line = dict[str, Any]


def header_of(players: int) -> Line:
    """Header of a record."""
    fixed = {"t": "header", "format": "shitenno-record", "version": 1}
    return {**fixed, "players": players, "options": {}, "seed": 7, "agents": None}


def check_cards(game: OracleGame) -> None:
    """Cards, tiles and Kamon add up, and nothing is below zero (rules 1)."""
    table = game.table
    piles: list[Counter[str]] = [
        table.troop_pile,
        table.koku_pile,
        table.discard,
        table.spent,
        table.pool,
        *table.hands.values(),
    ]
    cards = Counter({kind: sum(pile[kind] for pile in piles) for kind in board.KINDS})
    assert cards == Counter({kind: board.CARDS[kind]["copies"] for kind in board.KINDS})
    assert all(min(pile.values(), default=0) >= 0 for pile in [*piles, *table.tiles.values()])
    assert min(table.unturned.values()) >= 0
    turned_up = table.used.total() + sum(tiles.total() for tiles in table.tiles.values())
    assert turned_up + sum(table.below.values()) + sum(top is not None for top in table.top.values()) == 24
    placed = Counter(player for positions in table.positions.values() for player, _ in positions)
    kamon = board.for_players(len(table.players), "control_kamon_per_player")
    assert all(placed[player] + table.kamon[player] == kamon for player in table.players)
    assert all(table.known[player] <= table.hands[player] for player in table.players)


def pick_random(kind: str, legal: list[int], rng: random.Random) -> int:
    """Any legal action."""
    return rng.choice(legal)


def pick_eager(kind: str, legal: list[int], rng: random.Random) -> int:
    """Place whenever possible; else any legal action."""
    return rng.choice([action for action in legal if action < board.END_TURN] or legal if kind == "turn" else legal)


def pick_hoarding(kind: str, legal: list[int], rng: random.Random) -> int:
    """Hardly ever place; else any legal action."""
    return board.END_TURN if kind == "turn" and rng.random() < 0.9 else rng.choice(legal)


PICKS = {"random": pick_random, "eager": pick_eager, "hoarding": pick_hoarding}


def play_game(players: int, seed: int, pick: str = "random") -> tuple[OracleGame, RandomChance, int]:
    """Play a whole game, checking the cards at every decision; give the number of decisions too."""
    chance, rng, number = RandomChance(seed), random.Random(seed), 0
    game = OracleGame(players=players, chance=chance)
    while (decision := game.decision()) is not None:
        check_cards(game)
        assert len(decision[2]) >= 2
        assert decision[2] == sorted(set(decision[2]))
        game.play(PICKS[pick](decision[1], decision[2], rng))
        number += 1
    check_cards(game)
    return game, chance, number


def record_of(game: OracleGame) -> list[Line]:
    """Record of a game, as a file would give it back."""
    lines: list[Line] = json.loads(json.dumps([header_of(len(game.table.players)), *game.lines]))
    return lines


def check_game(players: int, seed: int, pick: str) -> None:
    """A game ends in time, its record is accepted and gives its chance back, rewards sum to 0 and rank the players."""
    game, chance, number = play_game(players, seed, pick)
    lines = record_of(game)
    audit(lines)
    assert json.dumps(chance_of(lines)) == json.dumps(chance.log)
    assert number < 800
    assert game.table.round <= board.for_players(players, "rounds_until_koku_pile_is_empty")
    for reward in ("win", "rank", "margin"):
        assert sum(game.returns(reward)) == pytest.approx(0)
    best = [game.returns(reward).index(max(game.returns(reward))) for reward in ("win", "rank")]
    assert best == [lines[-1]["winner"]] * 2
    assert sorted(game.returns("rank")) == pytest.approx([2 * rank / (players - 1) - 1 for rank in range(players)])


@pytest.mark.parametrize("pick", PICKS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_game__whole__ends_and_passes_the_audit(players: int, pick: str) -> None:
    for seed in range(3):
        check_game(players, seed, pick)


@pytest.mark.full
@pytest.mark.parametrize("pick", PICKS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_game__many__end_and_pass_the_audit(players: int, pick: str) -> None:
    for seed in range(100, 140):
        check_game(players, seed, pick)


@pytest.mark.full
@pytest.mark.parametrize(("players", "decisions", "score"), [(2, 90, 85), (3, 115, 65), (4, 116, 48)])
def test_random_play__mean_figures__are_those_of_the_rules(players: int, decisions: int, score: int) -> None:
    numbers: list[int] = []
    points: list[int] = []
    for seed in range(60):
        game, _, number = play_game(players, seed)
        numbers.append(number)
        points += game.table.points.values()
    assert sum(numbers) / len(numbers) == pytest.approx(decisions, abs=8)
    assert sum(points) / len(points) == pytest.approx(score, abs=4)


@pytest.mark.full
def test_hoarding__of_four__runs_the_troop_pile_out() -> None:
    """The discard comes back in the middle of a draw, and pools can be short (S2)."""
    pools = [line for seed in range(60) for line in play_game(4, seed, "hoarding")[0].lines if line["t"] == "pool"]
    assert any(len(line["troops"]) < 8 for line in pools)
    assert any(line["reshuffled"] is not None and line["reshuffled"] > 0 for line in pools)


def test_returns__before_the_end__are_zero() -> None:
    game = OracleGame(players=3, chance=RandomChance(1))
    assert game.returns("win") == [0.0, 0.0, 0.0]
    with pytest.raises(ValueError, match="unknown reward 'points'"):
        game.returns("points")


@pytest.mark.parametrize("players", [1, 5])
def test_players__too_few_or_many__are_refused(players: int) -> None:
    with pytest.raises(ValueError, match="players"):
        OracleGame(players=players, chance=Chance())


def test_chance__another_kind_or_impossible__is_refused() -> None:
    with pytest.raises(ChanceError, match="outcome 1: top wanted, card found"):
        OracleGame(players=2, chance=Chance([("card", "bushi")]))
    with pytest.raises(ChanceError, match="outcome 7: impossible top: bushi"):
        OracleGame(players=2, chance=Chance([("top", "bushi")] * 8))


def test_play__illegal_action__changes_nothing() -> None:
    game = OracleGame(players=4, chance=RandomChance(1))
    before = (game.table.state(), game.decision(), list(game.lines))
    with pytest.raises(ValueError, match="not legal"):
        game.play(0)
    assert (game.table.state(), game.decision(), list(game.lines)) == before


# --- the auditor -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def record() -> list[Line]:
    """Record of a game of four in which everything happens that the corruptions need."""
    return record_of(play_game(4, 11, "eager")[0])


def other(value: int) -> int:
    """Another player of four."""
    return (value + 1) % 4


def none_left(_: Any) -> dict[str, int]:
    """Counts of nothing."""
    return {}


def back_to_front(value: list[dict[str, int]]) -> list[dict[str, int]]:
    """Counts in another order than the data's."""
    return [dict(reversed(hand.items())) for hand in value]


def overpaid(cards: list[str]) -> list[str]:
    """One card more than needed."""
    return [*cards, "koku_3"]


def titles_of_a_division(lines: list[Line]) -> int:
    """Other titles than those of the hierarchy tiles."""
    index = [index for index, line in enumerate(lines) if line["t"] == "titles"][1]
    lines[index]["seals"].reverse()
    return index + 1


CORRUPTIONS: dict[str, Corruption] = {
    "version": changed("header", "version", 2),
    "version true": changed("header", "version", True),
    "format": changed("header", "format", "shogun-record"),
    "players": changed("header", "players", 5),
    "options": changed("header", "options", {"optional_moves": False}),
    "agents": changed("header", "agents", ["random"]),
    "unknown field": changed("turn", "note", "x"),
    "unknown type": changed("round", "t", "year"),
    "missing field": without_field("take", "seals"),
    "true for a number": changed("round", "round", True),
    "float for a whole number": changed("control", "points", float),
    "top of another province": changed("top", "province", "kanto"),
    "top removed": removed("top"),
    "card of the deal": changed("deal", "cards", ["koku_1", "bushi"]),
    "deal of another": changed("deal", "player", 1),
    "titles twice the same": changed("titles", "seals", [1, 1, 2, 3]),
    "title that is none": changed("titles", "seals", [0, 1, 2, 3]),
    "pool with a double twice": changed("pool", "troops", ["sohei_sohei", "sohei_sohei", *["bushi"] * 6]),
    "pool too small": changed("pool", "troops", lambda cards: cards[1:]),
    "pool too large": changed("pool", "koku", lambda cards: [*cards, "koku_1"]),
    "pool reshuffled": changed("pool", "reshuffled", 0),
    "lot of cards not there": changed("lot", "cards", ["koku_3"] * 5),
    "lot in another order": changed("lot", "cards", ["koku_3", "bushi"]),
    "lot of another": changed("lot", "player", other),
    "lot removed": removed("lot"),
    "answer out of turn": changed("answer", "player", other),
    "answer twice": doubled("answer"),
    "answer turned round": changed("answer", "accepts", lambda value: "yes" if value else "no"),
    "take of another": changed("take", "player", other),
    "take of other seals": changed("take", "seals", lambda seals: seals % 4 + 1),
    "take removed": removed("take"),
    "divide into wrong rest": changed("divide", "b", lambda lot: {**lot, "cards": [*lot["cards"], "koku_1"]}),
    "divide with one tile twice": changed("divide", "b", lambda lot: {**lot, "seals": lot["seals"] % 4 + 1}),
    "divide by another": changed("divide", "player", other),
    "pick of another": changed("pick", "player", other),
    "titles not those of the tiles": titles_of_a_division,
    "turn of another": changed("turn", "player", other),
    "turn removed": removed("turn"),
    "control position": changed("control", "position", lambda position: position % 4 + 1),
    "control points": changed("control", "points", plus_one),
    "control title points": changed("control", "title_points", lambda points: (points + 1) % 3),
    "control with a card too many": changed("control", "cards", overpaid, by="koku"),
    "control unpaid": changed("control", "cards", []),
    "control with tiles too many": changed("control", "exchanges", 9),
    "control with countless tiles": changed("control", "plus_ones", 2**40),
    "control with the joker": changed("control", "joker", lambda joker: not joker),
    "control by another": changed("control", "player", other),
    "bonus of another province": changed("bonus", "player", other),
    "bonus removed": removed("bonus"),
    "draw of koku": changed("draw", "card", "koku_1"),
    "draw reshuffled": changed("draw", "reshuffled", lambda value: not value),
    "draw twice": doubled("draw"),
    "end of turn of another": changed("end_turn", "player", other),
    "end of turn twice": doubled("end_turn"),
    "sensei of another": changed("sensei", "player", other),
    "sensei removed": removed("sensei"),
    "state points": changed("state", "points", plus_one),
    "state seals": changed("state", "seals", turned),
    "state kamon": changed("state", "kamon", plus_one),
    "state hands": changed("state", "hands", turned),
    "state hands in another order": changed("state", "hands", back_to_front),
    "state pile": changed("state", "pile", plus_one),
    "state used": changed("state", "used", {"draw": 8}),
    "state discard": changed("state", "discard", {"bushi": 1}),
    "state zero": changed("state", "spent", {"koku_1": 0}),
    "state removed": removed("state"),
    "round": changed("round", "round", plus_one),
    "round twice": doubled("round"),
    "score koku": changed("score", "koku", plus_one),
    "score majorities": changed("score", "majorities", plus_one),
    "score holders": changed("score", "holders", lambda value: {**value, "kanto": (value["kanto"] or 0) + 1}),
    "score without a province": changed("score", "holders", none_left),
    "result points": changed("result", "points", plus_one),
    "winner": changed("result", "winner", other),
    "result removed": removed("result"),
    "result twice": doubled("result"),
}


@pytest.mark.parametrize("name", CORRUPTIONS)
def test_audit__one_corruption__names_the_line(record: list[Line], name: str) -> None:
    lines = copy.deepcopy(record)
    number = CORRUPTIONS[name](lines)
    with pytest.raises(AuditError, match=rf"^line {number}: "):
        audit(lines)


def test_audit__payment_with_a_superfluous_card__is_refused(record: list[Line]) -> None:
    """A card of the hand that could be left out is no part of a legal payment (S11)."""
    lines = copy.deepcopy(record)
    number = next(n for n, line in enumerate(lines, 1) if line["t"] == "control" and line["by"] == "koku")
    player, cards = lines[number - 1]["player"], lines[number - 1]["cards"]
    state = next(line for line in reversed(lines[:number]) if line["t"] == "state")
    more = next(kind for kind in state["hands"][player] if state["hands"][player][kind] > cards.count(kind))
    lines[number - 1]["cards"] = board.in_order([*cards, more])
    with pytest.raises(AuditError, match=rf"^line {number}: "):
        audit(lines)


def test_audit_file__good_and_bad_files__are_told_apart(
    record: list[Line], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command prints ok or the first wrong line; a field given twice is refused."""
    texts = [json.dumps(line) for line in record]
    good, bad = tmp_path / "good.shitenno.jsonl", tmp_path / "bad.shitenno.jsonl"
    good.write_text("\n".join(texts) + "\n", encoding="utf-8")
    audit_file(good)
    texts[1] = texts[1].replace("{", '{"troop": "bushi", ', 1)
    bad.write_text("\n".join(texts), encoding="utf-8")
    assert main([str(good)]) == 0
    assert main([str(good), str(bad)]) == 1
    assert "line 2: " in capsys.readouterr().out
