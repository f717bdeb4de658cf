"""The secrets of a league's rounds: a chain of hashes, fixed as a whole before the first bot enters.

The last link is 32 random bytes; each link before it is the SHA-256 of the next, and the first of all is published when
the league is made. A round uses one link and publishes it when its games are over. So everybody sees that it was fixed
from the beginning, as its hash is the link before it; and nobody can make the next one of it. Who runs a league knows
all links. What chance a round has follows from its link and from the whole journal before it, with the entries of
others and all results, so that not even they know it before the round begins, and they cannot draw it again.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from shogun_env.benchmarks.arena.seeds import FILE

LINKS = 1 << 16
"""A league has this many rounds at most."""


def link(secret: bytes, number: int) -> bytes:
    """Return the link of a round, 1, 2, …; with 0 the commitment.

    Args: secret, the last link.
    Raises: ValueError beyond the last round.

    Example:
        >>> link(b"the end", 6) == hashlib.sha256(link(b"the end", 7)).digest()
        True
    """
    if not 0 <= number <= LINKS:
        raise ValueError(f"a league has at most {LINKS} rounds; make another one")
    for _ in range(LINKS - number):
        secret = hashlib.sha256(secret).digest()
    return secret


def follows(after: bytes, before: bytes) -> bool:
    """Return whether one link is that after another."""
    return hashlib.sha256(after).digest() == before


def key_of(round_link: bytes, purpose: str, journal: str) -> bytes:
    """Return 32 bytes that chance is made from, for a purpose, the games or their choice, and the journal so far.

    Args: journal, the hash of its last line.
    """
    return hashlib.blake2b(f"{purpose} {journal}".encode(), key=round_link, digest_size=32).digest()


def secret_in(folder: Path, commitment: bytes) -> bytes:
    """Return the secret of the league in a folder; ValueError if it is lost, or another league's."""
    try:
        secret = bytes.fromhex((folder / FILE).read_text("ascii"))
    except (OSError, ValueError):
        raise ValueError(
            f"{folder / FILE}: the secret of this league is missing or damaged; no more can be played"
        ) from None
    if link(secret, 0) != commitment:
        raise ValueError(f"{folder / FILE}: is not the secret that this league published the hash of")
    return secret
