"""Compile all kernels of the games at once: ``shogun-env warm``.

Games compile what they need when they first need it. After this command nothing waits for that any more: loops, search,
the scripted bots and networks are in the cache. What is there already is only loaded.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np

from shogun_env import GAMES
from shogun_env.cli import Parser, batch_class, cores, count, progress

if TYPE_CHECKING:
    from shogun_env.batch.batch import Batch

# The engine is imported where it is used: --help does without.

ROWS = 4
"""Games of the batches that are played to have their loops compiled."""
Policies = list[Any]
"""Pairs of a compiled policy and its parameters."""


def policies_of(batch_type: type[Batch], bots: Sequence[str] = ("scripted",)) -> Policies:
    """Return the policies of bots, and of a small network: a larger one has the same kernels."""
    from shogun_env.agents.network.agent import Network
    from shogun_env.agents.network.shape import Shape, Sizes
    from shogun_env.policies import compiled_policy

    spec = batch_type.spec
    shape = Shape(spec, Sizes(place_width=6, trunk_width=16, value_width=8))
    network = Network(shape, shape.random_weights(0))
    return [*(compiled_policy(bot, spec) for bot in bots), network.compiled]


FIRST, SEARCH = ("start", "bots"), ("roll out", "replan")
AFTER = (*SEARCH, "play", "step", "redeal", "collect")
"""What is done with a batch, those first that take longest; each builds on what ``FIRST`` compiles."""
TASKS = (*FIRST, *AFTER)


def carry_out(task: str, batch_type: type[Batch], policies: Policies) -> None:
    """Have compiled what a task needs."""
    from shogun_env.batch.collecting import answers, collect
    from shogun_env.batch.float_view import FloatView
    from shogun_env.batch.rollouts import Worth, replan, roll_out

    if task == "bots":
        for policy, _ in policies:
            _ = policy.kernel, policy.planner and policy.planner.kernel
        return
    batch, rows = batch_type(ROWS, seed=1), np.arange(ROWS)
    seats = rows[:, None] % len(policies) + np.zeros(batch.num_players, np.int64)
    if task == "roll out":
        roll_out(batch, rows, rows, policies, seats, worth=Worth(reward="margin"))
    elif task == "replan":
        replan(batch, batch.player, 1, policies, seats)
    elif task == "play":
        batch.play(policies, seats)
    elif task == "step":
        batch.step(batch.legal.argmax(1))
        batch.legal_for(0)
        batch.refresh()
        FloatView(batch.spec, features=True).show(batch.observe())
        batch.spec.plan_sheet(batch.games[0])
        batch.spec.division(batch.games[0], 0)
    elif task == "redeal":
        batch.redeal(None, 0, 1)
        batch.check()
    elif task == "collect":
        answers(collect(batch, policies, seats), policies[0], batch.spec)


def _run(game: str, task: str) -> None:
    """Carry out a task in a process of its own, in which nobody reads what the compiler says."""
    sys.stderr.flush()
    with open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), 2)
    carry_out(task, batch_class(game), policies_of(batch_class(game)))


def warm(games: Sequence[str], jobs: int, show: Callable[[float, str], None]) -> None:
    """Compile everything of these games in ``jobs`` processes; ``show`` is told after each task how many are done."""
    done, context = 0, multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=context, max_tasks_per_child=1) as pool:
        for tasks in (FIRST, AFTER):
            pairs = [(game, task) for task in tasks for game in games]
            for pair, _ in zip(pairs, pool.map(_run, *zip(*pairs, strict=True)), strict=True):
                done += 1
                show(done, ": ".join(pair))


def add_arguments(parser: Parser, game: str) -> None:
    """Add the arguments of the command."""
    parser.add_game("only this game (all)", default=None)
    parser.add_argument("--jobs", type=count, default=cores(), metavar="N", help="processes (one per core)")


def main(args: argparse.Namespace) -> None:
    """Run the command."""
    from shogun_env.kernel.jit import JIT

    if not JIT:
        raise ValueError("NUMBA_DISABLE_JIT is set: nothing is compiled")
    games = [args.game] if args.game else list(GAMES)
    begin = time.monotonic()
    with progress("warm", len(games) * len(TASKS)) as show:
        warm(games, args.jobs, show)
    print(f"all kernels of {' and '.join(games)} are in the cache, after {time.monotonic() - begin:.0f} s")
