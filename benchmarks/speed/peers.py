"""Other environments on comparable games: random play, with the legal actions asked for before every decision.

Each is used from Python as its own documentation shows, on one core. Libraries that are not installed are reported as
missing; nothing else needs them.
"""

from __future__ import annotations

import importlib
import os
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

Work = Callable[[], Sequence[float]]
PGX_GAMES = 1024
"""Games of pgx stepped together."""
PGX_STEPS = 100
"""Steps of pgx at a time."""


@dataclass(frozen=True)
class Peer:
    """A game of another library."""

    name: str
    module: str
    """The module that it needs."""
    make: Callable[[Any, int], Work]
    """``make(module, seed)`` returns work that returns decisions and games."""
    how: str
    """How it is run."""

    def work(self, seed: int) -> Work:
        """Return its work; ImportError if its library is not installed, or not completely."""
        return self.make(importlib.import_module(self.module), seed)


def _open_spiel(name: str) -> Callable[[Any, int], Work]:
    """Return what plays a game by ``legal_actions`` and ``apply_action``, with chance from ``chance_outcomes``."""

    def make(pyspiel: Any, seed: int) -> Work:
        try:
            game = pyspiel.load_game(name)
        except pyspiel.SpielError as error:
            raise ImportError(f"open_spiel was built without {name}: {error}") from None
        chance = random.Random(seed)

        def work() -> Sequence[float]:
            state, decisions = game.new_initial_state(), 0
            while not state.is_terminal():
                if state.is_chance_node():
                    outcomes, shares = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(chance.choices(outcomes, shares)[0])
                else:
                    state.apply_action(chance.choice(state.legal_actions()))
                    decisions += 1
            return decisions, 1

        return work

    return make


def _pgx(name: str) -> Callable[[Any, int], Work]:
    """Return what steps many games together inside one compiled loop; a game that ends starts again."""

    def make(pgx: Any, seed: int) -> Work:
        import jax  # type: ignore[import-not-found,unused-ignore]
        from pgx.experimental import auto_reset  # type: ignore[import-not-found,unused-ignore]

        env = pgx.make(name)
        step = jax.vmap(auto_reset(env.step, env.init))

        def one(carry: Any, key: Any) -> Any:
            state, games = carry
            act, on = jax.random.split(key)
            logits = jax.numpy.where(state.legal_action_mask, 0.0, -1e9)
            state = step(state, jax.random.categorical(act, logits, axis=-1), jax.random.split(on, PGX_GAMES))
            return (state, games + state.terminated.sum()), None

        def many(state: Any, key: Any) -> Any:
            return jax.lax.scan(one, (state, 0), jax.random.split(key, PGX_STEPS))[0]

        key = jax.random.PRNGKey(seed)
        state, compiled = jax.jit(jax.vmap(env.init))(jax.random.split(key, PGX_GAMES)), jax.jit(many)

        def work() -> Sequence[float]:
            nonlocal state, key
            key, now = jax.random.split(key)
            state, games = compiled(state, now)
            return PGX_GAMES * PGX_STEPS, int(games)

        return work

    return make


def _catanatron(catanatron: Any, seed: int) -> Work:
    """Return work that plays whole games between the random players of catanatron."""
    colors = [catanatron.Color.RED, catanatron.Color.BLUE, catanatron.Color.WHITE, catanatron.Color.ORANGE]
    players = [catanatron.RandomPlayer(color) for color in colors]
    seeds = iter(range(seed, 2**53))

    def work() -> Sequence[float]:
        random.seed(next(seeds))
        game = catanatron.Game(players)
        decisions = 0
        while game.winning_color() is None and game.state.num_turns < 1000:
            game.play_tick()
            decisions += 1
        return decisions, 1

    return work


def _rlcard(name: str) -> Callable[[Any, int], Work]:
    """Return what steps an environment by its legal actions."""

    def make(rlcard: Any, seed: int) -> Work:
        env, chance = rlcard.make(name, config={"seed": seed}), random.Random(seed)

        def work() -> Sequence[float]:
            state, _ = env.reset()
            decisions = 0
            while not env.is_over():
                state, _ = env.step(chance.choice(list(state["legal_actions"])))
                decisions += 1
            return decisions, 1

        return work

    return make


def _pettingzoo(name: str) -> Callable[[Any, int], Work]:
    """Return what plays a game by ``agent_iter`` and ``last``, choosing from the mask."""

    def make(classic: Any, seed: int) -> Work:
        env, chance = importlib.import_module(f"{classic.__name__}.{name}").env(), np.random.default_rng(seed)
        env.reset(seed=seed)

        def work() -> Sequence[float]:
            decisions = 0
            env.reset()
            for _ in env.agent_iter():
                observation, _, terminated, truncated, info = env.last()
                if terminated or truncated:
                    break
                mask = observation["action_mask"] if isinstance(observation, dict) else info["action_mask"]
                env.step(int(chance.choice(np.flatnonzero(mask))))
                decisions += 1
            return decisions, 1

        return work

    return make


PEERS = (
    Peer(name="open_spiel backgammon", module="pyspiel", make=_open_spiel("backgammon"), how="C++ stepped from Python"),
    Peer(name="open_spiel hanabi", module="pyspiel", make=_open_spiel("hanabi"), how="C++ stepped from Python"),
    Peer(name="open_spiel gin_rummy", module="pyspiel", make=_open_spiel("gin_rummy"), how="C++ stepped from Python"),
    Peer(
        name="pgx backgammon", module="pgx", make=_pgx("backgammon"), how=f"JAX on the CPU, {PGX_GAMES} games together"
    ),
    Peer(name="catanatron", module="catanatron", make=_catanatron, how="Python, its own random players"),
    Peer(name="rlcard gin-rummy", module="rlcard", make=_rlcard("gin-rummy"), how="Python"),
    Peer(name="rlcard uno", module="rlcard", make=_rlcard("uno"), how="Python"),
    Peer(
        name="pettingzoo texas_holdem",
        module="pettingzoo.classic",
        make=_pettingzoo("texas_holdem_no_limit_v6"),
        how="Python, AEC with wrappers",
    ),
    Peer(
        name="pettingzoo chess",
        module="pettingzoo.classic",
        make=_pettingzoo("chess_v6"),
        how="Python, AEC with wrappers",
    ),
)


def find_peers(seed: int) -> tuple[dict[str, Work], dict[str, str]]:
    """Return the work of every peer that is installed and runs, and for each of the others why it is missing."""
    os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")
    works: dict[str, Work] = {}
    missing: dict[str, str] = {}
    for peer in PEERS:
        try:
            work = peer.work(seed)
            work()  # compiles, and imports what the library imports late
        except Exception as error:  # a library of another version, or half installed, may raise anything
            missing[peer.name] = f"{type(error).__name__}: {error}".splitlines()[0]
        else:
            works[peer.name] = work
    return works, missing
