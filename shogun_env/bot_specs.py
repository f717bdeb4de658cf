"""The parameters in the spec of a bot, such as ``scripted:style=builder:chest=0.5``: texts converted to values."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Any

__all__ = ["parameters_of"]


def parameters_of(spec: str, factory: Callable[..., Any], parts: list[str]) -> tuple[list[str], dict[str, Any]]:
    """Return the parts of a spec as texts and converted keyword values; ValueError if they do not fit the factory."""
    parameters = list(inspect.signature(factory).parameters.values())[1:]
    takes_more = any(p.kind is p.VAR_KEYWORD for p in parameters)
    parameters = [p for p in parameters if p.kind is not p.VAR_KEYWORD]
    defaults = {p.name: p.default for p in parameters if p.default is not p.empty}
    required = [p.name for p in parameters if p.default is p.empty]
    texts: list[str] = []
    values: dict[str, Any] = {}
    for part in parts:
        key, equals, text = part.partition("=")
        if not equals or not key.isidentifier():
            texts.append(part)
        elif key not in defaults and takes_more:
            values[key] = text
        elif key not in defaults:
            raise ValueError(f"agent {spec!r}: unknown parameter {key!r}; {_listed(defaults)}")
        else:
            values[key] = _converted(spec, key, text, defaults[key])
    if len(texts) != len(required):
        if required:
            raise ValueError(f"agent {spec!r} needs {', '.join(required)} after a colon")
        raise ValueError(f"agent {spec!r} has no parameter {texts[0]!r}; {_listed(defaults)}")
    return texts, values


def _listed(parameters: Iterable[str]) -> str:
    names = ", ".join(parameters)
    return f"known are {names}" if names else "it has none"


_SWITCH = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def _converted(spec: str, key: str, text: str, default: Any) -> Any:
    """Return the text of a parameter converted to the type of its default; ValueError if that fails."""
    kind = type(default)
    try:
        if kind is bool:
            return _SWITCH[text.lower()]
        return text if default is None or kind is str else kind(text)
    except (ValueError, KeyError):
        words = {bool: "true or false", int: "a whole number", float: "a number"}.get(kind, kind.__name__)
        raise ValueError(f"agent {spec!r}: {key}={text!r} must be {words}") from None
