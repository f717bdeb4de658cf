"""Whole games on an engine and on its oracle, side by side: every decision, mask, state, reward and record line, with
the chance of the engine's record.
"""

import json
from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

from shogun_env.batch.batch import Batch
from tests.games import Options, batch_class

from .oracle.chance import Chance
from .oracles import ORACLES, game_of

Line = dict[str, Any]
Pick = Callable[[Batch, np.random.Generator], np.ndarray]
"""Batch, random numbers -> weights of the actions float64[B, A]."""


class Directed(NamedTuple):
    """Games played in a way that reaches what random play hardly ever reaches."""

    pick: Pick
    count: int
    seed: int
    options: Options
    is_of_interest: Callable[[list[Line]], bool] = bool
    """Which of the records are worth comparing."""


class Versus(NamedTuple):
    """What the comparison needs to know of a game."""

    name: str
    state_of: Callable[[np.void], dict[str, Any]]
    """Record of the engine -> its state in the oracle's words."""
    oracle_state: Callable[[Any], dict[str, Any]]
    """Oracle's game -> its state."""
    game_at: Callable[[np.void, list[Line]], Any]
    """State of the engine before a case, lines of the case -> the oracle's game there, with the chance of the lines."""
    tally: Callable[[Counter[str], list[Line]], None]
    """Counts what has happened in a game, to know that it did."""
    options: list[Options]
    """All combinations to play."""
    picks: tuple[Pick, ...]
    directed: dict[str, list[Directed]]
    """Sets of directed games."""
    reached: dict[str, set[str]]
    """What each set must come to, as ``tally`` counts it."""


class Step(NamedTuple):
    """What a batch shows before a step, and the actions of the step."""

    games: np.ndarray
    player: np.ndarray
    legal: np.ndarray
    actions: np.ndarray


def any_legal(batch: Batch, rng: np.random.Generator) -> np.ndarray:
    weights: np.ndarray = batch.legal * rng.random(batch.legal.shape)
    return weights


def play(batch: Batch, pick: Pick, seed: int) -> list[Step]:
    """Play all games out; return what was before each step."""
    rng = np.random.default_rng(seed)
    history = []
    while not batch.over.all():
        actions = pick(batch, rng).argmax(1)
        history.append(Step(batch.games.copy(), batch.player.copy(), batch.legal.copy(), actions))
        batch.step(actions)
    return history


def compare(versus: Versus, game: Any, g: np.void, mask: np.ndarray, where: str) -> None:
    """Compare decision and state."""
    decision = game.decision()
    expected = (-1, [0]) if decision is None else (decision[0], decision[2])
    assert (int(g["player"]), np.flatnonzero(mask).tolist()) == expected, f"{where}: decision {decision}"
    engine_state = versus.state_of(g)
    for name, value in versus.oracle_state(game).items():
        assert engine_state[name] == value, f"{where}: {name}"


def compare_games(versus: Versus, directed: Directed, counts: Counter[str]) -> None:
    """Play games on the engine, and those of interest again, with the chance of the record, on the oracle."""
    pick, count, seed, options, is_of_interest = directed
    make = batch_class(versus.name)
    reward = make.spec.rewards[seed % len(make.spec.rewards)]
    batch = make(count, seed=seed, record=True, reward=reward, **options)
    history = play(batch, pick, seed)
    assert not batch.check().any()
    for row, lines in enumerate(batch.records()):
        if is_of_interest(lines):
            where = f"{options}, {pick.__name__}, seed {seed + row}"
            game = game_of(versus.name, options, Chance(ORACLES[versus.name].chance_of(lines)))
            compare_game(versus, game, [Step(*(part[row] for part in step)) for step in history], lines[1:], where)
            compare(versus, game, batch.games[row], batch.legal[row], f"{where}, end")
            returns = batch.returns[row, : batch.num_players]
            assert returns == pytest.approx(game.returns(reward), abs=1e-6), f"{where}: returns"
            versus.tally(counts, lines)


def compare_game(versus: Versus, game: Any, steps: list[Step], lines: list[Line], where: str) -> None:
    """Play the steps of an engine on the oracle, comparing before each, then the lines that both have written."""
    for number, step in enumerate(steps):
        if step.player < 0:
            break
        compare(versus, game, step.games, step.legal, f"{where}, decision {number}")
        game.play(int(step.actions))
    lines_of_oracle = json.loads(json.dumps(game.lines))
    for ours, engines in zip(lines_of_oracle, in_order(lines, lines_of_oracle, ORACLES[versus.name].free), strict=True):
        assert json.dumps(engines, sort_keys=True) == json.dumps(ours, sort_keys=True), where


def in_order(lines: list[Line], other: list[Line], free: tuple[str, ...]) -> list[Line]:
    """Put the lines whose order is free in the order of the other record; they come first."""
    moved = [line for line in other if line["t"] in free and line in lines]
    return moved + [line for line in lines if line["t"] not in free]
