"""Lines of a game record as short text, for files that people read."""

from typing import Any


def value_text(value: Any) -> str:
    """Return a value of a record line without quotes and spaces; zero counts of an object are left out."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ",".join(f"{key}:{value_text(part)}" for key, part in value.items() if part) or "-"
    return ",".join(map(value_text, value)) or "-" if isinstance(value, list) else str(value)


def field_text(name: str, value: Any) -> str:
    """Return a field of a record line; of ``holders`` only those that are null are left out, as 0 is a player."""
    if name == "holders" and isinstance(value, dict):
        return ",".join(f"{key}:{player}" for key, player in value.items() if player is not None) or "-"
    return value_text(value)


def line_text(line: dict[str, Any]) -> str:
    """Return a record line as its type and ``name=value`` for every field."""
    return " ".join([line["t"], *(f"{name}={field_text(name, value)}" for name, value in line.items() if name != "t")])
