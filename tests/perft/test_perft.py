"""Counts of leaves: all sequences of a few decisions, from positions of every phase, engine against oracle."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from shogun_env.shogun import Batch
from shogun_env.shogun import constants as c
from tests.differential.oracle.shogun_oracle import Chance, OracleGame
from tests.differential.oracle.shogun_outcomes import chance_of
from tests.games import play_on

Path = tuple[int, ...]

POSITIONS: dict[str, tuple[dict[str, Any], int, int, int | None]] = {
    # options, phase whose first decision begins the tree, depth, leaves by hand where the rules tell them
    "draft": ({"num_players": 3, "start": "draft", "side": "moon"}, c.DRAFT_CARD, 4, 3 * 4 * 3 * 4),
    "plan": ({"num_players": 4}, c.PLAN, 2, 13 * 13),
    "special": ({"num_players": 5}, c.TAKE_SPECIAL, 3, 5 * 4 * 3),
    "special and on": ({"num_players": 3}, c.TAKE_SPECIAL, 4, None),
    "target": ({"num_players": 3, "start": "random"}, c.TARGET, 3, None),
    "optional target": ({"num_players": 3, "optional_moves": True}, c.TARGET, 3, None),
    "order": ({"num_players": 4}, c.REVOLT_ORDER, 2, None),
}
SMALL = ("plan", "special")


def prefix_to(options: dict[str, Any], phase: int, seed: int) -> Path:
    """Return random actions from the start to the first decision of a phase."""
    batch = Batch(1, seed=seed, **options)
    actions: list[int] = []
    for chosen in play_on(batch, seed) if batch.games["phase"][0] != phase else ():
        actions.append(int(chosen[0]))
        if batch.games["phase"][0] == phase:
            break
    return tuple(actions)


def at_paths(options: dict[str, Any], seed: int, paths: list[Path]) -> Batch:
    """Return a batch with one game at the end of each path of one length."""
    batch = Batch(len(paths), record=True, **options)
    batch.reset(seeds=np.full(len(paths), seed))
    for actions in zip(*paths, strict=True):
        batch.step(np.array(actions))
    return batch


def leaves(options: dict[str, Any], seed: int, prefix: Path, depth: int) -> list[Path]:
    """Return all paths of ``depth`` decisions behind a prefix, by the engine's masks."""
    paths = [prefix]
    for _ in range(depth):
        masks = at_paths(options, seed, paths).legal
        paths = [
            (*path, int(action)) for path, mask in zip(paths, masks, strict=True) for action in np.flatnonzero(mask)
        ]
    return paths


def oracle_leaves(options: dict[str, Any], seed: int, paths: list[Path]) -> int:
    """Count the leaves by the oracle's masks, walking every path of the engine with the chance of its game."""
    batch = at_paths(options, seed, paths)
    batch.play(["random"] * batch.num_players)
    rules = {"players": 4, "side": "sun", "start": "preset"} | {k: v for k, v in options.items() if k != "num_players"}
    rules["players"] = options["num_players"]
    last: dict[Path, int] = {}
    for path, lines in zip(paths, batch.records(), strict=True):
        game = OracleGame(chance=Chance(chance_of(lines)), **rules)
        for number, action in enumerate(path):
            decision = game.decision()
            assert decision is not None
            if number == len(path) - 1:
                last[path[:-1]] = len(decision[2])
            game.play(action)
    return sum(last.values())


def count_both(name: str) -> tuple[int, int, int | None]:
    """Count the leaves of a position with the engine and with the oracle."""
    options, phase, depth, by_hand = POSITIONS[name]
    prefix = prefix_to(options, phase, 3)
    paths = leaves(options, 3, prefix, depth)
    return len(paths), oracle_leaves(options, 3, paths), by_hand


def check(name: str) -> None:
    engine, oracle, by_hand = count_both(name)
    assert engine == oracle
    assert by_hand is None or engine == by_hand


@pytest.mark.parametrize("name", SMALL)
def test_perft__small_trees__have_as_many_leaves_as_the_oracles(name: str):
    check(name)


@pytest.mark.full
@pytest.mark.parametrize("name", [name for name in POSITIONS if name not in SMALL])
def test_perft__trees__have_as_many_leaves_as_the_oracles(name: str):
    check(name)
