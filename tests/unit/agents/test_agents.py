"""The bots of the package and their names."""

from tests.tree import run_python

KNOWN = """
from importlib import metadata
metadata.entry_points = lambda **_: ()  # as in a checkout that is not installed
from shogun_env.policies import agent_names, is_built_in, make_agent
from shogun_env.shogun import SHOGUN
assert is_built_in("scripted", SHOGUN)
print(*agent_names(), make_agent("scripted", SHOGUN).compiled is not None)
"""


def test_names__without_an_import_or_an_installation__are_known():
    done = run_python("-c", KNOWN)
    names = ["champion", "chat", "exec", "pool", "ppo", "random", "scripted", "search", "solved"]
    assert done.stdout.split() == [*names, "True"], done.stderr
