"""The seeds of an arena's games and the keys of its bots' random rows, made from a secret that no bot can learn.

Anyone who knows the seed of a game knows all its chance. So seeds follow from 32 random bytes: their hash is in the
first line of the journal, and they are published there when all games are played. The line of a result holds the seed
of its game, so that it can be played again; it tells nothing about other seeds. Neither do the keys that bots are
given: finding the seed behind a key takes some 2^52 trials.
"""

import hashlib
import secrets
from pathlib import Path

import numpy as np

from shogun_env.files import write_whole

SECRET_BYTES = 32
SEED_BITS = 53
"""Seeds are whole numbers below 2^53."""
FILE = "secret"
"""Name of the file that holds the secret in the folder of an arena; ``sha256sum`` prints the hash of the secret."""


def game_seed(number: int, secret: bytes, variant: int = 0) -> int:
    """Return the seed of a game, by its number in its variant, 0, 1, …

    Example:
        >>> game_seed(7, b"a secret")
        1434739242674095
    """
    digest = hashlib.blake2b(b"game %d %d" % (variant, number), key=secret, digest_size=8).digest()
    return int.from_bytes(digest, "little") >> (64 - SEED_BITS)


def bot_keys(seed: int, players: int, salt: bytes = b"") -> np.ndarray:
    """Return the keys of the random rows of the bots in the game with a seed: uint64[players].

    Args: salt: another one in each arena, so that nobody can make a table of all seeds beforehand.
    """
    digest = hashlib.blake2b(b"%d" % seed, key=salt, digest_size=8 * players).digest()
    return np.frombuffer(digest, np.uint64)


def text_of(secret: bytes) -> str:
    """Return what the file of a secret holds: its hexadecimal digits, and the end of the line."""
    return secret.hex() + "\n"


def hash_of(secret: bytes) -> str:
    """Return the SHA-256 of the file of a secret, in hexadecimal digits."""
    return hashlib.sha256(text_of(secret).encode()).hexdigest()


def new_secret(folder: Path, published: str | None = None) -> bytes:
    """Draw a secret, or take one that was published; keep it in a file that only its owner may read, and return it."""
    secret = secrets.token_bytes(SECRET_BYTES) if published is None else bytes.fromhex(published)
    write_whole(folder / FILE, text_of(secret), only_owner=True)
    return secret


def kept_secret(folder: Path, sha256: str) -> bytes:
    """Return the secret in a folder; ValueError if it is missing, or has another hash."""
    path = folder / FILE
    try:
        if not path.is_file():
            raise ValueError
        secret = bytes.fromhex(path.read_text("ascii"))
    except (OSError, ValueError):
        raise ValueError(f"{path}: the secret of these games is missing or damaged; no more can be played") from None
    if hash_of(secret) != sha256:
        raise ValueError(f"{path}: has another hash than the {sha256} of the journal; no more can be played")
    return secret
