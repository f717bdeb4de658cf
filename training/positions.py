"""What the network is shown when it learns: positions, the decisions made in them, and which rows belong together.

Decisions of a player that differ only in late bytes share a position, which is encoded once. All else of a decision is
sparse (few cards are in a plan, and few places are legal), so it is kept as lists of rows to look up.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from shogun_env.agents.network.shape import Shape
from shogun_env.batch.collecting import Decisions
from shogun_env.kernel.jit import loop
from shogun_env.kernel.types import Int, Row, Rows
from shogun_env.kernel.vectors import BLOCK, differing

ALIKE = 128
"""Positions are filled up to a multiple of this, by blank ones in which no decision is made: oneDNN compiles a product
of matrices for every size of them, which takes as long as a few products."""


def rows_of(matrix: Tensor, rows: Tensor) -> Tensor:
    """Return rows of a matrix float32[u, w], by their numbers int64[n]: float32[n, w]."""
    return matrix.gather(0, rows[:, None].expand(-1, matrix.shape[1]))  # the gradient of matrix[rows] is slow


def add_rows(matrix: Tensor, rows: Tensor, targets: Tensor, n: int) -> Tensor:
    """Return sums of rows of a matrix float32[u, w]: row ``rows[i]`` is added to ``targets[i]``: float32[n, w]."""
    out = matrix.new_zeros((n, matrix.shape[1]))
    return out.scatter_add(0, targets[:, None].expand(-1, matrix.shape[1]), rows_of(matrix, rows))


class LegalActions(NamedTuple):
    """The legal actions of one kind in all decisions, k of them."""

    places: Tensor
    """int64[k], their rows of the encoded places [m * R]."""
    decisions: Tensor
    """int64[k]."""
    at: Tensor
    """int64[k], where they are among the logits of all decisions, flat."""


class LegalNumbers(NamedTuple):
    """The legal numbers of all decisions, k of them."""

    decisions: Tensor
    """int64[d], decisions about a number."""
    below: Tensor
    """int64[k], row of ``decisions`` times the count of numbers, plus how far below the highest legal one."""
    at: Tensor
    """int64[k], as in ``LegalActions``."""


class Marked(NamedTuple):
    """The places that late flags mark, each once for a position and kind, u of them, by kind."""

    places: Tensor
    """int64[u], their rows of the encoded places."""
    counts: tuple[int, ...]
    """How many there are of each kind."""
    seen: Tensor
    """int64[k], which of them decisions see."""
    decisions: Tensor
    """int64[k], these decisions."""


class Positions(NamedTuple):
    """Decisions, n of them, in m positions, of which the last may be blank."""

    views: Tensor
    """float32[m, F], the view of each position; or uint8[m, D], the bytes of which the network makes it where it is."""
    features: Tensor | None
    """float32[m, B], the board features that go with bytes; None with views."""
    position_of: Tensor
    """int64[n], the position of each decision."""
    late: Tensor
    """float32[n, n_late_columns]."""
    marked: Marked | None
    """None for a network without late flags of places."""
    asked: tuple[LegalActions, ...]
    """For each range of actions that names places."""
    numbers: LegalNumbers | None
    masks: Tensor
    """bool[n, A]."""

    def to(self, device: torch.device | str) -> Positions:
        """Return it with all tensors on a device."""
        return _moved(self, device)


def _moved(value: Any, device: torch.device | str) -> Any:
    if isinstance(value, Tensor):
        return value.to(device)
    if isinstance(value, tuple):
        parts = [_moved(part, device) for part in value]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    return value


def groups_of(shape: Shape, decisions: Decisions) -> np.ndarray:
    """Return numbers, from 0, which are the same for decisions that a player makes in one position: int64[n].

    Args: decisions: those of a game in order.
    """
    n = len(decisions)
    if not shape.sizes.late:
        return np.arange(n)
    key = decisions.rows * max(shape.spec.players) + decisions.players
    order = np.argsort(key, kind="stable")
    early = np.zeros(-(-shape.spec.obs_size // BLOCK) * BLOCK, bool)
    for piece in shape.spec.obs_layout:
        early[piece.start : piece.stop] = piece.name not in shape.sizes.late
    differs = np.append(False, key[order][1:] != key[order][:-1])[:n]
    bits = np.packbits(early, bitorder="little").view(np.uint64)
    mark_differing(decisions.observations, order, bits, differs, 1, n)
    out = np.empty(n, np.int64)
    out[order] = np.cumsum(differs)
    return out


@loop
def mark_differing(observations: Rows, order: Row, early: Row, differs: Row, lo: Int, hi: Int) -> None:
    """Mark which of the observations uint8[n, D], taken in an order, differ from the one before.

    Args:
        order: int64[n].
        early: uint64[D / BLOCK, rounded up], bits of the bytes that count.
        differs: bool[n], marked.
    """
    for index in range(lo, hi):
        row, before, bits = observations[order[index]], observations[order[index - 1]], np.uint64(0)
        for block in range(early.shape[0]):
            bits |= differing(row, before, block * BLOCK) & early[block]
        differs[index] |= bits != 0


def minibatches(groups: np.ndarray, size: int, rng: np.random.Generator) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield all decisions once, in a new random order of groups, in minibatches of about equal size.

    Args: groups: int64[n], as ``groups_of`` returns them; size: decisions of a minibatch, about, as groups stay whole.

    Yields: decisions and, rising, their groups: int64[k] each.
    """
    counts = np.bincount(groups)
    order = rng.permutation(len(counts))
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    ends = np.cumsum(counts[order])
    total = len(groups)
    count = max(1, round(total / size))
    batch_of = np.maximum(ends - 1, 0) * count // max(1, total)
    rows = np.argsort(rank[groups], kind="stable")
    edges = np.concatenate([[0], ends])[np.searchsorted(batch_of, np.arange(count + 1))]
    for begin, end in itertools.pairwise(edges.tolist()):
        if end > begin:
            yield rows[begin:end], rank[groups[rows[begin:end]]]


def positions_of(
    shape: Shape, observations: np.ndarray, masks: np.ndarray, groups: np.ndarray, in_bytes: bool = False
) -> Positions:
    """Return decisions as the network learns from them.

    Args:
        shape: the shape of the network.
        observations: uint8[n, D].
        masks: bool[n, A].
        groups: int64[n], rising numbers, the same for decisions in one position.
        in_bytes: whether the network is to make the views itself, on a device to which bytes are quicker to move.
    """
    n = len(groups)
    first = np.flatnonzero(np.diff(groups, prepend=-1))
    of = np.cumsum(np.diff(groups, prepend=-1) != 0) - 1
    late = np.zeros((n, 0), np.float32)
    if shape.sizes.late:
        late = shape.late_view.show(observations).take(shape.late_outside, 1)  # indexing takes four times as long
    seen = np.zeros((-(-len(first) // ALIKE) * ALIKE, observations.shape[1]), np.uint8)
    seen[: len(first)] = observations[first]
    return Positions(
        views=torch.as_tensor(seen if in_bytes else shape.view.show(seen)),
        features=torch.as_tensor(shape.view.features_of(seen)) if in_bytes and shape.size.n_features else None,
        position_of=torch.as_tensor(of),
        late=torch.as_tensor(late),
        marked=_marked(shape, observations, of, len(seen)) if shape.size.n_late_bytes else None,
        asked=tuple(_asked(shape, masks, of, at) for at in (shape.board.actions if shape.board is not None else ())),
        numbers=_numbers(shape, masks) if shape.numbers else None,
        masks=torch.as_tensor(masks),
    )


def _asked(shape: Shape, masks: np.ndarray, of: np.ndarray, first: int) -> LegalActions:
    """Return the legal actions that name a place, from action ``first`` on."""
    decisions, place = np.nonzero(masks[:, first : first + shape.size.n_places])
    return LegalActions(
        places=torch.as_tensor(of[decisions] * shape.size.n_places + place),
        decisions=torch.as_tensor(decisions),
        at=torch.as_tensor(decisions * shape.size.n_actions + first + place),
    )


def _numbers(shape: Shape, masks: np.ndarray) -> LegalNumbers:
    """Return the legal numbers."""
    numbers = shape.numbers
    legal = masks[:, numbers.start : numbers.stop]
    (decisions,) = np.nonzero(legal.any(1))
    legal = legal[decisions]
    highest = len(numbers) - 1 - legal[:, ::-1].argmax(1)
    row, number = np.nonzero(legal)
    return LegalNumbers(
        decisions=torch.as_tensor(decisions),
        below=torch.as_tensor(row * len(numbers) + highest[row] - number),
        at=torch.as_tensor(decisions[row] * shape.size.n_actions + numbers.start + number),
    )


def _marked(shape: Shape, observations: np.ndarray, of: np.ndarray, positions: int) -> Marked:
    """Return the places that late flags mark."""
    places, found = shape.size.n_places, []
    rows = positions * places
    for byte, low, high, kind, step, _ in shape.late_entries.board.tolist():
        values = observations[:, byte : byte + places]
        decision, place = np.nonzero((values >= low) & (values <= high))
        kind_of = kind + (values[decision, place].astype(np.int64) - low) * step
        found.append((decision, kind_of * rows + of[decision] * places + place))
    decision, key = (np.concatenate(parts) for parts in zip(*found, strict=True))
    is_marked = np.zeros(shape.size.n_late_kinds * rows, bool)
    is_marked[key] = True
    each = np.flatnonzero(is_marked)
    number_of = np.empty(len(is_marked), np.int64)
    number_of[each] = np.arange(len(each))
    return Marked(
        places=torch.as_tensor(each % rows),
        counts=tuple(np.bincount(each // rows, minlength=shape.size.n_late_kinds).tolist()),
        seen=torch.as_tensor(number_of[key]),
        decisions=torch.as_tensor(decision),
    )
