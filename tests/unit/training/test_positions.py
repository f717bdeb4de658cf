"""What the network is shown when it learns: decisions in one position share it, and nothing else changes."""

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("torch")

import torch

from shogun_env.agents.network.shape import Shape, Sizes
from shogun_env.training.board_network import BoardNetwork
from shogun_env.training.positions import ALIKE, add_rows, groups_of, minibatches, positions_of
from tests.positions import BATCHES, OPTIONS, decisions_of

EARLY = Sizes(4, 8, 4)
LATE = replace(EARLY, late=BATCHES["shogun"].spec.board.late)
GROUPS = np.array([0, 0, 1, 2, 2, 2, 3, 4, 5, 5])


@pytest.fixture(scope="module")
def decisions():
    return decisions_of("shogun", OPTIONS["shogun"][0], games=2, seed=3)


def test_groups__of_a_game__are_the_decisions_of_a_player_that_differ_in_late_bytes_only(decisions):
    shape = Shape(BATCHES["shogun"].spec, LATE)
    late = {
        byte for piece in shape.spec.obs_layout if piece.name in LATE.late for byte in range(piece.start, piece.stop)
    }
    early = [byte for byte in range(shape.spec.obs_size) if byte not in late]
    groups = groups_of(shape, decisions)
    latest: dict[tuple[int, int], tuple[int, bytes]] = {}
    for index, (row, player) in enumerate(zip(decisions.rows.tolist(), decisions.players.tolist(), strict=True)):
        shown = decisions.observations[index, early].tobytes()
        group, before = latest.get((row, player), (-1, b""))
        assert (groups[index] == group) == (shown == before)
        latest[row, player] = int(groups[index]), shown
    assert sorted(set(groups.tolist())) == list(range(groups.max() + 1))
    assert groups.max() < len(decisions) / 3
    assert (groups_of(Shape(shape.spec, EARLY), decisions) == np.arange(len(decisions))).all()


def test_gradient__of_decisions_in_shared_positions__is_that_of_each_by_itself(decisions):
    shape = Shape(BATCHES["shogun"].spec, LATE)
    groups = groups_of(shape, decisions)
    order = np.argsort(groups, kind="stable")[:300]
    shown, masks = decisions.observations[order], decisions.masks[order] == 1
    weights = torch.as_tensor(
        np.random.default_rng(0).standard_normal((300, shape.spec.n_actions)), dtype=torch.float32
    )
    results = []
    for numbers in (groups[order], np.arange(300)):
        network = BoardNetwork(shape, seed=1)
        logits, shares = network(positions_of(shape, shown, masks, numbers))
        loss = (logits.log_softmax(1) * weights)[torch.as_tensor(masks)].mean() + shares.square().mean()
        loss.backward()
        results.append({name: own.grad.numpy() for name, own in network.own.items()})
    for name, gradient in results[0].items():
        assert gradient == pytest.approx(results[1][name], abs=1e-5, rel=1e-3), name
        assert np.abs(gradient).max() > 0, name


def test_add_rows__any_pairs__sums_and_gradient_of_a_matrix_of_ones():
    rng = np.random.default_rng(0)
    dense = rng.random((7, 5)) < 0.4
    dense[2] = False
    dense[:, 3] = False
    matrix = torch.tensor(rng.standard_normal((5, 3)), dtype=torch.float32, requires_grad=True)
    targets, rows = map(torch.as_tensor, np.nonzero(dense))
    out = add_rows(matrix, rows, targets, 7)
    assert out.detach().numpy() == pytest.approx(dense @ matrix.detach().numpy(), abs=1e-6)
    given = torch.tensor(rng.standard_normal((7, 3)), dtype=torch.float32)
    out.backward(given)
    assert matrix.grad.numpy() == pytest.approx(dense.T @ given.numpy(), abs=1e-6)


@pytest.mark.parametrize("size", [1, 3, 4, 10, 99])
def test_minibatches__of_groups__hold_all_groups_whole_and_once(size):
    rng = np.random.default_rng(0)
    parts = list(minibatches(GROUPS, size, rng))
    rows = np.concatenate([part for part, _ in parts])
    assert sorted(rows.tolist()) == list(range(len(GROUPS)))
    for part, numbers in parts:
        assert (np.diff(numbers) >= 0).all()
        assert len(part) < 1.5 * size + 3
        for group in set(GROUPS[part].tolist()):
            assert (GROUPS[part] == group).sum() == np.bincount(GROUPS)[group]
            assert len(set(numbers[GROUPS[part] == group].tolist())) == 1
    assert rows.tolist() != np.concatenate([part for part, _ in minibatches(GROUPS, size, rng)]).tolist()


def test_positions__of_different_numbers__have_the_same_shape_so_that_products_are_compiled_once(decisions):
    shape = Shape(BATCHES["shogun"].spec, EARLY)
    network = BoardNetwork(shape, seed=1)
    parts = [
        positions_of(shape, decisions.observations[:n], decisions.masks[:n] == 1, np.arange(n))
        for n in (ALIKE - 3, ALIKE)
    ]
    assert len({part.views.shape for part in parts}) == 1
    (few, _), (every, _) = (network(part) for part in parts)
    assert few.detach().numpy() == pytest.approx(every[: len(few)].detach().numpy(), abs=1e-5)
    assert len(positions_of(shape, decisions.observations[:0], decisions.masks[:0] == 1, np.arange(0)).views) == 0


@pytest.mark.parametrize("sizes", [LATE, replace(LATE, features=False), EARLY])
def test_positions__in_bytes__are_the_same_to_the_network(decisions, sizes):
    shape = Shape(BATCHES["shogun"].spec, sizes)
    shown = decisions.observations, decisions.masks == 1, np.sort(groups_of(shape, decisions))
    network = BoardNetwork(shape, seed=1)
    in_views, in_bytes = (positions_of(shape, *shown, in_bytes=asked) for asked in (False, True))
    assert in_bytes.views.dtype == torch.uint8 and in_bytes.views.shape[1] == shape.spec.obs_size
    for one, other in zip(network(in_views), network(in_bytes), strict=True):
        assert torch.equal(one, other)
    assert in_bytes.to("meta").views.device.type == "meta"
