"""What is killed at any moment, again and again, and then taken up has the result of what was not killed."""

import contextlib
import json
import os
import random
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from shogun_env.agents.network.agent import load_network
from shogun_env.benchmarks import pictures, tournament
from shogun_env.benchmarks.arena.journal import read
from shogun_env.benchmarks.arena.settings import Settings
from shogun_env.files import JOURNAL
from shogun_env.play.saving import save_name
from shogun_env.play.table import Table
from shogun_env.records.record import read_record
from shogun_env.records.replay import verify
from shogun_env.training.runs import Run, read_progress
from shogun_env.training.trainer import train
from tests import coins
from tests.games import batch_class
from tests.unit.play.people import GAMES, table_of
from tests.unit.training.settings import tiny
from tests.zoo.bots import ZOO

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


class Work(NamedTuple):
    """Work in a folder that can be taken up where it was stopped."""

    do: Callable[[Path], Any]
    """Begins the work, or takes it up; what is done already is not done again."""
    result: Callable[[Path], Any]
    """Reads what came out."""


def play_tournament(folder: Path) -> None:
    agents, variants = ("scripted", "random", f"{ZOO}:lowest"), ({"num_players": 2}, {"num_players": 3})
    settings = Settings(game="shitenno", agents=agents, games=120, seed=3, variants=variants)
    tournament.run(folder, settings)


def tables(folder: Path) -> Any:
    """Return the tables, and the events in any order, without the seconds that bots took."""
    events = sorted(json.dumps({**event.values, "seconds": None}) for event in read(folder / JOURNAL))
    return [(folder / name).read_bytes() for name in ("leaderboard.md", "leaderboard.csv")], events


def train_coins(folder: Path) -> None:
    if (folder / "run.json").exists():
        train(Run.open(folder, coins.Batch), resume=True)
    else:
        config = tiny("coins", updates=8, checkpoint_seconds=0.02)
        train(Run.create(folder, config, coins.Batch, "test"))


def trained(folder: Path) -> Any:
    weights = load_network(coins.COINS, folder)[1]
    lines = [{**line, "seconds": 0} for line in read_progress(folder)]
    return {name: array.tobytes() for name, array in weights.items()}, lines


def play_at_a_table(folder: Path) -> None:
    """Play the moves that follow from the number of the moves made."""
    path = folder / save_name("shitenno", 5)
    table = Table.resume(path, GAMES["shitenno"]) if path.exists() else table_of("shitenno", folder)
    while not table.game.is_over:
        if table.draft(0).is_held:
            table.confirm(0)
        else:
            legal = table.draft(0).legal()
            table.choose(0, legal[7 * (len(table.game.moves) + len(table.draft(0).chosen)) % len(legal)])


def table_record(folder: Path) -> Any:
    """Return the header of the record, all of which is valid; bots draw anew when a table is taken up."""
    lines = read_record(folder / "5.shitenno.jsonl", batch_class("shitenno").spec)
    verify(batch_class("shitenno"), lines)
    return lines[0]


WORKS = {
    "tournament": Work(play_tournament, tables),
    "training": Work(train_coins, trained),
    "table": Work(play_at_a_table, table_record),
}


def begin(work: Work, folder: Path) -> int:
    """Do the work in a copy of this process, and return its number; its words go nowhere."""
    child = os.fork()
    if child:
        return child
    status = 1
    with contextlib.suppress(BaseException):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        work.do(folder)
        status = 0
    os._exit(status)


def is_killed(work: Work, folder: Path, after: float) -> bool:
    """Do the work, but kill it after some seconds; say whether it was killed before it was done."""
    child = begin(work, folder)
    time.sleep(after)
    os.kill(child, signal.SIGKILL)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert status in (0, -signal.SIGKILL), f"ended with {status}: do it here to see why"
    return status != 0


@pytest.mark.parametrize("kills", [pytest.param(1, marks=pytest.mark.full), pytest.param(40, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", WORKS)
def test_work__killed__has_the_result_of_work_that_was_not(name, kills, tmp_path, monkeypatch):
    """Killed until it was killed often enough, and begun anew whenever it got done."""
    monkeypatch.setattr(pictures, "is_available", lambda: False)  # they take longer than the games
    work, whole, chance = WORKS[name], tmp_path / "whole" / name, random.Random(kills)
    for folder in (whole, tmp_path / "first" / name):
        folder.parent.mkdir()
    work.do(tmp_path / "first" / name)  # loads what is needed, which those that are killed then have
    begun = time.monotonic()
    work.do(whole)
    expected, seconds = work.result(whole), time.monotonic() - begun
    killed = rounds = 0
    while killed < kills:
        folder = tmp_path / str(rounds) / name
        folder.parent.mkdir()
        before = killed
        while killed < min(kills, before + 8) and is_killed(work, folder, chance.random() * seconds):
            killed += 1
        work.do(folder)
        assert work.result(folder) == expected
        rounds += 1
