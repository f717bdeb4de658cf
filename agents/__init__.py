"""Bots of a checkout. Importing this package makes their names known to ``shogun_env.policies.make_agent``.

- ``scripted`` plays by rules of thumb (``scripted:style=builder:risk=0.1``), compiled;
- ``ppo:PATH`` plays a network trained by ``training.selfplay``.

The compiled ``random`` belongs to ``shogun_env`` itself. A bot of your own needs one method, ``act`` (see
``shogun_env.policies.Agent``), and ``register_agent`` to have a name.
"""

from agents.policy import make_network
from agents.scripted import make_scripted
from shogun_env.policies import register_agent

register_agent("scripted", make_scripted)
register_agent("ppo", make_network)
