"""The language of rule cases: what a case is, how a file of cases is read, and what a game adds to the language.

``README.md`` next to this file describes the language for people who write cases.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from shogun_env.game import Game

Outcome = tuple[int, int]
"""A chance outcome as a tape holds it: kind of log entry, value."""
Line = dict[str, Any]
"""A line of a record."""

FIELDS = ("about", "options", "chance", "choose", "lines", "after")
"""Fields that the cases of every game have, besides those that describe the position."""


@dataclass
class Case:
    """One rule case as a file tells it."""

    game: str
    name: str
    tags: list[str]
    """Sections, rulings and examples that the case is about."""
    fields: dict[str, list[str]] = field(default_factory=dict)
    """Lines of text of each field."""

    def __str__(self) -> str:
        """Return game and name, such as ``shogun-BAT.6``."""
        return f"{self.game}-{self.name}"

    def items(self, name: str) -> list[str]:
        """Return the items of a field, in order."""
        return [item.strip() for line in self.fields.get(name, []) for item in line.split(";") if item.strip()]


class Setting(ABC):
    """A position in the making; the class of each game knows the items that describe it.

    A subclass has a method for each word with which items begin: ``give_<word>``.
    """

    def __init__(self, g: np.void) -> None:
        """Begin with a blank state ``g`` that holds the options."""
        self.g = g
        self.n_players = int(g["n_players"])

    @abstractmethod
    def give(self, field: str, item: str) -> None:
        """Add what an item of a field says."""

    def give_word(self, name: str, words: list[str]) -> None:
        """Add what the words of an item say that begins with a name."""
        known = [method.removeprefix("give_") for method in dir(self) if method.startswith("give_")]
        if name not in known:
            raise ValueError(f"{name!r} in given: must be the name of a province, or one of {', '.join(known)}")
        getattr(self, f"give_{name}")(*words)

    @abstractmethod
    def finish(self) -> None:
        """Complete the state with what no item has said."""

    @abstractmethod
    def later_chance(self, chance: Sequence[Outcome]) -> list[Outcome]:
        """Return outcomes for what the engine may draw after the ``chance`` of the case, so that it can run on."""


@dataclass(frozen=True, kw_only=True)
class Vocabulary:
    """What the cases of one game may say."""

    game: type[Game]
    setting: type[Setting]
    setting_fields: tuple[str, ...]
    """Fields whose items describe the position; a case without any begins with the set-up of the game."""
    chance: Mapping[str, Callable[[list[str]], list[Outcome]]]
    """Word with which an item of ``chance`` begins -> words behind it -> outcomes."""
    chance_of_setup: Callable[[], list[Outcome]]
    """Returns outcomes to come after those of a case that begins with the set-up."""
    line_types: tuple[str, ...]
    """Types of record lines of which a case that names any line has to name each one."""
    need_not_name: Callable[[Case, Line], bool] = lambda case, line: False
    """Case, line of such a type -> whether the case need not name it all the same."""
    after: Mapping[str, Callable[[np.void, list[str]], str]]
    """Word with which an item of ``after`` begins -> state, words behind it -> the words that would be right."""
    province: Callable[[np.void, int], str]
    """State, number of a province -> how it stands, in the words of ``given``."""
    rows: Mapping[str, Sequence[str]]
    """Block of an observation -> names of its rows."""


# --- reading ---------------------------------------------------------------------------------------------------------


def read_cases(path: Path, game: str, setting_fields: Sequence[str]) -> list[Case]:
    """Read a file of cases.

    Raises: ValueError naming file and line where something cannot be read.
    """
    cases: list[Case] = []
    rows: list[str] = []
    fields = (*FIELDS, *setting_fields)
    for number, text in enumerate(path.read_text("utf-8").splitlines(), 1):
        head, _, rest = text.partition(":")
        if not text.strip() or text.startswith("#"):
            continue
        if text.startswith("case "):
            _, name, *tags = text.split()
            cases.append(Case(game, name, tags))
        elif text.startswith(" ") and cases:
            rows.append(text)
        elif cases and head in fields and head not in cases[-1].fields:
            rows = cases[-1].fields[head] = [rest]
        else:
            expected = f"must begin a case, or be one of {', '.join(fields)}, each once per case"
            raise ValueError(f"{path.name}, line {number}: {text!r} {expected}")
    return cases


# --- words that both games use ---------------------------------------------------------------------------------------


def number_of(names: Sequence[str], word: str) -> int:
    """Return the index of a name.

    Raises: ValueError naming the word and what would be right.
    """
    if word not in names:
        raise ValueError(f"{word!r}: must be one of {', '.join(names)}")
    return list(names).index(word)


def counts_of(names: Sequence[str], words: Sequence[str]) -> np.ndarray:
    """Return how many of each kind the words name: ``bushi koku_1*3``, or ``-`` for none; int64[len(names)].

    Raises: ValueError naming a word that is not a name.
    """
    counts = np.zeros(len(names), np.int64)
    for word in words if list(words) != ["-"] else ():
        name, _, times = word.partition("*")
        counts[number_of(names, name)] += int(times or 1)
    return counts


def words_of(names: Sequence[str], counts: Sequence[int]) -> str:
    """Return counts by kind in the words that ``counts_of`` reads, kinds in order."""
    pairs = zip(names, counts, strict=True)
    return " ".join(f"{name}*{count}" if count > 1 else name for name, count in pairs if count) or "-"


def all_items(case: Case, fields: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield field and text of every item of some fields."""
    for name in fields:
        for item in case.items(name):
            yield name, item
