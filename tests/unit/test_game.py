"""``Game``: names instead of numbers, moves taken back, positions, records at any line; always what a batch plays."""

import copy
import pickle
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shogun_env import shitenno, shogun
from shogun_env.game import Game, Move
from shogun_env.records.record import RecordError, write_record
from shogun_env.records.replay import written
from shogun_env.shogun import constants as c
from tests.games import FEW, KINDS, batch_class, each_game
from tests.property.strategies import draw_state

GAMES: dict[str, type[Game]] = {"shogun": shogun.Game, "shitenno": shitenno.Game}


def content(game: Game) -> list[bytes]:
    """Everything that a game holds, its log as far as it is written."""
    batch = game.batch
    lines = repr(game.lines()).encode() if batch.record else b""
    return [buffer.tobytes() for buffer in batch.buffers() if buffer is not batch.logs] + [lines]


def play_some(game: Game, count: int, seed: int = 0) -> list[str]:
    """Play so many random moves, or to the end; return their names."""
    rng = np.random.default_rng(seed)
    names = []
    while len(names) < count and not game.is_over:
        names.append(str(rng.choice(list(game.legal_actions()))))
        game.play(names[-1])
    return names


@pytest.fixture(scope="module")
def finished() -> dict[str, tuple[Game, list[str]]]:
    """A game of each, played to its end, and the moves."""
    games = {name: GAMES[name](seed=5) for name in GAMES}
    return {name: (game, play_some(game, 10_000, 1)) for name, game in games.items()}


@each_game
def test_game__played_by_name__is_the_batch_played_by_number(name: str):
    for number, options in enumerate(KINDS[name][:4]):
        game, batch = GAMES[name](seed=number, **options), batch_class(name)(1, seed=number, record=True, **options)
        assert game.options == batch.options
        for _ in range(60):
            action = play_some(game, 1, len(game.moves))[0]
            names = [batch.spec.action_name(index) for index in range(batch.spec.n_actions)]
            batch.step([names.index(action)])
        assert game.record() == batch.records()[0]
        assert (game.player, game.points) == (int(batch.player[0]), batch.points[0].tolist())
        assert game.position() == batch.position()


@each_game
def test_undo__every_move_of_a_game__restores_all_and_chance_comes_again(name: str):
    game = GAMES[name](seed=3)
    contents = []
    while not game.is_over:
        contents.append(content(game))
        play_some(game, 1, len(contents))
    end, moves = content(game), game.moves
    for count in range(len(contents) - 1, len(contents) - 30, -1):
        assert game.undo() == moves[count]
        assert content(game) == contents[count]
    assert game.undo(len(game.moves)) == moves[0]
    assert content(game) == contents[0]
    game.play(*[move.action for move in moves])
    assert content(game) == end
    assert game.moves == moves


@each_game
def test_undo__more_than_was_played__is_refused(name: str):
    game = GAMES[name]()
    play_some(game, 2)
    before = content(game)
    with pytest.raises(ValueError, match=r"undo\(3\): only 2 moves"):
        game.undo(3)
    with pytest.raises(ValueError, match="count=0: must be a whole number, at least 1"):
        game.undo(0)
    assert content(game) == before


WRONG: dict[str, dict[str | int, str]] = {
    "shogun": {
        "Kyoto": "player 0 decides plan; 'Kyoto' is illegal; legal are Awa-Shikoku, Kaga, ",
        "deck": "player 0 decides plan; 'deck' is illegal; legal are Awa-Shikoku, Kaga, ",
        119: "player 0 decides plan; action 119 (none) is illegal; legal are 3 Awa-Shikoku, 19 Kaga, ",
        120: "player 0 decides plan; action 120 (no such action) is illegal; legal are 3 Awa-Shikoku, ",
        -1: "action=-1: must be a whole number, at least 0",
        True: "action=True: must be a whole number, at least 0",
    },
    "shitenno": {
        "Kyoto": "player 0 decides form_lot; 'Kyoto' is illegal; legal are add_bushi, ",
        70: "player 0 decides form_lot; action 70 (",
    },
}


@pytest.mark.parametrize(("name", "action"), [(name, action) for name in WRONG for action in WRONG[name]])
def test_play__illegal_action__names_the_legal_ones_and_changes_nothing(name: str, action: str | int):
    game = GAMES[name](seed=1)
    before = content(game)
    with pytest.raises(ValueError, match=re.escape(WRONG[name][action])):
        game.play(action)
    assert content(game) == before
    assert game.moves == []


@each_game
def test_game__over__has_winners_and_nothing_to_play(name: str, finished: Any):
    game, _ = finished[name]
    assert game.is_over
    assert game.player is None
    assert game.legal_actions() == {}
    best = max(game.points)
    assert set(game.winners) <= {player for player, points in enumerate(game.points) if points == best}
    assert game.winners
    assert sum(game.returns("margin")) == pytest.approx(0)
    with pytest.raises(ValueError, match="the game is over"):
        game.play(0)
    with pytest.raises(ValueError, match="the game is over"):
        game.suggest("random")
    with pytest.raises(ValueError, match="reward='gold': must be one of win, "):
        game.returns("gold")
    assert GAMES[name]().winners == []


@each_game
def test_position__of_any_state_and_options__makes_the_same_game(name: str):
    for number, options in enumerate(KINDS[name]):
        game = GAMES[name](seed=number, **options)
        play_some(game, 7 * number, number)
        other = GAMES[name](position=game.position())
        assert other.position() == game.position()
        assert {key: pytest.approx(value) for key, value in other.options.items()} == game.options
        assert other.legal_actions() == game.legal_actions()
        assert other.lines() == []
        assert eval(repr(game), {name: __import__(f"shogun_env.{name}", fromlist=[name])}).position() == game.position()


@each_game
def test_position__with_options_or_unreadable__is_refused(name: str):
    text = GAMES[name](num_players=3).position()
    with pytest.raises(ValueError, match="num_players with position="):
        GAMES[name](position=text, num_players=3)
    with pytest.raises(ValueError, match=f"must begin with {name}/1"):
        GAMES[name](position="chess/1")
    with pytest.raises(ValueError, match="not a valid position"):
        GAMES[name](position=f"{name}/1 player=0")


@each_game
def test_record__of_a_game_from_a_position__is_refused_and_its_lines_are_not(name: str):
    game = GAMES[name](seed=2)
    play_some(game, 90, 2)
    later = GAMES[name](position=game.position())
    with pytest.raises(ValueError, match="a record begins with the set-up"):
        later.record()
    play_some(later, 60, 3)
    assert later.lines()
    assert later.lines()[0]["t"] != "header"


@each_game
def test_lines__of_a_game_from_any_position__are_those_of_the_game_it_comes_from(name: str):
    for number, options in enumerate(KINDS[name][:FEW]):
        game = GAMES[name](seed=number, **options)
        first: dict[Any, Game] = {}
        last: dict[Any, Game] = {}
        while not game.is_over:
            kind = game.phase, bool(game.spec.record_format.begun(game.batch.games[0]))
            last[kind] = game.copy()
            first.setdefault(kind, last[kind])
            play_some(game, 1, len(game.moves))
        for then in (*first.values(), *last.values()):
            later = GAMES[name](position=then.position())
            later.batch.rngs[...] = then.batch.rngs
            later.play(*(move.action for move in game.moves[len(then.moves) :]))
            assert later.lines() == game.lines()[len(then.lines()) :], then.position()


@each_game
def test_from_record__at_any_line__is_the_game_as_it_stood(name: str, finished: Any, tmp_path: Any):
    game, actions = finished[name]
    lines = game.record()
    path = tmp_path / f"5.{name}.jsonl"
    write_record(path, lines)
    for line in range(1, len(lines) + 1, 61):
        here = GAMES[name].from_record(path, line)
        count = len(here.moves)
        assert [move.action for move in here.moves] == actions[:count]
        assert len(written(here.batch)) <= line or count == 0
        assert here.lines() == lines[1 : 1 + len(here.lines())]
        before = GAMES[name](seed=5)
        before.play(*actions[:count])
        assert here.legal_actions() == before.legal_actions()
        for player in range(here.num_players):  # where cubes lie in the tower no record tells
            assert (here.observation(player) == before.observation(player)).all()
        before.play(actions[count])
        assert len(before.record()) > line or count == 0
    end = GAMES[name].from_record(lines)
    assert end.is_over
    assert end.record() == lines[:1] + end.lines() == [lines[0] | {"seed": 5}, *lines[1:]]


@each_game
def test_from_record__played_on_differently__draws_chance_from_its_seed(name: str, finished: Any):
    lines = finished[name][0].record()
    here = [GAMES[name].from_record(lines, len(lines) // 2, seed=seed) for seed in (1, 1, 2)]
    for game in here:
        play_some(game, 10_000, 9)
    assert content(here[0])[0] == content(here[1])[0] != content(here[2])[0]
    here[0].undo(len(here[0].moves))
    play_some(here[0], 10_000, 9)
    assert here[0].is_over


@each_game
def test_from_record__of_a_game_in_mid_play__goes_as_far_as_is_written(name: str):
    for moves in range(1, 260, 37):
        game = GAMES[name](seed=7)
        play_some(game, moves, 3)
        if game.is_over:
            break
        here = GAMES[name].from_record(game.record())
        assert [move.action for move in here.moves] == [move.action for move in game.moves[: len(here.moves)]]
        assert here.lines() == game.lines()[: len(here.lines())]
        assert not here.is_over
        assert len(here.moves) > len(game.moves) - 60
        play_some(here, 10_000)
        assert here.is_over


@each_game
def test_from_record__not_a_record__names_the_line(name: str, finished: Any):
    lines = finished[name][0].record()
    with pytest.raises(RecordError, match="line 1: the record is empty"):
        GAMES[name].from_record([])
    with pytest.raises(RecordError, match="line 2: "):
        GAMES[name].from_record([lines[0], {"t": "lunch"}])
    with pytest.raises(RecordError, match=r"line \d+: "):
        GAMES[name].from_record([*lines[:40], *lines[45:]])
    with pytest.raises(ValueError, match="line=0: must be a whole number, at least 1 and below"):
        GAMES[name].from_record(lines, 0)


@each_game
def test_copy__played_on__leaves_the_first_alone_and_goes_the_same_way(name: str):
    game = GAMES[name](seed=4)
    play_some(game, 30)
    twins = [game.copy(), copy.deepcopy(game), pickle.loads(pickle.dumps(game))]
    before = content(game)
    for twin in twins:
        play_some(twin, 40, 8)
        twin.undo(5)
    assert content(game) == before
    play_some(game, 40, 8)
    game.undo(5)
    assert [content(twin) for twin in twins] == [content(game)] * 3


@each_game
def test_redeal__for_a_player__changes_nothing_that_they_see(name: str):
    game = GAMES[name](seed=6)
    play_some(game, 35, 6)
    others = [game.redeal(2, seed) for seed in range(5)]
    for other in others:
        assert (other.observation(2) == game.observation(2)).all()
        assert other.legal_actions(2) == game.legal_actions(2)
    assert len({other.position() for other in others}) > 1
    assert (content(others[0]), others[0].moves) == (content(game.redeal(2, 0)), [])
    for refused in (others[0].record, others[0].lines, lambda: others[0].force([(1, 1)])):
        with pytest.raises(ValueError, match=r"^a redealt game keeps no records: its past is not the one"):
            refused()


@each_game
def test_observation__of_each_player__is_the_batchs(name: str):
    game = GAMES[name](seed=6)
    play_some(game, 50, 2)
    for player in range(game.num_players):
        assert (game.observation(player) == game.batch.observe_for(player)[0]).all()
        assert (np.concatenate(list(game.features(player).values())) == game.observation(player)).all()
        assert (game.mask(player) == game.batch.legal_for(player)[0]).all()
    assert (game.observation() == game.observation(game.player)).all()
    with pytest.raises(ValueError, match="players are 0 to 3, found 4 to 4"):
        game.observation(4)


class Says:
    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def act(self, view: Any, rng: Any) -> Any:
        return self.answer


@each_game
def test_suggest__of_bots__is_legal_and_makes_the_game_that_they_play(name: str):
    game, batch = GAMES[name](seed=2), batch_class(name)(1, seed=2)
    while not game.is_over:
        action = game.suggest("random")
        assert action in game.legal_actions()
        game.play(action)
    batch.play(["random"] * game.num_players)
    assert game.points == batch.points[0].tolist()
    with pytest.raises(ValueError, match="unknown agent 'nobody'"):
        GAMES[name]().suggest("nobody")
    for answer, says in (
        ([72], "action 72 .* is illegal"),
        ([-1], r"action -1 \(no such action\) is illegal"),
        ([1.0], "actions of shape .*float64"),
    ):
        with pytest.raises(ValueError, match=says) as error:
            GAMES[name]().suggest(Says(answer))
        assert error.value.__notes__ == ["(agent 'Says')"]


class Remembers:
    """A bot that counts the decisions of each game from its beginning."""

    def begin(self, rows: Any) -> None:
        self.counts = dict.fromkeys(rows.tolist(), 0)

    def act(self, view: Any, rng: Any) -> Any:
        self.counts[int(view.rows[0])] += 1
        return view.masks.argmax(1)


def test_suggest__bot_that_remembers__is_told_once_of_each_game_and_its_copies():
    bot, game = Remembers(), shitenno.Game()
    for _ in range(3):
        game.copy().suggest(bot)
        game.play(game.suggest(bot))
    assert bot.counts == {0: 6}
    pickle.loads(pickle.dumps(game))
    shitenno.Game().suggest(bot)
    assert bot.counts == {0: 1}


def test_force__event_and_bids__come_out_as_said():
    game = shogun.Game(seed=1)
    game.play("chest_0", "chest_1", "chest_2", "chest_3")
    play_some(game, 10 * 4 - 1)
    assert game.phase == "plan"
    event = int(np.flatnonzero(game.batch.games[0]["event_card"] == c.EVENT_OPEN)[2])
    before = content(game)
    for bids in ([], [2, 3, 1, 0]):  # nothing is said of them; a lower one comes first
        game.force([(c.LOG_EVENT, event), *[(c.LOG_BIDS, player) for player in bids]])
        with pytest.raises(ValueError, match="the chance outcomes given do not fit the game"):
            play_some(game, 1)
        assert content(game) == before
    game.force([(c.LOG_EVENT, event), *[(c.LOG_BIDS, player) for player in (3, 2, 1, 0)]])
    play_some(game, 1)
    assert (game.phase, game.player) == ("special", 3)
    assert game.batch.games[0]["event_card"][event] == c.EVENT_IN_FORCE


def test_moves__of_a_game__name_player_phase_and_action():
    game = shogun.Game(seed=7, num_players=3)
    game.play("Harima", "Echizen")
    assert game.moves == [Move(0, "plan", "Harima"), Move(1, "plan", "Echizen")]


@each_game
@given(data=st.data())
def test_prompt__what_the_player_cannot_know_dealt_again__is_the_same(name: str, data: Any):
    game = GAMES[name]()
    game.batch = draw_state(data, name)
    for player in range(game.num_players):
        again = game.redeal(player, seed=data.draw(st.integers(0, 999)))
        assert again.prompt(player) == game.prompt(player)


@each_game
def test_prompt__answers__are_the_names_of_legal_actions(name: str):
    game = GAMES[name](seed=4)
    for _ in range(60):
        prompt = game.prompt()
        offered = [line[2:].split(":")[0] for line in prompt.split("nothing else:\n")[1].splitlines()]
        assert offered == list(game.legal_actions())
        others = [player for player in range(game.num_players) if not any(game.mask(player)[1:])]
        assert all("nothing to decide" in game.prompt(player) for player in others)
        game.play(game.suggest("random"))


@each_game
@pytest.mark.parametrize("player", [9, -2, 1.0, "0", True])
def test_view__of_a_player_who_does_not_exist__is_refused(name: str, player: Any):
    game = GAMES[name]()
    for look in (game.render, game.draw, game.prompt):
        with pytest.raises(ValueError, match=r"^player"):
            look(player)


@each_game
def test_draw__in_a_notebook__is_the_referees_svg(name: str):
    game = GAMES[name](seed=4)
    assert game._repr_svg_() == game.draw(None)
    assert game._repr_svg_() != game.draw(0, "light")
