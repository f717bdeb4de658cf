"""What cases of Shitennō cannot say: what many games come to, and what a state does not hold."""

import numpy as np

from shogun_env.shitenno import Batch


def test_S1__two_players__any_two_of_the_four_titles_are_dealt():
    batch = Batch(600, num_players=2)
    dealt, counts = np.unique(batch.games["seals"][:, :2], axis=0, return_counts=True)
    assert len(dealt) == 12
    assert counts.min() > 25


def test_S9__bonus_sides__are_drawn_only_when_a_tile_is_taken():
    batch = Batch(1)
    assert batch.games["unturned"][0].tolist() == [[2, 2, 2]] * 4
    assert "stack" not in {name for name, *_ in batch.spec.state_dtype.descr}


def test_example_17__sixth_division_of_four__empties_the_koku_pile_and_is_the_last():
    batch = Batch(40, num_players=4, record=True)
    batch.play(["random"] * 4)
    long = [record for record in batch.records() if any(line.get("round") == 6 for line in record)]
    assert len(long) > 5
    for record in long:
        rounds = [line["round"] for line in record if line["t"] == "round"]
        assert rounds == [1, 2, 3, 4, 5, 6]
        states = [line["pile"][1] for line in record if line["t"] == "state"]
        assert states[-4:] == [4, 4, 0, 0]
