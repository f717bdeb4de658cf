"""The table of the kinds of lines in a game's record: how each is read from the log, checked, replayed and described.

A game makes one table and fills it with ``LineKinds.line`` and ``LineKinds.entry``. Everything else about lines follows
from it: writing a record, the check of what is read, the chance of a replay, the steps of the pages. Only sentences are
functions of their own, and ``RECORD.md`` explains the lines to people.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from shogun_env.spec.forms import COUNT

Line = dict[str, Any]
"""A line of a record: a JSON object with its kind under ``t``."""
Form = Any
"""What a field may hold; ``spec.forms`` says how it is read."""
_Decorator = Callable[[Callable[[Any], Any]], Callable[[Any], Any]]
Outcome = tuple[int, int]
"""A chance outcome: the kind of its log entry, and its value."""
VERSION = 1
"""Version of the format of records."""


def value_of(form: Form, number: int) -> Any:
    """Return the value of a field of this form that a number of a log entry stands for: itself, or a name by its index.

    Example:
        >>> [value_of((None, "Aki", "Ise"), number) for number in (0, 1, -1)], value_of(range(9), 3)
        (['Aki', 'Ise', None], 3)
    """
    if isinstance(form, range):
        return number
    if form[0] is None:
        return None if number < 0 else value_of(form[1] if isinstance(form[1], range) else form[1:], number)
    return form[number]


class LogReader:
    """Goes through the log entries of a game; entries that belong together make one line.

    Args:
        entries: int16[n, 8], kind and seven numbers each.
        options: options of play, checked.
    """

    def __init__(self, entries: np.ndarray, options: Mapping[str, Any]) -> None:
        self.rows: list[list[int]] = entries.tolist()
        self.at = 0
        self.players: int = options["num_players"]
        self.state: Line = {}
        """The last line that a kind wants to remember for later ones."""

    def next(self, entry: int) -> list[int]:
        """Take the next entry and return its seven numbers.

        Raises: EOFError if the log ends here, or the entry is of another kind than ``entry``.
        """
        if self.peek() != entry:
            raise EOFError(f"log entry {self.at} is of kind {self.peek()}, expected {entry}")
        self.at += 1
        return self.rows[self.at - 1][1:]

    def peek(self, ahead: int = 0) -> int:
        """Return the kind of the entry after the next ``ahead`` ones, or -1 if the log ends before it."""
        at = self.at + ahead
        return self.rows[at][0] if at < len(self.rows) else -1


@dataclass(frozen=True, kw_only=True)
class LineKind:
    """One kind of line."""

    name: str
    """What stands under ``t``."""
    fields: Mapping[str, Form]
    """The form of each field, in the order of writing."""
    read: Callable[[Any], Sequence[Any] | Line] | None = None
    """``read(log)`` takes the entries of a line and returns the values of its fields in their order, or the fields by
    name if they depend on each other. None for the header."""
    more: Callable[[Mapping[str, Any]], Mapping[str, Form] | None] = lambda line: {}
    """``more(line)`` returns the fields that only some lines of the kind have; None if the line is of no known form."""
    chance: Callable[[Line], Iterable[Outcome]] = lambda line: ()
    """``chance(line)`` yields the chance outcomes in a line, in the order in which the engine takes them."""
    joins: int | Callable[[Line], int] = 0
    """How its lines go with events: 0 for a line that is an event of its own, 1 for one that opens the event after it,
    -1 for one that goes with the event before it, and -2 for one that also ends that. A function of the line, if it
    depends on the line."""
    entries: tuple[int, ...] = ()
    """Kinds of the log entries that its lines begin with."""
    when: Callable[[Any], bool] = lambda log: True
    """``when(log)`` says whether the next entry begins a line of this kind, where such entries begin several kinds."""
    mark: str = ""
    """What a replay can jump to such a line for: ``round``, ``action``, ``fight`` or ``placement``; empty for nothing.
    It is called by the line's province, or else by its sentence."""
    is_secret: bool = False
    """Whether the line shows what some players do not know; the player whom it names knows it."""


class LineKinds(dict[str, LineKind]):
    """The kinds of lines of a game, by name, in the order of ``RECORD.md``: the header first.

    Args:
        game: short name of the game.
        players: allowed numbers of players.
        options: forms of the fields of the header that hold other options.
        reader: the class that reads the log of this game.

    Example:
        >>> kinds = LineKinds("toy", range(2, 4))
        >>> @kinds.line("turn", 7, fields={"player": range(3)})
        ... def read_turn(log):
        ...     return log.next(7)[:1]
        >>> list(kinds.lines(np.array([[7, 2, 0, 0, 0, 0, 0, 0]]), {"num_players": 3}))
        [{'t': 'turn', 'player': 2}]
    """

    def __init__(
        self, game: str, players: range, options: Mapping[str, Form] | None = None, reader: type[LogReader] = LogReader
    ) -> None:
        first = {"format": f"{game}-record", "version": VERSION, "players": players}
        fields = {**first, **(options or {}), "seed": (None, COUNT), "agents": (None, [str])}
        super().__init__(header=LineKind(name="header", fields=fields))
        self._reader = reader

    def line(self, name: str, *entries: int, fields: Mapping[str, Form] | None = None, **values: Any) -> _Decorator:
        """Return a decorator that adds a kind whose ``read`` is the decorated function.

        Args:
            name: the kind.
            entries: kinds of the log entries that its lines begin with.
            fields: the form of each field, in the order of writing.
            values: ``more``, ``chance``, ``joins``, ``when``, ``mark`` and ``is_secret``, as in ``LineKind``.
        """

        def add(read: Callable[[Any], Any]) -> Callable[[Any], Any]:
            self[name] = LineKind(name=name, fields=fields or {}, read=read, entries=entries, **values)
            return read

        return add

    def entry(self, name: str, entry: int, numbers: str, fields: Mapping[str, Form], **values: Any) -> None:
        """Add a kind whose lines are one log entry each.

        Args:
            name: the kind.
            entry: kind of the log entry.
            numbers: the names of the fields in the order of the entry's numbers, which ``value_of`` translates.
            fields: as for ``line``.
            values: as for ``line``.

        Example:
            >>> kinds = LineKinds("toy", range(2, 4))
            >>> kinds.entry("flip", 5, "heads player", fields={"player": range(3), "heads": (False, True)})
            >>> list(kinds.lines(np.array([[5, 1, 2, 0, 0, 0, 0, 0]]), {"num_players": 3}))
            [{'t': 'flip', 'player': 2, 'heads': True}]
        """

        def read(log: LogReader) -> list[Any]:
            found = dict(zip(numbers.split(), log.next(entry), strict=False))
            return [value_of(form, found[field]) for field, form in fields.items()]

        self.line(name, entry, fields=fields, **values)(read)

    def but(
        self, game: str, players: range, options: Mapping[str, Form] | None = None, **fields: Mapping[str, Form]
    ) -> LineKinds:
        """Return a copy for another game, with other forms for the fields of some kinds."""
        changed = LineKinds(game, players, options, self._reader)
        for kind in list(self.values())[1:]:
            changed[kind.name] = replace(kind, fields={**kind.fields, **fields.get(kind.name, {})})
        return changed

    # --- what follows from the table ---------------------------------------------------------------------------------

    def lines(self, entries: np.ndarray, options: Mapping[str, Any]) -> Iterator[Line]:
        """Yield the lines after the header; entries that only the engine needs make none.

        Args:
            entries: int16[n, 8], the log of a game.
            options: options of play, checked.

        Raises: EOFError if the log ends inside a line.
        """
        return self.read(self._reader(entries, options))

    def reader(self, options: Mapping[str, Any]) -> LogReader:
        """Return a reader of a log that has no entry yet; options of play, checked."""
        return self._reader(np.zeros((0, 8), np.int16), options)

    def read(self, log: LogReader) -> Iterator[Line]:
        """Yield the lines from where a reader stands, as ``lines`` does.

        Raises: EOFError if the log ends inside a line; the reader then stands where this line begins.
        """
        beginning: dict[int, list[LineKind]] = {}
        for kind in self.values():
            for entry in kind.entries:
                beginning.setdefault(entry, []).append(kind)
        while log.at < len(log.rows):
            if log.peek() not in beginning:
                log.at += 1
                continue
            kind = next(kind for kind in beginning[log.peek()] if kind.when(log))
            begin = log.at
            try:
                values = kind.read(log) if kind.read else {}
            except EOFError:
                log.at = begin
                raise
            fields = values if isinstance(values, dict) else dict(zip(kind.fields, values, strict=True))
            yield {"t": kind.name, **fields}

    def fields_of(self, line: Mapping[str, Any]) -> Mapping[str, Form] | None:
        """Return what the fields of a line besides its kind may hold; None for an unknown kind."""
        name = line.get("t")
        kind = self.get(name) if isinstance(name, str) else None
        more = kind.more(line) if kind else None
        return None if kind is None or more is None else {**kind.fields, **more}

    def chance_of(self, line: Line) -> list[Outcome]:
        """Return the chance outcomes in a line, in the order in which the engine takes them."""
        return list(self[line["t"]].chance(line))

    def joins(self, line: Mapping[str, Any]) -> int:
        """Return how a line goes with events, as ``LineKind.joins`` says."""
        joins = self[line["t"]].joins
        return joins(dict(line)) if callable(joins) else joins

    def knows(self, viewer: int | None, line: Mapping[str, Any]) -> bool:
        """Say whether a viewer may know a line: a player, -1 for what everybody knows, None for the referee."""
        return viewer is None or not self[line["t"]].is_secret or line.get("player") == viewer
