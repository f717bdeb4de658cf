"""What a model answered, read as actions: a usable answer names one legal action, or a whole plan."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

__all__ = ["UnusableError", "action_in", "object_in"]

THOUGHTS = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.S | re.I)
"""What some models write before their answer."""
SHOWN = 60
"""Characters of an answer that a correction repeats."""


class UnusableError(ValueError):
    """An answer that cannot be used, and why, in words for the model."""


def action_in(text: str, legal: Sequence[str]) -> str:
    r"""Return the legal action that the last line of an answer names, whatever else the line says.

    Raises: UnusableError if it names none or several.

    Example:
        >>> action_in("The north is weak.\n\nI bid **chest_1**.", ["chest_0", "chest_1"])
        'chest_1'
    """
    lines = [line for line in THOUGHTS.sub("", text).splitlines() if re.search(r"\w", line)]
    if not lines:
        raise UnusableError("the answer is empty")
    last = lines[-1]
    exact = [name for name in legal if _plain(name) == _plain(last)]
    named = exact or [name for name in legal if re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", last, re.I)]
    if len(named) == 1:
        return named[0]
    if named:
        raise UnusableError(f"its last line names {len(named)} actions: {', '.join(named)}")
    raise UnusableError(f"its last line, {last.strip()[:SHOWN]!r}, names none of the legal actions")


def object_in(text: str) -> dict[str, Any]:
    """Return the last JSON object in an answer, with plain names: small letters, _ for spaces.

    Raises: UnusableError if there is none.

    Example:
        >>> object_in('My plan: {"Build castle": "Kaga"}')
        {'build_castle': 'Kaga'}
    """
    decoder, text = json.JSONDecoder(), THOUGHTS.sub("", text)
    objects: list[dict[str, Any]] = []
    at = 0
    while (at := text.find("{", at)) >= 0:
        try:
            value, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            at += 1
            continue
        objects.append(value)
    if not objects:
        raise UnusableError("the answer holds no JSON object")
    return {_plain(name): value for name, value in objects[-1].items()}


def _plain(name: str) -> str:
    """Return a name in small letters, with _ for spaces, without what is around it."""
    return re.sub(r"\s+", "_", name.strip(" \t\r\n.,:;!*`'\"()-").lower())
