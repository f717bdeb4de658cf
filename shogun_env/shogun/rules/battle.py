"""Fights: the attack on a province and the revolt in one (rules 5.2, 5.3)."""

from __future__ import annotations

import numpy as np

from shogun_env.kernel.jit import kernel
from shogun_env.kernel.log import log_entry
from shogun_env.kernel.types import Bool, Int, Log, Player, Prov, Rng, State
from shogun_env.shogun import constants as c
from shogun_env.shogun.rules.province import (
    armies_to_tray,
    from_tray,
    holds_special,
    lay_waste,
    lose_province,
    take_province,
    to_tray,
)
from shogun_env.shogun.rules.tower import throw


@kernel
def log_outcome(
    g: State,
    log: Log,
    prov: Prov,
    attacker: Player,
    defender: Player,
    farmers_in: Int,
    tray_attacker: Int,
    tray_defender: Int,
    tray_farmers: Int,
    outcome: Int,
) -> None:
    """Note a fight that is resolved."""
    log_entry(log, c.LOG_FIGHT, prov, attacker, defender, tray_attacker, tray_defender, farmers_in, tray_farmers)
    log_entry(log, c.LOG_OUTCOME, outcome, np.int64(g["armies"][prov]), 0, 0, 0, 0, 0)


@kernel
def bonus_armies(g: State, player: Player, prov: Prov, defender: Player) -> tuple[Int, Int, Int]:
    """Return how many bonus armies each side may throw: attacker, defender, farmers (5.2, R12: always used)."""
    attack = np.int64(1) if holds_special(g, player, c.PLUS_1_ATTACK) else np.int64(0)
    if defender == c.NONE:
        return attack, np.int64(0), np.int64(2) if g["event"] == c.TWO_FARMERS else np.int64(1)
    defence = np.int64(1) if holds_special(g, defender, c.PLUS_1_DEFENCE) else np.int64(0)
    if g["event"] == c.CASTLE_DEFENCE and g["building"][c.CASTLE, prov] == 1:
        defence += 1
    return attack, defence, np.int64(0)


@kernel
def attack(g: State, rng: Rng, log: Log, player: Player, source: Prov, prov: Prov, armies: Int) -> None:
    """Attack ``prov`` from ``source`` with so many armies and resolve the battle.

    Rule:   5.2, R11, R12.
    Args:   g GAME; rng; log; player the attacker; source, prov provinces; armies 1..armies[source] - 1
    Writes: armies, owner, supply, tray, tower, revolts, building, plan, emptied
    Draws:  those of one throw
    """
    defender = np.int64(g["owner"][prov])
    attack_bonus, defence_bonus, farmers = bonus_armies(g, player, prov, defender)
    armies_to_tray(g, source, armies)
    attack_bonus = to_tray(g, player, attack_bonus)
    farmers = to_tray(g, c.FARMERS, farmers)
    if defender != c.NONE:
        armies_to_tray(g, prov, np.int64(g["armies"][prov]))
        defence_bonus = to_tray(g, defender, defence_bonus)
    log_entry(log, c.LOG_BONUS, attack_bonus, defence_bonus, farmers, 0, 0, 0, 0)
    throw(g, rng, log, c.WHY_BATTLE)
    resolve_battle(g, log, player, defender, prov)


@kernel
def resolve_battle(g: State, log: Log, player: Player, defender: Player, prov: Prov) -> None:
    """Settle the battle for ``prov`` by what lies in the tray (5.2, R23). Cubes of others stay there."""
    a = np.int64(g["tray"][player])
    d = np.int64(g["tray"][defender]) if defender != c.NONE else np.int64(0)
    f = np.int64(g["tray"][c.FARMERS])
    farmers_in = defender == c.NONE or g["revolts"][prov] == 0
    fighting_farmers = f if farmers_in else np.int64(0)
    defence = d + fighting_farmers
    if a > defence:
        outcome = c.ATTACKER_WINS
        lose_province(g, prov)
        take_province(g, prov, player)
        g["armies"][prov] = a - defence
    elif defence > a and d >= 1:
        outcome = c.DEFENDER_HOLDS
        g["armies"][prov] = d - max(np.int64(0), a - fighting_farmers)
    else:
        outcome = c.DRAW
        lay_waste(g, prov)
    remaining = np.int64(g["armies"][prov])
    from_tray(g, player, a)
    if defender != c.NONE:
        from_tray(g, defender, d)
    from_tray(g, c.FARMERS, fighting_farmers)
    if remaining > 0:
        g["supply"][g["owner"][prov]] -= remaining
    log_outcome(g, log, prov, player, defender, 1 if farmers_in else 0, a, d, f, outcome)


@kernel
def revolt(g: State, rng: Rng, log: Log, prov: Prov, farmers: Int, why: Int) -> Bool:
    """Let so many farmers revolt in an owned province; neither specials nor the castle event apply (R13).

    Rule:   5.3, R11, R13.
    Args:   g GAME; rng; log; prov an owned province; farmers thrown, as far as the supply goes; why WHY_REVOLT or
            WHY_WINTER_REVOLT
    Returns bool: the player keeps the province.
    """
    player = np.int64(g["owner"][prov])
    armies_to_tray(g, prov, np.int64(g["armies"][prov]))
    to_tray(g, c.FARMERS, farmers)
    throw(g, rng, log, why)
    p = np.int64(g["tray"][player])
    f = np.int64(g["tray"][c.FARMERS])
    from_tray(g, player, p)
    from_tray(g, c.FARMERS, f)
    kept = p > f
    if kept:
        g["armies"][prov] = p - f
        g["supply"][player] -= p - f
        outcome = c.DEFENDER_HOLDS
    else:
        lay_waste(g, prov)
        outcome = c.DRAW if p == f else c.ATTACKER_WINS
    log_outcome(g, log, prov, c.NONE, player, 1, f, p, f, outcome)
    return kept
