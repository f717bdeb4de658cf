"""The kinds of lines in a record of Shitennō: from this table follow writing, checking, replaying and ``RECORD.md``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from shogun_env.shitenno import board
from shogun_env.shitenno import constants as c
from shogun_env.spec.record_kinds import Line, LineKind, LineKinds, LogReader

FORMAT = "shitenno-record"
VERSION = 1

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


def _player(number: int) -> int | None:
    return None if number == c.NONE else number


def _name(names: Sequence[str], index: int) -> str | None:
    return None if index == c.NONE else names[index]


COUNT = range(2**53)
PLAYER = range(c.MAX_PLAYERS)
PLAYER_OR_NULL = (None, PLAYER)
SEALS = range(1, c.N_TITLES + 1)
BOOL = (False, True)
FLAG = range(2)
PROVINCE, KIND, BONUS = board.PROVINCE_NAMES, board.KIND_NAMES, board.BONUS_NAMES
LOT = {"cards": [KIND], "seals": SEALS}
TILES = {BONUS: COUNT}

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


KINDS = LineKinds(_Reader)
"""The kinds of lines of Shitennō."""
line = KINDS.line


def header(options: Mapping[str, Any], seed: int | None, agents: list[str] | None) -> Line:
    """Return the first line of a record."""
    return {
        "t": "header",
        "format": FORMAT,
        "version": VERSION,
        "players": options["num_players"],
        "options": {},
        "seed": seed,
        "agents": agents,
    }


KINDS.add(
    LineKind(
        name="header",
        fields={
            "format": FORMAT,
            "version": VERSION,
            "players": range(c.MIN_PLAYERS, c.MAX_PLAYERS + 1),
            "options": {(): None},
            "seed": (None, COUNT),
            "agents": (None, [str]),
        },
        page='format `"shitenno-record"`, version 1, players (2–4), options {} (there are none yet), seed (integer ≥ '
        "0 and below 2^53, or null), agents (a list by player of texts, the specs of the agents as given, or "
        "null) | first line",
    )
)

# --- set-up ----------------------------------------------------------------------------------------------------------


@line(
    "top", c.LOG_TOP, fields={"province": PROVINCE, "troop": board.TROOP_NAMES},
    chance=lambda line: [(c.LOG_TOP, board.TROOP_NAMES.index(line["troop"]))],
    page="province, troop | chance: a tile has become the top of its stack; the side that shows",
)  # fmt: skip
def _top(log: _Reader) -> list[Any]:
    troop, province, *_ = log.next(c.LOG_TOP)
    return [PROVINCE[province], board.TROOP_NAMES[troop]]


@line(
    "deal", c.LOG_DEAL, fields={"player": PLAYER, "cards": [TROOP_KINDS, board.START_CARDS]}, is_secret=True,
    chance=lambda line: ((c.LOG_DEAL, KIND_OF[card]) for card in line["cards"]),
    page="player, cards [2, in the order drawn] | chance: the two troop cards of the set-up",
)  # fmt: skip
def _deal(log: _Reader) -> list[Any]:
    first, player, *_ = log.next(c.LOG_DEAL)
    cards = [first] + [log.next(c.LOG_DEAL)[0] for _ in range(board.START_CARDS - 1)]
    return [player, [KIND[card] for card in cards]]


@line(
    "titles", c.LOG_TITLES, fields={"seals": [SEALS]}, joins=-2,
    chance=lambda line: ((c.LOG_TITLE, seals - 1) for seals in line["seals"]),
    page="seals [by player] | in the set-up (chance: the titles dealt), and at the end of every division (no chance: "
    "each player takes the title of their hierarchy tile)",
)  # fmt: skip
def _titles(log: _Reader) -> list[Any]:
    return [log.next(c.LOG_TITLES)[: log.players]]


# --- even year: the division -----------------------------------------------------------------------------------------


@line(
    "round", c.LOG_ROUND, fields={"round": COUNT},
    page="round (1, 2, …) | start of a round",
)  # fmt: skip
def _round(log: _Reader) -> list[Any]:
    return log.next(c.LOG_ROUND)[:1]


@line(
    "pool", c.LOG_POOL_TROOP, c.LOG_POOL_KOKU, c.LOG_RESHUFFLE, when=lambda log: not log.is_draw,
    fields={"troops": [TROOP_KINDS], "koku": [KOKU_KINDS], "reshuffled": (None, COUNT)},
    chance=lambda line: [
        *((c.LOG_POOL_TROOP, KIND_OF[card]) for card in line["troops"]),
        *((c.LOG_POOL_KOKU, KOKU_KINDS.index(card)) for card in line["koku"]),
    ],
    page="troops [kinds, in the order drawn], koku [kinds, in the order drawn], reshuffled (index in `troops` of the "
    "first card drawn after the discard was shuffled into the empty pile, or null) | chance: the draw of the "
    "even year. There are fewer troops than twice the players only when pile and discard ran out (S2)",
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


@line(
    "lot", c.LOG_LOT, fields={"player": PLAYER, **LOT},
    page="player (the Tairō), cards, seals | more than two players are left: a lot is offered",
)  # fmt: skip
def _lot(log: _Reader) -> list[Any]:
    player, seals, *_ = log.next(c.LOG_LOT)
    return [player, _cards(log.row(c.N_KINDS)), seals]


@line(
    "answer", c.LOG_ANSWER, fields={"player": PLAYER, "accepts": BOOL},
    page="player, accepts (true or false) | each player asked, in order",
)  # fmt: skip
def _answer(log: _Reader) -> list[Any]:
    player, accepts, *_ = log.next(c.LOG_ANSWER)
    return [player, bool(accepts)]


@line(
    "divide", c.LOG_DIVIDE, fields={"player": PLAYER, **dict.fromkeys(LOT_NAMES, LOT)},
    page="player (the Tairō), a {cards, seals}, b {cards, seals} | two players are left: both lots at once",
)  # fmt: skip
def _divide(log: _Reader) -> list[Any]:
    player, *seals = log.next(c.LOG_DIVIDE)[:3]
    return [player, *({"cards": _cards(log.row(c.N_KINDS)), "seals": own} for own in seals)]


@line(
    "pick", c.LOG_PICK, fields={"player": PLAYER, "lot": LOT_NAMES},
    page='player (the other one), lot (`"a"` or `"b"`) | after `divide`',
)  # fmt: skip
def _pick(log: _Reader) -> list[Any]:
    player, lot, *_ = log.next(c.LOG_PICK)
    return [player, LOT_NAMES[lot]]


@line(
    "take", c.LOG_TAKE, fields={"player": PLAYER, **LOT},
    page="player, cards, seals | a player takes a lot: after an `answer` that accepts, its player; after the last "
    "refusal, the Tairō; after `pick`, first the player who chose, then the Tairō",
)  # fmt: skip
def _take(log: _Reader) -> list[Any]:
    player, seals, *_ = log.next(c.LOG_TAKE)
    return [player, _cards(log.row(c.N_KINDS)), seals]


# --- odd year: the turns ---------------------------------------------------------------------------------------------


@line(
    "turn", c.LOG_TURN, fields={"player": PLAYER}, joins=1,
    page="player | start of a player's turn in the odd year",
)  # fmt: skip
def _turn(log: _Reader) -> list[Any]:
    return log.next(c.LOG_TURN)[:1]


@line(
    "draw", c.LOG_DRAW, c.LOG_RESHUFFLE, when=lambda log: log.is_draw, is_secret=True,
    fields={"player": PLAYER, "card": TROOP_KINDS, "reshuffled": BOOL},
    chance=lambda line: [(c.LOG_DRAW, KIND_OF[line["card"]])],
    page="player, card, reshuffled (true if the discard was shuffled into the empty pile just before) | decision and "
    "chance: a Draw tile is used; the card drawn",
)  # fmt: skip
def _draw(log: _Reader) -> list[Any]:
    reshuffled = log.was_reshuffled()
    card, player, *_ = log.next(c.LOG_DRAW)
    return [player, KIND[card], reshuffled]


@line(
    "control", c.LOG_CONTROL, fields={
        "player": PLAYER, "province": PROVINCE, "position": range(1, c.N_POSITIONS + 1), "by": WAY_NAMES, "joker": BOOL,
        "exchanges": COUNT, "plus_ones": COUNT, "cards": [KIND], "points": COUNT, "title_points": COUNT,
    },
    page='player, province, position (1–4), by (`"troops"` or `"koku"`), joker (true or false), exchanges (number of '
    "tiles), plus_ones (number of tiles), cards (all cards paid), points (the printed number), title_points "
    "(0, 1 or 2) | a placement, paid and scored",
)  # fmt: skip
def _control(log: _Reader) -> list[Any]:
    player, province, position, way, points, title_points, _ = log.next(c.LOG_CONTROL)
    joker, exchanges, plus_ones, *cards = log.row(c.N_ITEMS)
    where = [PROVINCE[province], position + 1, WAY_NAMES[way]]
    return [player, *where, bool(joker), exchanges, plus_ones, _cards(cards), points, title_points]


@line(
    "bonus", c.LOG_BONUS, fields={"player": PLAYER, "province": PROVINCE, "bonus": BONUS},
    chance=lambda line: [(c.LOG_BONUS, BONUS.index(line["bonus"]))],
    page="player, province, bonus | chance: the tile taken is turned; its other side. After every `control` on "
    "positions 1 to 3",
)  # fmt: skip
def _bonus(log: _Reader) -> list[Any]:
    bonus, player, province, *_ = log.next(c.LOG_BONUS)
    return [player, PROVINCE[province], BONUS[bonus]]


@line(
    "end_turn", c.LOG_END_TURN, fields={"player": PLAYER}, joins=-2,
    page="player | the player ends the turn (also when nothing else is possible)",
)  # fmt: skip
def _end_turn(log: _Reader) -> list[Any]:
    return log.next(c.LOG_END_TURN)[:1]


@line(
    "sensei", c.LOG_SENSEI, fields={"player": PLAYER, "province": (None, *PROVINCE)},
    joins=lambda line: -1 if line["province"] is None else 0,
    page="player, province or null | after `end_turn` of the Sensei, if they have a simple Kamon on the board; null: "
    "they turn none",
)  # fmt: skip
def _sensei(log: _Reader) -> list[Any]:
    player, province, *_ = log.next(c.LOG_SENSEI)
    return [player, _name(PROVINCE, province)]


# --- end -------------------------------------------------------------------------------------------------------------


@line(
    "score", c.LOG_SCORE,
    fields={"koku": [COUNT], "majorities": [COUNT], "holders": dict.fromkeys(PROVINCE, PLAYER_OR_NULL)},
    page="koku [by player], majorities [by player], holders {province: player or null} | after the last round: "
    "points added for Koku in hand with the best use of the tiles left (S22), points added for majorities, and "
    "who has the majority in each province",
)  # fmt: skip
def _score(log: _Reader) -> list[Any]:
    rows = [log.next(c.LOG_SCORE)[1:3] for _ in range(log.players)]
    holders: list[int] = []
    while len(holders) < c.N_PROVINCES:
        holders += log.next(c.LOG_HOLDERS)[:4]
    log.state["points"] = [points + sum(row) for points, row in zip(log.state["points"], rows, strict=True)]
    held = {name: _player(who) for name, who in zip(PROVINCE, holders, strict=True)}
    return [[row[0] for row in rows], [row[1] for row in rows], held]


@line(
    "state", c.LOG_STATE_PLAYER, fields={
        "points": [COUNT],
        "seals": [SEALS],
        "kamon": [COUNT],
        "hands": [{KIND: COUNT}],
        "known": [{TROOP_KINDS: COUNT}],
        "tiles": [TILES],
        "provinces": {name: {"top": (None, *board.TROOP_NAMES), "kamon": [[PLAYER, FLAG]]} for name in PROVINCE},
        "discard": {TROOP_KINDS: COUNT},
        "spent": {KOKU_KINDS: COUNT},
        "used": TILES,
        "pile": [COUNT, 2],
    }, is_secret=True, joins=-2,
    page="points, seals, kamon, hands, known, tiles, provinces, discard, spent, used, pile (see below) | after the "
    "set-up (before `round` 1); in every round after the `titles` line; in every round after the last turn "
    "(before `score` or the next `round`)",
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
        provinces[PROVINCE[province]] = {"top": _name(board.TROOP_NAMES, top), "kamon": kamon}
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


@line(
    "result", c.LOG_RESULT, fields={"points": [COUNT], "seals": [SEALS], "winner": PLAYER},
    page="points [by player], seals [by player], winner (player) | last line",
)  # fmt: skip
def _result(log: _Reader) -> list[Any]:
    winner = log.next(c.LOG_RESULT)[0]
    return [log.state["points"], log.state["seals"], winner]
