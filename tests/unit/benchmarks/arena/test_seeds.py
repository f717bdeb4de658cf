"""Seeds and keys of a tournament: from a secret, of which nothing that a bot is given tells anything."""

from __future__ import annotations

import hashlib
import stat

import numpy as np
import pytest

from shogun_env.benchmarks.arena import seeds
from shogun_env.benchmarks.arena.arena import Arena
from shogun_env.benchmarks.arena.seeds import bot_keys, game_seed, hash_of, is_public, kept_secret, publish
from tests.games import batch_class


class Curious:
    """Keeps the keys of the rows that it is given."""

    def __init__(self):
        self.keys = set()

    def act(self, view, rng):
        self.keys |= set(rng[:, 0].tolist())
        assert not view.batch.seeds.any(), "a view does not tell the seed"
        return view.masks.argmax(1)


def keys_of_small_numbers(players):
    """Return the keys that bots were given before there were secrets, for all seeds that are small numbers."""
    return {key for seed in range(2000) for key in bot_keys(seed, players).tolist()}


@pytest.mark.parametrize("secret", [b"", bytes(range(32))])
def test_keys_and_seeds__with_a_secret__are_not_those_of_small_numbers(secret):
    curious = Curious()
    arena = Arena(batch_class("shitenno"), {"num_players": 2}, agents={"curious": curious}, secret=secret)
    results = list(arena.play(["curious", "random"], games=8))
    played = {result.seed for result in results}
    assert len(played) == len(curious.keys) // 2 == 4
    assert (played == set(range(4))) is not bool(secret)
    # One of its two keys of a game gives the seed away if there is no secret.
    assert len(curious.keys & keys_of_small_numbers(2)) == (0 if secret else 8)
    assert {result.seed for result in arena.play(["curious", "random"], games=8)} == played


def test_seeds__of_one_secret__differ_and_another_secret_has_others():
    one, other = ([game_seed(index, secret) for index in range(1000)] for secret in (b"1" * 32, b"2" * 32))
    assert len({*one, *other}) == 2000
    assert all(0 <= seed < 2**53 for seed in one)
    assert max(one) > 2**52
    assert not np.array_equal(bot_keys(one[0], 3, b"1" * 32), bot_keys(one[0], 3, b"2" * 32))
    assert [game_seed(index) for index in (0, 7)] == [0, 7]


def test_secret__file__is_private_until_published_and_sha256sum_prints_its_hash(tmp_path):
    folder = tmp_path / "new"
    secret = kept_secret(folder, None)
    path = folder / seeds.FILE
    assert len(secret) == 32
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert not is_public(folder)
    assert hash_of(secret) == hashlib.sha256(path.read_bytes()).hexdigest()
    assert kept_secret(folder, hash_of(secret)) == secret
    publish(folder)
    assert is_public(folder)
    assert kept_secret(folder, None) != secret, "a new tournament has a new one"
    assert not is_public(folder)
    with pytest.raises(ValueError, match="secret: has another hash than the"):
        kept_secret(folder, hash_of(secret))
    path.unlink()
    with pytest.raises(ValueError, match="the secret of this tournament is missing or damaged; give another --out"):
        kept_secret(folder, hash_of(secret))
