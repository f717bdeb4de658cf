"""Fights: attacks on a province and revolts in one (rules 5.2, 5.3)."""

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
    """Log a fight that is resolved, and how many armies remain in the province."""
    log_entry(log, c.LOG_FIGHT, prov, attacker, defender, tray_attacker, tray_defender, farmers_in, tray_farmers)
    log_entry(log, c.LOG_OUTCOME, outcome, np.int64(g["armies"][prov]), 0, 0, 0, 0, 0)


@kernel
def bonus_armies(g: State, player: Player, prov: Prov, defender: Player) -> tuple[Int, Int, Int]:
    """Return the cubes that attacker, defender and farmers add to a battle (5.2); they are always used (R12)."""
    attack = np.int64(1) if holds_special(g, player, c.PLUS_1_ATTACK) else np.int64(0)
    if defender == c.NONE:
        return attack, np.int64(0), np.int64(2) if g["event"] == c.TWO_FARMERS else np.int64(1)
    defence = np.int64(1) if holds_special(g, defender, c.PLUS_1_DEFENCE) else np.int64(0)
    if g["event"] == c.CASTLE_DEFENCE and g["building"][c.CASTLE, prov] == 1:
        defence += 1
    return attack, defence, np.int64(0)


@kernel
def attack(g: State, rng: Rng, log: Log, player: Player, source: Prov, prov: Prov, armies: Int) -> None:
    """Attack ``prov`` from ``source`` and resolve the battle.

    Rule:   5.2, R11, R12.
    Args:   player, the attacker; source, an adjacent province of theirs; prov, neutral or another player's; armies that
            attack, 1..armies in ``source`` - 1
    Reads:  event, owner, armies, revolts, building, supply, tray, plan, special_at, position_of, what ``throw``
            reads
    Writes: armies, supply, gained, what ``lay_waste`` writes, what ``throw`` writes
    Draws:  those of one throw, see ``throw``
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
    """Decide the battle for ``prov`` by what lies in the tray (5.2, R23); cubes of other players stay there."""
    attackers = np.int64(g["tray"][player])
    defenders = np.int64(g["tray"][defender]) if defender != c.NONE else np.int64(0)
    farmers = np.int64(g["tray"][c.FARMERS])
    farmers_in = defender == c.NONE or g["revolts"][prov] == 0
    fighting_farmers = farmers if farmers_in else np.int64(0)
    defence = defenders + fighting_farmers
    if attackers > defence:
        outcome = c.ATTACKER_WINS
        lose_province(g, prov)
        take_province(g, prov, player)
        g["armies"][prov] = attackers - defence
    elif defence > attackers and defenders >= 1:
        outcome = c.DEFENDER_HOLDS
        g["armies"][prov] = defenders - max(np.int64(0), attackers - fighting_farmers)
    else:
        outcome = c.DRAW
        lay_waste(g, prov)
    # All cubes that took part go to their supplies; then those that remain in the province come out of one of them.
    remaining = np.int64(g["armies"][prov])
    from_tray(g, player, attackers)
    if defender != c.NONE:
        from_tray(g, defender, defenders)
    from_tray(g, c.FARMERS, fighting_farmers)
    if remaining > 0:
        g["supply"][g["owner"][prov]] -= remaining
    log_outcome(g, log, prov, player, defender, 1 if farmers_in else 0, attackers, defenders, farmers, outcome)


@kernel
def revolt(g: State, rng: Rng, log: Log, prov: Prov, farmers: Int, why: Int) -> Bool:
    """Let farmers revolt in an owned province; neither specials nor the castle event apply (R13).

    Rule:   5.3, R11, R13.
    Args:   prov, an owned province; farmers to throw, or as many as the supply has; why, WHY_REVOLT or
            WHY_WINTER_REVOLT
    Reads:  owner, armies, building, supply, tray, plan, what ``throw`` reads
    Writes: armies, supply, what ``lay_waste`` writes, what ``throw`` writes
    Draws:  those of one throw, see ``throw``
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
