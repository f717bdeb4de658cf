"""Tables: undo until confirmed, saved after every decision, and nothing hidden in a view."""

import json
import random
import re

import pytest

from shogun_env.play.new_game import NewGame
from shogun_env.play.saving import save_name
from shogun_env.play.table import Table
from shogun_env.play.view import position_view
from shogun_env.policies import Bot
from shogun_env.records.record import read_record
from shogun_env.records.replay import verify
from tests.games import each_game
from tests.unit.play.people import GAMES, few_cards, move, table_of


@pytest.mark.full
@each_game
def test_view__over_a_whole_game__is_the_same_when_hidden_parts_are_dealt_again(name):
    table, chance = table_of(name), random.Random(1)
    while not table.game.is_over:
        move(table, chance)
        for game in (table.game, table.draft(0).preview) if chance.random() < 0.5 else ():
            decides = game.player == 0
            assert position_view(game.redeal(0, seed=chance.randrange(999)), 0, decides) == position_view(
                game, 0, decides
            )


@each_game
def test_table__killed_and_resumed_after_any_decision__goes_on_to_the_same_record(name, tmp_path):
    table, chance = table_of(name, tmp_path), random.Random(2)
    path = tmp_path / save_name(name, 5)
    for _ in range(50):
        move(table, chance)
        if chance.random() < 0.2:
            again = Table.resume(path, GAMES[name])
            assert again.view(0)["text"] == table.view(0)["text"]
            assert (again.draft(0).chosen, again.draft(0).is_held) == (table.draft(0).chosen, table.draft(0).is_held)
            table = again
    while not table.game.is_over:
        move(table, chance)
    lines = read_record(tmp_path / f"5.{name}.jsonl", table.game.spec)
    verify(table.game.batch_class, lines)
    assert lines[0]["agents"] == ["person", "random", "random"]
    (tmp_path / f"5.{name}.jsonl").unlink()  # as if it was killed before that was written
    Table.resume(path, GAMES[name])
    assert read_record(tmp_path / f"5.{name}.jsonl", table.game.spec) == lines


@each_game
def test_view__start__is_the_start_position_that_each_player_got(name):
    seen = set()
    for seed in range(10):
        dealt = {"shuffle_seats": True} if "shuffle_seats" in GAMES[name].spec.option_choices else {}
        bots = {1: "random", 2: "random"}
        table = Table(NewGame.among_bots(GAMES[name], {"num_players": 3, **dealt}, bots), seed=seed)
        assert len({*table.starts.values()}) == 3, "two players have one start position"
        seen.add(table.view(0)["start"])
    assert len(seen) > 2
    assert seen <= {*GAMES[name].spec.start_positions}


def test_table__without_people_or_with_a_host_who_is_none__is_refused():
    with pytest.raises(ValueError, match="host=1: must be one of the people, 0, 2"):
        NewGame.among_bots(GAMES["shogun"], {"num_players": 3}, {1: "random"}, host=1)
    with pytest.raises(ValueError, match="somebody must be left"):
        table_of("shogun", people=())


def test_undo__of_a_plan_until_confirmed__gives_every_card_back():
    table = table_of("shogun")
    before = table.view(0)
    for _ in range(11):
        table.choose(0, table.draft(0).legal()[0])
    assert table.draft(0).is_held
    with pytest.raises(ValueError, match="confirm or undo it first"):
        table.choose(0, "Aki")
    for _ in range(11):
        table.undo(0)
    assert {**table.view(0), "version": 0} == {**before, "version": 0}
    with pytest.raises(ValueError, match="nothing to undo"):
        table.undo(0)


def test_news__of_another_players_plan__is_not_told():
    table, chance = table_of("shogun"), random.Random(3)
    while not any(told["kind"] == "bids" for told in table.news(0)):
        move(table, chance)
    plans = [told for told in table.news(0) if told["kind"] == "plan"]
    assert [len(told["lines"]) for told in plans] == [1, 0, 0]
    assert [told["text"] for told in plans[1:]] == [f"P{player} makes a plan, face down." for player in (1, 2)]


@each_game
def test_table__of_two_people__asks_each_for_their_own_decisions(name):
    table, chance, asked = table_of(name, people=(0, 2)), random.Random(4), set()
    alone, together = {(0,), (2,)}, {(0, 2)} if name == "shogun" else set()
    while asked != alone | together:
        asked.add(tuple(table.deciding))
        move(table, chance)
        assert [player for player in (0, 2) if table.view(player)["turn"]] == table.deciding


def test_choose__by_somebody_else_or_illegal__is_refused_and_changes_nothing():
    table = table_of("shitenno", people=(0, 1, 2))
    (decider,), before = table.deciding, {**table.versions}
    other = next(player for player in (0, 1, 2) if player != decider)
    for player, action, why in (
        (other, "accept", "another player decides"),
        (decider, "fly", "fly is not possible now"),
    ):
        with pytest.raises(ValueError, match=why):
            table.choose(player, action)
    assert table.versions == before


def test_choose__refused_in_a_plan__lays_no_card():
    table = table_of("shogun")
    with pytest.raises(ValueError, match=r"^Atlantis is not possible now$"):
        table.choose(0, "Atlantis")
    with pytest.raises(ValueError, match=r"^Aki cannot be on bid: you have no card of it$"):
        table.lay(0, {0: "Aki"})
    with pytest.raises(ValueError, match=r'^"\\r" cannot be on bid: it is no card of yours for this space$'):
        table.lay(0, {0: "\r"})
    assert table.view(0)["laid"] == {}


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda data: "{", "is not a saved table"),
        (lambda data: json.dumps({**data, "rules": 99}), "of this game: rules is 99, must be"),
        (lambda data: json.dumps({**data, "game": "shogun"}), 'of this game: game is "shogun", must be "shitenno"'),
        (lambda data: json.dumps({**data, "moves": ["fly"]}), "is damaged"),
        (lambda data: json.dumps({**data, "version": 2}), "version is 2, must be 4"),
        (lambda data: json.dumps({**data, "confirmed": [0]}), "is damaged: player 0 has not made a whole plan"),
        (lambda data: json.dumps({**data, "drafts": {"1": []}}), "is damaged: another player decides now"),
        (lambda data: json.dumps({**data, "resigned": [9]}), "is damaged: resigned names player 9, who is no person"),
        (lambda data: json.dumps({**data, "origin": {}}), "origin is {}, must be one of null, an object of record, de"),
    ],
)
def test_resume__broken_or_another_version__is_one_clear_error(change, why, tmp_path):
    table_of("shitenno", tmp_path)
    path = tmp_path / save_name("shitenno", 5)
    path.write_text(change(json.loads(path.read_text())))
    with pytest.raises(ValueError, match=why):
        Table.resume(path, GAMES["shitenno"])


@each_game
def test_resume__watcher__has_no_older_news_than_before(name, tmp_path):
    table, chance = table_of(name, tmp_path, people=(0, 2)), random.Random(4)
    while len(table.game.moves) < 60:
        move(table, chance)
    again = Table.resume(tmp_path / save_name(name, 5), GAMES[name])
    assert 0 < len(again.news(-1)) <= len(table.news(-1)) < len(table.game.lines()) / 2
    assert len(again.events(-1)["events"]) <= len(table.events(-1)["events"])


@each_game
def test_resume__asks_no_bot_again(name, tmp_path, monkeypatch):
    table_of(name, tmp_path, people=(2,))
    asked: list[str] = []
    monkeypatch.setattr(GAMES[name], "suggest", lambda game, agent: asked.append(agent))
    Table.resume(tmp_path / save_name(name, 5), GAMES[name])
    assert asked == []


@each_game
def test_resume__bot_that_watches_the_others__goes_on_as_if_the_game_had_never_been_closed(name, tmp_path):
    bot = "search:base=pool;2min:model=pool;2min;greedy=false+scripted:plan_rollouts=8:rollouts=4"
    new = NewGame.among_bots(GAMES[name], {"num_players": 3}, {1: bot, 2: "random"}, adviser="random")
    table, chance = Table(new, seed=5, folder=tmp_path), random.Random(4)
    while len(table.game.moves) < 80:
        move(table, chance)
    again = Table.resume(tmp_path / save_name(name, 5), GAMES[name])
    known, recalled = (each._agents[1]._others._notes[0, 1].log_odds for each in (table, again))
    assert known.any() and (recalled == known).all()
    for each in (table, again):
        chance = random.Random(6)
        while len(each.game.moves) < 120:
            move(each, chance)
    assert again.game.moves == table.game.moves


@each_game
def test_table__new_or_resumed__tells_its_bots_that_a_game_begins(name, tmp_path, monkeypatch):
    begun: list[tuple[str, list[int]]] = []
    monkeypatch.setattr(Bot, "begin", lambda bot, rows: begun.append((bot.name, rows.tolist())))
    table_of(name, tmp_path)
    assert begun == [("random", [0])] * 2
    Table.resume(tmp_path / save_name(name, 5), GAMES[name])
    assert len(begun) == 4


def test_plans__of_several_people__are_made_at_once_and_played_when_all_are_confirmed(tmp_path):
    played = []
    for order in ((0, 2), (2, 0)):
        table = table_of("shogun", tmp_path / str(order[0]), people=(0, 2))
        cards = table.draft(2).legal()
        plans = {0: dict(enumerate(table.draft(0).legal()[:11])), 2: dict(enumerate(cards[2:13]))}
        for player in order:
            assert table.view(player)["turn"]
            table.lay(player, {0: plans[player][0]})
        for player in order:
            table.lay(player, plans[player])
        table.confirm(order[0])
        table = Table.resume(tmp_path / str(order[0]) / save_name("shogun", 5), GAMES["shogun"])
        first, second = (table.view(player) for player in order)
        assert table.game.batch.games[0]["space"] == 0, "nothing is played before all confirm"
        assert (first["turn"], first["laid"], second["turn"]) == (False, plans[order[0]], True)
        assert first["decides"] == second["decides"] == [order[1]]
        assert first["confirmed"] == second["confirmed"] == [order[0]]
        with pytest.raises(ValueError, match="your plan is confirmed and waits for the others"):
            table.lay(order[0], {})
        table.undo(order[0])  # until all have confirmed
        table.confirm(order[1])
        assert table.deciding == [order[0]]
        table.confirm(order[0])
        (told,) = [line for line in table.game.lines() if line["t"] == "plan" and line["player"] == 2]
        assert [told[name] for name in table.game.spec.plan_spaces] == list(plans[2].values())
        assert table.game.phase != "plan" and not table.view(0)["confirmed"]
        played.append([move.action for move in table.game.moves])
    assert played[0] == played[1], "who confirms first changes the game"


def test_draft__of_a_plan__shows_nothing_to_the_others_whatever_it_is(tmp_path):
    table = table_of("shogun", people=(0, 2))
    table.explain(2, True)
    cards, seen = table.draft(0).legal(), []
    for shift in (None, 0, 1):
        if shift is not None:
            table.lay(0, {})
            table.choose(0, cards[shift + 3])
            table.lay(0, dict(enumerate(cards[shift : shift + 11])))
        seen.append((json.dumps(table.view(2)), json.dumps(table.advice(2)), json.dumps(table.events(2))))
    assert len({*seen}) == 1
    version = table.versions[2]
    told = set()
    for shift in (0, 1):
        table.lay(0, dict(enumerate(cards[shift : shift + 11])))
        table.confirm(0)
        told.add(json.dumps({**table.view(2), "version": 0}))
        assert table.is_current(2, version), "a click is refused because somebody else confirmed"
        table.undo(0)
    assert len(told) == 1 and told != {seen[0][0]}


def test_confirm__where_a_bot_fails__leaves_the_choice_to_be_confirmed(monkeypatch):
    table = table_of("shitenno")
    while not table.draft(0).is_held:
        table.choose(0, table.draft(0).legal()[-1])
    before, play_bots = table.view(0), table._play_bots

    def fail(game):
        raise OSError("no answer")

    monkeypatch.setattr(table, "_play_bots", fail)
    with pytest.raises(OSError, match="no answer"):
        table.confirm(0)
    assert table.view(0) == before
    monkeypatch.setattr(table, "_play_bots", play_bots)
    table.confirm(0)
    assert table.draft(0).chosen == []


@pytest.mark.parametrize("name", [*GAMES])
def test_resign__where_a_bot_fails__leaves_the_game_to_be_played_or_resigned(name, monkeypatch):
    table = table_of(name)
    before = table.view(0)

    def fail(game):
        raise OSError("no answer")

    with monkeypatch.context() as patch:
        patch.setattr(table, "_play_bots", fail)
        with pytest.raises(OSError, match="no answer"):
            table.resign(0)
    assert table.view(0) == before
    table.resign(0)
    assert table.game.is_over and table.names[0] == "person, then Samurai"


def test_lay__part_of_a_plan_in_any_order__is_kept_shown_and_changed_until_confirmed(tmp_path):
    table = table_of("shogun", tmp_path)
    cards = table.draft(0).legal()
    table.lay(0, {5: cards[2]})
    table.lay(0, {5: cards[2], 0: cards[0], 8: cards[1]})
    table = Table.resume(tmp_path / save_name("shogun", 5), GAMES["shogun"])
    view = table.view(0)
    assert view["laid"] == table.draft(0).laid == {5: cards[2], 0: cards[0], 8: cards[1]}
    assert not {*view["legal"]} & {*cards[:3]}, "a card that is laid is offered again"
    drawn = "".join(markup for name, markup in view["parts"].items() if name.startswith("card-0-"))
    assert all(f">{card}<" in drawn for card in cards[:3]), "the board draws another plan than the panel shows"
    (hand,) = re.findall("hand of P0: (.*?)<", "".join(view["parts"].values()))
    assert not {*hand.split(", ")} & {*cards[:3]} and {*hand.split(", ")} >= {*cards[3:6]}
    assert view["title"] == "Shogun: everybody plans the season"
    table.undo(0)
    assert table.draft(0).laid == {5: cards[2], 0: cards[0]}, "after a restart cards are taken back one by one"
    table.lay(0, dict(enumerate(reversed(cards[:11]))))
    assert table.draft(0).is_held
    assert table.view(0)["laid"][10] == cards[0]
    with pytest.raises(ValueError, match=cards[0]):
        table.lay(0, {0: cards[0], 1: cards[0]})
    assert table.draft(0).is_held, "a plan that is refused changes nothing"
    table.confirm(0)
    with pytest.raises(ValueError, match="no plan is made now"):
        table.lay(table.deciding[0], {0: cards[0]})


@pytest.mark.parametrize("seed", range(3))
def test_lay__with_fewer_cards_than_spaces__leaves_as_many_empty_as_must_be_in_any_order(seed):
    table, chance = few_cards(), random.Random(seed)
    view = table.view(0)
    assert view["empties"] == 1
    cards = sorted({*view["legal"]} - {"none"})
    assert len(cards) == 10 and len(view["spaces"]) == 11
    spaces = [each["space"] for each in view["spaces"]]
    chance.shuffle(spaces)
    plan = dict(zip(spaces, ["none", *cards], strict=True))
    for count in range(1, 12):
        table.lay(0, dict([*plan.items()][:count]))
        view = table.view(0)
        assert view["empties"] == 0 and "none" not in view["legal"], "a second space may stay empty"
    assert view["held"]
    with pytest.raises(ValueError, match=r"^2 spaces are to stay empty: with your cards it can be 1$"):
        table.lay(0, {3: "none", 7: "none"})
    with pytest.raises(ValueError, match=r"^none is not possible now"):
        table.undo(0)
        table.choose(0, "none")
    table.lay(0, plan)
    table.confirm(0)
    (line,) = [line for line in table.game.lines() if line["t"] == "plan" and line["player"] == 0]
    laid = {space: line[name] for space, name in enumerate(table.game.spec.plan_spaces)}
    assert laid == {space: None if card == "none" else card for space, card in plan.items()}


def test_save__seed_and_plans__are_for_the_owner_only(tmp_path):
    table = table_of("shitenno", tmp_path)
    table.choose(0, table.draft(0).legal()[0])
    assert (tmp_path / save_name("shitenno", 5)).stat().st_mode & 0o077 == 0


def test_view__of_a_plan__says_what_each_card_does_on_each_space():
    table = table_of("shogun")
    view = table.view(0)
    assert sorted(space["space"] for space in view["spaces"]) == list(range(11))
    for space in view["spaces"]:
        assert {*view["legal"]} <= {*space["cards"]}
        assert all(space["cards"].values())


def dividing(players, phase):
    """Return a table at which a person decides in a phase of the division."""
    table, chance = table_of("shitenno", people=tuple(range(players)), num_players=players), random.Random(7)
    while table.draft(table.deciding[0]).preview.phase != phase:
        move(table, chance)
    while table.draft(table.deciding[0]).chosen:
        table.undo(table.deciding[0])
    return table


def test_divide__whole_lots_in_any_order__are_drafted_changed_and_confirmed_at_once():
    table = dividing(3, "divide")
    player = table.deciding[0]
    pool = table.lots(player)["lots"][1]["cards"]
    first, second, third = table.lots(player)["tiles"]
    table.divide(player, [pool[2], pool[0]], [third])
    assert not table.draft(player).is_held and table.lots(player)["lots"][0]["tile"] == third
    table.divide(player, [pool[-1], pool[0]], [first, second])
    drafted = table.view(player)["division"]["lots"]
    assert table.draft(player).is_held and sorted(drafted[0]["cards"] + drafted[1]["cards"]) == sorted(pool)
    assert sorted(drafted[0]["cards"]) == sorted([pool[0], pool[-1]])
    assert [lot["tile"] for lot in drafted] == [first, second]
    for cards, tiles, why in (
        ([pool[0]] * 9, [], "is not possible now"),
        (["fly"], [], "fly is not possible now"),
        ([pool[0]], ["seals_9"], "seals 9 is not possible now"),
        ([pool[0]], [first, first], "is not possible now"),
        ([pool[0]], [first, second, third], "is chosen: confirm or undo it first"),
    ):
        with pytest.raises(ValueError, match=why):
            table.divide(player, cards, tiles)
        assert table.view(player)["division"]["lots"] == drafted, "a division that is refused changes nothing"
    table.confirm(player)
    assert table.game.phase == "choose" and [lot["cards"] for lot in table.lots(table.deciding[0])["lots"]] == [
        lot["cards"] for lot in drafted
    ]
    with pytest.raises(ValueError, match="nothing is divided now"):
        table.divide(table.deciding[0], [], [])


@pytest.mark.parametrize("phase", ["form_lot", "answer", "divide", "choose"])
def test_lots__with_hidden_cards_dealt_again__say_the_same(phase):
    table = dividing(3, phase)
    player = table.deciding[0]
    said, draft = table.lots(player), table.draft(player)
    assert player in said["lots"][0]["brings"]
    for seed in range(3):
        draft.preview = draft.preview.redeal(player, seed)
        assert table.lots(player) == said
