"""Agents as profiles: what a bot plays in every information set of a tree."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from shogun_env.batch.batch import Batch
from shogun_env.batch.loops import uniform
from shogun_env.exact.tree import Tree
from shogun_env.exact.values import uniform_profile
from shogun_env.kernel.rng import seed_stream
from shogun_env.policies import AgentSpec, Bot, ask, make_agent, tell_begun
from shogun_env.views import View


@dataclass(frozen=True)
class Sampled:
    """A profile, with its sampling error."""

    profile: np.ndarray
    """float64[J], see ``Tree.actions``."""
    samples: int
    """Answers that were asked for in each information set; 0 if all agents said their probabilities."""
    error: float
    """The largest standard error of a probability, by what was drawn; best responses gain from such errors too."""


def profile_of(tree: Tree, agents: Sequence[AgentSpec], samples: int = 100) -> Sampled:
    """Return the profile that agents play, player by player.

    The random bot and agents with a method ``weigh`` state their probabilities. Other agents are sampled; one that
    always answers the same is exact. An agent that remembers is asked as if it met the position first.

    Args:
        agents: one for all players, or one for each.
        samples: answers that are drawn in each information set of an agent that does not say its probabilities.

    Raises: ValueError for a wrong number of agents, an unknown one, or one that answers what is no legal action, or no
        probabilities of them.
    """
    specs = list(agents) * tree.players if len(agents) == 1 else list(agents)
    if len(specs) != tree.players:
        raise ValueError(f"{len(specs)} agents: must be 1 or {tree.players}")
    spec, batch = tree.batch_class.spec, tree.batch()
    profile, drawn, error = uniform_profile(tree), 0, 0.0
    for player, agent_spec in enumerate(specs):
        agent = make_agent(agent_spec, spec)
        sets = np.flatnonzero(tree.owners == player)
        if agent.compiled is not None and agent.compiled[0] is uniform:
            continue
        tell_begun([agent], sets)
        if (weighed := agent.weigh(View.of(batch, sets))) is not None:
            chances, legal = np.array([one.chances for one in weighed]), batch.legal[sets] > 0
            right = chances.shape == legal.shape and (chances >= 0).all() and not chances[~legal].any()
            if not (right and np.allclose(chances.sum(1), 1)):
                raise ValueError(f"weigh of {agent.name!r}: must say probabilities of legal actions, which add up to 1")
        else:
            drawn, chances = samples, _drawn(agent, batch, sets, samples) / samples
            error = max(error, float(np.sqrt((chances * (1 - chances)).max() / samples)))
        for number, row in zip(sets.tolist(), chances, strict=True):
            at = slice(int(tree.begins[number]), int(tree.begins[number]) + int(tree.counts[number]))
            profile[at] = row[tree.actions[at]] / row[tree.actions[at]].sum()
    return Sampled(profile, drawn, error)


def _drawn(agent: Bot, batch: Batch, sets: np.ndarray, samples: int) -> np.ndarray:
    """Return how often an agent chose each action: float64[n, A]; each sample draws and is redealt anew."""
    counts = np.zeros((len(sets), batch.spec.n_actions))
    for sample in range(samples):
        for index, row in enumerate(sets):
            seed_stream(batch.policy_rngs[row, batch.player[row]], sample, index)
        tell_begun([agent], sets)
        counts[np.arange(len(sets)), ask(agent, batch, sets)] += 1
    return counts
