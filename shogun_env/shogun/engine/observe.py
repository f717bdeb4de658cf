"""Writing what a player may know, as bytes (rules 8); ``layout`` names every slice.

A slice is one feature of a block for all rows of the block: ``armies`` is 45 bytes, one per province. So a block is
laid out column by column, and writing a feature is one straight copy. The order of players is the observer, the next
player, and so on; of colours too, with the farmers last.
"""

import numpy as np

from shogun_env.kernel.jit import kernel
from shogun_env.kernel.players import NOBODY, offset_of, player_at
from shogun_env.kernel.types import Int, Observation, Player, State
from shogun_env.kernel.vectors import copy_bytes, copy_codes, flag_equal
from shogun_env.shogun import board
from shogun_env.shogun import constants as c
from shogun_env.shogun import layout as at
from shogun_env.shogun.rules.auction import bid_strength
from shogun_env.shogun.rules.setup import deck_size, may_bury

# Printed numbers by side and number of players, column after column; provinces out of play have zeros.
_STATIC = np.array(
    [
        [
            [
                *(board.TAX * play),
                *(board.RICE * play),
                *(board.SITES * play),
                *((board.REGION[side] + 1) * play),
                *play,
            ]
            for play in board.IN_PLAY[side]
        ]
        for side in range(c.N_BOARDS)
    ],
    np.uint8,
)


_PROVINCES, _SPACES = c.N_PROVINCES, c.N_SPACES
_BUILDINGS, _PRINTED, _IN_PLAY = 3 * _PROVINCES, 5 * _PROVINCES, 4 * _PROVINCES
_NO_OWNER = -2
"""Owns no province, not even those that belong to nobody."""
_HIGHEST = 255
_EPOCHS = 2 + c.N_ACTION_CARDS
"""Epochs of a round: its planning, its actions, its winter."""
_SEEN_EMPTY = c.N_CARDS + 1


@kernel
def seen_card(card: Int) -> Int:
    """Return the code of a card on a space: 0 not shown, 1..45 province + 1, 46..50 a chest card, 51 empty."""
    code = np.int64(card) + 1
    code = np.int64(_SEEN_EMPTY) if card == c.EMPTY else code
    return np.int64(0) if card == c.NOT_SHOWN else code


@kernel
def observe_provinces(g: State, player: Player, out: Observation) -> None:
    """Write the block of provinces: flags of owners, armies, markers, buildings, printed numbers."""
    owner = g["owner"]
    static = _STATIC[np.int64(g["side"]), np.int64(g["n_players"])]
    copy_bytes(out, at.STATIC, _PRINTED, static, 0)
    copy_bytes(out, at.ARMIES, _PROVINCES, g["armies"], 0)
    copy_bytes(out, at.REVOLTS, _PROVINCES, g["revolts"], 0)
    copy_bytes(out, at.GAINED, _PROVINCES, g["gained"], 0)
    copy_bytes(out, at.BUILDING, _BUILDINGS, g["building"].reshape(_BUILDINGS), 0)
    flag_equal(out, at.OWNER, _PROVINCES, owner, 0, c.NONE, static, _IN_PLAY)
    for offset in range(c.MAX_PLAYERS):
        other = player_at(g, player, offset)
        owner_of = other if other != NOBODY else _NO_OWNER
        flag_equal(out, at.OWNER + _PROVINCES * (1 + offset), _PROVINCES, owner, 0, owner_of, static, _IN_PLAY)


@kernel
def observe_pending(g: State, out: Observation) -> None:
    """Write marks that only a few provinces have: a pending move, the revolts of a winter, the cards of the draft."""
    if g["source"] != c.NONE:
        out[at.PENDING + np.int64(g["source"])] = 1
    if g["target"] != c.NONE:
        out[at.PENDING + np.int64(g["target"])] = 2
    if g["phase"] == c.REVOLT_ORDER:
        for index in range(c.MAX_FAMINE):
            if g["drawn"][index] != c.NONE:
                out[at.PENDING + np.int64(g["drawn"][index])] = 3
        for index in range(c.MAX_FAMINE):
            if g["ordered"][index] != c.NONE:
                out[at.PENDING + np.int64(g["ordered"][index])] = 4
    if g["phase"] <= c.DRAFT_GROUP:
        for place in range(2):
            if g["open_card"][place] != c.NONE:
                out[at.OPEN + np.int64(g["open_card"][place])] = place + 1
        for prov in range(c.N_PROVINCES):
            out[at.UNDER + prov] = g["under"][prov]


@kernel
def observe_player(g: State, other: Player, offset: Int, out: Observation) -> None:
    """Write the tracks and counts of a player, who comes ``offset`` players after the observer."""
    row = at.PLAYERS + offset
    n = c.MAX_PLAYERS
    out[row] = 1
    out[row + n] = min(np.int64(g["chests"][other]), _HIGHEST)
    out[row + 2 * n] = min(np.int64(g["rice"][other]), _HIGHEST)
    out[row + 3 * n] = min(np.int64(g["points"][other]), _HIGHEST)
    out[row + 4 * n] = g["supply"][other]
    out[row + 5 * n] = g["n_owned"][other]
    if g["phase"] <= c.DRAFT_GROUP:
        for size in range(2, c.MAX_GROUP + 1):
            out[at.GROUPS + n * (size - 2) + offset] = g["groups"][other, size]
    out[at.TO_ACT + offset] = 1 if g["phase"] == c.PLAN or g["player"] == other else 0
    out[at.SHORT + offset] = g["short"][other]


@kernel
def observe_auction(g: State, other: Player, offset: Int, out: Observation) -> None:
    """Write bid, special and place in the turn order of a player, who comes ``offset`` after the observer."""
    position = np.int64(g["position_of"][other])
    if position != c.NONE:
        out[at.SPECIAL + c.MAX_PLAYERS * np.int64(g["special_at"][position]) + offset] = 1
    out[at.TURN_RANK + offset] = position + 1
    out[at.BID + offset] = bid_strength(np.int64(g["shown"][other, c.BID_SPACE])) + 1


@kernel
def observe_bids(g: State, player: Player, out: Observation) -> None:
    """Write the place of each player in the bid order."""
    n = np.int64(g["n_players"])
    for place in range(n):
        other = np.int64(g["bid_order"][place])
        if other != c.NONE:
            out[at.BID_PLACE + offset_of(player, other, n)] = place + 1


@kernel
def observe_shown(g: State, other: Player, offset: Int, out: Observation) -> None:
    """Write the shown cards and the emptied spaces of a player, who comes ``offset`` after the observer (R19, R24)."""
    copy_codes(out, at.SHOWN + offset * _SPACES, _SPACES, g["shown"][other], 0, c.EMPTY, _SEEN_EMPTY)
    copy_bytes(out, at.EMPTIED + offset * _SPACES, _SPACES, g["emptied"][other], 0)


@kernel
def observe_actions(g: State, out: Observation) -> None:
    """Write the order of the actions, which of them are done, and which one is being carried out."""
    running = np.int64(g["running"])
    for position in range(c.N_ACTION_CARDS):
        act = np.int64(g["action_at"][position])
        if act != c.NONE:
            out[at.POSITION + 1 + act] = position + 1
            out[at.DONE + 1 + act] = 1 if position < running else 0
    if (g["phase"] == c.TARGET or g["phase"] == c.NUMBER) and running < c.N_ACTION_CARDS:
        out[at.RUNNING + 1 + np.int64(g["action_at"][running])] = 1


@kernel
def observe_cubes(g: State, player: Player, out: Observation) -> None:
    """Write tower and tray by colour, the observer's first and farmers last; farmers in supply; buildings left."""
    for offset in range(c.N_COLOURS):
        colour = np.int64(c.FARMERS) if offset == c.FARMERS else player_at(g, player, offset)
        inside = np.int64(0)
        tray = np.int64(0)
        if colour != c.NONE:
            tray = np.int64(g["tray"][colour])
            for floor in range(c.MAX_FLOORS):
                inside += np.int64(g["tower"][floor, colour])
        out[at.TOWER + offset] = inside
        out[at.TRAY + offset] = tray
    out[at.FARMERS] = g["supply"][c.FARMERS]
    for kind in range(c.N_KINDS):
        out[at.KINDS + kind] = g["kinds_left"][kind]


@kernel
def observe_table(g: State, out: Observation) -> None:
    """Write what all players see alike: time, options, cards, the deck of the draft."""
    phase = np.int64(g["phase"])
    out[at.PHASE + phase] = 1
    out[at.YEAR] = g["year"]
    if g["year"] > 0:
        out[at.SEASON + np.int64(g["season"])] = 1
    out[at.ACTIONS_DONE] = g["running"]
    if g["n_players"] >= 3:
        out[at.IN_GAME + np.int64(g["n_players"]) - 3] = 1
    out[at.MOON] = g["side"]
    out[at.OPTIONAL] = g["optional_moves"]
    out[at.FLOORS] = g["floors"]
    out[at.STICK] = (np.int64(g["stick"]) * 255 + (1 << 31)) >> 32
    out[at.DISLODGE] = (np.int64(g["dislodge"]) * 255 + (1 << 31)) >> 32
    out[at.SHAKE] = (np.int64(g["shake"]) * 255 + (1 << 31)) >> 32
    for position in range(c.N_ACTION_CARDS):
        out[at.ACTION + position] = np.int64(g["action_at"][position]) + 1
    for position in range(c.N_SPECIALS):
        free = g["holder"][position] == c.NONE
        out[at.OFFER + position] = np.int64(g["special_at"][position]) + 1 if free else 0
    if g["event"] != c.NONE:
        out[at.EVENT + np.int64(g["event"])] = 1
    for card in range(c.N_EVENT_CARDS):
        out[at.EVENT_CARD + card] = g["event_card"][card]
    if phase <= c.DRAFT_GROUP:
        unseen, under = deck_size(g)
        out[at.DECK] = unseen + under
        out[at.MAY_BURY] = 1 if phase == c.DRAFT_CARD and may_bury(g, np.int64(g["player"])) else 0


@kernel
def observe_card(g: State, player: Player, space: Int, out: Observation) -> None:
    """Write the observer's own card on a filled space: by space, and a province card by province too.

    The processor cannot predict which it is, so there is no branch: for any other card the first store goes to the
    byte that the second one overwrites.
    """
    card = np.int64(g["plan"][player, space])
    is_province = (card != c.EMPTY) & (card < c.CHEST_0)
    out[at.PLANNED + card if is_province else at.OWN_CARD + space] = space + 1
    out[at.OWN_CARD + space] = seen_card(card)


@kernel
def observe_plan(g: State, player: Player, out: Observation) -> None:
    """Write the observer's own cards that are not written yet, and which space is being filled.

    Nothing else changes between two decisions of a player in the same planning: cards are only added.
    """
    space = np.int64(g["space"]) - 1
    while space >= 0 and out[at.OWN_CARD + space] == 0:
        observe_card(g, player, space, out)
        space -= 1
    if g["phase"] == c.PLAN:
        for index in range(c.N_SPACES):
            out[at.RUNNING + index] = 0
        out[at.RUNNING + np.int64(g["space"])] = 1


@kernel
def observe(g: State, player: Player, out: Observation) -> None:
    """Write everything that ``player`` may know, and nothing else, into ``out`` uint8[OBS_SIZE] (rules 8).

    In planning nothing shows how far the other players are: all fill their spaces at the same time. The bytes from
    PENDING on are cleared first, so the functions after that of the provinces write only what is not zero.

    Reads:  everything
    """
    for index in range(at.PENDING, at.OBS_SIZE):
        out[index] = 0
    observe_provinces(g, player, out)
    observe_pending(g, out)
    n, is_shown = np.int64(g["n_players"]), g["phase"] > c.PLAN  # before that no card is shown
    other = player
    for offset in range(n):
        observe_player(g, other, offset, out)
        if is_shown:
            observe_auction(g, other, offset, out)
            observe_shown(g, other, offset, out)
        other = other + 1 if other + 1 < n else np.int64(0)
    if is_shown:
        observe_bids(g, player, out)
    observe_actions(g, out)
    observe_table(g, out)
    observe_cubes(g, player, out)
    observe_plan(g, player, out)


@kernel
def observation_epoch(g: State) -> Int:
    """Return a number that stays the same while next to nothing changes in what the player who decides sees; else NONE.

    That is so in a planning, in a move, which an order asks for only once in an action, and while the player on turn
    puts the revolts of a winter in order.

    Reads:  phase, year, season, running
    """
    phase = np.int64(g["phase"])
    round_number = _EPOCHS * (c.N_SEASONS * np.int64(g["year"]) + np.int64(g["season"]))
    if phase == c.PLAN:
        return round_number
    if phase == c.TARGET or phase == c.NUMBER:
        return round_number + 1 + np.int64(g["running"])
    if phase == c.REVOLT_ORDER:
        return round_number + 1 + c.N_ACTION_CARDS
    return np.int64(c.NONE)


@kernel
def update_observation(g: State, player: Player, out: Observation) -> None:
    """Bring up to date an observation that ``player`` had earlier in the same ``observation_epoch`` of this game.

    Reads:  phase, space, plan, source, target, drawn, ordered, open_card, under; the last two in the draft only
    """
    if g["phase"] == c.PLAN:
        observe_plan(g, player, out)
        return
    if g["phase"] == c.NUMBER:
        out[at.PHASE + c.TARGET] = 0
        out[at.PHASE + c.NUMBER] = 1
    observe_pending(g, out)
