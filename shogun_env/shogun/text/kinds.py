"""The kinds of lines in a record of Shogun: writing, checking and replaying follow from this table."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from shogun_env.shogun import board
from shogun_env.shogun import constants as c
from shogun_env.shogun.rules.battle_move import running_action
from shogun_env.shogun.rules.deploy import armies_to_deploy
from shogun_env.spec.forms import BOOLEAN, COUNT, from_0_to_1
from shogun_env.spec.record_kinds import Line, LineKinds, LogReader, value_of

WHY_NAMES = ("fill", "battle", "revolt", "winter_revolt")
SKIP_NAMES = (
    "no_card", "cannot_pay", "no_site", "kind_present", "none_left", "supply_short", "too_few_armies", "no_target",
    "declined",
)  # fmt: skip
OUTCOME_NAMES = ("attacker", "defender", "draw")
TRACK_NAMES = ("chests", "rice", "points", "supply")
SCORE_NAMES = ("provinces", "buildings", "castles", "temples", "theatres")
COLOUR_KEYS = (*(str(player) for player in range(c.MAX_PLAYERS)), "farmers")

PROVINCE_OF = {name: number for number, name in enumerate(board.PROVINCE_NAMES)}
ACTION_OF = {name: number for number, name in enumerate(board.ACTION_NAMES)}


def card_name(card: int) -> str | None:
    """Return the name of a card on a space, None for an empty space."""
    return CARD[card + 1]


def _cubes(row: list[int]) -> dict[str, int]:
    """Return the counts of cubes by colour key, without zeros."""
    return {key: count for key, count in zip(COLOUR_KEYS, row, strict=False) if count}


def _event(card: int) -> Line:
    name, loss = board.EVENT_CARDS[card]
    return {"event": name, "rice_loss": loss}


def _event_card(event: Line) -> int:
    """Return the number of an event card, or NONE if there is no such card."""
    card = (event["event"], event["rice_loss"])
    return board.EVENT_CARDS.index(card) if card in board.EVENT_CARDS else c.NONE


def _are_each_once(value: Any) -> bool:
    """A list of players, each once."""
    return isinstance(value, list) and all(type(p) is int for p in value) and sorted(value) == list(range(len(value)))


PLAYER = range(c.MAX_PLAYERS)
PLAYER_OR_NULL = (None, PLAYER)
ARMIES = range(1, board.ARMIES_PER_PLAYER)
BIT = range(2)
YEAR = range(1, c.N_YEARS + 1)
PROVINCE, ACTION, SPECIAL = board.PROVINCE_NAMES, board.ACTION_NAMES, board.SPECIAL_NAMES
PROVINCE_OR_NULL = (None, *PROVINCE)
CARD: tuple[str | None, ...] = (None, *PROVINCE, *(f"chest_{value}" for value in range(c.N_CHEST_CARDS)))
"""The cards, from ``EMPTY`` on."""
EVENT = {"event": board.EVENT_NAMES, "rice_loss": COUNT}
CUBES = {frozenset(COLOUR_KEYS): range(1, board.ARMIES_PER_PLAYER + 1)}


class _Reader(LogReader):
    """Reads the log of a game of Shogun."""

    def __init__(self, entries: np.ndarray, options: Mapping[str, Any]) -> None:
        super().__init__(entries, options)
        self.side = board.BOARD_NAMES.index(options["side"])
        self.in_play = board.IN_PLAY[self.side, self.players]
        self.n_open = int(board.OPEN_ACTIONS[self.side])

    @property
    def position(self) -> int:
        """The position, from 0, of the action card that the next entry opens."""
        return self.rows[self.at][2] - int(board.FIRST_ACTION[self.side])


_FLOORS = range(1, c.MAX_FLOORS + 1)
KINDS = LineKinds(
    "shogun",
    range(3, c.MAX_PLAYERS + 1),
    {
        "side": board.SIDE_NAMES,
        "start": board.START_NAMES,
        "tower": (None, {"floors": _FLOORS, "stick": from_0_to_1, "dislodge": from_0_to_1, "shake": from_0_to_1}),
        "options": {"optional_moves": BOOLEAN, "shuffle_seats": BOOLEAN},
    },
    _Reader,
)
"""The kinds of lines of Shogun."""
line = KINDS.line


def header(options: Mapping[str, Any]) -> Line:
    """Return the fields of the first line of a record that hold checked options."""
    tower = options["tower"]
    return {
        "side": options["side"],
        "start": options["start"],
        "tower": None if tower is None else dict(tower._asdict()),
        "options": {"optional_moves": options["optional_moves"], "shuffle_seats": options["shuffle_seats"]},
    }


# --- set-up ----------------------------------------------------------------------------------------------------------


PLACE = {"player": PLAYER, "province": PROVINCE, "armies": ARMIES}
KINDS.entry("place", c.LOG_PLACE, "province player armies", PLACE)


@line(
    "draft", c.LOG_DRAFT,
    fields={"player": PLAYER, "from": ("open", "deck"), "province": PROVINCE, "armies": ARMIES, "open": [PROVINCE]},
)  # fmt: skip
def _draft(log: _Reader) -> list[Any]:
    player, deck, province, armies, *both = log.next(c.LOG_DRAFT)
    lay_open = [PROVINCE[card] for card in both[:2] if card != c.NONE]
    return [player, "deck" if deck else "open", PROVINCE[province], armies, lay_open]


@line("bury", c.LOG_BURY, fields={"player": PLAYER, "provinces": [PROVINCE, 2]})
def _bury(log: _Reader) -> list[Any]:
    player, left, right, *_ = log.next(c.LOG_BURY)
    return [player, [PROVINCE[left], PROVINCE[right]]]


@line(
    "throw", c.LOG_THROWN, fields={"why": WHY_NAMES, "thrown": CUBES, "tray": CUBES},
    chance=lambda line: ((c.LOG_TRAY, line["tray"].get(colour, 0)) for colour in COLOUR_KEYS),
)  # fmt: skip
def _throw(log: _Reader) -> list[Any]:
    *thrown, why = log.next(c.LOG_THROWN)
    return [WHY_NAMES[why], _cubes(thrown), _cubes(log.next(c.LOG_TRAY)[:6])]


# --- a round ---------------------------------------------------------------------------------------------------------


@line(
    "year", c.LOG_YEAR, fields={"year": YEAR, "events": [EVENT, c.N_YEAR_EVENTS]},
    chance=lambda line: ((c.LOG_YEAR, _event_card(event)) for event in line["events"]),
)  # fmt: skip
def _year(log: _Reader) -> list[Any]:
    cards = [log.next(c.LOG_YEAR) for _ in range(board.YEAR_EVENTS[log.side])]
    return [cards[0][1], [_event(card) for card, *_ in cards]]


KINDS.entry("round", c.LOG_ROUND, "year season", {"year": YEAR, "season": board.SEASON_NAMES}, mark="round")


@line(
    "actions", c.LOG_OPEN, fields={"open": [ACTION, c.N_OPEN_ACTIONS]}, when=lambda log: log.position < log.n_open,
    chance=lambda line: ((c.LOG_OPEN, ACTION_OF[name]) for name in line["open"]),
)  # fmt: skip
def _actions(log: _Reader) -> list[Any]:
    acts = [log.next(c.LOG_OPEN)[0] for _ in range(log.n_open)]
    return [[ACTION[act] for act in acts]]


@line(
    "open", c.LOG_OPEN, when=lambda log: log.position >= log.n_open,
    fields={"position": range(c.N_OPEN_ACTIONS + 1, c.N_ACTION_CARDS + 1), "action": ACTION},
    chance=lambda line: [(c.LOG_OPEN, ACTION_OF[line["action"]])],
)  # fmt: skip
def _open(log: _Reader) -> list[Any]:
    position = log.position
    return [position + 1, ACTION[log.next(c.LOG_OPEN)[0]]]


@line(
    "specials", c.LOG_SPECIALS, fields={"order": [SPECIAL, c.N_SPECIALS]},
    chance=lambda line: ((c.LOG_SPECIALS, SPECIAL.index(name)) for name in line["order"]),
)  # fmt: skip
def _specials(log: _Reader) -> list[Any]:
    order = [log.next(c.LOG_SPECIALS)[0] for _ in range(board.N_SPECIALS[log.side, log.players])]
    return [[SPECIAL[special] for special in order]]


@line("plan", c.LOG_PLAN, fields={"player": PLAYER, **dict.fromkeys(("bid", *ACTION), CARD)}, is_secret=True)
def _plan(log: _Reader) -> list[Any]:
    player, *first = log.next(c.LOG_PLAN)
    cards = first + log.next(c.LOG_PLAN)[1 : c.N_SPACES - 5]
    return [player, *map(card_name, cards)]


@line("event", c.LOG_EVENT, fields=EVENT, chance=lambda line: [(c.LOG_EVENT, _event_card(line))])
def _event_of_round(log: _Reader) -> Line:
    return _event(log.next(c.LOG_EVENT)[0])


@line(
    "bids", c.LOG_BIDS, fields={"order": _are_each_once, "paid": [COUNT]},
    chance=lambda line: ((c.LOG_BIDS, player) for player in line["order"]),
)  # fmt: skip
def _bids(log: _Reader) -> list[Any]:
    order = [log.next(c.LOG_BIDS)[0] for _ in range(log.players)]
    return [order, log.next(c.LOG_PAID)[: log.players]]


@line("special", c.LOG_SPECIAL, fields={"player": PLAYER, "special": SPECIAL, "position": range(1, c.N_SPECIALS + 1)})
def _special(log: _Reader) -> list[Any]:
    player, special, position, *_ = log.next(c.LOG_SPECIAL)
    return [player, SPECIAL[special], position + 1]


# --- an action -------------------------------------------------------------------------------------------------------


KINDS.entry("action", c.LOG_ACTION, "action", {"action": ACTION}, joins=1, mark="action")

RESULTS: dict[str, dict[str, Any]] = {
    "built": {"paid": COUNT},
    "collected": {"amount": COUNT, "unrest": ("marker", "revolt")},
    "deployed": {"paid": COUNT, "armies": ARMIES},
    "moved": {"to": PROVINCE, "armies": ARMIES},
    "attacked": {
        "to": PROVINCE,
        "armies": ARMIES,
        "defender": PLAYER_OR_NULL,
        "bonus": {"attacker": COUNT, "defender": COUNT, "farmers": COUNT},
    },
    "skipped": {"why": SKIP_NAMES},
}
"""The fields of a ``do`` line by its result, in the order of the numbers in the log."""
MOVES_ON = {"to": PROVINCE_OR_NULL, "armies_moved": range(board.ARMIES_PER_PLAYER)}
"""The fields of the move after deploy/move 1."""


def _fields_of_result(line: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the fields of a ``do`` line that depend on its result; None for an unknown result."""
    result = line.get("result")
    if not isinstance(result, str) or result not in RESULTS:
        return None
    moves_on = (result, line.get("action")) == ("deployed", ACTION[c.DEPLOY_MOVE_1_ARMY])
    return {"result": result, **RESULTS[result], **(MOVES_ON if moves_on else {})}


@line(
    "do", c.LOG_DO, fields={"player": PLAYER, "action": ACTION, "province": PROVINCE_OR_NULL}, more=_fields_of_result,
    joins=lambda line: -1 if line.get("why") == "no_card" else 0,
)  # fmt: skip
def _do(log: _Reader) -> Line:
    player, act, province, number, *numbers = log.next(c.LOG_DO)
    result = tuple(RESULTS)[number]
    line: Line = {"player": player, "action": ACTION[act], "province": value_of(PROVINCE_OR_NULL, province)}
    pairs = zip(RESULTS[result].items(), numbers, strict=False)
    line |= {"result": result} | {name: value_of(form, value) for (name, form), value in pairs}
    if result == "attacked":
        line["bonus"] = dict(zip(RESULTS[result]["bonus"], log.next(c.LOG_BONUS), strict=False))
    return line | (_moved_on(log) if (number, act) == (c.DEPLOYED, c.DEPLOY_MOVE_1_ARMY) else {})


def _moved_on(log: _Reader) -> Line:
    """Return the fields of the move that may follow a deployment."""
    if log.peek() == c.NONE:
        raise EOFError("the log ends before the move that may follow a deployment")
    to, armies, *_ = log.next(c.LOG_MOVED) if log.peek() == c.LOG_MOVED else (c.NONE, 0)
    return {"to": value_of(PROVINCE_OR_NULL, to), "armies_moved": armies}


FIGHT = {
    "province": PROVINCE, "attacker": PLAYER_OR_NULL, "defender": PLAYER_OR_NULL, "tray_attacker": COUNT,
    "tray_defender": COUNT, "farmers_in": BOOLEAN, "tray_farmers": COUNT, "outcome": OUTCOME_NAMES, "remaining": COUNT,
}  # fmt: skip


@line("fight", c.LOG_FIGHT, fields=FIGHT, mark="fight")
def _fight(log: _Reader) -> list[Any]:
    numbers = [*log.next(c.LOG_FIGHT), *log.next(c.LOG_OUTCOME)]
    return [value_of(form, number) for form, number in zip(FIGHT.values(), numbers, strict=False)]


# --- winter and end --------------------------------------------------------------------------------------------------


@line("winter", c.LOG_WINTER, fields={"year": YEAR, "rice_loss": COUNT, "short": [COUNT]})
def _winter(log: _Reader) -> list[Any]:
    year, loss, *_ = log.next(c.LOG_WINTER)
    return [year, loss, log.next(c.LOG_SHORT)[: log.players]]


@line(
    "famine", c.LOG_DRAWN, fields={"player": PLAYER, "drawn": [PROVINCE], "order": [PROVINCE]},
    chance=lambda line: ((c.LOG_DRAWN, PROVINCE_OF[name]) for name in line["drawn"]),
)  # fmt: skip
def _famine(log: _Reader) -> list[Any]:
    drawn = [log.next(c.LOG_DRAWN)]
    while log.peek() == c.LOG_DRAWN:
        drawn.append(log.next(c.LOG_DRAWN))
    player, *order = log.next(c.LOG_ORDER)
    resolved = [PROVINCE[prov] for prov in order[: c.MAX_FAMINE] if prov != c.NONE]
    return [player, [PROVINCE[prov] for prov, *_ in drawn], resolved]


@line("score", c.LOG_SCORE, fields={"year": YEAR, **{name: [COUNT] for name in (*SCORE_NAMES, "total")}})
def _score(log: _Reader) -> list[Any]:
    rows = [log.next(c.LOG_SCORE)[1:] for _ in range(log.players)]
    n = len(SCORE_NAMES)
    return [rows[0][n], *([row[i] for row in rows] for i in range(n)), [sum(row[:n]) for row in rows]]


@line(
    "state", c.LOG_STATE_PROVINCE, joins=-2,
    fields={
        "provinces": {frozenset(PROVINCE): [PLAYER_OR_NULL, COUNT, COUNT, BIT, BIT, BIT]},
        **{name: [COUNT] for name in TRACK_NAMES},
        "farmers_supply": COUNT, "tower": CUBES, "tray": CUBES,
    },
)  # fmt: skip
def _state(log: _Reader) -> Line:
    provinces = {}
    for _ in range(c.N_PROVINCES):
        province, owner, *rest = log.next(c.LOG_STATE_PROVINCE)
        if log.in_play[province]:
            provinces[PROVINCE[province]] = [value_of(PLAYER_OR_NULL, owner), *rest]
    rows = [log.next(c.LOG_STATE_PLAYER)[1:5] for _ in range(log.players)]
    tracks = {name: [row[i] for row in rows] for i, name in enumerate(TRACK_NAMES)}
    tower = _cubes(log.next(c.LOG_STATE_TOWER)[:6])
    *tray, farmers = log.next(c.LOG_STATE_TRAY)
    log.state = {"provinces": provinces, **tracks, "farmers_supply": farmers, "tower": tower, "tray": _cubes(tray)}
    return log.state


@line("result", c.LOG_RESULT, fields={"points": [COUNT], "chests": [COUNT], "winners": [PLAYER]}, mark="round")
def _result(log: _Reader) -> list[Any]:
    won = log.next(c.LOG_RESULT)[0]
    return [log.state["points"], log.state["chests"], [player for player in range(log.players) if (won >> player) & 1]]


def begun(g: np.void) -> list[tuple[int, ...]]:
    """Return the log entries of the line that the decision of a state goes on with: int[n][8], mostly none.

    They are those of a famine whose order is to be decided, or of a deploy/move 1 whose armies may move on.
    """
    player, blank = int(g["player"]), (0, 0, 0, 0)
    if g["phase"] == c.REVOLT_ORDER:
        drawn = (prov for prov in g["drawn"].tolist() if prov != c.NONE)
        return [(c.LOG_DRAWN, prov, player, index, *blank) for index, prov in enumerate(drawn)]
    if g["phase"] in (c.TARGET, c.NUMBER) and running_action(g) == c.DEPLOY_MOVE_1_ARMY:
        act = c.DEPLOY_MOVE_1_ARMY
        armies = int(armies_to_deploy(g, player, act))
        return [(c.LOG_DO, player, act, int(g["source"]), c.DEPLOYED, int(board.COST[act]), armies, 0)]
    return []
