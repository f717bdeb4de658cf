"""The whole of it: ``check_game`` says which condition a state fails first."""

from __future__ import annotations

import numpy as np

from shogun_env.kernel.jit import kernel
from shogun_env.kernel.types import Bool, Int, Mask, State
from shogun_env.shogun import constants as c
from shogun_env.shogun.board import FIRST_ACTION, FIRST_SEASON, FIRST_YEAR, WINTER
from shogun_env.shogun.engine.invariants import codes
from shogun_env.shogun.engine.invariants.board import check_board, check_cubes, check_players
from shogun_env.shogun.engine.invariants.cards import (
    check_cards,
    check_events,
    check_plan,
    check_shown,
    check_turn_order,
)
from shogun_env.shogun.engine.invariants.draft import check_draft, check_no_draft
from shogun_env.shogun.engine.invariants.ranges import check_ranges, count_equal, is_within
from shogun_env.shogun.engine.legal import legal
from shogun_env.shogun.rules.battle_move import is_target, neighbour, running_action


@kernel
def check_phase(g: State) -> Int:
    """Return BAD_PHASE if the decider is wrong, or something is pending that the phase does not know; or VALID."""
    phase, player = np.int64(g["phase"]), np.int64(g["player"])
    if (phase == c.OVER) != (player == c.NONE):
        return np.int64(codes.BAD_PHASE)
    has_source = phase == c.TARGET or phase == c.NUMBER or phase == c.DRAFT_GROUP
    if (g["source"] != c.NONE) != has_source or (g["target"] != c.NONE) != (phase == c.NUMBER):
        return np.int64(codes.BAD_PHASE)
    if (g["drawn"][0] != c.NONE) != (phase == c.REVOLT_ORDER):
        return np.int64(codes.BAD_PHASE)
    return np.int64(codes.VALID)


@kernel
def check_time(g: State) -> Int:
    """Return BAD_PHASE if year, season, space or the running action do not fit the phase after the set-up; or VALID."""
    phase, season, side = np.int64(g["phase"]), np.int64(g["season"]), np.int64(g["side"])
    winter = phase == c.REVOLT_ORDER
    if g["year"] < FIRST_YEAR[side] or season < FIRST_SEASON[side] or (season == c.N_SEASONS) != winter:
        return np.int64(codes.BAD_PHASE)
    if (g["space"] == c.N_SPACES) != (phase != c.PLAN) or (g["running"] == c.N_ACTION_CARDS) != winter:
        return np.int64(codes.BAD_PHASE)
    begins = phase == c.PLAN or phase == c.TAKE_SPECIAL
    if begins and (g["running"] != FIRST_ACTION[side] or not is_within(g["gained"], 0, 0)):
        return np.int64(codes.BAD_PHASE)
    return np.int64(codes.VALID)


@kernel
def check_move(g: State) -> Int:
    """Return BAD_PHASE if the pending move is not the one of the card that the player has shown (4); or VALID."""
    if g["phase"] != c.TARGET and g["phase"] != c.NUMBER:
        return np.int64(codes.VALID)
    player, source, act = np.int64(g["player"]), np.int64(g["source"]), running_action(g)
    moves = act == c.DEPLOY_MOVE_1_ARMY or act == c.BATTLE_MOVE_A or act == c.BATTLE_MOVE_B
    # A card that was not shown would be dealt again by a redeal, and the move would have begun elsewhere.
    if not moves or g["plan"][player, act + 1] != source or g["shown"][player, act + 1] != source:
        return np.int64(codes.BAD_PHASE)
    if g["armies"][source] < 2:
        return np.int64(codes.BAD_PHASE)
    if g["phase"] == c.TARGET:
        return np.int64(codes.VALID)
    for index in range(c.MAX_NEIGHBOURS + 1):
        prov = neighbour(g, source, index)
        if prov == c.NONE:
            break
        if prov == g["target"] and is_target(g, player, act, prov):
            return np.int64(codes.VALID)
    return np.int64(codes.BAD_PHASE)


@kernel
def check_winter(g: State) -> Int:
    """Return BAD_WINTER if rice that is short, provinces drawn and their order do not fit (3 winter 2); or VALID."""
    if g["phase"] != c.REVOLT_ORDER:
        calm = is_within(g["short"], 0, 0) and is_within(g["drawn"], c.NONE, c.NONE)
        return np.int64(codes.VALID if calm and is_within(g["ordered"], c.NONE, c.NONE) else codes.BAD_WINTER)
    rank, player = np.int64(g["rank"]), np.int64(g["player"])
    for other in range(np.int64(g["n_players"])):
        # Players who come later have what they had when the rice was counted.
        missing = max(np.int64(0), np.int64(g["n_owned"][other]) - np.int64(g["rice"][other]))
        if g["position_of"][other] >= rank and g["short"][other] != missing:
            return np.int64(codes.BAD_WINTER)
    revolts = min(np.int64(g["n_owned"][player]), WINTER[np.int64(g["short"][player]), 0])
    for index in range(c.MAX_FAMINE):
        prov = np.int64(g["drawn"][index])
        if (prov != c.NONE) != (index < revolts):
            return np.int64(codes.BAD_WINTER)
        if prov != c.NONE and (g["owner"][prov] != player or count_equal(g["drawn"], prov) != 1):
            return np.int64(codes.BAD_WINTER)
        first, again = np.int64(g["ordered"][index]), np.int64(0)
        if first != c.NONE:
            again = count_equal(g["ordered"], first)
            if again != 1 or count_equal(g["drawn"], first) != 1 or (index > 0 and g["ordered"][index - 1] == c.NONE):
                return np.int64(codes.BAD_WINTER)
    return np.int64(codes.VALID)


@kernel
def check_round(g: State) -> Int:
    """Return the code of the first condition of a round or a winter that fails, or VALID.

    The cards of a game that is over decide nothing any more; a position set up by hand for scoring may have none.
    """
    if g["phase"] == c.OVER:
        return check_no_draft(g)
    code = check_time(g) or check_no_draft(g) or check_cards(g) or check_turn_order(g) or check_events(g)
    for player in range(np.int64(g["n_players"])):
        code = code or check_plan(g, player) or check_shown(g, player)
    return code or check_move(g) or check_winter(g)


@kernel
def is_drafting(g: State) -> Bool:
    """Say whether the state is in the draft."""
    return g["phase"] == c.DRAFT_CARD or g["phase"] == c.DRAFT_GROUP


@kernel
def check_game(g: State, mask: Mask) -> Int:
    """Return 0 if the state is valid between decisions, else the number of the first condition that fails (CHECKS).

    Args:   mask int8[120], scratch.
    Reads:  everything
    """
    code = check_ranges(g) or check_cubes(g) or check_board(g) or check_players(g) or check_phase(g)
    code = code or (check_draft(g) if is_drafting(g) else check_round(g))
    if code == codes.VALID and g["phase"] != c.OVER and legal(g, mask) < 2:
        return np.int64(codes.BAD_DECISION)
    return code
