"""PPO that learns from whole games of compiled players, with all seats of the learner in its buffer.

sb3's own collecting asks one environment row for one decision after another. Here games are played by compiled loops
with the network as a compiled policy, and what it expected is turned into advantages player by player. ``train`` is
written for this: the value learns by cross-entropy what share of the win each player has in the end, as in imitation
(by squared error what one player has, with ``all_shares=false``), decisions may have weights (``telling``), and the
rate rises at first. Of MaskablePPO remain its settings and their schedules, Adam as it makes it, the progress of a run
that they depend on, and the logger.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import Logger
from torch import Tensor
from torch.profiler import record_function

from shogun_env.agents.network.agent import Network
from shogun_env.agents.network.shape import Shape
from shogun_env.batch.batch import Batch
from shogun_env.batch.collecting import Decisions
from shogun_env.shares import final_shares
from shogun_env.training.board_policy import BoardNetwork, BoardPolicy
from shogun_env.training.config import Config
from shogun_env.training.labels import Labels
from shogun_env.training.positions import Positions, groups_of, minibatches, positions_of
from shogun_env.training.rates import ppo_rate, risen


def multiplies_bfloat16() -> bool:
    """Return whether the machine on which networks learn multiplies numbers of 16 bits faster than those of 32."""
    if torch.cuda.is_available():
        return bool(torch.cuda.is_bf16_supported())
    known: dict[str, Any] = getattr(torch.cpu, "get_capabilities", dict)()  # without it: float32
    return bool(known.get("avx512_bf16") or known.get("amx_bf16"))


def prepare_torch(threads: int) -> None:
    """Let torch use ``threads`` threads, and switch off its check that probabilities sum to 1.

    By rounding, that check fails on large masked distributions; it also costs time.
    """
    torch.set_num_threads(threads)
    torch.distributions.Distribution.set_default_validate_args(False)


class Samples(NamedTuple):
    """Decisions with what there is to learn from them, n of them."""

    observations: np.ndarray
    """uint8[n, D]."""
    masks: np.ndarray
    """bool[n, A], True where an action was legal."""
    actions: np.ndarray
    """int64[n]."""
    log_probs: np.ndarray
    """float32[n], logarithm of the probability with which the learner chose the action."""
    values: np.ndarray
    """float32[n], the share of the win that the learner expected."""
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
    def joined(cls, parts: Sequence[Samples]) -> Samples:
        """Return the samples of several batches of games as one."""
        firsts = np.cumsum([0, *(int(part.groups.max(initial=-1)) + 1 for part in parts)])
        numbered = [part._replace(groups=part.groups + first) for part, first in zip(parts, firsts, strict=False)]
        return cls(*(np.concatenate(arrays) for arrays in zip(*numbered, strict=True)))

    def some(self, rows: np.ndarray, groups: np.ndarray) -> Samples:
        """Return some of the samples, with numbers of their groups, as ``minibatches`` yields both."""
        return Samples(*(array[rows] for array in self))._replace(groups=groups)

    @property
    def shown(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """What ``positions_of`` takes: observations, masks and groups."""
        return self.observations, self.masks, self.groups


def advantages_of(decisions: Decisions, final: np.ndarray, gae_lambda: float) -> np.ndarray:
    """Return how much better than expected it went on after each decision: float32[n].

    There is no discount and no reward before the end; the next value is that of the player's next decision.

    Args:
        decisions: those of a game in order.
        final: float32[n], the share of the win of the player who decides, in the end.
        gae_lambda: 1 for the share in the end alone, 0 for the next value alone.
    """
    key = decisions.rows * (decisions.players.max(initial=0) + 1) + decisions.players
    order = np.lexsort((np.arange(len(key)), key))
    is_last = np.append(key[order][1:] != key[order][:-1], True)
    values = decisions.values[order].astype(np.float64)
    following = np.where(is_last, final[order], np.append(values[1:], 0.0))
    surprises = following - values
    out = np.empty(len(key))
    carried = 0.0
    for index in range(len(key) - 1, -1, -1):
        carried = surprises[index] + (0.0 if is_last[index] else gae_lambda * carried)
        out[index] = carried
    back = np.empty(len(key), np.float32)
    back[order] = out
    return back


def samples_of(batch: Batch, decisions: Decisions, shape: Shape, gae_lambda: float) -> Samples:
    """Return what there is to learn from the decisions of games that are over, for a network of a shape."""
    shares = final_shares(batch, decisions, shape.size.n_players)
    advantages = advantages_of(decisions, shares[:, 0], gae_lambda)
    return Samples(
        observations=decisions.observations,
        masks=decisions.masks.astype(np.bool_),
        actions=decisions.actions,
        log_probs=decisions.log_probs,
        values=decisions.values,
        advantages=advantages,
        returns=advantages + decisions.values,
        shares=shares,
        groups=groups_of(shape, decisions),
        weights=np.ones(len(decisions), np.float32),
    )


def labelled(labels: Labels, shape: Shape) -> Samples:
    """Return labels as samples of a network of a shape; there is nothing in them for PPO."""
    decisions, nothing = labels.decisions, np.zeros(len(labels.actions), np.float32)
    return Samples(
        observations=labels.observations, masks=labels.masks.astype(np.bool_), actions=labels.actions,
        log_probs=nothing, values=nothing, advantages=nothing, returns=nothing, shares=labels.shares,
        groups=groups_of(shape, decisions), weights=nothing + 1,
    )  # fmt: skip


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
    """Samples of one step of the optimizer, as tensors; names are those of sb3."""

    observations: Positions
    actions: Tensor
    old_log_prob: Tensor
    advantages: Tensor
    returns: Tensor
    shares: Tensor
    weights: Tensor
    action_masks: Tensor


class GamesBuffer:
    """The samples that the learner's next update goes through, in the face of sb3's rollout buffer."""

    def __init__(
        self,
        buffer_size: int,
        observation_space: Any,
        action_space: Any,
        device: torch.device | str,
        *,
        shape: Shape,
        seed: int,
        **rest: Any,
    ) -> None:
        """Make an empty buffer, whose minibatches are on ``device``; what else sb3 passes is not needed."""
        self.device = torch.device(device)
        self.shape = shape
        self.rng = np.random.default_rng(seed)
        self.samples: Samples  # set before every update
        self.part = 1.0
        """Which part of the decisions the samples are: minibatches stand for ``batch_size`` decisions."""

    def get(self, batch_size: int) -> Iterator[Minibatch]:
        """Yield all samples once, in a new random order of positions, in minibatches; a small rest is left out."""
        size = max(1, round(batch_size * self.part))
        for rows, groups in minibatches(self.samples.groups, size, self.rng):
            with record_function("learner/show"):
                samples = self.samples.some(rows, groups)
                positions = positions_of(self.shape, *samples.shown, in_bytes=self.device.type != "cpu")
            arrays = {
                "actions": samples.actions, "old_log_prob": samples.log_probs, "advantages": samples.advantages,
                "returns": samples.returns, "shares": samples.shares, "weights": samples.weights,
            }  # fmt: skip
            with record_function("learner/move"):
                positions = positions.to(self.device)
                tensors = {name: torch.as_tensor(array).to(self.device) for name, array in arrays.items()}
            yield Minibatch(observations=positions, action_masks=positions.masks, **tensors)


class GamesPPO(MaskablePPO):
    """PPO without an environment, which learns from the samples in its buffer, with the settings of MaskablePPO.

    Args:
        shape: the shape of the network.
        config: the settings.
    """

    policy: BoardPolicy

    def __init__(self, shape: Shape, config: Config) -> None:
        self.board_shape = shape
        self.config = config
        super().__init__(
            BoardPolicy,
            None,  # type: ignore[arg-type]  # no environment: games are played by compiled loops
            policy_kwargs={"shape": shape, "seed": config.seed},
            rollout_buffer_class=GamesBuffer,  # type: ignore[arg-type]
            rollout_buffer_kwargs={"shape": shape, "seed": config.seed},
            learning_rate=lambda left: ppo_rate(config.learning_rate, left),
            batch_size=config.batch_size,
            n_epochs=config.n_epochs,
            ent_coef=config.ent_coef,
            clip_range=config.clip_range,
            vf_coef=config.vf_coef,
            target_kl=config.target_kl or None,
            seed=config.seed,
            device="cuda" if torch.cuda.is_available() else "cpu",
            _init_setup_model=False,
        )
        self.n_envs = 1
        self.observation_space = spaces.Box(shape.view.low, shape.view.high, (shape.view.size,), np.float32)
        self.action_space = spaces.Discrete(shape.spec.n_actions)
        self._setup_model()
        self.network.is_mixed = {"auto": multiplies_bfloat16(), "float32": False, "bfloat16": True}[config.precision]
        self.magnet: BoardNetwork | None = None
        """The reference from which the policy may not stray far; None without."""
        if config.magnet_coef:
            self.magnet = BoardNetwork(shape, config.seed).to(self.device).requires_grad_(False)
            self.magnet.is_mixed = self.network.is_mixed
        self.set_logger(Logger(None, []))  # without one, stable-baselines3 makes a temporary folder

    @property
    def network(self) -> BoardNetwork:
        """The network that learns."""
        return self.policy.network

    def agent(self, greedy: bool = False) -> Network:
        """Return the network as it is now as a bot."""
        return Network(self.board_shape, self.network.weights(), greedy)

    def train(self) -> None:
        """Go through the samples in the buffer ``n_epochs`` times, or until the policy has moved too far."""
        optimizer = self.policy.optimizer
        self._update_learning_rate(optimizer)
        rate = self.lr_schedule(self._current_progress_remaining)
        clip = self.clip_range(self._current_progress_remaining)  # type: ignore[operator]
        figures: list[dict[str, float]] = []
        for _ in range(self.n_epochs):
            for samples in self.rollout_buffer.get(self.batch_size):
                with record_function("learner/forward"):
                    losses, far = self._losses(samples, clip)  # type: ignore[arg-type]
                figures.append({**{name: float(loss.detach()) for name, loss in losses.items()}, "approx_kl": far})
                if self.target_kl is not None and far > 1.5 * self.target_kl:
                    break
                loss = losses["policy_gradient_loss"] + self.ent_coef * losses["entropy_loss"]
                if self.magnet is not None:
                    loss = loss + self.config.magnet_coef * losses["magnet_loss"]
                optimizer.zero_grad()
                with record_function("learner/backward"):
                    (loss + self.vf_coef * losses["value_loss"]).backward()  # type: ignore[no-untyped-call]
                with record_function("learner/step"):
                    for group in optimizer.param_groups:
                        group["lr"] = risen(rate, _steps_of(optimizer))
                    torch.nn.utils.clip_grad_norm_(self.policy.parameters(), self.max_grad_norm)
                    optimizer.step()
            self._n_updates += 1
            if self.target_kl is not None and figures and figures[-1]["approx_kl"] > 1.5 * self.target_kl:
                break
        for name in figures[0] if figures else ():
            self.logger.record(f"train/{name}", float(np.mean([step[name] for step in figures])))
        self.logger.record("train/n_updates", self._n_updates, exclude="tensorboard")

    def _losses(self, samples: Minibatch, clip: float) -> tuple[dict[str, Tensor], float]:
        """Return the losses of a minibatch by the names of sb3, and how far the policy has moved (KL divergence)."""
        logits, expected = self.network(samples.observations)
        log_probs = logits.log_softmax(1)
        change = log_probs.gather(1, samples.actions[:, None])[:, 0] - samples.old_log_prob
        weights = samples.weights / samples.weights.sum()

        def mean(values: Tensor) -> Tensor:
            return (weights * values).sum()

        centred = samples.advantages - mean(samples.advantages)
        advantages = centred / (mean(centred.square()).sqrt() + 1e-8)
        ratio = change.exp()
        clipped = ratio.clamp(1 - clip, 1 + clip)
        if self.config.all_shares:
            value_losses = -(samples.shares * expected.log_softmax(1)).sum(1)
        else:
            value_losses = (expected.softmax(1)[:, 0] - samples.returns).square()
        losses = {
            "policy_gradient_loss": -mean(torch.min(advantages * ratio, advantages * clipped)),
            "value_loss": mean(value_losses),
            "entropy_loss": mean((log_probs.exp() * log_probs).sum(1)),
        }
        if self.magnet is not None:
            with torch.no_grad():
                reference = self.magnet(samples.observations)[0].log_softmax(1)
            losses["magnet_loss"] = mean((log_probs.exp() * (log_probs - reference)).sum(1))
        return losses, float(mean((ratio - 1 - change).detach()))

    def learn_from(self, samples: Samples, left: float) -> None:
        """Go through samples, or those that tell most, as often as the settings say.

        Args: left: part of PPO that is left, from 1 to 0, by which the learning rate goes down.
        """
        self._current_progress_remaining = left
        buffer: Any = self.rollout_buffer
        all_of_them = len(samples.actions)
        if self.config.learnt_fraction < 1:
            samples = telling(samples, self.config.learnt_fraction, buffer.rng)
        buffer.samples, buffer.part = samples, len(samples.actions) / max(1, all_of_them)
        self.num_timesteps += all_of_them
        self.train()
        config, before = self.config, self.num_timesteps - all_of_them
        if config.magnet_every and self.num_timesteps // config.magnet_every > before // config.magnet_every:
            self.move_magnet()
        elif config.magnet_average:
            self.move_magnet(min(1.0, all_of_them / config.magnet_average))

    def move_magnet(self, part: float = 1.0) -> None:
        """Move the weights of the reference, if there is one, this part of the way to those of the learner."""
        if self.magnet is not None:
            with torch.no_grad():
                for own, learnt in zip(self.magnet.parameters(), self.network.parameters(), strict=True):
                    own.lerp_(learnt, part)


def _steps_of(optimizer: torch.optim.Optimizer) -> int:
    """Return how many steps an optimizer has made; a checkpoint keeps them."""
    state: Mapping[str, Any] = next(iter(optimizer.state.values()), {})
    return int(state.get("step", 0))
