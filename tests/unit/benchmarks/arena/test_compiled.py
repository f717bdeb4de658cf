"""Compiled bots of strangers: what they can reach, what is found out, and that nobody else's games change."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from numba import config

from shogun_env.batch.policy_table import Stranger
from shogun_env.benchmarks.arena.arena import Arena
from shogun_env.benchmarks.arena.compiled import CompiledStranger, FromPython, kept_apart
from shogun_env.benchmarks.arena.seating import Seating
from shogun_env.kernel.jit import JIT, memory_policy
from shogun_env.policies import Compiled, make_agent
from tests.games import batch_class
from tests.unit.benchmarks.arena import zoo_compiled
from tests.unit.benchmarks.arena.test_process_state import DOCUMENT, game_of

ZOO = Path(zoo_compiled.__file__)
pytestmark = pytest.mark.skipif(not JIT or config.BOUNDSCHECK, reason="bounds are checked before guards are looked at")


class Case(NamedTuple):
    """A compiled bot, and what is said of it."""

    bot: str
    sentence: str
    twin: str
    """The bot of the zoo whose games are the same; ``lowest`` plays the lowest legal action."""
    text: str = ""
    """What is said of its fault."""


LENT = "is lent copies of its observation, mask, random row and parameters, between guards"
FOUND = "If it wrote past them or played an illegal action, its games are played again with bounds checks"
CASES = [
    Case("honest", LENT, "honest"),
    Case("untidy", LENT, "honest"),
    Case("memory_writer", LENT, "honest"),
    Case("peeker", LENT, "honest"),
    Case("mask_writer", FOUND, "lowest", "is illegal"),
    Case("negative", FOUND, "lowest", "action -5 is illegal"),
    Case("observation_writer", FOUND, "lowest", "IndexError: index is out of bounds"),
    Case("legal_writer", FOUND, "lowest", "IndexError: index is out of bounds"),
    Case("rng_writer", FOUND, "lowest", "IndexError: index is out of bounds"),
    Case("params_writer", FOUND, "lowest", "IndexError: index is out of bounds"),
]


class Lowest:
    """Plays the lowest legal action."""

    def act(self, view, rng):
        return view.masks.argmax(1)


def play(bot, **more):
    """Return the games of a bot, and of honest ones next to it, without names; and what was wrong."""
    arena = Arena(batch_class("shitenno"), {"num_players": 3}, agents={"lowest": Lowest()}, **more)
    games = [Seating(arena.variant, (bot, "scripted", "random"), seed, seed % 3) for seed in (1, 2)]
    honest = Seating(arena.variant, ("random", "scripted", "random"), 3, 0)
    results = arena.play_games([*games, honest])
    others = [faults for r in results for name, faults in zip(r.agents, r.faults, strict=True) if name != bot]
    assert not any(others), "nobody else is blamed"
    return [game_of(result) for result in results], arena.fault_texts


@pytest.mark.parametrize("case", CASES, ids=[case.bot for case in CASES])
def test_compiled__stranger__plays_as_its_twin_and_its_faults_are_told(case):
    assert case.sentence in " ".join(DOCUMENT.read_text("utf-8").split())
    twin = "lowest" if case.twin == "lowest" else f"{ZOO}:make:{case.twin}"
    games, texts = play(f"{ZOO}:make:{case.bot}")
    assert games == play(twin)[0]
    assert len(texts) == bool(case.text)
    assert all(case.text in text for text in texts.values())


def test_compiled__check_bounds__tells_of_reading_too():
    games, texts = play(f"{ZOO}:make:peeker", check_bounds=True)
    assert games == play("lowest")[0]
    assert list(texts.values()) == ["IndexError: index is out of bounds"]
    assert play(f"{ZOO}:make:honest", check_bounds=True) == play(f"{ZOO}:make:honest")


def test_play__stranger_writes_past_its_rows__is_an_error_that_names_the_row():
    batch = batch_class("shitenno")(3, num_players=3, num_threads=2)
    batch.play(["random", "random", Stranger(zoo_compiled.honest)])
    batch.reset()
    with pytest.raises(ValueError, match=r"^row \d: a policy wrote past the rows that it was lent$"):
        batch.play(["random", "random", Stranger(zoo_compiled.rng_writer)])
    batch.reset()
    with pytest.raises(ValueError, match="a policy wrote into its parameters or past them"):
        batch.play([(Stranger(zoo_compiled.params_writer), np.ones(3)), "random", "random"])


def test_kept_apart__the_packages_own_and_strangers():
    spec = batch_class("shogun").spec
    for own in ("scripted", "champion", "random"):
        agent = make_agent(own, spec)
        assert kept_apart(agent) is agent
    assert isinstance(kept_apart(Compiled(zoo_compiled.honest)), CompiledStranger)
    with_memory = Compiled(memory_policy(zoo_compiled.honest.function))
    assert isinstance(kept_apart(with_memory), FromPython)
    for lie in (5, (1, 2, 3), (zoo_compiled.honest, "weights"), (zoo_compiled.honest, [[1.0]]), ("random", [])):
        liar = Lowest()
        liar.compiled = lie
        with pytest.raises(ValueError, match="must be a pair"):
            kept_apart(liar)
