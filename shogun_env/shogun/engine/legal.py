"""Masks of legal actions (rules 2 to 4), with the number of actions in each."""

import numpy as np

from shogun_env.kernel.jit import kernel
from shogun_env.kernel.types import Int, Mask, Player, State
from shogun_env.shogun import constants as c
from shogun_env.shogun.board import CHEST_CARDS, N_SPECIALS
from shogun_env.shogun.rules.battle_move import is_target, may_stay, neighbour, running_action
from shogun_env.shogun.rules.planning import lowest_unpayable_bid
from shogun_env.shogun.rules.setup import deck_size, may_bury
from shogun_env.shogun.rules.winter import waiting_province

_ZERO = np.uint64(0)


@kernel
def clear(mask: Mask) -> None:
    """Fill a mask with zeros, eight bytes at a time."""
    words = mask.view(np.uint64)
    for word in range(c.N_ACTIONS // 8):
        words[word] = _ZERO


@kernel
def legal_plan(g: State, player: Player, mask: Mask) -> Int:
    """Write the cards that ``player`` may put on the space being filled (3.3, bids R4); return how many actions.

    Three of four decisions are of this kind, so this one is fast: the hand is copied to the mask eight bytes at a time
    (7 ns; byte by byte 19), which clears the rest of the mask too, and the counts are those that the state keeps.
    """
    words = mask.view(np.uint64)
    hand = g["hand"][player].view(np.uint64)
    for word in range(c.HAND // 8):
        words[word] = hand[word]
    for word in range(c.HAND // 8, c.N_ACTIONS // 8):
        words[word] = _ZERO
    blank = min(np.int64(1), np.int64(g["blanks_left"][player]))
    mask[c.A_NO_CARD] = blank
    count = np.int64(g["cards_left"][player]) + blank
    if g["space"] == c.BID_SPACE:
        for value in range(lowest_unpayable_bid(g, player), CHEST_CARDS[np.int64(g["side"])]):
            mask[c.A_CHEST + value] = 0
            count -= 1
    return count


@kernel
def legal_target(g: State, player: Player, mask: Mask) -> Int:
    """Write the provinces that armies may enter from the source, and staying (4, R8); return how many actions."""
    source, act = np.int64(g["source"]), running_action(g)
    count = np.int64(0)
    for index in range(c.MAX_NEIGHBOURS + 1):
        prov = neighbour(g, source, index)
        if prov == c.NONE:
            break
        if is_target(g, player, act, prov):
            mask[c.A_CARD + prov] = 1
            count += 1
    if may_stay(g, act):
        mask[c.A_NO_CARD] = 1
        count += 1
    return count


@kernel
def legal_number(g: State, mask: Mask) -> Int:
    """Write the numbers of armies that may leave the source: all but one at most (4); return how many actions."""
    armies = np.int64(g["armies"][np.int64(g["source"])])
    for number in range(1, armies):
        mask[c.A_NUMBER + number] = 1
    return armies - 1


@kernel
def legal_special(g: State, mask: Mask) -> Int:
    """Write the positions whose special card nobody has taken (3.5); return how many actions."""
    count = np.int64(0)
    for position in range(N_SPECIALS[np.int64(g["side"]), np.int64(g["n_players"])]):
        if g["holder"][position] == c.NONE:
            mask[c.A_SPECIAL + position] = 1
            count += 1
    return count


@kernel
def legal_order(g: State, mask: Mask) -> Int:
    """Write the provinces drawn to revolt that have no place in the order yet (R21); return how many actions."""
    count = np.int64(0)
    for index in range(c.MAX_FAMINE):
        prov = waiting_province(g, index)
        if prov != c.NONE:
            mask[c.A_CARD + prov] = 1
            count += 1
    return count


@kernel
def legal_draft_card(g: State, player: Player, mask: Mask) -> Int:
    """Write open cards, deck, and putting both open cards under it (2.2 draft, R3); return how many actions."""
    count = np.int64(0)
    for place in range(2):
        if g["open_card"][place] != c.NONE:
            mask[c.A_CARD + g["open_card"][place]] = 1
            count += 1
    unseen, under = deck_size(g)
    if unseen + under > 0:
        mask[c.A_DECK] = 1
        count += 1
    if may_bury(g, player):
        mask[c.A_BURY] = 1
        count += 1
    return count


@kernel
def legal_draft_group(g: State, player: Player, mask: Mask) -> Int:
    """Write the sizes of army groups that the player has left (2.2 draft); return how many actions."""
    count = np.int64(0)
    for size in range(c.MAX_GROUP + 1):
        if g["groups"][player, size] > 0:
            mask[c.A_NUMBER + size] = 1
            count += 1
    return count


@kernel
def legal(g: State, mask: Mask) -> Int:
    """Write the mask of the decision: 1 for each legal action; action 0 alone when the game is over.

    Args:   mask int8[120], overwritten
    Reads:  everything; of it only the fields on which the decision depends
    Returns int: the number of legal actions, 0 in a phase in which nobody decides.
    """
    phase, player = np.int64(g["phase"]), np.int64(g["player"])
    if phase == c.PLAN:
        return legal_plan(g, player, mask)
    clear(mask)
    count = np.int64(0)
    if phase == c.TARGET:
        count = legal_target(g, player, mask)
    elif phase == c.NUMBER:
        count = legal_number(g, mask)
    elif phase == c.TAKE_SPECIAL:
        count = legal_special(g, mask)
    elif phase == c.REVOLT_ORDER:
        count = legal_order(g, mask)
    elif phase == c.DRAFT_CARD:
        count = legal_draft_card(g, player, mask)
    elif phase == c.DRAFT_GROUP:
        count = legal_draft_group(g, player, mask)
    elif phase == c.OVER:
        mask[c.A_NOTHING] = 1
        count = np.int64(1)
    return count


@kernel
def legal_for(g: State, player: Player, mask: Mask) -> None:
    """Write the mask of any player: action 0 alone for a player with nothing to decide (3.3).

    In planning all fill the same space, so every player who has not filled it yet has a mask of their own; one with a
    single possibility has nothing to decide, because the engine fills the space for them.

    Reads:  everything
    """
    if g["phase"] == c.PLAN:
        if player >= g["player"] and legal_plan(g, player, mask) > 1:
            return
    elif g["player"] == player:
        legal(g, mask)
        return
    clear(mask)
    mask[c.A_NOTHING] = 1
