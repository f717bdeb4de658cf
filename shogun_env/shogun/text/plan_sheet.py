"""What each card would do on each space of a plan, as far as the player who plans can know (``RULES.md``: 3, 4)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from shogun_env.shogun import board
from shogun_env.shogun import constants as c
from shogun_env.shogun.rules.battle_move import neighbour
from shogun_env.shogun.text.names import ACTIONS, BUILDINGS
from shogun_env.spec.plan_sheet import PlanSpace
from shogun_env.spec.voice import counted

_NAMES = board.PROVINCE_NAMES
_KIND_OF = {"build_castle": 0, "build_temple": 1, "build_no_theatre": 2}


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
    for act, mark in _order(g):
        name = board.ACTION_NAMES[act]
        cards = {c.A_CARD + prov: _effect(g, player, name, prov) for prov in provinces}
        cards |= {c.A_CHEST + value: "do nothing" for value in range(c.N_CHEST_CARDS)}
        price = f" ({counted(int(board.COST[act]), 'chest')})" if board.COST[act] else ""
        sheet.append(PlanSpace(space=act + 1, mark=mark, title=ACTIONS[name] + price, cards=cards | _empty(provinces)))
    return sheet


def _order(g: np.void) -> list[tuple[int, str]]:
    """Return the actions with their marks: the open ones in the order of play, then the others."""
    opened = [(int(act), str(position + 1)) for position, act in enumerate(g["action_at"]) if act != c.NONE]
    known = {act for act, _ in opened}
    return opened + [(act, "?") for act in range(c.N_ACTION_CARDS) if act not in known]


def _empty(provinces: list[int]) -> dict[int, str]:
    """Return what an empty space does, where there are too few cards to fill all spaces."""
    return {c.A_NO_CARD: "do nothing"} if len(provinces) + c.N_CHEST_CARDS < c.N_SPACES else {}


def _bids(g: np.void, player: int, provinces: list[int]) -> dict[int, str]:
    cards = {c.A_CARD + prov: "free; beats chest card 0" for prov in provinces}
    for value in range(c.N_CHEST_CARDS):
        rest = int(g["chests"][player]) - value
        cards[c.A_CHEST + value] = f"leaves {counted(rest, 'chest')}" if rest >= 0 else "more than you have"
    return cards | ({c.A_NO_CARD: "the lowest bid"} if _empty(provinces) else {})


def _effect(g: np.void, player: int, name: str, prov: int) -> str:
    """Return what an action with a province of the player would do now."""
    if name in _KIND_OF:
        return _building(g, player, _KIND_OF[name], prov)
    if name in ("confiscate_rice", "collect_taxes"):
        is_rice = name == "confiscate_rice"
        gain = counted(int((board.RICE if is_rice else board.TAX)[prov]), "rice" if is_rice else "chest")
        return f"+{gain.replace('rices', 'rice')}{_revolt(g, prov)}"
    armies = int(g["armies"][prov])
    if name.startswith("deploy"):
        new = armies + int(board.DEPLOYED_ARMIES[board.ACTION_NAMES.index(name)])
        own = [_NAMES[near] for near in _near(g, prov) if g["owner"][near] == player]
        ways = f", may move on to {', '.join(own)}" if name == "deploy_move_1_army" and own else ""
        return f"{armies} to {counted(new, 'army', 'armies')}{ways}"
    return _march(g, player, prov, armies)


def _building(g: np.void, player: int, kind: int, prov: int) -> str:
    """Return how a new building changes who has most of its kind in the region."""
    what = tuple(BUILDINGS.values())[kind]
    if g["building"][kind, prov]:
        return f"no effect: it has a {what}"
    if not g["kinds_left"][kind]:
        return f"no effect: no {what} is left"
    if g["building"][:, prov].sum() >= board.SITES[prov]:
        return "no effect: no free site"
    region = int(board.REGION[g["side"], prov])
    inside = (board.REGION[g["side"]] == region) & (g["building"][kind] == 1)
    counts = [int((inside & (g["owner"] == other)).sum()) for other in range(g["n_players"])]
    mine, best = counts[player] + 1, max(count for other, count in enumerate(counts) if other != player)
    points = int(board.POINTS_MOST[kind]) - (board.TIE_REDUCTION if mine == best else 0)
    place = f"{what} {mine} of yours in {board.REGION_NAMES[region]}, best other {best}"
    return f"{place}: +{1 + points if mine >= best else 1} a winter"


def _revolt(g: np.void, prov: int) -> str:
    """Return what the revolt costs that comes with taking from a province for the second time."""
    markers = int(g["revolts"][prov])
    armies = counted(int(g["armies"][prov]), "army", "armies")
    return f"; {counted(markers, 'farmer')} revolt against {armies}" if markers else "; then a revolt marker"


def _march(g: np.void, player: int, prov: int, armies: int) -> str:
    """Return whom the armies of a province could attack, the weakest first, and where they could go in peace."""
    if armies < 2:
        return "1 army: it has to stay"
    foes, friends = [], []
    for near in _near(g, prov):
        owner, there = int(g["owner"][near]), int(g["armies"][near])
        if owner == player:
            friends.append(_NAMES[near])
        else:
            foes.append((there, _NAMES[near] + (" (neutral)" if owner == c.NONE else f" (P{owner}: {there})")))
    words: Callable[[list[str]], str] = ", ".join
    attacks = f"; attack {words([text for _, text in sorted(foes)])}" if foes else ""
    moves = f"; move to {words(friends)}" if friends else ""
    return f"{armies - 1} can go{attacks}{moves}"


def _near(g: np.void, prov: int) -> list[int]:
    """Return the neighbours of a province that are in play."""
    found = {int(neighbour(g, prov, index)) for index in range(c.MAX_NEIGHBOURS)}
    return sorted(near for near in found if near != c.NONE and board.IN_PLAY[g["side"], g["n_players"], near])
