"""A tournament as data, cut into blocks of games, which are played here, in other processes or on other machines.

The blocks follow from the tournament and the number of games alone. So which block a game is in, and what an agent is
asked together with it, do not depend on where and when it is played.
"""

from __future__ import annotations

import functools
import json
import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from shogun_env.benchmarks.arena.arena import Arena, Block, FaultTexts
from shogun_env.benchmarks.arena.luck import Subtraction
from shogun_env.benchmarks.arena.programs import Limits, is_stranger
from shogun_env.benchmarks.arena.seating import Result, Seating
from shogun_env.benchmarks.arena.seeds import NO_SECRET, game_seed
from shogun_env.cli import batch_class, join_ray

STORY_SEEDS = 4
"""Games on this many seeds have a story in their results."""


@dataclass(frozen=True)
class Tournament:
    """What a tournament plays."""

    game: str
    agents: tuple[str, ...]
    """Specs of the agents."""
    variants: tuple[Mapping[str, Any], ...]
    """Options of play of each variant."""
    seed: int = 0
    """The first seed, or with a secret the number that it is made from."""
    limits: Limits | None = None
    made_by: Mapping[str, Any] = field(default_factory=dict)
    luck: Subtraction | None = None
    secret: bytes = field(default=NO_SECRET, repr=False)
    folder: Path | None = None
    """That of the tournament, which no isolated bot may see."""
    records: bool = False
    drawn: bool = False
    """Each seed has line-ups of its own (``seatings``)."""

    @property
    def stories_of(self) -> frozenset[int]:
        """The seeds of the games that have a story in their results."""
        return frozenset(game_seed(self.seed + index, self.secret) for index in range(STORY_SEEDS))

    def hiding(self, folder: Path) -> Tournament:
        """Return the same tournament, in a folder that isolated bots do not see; what they say is kept there."""
        return replace(self, folder=folder.absolute())

    def arenas(self, num_threads: int = 1) -> dict[str, Arena]:
        """Return an arena for each variant, by the name of the variant.

        Raises: ValueError for bad options.
        """
        arenas = [
            Arena(
                batch_class(self.game),
                dict(options),
                num_threads,
                limits=self.limits,
                made_by=dict(self.made_by),
                stories_of=self.stories_of,
                luck=self.luck,
                secret=self.secret,
                folder=self.folder,
                records=self.records,
            )
            for options in self.variants
        ]
        return {arena.variant: arena for arena in arenas}

    def blocks(self, games: int, done: Set[Seating] = frozenset()) -> list[Block]:
        """Return the games in blocks, each of games of one variant.

        A block is left out if all its games are done, and is whole otherwise: an agent may play a game differently
        if it is not asked for the same others at the same time.

        Args:
            games: least number of games of a variant.
            done: games that have been played already.

        Raises: ValueError as for ``line_ups``.
        """
        arenas = self.arenas().values()
        every = [block for arena in arenas for block in arena.blocks(self.agents, games, self.seed, self.drawn)]
        return [block for block in every if not set(block) <= done]


_arenas: dict[str, dict[str, Arena]] = {}


def play_block(
    tournament: Tournament, block: Block, num_threads: int = 1, waiting: Callable[[str], None] | None = None
) -> tuple[list[Result], FaultTexts]:
    """Play a block; a process makes the agents of a tournament once. Return the results, and texts about faults.

    Tournaments that differ in their secrets only, such as the rounds of a league, have the same agents. ``waiting`` is
    told about once a second of a program that is waited for.
    """
    plain = replace(tournament, secret=NO_SECRET)
    key = json.dumps([asdict(plain), num_threads, os.getpid()], sort_keys=True, default=str)
    if key not in _arenas:
        _arenas[key] = tournament.arenas(num_threads)
    arena = _arenas[key][block[0].variant]
    arena.secret, arena.stories_of, arena.waiting = tournament.secret, tournament.stories_of, waiting
    return arena.play_games(block), arena.fault_texts


Played = Iterator[tuple[list[Result], FaultTexts]]


@dataclass(frozen=True)
class Workers:
    """Where blocks are played."""

    threads: int = 1
    """Threads of the engine, in this process."""
    processes: int = 1
    """Processes on this machine; each has one thread of the engine if there are several."""
    ray: str | None = None
    """Address of a Ray cluster, or ``local``; None: without Ray."""

    def play(
        self, tournament: Tournament, waiting: Sequence[Block], thinks: Callable[[str], None] | None = None
    ) -> Played:
        """Play blocks and yield their results, in any order.

        Args: tournament; waiting, the blocks; thinks, told about once a second of a bot's program that is waited for,
            if they are played in this process.

        Raises: ValueError if a library is missing, or a process ended in the middle of a game.
        """
        if self.ray is not None:
            yield from _by_ray(tournament, waiting, self.ray)
        elif self.processes > 1 and len(waiting) > 1:
            yield from _by_joblib(tournament, waiting, self.processes)
        else:
            for block in waiting:
                yield play_block(tournament, block, self.threads, thinks)


def _by_joblib(tournament: Tournament, waiting: Sequence[Block], processes: int) -> Played:
    try:
        from joblib import Parallel, delayed
    except ImportError:
        raise ValueError("--processes needs pip install 'shogun-env[eval]'") from None
    parallel = Parallel(n_jobs=processes, return_as="generator_unordered")
    try:
        yield from parallel(delayed(_play_as_long_as)(os.getpid(), tournament, block) for block in waiting)
    except BrokenProcessPool:
        strangers = [name for name in tournament.agents if is_stranger(name)]
        whose = f"; a bot that is not isolated can end it: {', '.join(strangers)}" if strangers else ""
        raise ValueError(f"--processes {processes}: one of them ended in the middle of a game{whose}") from None


def _play_as_long_as(parent: int, tournament: Tournament, block: Block) -> tuple[list[Result], FaultTexts]:
    """Play a block in a child of ``parent`` that ends soon after its parent, however that ends."""
    _end_with(parent)
    return play_block(tournament, block)


@functools.cache
def _end_with(parent: int) -> None:
    """Let this process end within a second of its parent; do nothing if ``parent`` is not its parent."""

    def wait() -> None:
        while os.getppid() == parent:
            time.sleep(1.0)
        os._exit(1)  # nobody is left to be told

    if os.getppid() == parent:
        threading.Thread(target=wait, daemon=True).start()


def _by_ray(tournament: Tournament, waiting: Sequence[Block], address: str) -> Played:
    ray = join_ray(address)
    task = ray.remote(play_block)
    most = 2 * max(1, int(ray.cluster_resources().get("CPU", 1)))
    rest = list(reversed(waiting))
    running: list[Any] = []
    while rest or running:
        while rest and len(running) < most:
            running.append(task.remote(tournament, rest.pop()))
        ready, running = ray.wait(running, num_returns=1)
        yield ray.get(ready[0])
