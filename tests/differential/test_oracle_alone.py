"""The oracle by itself: whole random games, its auditor, and rulings that random play seldom meets."""

import copy
import json
import random
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from .corruptions import changed, doubled, plus_one, removed, turned, twice, without_field
from .oracle import shogun_board as board
from .oracle.shogun_audit import AuditError, audit, audit_file, chance_of, main
from .oracle.shogun_oracle import Chance, ChanceError, OracleGame
from .random_chance import RandomChance

STARTS = [("sun", "preset", False), ("sun", "preset", True)] + [
    (side, start, False) for side in ("sun", "moon") for start in ("draft", "random")
]
Line = dict[str, Any]


def header_of(players: int, side: str, start: str, optional_moves: bool, shuffle_seats: bool) -> Line:
    """Header of a record."""
    return {
        "t": "header",
        "format": "shogun-record",
        "version": 1,
        "players": players,
        "side": side,
        "start": start,
        "tower": {"floors": 2, "stick": 0.15, "dislodge": 0.025, "shake": 0},
        "options": {"optional_moves": optional_moves, "shuffle_seats": shuffle_seats},
        "seed": 7,
        "agents": None,
    }


def check_cubes(game: OracleGame) -> None:
    """Every colour adds up, and armies stand exactly in owned provinces (rules 1)."""
    table = game.table
    for colour in table.colours:
        assert table.cubes(colour) == (20 if colour == "farmers" else 62)
    assert all((table.armies[name] > 0) == (table.owner[name] is not None) for name in table.provinces)
    assert all(min(part.values()) >= 0 for part in (table.supply, table.tower, table.tray, table.chests))


def pick_random(legal: list[int], rng: random.Random) -> int:
    """Any legal action."""
    return rng.choice(legal)


def pick_deck(legal: list[int], rng: random.Random) -> int:
    """In a draft bury when allowed, or take the top card, so that open cards stay; else any legal action."""
    for action in (board.BURY, board.TOP_OF_DECK):
        if action in legal:
            return action
    return rng.choice(legal)


def play_game(
    *,
    players: int,
    side: str,
    start: str,
    optional_moves: bool,
    shuffle_seats: bool,
    pick: Callable[[list[int], random.Random], int] = pick_random,
) -> tuple[OracleGame, RandomChance, list[Line]]:
    """Play a whole random game, checking the cubes at every decision; give its record too."""
    options = {"optional_moves": optional_moves, "shuffle_seats": shuffle_seats}
    chance = RandomChance(players)
    game = OracleGame(players=players, side=side, start=start, chance=chance, **options)
    rng = random.Random(1)
    for _ in range(2000):
        decision = game.decision()
        if decision is None:
            break
        check_cubes(game)
        assert len(decision[2]) >= 2
        game.play(pick(decision[2], rng))
    assert game.decision() is None
    check_cubes(game)
    lines = [header_of(players, side, start, **options), *game.lines]
    return game, chance, json.loads(json.dumps(lines))


@pytest.fixture(scope="module")
def record() -> list[Line]:
    """Record of a game of four."""
    return play_game(players=4, side="sun", start="preset", optional_moves=True, shuffle_seats=False)[2]


@pytest.mark.parametrize("optional_moves", [False, True])
@pytest.mark.parametrize(("side", "start", "shuffle_seats"), STARTS)
@pytest.mark.parametrize("players", [3, 4, 5])
def test_game__random_play__ends_and_passes_the_audit(
    players: int, side: str, start: str, shuffle_seats: bool, optional_moves: bool
) -> None:
    """A random game ends, its cubes add up, its rewards sum to 0, its record is accepted and gives its chance back."""
    game, chance, lines = play_game(
        players=players, side=side, start=start, optional_moves=optional_moves, shuffle_seats=shuffle_seats
    )
    audit(lines)
    assert json.dumps(chance_of(lines), sort_keys=True) == json.dumps(chance.log, sort_keys=True)
    for reward in ("win", "rank", "margin", "points"):
        assert sum(game.returns(reward)) == pytest.approx(0)
    assert game.returns("points") == pytest.approx(game.returns("margin"))
    kinds = [line["t"] for line in lines]
    assert (kinds.count("action"), kinds.count("open"), kinds.count("state")) == (60, 30, 9)
    assert kinds[-2:] == ["state", "result"]


@pytest.mark.parametrize("players", [3, 4, 5])
def test_draft__R3__same_open_cards_may_be_buried_once_a_turn(players: int) -> None:
    """Who always takes the top card may bury from his second turn on, and then has to pick."""
    lines = play_game(
        players=players,
        side="moon",
        start="draft",
        optional_moves=False,
        shuffle_seats=False,
        pick=pick_deck,
    )[2]
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


def test_chance__another_kind_or_impossible__is_refused() -> None:
    """The queue names what was wanted and where."""
    with pytest.raises(ChanceError, match="outcome 1: throw wanted, card found"):
        OracleGame(players=3, side="sun", start="preset", chance=Chance([("card", "Aki")]))
    with pytest.raises(ChanceError, match="outcome 1: impossible throw"):
        OracleGame(players=3, side="sun", start="preset", chance=Chance([("throw", {"tray": {"0": 8}})]))


@pytest.mark.parametrize(
    "options",
    [
        {"players": 2, "side": "sun", "start": "preset"},
        {"players": 3, "side": "moon", "start": "preset"},
        {"players": 3, "side": "sun", "start": "draft", "shuffle_seats": True},
    ],
)
def test_options__that_do_not_go_together__are_refused(options: dict[str, Any]) -> None:
    """Bad options raise before anything is drawn."""
    with pytest.raises(ValueError, match=r"players|preset"):
        OracleGame(**options, chance=Chance())


def test_play__illegal_action__changes_nothing() -> None:
    """An illegal action is refused and the decision stands."""
    game = OracleGame(players=4, side="sun", start="preset", chance=RandomChance(1))
    before, decision = game.drawn_state(), game.decision()
    with pytest.raises(ValueError, match="not legal"):
        game.play(0)
    assert (game.drawn_state(), game.decision()) == (before, decision)


CORRUPTIONS: dict[str, Callable[[list[Line]], int]] = {
    "version": changed("header", "version", 2),
    "version true": changed("header", "version", True),
    "players": changed("header", "players", 6),
    "preset on the moon": changed("header", "side", "moon"),
    "unknown field": changed("specials", "note", "x"),
    "unknown type": changed("round", "t", "season"),
    "missing field": without_field("fight", "remaining"),
    "true for one": changed("year", "year", True, year=1),
    "float for a whole number": changed("bids", "paid", lambda paid: [float(paid[0]), *paid[1:]]),
    "place": changed("place", "armies", plus_one),
    "place twice": doubled("place"),
    "impossible throw": changed("throw", "tray", {"0": 62}, why="battle"),
    "thrown": changed("throw", "thrown", plus_one, why="fill"),
    "state chests": changed("state", "chests", plus_one),
    "state tower": changed("state", "tower", plus_one),
    "event not open": changed("event", "rice_loss", plus_one),
    "events twice": changed("year", "events", twice),
    "actions twice": changed("actions", "open", twice),
    "specials twice": changed("specials", "order", twice),
    "open again": changed("open", "position", plus_one),
    "plan of a card not his own": changed("plan", "build_castle", "Mutsu", player=2),
    "plan of a card twice": changed("plan", "build_castle", lambda _: "chest_1", build_temple="chest_1"),
    "plan left empty": changed("plan", "bid", None, player=1),
    "bid order": changed("bids", "order", turned),
    "special taken": changed("special", "position", lambda position: position % 5 + 1),
    "action": changed("action", "action", lambda name: "build_castle" if name != "build_castle" else "collect_taxes"),
    "why skipped": changed("do", "why", "none_left", why="no_card"),
    "amount": changed("do", "amount", plus_one, result="collected"),
    "paid": changed("do", "paid", plus_one, result="built"),
    "armies in an attack": changed("do", "armies", 60, result="attacked"),
    "target": changed("do", "to", lambda name: "Aki" if name != "Aki" else "Mutsu", result="moved"),
    "bonus": changed("do", "bonus", plus_one, result="attacked"),
    "do of another": changed("do", "player", lambda player: (player + 1) % 4),
    "do removed": removed("do"),
    "round twice": doubled("round"),
    "event removed": removed("event"),
    "fight removed": removed("fight"),
    "tray count": changed("fight", "tray_attacker", plus_one),
    "farmers in": changed("fight", "farmers_in", lambda value: not value),
    "remaining": changed("fight", "remaining", plus_one),
    "short": changed("winter", "short", plus_one),
    "famine drawn": changed("famine", "drawn", lambda names: [*names, *names]),
    "score": changed("score", "castles", plus_one),
    "winners": changed("result", "winners", lambda players: [(players[0] + 1) % 4]),
    "result removed": removed("result"),
    "result twice": doubled("result"),
}


@pytest.mark.parametrize("name", CORRUPTIONS)
def test_audit__one_corruption__names_the_line(record: list[Line], name: str) -> None:
    """A record with one wrong line is refused at that line."""
    lines = copy.deepcopy(record)
    number = CORRUPTIONS[name](lines)
    with pytest.raises(AuditError, match=rf"^line {number}: "):
        audit(lines)


def test_audit__places_in_another_order__is_accepted(record: list[Line]) -> None:
    """Starting provinces may stand in any order."""
    end = 1 + 4 * 8
    audit([record[0], *record[end - 1 : 0 : -1], *record[end:]])


def test_audit_file__good_and_bad_files__are_told_apart(
    record: list[Line], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command prints ok or the first wrong line; a field given twice is refused."""
    texts = [json.dumps(line) for line in record]
    good, bad = tmp_path / "good.shogun.jsonl", tmp_path / "bad.shogun.jsonl"
    good.write_text("\n".join(texts) + "\n", encoding="utf-8")
    audit_file(good)
    texts[1] = texts[1].replace("{", '{"player": 0, ', 1)
    bad.write_text("\n".join(texts), encoding="utf-8")
    assert main([str(good)]) == 0
    assert main([str(good), str(bad)]) == 1
    assert "line 2: " in capsys.readouterr().out


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
