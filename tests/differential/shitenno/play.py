"""Shitennō on the engine and on the oracle: what is compared, and ways to play that reach what random play does not."""

from collections import Counter
from typing import Any

import numpy as np

from shogun_env.batch.batch import Batch
from shogun_env.shitenno import constants as c

from ..oracle.chance import Chance
from ..oracle.game import Flow
from ..oracle.shitenno import board
from ..oracle.shitenno.oracle import OracleGame, even_year, odd_year, rounds
from ..oracle.shitenno.outcomes import outcomes_of
from ..oracle.shitenno.table import Table, counts
from ..versus import Directed, Line, Versus, any_legal

CONTROL = slice(board.FIRST["CONTROL_BY_TROOPS"], board.USE_DRAW_TILE)
TROOPS = slice(board.FIRST["CONTROL_BY_TROOPS"], board.FIRST["CONTROL_BY_KOKU"])
KOKU = slice(board.FIRST["CONTROL_BY_KOKU"], board.USE_DRAW_TILE)
LOT_TILES = slice(board.FIRST["LOT_TILE"], board.ACCEPT)
PAY_TILES = slice(board.PAY_JOKER, board.FIRST["PAY_CARD"])


# --- the engine's record in the oracle's words -----------------------------------------------------------------------


def counts_of(names: list[str], row: np.ndarray) -> dict[str, int]:
    """Counts as a record shows them."""
    return {name: int(number) for name, number in zip(names, row, strict=True) if number}


def state_of(g: np.void) -> dict[str, Any]:
    """Everything on the engine's table that the oracle's ``state`` tells too."""
    n = int(g["n_players"])
    provinces = {}
    for prov, name in enumerate(board.NAMES):
        filled = int(g["filled"][prov])
        kamon = np.stack([g["owner"][prov, :filled], g["golden"][prov, :filled].astype(np.int8)], 1).tolist()
        provinces[name] = {"top": None if g["top"][prov] == c.NONE else board.TROOPS[g["top"][prov]], "kamon": kamon}
    return {
        "points": g["points"][:n].tolist(),
        "seals": g["seals"][:n].tolist(),
        "kamon": g["kamon"][:n].tolist(),
        "hands": [counts_of(board.KINDS, hand) for hand in g["hand"][:n]],
        "known": [counts_of(board.TROOP_KINDS, known) for known in g["known"][:n]],
        "tiles": [counts_of(board.BONUSES, tiles) for tiles in g["tiles"][:n]],
        "provinces": provinces,
        "discard": counts_of(board.TROOP_KINDS, g["discard"]),
        "spent": counts_of(board.KOKU_KINDS, g["spent"]),
        "used": counts_of(board.BONUSES, g["used"]),
        "round": int(g["round"]),
        "pool": counts_of(board.KINDS, g["pool"]),
        "piles": [counts_of(board.TROOP_KINDS, g["pile"]), counts_of(board.KOKU_KINDS, g["koku_pile"])],
        "covered": counts_of(board.TROOPS, g["covered"]),
        "unturned": [counts_of(board.BONUSES, row) for row in g["unturned"]],
    }


def oracle_state(game: Any) -> dict[str, Any]:
    """The same out of the oracle."""
    table = game.table
    return {name: value for name, value in table.state().items() if name not in ("t", "pile")} | {
        "round": table.round,
        "pool": counts(table.pool, board.KINDS),
        "piles": [counts(table.troop_pile, board.TROOP_KINDS), counts(table.koku_pile, board.KOKU_KINDS)],
        "covered": counts(table.covered, board.TROOPS),
        "unturned": [{one: n for one in board.BONUSES if (n := table.unturned[troop, one])} for troop in board.TROOPS],
    }


def game_at(g: np.void, lines: list[Line]) -> OracleGame:
    """The oracle's game at a state of the engine between two decisions, with the chance of the lines to come."""
    chance = Chance(outcome for line in lines for outcome in outcomes_of(line, dealt=False))
    state, table = state_of(g), Table(players=int(g["n_players"]), chance=chance)
    for name in ("discard", "spent", "used", "pool", "covered"):
        setattr(table, name, Counter(state[name]))
    table.round = state["round"]
    table.troop_pile, table.koku_pile = map(Counter, state["piles"])
    table.unturned = Counter(
        {
            (troop, bonus): n
            for troop, row in zip(board.TROOPS, state["unturned"], strict=True)
            for bonus, n in row.items()
        }
    )
    for player in table.players:
        for name in ("hands", "known", "tiles"):
            getattr(table, name)[player] = Counter(state[name][player])
        for name in ("points", "seals", "kamon"):
            getattr(table, name)[player] = state[name][player]
    for name, province in state["provinces"].items():
        table.top[name], table.positions[name] = province["top"], province["kamon"]
        table.below[name] = max(0, board.STACK - 1 - len(province["kamon"]))
    return OracleGame.in_the_middle(table, rest_of(table, int(g["phase"]), int(g["rank"])))


def rest_of(table: Table, phase: int, rank: int) -> Flow:
    """What is still to be played: a round, a division whose pool is open, or the turns below a title."""
    if phase == c.DIVISION:
        yield from even_year(table)
        rank = c.N_TITLES + 1
    if phase != c.ROUND:
        yield from odd_year(table, [player for player in table.by_rank() if table.seals[player] < rank])
    yield from rounds(table)


# --- playing ---------------------------------------------------------------------------------------------------------


def eager(batch: Batch, rng: np.random.Generator) -> np.ndarray:
    """Place by troops whenever possible, pay with tiles and the joker: Kamon run out."""
    weights = any_legal(batch, rng)
    weights[:, TROOPS] *= 100
    weights[:, KOKU] *= 10
    weights[:, PAY_TILES] *= 10
    return weights


def hoarder(batch: Batch, rng: np.random.Generator) -> np.ndarray:
    """Seldom place, keep the tiles: large hands, an empty troop pile, short pools, an empty Koku pile."""
    weights = any_legal(batch, rng)
    weights[:, board.END_TURN] *= 8
    return weights


def tile_saver(batch: Batch, rng: np.random.Generator) -> np.ndarray:
    """Pay by Koku, without tiles or the joker; after 60 decisions with as many of them as possible."""
    weights = any_legal(batch, rng)
    weights[:, KOKU] *= 100
    weights[:, TROOPS] *= 3
    weights[:, PAY_TILES] *= np.where(batch.decisions < 60, 0.001, 1000)[:, None]
    weights[:, board.USE_DRAW_TILE] *= 0.01
    return weights


def small_change(batch: Batch, rng: np.random.Generator) -> np.ndarray:
    """Pay by Koku, the dearest position that can be paid, with many cards of 1; wait for it."""
    weights = any_legal(batch, rng)
    weights[:, board.FIRST["LOT_ADD"] : board.FIRST["LOT_TILE"]] *= 10
    weights[:, KOKU] *= 3
    weights[:, KOKU.start + 4 : KOKU.stop] *= 100
    weights[:, TROOPS] *= 0.3
    weights[:, board.END_TURN] *= 15
    weights[:, PAY_TILES] *= 0.01
    weights[:, board.pay_action("koku_1")] *= 1000
    return weights


def greedy_tairo(batch: Batch, rng: np.random.Generator) -> np.ndarray:
    """Lots of all cards or of none, often refused; hands differ much."""
    weights = any_legal(batch, rng)
    weights[:, LOT_TILES] *= rng.choice([0.001, 1000], (batch.num_games, 1))
    weights[:, board.REFUSE] *= 5
    weights[:, CONTROL] *= 3
    return weights


def tally(counts: Counter[str], lines: list[Line]) -> None:
    """Count what has happened in a game, to know that it did."""
    players = lines[0]["players"]
    counts["koku pile empty"] += lines[-3]["pile"][1] == 0
    counts["kamon run out"] += 0 in lines[-3]["kamon"]
    counts["empty lot"] += any(line["t"] == "lot" and not line["cards"] for line in lines)
    counts["tie of points"] += sorted(lines[-1]["points"])[-2] == max(lines[-1]["points"])
    counts["tiles help at the end"] += any(
        points > sum(int(kind[-1]) * number for kind, number in hand.items() if kind.startswith("koku"))
        for points, hand in zip(lines[-2]["koku"], lines[-3]["hands"], strict=True)
    )
    for line in lines:
        counts[line["t"]] += 1
        if line["t"] == "pool":
            counts["short pool"] += len(line["troops"]) < 2 * players
            counts["reshuffled in the pool"] += bool(line["reshuffled"])
        elif line["t"] == "draw":
            counts["reshuffled by a draw tile"] += line["reshuffled"]
        elif line["t"] == "control":
            counts[f"{line['by']} {line['position']}"] += 1
            counts["joker"] += line["joker"]
            counts["many tiles"] += line["exchanges"] + line["plus_ones"] > 2
            counts["joker to koku"] += line["joker"] and line["by"] == "koku"
            counts["joker alone"] += line["joker"] and not line["cards"]
            counts["many cards"] += len(line["cards"]) > 5


PICKS = (any_legal, eager, hoarder, tile_saver, small_change, greedy_tairo)
OPTIONS = [{"num_players": players} for players in (2, 3, 4)]
REACHED = {f"{by} {position}" for by in ("troops", "koku") for position in range(1, 5)} | {
    "koku pile empty", "kamon run out", "joker", "many tiles", "many cards", "tiles help at the end", "joker to koku",
    "sensei",
}  # fmt: skip

DIRECTED = {2: 20, 3: 10, 4: 10}
"""Games of each kind of play by number of players, which are enough to reach it all: with two it takes longest."""

SHITENNO = Versus(
    name="shitenno",
    state_of=state_of,
    oracle_state=oracle_state,
    game_at=game_at,
    tally=tally,
    options=OPTIONS,
    picks=PICKS,
    directed={
        f"shitenno of {options['num_players']}": [
            Directed(pick, DIRECTED[options["num_players"]], 100 + 1000 * number, options)
            for number, pick in enumerate(PICKS)
        ]
        for options in OPTIONS
    },
    reached={
        "shitenno of 2": REACHED,
        "shitenno of 3": REACHED | {"empty lot"},
        "shitenno of 4": REACHED | {"empty lot"},
    },
)
