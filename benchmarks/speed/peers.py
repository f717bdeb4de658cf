"""Other environments on comparable games: random play with the legal actions asked for before every decision.

Each is driven from Python in the way its own documentation shows, on one core. What is not installed is left out by
name; nothing of this is needed by anything else.
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
PGX_STEPS = 100


@dataclass(frozen=True)
class Peer:
    """A game of another library."""

    name: str
    module: str
    """What has to be importable."""
    make: Callable[[Any, int], Work]
    """Module, seed -> work that returns decisions and games."""
    how: str

    def work(self, seed: int) -> Work:
        """Return its work; ImportError if it is not installed, or not whole."""
        return self.make(importlib.import_module(self.module), seed)


def _open_spiel(name: str) -> Callable[[Any, int], Work]:
    """Play by ``legal_actions`` and ``apply_action``; chance is drawn from ``chance_outcomes``."""

    def make(pyspiel: Any, seed: int) -> Work:
        try:
            game = pyspiel.load_game(name)
        except pyspiel.SpielError as error:
            raise ImportError(f"open_spiel is built without it: {error}") from None
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
    """Step many games together inside one compiled loop; a game that ends starts anew."""

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
    """Play whole games of its own random players."""
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
    """Step an environment by its legal actions."""

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
    """Go round by ``agent_iter`` and ``last``, choosing from the mask."""

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
    Peer("open_spiel backgammon", "pyspiel", _open_spiel("backgammon"), "C++ stepped from Python"),
    Peer("open_spiel hanabi", "pyspiel", _open_spiel("hanabi"), "C++ stepped from Python"),
    Peer("open_spiel gin_rummy", "pyspiel", _open_spiel("gin_rummy"), "C++ stepped from Python"),
    Peer("pgx backgammon", "pgx", _pgx("backgammon"), f"JAX on the CPU, {PGX_GAMES} games together"),
    Peer("catanatron", "catanatron", _catanatron, "Python, its own random players"),
    Peer("rlcard gin-rummy", "rlcard", _rlcard("gin-rummy"), "Python"),
    Peer("rlcard uno", "rlcard", _rlcard("uno"), "Python"),
    Peer(
        "pettingzoo texas_holdem",
        "pettingzoo.classic",
        _pettingzoo("texas_holdem_no_limit_v6"),
        "Python, AEC with wrappers",
    ),
    Peer("pettingzoo chess", "pettingzoo.classic", _pettingzoo("chess_v6"), "Python, AEC with wrappers"),
)


def find_peers(seed: int) -> tuple[dict[str, Work], dict[str, str]]:
    """Return the work of every peer that is installed and runs, and why each of the others is missing."""
    os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")
    found: dict[str, Work] = {}
    missing: dict[str, str] = {}
    for peer in PEERS:
        try:
            found[peer.name] = peer.work(seed)
            found[peer.name]()  # compiles what compiles, and finds what is only imported late
        except Exception as error:  # whatever another library may raise that is half installed, or of another version
            found.pop(peer.name, None)
            missing[peer.name] = f"{type(error).__name__}: {error}".splitlines()[0]
    return found, missing
