"""The phase machine: it carries out decisions, and runs the phases in which nobody decides, one at a time (rules 3)."""

import numpy as np

from shogun_env.kernel.chance import sum_of
from shogun_env.kernel.jit import kernel
from shogun_env.kernel.log import ERR_PHASE, log_entry
from shogun_env.kernel.types import Action, Bool, Int, Log, Player, Rng, State
from shogun_env.shitenno import constants as c
from shogun_env.shitenno.rules.control import begin_payment, begin_turn, commit, end_turn, flip, use_draw_tile
from shogun_env.shitenno.rules.division import (
    ABOVE_ALL,
    add_to_lot,
    answer,
    begin_lot,
    choose_half,
    next_in_rank,
    offer_lot,
    open_pool,
    tile_for_half,
)
from shogun_env.shitenno.rules.piles import log_row
from shogun_env.shitenno.rules.scoring import is_last_round, score_game, winner_of
from shogun_env.shitenno.rules.setup import set_up


@kernel
def position_code(owner: Player, golden: Bool) -> Int:
    """Return 2 x owner + golden of a position for the log, or NONE for a free one."""
    return np.int64(c.NONE) if owner == c.NONE else 2 * np.int64(owner) + np.int64(golden)


@kernel
def log_state(g: State, log: Log) -> None:
    """Log the whole state, at the points where the record has a state line."""
    if log.shape[0] == 1:
        return
    for player in range(np.int64(g["n_players"])):
        points, seals, kamon = np.int64(g["points"][player]), np.int64(g["seals"][player]), np.int64(g["kamon"][player])
        exchanges, plus_ones = np.int64(g["tiles"][player, c.EXCHANGE]), np.int64(g["tiles"][player, c.PLUS_ONE])
        draws = np.int64(g["tiles"][player, c.DRAW])
        log_entry(log, c.LOG_STATE_PLAYER, player, points, seals, kamon, exchanges, plus_ones, draws)
        log_row(log, g["hand"][player])
        log_row(log, g["known"][player])
    for prov in range(c.N_PROVINCES):
        owner, golden = g["owner"][prov], g["golden"][prov]
        a, b = position_code(owner[0], golden[0]), position_code(owner[1], golden[1])
        d, e = position_code(owner[2], golden[2]), position_code(owner[3], golden[3])
        log_entry(log, c.LOG_STATE_PROVINCE, prov, np.int64(g["top"][prov]), a, b, d, e, 0)
    used = g["used"]
    exchanges, plus_ones, draws = np.int64(used[c.EXCHANGE]), np.int64(used[c.PLUS_ONE]), np.int64(used[c.DRAW])
    log_entry(
        log, c.LOG_STATE_PILES, sum_of(g["pile"][:]), sum_of(g["koku_pile"][:]), exchanges, plus_ones, draws, 0, 0
    )
    log_row(log, g["discard"][:])
    log_row(log, g["spent"][:])


# --- decisions -------------------------------------------------------------------------------------------------------


@kernel
def decide_division(g: State, log: Log, player: Player, action: Action) -> None:
    """Carry out a decision of the even year (4)."""
    phase = np.int64(g["phase"])
    if phase == c.ANSWER:
        answer(g, log, player, action == c.A_ACCEPT)
    elif phase == c.CHOOSE:
        choose_half(g, log, player, action == c.A_PICK_B)
        log_state(g, log)
        g["rank"] = ABOVE_ALL
        g["phase"] = c.CONTROL
    elif action <= c.A_LOT_TILE:
        add_to_lot(g, action - c.A_LOT_ADD)
    elif phase == c.DIVIDE:
        tile_for_half(g, log, player, action - c.A_LOT_TILE)
    elif phase == c.FORM_LOT:
        offer_lot(g, log, player, action - c.A_LOT_TILE)
    else:
        g["error"] = ERR_PHASE


@kernel
def decide_turn(g: State, rng: Rng, log: Log, player: Player, action: Action) -> None:
    """Carry out what a player does on their turn in the odd year (5.1)."""
    if action == c.A_END_TURN:
        end_turn(g, log, player)
    elif action == c.A_DRAW:
        use_draw_tile(g, rng, log, player)
    elif action >= c.A_KOKU:
        begin_payment(g, action - c.A_KOKU, c.BY_KOKU)
    else:
        begin_payment(g, action - c.A_TROOPS, c.BY_TROOPS)


@kernel
def decide(g: State, rng: Rng, log: Log, action: Action) -> None:
    """Carry out a legal action of the player who decides (8).

    Args:   action, 1..72
    Reads:  everything
    Writes: everything
    Draws:  one for a Draw tile; up to two for a placement, see ``commit``
    """
    phase, player = np.int64(g["phase"]), np.int64(g["player"])
    if phase == c.TURN:
        decide_turn(g, rng, log, player, action)
    elif phase == c.PAY:
        commit(g, rng, log, player, action - c.A_PAY)
    elif phase == c.SENSEI_TURN:
        flip(g, log, player, np.int64(c.NONE) if action == c.A_NO_FLIP else action - c.A_FLIP)
    else:
        decide_division(g, log, player, action)


# --- phases without a decision ---------------------------------------------------------------------------------------


@kernel
def next_turn(g: State, log: Log) -> None:
    """Begin the turn of the next player in the order of the new titles; after the last, end the round (3, 6)."""
    player = next_in_rank(g, np.int64(g["rank"]))
    if player != c.NONE:
        begin_turn(g, log, player)
        return
    g["rank"] = 0
    g["n_placed"] = 0
    g["joker_used"] = 0
    log_state(g, log)
    g["phase"] = c.SCORE if is_last_round(g) else c.ROUND


@kernel
def end_game(g: State, log: Log) -> None:
    """Say who has won (6)."""
    g["phase"] = c.OVER
    g["player"] = c.NONE
    log_entry(log, c.LOG_RESULT, winner_of(g), 0, 0, 0, 0, 0, 0)


@kernel
def run(g: State, rng: Rng, log: Log) -> None:
    """Run a phase in which nobody decides (3).

    Reads:  everything
    Writes: everything
    Draws:  those of ``set_up`` or of ``open_pool``; none in other phases
    """
    phase = np.int64(g["phase"])
    if phase == c.CONTROL:
        next_turn(g, log)
    elif phase == c.DIVISION:
        begin_lot(g)
    elif phase == c.ROUND:
        open_pool(g, rng, log)
        g["phase"] = c.DIVISION
    elif phase == c.SCORE:
        score_game(g, log)
        g["phase"] = c.END
    elif phase == c.END:
        end_game(g, log)
    elif phase == c.SET_UP:
        set_up(g, rng, log)
        log_state(g, log)
        g["phase"] = c.ROUND
    else:
        g["error"] = ERR_PHASE


STAGES = ("round",)
"""What ``play(until=…)`` can stop after."""


@kernel
def stage(g: State, index: Int) -> Int:
    """Return how many rounds are complete; index 0 is the only kind of stage.

    Reads:  phase, round
    """
    rounds = np.int64(g["round"])
    return rounds if g["phase"] == c.OVER else max(np.int64(0), rounds - 1)
