"""The set-up: chests, starting provinces in three ways, the first throw into the tower (rules 2.1 to 2.3)."""

import numpy as np

from shogun_env.kernel.chance import certain, draw_one
from shogun_env.kernel.jit import kernel
from shogun_env.kernel.log import log_entry
from shogun_env.kernel.types import Bool, Int, Log, Player, Prov, Rng, State
from shogun_env.shogun import constants as c
from shogun_env.shogun.board import (
    ARMIES,
    ARMY_GROUPS,
    EVENTS_OUT,
    FARMERS,
    IN_PLAY,
    START_ARMIES,
    START_CHESTS,
    START_RICE,
    SUPPLY_OF_KIND,
    TOWER_ARMIES,
    TOWER_FARMERS,
)
from shogun_env.shogun.rules.province import from_tray, take_province, to_tray
from shogun_env.shogun.rules.tower import throw


@kernel
def hand_out(g: State) -> None:
    """Give the players their armies, groups and chests, the farmers their cubes, the box its buildings (2.1).

    Event cards that are not in play on this board are used already.

    Reads:  n_players, side
    Writes: chests, rice, supply, groups, kinds_left, event_card
    """
    n, side = np.int64(g["n_players"]), np.int64(g["side"])
    for player in range(n):
        g["supply"][player] = ARMIES[side]
        g["chests"][player] = START_CHESTS[side, n]
        g["rice"][player] = START_RICE[side]
        for size in range(c.MAX_GROUP + 1):
            g["groups"][player, size] = ARMY_GROUPS[side, n, size]
    g["supply"][c.FARMERS] = FARMERS[side]
    for card in range(c.N_EVENT_CARDS):
        if EVENTS_OUT[side, card] == 1:
            g["event_card"][card] = c.EVENT_USED
    for kind in range(c.N_KINDS):
        g["kinds_left"][kind] = SUPPLY_OF_KIND[kind]


@kernel
def place_group(g: State, player: Player, prov: Prov, armies: Int) -> None:
    """Put an army group of a player on a free province, which the player then owns (2.2)."""
    take_province(g, prov, player)
    g["armies"][prov] = armies
    g["supply"][player] -= armies
    g["groups"][player, armies] -= 1


@kernel
def start_position_of(g: State, rng: Rng, log: Log, taken: Int, player: Player) -> Int:
    """Return the start table's row for ``player``: the same number, or with ``shuffle_seats`` one not ``taken``."""
    if g["shuffle_seats"] == 0:
        return np.int64(player)
    free = ((np.int64(1) << np.int64(g["n_players"])) - 1) & ~taken
    return draw_one(g, rng, log, c.LOG_START_POSITION, free, player, 0)


@kernel
def place_preset(g: State, rng: Rng, log: Log) -> None:
    """Place the printed starting positions: one row of the start table per player (2.2 preset).

    Reads:  n_players, side, shuffle_seats
    Writes: error, armies, supply, groups, what ``take_province`` writes
    Draws:  with ``shuffle_seats`` one per player; else none
    """
    n, side = np.int64(g["n_players"]), np.int64(g["side"])
    taken = np.int64(0)
    for player in range(n):
        row = start_position_of(g, rng, log, taken, player)
        taken |= np.int64(1) << row
        for prov in range(c.N_PROVINCES):
            armies = START_ARMIES[side, n, row, prov]
            if armies > 0:
                place_group(g, player, prov, armies)
                log_entry(log, c.LOG_PLACE, prov, player, armies, 0, 0, 0, 0)


@kernel
def free_provinces(g: State) -> Int:
    """Return the set of provinces in play that nobody owns (bit i: province i)."""
    free = np.int64(0)
    for prov in range(c.N_PROVINCES):
        if IN_PLAY[np.int64(g["side"]), np.int64(g["n_players"]), prov] == 1 and g["owner"][prov] == c.NONE:
            free |= np.int64(1) << prov
    return free


@kernel
def place_random(g: State, rng: Rng, log: Log) -> None:
    """Deal provinces in play at random and put the army groups on them (2.2 random).

    Player by player, the largest group first: each group goes to a random province that is still free.

    Reads:  n_players, side, owner, groups
    Writes: error, armies, supply, groups, what ``take_province`` writes
    Draws:  one per province dealt
    """
    free = free_provinces(g)
    for player in range(np.int64(g["n_players"])):
        for step in range(c.MAX_GROUP):
            armies = c.MAX_GROUP - step
            while g["groups"][player, armies] > 0:
                prov = draw_one(g, rng, log, c.LOG_PLACE, free, player, armies)
                free &= ~(np.int64(1) << prov)
                place_group(g, player, prov, armies)


@kernel
def fill_tower(g: State, rng: Rng, log: Log) -> None:
    """Throw the first cubes into the tower; those that fall out go back to the supplies (2.3).

    Reads:  n_players, side, supply, tray, what ``throw`` reads
    Writes: supply, tray, what ``throw`` writes
    Draws:  those of one throw, see ``throw``
    """
    for player in range(np.int64(g["n_players"])):
        to_tray(g, player, TOWER_ARMIES[np.int64(g["side"])])
    to_tray(g, c.FARMERS, TOWER_FARMERS[np.int64(g["side"])])
    throw(g, rng, log, c.WHY_FILL)
    for colour in range(c.N_COLOURS):
        from_tray(g, colour, np.int64(g["tray"][colour]))


@kernel
def open_draft(g: State, rng: Rng, log: Log) -> None:
    """Make a deck of the cards of all provinces in play, open two, and let a random player begin (2.2 draft).

    Reads:  n_players, side, card, under, open_card
    Writes: player, error, card, under, open_card
    Draws:  one for the player who begins, then one per card opened
    """
    for prov in range(c.N_PROVINCES):
        in_play = IN_PLAY[np.int64(g["side"]), np.int64(g["n_players"]), prov] == 1
        g["card"][prov] = c.CARD_IN_DECK if in_play else c.CARD_OUT
    everybody = (np.int64(1) << np.int64(g["n_players"])) - 1
    g["player"] = draw_one(g, rng, log, c.LOG_STARTER, everybody, 0, 0)
    open_cards(g, rng, log)


@kernel
def deck_size(g: State) -> tuple[Int, Int]:
    """Return the number of unseen cards in the deck, and of those known to lie under it (2.2 draft, R3).

    Reads:  card
    """
    unseen = np.int64(0)
    under = np.int64(0)
    for prov in range(c.N_PROVINCES):
        unseen += 1 if g["card"][prov] == c.CARD_IN_DECK else 0
        under += 1 if g["card"][prov] == c.CARD_UNDER_DECK else 0
    return unseen, under


@kernel
def unseen_cards(g: State) -> Int:
    """Return the set of cards in the deck that nobody has seen (bit i: province i)."""
    unseen = np.int64(0)
    for prov in range(c.N_PROVINCES):
        if g["card"][prov] == c.CARD_IN_DECK:
            unseen |= np.int64(1) << prov
    return unseen


@kernel
def next_under_deck(g: State) -> Int:
    """Return the first of the cards known to lie under the deck, or NONE (R3)."""
    for prov in range(c.N_PROVINCES):
        if g["under"][prov] == 1:
            return np.int64(prov)
    return np.int64(c.NONE)


@kernel
def draw_card(g: State, rng: Rng, log: Log) -> Int:
    """Take the top card off the deck and return it, or NONE if the deck is empty.

    The top card is a random one of those nobody has seen; when these are gone, the first of those put under the deck.
    """
    unseen = unseen_cards(g)
    if unseen != 0:
        prov = draw_one(g, rng, log, c.LOG_CARD, unseen, 0, 0)
    else:
        prov = next_under_deck(g)
        if prov == c.NONE:
            return prov
        certain(g, log, c.LOG_CARD, prov, 0, 0)
        for other in range(c.N_PROVINCES):
            if g["under"][other] > 0:
                g["under"][other] -= 1
    g["card"][prov] = c.CARD_TAKEN
    return prov


@kernel
def open_cards(g: State, rng: Rng, log: Log) -> None:
    """Open a card on each free place while the deck lasts, left first (2.2 draft)."""
    for place in range(2):
        if g["open_card"][place] == c.NONE:
            prov = draw_card(g, rng, log)
            g["open_card"][place] = prov
            if prov != c.NONE:
                g["card"][prov] = c.CARD_OPEN


@kernel
def may_bury(g: State, player: Player) -> Bool:
    """Say whether the player may put both open cards under the deck (2.2 draft, R3).

    They may if these are the two that lay open at their previous pick, and they have not done so in this turn.

    Reads:  open_card, last_open, buried
    """
    left, right = g["open_card"][0], g["open_card"][1]
    if g["buried"] == 1 or left == c.NONE or right == c.NONE:
        return False
    old_left, old_right = g["last_open"][player, 0], g["last_open"][player, 1]
    return (left == old_left and right == old_right) or (left == old_right and right == old_left)


@kernel
def bury(g: State, rng: Rng, log: Log, player: Player) -> None:
    """Put both open cards under the deck, the left one first, and open two new ones (2.2 draft, R3).

    Reads:  card, under, open_card
    Writes: error, card, under, open_card, buried
    Draws:  one per card opened that nobody has seen
    """
    _, under = deck_size(g)
    for place in range(2):
        prov = np.int64(g["open_card"][place])
        g["card"][prov] = c.CARD_UNDER_DECK
        g["under"][prov] = under + 1 + place
    log_entry(log, c.LOG_BURY, player, np.int64(g["open_card"][0]), np.int64(g["open_card"][1]), 0, 0, 0, 0)
    g["open_card"][0] = c.NONE
    g["open_card"][1] = c.NONE
    g["buried"] = 1
    open_cards(g, rng, log)


@kernel
def pick_card(g: State, rng: Rng, log: Log, player: Player, prov: Prov) -> None:
    """Take an open card or the top card of the deck, which the player then sees (2.2 draft).

    Args:   prov, an open card, or NONE for the deck
    Reads:  card, under, open_card
    Writes: source, error, card, under, last_open
    Draws:  one for a card of the deck that nobody has seen; else none
    """
    for place in range(2):
        g["last_open"][player, place] = g["open_card"][place]
    if prov == c.NONE:
        prov = draw_card(g, rng, log)
    g["source"] = prov


@kernel
def place_draft(g: State, rng: Rng, log: Log, player: Player, armies: Int) -> None:
    """Put a group on the province of the card taken, then replace an open card that was taken (2.2 draft).

    After the last group nothing is replaced.

    Args:   armies, the size of a group that the player has left
    Reads:  n_players, source, groups, card, under, open_card
    Writes: source, error, armies, supply, groups, card, under, open_card, buried, what ``take_province`` writes
    Draws:  one if a card that nobody has seen is opened; else none
    """
    prov = np.int64(g["source"])
    left, right = np.int64(g["open_card"][0]), np.int64(g["open_card"][1])
    from_deck = 1 if prov not in (left, right) else 0
    log_entry(log, c.LOG_DRAFT, player, from_deck, prov, armies, left, right, 0)
    place_group(g, player, prov, armies)
    for place in range(2):
        if g["open_card"][place] == prov:
            g["open_card"][place] = c.NONE
    g["card"][prov] = c.CARD_TAKEN
    g["source"] = c.NONE
    g["buried"] = 0
    if groups_left(g) > 0:
        open_cards(g, rng, log)


@kernel
def groups_left(g: State) -> Int:
    """Return the number of army groups that all players together have still to place (2.2 draft).

    Reads:  n_players, groups
    """
    total = np.int64(0)
    for player in range(np.int64(g["n_players"])):
        for size in range(c.MAX_GROUP + 1):
            total += np.int64(g["groups"][player, size])
    return total


@kernel
def close_draft(g: State) -> None:
    """Clear the cards of the draft (2.2 draft).

    Writes: card, under, open_card, last_open
    """
    g["card"][:] = c.CARD_OUT
    g["under"][:] = 0
    g["open_card"][:] = c.NONE
    g["last_open"][:] = c.NONE
