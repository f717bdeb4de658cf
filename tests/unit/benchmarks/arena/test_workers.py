"""Where games are played: the same ones wherever it is, and a bot that ends its process is named in one line."""

import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from shogun_env.benchmarks.arena.settings import Settings
from shogun_env.benchmarks.arena.workers import blocks_of, event_of, play
from tests.tree import ROOT
from tests.unit.benchmarks.arena.journals import entry, start, told

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
    waiting = [block for now in history.rounds for block in blocks_of(history, now, range(now.n_blocks), b"")]
    found = [event_of(each, history) for each in play(settings, "", None, waiting)]
    order = [(event["round"], event["block"]) for event in found]
    return sorted(found, key=lambda event: (event["round"], event["block"])), order


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
    waiting = blocks_of(history, history.rounds[0], range(3), b"")
    settings = replace(history.settings, processes=2)
    with pytest.raises(ValueError, match=rf"^a process of --processes ended while it played {bot}; the games before"):
        list(play(settings, "", None, waiting))


KILLED = """
import os, time
from shogun_env.benchmarks.arena import workers

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
    end = time.monotonic() + 60
    while any(Path(f"/proc/{worker}").exists() for worker in workers):
        assert time.monotonic() < end, "they are still there"
        time.sleep(0.1)
