"""What shared code knows about a game: one object, spelled out in each game's package."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from shogun_env.spec.engine import Engine
from shogun_env.spec.layout import Slice, scales

Line = Mapping[str, Any]
"""A line of a record: a JSON object with its type under ``t``."""


class Script(Protocol):
    """A record prepared for playing it on the engine; each game has its own class."""

    @property
    def order(self) -> Sequence[int]:
        """Indices of the record's lines in the order in which the engine writes them."""

    def tape(self) -> list[tuple[int, int]]:
        """Return all chance outcomes in the order in which the engine takes them, as (kind, value)."""

    def answer(self, g: np.void) -> tuple[int | None, int | None]:
        """Return the action that the record takes in a state that is not over, and the index of its line.

        None for an action that the lines do not hold, and for an index that the lines do not tell.
        """


@dataclass(frozen=True, kw_only=True)
class RecordFormat:
    """How the record of a game is written and read."""

    lines: Callable[[np.ndarray, Mapping[str, Any], int | None, list[str] | None], Iterable[dict[str, Any]]]
    """``lines(log entries int16[n, 8], options, seed, agents)`` yields the lines of a record, header first; EOFError
    where the log ends inside a line."""
    fields_of: Callable[[Line], Mapping[Any, Any] | None]
    """``fields_of(line)`` returns what the line's fields beside the type may hold; None for an unknown type."""
    options_of: Callable[[Line], dict[str, Any]]
    """``options_of(header)`` returns the options of play."""
    script: Callable[[Sequence[Line]], Script]
    """``script(lines)`` prepares lines whose fields are valid for being played."""


@dataclass(frozen=True, kw_only=True)
class PositionFormat:
    """How a state is written as one line of text."""

    fields: Mapping[str, tuple[tuple[str, ...], Callable[[int], str], Callable[[str], int]]]
    """Fields in the order of writing, each with: names along the last axis, of which only entries that are not blank
    are written; number -> word; word -> number."""
    options: Sequence[str]
    """The fields that hold options."""
    options_of: Callable[[np.void], dict[str, Any]]
    """``options_of(state)`` returns the options of play that a state holds."""
    derived: Sequence[str]
    """Fields that ``fill`` sets; written only where they differ from that."""
    fill: Callable[[np.void], None]
    board: Sequence[str]
    """Fields that are written together, place by place, after the others."""
    places: Sequence[str]
    """Names of the places."""
    place_text: Callable[[np.void, int], str]
    set_place: Callable[[np.void, int, str], None]


@dataclass(frozen=True, kw_only=True, eq=False)
class GameSpec:
    """A game as shared code sees it: its state, its functions, its sizes and names."""

    name: str
    """Short name, as in commands and files: ``shogun``, ``shitenno``."""
    title: str
    """Display title, with diacritics."""
    rules_version: int
    obs_version: int

    # The engine
    state_dtype: np.dtype[Any]
    engine: Engine
    players: range
    """Allowed numbers of players."""
    n_actions: int
    rewards: tuple[str, ...]
    """Names of rewards, by number."""
    check_messages: Mapping[int, str]
    """What each code of the engine's ``check_game`` means."""

    # Phases and actions
    phase_names: tuple[str, ...]
    """What is decided, by phase number."""
    action_name: Callable[[int], str]
    plan_phase: int = -1
    """The phase in which all players decide at the same time, or -1."""
    hidden_phases: Mapping[int, int] = field(default_factory=dict)
    """Phases that only the decider may know about, and what they look like to the others."""

    # Options
    option_defaults: Mapping[str, Any]
    """Options that change play, with their defaults."""
    option_choices: Mapping[str, Sequence[Any]]
    """Values of every option that between them lead through all rules; not every combination need be allowed."""
    check_options: Callable[[Mapping[str, Any]], dict[str, Any]]
    """Return the options filled in and checked; OptionError."""
    blank_state: Callable[[Mapping[str, Any]], np.ndarray]
    """Return a state of shape (1,) that holds checked options and is blank otherwise."""

    # Observations
    obs_layout: tuple[Slice, ...]
    block_rows: Mapping[str, int]
    """Rows of each block of an observation; a block of one row is shown flat."""

    # Text
    record_format: RecordFormat
    position_format: PositionFormat
    render: Callable[[np.void, int | None], str]
    """``render(state, player)`` returns the state in words and tables; None is the referee's view."""
    statistics: Callable[[np.ndarray, Sequence[np.ndarray]], dict[str, np.ndarray]]
    """``statistics(states [B], log entries of each)`` of finished games -> figures of this game, float64[B] each."""

    @functools.cached_property
    def obs_size(self) -> int:
        """Bytes of an observation."""
        return self.obs_layout[-1].stop

    @functools.cached_property
    def scales(self) -> np.ndarray:
        """What ``flat`` divides each byte of an observation by: float32[D]."""
        return scales(self.obs_layout)
