"""A state of Shitennō as text for people: the referee's view, or what one player may know (rules 7)."""

import textwrap
from collections.abc import Iterable, Sequence

import numpy as np

from shogun_env.shitenno import board
from shogun_env.shitenno import constants as c
from shogun_env.shitenno.rules.scoring import winner_of
from shogun_env.shitenno.text.kinds import KOKU_KINDS, TROOP_KINDS
from shogun_env.shitenno.text.names import PROVINCES_IN_ORDER, TITLES_HELD
from shogun_env.spec.voice import table, view_of, words

_WIDTH = 120
START_POSITIONS = TITLES_HELD[:0:-1]
"""What players begin with that is not the same for all: a title, the highest first."""
_TIE = "\u00a0"
"""A space at which no line is broken."""
_LEGEND = "P0 a Kamon, P0* a golden one; tile: troop side of the top tile; number and need: of the next position"


def render(g: np.void, player: int | None) -> str:
    """Return a state in words and tables.

    Args: g, a state in which a player decides or the game is over; player, 0..n_players - 1 for what they may know, -1
        for what everybody knows, or None for everything.
    """
    blocks = [_heading(g, player), _board(g), _players(g), _hands(g, player), _making(g, player), _piles(g)]
    text = "\n\n".join("\n".join(line.rstrip() for line in block) for block in blocks if block) + "\n"
    return text.replace(_TIE, " ")


def _listed(rows: Sequence[tuple[str, str]]) -> list[str]:
    """Return pairs of a head and a text as lines, each text wrapped next to its head."""
    width = 2 + max(len(head) for head, _ in rows)
    return [
        line
        for head, text in rows
        for line in textwrap.wrap(text, _WIDTH, initial_indent=head.ljust(width), subsequent_indent=" " * width)
    ]


def _list(names: Sequence[str], numbers: Iterable[int]) -> str:
    """Return in words the counts that are not zero."""
    parts = [f"{number} × {words(name)}" for name, number in zip(names, numbers, strict=True) if number]
    return ", ".join(part.replace(" ", _TIE) for part in parts) or "none"


def sees(g: np.void, player: int | None) -> bool:
    """Say whether a lot or payment in the making may be shown: to the referee and to the player who makes it."""
    return player is None or player == g["player"]


# --- the round, and who decides what ---------------------------------------------------------------------------------


def _heading(g: np.void, player: int | None) -> list[str]:
    """Return the round, the decision, and whose view this is."""
    return [f"Shitennō, round {g['round']}: {decision(g, player)}", f"{g['n_players']} players; {view_of(player)}"]


def decision(g: np.void, player: int | None) -> str:
    """Return who decides what; the others do not learn that a payment is in the making."""
    phase, who = int(g["phase"]), f"player {g['player']}"
    if phase == c.OVER:
        return f"over; player {winner_of(g)} wins"
    if phase == c.PAY and sees(g, player):
        way = "troops" if g["way"] == c.BY_TROOPS else "Koku"
        return f"{who} pays for {PROVINCES_IN_ORDER[g['target']]} by {way}"
    if phase > c.OVER:
        return "the end is scored" if phase in (c.SCORE, c.END) else "the game goes on"
    decisions = {
        c.FORM_LOT: "forms a lot",
        c.ANSWER: "accepts the lot or refuses it",
        c.DIVIDE: "divides what is left in two lots",
        c.CHOOSE: "chooses a lot",
        c.SENSEI_TURN: "may turn a Kamon to its golden side",
    }
    return f"{who} {decisions.get(phase, 'is on turn')}"


# --- the board -------------------------------------------------------------------------------------------------------


def _board(g: np.void) -> list[str]:
    """Return a row for each province."""
    rows = [["province", *("1st", "2nd", "3rd", "4th"), "number", "tile", "need"]]
    for prov in range(c.N_PROVINCES):
        filled = int(g["filled"][prov])
        kamon = [_kamon(g, prov, position) for position in range(c.N_POSITIONS)]
        number = str(board.NUMBER[prov, filled]) if filled < c.N_POSITIONS else ""
        top = int(g["top"][prov])
        tile = board.TROOP_NAMES[top] if top != c.NONE else ""
        rows.append([PROVINCES_IN_ORDER[prov], *kamon, number, tile, need(prov, top) if number else ""])
    return [*table(rows), _LEGEND]


def _kamon(g: np.void, prov: int, position: int) -> str:
    owner = g["owner"][prov, position]
    return "." if owner == c.NONE else f"P{owner}{'*' * int(g['golden'][prov, position])}"


def need(prov: int, top: int, names: Sequence[str] = board.TROOP_NAMES) -> str:
    """Return the troops that the next position costs (5.2), each with its name."""
    need = np.zeros(c.N_TROOPS, np.int64)
    need[board.NATIVE[prov]] += board.ICONS[prov]
    need[board.NATIVE[prov] if top == c.NONE else top] += board.ENTRANCE_ICONS[prov]
    return _list(names, need.tolist())


# --- players and cards -----------------------------------------------------------------------------------------------


def _players(g: np.void) -> list[str]:
    """Return a row for each player: what everybody may see of them."""
    rows = [["", "title", "points", "Kamon", *map(words, board.BONUS_NAMES), "troop cards", "Koku", "new title"]]
    for player in range(g["n_players"]):
        koku = int((g["hand"][player].astype(np.int64) * board.KOKU_VALUE).sum())
        gained = TITLES_HELD[g["gained"][player]] if g["gained"][player] else ""
        tiles = [str(number) for number in g["tiles"][player]]
        numbers = [str(g["points"][player]), str(g["kamon"][player]), *tiles, str(g["n_troops"][player]), str(koku)]
        mark = f"P{player} {'Tairō' if g['tairo'] == player else '':5}"  # as wide without the word as with it
        rows.append([mark, TITLES_HELD[g["seals"][player]], *numbers, gained])
    return table(rows)


def _hands(g: np.void, player: int | None) -> list[str]:
    """Return every hand; of the hands of others a player sees only what is known."""
    rows = []
    for owner in range(g["n_players"]):
        cards, unknown = seen_hand(g, owner, player)
        more = f", and {unknown} unknown troop card{'s' if unknown > 1 else ''}" if unknown else ""
        rows.append((f"  P{owner}", f"{_list(board.KIND_NAMES, cards.tolist())}{more}"))
    return ["hands", *_listed(rows)]


def seen_hand(g: np.void, owner: int, viewer: int | None) -> tuple[np.ndarray, int]:
    """Return the cards of a hand that the viewer knows, int64[17] by kind, and the number of the others."""
    cards = g["hand"][owner].astype(np.int64)
    unknown = 0
    if viewer not in (None, owner):
        cards[: c.N_TROOP_KINDS] = g["known"][owner]
        unknown = int(g["n_troops"][owner]) - int(g["known"][owner].sum())
    return cards, unknown


def _making(g: np.void, player: int | None) -> list[str]:
    """Return what is divided, offered or paid, as far as the viewer may see it."""
    rows = []
    for head, cards, seals in seen_making(g, player):
        names = board.KIND_NAMES if len(cards) == c.N_KINDS else ("joker", "exchange", "plus_one", *board.KIND_NAMES)
        titles = " and ".join(TITLES_HELD[number] for number in seals)
        rows.append((head, f"{_list(names, cards.tolist())}{'; ' if titles else ''}{titles}"))
    if int(g["phase"]) <= c.CHOOSE:
        free = [title for title, is_free in zip(TITLES_HELD[1:], g["tile_free"], strict=True) if is_free]
        rows.append(("hierarchy tiles", ", ".join(free)))
    return _listed(rows) if rows else []


def seen_making(g: np.void, player: int | None) -> list[tuple[str, np.ndarray, list[int]]]:
    """Return what the viewer sees of the lot, the pool or the payment: its name, counts by kind or item, seals."""
    phase = int(g["phase"])
    if phase == c.PAY and sees(g, player):
        return [("paid so far", g["committed"].astype(np.int64), [])]
    if phase > c.CHOOSE:
        return []
    shown = phase in (c.ANSWER, c.CHOOSE) or sees(g, player)
    lot = g["lot"].astype(np.int64) if shown else np.zeros(c.N_KINDS, np.int64)
    seals = [int(number) for number in g["lot_seals"] if number] if shown else []
    pool: list[tuple[str, np.ndarray, list[int]]] = [("rest of the pool" if lot.any() else "pool", g["pool"] - lot, [])]
    return [("lot", lot, seals), *pool] if lot.any() or (shown and g["lot_seals"][0]) else pool


def _piles(g: np.void) -> list[str]:
    """Return the piles, the discard, and what is out of the game."""
    rows = [
        ("troop pile", f"{int(g['pile'].sum())} cards"),
        ("troop discard", _list(TROOP_KINDS, g["discard"].tolist())),
        ("Koku pile", f"{int(g['koku_pile'].sum())} cards"),
        ("spent Koku", _list(KOKU_KINDS, g["spent"].tolist())),
        ("used tiles", _list(board.BONUS_NAMES, g["used"].tolist())),
    ]
    return _listed(rows)


def start_position(g: np.void, player: int) -> int:
    """Return the title that a player was dealt, 0 for the highest, in a state of the first round's division."""
    return len(START_POSITIONS) - int(g["seals"][player])
