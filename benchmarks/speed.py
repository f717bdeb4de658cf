"""Measure how fast a game is on this machine: ``shogun-env speed --game shitenno --json out/speed.json``.

All figures are measured round by round, each in turn, so that a slow moment of the machine does not fall on one of
them. ``--publish`` puts files of ``--json`` into ``benchmarks/speed.json``, from which documents are made.
"""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

import shogun_env
from shogun_env import FULL_GAMES, cli
from shogun_env.agents.network.agent import Network
from shogun_env.agents.network.shape import Shape, Sizes
from shogun_env.batch.batch import Batch
from shogun_env.batch.policy_table import PolicySpec
from shogun_env.batch.rollouts import ROUND, roll_out
from shogun_env.benchmarks.documents import SPEED_FIGURES, Tree
from shogun_env.benchmarks.experiment import Experiment, Played, Published, Watch, first_seed, same, setting
from shogun_env.benchmarks.markdown import markdown_table, number
from shogun_env.kernel.jit import loop, policy
from shogun_env.kernel.rng import choose
from shogun_env.kernel.types import Int, Mask, Observation, Params, Rng, Row, Rows
from shogun_env.policies import make_agent
from shogun_env.spec.game_spec import GameSpec

BUSY = 0.5
"""If a larger share of the cores is at work before a run begins, a warning is printed."""
CEILINGS = {
    "random_decisions_per_s": "no_rules_decisions_per_s",
    "observed_decisions_per_s": "no_rules_observed_decisions_per_s",
    "vector_env_decisions_per_s": "no_rules_observed_decisions_per_s",
}
"""Figures that are compared with those of a loop without rules: a share of it means the same on any machine."""
GAMES = 1024
"""Games of a batch."""
LONGEST_LEAD = 300
"""Games stepped from Python start up to this many decisions apart, so that they are in all phases at any time."""
ROOTS, SEEDS, CANDIDATES = 32, 2, 4
"""Rollouts: positions that they start from, seeds for each, and actions tried there at most."""
PLACE = Path(shogun_env.__file__).parents[1]
"""The folder that holds the package, where new processes run: a checkout, or installed packages."""
PUBLISHED = Path(__file__).with_name("speed.json")
"""The figures that documents show."""
WARM, COLD = "import_warm_s", "compile_cold_s"
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

Work = Callable[[], float]
"""A function that does a piece of work and returns how much it was."""
Figure = dict[str, float]


@dataclass(frozen=True)
class Settings(Played):
    """What to measure, and how long."""

    quick: bool = setting(False, "less than a minute, without cold compilation")
    shares: bool = setting(False, "only random, observed and vector play, as shares of a loop without rules")
    seed: int = first_seed("seed of all games")
    seconds: float = 0.5
    """Seconds for which each piece of work is repeated in each round, a fifth of it with ``quick``."""
    rounds: int = 5
    games: int = GAMES


# --- work ------------------------------------------------------------------------------------------------------------


@policy
def looking(observation: Observation, legal: Mask, rng: Rng, params: Params) -> Int:
    """Choose uniformly like the built-in bot, but as a compiled bot, for which every decision is observed."""
    return choose(rng, legal)


@loop
def choose_rows(masks: Rows, rngs: Rows, actions: Row, lo: Int, hi: Int) -> None:
    """Write into ``actions[row]`` one of the legal actions of ``masks[row]``, each equally likely."""
    for row in range(lo, hi):
        actions[row] = choose(rngs[row], masks[row])


@loop
def no_rules(states: Rows, masks: Rows, rngs: Rows, observations: Rows, decisions: Int, lo: Int, hi: Int) -> None:
    """Make decisions in rows without any rules: choose, change a state, write a mask and an observation from it.

    This is what a game cannot be faster than.

    Args: states uint8[B, S], masks int8[B, A], rngs uint64[B, 2], observations uint8[B, D], D may be 0; decisions of
        each row
    """
    for row in range(lo, hi):
        state, mask, observation = states[row], masks[row], observations[row]
        for _ in range(decisions):
            action = choose(rngs[row], mask)
            state[action] = 1 - state[action]
            for index in range(mask.shape[0]):
                mask[index] = state[index]
            mask[action] = 1
            for index in range(observation.shape[0]):
                observation[index] = state[index]


def without_rules(spec: GameSpec, count: int, observed: bool, seed: int) -> Work:
    """Return work that makes as many decisions as there would be in games that know no rules: decisions."""
    size = max(spec.obs_size, spec.state_dtype.itemsize)
    states = np.random.default_rng(seed).integers(2, size=(count, size), dtype=np.uint8)
    masks, rngs = np.ones((count, spec.n_actions), np.int8), random_rows(count, seed)
    observations = np.zeros((count, spec.obs_size if observed else 0), np.uint8)

    def work() -> float:
        no_rules(states, masks, rngs, observations, LONGEST_LEAD, 0, count)
        return float(count * LONGEST_LEAD)

    return work


def works_of(settings: Settings) -> dict[str, Work]:
    """Return what is measured in every round, on one core, by the name of its figure."""
    batch_type, seed, options = cli.batch_class(settings.game), settings.seed, dict(settings.options)
    spec = batch_type.spec

    def whole_games(bot: PolicySpec, counts_games: bool = False) -> Work:
        batch = batch_type(settings.games, seed=seed, **options)

        def work() -> float:
            batch.reset()
            batch.play([bot], 0)
            return batch.num_games if counts_games else float(batch.decisions.sum())

        return work

    scripted: Any = make_agent("scripted", spec)
    names: Any = importlib.import_module(f"shogun_env.{settings.game}_v0")
    import gymnasium  # not above: --help needs none

    def vector(copy: bool) -> Work:
        title = f"shogun_env/{settings.game.capitalize()}-v0"
        return learner_games(gymnasium.make_vec(title, num_envs=settings.games, copy=copy, **options), seed)

    works = [
        whole_games("random"),
        whole_games(looking),
        whole_games(scripted.compiled, counts_games=True),
        stepped(apart(batch_type, settings.games, seed, options), seed),
        vector(copy=True),
        vector(copy=False),
        parallel_game(names.parallel_env(**options), seed),
        rollouts(batch_type(min(ROOTS, settings.games), seed=seed, reward="margin", **options), scripted.compiled),
        whole_games(champion_of(spec)),
        without_rules(spec, settings.games, False, seed),
        without_rules(spec, settings.games, True, seed),
    ]
    return dict(zip(SPEED_FIGURES, works, strict=False))


def champion_of(spec: GameSpec) -> PolicySpec:
    """Return the champion, which draws its actions; for a game without one a network of random weights."""
    if spec.name in FULL_GAMES:
        champion: Any = make_agent("champion:greedy=false", spec)
        policy_spec: PolicySpec = champion.compiled
        return policy_spec
    shape = Shape(spec, Sizes())
    return Network(shape, shape.random_weights(0), greedy=False).compiled


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

    def work() -> float:
        choose_rows(batch.legal, rngs, actions, 0, batch.num_games)
        batch.step(actions)
        if batch.over.any():
            batch.reset(batch.over)
        batch.observe()
        return batch.num_games

    return work


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


def rollouts(roots: Batch, bot: PolicySpec) -> Work:
    """Return work that plays rollouts to the end of the round from the second round, an action forced: rollouts.

    One bot plays for everybody. Equal roots and seeds are in a row, as a search asks for them.
    """
    roots.play([bot], 0, until=ROUND)
    roots.play([bot], 0, until=roots.spec.engine.stages[0])
    jobs = np.array(
        [
            (root, seed, action)
            for root in range(roots.num_games)
            for seed in range(SEEDS)
            for action in np.flatnonzero(roots.legal[root])[:CANDIDATES]
        ]
    )

    def work() -> float:
        return len(roll_out(roots, jobs[:, 0], jobs[:, 1], [bot], 0, until=ROUND, actions=jobs[:, 2]))

    return work


# --- measuring -------------------------------------------------------------------------------------------------------


def rate(work: Work, seconds: float) -> tuple[float, float]:
    """Repeat ``work`` for ``seconds`` seconds, at least once.

    Returns: the amount of work per second; and the number of cores that this process had meanwhile, which is less than
        one on a busy machine.
    """
    done = 0.0
    begin, cpu = time.perf_counter(), time.process_time()
    while True:
        done += work()
        spent = time.perf_counter() - begin
        if spent >= seconds:
            return done / spent, (time.process_time() - cpu) / spent


def start_seconds(settings: Settings, cold: bool) -> float:
    """Return the seconds of a process that starts and makes the first step of an environment.

    Python keeps the bytecode of modules there as usual, even if this process was told not to: to compile it again in
    every process takes a tenth of a second.

    Args:
        settings: the game and its options.
        cold: begin with an empty kernel cache, and use every loop of the game.
    """
    code = (FIRST_STEP + WHOLE_GAME if cold else FIRST_STEP).format(game=settings.game, options=dict(settings.options))
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, **({"SHOGUN_ENV_CACHE": folder} if cold else {})}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        begin = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], cwd=PLACE, env=environment, check=True)
        return time.perf_counter() - begin


Sample = tuple[str, float, float | None]
"""What a round measured of a figure: its name, the value, and the cores that this process had, None for seconds."""


def measure(settings: Settings, watch: Watch) -> Iterator[Sample]:
    """Yield what each round measures of each figure.

    Raises: ValueError for an unknown game, or options of play that it does not allow.
    """
    cli.batch_class(settings.game).spec.check_options(settings.options)
    load = cli.origin()["load"]
    if load is not None and load > BUSY * cli.cores():
        busy = f"this machine is busy (load {load} on {cli.cores()} cores)"
        print(f"{busy}: figures will be low, and those per core-second a little", file=sys.stderr)
    works = works_of(settings)
    if settings.shares:
        works = {name: works[name] for name in SPEED_FIGURES if name in CEILINGS or name in CEILINGS.values()}
    for work in works.values():
        work()  # compiles kernels and fills caches
    if not settings.shares:
        start_seconds(settings, cold=False)  # keeps bytecode
    seconds = settings.seconds / 5 if settings.quick else settings.seconds
    for _ in watch.each(range(settings.rounds), lambda done: f"round {done + 1} of {settings.rounds}"):
        for name, work in works.items():
            yield name, *rate(work, seconds)
        if not settings.shares:
            yield WARM, start_seconds(settings, cold=False), None
    if not settings.quick and not settings.shares:
        yield COLD, start_seconds(settings, cold=True), None


def figures(settings: Settings, samples: Sequence[Sample]) -> Tree:
    """Return median, lowest and highest of what the rounds measured of each figure.

    A rate also has ``per_core_second``: divided by the number of cores that the process had, which is what an idle
    machine would do.
    """
    found: dict[str, Figure] = {}
    for figure in dict.fromkeys(name for name, *_ in samples):
        values = [value for name, value, _ in samples if name == figure]
        steady = [value / cores for name, value, cores in samples if name == figure and cores is not None]
        found[figure] = {"median": median(values), "min": min(values), "max": max(values)}
        found[figure] |= {"per_core_second": median(steady)} if steady else {}
    options = cli.unusual_options(cli.batch_class(settings.game).spec, settings.options)
    return {"game": settings.game, "options": options, "seed": settings.seed, "figures": found}


def shares(found: Mapping[str, Figure]) -> dict[str, float]:
    """Return what share of a loop without rules the figures of a run are, those that it has."""
    return {
        name: found[name]["per_core_second"] / found[ceiling]["per_core_second"]
        for name, ceiling in CEILINGS.items()
        if name in found and ceiling in found
    }


def published_shares(game: str) -> dict[str, float]:
    """Return the shares of the last figures that were published, empty if they have no loop without rules."""
    run = json.loads(PUBLISHED.read_text("utf-8"))["runs"].get(game, {"figures": {}})
    return shares(run["figures"])


def table(run: Tree) -> str:
    """Return the table of a run."""
    rows, of_ceiling, published = [], shares(run["figures"]), published_shares(run["game"])
    for name, figure in run["figures"].items():
        lowest, highest, middle = (number(figure[key]) for key in ("min", "max", "median"))
        steady = number(figure["per_core_second"]) if "per_core_second" in figure else "–"
        share = f"{of_ceiling[name]:.3f}" if name in of_ceiling else "–"
        before = f"{published[name]:.3f}" if name in published else "–"
        rows.append([SPEED_FIGURES[name], steady, share, before, middle, lowest, highest])
    head = f"{run['game']}; {run['machine']['cpu']}, commit {run['machine']['commit']}"
    titles = ["figure", "per core-second", "share of no rules", "published", "median", "min", "max"]
    return f"{head}\n\n{markdown_table(titles, rows)}"


def whole(runs: Sequence[tuple[Path, Tree]]) -> list[Tree]:
    """Return runs; ValueError for one without all figures, or with options of play."""
    for path, run in runs:
        if missing := [name for name in SPEED_FIGURES if name not in run["figures"]]:
            raise ValueError(f"{path} has no {', '.join(missing)}: measure again, to the end and without --quick")
        if run["options"]:
            raise ValueError(f"{path} is of games with {run['options']}: publish a run with the default options")
    return [run for _, run in runs]


EXPERIMENT = Experiment(
    name="speed",
    settings=Settings,
    measure=measure,
    figures=figures,
    table=table,
    published=Published("speed.json", ("game", "machine", "options", "figures"), same("game"), whole),
)
add_arguments, main = EXPERIMENT.add_arguments, EXPERIMENT.main
