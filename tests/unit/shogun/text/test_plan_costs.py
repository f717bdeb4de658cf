"""What a plan is said to cost: as the game then takes it."""

import numpy as np

from shogun_env.shogun import Batch, board
from shogun_env.shogun import constants as c
from shogun_env.shogun.text.plan_costs import plan_costs


def position(chests):
    g = Batch(1, seed=3, num_players=3).games[0].copy()
    g["chests"][0] = chests
    provs = [int(prov) for prov in np.flatnonzero(g["owner"] == 0) if board.SITES[prov] > 0]
    opened = [int(act) for act in g["action_at"] if act != c.NONE]
    return g, [c.A_CARD + prov for prov in provs], opened


def test_costs__in_the_known_order__are_paid_until_the_chests_are_gone():
    g, cards, opened = position(3)
    costly = [act for act in opened if board.COST[act] > 0]
    plan = {act + 1: card for act, card in zip(costly, cards, strict=False)}
    money, expected = 3, []
    for act in costly:
        if board.COST[act] > money:
            expected.append(act + 1)
        else:
            money -= int(board.COST[act])
    found = plan_costs(g, 0, plan)
    total = int(sum(board.COST[act] for act in costly))
    assert [*found.unpaid] == expected
    assert found.text.startswith(f"It costs {total} chest") and found.text.endswith("; you have 3.")


def test_costs__of_a_bid_and_of_what_is_not_carried_out__are_counted_as_the_rules_do():
    g, cards, opened = position(5)
    act = next(act for act in opened if board.COST[act] > 0)
    price = int(board.COST[act])
    assert plan_costs(g, 0, {}).text == "" and plan_costs(g, 0, {act + 1: c.A_CHEST + 2}).text == ""
    found = plan_costs(g, 0, {c.BID_SPACE: c.A_CHEST + 4, act + 1: cards[0]})
    assert found.text == f"It costs {4 + price} chests (bid 4); you have 5."
    assert bool(found.unpaid) == (price > 1)
    assert plan_costs(g, 0, {c.BID_SPACE: cards[0]}).text == ""


def test_costs__of_hidden_actions__warn_of_what_may_come_first():
    g, cards, opened = position(4)
    hidden = [act for act in range(c.N_ACTION_CARDS) if act not in opened and board.COST[act] > 0]
    plan = {act + 1: card for act, card in zip(hidden, cards, strict=False)}
    costs = {act + 1: int(board.COST[act]) for act in hidden}
    found = plan_costs(g, 0, plan)
    assert sum(costs.values()) > 4, "a test of nothing"
    perhaps = {space for space in costs if costs[space] > 4 - (sum(costs.values()) - costs[space])}
    assert {*found.unpaid} == perhaps
    assert all("come first" in why for space, why in found.unpaid.items() if costs[space] <= 4)
