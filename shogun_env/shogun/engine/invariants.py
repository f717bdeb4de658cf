"""What a valid record is: ``check_game`` says which condition fails first."""

from __future__ import annotations

import numpy as np

from shogun_env.kernel.jit import kernel
from shogun_env.kernel.log import OK
from shogun_env.kernel.types import Bool, Int, Mask, Row, State
from shogun_env.shogun import constants as c
from shogun_env.shogun.board import ARMIES_PER_PLAYER, ARMY_GROUPS, FARMER_ARMIES, IN_PLAY, SITES, SUPPLY_OF_KIND
from shogun_env.shogun.engine.legal import legal
from shogun_env.shogun.rules.build import buildings_in

(
    VALID, BAD_CUBES, BAD_SUPPLY, BAD_SCRATCH, BAD_OWNER, BAD_OUT_OF_PLAY, BAD_COUNT, BAD_BUILDING, BAD_BOX,
    BAD_MARKERS, BAD_TRACKS, BAD_ACTIONS, BAD_SPECIALS, BAD_TURN_ORDER, BAD_EVENTS, BAD_PLAN, BAD_HAND, BAD_PHASE,
    BAD_DRAFT, BAD_RANGE, BAD_DECISION,
) = range(21)  # fmt: skip

N_PLANS, N_GROUPS = c.MAX_PLAYERS * c.N_SPACES, c.MAX_PLAYERS * (c.MAX_GROUP + 1)
N_LAST_OPEN, N_BUILDINGS = c.MAX_PLAYERS * 2, c.N_KINDS * c.N_PROVINCES
"""Numbers in fields of two axes."""
MOST_GROUPS = int(ARMY_GROUPS.max())

CHECKS = {
    BAD_CUBES: "cubes of a colour do not add up to 62 (farmers 20)",
    BAD_SUPPLY: "a supply or the tray holds more cubes than there are",
    BAD_SCRATCH: "cubes are still falling",
    BAD_OWNER: "an owned province has no armies, or a neutral one has",
    BAD_OUT_OF_PLAY: "a province out of play is owned or marked",
    BAD_COUNT: "the number of provinces owned is wrong",
    BAD_BUILDING: "more buildings than sites, or buildings in a neutral province",
    BAD_BOX: "buildings on the board and in the box do not add up",
    BAD_MARKERS: "revolt markers in a neutral province, or more than three",
    BAD_TRACKS: "negative chests, rice or points",
    BAD_ACTIONS: "an action card lies on two positions, or a position to be seen is face down",
    BAD_SPECIALS: "the specials are not a permutation",
    BAD_TURN_ORDER: "holders and positions do not fit",
    BAD_EVENTS: "event cards of the year and used ones are not as many as the time of year says",
    BAD_PLAN: "a card lies on two spaces, or a province card is not its owner's",
    BAD_HAND: "hand, plan and counts of cards do not fit",
    BAD_PHASE: "a field is set that the phase does not know, or the decider is wrong",
    BAD_DRAFT: "the draft's cards or groups do not fit",
    BAD_RANGE: "a number is none that its field can hold",
    BAD_DECISION: "a decision with fewer than two legal actions is put to a player",
}


@kernel
def is_within(row: Row, low: Int, high: Int) -> Bool:
    """Say whether all numbers of a row lie from ``low`` to ``high``."""
    outside = np.int64(0)
    for index in range(row.shape[0]):
        outside += 1 if row[index] < low or row[index] > high else 0
    return outside == 0


@kernel
def has_sound_options(g: State) -> Bool:
    """Say whether the options of play are such."""
    floors, choices = np.int64(g["floors"]), max(np.int64(g["optional_moves"]), np.int64(g["shuffle_seats"]))
    low = min(np.int64(g["side"]), np.int64(g["start"]), np.int64(g["optional_moves"]), np.int64(g["shuffle_seats"]))
    if low < 0 or g["side"] >= c.N_SIDES or g["start"] > c.RANDOM or choices > 1:
        return False
    return 3 <= g["n_players"] <= c.MAX_PLAYERS and 1 <= floors <= c.MAX_FLOORS


@kernel
def has_sound_time(g: State) -> Bool:
    """Say whether time, decider and what is pending are numbers of such things."""
    n = np.int64(g["n_players"])
    if not 0 <= g["phase"] <= c.OVER or not c.NONE <= g["player"] < n or g["error"] != OK:
        return False
    if not 0 <= g["year"] <= c.N_YEARS or not 0 <= g["season"] <= c.N_SEASONS:
        return False
    takes_turns = c.PLAN < g["phase"] < c.OVER
    if not 0 <= g["rank"] <= (c.N_SPECIALS - 1 if takes_turns else c.N_SPECIALS):
        return False
    if not 0 <= g["space"] <= c.N_SPACES or not 0 <= g["running"] <= c.N_ACTION_CARDS or not 0 <= g["buried"] <= 1:
        return False
    for prov in (np.int64(g["source"]), np.int64(g["target"])):
        if not c.NONE <= prov < c.N_PROVINCES:
            return False
    return c.NONE <= g["event"] < c.N_EVENTS


@kernel
def has_sound_cards(g: State) -> Bool:
    """Say whether cards, their places, and who has them are numbers of such things."""
    n, last = np.int64(g["n_players"]), c.N_PROVINCES - 1
    plans, shown, emptied = g["plan"].reshape(N_PLANS), g["shown"].reshape(N_PLANS), g["emptied"].reshape(N_PLANS)
    hands, groups = g["hand"].reshape(c.MAX_PLAYERS * c.HAND), g["groups"].reshape(N_GROUPS)
    if not is_within(plans, c.EMPTY, c.N_CARDS - 1) or not is_within(shown, c.NOT_SHOWN, c.N_CARDS - 1):
        return False
    if not is_within(g["cards_left"], 0, c.N_CARDS) or not is_within(g["blanks_left"], 0, c.N_SPACES):
        return False
    if not is_within(emptied, 0, 1) or not is_within(hands, 0, 1) or not is_within(g["gained"], 0, 1):
        return False
    if not is_within(g["action_at"], c.NONE, c.N_ACTION_CARDS - 1) or not is_within(g["holder"], c.NONE, n - 1):
        return False
    if not is_within(g["special_at"], c.NONE, c.N_SPECIALS - 1) or not is_within(g["bid_order"], c.NONE, n - 1):
        return False
    if not is_within(g["position_of"], c.NONE, c.N_SPECIALS - 1) or not is_within(g["event_card"], 0, c.EVENT_USED):
        return False
    if not is_within(g["drawn"], c.NONE, last) or not is_within(g["ordered"], c.NONE, last):
        return False
    if not is_within(groups, 0, MOST_GROUPS) or not is_within(g["card"], 0, c.CARD_UNDER_DECK):
        return False
    opened = is_within(g["open_card"], c.NONE, last) and is_within(g["last_open"].reshape(N_LAST_OPEN), c.NONE, last)
    return opened and is_within(g["under"], 0, c.N_PROVINCES) and is_within(g["short"], 0, c.N_PROVINCES)


@kernel
def check_ranges(g: State) -> Int:
    """Check numbers that are an index or a flag somewhere: the other conditions rely on it."""
    sound = has_sound_options(g) and has_sound_time(g) and has_sound_cards(g)
    n = np.int64(g["n_players"])
    sound = sound and is_within(g["owner"], c.NONE, n - 1) and is_within(g["building"].reshape(N_BUILDINGS), 0, 1)
    return c_int(VALID if sound else BAD_RANGE)


@kernel
def check_cubes(g: State) -> Int:
    """Check that every cube is in one place (1)."""
    n = np.int64(g["n_players"])
    for colour in range(c.N_COLOURS):
        total = np.int64(g["supply"][colour]) + np.int64(g["tray"][colour])
        if total > ARMIES_PER_PLAYER:
            return c_int(BAD_SUPPLY)
        for floor in range(c.MAX_FLOORS):
            total += np.int64(g["tower"][floor, colour])
            if g["falling"][floor, colour] != 0 or (floor >= g["floors"] and g["tower"][floor, colour] != 0):
                return c_int(BAD_SCRATCH)
        for prov in range(c.N_PROVINCES):
            if g["owner"][prov] == colour:
                total += np.int64(g["armies"][prov])
        expected = FARMER_ARMIES if colour == c.FARMERS else ARMIES_PER_PLAYER if colour < n else 0
        if total != expected:
            return c_int(BAD_CUBES)
    return c_int(VALID)


@kernel
def c_int(code: Int) -> Int:
    """Return a code as int64, so that every check has one type."""
    return np.int64(code)


@kernel
def check_board(g: State) -> Int:
    """Check owners, armies, buildings and markers of every province."""
    for prov in range(c.N_PROVINCES):
        owner = np.int64(g["owner"][prov])
        buildings = buildings_in(g, prov)
        in_play = IN_PLAY[np.int64(g["side"]), np.int64(g["n_players"]), prov] == 1
        if owner < c.NONE or owner >= g["n_players"] or (owner != c.NONE) != (g["armies"][prov] > 0):
            return c_int(BAD_OWNER)
        if not in_play and (owner != c.NONE or buildings > 0 or g["revolts"][prov] > 0):
            return c_int(BAD_OUT_OF_PLAY)
        if buildings > SITES[prov] or (owner == c.NONE and buildings > 0):
            return c_int(BAD_BUILDING)
        if g["revolts"][prov] > c.N_SEASONS or (owner == c.NONE and g["revolts"][prov] > 0):
            return c_int(BAD_MARKERS)
    for kind in range(c.N_KINDS):
        left = np.int64(g["kinds_left"][kind])
        for prov in range(c.N_PROVINCES):
            left += np.int64(g["building"][kind, prov])
        if left != SUPPLY_OF_KIND[kind]:
            return c_int(BAD_BOX)
    return c_int(VALID)


@kernel
def check_players(g: State) -> Int:
    """Check counts and tracks of every player."""
    for player in range(c.MAX_PLAYERS):
        owned = np.int64(0)
        for prov in range(c.N_PROVINCES):
            owned += 1 if g["owner"][prov] == player else 0
        if owned != g["n_owned"][player]:
            return c_int(BAD_COUNT)
        if g["chests"][player] < 0 or g["rice"][player] < 0 or g["points"][player] < 0:
            return c_int(BAD_TRACKS)
    return c_int(VALID)


@kernel
def count_equal(row: Row, value: Int) -> Int:
    """Count how often a value stands in a row."""
    count = np.int64(0)
    for index in range(row.shape[0]):
        count += 1 if row[index] == value else 0
    return count


@kernel
def check_cards(g: State) -> Int:
    """Check actions, specials, turn order and events (3)."""
    if g["phase"] <= c.DRAFT_GROUP:
        return c_int(VALID)
    seen = min(np.int64(c.N_ACTION_CARDS), c.N_OPEN_ACTIONS + np.int64(g["running"]))
    for position in range(c.N_ACTION_CARDS):
        act = np.int64(g["action_at"][position])
        if (act != c.NONE) != (position < seen) or (act != c.NONE and count_equal(g["action_at"], act) != 1):
            return c_int(BAD_ACTIONS)
    for position in range(c.N_SPECIALS):
        if count_equal(g["special_at"], position) != 1:
            return c_int(BAD_SPECIALS)
        holder = np.int64(g["holder"][position])
        if holder != c.NONE and g["position_of"][holder] != position:
            return c_int(BAD_TURN_ORDER)
    deck = count_equal(g["event_card"], c.EVENT_IN_DECK)
    in_force = count_equal(g["event_card"], c.EVENT_IN_FORCE)
    if deck != c.N_EVENT_CARDS - c.N_YEAR_EVENTS * np.int64(g["year"]) or in_force > 1:
        return c_int(BAD_EVENTS)
    return c_int(VALID)


@kernel
def check_plans(g: State) -> Int:
    """Check plans and hands (3.3)."""
    for player in range(np.int64(g["n_players"])):
        plan = g["plan"][player]
        cards = np.int64(0)
        for card in range(c.N_CARDS):
            on_spaces = count_equal(plan, card)
            cards += np.int64(g["hand"][player, c.A_CARD + card])
            if on_spaces > 1 or (on_spaces == 1 and card < c.CHEST_0 and g["owner"][card] != player):
                return c_int(BAD_PLAN)
            if g["phase"] == c.PLAN and on_spaces == 1 and g["hand"][player, c.A_CARD + card] == 1:
                return c_int(BAD_HAND)
        if cards != g["cards_left"][player] or (g["phase"] != c.PLAN and cards != 0):
            return c_int(BAD_HAND)
        placed = c.N_SPACES - count_equal(plan, c.EMPTY)
        if g["phase"] == c.PLAN and cards + placed != g["n_owned"][player] + c.N_CHEST_CARDS:
            return c_int(BAD_HAND)
    return c_int(VALID)


@kernel
def check_phase(g: State) -> Int:
    """Check the decider and what is pending."""
    phase = np.int64(g["phase"])
    if phase > c.OVER or (phase == c.OVER) != (g["player"] == c.NONE):
        return c_int(BAD_PHASE)
    if phase < c.OVER and (g["player"] < 0 or g["player"] >= g["n_players"]):
        return c_int(BAD_PHASE)
    has_source = phase == c.TARGET or phase == c.NUMBER or phase == c.DRAFT_GROUP
    if (g["source"] != c.NONE) != has_source or (g["target"] != c.NONE) != (phase == c.NUMBER):
        return c_int(BAD_PHASE)
    if (g["drawn"][0] != c.NONE) != (phase == c.REVOLT_ORDER):
        return c_int(BAD_PHASE)
    return c_int(VALID)


@kernel
def check_draft(g: State) -> Int:
    """Check that card states and owners fit during the draft (2.2), and that nothing of it is left afterwards."""
    drafting = g["phase"] <= c.DRAFT_GROUP
    for prov in range(c.N_PROVINCES):
        card = np.int64(g["card"][prov])
        if (not drafting and card != c.CARD_OUT) or (g["under"][prov] > 0) != (card == c.CARD_UNDER_DECK):
            return c_int(BAD_DRAFT)
        is_open = g["open_card"][0] == prov or g["open_card"][1] == prov
        if drafting and ((g["owner"][prov] != c.NONE and card != c.CARD_TAKEN) or (card == c.CARD_OPEN) != is_open):
            return c_int(BAD_DRAFT)
    return c_int(VALID)


@kernel
def check_game(g: State, mask: Mask) -> Int:
    """Return 0 if the state is valid between decisions, else the number of the first condition that fails (CHECKS).

    Args: mask int8[120], scratch.
    """
    code = check_ranges(g)
    if code == VALID:
        code = check_cubes(g)
    if code == VALID:
        code = check_board(g)
    if code == VALID:
        code = check_players(g)
    if code == VALID:
        code = check_cards(g)
    if code == VALID:
        code = check_plans(g)
    if code == VALID:
        code = check_phase(g)
    if code == VALID:
        code = check_draft(g)
    if code == VALID and g["phase"] != c.OVER and legal(g, mask) < 2:
        code = c_int(BAD_DECISION)
    return code
