"""The table of environments: every kind of every game, how each is made, begun and played at random."""

import copy
import importlib
import pickle
from typing import Any

import numpy as np
import pytest

from tests import coins
from tests.games import NAMES, batch_class

LEARNERS = ("single", "vector", "sb3")
KINDS = ("parallel", "aec", "raw_aec", *LEARNERS)
"""``aec`` is in PettingZoo's wrapper, ``raw_aec`` is not."""
OF_COINS = {
    "parallel": coins.CoinsParallel, "aec": coins.CoinsAEC, "raw_aec": coins.CoinsAEC, "single": coins.CoinsEnv,
    "vector": coins.CoinsVectorEnv,
}  # fmt: skip
COPIES = {"deepcopy": copy.deepcopy, "pickle": lambda env: pickle.loads(pickle.dumps(env))}
"""Ways to copy an environment; its own ``clone`` is the first."""
each_kind = pytest.mark.parametrize("kind", KINDS)
each_learner = pytest.mark.parametrize("kind", LEARNERS)


def module(name: str) -> Any:
    return importlib.import_module(f"shogun_env.{name}_v0")


def make(kind: str, name: str, rows: int = 4, **options: Any) -> Any:
    """Return an environment; those for learners but ``single`` have several games."""
    if kind == "sb3":
        sb3 = pytest.importorskip("shogun_env.envs.sb3", reason="needs [rl]")
        return sb3.MaskedVecEnv(batch_class(name), rows, **options)
    if kind == "vector":
        options["num_envs"] = rows
    if name == "coins":
        return OF_COINS[kind](**options)
    title = name.capitalize()
    names = {"parallel": "parallel_env", "aec": "env", "raw_aec": "raw_env", "single": f"{title}Env"}
    return getattr(module(name), names.get(kind, f"{title}VectorEnv"))(**options)


def single(name: str, **options: Any) -> Any:
    return make("single", name, **options)


def vector(name: str, num_envs: int, **options: Any) -> Any:
    return make("vector", name, num_envs, **options)


def bare(env: Any) -> Any:
    """Return an environment without wrappers."""
    return env.unwrapped if hasattr(env, "unwrapped") else env


def learners_of(env: Any) -> Any:
    """Return the core of an environment for learners."""
    return getattr(env, "games", env)._learners


def begin(env: Any, seed: int | None = None, **options: Any) -> Any:
    """Reset an environment of any kind."""
    if not hasattr(env, "env_method"):
        return env.reset(seed=seed, options=options or None)
    if seed is not None:
        env.seed(seed)
    if options:
        env.set_options(options)
    return env.reset()


def lowest(env: Any) -> Any:
    """Return the lowest legal action of every row of an environment for learners, as ``step`` takes it."""
    masks = env.action_masks()
    return int(masks.argmax()) if masks.ndim == 1 else masks.argmax(1)


def variants(name: str) -> list[dict[str, Any]]:
    """Options that lead through other phases than the default."""
    return [{}, *({"shogun": [{"side": "moon", "start": "draft", "optional_moves": True}]}.get(name, []))]


def each_variant(function: Any) -> Any:
    cases = [(name, options) for name in NAMES for options in variants(name)]
    return pytest.mark.parametrize(("name", "options"), cases)(function)


class Chooser:
    """Legal actions at random."""

    def __init__(self, seed: int = 0) -> None:
        self.rng = np.random.default_rng(seed)

    def one(self, mask: np.ndarray) -> int:
        return int(self.rng.choice(np.flatnonzero(mask)))

    def all(self, masks: np.ndarray) -> np.ndarray:
        return (self.rng.random(masks.shape) * masks).argmax(axis=1)

    def parallel(self, infos: dict[str, Any]) -> dict[str, int]:
        return {agent: self.one(info["action_mask"]) for agent, info in infos.items()}


def is_over(env: Any) -> bool:
    """Say whether an environment waits for a reset."""
    return not getattr(env, "_running", True) if hasattr(env, "action_masks") else not env.agents


def turn(env: Any, choose: Chooser) -> Any:
    """Return all that an environment of any kind shows and then returns for a step; a game that is over is replaced.

    Actions are chosen from the batch, which is there wherever masks are shown.
    """
    batch = bare(env).batch
    if is_over(env):
        return env.reset()
    if hasattr(env, "action_masks"):
        actions = choose.all(batch.legal)
        return env.action_masks(), env.step(actions if hasattr(env, "num_envs") else int(actions[0]))
    if hasattr(env, "look"):
        masks = [batch.legal_for(player)[0] for player in range(batch.num_players)]
        actions = {agent: choose.one(mask) for agent, mask in zip(env.agents, masks, strict=True)}
        return env.state(), env.look(), env.step(actions)
    shown = [env.observe(agent) for agent in env.agents], env.last()
    ended = env.terminations[env.agent_selection] or env.truncations[env.agent_selection]
    env.step(None if ended else choose.one(batch.legal[0]))
    return shown


def played(env: Any, most: int = 10_000, seed: int = 13) -> list[Any]:
    """Return what turns show and return, to the end of a game at most, without how many seconds games took."""
    choose = Chooser(seed)
    result: list[Any] = []
    while len(result) < most and not is_over(env):
        result.append(without_times(turn(env, choose)))
    return result


def without_times(value: Any) -> Any:
    """Leave out how many seconds a game took, as stable-baselines3 is told."""
    if isinstance(value, dict):
        return {key: without_times(each) for key, each in value.items() if key != "t"}
    return type(value)(map(without_times, value)) if isinstance(value, tuple | list) else value


def same(a: Any, b: Any) -> bool:
    """Equal as nested dicts, tuples and arrays, types of arrays included."""
    if isinstance(a, dict):
        return isinstance(b, dict) and list(a) == list(b) and all(same(a[key], b[key]) for key in a)
    if isinstance(a, tuple | list):
        return type(a) is type(b) and len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, np.ndarray):
        if a.dtype == object:
            return a.shape == b.shape and all(map(same, a.ravel(), b.ravel()))
        return a.dtype == b.dtype and np.array_equal(a, b)
    return bool(a == b)
