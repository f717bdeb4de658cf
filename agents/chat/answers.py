"""What a model answered, read as actions: a usable answer names one legal action, or a whole plan."""

import json
import re
from collections.abc import Sequence
from typing import Any

TAG = r"think(?:ing)?|thoughts?|reasoning"
THOUGHTS = re.compile(rf"<({TAG})>.*?</(?:{TAG})>", re.S | re.I)
"""What some models write before their answer."""
END_OF_THOUGHTS, THOUGHTS_BEGIN = (re.compile(rf"<{slash}(?:{TAG})>", re.I) for slash in ("/", ""))
DOUBT = re.compile(
    r"\b(?:not|cannot|never|neither|nor|avoid|refuse|except|without|instead of|rather than)\b|n['\u2019]t\b|\?", re.I
)
"""What makes a clause that names an action something else than a choice of it."""
CLAUSES = re.compile(r"(?<=[,;:.!?])\s+")
"""Where a sentence is cut, so that "I will not wait, but play Kaga" chooses Kaga."""
SHOWN = 60
"""Characters of an answer that a correction repeats."""


class UnusableError(ValueError):
    """An answer that cannot be used, and why, in words for the model."""


def action_in(text: str, legal: Sequence[str]) -> str:
    r"""Return the legal action that the last line of an answer chooses: alone, or in a clause without a "not".

    Raises: UnusableError if it names none or several, if it may refuse the one that it names, or if the answer is cut
        off in its thoughts.

    Example:
        >>> action_in("The north is weak.\n\nI bid **chest_1**.", ["chest_0", "chest_1"])
        'chest_1'
    """
    lines = [line for line in _without_thoughts(text).splitlines() if re.search(r"\w", line)]
    if not lines:
        raise UnusableError("the answer is empty")
    last = lines[-1]
    exact = [name for name in legal if _plain(name) == _plain(last)]
    named = exact or [name for name in legal if _without(name, last) != last]
    if len(named) == 1:
        clauses = [(clause, _without(named[0], clause)) for clause in CLAUSES.split(last)]
        if not exact and all(DOUBT.search(rest) for clause, rest in clauses if rest != clause):  # "refuse" is an action
            raise UnusableError(f"its last line, {last.strip()[:SHOWN]!r}, does not clearly choose {named[0]}")
        return named[0]
    if named:
        raise UnusableError(f"its last line names {len(named)} actions: {', '.join(named)}")
    raise UnusableError(f"its last line, {last.strip()[:SHOWN]!r}, names none of the legal actions")


def object_in(text: str) -> dict[str, Any]:
    """Return the last JSON object in an answer, with plain names: small letters, _ for spaces.

    Raises: UnusableError if there is none, or if the answer is cut off in its thoughts.

    Example:
        >>> object_in('My plan: {"Build castle": "Kaga"}')
        {'build_castle': 'Kaga'}
    """
    decoder, text = json.JSONDecoder(), _without_thoughts(text)
    found: dict[str, Any] | None = None
    at = 0
    while (at := text.find("{", at)) >= 0:
        try:
            found, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            at += 1
    if found is None:
        raise UnusableError("the answer holds no JSON object")
    return {_plain(name): value for name, value in found.items()}


def _without(name: str, text: str) -> str:
    """Return a text without the name of an action, wherever it is a word of its own."""
    return re.sub(rf"(?<![\w-]){re.escape(name)}(?![\w-])", "", text, flags=re.I)


def _without_thoughts(text: str) -> str:
    """Return what an answer says after its thoughts, of which an endpoint may have left out the beginning.

    Raises: UnusableError if they have no end: the model was cut off, and has decided nothing.
    """
    said = END_OF_THOUGHTS.split(THOUGHTS.sub("", text))[-1]
    if THOUGHTS_BEGIN.search(said):
        raise UnusableError("the answer is cut off in its thoughts")
    return said


def _plain(name: str) -> str:
    """Return a name in small letters, with _ for spaces, without what is around it."""
    return re.sub(r"\s+", "_", name.strip(" \t\r\n.,:;!*`'\"()-").lower())
