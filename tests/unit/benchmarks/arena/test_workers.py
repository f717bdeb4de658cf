"""Where games are played: the same ones wherever it is, and a bot that ends its process is named in one line."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from shogun_env.benchmarks import tournament
from shogun_env.benchmarks.arena.check import check
from shogun_env.benchmarks.arena.games import History
from shogun_env.benchmarks.arena.settings import Settings
from shogun_env.benchmarks.arena.workers import arenas_of, blocks_of, event_of, play
from shogun_env.files import JOURNAL
from tests.tree import ROOT
from tests.unit.benchmarks.arena.journals import changed, entry, start, told
from tests.waiting import until

pytestmark = pytest.mark.usefixtures("no_pictures")

SPECS = ("scripted", "random", "pool:2min")
SETTINGS = Settings(game="shitenno", variants=({"num_players": 2}, {"num_players": 3}), agents=SPECS, seed=5)


@pytest.fixture
def history():
    """An arena whose rounds have several blocks each."""
    events = [start(variants=SETTINGS.variants), *(entry(bot, name) for bot, name in enumerate(SPECS))]
    for number, table in enumerate(([0, 1], [0, 1, 2])):
        events.append({"kind": "round", "number": number, "variant": number, "tables": [table] * 50})
    return told(events)[0]


def played(history, settings=SETTINGS):
    """Return the events of all blocks, in the order of their numbers, and the order in which they came."""
    waiting = [block for now in history.rounds for block in blocks_of(history, now, np.arange(now.n_games), b"")]
    found = [event_of(each, history) for each in play(settings, "", None, waiting)]
    order = [(event["round"], event["first"]) for event in found]
    return sorted(found, key=lambda event: (event["round"], event["first"])), order


def test_play__every_block__is_an_event_that_the_history_takes(history):
    events, _ = played(history)
    assert len(events) == 3 + 3
    for event in events:
        history.take(SimpleNamespace(values=event, chain=""))
    assert history.n_games == 100 + 150 and not history.open_rounds
    assert sorted(history.games.seed.tolist()) == sorted([*range(5, 105), *range(5, 155)])


@pytest.mark.full
def test_play__threads_and_processes__play_the_same_games(history):
    here = played(history)[0]
    assert played(history, replace(SETTINGS, threads=2))[0] == here
    assert played(history, replace(SETTINGS, processes=2))[0] == here


@pytest.mark.slow
@pytest.mark.ray
def test_play__a_cluster_of_ray__plays_the_same_games(history):
    assert played(history, replace(SETTINGS, ray="local"))[0] == played(history)[0]


class FakeRay(SimpleNamespace):
    """Stands for ray: tasks run when they are made, and the last one is ready first."""

    def __init__(self):
        super().__init__(addresses=[])

    def init(self, address=None, **more):
        self.addresses.append(address)

    def cluster_resources(self):
        return {"CPU": 2.0}

    def remote(self, function):
        return SimpleNamespace(remote=lambda *arguments: (function, arguments))

    def wait(self, running, num_returns):
        return running[-1:], running[:-1]

    def get(self, task):
        return task[0](*task[1])


def test_play__ray__plays_the_same_games_in_another_order(history, monkeypatch):
    here, order = played(history)
    ray = FakeRay()
    monkeypatch.setitem(sys.modules, "ray", ray)
    there, other = played(history, replace(SETTINGS, ray="10.0.0.1:6379"))
    assert there == here and other != order
    assert ray.addresses == ["10.0.0.1:6379"]


@pytest.mark.parametrize(("changes", "threads"), [({}, 4), ({"processes": 2}, 1), ({"ray": "local"}, 1)])
def test_arenas__of_several_processes__have_one_thread_each(changes, threads):
    """Each task of a cluster, one for each of its processors, had as many threads as the machine that began it."""
    arenas = arenas_of(replace(SETTINGS, threads=4, **changes), "", None)
    assert [arena.num_threads for arena in arenas] == [threads] * len(SETTINGS.variants)


def test_play__library_is_missing__one_line(history, monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ValueError, match=r"^--ray needs pip install 'shogun-env\[ray\]'$"):
        played(history, replace(SETTINGS, ray="local"))


LEAVER = """
import os


class Leaver:
    def act(self, view, rng):
        os._exit(3)


def make(game_spec):
    return Leaver()
"""


@pytest.mark.full
def test_processes__bot_that_ends_its_process__is_named_in_one_line(tmp_path):
    (tmp_path / "leaver.py").write_text(LEAVER)
    bot = f"{tmp_path / 'leaver.py'}:make"
    events = [start(), entry(0, "random"), entry(1, bot), entry(2, "scripted")]
    events.append({"kind": "round", "number": 0, "variant": 0, "tables": [[0, 1, 2]] * 60})
    history = told(events)[0]
    waiting = blocks_of(history, history.rounds[0], np.arange(180), b"")
    settings = replace(history.settings, processes=2)
    with pytest.raises(ValueError, match=rf"^a process of --processes ended while it played {bot}; the games before"):
        list(play(settings, "", None, waiting))


KILLED = """
import os, time
from shogun_env import workers

def play(number):
    os.write(1, f"{os.getpid()}\\n".encode())
    time.sleep(600)

if __name__ == "__main__":
    list(workers._pool(2).map(play, range(2)))
"""


@pytest.mark.full
def test_processes__of_a_run_that_is_killed__end_with_it(tmp_path):
    """They stayed for ever, four for each kill."""
    script = tmp_path / "run.py"
    script.write_text(KILLED)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen([sys.executable, str(script)], env=environment, stdout=subprocess.PIPE, text=True)
    workers = [int(process.stdout.readline()) for _ in range(2)]
    process.kill()
    process.wait()
    until(lambda: not any(Path(f"/proc/{worker}").exists() for worker in workers))


def sizes(history, games, asked):
    """Return how many of the games 0, 1, … of the first round each block has."""
    return [len(block.seeds) for block in blocks_of(history, history.rounds[0], np.arange(games), b"", asked)]


def test_blocks__bot_that_is_slow_or_paid__has_one_game_each_and_others_24_meetings(history):
    assert sizes(history, 100, {}) == [48, 48, 4]
    assert sizes(history, 5, {1: True}) == [1] * 5, "nobody knows yet how long it takes"
    history.seconds[1] = np.array([0.5, 1000])
    assert sizes(history, 100, {1: True}) == [48, 48, 4], "half a millisecond a decision"
    assert sizes(history, 5, {1: False}) == [1] * 5, "it is paid for each answer"
    history.seconds[1] = np.array([100, 1000])
    assert sizes(history, 5, {1: True}) == [1] * 5
    now = history.rounds[0]
    now.tables[1:] = [[2, 0]]
    assert sizes(history, 60, {1: True}) == [1, 1, 48, 10], "games without it are played together"
    lacking = np.delete(np.arange(60), [5, 6])
    assert [block.first for block in blocks_of(history, now, lacking, b"", {1: True})] == [0, 1, 2, 7, 55]


SLEEPER = """
import os, time
from pathlib import Path
import numpy as np


class Sleeper:
    replayable = {replayable}

    def act(self, view, rng):
        with open({asked!r}, "a") as file:
            print(os.getpid(), len(view.rows), file=file)
        time.sleep(0.0025)
        stop = Path({stop!r})
        if stop.exists() and Path({asked!r}).read_text().count("\\n") >= int(stop.read_text()):
            stop.unlink()
            raise KeyboardInterrupt
        return view.masks.argmax(1)


def make(game_spec):
    return Sleeper()
"""


@pytest.fixture
def sleeper(tmp_path):
    """A slow bot in a file; a function that returns how often it was asked so far; where to write when it stops."""
    asked, stop = tmp_path / "asked", tmp_path / "stop"
    (tmp_path / "bot").mkdir()
    file = tmp_path / "bot" / "sleeper.py"
    file.write_text(SLEEPER.format(asked=str(asked), stop=str(stop), replayable=None))
    return f"{file}:make", lambda: asked.read_text().splitlines(), stop


def test_run__slow_bot__stopped_three_times_loses_the_running_games_and_the_tables_stay(sleeper, tmp_path):
    """A model was asked all 810 requests again after Ctrl-C at the 601st: a block was 96 games."""
    spec, asked, stop = sleeper
    agents = (spec, "random", "scripted")
    settings = Settings(game="shitenno", variants=({"num_players": 3},), agents=agents, games=9, seed=5)
    whole, _ = tournament.run(tmp_path / "whole", settings)
    needed = len(asked())
    for _ in range(3):
        stop.write_text(str(len(asked()) + needed // 4))
        assert not tournament.run(tmp_path / "stopped", settings)[1]
        assert History.at(tmp_path / "stopped" / JOURNAL).n_games > 0
    again, _ = tournament.run(tmp_path / "stopped", settings)
    assert again["variants"] == whole["variants"] and again["ratings"] == whole["ratings"]
    repeated = len(asked()) - 2 * needed
    assert 0 <= repeated <= 3 * needed / 9 * 1.5, "at most the three games that were running"
    assert set(check(tmp_path / "stopped", 1.0, True).differences) == set()


@pytest.mark.full
def test_processes__slow_bot__plays_in_all_of_them(sleeper, tmp_path):
    """`--processes 8` had one task for 96 games."""
    spec, asked, _ = sleeper
    settings = Settings(
        game="shitenno", variants=({"num_players": 2},), agents=(spec, "random"), games=12, seed=5, processes=3
    )
    tournament.run(tmp_path / "three", settings)
    assert len({line.split()[0] for line in asked()}) == 3
    assert {line.split()[1] for line in asked()} == {"1"}
    tournament.run(tmp_path / "one", replace(settings, processes=1))
    assert (tmp_path / "one" / "leaderboard.csv").read_text() == (tmp_path / "three" / "leaderboard.csv").read_text()


def test_journal__of_an_earlier_version__its_blocks_are_read_checked_and_resumed(tmp_path):
    """It names blocks of 24 meetings by their number."""
    settings = Settings(
        game="shitenno", variants=({"num_players": 2},), agents=("random", "scripted"), games=98, seed=5
    )
    whole, _ = tournament.run(tmp_path / "t", settings)

    def earlier(number, values):
        if values["kind"] == "games":
            values["block"] = values.pop("first") // 48
            del values["count"]
        return values

    journal = tmp_path / "t" / JOURNAL
    changed(journal, tmp_path / "j", earlier)
    lines = (tmp_path / "j").read_text().splitlines(keepends=True)
    assert sum('"block":' in line for line in lines) == 3
    journal.write_text("".join(lines[:-1]))
    again, _ = tournament.run(tmp_path / "t", settings)
    assert again["variants"] == whole["variants"] and "first" in journal.read_text().splitlines()[-1]
    assert check(tmp_path / "t", 1.0, False).differences == []
