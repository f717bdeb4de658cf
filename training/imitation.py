"""Imitation: the network learns to choose what a bot chooses, and who wins in the end.

Compiled bots answer at next to no cost. The network also plays some of the seats itself, and learns what the bot would
do in the positions that it gets into (Ross et al. 2011), so that it learns to correct its own mistakes. The choices of
a slow bot, such as search, are written down once (``export.py``), and ``export:FOLDER`` learns from these. A tenth of
the files is held out: the network is kept as it was when it foretold those best.
"""

import functools
import math
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import torch

from shogun_env.agents.network.agent import Network
from shogun_env.batch.batch import Batch
from shogun_env.policies import make_agent
from shogun_env.shares import final_shares
from shogun_env.training.board_network import BoardNetwork
from shogun_env.training.config import Config
from shogun_env.training.export import decided, files_in, held_out, read_taught
from shogun_env.training.learner import Minibatch, Samples, minibatch_of, samples_of
from shogun_env.training.positions import minibatches

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
and reaches positions that do not matter."""
SMOOTHING = 0.02
"""Weight of the latest minibatch in the agreement that is shown."""
WARM_UP = 0.03
"""Part of imitation in which the rate rises: the first steps of Adam know the size of few gradients and go too far."""
WARM_UP_FROM = 0.05
"""Part of the highest rate at which it begins to rise."""
LOOKS = 10
"""How often held-out files are looked at while all others are learnt from once."""
LAST_OF_IMITATION = 0.01
"""Part of the highest rate that is left at the end of imitation."""


def imitation_rate(highest: float, done: float) -> float:
    """Return the learning rate when ``done`` of the imitation, from 0 to 1, is over."""
    rise = min(1.0, done / WARM_UP + WARM_UP_FROM)
    return highest * (rise * (LAST_OF_IMITATION + 0.5 + 0.5 * math.cos(math.pi * min(1.0, done))))


class Imitation:
    """Imitation of a bot by a network.

    Args:
        network: the network, changed in place.
        config: the settings.

    Raises: ValueError for what is no bot; when it is first used, for a folder without games of this one.

    Attributes:
        optimizer: of the network's weights.
        agreement: part of the decisions, lately, in which the network's first choice is the bot's.
        files_read: how many files of an export were learnt from; all come in a random order, then all in another one.
        teachers: the bot that is imitated, as it plays and as it says what it would have chosen; none for an export.
        lowest: the loss on held-out files where it was lowest.
    """

    def __init__(self, network: BoardNetwork, config: Config) -> None:
        self.network = network
        self.config = config
        self.optimizer = torch.optim.AdamW(network.parameters(), lr=config.imitation_rate, weight_decay=WEIGHT_DECAY)
        self.agreement = 0.0
        self.files_read = 0
        self.lowest = math.inf
        self.old: BoardNetwork | None = None
        self.teachers = [make_agent(name, network.shape.spec) for name in config.teachers for _ in range(2)]

    def hold_to(self, weights: dict[str, np.ndarray]) -> None:
        """Hold the network to the policy with these weights, as far as the settings say."""
        self.old = BoardNetwork(self.network.shape).to(self.network.near.device).requires_grad_(False)
        self.old.load_weights(weights)

    @functools.cached_property
    def files(self) -> tuple[list[Path], list[Path]]:
        """The files of an export that are learnt from instead, and those held out; none if a bot is imitated."""
        folder = self.config.export
        return held_out([] if folder is None else files_in(folder, self.network.shape.spec))

    def _next(self, files: list[Path]) -> Samples:
        """Return what there is to learn from the next file."""
        turn, place = divmod(self.files_read, len(files))
        order = np.random.default_rng((self.config.seed, turn)).permutation(len(files))
        self.files_read += 1
        return self._read(files[order[place]])

    def _read(self, path: Path) -> Samples:
        return samples_of(*read_taught(path, self.network.shape.spec), self.network.shape)

    def is_best(self) -> bool:
        """Return whether the network is the one to keep: now and then the loss on held-out files is looked at."""
        learnt, held = self.files
        if not held:
            return True
        if self.files_read % max(1, len(learnt) // LOOKS):
            return self.lowest == math.inf  # before the first look the last one is
        losses = []
        with torch.no_grad():
            for samples in map(self._read, held):
                for rows, groups in minibatches(samples.groups, MINIBATCH, np.random.default_rng(0)):
                    losses.append(float(self._loss(self._minibatch(samples.some(rows, groups)))[0]))
        loss, before = float(np.mean(losses)), self.lowest
        self.lowest = min(loss, before)
        return loss <= before

    def learn_from(self, batches: Iterable[Batch], done: float, rng: np.random.Generator) -> int:
        """Learn from the next file, or play games and learn from all their decisions; return how many there were.

        Args:
            batches: new games, with ``reward="win"``.
            done: how much of the imitation is over, from 0 to 1: sets the learning rate, and who plays.
            rng: who plays where, and the order of the samples.
        """
        if files := self.files[0]:
            samples = self._next(files)
        else:
            samples = Samples.joined([self._samples(batch, done, rng) for batch in batches])
        for group in self.optimizer.param_groups:
            group["lr"] = imitation_rate(self.config.imitation_rate, done)
        for rows, groups in minibatches(samples.groups, MINIBATCH, rng):
            self._step(samples.some(rows, groups))
        return len(samples.actions)

    def _samples(self, batch: Batch, done: float, rng: np.random.Generator) -> Samples:
        """Return the decisions of games, with what the bot would choose as actions."""
        shape = self.network.shape
        by_student = self.config.student_fraction * min(1.0, done / STUDENT_AFTER)
        seats = (rng.random((batch.num_games, batch.num_players)) < by_student).astype(np.int8)
        student = Network(shape, self.network.weights(), greedy=False)
        player, teacher = self.teachers
        decisions, taught = decided(batch, [player, student], teacher, seats)
        samples = samples_of(decisions, final_shares(batch, decisions, shape.size.n_players), shape)
        return samples._replace(actions=taught)

    def _minibatch(self, samples: Samples) -> Minibatch:
        return minibatch_of(samples, self.network.shape, self.network.near.device)

    def _loss(self, minibatch: Minibatch) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the loss of a minibatch, and the logits."""
        logits, expected = self.network(minibatch.positions)
        log_probs = logits.log_softmax(1)
        loss = -log_probs.gather(1, minibatch.actions[:, None]).mean()
        if self.old is not None:
            with torch.no_grad():
                old = self.old(minibatch.positions)[0].softmax(1)
            loss = loss + self.config.imitation_hold * (-(old * log_probs).sum(1).mean() - loss)
        return loss - VALUE_WEIGHT * (minibatch.shares * expected.log_softmax(1)).sum(1).mean(), logits

    def _step(self, samples: Samples) -> None:
        minibatch = self._minibatch(samples)
        loss, logits = self._loss(minibatch)
        self.optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), MAX_NORM)
        self.optimizer.step()
        agreed = float((logits.detach().argmax(1) == minibatch.actions).float().mean())
        self.agreement += SMOOTHING * (agreed - self.agreement)
