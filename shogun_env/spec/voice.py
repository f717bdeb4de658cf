"""Telling what happened: names, "you" with its grammar, and who may know what.

A game's ``tell`` makes texts from the lines of a record with a ``Voice``. In a text under way every name stands between
marks that say whose it is, so that a page can colour it; ``spoken`` takes the marks out.
Words that all games say in the same way, and tables of them, are here too.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

EVERYBODY = -1
"""The viewer who knows only what everybody knows."""
YOU = "you"
"""The name of the one whom a text addresses."""
_OPEN, _SHUT = "\x02", "\x03"
_NAME = re.compile(rf"{_OPEN}(\d+) ([^{_SHUT}]*){_SHUT}")
_BEGINS = re.compile(rf"((?:^|[.] ){_OPEN}\d+ )(you)")
_IRREGULAR = {"be": ("are", "is"), "have": ("have", "has"), "do": ("do", "does"), "go": ("go", "goes")}


class Passage(NamedTuple):
    """What a game's ``tell`` says about some lines."""

    text: str
    """With its marks."""
    player: int | None = None
    """Who did it; None if nobody did."""
    n_lines: int = 1
    """How many lines it is about."""


class Sentence(NamedTuple):
    """What happened, in plain English: one sentence or a few, about lines of a record that belong together."""

    text: str
    player: int | None
    """Who did it; None if nobody did."""
    kind: str
    """Type of the first of the lines."""
    first: int
    """Number of the first line in its record, the header being 1."""
    last: int
    """Number of the last line."""
    parts: tuple[tuple[str, int | None], ...]
    """The text cut into pieces, each with the player whose name it is, or None."""


class Voice:
    """How a text names players, and what it may say.

    Args:
        names: by player; one who is called "you" is addressed.
        viewer: who may know all that is told: a player, -1 for what everybody knows, None for the referee.

    Example:
        >>> voice = Voice(["you", "Ann"], 0)
        >>> [spoken(voice.does(player, "carry") + " it.")[0] for player in (0, 1)]
        ['You carry it.', 'Ann carries it.']
    """

    def __init__(self, names: Sequence[str], viewer: int | None) -> None:
        self.names, self.viewer = names, viewer

    def knows(self, player: int) -> bool:
        """Say whether the viewer knows what a player knows."""
        return self.viewer is None or self.viewer == player

    def name(self, player: int) -> str:
        """Return the name of a player."""
        return self._marked(player, self.names[player])

    def possessive(self, player: int) -> str:
        """Return the possessive of a player, which stands before a noun: "your", "P3's"."""
        return self._marked(player, "your" if self._is_you(player) else f"{self.names[player]}'s")

    def theirs(self, player: int) -> str:
        """Return the possessive of a player, which stands alone: "yours", "P3's"."""
        return self._marked(player, "yours" if self._is_you(player) else f"{self.names[player]}'s")

    def verb(self, player: int, verb: str) -> str:
        """Return the form of a verb that goes with a player."""
        if verb in _IRREGULAR:
            return _IRREGULAR[verb][0 if self._is_you(player) else 1]
        if self._is_you(player):
            return verb
        if re.search(r"[^aeiou]y$", verb):
            return f"{verb[:-1]}ies"
        return f"{verb}es" if re.search(r"(s|x|z|ch|sh)$", verb) else f"{verb}s"

    def does(self, player: int, verb: str) -> str:
        """Return a player and what they do: "you take", "P3 takes"."""
        return f"{self.name(player)} {self.verb(player, verb)}"

    def _is_you(self, player: int) -> bool:
        return self.names[player] == YOU

    def _marked(self, player: int, word: str) -> str:
        return f"{_OPEN}{player} {word}{_SHUT}"


class Teller:
    """Goes through lines of a record; the subclass of a game has a method ``tell_TYPE`` for each type of line.

    Such a method returns a text about the line, which the player whom it names did, or a ``Passage`` about this line
    and those after it.
    """

    def __init__(self, lines: Sequence[Mapping[str, Any]], voice: Voice) -> None:
        """Begin at the first of some lines, which need not be those of a whole game."""
        self.lines, self.voice, self.at = lines, voice, 0

    def passages(self) -> Iterator[Passage]:
        """Yield what is told, in the order of the lines."""
        while self.at < len(self.lines):
            line = self.lines[self.at]
            text = getattr(self, f"tell_{line['t']}")(line)
            passage = text if isinstance(text, Passage) else Passage(text, line.get("player"))
            yield passage
            self.at += passage.n_lines

    def who_plays(self, line: Mapping[str, Any]) -> str:
        """Return a sentence about the agents in a header, after a space; an empty text if it names none."""
        named = [f"{self.voice.name(player)} ({agent})" for player, agent in enumerate(line["agents"] or ())]
        return f" The players: {listed(named)}." if named else ""

    def next_is(self, ahead: int, kind: str, **fields: Any) -> bool:
        """Say whether the line some lines ahead is of a type, with these fields."""
        at = self.at + ahead
        if at >= len(self.lines) or self.lines[at]["t"] != kind:
            return False
        return all(self.lines[at].get(name) == value for name, value in fields.items())

    def run(self, kind: str, **fields: Any) -> Sequence[Mapping[str, Any]]:
        """Return the lines of a type, with these fields, that follow one another from the one under way on."""
        count = 0
        while self.next_is(count, kind, **fields):
            count += 1
        return self.lines[self.at : self.at + count]


def spoken(text: str) -> tuple[str, tuple[tuple[str, int | None], ...]]:
    """Return a text without its marks, and in pieces, each with the player whose name it is, or None."""
    text = _BEGINS.sub(r"\1You", text)
    parts: list[tuple[str, int | None]] = []
    at = 0
    for match in _NAME.finditer(text):
        parts += [(text[at : match.start()], None), (match[2], int(match[1]))]
        at = match.end()
    parts = [(piece, player) for piece, player in [*parts, (text[at:], None)] if piece]
    if parts and parts[0][1] is None:
        parts[0] = (parts[0][0][:1].upper() + parts[0][0][1:], None)
    return "".join(piece for piece, _ in parts), tuple(parts)


def counted(number: int, one: str, many: str = "") -> str:
    """Return a number of things in words.

    Example:
        >>> counted(1, "army", "armies"), counted(3, "point"), counted(0, "point")
        ('1 army', '3 points', 'no points')
    """
    things = one if number == 1 else many or f"{one}s"
    return f"{number or 'no'} {things}"


def listed(items: Sequence[str], word: str = "and") -> str:
    """Return things in words, with commas and a last "and".

    Example:
        >>> listed(["a", "b", "c"]), listed([], "or")
        ('a, b and c', '')
    """
    return f" {word} ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)


def article(noun: str) -> str:
    """Return a noun with its indefinite article.

    Example:
        >>> article("army"), article("castle")
        ('an army', 'a castle')
    """
    return f"{'an' if noun[0].lower() in 'aeiou' else 'a'} {noun}"


def view_of(player: int | None) -> str:
    """Return whose view a text or drawing shows.

    Example:
        >>> view_of(None), view_of(EVERYBODY), view_of(2)
        ("the referee's view", 'what everybody knows', 'as player 2 sees it')
    """
    if player is None:
        return "the referee's view"
    return "what everybody knows" if player == EVERYBODY else f"as player {player} sees it"


def words(name: str) -> str:
    """Return a name of a game's data as words."""
    return name.replace("_", " ")


def table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows as lines, the columns aligned to the left and as wide as their widest entries."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
