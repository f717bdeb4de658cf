"""The oracles by themselves: whole games, what they refuse, their auditors."""

from __future__ import annotations

import copy
import json
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from .alone import ALONE, play_out
from .corruptions import CORRUPTIONS
from .oracle.auditor import AuditError
from .oracle.chance import Chance, ChanceError
from .oracle.game import Line
from .oracles import ORACLES, game_of, record_of

NAMES = tuple(ORACLES)
STARTS = [("sun", "preset", False), ("sun", "preset", True)] + [
    (side, start, False) for side in ("sun", "moon") for start in ("draft", "random")
]
GAMES: list[tuple[str, dict[str, Any], str]] = [
    (
        "shogun",
        {"num_players": n, "side": side, "start": start, "shuffle_seats": shuffle, "optional_moves": optional},
        "random",
    )
    for n, (side, start, shuffle), optional in product((3, 4, 5), STARTS, (False, True))
]
GAMES += [("shitenno", {"num_players": n}, pick) for n, pick in product((2, 3, 4), ALONE["shitenno"].picks)]


def check_game(name: str, options: dict[str, Any], seed: int, pick: str) -> None:
    """A game ends, its record is accepted and gives its chance back, its rewards sum to 0."""
    oracle = ORACLES[name]
    game, chance, _ = play_out(name, options, seed, pick)
    lines = record_of(name, options, game)
    oracle.audit.audit(lines)
    assert json.dumps(oracle.chance_of(lines), sort_keys=True) == json.dumps(chance.log, sort_keys=True)
    for reward in ALONE[name].rewards:
        assert sum(game.returns(reward)) == pytest.approx(0)
    ALONE[name].end(game, lines)


@pytest.mark.parametrize(("name", "options", "pick"), GAMES)
def test_game__whole__ends_and_passes_the_audit(name: str, options: dict[str, Any], pick: str):
    check_game(name, options, options["num_players"], pick)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "options", "pick"), GAMES)
def test_game__many__end_and_pass_the_audit(name: str, options: dict[str, Any], pick: str):
    for seed in range(100, 103):
        check_game(name, options, seed, pick)


# --- what is refused -------------------------------------------------------------------------------------------------

BAD_CHANCE = [
    ("shogun", [("card", "Aki")], "outcome 1: is card, must be throw"),
    ("shogun", [("throw", {"tray": {"0": 8}})], "outcome 1: impossible throw"),
    ("shitenno", [("card", "bushi")], "outcome 1: is card, must be top"),
    ("shitenno", [("top", "bushi")] * 8, "outcome 7: impossible top: bushi"),
]


@pytest.mark.parametrize(("name", "outcomes", "why"), BAD_CHANCE)
def test_chance__another_kind_or_impossible__is_refused(name: str, outcomes: list[tuple[str, Any]], why: str):
    """The queue names what must come and where."""
    with pytest.raises(ChanceError, match=why):
        game_of(name, {"num_players": 3}, Chance(outcomes))


BAD_OPTIONS = [
    ("shogun", {"num_players": 2}),
    ("shogun", {"num_players": 3, "side": "moon"}),
    ("shogun", {"num_players": 3, "start": "draft", "shuffle_seats": True}),
    ("shitenno", {"num_players": 1}),
    ("shitenno", {"num_players": 5}),
]


@pytest.mark.parametrize(("name", "options"), BAD_OPTIONS)
def test_options__that_do_not_exist_or_go_together__are_refused(name: str, options: dict[str, Any]):
    """Bad options raise before anything is drawn."""
    with pytest.raises(ValueError, match=r"players|preset"):
        game_of(name, options, Chance())


@pytest.mark.parametrize("name", NAMES)
def test_play__illegal_action__changes_nothing(name: str):
    """An illegal action is refused and the decision stands."""
    game = game_of(name, {}, ORACLES[name].drawn(1))
    before = copy.deepcopy((game.table.state(), game.decision(), game.lines))
    with pytest.raises(ValueError, match="not legal"):
        game.play(0)
    assert (game.table.state(), game.decision(), game.lines) == before


# --- the auditors ----------------------------------------------------------------------------------------------------


@cache
def eventful(name: str) -> list[Line]:
    """Record of a game of four in which everything happens that the corruptions need."""
    options, seed, pick = ALONE[name].eventful
    return record_of(name, options, play_out(name, options, seed, pick)[0])


@pytest.mark.parametrize(("name", "corruption"), [(name, each) for name in NAMES for each in CORRUPTIONS[name]])
def test_audit__one_corruption__names_the_line(name: str, corruption: str):
    """A record with one wrong line is refused at that line."""
    lines = copy.deepcopy(eventful(name))
    number = CORRUPTIONS[name][corruption](lines)
    with pytest.raises(AuditError, match=rf"^line {number}: "):
        ORACLES[name].audit.audit(lines)


@pytest.mark.parametrize("name", NAMES)
def test_audit_file__good_and_bad_files__are_distinguished(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    """The command prints ok or the first wrong line; a field given twice is refused."""
    audit = ORACLES[name].audit
    texts = [json.dumps(line) for line in eventful(name)]
    good, bad = tmp_path / f"good.{name}.jsonl", tmp_path / f"bad.{name}.jsonl"
    good.write_text("\n".join(texts) + "\n", encoding="utf-8")
    audit.audit_file(good)
    texts[1] = texts[1].replace("{", '{"province": 0, ', 1)
    bad.write_text("\n".join(texts), encoding="utf-8")
    assert audit.main([str(good)]) == 0
    assert audit.main([str(good), str(bad)]) == 1
    assert "line 2: " in capsys.readouterr().out
