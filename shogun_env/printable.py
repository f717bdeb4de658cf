"""Texts of strangers as people may see them: one line that a terminal can print, and names as they are compared."""

from __future__ import annotations

import unicodedata

__all__ = ["compared", "one_line"]


def one_line(text: str, most: int = 250) -> str:
    r"""Return a text as one line of at most ``most`` letters, without what a terminal or a page would act on.

    Example:
        >>> one_line("the \x1b[2Jfirst\nline \u202eends")
        'the [2Jfirst line ends'
    """
    line = "".join(letter for letter in " ".join(text.split()) if letter.isprintable())
    return line if len(line) <= most else line[: most - 1] + "…"


def compared(name: str) -> str:
    """Return the form in which names are compared: two that look the same to a reader are one.

    Example:
        >>> compared(" Random ") == compared("random")
        True
    """
    return unicodedata.normalize("NFKC", one_line(name)).strip().casefold()
