"""Seeds and keys of an arena: from a secret, of which nothing that a bot is given tells anything."""

import hashlib
import stat

import numpy as np
import pytest

from shogun_env.benchmarks.arena import seeds
from shogun_env.benchmarks.arena.arena import Arena
from shogun_env.benchmarks.arena.seeds import bot_keys, game_seed, hash_of, kept_secret, new_secret
from tests.games import batch_class


class Curious:
    """Keeps the keys of the rows that it is given."""

    def __init__(self):
        self.keys = set()

    def act(self, view, rng):
        self.keys |= set(rng[:, 0].tolist())
        assert not view.batch.seeds.any(), "a view does not tell the seed"
        return view.masks.argmax(1)


@pytest.mark.parametrize("salt", [b"", bytes(range(32))])
def test_keys__that_bots_are_given__are_others_with_each_salt(salt):
    curious = Curious()
    arena = Arena(batch_class("shitenno"), {"num_players": 2}, agents={"curious": curious}, salt=salt)
    arena.play(["curious", "random"], games=8)
    known = {key for seed in range(100) for key in bot_keys(seed, 2).tolist()}
    assert len(curious.keys) == 8
    assert len(curious.keys & known) == (0 if salt else 8)


def test_seeds__of_one_secret__differ_and_another_secret_and_variant_have_others():
    one, other = ([game_seed(index, secret) for index in range(1000)] for secret in (b"1" * 32, b"2" * 32))
    third = [game_seed(index, b"1" * 32, variant=1) for index in range(1000)]
    assert len({*one, *other, *third}) == 3000
    assert all(0 <= seed < 2**53 for seed in one)
    assert max(one) > 2**52
    assert not np.array_equal(bot_keys(one[0], 3, b"1" * 32), bot_keys(one[0], 3, b"2" * 32))


def test_secret__file__is_private_and_sha256sum_prints_its_hash(tmp_path):
    secret = new_secret(tmp_path)
    path = tmp_path / seeds.FILE
    assert len(secret) == 32
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert hash_of(secret) == hashlib.sha256(path.read_bytes()).hexdigest()
    assert kept_secret(tmp_path, hash_of(secret)) == secret
    assert new_secret(tmp_path) != secret, "a new arena has a new one"
    with pytest.raises(ValueError, match="secret: has another hash than the"):
        kept_secret(tmp_path, hash_of(secret))
    path.unlink()
    with pytest.raises(ValueError, match="the secret of these games is missing or damaged; no more can be played"):
        kept_secret(tmp_path, hash_of(secret))
