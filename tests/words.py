"""Lines of a game record as short text, for files that people read."""

from __future__ import annotations

from typing import Any


def show(value: Any) -> str:
    """Return a value of a record line without quotes and spaces; zero counts of an object are left out."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ",".join(f"{key}:{show(part)}" for key, part in value.items() if part) or "-"
    return ",".join(map(show, value)) or "-" if isinstance(value, list) else str(value)


def line_text(line: dict[str, Any]) -> str:
    """Return a record line as its type and ``name=value`` for every field."""
    return " ".join([line["t"], *(f"{key}={show(value)}" for key, value in line.items() if key != "t")])
