"""What ``Batch.play`` takes as a policy, and what it says of other things."""

from typing import Any

import numpy as np
import pytest
from numba import njit

from shogun_env.batch.rollouts import roll_out
from shogun_env.policies import compiled_policy, make_agent, policy
from tests.games import batch_class
from tests.zoo.bots import lowest


def plain(observation, legal, rng, params):
    return legal.argmax()


@pytest.mark.parametrize(
    "given",
    [
        lowest(None),
        lowest,
        plain,
        (lowest(None), [1.0]),
        ("random",),
        (plain, [1.0], 3),
        "scriptd",
        None,
        3,
        ["random"],
    ],
)
@pytest.mark.parametrize("name", ["shogun", "shitenno"])
def test_play__what_is_no_policy__is_refused_saying_what_it_takes(name: str, given: Any):
    batch = batch_class(name)(4)
    before = batch.save()
    seats = np.zeros((4, batch.num_players), np.int8)
    for play in (
        lambda: batch.play([given] * batch.num_players),
        lambda: batch.play([given], 0),
        lambda: roll_out(batch, np.arange(4), np.arange(4), [given], seats),
    ):
        with pytest.raises(
            ValueError, match=r"^policy .*: must be 'random', a function made with @policy, or a pair"
        ) as error:
            play()
        assert "\n" not in str(error.value)
        assert "play_on" in str(error.value)
    assert batch.save() == before


def lowest_legal(observation, legal, rng, params):
    action = 0
    while legal[action] == 0:
        action += 1
    return action


def test_play__agents_compiled_and_pairs__are_what_it_takes():
    batch, other = batch_class("shitenno")(4), batch_class("shitenno")(4)
    pair = compiled_policy("scripted", batch.spec)
    batch.play([pair, njit(lowest_legal), "random", make_agent("random", batch.spec).compiled[0]])
    other.play([pair, policy(lowest_legal), "random", "random"])
    assert batch.points.tolist() == other.points.tolist()


def test_play__name_in_place_of_a_list__is_refused_with_the_list():
    batch = batch_class("shitenno")(4)
    with pytest.raises(ValueError, match=r"^policies='random': must be a list, such as \['random'\] \* 4$"):
        batch.play("random")
