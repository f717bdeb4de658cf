"""What the auditors have in common: playing the decisions of a record on the oracle, comparing line by line."""

import abc
import json
from typing import Any, ClassVar

from .chance import ChanceError
from .game import Line, SlowGame


class AuditError(ValueError):
    """A record is wrong; the message names the first wrong line."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"line {line}: {why}")
        self.line = line


def same(one: Any, other: Any) -> bool:
    """Return whether two lines are equal: 1, true and 1.0 differ; the order of fields does not matter."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


class Auditor(abc.ABC):
    """Plays a record's decisions and chance on the oracle; a game adds `start` and a `read_<kind>` for each."""

    free: ClassVar[tuple[str, ...]] = ()
    """Types of lines whose order is free; `start` has checked them."""

    def __init__(self, lines: list[Line]) -> None:
        self.lines = lines
        self.compared = 0
        self.game: SlowGame

    @abc.abstractmethod
    def start(self) -> SlowGame:
        """Set the game of the record up."""

    @classmethod
    def audit(cls, lines: list[Line]) -> None:
        """Check a whole record, header included, whose lines have fields of the right form."""
        cls(lines).run()

    def run(self) -> None:
        """Play the record to its end; a wrong chance outcome is a fault of the next line of the record."""
        try:
            self.play_on()
        except ChanceError as error:
            self.compare(error.lines)
            raise AuditError(self.compared + 2, str(error)) from error

    def play_on(self) -> None:
        """Play the record to its end; the first difference is an error."""
        self.game = self.start()
        self.compare(self.game.lines)
        while (decision := self.game.decision()) is not None:
            self.decide(*decision)
            self.compare(self.game.lines)
        if len(self.lines) > len(self.game.lines) + 1:
            raise AuditError(len(self.game.lines) + 2, "the game is over")

    def compare(self, lines: list[Line]) -> None:
        """Compare the lines made since the last comparison with those of the record."""
        while self.compared < len(lines):
            expected, number = lines[self.compared], self.compared + 2
            if number > len(self.lines):
                raise AuditError(number, f"the record ends; must be {json.dumps(expected)}")
            given = self.lines[number - 1]
            if expected["t"] not in self.free and not same(expected, given):
                raise AuditError(number, f"is {json.dumps(given)}, must be {json.dumps(expected)}")
            self.compared += 1

    def next_line(self, *kinds: str) -> tuple[int, Line]:
        """Line that must show the answer to the decision now asked; one of these types."""
        number = self.compared + 2
        if number > len(self.lines):
            raise AuditError(number, f"the record ends; must be {' or '.join(kinds)}")
        line = self.lines[number - 1]
        if line["t"] not in kinds:
            raise AuditError(number, f"is {line['t']}, must be {' or '.join(kinds)}")
        return number, line

    def decide(self, player: int, kind: str, legal: list[int]) -> None:
        """Read a decision out of the record and play it."""
        number, action = getattr(self, f"read_{kind}")(player, legal)
        if action not in legal:
            raise AuditError(number, f"player {player} cannot decide so ({kind}: action {action}, legal: {legal})")
        self.game.play(action)

    def check_player(self, number: int, line: Line, player: int) -> None:
        """Check that the line is of the player who decides."""
        if line["player"] != player:
            raise AuditError(number, f"is of player {line['player']}, but it is the turn of {player}")
