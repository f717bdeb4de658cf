"""Imitation: the network learns to choose what a bot chooses, and who wins in the end.

What the bots would choose costs next to nothing, as they are compiled. The network also plays some of the seats itself,
and is told what the bot would do in the positions that this leads to (Ross et al. 2011): so it learns to correct its
own faults. A bot that is not compiled, such as search, tells only what it chooses at its own seats; with a search over
the network itself this is expert iteration (Anthony et al. 2017).
"""

from __future__ import annotations

import functools
from collections.abc import Iterable

import numpy as np
import torch

from shogun_env.agents.network.agent import Network
from shogun_env.batch.batch import Batch
from shogun_env.batch.collecting import Decisions, answers, collect
from shogun_env.policies import Agent, View, make_agent, play_on
from shogun_env.training.board_policy import BoardNetwork
from shogun_env.training.config import Config
from shogun_env.training.learner import Samples, samples_of
from shogun_env.training.positions import minibatches, positions_of
from shogun_env.training.rates import imitation_rate

MINIBATCH = 1024
"""Decisions of one step of the optimizer."""
VALUE_WEIGHT = 0.25
"""Weight of the cross-entropy of the shares, that of the actions being 1."""
WEIGHT_DECAY = 1e-4
"""Decay of AdamW."""
MAX_NORM = 1.0
"""Largest norm of a gradient; a longer one is cut to it."""
STUDENT_AFTER = 0.25
"""Part of imitation in which the network comes to play its full fraction of the seats: before that it plays at random,
and leads to positions that nobody has to know."""
SMOOTHING = 0.02
"""Weight of the latest minibatch in the agreement that is shown."""


class Imitation:
    """Imitation of a bot by a network.

    Args:
        network: the network, changed in place.
        config: the settings.

    Attributes:
        optimizer: of the network's weights.
        agreement: part of the decisions, lately, in which the network's first choice is the bot's.
    """

    def __init__(self, network: BoardNetwork, config: Config) -> None:
        self.network = network
        self.config = config
        self.optimizer = torch.optim.AdamW(network.parameters(), lr=config.imitation_rate, weight_decay=WEIGHT_DECAY)
        self.agreement = 0.0

    @functools.cached_property
    def teacher(self) -> Agent:
        """The bot that is imitated."""
        return make_agent(self.config.imitate, self.network.shape.spec)

    def learn_from(self, batches: Iterable[Batch], done: float, rng: np.random.Generator) -> int:
        """Play games and learn from all their decisions; return how many there were.

        Args:
            batches: new games, with ``reward="win"``.
            done: how much of the imitation is over, from 0 to 1: sets the learning rate, and who plays.
            rng: who plays where, and the order of the samples.
        """
        parts = [self._samples(batch, done, rng) for batch in batches]
        for group in self.optimizer.param_groups:
            group["lr"] = imitation_rate(self.config.imitation_rate, done)
        samples = Samples.joined(parts)
        for rows, groups in minibatches(samples.groups, MINIBATCH, rng):
            self._step(samples.some(rows, groups))
        return len(samples.actions)

    def _samples(self, batch: Batch, done: float, rng: np.random.Generator) -> Samples:
        """Return the decisions of games, with what the bot would choose as actions."""
        shape = self.network.shape
        by_student = self.config.student_fraction * min(1.0, done / STUDENT_AFTER)
        seats = (rng.random((batch.num_games, batch.num_players)) < by_student).astype(np.int8)
        student = Network(shape, self.network.weights(), greedy=False)
        policy = getattr(self.teacher, "compiled", None)
        if policy is None:
            return samples_of(batch, _asked(batch, self.teacher, student, seats), shape, 1.0)
        decisions = collect(batch, [policy, student.compiled], seats)
        return samples_of(batch, decisions, shape, 1.0)._replace(actions=answers(decisions, policy))

    def _step(self, samples: Samples) -> None:
        network = self.network
        device = network.near.device
        logits, expected = network(positions_of(network.shape, *samples.shown).to(device))
        log_probs = logits.log_softmax(1)
        chosen = torch.as_tensor(samples.actions).to(device)
        loss = -log_probs.gather(1, chosen[:, None]).mean()
        shares = torch.as_tensor(samples.shares).to(device)
        loss = loss - VALUE_WEIGHT * (shares * expected.log_softmax(1)).sum(1).mean()
        self.optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), MAX_NORM)
        self.optimizer.step()
        agreed = float((logits.detach().argmax(1) == chosen).float().mean())
        self.agreement += SMOOTHING * (agreed - self.agreement)


class _Recorder:
    """A bot that keeps what it is asked and what it answers."""

    def __init__(self, agent: Agent) -> None:
        self.agent = agent
        self.parts: list[tuple[np.ndarray, ...]] = []
        self.__name__ = "recorder"

    def act(self, view: View, rng: np.ndarray) -> np.ndarray:
        actions = self.agent.act(view, rng)
        self.parts.append((view.observations, view.masks, actions, view.rows, view.players))
        return actions


def _asked(batch: Batch, teacher: Agent, student: Network, seats: np.ndarray) -> Decisions:
    """Play games and return what the teacher, policy 0 of ``seats`` int8[B, P], was asked and chose."""
    recorder = _Recorder(teacher)
    play_on(batch, [recorder, student], seats)
    observations, masks, actions, rows, players = (
        np.concatenate(arrays) for arrays in zip(*recorder.parts, strict=True)
    )
    unknown = np.zeros(len(rows), np.float32)
    return Decisions(
        observations=observations, masks=masks, actions=actions, rows=rows, players=players, log_probs=unknown,
        values=unknown,
    )  # fmt: skip
