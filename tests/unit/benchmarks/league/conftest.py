"""A league that several tests look at."""

from __future__ import annotations

import shutil

import pytest

from shogun_env.benchmarks.league import command, league
from tests.unit.benchmarks.arena.test_referee import ZOO

OWN = ["--game", "shitenno", "--preset", "own", "--players", "3"]
RAISING, LOWEST = "raising", "lowest"
SPECS = {"scripted": "scripted", LOWEST: f"{ZOO}:lowest", RAISING: f"{ZOO}:raises:good=0"}
MEETINGS, IN_A_ROUND = 10, 30
"""Of a round in these tests: two blocks, 30 games."""


@pytest.fixture(scope="session", autouse=True)
def small():
    """Make rounds short."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(league, "LEAST_MEETINGS", MEETINGS)
        yield


@pytest.fixture(scope="session")
def begun(tmp_path_factory):
    """The folder of a league of four bots before its first round, and the journal after two rounds in one run."""
    folder = tmp_path_factory.mktemp("league") / "begun"
    command.main(["create", str(folder), *OWN])
    for name, spec in SPECS.items():
        command.main(["enter", str(folder), spec, "--name", name])
    played = folder.with_name("played")
    shutil.copytree(folder, played)
    command.main(["run", str(played), "--games", "50"])  # a page with faults, pairings and replays
    return folder, played
