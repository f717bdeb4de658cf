"""The command ``mcp``."""

from __future__ import annotations

from shogun_env.doors.command import BOTS
from shogun_env.policies import make_agent, specs_in
from tests.games import each_game
from tests.unit.play.people import GAMES


@each_game
def test_mcp__bots_that_can_be_chosen__play_the_game(name):
    assert all(hasattr(make_agent(spec, GAMES[name].spec), "act") for spec in specs_in(BOTS))
