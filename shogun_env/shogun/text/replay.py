"""The chance and the decisions of a record of Shogun, as numbers of the engine (``RECORD.md``)."""

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Any

import numpy as np

from shogun_env.shogun import board
from shogun_env.shogun import constants as c
from shogun_env.shogun.options import DEFAULTS
from shogun_env.shogun.text.kinds import ACTION_OF, KINDS, PROVINCE_OF, card_name
from shogun_env.spec.game_spec import Line
from shogun_env.spec.record_kinds import Outcome

_CARD = {card_name(card): card for card in range(c.EMPTY, c.N_CARDS)}

_IN_ONE_GO = {"specials": "actions", "bids": "event"}
"""Lines whose chance the engine takes right after that of another line; without that line the tape ends there. A board
on which no action is open has no line of actions."""


def options_of(header: Line) -> dict[str, Any]:
    """Return the options of play of a header.

    A real tower (null) has no known odds: it becomes the default tower, whose odds a replay never asks.
    """
    tower = DEFAULTS["tower"] if header["tower"] is None else header["tower"]
    return {
        "num_players": header["players"],
        "side": header["side"],
        "start": header["start"],
        "tower": tower,
        **header["options"],
    }


class RecordScript:
    """A record prepared for a replay: the order of its lines, the chance for the tape, the answer to each decision.

    The fields of the lines must be valid, but what they say may be impossible. Then the engine stops or writes another
    line, and the comparison of both shows where.
    """

    def __init__(self, lines: Sequence[Line]) -> None:
        """Prepare ``lines``, the header first."""
        self.lines = lines
        header = lines[0]
        self.places = [] if header["start"] == "draft" else list(self._leading("place"))
        order_of_places = _order_of_places(header, self.places) if header["start"] != "draft" else []
        self.order = [0, *order_of_places, *range(1 + len(self.places), len(lines))]
        """Indices of the lines in the order in which the engine writes them; ``place`` lines may come in any order."""
        self.drafts: list[int] = []
        self.buries: dict[int, int] = {}
        """Index of the ``bury`` line before draft pick number k."""
        self.decisions: dict[tuple[Any, ...], int] = {}
        """Index of the line that holds a player's plan, special, turn or order of revolts: by year, season (winter is
        season 3), type of the line, player, and for a turn the action."""
        self._index()

    def _leading(self, *kinds: str) -> Iterator[Line]:
        """Return the lines after the header up to the first that is of another type."""
        return takewhile(lambda line: line["t"] in kinds, self.lines[1:])

    def _index(self) -> None:
        time: tuple[Any, ...] = ()
        for index, line in enumerate(self.lines):
            kind = line["t"]
            if kind == "draft":
                self.drafts.append(index)
            elif kind == "bury":
                self.buries.setdefault(len(self.drafts), index)
            elif kind == "round":
                time = (line["year"], board.SEASON_NAMES.index(line["season"]))
            elif kind == "winter":
                time = (line["year"], c.N_SEASONS)
            elif kind in ("plan", "special", "do", "famine"):
                act = (ACTION_OF[line["action"]],) if kind == "do" else ()
                self.decisions.setdefault((*time, kind, line["player"], *act), index)

    # --- chance ------------------------------------------------------------------------------------------------------

    def tape(self) -> list[Outcome]:
        """Return all chance outcomes in the order in which the engine takes them."""
        header = self.lines[0]
        outcomes: list[Outcome] = []
        if header["start"] == "draft":
            outcomes += self._draft_outcomes()
        elif header["start"] == "random":
            outcomes += [
                (c.LOG_PLACE, PROVINCE_OF[self.lines[i]["province"]]) for i in self.order[1:] if i <= len(self.places)
            ]
        elif header["options"]["shuffle_seats"]:
            outcomes += [
                (c.LOG_START_POSITION, _row_of(header, self.places, player)) for player in range(header["players"])
            ]
        before = None
        has_open = board.OPEN_ACTIONS[board.BOARD_NAMES.index(header["side"])] > 0
        for line in self.lines:
            if line_outcomes := KINDS.chance_of(dict(line)):
                if (has_open or line["t"] != "specials") and _IN_ONE_GO.get(line["t"], before) != before:
                    break
                before = line["t"]
                outcomes += line_outcomes
        return outcomes

    def _draft_outcomes(self) -> Iterator[Outcome]:
        """Yield the player who begins and the cards that come off the deck.

        A line shows the cards that lay open before it; so the card opened after a pick is in the line that follows.
        """
        picks = list(self._leading("draft", "bury"))
        for pick in picks[:1]:
            yield c.LOG_STARTER, pick["player"]
            yield from ((c.LOG_CARD, PROVINCE_OF[name]) for name in _open_before(pick))
        for pick, shown in zip(picks, [*map(_open_before, picks[1:]), []], strict=False):
            if pick["t"] == "bury":
                yield from ((c.LOG_CARD, PROVINCE_OF[name]) for name in shown)
            elif pick["from"] == "deck":
                yield c.LOG_CARD, PROVINCE_OF[pick["province"]]
            elif pick["province"] in pick["open"] and len(shown) == len(pick["open"]):
                yield c.LOG_CARD, PROVINCE_OF[shown[pick["open"].index(pick["province"])]]

    # --- decisions ---------------------------------------------------------------------------------------------------

    def answer(self, g: np.void) -> tuple[int | None, int | None]:
        """Return the action that the record takes in a state that is not over, and the index of its line.

        Either is None if the lines do not hold it.
        """
        phase, player = int(g["phase"]), int(g["player"])
        if phase <= c.DRAFT_GROUP:
            return self._draft_answer(g)
        kind = {c.PLAN: "plan", c.TAKE_SPECIAL: "special", c.REVOLT_ORDER: "famine"}.get(phase, "do")
        act = (int(g["action_at"][g["running"]]),) if kind == "do" else ()
        where = (int(g["year"]), int(g["season"]), kind)
        index = self.decisions.get((*where, player, *act))
        if index is not None:
            return _action(g, self.lines[index]), index
        before = self.decisions.get((*where, player - 1)) if kind == "plan" else None
        return None, None if before is None else before + 1

    def _draft_answer(self, g: np.void) -> tuple[int | None, int | None]:
        """Return the answer to a decision of the draft, and the index of its line (2.2 draft, R3)."""
        placed = int((g["n_owned"]).sum())
        if placed in self.buries and not g["buried"] and g["phase"] == c.DRAFT_CARD:
            return c.A_BURY, self.buries[placed]
        if placed >= len(self.drafts):
            return None, None
        index = self.drafts[placed]
        line = self.lines[index]
        if line["player"] != g["player"]:
            return None, index
        if g["phase"] == c.DRAFT_GROUP:
            return c.A_NUMBER + line["armies"], index
        return (c.A_DECK if line["from"] == "deck" else c.A_CARD + PROVINCE_OF[line["province"]]), index


def _action(g: np.void, line: Line) -> int | None:
    """Return the action that a line takes in the decision of a state, or None if it takes none."""
    phase = g["phase"]
    if phase == c.PLAN:
        card = _CARD[line[board.SPACE_NAMES[g["space"]]]]
        return c.A_NO_CARD if card == c.EMPTY else c.A_CARD + card
    if phase == c.TAKE_SPECIAL:
        return int(c.A_SPECIAL + line["position"] - 1)
    if phase == c.REVOLT_ORDER:
        done = int((g["ordered"] != c.NONE).sum())
        return c.A_CARD + PROVINCE_OF[line["order"][done]] if done < len(line["order"]) else None
    if phase == c.NUMBER:
        return int(c.A_NUMBER + line.get("armies_moved", line.get("armies", 0)))
    if line.get("why") == "declined" or line.get("to", "") is None:
        return c.A_NO_CARD
    return c.A_CARD + PROVINCE_OF[line["to"]] if "to" in line else None


def _open_before(pick: Line) -> list[str]:
    """Return the cards that lay open before a pick or a bury."""
    return list(pick["open"] if pick["t"] == "draft" else pick["provinces"])


def _row_of(header: Line, places: Sequence[Line], player: int) -> int:
    """Return the row of the start table that fits most of a player's ``place`` lines."""
    table = board.START_ARMIES[c.SUN, header["players"], : header["players"]]
    own = [(PROVINCE_OF[line["province"]], line["armies"]) for line in places if line["player"] == player]
    return int(np.argmax([sum(table[row, prov] == armies for prov, armies in own) for row in range(len(table))]))


def _order_of_places(header: Line, places: Sequence[Line]) -> list[int]:
    """Return the indices of the ``place`` lines in the engine's order: by player, then by province, or by falling size.

    Where the engine writes a line that the record lacks, the result holds a line that fits nowhere, or the one after
    the last ``place`` line; so the comparison finds the first line at fault.
    """
    order: list[int] = []
    left = dict(enumerate(places, 1))
    for key in _expected_places(header, places):
        fitting = (i for i, line in left.items() if key in (_key(line), _key(line)[:2]))
        order.append(next(fitting, c.NONE))
        left.pop(order[-1], None)
    spare = [*left, *[1 + len(places)] * len(order)]
    return [i if i != c.NONE else spare.pop(0) for i in order] + [i for i in spare if i <= len(places)]


def _key(place: Line) -> tuple[int, int, str]:
    return place["player"], place["armies"], place["province"]


def _expected_places(header: Line, places: Sequence[Line]) -> list[tuple[Any, ...]]:
    """Return player, armies, and with the preset start province, of each ``place`` line in the engine's order."""
    players, shuffled = header["players"], header["options"]["shuffle_seats"]
    side = board.BOARD_NAMES.index(header["side"])
    if header["start"] != "preset":
        sizes = [size for size in range(c.MAX_GROUP, 0, -1) for _ in range(board.ARMY_GROUPS[c.SUN, players, size])]
        return [(player, size) for player in range(players) for size in sizes]
    expected: list[tuple[Any, ...]] = []
    for player in range(players):
        armies = board.START_ARMIES[side, players, _row_of(header, places, player) if shuffled else player]
        expected += [(player, int(armies[prov]), board.PROVINCE_NAMES[prov]) for prov in np.flatnonzero(armies)]
    return expected
