"""What a bot's answer can be that cannot be used."""

from __future__ import annotations

MOST_SECONDS = 1_000_000
"""For an answer nobody waits longer; clocks of the system take little more."""


class FaultError(Exception):
    """An answer that cannot be used: a kind, one of ``FAULTS`` of ``benchmarks.arena.referee``, and what was wrong."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text)
        self.kind = kind
