"""The work whose speed is measured: games played inside the engine and from Python."""

import importlib
from collections.abc import Callable, Mapping
from typing import Any

import gymnasium
import numpy as np

from shogun_env import FULL_GAMES
from shogun_env.agents.network.agent import Network
from shogun_env.agents.network.shape import Shape, Sizes
from shogun_env.batch.policy_table import PolicySpec
from shogun_env.benchmarks.documents import SPEED_FIGURES
from shogun_env.cli import batch_class
from shogun_env.kernel.jit import loop, policy
from shogun_env.kernel.rng import choose
from shogun_env.kernel.types import Int, Mask, Observation, Params, Rng, Row, Rows
from shogun_env.policies import compiled_policy
from shogun_env.spec.game_spec import GameSpec

Work = Callable[[], float]
"""A function that does a piece of work and returns how much it was."""


@policy
def looking(observation: Observation, legal: Mask, rng: Rng, params: Params) -> Int:
    """Choose uniformly like the built-in bot, but as a compiled bot, for which every decision is observed."""
    return choose(rng, legal)


@loop
def choose_rows(masks: Rows, rngs: Rows, actions: Row, lo: Int, hi: Int) -> None:
    """Write into ``actions[row]`` one of the legal actions of ``masks[row]``, each equally likely."""
    for row in range(lo, hi):
        actions[row] = choose(rngs[row], masks[row])


def works_of(game: str, options: Mapping[str, Any], games: int, seed: int) -> dict[str, Work]:
    """Return what is measured in every round, on one core, by the name of its figure.

    Args: name of the game; options of play; games of a batch; seed of all games.
    """
    batch_type = batch_class(game)
    spec = batch_type.spec

    def whole_games(bot: PolicySpec, counts_games: bool = False) -> Work:
        batch = batch_type(games, seed=seed, **options)

        def work() -> float:
            batch.reset()
            batch.play([bot], 0)
            return batch.num_games if counts_games else float(batch.decisions.sum())

        return work

    names: Any = importlib.import_module(f"shogun_env.{game}_v0")

    def vector(copy: bool, observation: str) -> Work:
        title = f"shogun_env/{game.capitalize()}-v0"
        envs = gymnasium.make_vec(title, num_envs=games, copy=copy, observation=observation, **options)
        return learner_games(envs, seed)

    works = [
        whole_games("random"),
        whole_games(looking),
        whole_games(compiled_policy("scripted", spec), counts_games=True),
        vector(copy=True, observation="flat"),
        vector(copy=False, observation="flat"),
        vector(copy=True, observation="bytes"),
        parallel_game(names.parallel_env(**options), seed),
        whole_games(champion_of(spec)),
    ]
    return dict(zip(SPEED_FIGURES, works, strict=False))


def champion_of(spec: GameSpec) -> PolicySpec:
    """Return the champion, which draws its actions; for a game without one a network of random weights."""
    if spec.name in FULL_GAMES:
        return compiled_policy("champion:greedy=false", spec)
    shape = Shape(spec, Sizes())
    return Network(shape, shape.random_weights(0), greedy=False).compiled


def random_rows(count: int, seed: int) -> np.ndarray:
    """Return random rows to draw from: uint64[count, 2]."""
    rows = np.zeros((count, 2), np.uint64)
    rows[:, 0] = np.random.default_rng(seed).integers(2**64, size=count, dtype=np.uint64)
    return rows


def learner_games(env: Any, seed: int) -> Work:
    """Return work that steps a vector environment with random legal actions until row 0 ends a game: decisions."""
    rngs, actions = random_rows(env.num_envs, seed), np.zeros(env.num_envs, np.int64)
    _, infos = env.reset(seed=seed)
    masks = infos["action_mask"]

    def work() -> float:
        nonlocal masks
        steps, ended = 0, False
        while not ended:
            choose_rows(masks, rngs, actions, 0, env.num_envs)
            _, _, terminated, _, infos = env.step(actions)
            masks, ended = infos["action_mask"], terminated[0]
            steps += 1
        return float(steps * env.num_envs)

    return work


def parallel_game(env: Any, seed: int) -> Work:
    """Return work that plays a game of a PettingZoo parallel environment, random actions from the masks: steps."""
    rng = random_rows(1, seed)[0]

    def work() -> float:
        steps = 0
        _, infos = env.reset()
        while env.agents:
            actions = {a: choose(rng, info["action_mask"]) if info["to_act"] else 0 for a, info in infos.items()}
            *_, infos = env.step(actions)
            steps += 1
        return steps

    env.reset(seed=seed)
    return work
