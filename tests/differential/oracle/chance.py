"""Chance outcomes of a game as a queue that somebody else has filled, or that is filled when asked."""

import random
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

Outcome = tuple[str, Any]


class ChanceError(ValueError):
    """The next chance outcome is missing, of another kind, or impossible; `lines` were written before it."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.lines: list[dict[str, Any]] = []


class Allowed:
    """Says whether an outcome is possible; `facts` holds what it depends on."""

    def __init__(self, test: Callable[[Any], bool], **facts: Any) -> None:
        self.test = test
        self.facts = facts

    def __call__(self, value: Any) -> bool:
        """Return whether the value is possible; a value of the wrong shape is not."""
        try:
            return bool(self.test(value))
        except (TypeError, KeyError, IndexError, ValueError, AttributeError):
            return False


class Chance:
    """A queue of (kind, value) outcomes, taken in the order in which they happen."""

    def __init__(self, outcomes: Iterable[Outcome] = ()) -> None:
        self.queue: deque[Outcome] = deque((kind, value) for kind, value in outcomes)
        self.taken = 0

    def add(self, kind: str, value: Any) -> None:
        """Put one more outcome at the end of the queue."""
        self.queue.append((kind, value))

    def left(self) -> int:
        """Count the outcomes not yet taken."""
        return len(self.queue)

    def take(self, kind: str, possible: Callable[[Any], bool] | None = None) -> Any:
        """Take the next outcome, which must be of this kind and possible."""
        where = f"outcome {self.taken + 1}"
        if not self.queue:
            raise ChanceError(f"{where}: must be {kind}, but none is left")
        next_kind, value = self.queue[0]
        if next_kind != kind:
            raise ChanceError(f"{where}: is {next_kind}, must be {kind}")
        if possible is not None and not possible(value):
            raise ChanceError(f"{where}: impossible {kind}: {value}")
        self.queue.popleft()
        self.taken += 1
        return value


class DrawnChance(Chance):
    """Draws each outcome by a method `draw_<kind>` when the oracle asks for it; `log` keeps them."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.random = random.Random(seed)
        self.log: list[Outcome] = []

    def take(self, kind: str, possible: Callable[[Any], bool] | None = None) -> Any:
        """Draw an outcome of this kind, check that the oracle finds it possible, and give it."""
        value = getattr(self, f"draw_{kind}")(possible.facts)  # type: ignore[union-attr]
        self.add(kind, value)
        self.log.append((kind, value))
        return super().take(kind, possible)


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
