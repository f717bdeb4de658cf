"""Chance outcomes of a game as a queue that somebody else has filled."""

from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

Outcome = tuple[str, Any]


class ChanceError(ValueError):
    """The next chance outcome is missing, of another kind, or impossible."""


class Chance:
    """A queue of (kind, value) outcomes, taken in the order in which they happen."""

    def __init__(self, outcomes: Iterable[Outcome] = ()) -> None:
        self.queue: deque[Outcome] = deque((kind, value) for kind, value in outcomes)
        self.taken = 0

    def left(self) -> int:
        """Count the outcomes not yet taken."""
        return len(self.queue)

    def take(self, kind: str, possible: Callable[[Any], bool]) -> Any:
        """Take the next outcome, which must be of this kind and possible; one of the wrong shape is not."""
        where = f"outcome {self.taken + 1}"
        if not self.queue:
            raise ChanceError(f"{where}: must be {kind}, but none is left")
        next_kind, value = self.queue[0]
        if next_kind != kind:
            raise ChanceError(f"{where}: is {next_kind}, must be {kind}")
        try:
            is_possible = possible(value)
        except (TypeError, KeyError, IndexError, ValueError, AttributeError):
            is_possible = False
        if not is_possible:
            raise ChanceError(f"{where}: impossible {kind}: {value}")
        self.queue.popleft()
        self.taken += 1
        return value


def is_order_of(cards: Iterable[str], number: int | None = None) -> Callable[[Any], bool]:
    """Test for a list of different cards out of these: all of them, or so many."""
    all_cards = list(cards)
    size = len(all_cards) if number is None else number

    def test(value: Any) -> bool:
        return (
            isinstance(value, list)
            and len(value) == size
            and len(set(value)) == size
            and all(card in all_cards for card in value)
        )

    return test
