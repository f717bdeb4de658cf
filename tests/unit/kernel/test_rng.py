"""The random row: a counter stream, and choices that are uniform."""

import numpy as np
import pytest

from shogun_env.kernel.rng import ALWAYS, below, choose, next_uint64, seed_stream, threshold

MASK64 = 2**64 - 1
GOLDEN = 0x9E3779B97F4A7C15


def mix(z: int) -> int:
    """The finalizer of splitmix64 in whole numbers."""
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK64
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK64
    return z ^ (z >> 31)


@pytest.mark.parametrize("seed", [0, 1, 2**53 - 1])
@pytest.mark.parametrize("stream", [0, 1, 5])
def test_bits__of_a_seed_and_stream__are_splitmix64(seed: int, stream: int):
    row = np.zeros(2, np.uint64)
    seed_stream(row, seed, stream)
    key = mix((mix((seed + GOLDEN) & MASK64) + stream * GOLDEN) & MASK64)
    for count in range(1, 6):
        assert int(next_uint64(row)) == mix((key + count * GOLDEN) & MASK64)
        assert row.tolist() == [key, count]


@pytest.mark.parametrize("size", [120, 73, 8, 5, 1])
def test_choose__any_mask__gives_each_one_equally_often(size: int):
    rng = np.random.default_rng(size)
    row = np.zeros(2, np.uint64)
    seed_stream(row, 3, 0)
    for ones in {1, 2, min(size, 13), size} - {size + 1}:
        mask = np.zeros(size, np.int8)
        mask[rng.choice(size, min(ones, size), replace=False)] = 1
        counts = np.bincount([choose(row, mask) for _ in range(4000)], minlength=size)
        assert (counts[mask == 0] == 0).all()
        share = 4000 / mask.sum()
        assert np.abs(counts[mask == 1] - share).max() <= 5 * np.sqrt(share), "five standard errors"


def test_below__small_numbers__are_uniform():
    row = np.zeros(2, np.uint64)
    seed_stream(row, 4, 0)
    counts = np.bincount([below(row, 7) for _ in range(7000)], minlength=7)
    assert len(counts) == 7
    assert np.abs(counts - 1000).max() <= 5 * np.sqrt(1000)


@pytest.mark.parametrize(
    ("p", "value"), [(0.0, 0), (1.0, ALWAYS), (0.5, 2**31), (0.15, 644245094), (1 - 2**-40, ALWAYS)]
)
def test_threshold__R10_probability__is_p_times_2_to_the_32_and_1_is_always(p: float, value: int):
    assert threshold(p) == value
