"""The network in torch, and as a policy of MaskablePPO; ``agents.network.arrays`` lists its weights."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from sb3_contrib.common.maskable.distributions import MaskableCategoricalDistribution
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from torch import Tensor, nn

from shogun_env.agents.network.shape import NEAR_SCALE, SUM_SCALE, Shape

ILLEGAL = -1e8
"""The logit of illegal actions."""


class BoardNetwork(nn.Module):
    """The network of a shape; its parameters ``own`` have the names of ``Shape.weights``, with ``_`` for ``.``.

    Attributes:
        is_mixed: whether ``trunk`` multiplies in bfloat16, which is faster where the processor knows it; weights and
            heads stay in float32.
    """

    near: Tensor
    outside: Tensor
    pool_columns: Tensor

    def __init__(self, shape: Shape, seed: int = 0) -> None:
        super().__init__()
        self.shape = shape
        self.is_mixed = False
        self.own = nn.ParameterDict(
            {name.replace(".", "_"): torch.as_tensor(array) for name, array in shape.random_weights(seed).items()}
        )
        near = torch.as_tensor(shape.neighbour_matrix() * NEAR_SCALE)
        self.register_buffer("near", near, persistent=False)
        self.register_buffer("outside", torch.as_tensor(shape.outside), persistent=False)
        self.register_buffer("pool_columns", torch.as_tensor(shape.pool_columns(), dtype=torch.int64), persistent=False)

    def weights(self) -> dict[str, np.ndarray]:
        """Return the weights as ``Shape.weights`` names them: float32."""
        names = self.shape.weights()
        return {name: self.own[name.replace(".", "_")].detach().cpu().numpy().copy() for name in names}

    def load_weights(self, weights: dict[str, np.ndarray]) -> None:
        """Take over weights by name."""
        with torch.no_grad():
            for name, array in weights.items():
                self.own[name.replace(".", "_")].copy_(torch.as_tensor(array))

    def trunk(self, views: Tensor) -> tuple[Tensor, Tensor]:
        """Return the trunk float32[n, T] and the places float32[n, R, H] for float views float32[n, F]."""
        with torch.autocast(views.device.type, torch.bfloat16, enabled=self.is_mixed):
            trunk, places = self._trunk(views)
        return trunk.float(), places.float()

    def _trunk(self, views: Tensor) -> tuple[Tensor, Tensor]:
        shape, own = self.shape, self.own
        total = views[:, self.outside] @ own["trunk_outside"] + own["trunk_bias"]
        places = views.new_zeros((len(views), 0, shape.size.place_width))
        n_places, n_columns = shape.size.n_places, shape.size.n_columns
        if n_places:
            block = views[:, shape.start : shape.start + n_places * n_columns].reshape(-1, n_places, n_columns)
            encoded = torch.relu(block @ own["row_weight"] + own["row_bias"])
            places = encoded @ own["mix_own"] + own["mix_bias"]
            if shape.board is not None and shape.board.neighbours:
                places = places + self.near @ (encoded @ own["mix_near"])
            active = torch.relu(places)
            member = torch.cat([torch.ones_like(block[..., :1]), block[..., self.pool_columns]], -1)
            sums = (member.transpose(1, 2) @ active).flatten(1)
            if shape.size.has_each_place:
                sums = torch.cat([sums, active.flatten(1)], 1)
            total = total + (sums * SUM_SCALE) @ own["trunk_pooled"]
        return torch.relu(torch.relu(total) @ own["second_weight"] + own["second_bias"]), places

    def logits(self, trunk: Tensor, places: Tensor, masks: Tensor) -> Tensor:
        """Return the logits of all actions: float32[n, A], those of illegal ones ``ILLEGAL``.

        Args: trunk, places: as ``trunk`` returns them; masks: bool[n, A].
        """
        shape, own = self.shape, self.own
        logits = trunk @ own["action_weight"] + own["action_bias"]
        parts = {}
        for index, first in enumerate(shape.board.actions if shape.board is not None else ()):
            scale = trunk @ own["place_scale"][index] + own["place_bias"][index]
            shift = trunk @ own["place_shift"][index]
            scores = (torch.relu(places + shift[:, None]) @ scale[:, :, None])[..., 0]
            parts[first] = scores
        if shape.numbers:
            numbers = shape.numbers
            below = trunk @ own["number_weight"]
            legal = masks[:, numbers.start : numbers.stop]
            order = torch.arange(len(numbers), device=trunk.device)
            highest = torch.where(legal, order, -1).amax(1, keepdim=True)
            parts[numbers.start] = torch.where(
                order <= highest, below.gather(1, (highest - order).clamp(min=0)), torch.zeros_like(below)
            )
        pieces, at = [], 0
        for first in sorted(parts):
            pieces += [torch.zeros_like(logits[:, at:first]), parts[first]]
            at = first + parts[first].shape[1]
        pieces.append(torch.zeros_like(logits[:, at:]))
        return torch.where(masks, logits + torch.cat(pieces, 1), torch.full_like(logits, ILLEGAL))

    def shares(self, trunk: Tensor) -> Tensor:
        """Return logits of the shares of the win that each player will have, self first: float32[n, P]."""
        own = self.own
        hidden = torch.relu(trunk @ own["value_weight"] + own["value_bias"])
        logits: Tensor = hidden @ own["share_weight"] + own["share_bias"]
        return logits


class BoardPolicy(MaskableActorCriticPolicy):
    """A ``BoardNetwork`` as the policy of MaskablePPO, for float views with static columns.

    Args:
        shape: the shape of the network, whose view the observation space must be.
        seed: of its first weights.
        rest: as MaskablePPO passes it.
    """

    def __init__(self, *rest: Any, shape: Shape, seed: int = 0, **more: Any) -> None:
        self.board_shape, self.board_seed = shape, seed
        more.setdefault("net_arch", [])
        super().__init__(*rest, **more)

    def _build(self, lr_schedule: Any) -> None:
        self.network = BoardNetwork(self.board_shape, self.board_seed)
        self.optimizer = self.optimizer_class(self.network.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)  # type: ignore[call-arg]

    def forward(
        self, obs: Tensor, deterministic: bool = False, action_masks: Any = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Return actions int64[n], values float32[n, 1] and log-probabilities float32[n]."""
        distribution, values = self._both(obs, action_masks)
        actions = distribution.get_actions(deterministic=deterministic)
        return actions, values, distribution.log_prob(actions)

    def evaluate_actions(self, obs: Tensor, actions: Tensor, action_masks: Any = None) -> tuple[Tensor, Tensor, Tensor]:
        """Return values float32[n, 1], log-probabilities and entropies float32[n] of ``actions`` int64[n]."""
        distribution, values = self._both(obs, action_masks)
        return values, distribution.log_prob(actions), distribution.entropy()

    def get_distribution(self, obs: Any, action_masks: Any = None) -> MaskableCategoricalDistribution:
        """Return the distribution of actions."""
        return self._both(obs, action_masks)[0]

    def predict_values(self, obs: Any) -> Tensor:
        """Return the share of the win that each player who decides expects: float32[n, 1]."""
        trunk, _ = self.network.trunk(obs)
        values: Tensor = self.network.shares(trunk).softmax(1)[:, :1]
        return values

    def _both(self, obs: Tensor, action_masks: Any) -> tuple[MaskableCategoricalDistribution, Tensor]:
        trunk, places = self.network.trunk(obs)
        if action_masks is None:
            masks = torch.ones((len(obs), self.board_shape.spec.n_actions), dtype=torch.bool, device=obs.device)
        else:
            masks = torch.as_tensor(action_masks, dtype=torch.bool, device=obs.device).reshape(len(obs), -1)
        distribution = MaskableCategoricalDistribution(self.board_shape.spec.n_actions)
        distribution.proba_distribution(self.network.logits(trunk, places, masks))
        return distribution, self.network.shares(trunk).softmax(1)[:, :1]
