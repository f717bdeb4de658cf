"""The network in torch; ``agents.network.arrays`` lists its weights."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn

from shogun_env.agents.network.shape import NEAR_SCALE, SUM_SCALE, Shape
from shogun_env.envs.device_view import torch_view
from shogun_env.training.positions import Positions, add_rows, rows_of

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
        self.show = torch_view(shape.view)

    def weights(self) -> dict[str, np.ndarray]:
        """Return the weights as ``Shape.weights`` names them: float32."""
        names = self.shape.weights()
        return {name: self.own[name.replace(".", "_")].detach().cpu().numpy().copy() for name in names}

    def load_weights(self, weights: dict[str, np.ndarray]) -> None:
        """Take over weights by name."""
        with torch.no_grad():
            for name, array in weights.items():
                self.own[name.replace(".", "_")].copy_(torch.as_tensor(array))

    def forward(self, positions: Positions) -> tuple[Tensor, Tensor]:
        """Return logits of all actions float32[n, A], ``ILLEGAL`` for illegal ones, and of shares float32[n, P].

        The shares of the win are those that each player will have, self first.
        """
        views = positions.views
        if views.dtype == torch.uint8:
            views = self.show(views, positions.features)
        with torch.autocast(views.device.type, torch.bfloat16, enabled=self.is_mixed):
            base, places = self._encoded(views)
        base, places = base.float(), places.float()
        top = self._top(base, places, positions)
        return self._logits(top, places, positions), self._shares(top)

    def _encoded(self, views: Tensor) -> tuple[Tensor, Tensor]:
        """Return what the second layer adds up before late bytes float32[m, T], and the places float32[m * R, H]."""
        shape, own = self.shape, self.own
        total = views[:, self.outside] @ own["trunk_outside"] + own["trunk_bias"]
        n_places, n_columns = shape.size.n_places, shape.size.n_columns
        places = views.new_zeros((0, shape.size.place_width))
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
        return torch.relu(total) @ own["second_weight"] + own["second_bias"], places.flatten(0, -2)

    def _top(self, base: Tensor, places: Tensor, positions: Positions) -> Tensor:
        """Return the top of the trunk for every decision: float32[n, T]."""
        total = rows_of(base, positions.position_of)
        if self.shape.sizes.late:
            total = total + positions.late @ self.own["late_other"]
        if positions.marked is not None:
            marked = positions.marked
            given = torch.relu(rows_of(places, marked.places)).split(list(marked.counts))  # type: ignore[no-untyped-call]
            parts = [part @ weight for part, weight in zip(given, self.own["late_place"], strict=True)]
            total = total + add_rows(torch.cat(parts), marked.seen, marked.decisions, len(total))
        return torch.relu(total)

    def _logits(self, top: Tensor, places: Tensor, positions: Positions) -> Tensor:
        """Return the logits of all actions: float32[n, A]."""
        shape, own = self.shape, self.own
        width = shape.size.place_width
        logits = top @ own["action_weight"] + own["action_bias"]
        at, scores = [], []
        for index, asked in enumerate(positions.asked):
            of_range = torch.cat([own["place_scale"][index], own["place_shift"][index]], 1)
            both = rows_of(top @ of_range, asked.decisions)
            scale, shift = both[:, :width] + own["place_bias"][index], both[:, width:]
            at.append(asked.at)
            scores.append((torch.relu(rows_of(places, asked.places) + shift) * scale).sum(1))
        if positions.numbers is not None:
            numbers = positions.numbers
            at.append(numbers.at)
            scores.append((top[numbers.decisions] @ own["number_weight"]).flatten()[numbers.below])
        if at:
            more = logits.new_zeros(logits.numel()).scatter(0, torch.cat(at), torch.cat(scores))
            logits = logits + more.view_as(logits)
        return torch.where(positions.masks, logits, torch.full_like(logits, ILLEGAL))

    def _shares(self, top: Tensor) -> Tensor:
        """Return logits of the shares of the win: float32[n, P]."""
        own = self.own
        hidden = torch.relu(top @ own["value_weight"] + own["value_bias"])
        logits: Tensor = hidden @ own["share_weight"] + own["share_bias"]
        return logits
