"""Bots of every game, size and number of players read nothing past an array."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.full
@pytest.mark.parametrize("share", [["--few"], pytest.param([], marks=pytest.mark.slow)], ids=["few", "all"])
def test_bots__in_every_kind_of_game_without_compilation__read_within_bounds(share: list[str]):
    command = [sys.executable, "-m", "tests.debug_games", *share]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    process = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stderr
