"""The JavaScript and the style sheets of the pages, as tests read them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import shogun_env

PACKAGE = Path(shogun_env.__file__).parent
SCRIPTS = sorted(PACKAGE.glob("*/*.js"))
STYLES = sorted(PACKAGE.glob("*/*.css"))
FUNCTION = re.compile(r"\bfunction\b.*\{$|=> \{$|^\s+(?!(?:if|for|while|switch|catch)\b)(?:async )?\w+\(.*\) \{$")
"""How the first line of a function ends or looks, in the format that ``make check`` demands."""


def functions(code: str) -> Iterator[tuple[str, int]]:
    """Yield the first line and the number of lines of every function."""
    lines = code.splitlines()
    for first, line in enumerate(lines):
        if FUNCTION.search(line):
            end = " " * (len(line) - len(line.lstrip())) + "}"
            last = next(at for at, other in enumerate(lines[first:], first) if other.startswith(end) and at > first)
            yield line.strip(), last - first + 1


def declared(script: str, name: str) -> set[str]:
    """Return the properties of an object that a script receives, as its ``@typedef`` lists them."""
    code = next(path for path in SCRIPTS if path.name == script).read_text("utf-8")
    text = re.search(rf"@typedef \{{object\}} {name}\b(.*?)(?:@typedef|\*/)", code, re.DOTALL)
    assert text, f"{script} does not declare {name}"
    return set(re.findall(r"@property \{.*\} \[?(\w+)", text[1]))
