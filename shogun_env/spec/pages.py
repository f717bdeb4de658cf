"""What a game gives to the pages for people: plans and lots in the making, fights, lessons, habits."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from importlib import resources
from typing import Any, NamedTuple

# --- plans -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PlanSpace:
    """A space of a plan.

    Attributes:
        space: its number, as in ``GameSpec.plan_spaces``.
        mark: where it is in the order of play, such as ``1``; ``?`` where nobody knows, empty where that says nothing.
        title: what the space is for, with its price.
        cards: what the game does with each card that the player holds there, in a few words, by action.
    """

    space: int
    mark: str
    title: str
    cards: dict[int, str]


class PlanCosts(NamedTuple):
    """What a plan, or the part of it that is made, costs its player."""

    text: str
    """In a sentence: the costs, and what the player has; empty if it costs nothing."""
    unpaid: Mapping[int, str]
    """Why the means may not suffice, by the number of the space for which that is so."""


NO_COSTS = PlanCosts("", {})


# --- lots ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Lot:
    """A lot as it is now.

    Attributes:
        title: what it is called.
        cards: how many cards of each kind are in it, by the action that adds one.
        tile: the action that gives it its tile, 0 for none yet.
    """

    title: str
    cards: dict[int, int]
    tile: int = 0


@dataclass(frozen=True)
class Division:
    """Lots that are made, offered, or to be chosen from.

    Attributes:
        is_made: whether the player who decides makes them now; a card that is in no other lot is in the last one.
        lots: the lots.
        card_names: what the cards are called, by the action that adds one to the first lot.
        tile_names: the tiles that may be given, and those that are given, by action.
        chosen_tiles: how many tiles are chosen, in the order of the lots; others follow from these.
        brings: for each player who may get one, and for each lot, what it brings them.
    """

    is_made: bool
    lots: list[Lot]
    card_names: dict[int, str]
    tile_names: dict[int, str]
    chosen_tiles: int
    brings: dict[int, list[str]] = field(default_factory=dict)


# --- fights ----------------------------------------------------------------------------------------------------------

FARMERS = "farmers"
"""The colour of cubes that no player owns; the colour of a player's is the player's number as text."""


class Fight(NamedTuple):
    """A throw into a tower, and the fight that it decides, if any."""

    why: str
    """What it is thrown for, in a word or two."""
    thrown: Mapping[str, int]
    """Cubes thrown, by colour."""
    tray: Mapping[str, int]
    """Cubes in the tray after the throw, by colour."""
    province: str | None = None
    """Where the fight is; None for a throw without one."""
    sides: tuple[tuple[str, int], ...] = ()
    """The attacker and the defender, by colour, each with their cubes before the throw, those from the supply too."""
    holder: str | None = None
    """Colour of the player who holds the province afterwards; None for nobody."""
    remaining: int = 0
    """Armies in the province afterwards."""


# --- lessons ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Lesson:
    """An explanation that comes once; one without ``phases`` and ``lines`` comes when the game begins.

    Attributes:
        title: what it is about.
        text: what happens, and what one can do.
        advice: what usually is good, and why.
        words: names of the glossary that go with it.
        rule: how the paragraph or item of the short rules begins that holds the rule.
        phases: it comes when the newcomer first decides in one of these.
        lines: it comes after the first of these lines of a record: a type, or a type and a value that the line has.
        own: whether only lines that name the newcomer count.
        named: field of the line whose value is explained too, by the glossary.
    """

    title: str
    text: str
    advice: str
    rule: str
    words: tuple[str, ...] = ()
    phases: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    own: bool = False
    named: str = ""

    def is_about(self, line: Mapping[str, Any], player: int) -> bool:
        """Return whether a line of a record is one after which the lesson comes for a player.

        Example:
            >>> lesson = Lesson(title="Fight", text="", advice="", rule="", lines=("throw battle",))
            >>> lesson.is_about({"t": "throw", "why": "battle"}, 0), lesson.is_about({"t": "throw", "why": "fill"}, 0)
            (True, False)
        """
        if self.own and line.get("player") != player:
            return False
        return any(
            line["t"] == kind and (not value or value in line.values())
            for kind, _, value in (each.partition(" ") for each in self.lines)
        )


def texts_in(package: str, file: str) -> dict[str, Any]:
    """Return what a TOML file of a package says."""
    return tomllib.loads(resources.files(package).joinpath(file).read_text("utf-8"))


def lessons_in(package: str) -> tuple[Lesson, ...]:
    """Return the lessons of a game's package, from its ``text/lessons.toml``; none without that file."""
    file = resources.files(package).joinpath("text", "lessons.toml")
    tables = tomllib.loads(file.read_text("utf-8"))["lesson"] if file.is_file() else ()
    lists = ("words", "phases", "lines")
    return tuple(Lesson(**{**table, **{name: tuple(table.get(name, ())) for name in lists}}) for table in tables)


# --- habits ----------------------------------------------------------------------------------------------------------

Habits = Mapping[str, tuple[list[float], list[float]]]
"""By the words of a habit, for each player of one game: how much or often, and out of how many occasions."""


class Tally:
    """Counts habits of the players of a game.

    Args:
        players: how many play.
        per_game: words of what is counted per game: there is one occasion in each.
        per_occasion: words of what is counted out of the occasions there are, which are added up as well.
    """

    def __init__(self, players: int, per_game: Iterable[str], per_occasion: Iterable[str]) -> None:
        self.players = players
        self.habits = {
            **{words: ([0.0] * players, [1.0] * players) for words in per_game},
            **{words: ([0.0] * players, [0.0] * players) for words in per_occasion},
        }

    def add(self, words: str, player: int, times: float = 1.0) -> None:
        """Count something that is counted per game."""
        self.habits[words][0][player] += times

    def add_all(self, words: str, times: Iterable[float]) -> None:
        """Count something per game for each player."""
        for player, each in enumerate(times):
            self.add(words, player, each)

    def occasion(self, words: str, player: int, happened: float) -> None:
        """Count an occasion, and whether (or how often) it happened there."""
        count, of = self.habits[words]
        count[player] += happened
        of[player] += 1.0
