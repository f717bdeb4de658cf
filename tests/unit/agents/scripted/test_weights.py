"""The weights of the scripted bots and how a spec changes them."""

from __future__ import annotations

import pytest

import shogun_env.agents as _bots  # noqa: F401 - gives the bots their names
from shogun_env.agents.scripted import shitenno, shogun
from shogun_env.policies import make_agent
from shogun_env.shitenno import Batch as ShitennoBatch
from shogun_env.shogun import Batch as ShogunBatch

WEIGHTS = {ShogunBatch: shogun.WEIGHTS, ShitennoBatch: shitenno.WEIGHTS}
"""By game, what its scripted bot plays by."""


every_game = pytest.mark.parametrize("batch_class", WEIGHTS)


@every_game
def test_weights__style_and_changes__differences_from_defaults(batch_class):
    weights = WEIGHTS[batch_class]
    names = [name for name, _, _ in weights.parameters]
    usual, other, *_ = weights.styles
    assert weights.params_of(usual).tolist() == [default for _, default, _ in weights.parameters]
    (changed, value), *_ = weights.styles[other].items()
    assert weights.params_of(other)[names.index(changed)] == value
    assert weights.params_of(other, **{changed: "0.75"})[names.index(changed)] == 0.75
    assert weights.params_of(other, **{changed: None})[names.index(changed)] == value


@every_game
@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("scripted:style=loud", "must be one of balanced, {styles}"),
        ("scripted:{weight}=high", "{weight}='high'"),
        ("scripted:{weight}=11", "from 0 to 10"),
        ("scripted:{weight}=nan", "from 0 to 10"),
        ("scripted:colour=red", "unknown parameter 'colour'; known are style, {weights}$"),
        ("ppo", "path"),
        ("ppo:/nowhere/model.zip", "model.json"),
    ],
)
def test_spec__wrong__one_line_names_what_would_be_right(batch_class, spec, says):
    weights = WEIGHTS[batch_class]
    names = [name for name, _, _ in weights.parameters]
    words = {"styles": ", ".join(list(weights.styles)[1:]), "weight": names[0], "weights": ", ".join(names)}
    with pytest.raises(ValueError, match=says.format(**words)) as caught:
        make_agent(spec.format(**words), batch_class.spec)
    assert "\n" not in str(caught.value)


def test_spec__weight_of_the_other_games_bot__refused():
    with pytest.raises(ValueError, match="unknown parameter 'risk'; known are style, troop"):
        make_agent("scripted:risk=0.3", ShitennoBatch.spec)
