"""Reading chance and decisions from a record of Shitennō, for playing it on the engine (``RECORD.md``, version 1)."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from shogun_env.shitenno import board
from shogun_env.shitenno import constants as c
from shogun_env.shitenno.text.kinds import KINDS, LOT_NAMES, WAY_NAMES
from shogun_env.spec.record_kinds import Outcome

_PROVINCE = {name: number for number, name in enumerate(board.PROVINCE_NAMES)}

_OPENED = (2, 2, 1, 0)
"""How many lines ``bonus`` and ``top`` follow a placement, by position."""


class RecordScript:
    """A record prepared for playing it on the engine: chance for the tape, and an action for each decision.

    It is made of lines whose fields are valid. What they say may still be impossible; then the engine stops or writes a
    different line, and comparing the lines shows where.
    """

    def __init__(self, lines: Sequence[Mapping[str, Any]]) -> None:
        """Index ``lines``, header first."""
        self.lines = lines
        self.order = list(range(len(lines)))
        """Indices of the lines in the order in which the engine writes them: that of the record."""
        self.index_of: dict[tuple[Any, ...], int] = {}
        """Index of a line by its type and what tells it from others of its type: the round, for a lot and an answer
        also the number of lots taken before, for an answer and a turn also the player. Placements and Draw tiles are
        numbered through the game, under the type ``play``."""
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
            self.index_of.setdefault(key, index)

    # --- chance ------------------------------------------------------------------------------------------------------

    def tape(self) -> list[Outcome]:
        """Return all chance outcomes in the order in which the engine takes them."""
        dealt = self.index_of.get(("titles", 0))  # in round 0, the set-up; all later titles follow from the division
        chance = (line for index, line in enumerate(self.lines) if line["t"] != "titles" or index == dealt)
        return [pair for line in chance for pair in KINDS.chance_of(dict(line))]

    # --- decisions ---------------------------------------------------------------------------------------------------

    def answer(self, g: np.void) -> tuple[int | None, int | None]:
        """Return the action that the record takes in a state, and the index of its line; None for what is not there.

        Args: g, a state that is not over.
        """
        index = self._line_for(g)
        if index is None or index >= len(self.lines):
            return None, index
        return _action(g, self.lines[index]), index

    def _line_for(self, g: np.void) -> int | None:
        """Return the index of the line with the decision, or None."""
        phase, number, player = int(g["phase"]), int(g["round"]), int(g["player"])
        taken = int(g["n_players"] - g["n_left"])
        if phase == c.FORM_LOT:
            return self.index_of.get(("lot", number, taken))
        if phase == c.ANSWER:
            return self.index_of.get(("answer", number, taken, player))
        if phase in (c.DIVIDE, c.CHOOSE):
            return self.index_of.get(("divide" if phase == c.DIVIDE else "pick", number))
        if phase == c.SENSEI_TURN:
            return self.index_of.get(("sensei", number))
        played = int(g["filled"].sum() + g["used"][c.DRAW])
        return self._line_of_turn(self.index_of.get(("turn", number, player)), played)

    def _line_of_turn(self, begin: int | None, played: int) -> int | None:
        """Return the index of the line with the next decision of a turn, or None.

        It follows the last placement or Draw tile of the turn and the lines ``bonus`` and ``top`` that belong to it.

        Args: begin, index of the line ``turn`` or None; played, number of placements and Draw tiles in the whole game.
        """
        last = self.index_of.get(("play", played - 1))
        if begin is None or last is None or last < begin:
            return begin if begin is None else begin + 1
        return last + 1 + (_OPENED[self.lines[last]["position"] - 1] if self.lines[last]["t"] == "control" else 0)


def _action(g: np.void, line: Mapping[str, Any]) -> int | None:
    """Return the action of a line for the decision of ``g``, or None if the line does not hold one."""
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
    """Return the action for the next card of a lot, or for its tile; of two lots, those of A, then the tile of B."""
    if g["lot_seals"][0]:
        return int(c.A_LOT_TILE + line["b"]["seals"])
    lot: Mapping[str, Any] = line if line["t"] == "lot" else line["a"]
    missing = (kind for kind, name in enumerate(board.KIND_NAMES) if g["lot"][kind] < lot["cards"].count(name))
    return next((c.A_LOT_ADD + kind for kind in missing), c.A_LOT_TILE + lot["seals"])


def _next_item(g: np.void, line: Mapping[str, Any]) -> int | None:
    """Return the action for the next item of a payment, or None if no item is left."""
    items = [line["joker"], line["exchanges"], line["plus_ones"], *(line["cards"].count(k) for k in board.KIND_NAMES)]
    return next((c.A_PAY + item for item, count in enumerate(items) if g["committed"][item] < count), None)
