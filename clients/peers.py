"""Compare the speed of random play with other libraries: ``python -m clients.peers --json clients/peers.json``.

Each library that is installed (open_spiel, pgx, catanatron) plays a game of its own as its documentation shows, with
the legal actions asked for before every decision. Like is compared with like, each library in the ways it has: one
game from Python, many games at a time from Python, and whole games in compiled code. All play in turn, five times, and
the median counts. The games differ, so only orders of magnitude do.
"""

import os
import random
import statistics
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib import import_module, metadata
from typing import Any

import numpy as np

from shogun_env import shogun_v0
from shogun_env.benchmarks.documents import peers_table
from shogun_env.benchmarks.speed import rate
from shogun_env.benchmarks.work import Work
from shogun_env.cli import Parser, origin, write_json
from shogun_env.shogun import Batch

ROUNDS, SECONDS = 5, 3.0
"""How often each library plays, and for how many seconds."""
GAMES, STEPS = 1024, 100
"""Games that are played together, and steps of pgx at a time."""


def own_one_game(seed: int) -> Work:
    """Return work that plays a game of Shogun, every action chosen in Python from the mask."""
    batch, chance = Batch(1, seed=seed), random.Random(seed)

    def work() -> int:
        batch.reset()
        while not batch.over[0]:
            batch.step([chance.choice(np.flatnonzero(batch.legal[0]).tolist())])
        return int(batch.decisions[0])

    return work


def own_environment(seed: int) -> Work:
    """Return work that plays a game of Shogun in the environment of PettingZoo, with observations."""
    env = shogun_v0.raw_env()
    seeds = iter(range(seed, 2**53))

    def work() -> int:
        env.reset(seed=next(seeds))
        for agent in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            over = terminated or truncated
            env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))
        return int(env.batch.decisions[0])

    return work


def own_many_from_python(seed: int) -> Work:
    """Return work that steps many games of Shogun together from Python; a game that ends starts again."""
    batch, chance = Batch(GAMES, seed=seed), np.random.default_rng(seed)

    def work() -> int:
        for _ in range(STEPS):
            counts = batch.legal.cumsum(1, np.int16)
            batch.step((counts > chance.integers(counts[:, -1])[:, None]).argmax(1))
            if batch.over.any():
                batch.reset(batch.over)
        return GAMES * STEPS

    return work


def own_whole_games(seed: int) -> Work:
    """Return work that plays many whole games of Shogun in one compiled loop."""
    batch = Batch(GAMES, seed=seed)

    def work() -> int:
        batch.reset()
        batch.play(["random"], 0)
        return int(batch.decisions.sum())

    return work


def open_spiel_backgammon(seed: int) -> Work:
    """Return work that plays a game by ``legal_actions`` and ``apply_action``, with chance from ``chance_outcomes``."""
    game: Any = import_module("pyspiel").load_game("backgammon")
    chance = random.Random(seed)

    def work() -> int:
        state, decisions = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, shares = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(chance.choices(outcomes, shares)[0])
            else:
                state.apply_action(chance.choice(state.legal_actions()))
                decisions += 1
        return decisions

    return work


def pgx_backgammon(seed: int, steps: int = STEPS) -> Work:
    """Return work that makes some steps of many games in a compiled loop on the CPU; a game that ends starts again."""
    jax, pgx = import_module("jax"), import_module("pgx")
    env = pgx.make("backgammon")
    step = jax.vmap(import_module("pgx.experimental").auto_reset(env.step, env.init))

    def one(state: Any, key: Any) -> Any:
        act, on = jax.random.split(key)
        logits = jax.numpy.where(state.legal_action_mask, 0.0, -1e9)
        state = step(state, jax.random.categorical(act, logits, axis=-1), jax.random.split(on, GAMES))
        return state, None

    many = jax.jit(lambda state, key: jax.lax.scan(one, state, jax.random.split(key, steps))[0])
    key = jax.random.PRNGKey(seed)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(key, GAMES))

    def work() -> int:
        nonlocal state, key
        key, now = jax.random.split(key)
        state = jax.block_until_ready(many(state, now))
        return GAMES * steps

    return work


def catanatron(seed: int) -> Work:
    """Return work that plays whole games between the library's own random players."""
    library: Any = import_module("catanatron")
    colors = [library.Color.RED, library.Color.BLUE, library.Color.WHITE, library.Color.ORANGE]
    players = [library.RandomPlayer(color) for color in colors]
    seeds = iter(range(seed, 2**53))

    def work() -> int:
        random.seed(next(seeds))
        game, decisions = library.Game(players), 0
        while game.winning_color() is None and game.state.num_turns < 1000:
            game.play_tick()
            decisions += 1
        return decisions

    return work


PEERS: dict[str, Callable[[int], Work]] = {
    "from Python: shogun_env, `Batch(1)`": own_one_game,
    "from Python: shogun_env, `raw_env`": own_environment,
    "from Python: open_spiel, backgammon": open_spiel_backgammon,
    "from Python: catanatron": catanatron,
    "1,024 from Python: shogun_env, `Batch(1024)`": own_many_from_python,
    "1,024 from Python: pgx, backgammon": lambda seed: pgx_backgammon(seed, 1),
    "compiled: shogun_env, Shogun": own_whole_games,
    "compiled: pgx, backgammon": pgx_backgammon,
}
LIBRARIES = ("pettingzoo", "open_spiel", "catanatron", "pgx", "jax")


def in_turn(works: Mapping[str, Work]) -> dict[str, dict[str, float]]:
    """Return median, lowest and highest of what works do per second of processor time, when they are done in turn."""
    found: dict[str, list[float]] = {name: [] for name in works}
    for work in works.values():
        work()
    for _ in range(ROUNDS):
        for name, work in works.items():
            done, cores = rate(work, SECONDS)
            found[name].append(done / cores)
    return {
        name: {"decisions_per_s": statistics.median(values), "min": min(values), "max": max(values)}
        for name, values in found.items()
    }


def main() -> int:
    """Run the command; return its exit status."""
    parser = Parser(prog="python -m clients.peers", description="Compare random play with other libraries.")
    parser.add_seed("seed of all games")
    parser.add_json("the figures")
    args = parser.parse_args()
    os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")
    works = {}
    for name, make in PEERS.items():
        try:
            works[name] = make(args.seed)
        except ImportError as error:
            print(f"{name}: {error}")
    machine, figures = origin(), in_turn(works)
    for library in LIBRARIES:
        with suppress(metadata.PackageNotFoundError):
            machine["versions"][library] = metadata.version(library)
    print(peers_table(figures, machine), end="")
    write_json(args.json, {"machine": machine, "command": "python -m clients.peers", "figures": figures})
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
