"""Bots of every game, size and number of players read nothing past an array."""

import pytest

from tests.tree import run_python


@pytest.mark.slow
def test_bots__in_every_kind_of_game_without_compilation__read_within_bounds():
    process = run_python("-m", "tests.debug_games", NUMBA_DISABLE_JIT="1")
    assert process.returncode == 0, process.stderr
