"""Networks as agents: which are refused, which action they choose."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import shogun_env.agents as _bots  # noqa: F401 - gives the bots their names
from shogun_env.agents.network import Network, card_of, load_network
from shogun_env.shogun import SHOGUN


def network_of(logits, greedy):
    torch = pytest.importorskip("torch")

    def get_distribution(observations, action_masks):
        scores = torch.as_tensor(np.where(action_masks, logits, -1e9), dtype=torch.float32)
        return SimpleNamespace(distribution=torch.distributions.Categorical(logits=scores))

    policy = SimpleNamespace(device="cpu", get_distribution=get_distribution)
    return Network(policy, SHOGUN, greedy)


def test_network__card_of_another_layout__refused_before_it_is_read(tmp_path: Path):
    (tmp_path / "model.zip").write_bytes(b"never read")
    (tmp_path / "model.json").write_text(json.dumps({**card_of(SHOGUN), "layout": "other"}))
    with pytest.raises(ValueError, match="layout is 'other'"):
        load_network(SHOGUN, tmp_path)


def test_network__greedy__takes_the_likeliest_legal_action():
    network = network_of(np.arange(SHOGUN.n_actions, dtype=float), greedy=True)
    masks = np.zeros((2, SHOGUN.n_actions), np.int8)
    masks[0, [3, 7]] = 1
    masks[1, [0, 119]] = 1
    view = SimpleNamespace(observations=np.zeros((2, SHOGUN.obs_size), np.uint8), masks=masks)
    assert network.act(view, np.zeros((2, 2), np.uint64)).tolist() == [7, 119]


def test_network__sampling__draws_by_its_shares_from_the_deciders_own_rows():
    network = network_of(np.log(np.full(SHOGUN.n_actions, 0.5)), greedy=False)
    masks = np.zeros((400, SHOGUN.n_actions), np.int8)
    masks[:, [3, 7]] = 1
    view = SimpleNamespace(observations=np.zeros((400, SHOGUN.obs_size), np.uint8), masks=masks)
    rng = np.arange(800, dtype=np.uint64).reshape(400, 2)
    first, again = network.act(view, rng.copy()), network.act(view, rng.copy())
    assert (first == again).all()
    assert set(first.tolist()) == {3, 7}
    assert 140 < (first == 3).sum() < 260  # five standard errors
