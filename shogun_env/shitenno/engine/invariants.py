"""What a valid state is: ranges of numbers, and conditions on cards, tiles, Kamon, the division and a payment."""

import numpy as np

from shogun_env.kernel.log import OK
from shogun_env.shitenno import board
from shogun_env.shitenno import constants as c
from shogun_env.shitenno.state import blank
from shogun_env.spec.validity import Validity, are_distinct, is_blank

BLANK = blank()
PLAYERS, POSITIONS, TROOPS = np.arange(c.MAX_PLAYERS), np.arange(c.N_POSITIONS), np.arange(c.N_TROOPS)
MOST_POINTS, MOST_ROUNDS = 999, 99
"""More than a game can come to."""
_ROWS = (
    (c.MIN_PLAYERS, c.MAX_PLAYERS, "n_players"),
    (OK, OK, "error"),
    (0, c.OVER, "phase"),
    (1, MOST_ROUNDS, "round"),
    (c.NONE, c.MAX_PLAYERS - 1, "player tairo owner"),
    (0, c.N_TITLES, "rank gained seals lot_seals"),
    (c.NONE, c.N_PROVINCES - 1, "target"),
    (c.BY_TROOPS, c.BY_KOKU, "way"),
    (0, c.N_ITEMS - 1, "last"),
    (0, board.MAX_PLACED, "n_placed"),
    (0, 1, "joker_used golden tile_free"),
    (0, MOST_POINTS, "points"),
    (0, int(board.START_KAMON.max()), "kamon"),
    (0, c.N_POSITIONS, "filled"),
    (c.NONE, c.N_TROOPS - 1, "top"),
)
RANGES = {name: (low, high) for low, high, names in _ROWS for name in names.split()}
"""The lowest and the highest number that a field may hold, by name."""
_OF_A_PLAYER = ("kamon", "seals", "points", "gained", "n_troops", "hand", "known", "tiles")
"""Fields that are blank for players who do not play."""


def _plays(g: np.ndarray) -> np.ndarray:
    """Say which players there are: bool[n, 4]."""
    return g["n_players"][:, None] > PLAYERS


def _of_player(g: np.ndarray, name: str) -> np.ndarray:
    """Return what a field holds for the player who decides."""
    return g[name][np.arange(len(g["player"])), g["player"]]


def _last_of(counts: np.ndarray) -> np.ndarray:
    """Return the last kind of which each row counts any; 0 for none."""
    return np.where(counts > 0, np.arange(counts.shape[1]), 0).max(1)


def _fits_players(g: np.ndarray) -> np.ndarray:
    named = np.concatenate([g["player"][:, None], g["tairo"][:, None], g["owner"].reshape(len(g["player"]), -1)], 1)
    return named.max(1) < g["n_players"]


def _has_no_scratch(g: np.ndarray) -> np.ndarray:
    return is_blank(g, BLANK, ("spare", "rest", "path"))


def _has_all_cards(g: np.ndarray) -> np.ndarray:
    """Every card is in one place (1)."""
    piles, spent = np.concatenate([g["pile"], g["koku_pile"]], 1), np.concatenate([g["discard"], g["spent"]], 1)
    return (g["pool"] + g["hand"].sum(1) + piles + spent == board.COPIES).all(1)


def _knows_hands(g: np.ndarray) -> np.ndarray:
    """What is known of a hand is in it, and its troops are counted (7)."""
    troops = g["hand"][:, :, : c.N_TROOP_KINDS]
    return (g["known"] <= troops).all((1, 2)) & (troops.sum(2) == g["n_troops"]).all(1)


def _has_all_tiles(g: np.ndarray) -> np.ndarray:
    """Every bonus tile is in one place (1)."""
    unturned, tops = g["unturned"], (g["top"][:, None] == TROOPS[:, None]).sum(2)
    of_bonus = (g["used"] + g["tiles"].sum(1) + unturned.sum(1) == board.TILE_COPIES.sum(0)).all(1)
    return of_bonus & (g["covered"] + tops == unturned.sum(2)).all(1)


def _has_sound_stacks(g: np.ndarray) -> np.ndarray:
    filled = g["filled"]
    below = np.maximum(0, c.N_POSITIONS - 2 - filled).sum(1)
    return ((g["top"] == c.NONE) == (filled >= c.N_POSITIONS - 1)).all(1) & (g["covered"].sum(1) == below)


def _has_all_kamon(g: np.ndarray) -> np.ndarray:
    taken = g["owner"] != c.NONE
    placed = (taken == (g["filled"][..., None] > POSITIONS)).all((1, 2)) & ((g["golden"] == 0) | taken).all((1, 2))
    on_board = (g["owner"][:, None] == PLAYERS[:, None, None]).sum((2, 3))
    start = board.START_KAMON[g["n_players"]][:, None]
    return placed & ((g["kamon"] + on_board == start) | ~_plays(g)).all(1)


def _leaves_absent_players_blank(g: np.ndarray) -> np.ndarray:
    return (_plays(g) | is_blank(g, BLANK, _OF_A_PLAYER, axes=2)).all(1)


def _has_titles(g: np.ndarray) -> np.ndarray:
    return are_distinct(g["seals"], 1) & ((g["seals"] > 0) | ~_plays(g)).all(1) & are_distinct(g["gained"], 1)


def _fits_division(g: np.ndarray) -> np.ndarray:
    """Pool, lot and hierarchy tiles are those of the state of the division (4)."""
    dividing, gained, n = g["phase"] <= c.CHOOSE, g["gained"], g["n_players"]
    taken, left = (gained > 0).sum(1), ((gained == 0) & _plays(g)).sum(1)
    free = np.concatenate([np.zeros((len(n), 1), np.int64), g["tile_free"]], 1)
    fits = (np.take_along_axis(free, gained, 1) == 0).all(1) & (g["lot"] <= g["pool"]).all(1)
    fits &= dividing == (g["tairo"] != c.NONE)
    fits &= g["n_left"] == np.where(dividing, left, 0)
    fits &= g["tile_free"].sum(1) == np.where(dividing, c.N_TITLES - taken, 0)
    over = (taken == 0) & ~g["pool"].any(1) & ~g["lot_seals"].any(1)
    return fits & np.where(dividing, _fits_lot(g, free), over)


def _fits_lot(g: np.ndarray, free: np.ndarray) -> np.ndarray:
    """The lot has the tiles and cards of the phase, and who forms it and who is asked come in rank (4.3, 4.4)."""
    phase, player, tairo, n_left = g["phase"], g["player"], g["tairo"], g["n_left"]
    first, second = g["lot_seals"].T
    rows, asks = np.arange(len(player)), (phase == c.ANSWER) | (phase == c.CHOOSE)
    waiting = np.where((g["gained"] == 0) & _plays(g), g["seals"], 0)
    fits = (waiting[rows, tairo] == waiting.max(1)) & (waiting.max(1) > 0)
    # The players are asked in rank; those between the Tairō and the one asked have refused.
    below = (waiting[rows, player] > 0) & (waiting[rows, player] < g["seals"][rows, tairo])
    fits &= np.where(asks, below, player == tairo)
    fits &= ((n_left > c.TWO_LOTS) == np.isin(phase, (c.FORM_LOT, c.ANSWER))) & (n_left >= c.TWO_LOTS)
    fits &= ((second != 0) == (phase == c.CHOOSE)) & ((first != 0) | ~asks) & ((first == 0) | (phase != c.FORM_LOT))
    fits &= ((first == 0) | (free[rows, first] == 1)) & ((second == 0) | (free[rows, second] == 1))
    return fits & (g["last"] == _last_of(g["lot"])) & ((first == 0) | (first != second))


def _fits_payment(g: np.ndarray) -> np.ndarray:
    """Only what its player has is committed, and only in a payment (5.3)."""
    pays, committed, rows = g["phase"] == c.PAY, g["committed"], np.arange(len(g["phase"]))
    joker = (_of_player(g, "seals") == c.HATAMOTO) & (g["joker_used"] == 0)
    tiles = _of_player(g, "tiles")[:, : c.DRAW]
    held = np.concatenate([joker[:, None], tiles, _of_player(g, "hand")], 1)
    fits = (committed <= held).all(1) & (g["last"] == _last_of(committed)) & (g["player"] != c.NONE)
    fits &= (g["n_placed"] < board.MAX_PLACED) & (_of_player(g, "kamon") > 0)
    fits &= (g["target"] != c.NONE) & (g["filled"][rows, g["target"]] < c.N_POSITIONS)
    return np.where(pays, fits, (g["target"] == c.NONE) & ~committed.any(1) & (g["way"] == c.BY_TROOPS))


def _fits_phase(g: np.ndarray) -> np.ndarray:
    phase, player = g["phase"], g["player"]
    acting = (phase >= c.TURN) & (phase < c.OVER)
    fits = (phase == c.OVER) == (player == c.NONE)
    fits &= acting | ((g["n_placed"] == 0) & (g["joker_used"] == 0))
    fits &= g["rank"] == np.where(acting, _of_player(g, "seals"), 0)
    fits &= (phase < c.TURN) | (phase == c.PAY) | (g["last"] == 0)
    simple = ((g["owner"] == player[:, None, None]) & (g["golden"] == 0)).any((1, 2))
    return fits & ((phase != c.SENSEI_TURN) | ((_of_player(g, "seals") == c.SENSEI) & simple))


VALIDITY = Validity(
    RANGES,
    {
        "a player is named who does not play": _fits_players,
        "a scratch field of the search for payments is not empty": _has_no_scratch,
        "the cards of a kind do not add up": _has_all_cards,
        "more cards are known to be in a hand than are there, or the troop cards in it are miscounted": _knows_hands,
        "the tiles of a bonus or of a troop side do not add up": _has_all_tiles,
        "tiles in a province and Kamon there do not fit": _has_sound_stacks,
        "the Kamon of a player do not add up, or a position is left out": _has_all_kamon,
        "a row of an absent player is used": _leaves_absent_players_blank,
        "two players hold the same title or hierarchy tile, or one holds none": _has_titles,
        "pool, lot or hierarchy tiles do not fit the state of the division": _fits_division,
        "a payment holds what its player does not have, or there is one without a placement": _fits_payment,
        "a field is set that the phase does not know, or the decider is wrong": _fits_phase,
    },
)
"""What is true of a state of Shitennō between two decisions."""
