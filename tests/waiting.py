"""Waiting for what a page, a thread or another process does."""

import time
from collections.abc import Callable
from typing import Any


def until(condition: Callable[[], Any], seconds: float = 60, told: Callable[[], str] | None = None) -> Any:
    """Wait until a condition holds, and return what it returned; AssertionError after some seconds."""
    end = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < end, told() if told else "nothing has changed"
        time.sleep(0.02)
    return value
