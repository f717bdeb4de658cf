"""Numbers in the source file of their table: values and origin replaced, everything else as it was."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Mapping
from pathlib import Path

_WIDTH = 100
"""Width of a line of the origin."""


def write_table(path: Path, values: Mapping[str, float], origin: str) -> None:
    """Put values and their origin into the file that spells out ``Numbers(numbers=(Number(...), …), …)``.

    Args:
        path: the file.
        values: new values by name.
        origin: how they were found.

    Raises: ValueError for a file that is no such table, or lacks one of the names; nothing is written in that case.
    """
    source = path.read_bytes()
    calls = [node for node in ast.walk(_parsed(path, source)) if isinstance(node, ast.Call)]
    of_name = {
        call.args[0].value: call.args[1]
        for call in calls
        if _name(call) == "Number" and len(call.args) > 1 and isinstance(call.args[0], ast.Constant)
    }
    tables = [call for call in calls if _name(call) == "Numbers"]
    missing = [name for name in values if name not in of_name]
    if len(tables) != 1 or missing:
        raise ValueError(f"{path}: not the table of these numbers; it lacks {', '.join(missing) or 'Numbers(...)'}")
    changes = [(of_name[name], f"{value!r}") for name, value in values.items()]
    old = next((word.value for word in tables[0].keywords if word.arg == "origin"), None)
    text = _as_source(origin)
    if old is not None:
        changes.append((old, text))
    edits = [(*_span(source, node), new) for node, new in changes]
    if old is None:
        end = _span(source, tables[0])[1] - 1
        edits.append((end, end, f"    origin={text},\n"))
    for start, stop, new in sorted(edits, reverse=True):
        source = source[:start] + new.encode() + source[stop:]
    path.write_bytes(source)


def _parsed(path: Path, source: bytes) -> ast.Module:
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError):
        raise ValueError(f"{path}: not a Python file") from None


def _name(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _span(source: bytes, node: ast.expr) -> tuple[int, int]:
    """Return the first byte of a node in its source, and the first one after it."""
    lines = source.splitlines(keepends=True)
    assert node.end_lineno is not None and node.end_col_offset is not None
    start = sum(map(len, lines[: node.lineno - 1])) + node.col_offset
    return start, sum(map(len, lines[: node.end_lineno - 1])) + node.end_col_offset


def _as_source(text: str) -> str:
    """Return a text as a Python string, in several lines of a pair of parentheses if it is long."""
    parts = textwrap.wrap(text, _WIDTH, drop_whitespace=False, break_long_words=False, break_on_hyphens=False)
    quoted = ['"' + part.replace("\\", "\\\\").replace('"', '\\"') + '"' for part in parts] or ['""']
    if len(quoted) == 1:
        return quoted[0]
    return "(\n" + "".join(f"        {line}\n" for line in quoted) + "    )"
