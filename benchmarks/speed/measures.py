"""What ``benchmarks.speed`` measures: small pieces of work, each of which returns how much it did, and their timing."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np

import shogun_env
from shogun_env.batch.batch import Batch
from shogun_env.batch.policy_table import PolicySpec
from shogun_env.benchmarks.speed.kernels import choose_rows, draw, looking
from shogun_env.benchmarks.speed.networks import network_works
from shogun_env.benchmarks.speed.rollouts import rollouts_of
from shogun_env.cli import batch_class, option_arguments
from shogun_env.kernel.rng import choose
from shogun_env.policies import make_agent

Path_ = tuple[str, ...]
Work = Callable[[], Sequence[float]]
"""A function that does a piece of work and returns how much it was, one number for each of its figures."""

ROOT = Path(shogun_env.__file__).parents[1]
"""The folder that holds the package ``shogun_env``, where new processes run: a checkout, or installed packages."""
DRAWS = 5_000_000
"""Draws of the yardstick at a time."""
LONGEST_LEAD = 300
"""Games stepped from Python start up to this many decisions apart, so that they are in all phases at any time."""
LEARNT_DECISIONS = 100_000
"""Decisions of the learner for which self-play is measured."""
MANY_GAMES = 100_000
"""Games whose memory is measured."""

FIRST_STEP = """
from shogun_env import {game}_v0
env = {game}_v0.parallel_env(**{options})
_, infos = env.reset(seed=1)
env.step({{agent: int(infos[agent]["action_mask"].argmax()) for agent in env.agents}})
"""
WHOLE_GAME = """
from shogun_env.{game} import Batch
batch = Batch(2, **{options})
batch.redeal(None, 0, 1)
batch.observe()
batch.check()
batch.play(["random"] * batch.num_players)
"""
MEMORY = """
import resource, sys
from shogun_env.{game} import Batch
batch = Batch({games}, **{options})
batch.step(batch.legal.argmax(1))
batch.observe()
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024))
"""


@dataclass(frozen=True)
class Settings:
    """What to measure, and how long."""

    game: str = "shogun"
    options: Mapping[str, Any] = field(default_factory=dict)
    """Options of play, as JSON holds them."""
    seed: int = 0
    seconds: float = 0.5
    """Seconds for which each piece of work is repeated in each round."""
    rounds: int = 5
    games: int = 1024
    """Number of games of a batch."""
    sizes: tuple[int, ...] = (64, 256, 1024, 4096, 16384)
    """Sizes of the batches that are compared."""
    one_run: bool = True
    """Whether to measure what takes minutes: cold compilation, training, the memory of many games."""


@dataclass(frozen=True)
class Measure:
    """A piece of work and the figures that it gives."""

    paths: tuple[Path_, ...]
    """Paths in the tree of figures, for the first numbers that the work returns."""
    work: Work


def rates(work: Work, seconds: float) -> tuple[np.ndarray, float]:
    """Repeat ``work`` for ``seconds`` seconds, at least once.

    Returns: float64[k], the amounts of work per second; and the number of cores that this process had meanwhile, which
        is less than one on a busy machine.
    """
    done: Any = 0.0
    begin, cpu = time.perf_counter(), time.process_time()
    while True:
        done = done + np.asarray(work(), np.float64)
        spent = time.perf_counter() - begin
        if spent >= seconds:
            return np.asarray(done / spent), (time.process_time() - cpu) / spent


def num_cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


# --- work ------------------------------------------------------------------------------------------------------------


def whole_games(batch: Batch, bot: PolicySpec) -> Work:
    """Return work that plays whole games with a compiled bot on every seat: decisions, games."""
    seats = np.zeros((batch.num_games, batch.num_players), np.int8)

    def work() -> Sequence[float]:
        batch.reset()
        batch.play([bot], seats)
        return int(batch.decisions.sum()), batch.num_games

    return work


def random_rows(count: int, seed: int) -> np.ndarray:
    """Return random rows to draw from: uint64[count, 2]."""
    rows = np.zeros((count, 2), np.uint64)
    rows[:, 0] = np.random.default_rng(seed).integers(2**64, size=count, dtype=np.uint64)
    return rows


def apart(batch_type: type[Batch], count: int, seed: int, options: Mapping[str, Any]) -> Batch:
    """Return a batch whose games are at different decisions, played on at random."""
    batch = batch_type(count, seed=seed, **options)
    rngs, actions = random_rows(count, seed), np.zeros(count, np.int64)
    lead = np.random.default_rng(seed).integers(LONGEST_LEAD, size=count)
    for decision in range(LONGEST_LEAD):
        rows = np.flatnonzero(lead > decision)
        choose_rows(batch.legal, rngs, actions, 0, count)
        batch.step(actions[rows], rows)
    batch.reset(batch.over)
    return batch


def stepped(batch: Batch, seed: int) -> Work:
    """Return work that makes one step from Python and restarts games that end: decisions.

    Masks and observations of all games are made in every step. A compiled loop chooses from the masks; the observations
    are not read.
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
    """Return work that redeals all games for the players who decide: redeals."""
    seeds = iter(range(2**53))

    def work() -> Sequence[float]:
        batch.redeal(None, batch.player, next(seeds))
        return (batch.num_games,)

    return work


def parallel_game(env: Any, seed: int) -> Work:
    """Return work that plays a game of a PettingZoo parallel environment, random actions from the masks: steps."""
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
    """Return work that plays a game of a PettingZoo AEC environment, random actions from the masks: steps."""
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
    """Return work that steps a vector environment with random legal actions until row 0 ends a game: decisions."""
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
    """Return work that draws from one random stream, which shows how fast this core is just now: draws."""
    rng, out = random_rows(1, seed), np.zeros(1, np.int64)

    def work() -> Sequence[float]:
        draw(rng, out, 0, DRAWS)
        return (DRAWS,)

    return work


# --- the list --------------------------------------------------------------------------------------------------------


def measures(settings: Settings) -> list[Measure]:
    """Return everything that is measured in every round; the yardstick comes first."""
    batch_type = batch_class(settings.game)
    works = [Measure((("yardstick_per_s",),), yardstick(settings.seed))]
    for players in batch_type.spec.players:
        works += _of_players(settings, batch_type, players)
    works += _of_batches(settings, batch_type) + _of_search(settings, batch_type)
    networks = network_works(batch_type, settings.games, settings.seed, settings.options)
    works += [Measure(((name,),), work) for name, work in networks.items()]
    return works + _of_environments(settings)


def _of_players(settings: Settings, batch_type: type[Batch], players: int) -> list[Measure]:
    """Return what is measured of whole games with compiled bots, on one core and on all."""
    where = ("by_players", str(players))
    works = []
    for name, threads in (("1", 1), ("all", num_cores())):

        def add(figures: Sequence[str], bot: PolicySpec, name: str = name, threads: int = threads) -> None:
            options = {**settings.options, "num_players": players}
            batch = batch_type(settings.games, num_threads=threads, seed=settings.seed, **options)
            paths = tuple((*where, figure, name) for figure in figures)
            works.append(Measure(paths, whole_games(batch, bot)))

        add(["random_decisions_per_s", "random_games_per_s"], "random")
        add(["observed_decisions_per_s"], looking)
        try:
            scripted: Any = make_agent("scripted", batch_type.spec)
            classic: Any = make_agent("scripted:style=classic", batch_type.spec)
        except ValueError:
            continue  # the game has no such bots: the figures stay empty
        add(["scripted_decisions_per_s", "scripted_games_per_s"], scripted.compiled)
        add(["classic_decisions_per_s", "classic_games_per_s"], classic.compiled)
    return works


def _of_search(settings: Settings, batch_type: type[Batch]) -> list[Measure]:
    """Return what is measured of rollouts, on one core and on all, by the compiled loop and by a loop in Python."""
    works = []
    for kind in ("plan", "action", "game"):
        for name, threads in (("1", 1), ("all", num_cores())):
            options = {**settings.options, "seed": settings.seed}
            rollouts = rollouts_of(kind, batch_type, threads, settings.games, **options)
            if rollouts is not None:
                for figure, play in (("", rollouts.compiled), ("python_", rollouts.in_python)):
                    works.append(Measure(((f"{kind}_rollouts_{figure}per_s", name),), _counted(play)))
    return works


def _counted(play: Callable[[], np.ndarray]) -> Work:
    """Return work that plays rollouts: rollouts."""
    return lambda: (len(play()),)


def _of_batches(settings: Settings, batch_type: type[Batch]) -> list[Measure]:
    """Return what is measured of batches stepped from Python, and of batches of several sizes."""
    seed, games, options = settings.seed, settings.games, settings.options
    many = apart(batch_type, max(games, *settings.sizes), seed, options)
    works = [
        Measure((("batch_python_decisions_per_s",),), stepped(many.take(np.arange(games)), seed)),
        Measure((("redeals_per_s",),), redealt(many.take(np.arange(games)))),
    ]
    for size in settings.sizes:
        whole = whole_games(batch_type(size, **options), "random")
        played = Measure((("by_batch", str(size), "random_decisions_per_s"),), whole)
        by_step = stepped(many.take(np.arange(size)), seed)
        works += [played, Measure((("by_batch", str(size), "batch_python_decisions_per_s"),), by_step)]
    return works


def _of_environments(settings: Settings) -> list[Measure]:
    """Return what is measured of PettingZoo's and Gymnasium's environments."""
    names: Any = importlib.import_module(f"shogun_env.{settings.game}_v0")
    seed, options = settings.seed, settings.options
    vector = gymnasium.make_vec(f"shogun_env/{settings.game.capitalize()}-v0", num_envs=settings.games, **options)
    return [
        Measure((("parallel_env_steps_per_s",),), parallel_game(names.parallel_env(**options), seed)),
        Measure((("aec_env_steps_per_s",),), aec_game(names.env(**options), seed)),
        Measure((("aec_raw_env_steps_per_s",),), aec_game(names.raw_env(**options), seed)),
        Measure((("vector_env_decisions_per_s",),), learner_games(vector, seed)),
    ]


# --- fresh processes -------------------------------------------------------------------------------------------------


def _python(*arguments: str, **environment: str) -> tuple[float, str]:
    """Run this Python in a new process; return the seconds that it took and what it printed."""
    begin = time.perf_counter()
    result = subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return time.perf_counter() - begin, result.stdout


def import_seconds(settings: Settings) -> float:
    """Return the seconds of a process that starts, imports, and makes the first step of an environment."""
    return _python("-c", _code(FIRST_STEP, settings))[0]


def compile_seconds(settings: Settings) -> float:
    """Return the seconds of a process that does the same and uses every loop, with an empty kernel cache."""
    with tempfile.TemporaryDirectory() as folder:
        return _python("-c", _code(FIRST_STEP + WHOLE_GAME, settings), SHOGUN_ENV_CACHE=folder)[0]


def memory_of_many(settings: Settings) -> float:
    """Return the largest memory in bytes of a process that makes 100,000 games, steps and observes them."""
    return float(_python("-c", _code(MEMORY, settings))[1])


def _code(template: str, settings: Settings) -> str:
    """Return the source of a program for the game and the options of play that are measured."""
    return template.format(game=settings.game, options=dict(settings.options), games=MANY_GAMES)


def learning_rate(settings: Settings, decisions: int = LEARNT_DECISIONS) -> float:
    """Return the decisions per second of self-play training, learning included, without imitation."""
    with tempfile.TemporaryDirectory() as folder:
        arguments = ["--game", settings.game, *option_arguments(settings.options), "--seed", str(settings.seed)]
        arguments += ["--decisions", str(decisions), "--out", f"{folder}/run"]
        arguments += [
            "--set",
            "imitation_share=0.0",
            "--set",
            "evaluate_games=1",
            "--set",
            'evaluate_against=["random"]',
        ]
        _python("-m", "shogun_env.training.selfplay", *arguments)
        lines = Path(folder, "run", "progress.jsonl").read_text("utf-8").splitlines()
    last = json.loads(lines[-1])
    return float(last["decisions"] / last["seconds"])


def bytes_per_game(batch_type: type[Batch], settings: Settings) -> float:
    """Return the bytes of a game in a batch: its state, random rows, mask and all other arrays."""
    batch = batch_type(settings.games, **settings.options)
    return sum(buffer.nbytes for buffer in batch.buffers()) / settings.games
