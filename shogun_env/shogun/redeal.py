"""Replace what a player cannot know by a random completion consistent with what he can (rules 8).

Hidden in the record are only the other players' cards not yet shown and the floors of the tower; everything else that
is
unseen (face-down actions, the events' order, the draft's deck) is drawn when it is opened, so a fresh random row deals
it anew.
"""

from __future__ import annotations

import numpy as np

from shogun_env._jit import rule
from shogun_env.rng import below
from shogun_env.shogun import constants as c
from shogun_env.shogun.rules.setup import choose_free
from shogun_env.shogun.rules.tower import cubes_inside, spread


@rule
def is_hidden(g, player, space):
    """Say whether nobody else knows what lies on a filled space: not shown, and not emptied under all eyes (R19)."""
    return g["shown"][player, space] == c.NOT_SHOWN and g["emptied"][player, space] == 0


@rule
def filled_spaces(g, player):
    """Return how many spaces the player has filled."""
    filled = np.int64(g["space"])
    return filled + 1 if g["phase"] == c.PLAN and player < g["player"] else filled


@rule
def take_back(g, player, filled):
    """Take the hidden cards back to the hand, beside all cards that could lie hidden; return the number of blanks."""
    hand = g["hand"][player, c.A_CARD :]
    for prov in range(c.N_PROVINCES):
        hand[prov] = 1 if g["owner"][prov] == player and g["gained"][prov] == 0 else 0
    for card in range(c.CHEST_0, c.N_CARDS):
        hand[card] = 1
    blanks = np.int64(g["blanks_left"][player])
    for space in range(filled):
        card = np.int64(g["plan"][player, space])
        if not is_hidden(g, player, space):
            shown = np.int64(g["shown"][player, space])
            if shown >= 0:
                hand[shown] = 0
        elif card == c.EMPTY:
            blanks += 1
    return blanks


@rule
def allow_bids(g, player, affordable):
    """Hide the chest cards that cannot be bid (R4) from the hand, or bring them back."""
    for value in range(np.int64(g["chests"][player]) + 1, c.N_CHEST_CARDS):
        g["hand"][player, c.A_CHEST + value] = 0 if affordable else 1


@rule
def deal_plan(g, rng, player):
    """Deal a player's hidden cards anew: uniform over the legal whole plans given what was shown, cut at the spaces
    filled.

    Each hidden space takes any of the cards and blanks that are left with equal chance; as the bid, the one space
    with a
    condition of its own, is hidden only when everything is, and comes first, the result is uniform.
    """
    filled = filled_spaces(g, player)
    blanks = take_back(g, player, filled)
    hand = g["hand"][player, c.A_CARD :]
    for space in range(filled):
        if not is_hidden(g, player, space):
            continue
        if space == c.BID_SPACE:
            allow_bids(g, player, True)
        cards = np.int64(0)
        for card in range(c.N_CARDS):
            cards += np.int64(hand[card])
        if below(rng, cards + blanks) < blanks:
            blanks -= 1
            g["plan"][player, space] = c.EMPTY
        else:
            card = choose_free(rng, hand, cards)
            g["plan"][player, space] = card
            hand[card] = 0
        if space == c.BID_SPACE:
            allow_bids(g, player, False)
    put_hand_away(g, player, blanks)


@rule
def put_hand_away(g, player, blanks):
    """Count the hand while there is planning, else clear it as the end of planning does."""
    hand = g["hand"][player, c.A_CARD :]
    cards = np.int64(0)
    for card in range(c.N_CARDS):
        hand[card] = hand[card] if g["phase"] == c.PLAN else 0
        cards += np.int64(hand[card])
    g["cards_left"][player] = cards
    g["blanks_left"][player] = blanks if g["phase"] == c.PLAN else 0


@rule
def redeal(g, rng, player):
    """Deal everything anew that ``player`` cannot know, with draws from ``rng``; the chance to come is that of
    ``rng`` too.

    Args: g GAME, read and written; rng uint64[2], the game's new random row; player 0..n_players - 1
    """
    if g["phase"] == c.OVER:
        return
    if g["phase"] > c.DRAFT_GROUP:
        for other in range(np.int64(g["n_players"])):
            if other != player:
                deal_plan(g, rng, other)
        for colour in range(c.N_COLOURS):
            spread(g, rng, colour, cubes_inside(g, colour))
