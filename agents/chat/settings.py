"""The settings of the bot ``chat``: a TOML file, of which a spec may replace values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from shogun_env.cli import option_value
from shogun_env.files import text_in
from shogun_env.spec.bots import MOST_SECONDS
from shogun_env.spec.forms import toml_of

PLANS = ("whole", "cards")
RULES = ("short", "full", "none")
CHOICES = {"plans": PLANS, "rules": RULES}
KINDS = {"str": (str,), "int": (int,), "float": (int, float), "dict[str, Any]": (dict,)}
"""Types of the values in a file, by annotation."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Which model is asked, how, and what is done where it gives no usable answer."""

    url: str
    """Address of the endpoint; ``/chat/completions`` is added unless it ends so."""
    model: str
    """Name of the model, as the endpoint knows it."""
    key_variable: str = ""
    """Name of the environment variable that holds the key; empty: no key is sent."""
    temperature: float = 0.0
    max_tokens: int = 4000
    """Longest answer, thoughts included; one that is cut off there cannot be used. 0: the limit is not sent."""
    extra: dict[str, Any] = field(default_factory=dict)
    """Further fields of the request, sent as they are."""
    seconds: float = 120.0
    """Limit of time for one request."""
    tries: int = 4
    """How often a request is sent that fails for a reason that may pass: no connection, no time, too many requests."""
    corrections: int = 2
    """How often the model is asked again after an answer that cannot be used, with what was wrong."""
    parallel: int = 4
    """Requests at the same time, if many games wait for the bot."""
    plans: str = "whole"
    """``whole``: a plan of Shogun is one answer; ``cards``: each of its cards is."""
    rules: str = "short"
    """Rules that are sent along with each request: ``short`` (4,000 characters), ``full`` (18,000), or ``none``."""
    story: int = 0
    """What has happened last is sent along in this many sentences, where the game keeps a record: in ``play``,
    ``record``, tournaments, and a ``Game`` that is made to."""
    instructions: str = ""
    """Text of the user for the model, sent along with each request."""
    substitute: str = ""
    """The bot that decides where no usable answer came; empty: an illegal action is returned, which a referee counts.
    """
    log: str = ""
    """File to which prompts and answers are appended, one JSON line per decision; empty: none."""

    def __post_init__(self) -> None:
        """Check the values; ValueError naming the one that is wrong and what would be right."""
        if not self.url.startswith(("http://", "https://")):
            raise ValueError(f"url={self.url!r}: must begin with http:// or https://")
        if not self.model:
            raise ValueError("model='': must be the name of a model")
        for name, known in CHOICES.items():
            if getattr(self, name) not in known:
                raise ValueError(f"{name}={getattr(self, name)!r}: must be one of {', '.join(known)}")
        if not 0 < self.seconds <= MOST_SECONDS:
            raise ValueError(f"seconds={self.seconds}: must be more than 0, at most {MOST_SECONDS}")
        least = {"temperature": 0, "max_tokens": 0, "corrections": 0, "story": 0, "tries": 1, "parallel": 1}
        for name, low in least.items():
            if not getattr(self, name) >= low:
                raise ValueError(f"{name}={getattr(self, name)}: must be at least {low}")


def load_settings(file: Path, changes: Mapping[str, str]) -> Settings:
    """Return the settings of a file, with those of a spec in their place.

    Args: file, TOML; changes, texts by name, from the spec.
    Raises: ValueError naming the file and the setting that is wrong, missing or unknown.
    """
    try:
        values = toml_of(text_in(file))
    except (OSError, ValueError) as error:
        raise ValueError(f"chat:{file}: must be a TOML file with url and model: {error}") from None
    types = {piece.name: str(piece.type) for piece in fields(Settings)}
    for name, text in changes.items():
        values[name] = text if types.get(name) == "str" else option_value(text)
    for name, value in values.items():
        if name not in types:
            raise ValueError(f"chat:{file}: unknown setting {name!r}; known are {', '.join(types)}")
        if not isinstance(value, KINDS[types[name]]) or isinstance(value, bool):
            right = f"one of {', '.join(CHOICES[name])}" if name in CHOICES else f"of type {types[name]}"
            raise ValueError(f"chat:{file}: {name}={value!r} must be {right}")
    try:
        return Settings(**values)
    except TypeError:
        missing = [name for name in ("url", "model") if name not in values]
        raise ValueError(f"chat:{file}: {' and '.join(missing)} missing") from None
    except ValueError as error:
        raise ValueError(f"chat:{file}: {error}") from None
