"""The terms of a decision of the scripted bot of Shogun, as a text for people."""

import numpy as np

from shogun_env.agents.scripted.shogun import evaluate as w
from shogun_env.agents.scripted.shogun.choices import special_worth
from shogun_env.agents.scripted.shogun.features import (
    NEAR,
    SOURCE_MARK,
    Features,
    armies_in,
    extract_features,
    is_mine,
    marked,
    owner_of,
)
from shogun_env.agents.scripted.shogun.odds import attack_chance, danger, defence_of, enemies_near
from shogun_env.agents.scripted.shogun.planner import Hand, fill_hand, make_plan
from shogun_env.shogun import SHOGUN, board
from shogun_env.shogun import constants as c
from shogun_env.shogun import layout as at
from shogun_env.shogun.layout import OBS_AT

SPACES = SHOGUN.plan_spaces


def explanation(observation: np.ndarray, mask: np.ndarray, params: np.ndarray) -> str:
    """Return the terms of a decision as text; of a plan once, when its first space is filled.

    Planning: what each of the player's provinces is worth on each space, in points, with the plan marked ``*``, and the
    danger that the province is in. A target: chance, prize and worth of each neighbour. A special: what each is worth.

    Args: observation, mask, params: uint8[D], int8[A] and float64[numbers] of the decision.
    """
    f, lines = extract_features(observation, params), list[str]()
    phase = int(observation[OBS_AT["phase"] : OBS_AT["phase"] + c.OVER].argmax())
    if phase == c.PLAN and observation[OBS_AT["running"] + c.BID_SPACE]:
        lines = _plan_lines(f)
    elif phase == c.TARGET:
        lines = _target_lines(f)
    elif phase == c.TAKE_SPECIAL:
        for position in range(c.N_SPECIALS):
            special = int(observation[at.OFFER + position]) - 1
            if special >= 0:
                name = board.SPECIAL_NAMES[special]
                lines.append(f"{position + 1} {name:16} {special_worth(f, special):6.2f}")
    return "\n".join(lines)


def _plan_lines(f: Features) -> list[str]:
    """Return the table of what every province is worth on every space."""
    size = c.N_PROVINCES
    ints = [np.empty(size, np.int64) for _ in range(3)]
    hand = Hand(
        worth=np.empty((c.N_SPACES, size)), prov=ints[0], space=ints[1], target=ints[2], second_worth=np.empty(size)
    )
    plan = np.zeros(c.N_SPACES, np.int64)
    make_plan(f, False, plan, hand)
    count = fill_hand(f, hand)
    heads = ("bid", "cas", "tem", "the", "rice", "tax", "dep5", "dep3", "dep1", "ba_a", "ba_b")
    lines = [f"{'':14}{''.join(f'{head:>8}' for head in heads)}  danger  best attack"]
    for index, prov in enumerate(hand.prov[:count].tolist()):
        marks = ["*" if plan[space] == c.A_CARD + prov else " " for space in range(c.N_SPACES)]
        cells = "".join(f"{hand.worth[space, index]:7.2f}{mark}" for space, mark in enumerate(marks))
        lost = danger(f, prov, armies_in(f.obs, prov), enemies_near(f, prov))
        target = int(hand.target[index])
        aim = "-" if target == c.NONE else board.PROVINCE_NAMES[target]
        lines.append(f"{board.PROVINCE_NAMES[prov]:14}{cells}  {lost:6.2f}  {aim}")
    others = [f"{SPACES[k]} {_card(int(a))}" for k, a in enumerate(plan) if not c.A_CARD <= a < c.A_CHEST]
    lines.append(f"without a province: {', '.join(others)}")
    lines.append(f"a chest is worth {w.chest_worth(f):.2f}, rice short {w.rice_short(f):.1f}")
    return lines


def _card(action: int) -> str:
    return "empty" if action == c.A_NO_CARD else f"chest_{action - c.A_CHEST}"


def _target_lines(f: Features) -> list[str]:
    """Return chance, prize and worth of an attack on every neighbour of the province that armies leave."""
    known = np.full(w.KNOWN_SIZE, w.UNKNOWN)
    source = marked(f.obs, SOURCE_MARK)
    armies, near = armies_in(f.obs, source) - 1, enemies_near(f, source)
    left = w.left_behind(f, source, 1, near, w.holding(f, source))
    stayed = w.stay_worth(f, source, known)
    lines = [f"from {board.PROVINCE_NAMES[source]} with {armies} armies; what stays behind is in danger by {left:.2f}"]
    for prov in NEAR[f.side, f.players, source].tolist():
        if prov == c.NONE:
            break
        name = board.PROVINCE_NAMES[prov]
        if is_mine(f.obs, prov):
            both = stayed + w.stay_worth(f, prov, known)
            worth = w.march_worth(f, source, prov, armies, both, known)
            lines.append(f"{name:14} own: march {worth:6.2f}")
            continue
        defender = owner_of(f.obs, prov)
        chance = attack_chance(f, armies, *defence_of(f.obs, prov, defender))
        prize = w.prize_of(f, prov, defender, known)
        worth = w.attack_worth(f, chance, armies, prize) - left
        lines.append(f"{name:14} chance {chance:4.2f}  prize {prize:5.2f}  worth {worth:6.2f}")
    return lines
