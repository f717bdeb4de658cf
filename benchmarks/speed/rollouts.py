"""What ``benchmarks.speed`` measures of search: rollouts by the compiled loop, and the same by a loop in Python."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from shogun_env.agents.search.agent import PLANNING
from shogun_env.batch.batch import Batch
from shogun_env.batch.policy_table import PolicySpec
from shogun_env.batch.rollouts import ROUND, replan, roll_out
from shogun_env.policies import make_agent

ROOTS = 32
"""Positions from which games are played on, at most."""
SEEDS = 2
"""Seeds that all candidates of a root meet."""
CANDIDATES = 4
"""Actions or plans that are compared at a root, at most."""
PLAN = "plan"
"""The stage that ends when everybody has planned."""


@dataclass(frozen=True)
class Job:
    """One rollout: root, seed, and the action or the whole plan that the player who decides there is made to choose."""

    root: int
    seed: int
    forced: int | np.ndarray


@dataclass(frozen=True)
class Rollouts:
    """Rollouts in which one bot plays for everybody, with equal roots and seeds in a row, as a search asks for them."""

    roots: Batch
    bot: PolicySpec
    jobs: Sequence[Job]
    until: str | None
    """The stage that they end after; None: the game."""

    def compiled(self) -> np.ndarray:
        """Play all of them in one call, on the threads of the roots; return their worths float64[n, P]."""
        root_of = np.array([job.root for job in self.jobs])
        seeds = np.array([job.seed for job in self.jobs])
        is_plan = isinstance(self.jobs[0].forced, np.ndarray)
        forced: dict[str, Any] = {"plans" if is_plan else "actions": np.array([job.forced for job in self.jobs])}
        return roll_out(self.roots, root_of, seeds, [self.bot], 0, until=self.until, **forced)

    def in_python(self) -> np.ndarray:
        """Play each in a copy of its root, on as many Python threads; return their worths float64[n, P]."""
        threads = self.roots.num_threads
        if threads == 1:
            return np.array([self._play(job) for job in self.jobs])
        with ThreadPoolExecutor(threads) as pool:
            return np.array(list(pool.map(self._play, self.jobs)))

    def _play(self, job: Job) -> np.ndarray:
        """Play one rollout with the methods of ``Batch``; return what it is worth to each player."""
        game = self.roots.take([job.root])
        player = int(game.player[0])
        if isinstance(job.forced, np.ndarray):
            game.redeal(None, player, job.seed)
            self._plan(game, player, job.forced)
        else:
            replan(game, player, job.seed, [self.bot], 0)
            game.step([job.forced])
        is_played = False
        while not is_played:
            try:
                game.play([self.bot], 0, until=self.until)
                is_played = True
            except ValueError:  # the bot can say nothing legal to what was forced: the lowest action, as in the loop
                game.step([int(game.legal[0].argmax())])
        worths: np.ndarray = game.returns[0]
        return worths

    def _plan(self, game: Batch, player: int, plan: np.ndarray) -> None:
        """Let everybody plan: ``player`` as given, card by card, the others by the bot."""
        others = np.zeros((1, game.num_players), np.int8)
        others[0, player] = -1
        plan_slot = game.spec.engine.plan_slot
        assert plan_slot is not None, "whole plans are forced in games with plans only"
        while (slot := plan_slot(game.games[0])) >= 0:
            if game.player[0] == player:
                game.step([plan[slot]])
            else:
                game.play([self.bot], others, until=PLAN)


def rollouts_of(kind: str, batch_type: type[Batch], threads: int, games: int, **options: Any) -> Rollouts | None:
    """Return rollouts of a kind between scripted bots; None for a game that has no such bot or no plans.

    Args:
        kind: ``plan`` forces whole plans and ends with the round, ``action`` forces an action after the planning and
            ends with the round, ``game`` does the same and ends with the game.
        batch_type: the game's ``Batch``.
        threads: number of threads.
        games: number of roots, up to 32.
        options: options of play, and ``seed``.
    """
    spec = batch_type.spec
    is_plan = kind == "plan"
    try:
        bot: Any = make_agent("scripted", spec)
    except ValueError:
        return None
    if is_plan and spec.name not in PLANNING:
        return None
    roots = batch_type(min(games, ROOTS), num_threads=threads, reward="margin", **options)
    roots.play([bot.compiled], 0, until=ROUND)
    if not is_plan:
        roots.play([bot.compiled], 0, until=spec.engine.stages[0])
    jobs = [
        Job(root=root, seed=seed, forced=forced)
        for root in range(roots.num_games)
        for seed in range(SEEDS)
        for forced in (_plans(roots, root, bot.compiled) if is_plan else np.flatnonzero(roots.legal[root])[:CANDIDATES])
    ]
    return Rollouts(roots=roots, bot=bot.compiled, jobs=jobs, until=None if kind == "game" else ROUND)


def _plans(roots: Batch, root: int, bot: Any) -> list[np.ndarray]:
    """Return plans that the bot lays with its numbers varied, for the player who decides."""
    function, params = bot
    observation, rng = roots.observe()[root].copy(), np.random.default_rng(root)
    plans: list[np.ndarray] = PLANNING[roots.spec.name].first_plans(
        function.planner, params, observation, roots.legal[root], CANDIDATES, rng
    )
    return plans[:CANDIDATES]
