"""What the frame knows of a game: one description, made by each game's ``__init__``."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from shogun_env.frame.loops import Loops, bind_loops
from shogun_env.layout import Slice, scales


class Script(Protocol):
    """A record as a script to play on the engine; each game makes its own."""

    order: list[int]
    """Indices of the record's lines in the order in which the engine writes them."""

    def tape(self) -> list[tuple[int, int]]:
        """Return all chance outcomes in the order in which the engine takes them."""

    def answer(self, g: np.void) -> tuple[int | None, int | None]:
        """Return the action that the record takes in a game that is not over, and the index of its line.

        None for an action that the lines do not hold, and for an index that the lines do not tell.
        """


class Position(NamedTuple):
    """How the record of a game is written as one line of text."""

    fields: Mapping[str, tuple[tuple[str, ...], Callable[[int], str], Callable[[str], int]]]
    """Fields in the order of writing: names along the last axis, of which only entries that are not blank are written;
    number -> word; word -> number."""
    options: Sequence[str]
    """The fields that hold options."""
    derived: Sequence[str]
    """Fields that ``fill`` sets; written only where they differ from that."""
    fill: Callable[[np.void], None]
    board: Sequence[str]
    """Fields that are written together, place by place, after the others."""
    places: Sequence[str]
    """Names of the places."""
    place_text: Callable[[np.void, int], str]
    set_place: Callable[[np.void, int, str], None]


@dataclass(frozen=True, eq=False)
class Game:
    """A game as the frame sees it: its record, its loops, its sizes and names.

    Every game's record has the fields ``player`` (who decides, -1 over), ``phase``, ``points`` and ``error``.
    """

    name: str
    """Short name: ``shogun``, ``shitenno``."""
    title: str
    """How people write it."""
    dtype: np.dtype[Any]
    loops: Loops
    players: range
    """Allowed numbers of players."""
    n_actions: int
    obs_layout: tuple[Slice, ...]
    block_rows: Mapping[str, int]
    """Rows of each block of an observation; a block of one row is shown flat."""
    scales: np.ndarray
    """What ``flat`` divides each byte by: float32[D]."""
    defaults: Mapping[str, Any]
    """Options that change play, with their defaults."""
    check_options: Callable[[Mapping[str, Any]], dict[str, Any]]
    """Options filled in and checked; ValueError."""
    template: Callable[[Mapping[str, Any]], np.ndarray]
    """Checked options -> a blank record with them, shape (1,)."""
    rewards: tuple[str, ...]
    """Names of rewards, by number."""
    phase_names: tuple[str, ...]
    action_name: Callable[[int], str]
    plan_phase: int
    """The phase in which all players decide at the same time, or -1."""
    hidden_phases: Mapping[int, int]
    """Phases that only the decider may know he is in, and what they look like to the others."""
    checks: Mapping[int, str]
    """What each code of ``check_game`` means."""
    record_lines: Callable[[np.ndarray, Mapping[str, Any], int | None, list[str] | None], Iterable[dict[str, Any]]]
    """Log entries int16[n, 8], options, seed, agents -> lines of the record, header first; EOFError if cut short."""
    line_fields: Callable[[Mapping[str, Any]], Mapping[Any, Any] | None]
    """Line of a record -> what its fields beside the type may hold; None for an unknown type."""
    options_of: Callable[[Mapping[str, Any]], dict[str, Any]]
    """Header of a record -> options of play."""
    script: Callable[[Sequence[Mapping[str, Any]]], Script]
    """Lines of a record with sound fields -> how to play them."""
    text: Callable[[np.void, int | None], str]
    """Record, player or None for the referee -> the state in words and tables."""
    position: Position
    rules_version: int
    obs_version: int

    @property
    def obs_size(self) -> int:
        """Bytes of an observation."""
        return self.obs_layout[-1].stop


def describe(
    package: str,
    title: str,
    rules_version: int,
    obs_version: int,
    plan_phase: int = -1,
    hidden_phases: Mapping[int, int] | None = None,
) -> Game:
    """Describe the game whose modules stand in ``package``, under the names that every game gives them.

    Example:
        >>> describe("shogun_env.shogun", "Shogun", rules_version=1, obs_version=1).n_actions
        120
    """

    def module(name: str) -> Any:
        return importlib.import_module(f"{package}.{name}")

    actions, codec, constants, layout = module("actions"), module("codec"), module("constants"), module("layout")
    options, replay = module("options"), module("replay")
    return Game(
        name=package.rpartition(".")[2],
        title=title,
        dtype=module("state").GAME,
        loops=bind_loops(module("engine")),
        players=options.PLAYERS,
        n_actions=constants.N_ACTIONS,
        obs_layout=layout.OBS_LAYOUT,
        block_rows=layout.BLOCK_ROWS,
        scales=scales(layout.OBS_LAYOUT),
        defaults=options.DEFAULTS,
        check_options=options.check_options,
        template=options.template,
        rewards=constants.REWARDS,
        phase_names=actions.PHASE_NAMES,
        action_name=actions.action_name,
        plan_phase=plan_phase,
        hidden_phases=hidden_phases or {},
        checks=module("invariants").CHECKS,
        record_lines=module("lines").record_lines,
        line_fields=module("fields").line_fields,
        options_of=replay.options_of,
        script=replay.Script,
        text=module("text").render,
        position=Position(
            fields=codec.FIELDS,
            options=tuple(codec.OPTIONS),
            derived=codec.DERIVED,
            fill=codec.fill,
            board=codec.BOARD,
            places=module("board").PROVINCE_NAMES,
            place_text=codec.place_text,
            set_place=codec.set_place,
        ),
        rules_version=rules_version,
        obs_version=obs_version,
    )
