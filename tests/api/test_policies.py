"""Agents: names and parameters, one result in Python and compiled, no view of what a player may not know."""

import copy
import dataclasses
import pickle
import re
import sys
from enum import Enum
from typing import Any, Optional

import numpy as np
import pytest

from shogun_env import policies
from shogun_env.policies import (
    Bot,
    Compiled,
    View,
    agent_names,
    ask,
    make_agent,
    play_on,
    policy,
    register_agent,
    uniform,
)
from shogun_env.shares import mean_shares
from tests.api.environments import Chooser
from tests.games import batch_class, each_game, each_game_and_player_count
from tests.zoo.bots import asked


@policy
def weighted(observation, legal, rng, params):
    """Plays the lowest legal action, or with luck by ``params[0]`` the highest."""
    rng[1] += np.uint64(1)
    first = np.int64(-1)
    last = np.int64(-1)
    for action in range(legal.shape[0]):
        if legal[action]:
            last = np.int64(action)
            if first < 0:
                first = np.int64(action)
    return last if np.float64((rng[1] * np.uint64(7) + rng[0]) % np.uint64(100)) < 100 * params[0] else first


class Timid(Bot):
    """A bot with parameters."""

    def __init__(self, game: Any, risk: float = 0.5, depth: int = 2, brave: bool = False, style: str = "plain") -> None:
        self.values = (risk, depth, brave, style)

    def act(self, view: View, rng: np.ndarray) -> np.ndarray:
        return view.masks.argmax(axis=1)


class FromFile(Timid):
    def __init__(self, game: Any, path: str, seed: int = 0) -> None:
        self.values = (path, seed)


@pytest.fixture(autouse=True)
def names(monkeypatch):
    agent_names()  # loads those of all packages, once in a process
    monkeypatch.setattr(policies, "_factories", {"random": policies._factories["random"]})
    register_agent("timid", Timid)
    register_agent("file", FromFile)


@each_game
def test_make_agent__specs__set_parameters_by_the_type_of_their_defaults(name):
    game = batch_class(name).spec
    assert make_agent("timid", game).values == (0.5, 2, False, "plain")
    assert make_agent("timid:risk=0.3:style=builder:brave=yes:depth=4", game).values == (0.3, 4, True, "builder")
    assert make_agent("file:runs/a=b/model.zip:seed=3", game).values == ("runs/a=b/model.zip", 3)
    agent = Timid(game)
    assert make_agent(agent, game) is agent
    assert make_agent(weighted, game).compiled[0] is weighted


@each_game
def test_make_agent__wrong_specs__raise_one_line_listing_what_is_known(name):
    game = batch_class(name).spec
    cases = {
        "nobody": "unknown agent 'nobody'; known are file, random, timid",
        "timid:rsk=1": "unknown parameter 'rsk'; did you mean risk\\?",
        "timid:courage=1": "unknown parameter 'courage'; known are risk, depth, brave, style",
        "timid:risk=low": "risk='low' must be a number",
        "timid:depth=1.5": "depth='1.5' must be a whole number",
        "timid:brave=maybe": "brave='maybe' must be true or false",
        "timid:x": "has no parameter 'x'",
        "timid:style": "agent 'timid:style': style needs a value, as style=VALUE",
        "random:risk=1": "unknown parameter 'risk'; it has none",
        "file": "needs path after a colon",
    }
    for spec, message in cases.items():
        with pytest.raises(ValueError, match=message) as error:
            make_agent(spec, game)
        assert "\n" not in str(error.value)
    with pytest.raises(ValueError, match="act"):
        make_agent(3, game)
    with pytest.raises(ValueError, match="registered already"):
        register_agent("timid", FromFile)
    register_agent("timid", Timid)


class Needy(Bot):
    """A bot with settings that it must be given, of types that only their annotations say."""

    @dataclasses.dataclass(frozen=True)
    class Settings:
        chests: int
        greed: "float"
        style: str = "plain"

    def act(self, view: View, rng: np.ndarray) -> np.ndarray:
        return view.masks.argmax(axis=1)


WIDTH, MOOD = np.int64(3), Enum("Mood", {"CALM": "calm", "WILD": "wild", "MAD": 3})
HAVE_NO_TEXT = (print, b"x", object(), Timid, frozenset(), np.random.default_rng())
"""Defaults of types that no text can be converted to."""


def test_make_agent__default_that_is_whole_or_none_or_a_tuple__is_taken_as_annotated_or_refused():
    class Odd(Timid):
        def __init__(
            self, game: Any, size: float = 2, seeds: tuple[int, ...] = (1, 2), share: "float" = 1,
            depth: int | None = None, risk: "None | float" = 1, brave: Optional[bool] = None,  # noqa: RUF036, UP045
            width: Any = WIDTH, mood: Enum = MOOD.CALM, **more: Any,
        ) -> None:  # fmt: skip
            self.values = (size, seeds, share, depth, risk, brave)
            self.width, self.mood, self.more = width, mood, more

    game = batch_class("shitenno").spec
    register_agent("odd", Odd)
    assert make_agent("odd:size=0.5:share=0.25", game).values == (0.5, (1, 2), 0.25, None, 1, None)
    assert make_agent("odd:depth=3:risk=0.5:brave=no", game).values == (2, (1, 2), 1, 3, 0.5, False)
    assert (bot := make_agent(f"odd:width={10**30}:own=2", game)).width == 10**30 and bot.more == {"own": "2"}
    assert make_agent("odd:mood=wild", game).mood is MOOD.WILD and make_agent("odd:mood=3", game).mood is MOOD.MAD
    for wrong, says in {
        "seeds=3": "seeds='3' must be given in Python",
        "width=x": "width='x' must be a whole number",
        "mood=mild": "mood='mild' must be one of calm, wild, 3",
        "depth=3:depth=4": "depth is given twice",
        "own=3:own=4": "own is given twice",
    }.items():
        with pytest.raises(ValueError, match=f"agent 'odd:{wrong}': {says}"):
            make_agent(f"odd:{wrong}", game)


@pytest.mark.parametrize("default", [{"default_factory": list}, *({"default": each} for each in HAVE_NO_TEXT)])
def test_make_agent__default_of_a_type_that_has_no_text__must_be_given_in_python(default):
    settings = dataclasses.make_dataclass("Settings", [("layers", Any, dataclasses.field(**default))], frozen=True)
    register_agent("set", type("Set", (Timid,), {"Settings": settings, "__init__": Bot.__init__}))
    game = batch_class("shitenno").spec
    assert make_agent("set", game)
    with pytest.raises(ValueError, match="agent 'set:layers=64': layers='64' must be given in Python"):
        make_agent("set:layers=64", game)


def test_make_agent__bots_of_one_class__are_called_as_they_were_asked_for():
    game = batch_class("shitenno").spec
    assert [make_agent(spec, game).name for spec in ("timid:depth=1", "timid:depth=2", "random")] == [
        "timid:depth=1", "timid:depth=2", "random"
    ]  # fmt: skip
    register_agent("class", lambda game: Timid)
    with pytest.raises(ValueError, match=r"agent 'class': its function returned the class Timid, not Timid\(\)"):
        make_agent("class", game)
    frozen = dataclasses.make_dataclass("Frozen", [], bases=(Timid,), frozen=True)
    register_agent("frozen", lambda game: frozen())
    assert make_agent("frozen", game).name == "Frozen"


@pytest.mark.parametrize("wrong", [lambda: None, lambda game: {}[game]])
def test_make_agent__factory_that_raises__is_one_line_that_names_the_bot(wrong):
    register_agent("odd", wrong)
    with pytest.raises(ValueError, match=r"agent 'odd' cannot be made: (TypeError|KeyError): ") as error:
        make_agent("odd", batch_class("shitenno").spec)
    assert "\n" not in str(error.value)


@each_game
def test_make_agent__settings_without_a_default__are_given_by_place_or_by_name_and_converted(name):
    game = batch_class(name).spec
    register_agent("needy", Needy)
    for spec in ("needy:2:0.5", "needy:chests=2:greed=0.5", "needy:0.5:chests=2", "needy:greed=0.5:2"):
        assert dataclasses.astuple(make_agent(spec, game).settings) == (2, 0.5, "plain")
    for spec, message in {
        "needy": r"needs chests, greed after a colon, not \[\]",
        "needy:greed=1": r"needs chests after a colon, not \[\]",
        "needy:2:x": "greed='x' must be a number",
        "needy:chests=2.5:1": "chests='2.5' must be a whole number",
        "needy:chest=2:1": "unknown parameter 'chest'; did you mean chests",
        "needy:2:1:x": r"needs chests, greed after a colon, not \['2', '1', 'x'\]",
    }.items():
        with pytest.raises(ValueError, match=message):
            make_agent(spec, game)


@each_game
def test_register_agent__place_of_a_factory__is_imported_when_the_bot_is_made(name, tmp_path, monkeypatch):
    game = batch_class(name).spec
    source = (
        "from shogun_env.policies import Compiled, uniform\ndef make(game, risk=0): return Compiled(uniform, [risk])"
    )
    (tmp_path / "bots_placed.py").write_text(source)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "bots_placed", raising=False)
    register_agent("placed", "bots_placed:make")
    assert "placed" in agent_names() and "bots_placed" not in sys.modules
    assert make_agent("placed:risk=2", game).compiled[1].tolist() == [2.0]
    register_agent("placed", sys.modules["bots_placed"].make)  # the same one
    for wrong in ("bots_placed", "bots_placed:", "bots placed:make"):
        with pytest.raises(ValueError, match=re.escape(f"factory={wrong!r}: must be a function, or package")):
            register_agent("wrong", wrong)


@each_game_and_player_count
def test_compiled_agent__asked_in_python__plays_the_same_games(name, players):
    make, kernel = batch_class(name), (weighted, (0.4,))
    compiled, outside, mixed = (make(6, num_players=players, seed=3) for _ in range(3))
    compiled.play([kernel] * players)
    agents = [asked(Compiled(*kernel)), Compiled(*kernel)]
    play_on(outside, agents, np.zeros((6, players), np.int8))
    play_on(mixed, agents, np.tile(np.arange(players) % 2, (6, 1)).astype(np.int8))
    assert compiled.over.all()
    for other in (outside, mixed):
        for mine, its in zip(compiled.buffers(), other.buffers(), strict=True):
            assert mine.tobytes() == its.tobytes()


@each_game
def test_play_on__games_that_begin__are_told_to_all_bots_once(name):
    class Told(Timid):
        games: tuple[Any, ...] = ()

        def begin(self, rows):
            self.games = (*self.games, rows.tolist())
            rows[:] = -1  # it is its own copy

    batch = batch_class(name)(3)
    seats = np.full((3, batch.num_players), -1, np.int8)
    seats[:, 1:] = np.arange(batch.num_players - 1) % 2
    bots = [Told(batch.spec), Told(batch.spec)]
    for _ in range(2):
        play_on(batch, bots, seats)
        batch.step(batch.legal.argmax(1))
    play_on(batch, bots, np.maximum(seats, 0))
    assert [bot.games for bot in bots] == [([0, 1, 2],)] * 2
    batch.reset()
    play_on(batch, bots, np.maximum(seats, 0), rows=np.arange(2))
    play_on(batch_class(name)(3), bots, np.maximum(seats, 0))
    batch.reset([0, 1])
    batch.step([int(batch.legal[0].argmax())], [0])
    play_on(batch, bots, np.maximum(seats, 0))
    assert [bot.games for bot in bots] == [([0, 1, 2], [0, 1, 2], [1])] * 2, "0 has begun, 2 is over"


@each_game
def test_play_on__seat_asked_outside__waits_there(name):
    batch = batch_class(name)(5, seed=1)
    seats = np.full((5, 4), 0, np.int8)
    seats[:, 2] = -1
    play_on(batch, [Timid(batch.spec)], seats)
    assert (batch.player == 2).all()


def test_play_on__more_bots_than_seats_can_name__are_refused():
    """The 129th was taken for the second to last seat of nobody, and games were left as they were."""
    batch, seats = batch_class("shitenno")(1), np.full((1, 4), 128)
    for play, bot in ((play_on, Timid(batch.spec)), (type(batch).play, (weighted, np.zeros(1)))):
        with pytest.raises(ValueError, match="129 policies: at most 127"):
            play(batch, [bot] * 129, seats)


@pytest.mark.parametrize(
    ("seats", "says"), [(np.full((2, 4), 2), "from 2 to 2: .* 0"), (np.zeros((2, 4)), "float64: must be whole numbers")]
)
def test_play_on__seats_of_nobody__are_refused_and_nothing_is_played(seats, says):
    batch = batch_class("shitenno")(2)
    with pytest.raises(ValueError, match=says):
        play_on(batch, [Timid(batch.spec)], seats)
    assert not batch.decisions.any()


def test_play_on__names__are_refused_saying_what_makes_bots_of_them():
    """The message asked for a bot's name, which had been given."""
    games, bot = batch_class("shitenno"), make_agent("random", batch_class("shitenno").spec)
    words = r"^agent 'random': names are not taken here; give make_agent\('random', Batch.spec\)$"
    with pytest.raises(ValueError, match=words):
        play_on(games(1), ["random"], np.zeros((1, 4), np.int8))
    with pytest.raises(ValueError, match=words):
        mean_shares(games, bot, "random", np.arange(2), [{}])


@each_game
def test_ask__view__holds_what_the_decider_sees(name):
    batch, choose = batch_class(name)(4, seed=2), Chooser(0)
    for _ in range(15):
        batch.step(choose.all(batch.legal))
    rows = np.array([3, 1])
    view = View.of(batch, rows)
    assert view.players.tolist() == batch.player[rows].tolist()
    assert np.array_equal(view.observations, batch.observe()[rows])
    assert np.array_equal(view.masks, batch.legal[rows])
    assert view.options["num_players"] == 4
    rng = batch.policy_rngs.copy()
    ask(Compiled(uniform), batch, rows)
    drawn = (batch.policy_rngs != rng).any(axis=-1)
    assert np.argwhere(drawn).tolist() == [[1, batch.player[1]], [3, batch.player[3]]]


def test_compiled_agent__copied_or_pickled__is_the_same_kernel():
    agent = Compiled(weighted, (0.4,))
    for other in (copy.deepcopy(agent), pickle.loads(pickle.dumps(agent))):
        assert other.compiled[0] is weighted
        assert other.compiled[1].tolist() == [0.4]
