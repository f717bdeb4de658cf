"""What a valid state is: ranges of numbers, and conditions on the board, the cards, the draft and the time."""

import numpy as np

from shogun_env.kernel.log import OK
from shogun_env.shogun import board
from shogun_env.shogun import constants as c
from shogun_env.shogun.state import blank
from shogun_env.spec.validity import Validity, are_distinct, is_blank

BLANK = blank()
PROVINCES, PLAYERS, SPACES = np.arange(c.N_PROVINCES), np.arange(c.MAX_PLAYERS), np.arange(c.N_SPACES)
POSITIONS = np.arange(c.N_ACTION_CARDS)
MOST = 999
"""Chests, rice or points: more than a game gives a player, and little enough that what is to come has room too."""
MOST_MARKERS = 2 * c.N_SEASONS
"""A game brings one per season at most; a position set up by hand may begin with as many as a year can bring."""

_ROWS = (
    (0, 1, "optional_moves shuffle_seats buried building gained emptied hand"),
    (int(board.FEWEST_PLAYERS.min()), c.MAX_PLAYERS, "n_players"),
    (c.NONE, c.MAX_PLAYERS - 1, "player owner holder bid_order"),
    (c.NONE, c.N_PROVINCES - 1, "source target drawn ordered open_card last_open"),
    (0, c.N_PROVINCES, "short under"),
    (0, MOST, "chests rice points"),
    (0, c.N_BOARDS - 1, "side"),
    (0, c.RANDOM, "start"),
    (1, c.MAX_FLOORS, "floors"),
    (OK, OK, "error"),
    (0, c.OVER, "phase"),
    (0, c.N_YEARS, "year"),
    (0, c.N_SEASONS, "season"),
    (0, c.N_SPECIALS, "rank"),
    (c.NONE, c.N_SPECIALS - 1, "special_at position_of"),
    (0, c.N_SPACES, "space blanks_left"),
    (0, c.N_ACTION_CARDS, "running"),
    (c.NONE, c.N_ACTION_CARDS - 1, "action_at"),
    (c.NONE, c.N_EVENTS - 1, "event"),
    (0, c.EVENT_USED, "event_card"),
    (c.EMPTY, c.N_CARDS - 1, "plan"),
    (c.NOT_SHOWN, c.N_CARDS - 1, "shown"),
    (0, c.N_CARDS, "cards_left"),
    (0, int(board.ARMY_GROUPS.max()), "groups"),
    (0, c.CARD_UNDER_DECK, "card"),
)
RANGES = {name: (low, high) for low, high, names in _ROWS for name in names.split()}
"""The lowest and the highest number that a field may hold, by name."""

_OF_A_PLAYER = (
    "chests", "rice", "points", "hand", "plan", "shown", "emptied", "cards_left", "blanks_left", "position_of", "short",
    "groups", "last_open",
)  # fmt: skip
_OF_THE_DRAFT = ("groups", "card", "under", "open_card", "last_open", "buried")
_OF_A_ROUND = (
    "year", "season", "space", "running", "rank", "short", "plan", "shown", "emptied", "hand", "cards_left",
    "blanks_left", "event", "drawn", "ordered", "holder", "position_of", "action_at", "special_at", "event_card",
    "bid_order",
)  # fmt: skip
"""Fields that are blank elsewhere, or for players who do not play."""


# --- parts of conditions ---------------------------------------------------------------------------------------------


def _is_drafting(g: np.ndarray) -> np.ndarray:
    return g["phase"] <= c.DRAFT_GROUP


def _is_in_a_round(g: np.ndarray) -> np.ndarray:
    """Say which games are between draft and end; what then lies on the table decides nothing any more."""
    return (g["phase"] > c.DRAFT_GROUP) & (g["phase"] != c.OVER)


def _plays(g: np.ndarray) -> np.ndarray:
    """Say which players there are: bool[n, 5]."""
    return g["n_players"][:, None] > PLAYERS


def _owns(g: np.ndarray) -> np.ndarray:
    """Say which player owns which province: bool[n, 5, 45]."""
    return g["owner"][:, None] == PLAYERS[:, None]


def _in_play(g: np.ndarray) -> np.ndarray:
    return board.IN_PLAY[g["side"], g["n_players"]] == 1


def _is_prefix(rows: np.ndarray) -> np.ndarray:
    """Say in which rows no number from 0 on stands behind a NONE."""
    return ((rows[:, 1:] == c.NONE) | (rows[:, :-1] != c.NONE)).all(1)


def _at(rows: np.ndarray, indices: np.ndarray) -> np.ndarray:
    """Return what stands at one index of each row."""
    return np.take_along_axis(rows, indices[:, None], 1)[:, 0]


# --- the board -------------------------------------------------------------------------------------------------------


def _fits_players(g: np.ndarray) -> np.ndarray:
    named = np.concatenate([g["player"][:, None], g["owner"], g["holder"], g["bid_order"]], 1).max(1)
    n, side = g["n_players"], g["side"]
    return (named < n) & (board.FEWEST_PLAYERS[side] <= n) & (n <= board.MOST_PLAYERS[side])


def _has_all_cubes(g: np.ndarray) -> np.ndarray:
    """Every cube is in one place (1)."""
    on_board = np.where(_owns(g), g["armies"][:, None], 0).sum(2)
    total = g["supply"] + g["tray"] + g["tower"].sum(1)
    armies = np.where(_plays(g), board.ARMIES[g["side"]][:, None], 0)
    of_players = (total[:, : c.FARMERS] + on_board == armies).all(1)
    return of_players & (total[:, c.FARMERS] == board.FARMERS[g["side"]])


def _rest_in_the_tower(g: np.ndarray) -> np.ndarray:
    missing = np.arange(c.MAX_FLOORS) >= g["floors"][:, None]
    return (g["falling"] == 0).all((1, 2)) & ((g["tower"] == 0).all(2) | ~missing).all(1)


def _is_held(g: np.ndarray) -> np.ndarray:
    return ((g["owner"] != c.NONE) == (g["armies"] > 0)).all(1)


def _is_empty_out_of_play(g: np.ndarray) -> np.ndarray:
    used = (g["owner"] != c.NONE) | g["building"].any(1) | (g["revolts"] > 0)
    return (~used | _in_play(g)).all(1)


def _has_sites(g: np.ndarray) -> np.ndarray:
    return (g["building"].sum(1) <= np.where(g["owner"] != c.NONE, board.SITES, 0)).all(1)


def _has_few_markers(g: np.ndarray) -> np.ndarray:
    return (g["revolts"] <= MOST_MARKERS * (g["owner"] != c.NONE)).all(1)


def _has_all_buildings(g: np.ndarray) -> np.ndarray:
    return (g["kinds_left"] + g["building"].sum(2) == board.SUPPLY_OF_KIND).all(1)


def _counts_provinces(g: np.ndarray) -> np.ndarray:
    return (_owns(g).sum(2) == g["n_owned"]).all(1)


def _leaves_absent_players_blank(g: np.ndarray) -> np.ndarray:
    return (_plays(g) | is_blank(g, BLANK, _OF_A_PLAYER, axes=2)).all(1)


# --- the phase -------------------------------------------------------------------------------------------------------


def _fits_phase(g: np.ndarray) -> np.ndarray:
    """What is pending is what the phase knows, and the time is one in which it comes."""
    phase, season, side = g["phase"], g["season"], g["side"]
    fits = (phase == c.OVER) == (g["player"] == c.NONE)
    fits &= (g["source"] != c.NONE) == np.isin(phase, (c.TARGET, c.NUMBER, c.DRAFT_GROUP))
    fits &= (g["target"] != c.NONE) == (phase == c.NUMBER)
    winter, begins = phase == c.REVOLT_ORDER, (phase == c.PLAN) | (phase == c.TAKE_SPECIAL)
    fits &= (g["drawn"][:, 0] != c.NONE) == winter
    timely = (g["year"] >= board.FIRST_YEAR[side]) & (season >= board.FIRST_SEASON[side])
    timely &= (season == c.N_SEASONS) == winter
    timely &= (g["running"] == c.N_ACTION_CARDS) == winter
    timely &= (g["space"] == c.N_SPACES) == (phase != c.PLAN)
    timely &= ~begins | ((g["running"] == board.FIRST_ACTION[side]) & ~g["gained"].any(1))
    before = (g["start"] == c.DRAFT) & is_blank(g, BLANK, _OF_A_ROUND)
    return fits & np.where(_is_drafting(g), before, timely | (phase == c.OVER))


def _fits_move(g: np.ndarray) -> np.ndarray:
    """A pending move is that of the card that the player has shown (4): a redeal would deal another one again."""
    moves, player, source, target = np.isin(g["phase"], (c.TARGET, c.NUMBER)), g["player"], g["source"], g["target"]
    rows = np.arange(len(player))
    act = _at(g["action_at"], np.minimum(g["running"], c.N_ACTION_CARDS - 1))
    near = (board.NEIGHBOURS[g["side"], g["n_players"], source] == target[:, None]).any(1)
    own = g["owner"][rows, target] == player
    peace = (g["event"] == c.TEMPLE_PEACE) & (g["building"][rows, c.TEMPLE, target] == 1)
    may_enter = near & (own | ((act != c.DEPLOY_MOVE_1_ARMY) & ~peace))
    fits = np.isin(act, (c.DEPLOY_MOVE_1_ARMY, c.BATTLE_MOVE_A, c.BATTLE_MOVE_B)) & (g["armies"][rows, source] >= 2)
    for name in ("plan", "shown"):
        fits &= g[name][rows, player, act + 1] == source
    return ~moves | (fits & (may_enter | (g["phase"] == c.TARGET)))


# --- the draft -------------------------------------------------------------------------------------------------------


def _fits_draft(g: np.ndarray) -> np.ndarray:
    """Cards, groups and turns of a draft fit (2.2), and nothing of it is left afterwards."""
    draft = _has_sound_cards(g) & _has_sound_groups(g) & _has_sound_turns(g)
    return np.where(_is_drafting(g), draft, is_blank(g, BLANK, _OF_THE_DRAFT))


def _has_sound_cards(g: np.ndarray) -> np.ndarray:
    card, source, has_owner = g["card"], g["source"], g["owner"] != c.NONE
    is_open = (g["open_card"][:, :, None] == PROVINCES).any(1)
    # A card from the deck is out of it as soon as it was drawn; an open one lies there until its group is placed.
    is_taken = has_owner | ((source[:, None] == PROVINCES) & ~is_open)
    sound = ((card != c.CARD_OUT) == _in_play(g)) & ((card == c.CARD_OPEN) == is_open)
    sound &= ((card == c.CARD_TAKEN) == is_taken) & ((card == c.CARD_UNDER_DECK) == (g["under"] > 0))
    n_under = (card == c.CARD_UNDER_DECK).sum(1)
    in_order = np.sort(g["under"])[:, ::-1] == np.maximum(0, n_under[:, None] - PROVINCES)
    left, right = g["open_card"].T
    from_deck = (g["phase"] == c.DRAFT_GROUP) & (left != source) & (right != source) & (left != right)
    is_empty = n_under + (card == c.CARD_IN_DECK).sum(1) == 0
    two_open = ((left != c.NONE) & (right != c.NONE)) | is_empty | from_deck
    free = (source == c.NONE) | ~has_owner[np.arange(len(source)), source]
    return sound.all(1) & in_order.all(1) & ((left != right) | (left == c.NONE)) & two_open & free


def _has_sound_groups(g: np.ndarray) -> np.ndarray:
    """The groups that a player has placed, and those left, are the ones of the set-up."""
    sizes = np.arange(c.MAX_GROUP + 1)
    placed = (_owns(g)[:, :, None] & (g["armies"][:, None] == sizes[:, None])[:, None]).sum(3)
    of_all = board.ARMY_GROUPS[g["side"], g["n_players"]][:, None]
    return ((placed + g["groups"] == of_all).all(2) | ~_plays(g)).all(1)


def _has_sound_turns(g: np.ndarray) -> np.ndarray:
    """Players have placed groups in turn: the one to move, and those after, one fewer or as many."""
    n = g["n_players"][:, None]
    placed = np.take_along_axis(g["n_owned"], (g["player"][:, None] + np.minimum(PLAYERS, n - 1)) % n, 1)
    return (np.diff(placed) >= 0).all(1) & (placed[:, -1] <= placed[:, 0] + 1)


# --- the cards of a round --------------------------------------------------------------------------------------------


def _shows_actions(g: np.ndarray) -> np.ndarray:
    """Each action card lies on one position, and those to be seen are face up (3.1)."""
    shown = np.maximum(board.OPEN_ACTIONS[g["side"]], g["phase"] > c.TAKE_SPECIAL) + g["running"]
    is_shown = (g["action_at"] != c.NONE) == (shown[:, None] > POSITIONS)
    return ~_is_in_a_round(g) | (is_shown.all(1) & are_distinct(g["action_at"]))


def _has_all_specials(g: np.ndarray) -> np.ndarray:
    """The specials of the game lie on its positions (3.2)."""
    expected = board.SPECIALS[g["side"], g["n_players"]]
    placed = (np.sort(g["special_at"]) == np.sort(expected)) & ((g["special_at"] == c.NONE) == (expected == c.NONE))
    return ~_is_in_a_round(g) | placed.all(1)


def _fits_turn_order(g: np.ndarray) -> np.ndarray:
    """In planning nobody holds a position, in the auction the best bidders so far do (3.5).

    Afterwards everybody does, but a position set up by hand may leave players out of the round: they take no turn.
    """
    phase, player, rank, position, bids = (g[name] for name in ("phase", "player", "rank", "position_of", "bid_order"))
    has_position = position != c.NONE
    held, bidders = has_position.sum(1), (bids != c.NONE).sum(1)
    holds = np.take_along_axis(g["holder"], position, 1) == PLAYERS
    fits = (
        (holds | ~has_position).all(1)
        & ((g["holder"] != c.NONE).sum(1) == held)
        & _is_prefix(bids)
        & are_distinct(bids)
    )
    best_hold = (np.take_along_axis(has_position, bids, 1) | (held[:, None] <= PLAYERS)).all(1)
    next_bidder = _at(bids, np.minimum(held, c.MAX_PLAYERS - 1))
    auction = (bidders == g["n_players"]) & (rank < bidders) & best_hold & (held == rank) & (next_bidder == player)
    turn = (rank < c.N_SPECIALS) & (_at(g["holder"], np.minimum(rank, c.N_SPECIALS - 1)) == player)
    in_turn = np.select([phase == c.PLAN, phase == c.TAKE_SPECIAL], [rank + held + bidders == 0, auction], turn)
    return ~_is_in_a_round(g) | (fits & in_turn)


def _fits_events(g: np.ndarray) -> np.ndarray:
    """The event cards are where the time of year puts them (2.4, 3.4)."""
    phase, season, side, cards = g["phase"], g["season"], g["side"], g["event_card"]
    of_year = board.YEAR_EVENTS[side]
    in_force = (phase > c.PLAN) & (phase < c.REVOLT_ORDER)
    past = np.where(season == c.N_SEASONS, of_year, season - board.FIRST_SEASON[side])
    used = board.N_EVENTS_OUT[side] + of_year * (g["year"] - board.FIRST_YEAR[side]) + past
    fits = (cards == c.EVENT_IN_FORCE).sum(1) == in_force
    fits &= ((cards == c.EVENT_USED).sum(1) == used) & ((cards == c.EVENT_OPEN).sum(1) == of_year - past - in_force)
    # A position set up by hand may be free of events; one that is in force is that of the card.
    named = ((cards == c.EVENT_IN_FORCE) & (g["event"][:, None] == board.EVENT_OF_CARD)).any(1)
    return ~_is_in_a_round(g) | (fits & (named | (g["event"] == c.NONE)))


def _owned_cards(g: np.ndarray) -> np.ndarray:
    """Say which player has which card, on a space or in hand: bool[n, 5, 50]."""
    chests = np.arange(c.N_CHEST_CARDS) < board.CHEST_CARDS[g["side"]][:, None]
    return np.concatenate([_owns(g), np.repeat(chests[:, None], c.MAX_PLAYERS, 1)], 2)


def _laid(g: np.ndarray) -> np.ndarray:
    """Count on how many spaces of which player a card lies: int64[n, 5, 50]."""
    n, cards = len(g["plan"]), c.N_CARDS + 1
    first = cards * np.arange(n * c.MAX_PLAYERS).reshape(n, c.MAX_PLAYERS, 1) - c.EMPTY
    counted = np.bincount((first + g["plan"]).ravel(), minlength=n * c.MAX_PLAYERS * cards)
    return counted.reshape(n, c.MAX_PLAYERS, cards)[..., 1:]


def _passed(g: np.ndarray) -> np.ndarray:
    """Say which spaces are filled: bool[n, 5, 11]; players before the decider are one space ahead."""
    passed = g["space"][:, None] + (g["player"][:, None] > PLAYERS)
    return passed[..., None] > SPACES


def _has_sound_plans(g: np.ndarray) -> np.ndarray:
    """Cards on spaces are the player's own, and bids can be paid (3.3, R4, R15, R19)."""
    laid, planning = _laid(g), (g["phase"] == c.PLAN)[:, None]
    gained = np.concatenate([g["gained"], np.zeros((len(laid), c.N_CHEST_CARDS), np.int64)], 1)[:, None] == 1
    sound = (laid <= (_owned_cards(g) & ~gained)).all(2)
    is_filled, in_play = g["plan"] != c.EMPTY, board.SPACE_IN_PLAY[g["side"]][:, None] == 1
    sound &= (~is_filled | (_passed(g) & in_play)).all(2) | ~planning
    sound &= (g["plan"][:, :, c.BID_SPACE] <= c.CHEST_0 + g["chests"]) | ~planning
    emptied = g["emptied"] == 1
    sound &= ~(emptied & (is_filled | (g["phase"] <= c.TAKE_SPECIAL)[:, None, None])).any(2)
    return ~_is_in_a_round(g) | (sound | ~_plays(g)).all(1)


def _has_sound_hands(g: np.ndarray) -> np.ndarray:
    """Hands hold what is on no space, and a player with fewer cards than spaces leaves as many empty (3.3)."""
    side, planning = g["side"][:, None], (g["phase"] == c.PLAN)[:, None]
    hand = np.zeros_like(g["hand"])
    hand[:, :, c.A_CARD : c.A_CARD + c.N_CARDS] = _owned_cards(g) & (_laid(g) == 0) & planning[..., None]
    cards = g["hand"].sum(2)
    sound = (g["hand"] == hand).all(2) & (cards == g["cards_left"])
    passed = _passed(g)
    empty = ((g["plan"] == c.EMPTY) & passed & (board.SPACE_IN_PLAY[g["side"]][:, None] == 1)).sum(2)
    missing = np.maximum(0, board.SPACES[side] - g["n_owned"] - board.CHEST_CARDS[side])
    blanks = np.maximum(0, board.SPACES_FROM[side, passed.sum(2)] - cards)
    sound &= ((g["blanks_left"] == blanks) & (empty + blanks == missing)) | ~planning
    return ~_is_in_a_round(g) | (sound | ~_plays(g)).all(1)


def _was_played(g: np.ndarray) -> np.ndarray:
    """Say which cards may have been shown: bool[n, 5, 11]; bids after planning, actions when their turn has come.

    A space that is not in play is shown from the beginning.
    """
    running, acts = g["running"][:, None], g["action_at"]
    done, runs = (
        (np.where(of, acts, c.NONE)[:, :, None] == SPACES - 1).any(1) & (SPACES != c.BID_SPACE)
        for of in (running > POSITIONS, running == POSITIONS)
    )
    has_come = (g["position_of"] <= g["rank"][:, None]) & (g["phase"] > c.TAKE_SPECIAL)[:, None]
    acted = done[:, None] | (runs[:, None] & has_come[..., None]) | (SPACES == c.BID_SPACE)
    planning = (g["phase"] == c.PLAN)[:, None, None]
    return (board.SPACE_IN_PLAY[g["side"]] == 0)[:, None] | (acted & ~planning)


def _shows_what_was_played(g: np.ndarray) -> np.ndarray:
    """Cards are shown where they were played, and nowhere else (R19, R24)."""
    plan, shown = g["plan"], g["shown"]
    elsewhere = (plan[..., None] == shown[:, :, None]).any(3) & (plan != c.EMPTY)
    right = _was_played(g) & ((shown == plan) | (g["emptied"] == 1))
    sound = np.where(shown == c.NOT_SHOWN, ~elsewhere, right).all(2)
    return ~_is_in_a_round(g) | (sound | ~_plays(g)).all(1)


# --- winter ----------------------------------------------------------------------------------------------------------


def _fits_winter(g: np.ndarray) -> np.ndarray:
    """Rice that is short, provinces drawn and their order fit (3 winter 2)."""
    rows, player, drawn, ordered = np.arange(len(g["player"])), g["player"], g["drawn"], g["ordered"]
    missing = np.maximum(0, g["n_owned"] - g["rice"])
    has_been = g["position_of"] < g["rank"][:, None]  # players who come later have what they had when it was counted
    sound = ((g["short"] == missing) | has_been | ~_plays(g)).all(1)
    revolts = np.minimum(g["n_owned"][rows, player], board.WINTER[g["short"][rows, player], 0])
    sound &= ((drawn != c.NONE) == (np.arange(c.MAX_FAMINE) < revolts[:, None])).all(1)
    sound &= ((g["owner"][rows[:, None], drawn] == player[:, None]) | (drawn == c.NONE)).all(1)
    sound &= ((ordered[..., None] == drawn[:, None]).any(2) | (ordered == c.NONE)).all(1)
    sound &= are_distinct(drawn) & are_distinct(ordered) & _is_prefix(ordered)
    calm = is_blank(g, BLANK, ("short", "drawn", "ordered"))
    return ~_is_in_a_round(g) | np.where(g["phase"] == c.REVOLT_ORDER, sound, calm)


VALIDITY = Validity(
    RANGES,
    {
        "a player is named who does not play, or the board is made for other numbers of players": _fits_players,
        "cubes of a colour do not add up to 62 (farmers 20)": _has_all_cubes,
        "cubes are still falling, or rest on a floor that the tower does not have": _rest_in_the_tower,
        "an owned province has no armies, or a neutral one has": _is_held,
        "a province out of play is owned or marked": _is_empty_out_of_play,
        "more buildings than sites, or buildings in a neutral province": _has_sites,
        "revolt markers in a neutral province, or more than six": _has_few_markers,
        "buildings on the board and in the box do not add up": _has_all_buildings,
        "the number of provinces owned is wrong": _counts_provinces,
        "the row of a player who does not play is used": _leaves_absent_players_blank,
        "a field is set that the phase does not know, or the decider is wrong": _fits_phase,
        "the draft's cards, groups or turns do not fit": _fits_draft,
        "an action card lies on two positions, or a position to be seen is face down": _shows_actions,
        "the specials are not a permutation": _has_all_specials,
        "bids, holders, positions and the player on turn do not fit": _fits_turn_order,
        "event cards of the year, used ones and the event in force do not fit the time of year": _fits_events,
        "a card lies on two spaces, a province card is not its owner's, or a bid cannot be paid": _has_sound_plans,
        "hand, plan and counts of cards do not fit": _has_sound_hands,
        "a card is shown that was not played, or one that was shown lies hidden elsewhere": _shows_what_was_played,
        "the pending move is not that of the card shown": _fits_move,
        "rice that is short, provinces drawn and their order do not fit": _fits_winter,
    },
)
"""What is true of a state of Shogun between two decisions."""
