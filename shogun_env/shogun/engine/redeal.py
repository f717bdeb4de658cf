"""Replacing what a player cannot know by a random completion that is consistent with what they know (rules 8).

A state hides only two things: cards of other players that are not shown yet, and the floors on which cubes rest.
Everything else that is unseen (face-down actions, the order of the events, the deck of the draft) is drawn when it is
opened, so a new random row is enough to deal it again.

Sets of cards are int64: bit i says whether card i is in the set.
"""

import numpy as np

from shogun_env.kernel.chance import count_ones, number_at
from shogun_env.kernel.jit import kernel
from shogun_env.kernel.rng import below
from shogun_env.kernel.types import Bool, Int, Mask, Player, Rng, State
from shogun_env.shogun import constants as c
from shogun_env.shogun.board import CHEST_CARDS
from shogun_env.shogun.engine.legal import legal
from shogun_env.shogun.rules.planning import lowest_unpayable_bid
from shogun_env.shogun.rules.tower import cubes_inside, spread


@kernel
def is_hidden(g: State, player: Player, space: Int) -> Bool:
    """Say whether only the player knows what is on a filled space: it is not shown, and was not emptied (R19).

    Args:   player, space of the plan
    Reads:  shown, emptied
    """
    return g["shown"][player, space] == c.NOT_SHOWN and g["emptied"][player, space] == 0


@kernel
def filled_spaces(g: State, player: Player) -> Int:
    """Return how many spaces the player has filled.

    Reads:  phase, player, space
    """
    filled = np.int64(g["space"])
    return filled + 1 if g["phase"] == c.PLAN and player < g["player"] else filled


@kernel
def cards_possible(g: State, player: Player, filled: Int) -> Int:
    """Return the set of the player's cards that may lie hidden or be in hand: all but those shown.

    Args:   filled, number of spaces that the player has filled
    Reads:  side, owner, gained, shown, emptied
    """
    cards = ((np.int64(1) << CHEST_CARDS[np.int64(g["side"])]) - 1) << c.CHEST_0
    for prov in range(c.N_PROVINCES):
        if g["owner"][prov] == player and g["gained"][prov] == 0:
            cards |= np.int64(1) << prov
    for space in range(filled):
        shown = np.int64(g["shown"][player, space])
        if not is_hidden(g, player, space) and shown >= 0:
            cards &= ~(np.int64(1) << shown)
    return cards


@kernel
def blanks_possible(g: State, player: Player, filled: Int) -> Int:
    """Return how many hidden spaces of the player are empty or have to stay empty.

    Args:   filled, number of spaces that the player has filled
    Reads:  plan, shown, emptied, blanks_left
    """
    blanks = np.int64(g["blanks_left"][player])
    for space in range(filled):
        if is_hidden(g, player, space) and g["plan"][player, space] == c.EMPTY:
            blanks += 1
    return blanks


@kernel
def payable_bids(g: State, player: Player, cards: Int) -> Int:
    """Return the set ``cards`` without the chest cards that the player may not bid (R4).

    Reads:  chests
    """
    for value in range(lowest_unpayable_bid(g, player), c.N_CHEST_CARDS):
        cards &= ~(np.int64(1) << (c.CHEST_0 + value))
    return cards


@kernel
def deal_plan(g: State, rng: Rng, player: Player) -> None:
    """Deal a player's hidden cards again, uniformly over all complete plans that are legal and fit what was shown.

    Only the spaces filled so far are dealt. Each hidden space takes one of the cards and blanks that are left, all
    equally likely. Only the bid has a condition of its own; it is the first space, and it is hidden only while all
    spaces are, so the result is uniform.
    """
    filled = filled_spaces(g, player)
    cards, blanks = cards_possible(g, player, filled), blanks_possible(g, player, filled)
    for space in range(filled):
        if is_hidden(g, player, space):
            allowed = payable_bids(g, player, cards) if space == c.BID_SPACE else cards
            n = count_ones(allowed)
            if below(rng, n + blanks) < blanks:
                blanks -= 1
                g["plan"][player, space] = c.EMPTY
            else:
                card = number_at(allowed, below(rng, n))
                g["plan"][player, space] = card
                cards &= ~(np.int64(1) << card)
    if g["phase"] == c.PLAN:
        keep_hand(g, player, cards, blanks)


@kernel
def keep_hand(g: State, player: Player, cards: Int, blanks: Int) -> None:
    """Write what planning keeps: the cards that are not on a space yet, their number, and the number of blanks.

    Args:   cards, a set; blanks, spaces that must still stay empty
    Writes: hand, cards_left, blanks_left
    """
    for card in range(c.N_CARDS):
        g["hand"][player, c.A_CARD + card] = (cards >> card) & 1
    g["cards_left"][player] = count_ones(cards)
    g["blanks_left"][player] = blanks


@kernel
def redeal(g: State, rng: Rng, player: Player, mask: Mask) -> None:
    """Replace everything that ``player`` cannot know by draws from ``rng``.

    Rule:   8.
    A decision in planning that was put to another player stays a decision: who is asked is known, and a player without
    a choice is not asked.

    Args:   rng, from now on the random row of the state, so that the chance to come is new too; mask int8[120], scratch
    Reads:  everything
    Writes: hand, tower, plan, cards_left, blanks_left
    Draws:  one or two per hidden space of the other players, then one per cube inside the tower
    """
    if g["phase"] == c.OVER:
        return
    if g["phase"] > c.DRAFT_GROUP:
        for other in range(np.int64(g["n_players"])):
            if other != player:
                deal_plan(g, rng, other)
        asked = np.int64(g["player"])
        while g["phase"] == c.PLAN and asked != player and legal(g, mask) < 2:
            deal_plan(g, rng, asked)
        for colour in range(c.N_COLOURS):
            spread(g, rng, colour, cubes_inside(g, colour))
