"""Checks of what a record line must look like, before any rule is asked."""

from collections.abc import Callable
from typing import Any

Check = Callable[[Any], bool]


def number(low: int, high: int) -> Check:
    """Whole number in a range, not true or false."""
    return lambda value: type(value) is int and low <= value <= high


def one_of(names: Any) -> Check:
    """One of these names."""
    return lambda value: isinstance(value, str) and value in names


def or_null(check: Check) -> Check:
    """Null, or what the check wants."""
    return lambda value: value is None or check(value)


def list_of(check: Check, length: int | None = None) -> Check:
    """List of such values, perhaps of a fixed length."""
    return lambda value: (
        isinstance(value, list) and (length is None or len(value) == length) and all(check(item) for item in value)
    )


def only(*values: Any) -> Check:
    """Exactly one of these values, of the same type."""
    return lambda value: any(type(value) is type(one) and value == one for one in values)


def fields(**checks: Check) -> Check:
    """Object with exactly these fields."""
    return lambda value: (
        isinstance(value, dict) and set(value) == set(checks) and all(checks[name](value[name]) for name in checks)
    )


def fault_of(line: dict[str, Any], checks: dict[str, Check]) -> str | None:
    """What is wrong with the fields of a line, or None."""
    names = set(line) - {"t"}
    if names - set(checks):
        return f"unknown fields {sorted(names - set(checks))}"
    if set(checks) - names:
        return f"missing fields {sorted(set(checks) - names)}"
    for name, check in checks.items():
        if not check(line[name]):
            return f"bad value of {name}: {line[name]!r}"
    return None
