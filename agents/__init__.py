"""Bots of a checkout. Importing this package makes their names known to ``shogun_env.policies.make_agent``.

- ``scripted`` plays by rules of thumb (``scripted:style=builder:risk=0.1``), compiled; each game has its own, with
  styles and weights of its own;
- ``ppo:PATH`` plays a network trained by ``training.selfplay``.

The compiled ``random`` belongs to ``shogun_env`` itself. A bot of your own needs one method, ``act`` (see
``shogun_env.policies.Agent``), and ``register_agent`` to have a name.
"""

from shogun_env.agents.network import make_network
from shogun_env.agents.scripted import SCRIPTED
from shogun_env.policies import register_agent

for _game, _make_scripted in SCRIPTED.items():
    register_agent("scripted", _make_scripted, _game)
register_agent("ppo", make_network)
