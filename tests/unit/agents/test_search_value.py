"""The fitted value of search: the files that are shipped fit the games."""

import pytest

from shogun_env.agents.search.value import value_of
from shogun_env.shitenno import SHITENNO
from shogun_env.shogun import SHOGUN
from shogun_env.spec.game_spec import GameSpec


@pytest.mark.parametrize("spec", [SHOGUN, SHITENNO], ids=lambda spec: spec.name)
def test_value_shipped__fits_the_features_of_the_game(spec: GameSpec):
    for players in spec.players:
        weights = value_of(spec, players)
        assert weights is not None and weights.shape[1:] == (len(spec.engine.value_names),)
        assert len(weights) == 7 if spec is SHOGUN else len(weights) > 4
        assert (weights[1:, spec.engine.value_names.index("points")] >= 0).all()
