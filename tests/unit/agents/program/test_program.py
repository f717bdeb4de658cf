"""The bot that is a program: whole games, faults that are counted and never hang, nothing hidden in what is sent."""

import base64
import io
import json
import os
import shutil
import subprocess
import time

import numpy as np
import pytest

from shogun_env.agents.program import program as programs
from shogun_env.agents.program.agent import Exec, words_of
from shogun_env.agents.program.messages import WANTS, Hello, decision_line, hello_line
from shogun_env.agents.program.program import LAST_BYTES, MOST_KEPT, Program
from shogun_env.agents.program.serve import Served, serve
from shogun_env.benchmarks.arena.referee import Referee
from shogun_env.policies import Bot, FaultError, View, make_agent, play_on, specs_in
from shogun_env.records.story import known_lines, sentences
from shogun_env.spec.bots import FAULTS
from shogun_env.views import places_and_wins
from tests.games import batch_class, each_game
from tests.tree import ROOT
from tests.zoo.bots import ZOO
from tests.zoo.keeper import keeper, kept

BOTS = ROOT / "clients" / "bots"
WAYS = ZOO.with_name("misbehaving.py")
RANDOM = f"exec:python {WAYS} random"
SECONDS = 0.4
"""For a program that has started; to start, each has the usual time, as a machine may be busy."""
TAKE_TOO_LONG = ("silent", "dribbles", "deaf", "late", "noisy", "blind", "empty lines", "again and again")


def misbehaving(way: str, spec, seconds: float = SECONDS):
    bot = make_agent(f"exec:python {WAYS} '{way}'", spec)
    bot.seconds = seconds if way in TAKE_TOO_LONG else bot.seconds
    return bot


def decision(name: str, rows: int = 1):
    """Return a batch at its first decision, the view of it, and the random rows."""
    batch = batch_class(name)(rows, num_players=3, seed=1)
    view = View.of(batch, np.arange(rows))
    return batch, view, batch.policy_rngs[view.rows, view.players]


def games_of(agent, name: str, games: int = 2):
    """Return games in which an agent plays the first and the last of three players."""
    batch = batch_class(name)(games, num_players=3, seed=7)
    seats = np.array([[0, 1, 0]] * games, np.int8)
    play_on(batch, [agent, make_agent("scripted", batch.spec)], seats)
    return batch


@each_game
def test_program__program_that_plays_at_random__plays_the_games_of_random(name):
    spec = batch_class(name).spec
    program = games_of(make_agent(RANDOM, spec), name)
    compiled = games_of(make_agent("random", spec), name)
    assert (program.games == compiled.games).all()
    assert (program.policy_rngs == compiled.policy_rngs).all()


@pytest.mark.parametrize(
    ("way", "kind", "says"),
    [
        ("half", "crash", "status 3 after half a line of"),
        ("silent", "late", "no answer in 0.4 s"),
        ("dribbles", "late", "no answer in 0.4 s"),
        ("deaf", "late", "no answer in 0.4 s"),
        ("late", "late", "no answer in 0.4 s"),
        ("empty lines", "late", "no answer in 0.4 s"),
        ("again and again", "late", "no answer in 0.4 s"),
        ("noisy", "late", "no answer in 0.4 s (standard error: "),
        ("shuts", "crash", "the program closed its output"),
        ("latin", "form", 'must be a JSON object, not \'{"id": 1, "action": "Sh\ufffdgun"}\''),
        ("dies", "crash", "ended by signal 9: segmentation fold"),
        ("long", "form", "a line of more than 1048576 bytes"),
        ("little too long", "form", "a line of more than 1048576 bytes"),
        ("error", "error", "I give [2Jup"),
        ("deep", "form", "must be a JSON object"),
        ("text", "form", "must be a JSON object, not 'thinking'"),
        ("other", "form", "which is not asked"),
        ("unknown", "form", "'castle_everywhere' is not the name of an action"),
        ("illegal", "illegal", "action 10000 is illegal"),
        ("huge", "form", "the number or the name of a legal action"),
        ("float", "form", "the number or the name of a legal action"),
    ],
)
def test_program__bad_answer__is_a_counted_fault_and_never_a_hang(way, kind, says):
    batch, _, _ = decision("shitenno", 2)
    referee = Referee(misbehaving(way, batch.spec), 2, 3)
    begin = time.monotonic()
    view = View.of(batch, np.arange(2))
    batch.step(referee.act(view, batch.policy_rngs[view.rows, view.players]))
    assert time.monotonic() - begin < 30  # a program may be started again
    assert says in referee.texts[kind]
    assert referee.faults[..., FAULTS.index(kind)].sum() >= 1
    assert set(referee.texts) == {kind}


@pytest.mark.parametrize(
    ("way", "says"),
    [
        ("version", "protocol=2 must be 1"),
        ("nameless", "name=None must be the name of the bot"),
        ("wishes", "must be a list of some of numbers, fields, position, text, lines, story, names, result, games"),
        ("no hello", "the first line must be a hello"),
        ("stillborn", "ended with status 1: no licence"),
    ],
)
def test_program__wrong_hello__refuses_the_bot_in_one_line(way, says):
    with pytest.raises(ValueError, match=says) as error:
        misbehaving(way, batch_class("shitenno").spec)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("exec", "needs command after a colon"),
        ("exec:", "needs a command"),
        ("exec:'", "No closing quotation"),
        ("exec:/no/such/program", "could not be started"),
        ("exec:seconds=0:python x", "must be more than 0"),
        ("exec:seconds=inf:python x", "must be more than 0, at most 1000000"),
    ],
)
def test_program__wrong_command__is_refused(spec, says):
    with pytest.raises(ValueError, match=says):
        make_agent(spec, batch_class("shogun").spec)


def test_program__program_that_keeps_dying__is_started_again_once():
    batch, view, rng = decision("shitenno")
    bot = misbehaving("dies", batch.spec)
    faults = []
    for _ in range(3):
        with pytest.raises(FaultError) as error:
            bot.act(view, rng)
        faults.append(str(error.value))
    assert bot.starts == 2
    assert ["not started again" in fault for fault in faults] == [False, False, True]


def test_program__second_answer_to_a_question__is_passed_over():
    batch, view, rng = decision("shitenno", 3)
    bot = misbehaving("two", batch.spec)
    for _ in range(2):
        assert (bot.act(view, rng) == view.masks.argmax(1)).all()
    bot.close()


def test_program__end_of_a_bot__ends_its_processes(tmp_path):
    bot = misbehaving("good", batch_class("shitenno").spec)
    process = bot._program._process
    del bot
    assert process.poll() is not None


def test_program__standard_error__is_appended_to_the_file(tmp_path):
    batch, view, rng = decision("shitenno")
    file = tmp_path / "errors.txt"
    bot = make_agent(f"exec:stderr={file}:python {WAYS} dies", batch.spec)
    with pytest.raises(FaultError, match=r"segmentation fold \(standard error: .*errors.txt\)"):
        bot.act(view, rng)
    assert file.read_text() == "something\nsegmentation fold\n"
    bot = make_agent(f"exec:stderr={file}:python {WAYS} chatty", batch.spec)
    assert bot.act(view, rng) == view.masks[0].argmax()
    bot.close()
    assert file.stat().st_size <= MOST_KEPT
    assert file.read_bytes()[-18:] == b"noise\n" * 3  # the newest are kept


def test_program__much_standard_error__leaves_what_the_file_held_before(tmp_path):
    batch, view, rng = decision("shitenno")
    file, before = tmp_path / "errors.txt", b"held before\n" * 200_000
    file.write_bytes(before)
    for way in ("chatty", "chatty", "dies"):
        bot = make_agent(f"exec:stderr={file}:python {WAYS} {way}", batch.spec)
        if way == "dies":
            with pytest.raises(FaultError, match="segmentation fold"):
                bot.act(view, rng)
        else:
            bot.act(view, rng)
        bot.close()
        assert file.read_bytes().startswith(before)
        assert len(before) < file.stat().st_size <= len(before) + MOST_KEPT
    assert file.read_bytes().endswith(b"noise\nsomething\nsegmentation fold\n")


def test_program__standard_error_without_a_file__is_in_one_that_the_fault_names(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    batch, view, rng = decision("shitenno")
    for way in ("chatty", "dies"):
        bot = misbehaving(way, batch.spec)
        if way == "chatty":
            bot.act(view, rng)
        else:
            with pytest.raises(FaultError) as fault:
                bot.act(view, rng)
        bot.close()
    (file,) = tmp_path.iterdir()  # that of the program without a fault is removed
    assert str(file) in str(fault.value)
    assert file.read_text() == "something\nsegmentation fold\n"


def test_program__one_wrong_answer_among_many__costs_that_decision_only():
    batch, _, _ = decision("shitenno", 8)
    referee = Referee(misbehaving("one wrong", batch.spec), 8, 3)
    for _ in range(2):
        view = View.of(batch, np.arange(8))
        actions = referee.act(view, batch.policy_rngs[view.rows, view.players])
        assert (actions == view.masks.argmax(1)).all()
        batch.step(actions)
    assert referee.faults[..., FAULTS.index("form")].sum(1).tolist() == [0, 2, 0, 0, 0, 2, 0, 0]
    assert referee.faults.sum() == 4


def test_program__program_that_never_reads__is_late():
    batch, view, rng = decision("shogun", 64)  # more than a pipe holds
    with pytest.raises(FaultError, match=r"no answer in 0.4 s"):
        misbehaving("blind", batch.spec).act(view, rng)


def test_program__colons_and_commas_in_quotation_marks__belong_to_the_command():
    first, second = specs_in(f"random,exec:seconds=50:python {WAYS} called '--level=a:b,c'")
    assert first == "random"
    bot = make_agent(second, batch_class("shitenno").spec)
    assert (bot.hello.name, bot.seconds) == ("--level=a:b,c", 50)


@each_game
def test_program__many_games__are_told_apart(name, tmp_path):
    bot = make_agent(keeper(tmp_path / "log", wants=["names"], mood="calm"), batch_class(name).spec)
    for _ in range(2):  # in the same rows
        assert games_of(bot, name, 5).over.all()
    ((hello, *messages),) = kept(tmp_path / "log").values()  # what else a hello says is passed over
    assert hello["t"] == "hello"
    players: dict[int, int] = {}
    running: set[int] = set()
    for message in messages:
        if message["t"] == "game":
            assert message["game"] not in players
            running.add(message["game"])
            players[message["game"]] = message["player"]
            assert message["options"]["num_players"] == message["players"] == 3
        elif message["t"] == "over":
            running.remove(message["game"])
        else:
            assert message["game"] in running
            assert len(message["legal"]) == len(message["names"]) >= 2
    assert len(running) == 10  # two players of five games, which nobody says are over
    assert sorted(players.values()) == [0] * 10 + [2] * 10


@each_game
def test_program__lines_and_results__are_those_of_the_games(name, tmp_path):
    """What a player is sent from decision to decision makes the record as they know it, nothing twice or left out."""
    batch = batch_class(name)(2, num_players=3, seed=7, record=True)
    bot = make_agent(keeper(tmp_path / "log", wants=["lines", "result", "story"]), batch.spec)
    play_on(batch, [bot, make_agent("random", batch.spec)], np.array([[0, 1, 0]] * 2, np.int8))
    bot.close()  # which waits until the program has read the end
    (messages,) = kept(tmp_path / "log").values()
    players = {each["game"]: each["player"] for each in messages if each["t"] == "game"}
    ends = {each["game"]: each for each in messages if each["t"] == "over"}
    assert list(players) == [1, 2, 3, 4]
    assert players.keys() == ends.keys()
    places, shares = places_and_wins(batch.returns_by("rank"))
    records = batch.records()
    for game, player in players.items():
        told = [line for each in messages if each.get("game") == game for line in each.get("lines", [])]
        rows = [row for row in range(2) if told == known_lines(batch.spec, records[row][1:], player)]
        assert len(rows) == 1
        assert ends[game]["points"] == batch.points[rows[0]].tolist()
        assert ends[game]["places"] == places[rows[0]].tolist()
        assert ends[game]["shares"] == shares[rows[0]].tolist()
        assert ends[game]["story"][-1] == sentences(batch.spec, records[rows[0]], player)[-1].text
    assert sum(bool(each["lines"]) for each in messages if each["t"] == "decide") > 20


@each_game
def test_program__decision__has_what_was_asked_for(name):
    batch, view, _ = decision(name)
    message = json.loads(decision_line(view, 0, WANTS, number=5, game=6, random=7).splitlines()[-1])
    fields = json.loads(hello_line(batch.spec))["fields"]
    assert message["numbers"] == view.observations[0].tolist()
    assert [value for field, *_ in fields for value in message["fields"][field]] == message["numbers"]
    assert message["names"] == [batch.spec.action_name(action) for action in message["legal"]]
    again = batch_class(name)(1, num_players=3)
    again.set_position(0, message["position"])
    assert (again.observe_for(view.players) == view.observations).all()
    assert f"P{view.players[0]}" in message["text"]
    assert message["story"] == []
    batch = batch_class(name)(1, num_players=3, seed=1, record=True)
    view = View.of(batch, np.arange(1), ("story",))
    assert (
        json.loads(decision_line(view, 0, ("story",), number=5, game=6, random=7))["story"]
        == list(view.stories[0])
        != []
    )
    plain = json.loads(decision_line(view, 0, (), number=5, game=6, random=7))
    assert list(plain) == ["t", "id", "game", "phase", "legal", "random"]


def test_hello__read__fills_in_what_is_left_out():
    assert Hello.read(b'{"t": "hello", "protocol": 1, "name": "a", "at_once": 3}') == Hello(name="a")
    assert Hello.read(b'{"t": "hello", "protocol": 1, "name": " a\\u001b[2J\\nb"}').name == "a[2J b"


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b'{"game": "shogun"}', "the first line must be a hello that names the game"),
        (b'{"t": "hello"}', "the first line must be a hello that names the game"),
        (b"[1]", "the first line must be a hello that names the game"),
        (b'{"t": "hello", "game": "shogun", "protocol": 2}', "protocol=2 must be 1"),
        (b"hello", "lines must be JSON"),
        (b"\xff", "lines must be JSON"),
    ],
)
def test_serve__input_that_is_not_of_the_protocol__is_refused_with_what_would_be_right(line, says):
    with pytest.raises(ValueError, match=says) as refused:
        serve("random", io.BytesIO(line + b"\n"), io.BytesIO())
    assert "\n" not in str(refused.value)


@each_game
def test_served__bot_that_lets_the_batch_observe_for_another__still_sees_its_own(name):
    """It was shown the buffer of the batch, and so decided by what another player sees."""
    seen = []

    class Curious(Bot):
        def act(self, view, rng):
            before = view.observations.copy()
            view.batch.observe_for((view.players + 1) % view.batch.num_players)
            seen.append((view.observations == before).all())
            return view.masks.argmax(1)

    _, view, _ = decision(name)
    served = Served(batch_class(name), Curious(), "curious")
    served.begin({"t": "game", "game": 3, "player": int(view.players[0])})
    served.decide(base64.b64encode(view.batch.save()).decode(), {"id": 1, "game": 3, "random": 0})
    assert seen == [True]


def test_served__decisions_of_a_game__have_draws_of_one_row_that_goes_on():
    """A row of its own for each was taken for a new game, of whose players a search knew nothing."""
    rows = []

    class Drawing(Bot):
        def act(self, view, rng):
            rows.append(rng[0].tolist())
            return view.masks.argmax(1)

    _, view, _ = decision("shitenno")
    served, saved = Served(batch_class("shitenno"), Drawing(), "drawing"), base64.b64encode(view.batch.save()).decode()
    for game in (3, 4):
        served.begin({"t": "game", "game": game, "player": int(view.players[0])})
    for game, random in ((3, 7), (3, 5), (4, 5), (3, 5), (3, 6)):
        served.decide(saved, {"id": 1, "game": game, "random": random})
    assert [stream for stream, _ in rows] == [7, 7, 5, 7, 7]
    draws = [draw for stream, draw in rows if stream == 7]
    assert draws == sorted(set(draws)) and len({draw & 0xFFFFFFFF for draw in draws}) == 3
    served.end({"t": "over", "game": 3})
    for game in (3, 8):  # the number of a game says nothing: a tournament that is checked has others
        served.begin({"t": "game", "game": game, "player": 0})
        for random in (7, 5):
            served.decide(saved, {"id": 1, "game": game, "random": random})
        assert rows[-2:] == rows[:2]


def test_exec__seconds_for_an_answer__do_not_limit_the_start():
    bot = make_agent(f"exec:seconds=0.1:python {WAYS} random", batch_class("shitenno").spec)
    assert (bot.seconds, bot.start_seconds) == (0.1, 60.0)
    bot.close()


def test_exec__no_hello_in_the_time_to_start__is_refused():
    with pytest.raises(ValueError, match=r"mute: no hello in 0\.4 s"):
        Exec(batch_class("shitenno").spec, "mute", words_of(f"python {WAYS} mute"), start_seconds=0.4)


@pytest.mark.full
@pytest.mark.parametrize(("compiler", "source"), [("g++", "random_bot.cpp"), ("rustc", "random_bot.rs")])
def test_bots__in_other_languages__play_the_games_of_the_one_in_python(compiler, source, tmp_path):
    if not shutil.which(compiler):
        pytest.skip(f"no {compiler}")
    program = tmp_path / "bot"
    subprocess.run([compiler, "-O", "-o", program, BOTS / source], check=True)
    name, spec = "shitenno", batch_class("shitenno").spec
    played = games_of(make_agent(f"exec:{program}", spec), name)
    assert (played.games == games_of(make_agent(f"exec:python {BOTS / 'random_bot.py'}", spec), name).games).all()


def test_program__writes_errors_as_fast_as_they_are_read__is_quoted_all_the_same(tmp_path, monkeypatch):
    class Growing:
        def __getattr__(self, name: str):
            return getattr(os, name)

        def fstat(self, handle: int):
            result = os.fstat(handle)
            with path.open("ab") as file:
                file.write(b"y" * LAST_BYTES + b"\nafter\n")
            return result

    path = tmp_path / "errors.txt"
    program = Program(["sleep", "60"], str(path))
    path.write_bytes(b"before\n")
    monkeypatch.setattr(programs, "os", Growing())
    quoted = program.errors(quoted=True)
    monkeypatch.undo()
    program.stop()
    assert quoted.startswith(": yyy") and "after" not in quoted
