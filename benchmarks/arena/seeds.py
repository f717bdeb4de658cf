"""The seeds of a tournament's games and the keys of its bots' random rows, made from a secret of the run.

Who knows the seed of a game knows all its chance. So seeds follow from 32 random bytes: their hash is printed and
stored before the first game, and they are published after the last one, so that everybody can check that the seeds were
fixed before. The keys that bots are given come from the same secret, and tell neither it nor the seed.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import stat
from pathlib import Path

import numpy as np

NO_SECRET = b""
"""In place of a secret: seeds are 0, 1, …, and keys follow from them alone, the same in every run."""
SECRET_BYTES = 32
SEED_BITS = 53
"""Seeds are whole numbers below 2^53."""
FILE = "secret"
"""Name of the file that holds the secret in the folder of a tournament; ``sha256sum`` prints the hash of the secret."""


def game_seed(index: int, secret: bytes = NO_SECRET) -> int:
    """Return the seed of the games with an index, 0, 1, …: the index itself without a secret.

    Example:
        >>> game_seed(7), game_seed(7, b"a secret")
        (7, 8986817719953719)
    """
    if not secret:
        return index
    digest = hashlib.blake2b(b"game %d" % index, key=secret, digest_size=8).digest()
    return int.from_bytes(digest, "little") >> (64 - SEED_BITS)


def bot_keys(seed: int, players: int, secret: bytes = NO_SECRET) -> np.ndarray:
    """Return the keys of the random rows of the bots in games on a seed: uint64[players]."""
    digest = hashlib.blake2b(b"%d" % seed, key=secret, digest_size=8 * players).digest()
    return np.frombuffer(digest, np.uint64)


def text_of(secret: bytes) -> str:
    """Return what the file of a secret holds: its hexadecimal digits, and the end of the line."""
    return secret.hex() + "\n"


def hash_of(secret: bytes) -> str:
    """Return the SHA-256 of the file of a secret, in hexadecimal digits."""
    return hashlib.sha256(text_of(secret).encode()).hexdigest()


def kept_secret(folder: Path, sha256: str | None) -> bytes:
    """Return the secret of a tournament.

    Args:
        folder: that of the tournament; without a hash it is made, and a new secret drawn and kept there, which only its
            owner may read.
        sha256: the hash of the secret that was drawn before; None: there is none yet.

    Raises: ValueError if the file of the secret is missing, or has another hash.
    """
    path = folder / FILE
    if sha256 is None:
        secret = secrets.token_bytes(SECRET_BYTES)
        folder.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as stream:
            stream.write(text_of(secret))
            stream.flush()
            os.fsync(stream.fileno())
        return secret
    try:
        secret = bytes.fromhex(path.read_text("ascii"))
    except (OSError, ValueError):
        raise ValueError(f"{path}: the secret of this tournament is missing or damaged; give another --out") from None
    if hash_of(secret) != sha256:
        raise ValueError(f"{path}: has another hash than the {sha256} of settings.json; give another --out")
    return secret


def is_public(folder: Path) -> bool:
    """Return whether the secret of a tournament has been published."""
    return bool((folder / FILE).stat().st_mode & stat.S_IROTH)


def publish(folder: Path) -> None:
    """Let everybody read the secret of a tournament; all its games have been played."""
    (folder / FILE).chmod(0o644)
