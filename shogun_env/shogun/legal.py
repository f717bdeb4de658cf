"""Which actions are legal: the mask of a decision, and the one legal action where there is no choice."""

from __future__ import annotations

import numpy as np

from shogun_env._jit import rule
from shogun_env.shogun import constants as c
from shogun_env.shogun.rules.battle_move import count_targets, is_target, neighbour
from shogun_env.shogun.rules.setup import deck_size, may_bury
from shogun_env.shogun.rules.winter import unordered

_ZERO = np.uint64(0)


@rule
def running_action(g):
    """Return the action being carried out."""
    return np.int64(g["action_at"][g["running"]])


@rule
def may_stay(g, act):
    """Say whether a player may keep his armies where they are: after deploy/move 1, or with ``optional_moves`` (R8)."""
    return act == c.DEPLOY_MOVE_1_ARMY or g["optional_moves"] == 1


@rule
def forced_in_draft(g, player):
    """Return the only legal draft action or NONE."""
    if g["phase"] == c.DRAFT_GROUP:
        sizes = np.int64(0)
        only = np.int64(c.NONE)
        for size in range(c.MAX_GROUP + 1):
            if g["groups"][player, size] > 0:
                sizes += 1
                only = np.int64(c.A_NUMBER + size)
        return only if sizes == 1 else np.int64(c.NONE)
    unseen, under = deck_size(g)
    left, right = np.int64(g["open_card"][0]), np.int64(g["open_card"][1])
    if unseen + under > 0:
        return np.int64(c.A_DECK) if left == c.NONE and right == c.NONE else np.int64(c.NONE)
    if left != c.NONE and right != c.NONE:
        return np.int64(c.NONE)
    return c.A_CARD + max(left, right)


@rule
def forced_in_plan(g, player):
    """Return the only card that may be put on the space, as an action, or NONE."""
    cards = np.int64(g["cards_left"][player])
    blanks = np.int64(g["blanks_left"][player])
    if g["space"] == c.BID_SPACE:
        cards += min(0, np.int64(g["chests"][player]) - c.N_CHEST_CARDS + 1)
    if cards + min(np.int64(1), blanks) != 1:
        return np.int64(c.NONE)
    if blanks > 0:
        return np.int64(c.A_NO_CARD)
    for card in range(c.N_CARDS):
        if g["hand"][player, c.A_CARD + card] == 1:
            return np.int64(c.A_CARD + card)
    return np.int64(c.NONE)


@rule
def forced_special(g):
    """Return the last special on offer as an action, or NONE."""
    if np.int64(g["rank"]) + 1 < c.N_SPECIALS:
        return np.int64(c.NONE)
    for position in range(c.N_SPECIALS):
        if g["holder"][position] == c.NONE:
            return np.int64(c.A_SPECIAL + position)
    return np.int64(c.NONE)


@rule
def forced_target(g, player):
    """Return the only legal target as an action, or NONE. There is always one (``why_not_move``)."""
    act = running_action(g)
    if may_stay(g, act):
        return np.int64(c.NONE)
    targets, first = count_targets(g, player, act, np.int64(g["source"]))
    return c.A_CARD + first if targets == 1 else np.int64(c.NONE)


@rule
def forced_order(g):
    """Return the last province of the winter order as an action, or NONE."""
    left = np.int64(0)
    only = np.int64(c.NONE)
    for index in range(c.MAX_FAMINE):
        prov = unordered(g, index)
        if prov != c.NONE:
            left += 1
            only = c.A_CARD + prov
    return only if left == 1 else np.int64(c.NONE)


@rule
def forced_action(g):
    """Return the one legal action of the decision in ``phase``, or NONE when there are at least two."""
    phase = np.int64(g["phase"])
    player = np.int64(g["player"])
    if phase == c.PLAN:
        return forced_in_plan(g, player)
    if phase == c.TARGET:
        return forced_target(g, player)
    if phase == c.NUMBER:
        return np.int64(c.A_NUMBER + 1) if g["armies"][g["source"]] == 2 else np.int64(c.NONE)
    if phase == c.TAKE_SPECIAL:
        return forced_special(g)
    if phase == c.REVOLT_ORDER:
        return forced_order(g)
    return forced_in_draft(g, player)


@rule
def clear(out):
    """Write zeros into a mask, by words."""
    words = out.view(np.uint64)
    for word in range(c.N_ACTIONS // 8):
        words[word] = _ZERO


@rule
def legal_plan(g, player, out):
    """Write the whole mask of the cards that ``player`` may put on the space being filled (3.3; bids R4).

    Three of four decisions are of this kind: hand and mask are copied by words (7 ns; by bytes 19).
    """
    words = out.view(np.uint64)
    hand = g["hand"][player].view(np.uint64)
    for word in range(c.HAND // 8):
        words[word] = hand[word]
    for word in range(c.HAND // 8, c.N_ACTIONS // 8):
        words[word] = _ZERO
    out[c.A_NO_CARD] = min(np.int64(1), np.int64(g["blanks_left"][player]))
    if g["space"] == c.BID_SPACE:
        for value in range(np.int64(g["chests"][player]) + 1, c.N_CHEST_CARDS):
            out[c.A_CHEST + value] = 0


@rule
def legal_move(g, player, out):
    """Write targets, or numbers of armies (4)."""
    source = np.int64(g["source"])
    if g["phase"] == c.NUMBER:
        for armies in range(1, np.int64(g["armies"][source])):
            out[c.A_NUMBER + armies] = 1
        return
    act = running_action(g)
    for index in range(c.MAX_NEIGHBOURS + 1):
        prov = neighbour(g, source, index)
        if prov == c.NONE:
            break
        if is_target(g, player, act, prov):
            out[c.A_CARD + prov] = 1
    out[c.A_NO_CARD] = 1 if may_stay(g, act) else 0


@rule
def legal_in_draft(g, player, out):
    """Write open cards, deck, bury, or group sizes (2.2)."""
    if g["phase"] == c.DRAFT_GROUP:
        for size in range(c.MAX_GROUP + 1):
            out[c.A_NUMBER + size] = 1 if g["groups"][player, size] > 0 else 0
        return
    for place in range(2):
        if g["open_card"][place] != c.NONE:
            out[c.A_CARD + g["open_card"][place]] = 1
    unseen, under = deck_size(g)
    out[c.A_DECK] = 1 if unseen + under > 0 else 0
    out[c.A_BURY] = 1 if may_bury(g, player) else 0


@rule
def legal(g, out):
    """Write the mask of the decision into ``out`` int8[120]: 1 where legal; action 0 alone when the game is over."""
    phase = np.int64(g["phase"])
    player = np.int64(g["player"])
    if phase == c.PLAN:
        legal_plan(g, player, out)
        return
    clear(out)
    if phase == c.TARGET or phase == c.NUMBER:
        legal_move(g, player, out)
    elif phase == c.TAKE_SPECIAL:
        for position in range(c.N_SPECIALS):
            out[c.A_SPECIAL + position] = 1 if g["holder"][position] == c.NONE else 0
    elif phase == c.REVOLT_ORDER:
        for index in range(c.MAX_FAMINE):
            prov = unordered(g, index)
            if prov != c.NONE:
                out[c.A_CARD + prov] = 1
    elif phase == c.OVER:
        out[c.A_NOTHING] = 1
    else:
        legal_in_draft(g, player, out)


@rule
def legal_for(g, player, out):
    """Write the mask of any player: in planning, where all fill the same space, his own; else action 0 unless he
    decides.

    A player with one possibility for the space sees action 0 alone: the engine fills it.
    """
    if g["phase"] == c.PLAN:
        if player >= g["player"] and forced_in_plan(g, player) == c.NONE:
            legal_plan(g, player, out)
            return
    elif g["player"] == player:
        legal(g, out)
        return
    clear(out)
    out[c.A_NOTHING] = 1
