"""PPO from whole games, in which all seats of the learner are learnt from.

Compiled loops play the games with the network as a compiled policy, and what it expected is turned into advantages
player by player. The value learns by cross-entropy what share of the win each player has in the end, as in imitation
(by squared error what one player has, with ``all_shares=false``); decisions may have weights (``telling``); and the
rate rises at first. Only the logger is that of stable-baselines3.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from stable_baselines3.common.logger import Logger
from torch import Tensor

from shogun_env.agents.network.agent import Network
from shogun_env.agents.network.shape import Shape
from shogun_env.batch.collecting import Decisions
from shogun_env.training.board_network import BoardNetwork
from shogun_env.training.config import Config
from shogun_env.training.positions import Positions, groups_of, minibatches, positions_of

ADAM_EPSILON = 1e-5
"""Added to the denominator of Adam, as in stable-baselines3."""
MAX_NORM = 0.5
"""Largest norm of a gradient; a longer one is cut to it."""
PLAN_BATCH = 8192
"""Decisions of a minibatch of judged plans: as their advantages are less noisy, fewer are enough."""
ACTION_BATCH, ACTION_EPOCHS = 2048, 4
"""Actions of a minibatch of other judged decisions, and how often each is learnt from."""
HEAT, FIT, MOST_MOVED = 0.003, 0.03, 12.0
"""Shares of the win that the policy is to gain for each unit by which it strays from the reference there; the weight of
this loss, by which its gradient is about as long as others; and how far it may stray."""
LAST_OF_PPO = 0.1
"""Part of the first rate that is left at the end of a run."""
RISE_OF_PPO = 50
"""Steps of Adam in which the rate of PPO rises, because the first ones know the size of few gradients: a run that began
with the champion moved in its first update twenty times as far as later (KL divergence .038), which it had to learn
again."""


def multiplies_bfloat16() -> bool:
    """Return whether the machine on which networks learn multiplies numbers of 16 bits faster than those of 32."""
    if torch.cuda.is_available():
        return bool(torch.cuda.is_bf16_supported())
    known: dict[str, Any] = getattr(torch.cpu, "get_capabilities", dict)()  # without it: float32
    return bool(known.get("avx512_bf16") or known.get("amx_bf16"))


class Pieces:
    """The rows of several arrays, numbered one after the other, without a copy of all of them."""

    def __init__(self, arrays: Sequence[np.ndarray]) -> None:
        self._arrays = arrays
        self._ends = np.cumsum([*map(len, arrays)])

    def __getitem__(self, rows: np.ndarray) -> np.ndarray:
        """Return rows by their numbers int64[k], as a new array."""
        out = np.empty((len(rows), *self._arrays[0].shape[1:]), self._arrays[0].dtype)
        piece = np.searchsorted(self._ends, rows, "right")
        for index, array in enumerate(self._arrays):
            here = np.flatnonzero(piece == index)
            out[here] = array[rows[here] - (self._ends[index] - len(array))]
        return out


class Samples(NamedTuple):
    """Decisions with what there is to learn from them, n of them."""

    observations: Any
    """uint8[n, D], or ``Pieces`` of it."""
    masks: Any
    """bool[n, A], True where an action was legal; or ``Pieces`` of it."""
    actions: np.ndarray
    """int64[n]."""
    log_probs: np.ndarray
    """float32[n], logarithm of the probability with which the learner chose the action."""
    advantages: np.ndarray
    """float32[n], by how much the game went better than expected, by GAE (Schulman et al. 2016)."""
    returns: np.ndarray
    """float32[n], what the value should have been."""
    shares: np.ndarray
    """float32[n, P], final share of the win per player, starting with the player to act; 0 for absent players."""
    groups: np.ndarray
    """int64[n], numbers from 0, the same for decisions of a player in one position, as ``groups_of`` returns them."""
    weights: np.ndarray
    """float32[n], how many decisions each stands for: 1, or more where ``telling`` has left some out."""

    @classmethod
    def of(
        cls, decisions: Decisions, shape: Shape, advantages: np.ndarray, returns: np.ndarray, shares: np.ndarray
    ) -> Samples:
        """Return decisions, those of a game in order, with what there is to learn for a network of a shape."""
        return cls(
            observations=decisions.observations, masks=decisions.masks.view(np.bool_), actions=decisions.actions,
            log_probs=decisions.log_probs, advantages=advantages, returns=returns, shares=shares,
            groups=groups_of(shape, decisions), weights=np.ones(len(decisions), np.float32),
        )  # fmt: skip

    @classmethod
    def joined(cls, parts: Sequence[Samples]) -> Samples:
        """Return the samples of several batches of games as one, whose observations and masks are not copied."""
        firsts = np.cumsum([0, *(int(part.groups.max(initial=-1)) + 1 for part in parts)])
        numbered = [part._replace(groups=part.groups + first) for part, first in zip(parts, firsts, strict=False)]
        observations, masks, *others = zip(*numbered, strict=True)
        return cls(Pieces(observations), Pieces(masks), *map(np.concatenate, others))

    def some(self, rows: np.ndarray, groups: np.ndarray) -> Samples:
        """Return some of the samples, with numbers of their groups, as ``minibatches`` yields both."""
        return Samples(*(array[rows] for array in self))._replace(groups=groups)


def advantages_of(decisions: Decisions, final: np.ndarray, gae_lambda: float) -> np.ndarray:
    """Return how much better than expected the game went after each decision: float32[n].

    There is no discount and no reward before the end; the next value is that of the player's next decision.

    Args:
        decisions: those of a game in order.
        final: float32[n], the share of the win of the player who decides, in the end.
        gae_lambda: 1 for the share in the end alone, 0 for the next value alone.
    """
    key = decisions.rows * (decisions.players.max(initial=0) + 1) + decisions.players
    order = np.argsort(key, kind="stable")
    is_last = np.append(key[order][1:] != key[order][:-1], True)[: len(key)]
    values = decisions.values[order].astype(np.float64)
    surprises = np.where(is_last, final[order], np.append(values[1:], 0.0)) - values
    carried, out = 0.0, []
    for surprise, part in zip(surprises[::-1].tolist(), np.where(is_last, 0.0, gae_lambda)[::-1].tolist(), strict=True):
        carried = surprise + part * carried
        out.append(carried)
    back = np.empty(len(key), np.float32)
    back[order[::-1]] = out
    return back


def samples_of(decisions: Decisions, shares: np.ndarray, shape: Shape, gae_lambda: float = 1.0) -> Samples:
    """Return what there is to learn from the decisions of games that are over, for a network of a shape.

    Args:
        decisions: n of them, those of a game in order.
        shares: float32[n, P], final share of the win per player, starting with the player to act.
        shape: the shape of the network.
        gae_lambda: as in ``advantages_of``.
    """
    advantages = advantages_of(decisions, shares[:, 0], gae_lambda)
    return Samples.of(decisions, shape, advantages, advantages + decisions.values, shares)


def telling(samples: Samples, fraction: float, rng: np.random.Generator) -> Samples:
    """Return the decisions that a policy learns most from, each with the weight that keeps every mean what it was.

    The gradient of a decision is about as long as its advantage times the improbability of its action. A strong policy
    is sure of most of its actions, so a tenth of them make up nearly all of the gradient. Decisions are drawn by this
    length; half of ``fraction`` goes to whole positions whatever they tell, for the value (importance sampling;
    Katharopoulos and Fleuret 2018).

    Args:
        samples: n decisions.
        fraction: part of them that is returned, about.
        rng: which of them.
    """
    lengths = np.abs(samples.advantages) * -np.expm1(samples.log_probs)
    whole = fraction / 2
    chances = _proportional(lengths, (fraction - whole) / (1 - whole))
    is_whole = rng.random(int(samples.groups.max(initial=-1)) + 1) < whole
    kept = np.flatnonzero(is_whole[samples.groups] | (rng.random(len(lengths)) < chances))
    weights = (1 / (whole + (1 - whole) * chances[kept])).astype(np.float32)
    _, groups = np.unique(samples.groups[kept], return_inverse=True)
    return samples.some(kept, groups)._replace(weights=weights)


def _proportional(lengths: np.ndarray, mean: float) -> np.ndarray:
    """Return probabilities with this mean, at most 1 and otherwise in proportion to lengths float[n]: float64[n]."""
    low, high = 0.0, float(lengths.max(initial=0.0)) / max(mean, 1e-9)
    for _ in range(50):
        unit = (low + high) / 2
        enough = np.minimum(1.0, lengths / max(unit, 1e-12)).mean() >= mean if len(lengths) else False
        low, high = (unit, high) if enough else (low, unit)
    return np.minimum(1.0, lengths / max(high, 1e-12)).astype(np.float64)


class Minibatch(NamedTuple):
    """Samples of one step of the optimizer, as tensors."""

    positions: Positions
    actions: Tensor
    log_probs: Tensor
    advantages: Tensor
    returns: Tensor
    shares: Tensor
    weights: Tensor


def minibatch_of(samples: Samples, shape: Shape, device: torch.device | str) -> Minibatch:
    """Return samples whose groups rise as a network of a shape learns from them, on a device."""
    shown = samples.observations, samples.masks, samples.groups
    positions = positions_of(shape, *shown, in_bytes=torch.device(device).type != "cpu")
    names = (name for name in Minibatch._fields if name != "positions")
    tensors = {name: torch.as_tensor(getattr(samples, name)).to(device) for name in names}
    return Minibatch(positions=positions.to(device), **tensors)


class PPO:
    """A network that learns from the games that it has played (Schulman et al. 2017, arXiv 1707.06347).

    Args:
        shape: the shape of the network.
        config: the settings.

    Attributes:
        network: the network that learns.
        magnet: the reference from which the policy may not stray far; None without.
        decisions: decisions learnt from so far.
        n_updates: how often samples were gone through.
        logger: gets the figures of each update; it writes nothing until it is replaced.
    """

    def __init__(self, shape: Shape, config: Config) -> None:
        self.shape, self.config = shape, config
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        self.network = self._new_network()
        weights = self.network.parameters()
        self.optimizer = torch.optim.Adam(weights, lr=config.learning_rate, eps=ADAM_EPSILON, fused=True)
        self.magnet = self._new_network().requires_grad_(False) if config.magnet_coef else None
        self.rng = np.random.default_rng(config.seed)
        self.decisions = self.n_updates = 0
        self.logger = Logger(None, [])

    def _new_network(self) -> BoardNetwork:
        network = BoardNetwork(self.shape, self.config.seed).to(self.device)
        network.is_mixed = {"auto": multiplies_bfloat16(), "float32": False, "bfloat16": True}[self.config.precision]
        return network

    def agent(self) -> Network:
        """Return the network as it is now as a bot that draws its actions."""
        return Network(self.shape, self.network.weights(), greedy=False)

    def learn_from(self, samples: Samples, left: float) -> None:
        """Go through samples, or those that tell most, as often as the settings say.

        Args: left: part of PPO that is left, from 1 to 0, by which the learning rate goes down.
        """
        config, before, count = self.config, self.decisions, len(samples.actions)
        self.decisions += count
        self._update(samples, config.batch_size, left)
        if config.magnet_every and self.decisions // config.magnet_every > before // config.magnet_every:
            self.move_magnet()
        elif config.magnet_average:
            self.move_magnet(min(1.0, count / config.magnet_average))

    def learn_judged(self, plans: Samples, actions: Samples, left: float) -> None:
        """Go through the decisions of judged plans, then the actions of other judged decisions.

        They tell nothing of the value. Args: plans, actions: as ``judged`` returns them; left: as in ``learn_from``.
        """
        self._update(plans, PLAN_BATCH, left, "judged")
        rate, losses = self._rate(left), []
        for _ in range(ACTION_EPOCHS):
            for rows, groups in minibatches(actions.groups, ACTION_BATCH, self.rng):
                minibatch = minibatch_of(actions.some(rows, groups), self.shape, self.device)
                _, decisions = np.unique(groups, return_inverse=True)
                losses.append(self._fit_loss(minibatch, torch.as_tensor(decisions, device=self.device)))
                self._step(losses[-1], rate)
        if losses:
            self.logger.record("judged/fit_loss", float(np.mean([float(loss.detach()) for loss in losses])))

    def _fit_loss(self, minibatch: Minibatch, decisions: Tensor) -> Tensor:
        """Return how far the policy is from what gains most for its distance from the reference: squared, a mean.

        That is the policy of the reference times exp(advantage / HEAT) (Abdolmaleki et al. 2018, arXiv 1806.06920). It
        is compared by differences from the mean of the actions of a decision, as rare actions would tell nothing by
        their gradient alone, and errors of advantages are averaged out.

        Args: minibatch; decisions, int64[n], numbers from 0 of those to which its actions belong.
        """
        count = torch.bincount(decisions)

        def log_probs_by(network: BoardNetwork) -> Tensor:
            return network(minibatch.positions)[0].log_softmax(1).gather(1, minibatch.actions[:, None])[:, 0]

        def centred(values: Tensor) -> Tensor:
            return values - (torch.zeros_like(values[: len(count)]).index_add(0, decisions, values) / count)[decisions]

        with torch.no_grad():
            before = minibatch.log_probs if self.magnet is None else log_probs_by(self.magnet)
        moved = (log_probs_by(self.network) - before).clamp(-MOST_MOVED, MOST_MOVED)
        return FIT * (centred(moved) - centred(minibatch.advantages) / HEAT).square().mean()

    def _rate(self, left: float) -> float:
        """Return the learning rate where ``left`` of PPO is left."""
        return self.config.learning_rate * (LAST_OF_PPO + (1.0 - LAST_OF_PPO) * left)

    def _step(self, loss: Tensor, rate: float) -> None:
        """Make a step of the optimizer."""
        self.optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        state: Mapping[str, Any] = next(iter(self.optimizer.state.values()), {})  # a checkpoint keeps it
        for group in self.optimizer.param_groups:
            group["lr"] = rate * min(1.0, (int(state.get("step", 0)) + 1) / RISE_OF_PPO)
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), MAX_NORM)
        self.optimizer.step()

    def _update(self, samples: Samples, size: int, left: float, kind: str = "train") -> None:
        """Go through samples in minibatches ``n_epochs`` times, or until the policy has moved too far.

        Args: samples; size, of a minibatch of all of them; left, as in ``learn_from``; kind, what the names of its
            figures begin with.
        """
        config, count = self.config, len(samples.actions)
        if config.learnt_fraction < 1:
            samples = telling(samples, config.learnt_fraction, self.rng)
            size = max(1, round(size * len(samples.actions) / max(1, count)))
        rate = self._rate(left)
        far = 1.5 * config.target_kl or math.inf
        figures: list[dict[str, float]] = []
        for _ in range(config.n_epochs):
            for rows, groups in minibatches(samples.groups, size, self.rng):
                minibatch = minibatch_of(samples.some(rows, groups), self.shape, self.device)
                losses, moved = self._losses(minibatch)
                figures.append({**{name: float(loss.detach()) for name, loss in losses.items()}, "approx_kl": moved})
                if moved > far:
                    break
                loss = losses["policy_gradient_loss"] + config.ent_coef * losses["entropy_loss"]
                if self.magnet is not None:
                    loss = loss + config.magnet_coef * losses["magnet_loss"]
                self._step(loss + config.vf_coef * losses["value_loss"], rate)
            self.n_updates += 1
            if figures and figures[-1]["approx_kl"] > far:
                break
        self.logger.record(f"{kind}/learning_rate", rate)
        for name in figures[0] if figures else ():
            self.logger.record(f"{kind}/{name}", float(np.mean([step[name] for step in figures])))
        self.logger.record(f"{kind}/n_updates", self.n_updates)

    def _losses(self, minibatch: Minibatch) -> tuple[dict[str, Tensor], float]:
        """Return the losses of a minibatch by the names of sb3, and how far the policy has moved (KL divergence)."""
        logits, expected = self.network(minibatch.positions)
        log_probs, probs = logits.log_softmax(1), logits.softmax(1)  # the exponential of -1e8 alone would be slow
        change = log_probs.gather(1, minibatch.actions[:, None])[:, 0] - minibatch.log_probs
        weights = minibatch.weights / minibatch.weights.sum()

        def mean(values: Tensor) -> Tensor:
            return (weights * values).sum()

        centred = minibatch.advantages - mean(minibatch.advantages)
        advantages = centred / (mean(centred.square()).sqrt() + 1e-8)
        ratio = change.exp()
        clipped = ratio.clamp(1 - self.config.clip_range, 1 + self.config.clip_range)
        if self.config.all_shares:
            value_losses = -(minibatch.shares * expected.log_softmax(1)).sum(1)
        else:
            value_losses = (expected.softmax(1)[:, 0] - minibatch.returns).square()
        losses = {
            "policy_gradient_loss": -mean(torch.min(advantages * ratio, advantages * clipped)),
            "value_loss": mean(value_losses),
            "entropy_loss": mean((probs * log_probs).sum(1)),
        }
        if self.magnet is not None:
            with torch.no_grad():
                reference = self.magnet(minibatch.positions)[0].log_softmax(1)
            losses["magnet_loss"] = mean((probs * (log_probs - reference)).sum(1))
        return losses, float(mean((ratio - 1 - change).detach()))

    def move_magnet(self, part: float = 1.0) -> None:
        """Move the weights of the reference, if there is one, this part of the way to those of the learner."""
        if self.magnet is not None:
            with torch.no_grad():
                for own, learnt in zip(self.magnet.parameters(), self.network.parameters(), strict=True):
                    own.lerp_(learnt, part)
