"""Making the lines of a game record from the entries of its log (``RECORD.md``, version 1)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from shogun_env.shitenno import board
from shogun_env.shitenno import constants as c
from shogun_env.spec.log_reader import Line, LogReader

FORMAT = "shitenno-record"
VERSION = 1

WAY_NAMES = ("troops", "koku")
LOT_NAMES = ("a", "b")
TROOP_KINDS = board.KIND_NAMES[: c.N_TROOP_KINDS]
KOKU_KINDS = board.KIND_NAMES[c.N_TROOP_KINDS :]
ROW = 6
"""Numbers of a longer row that one log entry holds."""


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


class _Reader(LogReader):
    """Makes the lines of a game of Shitennō from its log."""

    def __init__(self, entries: np.ndarray, options: Mapping[str, Any]) -> None:
        super().__init__(entries)
        self.players: int = options["num_players"]
        self.state: Line = {}

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
    def makers(self) -> Mapping[int, Callable[[], Line]]:
        return {
            c.LOG_TOP: self.top, c.LOG_DEAL: self.deal, c.LOG_TITLES: self.titles,
            c.LOG_ROUND: self.open_round, c.LOG_RESHUFFLE: self.reshuffle, c.LOG_DRAW: self.draw,
            c.LOG_POOL_TROOP: self.pool, c.LOG_POOL_KOKU: self.pool, c.LOG_LOT: self.lot, c.LOG_ANSWER: self.answer,
            c.LOG_DIVIDE: self.divide, c.LOG_PICK: self.pick, c.LOG_TAKE: self.take, c.LOG_TURN: self.turn,
            c.LOG_CONTROL: self.control, c.LOG_BONUS: self.bonus, c.LOG_END_TURN: self.end_turn,
            c.LOG_SENSEI: self.sensei, c.LOG_SCORE: self.score, c.LOG_STATE_PLAYER: self.read_state,
            c.LOG_RESULT: self.result,
        }  # fmt: skip

    def reshuffle(self) -> Line:
        """Make the line to which a reshuffle belongs: the pool of an even year, or a card drawn with a Draw tile."""
        return self.pool() if self.peek(1) == c.LOG_POOL_TROOP else self.draw()

    def top(self) -> Line:
        troop, province, *_ = self.next(c.LOG_TOP)
        return {"t": "top", "province": board.PROVINCE_NAMES[province], "troop": board.TROOP_NAMES[troop]}

    def deal(self) -> Line:
        first, player, *_ = self.next(c.LOG_DEAL)
        cards = [first] + [self.next(c.LOG_DEAL)[0] for _ in range(board.START_CARDS - 1)]
        return {"t": "deal", "player": player, "cards": [board.KIND_NAMES[card] for card in cards]}

    def titles(self) -> Line:
        return {"t": "titles", "seals": self.next(c.LOG_TITLES)[: self.players]}

    def open_round(self) -> Line:
        return {"t": "round", "round": self.next(c.LOG_ROUND)[0]}

    def pool(self) -> Line:
        troops: list[str] = []
        reshuffled = None
        while self.peek() != c.LOG_POOL_KOKU:
            if self.was_reshuffled():
                reshuffled = len(troops)
            troops.append(board.KIND_NAMES[self.next(c.LOG_POOL_TROOP)[0]])
        koku = [KOKU_KINDS[self.next(c.LOG_POOL_KOKU)[0]] for _ in range(board.POOL_KOKU[self.players])]
        return {"t": "pool", "troops": troops, "koku": koku, "reshuffled": reshuffled}

    def lot(self) -> Line:
        player, seals, *_ = self.next(c.LOG_LOT)
        return {"t": "lot", "player": player, "cards": _cards(self.row(c.N_KINDS)), "seals": seals}

    def answer(self) -> Line:
        player, accepts, *_ = self.next(c.LOG_ANSWER)
        return {"t": "answer", "player": player, "accepts": bool(accepts)}

    def divide(self) -> Line:
        player, *seals = self.next(c.LOG_DIVIDE)[:3]
        halves = [{"cards": _cards(self.row(c.N_KINDS)), "seals": own} for own in seals]
        return {"t": "divide", "player": player} | dict(zip(LOT_NAMES, halves, strict=True))

    def pick(self) -> Line:
        player, lot, *_ = self.next(c.LOG_PICK)
        return {"t": "pick", "player": player, "lot": LOT_NAMES[lot]}

    def take(self) -> Line:
        player, seals, *_ = self.next(c.LOG_TAKE)
        return {"t": "take", "player": player, "cards": _cards(self.row(c.N_KINDS)), "seals": seals}

    def turn(self) -> Line:
        return {"t": "turn", "player": self.next(c.LOG_TURN)[0]}

    def draw(self) -> Line:
        reshuffled = self.was_reshuffled()
        card, player, *_ = self.next(c.LOG_DRAW)
        return {"t": "draw", "player": player, "card": board.KIND_NAMES[card], "reshuffled": reshuffled}

    def control(self) -> Line:
        player, province, position, way, points, title_points, _ = self.next(c.LOG_CONTROL)
        joker, exchanges, plus_ones, *cards = self.row(c.N_ITEMS)
        return {
            "t": "control",
            "player": player,
            "province": board.PROVINCE_NAMES[province],
            "position": position + 1,
            "by": WAY_NAMES[way],
            "joker": bool(joker),
            "exchanges": exchanges,
            "plus_ones": plus_ones,
            "cards": _cards(cards),
            "points": points,
            "title_points": title_points,
        }

    def bonus(self) -> Line:
        bonus, player, province, *_ = self.next(c.LOG_BONUS)
        where = board.PROVINCE_NAMES[province]
        return {"t": "bonus", "player": player, "province": where, "bonus": board.BONUS_NAMES[bonus]}

    def end_turn(self) -> Line:
        return {"t": "end_turn", "player": self.next(c.LOG_END_TURN)[0]}

    def sensei(self) -> Line:
        player, province, *_ = self.next(c.LOG_SENSEI)
        return {"t": "sensei", "player": player, "province": _name(board.PROVINCE_NAMES, province)}

    def score(self) -> Line:
        rows = [self.next(c.LOG_SCORE)[1:3] for _ in range(self.players)]
        holders: list[int] = []
        while len(holders) < c.N_PROVINCES:
            holders += self.next(c.LOG_HOLDERS)[:4]
        self.state["points"] = [points + sum(row) for points, row in zip(self.state["points"], rows, strict=True)]
        return {
            "t": "score",
            "koku": [row[0] for row in rows],
            "majorities": [row[1] for row in rows],
            "holders": {
                name: None if who == c.NONE else who for name, who in zip(board.PROVINCE_NAMES, holders, strict=True)
            },
        }

    def read_state(self) -> Line:
        players = []
        for _ in range(self.players):
            numbers = self.next(c.LOG_STATE_PLAYER)[1:]
            players.append((numbers, self.row(c.N_KINDS), self.row(c.N_TROOP_KINDS)))
        provinces = {}
        for _ in range(c.N_PROVINCES):
            province, top, *codes = self.next(c.LOG_STATE_PROVINCE)
            kamon = [list(divmod(code, 2)) for code in codes[: c.N_POSITIONS] if code != c.NONE]
            provinces[board.PROVINCE_NAMES[province]] = {"top": _name(board.TROOP_NAMES, top), "kamon": kamon}
        troops, koku, *used = self.next(c.LOG_STATE_PILES)
        self.state = {
            "t": "state",
            "points": [numbers[0] for numbers, _, _ in players],
            "seals": [numbers[1] for numbers, _, _ in players],
            "kamon": [numbers[2] for numbers, _, _ in players],
            "hands": [_counts(board.KIND_NAMES, hand) for _, hand, _ in players],
            "known": [_counts(TROOP_KINDS, known) for _, _, known in players],
            "tiles": [_counts(board.BONUS_NAMES, numbers[3:6]) for numbers, _, _ in players],
            "provinces": provinces,
            "discard": _counts(TROOP_KINDS, self.row(c.N_TROOP_KINDS)),
            "spent": _counts(KOKU_KINDS, self.row(c.N_KOKU_KINDS)),
            "used": _counts(board.BONUS_NAMES, used[: c.N_BONUSES]),
            "pile": [troops, koku],
        }
        return dict(self.state)

    def result(self) -> Line:
        winner = self.next(c.LOG_RESULT)[0]
        return {"t": "result", "points": self.state["points"], "seals": self.state["seals"], "winner": winner}


def record_lines(
    entries: np.ndarray, options: Mapping[str, Any], seed: int | None, agents: list[str] | None
) -> Iterator[Line]:
    """Yield the lines of a game's record, header first.

    Args: entries int16[n, 8] of the game's log; options, checked; seed of the game or None; agents, a spec for each
        player, or None.
    Raises: EOFError if the log ends inside a line.
    """
    yield header(options, seed, agents)
    yield from _Reader(entries, options).lines()
