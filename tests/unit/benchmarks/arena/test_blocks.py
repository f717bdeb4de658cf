"""Tournaments in blocks: the same games wherever their blocks are played, and each game once."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from shogun_env.benchmarks.arena.blocks import Tournament, Workers
from tests.unit.benchmarks.arena.test_referee import ZOO

ROOT = Path(__file__).resolve().parents[4]
TOURNAMENT = Tournament(
    game="shitenno",
    agents=("scripted", "random", f"{ZOO}:honest"),
    variants=({"num_players": 2}, {"num_players": 3}),
    seed=5,
)


def play(workers, tournament=TOURNAMENT, games=200):
    """Return the results by game."""
    results = [result for part, _ in workers.play(tournament, tournament.blocks(games)) for result in part]
    return {result.seating: replace(result, seconds=None) for result in results}


def test_blocks__each_game__is_in_one_block_and_done_ones_in_none():
    blocks = TOURNAMENT.blocks(400)
    games = [game for block in blocks for game in block]
    assert len(set(games)) == len(games) == 402 + 402
    assert Counter(map(len, blocks)) == {128: 4 - 1, 192: 2, 18: 2}
    assert all(len({game.variant for game in block}) == 1 for block in blocks)
    # A block is played as a whole, so that agents are asked the same.
    assert TOURNAMENT.blocks(400, done=set(games[:-5])) == blocks[-1:]
    assert TOURNAMENT.blocks(400, done=set(games)) == []


def test_blocks__of_more_bots_than_a_byte_tells_apart__are_cut():
    many = tuple(f"scripted:attack={number}" for number in range(150))
    drawn = replace(TOURNAMENT, agents=many, variants=({"num_players": 3},), drawn=True)
    blocks = drawn.blocks(600)
    games = [game for block in blocks for game in block]
    assert len(set(games)) == len(games) >= 600
    assert max(len({name for game in block for name in game.line_up}) for block in blocks) <= 128
    whole = [tuple(game.line_up) for block in blocks for game in block if game.rotation == 0]
    assert all(sum(tuple(game.line_up) == each for game in block) in (0, 3) for block in blocks for each in whole)


@pytest.mark.full
def test_workers__threads_processes__play_the_same_games():
    pytest.importorskip("joblib")
    here = play(Workers())
    assert play(Workers(threads=2)) == here
    assert play(Workers(processes=2)) == here


@pytest.mark.slow
@pytest.mark.ray
def test_workers__a_cluster_of_ray__plays_the_same_games():
    assert play(Workers(ray="local")) == play(Workers())


KILLED = """
import os, time
from joblib import Parallel, delayed
from shogun_env.benchmarks.arena import blocks

def play(parent):
    blocks._end_with(parent)
    os.write(1, f"{os.getpid()}\\n".encode())
    time.sleep(600)

Parallel(n_jobs=2)(delayed(play)(os.getpid()) for _ in range(2))
"""


@pytest.mark.full
def test_processes__of_a_tournament_that_is_killed__end_with_it(tmp_path):
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


def test_workers__ray__plays_the_same_games_in_another_order(monkeypatch):
    tournament = replace(TOURNAMENT, agents=("scripted", "random"))
    here = play(Workers(), tournament)
    ray = FakeRay()
    monkeypatch.setitem(sys.modules, "ray", ray)
    for address, expected in (("local", None), ("10.0.0.1:6379", "10.0.0.1:6379")):
        there = play(Workers(ray=address), tournament)
        assert there == here
        assert list(there) != list(here)
        assert ray.addresses.pop() == expected


def test_workers__ray_is_missing__one_line(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ValueError, match=r"^--ray needs pip install 'shogun-env\[ray\]'$"):
        play(Workers(ray="local"))


def test_workers__joblib_is_missing__one_line(monkeypatch):
    monkeypatch.setitem(sys.modules, "joblib", None)
    with pytest.raises(ValueError, match=r"^--processes needs pip install 'shogun-env\[eval\]'$"):
        play(Workers(processes=2))
