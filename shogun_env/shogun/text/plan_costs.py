"""What a plan costs, in the order in which it is carried out as far as that is known (``RULES.md``: 3.3, 3.5)."""

from collections.abc import Mapping

import numpy as np

from shogun_env.shogun import board
from shogun_env.shogun import constants as c
from shogun_env.shogun.rules.build import why_not_build
from shogun_env.shogun.rules.collect import income
from shogun_env.shogun.text.names import actions_in_order
from shogun_env.spec.pages import PlanCosts
from shogun_env.spec.voice import counted

BUILDS = (c.BUILD_CASTLE, c.BUILD_TEMPLE, c.BUILD_NO_THEATRE)
FREE = (c.NO_SITE, c.KIND_PRESENT, c.NONE_LEFT)
"""Reasons for which nothing is built, and nothing paid."""


def plan_costs(g: np.void, player: int, cards: Mapping[int, int]) -> PlanCosts:
    """Return what cards on some spaces cost a player who plans, and for which the chests do not suffice.

    The open actions are paid in their order, after the bid; of the face-down ones nobody knows the order. Special cards
    and events are left out, as nobody knows them.

    Args: g, in which the player plans; player; cards, the action by number of the space.
    """
    chests, unpaid = int(g["chests"][player]), dict[int, str]()
    bid_card = cards.get(c.BID_SPACE, c.A_NO_CARD)
    bid = bid_card - c.A_CHEST if c.A_CHEST <= bid_card < c.A_CHEST + c.N_CHEST_CARDS else 0
    money, spent, taxes, hidden = chests - bid, bid, 0, list[tuple[int, int]]()
    later = 0
    for act, position in actions_in_order(g):
        prov = cards.get(act + 1, c.A_NO_CARD) - c.A_CARD
        if not 0 <= prov < c.N_PROVINCES:
            continue
        gain = int(income(g, player, act, prov)) if act == c.COLLECT_TAXES else 0
        cost = 0 if act in BUILDS and int(why_not_build(g, player, act, prov)) in FREE else int(board.COST[act])
        spent, taxes = spent + cost, taxes + gain
        if position is None:
            later += gain
            hidden += [(act + 1, cost)] if cost else []
        elif cost > money:
            unpaid[act + 1] = f"it costs {counted(cost, 'chest')}, and {counted(money, 'chest')} will be left by then"
        else:
            money += gain - cost
    for space, cost in hidden:
        others = sum(other for each, other in hidden if each != space)
        if cost > money + later:
            unpaid[space] = (
                f"it costs {counted(cost, 'chest')}, and {counted(money + later, 'chest')} can be left by then"
            )
        elif cost > money - others:
            unpaid[space] = "the chests do not suffice if others of the face-down actions come first"
    if not spent:
        return PlanCosts("", unpaid)
    parts = f" (bid {bid})" if bid else ""
    more = f", and taxes bring {taxes}" if taxes else ""
    return PlanCosts(f"It costs {counted(spent, 'chest')}{parts}; you have {chests}{more}.", unpaid)
