"""The fitted value: it finds the weights of made games, and the file that is shipped fits the game."""

import json

import numpy as np
import pytest

from shogun_env.agents.search.value import mix_of, value_of
from shogun_env.commands import run_command
from shogun_env.shitenno import SHITENNO
from shogun_env.shogun import SHOGUN
from shogun_env.spec.game_spec import GameSpec
from shogun_env.training.fit_value import fit, fit_mix, fit_value, log_loss, mix_loss, probabilities
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


def test_fit_mix__results_drawn_from_a_known_mix__finds_it():
    rng = np.random.default_rng(0)
    x, mix = np.column_stack([rng.standard_normal((20_000, 2)), np.ones(20_000)]), np.array([0.3, 0.8, -0.2])
    shares = (rng.random(20_000) < 1 / (1 + np.exp(-x @ mix))).astype(np.float64)
    fitted = fit_mix(x, shares)
    assert np.abs(fitted - mix).max() < 0.06
    assert mix_loss(x, shares, fitted) < mix_loss(x, shares, np.array([1.0, 0.0, 0.0])) - 0.05


@pytest.mark.full
def test_command__few_games__writes_weights_for_every_number_of_players(tmp_path, capsys):
    file = tmp_path / "value.json"
    assert run_command("fit-value", ["--games", "60", "--critic", "champion", "--out", str(file)]) == 0
    value = json.loads(file.read_text())
    assert set(value["weights"]) == {"3", "4", "5"} and len(value["weights"]["4"]) == 7
    assert [np.shape(mix) for mix in value["mix"].values()] == [(6, 3)] * 3
    printed = capsys.readouterr().out
    assert "4 players: log loss " in printed and "4 players: log loss of one player's chance" in printed


@pytest.mark.parametrize("spec", [SHOGUN, SHITENNO], ids=lambda spec: spec.name)
def test_value_shipped__fits_the_features_of_the_game(spec: GameSpec):
    for players in spec.players:
        weights = value_of(spec, players)
        assert weights is not None and weights.shape[1:] == (len(spec.engine.value_names),)
        assert len(weights) == 7 if spec is SHOGUN else len(weights) > 4
        assert (weights[1:, spec.engine.value_names.index("points")] >= 0).all()


def test_mix_shipped__has_a_row_for_every_number_of_rounds_and_asks_the_critic():
    for players in SHOGUN.players:
        mix = mix_of(SHOGUN, players)
        assert mix is not None and mix.shape == (6, 3)
        assert (mix[:, :2] > 0).all()
    assert mix_of(SHITENNO, 4) is None


def test_fit_value__game_without_features__is_refused():
    with pytest.raises(ValueError, match="coins has no features"):
        fit_value(Coins, 2)


def test_fit_value__few_games__never_writes_what_is_no_number(tmp_path, capsys):
    file = tmp_path / "value.json"
    for games in (3, 4, 5):
        run_command("fit-value", ["--game", "shitenno", "--games", str(games), "--out", str(file)])
        assert "nan" not in capsys.readouterr().out and "NaN" not in file.read_text("utf-8")
