"""The games under test: options that lead through all of each, and random play from Python."""

import importlib
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest

import shogun_env
from shogun_env.batch.batch import Batch

NAMES = shogun_env.FULL_GAMES
GAMES = (*NAMES, "shikoku", "coins")
"""With the small ones: the game that is solved, and one that no file of the package knows."""

Options = dict[str, Any]

STARTS: tuple[Options, ...] = (
    {"side": "sun", "start": "preset"},
    {"side": "sun", "start": "preset", "shuffle_seats": True},
    {"side": "sun", "start": "draft"},
    {"side": "sun", "start": "random"},
    {"side": "moon", "start": "draft"},
    {"side": "moon", "start": "random"},
)
TOWERS = ("two_floor", "one_shot", (4, 0.3, 0.5, 0.2), (1, 1.0, 0.0, 0.0), (3, 0.0, 1.0, 1.0))

KINDS: dict[str, list[Options]] = {
    "shogun": [
        {
            "num_players": 3 + (number + number // len(STARTS)) % 3,
            "tower": TOWERS[number % len(TOWERS)],
            "optional_moves": (number + number // len(STARTS)) % 2 == 0,
            **STARTS[number % len(STARTS)],
        }
        for number in range(3 * len(STARTS))
    ],
    "shitenno": [{"num_players": players} for players in (2, 3, 4)],
}
"""Options of games that between them lead through everything; of Shogun every start first, and every start for every
number of players in all.
"""
FEW = len(STARTS)
"""Number of kinds of a game, from the first on, that lead through every phase."""

UNKNOWABLE = {"shogun": {"tower"}, "shitenno": set()}
"""Fields that a tape does not determine: nobody knows on which floor a cube rests."""

RARE: dict[str, dict[str, float]] = {"shogun": {"deck": 20.0, "bury": 1e6}, "shitenno": {}}
"""Actions that random play hardly ever meets, and how much likelier to make them. Burying needs two cards that are
still open at the next turn, which happens when most cards are taken from the deck.
"""


def batch_class(name: str) -> Any:
    return importlib.import_module("tests.coins" if name == "coins" else f"shogun_env.{name}").Batch


def each_engine(function: Any) -> Any:
    """Run a test once for each game, with its ``Batch``."""
    return pytest.mark.parametrize("engine", [batch_class(name) for name in NAMES], ids=NAMES)(function)


def each_game(function: Any) -> Any:
    return pytest.mark.parametrize("name", NAMES)(function)


def each_of_all_games(function: Any) -> Any:
    return pytest.mark.parametrize("name", GAMES)(function)


def each_game_and_player_count(function: Any) -> Any:
    cases = [(name, players) for name in NAMES for players in batch_class(name).spec.players]
    return pytest.mark.parametrize(("name", "players"), cases)(function)


def some_action(batch: Batch, rng: np.random.Generator) -> np.ndarray:
    """Return a legal action for every game: int[B]."""
    return (batch.legal * rng.random(batch.legal.shape)).argmax(1)


@cache
def rarity(name: str) -> np.ndarray:
    """Weights of a game's actions: float64[A]."""
    game = batch_class(name).spec
    return np.array([RARE[name].get(game.action_name(action), 1.0) for action in range(game.n_actions)])


def rare_action(batch: Batch, rng: np.random.Generator) -> np.ndarray:
    """Return a legal action for every game, more often one that random play hardly ever meets."""
    return (batch.legal * rng.random(batch.legal.shape) * rarity(batch.spec.name)).argmax(1)


Pick = Callable[[Batch, np.random.Generator], np.ndarray]


def play_on(batch: Batch, seed: int, most: int = 10_000, pick: Pick = some_action) -> Iterator[np.ndarray]:
    """Play random legal actions until all games are over, or ``most`` steps; yields the actions after each step."""
    rng = np.random.default_rng(seed)
    for _ in range(most):
        if batch.over.all():
            return
        actions = pick(batch, rng)
        batch.step(actions)
        yield actions


def advance(batch: Batch, seed: int, most: int) -> None:
    """Play so many random steps, or to the end."""
    for _ in play_on(batch, seed, most):
        pass


def game_after(name: str, steps: int, seed: int = 0, **options: Any) -> Any:
    """Return a batch of one game some random decisions on."""
    batch = batch_class(name)(1, seed=seed, **options)
    advance(batch, seed, steps)
    return batch


def game_at_phase(name: str, phase: str, **options: Any) -> Any:
    """Return a batch of one game at its first decision of a phase."""
    names = batch_class(name).spec.phase_names
    for seed in range(50):
        batch = batch_class(name)(1, seed=seed, **options)
        steps = play_on(batch, seed)
        while names[batch.games["phase"][0]] != phase and not batch.over[0]:
            next(steps)
        if names[batch.games["phase"][0]] == phase:
            return batch
    raise AssertionError(f"no game of {name} with {options} reaches the phase {phase}")


def content(batch: Batch) -> list[bytes]:
    """Return everything a batch holds, as bytes."""
    return [buffer.tobytes() for buffer in batch.buffers()]


def tape_of(batch: Batch, row: int = 0) -> list[tuple[int, int]]:
    """Return the chance outcomes of a game, in the order in which the engine takes them, from its record."""
    return batch.spec.record_format.script(batch.records([row])[0]).tape()
