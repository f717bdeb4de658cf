"""Set-up: chests, starting provinces in three ways, the fill of the tower (rules 2)."""

from __future__ import annotations

import numpy as np

from shogun_env._jit import rule
from shogun_env.log import ERR_TAPE, is_taped, note, take
from shogun_env.rng import below
from shogun_env.shogun import constants as c
from shogun_env.shogun.board import (
    ARMIES_PER_PLAYER,
    ARMY_GROUPS,
    FARMER_ARMIES,
    IN_PLAY,
    START_ARMIES,
    START_CHESTS,
    SUPPLY_OF_KIND,
    TOWER_START_ARMIES,
    TOWER_START_FARMERS,
)
from shogun_env.shogun.rules.province import from_tray, take_province, to_tray
from shogun_env.shogun.rules.tower import throw


@rule
def hand_out(g):
    """Give every player his armies and chests and the farmers theirs (2.1)."""
    n = np.int64(g["n_players"])
    for player in range(n):
        g["supply"][player] = ARMIES_PER_PLAYER
        g["chests"][player] = START_CHESTS[n]
        for size in range(c.MAX_GROUP + 1):
            g["groups"][player, size] = ARMY_GROUPS[n, size]
    g["supply"][c.FARMERS] = FARMER_ARMIES
    for kind in range(c.N_KINDS):
        g["kinds_left"][kind] = SUPPLY_OF_KIND[kind]


@rule
def place_group(g, player, prov, armies):
    """Put an army group on a free province and own it."""
    take_province(g, prov, player)
    g["armies"][prov] = armies
    g["supply"][player] -= armies
    g["groups"][player, armies] -= 1


@rule
def choose_free(rng, free, count):
    """Return the index of one of ``count`` ones in ``free``, at random."""
    left = below(rng, count)
    for index in range(free.shape[0]):
        if free[index] == 1:
            if left == 0:
                return np.int64(index)
            left -= 1
    return np.int64(c.NONE)


@rule
def seat_of(g, rng, log, taken, player):
    """Return the row of the start table for ``player``: his own number, or a free one with ``shuffle_seats``."""
    if g["shuffle_seats"] == 0:
        return np.int64(player)
    if is_taped(log):
        seat = take(log, c.LOG_SEATS)
        if seat < 0 or seat >= g["n_players"] or (taken >> seat) & 1 == 1:
            g["error"] = ERR_TAPE
            seat = np.int64(player)
        return seat
    left = below(rng, np.int64(g["n_players"]) - player)
    seat = np.int64(0)
    while True:
        if (taken >> seat) & 1 == 0:
            if left == 0:
                return seat
            left -= 1
        seat += 1


@rule
def place_preset(g, rng, log):
    """Place the printed starting positions (2.2 preset); row r of the table is player r, or shuffled."""
    n = np.int64(g["n_players"])
    taken = np.int64(0)
    for player in range(n):
        seat = seat_of(g, rng, log, taken, player)
        taken |= np.int64(1) << seat
        for prov in range(c.N_PROVINCES):
            armies = START_ARMIES[n, seat, prov]
            if armies > 0:
                place_group(g, player, prov, armies)
                note(log, c.LOG_PLACE, player, prov, armies, 0, 0, 0, 0)


@rule
def count_free(g):
    """Mark in ``card`` the provinces in play that nobody owns; return how many there are."""
    count = np.int64(0)
    for prov in range(c.N_PROVINCES):
        free = IN_PLAY[np.int64(g["side"]), np.int64(g["n_players"]), prov] == 1 and g["owner"][prov] == c.NONE
        g["card"][prov] = 1 if free else 0
        count += 1 if free else 0
    return count


@rule
def place_random(g, rng, log):
    """Deal provinces in play at random and put the army groups on them (2.2 random)."""
    free = count_free(g)
    for player in range(np.int64(g["n_players"])):
        for step in range(c.MAX_GROUP):
            armies = c.MAX_GROUP - step
            while g["groups"][player, armies] > 0:
                prov = take(log, c.LOG_PLACE) if is_taped(log) else choose_free(rng, g["card"], free)
                if prov < 0 or prov >= c.N_PROVINCES or g["card"][prov] != 1:
                    g["error"] = ERR_TAPE
                    return
                g["card"][prov] = 0
                free -= 1
                place_group(g, player, prov, armies)
                note(log, c.LOG_PLACE, player, prov, armies, 0, 0, 0, 0)
    for prov in range(c.N_PROVINCES):
        g["card"][prov] = c.CARD_OUT


@rule
def fill_tower(g, rng, log):
    """Throw the first cubes in; what falls out goes back to the supplies (2.3)."""
    for player in range(np.int64(g["n_players"])):
        to_tray(g, player, TOWER_START_ARMIES)
    to_tray(g, c.FARMERS, TOWER_START_FARMERS)
    throw(g, rng, log, c.WHY_FILL)
    for colour in range(c.N_COLOURS):
        from_tray(g, colour, np.int64(g["tray"][colour]))


@rule
def open_draft(g, rng, log):
    """Shuffle the provinces in play into a deck, open two, let a random player start (2.2 draft)."""
    for prov in range(c.N_PROVINCES):
        in_play = IN_PLAY[np.int64(g["side"]), np.int64(g["n_players"]), prov] == 1
        g["card"][prov] = c.CARD_IN_DECK if in_play else c.CARD_OUT
    starter = take(log, c.LOG_STARTER) if is_taped(log) else below(rng, np.int64(g["n_players"]))
    if starter < 0 or starter >= g["n_players"]:
        g["error"] = ERR_TAPE
        starter = np.int64(0)
    note(log, c.LOG_STARTER, starter, 0, 0, 0, 0, 0, 0)
    g["player"] = starter
    open_cards(g, rng, log)


@rule
def deck_size(g):
    """Return the number of unseen cards in the deck, and of those known to lie under it."""
    unseen = np.int64(0)
    under = np.int64(0)
    for prov in range(c.N_PROVINCES):
        unseen += 1 if g["card"][prov] == c.CARD_IN_DECK else 0
        under += 1 if g["card"][prov] == c.CARD_UNDER_DECK else 0
    return unseen, under


@rule
def draw_card(g, rng, log):
    """Take the top card off the deck: an unseen one at random, then those known to lie under it in their order; NONE
    if empty.
    """
    unseen, under = deck_size(g)
    if unseen + under == 0:
        return np.int64(c.NONE)
    taped = take(log, c.LOG_CARD) if is_taped(log) else np.int64(c.NONE)
    wanted = below(rng, unseen) if unseen > 0 and not is_taped(log) else np.int64(0)
    for prov in range(c.N_PROVINCES):
        can_come = g["card"][prov] == c.CARD_IN_DECK if unseen > 0 else g["under"][prov] == 1
        if can_come and (prov == taped if is_taped(log) else wanted == 0):
            if unseen == 0:
                for other in range(c.N_PROVINCES):
                    if g["under"][other] > 0:
                        g["under"][other] -= 1
            g["card"][prov] = c.CARD_TAKEN
            note(log, c.LOG_CARD, prov, 0, 0, 0, 0, 0, 0)
            return np.int64(prov)
        wanted -= 1 if can_come else 0
    g["error"] = ERR_TAPE
    return np.int64(c.NONE)


@rule
def open_cards(g, rng, log):
    """Open a card on each free place, left first."""
    for place in range(2):
        if g["open_card"][place] == c.NONE:
            prov = draw_card(g, rng, log)
            g["open_card"][place] = prov
            if prov != c.NONE:
                g["card"][prov] = c.CARD_OPEN


@rule
def may_bury(g, player):
    """Say whether the player finds the two open cards he chose from on his previous turn, and has not buried yet
    (R3).
    """
    left, right = g["open_card"][0], g["open_card"][1]
    if g["buried"] == 1 or left == c.NONE or right == c.NONE:
        return False
    old_left, old_right = g["last_open"][player, 0], g["last_open"][player, 1]
    return (left == old_left and right == old_right) or (left == old_right and right == old_left)


@rule
def bury(g, rng, log, player):
    """Put both open cards under the deck, left one first, and open two new ones (R3)."""
    _, under = deck_size(g)
    for place in range(2):
        prov = np.int64(g["open_card"][place])
        g["card"][prov] = c.CARD_UNDER_DECK
        g["under"][prov] = under + 1 + place
    note(log, c.LOG_BURY, player, np.int64(g["open_card"][0]), np.int64(g["open_card"][1]), 0, 0, 0, 0)
    g["open_card"][0] = c.NONE
    g["open_card"][1] = c.NONE
    g["buried"] = 1
    open_cards(g, rng, log)


@rule
def pick_card(g, rng, log, player, prov):
    """Take an open card, or with NONE the top card of the deck, which the player now sees (2.2 draft)."""
    for place in range(2):
        g["last_open"][player, place] = g["open_card"][place]
    if prov == c.NONE:
        prov = draw_card(g, rng, log)
    g["source"] = prov


@rule
def place_draft(g, rng, log, player, armies):
    """Put a group on the card taken; then, unless the draft is over, an open card that was taken is replaced."""
    prov = np.int64(g["source"])
    if prov == c.NONE:
        g["error"] = ERR_TAPE
        return
    left, right = np.int64(g["open_card"][0]), np.int64(g["open_card"][1])
    from_deck = 1 if prov not in (left, right) else 0
    note(log, c.LOG_DRAFT, player, from_deck, prov, armies, left, right, 0)
    place_group(g, player, prov, armies)
    for place in range(2):
        if g["open_card"][place] == prov:
            g["open_card"][place] = c.NONE
    g["card"][prov] = c.CARD_TAKEN
    g["source"] = c.NONE
    g["buried"] = 0
    if groups_left(g) > 0:
        open_cards(g, rng, log)


@rule
def groups_left(g):
    """Return the number of army groups still to be placed by all players."""
    total = np.int64(0)
    for player in range(np.int64(g["n_players"])):
        for size in range(c.MAX_GROUP + 1):
            total += np.int64(g["groups"][player, size])
    return total


@rule
def close_draft(g):
    """Put the draft's cards away."""
    for prov in range(c.N_PROVINCES):
        g["card"][prov] = c.CARD_OUT
        g["under"][prov] = 0
    for place in range(2):
        g["open_card"][place] = c.NONE
        for player in range(c.MAX_PLAYERS):
            g["last_open"][player, place] = c.NONE
