"""Chance outcomes read out of record lines, in the order in which the oracle takes them."""

from collections.abc import Iterator
from itertools import takewhile
from typing import Any

from ..chance import Outcome
from . import board

Line = dict[str, Any]


def chance_of(lines: list[Line]) -> list[Outcome]:
    """Chance outcomes of a record, header included."""
    header, rest = lines[0], lines[1:]
    return [*start_outcomes(header, rest), *(outcome for line in rest for outcome in line_outcomes(line))]


def start_outcomes(header: Line, lines: list[Line]) -> Iterator[Outcome]:
    """Outcomes of the set-up before the first throw (rules 2)."""
    if header["start"] == "draft":
        yield from draft_outcomes(list(takewhile(lambda line: line["t"] in ("draft", "bury"), lines)))
    elif header["start"] == "random":
        yield "deal", deal_of(header, lines)
    elif header["options"]["shuffle_seats"]:
        yield "seats", seats_of(header, lines)


def placed(lines: list[Line], player: int) -> list[list[Any]]:
    """Provinces and armies of a player's `place` lines at the start of these lines."""
    places = takewhile(lambda line: line["t"] == "place", lines)
    return [[line["province"], line["armies"]] for line in places if line["player"] == player]


def deal_of(header: Line, lines: list[Line]) -> list[list[list[Any]]]:
    """The deal of a random start."""
    return [placed(lines, player) for player in range(header["players"])]


def seats_of(header: Line, lines: list[Line]) -> list[int]:
    """Each player's row of the start table, found by their first province."""
    rows = board.start_rows(header["players"])
    seats = []
    for player in range(header["players"]):
        names = [name for name, _ in placed(lines, player)][:1]
        seats += [row for row, table in enumerate(rows) for name in names if name in table]
    return seats


def shown(pick: Line) -> list[str]:
    """Cards that were open before a pick or a bury."""
    return pick["open"] if pick["t"] == "draft" else pick["provinces"]


def draft_outcomes(picks: list[Line]) -> Iterator[Outcome]:
    """First player and the cards off the deck; a line shows what was opened before it (rules 2, R3)."""
    if not picks:
        return
    yield "starter", picks[0]["player"]
    for name in shown(picks[0]):
        yield "card", name
    for pick, after in zip(picks, [*picks[1:], None], strict=True):
        if pick["t"] == "draft" and pick["from"] == "deck":
            yield "card", pick["province"]
        if after is None:
            return
        if pick["t"] == "bury":
            for name in shown(after):
                yield "card", name
        elif pick["from"] == "open":
            if pick["province"] not in pick["open"]:
                return
            where = pick["open"].index(pick["province"])
            if where < len(shown(after)) and len(shown(after)) == len(pick["open"]):
                yield "card", shown(after)[where]


def line_outcomes(line: Line) -> Iterator[Outcome]:
    """Outcomes that one line of the game itself shows."""
    kind = line["t"]
    if kind == "throw":
        yield "throw", {"tray": line["tray"]}
    elif kind == "year":
        yield "events", [[card["event"], card["rice_loss"]] for card in line["events"]]
    elif kind == "actions":
        yield "actions", line["open"]
    elif kind == "specials":
        yield "specials", line["order"]
    elif kind == "event":
        yield "event", [line["event"], line["rice_loss"]]
    elif kind == "bids":
        yield "bid_order", line["order"]
    elif kind == "open":
        yield "open", line["action"]
    elif kind == "famine":
        yield "famine", line["drawn"]
