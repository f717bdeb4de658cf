"""Imitation: the network learns to choose what a bot chooses, and who wins in the end.

Labels cost next to nothing, as the bots are compiled. The network also plays some of the seats itself, and is told what
the bot would do in the positions that this leads to (Ross et al. 2011): so it learns to correct its own faults. A bot
that is not compiled, such as search, tells only what it chooses at its own seats; with a search over the network itself
this is expert iteration (Anthony et al. 2017).
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable

import numpy as np
import torch

from shogun_env.agents.network.agent import Network
from shogun_env.batch.batch import Batch
from shogun_env.batch.collecting import Decisions, answers, collect
from shogun_env.policies import Agent, View, make_agent, play_on
from shogun_env.training.board_policy import BoardNetwork
from shogun_env.training.config import Config
from shogun_env.training.learner import final_shares

MINIBATCH = 1024
"""Decisions of one step of the optimizer."""
WARM_UP = 0.03
"""Share of imitation in which the learning rate rises to its highest."""
VALUE_WEIGHT = 0.25
"""Weight of the cross-entropy of the shares beside that of the actions."""
MOST = 1.0
"""Largest norm of a gradient."""
SMOOTHING = 0.02
"""Weight of the latest minibatch in the agreement that is shown."""


class Imitation:
    """Imitation of a bot by a network.

    Args:
        network: the network, changed in place.
        config: the settings.

    Attributes:
        optimizer: of the network's weights.
        agreement: share of decisions, lately, in which the network's first choice is the bot's.
    """

    def __init__(self, network: BoardNetwork, config: Config) -> None:
        self.network = network
        self.config = config
        self.optimizer = torch.optim.AdamW(network.parameters(), lr=config.imitation_rate, weight_decay=1e-4)
        self.agreement = 0.0

    @functools.cached_property
    def teacher(self) -> Agent:
        """The bot that is imitated."""
        return make_agent(self.config.imitate, self.network.shape.spec)

    def learn_from(self, batches: Iterable[Batch], share: float, rng: np.random.Generator) -> int:
        """Play games and learn from all their decisions; return how many there were.

        Args:
            batches: new games, with ``reward="win"``.
            share: how much of the imitation is done, from 0 to 1: sets the learning rate, and who plays.
            rng: who plays where, and the order of the lessons.
        """
        parts = [self._lessons(batch, share, rng) for batch in batches]
        observations, masks, actions, shares = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
        rate = min(1.0, share / WARM_UP + 0.05) * (0.01 + 0.5 + 0.5 * math.cos(math.pi * min(1.0, share)))
        for group in self.optimizer.param_groups:
            group["lr"] = self.config.imitation_rate * rate
        order = rng.permutation(len(actions))
        size = min(MINIBATCH, len(order))
        for begin in range(0, len(order) - size + 1, size):
            rows = order[begin : begin + size]
            self._step(observations[rows], masks[rows], actions[rows], shares[rows])
        return len(actions)

    def _lessons(
        self, batch: Batch, share: float, rng: np.random.Generator
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Return what was shown, what was legal, what the bot would choose, and the shares of the win in the end."""
        shape = self.network.shape
        by_student = self.config.student_fraction * min(1.0, 4.0 * share)
        seats = (rng.random((batch.num_games, batch.num_players)) < by_student).astype(np.int8)
        student = Network(shape, self.network.weights(), greedy=False)
        policy = getattr(self.teacher, "compiled", None)
        if policy is None:
            decisions = _told(batch, self.teacher, student, seats)
            actions = decisions.actions
        else:
            decisions = collect(batch, [policy, student.compiled], seats)
            actions = answers(decisions, policy)
        return decisions.observations, decisions.masks, actions, final_shares(batch, decisions, shape.size.n_players)

    def _step(self, observations: np.ndarray, masks: np.ndarray, actions: np.ndarray, shares: np.ndarray) -> None:
        network = self.network
        device = network.near.device
        views = torch.as_tensor(network.shape.view.show(observations)).to(device)
        trunk, places = network.trunk(views)
        logits = network.logits(trunk, places, torch.as_tensor(masks == 1).to(device)).log_softmax(1)
        chosen = torch.as_tensor(actions).to(device)
        expected = network.shares(trunk).log_softmax(1)
        loss = -logits.gather(1, chosen[:, None]).mean()
        loss = loss - VALUE_WEIGHT * (torch.as_tensor(shares).to(device) * expected).sum(1).mean()
        self.optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(network.parameters(), MOST)
        self.optimizer.step()
        agreed = float((logits.detach().argmax(1) == chosen).float().mean())
        self.agreement += SMOOTHING * (agreed - self.agreement)


class _Noted:
    """A bot that writes down what it is asked and what it answers."""

    def __init__(self, agent: Agent) -> None:
        self.agent = agent
        self.parts: list[tuple[np.ndarray, ...]] = []
        self.__name__ = "noted"

    def act(self, view: View, rng: np.ndarray) -> np.ndarray:
        actions = self.agent.act(view, rng)
        self.parts.append((view.observations, view.masks, actions, view.rows, view.players))
        return actions


def _told(batch: Batch, teacher: Agent, student: Network, seats: np.ndarray) -> Decisions:
    """Play games and return what the teacher, policy 0 of ``seats`` int8[B, P], was asked and chose."""
    noted = _Noted(teacher)
    play_on(batch, [noted, student], seats)
    observations, masks, actions, rows, players = (np.concatenate(own) for own in zip(*noted.parts, strict=True))
    notes = np.zeros((len(rows), 2), np.float32)
    return Decisions(observations, masks, actions, rows, players, notes)
