"""What a bot's answer can be that cannot be used, and what is not a bot's fault."""

from __future__ import annotations

from typing import Any

import numpy as np

FAULTS = ("illegal", "form", "nan", "error", "late", "crash")
"""Kinds of faults: an illegal action; an answer that is not an array of n whole numbers; one with not-a-numbers in it;
an exception; an answer after the limit of time; an answer lost because the process of the agent died. One fault is
counted for every decision that is lost by it."""
MOST_SECONDS = 1_000_000
"""For an answer nobody waits longer; clocks of the system take little more."""


class FaultError(Exception):
    """An answer that cannot be used: a kind, one of ``FAULTS``, and what was wrong."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text)
        self.kind = kind


class MachineError(ValueError):
    """What keeps bots from being asked is this machine, not a bot: too few file handles, or no sandbox any more."""


def checked(answer: Any, count: int) -> np.ndarray:
    """Return an agent's answer as int64[count], a copy.

    Raises: FaultError of the kind ``form`` or ``nan`` if it is anything but one whole number per decision.

    Example:
        >>> checked([3, 4], 2).tolist()
        [3, 4]
    """
    values = np.array(answer)
    if values.dtype.kind == "f" and np.isnan(values).any():
        raise FaultError("nan", "the answer holds numbers that are not a number")
    if values.shape != (count,) or values.dtype.kind not in "iu":
        raise FaultError("form", f"an array of shape {values.shape} and type {values.dtype}, not int64[{count}]")
    return values.astype(np.int64)
