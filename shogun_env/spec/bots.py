"""How bots are named: commas separate bots, colons the parts of one, semicolons those of a bot within another."""

from __future__ import annotations

import re

__all__ = ["inner_spec", "specs_in", "split_spec"]


def _split(text: str, separator: str) -> list[str]:
    """Return the parts of a text between separators; one in a word in quotation marks separates nothing."""
    parts, begin = [], 0
    for match in re.finditer(rf"""(?<!\w)(?:"[^"]*"|'[^']*')|{separator}""", text):
        if match[0] == separator:
            parts.append(text[begin : match.start()])
            begin = match.end()
    return [*parts, text[begin:]]


def specs_in(text: str) -> list[str]:
    """Return the specs of bots in a text that separates them by commas.

    Example:
        >>> specs_in("random,exec:python bot.py '--level=a:b,c'")
        ['random', "exec:python bot.py '--level=a:b,c'"]
    """
    return _split(text, ",")


def split_spec(spec: str) -> list[str]:
    """Return the parts of the spec of a bot, which colons separate.

    Example:
        >>> split_spec("exec:seconds=5:python bot.py '--level=a:b,c'")
        ['exec', 'seconds=5', "python bot.py '--level=a:b,c'"]
    """
    return _split(spec, ":")


def inner_spec(text: str) -> str:
    """Return the spec of a bot that another one is made of, in which colons are written as semicolons.

    Example:
        >>> inner_spec("exec;./bot '--level=a;b'")
        "exec:./bot '--level=a;b'"
    """
    return ":".join(_split(text, ";"))
