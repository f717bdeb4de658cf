"""What the options of all games have in common: their error, and checks whose messages say what is right."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from shogun_env.spec.forms import meant


class OptionError(ValueError, TypeError):
    """An option that does not exist, or a value that it cannot have.

    It is a TypeError too, as for an unknown keyword: some libraries try out options (stable-baselines3 passes
    ``render_mode="rgb_array"``, TorchRL ``frameskip``) and leave them out if they catch a TypeError.
    """


def check_names(options: Mapping[str, Any], allowed: Iterable[str]) -> None:
    """Raise OptionError for an option that is not among ``allowed``."""
    names = list(allowed)
    for name in options:
        if name not in names:
            raise OptionError(f"unknown option {name!r}; {meant(str(name), names)}")


def one_of(name: str, value: Any, allowed: Sequence[Any]) -> Any:
    """Return ``value``, a text or None; OptionError if it is not among ``allowed``."""
    if not isinstance(value, str | None) or value not in allowed:
        raise OptionError(f"{name}={value!r}: must be one of {', '.join(map(str, allowed))}")
    return value


def flag(name: str, value: Any) -> bool:
    """Return ``value`` as bool; OptionError if it is not one."""
    if not isinstance(value, bool | np.bool_):
        raise OptionError(f"{name}={value!r}: must be True or False")
    return bool(value)


def is_whole(value: Any) -> bool:
    """Say whether a value is a whole number of Python or numpy; True and False are none."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def whole_number(name: str, value: Any, low: int, high: int | None = None) -> int:
    """Return ``value`` as int; OptionError if it is not a whole number, at least ``low`` and below ``high``."""
    if not is_whole(value) or value < low or (high is not None and value >= high):
        top = f" and below {high}" if high else ""
        raise OptionError(f"{name}={value!r}: must be a whole number, at least {low}{top}")
    return int(value)


def number_of_players(value: Any, allowed: range) -> int:
    """Return a number of players as int; OptionError if it is not in ``allowed``."""
    if not is_whole(value) or value not in allowed:
        words = [str(number) for number in allowed]
        raise OptionError(f"num_players={value!r}: must be {', '.join(words[:-1])} or {words[-1]}")
    return int(value)
