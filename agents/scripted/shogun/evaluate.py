"""What provinces, buildings, income, armies and attacks are worth to the scripted bot of Shogun, in points."""

import numpy as np

from shogun_env.agents.scripted.shogun import numbers as n
from shogun_env.agents.scripted.shogun.features import (
    DIGIT,
    FULL,
    NEAR,
    Features,
    armies_in,
    buildings_in,
    count_kind,
    is_mine,
    majority_points,
    owner_of,
)
from shogun_env.agents.scripted.shogun.odds import attack_chance, danger, defence_of, enemies_near, revolt_chance
from shogun_env.kernel.jit import kernel
from shogun_env.kernel.types import Float, Int, Observation, Prov, Row
from shogun_env.shogun import board
from shogun_env.shogun import constants as c
from shogun_env.shogun import layout as at

COST = board.COST
"""Price of each action in chests."""
LOSSES = board.RICE_LOSS_OF_CARD
"""Rice lost in winter by event card."""
UNKNOWN = -1000.0
"""Mark of a number that has not been worked out."""
KNOWN_SIZE = c.N_PROVINCES + c.N_REGIONS * c.N_KINDS
"""Prizes of provinces, and counts of the buildings of each kind in each region."""
MORE = np.array([0, *board.DEPLOYED_ARMIES[c.DEPLOY_5_ARMIES : c.DEPLOY_MOVE_1_ARMY + 1]], np.int64)
"""Armies more than there are in the levels of ``survey``: none, or those of one of the deployments."""
N_LEVELS = len(MORE)
FIRST, SECOND, SECOND_WORTH = N_LEVELS, N_LEVELS + 1, N_LEVELS + 2
"""Where ``survey`` writes the best target, the second best, and its worth."""
SURVEY_SIZE = N_LEVELS + 3
IN_AUTUMN = 0.1
"""What rice beyond need is worth in autumn, as a part of that in spring."""
PER_SEASON = 1 / (c.N_SEASONS - 1)
"""Rice beyond need is worth this part of that in spring for each season of the year still to come."""
FORCED = -2.0
"""Worth of a battle that can only go badly, and cannot be declined (R8)."""
OPEN = 1
"""Value of the feature ``event_card`` for an open event of the year."""
PER_BUILDING = 1.5
"""Points that a building in a province counts per scoring: its own one, and a half for the majorities."""
PER_BATTLE = 0.5
"""The part of a round's danger that comes with each of its two battles."""
REST_OF_ROUND = 0.5
"""The part of this round's danger that is still to come, in the mean, when armies march."""
NO_CHESTS = 0.01
"""Added to the fortune at which a chest is worth half, which may be 0."""
LAST_CHEST = 0.02
"""Worth of a chest in the last season: it only breaks ties (R5)."""


@kernel
def scorings(f: Features) -> Float:
    """Return how many scorings a gain made now counts in; the second is uncertain."""
    return 1.0 if f.seasons_left <= c.N_SEASONS else 1.0 + f.params[n.LATER]


@kernel
def chest_worth(f: Features) -> Float:
    """Return what a chest is worth: less to the rich, less before the last season, next to nothing in it."""
    if f.seasons_left == 1:
        return LAST_CHEST
    worth = f.params[n.CHEST] * f.params[n.RICH] / (f.params[n.RICH] + np.int64(f.obs[at.CHESTS]) + NO_CHESTS)
    return worth * f.params[n.CHEST_LATE] if f.seasons_left == 2 else worth


@kernel
def majority_gain(f: Features, prov: Prov, kind: Int, taken_from: Int, known: Row) -> Float:
    """Return how the observer's majority points change with one more building of a kind in the region of ``prov``.

    Args: taken_from, offset of the player who loses it, NONE if it is built; known, see ``prize_of``
    """
    region = np.int64(f.obs[at.REGION + prov]) - 1
    counted = c.N_PROVINCES + c.N_KINDS * region + kind
    if known[counted] == UNKNOWN:
        known[counted] = count_kind(f, region, kind)
    counts = np.int64(known[counted])
    own = counts & FULL
    before = after = np.int64(0)
    for offset in range(1, c.MAX_PLAYERS):
        count = (counts >> (DIGIT * offset)) & FULL
        before = max(before, count)
        after = max(after, count - 1 if offset == taken_from else count)
    return majority_points(own + 1, after, kind) - majority_points(own, before, kind)


@kernel
def holding(f: Features, prov: Prov) -> Float:
    """Return what it is worth to hold a province to the end: its points, those of its buildings, and its income."""
    printed = np.int64(f.obs[at.TAX + prov]) + np.int64(f.obs[at.RICE + prov])
    income = f.params[n.INCOME] * printed * (f.seasons_left - 1)
    return scorings(f) * (f.params[n.PROVINCE] + PER_BUILDING * buildings_in(f.obs, prov)) + income


@kernel
def prize_of(f: Features, prov: Prov, defender: Int, known: Row) -> Float:
    """Return what it is worth to take a province from a player, or a neutral one (``defender`` NONE).

    Args: known float64[KNOWN_SIZE], what was worked out before or UNKNOWN: prizes of provinces, counts of buildings
    """
    if known[prov] != UNKNOWN:
        return known[prov]
    gain = holding(f, prov)
    for kind in range(c.N_KINDS):
        if f.obs[at.BUILDING + kind * c.N_PROVINCES + prov] == 1:
            gain += scorings(f) * f.params[n.HOLDS] * majority_gain(f, prov, kind, defender, known)
    if defender != c.NONE:
        gain *= 1.0 + f.params[n.HURT]
    known[prov] = gain * f.params[n.CONQUEST]
    return known[prov]


@kernel
def attack_worth(f: Features, chance: Float, armies: Int, prize: Float) -> Float:
    """Return what an attack with ``armies`` is worth: chance times prize, less the armies that are at stake."""
    stake = f.params[n.ARMY] * (armies if f.seasons_left > 1 else 0)
    return chance * prize - (1.0 - chance) * stake


@kernel
def attack_on(f: Features, prov: Prov, armies: Int, known: Row) -> Float:
    """Return what an attack on a province with ``armies`` is worth."""
    defender = owner_of(f.obs, prov)
    theirs, inside = defence_of(f.obs, prov, defender)
    prize = prize_of(f, prov, defender, known)
    return attack_worth(f, attack_chance(f, armies, theirs, inside), armies, prize)


@kernel
def survey(f: Features, source: Prov, out: Row, known: Row) -> None:
    """Write what attacks from a province are worth, with the armies that are there and with those deployed before.

    Args: out float64[SURVEY_SIZE], written: worth of the best attack with all armies but one, and with those of each
        deployment more, 0 if none is worth anything; then the best target, the second best, and its worth.
    """
    out[:] = 0.0
    out[FIRST] = out[SECOND] = c.NONE
    armies = armies_in(f.obs, source) - 1
    levels = N_LEVELS if f.seasons_left > 1 else 1
    for index in range(c.MAX_NEIGHBOURS + 1):
        prov = np.int64(NEAR[f.side, f.players, source, index])
        if prov == c.NONE:
            break
        if is_mine(f.obs, prov):
            continue
        defender = owner_of(f.obs, prov)
        prize = prize_of(f, prov, defender, known)
        theirs, inside = defence_of(f.obs, prov, defender)
        for level in range(levels):
            here = armies + MORE[level]
            if here > 0:
                worth = attack_worth(f, attack_chance(f, here, theirs, inside), here, prize)
                if level == 0:
                    keep_best(out, prov, worth)
                elif worth > out[level]:
                    out[level] = worth


@kernel
def keep_best(out: Row, prov: Prov, worth: Float) -> None:
    """Keep the best and the second best target in ``out`` of ``survey``."""
    if worth > out[0]:
        out[SECOND], out[SECOND_WORTH] = out[FIRST], out[0]
        out[FIRST], out[0] = prov, worth
    elif worth > out[SECOND_WORTH]:
        out[SECOND], out[SECOND_WORTH] = prov, worth


@kernel
def chance_before(obs: Observation, first: Int, second: Int) -> Float:
    """Return the probability that one action is carried out before another, of those not yet carried out."""
    one, other = np.int64(obs[at.POSITION + 1 + first]), np.int64(obs[at.POSITION + 1 + second])
    if one == 0 and other == 0:
        return 0.5
    if one == 0 or other == 0:
        return 1.0 if other == 0 else 0.0
    return 1.0 if one < other else 0.0


@kernel
def battles_before(obs: Observation, act: Int) -> Float:
    """Return how many of the two battles are expected before an action."""
    return chance_before(obs, np.int64(c.BATTLE_MOVE_A), act) + chance_before(obs, np.int64(c.BATTLE_MOVE_B), act)


@kernel
def mean_loss(obs: Observation) -> Float:
    """Return the mean rice loss of the events of the year that may still come in winter (3)."""
    total = count = np.int64(0)
    for card in range(c.N_EVENT_CARDS):
        if obs[at.EVENT_CARD + card] == OPEN:
            total += LOSSES[card]
            count += 1
    return float(total) / max(np.int64(1), count)


@kernel
def rice_short(f: Features) -> Float:
    """Return how much rice is expected to be short in winter if no more is brought in."""
    provinces = np.int64(f.obs[at.PROVINCES]) + f.params[n.GROWTH]
    return provinces + mean_loss(f.obs) + f.params[n.LOSS_MARGIN] - np.int64(f.obs[at.RICE_TRACK])


@kernel
def rice_worth(f: Features, rice: Int) -> Float:
    """Return what rice is worth: by whether it is short, and whether later seasons can still bring it."""
    short = rice_short(f)
    season = np.int64(c.N_SEASONS) - 1 - (f.seasons_left - 1) % c.N_SEASONS
    to_come = c.N_SEASONS - 1 - season
    later = f.params[n.HARVEST] * to_come
    urgent = min(float(rice), max(0.0, short - later))
    needed = min(float(rice), max(0.0, short)) - urgent
    spare = f.params[n.GRAIN_SPARE] * max(IN_AUTUMN, PER_SEASON * to_come)  # what is left after the winter is lost
    return f.params[n.GRAIN] * urgent + f.params[n.GRAIN_EARLY] * needed + spare * (rice - urgent - needed)


@kernel
def unrest_cost(f: Features, prov: Prov, held: Float) -> Float:
    """Return what unrest costs in a province of worth ``held``: the first marker, or the chance that it is lost (4)."""
    markers = np.int64(f.obs[at.REVOLTS + prov])
    if markers == 0:
        return f.params[n.UNREST]
    return held * (1.0 - revolt_chance(f, armies_in(f.obs, prov), markers)) + f.params[n.UNREST]


@kernel
def income_worth(f: Features, act: Int, prov: Prov, held: Float, risk: Float) -> Float:
    """Return what rice or taxes in a province are worth (4), if it is not lost before with the chance ``risk``."""
    if act == c.COLLECT_TAXES:
        worth = chest_worth(f) * np.int64(f.obs[at.TAX + prov])
    else:
        worth = rice_worth(f, np.int64(f.obs[at.RICE + prov]))
    return worth * (1.0 - risk * f.params[n.EXPOSED] * battles_before(f.obs, act)) - unrest_cost(f, prov, held)


@kernel
def building_worth(f: Features, act: Int, prov: Prov, risk: Float, known: Row) -> Float:
    """Return what a castle, temple or theatre in a province is worth: a point per scoring, and the majority (3)."""
    sites = np.int64(f.obs[at.SITES + prov])
    if f.obs[at.BUILDING + act * c.N_PROVINCES + prov] == 1 or buildings_in(f.obs, prov) >= sites:
        return 0.0
    gain = scorings(f) * (1.0 + f.params[n.HOLDS] * majority_gain(f, prov, act, np.int64(c.NONE), known))
    lost = risk * (1.0 + f.params[n.LASTING] * min(2, f.seasons_left - 1))
    worth = f.params[n.BUILD] * gain * max(0.0, 1.0 - f.params[n.EXPOSED] * lost)
    return worth - chest_worth(f) * COST[act]


@kernel
def rounds_ahead(f: Features, now: Float) -> Float:
    """Return how many rounds of danger count: the part ``now`` of this one, and later ones."""
    return now + (f.params[n.LASTING] if f.seasons_left > 1 else 0.0)


@kernel
def deployment_worth(f: Features, act: Int, averted: Float, better: Float) -> Float:
    """Return what armies deployed are worth (4): danger averted, a better attack, the armies; less their price."""
    added = board.DEPLOYED_ARMIES[act]
    if np.int64(f.obs[at.SUPPLY]) < added:
        return 0.0
    worth = averted * rounds_ahead(f, 1.0 - PER_BATTLE * battles_before(f.obs, act)) + better
    if f.seasons_left > 1:
        worth += f.params[n.RECRUIT] * added
    return worth - chest_worth(f) * COST[act]


@kernel
def left_behind(f: Features, prov: Prov, armies: Int, near: tuple[Int, Int, Int, Int], held: Float) -> Float:
    """Return the danger that a province is in if only ``armies`` stay there, beyond that with all, in points."""
    more = danger(f, prov, armies, near) - danger(f, prov, armies_in(f.obs, prov), near)
    return f.params[n.GARRISON] * more * held


@kernel
def armies_worth(f: Features, prov: Prov, armies: Int, known: Row) -> Float:
    """Return what it is worth that ``armies`` are in a province of the observer, for defence and the next attack."""
    near, held = enemies_near(f, prov), holding(f, prov)
    loss = f.params[n.DEFEND] * held * danger(f, prov, armies, near) * rounds_ahead(f, REST_OF_ROUND)
    if f.seasons_left == 1:
        return -loss
    best = 0.0
    for index in range(c.MAX_NEIGHBOURS + 1):
        other = np.int64(NEAR[f.side, f.players, prov, index])
        if other == c.NONE or armies < 2:
            break
        if not is_mine(f.obs, other):
            best = max(best, attack_on(f, other, armies - 1, known))
    return f.params[n.PRIZE] * best - loss


@kernel
def march_worth(f: Features, source: Prov, prov: Prov, armies: Int, stayed: Float, known: Row) -> Float:
    """Return what it is worth to march with ``armies`` from one own province to another.

    Args: stayed, what it is worth that nobody marches: ``stay_worth`` of both provinces
    """
    here, there = armies_in(f.obs, source), armies_in(f.obs, prov)
    worth = armies_worth(f, prov, there + armies, known)
    worth += armies_worth(f, source, here - armies, known)
    return f.params[n.SHIFT] * (worth - stayed)


@kernel
def stay_worth(f: Features, prov: Prov, known: Row) -> Float:
    """Return what it is worth that the armies in a province of the observer stay there."""
    return armies_worth(f, prov, armies_in(f.obs, prov), known)


@kernel
def best_march(f: Features, source: Prov, known: Row) -> tuple[Int, Float]:
    """Return the own neighbour to which all armies but one should best march, and what that is worth; NONE if none."""
    best, best_worth = np.int64(c.NONE), FORCED
    armies, stayed = armies_in(f.obs, source) - 1, stay_worth(f, source, known)
    for index in range(c.MAX_NEIGHBOURS + 1):
        prov = np.int64(NEAR[f.side, f.players, source, index])
        if prov == c.NONE:
            break
        if is_mine(f.obs, prov):
            both = stayed + stay_worth(f, prov, known)
            worth = march_worth(f, source, prov, armies, both, known)
            if worth > best_worth:
                best, best_worth = prov, worth
    return best, best_worth
