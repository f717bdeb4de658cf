"""Counts of leaves: all sequences of a few decisions, from positions of every phase, engine against oracle."""

from typing import NamedTuple

import numpy as np
import pytest

from shogun_env.batch.batch import Batch
from tests.differential.oracle.chance import Chance
from tests.differential.oracles import ORACLES, game_of
from tests.games import Options, batch_class, each_game, play_on

Path = tuple[int, ...]


class Root(NamedTuple):
    """Where a tree begins."""

    game: str
    options: Options
    phase: str
    """The tree begins at its first decision."""
    depth: int
    by_hand: int | None = None
    """Leaves, where the rules tell them."""


ROOTS: dict[str, Root] = {
    "draft": Root("shogun", {"num_players": 3, "start": "draft", "side": "moon"}, "draft_card", 4, 3 * 4 * 3 * 4),
    "group": Root("shogun", {"num_players": 3, "start": "draft"}, "draft_group", 3),
    "plan": Root("shogun", {"num_players": 4}, "plan", 2, 13 * 13),
    "special": Root("shogun", {"num_players": 5}, "special", 3, 5 * 4 * 3),
    "special and on": Root("shogun", {"num_players": 3}, "special", 4),
    "target": Root("shogun", {"num_players": 3, "start": "random"}, "target", 3),
    "optional target": Root("shogun", {"num_players": 3, "optional_moves": True}, "target", 3),
    "number": Root("shogun", {"num_players": 4}, "number", 2),
    "order": Root("shogun", {"num_players": 4}, "revolt_order", 2),
    "lot": Root("shitenno", {"num_players": 3}, "form_lot", 3),
    "answer": Root("shitenno", {"num_players": 4}, "answer", 1, 2),
    "answer and on": Root("shitenno", {"num_players": 4}, "answer", 3),
    "divide": Root("shitenno", {"num_players": 2}, "divide", 4),
    "choose": Root("shitenno", {"num_players": 2}, "choose", 1, 2),
    "choose and on": Root("shitenno", {"num_players": 3}, "choose", 3),
    "turn": Root("shitenno", {"num_players": 4}, "turn", 4),
    "pay": Root("shitenno", {"num_players": 2}, "pay", 4),
    "sensei": Root("shitenno", {"num_players": 3}, "sensei", 3),
}
OPEN_ENDED = ("draft_card", "draft_group", "revolt_order")
"""Phases whose chance stands in lines that later decisions complete: the games are played to their ends."""
SMALL = ("plan", "special", "answer", "choose", "lot")


@each_game
def test_perft__roots__are_in_every_phase(name: str):
    phases = {root.phase for root in ROOTS.values() if root.game == name}
    assert phases == {*batch_class(name).spec.phase_names} - {"over"}


def prefix_to(root: Root, seed: int) -> Path:
    """Return random actions from the start to the first decision of a phase."""
    batch = batch_class(root.game)(1, seed=seed, **root.options)
    phase = batch.spec.phase_names.index(root.phase)
    actions: list[int] = []
    for chosen in play_on(batch, seed) if batch.games["phase"][0] != phase else ():
        actions.append(int(chosen[0]))
        if batch.games["phase"][0] == phase:
            break
    return tuple(actions)


def at_paths(root: Root, seed: int, paths: list[Path]) -> Batch:
    """Return a batch with one game at the end of each path of one length."""
    batch: Batch = batch_class(root.game)(len(paths), record=True, **root.options)
    batch.reset(seeds=np.full(len(paths), seed))
    for actions in zip(*paths, strict=True):
        batch.step(np.array(actions))
    return batch


def leaves(root: Root, seed: int, prefix: Path) -> list[Path]:
    """Return all paths behind a prefix, by the engine's masks."""
    paths = [prefix]
    for _ in range(root.depth):
        masks = at_paths(root, seed, paths).legal
        paths = [
            (*path, int(action)) for path, mask in zip(paths, masks, strict=True) for action in np.flatnonzero(mask)
        ]
    return paths


def oracle_leaves(root: Root, seed: int, paths: list[Path]) -> int:
    """Count the leaves by the oracle's masks, walking every path of the engine with the chance of its game."""
    batch = at_paths(root, seed, paths)
    if root.phase in OPEN_ENDED:
        batch.play(["random"] * batch.num_players)
    last: dict[Path, int] = {}
    for path, lines in zip(paths, batch.records(), strict=True):
        game = game_of(root.game, root.options, Chance(ORACLES[root.game].chance_of(lines)))
        for number, action in enumerate(path):
            decision = game.decision()
            assert decision is not None
            if number == len(path) - 1:
                last[path[:-1]] = len(decision[2])
            game.play(action)
    return sum(last.values())


@pytest.mark.parametrize(
    "name", [name if name in SMALL else pytest.param(name, marks=pytest.mark.full) for name in ROOTS]
)
def test_perft__trees__have_as_many_leaves_as_the_oracles(name: str):
    root = ROOTS[name]
    paths = leaves(root, 3, prefix_to(root, 3))
    assert len(paths) == oracle_leaves(root, 3, paths)
    assert root.by_hand is None or len(paths) == root.by_hand
