"""The trainer on a toy game whose best play is known."""

from __future__ import annotations

import tempfile

import pytest

from shogun_env.training.config import Config, changed
from shogun_env.training.nets import make_learner, prepare_torch
from shogun_env.training.sanity_envs import CueGame, mean_reward

pytest.importorskip("sb3_contrib")


@pytest.mark.full
def test_trainer__toy_game__solved(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    config = changed(
        Config(),
        {"n_envs": 64, "n_steps": 32, "net_arch": {"pi": [32], "vf": [32]}, "learning_rate": 1e-3, "batch_size": 512},
    )
    prepare_torch(1)
    learner = make_learner(CueGame(config.n_envs), config)
    assert mean_reward(learner, CueGame(64, seed=1)) < 0.5
    learner.learn(20_000)
    assert mean_reward(learner, CueGame(64, seed=1)) > 0.95
    assert not list(tmp_path.glob("SB3-*"))  # sb3's default logger leaves an empty folder
