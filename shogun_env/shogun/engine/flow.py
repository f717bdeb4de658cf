"""The phase machine of the game (rules 2 and 3): it carries decisions out, and runs the phases without one."""

import numpy as np

from shogun_env.kernel.jit import kernel
from shogun_env.kernel.log import ERR_PHASE, log_entry
from shogun_env.kernel.types import Action, Bool, Int, Log, Player, Prov, Rng, State
from shogun_env.shogun import constants as c
from shogun_env.shogun.board import OPEN_ACTIONS
from shogun_env.shogun.rules.auction import show_bids, take_special
from shogun_env.shogun.rules.battle_move import count_targets, move, running_action, why_not_move
from shogun_env.shogun.rules.build import build, why_not_build
from shogun_env.shogun.rules.collect import collect
from shogun_env.shogun.rules.deploy import deploy, why_not_deploy
from shogun_env.shogun.rules.planning import (
    close_planning,
    close_round,
    draw_event,
    log_plans,
    open_action,
    open_round,
    open_year,
    put_card,
)
from shogun_env.shogun.rules.scoring import score_year, winners_of
from shogun_env.shogun.rules.setup import (
    bury,
    close_draft,
    fill_tower,
    groups_left,
    hand_out,
    open_draft,
    pick_card,
    place_draft,
    place_preset,
    place_random,
)
from shogun_env.shogun.rules.tower import log_cubes
from shogun_env.shogun.rules.winter import (
    clear_year,
    draw_provinces,
    log_order,
    lose_rice,
    put_in_order,
    resolve_revolt,
    waiting_province,
)


@kernel
def start(g: State, rng: Rng, log: Log) -> None:
    """Set the game up to the first decision of the draft, or to the throw that fills the tower (2).

    Reads:  n_players, side, start, shuffle_seats, owner, groups, what ``open_draft`` reads
    Writes: chests, rice, phase, supply, event_card, groups, kinds_left, what ``place_preset`` writes, what
        ``open_draft`` writes
    Draws:  those of ``place_preset``, ``place_random`` or ``open_draft``, by the option ``start``
    """
    hand_out(g)
    g["phase"] = c.FILL_TOWER
    if g["start"] == c.PRESET:
        place_preset(g, rng, log)
    elif g["start"] == c.RANDOM:
        place_random(g, rng, log)
    else:
        open_draft(g, rng, log)
        g["phase"] = c.DRAFT_CARD


@kernel
def log_state(g: State, log: Log) -> None:
    """Log the whole state, for a ``state`` line of the record."""
    if log.shape[0] == 1:
        return
    for prov in range(c.N_PROVINCES):
        owner, armies, revolts = np.int64(g["owner"][prov]), np.int64(g["armies"][prov]), np.int64(g["revolts"][prov])
        castle, temple = np.int64(g["building"][c.CASTLE, prov]), np.int64(g["building"][c.TEMPLE, prov])
        theatre = np.int64(g["building"][c.NO_THEATRE, prov])
        log_entry(log, c.LOG_STATE_PROVINCE, prov, owner, armies, revolts, castle, temple, theatre)
    for player in range(np.int64(g["n_players"])):
        chests, rice = np.int64(g["chests"][player]), np.int64(g["rice"][player])
        points, supply = np.int64(g["points"][player]), np.int64(g["supply"][player])
        log_entry(log, c.LOG_STATE_PLAYER, player, chests, rice, points, supply, 0, 0)
    inside = g["falling"][0]  # scratch of a throw: borrowed here, zero again below
    for colour in range(c.N_COLOURS):
        for floor in range(c.MAX_FLOORS):
            inside[colour] += g["tower"][floor, colour]
    log_cubes(log, c.LOG_STATE_TOWER, inside, 0)
    inside[:] = 0
    log_cubes(log, c.LOG_STATE_TRAY, g["tray"], np.int64(g["supply"][c.FARMERS]))


# --- decisions -------------------------------------------------------------------------------------------------------


@kernel
def choose_card(g: State, rng: Rng, log: Log, player: Player, action: Action) -> None:
    """Take the card chosen in the draft, or put both open cards under the deck (2.2 draft, R3)."""
    if action == c.A_BURY:
        bury(g, rng, log, player)
    else:
        prov = np.int64(c.NONE) if action == c.A_DECK else action - c.A_CARD
        pick_card(g, rng, log, player, prov)
        g["phase"] = c.DRAFT_GROUP


@kernel
def choose_group(g: State, rng: Rng, log: Log, player: Player, action: Action) -> None:
    """Place the army group chosen in the draft; the next player follows, or the draft is over (2.2 draft)."""
    place_draft(g, rng, log, player, action - c.A_NUMBER)
    g["player"] = (player + 1) % np.int64(g["n_players"])
    g["phase"] = c.DRAFT_CARD
    if groups_left(g) == 0:
        close_draft(g)
        g["phase"] = c.FILL_TOWER


@kernel
def decide_move(g: State, rng: Rng, log: Log, player: Player, action: Action) -> None:
    """Carry out the choice of a target or of a number of armies (4).

    A number follows a target; the turn is over after a number, or if the player leaves all armies in place.
    """
    act = running_action(g)
    source = np.int64(g["source"])
    if g["phase"] == c.TARGET:
        if action != c.A_NO_CARD:
            g["target"] = action - c.A_CARD
            g["phase"] = c.NUMBER
            return
        if act != c.DEPLOY_MOVE_1_ARMY:
            log_entry(log, c.LOG_DO, player, act, source, c.SKIPPED, c.DECLINED, 0, 0)
    else:
        move(g, rng, log, player, act, source, np.int64(g["target"]), action - c.A_NUMBER)
    g["source"] = c.NONE
    g["target"] = c.NONE
    g["phase"] = c.TURN
    g["rank"] += 1


@kernel
def decide(g: State, rng: Rng, log: Log, action: Action) -> None:
    """Carry out a legal action of the player who decides.

    Reads:  everything
    Writes: everything
    Draws:  those of ``pick_card``, ``place_draft``, ``bury`` or ``move``, by the phase; else none
    """
    phase = np.int64(g["phase"])
    player = np.int64(g["player"])
    if phase == c.PLAN:
        put_card(g, player, np.int64(c.EMPTY) if action == c.A_NO_CARD else action - c.A_CARD)
        if g["space"] == c.N_SPACES:
            g["phase"] = c.SHOW_PLANS
    elif phase == c.TARGET or phase == c.NUMBER:
        decide_move(g, rng, log, player, action)
    elif phase == c.TAKE_SPECIAL:
        take_special(g, log, player, action - c.A_SPECIAL)
        if g["rank"] == g["n_players"]:
            g["phase"] = c.ACTION
    elif phase == c.REVOLT_ORDER:
        put_in_order(g, action - c.A_CARD)
        if waiting_province(g, 0) == c.NONE and waiting_province(g, 1) == c.NONE and waiting_province(g, 2) == c.NONE:
            log_order(g, log, player)
            g["phase"] = c.REVOLT
    elif phase == c.DRAFT_CARD:
        choose_card(g, rng, log, player, action)
    elif phase == c.DRAFT_GROUP:
        choose_group(g, rng, log, player, action)
    else:
        g["error"] = ERR_PHASE


# --- what runs without a decision ------------------------------------------------------------------------------------


@kernel
def take_turn(g: State, rng: Rng, log: Log) -> None:
    """Let the next player in turn order carry out the running action; after the last player, end it (3.6, R24).

    Positions that nobody took are passed over; the card on the player's space is shown in any case.
    """
    rank = np.int64(g["rank"])
    while rank < c.N_SPECIALS and g["holder"][rank] == c.NONE:
        rank += 1
    g["rank"] = rank
    if rank == c.N_SPECIALS:
        end_action(g, rng, log)
        return
    player = np.int64(g["holder"][rank])
    act = running_action(g)
    card = np.int64(g["plan"][player, act + 1])
    g["player"] = player
    g["shown"][player, act + 1] = card
    if card == c.EMPTY or card >= c.CHEST_0:
        log_entry(log, c.LOG_DO, player, act, c.NONE, c.SKIPPED, c.NO_CARD, 0, 0)
    elif carry_out(g, rng, log, player, act, card):
        return
    g["rank"] = rank + 1


@kernel
def carry_out(g: State, rng: Rng, log: Log, player: Player, act: Int, prov: Prov) -> Bool:
    """Carry an action out in a province or skip it (4, R8); return whether the player must decide about a move."""
    if act <= c.BUILD_NO_THEATRE:
        reason = why_not_build(g, player, act, prov)
        if reason == c.NONE:
            build(g, log, player, act, prov)
    elif act <= c.COLLECT_TAXES:
        reason = c.NONE
        collect(g, rng, log, player, act, prov)
    elif act <= c.DEPLOY_MOVE_1_ARMY:
        reason = why_not_deploy(g, player, act)
        if reason == c.NONE:
            deploy(g, log, player, act, prov)
    else:
        reason = why_not_move(g, player, act, prov)
    if reason != c.NONE:
        log_entry(log, c.LOG_DO, player, act, prov, c.SKIPPED, reason, 0, 0)
        return False
    return act >= c.DEPLOY_MOVE_1_ARMY and begin_move(g, player, act, prov)


@kernel
def begin_move(g: State, player: Player, act: Int, prov: Prov) -> Bool:
    """Ask for the target of a move, and return whether there is one and an army can leave (4)."""
    if g["armies"][prov] < 2 or count_targets(g, player, act, prov) == 0:
        return False
    g["source"] = prov
    g["phase"] = c.TARGET
    return True


@kernel
def end_action(g: State, rng: Rng, log: Log) -> None:
    """End an action: open the next face-down card (3.1), or end the round after the tenth (3.7)."""
    g["running"] += 1
    running = np.int64(g["running"])
    position = running + OPEN_ACTIONS[np.int64(g["side"])] - 1
    if running <= position < c.N_ACTION_CARDS:
        open_action(g, rng, log, position)
    g["phase"] = c.ACTION
    if running == c.N_ACTION_CARDS:
        close_round(g)
        log_state(g, log)
        g["phase"] = c.ROUND
        if g["season"] == c.N_SEASONS:
            g["phase"] = c.WINTER


@kernel
def next_famine(g: State, rng: Rng, log: Log) -> None:
    """Draw the revolts of the next player in turn order who is short; after the last one, score (3 winter 2)."""
    rank = np.int64(g["rank"]) + 1
    while rank < c.N_SPECIALS and (g["holder"][rank] == c.NONE or g["short"][g["holder"][rank]] == 0):
        rank += 1
    g["rank"] = rank
    if rank == c.N_SPECIALS:
        g["phase"] = c.SCORE
        return
    player = np.int64(g["holder"][rank])
    draw_provinces(g, rng, log, player)
    g["player"] = player
    g["phase"] = c.REVOLT_ORDER


@kernel
def end_year(g: State, log: Log) -> None:
    """End a scored year: after the first one clear up, after the second the game is over (3 winter 4)."""
    g["short"][:] = 0
    if g["year"] < c.N_YEARS:
        clear_year(g)
        g["phase"] = c.YEAR
    else:
        g["phase"] = c.OVER
        g["player"] = c.NONE
    log_state(g, log)
    if g["phase"] == c.OVER:
        log_entry(log, c.LOG_RESULT, winners_of(g), 0, 0, 0, 0, 0, 0)


@kernel
def run_winter(g: State, rng: Rng, log: Log) -> None:
    """Run a phase of a winter: rice is lost, players who are short have revolts, the year is scored (3 winter)."""
    phase = np.int64(g["phase"])
    if phase == c.WINTER:
        lose_rice(g, log)
        g["phase"] = c.FAMINE
    elif phase == c.FAMINE:
        next_famine(g, rng, log)
    elif phase == c.REVOLT:
        if resolve_revolt(g, rng, log, np.int64(g["player"])):
            g["phase"] = c.FAMINE
    elif phase == c.SCORE:
        score_year(g, log)
        g["phase"] = c.END_YEAR
    elif phase == c.END_YEAR:
        end_year(g, log)
    else:
        g["error"] = ERR_PHASE


@kernel
def run(g: State, rng: Rng, log: Log) -> None:
    """Run a phase in which nobody decides, and set the next phase.

    Reads:  everything
    Writes: everything
    Draws:  those of ``fill_tower``, ``open_year``, ``open_round``, ``draw_event``, ``show_bids``, ``collect``,
            ``open_action``, ``draw_provinces`` or ``resolve_revolt``, by the phase; else none
    """
    phase = np.int64(g["phase"])
    if phase == c.TURN:
        take_turn(g, rng, log)
    elif phase == c.ACTION:
        if g["action_at"][g["running"]] == c.NONE:
            open_action(g, rng, log, np.int64(g["running"]))
        log_entry(log, c.LOG_ACTION, running_action(g), 0, 0, 0, 0, 0, 0)
        g["rank"] = 0
        g["phase"] = c.TURN
    elif phase == c.ROUND:
        open_round(g, rng, log)
        g["phase"] = c.PLAN
    elif phase == c.SHOW_PLANS:
        close_planning(g)
        log_plans(g, log)
        g["phase"] = c.DRAW_EVENT
    elif phase == c.DRAW_EVENT:
        draw_event(g, rng, log)
        g["phase"] = c.SHOW_BIDS
    elif phase == c.SHOW_BIDS:
        show_bids(g, rng, log)
        g["phase"] = c.TAKE_SPECIAL
    elif phase >= c.WINTER:
        run_winter(g, rng, log)
    elif phase == c.YEAR:
        open_year(g, rng, log)
        g["phase"] = c.ROUND
    elif phase == c.FILL_TOWER:
        fill_tower(g, rng, log)
        log_state(g, log)
        g["phase"] = c.YEAR
    else:
        g["error"] = ERR_PHASE
