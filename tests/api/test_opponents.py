"""Opponents: mixtures, failures, new games that they are told of, programs that end, copies, forks."""

import copy
import json
import multiprocessing
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from shogun_env.policies import Compiled, make_agent, uniform
from tests.api.environments import COPIES, Chooser, begin, each_learner, learners_of, lowest, make, same, without_times
from tests.games import batch_class, each_of_all_games
from tests.tree import ROOT
from tests.zoo.keeper import keeper, kept


class Flaky:
    """The random bot, which fails when it is told to; ``asked`` counts the times."""

    def __init__(self, how: Any) -> None:
        self.how, self.is_failing, self.asked = how, False, 0

    def act(self, view: Any, rng: np.ndarray) -> np.ndarray:
        self.asked += 1
        if self.is_failing and isinstance(self.how, BaseException):
            raise self.how
        return np.zeros(len(view.rows), np.int64) if self.is_failing else Compiled(uniform).act(view, rng)


FAILURES = [ConnectionError("the endpoint is gone"), KeyboardInterrupt(), "an illegal answer"]


@each_of_all_games
@each_learner
@pytest.mark.parametrize("how", FAILURES, ids=["raises", "interrupted", "illegal"])
def test_step__in_which_an_opponent_failed__is_followed_by_a_reset_only(name: str, kind: str, how: Any):
    bot = Flaky(how)
    env = make(kind, name, opponents=bot, learner_seat="rotate")
    begin(env, 4)
    bot.is_failing = True
    with pytest.raises((ConnectionError, KeyboardInterrupt, ValueError)):
        for _ in range(30):
            env.step(lowest(env))
    bot.is_failing, asked, before = False, bot.asked, env.batch.save()
    for _ in range(2):
        with pytest.raises(ValueError, match=r"the last step or reset failed half-way: call reset\(\)$"):
            env.step(lowest(env))
    assert (bot.asked, env.batch.save()) == (asked, before)
    fresh = make(kind, name, opponents=Flaky(how), learner_seat="rotate")
    assert same(begin(env, 9), begin(fresh, 9))
    assert same(without_times(env.step(lowest(env))), without_times(fresh.step(lowest(fresh))))


@each_of_all_games
@each_learner
def test_reset__in_which_an_opponent_failed__is_followed_by_a_reset_only(name: str, kind: str):
    bot = Flaky(ConnectionError("gone"))
    env = make(kind, name, opponents=bot, learner_seat=1)
    bot.is_failing = True
    with pytest.raises(ConnectionError):
        begin(env, 4)
    with pytest.raises(ValueError, match=r"call reset\(\)"):
        env.step(lowest(env))
    if kind == "vector":
        with pytest.raises(ValueError, match="reset_mask: the first reset, or one after a step that failed, must be"):
            env.reset(options={"reset_mask": np.array([True, False, False, False])})
    bot.is_failing = False
    begin(env)
    env.step(lowest(env))


@each_of_all_games
def test_failed_step__of_one_game__can_be_tried_again_from_a_state(name: str):
    bot = Flaky(ConnectionError("gone"))
    env, usual = (make("single", name, opponents=each) for each in (bot, Flaky(None)))
    for each in (env, usual):
        each.reset(seed=4)
    state, bot.is_failing = env.get_state(), True
    with pytest.raises(ConnectionError):
        for _ in range(30):
            state, action = env.get_state(), lowest(env)
            env.step(action)
    bot.is_failing = False
    env.set_state(state)
    usual.set_state(state)
    assert same(env.step(action), usual.step(action))


class Listener:
    """The random bot, which writes down what it is told."""

    def __init__(self) -> None:
        self.told: list[Any] = []
        self.wants: tuple[str, ...] = ()

    def begin(self, rows: np.ndarray) -> None:
        self.told.append(("begin", rows.tolist()))
        rows[:] = -1  # it is its own copy

    def act(self, view: Any, rng: np.ndarray) -> np.ndarray:
        if self.told[-1] != "act":
            self.told.append("act")
        return Compiled(uniform).act(view, rng)

    def end(self, ends: Any) -> None:
        self.told.append(("end", sorted(set(ends.rows.tolist()))))


@each_learner
def test_story__that_an_opponent_wants__is_told_and_games_begin_with_their_set_up(kind: str):
    """Environments of many games told their opponents nothing."""

    class Hears(Listener):
        def act(self, view: Any, rng: np.ndarray) -> np.ndarray:
            self.told += zip(view.rows.tolist(), view.stories, view.lines, strict=True)
            return Compiled(uniform).act(view, rng)

    bot = Hears()
    bot.wants = ("story", "lines")
    env = make(kind, "shitenno", opponents=bot, learner_seat=1)
    begin(env, 1)
    told = [each for each in bot.told if each[0] == 0]
    assert told and all(story and "t" in lines[0] for _, story, lines in told)
    with pytest.raises(ValueError, match="an opponent that wants story or lines, a game begins with its set-up"):
        begin(env, 1, position=batch_class("shitenno")(1).position())


@each_of_all_games
@pytest.mark.parametrize("mode", ["SAME_STEP", "NEXT_STEP"])
def test_end__of_an_opponent__is_called_once_for_each_game_that_ends(name: str, mode: str):
    bot = Listener()
    bot.wants = ("result",)
    env = make("vector", name, opponents=bot, autoreset_mode=mode)
    env.reset(seed=1)
    ended: list[int] = []
    while len(ended) < 6:
        ended += np.flatnonzero(env.step(lowest(env))[2]).tolist()
    assert sorted(row for each in bot.told if each[0] == "end" for row in each[1]) == sorted(ended)


@each_of_all_games
def test_begin__of_an_opponent__is_called_for_each_game_that_replaces_another_one(name: str):
    bot = Listener()
    env = make("single", name, opponents=bot, learner_seat=1, max_cycles=1)
    env.reset(seed=1)
    env.reset(seed=2)
    state = env.get_state()
    env.step(lowest(env))
    env.set_state(state)
    assert [each for each in bot.told if each != "act"] == [("begin", [0])] * 3
    assert bot.told[:2] == [("begin", [0]), "act"]
    for mode in ("SAME_STEP", "NEXT_STEP"):
        bot.told.clear()
        rows = make("vector", name, opponents=bot, max_cycles=2, autoreset_mode=mode)
        rows.reset(seed=1)
        rows.reset(options={"reset_mask": np.array([False, True, False, True])})
        for _ in range(2 if mode == "SAME_STEP" else 3):
            rows.step(lowest(rows))
        assert [each for each in bot.told if each != "act"][:3] == [
            ("begin", [0, 1, 2, 3]), ("begin", [1, 3]), ("begin", [0, 1, 2, 3])
        ]  # fmt: skip


@pytest.fixture
def program(tmp_path: Path) -> tuple[str, Path]:
    """Return the spec of a bot that is a program, and the file in which it keeps what it reads."""
    return keeper(tmp_path / "log"), tmp_path / "log"


def is_running(process: str) -> bool:
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return False
    return True


@each_learner
def test_program__games_replaced_in_their_first_round__are_over_for_it(kind: str, program: tuple[str, Path]):
    env = make(kind, "shogun", num_players=3, opponents=program[0])
    for _ in range(3):  # all plan their first card, then their second one
        begin(env, 1)
        env.step(lowest(env))
    env.close()
    players = 2 if kind == "single" else 8
    (told,) = kept(program[1]).values()
    begun, over = ([each["game"] for each in told if each["t"] == kind] for kind in ("game", "over"))
    assert len(begun) == len(set(begun)) == 3 * players
    assert over == begun[: 2 * players]


@each_learner
def test_close__of_an_environment__ends_the_programs_that_it_started_at_once(kind: str, program: tuple[str, Path]):
    env = make(kind, "shitenno", num_players=2, opponents=program[0])
    begin(env, 1)
    (process,) = kept(program[1])
    assert is_running(process)
    env.close()
    env.close()
    assert not is_running(process)


def test_close__of_an_environment__leaves_bots_that_it_was_given_to_their_owner(program: tuple[str, Path]):
    bot = make_agent(program[0], batch_class("shitenno").spec)
    env = make("single", "shitenno", num_players=2, opponents=bot)
    env.reset(seed=1)
    (process,) = kept(program[1])
    env.close()
    assert is_running(process)
    for _ in range(5):  # more often than a program that crashes is started again
        bot.close()
        env.reset(seed=1)
        env.step(lowest(env))
    bot.close()
    assert not is_running(process)


@pytest.mark.parametrize(
    ("name", "kind"), [("shogun", "single"), ("shitenno", "vector"), ("shikoku", "sb3"), ("coins", "vector")]
)
def test_mixture__of_opponents__is_drawn_for_each_game_from_its_seed(name: str, kind: str):
    bots = {"first": 3, "second": 1, "never": 0}
    agents = {}
    for each in bots:
        agents[each] = Flaky(None)
        agents[each].__name__ = each
    mixture = {agents[each]: weight for each, weight in bots.items()}
    drawn = {}
    for order in (range(120), reversed(range(120))):
        env = make(kind, name, opponents=mixture, max_cycles=1)
        for seed in order:
            begin(env, seed)
            names = set(learners_of(env).texts(0)) - {"learner"}
            assert len(names) == 1
            assert drawn.setdefault(seed, names) == names
    counts = {each: sum(names == {each} for names in drawn.values()) for each in bots}
    assert counts["never"] == 0
    assert 70 <= counts["first"] <= 108  # 90 ± 4 standard deviations


def test_mixture__in_a_batch__is_that_of_the_single_environment_and_is_in_the_record():
    mixture = {"scripted": 0.5, "random": 0.5}
    rows = make("vector", "shogun", opponents=mixture, max_cycles=2)
    env = make("single", "shogun", opponents=mixture, record=True)
    rows.reset(seed=10)
    games = set()
    for row in range(4):
        env.reset(seed=10 + row)
        assert rows._learners.texts(row) == env.record()[0]["agents"]
        games.add(tuple(env.record()[0]["agents"][1:]))
    assert games == {("scripted",) * 3, ("random",) * 3}


@pytest.mark.parametrize("weights", [{}, {"random": 0}, {"random": -1}, {"random": float("nan")}, {"random": "much"}])
def test_mixture__of_weights_that_cannot_be_drawn__is_refused_in_a_line(weights: dict[str, Any]):
    with pytest.raises(ValueError, match="weights must be numbers from 0 up, one of them more than 0") as error:
        make("single", "shitenno", opponents=weights)
    assert "\n" not in str(error.value)
    with pytest.raises(ValueError, match="unknown agent 'nobody'"):
        make("vector", "shitenno", opponents={"nobody": 1})


@each_learner
def test_mixture__of_line_ups__is_drawn_whole_and_weights_can_be_changed(kind: str):
    """Only single bots could be drawn, and what was given first stayed."""
    mine = Flaky(None)
    mixture: dict[Any, float] = {(mine, "random", "scripted"): 1, "random": 0, mine: 0}
    env = make(kind, "shitenno", opponents=mixture, num_players=4, learner_seat=1)

    def drawn() -> set[tuple[str, ...]]:
        games = set()
        for seed in range(8):
            begin(env, seed)
            games.add(tuple(learners_of(env).texts(0)))
        return games

    assert drawn() == {("scripted", "learner", "Flaky", "random")}
    mixture.update({(mine, "random", "scripted"): 0, "random": 1, mine: 1})
    assert drawn() == {("random", "learner", "random", "random"), ("Flaky", "learner", "Flaky", "Flaky")}
    mixture["scripted"] = 1
    with pytest.raises(ValueError, match="opponents: 4 weights, must stay 3: only their values may be changed"):
        begin(env, 1)
    del mixture["scripted"]
    assert len(drawn()) == 2
    with pytest.raises(ValueError, match=r"opponents: 2 given, 4 players need 3 \(or one for all\)"):
        make(kind, "shitenno", opponents={("random", "random"): 1, "random": 1}, num_players=4)


@each_of_all_games
@each_learner
def test_rotate__a_given_seed__is_the_same_game_whenever_it_is_given(name: str, kind: str):
    env, fresh = (make(kind, name, learner_seat="rotate", max_cycles=3) for _ in range(2))
    first = copy.deepcopy(begin(env, 5))
    assert learners_of(env).seats.tolist() == [(5 + row) % env.batch.num_players for row in range(env.batch.num_games)]
    for _ in range(7):
        if kind != "single" or env._running:
            env.step(lowest(env))
    begin(env)
    assert learners_of(env).seats.tolist() == (env.batch.seeds % env.batch.num_players).tolist()
    assert same(begin(env, 5), first)
    assert same(begin(fresh, 5), first)


SPECS = {
    "shogun": ["champion", "pool:2min", "search:base=champion:plan_rollouts=8:rollouts=4"],
    "shitenno": ["champion", "search:plan_rollouts=8:rollouts=4"],
    "shikoku": ["solved", "search:rollouts=4"],
}


@pytest.mark.parametrize(("name", "spec"), [(name, spec) for name, specs in SPECS.items() for spec in specs])
@pytest.mark.parametrize("kind", ["single", "vector"])
def test_copies__with_any_opponents__play_on_alike(name: str, spec: str, kind: str):
    env, choose = make(kind, name, opponents=spec, max_cycles=50), Chooser(1)
    begin(env, 3)
    env.step(lowest(env))
    copies = {how: make_copy(env) for how, make_copy in COPIES.items()}
    for _ in range(3):
        if kind == "single" and env.batch.over[0]:
            break
        masks = env.action_masks()
        actions = choose.one(masks) if kind == "single" else choose.all(masks)
        result = copy.deepcopy(env.step(actions))
        for how, other in copies.items():
            assert same(other.step(actions), result), how


@each_learner
def test_copies__with_a_program_as_opponent__start_one_of_their_own(kind: str, program: tuple[str, Path]):
    env = make(kind, "shogun", num_players=3, opponents=program[0])
    begin(env, 3)
    env.step(lowest(env))
    for make_copy in COPIES.values():
        other = make_copy(env)
        actions = lowest(env)
        assert same(without_times(other.step(actions)), without_times(env.step(actions)))
        other.close()
    env.close()
    processes = kept(program[1])
    assert len(processes) == 1 + len(COPIES)
    assert not any(map(is_running, processes))


OF_A_FILE = """
from helper import lowest
from shogun_env.policies import Compiled, policy

class Alternates:
    def __init__(self, game_spec):
        self.asked = 0

    def act(self, view, rng):
        self.asked += 1
        return lowest(view) if self.asked % 2 else view.masks.shape[1] - 1 - view.masks[:, ::-1].argmax(1)

def last(observation, legal, rng, params):
    action = legal.shape[0] - 1
    while legal[action] == 0:
        action -= 1
    return action

def compiled(game_spec):
    return Compiled(policy(last))
"""


@pytest.mark.parametrize("bot", ["Alternates", "compiled"])
def test_pickle__with_an_opponent_of_a_file__plays_on_alike_in_a_new_process(bot: str, tmp_path: Path):
    """The new process knew no module of the file, and what ``make`` compiles could not be pickled."""
    folder = tmp_path / "it's 100% mine.d"
    folder.mkdir()
    (folder / "nb.py").write_text(OF_A_FILE)
    (folder / "helper.py").write_text("def lowest(view):\n    return view.masks.argmax(1)\n")
    env = make("single", "shitenno", opponents=f"{folder}/nb.py:{bot}", num_players=2)
    begin(env, 3)
    env.step(lowest(env))
    (tmp_path / "env").write_bytes(pickle.dumps(env))
    code = "import pickle, sys\nwith open(sys.argv[1], 'rb') as file: env = pickle.load(file)\n"
    code += "for _ in range(5): masks = env.action_masks(); env.step(masks.argmax(-1))\nprint(env.batch.position(0))"
    words = [sys.executable, "-c", code, str(tmp_path / "env")]
    found = subprocess.run(words, check=True, cwd=ROOT, capture_output=True, text=True).stdout
    for _ in range(5):
        env.step(lowest(env))
    assert found == f"{env.batch.position(0)}\n"


def test_copies__with_a_language_model_as_opponent__keep_no_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("A_KEY", "hidden-key")
    (tmp_path / "model.toml").write_text('url = "http://localhost:1"\nmodel = "m"\nkey_variable = "A_KEY"\n', "utf-8")
    env = make("single", "shitenno", opponents=f"chat:{tmp_path / 'model.toml'}")
    data = pickle.dumps(env)
    assert b"hidden-key" not in data
    for other in (pickle.loads(data), copy.deepcopy(env), env.clone()):
        assert type(other._learners.opponents.agents[0]).__name__ == "Chat"


def _stepped(env: Any, queue: Any) -> None:
    result = env.step(lowest(env))
    queue.put(json.dumps(np.asarray(result[1]).tolist() + env.batch.decisions.tolist()))


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="processes are never forked here")
@pytest.mark.parametrize("kind", ["vector", "sb3"])
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_fork__of_a_process_with_threads__steps_in_the_child_as_in_the_parent(kind: str):
    env = make(kind, "shitenno", num_threads=2)
    begin(env, 1)
    env.step(lowest(env))  # by now the loops are compiled, and the threads are there
    fork = multiprocessing.get_context("fork")
    queue = fork.SimpleQueue()
    child = fork.Process(target=_stepped, args=(env, queue))
    child.start()
    child.join(30)
    hangs = child.is_alive()
    if hangs:
        child.kill()
        child.join()
    assert not hangs and child.exitcode == 0
    own = env.step(lowest(env))
    assert json.loads(queue.get()) == np.asarray(own[1]).tolist() + env.batch.decisions.tolist()
