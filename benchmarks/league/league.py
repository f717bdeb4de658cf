"""A league in a folder: made, entered, played round by round; whatever happens is appended to its journal."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from shogun_env import cli
from shogun_env.benchmarks.arena.arena import Arena, Block, FaultTexts, Lost, made
from shogun_env.benchmarks.arena.blocks import Tournament, Workers
from shogun_env.benchmarks.arena.fit import SCALE, Strengths, expected
from shogun_env.benchmarks.arena.folder import fingerprints
from shogun_env.benchmarks.arena.programs import Limits, is_stranger
from shogun_env.benchmarks.arena.seating import Result, Seating, variant_name
from shogun_env.benchmarks.arena.seeds import game_seed, kept_secret
from shogun_env.benchmarks.league import preset
from shogun_env.benchmarks.league.choosing import choose
from shogun_env.benchmarks.league.history import Entry, History, Round, games_event
from shogun_env.benchmarks.league.journal import FILE, Journal
from shogun_env.benchmarks.league.links import key_of, link, secret_in
from shogun_env.spec.game_spec import GameSpec

LEAST_MEETINGS = 16
"""A round has at least this many meetings,"""
TURNS = 2
"""and so many that a bot plays about this often,"""
PART = 20
"""and at least this part of all games before it, as few games more tell little then."""

NO_GAME = 1 << 40
"""No meeting has this number, so that none of its games has a story in its result."""


def spec_of(history: History) -> GameSpec:
    """Return the specification of the game of a league."""
    return cli.batch_class(history.settings["game"]).spec


def create(folder: Path, settings: Mapping[str, Any]) -> History:
    """Make a league, with the bots whose ratings are fixed; return its history.

    Raises: ValueError if the folder holds one already.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with cli.only_run(folder):
        if (folder / FILE).exists():
            raise ValueError(f"{folder} holds a league already; its journal is never written anew")
        history = History()
        commitment = link(kept_secret(folder, None), 0).hex()
        journal = Journal(folder / FILE)
        history.tell(journal.append({"kind": "league", "settings": dict(settings), "commitment": commitment}))
        for spec, rating in settings["anchors"].items():
            _enter(journal, history, spec, spec, rating)
        journal.close()
    return history


@contextmanager
def opened(folder: Path) -> Iterator[tuple[Journal, History]]:
    """Provide the journal and the history of the league in a folder, and keep others out.

    Raises: ValueError if there is none, its journal was changed, or another version plays otherwise.
    """
    history = History.in_folder(folder / FILE)
    with cli.only_run(folder):
        history = History.in_folder(folder / FILE)
        preset.check(history.settings)
        journal = Journal(folder / FILE, history.chain)
        try:
            yield journal, history
        finally:
            journal.close()


def fingerprint(spec: str, game_spec: GameSpec) -> str:
    """Return the SHA-256 of what a bot is made of: of a stranger's the files that its spec names."""
    agent = Lost("is not asked anything") if is_stranger(spec) else made(spec, game_spec)
    return fingerprints({spec: agent})[spec]


def _enter(journal: Journal, history: History, spec: str, name: str, rating: float | None) -> None:
    sha256 = fingerprint(spec, spec_of(history))
    entry = {"kind": "entry", "bot": len(history.entries), "name": name, "spec": spec, "sha256": sha256}
    history.tell(journal.append({**entry, "rating": rating}))


def enter(folder: Path, spec: str, name: str = "", limits: Limits | None = None) -> str:
    """Enter a bot into a league; return its name there.

    Args:
        folder: that of the league.
        spec: of the bot.
        name: under which it plays, its spec unless another is given; never used again.
        limits: isolate the bot when it is tried; None: make it in this process.

    Raises: ValueError if it cannot be made, or plays already.
    """
    name = name or spec
    with opened(folder) as (journal, history):
        if name in history.names:
            raise ValueError(f"{name} is the name of an entry already; give another with --name")
        for entry in history.entries:
            if entry.spec == spec and entry.plays:
                raise ValueError(f"{spec} plays already, as {entry.name}; withdraw that first")
        if not name.isprintable() or len(name) > 200:
            raise ValueError(f"--name {name!r}: must be one line of at most 200 letters")
        arena = Arena(
            cli.batch_class(history.settings["game"]), history.settings["options"], limits=limits, folder=folder
        )
        arena.agent(spec)
        arena.close()
        for (_, kind), text in arena.fault_texts.items():
            raise ValueError(f"{spec}: {kind}: {text}")
        _enter(journal, history, spec, name, None)
    return name


def mark(folder: Path, name: str, what: str, why: str) -> None:
    """Mark an entry with one of ``MARKS``; nothing is removed.

    Raises: ValueError for an unknown one, one whose rating is fixed, or a mark that says nothing new.
    """
    with opened(folder) as (journal, history):
        entry = history.entries[history.number_of(name)]
        if entry.rating is not None:
            raise ValueError(f"{name}: its rating is fixed, and all others hang on it")
        if entry.mark == what or (what == "back" and entry.plays):
            raise ValueError(f"{name}: is {entry.mark or 'in the league'} already")
        if history.open_round:
            raise ValueError(
                "a round is open, with the bots as they entered: `league run` ends it, and then this is possible"
            )
        history.tell(journal.append({"kind": "mark", "name": name, "mark": what, "why": why}))


# --- what the next round is ------------------------------------------------------------------------------------------


def known_before(history: History, games: int, entries: int) -> Strengths:
    """Return what the first games say about the first entries; it depends on nothing else."""
    fixed = {n: entry.rating / SCALE for n, entry in enumerate(history.entries[:entries]) if entry.rating is not None}
    centre = float(np.mean(list(fixed.values()))) if fixed else 0.0
    some = history.games.some(slice(games))
    return expected(some.bots, some.place, entries, fixed, centre)


def tables_of(known: Strengths, playing: Sequence[int], games: int, players: int, key: bytes) -> np.ndarray:
    """Return who meets in a round, int64[meetings, P].

    Args:
        known: of all entries.
        playing: those that can be chosen.
        games: number of games before the round.
        players: number of players of a game.
        key: 32 bytes that chance is made from.

    Raises: ValueError for too few bots.
    """
    which = np.array(playing, np.int64)
    meetings = max(LEAST_MEETINGS, -(-TURNS * len(which) // players), games // (PART * players))
    rng = np.random.default_rng(int.from_bytes(key, "little"))
    return np.asarray(which[choose(rng, known.rounded().of_bots(which), meetings, players)])


def key_of_choice(round_link: bytes, before: str) -> bytes:
    """Return what the choice of a round's tables is made from: its link, and the journal before it."""
    return key_of(round_link, "choice", before)


def _begin_round(journal: Journal, history: History, secret: bytes) -> Round:
    playing = [number for number, entry in enumerate(history.entries) if entry.plays]
    number = len(history.rounds) + 1
    known = known_before(history, history.n_games, len(history.entries))
    key = key_of_choice(link(secret, number), history.chain)
    tables = tables_of(known, playing, history.n_games, history.players, key)
    history.tell(journal.append({"kind": "round", "number": number, "tables": tables.tolist()}))
    return history.rounds[-1]


# --- playing ---------------------------------------------------------------------------------------------------------


def tournament_of(history: History, now: Round, round_link: bytes, limits: Limits | None, folder: Path) -> Tournament:
    """Return what plays the games of a round."""
    specs = dict.fromkeys(history.entries[bot].spec for bot in now.playing)
    return Tournament(
        game=history.settings["game"],
        agents=tuple(specs),
        variants=(history.settings["options"],),
        seed=NO_GAME,
        limits=limits,
        secret=key_of(round_link, "games", now.chain),
    ).hiding(folder)


def blocks_of(history: History, now: Round, secret: bytes) -> list[Block]:
    """Return the games of a round in blocks.

    Args: secret, that of the tournament that plays them.
    """
    variant = variant_name(spec_of(history), history.settings["options"])
    specs = [entry.spec for entry in history.entries]
    return [
        [
            Seating(
                variant=variant, line_up=tuple(specs[bot] for bot in now.tables[meeting]), seed=seed, rotation=rotation
            )
            for meeting in now.meetings(block)
            for seed in [game_seed(meeting, secret)]
            for rotation in range(history.players)
        ]
        for block in range(now.n_blocks)
    ]


def event_of(now: Round, block: int, results: Sequence[Result]) -> dict[str, Any]:
    """Return the event of a block whose games have been played."""
    faults = [
        [game, player, kinds]
        for game, result in enumerate(results)
        for player, kinds in enumerate(result.faults)
        if kinds
    ]
    place, points = (np.array([getattr(result, name) for result in results]) for name in ("place", "points"))
    return games_event(now.number, block, place, points, faults)


def _play_round(
    journal: Journal, history: History, tournament: Tournament, now: Round, workers: Workers, texts: FaultTexts
) -> Iterator[int]:
    """Play the blocks of a round that are missing, append them in order, and yield the number of games after each."""
    blocks = blocks_of(history, now, tournament.secret)
    number_of = {block[0].seed: number for number, block in enumerate(blocks)}
    waiting: dict[int, list[Result]] = {}
    for results, faults in workers.play(tournament, blocks[now.blocks :]):
        texts.update({each: text for each, text in faults.items() if each not in texts})
        waiting[number_of[results[0].seed]] = results
        while now.blocks in waiting:
            history.tell(journal.append(event_of(now, now.blocks, waiting.pop(now.blocks))))
            yield history.n_games


def check_bots(history: History, limits: Limits | None) -> None:
    """Check that the bots that play are those that entered, and that strangers are isolated where limits are fixed.

    Raises: ValueError naming the first that is not.
    """
    spec = spec_of(history)
    for entry in history.entries:
        if not entry.plays:
            continue
        if limits is None and history.settings["limits"] is not None and is_stranger(entry.spec):
            raise ValueError(f"{entry.name}: this league has limits, which a bot of strangers keeps with --isolate")
        if _has_changed(entry, spec):
            how = "put it back"
            if not history.open_round:
                how += ", or withdraw it and enter anew"
            raise ValueError(f"{entry.name}: has changed since it entered; {how}")


def _has_changed(entry: Entry, spec: GameSpec) -> bool:
    return fingerprint(entry.spec, spec) != entry.sha256


def limits_of(history: History, isolate: str) -> Limits:
    """Return the limits of isolated bots in a league."""
    return Limits(isolate=isolate, **(history.settings["limits"] or {}))


def run(folder: Path, games: int, workers: Workers, isolate: str | None = None) -> Iterator[tuple[History, FaultTexts]]:
    """Play rounds until a league has this many games, and yield its history after each.

    Args:
        folder: that of the league.
        games: least number of games in all; the round that is open is ended in any case.
        workers: where games are played; the journal does not depend on it, unless bots remember games.
        isolate: prefix of the commands of strangers; None: do not isolate them.

    Raises: ValueError as ``opened`` and ``check_bots``; KeyboardInterrupt after Ctrl-C: all blocks that were played
        are kept.
    """
    with opened(folder) as (journal, history):
        limits = None if isolate is None else limits_of(history, isolate)
        check_bots(history, limits)
        secret = secret_in(folder, history.commitment)
        texts: FaultTexts = {}
        with cli.progress("league", games) as show:
            while history.open_round or history.n_games < games:
                now = history.open_round or _begin_round(journal, history, secret)
                round_link = link(secret, now.number)
                tournament = tournament_of(history, now, round_link, limits, folder)
                for done in _play_round(journal, history, tournament, now, workers, texts):
                    show(done, f"{done} games, round {now.number}")
                history.tell(journal.append({"kind": "end", "round": now.number, "secret": round_link.hex()}))
                yield history, texts
        if journal.foreign:
            sys.stderr.write(f"{folder / FILE}: {'; '.join(journal.foreign)}\n")
