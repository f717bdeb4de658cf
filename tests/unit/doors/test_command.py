"""The command ``mcp``."""

from __future__ import annotations

import sys

import pytest

from shogun_env.__main__ import main
from shogun_env.doors.command import BOTS
from shogun_env.policies import make_agent, specs_in
from tests.games import each_game
from tests.unit.play.people import GAMES


def test_mcp__library_missing__is_one_line_that_names_the_extra(monkeypatch, capsys):
    monkeypatch.delitem(sys.modules, "shogun_env.doors.mcp", raising=False)
    monkeypatch.setitem(sys.modules, "mcp.server", None)
    with pytest.raises(SystemExit):
        main(["mcp"])
    (line,) = capsys.readouterr().err.splitlines()
    assert "mcp needs the extra mcp: pip install 'shogun-env[mcp]' (mcp is not installed)" in line


@each_game
def test_mcp__bots_that_can_be_chosen__play_the_game(name):
    assert all(hasattr(make_agent(spec, GAMES[name].spec), "act") for spec in specs_in(BOTS))
