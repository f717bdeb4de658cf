"""Log entries as lines of a game record (``RECORD.md``)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from shogun_env.shogun import board
from shogun_env.shogun import constants as c
from shogun_env.shogun.rules.battle_move import running_action
from shogun_env.shogun.rules.deploy import armies_to_deploy
from shogun_env.spec.log_reader import Line, LogReader

FORMAT = "shogun-record"
VERSION = 1

WHY_NAMES = ("fill", "battle", "revolt", "winter_revolt")
SKIP_NAMES = (
    "no_card", "cannot_pay", "no_site", "kind_present", "none_left", "supply_short", "too_few_armies", "no_target",
    "declined",
)  # fmt: skip
OUTCOME_NAMES = ("attacker", "defender", "draw")
TRACK_NAMES = ("chests", "rice", "points", "supply")
SCORE_NAMES = ("provinces", "buildings", "castles", "temples", "theatres")
COLOUR_KEYS = (*(str(player) for player in range(c.MAX_PLAYERS)), "farmers")


def header(options: Mapping[str, Any], seed: int | None, agents: list[str] | None) -> Line:
    """Return the first line of a record.

    Args: options, checked; seed of the game, or None; agents by player as they were named, or None.
    """
    tower = options["tower"]
    return {
        "t": "header",
        "format": FORMAT,
        "version": VERSION,
        "players": options["num_players"],
        "side": options["side"],
        "start": options["start"],
        "tower": None if tower is None else dict(tower._asdict()),
        "options": {"optional_moves": options["optional_moves"], "shuffle_seats": options["shuffle_seats"]},
        "seed": seed,
        "agents": agents,
    }


def _player(number: int) -> int | None:
    return None if number == c.NONE else number


def _province(number: int) -> str:
    return str(board.PROVINCE_NAMES[number])


def _cubes(row: list[int]) -> dict[str, int]:
    """Return the counts of cubes by colour key, without zeros."""
    return {key: count for key, count in zip(COLOUR_KEYS, row, strict=False) if count}


def card_name(card: int) -> str | None:
    """Return the name of a card on a space, None for an empty space."""
    if card == c.EMPTY:
        return None
    return _province(card) if card < c.CHEST_0 else f"chest_{card - c.CHEST_0}"


def _event(card: int) -> Line:
    name, loss = board.EVENT_CARDS[card]
    return {"event": name, "rice_loss": loss}


class _Reader(LogReader):
    """Makes the lines of a game of Shogun; each method reads the entries of one line."""

    def __init__(self, entries: np.ndarray, options: Mapping[str, Any]) -> None:
        super().__init__(entries)
        self.players: int = options["num_players"]
        self.side = board.BOARD_NAMES.index(options["side"])
        self.in_play = board.IN_PLAY[self.side, self.players]
        self.state: Line = {}

    @property
    def makers(self) -> Mapping[int, Callable[[], Line]]:
        return {
            c.LOG_PLACE: self.place, c.LOG_DRAFT: self.draft, c.LOG_BURY: self.bury, c.LOG_THROWN: self.throw,
            c.LOG_YEAR: self.open_year, c.LOG_ROUND: self.open_round, c.LOG_OPEN: self.open_action,
            c.LOG_SPECIALS: self.specials, c.LOG_PLAN: self.plan, c.LOG_EVENT: self.event, c.LOG_BIDS: self.bids,
            c.LOG_SPECIAL: self.special, c.LOG_ACTION: self.action, c.LOG_DO: self.do, c.LOG_FIGHT: self.fight,
            c.LOG_WINTER: self.winter, c.LOG_DRAWN: self.famine, c.LOG_SCORE: self.score,
            c.LOG_STATE_PROVINCE: self.read_state, c.LOG_RESULT: self.result,
        }  # fmt: skip

    def place(self) -> Line:
        province, player, armies, *_ = self.next(c.LOG_PLACE)
        return {"t": "place", "player": player, "province": _province(province), "armies": armies}

    def draft(self) -> Line:
        player, deck, province, armies, *both = self.next(c.LOG_DRAFT)
        open_cards = [_province(card) for card in both[:2] if card != c.NONE]
        origin = "deck" if deck else "open"
        return {
            "t": "draft",
            "player": player,
            "from": origin,
            "province": _province(province),
            "armies": armies,
            "open": open_cards,
        }

    def bury(self) -> Line:
        player, left, right, *_ = self.next(c.LOG_BURY)
        return {"t": "bury", "player": player, "provinces": [_province(left), _province(right)]}

    def throw(self) -> Line:
        *thrown, why = self.next(c.LOG_THROWN)
        tray = self.next(c.LOG_TRAY)[:6]
        return {"t": "throw", "why": WHY_NAMES[why], "thrown": _cubes(thrown), "tray": _cubes(tray)}

    def open_year(self) -> Line:
        cards = [self.next(c.LOG_YEAR) for _ in range(board.YEAR_EVENTS[self.side])]
        return {"t": "year", "year": cards[0][1], "events": [_event(card) for card, *_ in cards]}

    def open_round(self) -> Line:
        year, season, *_ = self.next(c.LOG_ROUND)
        return {"t": "round", "year": year, "season": board.SEASON_NAMES[season]}

    def open_action(self) -> Line:
        act, position, *_ = self.next(c.LOG_OPEN)
        position, n_open = position - int(board.FIRST_ACTION[self.side]), int(board.OPEN_ACTIONS[self.side])
        if position >= n_open:
            return {"t": "open", "position": position + 1, "action": board.ACTION_NAMES[act]}
        acts = [act] + [self.next(c.LOG_OPEN)[0] for _ in range(n_open - 1)]
        return {"t": "actions", "open": [board.ACTION_NAMES[a] for a in acts]}

    def specials(self) -> Line:
        order = [self.next(c.LOG_SPECIALS)[0] for _ in range(board.N_SPECIALS[self.side, self.players])]
        return {"t": "specials", "order": [board.SPECIAL_NAMES[special] for special in order]}

    def plan(self) -> Line:
        player, *first = self.next(c.LOG_PLAN)
        cards = first + self.next(c.LOG_PLAN)[1 : c.N_SPACES - 5]
        line: Line = {"t": "plan", "player": player, "bid": card_name(cards[0])}
        return line | {name: card_name(card) for name, card in zip(board.ACTION_NAMES, cards[1:], strict=True)}

    def event(self) -> Line:
        return {"t": "event"} | _event(self.next(c.LOG_EVENT)[0])

    def bids(self) -> Line:
        order = [self.next(c.LOG_BIDS)[0] for _ in range(self.players)]
        return {"t": "bids", "order": order, "paid": self.next(c.LOG_PAID)[: self.players]}

    def special(self) -> Line:
        player, special, position, *_ = self.next(c.LOG_SPECIAL)
        return {"t": "special", "player": player, "special": board.SPECIAL_NAMES[special], "position": position + 1}

    def action(self) -> Line:
        return {"t": "action", "action": board.ACTION_NAMES[self.next(c.LOG_ACTION)[0]]}

    def do(self) -> Line:
        player, act, province, result, a, b, d = self.next(c.LOG_DO)
        where = None if province == c.NONE else _province(province)
        line: Line = {"t": "do", "player": player, "action": board.ACTION_NAMES[act], "province": where}
        if result == c.BUILT:
            return line | {"result": "built", "paid": a}
        if result == c.COLLECTED:
            return line | {"result": "collected", "amount": a, "unrest": "revolt" if b else "marker"}
        if result == c.DEPLOYED:
            return line | {"result": "deployed", "paid": a, "armies": b} | self.moved_after(act)
        if result == c.MOVED:
            return line | {"result": "moved", "to": _province(a), "armies": b}
        if result == c.SKIPPED:
            return line | {"result": "skipped", "why": SKIP_NAMES[a]}
        bonus = dict(zip(("attacker", "defender", "farmers"), self.next(c.LOG_BONUS), strict=False))
        return line | {"result": "attacked", "to": _province(a), "armies": b, "defender": _player(d), "bonus": bonus}

    def moved_after(self, act: int) -> Line:
        """Return the fields of the move after deploy/move 1; no fields for the other deployments."""
        if act != c.DEPLOY_MOVE_1_ARMY:
            return {}
        if self.peek() == c.NONE:
            raise EOFError("the log ends before the move that may follow a deployment")
        if self.peek() != c.LOG_MOVED:
            return {"to": None, "armies_moved": 0}
        to, armies, *_ = self.next(c.LOG_MOVED)
        return {"to": _province(to), "armies_moved": armies}

    def fight(self) -> Line:
        province, attacker, defender, tray_attacker, tray_defender, farmers_in, tray_farmers = self.next(c.LOG_FIGHT)
        outcome, remaining, *_ = self.next(c.LOG_OUTCOME)
        return {
            "t": "fight",
            "province": _province(province),
            "attacker": _player(attacker),
            "defender": _player(defender),
            "tray_attacker": tray_attacker,
            "tray_defender": tray_defender,
            "farmers_in": bool(farmers_in),
            "tray_farmers": tray_farmers,
            "outcome": OUTCOME_NAMES[outcome],
            "remaining": remaining,
        }

    def winter(self) -> Line:
        year, loss, *_ = self.next(c.LOG_WINTER)
        return {"t": "winter", "year": year, "rice_loss": loss, "short": self.next(c.LOG_SHORT)[: self.players]}

    def famine(self) -> Line:
        drawn = [self.next(c.LOG_DRAWN)]
        while self.peek() == c.LOG_DRAWN:
            drawn.append(self.next(c.LOG_DRAWN))
        player, *order = self.next(c.LOG_ORDER)
        return {
            "t": "famine",
            "player": player,
            "drawn": [_province(prov) for prov, *_ in drawn],
            "order": [_province(prov) for prov in order[: c.MAX_FAMINE] if prov != c.NONE],
        }

    def score(self) -> Line:
        rows = [self.next(c.LOG_SCORE)[1:] for _ in range(self.players)]
        line: Line = {"t": "score", "year": rows[0][len(SCORE_NAMES)]}
        line |= {name: [row[i] for row in rows] for i, name in enumerate(SCORE_NAMES)}
        return line | {"total": [sum(row[: len(SCORE_NAMES)]) for row in rows]}

    def read_state(self) -> Line:
        provinces = {}
        for _ in range(c.N_PROVINCES):
            province, owner, *rest = self.next(c.LOG_STATE_PROVINCE)
            if self.in_play[province]:
                provinces[_province(province)] = [_player(owner), *rest]
        rows = [self.next(c.LOG_STATE_PLAYER)[1:5] for _ in range(self.players)]
        tracks = {name: [row[i] for row in rows] for i, name in enumerate(TRACK_NAMES)}
        tower = _cubes(self.next(c.LOG_STATE_TOWER)[:6])
        *tray, farmers = self.next(c.LOG_STATE_TRAY)
        rest_of = {"farmers_supply": farmers, "tower": tower, "tray": _cubes(tray)}
        self.state = {"t": "state", "provinces": provinces} | tracks | rest_of
        return self.state

    def result(self) -> Line:
        won = self.next(c.LOG_RESULT)[0]
        winners = [player for player in range(self.players) if (won >> player) & 1]
        return {"t": "result", "points": self.state["points"], "chests": self.state["chests"], "winners": winners}


def record_lines(
    entries: np.ndarray, options: Mapping[str, Any], seed: int | None, agents: list[str] | None
) -> Iterator[Line]:
    """Yield the lines of a game's record, header first.

    Args: entries int16[n, 8] of the game's log; options, seed and agents as in ``header``.
    Raises: EOFError if the log ends inside a line.
    """
    yield header(options, seed, agents)
    yield from lines_of(entries, options)


def lines_of(entries: np.ndarray, options: Mapping[str, Any]) -> Iterator[Line]:
    """Yield the lines after the header; arguments and errors as in ``record_lines``."""
    yield from _Reader(entries, options).lines()


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
