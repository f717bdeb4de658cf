"""The network in torch; ``agents.network.arrays`` lists its weights."""

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor, nn

from shogun_env.agents.network.shape import NEAR_SCALE, SUM_SCALE, Shape
from shogun_env.envs.device_view import torch_view
from shogun_env.training.positions import Positions, add_rows, rows_of

ENCODER = ("trunk_", "row_", "mix_", "second_")
"""How the names of the weights begin that may be multiplied in bfloat16."""
ILLEGAL = -1e8
"""The logit of illegal actions."""


class BoardNetwork(nn.Module):
    """The network of a shape; its parameters ``own`` have the names of ``Shape.weights``, with ``_`` for ``.``.

    Attributes:
        is_mixed: whether ``trunk`` multiplies in bfloat16, which is faster where the processor knows it; weights and
            heads stay in float32.
    """

    near: Tensor
    pools: Tensor
    every_place: Tensor

    def __init__(self, shape: Shape, seed: int = 0) -> None:
        super().__init__()
        self.shape = shape
        self.is_mixed = False
        self.own = nn.ParameterDict(
            {name.replace(".", "_"): torch.as_tensor(array) for name, array in shape.random_weights(seed).items()}
        )
        near = torch.as_tensor(shape.neighbour_matrix() * NEAR_SCALE)
        self.register_buffer("near", near, persistent=False)
        pools = torch.zeros(shape.size.n_columns, shape.size.n_pools)
        pools[shape.pool_columns(), [*range(1, shape.size.n_pools)]] = 1.0
        self.register_buffer("pools", pools, persistent=False)  # picks the columns that say which sums a place is in
        self.register_buffer("every_place", torch.eye(1, shape.size.n_pools)[0], persistent=False)  # the first has all
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
        base, places = self._encoded(views)
        marked = [] if positions.marked is None else [positions.marked.places]
        looked_up = [*marked, *(asked.places for asked in positions.asked)]
        # All at once, so that their gradient goes back to the places in one piece; without a board there are none.
        rows = torch.cat([positions.position_of[:0], *looked_up])
        picked = rows_of(places, rows).float().split([*map(len, looked_up)])  # type: ignore[no-untyped-call]
        top = self._top(base.float(), picked[: len(marked)], positions)
        return self._logits(top, picked[len(marked) :], positions), self._shares(top)

    def _encoded(self, views: Tensor) -> tuple[Tensor, Tensor]:
        """Return what the second layer adds up before late bytes, [m, T], and the places [m * R, H].

        Weights are narrowed once, and biases are added within the products: half of the time went into other passes.
        """
        shape, kind = self.shape, torch.bfloat16 if self.is_mixed else torch.float32
        own = {name: weight.to(kind) for name, weight in self.own.items() if name.startswith(ENCODER)}
        n_places, n_columns = shape.size.n_places, shape.size.n_columns
        begin, end = shape.start, shape.start + n_places * n_columns
        outside = torch.cat([views[:, :begin].to(kind), views[:, end:].to(kind)], 1)
        total = torch.addmm(own["trunk_bias"], outside, own["trunk_outside"])
        places = total.new_zeros((0, shape.size.place_width))
        if n_places:
            flat = views[:, begin:end].to(kind).reshape(-1, n_columns)
            encoded = torch.relu(torch.addmm(own["row_bias"], flat, own["row_weight"]))
            places = torch.addmm(own["mix_bias"], encoded, own["mix_own"])
            if shape.board is not None and shape.board.neighbours:
                given = (encoded @ own["mix_near"]).view(len(views), n_places, -1)
                places = places + (self.near.to(kind) @ given).flatten(0, 1)
            active = torch.relu(places).view(len(views), n_places, -1)
            member = torch.addmm(self.every_place.to(kind), flat, self.pools.to(kind)).view(len(views), n_places, -1)
            sums = (member.transpose(1, 2) @ active).flatten(1)
            if shape.size.has_each_place:
                sums = torch.cat([sums, active.flatten(1)], 1)
            total = torch.addmm(total, sums * SUM_SCALE, own["trunk_pooled"])
        return torch.addmm(own["second_bias"], torch.relu(total), own["second_weight"]), places

    def _top(self, base: Tensor, places: Sequence[Tensor], positions: Positions) -> Tensor:
        """Return the top of the trunk for every decision: float32[n, T]."""
        total = rows_of(base, positions.position_of)
        if self.shape.sizes.late:
            total = total + positions.late @ self.own["late_other"]
        if positions.marked is not None:
            marked = positions.marked
            given = torch.relu(places[0]).split(list(marked.counts))  # type: ignore[no-untyped-call]
            parts = [part @ weight for part, weight in zip(given, self.own["late_place"], strict=True)]
            total = total + add_rows(torch.cat(parts), marked.seen, marked.decisions, len(total))
        return torch.relu(total)

    def _logits(self, top: Tensor, places: Sequence[Tensor], positions: Positions) -> Tensor:
        """Return the logits of all actions: float32[n, A]."""
        shape, own = self.shape, self.own
        width = shape.size.place_width
        logits = top @ own["action_weight"] + own["action_bias"]
        at, scores = [], []
        for index, asked in enumerate(positions.asked):
            of_range = torch.cat([own["place_scale"][index], own["place_shift"][index]], 1)
            scale, shift = rows_of(top @ of_range, asked.decisions).split(width, 1)  # type: ignore[no-untyped-call]
            at.append(asked.at)
            scores.append((torch.relu(places[index] + shift) * (scale + own["place_bias"][index])).sum(1))
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
        return hidden @ own["share_weight"] + own["share_bias"]
