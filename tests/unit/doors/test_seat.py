"""Seats: nothing hidden is shown, what is wrong changes nothing, and whole plans."""

import json
import random
from typing import Any

import pytest

from shogun_env.arguments import BOTS_OF_ASSISTANTS
from shogun_env.doors.seat import Seat
from shogun_env.game import Game
from shogun_env.play.new_game import NewGame
from shogun_env.play.table import Table
from shogun_env.policies import make_agent, specs_in
from tests.games import each_game
from tests.unit.play.people import GAMES


def seated(name: str, **settings: Any) -> Seat:
    settings.setdefault("options", {"num_players": 3})
    return Seat(GAMES[name], opponents=["random"], seed=5, **settings)


def shown_in(seat: Seat) -> list[Any]:
    return [seat.observe(), seat.legal_actions(), seat.hint(), seat.players]


def dealt_again(game: Game, player: int, seed: int) -> Game:
    """Return a game that looks the same to a player, with the same draws of the bots to come."""
    other = game.redeal(player, seed)
    other.batch.policy_rngs[:] = game.batch.policy_rngs
    return other


@pytest.mark.parametrize(
    ("opponents", "bots"), [("random", ["random"] * 3), ("random,scripted", ["random", "scripted"])]
)
def test_new_seat__opponents_as_one_text__are_bots_and_not_letters(opponents, bots):
    assert Seat(GAMES["shogun"], opponents=opponents, seed=5).players == ["you", *bots]


@pytest.mark.full
@each_game
def test_seat__over_a_whole_game__shows_the_same_when_hidden_parts_are_dealt_again(name):
    """The sentences are read once, from the true game; tests of ``sentences`` look for what is hidden in them."""
    seat, chance = seated(name, player=1), random.Random(3)
    while not seat.is_over:
        if chance.random() < 0.3:
            draft = seat.table.draft(1)
            shown, true = shown_in(seat), draft.preview
            for seed in range(2):
                draft.preview = dealt_again(true, 1, seed)
                assert draft.preview.position() != true.position()
                assert shown_in(seat) == shown
            draft.preview = true
            knows = seat.game.spec.record_format.kinds.knows
            others = [line for line in seat.record() if not knows(1, line)]
            assert all({*line} <= {"t", "player"} for line in others)
            assert not any(line["t"] == "header" for line in seat.record())
        seat.play(chance.choice(list(seat.legal_actions())))
    header = seat.record()[0]
    assert (header["seed"], header["agents"]) == (5, ["random", "you", "random"])
    assert len(seat.observe().results) == 3 and seat.legal_actions() == {}
    with pytest.raises(ValueError, match="the game is over"):
        seat.play("skip")


@each_game
def test_play__illegal_action__says_why_and_changes_nothing(name):
    seat = seated(name)
    before = seat.game.position(), seat.observe()
    for action in ("fly", "", *[seat.game.spec.action_name(a) for a in (0, 5)]):
        if action not in seat.legal_actions():
            with pytest.raises(ValueError, match="legal are"):
                seat.play(action)
    assert (seat.game.position(), seat.observe()) == before


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"bid": "fly"}, "the space bid cannot have 'fly'; with the cards before it, possible are"),
        ({"build_castle": None}, "the space build_castle has no card"),
        ({"bribe": "chest_1"}, "'bribe' is not a space"),
    ],
)
def test_play_plan__wrong_card__names_space_and_changes_nothing(change, why):
    seat = seated("shogun")
    plan, before = seat.hint(), (seat.game.position(), seat.observe())
    seat.play(plan["bid"])
    laid = seat.game.position()
    with pytest.raises(ValueError, match=why):
        seated("shogun").play_plan({**plan, **change})
    rest = {space: card for space, card in plan.items() if space != "bid"}
    with pytest.raises(ValueError, match="has no card"):
        seat.play_plan({**rest, "battle_move_a": None})
    assert seat.game.position() == laid != before[0]
    seat.play_plan({**rest, "Build castle": rest["build_castle"].upper()})  # as models write it
    assert "battle" not in seat.game.phase and len(seat.table.game.moves) >= 11
    assert seat.hint().keys() == {"action"}
    with pytest.raises(ValueError, match="no plan is made now"):
        seat.play_plan(plan)


def test_answer__of_a_model__is_played_as_the_seat_would():
    seat, other = seated("shogun"), seated("shogun")
    for _ in range(12):
        hint = other.hint()
        with pytest.raises(ValueError, match=r"names none of the legal actions|no JSON object"):
            seat.answer("I pass")
        if "action" in hint:
            seat.answer(f"I think so.\n[{hint['action']}]")
            other.play(hint["action"])
        else:
            seat.answer(f"The plan: [{json.dumps(hint)}]")
            other.play_plan(hint)
        assert seat.game.position() == other.game.position()


def test_at__table_of_people__lets_them_make_hidden_plans_in_any_order():
    table = Table(NewGame.among_bots(GAMES["shogun"], {"num_players": 3}, {2: "random"}), seed=5)
    first, second = Seat.at(table, 0), Seat.at(table, 1)
    before = second.observe().text
    assert first.players == ["you", "person", "random"] and second.players == ["person", "you", "random"]
    first.play_plan(first.hint())
    assert second.observe().text == before and table.game.moves == []
    assert first.legal_actions() == {}
    with pytest.raises(ValueError, match="your plan is confirmed and waits for the others"):
        first.hint()
    second.play_plan(second.hint())
    assert len(table.game.moves) >= 33


def test_play_plan__bot_that_fails__leaves_the_plan_unmade(monkeypatch):
    seat = seated("shogun")
    before, plan = seat.game.position(), seat.hint()

    def fail(player: int) -> None:
        raise OSError("the bot is gone")

    monkeypatch.setattr(seat.table, "confirm", fail)
    with pytest.raises(OSError, match="the bot is gone"):
        seat.play_plan(plan)
    monkeypatch.undo()
    assert seat.game.position() == before
    seat.play_plan(plan)


def test_seat__without_a_seed__has_another_one_each_time():
    seeds = {Seat(GAMES["shitenno"], opponents=["random"]).table.seed for _ in range(3)}
    assert len(seeds) == 3


@each_game
def test_bots__that_an_assistant_can_choose__play_the_game(name):
    assert all(hasattr(make_agent(spec, GAMES[name].spec), "act") for spec in specs_in(BOTS_OF_ASSISTANTS))


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"player": 3}, "no player 3; players are 0 to 2"),
        ({"player": -1}, "seat=-1: must be a player, from 0"),
        ({"options": {"side": "dark"}}, "side='dark'"),
        ({"options": {"num_players": 9}}, "num_players=9"),
        ({"adviser": "nobody"}, "unknown agent 'nobody'"),
    ],
)
def test_seat__bad_setting__is_refused(settings, why):
    with pytest.raises(ValueError, match=why):
        seated("shogun", **settings)
