"""The bots of the package and their names."""

from __future__ import annotations

import shogun_env.agents as _bots  # noqa: F401 - gives the bots their names
from shogun_env.policies import agent_names


def test_names__importing_agents__registers_them():
    assert {"random", "scripted", "ppo"} <= set(agent_names())
