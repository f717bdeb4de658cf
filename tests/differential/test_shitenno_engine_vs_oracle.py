"""Whole games of Shitenno on the engine and on the oracle: every decision, mask, score and record line, with the
chance of the record.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from shogun_env.shitenno import Batch

from .oracle import shitenno_board as board
from .oracle.shitenno_audit import audit, chance_of
from .oracle.shitenno_oracle import Chance, OracleGame

Line = dict[str, Any]
Pick = Callable[[np.ndarray, np.ndarray, np.random.Generator], np.ndarray]
"""Masks int8[B, 73], decisions made int64[B], random numbers -> weights of the actions float64[B, 73]."""

REWARDS = ("win", "rank", "margin")
CONTROL = slice(board.FIRST["CONTROL_BY_TROOPS"], board.USE_DRAW_TILE)
TROOPS = slice(board.FIRST["CONTROL_BY_TROOPS"], board.FIRST["CONTROL_BY_KOKU"])
KOKU = slice(board.FIRST["CONTROL_BY_KOKU"], board.USE_DRAW_TILE)
LOT_TILES = slice(board.FIRST["LOT_TILE"], board.ACCEPT)
PAY_TILES = slice(board.PAY_JOKER, board.FIRST["PAY_CARD"])


def any_legal(masks: np.ndarray, made: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return masks * rng.random(masks.shape)


def eager(masks: np.ndarray, made: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Place by troops whenever possible, pay with tiles and the joker: Kamon run out."""
    weights = any_legal(masks, made, rng)
    weights[:, TROOPS] *= 100
    weights[:, KOKU] *= 10
    weights[:, PAY_TILES] *= 10
    return weights


def hoarder(masks: np.ndarray, made: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Seldom place, keep the tiles: large hands, an empty troop pile, short pools, an empty Koku pile."""
    weights = any_legal(masks, made, rng)
    weights[:, board.END_TURN] *= 8
    return weights


def tile_saver(masks: np.ndarray, made: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Pay by Koku, without tiles or the joker; after 60 decisions with as many of them as possible."""
    weights = any_legal(masks, made, rng)
    weights[:, KOKU] *= 100
    weights[:, TROOPS] *= 3
    weights[:, PAY_TILES] *= np.where(made < 60, 0.001, 1000)[:, None]
    weights[:, board.USE_DRAW_TILE] *= 0.01
    return weights


def small_change(masks: np.ndarray, made: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Pay by Koku, the dearest position that can be paid, with many cards of 1; wait for it."""
    weights = any_legal(masks, made, rng)
    weights[:, board.FIRST["LOT_ADD"] : board.FIRST["LOT_TILE"]] *= 10
    weights[:, KOKU] *= 3
    weights[:, KOKU.start + 4 : KOKU.stop] *= 100
    weights[:, TROOPS] *= 0.3
    weights[:, board.END_TURN] *= 15
    weights[:, PAY_TILES] *= 0.01
    weights[:, board.pay_action("koku_1")] *= 1000
    return weights


def greedy_tairo(masks: np.ndarray, made: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Lots of all cards or of none, often refused; hands differ much."""
    weights = any_legal(masks, made, rng)
    weights[:, LOT_TILES] *= rng.choice([0.001, 1000], (len(masks), 1))
    weights[:, board.REFUSE] *= 5
    weights[:, CONTROL] *= 3
    return weights


PICKS = (any_legal, eager, hoarder, tile_saver, small_change, greedy_tairo)


def play(batch: Batch, pick: Pick, seed: int) -> list[tuple[np.ndarray, ...]]:
    """Play all games out; return players, masks, points and actions before each step."""
    rng = np.random.default_rng(seed)
    history: list[tuple[np.ndarray, ...]] = []
    while not batch.over.all():
        actions = pick(batch.legal, batch.decisions, rng).argmax(1)
        history.append((batch.player.copy(), batch.legal.copy(), batch.points.copy(), actions))
        batch.step(actions)
    return history


def compare(game: OracleGame, player: int, mask: np.ndarray, points: np.ndarray, where: str) -> None:
    """Compare decision and scores."""
    decision = game.decision()
    wanted = (-1, [0]) if decision is None else (decision[0], decision[2])
    assert (int(player), np.flatnonzero(mask).tolist()) == wanted, f"{where}: decision {decision}"
    shown = points[: len(game.table.players)].tolist()
    assert shown == game.table.by_player(game.table.points), f"{where}: points"


def compare_games(pick: Pick, count: int, seed: int, counts: Counter[str], players: int) -> None:
    """Play ``count`` games on the engine and again on the oracle, with the chance of the records."""
    reward = REWARDS[seed % len(REWARDS)]
    batch = Batch(count, seed=seed, record=True, num_players=players, reward=reward)
    history = play(batch, pick, seed)
    assert not batch.check().any()
    for row, lines in enumerate(batch.records()):
        where = f"{players} players, {pick.__name__}, seed {seed + row}"
        game = OracleGame(players=players, chance=Chance(chance_of(lines)))
        for number, (deciders, masks, points, actions) in enumerate(history):
            if game.decision() is None and deciders[row] < 0:
                break
            compare(game, deciders[row], masks[row], points[row], f"{where}, decision {number}")
            game.play(int(actions[row]))
        compare(game, batch.player[row], batch.legal[row], batch.points[row], f"{where}, end")
        assert batch.returns[row, :players] == pytest.approx(game.returns(reward), abs=1e-6), where
        made = json.loads(json.dumps(game.lines))
        for ours, engines in zip(made, lines[1:], strict=True):
            assert json.dumps(engines, sort_keys=True) == json.dumps(ours, sort_keys=True), where
        audit(json.loads(json.dumps(lines)))
        tally(counts, lines)


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


@pytest.mark.parametrize("players", [2, 3, 4])
def test_game__random_play__equals_the_oracle(players: int) -> None:
    compare_games(any_legal, 6, 1, Counter(), players)


@pytest.mark.full
@pytest.mark.parametrize("players", [2, 3, 4])
def test_game__directed_play__reaches_what_random_play_hardly_does_and_equals_the_oracle(players: int) -> None:
    counts: Counter[str] = Counter()
    for number, pick in enumerate(PICKS):
        compare_games(pick, 20, 100 + 1000 * number, counts, players)
    print(dict(counts))
    reached = {f"{by} {position}" for by in ("troops", "koku") for position in range(1, 5)}
    reached |= {"koku pile empty", "kamon run out", "joker", "many tiles", "many cards", "tiles help at the end"}
    reached |= {"joker to koku", "sensei"} | ({"empty lot"} if players > 2 else set())
    assert {name for name in reached if not counts[name]} == set()


@pytest.mark.slow
@pytest.mark.parametrize("pick", PICKS, ids=lambda pick: pick.__name__)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_game__many_games__equal_the_oracle(players: int, pick: Pick) -> None:
    counts: Counter[str] = Counter()
    compare_games(pick, 200, 100_000, counts, players)
    print(dict(counts))
