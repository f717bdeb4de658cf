"""A tournament as data, cut into blocks of games, which are played here, in other processes or on other machines.

The blocks follow from the plan and the number of games alone. So which block a game is in, and what an agent is asked
together with it, do not depend on where and when it is played.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from shogun_env.benchmarks.arena.arena import MATCHES_PER_BLOCK, Arena, Game
from shogun_env.benchmarks.arena.isolation import Limits
from shogun_env.benchmarks.arena.matches import Key, Match, Result, matches, variant_name
from shogun_env.cli import batch_class

STORY_SEEDS = 4
"""Games on so many seeds have a story in their results."""
LOCAL = "local"
"""The address of a Ray cluster that is started for the run, on this machine."""

Texts = dict[tuple[str, str], str]
"""For an agent and a kind of fault what was wrong the first time."""


@dataclass(frozen=True)
class Plan:
    """What a tournament plays."""

    game: str
    agents: tuple[str, ...]
    """Specs of the agents."""
    variants: tuple[Mapping[str, Any], ...]
    """Options of play of each variant."""
    seed: int = 0
    limits: Limits | None = None
    made_by: Mapping[str, Any] = field(default_factory=dict)

    def matches(self, games: int) -> list[list[Match]]:
        """Return the matches of each variant.

        Args: games: least number of games of a variant.
        Raises: ValueError as for ``line_ups``.
        """
        spec = batch_class(self.game).spec
        players = [spec.check_options(options)["num_players"] for options in self.variants]
        return [matches(self.agents, number, games, self.seed) for number in players]

    def games(self, planned: Sequence[Sequence[Match]]) -> Iterator[tuple[int, Game, Key]]:
        """Yield the games of planned matches: the number of the variant, match and rotation, and the key."""
        spec = batch_class(self.game).spec
        for variant, (options, own) in enumerate(zip(self.variants, planned, strict=True)):
            name = variant_name(spec, options)
            players = spec.check_options(options)["num_players"]
            for match in own:
                for rotation in range(players):
                    yield variant, (match, rotation), (name, match.line_up, match.seed, rotation)

    def arenas(self, num_threads: int = 1) -> list[Arena]:
        """Return an arena for each variant.

        Raises: ValueError for bad options.
        """
        engine = batch_class(self.game)
        return [
            Arena(
                engine,
                dict(options),
                num_threads,
                limits=self.limits,
                made_by=dict(self.made_by),
                stories_before=self.seed + STORY_SEEDS,
            )
            for options in self.variants
        ]


class Block(NamedTuple):
    """Games of one variant that are played together."""

    variant: int
    games: list[Game]


def blocks(plan: Plan, planned: Sequence[Sequence[Match]], done: Collection[Key]) -> list[Block]:
    """Return the games of planned matches in blocks.

    A block is left out if all its games are done, and is whole otherwise: an agent may play a game differently
    if it is not asked for the same others at the same time.
    """
    parts: dict[tuple[int, int], list[Game]] = {}
    missing: set[tuple[int, int]] = set()
    numbers = [{match: index for index, match in enumerate(own)} for own in planned]
    for variant, game, key in plan.games(planned):
        place = variant, numbers[variant][game[0]] // MATCHES_PER_BLOCK
        parts.setdefault(place, []).append(game)
        if key not in done:
            missing.add(place)
    return [Block(variant=place[0], games=games) for place, games in parts.items() if place in missing]


_arenas: dict[str, list[Arena]] = {}


def play_block(plan: Plan, block: Block, num_threads: int = 1) -> tuple[list[Result], Texts]:
    """Play a block; a process makes the agents of a plan once. Return the results, and texts about faults."""
    key = json.dumps([asdict(plan), num_threads, os.getpid()], sort_keys=True, default=str)
    if key not in _arenas:
        _arenas[key] = plan.arenas(num_threads)
    arena = _arenas[key][block.variant]
    results = arena.play_games(block.games)
    return results, arena.fault_texts


@dataclass(frozen=True)
class Workers:
    """Where blocks are played."""

    threads: int = 1
    """Threads of the engine, in this process."""
    processes: int = 1
    """Processes on this machine; each has one thread of the engine if there are several."""
    ray: str | None = None
    """Address of a Ray cluster, or ``local``; None: without Ray."""

    def play(self, plan: Plan, waiting: Sequence[Block]) -> Iterator[tuple[list[Result], Texts]]:
        """Play blocks and yield their results, in any order.

        Raises: ValueError if a library is missing.
        """
        if self.ray is not None:
            yield from _by_ray(plan, waiting, self.ray)
        elif self.processes > 1 and len(waiting) > 1:
            yield from _by_joblib(plan, waiting, self.processes)
        else:
            for block in waiting:
                yield play_block(plan, block, self.threads)


def _by_joblib(plan: Plan, waiting: Sequence[Block], processes: int) -> Iterator[tuple[list[Result], Texts]]:
    try:
        from joblib import Parallel, delayed
    except ImportError:
        raise ValueError("--processes needs pip install 'shogun-env[eval]'") from None
    parallel = Parallel(n_jobs=processes, return_as="generator_unordered")
    yield from parallel(delayed(play_block)(plan, block) for block in waiting)


def _by_ray(plan: Plan, waiting: Sequence[Block], address: str) -> Iterator[tuple[list[Result], Texts]]:
    try:
        import ray
    except ImportError:
        raise ValueError("--ray needs pip install 'shogun-env[ray]'") from None
    ray.init(address=None if address == LOCAL else address, ignore_reinit_error=True, log_to_driver=False)
    task = ray.remote(play_block)
    most = 2 * max(1, int(ray.cluster_resources().get("CPU", 1)))
    rest = list(reversed(waiting))
    running: list[Any] = []
    while rest or running:
        while rest and len(running) < most:
            running.append(task.remote(plan, rest.pop()))
        ready, running = ray.wait(running, num_returns=1)
        yield ray.get(ready[0])
