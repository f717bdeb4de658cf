"""Environments of the games under test, and how to play them at random."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest

from tests.games import NAMES


def module(name: str) -> Any:
    return importlib.import_module(f"shogun_env.{name}_v0")


def single(name: str, **options: Any) -> Any:
    return getattr(module(name), f"{name.capitalize()}Env")(**options)


def vector(name: str, num_envs: int, **options: Any) -> Any:
    return getattr(module(name), f"{name.capitalize()}VectorEnv")(num_envs, **options)


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
