"""The bots: rules of thumb, networks, search, language models, programs.

Importing this package registers their names for ``shogun_env.policies.make_agent``.

A bot is imported when it is first made:

- ``scripted`` plays by rules of thumb (``scripted:style=builder:conquest=0.8``) and is compiled; each game has its own
  scripted bot, with its own styles and numbers;
- ``search`` plays the game on many times before it decides (``search:plan_rollouts=800:rollouts=100``);
- ``chat:FILE`` puts its decisions in words to a language model, at the endpoint that the TOML file names;
- ``exec:COMMAND`` asks a program in any language, in lines of JSON (``docs/protocol.md``);
- ``ppo:PATH`` plays a network trained by ``training.selfplay``;
- ``champion`` plays the strongest network, and is part of the package;
- ``pool:NAME`` plays a network that never changes, to measure others by (``pool:2min``);
- ``solved`` plays an equilibrium of Shikoku; ``scripted`` there is that of Shogun.

The compiled bot ``random`` is part of ``shogun_env.policies``. A bot of your own is a ``shogun_env.policies.Bot``, or
any object with ``act``; ``register_agent`` gives it a name.
"""

from shogun_env import FULL_GAMES
from shogun_env.policies import register_agent

for _game in FULL_GAMES:
    register_agent("scripted", f"shogun_env.agents.scripted.{_game}:make_scripted", _game)
register_agent("scripted", "shogun_env.agents.scripted.shogun:make_scripted", "shikoku")
register_agent("solved", "shogun_env.exact.solved:make_solved", "shikoku")
register_agent("search", "shogun_env.agents.search.agent:make_search")
register_agent("chat", "shogun_env.agents.chat.agent:make_chat")
register_agent("exec", "shogun_env.agents.program.agent:make_exec")
register_agent("ppo", "shogun_env.agents.network.agent:make_network")
register_agent("champion", "shogun_env.agents.champion:make_champion")
register_agent("pool", "shogun_env.agents.pool:make_member")
