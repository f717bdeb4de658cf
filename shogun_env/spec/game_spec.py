"""What shared code knows about a game: one object, written out in each game's package."""

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from shogun_env.spec.engine import Engine
from shogun_env.spec.forms import Named
from shogun_env.spec.layout import Board, Slice
from shogun_env.spec.pages import NO_COSTS, Division, Fight, Habits, Lesson, PlanCosts, PlanSpace, lessons_in
from shogun_env.spec.record_kinds import LineKinds
from shogun_env.spec.validity import Validity
from shogun_env.spec.voice import Passage, Voice
from shogun_env.svg.markup import Drawing

Line = Mapping[str, Any]
"""A line of a record: a JSON object with its type under ``t``."""


class Script(Protocol):
    """A record prepared for a replay on the engine; each game has its own class."""

    @property
    def order(self) -> Sequence[int]:
        """Indices of the record's lines, in the order in which the engine writes them."""

    def tape(self) -> list[tuple[int, int]]:
        """Return all chance outcomes as (kind, value), in the order in which the engine takes them."""

    def answer(self, g: np.void) -> tuple[int | None, int | None]:
        """Return the action that the record takes in a state that is not over, and the index of its line.

        The action is None if the lines do not hold it, and the index None if it cannot be told from them.
        """


@dataclass(frozen=True, kw_only=True)
class RecordFormat:
    """How the record of a game is written and read."""

    kinds: LineKinds
    """The kinds of lines."""
    header: Callable[[Mapping[str, Any]], Line] = lambda options: {}
    """``header(options)`` returns the fields of the header that hold checked options besides the number of players."""
    options_of: Callable[[Line], dict[str, Any]] = lambda header: {"num_players": header["players"]}
    """``options_of(header)`` returns the options of play that a header holds."""
    begun: Callable[[np.void], Iterable[tuple[int, ...]]] = lambda state: ()
    """``begun(state)`` returns the log entries of the unfinished line that the state's decision continues: kind and
    seven numbers each. Entries before them belong to complete lines."""
    log_options: Callable[[Mapping[str, Any]], Mapping[str, Any]] = lambda options: options
    """``log_options(options)`` returns the options of play as ``kinds`` read them."""
    tell: Callable[[Sequence[Line], Voice], Iterable[Passage]] | None = None
    """``tell(lines, voice)`` says in plain English what happened, with the names of the voice: each line is told about
    exactly once, in order, and nothing that the voice's viewer cannot know. Lines that one text tells about have no
    decision between them. None: the lines are shown as they are, but for secret ones."""
    fights: Callable[[np.void, Sequence[Line]], Sequence[Fight]] = lambda before, lines: ()
    """``fights(before, lines)`` returns the throws in the lines of an event, from the state before it."""
    script: Callable[[Sequence[Line]], Script]
    """``script(lines)`` prepares lines with valid fields for a replay."""
    habits: Callable[[Sequence[Line]], Habits] = lambda lines: {}
    """``habits(lines)`` counts what each player did in a game that is over, from all lines of its record."""
    scorings: Callable[[Sequence[Line]], Mapping[str, Sequence[int]]] = lambda lines: {}
    """``scorings(lines)`` returns the points of each player by when they were scored, such as "year 1", from all lines
    of a game that is over; empty for a game in which points come at any time."""

    def lines(
        self, entries: np.ndarray, options: Mapping[str, Any], seed: int | None, agents: list[str] | None
    ) -> Iterator[dict[str, Any]]:
        """Yield the lines of a record, header first.

        Args:
            entries: int16[n, 8] of the game's log.
            options: of play, checked.
            seed: of the game, or None.
            agents: by player as they were named, or None.

        Raises: EOFError if the log ends inside a line.
        """
        fixed = {name: self.kinds["header"].fields[name] for name in ("format", "version")}
        head = {"t": "header", **fixed, "players": options["num_players"], **self.header(options)}
        yield {**head, "seed": seed, "agents": agents}
        yield from self.kinds.lines(entries, self.log_options(options))


Field = tuple[tuple[str, ...], Callable[[int], str], Callable[[str], int]]
"""How a field of a state is written: names for the entries of its last axis, or none; number to word; word to number.
Of named entries only those that are not blank are written."""


@dataclass(frozen=True, kw_only=True)
class PositionFormat:
    """How a state is written as one line of text."""

    fields: Mapping[str, Field]
    """In the order of writing."""
    options: Sequence[str]
    """Names of the fields that hold options."""
    options_of: Callable[[np.void], dict[str, Any]]
    """``options_of(state)`` returns the options of play that a state holds."""
    derived: Sequence[str]
    """Names of the fields that ``fill`` sets; they are written only if they differ from what it sets."""
    fill: Callable[[np.void], None]
    """``fill(state)`` sets the derived fields from the others."""
    board: Sequence[str]
    """Names of the fields that are written together, place by place, after the others."""
    places: Sequence[str]
    """Names of the places on the board."""
    place_text: Callable[[np.void, int], str]
    """``place_text(state, place)`` returns what is on a place, as text."""
    set_place: Callable[[np.void, int, str], None]
    """``set_place(state, place, text)`` puts there what the text says."""


@dataclass(frozen=True, kw_only=True, eq=False)
class GameSpec:
    """A game as shared code sees it: its state, its functions, its sizes and names."""

    name: str
    """Short name, as in commands and file names."""
    title: str
    """Display title, with diacritics."""
    rules_version: int
    """Version of the rules."""
    obs_version: int
    """Version of observations and action numbers."""
    documents: str = ""
    """The package that holds its RULES.md and RULES_SHORT.md, and lessons in ``text``; empty for a game without."""

    # The engine
    state_dtype: np.dtype[Any]
    """Struct of one state. Shared code reads ``player`` (-1 when the game is over), ``phase``, ``points``, ``error``,
    and ``n_players`` for ``player_at``. Every game has the option ``num_players``."""
    engine: Engine
    players: range
    """Allowed numbers of players."""
    rewards: tuple[str, ...]
    """Names of rewards, by number; ``win`` and ``rank`` are among them, by which tournaments count."""
    validity: Validity
    """What is true of a state between two decisions."""

    # Phases and actions
    phase_names: tuple[str, ...]
    """What is decided in each phase; a phase's number is its index."""
    action_names: Sequence[str]
    """Names of all actions, by number."""
    action_label: Callable[[int], str] = lambda action: ""
    """``action_label(action)`` returns what an action is called on a button, empty for its name."""
    action_words: Callable[[np.void, int], str] = lambda state, action: ""
    """``action_words(state, action)`` returns what a legal action does there, in words, empty if its name says it."""
    question: Callable[[np.void], str] = lambda state: ""
    """``question(state)`` returns what the player who decides is asked, in words to that player, empty if the title of
    the drawing says it."""
    refusals: Callable[[np.void], dict[int, str]] = lambda state: {}
    """``refusals(state)`` returns in words why actions that a player might want are illegal at the decision, by action;
    it holds nothing that the player who decides does not know."""
    promises: Callable[[np.void], dict[int, str]] = lambda state: {}
    """``promises(state)`` returns in a few words what legal actions promise, by action, where chance decides it; it
    holds nothing that the player who decides does not know."""
    plan_spaces: Sequence[str] = ()
    """Names of the spaces of a plan, by the numbers of ``engine.plan_slot``."""
    plan_sheet: Callable[[np.void], list[PlanSpace]] = lambda state: []
    """``plan_sheet(state)`` returns while a plan is made its spaces in the order of play, with what cards do there;
    those that cannot be there are left out."""
    plan_laid: Callable[[np.void, int, Mapping[int, int]], np.void] = lambda state, player, cards: state
    """``plan_laid(state, player, cards)`` returns a copy to be shown to a player who plans, with cards (actions) on
    some spaces, in any order."""
    plan_costs: Callable[[np.void, int, Mapping[int, int]], PlanCosts] = lambda state, player, cards: NO_COSTS
    """``plan_costs(state, player, cards)`` returns what cards (actions) on some spaces of a plan cost the player, as
    far as the player can know."""
    no_card: str = ""
    """Name of the action that leaves a space of a plan empty, which is allowed where there are fewer cards than spaces.
    """
    division: Callable[[np.void, int], Division | None] = lambda state, held: None
    """``division(state, held)`` returns the lots that are made, offered or to be chosen from, None where there are
    none; ``held`` is the last action chosen and not confirmed, or 0. It holds nothing that the player who decides does
    not know."""
    plan_phase: int = -1
    """The phase in which all players decide at the same time, or -1."""
    hidden_phases: Mapping[int, int] = field(default_factory=dict)
    """Phases that only the decider may know about, each with the phase that the others are shown instead."""

    glossary: Mapping[str, str] = field(default_factory=dict)
    """What cards, places and words mean, in a sentence or two, by their names in the data and in actions."""
    terms: Mapping[str, str] = field(default_factory=dict)
    """What texts and pictures call these names, where it is not the name with spaces."""

    # Options
    option_defaults: Mapping[str, Any]
    """Options of play with their defaults."""
    option_choices: Mapping[str, Sequence[Any]]
    """For every option values that together use all rules; some combinations of them may not be allowed."""
    check_options: Callable[[Mapping[str, Any]], dict[str, Any]]
    """``check_options(options)`` returns all options, checked, defaults filled in; OptionError for a bad one."""
    blank_state: Callable[[Mapping[str, Any]], np.ndarray]
    """``blank_state(options)`` returns a state, of shape (1,), that is blank but for the checked options."""

    # Start positions
    fair: Mapping[str, Any] = field(default_factory=dict)
    """Options of play with which no player begins better placed than another: ``--fair``, and as people play.
    Empty: nobody ever does."""
    start_positions: Sequence[str] = ()
    """What players may begin with that is not equally good, in words; empty if there is no such thing."""
    start_position: Callable[[np.void, int], int] = lambda state, player: -1
    """``start_position(state, player)`` returns which of ``start_positions`` a player got, from a state just set up; -1
    with options that have none."""

    # Observations
    obs_layout: tuple[Slice, ...]
    row_names: Mapping[str, Sequence[str]]
    """Names of the rows of each block of an observation; a block of one row is shown without the axis of rows."""
    board: Board | None = None
    """The main block of observations; None for a game without a board."""

    # Text
    record_format: RecordFormat
    position_format: PositionFormat
    render: Callable[[np.void, int | None], str]
    """``render(state, player)`` returns the state in words and tables as a player sees it; None is the referee."""
    standing: Callable[[np.void], Mapping[str, Sequence[int]]] = lambda state: {"points": state["points"].tolist()}
    """``standing(state)`` returns numbers by player, by what they count, which everybody knows; the first matters most.
    """
    draw: Callable[[np.void, int | None], Drawing] | None = None
    """``draw(state, player)`` returns the drawing of a state as a player sees it; None is the referee, -1 what all
    know. A game without one is drawn as its text."""

    @property
    def check_messages(self) -> Mapping[int, str]:
        """What each code of ``Batch.check`` means."""
        return self.validity.messages

    @functools.cached_property
    def lessons(self) -> tuple[Lesson, ...]:
        """What a newcomer is told at first meetings, in the order in which they come when several do at once."""
        return lessons_in(self.documents) if self.documents else ()

    @functools.cached_property
    def block_rows(self) -> Mapping[str, int]:
        """Number of rows of each block of an observation."""
        return {block: len(names) for block, names in self.row_names.items()}

    @functools.cached_property
    def obs_size(self) -> int:
        """Number of bytes of an observation, D."""
        return self.obs_layout[-1].stop

    @functools.cached_property
    def n_actions(self) -> int:
        """Number of actions, A."""
        return len(self.action_names)

    @functools.cached_property
    def actions(self) -> Named:
        """Numbers of all actions by name; for a wrong name an error says which may have been meant."""
        return Named({name: action for action, name in enumerate(self.action_names)})

    def action_name(self, action: int) -> str:
        """Return the name of an action.

        Raises: ValueError if there is no such action.
        """
        if not 0 <= action < self.n_actions:
            raise ValueError(f"action={action!r}: must be a number from 0 to {self.n_actions - 1}")
        return self.action_names[action]
