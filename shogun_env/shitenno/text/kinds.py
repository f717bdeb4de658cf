"""The kinds of lines in a record of Shitennō: writing, checking and replaying follow from this table."""

from collections.abc import Iterable, Sequence
from typing import Any

from shogun_env.shitenno import board
from shogun_env.shitenno import constants as c
from shogun_env.spec.forms import BOOLEAN, COUNT
from shogun_env.spec.record_kinds import Line, LineKinds, LogReader, value_of

WAY_NAMES = ("troops", "koku")
LOT_NAMES = ("a", "b")
TROOP_KINDS = board.KIND_NAMES[: c.N_TROOP_KINDS]
KOKU_KINDS = board.KIND_NAMES[c.N_TROOP_KINDS :]
ROW = 6
"""Numbers of a longer row that one log entry holds."""


def _counts(names: Sequence[str], numbers: Iterable[int]) -> dict[str, int]:
    """Return the counts by name that are not zero."""
    return {name: number for name, number in zip(names, numbers, strict=True) if number}


def _cards(numbers: Iterable[int]) -> list[str]:
    """Return card kinds, one entry per card."""
    return [name for name, number in zip(board.KIND_NAMES, numbers, strict=True) for _ in range(number)]


PLAYER = range(c.MAX_PLAYERS)
PLAYER_OR_NULL = (None, PLAYER)
SEALS = range(1, c.N_TITLES + 1)
BIT = range(2)
PROVINCE, KIND, BONUS = board.PROVINCE_NAMES, board.KIND_NAMES, board.BONUS_NAMES
LOT = {"cards": [KIND], "seals": SEALS}
TILES = {BONUS: COUNT}
PROVINCE_OR_NULL, TROOP_OR_NULL = (None, *PROVINCE), (None, *board.TROOP_NAMES)

KIND_OF = {name: number for number, name in enumerate(KIND)}


class _Reader(LogReader):
    """Reads the log of a game of Shitennō."""

    def row(self, size: int) -> list[int]:
        """Take a row of ``size`` numbers, which fills several entries."""
        numbers: list[int] = []
        while len(numbers) < size:
            numbers += self.next(c.LOG_ROW)[1:]
        return numbers[:size]

    def was_reshuffled(self) -> bool:
        """Take the entry of a reshuffle if it comes next, and say whether it did."""
        if self.peek() != c.LOG_RESHUFFLE:
            return False
        self.at += 1
        return True

    @property
    def is_draw(self) -> bool:
        """Whether a card is drawn with a Draw tile next, after a reshuffle or without one."""
        return self.peek(int(self.peek() == c.LOG_RESHUFFLE)) == c.LOG_DRAW


KINDS = LineKinds("shitenno", range(c.MIN_PLAYERS, c.MAX_PLAYERS + 1), {"options": {(): None}}, _Reader)
"""The kinds of lines of Shitennō."""
line = KINDS.line


# --- set-up ----------------------------------------------------------------------------------------------------------


KINDS.entry(
    "top", c.LOG_TOP, "troop province", {"province": PROVINCE, "troop": board.TROOP_NAMES},
    chance=lambda line: [(c.LOG_TOP, board.TROOP_NAMES.index(line["troop"]))],
)  # fmt: skip


@line(
    "deal", c.LOG_DEAL, fields={"player": PLAYER, "cards": [TROOP_KINDS, board.START_CARDS]}, is_secret=True,
    chance=lambda line: ((c.LOG_DEAL, KIND_OF[card]) for card in line["cards"]),
)  # fmt: skip
def _deal(log: _Reader) -> list[Any]:
    first, player, *_ = log.next(c.LOG_DEAL)
    cards = [first] + [log.next(c.LOG_DEAL)[0] for _ in range(board.START_CARDS - 1)]
    return [player, [KIND[card] for card in cards]]


@line(
    "titles", c.LOG_TITLES, fields={"seals": [SEALS]}, joins=-2,
    chance=lambda line: ((c.LOG_TITLE, seals - 1) for seals in line["seals"]),
)  # fmt: skip
def _titles(log: _Reader) -> list[Any]:
    return [log.next(c.LOG_TITLES)[: log.players]]


# --- even year: the division -----------------------------------------------------------------------------------------


KINDS.entry("round", c.LOG_ROUND, "round", {"round": COUNT}, mark="round")


@line(
    "pool", c.LOG_POOL_TROOP, c.LOG_POOL_KOKU, c.LOG_RESHUFFLE, when=lambda log: not log.is_draw,
    fields={"troops": [TROOP_KINDS], "koku": [KOKU_KINDS], "reshuffled": (None, COUNT)},
    chance=lambda line: [
        *((c.LOG_POOL_TROOP, KIND_OF[card]) for card in line["troops"]),
        *((c.LOG_POOL_KOKU, KOKU_KINDS.index(card)) for card in line["koku"]),
    ],
)  # fmt: skip
def _pool(log: _Reader) -> list[Any]:
    troops: list[str] = []
    reshuffled = None
    while log.peek() != c.LOG_POOL_KOKU:
        if log.was_reshuffled():
            reshuffled = len(troops)
        troops.append(KIND[log.next(c.LOG_POOL_TROOP)[0]])
    koku = [KOKU_KINDS[log.next(c.LOG_POOL_KOKU)[0]] for _ in range(board.POOL_KOKU[log.players])]
    return [troops, koku, reshuffled]


@line("lot", c.LOG_LOT, fields={"player": PLAYER, **LOT})
def _lot(log: _Reader) -> list[Any]:
    player, seals, *_ = log.next(log.peek())
    return [player, _cards(log.row(c.N_KINDS)), seals]


KINDS.entry("answer", c.LOG_ANSWER, "player accepts", {"player": PLAYER, "accepts": BOOLEAN})


@line("divide", c.LOG_DIVIDE, fields={"player": PLAYER, **dict.fromkeys(LOT_NAMES, LOT)})
def _divide(log: _Reader) -> list[Any]:
    player, *seals = log.next(c.LOG_DIVIDE)[:3]
    return [player, *({"cards": _cards(log.row(c.N_KINDS)), "seals": own} for own in seals)]


KINDS.entry("pick", c.LOG_PICK, "player lot", {"player": PLAYER, "lot": LOT_NAMES})


line("take", c.LOG_TAKE, fields={"player": PLAYER, **LOT})(_lot)


# --- odd year: the turns ---------------------------------------------------------------------------------------------


KINDS.entry("turn", c.LOG_TURN, "player", {"player": PLAYER}, joins=1)


@line(
    "draw", c.LOG_DRAW, c.LOG_RESHUFFLE, when=lambda log: log.is_draw, is_secret=True,
    fields={"player": PLAYER, "card": TROOP_KINDS, "reshuffled": BOOLEAN},
    chance=lambda line: [(c.LOG_DRAW, KIND_OF[line["card"]])],
)  # fmt: skip
def _draw(log: _Reader) -> list[Any]:
    reshuffled = log.was_reshuffled()
    card, player, *_ = log.next(c.LOG_DRAW)
    return [player, KIND[card], reshuffled]


@line(
    "control", c.LOG_CONTROL, fields={
        "player": PLAYER, "province": PROVINCE, "position": range(1, c.N_POSITIONS + 1), "by": WAY_NAMES,
        "joker": BOOLEAN, "exchanges": COUNT, "plus_ones": COUNT, "cards": [KIND],
        "points": COUNT, "title_points": COUNT,
    }, mark="placement",
)  # fmt: skip
def _control(log: _Reader) -> list[Any]:
    player, province, position, way, points, title_points, _ = log.next(c.LOG_CONTROL)
    joker, exchanges, plus_ones, *cards = log.row(c.N_ITEMS)
    where = [PROVINCE[province], position + 1, WAY_NAMES[way]]
    return [player, *where, bool(joker), exchanges, plus_ones, _cards(cards), points, title_points]


KINDS.entry(
    "bonus", c.LOG_BONUS, "bonus player province", {"player": PLAYER, "province": PROVINCE, "bonus": BONUS},
    chance=lambda line: [(c.LOG_BONUS, BONUS.index(line["bonus"]))],
)  # fmt: skip
KINDS.entry("end_turn", c.LOG_END_TURN, "player", {"player": PLAYER}, joins=-2)
KINDS.entry(
    "sensei", c.LOG_SENSEI, "player province", {"player": PLAYER, "province": PROVINCE_OR_NULL},
    joins=lambda line: -1 if line["province"] is None else 0,
)  # fmt: skip


# --- end -------------------------------------------------------------------------------------------------------------


@line(
    "score", c.LOG_SCORE,
    fields={"koku": [COUNT], "majorities": [COUNT], "holders": dict.fromkeys(PROVINCE, PLAYER_OR_NULL)},
)  # fmt: skip
def _score(log: _Reader) -> list[Any]:
    rows = [log.next(c.LOG_SCORE)[1:3] for _ in range(log.players)]
    holders: list[int] = []
    while len(holders) < c.N_PROVINCES:
        holders += log.next(c.LOG_HOLDERS)[:4]
    log.state["points"] = [points + sum(row) for points, row in zip(log.state["points"], rows, strict=True)]
    held = {name: value_of(PLAYER_OR_NULL, who) for name, who in zip(PROVINCE, holders, strict=True)}
    return [[row[0] for row in rows], [row[1] for row in rows], held]


@line(
    "state", c.LOG_STATE_PLAYER, fields={
        "points": [COUNT],
        "seals": [SEALS],
        "kamon": [COUNT],
        "hands": [{KIND: COUNT}],
        "known": [{TROOP_KINDS: COUNT}],
        "tiles": [TILES],
        "provinces": {name: {"top": TROOP_OR_NULL, "kamon": [[PLAYER, BIT]]} for name in PROVINCE},
        "discard": {TROOP_KINDS: COUNT},
        "spent": {KOKU_KINDS: COUNT},
        "used": TILES,
        "pile": [COUNT, 2],
    }, is_secret=True, joins=-2,
)  # fmt: skip
def _state(log: _Reader) -> Line:
    players = []
    for _ in range(log.players):
        numbers = log.next(c.LOG_STATE_PLAYER)[1:]
        players.append((numbers, log.row(c.N_KINDS), log.row(c.N_TROOP_KINDS)))
    provinces = {}
    for _ in range(c.N_PROVINCES):
        province, top, *codes = log.next(c.LOG_STATE_PROVINCE)
        kamon = [list(divmod(code, 2)) for code in codes[: c.N_POSITIONS] if code != c.NONE]
        provinces[PROVINCE[province]] = {"top": value_of(TROOP_OR_NULL, top), "kamon": kamon}
    troops, koku, *used = log.next(c.LOG_STATE_PILES)
    log.state = {
        "points": [numbers[0] for numbers, _, _ in players],
        "seals": [numbers[1] for numbers, _, _ in players],
        "kamon": [numbers[2] for numbers, _, _ in players],
        "hands": [_counts(KIND, hand) for _, hand, _ in players],
        "known": [_counts(TROOP_KINDS, known) for _, _, known in players],
        "tiles": [_counts(BONUS, numbers[3:6]) for numbers, _, _ in players],
        "provinces": provinces,
        "discard": _counts(TROOP_KINDS, log.row(c.N_TROOP_KINDS)),
        "spent": _counts(KOKU_KINDS, log.row(c.N_KOKU_KINDS)),
        "used": _counts(BONUS, used[: c.N_BONUSES]),
        "pile": [troops, koku],
    }
    return dict(log.state)


@line("result", c.LOG_RESULT, fields={"points": [COUNT], "seals": [SEALS], "winner": PLAYER}, mark="round")
def _result(log: _Reader) -> list[Any]:
    winner = log.next(c.LOG_RESULT)[0]
    return [log.state["points"], log.state["seals"], winner]
