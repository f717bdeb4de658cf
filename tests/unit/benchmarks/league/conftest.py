"""A league that several tests look at."""

from __future__ import annotations

import shutil

import pytest

from shogun_env.benchmarks.arena.seeds import FILE, text_of
from shogun_env.benchmarks.league import command, league
from tests.unit.benchmarks.arena.test_referee import ZOO

OWN = ["--game", "shitenno", "--preset", "own", "--players", "3"]
RAISING, LOWEST = "raising", "lowest"
SPECS = {"scripted": "scripted", LOWEST: f"{ZOO}:lowest", RAISING: f"{ZOO}:raises:good=0"}
MEETINGS, IN_A_ROUND = 10, 30
"""Of a round in these tests: two blocks, 30 games."""


@pytest.fixture(scope="session", autouse=True)
def small():
    """Make rounds short, and the same each time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(league, "LEAST_MEETINGS", MEETINGS)
        patch.setattr(league, "kept_secret", kept_secret)
        yield


def kept_secret(folder, sha256):
    """Write a secret into a folder that is the same each time; return it."""
    secret = bytes(range(32))
    (folder / FILE).touch(0o600)
    (folder / FILE).write_text(text_of(secret))
    return secret


def league_of(folder, bots, games):
    """Make a league of bots, specs by name; return its folder, and that of a copy in which games were played."""
    command.main(["create", str(folder), *OWN])
    for name, spec in bots.items():
        command.main(["enter", str(folder), spec, "--name", name])
    played = folder.with_name("played")
    shutil.copytree(folder, played)
    command.main(["run", str(played), "--games", str(games), "--no-replays"])
    return folder, played


@pytest.fixture(scope="session")
def begun(tmp_path_factory):
    """The folders of a league with bots of strangers; see ``league_of``."""
    return league_of(tmp_path_factory.mktemp("league") / "begun", SPECS, 30)


@pytest.fixture(scope="session")
def compiled(tmp_path_factory):
    """The folders of a league of compiled bots; see ``league_of``."""
    return league_of(
        tmp_path_factory.mktemp("league") / "begun", {"scripted": "scripted", "pool:2min": "pool:2min"}, 60
    )
