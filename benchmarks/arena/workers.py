"""Where games are played: here, in other processes, or on a cluster. This is the only place that asks an ``Arena``.

Games are played together in blocks, and a block is written to the journal when it ends. A bot that is slow, or paid for
each answer, has blocks of one game: they are shared by all processes, and a stop loses only those that are running.
"""

import functools
import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from shogun_env.agents.parts import is_stranger
from shogun_env.benchmarks.arena.arena import Arena, FaultTexts, Seating
from shogun_env.benchmarks.arena.games import History, Result, Round
from shogun_env.benchmarks.arena.programs import Limits, check_limits
from shogun_env.benchmarks.arena.seeds import game_seed
from shogun_env.benchmarks.arena.settings import Settings
from shogun_env.cli import batch_class
from shogun_env.workers import results, threads_of_each

Thinks = Callable[[str], None]


class Block(NamedTuple):
    """Games of one variant that are played together."""

    round: int
    first: int
    """Number of its first game in the round."""
    variant: int
    agents: list[tuple[str, ...]]
    """Specs by player, for each game."""
    seeds: list[int]
    gone: frozenset[str] = frozenset()
    """The specs of bots that were withdrawn or blamed after the round had begun: all their decisions are faults."""


class PlayedBlock(NamedTuple):
    """What came of a block."""

    block: Block
    results: list[Result]
    texts: FaultTexts
    """For an agent and a kind of fault what was wrong the first time."""


def blocks_of(
    history: History, now: Round, games: np.ndarray, secret: bytes, asked: Mapping[int, bool] = MappingProxyType({})
) -> Iterator[Block]:
    """Yield some games of a round in blocks; each is made when it is asked for, by what is known then.

    Args: history; now, the round; games, int64[n], their numbers there, rising; secret; asked, the bots that are not
        compiled, and whether each can be asked again at no cost.
    """
    while len(games):
        slow = [bot for bot, is_free in asked.items() if not (is_free and history.is_quick(bot))]
        some = games[: now.per_block]
        together = ~np.isin(now.bots(some), slow).any(axis=1) & (some == some[0] + np.arange(len(some)))
        count = max(1, int(together.argmin()) if not together.all() else len(together))
        seeds = [seed_of(history, now, game, secret) for game in some[:count].tolist()]
        yield block_of(history, now, some[:count], seeds, history.gone_from(now))
        games = games[count:]


def block_of(history: History, now: Round, games: np.ndarray, seeds: list[int], gone: frozenset[int]) -> Block:
    """Return games of a round, int64[n], with their seeds, as one block; gone, the bots that do not play any more."""
    specs = [entry.spec for entry in history.entries]
    agents = [tuple(specs[bot] for bot in row) for row in now.bots(games).tolist()]
    return Block(
        round=now.number, first=int(games[0]), variant=now.variant, agents=agents, seeds=seeds,
        gone=frozenset(specs[bot] for bot in gone),
    )  # fmt: skip


def asked_bots(history: History, settings: Settings, folder: Path | None, now: Round) -> dict[int, bool]:
    """Return the bots of a round that are not compiled, and whether each can be asked again at no cost."""
    arena = arenas_of(settings, history.secret_sha256 or "", folder)[now.variant]
    playing = sorted({*np.unique(now.tables).tolist()} - history.gone_from(now))
    agents = {bot: arena.agent(history.entries[bot].spec) for bot in playing}
    arena.close()
    return {bot: agent.replayable is not False for bot, agent in agents.items() if agent.compiled is None}


def seed_of(history: History, now: Round, game: int, secret: bytes) -> int:
    """Return the seed of a game of a round, by its number there."""
    if history.settings.seed is not None:
        return (history.settings.seed + now.first + game) % 2**53
    return game_seed(now.first + game, secret, now.variant)


def event_of(played: PlayedBlock, history: History) -> dict[str, Any]:
    """Return the event of a block whose games have been played."""
    block, results = played.block, played.results
    bots = history.rounds[block.round].bots(np.arange(block.first, block.first + len(results))).tolist()
    seconds: dict[str, np.ndarray] = {}
    for row, agents, result in zip(bots, block.agents, results, strict=True):
        for bot, agent, used, asked in zip(row, agents, result.seconds or (), result.asked or (), strict=False):
            if asked and agent not in block.gone:
                pair = seconds.setdefault(str(bot), np.zeros(2))
                pair += (used, asked)
    return {
        "kind": "games",
        "round": block.round,
        "first": block.first,
        "count": len(results),
        "seeds": block.seeds,
        "place": [[int(each) if each == int(each) else each for each in result.place] for result in results],
        "points": [result.points for result in results],
        "faults": [
            [game, player, kinds]
            for game, result in enumerate(results)
            for player, kinds in enumerate(result.faults)
            if kinds
        ],
        "seconds": {bot: [round(float(used), 6), int(asked)] for bot, (used, asked) in seconds.items()},
        "records": [
            hashlib.sha256(result.record_text.encode()).hexdigest()
            for result in results
            if result.record_text is not None
        ],
    }


# --- one process -----------------------------------------------------------------------------------------------------

_arenas: dict[str, list[Arena]] = {}


def arenas_of(settings: Settings, salt: str, folder: Path | None) -> list[Arena]:
    """Return what plays the games of each variant; a process makes the bots of an arena once.

    Args: settings; salt, of the keys of bots; folder of the arena, which no isolated bot may see.
    """
    limits = Limits(isolate=settings.isolate, **settings.limits)
    of_bots = replace(settings, games=1, until_interval=None, seed=None)
    key = json.dumps([repr(of_bots), salt, str(folder), os.getpid()])
    if key not in _arenas:
        threads = threads_of_each(settings.threads, settings.processes, settings.ray)
        check_limits(limits)
        _arenas[key] = [
            Arena(batch_class(settings.game), dict(options), threads, limits=limits, salt=bytes.fromhex(salt),
                  folder=folder, records=settings.record)
            for options in settings.variants
        ]  # fmt: skip
    return _arenas[key]


def play_block(
    settings: Settings, salt: str, folder: Path | None, block: Block, thinks: Thinks | None = None
) -> PlayedBlock:
    """Play a block; arguments as for ``play``."""
    arena = arenas_of(settings, salt, folder)[block.variant]
    arena.waiting, arena.gone = thinks, block.gone
    games = [Seating(who, seed) for who, seed in zip(block.agents, block.seeds, strict=True)]
    return PlayedBlock(block=block, results=arena.play_games(games), texts=dict(arena.fault_texts))


# --- several ---------------------------------------------------------------------------------------------------------


def play(
    settings: Settings, salt: str, folder: Path | None, waiting: Iterable[Block], thinks: Thinks | None = None
) -> Iterator[PlayedBlock]:
    """Play blocks where the settings say, and yield what came of them, in any order.

    Args: settings, salt and folder as for ``arenas_of``; waiting, the blocks, each taken when it is begun; thinks,
        called about once a second while a program is waited for in this process, with its spec.
    Raises: ValueError if a library is missing, or a bot ended its process.
    """
    call = functools.partial(play_block, settings, salt, folder)
    yield from results(call, waiting, settings.processes, settings.ray, _suspects, thinks=thinks)


def _suspects(blocks: Iterable[Block]) -> str:
    """Return the bots in blocks that may have ended their process: those that are not compiled ones of the package."""
    names = sorted({spec for block in blocks for line_up in block.agents for spec in line_up})
    return " or ".join(filter(is_stranger, names)) or " or ".join(names)
