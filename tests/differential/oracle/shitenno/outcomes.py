"""Chance outcomes read out of record lines, in the order in which the oracle takes them."""

from collections.abc import Iterator

from ..chance import Outcome
from ..game import Line


def chance_of(lines: list[Line]) -> list[Outcome]:
    """Chance outcomes of a record, header included."""
    first_titles = next((index for index, line in enumerate(lines) if line["t"] == "titles"), None)
    return [outcome for index, line in enumerate(lines) for outcome in outcomes_of(line, index == first_titles)]


def outcomes_of(line: Line, dealt: bool) -> Iterator[Outcome]:
    """Outcomes that one line shows; titles are chance only where they are `dealt`."""
    kind = line["t"]
    if kind == "top":
        yield "top", line["troop"]
    elif kind == "titles" and dealt:
        yield "titles", line["seals"]
    elif kind == "bonus":
        yield "bonus", line["bonus"]
    elif kind == "draw":
        yield "card", line["card"]
    elif kind == "deal":
        yield from (("card", card) for card in line["cards"])
    elif kind == "pool":
        yield from (("card", card) for card in line["troops"])
        yield from (("koku", card) for card in line["koku"])
