"""Random numbers: one counter-based stream per row, splitmix64 on a key made from the seed.

A stream is a row ``uint64[2]``: the key and the number of draws made. It is kept next to the game's state and never
inside it, so a copy of a state cannot show the future.
"""

import numpy as np

from shogun_env.kernel.jit import kernel
from shogun_env.kernel.types import Action, Bool, Int, Mask, Rng, UInt64

ALWAYS = 0xFFFFFFFF
"""The threshold of probability 1 (and of any p that rounds to it)."""

_ONE = np.uint64(1)
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_A = np.uint64(0xBF58476D1CE4E5B9)
_MIX_B = np.uint64(0x94D049BB133111EB)
_S30, _S27, _S31, _S32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)
_EACH_BYTE, _S56, _LOW8 = np.uint64(0x0101010101010101), np.uint64(56), np.uint64(255)
_ZERO = np.uint64(0)
_LOW32 = np.uint64(0xFFFFFFFF)


@kernel
def mix(z: UInt64) -> UInt64:
    """Return the 64 bits ``z`` scrambled by the finalizer of splitmix64 (Steele, Lea and Flood 2014)."""
    z = (z ^ (z >> _S30)) * _MIX_A
    z = (z ^ (z >> _S27)) * _MIX_B
    return z ^ (z >> _S31)


@kernel
def seed_stream(rng: Rng, seed: Int, stream: Int) -> None:
    """Start stream ``stream`` of the seed of a game: 0 is the game's own, 1 + player is that of a player's bot."""
    rng[0] = mix(mix(np.uint64(seed) + _GOLDEN) + np.uint64(stream) * _GOLDEN)
    rng[1] = np.uint64(0)


@kernel
def next_uint64(rng: Rng) -> UInt64:
    """Return 64 random bits as uint64.

    Draws:  64 bits, which move the row on by one draw
    """
    count = rng[1] + _ONE
    rng[1] = count
    return mix(rng[0] + count * _GOLDEN)


@kernel
def below(rng: Rng, n: Int) -> Int:
    """Return an int64 in 0..n-1, uniform up to n / 2^32 (n < 2^31).

    Draws:  64 bits, once
    """
    return (np.int64(next_uint64(rng) >> _S32) * np.int64(n)) >> 32


@kernel
def high_half(u: UInt64) -> Int:
    """Return the upper 32 bits of ``u`` as int64."""
    return np.int64(u >> _S32)


@kernel
def low_half(u: UInt64) -> Int:
    """Return the lower 32 bits of ``u`` as int64."""
    return np.int64(u & _LOW32)


@kernel
def bernoulli(half: Int, threshold: Int) -> Bool:
    """Say whether ``half``, 32 random bits, is below ``threshold``, round(p * 2^32); for p = 1 it always is."""
    return half < threshold or threshold == ALWAYS


@kernel
def choose(rng: Rng, mask: Mask) -> Action:
    """Return the index of one of the ones in ``mask`` int8[::1], each equally likely; there must be 1 to 255 ones.

    The mask is read in words of 8 bytes. Their sum counts the ones in each of the 8 lanes; a draw picks a lane by these
    counts, and then a one in it. A branch on a random position is predicted badly, so the searches have none and always
    run to the end: 22 ns for 120 bytes; going through byte by byte took 37.

    Draws:  64 bits, once
    """
    n_words = mask.shape[0] >> 3
    words = mask[: n_words << 3].view(np.uint64)
    lanes = _ZERO
    for word in range(n_words):
        lanes += words[word]
    tail = _ZERO
    for index in range(n_words << 3, mask.shape[0]):
        tail |= np.uint64(mask[index]) << np.uint64(8 * (index & 7))
    sums = (lanes + tail) * _EACH_BYTE  # byte i: ones in the lanes 0 .. i
    left = below(rng, np.int64(sums >> _S56))
    lane = np.int64(0)
    before = np.int64(0)
    for index in range(7):
        up_to = np.int64((sums >> np.uint64(8 * index)) & _LOW8)
        passed = up_to <= left
        lane += np.int64(passed)
        before = up_to if passed else before
    left -= before
    shift = np.uint64(8 * lane)
    word = np.int64(0)
    passed_ones = np.int64(0)
    for index in range(n_words):
        passed_ones += np.int64((words[index] >> shift) & _ONE)
        word += np.int64(passed_ones <= left)
    return 8 * word + lane


def threshold(p: float) -> int:
    """Return the threshold of a probability (R10) in 0..2^32 - 1: round(p * 2^32), and ``ALWAYS`` for p = 1."""
    return min(round(p * 2**32), ALWAYS)


def probability(threshold: int) -> float:
    """Return the probability of a threshold, 0..1."""
    return 1.0 if threshold == ALWAYS else threshold / 2**32
