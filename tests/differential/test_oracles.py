"""The oracles by themselves: whole games, what they refuse, their auditors."""

from __future__ import annotations

import copy
import json
from itertools import product
from typing import Any

import pytest

from .alone import ALONE, play_out
from .oracle.chance import Chance, ChanceError
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
