"""A widened network chooses and expects what the narrow one does, and its new units learn."""

from contextlib import nullcontext
from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("torch")

import torch

from shogun_env.agents.network.shape import Shape, Sizes
from shogun_env.spec.game_spec import GameSpec
from shogun_env.training.board_network import BoardNetwork
from shogun_env.training.positions import groups_of, positions_of
from shogun_env.training.runs import check_wider, widened
from tests.positions import BATCHES, OPTIONS, decisions_of

NARROW, WIDE = Sizes(4, 16, 8), Sizes(7, 23, 13)


def sizes_for(spec: GameSpec, sizes: Sizes) -> Sizes:
    return replace(sizes, late=spec.board.late if spec.board is not None else ())


@pytest.mark.parametrize("game", ["shogun", "shitenno", "coins"])
def test_widened__same_logits_and_shares__and_new_units_come_to_count(game: str):
    spec = BATCHES[game].spec
    narrow, wide = (Shape(spec, sizes_for(spec, sizes)) for sizes in (NARROW, WIDE))
    rng = np.random.default_rng(5)
    weights = {
        name: array + rng.normal(0, 0.05, array.shape).astype(np.float32)
        for name, array in narrow.random_weights(5).items()
    }  # biases and heads count too
    networks = [BoardNetwork(shape) for shape in (narrow, wide)]
    networks[0].load_weights(weights)
    networks[1].load_weights(widened(weights, narrow, wide, seed=2))
    decisions = decisions_of(game, OPTIONS[game][0], games=1, seed=3)
    shown = positions_of(narrow, decisions.observations, decisions.masks == 1, groups_of(narrow, decisions))
    for before, after in zip(networks[0](shown), networks[1](shown), strict=True):
        torch.testing.assert_close(after, before, rtol=1e-4, atol=1e-4)

    optimizer = torch.optim.Adam(networks[1].parameters(), lr=1e-3)
    for _ in range(3):
        logits, shares = networks[1](shown)
        optimizer.zero_grad()
        (logits.log_softmax(1)[shown.masks].square().mean() + shares.square().mean()).backward()
        optimizer.step()
    after = networks[1].weights()
    of_places = ("mix.own", "mix.near") if game == "shogun" else ()
    for name in ("second.weight", "action.weight", "share.weight", *of_places):
        assert after[name][narrow.weights()[name][-2] :].any(), name


@pytest.mark.parametrize(
    ("changes", "fits"),
    [({}, True), ({"trunk_width": 17}, True), ({"value_width": 3}, False), ({"features": False}, False)],
)
def test_check_wider__no_layer_narrower_and_nothing_else_read(changes: dict[str, int], fits: bool):
    with nullcontext() if fits else pytest.raises(ValueError, match="start='a': its sizes are"):
        check_wider("a", NARROW, replace(NARROW, **changes))
    with pytest.raises(ValueError, match="set the same or wider in this run"):
        check_wider("a", replace(NARROW, late=("own_card",)), replace(NARROW, **changes))
