"""What each card would do on each space of a plan, as far as the player who plans can know (``RULES.md``: 3, 4)."""

from collections.abc import Mapping

import numpy as np

from shogun_env.shogun import board
from shogun_env.shogun import constants as c
from shogun_env.shogun.rules.build import why_not_build
from shogun_env.shogun.rules.collect import income
from shogun_env.shogun.rules.deploy import armies_to_deploy, why_not_deploy
from shogun_env.shogun.rules.planning import lowest_unpayable_bid
from shogun_env.shogun.text.names import ACTIONS, BUILDINGS, actions_in_order
from shogun_env.shogun.text.odds import attack_odds, neighbours
from shogun_env.spec.pages import PlanSpace
from shogun_env.spec.voice import counted

_NAMES = board.PROVINCE_NAMES


def plan_sheet(g: np.void) -> list[PlanSpace]:
    """Return the spaces in the order of play, the bid first, each with what the cards of the player do there.

    Example:
        >>> from shogun_env.shogun import Batch
        >>> [(space.mark, space.title) for space in plan_sheet(Batch(1, seed=1).games[0])][:2]
        [('', 'bid'), ('1', 'battle/move B')]
    """
    player = int(g["player"])
    provinces = np.flatnonzero(g["owner"] == player).tolist()
    sheet = [PlanSpace(space=c.BID_SPACE, mark="", title="bid", cards=_bids(g, player, provinces))]
    chests = range(int(board.CHEST_CARDS[g["side"]]))
    for act, position in actions_in_order(g):
        cards = {c.A_CARD + prov: _effect(g, player, act, prov) for prov in provinces}
        cards |= {c.A_CHEST + value: "nothing happens here" for value in chests}
        price = f" ({counted(int(board.COST[act]), 'chest')})" if board.COST[act] else ""
        cards |= _empty(g, provinces)
        title = ACTIONS[board.ACTION_NAMES[act]] + price
        sheet.append(PlanSpace(space=act + 1, mark=str(position or "?"), title=title, cards=cards))
    return sheet


def _empty(g: np.void, provinces: list[int]) -> dict[int, str]:
    """Return what an empty space does, where there are too few cards to fill all spaces."""
    cards = len(provinces) + int(board.CHEST_CARDS[g["side"]])
    return {c.A_NO_CARD: "nothing happens here"} if cards < board.SPACES[g["side"]] else {}


def plan_laid(g: np.void, player: int, cards: Mapping[int, int]) -> np.void:
    """Return a copy of a state in which a player plans, with cards on some spaces, to be shown to that player only."""
    shown = g.copy()
    shown["space"] = c.N_SPACES  # what no game is in while a card is asked for
    shown["plan"][player] = c.NOT_SHOWN
    for space, action in cards.items():
        shown["plan"][player, space] = c.EMPTY if action == c.A_NO_CARD else action - c.A_CARD
    return shown


def _bids(g: np.void, player: int, provinces: list[int]) -> dict[int, str]:
    cards = {c.A_CARD + prov: f"free, but spent: {_NAMES[prov]} does nothing else" for prov in provinces}
    for value in range(min(lowest_unpayable_bid(g, player), int(board.CHEST_CARDS[g["side"]]))):
        cards[c.A_CHEST + value] = f"leaves {counted(int(g['chests'][player]) - value, 'chest')}"
    return cards | ({c.A_NO_CARD: "the lowest bid"} if _empty(g, provinces) else {})


def _effect(g: np.void, player: int, act: int, prov: int) -> str:
    """Return what an action with a province of the player would do now."""
    armies = int(g["armies"][prov])
    if act in (c.BUILD_CASTLE, c.BUILD_TEMPLE, c.BUILD_NO_THEATRE):
        return _building(g, player, act, prov)
    if act in (c.CONFISCATE_RICE, c.COLLECT_TAXES):
        amount = int(income(g, player, act, prov))
        gain = f"{amount} rice" if act == c.CONFISCATE_RICE else counted(amount, "chest")
        return f"+{gain}{_revolt(g, prov)}"
    if board.DEPLOYED_ARMIES[act]:
        if (why := int(why_not_deploy(g, player, act))) != c.NONE:
            return _WHY_NOT[why].format(what="armies", **_means(g, player, act))
        new = armies + int(armies_to_deploy(g, player, act))
        own = [_NAMES[near] for near in neighbours(g, prov) if g["owner"][near] == player]
        ways = f", may move on to {', '.join(own)}" if act == c.DEPLOY_MOVE_1_ARMY and own else ""
        return f"{armies} to {counted(new, 'army', 'armies')}{ways}"
    return _march(g, player, prov, armies)


_WHY_NOT = {
    c.CANNOT_PAY: "no effect: it costs {cost}, and you have {chests} now",
    c.SUPPLY_SHORT: "no effect: you have {supply} off the board, too few",
    c.NO_SITE: "no effect: no free site",
    c.KIND_PRESENT: "no effect: it has a {what}",
    c.NONE_LEFT: "no effect: no {what} is left",
}
"""What is said where an action cannot be carried out, by the reason of the rules."""


def _means(g: np.void, player: int, act: int) -> dict[str, str]:
    """Return what a player has for an action, and what it costs."""
    return {
        "cost": counted(int(board.COST[act]), "chest"),
        "chests": counted(int(g["chests"][player]), "chest"),
        "supply": counted(int(g["supply"][player]), "army", "armies"),
    }


def _building(g: np.void, player: int, kind: int, prov: int) -> str:
    """Return how a new building changes who has most of its kind in the region."""
    what = tuple(BUILDINGS.values())[kind]
    if (why := int(why_not_build(g, player, kind, prov))) != c.NONE:
        return _WHY_NOT[why].format(what=what, **_means(g, player, kind))
    region = int(board.REGION[g["side"], prov])
    inside = (board.REGION[g["side"]] == region) & (g["building"][kind] == 1)
    counts = [int((inside & (g["owner"] == other)).sum()) for other in range(g["n_players"])]
    mine, best = counts[player] + 1, max(count for other, count in enumerate(counts) if other != player)
    points = int(board.POINTS_MOST[kind]) - (board.TIE_REDUCTION if mine == best else 0)
    place = f"{what} {mine} of yours in {board.REGION_NAMES[region]}, best other {best}"
    return f"+{1 + points if mine >= best else 1} a winter: {place}"


def _revolt(g: np.void, prov: int) -> str:
    """Return what the revolt costs that comes with taking from a province for the second time."""
    markers = int(g["revolts"][prov])
    armies = counted(int(g["armies"][prov]), "army", "armies")
    return f"; {counted(markers, 'farmer')} revolt against {armies}" if markers else "; then a revolt marker"


def _march(g: np.void, player: int, prov: int, armies: int) -> str:
    """Return what attacks by all armies that can go promise, the likeliest first, and where they could go in peace."""
    if armies < 2:
        return "1 army: it has to stay"
    foes, friends = [], []
    for near in neighbours(g, prov):
        owner, there = int(g["owner"][near]), int(g["armies"][near])
        if owner == player:
            friends.append(_NAMES[near])
        else:
            odds = attack_odds(g, prov, near, armies - 1)
            whose = "" if owner == c.NONE else f" (P{owner}: {there})"
            foes.append((-odds.won, f"{odds} against {_NAMES[near]}{whose}"))
    moves = [f"move to {', '.join(friends)}"] if friends else []
    can_go = f"{counted(armies - 1, 'army', 'armies')} can go"
    return "; ".join([*(text for _, text in sorted(foes)), *moves, can_go])
