"""The fitted value: it finds the weights of made games, and the file that is shipped fits the game."""

from __future__ import annotations

import json

import numpy as np
import pytest

from shogun_env.agents.search.value import value_of
from shogun_env.shitenno import SHITENNO
from shogun_env.shogun import SHOGUN, Batch
from shogun_env.spec.game_spec import GameSpec
from shogun_env.training.fit_value import fit, fit_value, log_loss, main, probabilities
from tests.coins import Batch as Coins


def test_fit__results_drawn_from_known_weights__finds_them():
    rng = np.random.default_rng(0)
    x, weights = rng.standard_normal((8000, 4, 3)), np.array([1.0, -0.5, 0.0])
    chances = probabilities(x, weights)
    winners = (chances.cumsum(1) < rng.random((8000, 1))).sum(1)
    shares = np.eye(4)[winners]
    fitted = fit(x, shares)
    assert np.abs(fitted - weights).max() < 0.06
    assert log_loss(x, shares, fitted) < log_loss(x, shares, np.zeros(3)) - 0.2


@pytest.mark.full
def test_command__few_games__writes_weights_for_every_number_of_players(tmp_path, capsys):
    file = tmp_path / "value.json"
    assert main(["--games", "60", "--out", str(file)]) == 0
    value = json.loads(file.read_text())
    assert set(value["weights"]) == {"3", "4", "5"} and len(value["weights"]["4"]) == 7
    assert "4 players: log loss" in capsys.readouterr().out


@pytest.mark.parametrize("spec", [SHOGUN, SHITENNO], ids=lambda spec: spec.name)
def test_value_shipped__fits_the_features_of_the_game(spec: GameSpec):
    for players in spec.players:
        weights = value_of(spec, players)
        assert weights is not None and weights.shape[1:] == (len(spec.engine.value_names),)
        assert len(weights) == 7 if spec is SHOGUN else len(weights) > 4
        assert (weights[1:, spec.engine.value_names.index("points")] >= 0).all()


def test_fit_value__game_without_features__is_refused():
    with pytest.raises(ValueError, match="coins has no features"):
        fit_value(Coins, 2)


def test_fit_value__bot_that_is_not_compiled__is_refused():
    with pytest.raises(ValueError, match="must be a compiled bot"):
        fit_value(Batch, 2, bot="search")
