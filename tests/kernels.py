"""Compiles what most tests need: ``python -m tests.kernels shogun shitenno coins``.

Test processes that need the same kernel wait until one of them has compiled it. ``make kernels`` therefore compiles the
games first, side by side, as ``shogun-env warm`` does; nothing is done for a game that is in the cache.
"""

import sys
from typing import Any

from shogun_env.batch.loops import play_games
from shogun_env.batch.rollout_loops import replan_games, roll_out_games
from shogun_env.benchmarks.warm import SEARCH, TASKS, carry_out, policies_of
from tests.games import NAMES
from tests.positions import BATCHES, BOTS


def is_compiled(name: str, policies: list[Any]) -> bool:
    """Say whether the slowest loops of a game, and these policies, are in the cache."""
    batch_class = BATCHES[name]
    loops = [play_games]
    if name in NAMES:
        loops += [roll_out_games, replan_games]
    copies = [loop.of(batch_class.spec.engine) for loop in loops]
    ready = [(loop.folder / f"{loop.__name__}.ready").exists() for loop in copies]
    return all(ready) and all(any(policy.folder.glob(f"*.{policy.__qualname__}-*.nbi")) for policy, _ in policies)


def compile_kernels(name: str) -> None:
    """Call the loops of a game once, with its bots and a network."""
    policies = policies_of(BATCHES[name], BOTS[name][1:])
    if not is_compiled(name, policies):
        for task in TASKS:
            if name in NAMES or task not in SEARCH:
                carry_out(task, BATCHES[name], policies)


if __name__ == "__main__":
    for game in sys.argv[1:]:
        compile_kernels(game)
