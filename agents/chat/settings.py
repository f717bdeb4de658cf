"""The settings of the bot ``chat``: a TOML file, of which a spec may replace values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from shogun_env.cli import option_value
from shogun_env.files import text_in
from shogun_env.spec.bots import MOST_SECONDS
from shogun_env.spec.forms import COUNT, above_0, blaming, toml_of
from shogun_env.spec.settings import changed, settings_of


def _address(value: Any) -> bool:
    """An address that begins with http:// or https://."""
    return isinstance(value, str) and value.startswith(("http://", "https://"))


def _name(value: Any) -> bool:
    """The name of a model."""
    return isinstance(value, str) and bool(value)


def _seconds(value: Any) -> bool:
    """A number of seconds above 0, at most a million."""
    return above_0(value) and value <= MOST_SECONDS


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Which model is asked, how, and what is done where it gives no usable answer."""

    url: Annotated[str, _address]
    """Address of the endpoint; ``/chat/completions`` is added unless its path ends so."""
    model: Annotated[str, _name]
    """Name of the model, as the endpoint knows it."""
    key_variable: str = ""
    """Name of the environment variable that holds the key; empty: no key is sent."""
    temperature: float = 0.0
    max_tokens: Annotated[int, COUNT] = 4000
    """Longest answer, thoughts included; one that is cut off there cannot be used. 0: the limit is not sent."""
    extra: dict[str, Any] = field(default_factory=dict)
    """Further fields of the request, sent as they are."""
    seconds: Annotated[float, _seconds] = 120.0
    """Limit of time for one request."""
    tries: int = 4
    """How often a request is sent that fails for a reason that may pass: no connection, no time, too many requests."""
    corrections: Annotated[int, COUNT] = 2
    """How often the model is asked again after an answer that cannot be used, with what was wrong."""
    parallel: int = 4
    """Requests at the same time, if many games wait for the bot."""
    plans: Annotated[str, ("whole", "cards")] = "whole"
    """``whole``: a plan of Shogun is one answer; ``cards``: each of its cards is."""
    rules: Annotated[str, ("short", "full", "none")] = "short"
    """Rules that are sent along with each request: ``short`` (4,000 characters), ``full`` (18,000), or ``none``."""
    story: Annotated[int, COUNT] = 0
    """What has happened last is sent along in this many sentences, where the game keeps a record: in ``play``,
    ``record``, tournaments, and a ``Game`` that is made to."""
    instructions: str = ""
    """Text of the user for the model, sent along with each request."""
    substitute: str = ""
    """The bot that decides where no usable answer came; empty: that is a fault, of the kind ``form``."""
    log: str = ""
    """File to which prompts and answers are appended, one JSON line per decision; empty: none."""


def load_settings(file: Path, changes: Mapping[str, str]) -> Settings:
    """Return the settings of a file, with those of a spec in their place.

    Args: file, TOML; changes, texts by name, from the spec.
    Raises: ValueError naming the file and the setting that is wrong, missing or unknown.
    """
    with blaming(f"chat:{file}: must be a TOML file with url and model"):
        values = toml_of(text_in(file))
    texts = {name for name, setting in settings_of(Settings).items() if setting.type is str}
    values |= {name: text if name in texts else option_value(text) for name, text in changes.items()}
    with blaming(f"chat:{file}"):
        return changed(Settings(url="", model=""), {"url": None, "model": None, **values})
