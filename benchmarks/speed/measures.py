"""What ``benchmarks.speed`` measures: small pieces of work that say how much they did, and how they are timed."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np

import shogun_env.agents as _bots  # noqa: F401 - gives the bots their names
from shogun_env.batch.batch import Batch
from shogun_env.batch.policy_table import PolicySpec
from shogun_env.benchmarks.speed.kernels import choose_rows, draw, looking
from shogun_env.cli import batch_class
from shogun_env.kernel.rng import choose
from shogun_env.policies import make_agent

Path_ = tuple[str, ...]
Work = Callable[[], Sequence[float]]
"""Does a piece of work and returns how much that was, one number for each of its figures."""

DRAWS = 5_000_000
LONGEST_LEAD = 300
"""Games stepped from Python start up to so many decisions apart, so that every phase is met at any time."""
LEARNT_DECISIONS = 100_000
MANY_GAMES = 100_000

FIRST_STEP = """
from shogun_env import {game}_v0
env = {game}_v0.parallel_env()
_, infos = env.reset(seed=1)
env.step({{agent: int(infos[agent]["action_mask"].argmax()) for agent in env.agents}})
"""
WHOLE_GAME = """
from shogun_env.{game} import Batch
batch = Batch(2)
batch.redeal(None, 0, 1)
batch.observe()
batch.check()
batch.play(["random"] * batch.num_players)
"""
MEMORY = """
import resource, sys
from shogun_env.{game} import Batch
batch = Batch({games})
batch.step(batch.legal.argmax(1))
batch.observe()
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024))
"""


@dataclass(frozen=True)
class Settings:
    """What to measure, and how long."""

    game: str = "shogun"
    seed: int = 0
    seconds: float = 0.5
    """Each piece of work is repeated for so long in each round."""
    rounds: int = 5
    games: int = 1024
    sizes: tuple[int, ...] = (64, 256, 1024, 4096, 16384)
    one_run: bool = True
    """Also measure what takes minutes: cold compilation, training, the memory of many games."""


@dataclass(frozen=True)
class Measure:
    """A piece of work and the figures made of it: paths in the tree of figures, one for each of its first numbers."""

    paths: tuple[Path_, ...]
    work: Work


def rates(work: Work, seconds: float) -> tuple[np.ndarray, float]:
    """Repeat ``work`` until ``seconds`` are over, once at least.

    Returns: float64[k], how much of each a second; and how many cores this process had meanwhile, less than one where
        others wanted them too.
    """
    done: Any = 0.0
    begin, cpu = time.perf_counter(), time.process_time()
    while True:
        done = done + np.asarray(work(), np.float64)
        spent = time.perf_counter() - begin
        if spent >= seconds:
            return np.asarray(done / spent), (time.process_time() - cpu) / spent


def num_cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


# --- work ------------------------------------------------------------------------------------------------------------


def whole_games(batch: Batch, bot: PolicySpec) -> Work:
    """Games from the start to the end, a compiled bot on every seat: decisions, games."""
    seats = np.zeros((batch.num_games, batch.num_players), np.int8)

    def work() -> Sequence[float]:
        batch.reset()
        batch.play([bot], seats)
        return int(batch.decisions.sum()), batch.num_games

    return work


def random_rows(count: int, seed: int) -> np.ndarray:
    """Return uint64[count, 2], rows to draw from."""
    rows = np.zeros((count, 2), np.uint64)
    rows[:, 0] = np.random.default_rng(seed).integers(2**64, size=count, dtype=np.uint64)
    return rows


def apart(batch_type: type[Batch], count: int, seed: int) -> Batch:
    """Return a batch whose games are at different decisions, played on at random."""
    batch = batch_type(count, seed=seed)
    rngs, actions = random_rows(count, seed), np.zeros(count, np.int64)
    lead = np.random.default_rng(seed).integers(LONGEST_LEAD, size=count)
    for decision in range(LONGEST_LEAD):
        rows = np.flatnonzero(lead > decision)
        choose_rows(batch.legal, rngs, actions, 0, count)
        batch.step(actions[rows], rows)
    batch.reset(batch.over)
    return batch


def stepped(batch: Batch, seed: int) -> Work:
    """One step from Python, games that end restarted: decisions.

    Masks and observations are made for all games in every step. A compiled loop chooses from the masks; nobody reads
    the observations.
    """
    rngs, actions = random_rows(batch.num_games, seed), np.zeros(batch.num_games, np.int64)

    def work() -> Sequence[float]:
        choose_rows(batch.legal, rngs, actions, 0, batch.num_games)
        batch.step(actions)
        if batch.over.any():
            batch.reset(batch.over)
        batch.observe()
        return (batch.num_games,)

    return work


def redealt(batch: Batch) -> Work:
    """All games dealt anew for whoever decides: redeals."""
    seeds = iter(range(2**53))

    def work() -> Sequence[float]:
        batch.redeal(None, batch.player, next(seeds))
        return (batch.num_games,)

    return work


def parallel_game(env: Any, seed: int) -> Work:
    """One game of a PettingZoo parallel environment, random actions from the masks: steps."""
    rng = random_rows(1, seed)[0]

    def work() -> Sequence[float]:
        steps = 0
        _, infos = env.reset()
        while env.agents:
            actions = {a: choose(rng, info["action_mask"]) if info["to_act"] else 0 for a, info in infos.items()}
            *_, infos = env.step(actions)
            steps += 1
        return (steps,)

    env.reset(seed=seed)
    return work


def aec_game(env: Any, seed: int) -> Work:
    """One game of a PettingZoo AEC environment, random actions from the masks: steps."""
    rng = random_rows(1, seed)[0]

    def work() -> Sequence[float]:
        steps = 0
        env.reset()
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                break
            env.step(choose(rng, observation["action_mask"]))
            steps += 1
        return (steps,)

    env.reset(seed=seed)
    return work


def learner_games(env: Any, seed: int) -> Work:
    """Steps of a vector environment until row 0 ends a game, random actions from the masks: learners' decisions."""
    rngs, actions = random_rows(env.num_envs, seed), np.zeros(env.num_envs, np.int64)
    _, infos = env.reset(seed=seed)
    masks = infos["action_mask"]

    def work() -> Sequence[float]:
        nonlocal masks
        steps, ended = 0, False
        while not ended:
            choose_rows(masks, rngs, actions, 0, env.num_envs)
            _, _, terminated, _, infos = env.step(actions)
            masks, ended = infos["action_mask"], terminated[0]
            steps += 1
        return (steps * env.num_envs,)

    return work


def yardstick(seed: int) -> Work:
    """Draws of one random stream, each waiting for the last: how fast this core is just now."""
    rng, out = random_rows(1, seed), np.zeros(1, np.int64)

    def work() -> Sequence[float]:
        draw(rng, out, 0, DRAWS)
        return (DRAWS,)

    return work


# --- the list --------------------------------------------------------------------------------------------------------


def measures(settings: Settings) -> list[Measure]:
    """Return everything that is measured in every round; the yardstick comes first."""
    batch_type = batch_class(settings.game)
    found = [Measure((("yardstick_per_s",),), yardstick(settings.seed))]
    for players in batch_type.spec.players:
        found += _of_players(settings, batch_type, players)
    return found + _of_batches(settings, batch_type) + _of_environments(settings)


def _of_players(settings: Settings, batch_type: type[Batch], players: int) -> list[Measure]:
    """Whole games with compiled bots, on one core and on all."""
    where = ("by_players", str(players))
    found = []
    for name, threads in (("1", 1), ("all", num_cores())):

        def add(figures: Sequence[str], bot: PolicySpec, name: str = name, threads: int = threads) -> None:
            batch = batch_type(settings.games, num_players=players, num_threads=threads, seed=settings.seed)
            paths = tuple((*where, figure, name) for figure in figures)
            found.append(Measure(paths, whole_games(batch, bot)))

        add(["random_decisions_per_s", "random_games_per_s"], "random")
        add(["observed_decisions_per_s"], looking)
        try:
            scripted: Any = make_agent("scripted", batch_type.spec)
        except ValueError:
            continue  # a game without such a bot: the figure stays empty
        add(["scripted_decisions_per_s", "scripted_games_per_s"], scripted.compiled)
    return found


def _of_batches(settings: Settings, batch_type: type[Batch]) -> list[Measure]:
    """Batches driven from Python, and how a decision's cost changes with their size."""
    seed, games = settings.seed, settings.games
    many = apart(batch_type, max(games, *settings.sizes), seed)
    found = [
        Measure((("batch_python_decisions_per_s",),), stepped(many.take(np.arange(games)), seed)),
        Measure((("redeals_per_s",),), redealt(many.take(np.arange(games)))),
    ]
    for size in settings.sizes:
        played = Measure((("by_batch", str(size), "random_decisions_per_s"),), whole_games(batch_type(size), "random"))
        by_step = stepped(many.take(np.arange(size)), seed)
        found += [played, Measure((("by_batch", str(size), "batch_python_decisions_per_s"),), by_step)]
    return found


def _of_environments(settings: Settings) -> list[Measure]:
    """PettingZoo's and Gymnasium's environments."""
    names: Any = importlib.import_module(f"shogun_env.{settings.game}_v0")
    vector = gymnasium.make_vec(f"shogun_env/{settings.game.capitalize()}-v0", num_envs=settings.games)
    return [
        Measure((("parallel_env_steps_per_s",),), parallel_game(names.parallel_env(), settings.seed)),
        Measure((("aec_env_steps_per_s",),), aec_game(names.env(), settings.seed)),
        Measure((("aec_raw_env_steps_per_s",),), aec_game(names.raw_env(), settings.seed)),
        Measure((("vector_env_decisions_per_s",),), learner_games(vector, settings.seed)),
    ]


# --- fresh processes -------------------------------------------------------------------------------------------------


def _python(*arguments: str, **environment: str) -> tuple[float, str]:
    """Run this Python anew from the checkout; return seconds and what it printed."""
    begin = time.perf_counter()
    found = subprocess.run(
        [sys.executable, *arguments],
        cwd=Path(__file__).parents[1],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return time.perf_counter() - begin, found.stdout


def import_seconds(game: str) -> float:
    """Return the seconds of a process that starts, imports, and makes the first step of an environment."""
    return _python("-c", FIRST_STEP.format(game=game))[0]


def compile_seconds(game: str) -> float:
    """Return the seconds of a process that does the same with an empty kernel cache, and uses every kernel."""
    with tempfile.TemporaryDirectory() as folder:
        return _python("-c", (FIRST_STEP + WHOLE_GAME).format(game=game), SHOGUN_ENV_CACHE=folder)[0]


def memory_of_many(game: str) -> float:
    """Return the most bytes a process held that made 100,000 games, stepped them and looked at them."""
    return float(_python("-c", MEMORY.format(game=game, games=MANY_GAMES))[1])


def learning_rate(game: str, seed: int) -> float:
    """Return the decisions a second of the trainer, learning included, between the first and last look at progress."""
    with tempfile.TemporaryDirectory() as folder:
        settings = ["evaluate_games=1", 'evaluate_against=["random"]']
        options = [part for text in settings for part in ("--set", text)]
        amount = ("--decisions", str(LEARNT_DECISIONS), "--seed", str(seed), "--out", f"{folder}/run")
        _python("-m", "training.selfplay", "--game", game, *amount, *options)
        lines = Path(folder, "run", "progress.jsonl").read_text("utf-8").splitlines()
        first, last = json.loads(lines[0]), json.loads(lines[-1])
    return float((last["decisions"] - first["decisions"]) / (last["seconds"] - first["seconds"]))


def bytes_per_game(batch_type: type[Batch], games: int) -> float:
    """Return what a game takes in a batch: record, random rows, mask and all else that is kept for each."""
    batch = batch_type(games)
    return sum(buffer.nbytes for buffer in batch.buffers()) / games
