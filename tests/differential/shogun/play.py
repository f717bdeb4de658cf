"""Shogun on the engine and on the oracle: what is compared, and ways to play that reach what random play does not."""

from collections import Counter
from typing import Any

import numpy as np

from shogun_env.batch.batch import Batch
from shogun_env.shogun import board
from shogun_env.shogun import constants as c
from shogun_env.shogun.board import SPACE_NAMES

from ..oracle.chance import Chance
from ..oracle.game import Flow
from ..oracle.shogun.board import KINDS, SEASONS
from ..oracle.shogun.oracle import OracleGame, act, bid, seasons_left, years_left
from ..oracle.shogun.outcomes import line_outcomes
from ..oracle.shogun.planning import plan
from ..oracle.shogun.table import Table
from ..oracle.shogun.winter import end_year
from ..versus import Directed, Line, Versus, any_legal

STARTS = [
    ("sun", "preset", False), ("sun", "preset", True), ("sun", "draft", False), ("sun", "random", False),
    ("moon", "draft", False), ("moon", "random", False),
]  # fmt: skip
TOWERS = ("two_floor", "one_shot", (4, 0.3, 0.5, 0.2), (3, 0.05, 0.02, 0.0), (1, 1.0, 0.0, 0.0), (2, 0.0, 1.0, 1.0))
OPTIONS = [
    {"num_players": players, "side": side, "start": start, "shuffle_seats": shuffle, "optional_moves": optional}
    for players in (3, 4, 5)
    for side, start, shuffle in STARTS
    for optional in (False, True)
]
TOWERED = [options | {"tower": TOWERS[number % len(TOWERS)]} for number, options in enumerate(OPTIONS)]


# --- the engine's record in the oracle's words -----------------------------------------------------------------------


def names_of(table: tuple[str, ...], numbers: Any) -> list[str]:
    return [table[number] for number in numbers if number != c.NONE]


def colours_of(row: np.ndarray) -> dict[str, int]:
    keys = [*map(str, range(c.MAX_PLAYERS)), "farmers"]
    return {key: int(number) for key, number in zip(keys, row, strict=True) if number}


def plans_of(g: np.void, players: range) -> dict[int, dict[str, str | None]]:
    """Spaces filled so far by every player; none outside a round."""
    plans = {}
    for player in players:
        filled = int(g["space"]) + int(g["phase"] == c.PLAN and player < g["player"])
        cards = [int(card) for card in g["plan"][player, :filled]]
        texts = [
            None if k == c.EMPTY else board.PROVINCE_NAMES[k] if k < c.CHEST_0 else f"chest_{k - c.CHEST_0}"
            for k in cards
        ]
        plans[player] = dict(zip(SPACE_NAMES, texts, strict=False))
    return plans


def events_of(g: np.void, state: int) -> list[tuple[str, int]]:
    return sorted(board.EVENT_CARDS[number] for number in np.flatnonzero(g["event_card"] == state))


def state_of(g: np.void) -> dict[str, Any]:
    """Everything on the engine's table that the oracle's tells too."""
    players, n = range(int(g["n_players"])), int(g["n_players"])
    in_play = np.flatnonzero(board.IN_PLAY[g["side"], n])
    owners = [None if owner == c.NONE else int(owner) for owner in g["owner"]]
    drafting = g["phase"] <= c.DRAFT_GROUP
    state: dict[str, Any] = {
        "provinces": {
            board.PROVINCE_NAMES[k]: [owners[k], int(g["armies"][k]), int(g["revolts"][k]), *g["building"][:,
            k].tolist()] for k in in_play
        },
        "farmers_supply": int(g["supply"][c.FARMERS]),
        "tower": colours_of(g["tower"].sum(0)),
        "tray": colours_of(g["tray"]),
        "year": int(g["year"]),
        "over": bool(g["phase"] == c.OVER),
    }  # fmt: skip
    state |= {name: g[name][:n].tolist() for name in ("chests", "rice", "points", "supply")}
    if drafting:
        return state | draft_of(g, players)
    in_round = not state["over"] and g["season"] < c.N_SEASONS
    held = {p: int(g["position_of"][p]) + 1 for p in players if in_round and g["position_of"][p] != c.NONE}
    return state | {
        "season": (*SEASONS, "winter")[g["season"]],
        "events_unseen": events_of(g, c.EVENT_IN_DECK),
        "events_open": events_of(g, c.EVENT_OPEN),
        "event": events_of(g, c.EVENT_IN_FORCE),
        "action_cards": names_of(board.ACTION_NAMES, g["action_at"]) if in_round else [],
        "position": held,
        "special": {p: board.SPECIAL_NAMES[g["special_at"][position - 1]] for p, position in held.items()},
        "plans": plans_of(g, players) if in_round else None,
        "emptied": {p: sorted(names_of(SPACE_NAMES, np.flatnonzero(g["emptied"][p]))) for p in players}
        if in_round
        else None,
    }


def draft_of(g: np.void, players: range) -> dict[str, Any]:
    """What only the draft knows."""
    sizes = range(c.MAX_GROUP + 1)
    under = [int(k) for k in sorted(np.flatnonzero(g["under"]), key=lambda k: g["under"][k])]
    return {
        "unseen": names_of(board.PROVINCE_NAMES, np.flatnonzero(g["card"] == c.CARD_IN_DECK)),
        "buried": names_of(board.PROVINCE_NAMES, under),
        "open": names_of(board.PROVINCE_NAMES, [k for k in g["open_card"] if k != g["source"]]),
        "groups": {p: [size for size in sizes for _ in range(g["groups"][p, size])] for p in players},
    }


def oracle_state(game: Any) -> dict[str, Any]:
    """The same out of the oracle."""
    table = game.table
    state = {name: value for name, value in table.state().items() if name != "t"}
    state |= {"year": table.year, "over": table.over}
    if draft := table.draft:
        cards = [name for name in draft["open"] if name is not None]
        groups = {player: sorted(sizes) for player, sizes in draft["groups"].items()}
        return state | {"unseen": sorted(draft["unseen"]), "buried": draft["buried"], "open": cards, "groups": groups}
    in_round = not table.over and table.season != "winter"
    return state | {
        "season": table.season,
        "events_unseen": sorted(map(tuple, table.events_unseen)),
        "events_open": sorted(map(tuple, table.events_open)),
        "event": [tuple(table.event)] if table.event else [],
        "action_cards": table.action_cards if in_round else [],
        "position": table.position if in_round else {},
        "special": table.special if in_round else {},
        "plans": table.plans if in_round else None,
        "emptied": {player: sorted(spaces) for player, spaces in table.emptied.items()} if in_round else None,
    }


def game_at(g: np.void, lines: list[Line]) -> OracleGame:
    """The oracle's game at a state of the engine, with the chance of the lines to come; not in the draft."""
    state, side = state_of(g), ("sun", "moon")[g["side"]]
    chance = Chance(outcome for line in lines for outcome in line_outcomes(line))
    table = Table(players=int(g["n_players"]), side=side, chance=chance, optional_moves=bool(g["optional_moves"]))
    for name, (owner, armies, revolts, *built) in state["provinces"].items():
        table.owner[name], table.armies[name], table.revolts[name] = owner, armies, revolts
        table.buildings[name] = [kind for kind, number in zip(KINDS, built, strict=True) if number]
    for name in ("chests", "rice", "points"):
        setattr(table, name, dict(enumerate(state[name])))
    table.gains = [table.points.copy()]
    table.supply = dict(zip(table.colours, [*state["supply"], state["farmers_supply"]], strict=True))
    table.tower |= state["tower"]
    table.tray |= state["tray"]
    table.year, table.season = state["year"], state["season"]
    table.events_unseen, table.events_open = map(listed, (state["events_unseen"], state["events_open"]))
    table.event = next(iter(listed(state["event"])), None)
    table.event_name = None if g["event"] == c.NONE else board.EVENT_NAMES[g["event"]]
    table.specials = names_of(board.SPECIAL_NAMES, g["special_at"])
    if table.season in SEASONS:
        for name in ("action_cards", "position", "special", "plans", "emptied"):
            setattr(table, name, state[name])
    return OracleGame.in_the_middle(table, rest_of(table, int(g["phase"]), int(g["running"]), int(g["season"])))


def listed(cards: list[tuple[str, int]]) -> list[list[Any]]:
    return [list(card) for card in cards]


def rest_of(table: Table, phase: int, running: int, season: int) -> Flow:
    """What is still to be played: a round from its planning, its bids or one of its actions on, or the scoring."""
    if phase == c.SCORE:
        end_year(table)
    else:
        if phase == c.PLAN:
            yield from plan(table)
        if phase != c.ACTION:
            yield from bid(table)
        yield from act(table, running if phase == c.ACTION else 0)
        yield from seasons_left(table, SEASONS[season + 1 :])
    yield from years_left(table)


# --- playing ---------------------------------------------------------------------------------------------------------


def fierce(batch: Batch, rng: np.random.Generator) -> np.ndarray:
    """Always attack, with all there is; plan deployments as bids come: provinces before chest cards."""
    weights = any_legal(batch, rng)
    for row, g in enumerate(batch.games):
        if g["phase"] == c.TARGET:
            own = np.flatnonzero(g["owner"] == g["player"])
            weights[row, c.A_CARD + own] *= 0.01
            weights[row, c.A_NO_CARD] *= 0.01
        elif g["phase"] == c.NUMBER:
            weights[row, : c.A_DECK] *= np.arange(c.A_DECK) ** 8.0
    return weights


def builder(batch: Batch, rng: np.random.Generator) -> np.ndarray:
    """Put provinces that can take the building on its space, chest cards where nothing is built; never attack."""
    weights = any_legal(batch, rng)
    for row, g in enumerate(batch.games):
        if g["phase"] == c.PLAN:
            space = int(g["space"])
            fits = np.zeros(c.N_ACTIONS)
            if 1 <= space <= c.N_KINDS:
                fits[c.A_CARD : c.A_CHEST] = (g["building"][space - 1] == 0) & (g["building"].sum(0) < board.SITES)
            elif space in (1 + c.COLLECT_TAXES, 1 + c.DEPLOY_5_ARMIES, 1 + c.CONFISCATE_RICE):
                fits[c.A_CARD : c.A_CHEST] = g["revolts"] == 0
            else:
                fits[c.A_CHEST : c.A_SPECIAL] = 1
            weights[row] *= np.where(fits > 0, 1.0, 0.001)
        elif g["phase"] == c.TARGET:
            weights[row, : c.A_DECK] *= 0.001
        elif g["phase"] == c.DRAFT_CARD:
            weights[row, c.A_BURY] *= 1000
    return weights


def spender(batch: Batch, rng: np.random.Generator) -> np.ndarray:
    """Bid high, never collect: chests run out; take the deck's cards in the draft and bury when allowed."""
    weights = any_legal(batch, rng)
    for row, g in enumerate(batch.games):
        if g["phase"] == c.PLAN and g["space"] in (0, 1 + c.CONFISCATE_RICE, 1 + c.COLLECT_TAXES):
            weights[row, c.A_CHEST : c.A_SPECIAL] *= 50.0 ** np.arange(1, 1 + c.N_CHEST_CARDS)
    weights[:, c.A_DECK] *= 50
    weights[:, c.A_BURY] *= 1000
    return weights


def hunter(batch: Batch, rng: np.random.Generator) -> np.ndarray:
    """Everybody goes for player 0, who has only chest cards in the plan and may lose everything."""
    weights = fierce(batch, rng)
    for row, g in enumerate(batch.games):
        if g["phase"] == c.TARGET:
            weights[row, c.A_CARD + np.flatnonzero(g["owner"] == 0)] *= 1e6
        elif g["phase"] == c.PLAN and g["player"] == 0:
            weights[row, c.A_CHEST : c.A_SPECIAL] *= 1000 if g["space"] < c.BATTLE_MOVE_A else 0.001
        elif g["phase"] == c.PLAN:
            near = board.NEIGHBOURS[g["side"], g["n_players"]]
            at_him = ((g["owner"][near] == 0) & (near != c.NONE)).any(1)
            battle = g["space"] > c.BATTLE_MOVE_A
            weights[row, c.A_CARD : c.A_CHEST] *= np.where(at_him == battle, g["armies"] ** 3.0, 1e-9)
            weights[row] += 1e-12 * batch.legal[row]
    return weights


def hoarder(batch: Batch, rng: np.random.Generator) -> np.ndarray:
    """Tax and deploy; with a tower that keeps everything the supplies run out, the farmers' too."""
    weights = fierce(batch, rng)
    for row, g in enumerate(batch.games):
        if g["phase"] == c.PLAN:
            spaces = {1 + c.COLLECT_TAXES, 1 + c.DEPLOY_5_ARMIES, 1 + c.DEPLOY_3_ARMIES, 1 + c.DEPLOY_MOVE_1_ARMY}
            cards = slice(c.A_CARD, c.A_CHEST) if int(g["space"]) in spaces else slice(c.A_CHEST, c.A_NO_CARD)
            weights[row, cards] *= 1000
            if g["space"] == 1 + c.COLLECT_TAXES:
                weights[row, c.A_CARD : c.A_CHEST] *= g["revolts"] == 0
                weights[row] += 1e-9 * batch.legal[row]
    return weights


def lost_all(lines: list[Line]) -> bool:
    """Say whether a player had no province at a scoring."""
    return any(0 in line["provinces"] for line in lines if line["t"] == "score")


def tally(counts: Counter[str], lines: list[Line]) -> None:
    """Count what has happened in a game, to know that it did."""
    for line in lines:
        counts[line["t"]] += 1
        for name in ("result", "why", "outcome"):
            counts[str(line.get(name))] += line["t"] in ("do", "fight")
        counts["no provinces"] += line["t"] == "score" and lost_all([line])
        counts["shared win"] += line["t"] == "result" and len(line["winners"]) > 1


FOUR = {"num_players": 4, "side": "sun", "start": "random", "shuffle_seats": False, "optional_moves": False}
DIRECTED = [
    *(
        Directed(pick, 4, 1000 + 10 * number, OPTIONS[(5 + 8 * number) % len(OPTIONS)])
        for number, pick in enumerate((fierce, builder, spender) * 3)
    ),
    Directed(hunter, 100, 2000, FOUR | {"num_players": 5}, lost_all),
    Directed(hoarder, 6, 3000, FOUR | {"tower": (1, 1.0, 0.0, 0.0)}),
]
"""Reasons to skip, every outcome, burying, winters of several revolts, players without provinces. What is rarer still
has rule cases: no target (MOV.3), none left (BLD.7).
"""
REACHED = {
    "no_card", "cannot_pay", "no_site", "kind_present", "supply_short", "too_few_armies", "declined", "attacker",
    "defender", "draw", "bury", "famine", "no provinces", "moved", "attacked",
}  # fmt: skip

SHOGUN = Versus(
    name="shogun",
    state_of=state_of,
    oracle_state=oracle_state,
    game_at=game_at,
    tally=tally,
    options=TOWERED,
    picks=(any_legal, fierce, builder, spender, hunter, hoarder),
    directed={"shogun": DIRECTED},
    reached={"shogun": REACHED},
)
