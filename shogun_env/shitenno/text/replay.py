"""What a record of Shitennō says of chance and decisions, in the engine's terms (``RECORD.md``, version 1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from shogun_env.shitenno import board
from shogun_env.shitenno import constants as c
from shogun_env.shitenno.text.lines import KOKU_KINDS, LOT_NAMES, WAY_NAMES

_KIND = {name: number for number, name in enumerate(board.KIND_NAMES)}
_PROVINCE = {name: number for number, name in enumerate(board.PROVINCE_NAMES)}

Outcome = tuple[int, int]

_OPENED = (2, 2, 1, 0)
"""Lines ``bonus`` and ``top`` behind a placement, by position."""


def options_of(header: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of play that a header gives."""
    return {"num_players": header["players"]}


class RecordScript:
    """A record as a script to play: chance for the engine's tape, and the answer to each decision.

    Made of lines whose fields are right; what they say may still be impossible. The engine will then stop or write
    another line, and comparing finds where.
    """

    def __init__(self, lines: Sequence[Mapping[str, Any]]) -> None:
        """Index ``lines``, header first."""
        self.lines = lines
        self.order = list(range(len(lines)))
        """The engine writes the lines in the order in which they stand."""
        self.found: dict[tuple[Any, ...], int] = {}
        """Index of the line with a lot (by round and players who had one), an answer (and by player), what ends the
        division (by round), a turn (by round and player), and each placement or Draw tile (by number)."""
        self._index()

    def _index(self) -> None:
        number = taken = played = 0
        for index, line in enumerate(self.lines):
            kind = line["t"]
            key: tuple[Any, ...] = (kind, number)
            if kind == "round":
                number, taken = line["round"], 0
            elif kind == "take":
                taken += 1
            elif kind == "lot":
                key += (taken,)
            elif kind == "answer":
                key += (taken, line["player"])
            elif kind == "turn":
                key += (line["player"],)
            elif kind in ("control", "draw"):
                key = ("play", played)
                played += 1
            self.found.setdefault(key, index)

    # --- chance ------------------------------------------------------------------------------------------------------

    def tape(self) -> list[Outcome]:
        """Return all chance outcomes in the order in which the engine takes them."""
        dealt = self.found.get(("titles", 0))
        return [pair for index, line in enumerate(self.lines) for pair in _outcomes(line, index == dealt)]

    # --- decisions ---------------------------------------------------------------------------------------------------

    def answer(self, g: np.void) -> tuple[int | None, int | None]:
        """Return what the record answers to the decision that a game asks for: action number, index of the line.

        Args: g a GAME record that is not over.   Returns None for what the lines do not tell.
        """
        index = self._line_for(g)
        if index is None or index >= len(self.lines):
            return None, index
        return _action(g, self.lines[index]), index

    def _line_for(self, g: np.void) -> int | None:
        """Return the index of the line that tells the decision."""
        phase, number, player = int(g["phase"]), int(g["round"]), int(g["player"])
        taken = int(g["n_players"] - g["n_left"])
        if phase == c.FORM_LOT:
            return self.found.get(("lot", number, taken))
        if phase == c.ANSWER:
            return self.found.get(("answer", number, taken, player))
        if phase in (c.DIVIDE, c.CHOOSE):
            return self.found.get(("divide" if phase == c.DIVIDE else "pick", number))
        if phase == c.SENSEI_TURN:
            return self.found.get(("sensei", number))
        return self._line_of_turn(self.found.get(("turn", number, player)), int(g["filled"].sum() + g["used"][c.DRAW]))

    def _line_of_turn(self, begin: int | None, played: int) -> int | None:
        """Return the index of the line that goes on with a turn: behind its last play, and what that brought to light.

        Args: begin index of the line ``turn``; played placements and Draw tiles in the whole game so far.
        """
        last = self.found.get(("play", played - 1))
        if begin is None or last is None or last < begin:
            return begin if begin is None else begin + 1
        return last + 1 + (_OPENED[self.lines[last]["position"] - 1] if self.lines[last]["t"] == "control" else 0)


def _action(g: np.void, line: Mapping[str, Any]) -> int | None:
    """Return a line's answer to the decision of ``g`` as an action number, or None if it has none."""
    phase = g["phase"]
    if phase == c.ANSWER:
        return c.A_ACCEPT if line["accepts"] else c.A_REFUSE
    if phase == c.CHOOSE:
        return c.A_PICK_A + LOT_NAMES.index(line["lot"])
    if phase == c.SENSEI_TURN:
        return c.A_NO_FLIP if line["province"] is None else c.A_FLIP + _PROVINCE[line["province"]]
    if phase in (c.FORM_LOT, c.DIVIDE):
        return _next_of_lot(g, line)
    if phase == c.PAY:
        return _next_item(g, line) if line["t"] == "control" else None
    if line["t"] == "control":
        return (c.A_TROOPS, c.A_KOKU)[WAY_NAMES.index(line["by"])] + _PROVINCE[line["province"]]
    return {"draw": c.A_DRAW, "end_turn": c.A_END_TURN}.get(line["t"])


def _next_of_lot(g: np.void, line: Mapping[str, Any]) -> int:
    """Return the next card of a lot, or its tile; of two lots those of A, then the tile of B."""
    if g["lot_seals"][0]:
        return int(c.A_LOT_TILE + line["b"]["seals"])
    lot: Mapping[str, Any] = line if line["t"] == "lot" else line["a"]
    for kind, name in enumerate(board.KIND_NAMES):
        if g["lot"][kind] < lot["cards"].count(name):
            return c.A_LOT_ADD + kind
    return int(c.A_LOT_TILE + lot["seals"])


def _next_item(g: np.void, line: Mapping[str, Any]) -> int | None:
    """Return the next item of a payment."""
    items = [line["joker"], line["exchanges"], line["plus_ones"], *(line["cards"].count(k) for k in board.KIND_NAMES)]
    for item, count in enumerate(items):
        if g["committed"][item] < count:
            return c.A_PAY + item
    return None


def _outcomes(line: Mapping[str, Any], dealt: bool) -> Iterator[Outcome]:
    """Yield the chance outcomes that one line shows; ``dealt``: it is the titles of the set-up."""
    kind = line["t"]
    if kind == "top":
        yield c.LOG_TOP, board.TROOP_NAMES.index(line["troop"])
    elif kind == "deal":
        yield from ((c.LOG_DEAL, _KIND[card]) for card in line["cards"])
    elif kind == "titles" and dealt:
        yield from ((c.LOG_TITLE, seals - 1) for seals in line["seals"])
    elif kind == "pool":
        yield from ((c.LOG_POOL_TROOP, _KIND[card]) for card in line["troops"])
        yield from ((c.LOG_POOL_KOKU, KOKU_KINDS.index(card)) for card in line["koku"])
    elif kind == "draw":
        yield c.LOG_DRAW, _KIND[line["card"]]
    elif kind == "bonus":
        yield c.LOG_BONUS, board.BONUS_NAMES.index(line["bonus"])
