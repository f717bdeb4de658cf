"""The bots. Importing this package registers their names for ``shogun_env.policies.make_agent``.

- ``scripted`` plays by rules of thumb (``scripted:style=builder:conquest=0.8``) and is compiled; each game has its own
  scripted bot, with its own styles and numbers;
- ``search`` plays on from where it is many times before it decides (``search:plan_rollouts=800:rollouts=100``);
- ``chat:FILE`` puts its decisions in words to a language model, at the endpoint that the TOML file names;
- ``exec:COMMAND`` asks a program in any language, in lines of JSON (``docs/protocol.md``);
- ``ppo:PATH`` plays a network trained by ``training.selfplay``;
- ``champion`` plays the network that was trained longest, and is part of the package;
- ``pool:NAME`` plays a network that never changes, to measure others by (``pool:2min``).

The compiled bot ``random`` is part of ``shogun_env.policies``. A bot of your own needs one method, ``act`` (see
``shogun_env.policies.Agent``); ``register_agent`` gives it a name.
"""

from shogun_env.agents.champion import make_champion
from shogun_env.agents.chat.agent import make_chat
from shogun_env.agents.exec.agent import make_exec
from shogun_env.agents.network.agent import make_network
from shogun_env.agents.pool import make_member
from shogun_env.agents.scripted import SCRIPTED
from shogun_env.agents.search.agent import make_search
from shogun_env.policies import register_agent

for _game, _make_scripted in SCRIPTED.items():
    register_agent("scripted", _make_scripted, _game)
register_agent("search", make_search)
register_agent("chat", make_chat)
register_agent("exec", make_exec)
register_agent("ppo", make_network)
register_agent("champion", make_champion)
register_agent("pool", make_member)
