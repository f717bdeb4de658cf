"""The settings of the bot ``chat``: a TOML file, of which a spec may replace values."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from shogun_env.cli import option_value
from shogun_env.files import text_in
from shogun_env.spec.bots import MOST_SECONDS
from shogun_env.spec.forms import COUNT, above_0, blaming, check_settings, count, from_0, table, toml_of

PLANS = ("whole", "cards")
RULES = ("short", "full", "none")


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


def _address(value: Any) -> bool:
    """An address that begins with http:// or https://."""
    return isinstance(value, str) and value.startswith(("http://", "https://"))


def _name(value: Any) -> bool:
    """The name of a model."""
    return isinstance(value, str) and bool(value)


def _seconds(value: Any) -> bool:
    """A number of seconds above 0, at most a million."""
    return above_0(value) and value <= MOST_SECONDS


TEXTS = {piece.name for piece in fields(Settings) if piece.type is str}
"""Settings whose values are texts."""
FORMS: dict[str, Any] = {
    **{piece.name: str for piece in fields(Settings)},
    "url": _address, "model": _name, "temperature": from_0, "max_tokens": COUNT, "extra": table, "seconds": _seconds,
    "tries": count, "corrections": COUNT, "parallel": count, "plans": PLANS, "rules": RULES, "story": COUNT,
}  # fmt: skip
"""The form of each setting."""


def load_settings(file: Path, changes: Mapping[str, str]) -> Settings:
    """Return the settings of a file, with those of a spec in their place.

    Args: file, TOML; changes, texts by name, from the spec.
    Raises: ValueError naming the file and the setting that is wrong, missing or unknown.
    """
    with blaming(f"chat:{file}: must be a TOML file with url and model"):
        values = toml_of(text_in(file))
    values |= {name: text if name in TEXTS else option_value(text) for name, text in changes.items()}
    with blaming(f"chat:{file}"):
        check_settings({"url": None, "model": None, **values}, FORMS)
    return Settings(**values)
