"""What a valid state is: ``check_game`` says which condition fails first.

What it accepts can be played to its end: a state that is valid between two decisions is valid between all that follow
(``tests/property/test_positions.py`` looks for one that is not).
"""

from __future__ import annotations

import numpy as np

from shogun_env.kernel.chance import sum_of
from shogun_env.kernel.jit import kernel
from shogun_env.kernel.log import OK
from shogun_env.kernel.types import Bool, Int, Mask, Player, State
from shogun_env.shitenno import constants as c
from shogun_env.shitenno.board import COPIES, MAX_PLACED, START_KAMON, TILE_COPIES
from shogun_env.shitenno.engine.legal import legal
from shogun_env.shitenno.rules.control import can_place, has_simple
from shogun_env.shitenno.rules.division import ABOVE_ALL, next_in_rank
from shogun_env.shitenno.rules.payment import has_joker

(
    VALID, BAD_CARDS, BAD_HAND, BAD_TILES, BAD_STACK, BAD_KAMON, BAD_PLAYER, BAD_TITLES, BAD_DIVISION, BAD_PAYMENT,
    BAD_PHASE, BAD_DECISION, BAD_RANGE, BAD_SCRATCH,
) = range(14)  # fmt: skip

MOST_POINTS, MOST_ROUNDS = 999, 99
"""More than a game can come to."""

CHECKS = {
    BAD_CARDS: "the cards of a kind do not add up",
    BAD_HAND: "more cards are known to be in a hand than are there, or the troop cards in it are miscounted",
    BAD_TILES: "the tiles of a bonus or of a troop side do not add up",
    BAD_STACK: "tiles in a province and Kamon there do not fit",
    BAD_KAMON: "the Kamon of a player do not add up, or a position is left out",
    BAD_PLAYER: "negative points or Kamon, or a row of an absent player is used",
    BAD_TITLES: "two players hold the same title or hierarchy tile, or one holds none",
    BAD_DIVISION: "pool, lot or hierarchy tiles do not fit the state of the division",
    BAD_PAYMENT: "a payment holds what its player does not have, or there is one without a placement",
    BAD_PHASE: "a field is set that the phase does not know, or the decider is wrong",
    BAD_DECISION: "a decision with fewer than two legal actions is put to a player",
    BAD_RANGE: "a number is not one that its field can hold",
    BAD_SCRATCH: "a scratch field of the search for payments is not empty",
}


@kernel
def check_ranges(g: State) -> Int:
    """Check numbers that are an index somewhere: the other conditions rely on it."""
    n = np.int64(g["n_players"])
    if not c.MIN_PLAYERS <= n <= c.MAX_PLAYERS or g["error"] != OK or not 1 <= g["round"] <= MOST_ROUNDS:
        return np.int64(BAD_RANGE)
    if not c.NONE <= g["player"] < n or not c.NONE <= g["tairo"] < n or not 0 <= g["rank"] <= c.N_TITLES:
        return np.int64(BAD_RANGE)
    if not c.NONE <= g["target"] < c.N_PROVINCES or not c.BY_TROOPS <= g["way"] <= c.BY_KOKU:
        return np.int64(BAD_RANGE)
    if not 0 <= g["last"] < c.N_ITEMS or g["n_placed"] < 0 or g["joker_used"] < 0:
        return np.int64(BAD_RANGE)
    for player in range(c.MAX_PLAYERS):
        if not 0 <= g["gained"][player] <= c.N_TITLES or not 0 <= g["points"][player] <= MOST_POINTS:
            return np.int64(BAD_RANGE)
    for lot in range(c.TWO_LOTS):
        if not 0 <= g["lot_seals"][lot] <= c.N_TITLES:
            return np.int64(BAD_RANGE)
    return np.int64(VALID)


@kernel
def check_cards(g: State) -> Int:
    """Check that every card is in one place (1), and what is known of hands (7)."""
    for kind in range(c.N_KINDS):
        total = np.int64(g["pool"][kind])
        for player in range(c.MAX_PLAYERS):
            total += np.int64(g["hand"][player, kind])
        if kind < c.N_TROOP_KINDS:
            total += np.int64(g["pile"][kind]) + np.int64(g["discard"][kind])
        else:
            total += np.int64(g["koku_pile"][kind - c.N_TROOP_KINDS]) + np.int64(g["spent"][kind - c.N_TROOP_KINDS])
        if total != COPIES[kind]:
            return np.int64(BAD_CARDS)
    for player in range(c.MAX_PLAYERS):
        troops = np.int64(0)
        for kind in range(c.N_TROOP_KINDS):
            troops += np.int64(g["hand"][player, kind])
            if g["known"][player, kind] > g["hand"][player, kind]:
                return np.int64(BAD_HAND)
        if troops != g["n_troops"][player]:
            return np.int64(BAD_HAND)
    return np.int64(VALID)


@kernel
def check_scratch(g: State) -> Int:
    """Check that the scratch fields of the search for payments are empty."""
    used = sum_of(g["spare"][:])
    for index in range(c.N_ITEMS + 1):
        used += 1 if g["rest"][index] != 0 else 0
    for step in range(c.MAX_PATH):
        used += 1 if g["path"][step] != 0 else 0
    return np.int64(BAD_SCRATCH if used > 0 else VALID)


@kernel
def is_blank_row(g: State, player: Player) -> Bool:
    """Say whether a player's row of every field is as it is before the set-up."""
    if g["kamon"][player] != 0 or g["seals"][player] != 0 or g["points"][player] != 0 or g["gained"][player] != 0:
        return False
    # These have no sign, so that none of them makes up for another.
    cards = np.int64(g["n_troops"][player]) + sum_of(g["hand"][player]) + sum_of(g["known"][player])
    return cards + sum_of(g["tiles"][player]) == 0


@kernel
def check_tiles(g: State) -> Int:
    """Check that every bonus tile is in one place (1)."""
    for bonus in range(c.N_BONUSES):
        total = np.int64(g["used"][bonus])
        copies = np.int64(0)
        for player in range(c.MAX_PLAYERS):
            total += np.int64(g["tiles"][player, bonus])
        for troop in range(c.N_TROOPS):
            total += np.int64(g["unturned"][troop, bonus])
            copies += TILE_COPIES[troop, bonus]
        if total != copies:
            return np.int64(BAD_TILES)
    for troop in range(c.N_TROOPS):
        unseen = np.int64(g["covered"][troop])
        for prov in range(c.N_PROVINCES):
            unseen += 1 if g["top"][prov] == troop else 0
        if unseen != sum_of(g["unturned"][troop]):
            return np.int64(BAD_TILES)
    return np.int64(VALID)


@kernel
def check_board(g: State) -> Int:
    """Check Kamon and stacks of every province."""
    covered = sum_of(g["covered"][:])
    for prov in range(c.N_PROVINCES):
        filled = np.int64(g["filled"][prov])
        if filled < 0 or filled > c.N_POSITIONS or (g["top"][prov] == c.NONE) != (filled >= c.N_POSITIONS - 1):
            return np.int64(BAD_STACK)
        covered -= max(np.int64(0), c.N_POSITIONS - 2 - filled)
        for position in range(c.N_POSITIONS):
            owner = np.int64(g["owner"][prov, position])
            if (owner != c.NONE) != (position < filled) or owner >= g["n_players"]:
                return np.int64(BAD_KAMON)
            if g["golden"][prov, position] > (1 if owner != c.NONE else 0):
                return np.int64(BAD_KAMON)
    return np.int64(BAD_STACK) if covered != 0 else np.int64(VALID)


@kernel
def check_players(g: State) -> Int:
    """Check Kamon, points and titles of every player."""
    n = np.int64(g["n_players"])
    for player in range(c.MAX_PLAYERS):
        seals, kamon = np.int64(g["seals"][player]), np.int64(g["kamon"][player])
        if kamon < 0 or (player >= n and not is_blank_row(g, player)):
            return np.int64(BAD_PLAYER)
        on_board = np.int64(0)
        for prov in range(c.N_PROVINCES):
            for position in range(c.N_POSITIONS):
                on_board += 1 if g["owner"][prov, position] == player else 0
        if player < n and kamon + on_board != START_KAMON[n]:
            return np.int64(BAD_KAMON)
        if player < n and (seals < 1 or seals > c.N_TITLES):
            return np.int64(BAD_TITLES)
        for other in range(player):
            gained = np.int64(g["gained"][player])
            if (player < n and g["seals"][other] == seals) or (gained != 0 and g["gained"][other] == gained):
                return np.int64(BAD_TITLES)
    return np.int64(VALID)


@kernel
def check_division(g: State) -> Int:
    """Check pool, lot and hierarchy tiles (4)."""
    dividing = g["phase"] <= c.CHOOSE
    left = np.int64(0)
    for player in range(np.int64(g["n_players"])):
        gained = np.int64(g["gained"][player])
        left += 1 if gained == 0 else 0
        if gained != 0 and (not dividing or g["tile_free"][gained - 1] == 1):
            return np.int64(BAD_DIVISION)
    taken = np.int64(g["n_players"]) - left
    tiles = sum_of(g["tile_free"][:])
    if dividing != (g["tairo"] != c.NONE) or (left if dividing else 0) != g["n_left"]:
        return np.int64(BAD_DIVISION)
    if tiles != (c.N_TITLES - taken if dividing else 0) or (not dividing and sum_of(g["pool"][:]) != 0):
        return np.int64(BAD_DIVISION)
    for kind in range(c.N_KINDS):
        if g["lot"][kind] > g["pool"][kind]:
            return np.int64(BAD_DIVISION)
    if dividing:
        return check_lot(g)
    return np.int64(VALID if g["lot_seals"][0] == 0 and g["lot_seals"][1] == 0 else BAD_DIVISION)


@kernel
def check_lot(g: State) -> Int:
    """Check who forms the lot, who is asked, and which tiles and cards the lot has (4.3, 4.4)."""
    phase, tairo, player = np.int64(g["phase"]), np.int64(g["tairo"]), np.int64(g["player"])
    asks = phase == c.ANSWER or phase == c.CHOOSE
    if tairo != next_in_rank(g, np.int64(ABOVE_ALL)) or (not asks and player != tairo):
        return np.int64(BAD_DIVISION)
    if (g["n_left"] > c.TWO_LOTS) != (phase == c.FORM_LOT or phase == c.ANSWER) or g["n_left"] < c.TWO_LOTS:
        return np.int64(BAD_DIVISION)
    # The players are asked in rank; those between the Tairō and the one asked have refused.
    if asks and (player < 0 or g["gained"][player] != 0 or g["seals"][player] >= g["seals"][tairo]):
        return np.int64(BAD_DIVISION)
    first, second = np.int64(g["lot_seals"][0]), np.int64(g["lot_seals"][1])
    if (second != 0) != (phase == c.CHOOSE) or (first == 0 and asks) or (first != 0 and phase == c.FORM_LOT):
        return np.int64(BAD_DIVISION)
    for seals in (first, second):
        if seals != 0 and g["tile_free"][seals - 1] == 0:
            return np.int64(BAD_DIVISION)
    last = np.int64(0)
    for kind in range(c.N_KINDS):
        last = np.int64(kind) if g["lot"][kind] > 0 else last
    return np.int64(VALID if last == g["last"] and (first == 0 or first != second) else BAD_DIVISION)


@kernel
def check_payment(g: State) -> Int:
    """Check that only what its player has is committed, and only in a payment (5.3)."""
    pays = g["phase"] == c.PAY
    if pays != (g["target"] != c.NONE) or (not pays and sum_of(g["committed"][:]) > 0):
        return np.int64(BAD_PAYMENT)
    if not pays:
        return np.int64(VALID if g["way"] == c.BY_TROOPS else BAD_PAYMENT)
    player, target = np.int64(g["player"]), np.int64(g["target"])
    if player == c.NONE or not can_place(g, player) or g["filled"][target] == c.N_POSITIONS:
        return np.int64(BAD_PAYMENT)
    committed = g["committed"]
    last = np.int64(0)
    for item in range(c.N_ITEMS):
        last = np.int64(item) if committed[item] > 0 else last
    if last != g["last"]:
        return np.int64(BAD_PAYMENT)
    if committed[c.JOKER] > (1 if has_joker(g, player) else 0):
        return np.int64(BAD_PAYMENT)
    for bonus in range(c.DRAW):
        if committed[c.FIRST_TILE + bonus] > g["tiles"][player, bonus]:
            return np.int64(BAD_PAYMENT)
    for kind in range(c.N_KINDS):
        if committed[c.FIRST_CARD + kind] > g["hand"][player, kind]:
            return np.int64(BAD_PAYMENT)
    return np.int64(VALID)


@kernel
def check_phase(g: State, mask: Mask) -> Int:
    """Check the decider, the turn, and that there is something to decide."""
    phase = np.int64(g["phase"])
    if phase < 0 or phase > c.OVER or (phase == c.OVER) != (g["player"] == c.NONE):
        return np.int64(BAD_PHASE)
    if phase < c.OVER and (g["player"] < 0 or g["player"] >= g["n_players"]):
        return np.int64(BAD_PHASE)
    acting = phase >= c.TURN and phase < c.OVER
    if g["n_placed"] > (MAX_PLACED if acting else 0) or g["joker_used"] > (1 if acting else 0):
        return np.int64(BAD_PHASE)
    if g["rank"] != (np.int64(g["seals"][g["player"]]) if acting else 0) or (
        phase >= c.TURN and phase != c.PAY and g["last"] != 0
    ):
        return np.int64(BAD_PHASE)
    if phase == c.SENSEI_TURN and (g["seals"][g["player"]] != c.SENSEI or not has_simple(g, np.int64(g["player"]))):
        return np.int64(BAD_PHASE)
    if phase < c.OVER and legal(g, mask) < 2:
        return np.int64(BAD_DECISION)
    return np.int64(VALID)


@kernel
def check_game(g: State, mask: Mask) -> Int:
    """Return 0 if the state is valid between decisions, else the number of the first condition that fails (CHECKS).

    Args: mask int8[73], scratch.
    Reads:  everything
    Writes: what ``legal`` writes
    """
    code = check_ranges(g) or check_scratch(g) or check_cards(g) or check_tiles(g) or check_board(g)
    return code or check_players(g) or check_division(g) or check_payment(g) or check_phase(g, mask)
