"""A league, checked by anybody: its hashes, its secrets, who was chosen, its games played again, its standings."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from shogun_env import cli
from shogun_env.benchmarks.arena.arena import Arena
from shogun_env.benchmarks.arena.blocks import Workers
from shogun_env.benchmarks.arena.checking import NEVER, UNKNOWN, Report, is_same, kind_of
from shogun_env.benchmarks.arena.programs import Limits
from shogun_env.benchmarks.league import preset, standings
from shogun_env.benchmarks.league.history import History, Round
from shogun_env.benchmarks.league.journal import FILE, read
from shogun_env.benchmarks.league.league import (
    blocks_of,
    event_of,
    fingerprint,
    key_of_choice,
    known_before,
    limits_of,
    spec_of,
    tables_of,
    tournament_of,
)
from shogun_env.benchmarks.league.links import follows

MOST_NAMED = 10
"""How many blocks that came out otherwise are named."""
CHANGED = "changed"
"""In place of a kind of agent: it is not what entered, or cannot be made."""


def verify(
    folder: Path,
    share: float = 1.0,
    workers: Workers = Workers(),  # noqa: B008 - it cannot be changed
    isolate: str | None = None,
) -> Report:
    """Check the league in a folder; the secret is not needed.

    Args:
        folder: that of the league, or a copy.
        share: the share of the rounds whose choice is made again, and of the games to play again, 0..1, by chance.
        workers: where they are played.
        isolate: prefix of the commands of strangers; None: do not isolate them.

    Raises: ValueError if the folder holds no league, or its journal was changed.
    """
    history = History.in_folder(folder / FILE)
    report = Report()
    lines = sum(1 for _ in read(folder / FILE))
    report.checked.append(f"{lines} lines follow from one another; the hashes end with {history.chain}")
    try:
        preset.check(history.settings)
    except ValueError as error:
        report.differences.append(str(error))
        return report
    check_secrets(history, report)
    check_choices(history, share, report)
    check_standings(folder, history, report)
    limits = None if isolate is None else limits_of(history, isolate)
    check_games(folder, history, share, workers, limits, report)
    return report


def check_secrets(history: History, report: Report) -> None:
    """Check that the secret of each round is the one that was fixed when the league was made."""
    before = history.commitment
    for now in history.rounds:
        if now.secret is not None and not follows(now.secret, before):
            report.differences.append(f"round {now.number}: its secret is not the one that was fixed before")
        before = now.secret or before
    report.checked.append(
        f"{len(_over(history))} secrets were looked at, from the commitment {history.commitment.hex()}"
    )


def _over(history: History) -> list[Round]:
    """Return the rounds that are over."""
    return [now for now in history.rounds if now.secret is not None]


def check_choices(history: History, share: float, report: Report) -> None:
    """Choose the tables of a share of the rounds again."""
    over = _over(history)
    chosen = sorted(random.SystemRandom().sample(range(len(over)), math.ceil(share * len(over))))
    for now in (over[index] for index in chosen):
        assert now.secret is not None, "it is over"
        known = known_before(history, now.first, now.entries)
        key = key_of_choice(now.secret, now.before)
        again = tables_of(known, now.playing, now.first, history.players, key)
        if not np.array_equal(again, now.tables):
            report.differences.append(
                f"round {now.number}: other bots meet than its secret and the games before choose"
            )
    report.checked.append(f"the tables of {len(chosen)} of {len(over)} rounds were chosen again")


def check_standings(folder: Path, history: History, report: Report) -> None:
    """Compare the standings in the folder with those of the journal."""
    found, now = standings.read(folder), standings.summary_of(history)
    if found is None:
        report.differences.append(f"{standings.STANDINGS} is missing or damaged")
    elif found.get("journal") != history.chain:
        report.differences.append(f"{standings.STANDINGS} is not of the whole journal; `league run` writes it")
    elif not is_same(found, now):
        report.differences.append(f"the games make other standings than {standings.STANDINGS}")
    else:
        report.checked.append("the standings are those of the games")


def kinds_of(history: History, limits: Limits | None, folder: Path) -> list[str]:
    """Return for each entry whether it plays the same game again: SURE, UNKNOWN, NEVER or CHANGED."""
    spec = spec_of(history)
    arena = Arena(cli.batch_class(history.settings["game"]), history.settings["options"], limits=limits, folder=folder)
    kinds = []
    for entry in history.entries:
        try:
            same = fingerprint(entry.spec, spec) == entry.sha256
            kinds.append(kind_of(arena.agent(entry.spec)) if same else CHANGED)
        except ValueError:
            kinds.append(CHANGED)
    arena.close()
    return kinds


def check_games(
    folder: Path, history: History, share: float, workers: Workers, limits: Limits | None, report: Report
) -> None:
    """Play a share of the blocks again and compare them with the journal."""
    kinds = kinds_of(history, limits, folder)
    every = [(now.number, block) for now in _over(history) for block in range(now.n_blocks)]
    can_be = [each for each in every if not _kinds_in(history, each, kinds) & {NEVER, CHANGED}]
    chosen = set(random.SystemRandom().sample(can_be, math.ceil(share * len(can_be))))
    told = {
        (event.values["round"], event.values["block"]): event.values
        for event in read(folder / FILE)
        if event.values["kind"] == "games" and (event.values["round"], event.values["block"]) in chosen
    }
    wrong: list[str] = []
    n_games = done = 0
    with cli.progress("verify", max(1, len(chosen))) as show:
        for now in _over(history):
            numbers = [block for number, block in sorted(chosen) if number == now.number]
            if not numbers:
                continue
            assert now.secret is not None, "it is over"
            tournament = tournament_of(history, now, now.secret, limits, folder)
            blocks = blocks_of(history, now, tournament.secret)
            number_of = {blocks[number][0].seed: number for number in numbers}
            for results, _ in workers.play(tournament, [blocks[number] for number in numbers]):
                number = number_of[results[0].seed]
                again = event_of(now, number, results)
                wrong += _differences(history, now, number, told[now.number, number], again, kinds)
                n_games, done = n_games + len(results), done + 1
                show(done, f"{n_games} games")
    report.checked.append(f"{n_games} of {history.n_games} games were played again")
    if left := len(every) - len(can_be):
        names = [entry.name for entry, kind in zip(history.entries, kinds, strict=True) if kind in (NEVER, CHANGED)]
        report.checked.append(f"{left} blocks were left out: {', '.join(names)} have changed or cannot be asked again")
    if wrong:
        report.differences += [f"{len(wrong)} games came out otherwise", *wrong[:MOST_NAMED]]


def _kinds_in(history: History, block: tuple[int, int], kinds: Sequence[str]) -> set[str]:
    """Return the kinds of the bots that play in a block, given as numbers of round and block."""
    now = history.rounds[block[0] - 1]
    meetings = now.meetings(block[1])
    return {kinds[bot] for bot in now.tables[meetings.start : meetings.stop].ravel()}


def _differences(
    history: History, now: Round, block: int, told: Mapping[str, Any], again: Mapping[str, Any], kinds: Sequence[str]
) -> list[str]:
    """Return in words which games of a block came out otherwise."""
    words = []
    faults = [
        {game: [fault for fault in each["faults"] if fault[0] == game] for game, *_ in each["faults"]}
        for each in (told, again)
    ]
    for game in range(len(told["place"])):
        values = [
            (each["place"][game], each["points"][game], bad.get(game))
            for each, bad in zip((told, again), faults, strict=True)
        ]
        if values[0] == values[1]:
            continue
        bots = now.tables[now.meetings(block)[game // history.players]]
        names = ", ".join(history.entries[bot].name for bot in bots)
        doubts = [history.entries[bot].name for bot in bots if kinds[bot] == UNKNOWN]
        maybe = f" ({', '.join(doubts)} may play otherwise each time)" if doubts else ""
        points = " and ".join(" ".join(map(str, each[1])) for each in values)
        words.append(f"round {now.number}, block {block}, game {game}, {names}: points {points}{maybe}")
    return words
