"""A journal and its tables, checked by anybody: hashes, seeds, who met, tables, records, and games played again.

A folder may come from a stranger. Programs and Python files that it names are run only if the caller asks for it;
otherwise their games are not played again, and the report says so.
"""

import hashlib
import json
import math
import random
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from shogun_env import cli
from shogun_env.agents.fingerprint import fingerprint, missing_file
from shogun_env.agents.parts import is_own
from shogun_env.benchmarks.arena.games import RECORDS, History, Round
from shogun_env.benchmarks.arena.journal import read
from shogun_env.benchmarks.arena.run import check_version
from shogun_env.benchmarks.arena.schedule import tables_again
from shogun_env.benchmarks.arena.seeds import FILE as SECRET
from shogun_env.benchmarks.arena.seeds import hash_of
from shogun_env.benchmarks.arena.settings import NEWCOMERS, Settings
from shogun_env.benchmarks.arena.table_files import CSV, LATEX, PAIRS, SUMMARY, TABLE, texts_of
from shogun_env.benchmarks.arena.tables import tables_of
from shogun_env.benchmarks.arena.workers import Block, arenas_of, block_of, event_of, play, seed_of
from shogun_env.files import JOURNAL, text_in
from shogun_env.policies import Bot
from shogun_env.spec.voice import counted

SURE, UNKNOWN, NEVER, OTHER, GONE, CHANGED = "sure", "unknown", "never", "not run", "gone", "changed"
"""Whether a bot plays the same game again.

- SURE: it is compiled, or says that it is replayable;
- UNKNOWN: it does not say;
- NEVER: it says that it is not replayable;
- OTHER: it is not the package's own, and was not to be run;
- GONE: a file that it is read from is not there;
- CHANGED: it is not what entered, or cannot be made.
"""
CLOSE = 1e-9
"""Relative difference below which numbers of tables are the same, because other processors round differently."""
MOST_NAMED = 10
"""Most games with another result that are named."""
NOT_RUN = "is not the package's own; --run-bots runs it, as you: add --isolate"


@dataclass
class Report:
    """What was checked, in words, and what differs."""

    checked: list[str] = field(default_factory=list)
    differences: list[str] = field(default_factory=list)
    unchecked: list[str] = field(default_factory=list)
    """Bots that were to be run, and of which no game could be played again."""

    def print(self) -> int:
        """Print it; return the exit status, 1 if something differs, or bots that were to be run are unchecked."""
        lines = [*self.checked, *(f"DIFFERS: {text}" for text in self.differences)]
        if self.unchecked:
            lines.append(f"NOT CHECKED: no game could be played again of {', '.join(self.unchecked)}")
        print("\n".join(lines))
        return 1 if self.differences or self.unchecked else 0


def check(folder: Path, share: float, run_bots: bool, where: Mapping[str, Any] = MappingProxyType({})) -> Report:
    """Check the arena in a folder, or a copy of it; its secret is not needed.

    Args: folder; share of the rounds that are chosen again and of the games that are played again, 0..1; run_bots,
        whether also those that are not the package's own; where games are played and bots isolated, by name of the
        setting.
    Raises: ValueError if the folder holds no arena, or its journal was changed.
    """
    history = History.at(folder / JOURNAL)
    report = Report()
    report.checked.append(f"{history.n_events} lines follow from one another; the hashes end with {history.chain}")
    try:
        check_version(history)
    except ValueError as error:
        report.differences.append(str(error))
        return report
    check_seeds(folder, history, report)
    check_rounds(history, share, report)
    check_tables(folder, history, report)
    check_records(folder, history, report)
    settings = replace(history.settings, record=bool(history.records), **where)
    check_games(folder, history, share, settings, run_bots, report)
    return report


def check_seeds(folder: Path, history: History, report: Report) -> None:
    """Check that seeds follow from the first one or the secret, if that is published."""
    secret = history.secret
    if secret is None and (folder / SECRET).is_file():
        try:
            secret = bytes.fromhex(text_in(folder / SECRET))
        except ValueError:
            secret = b""
    if history.settings.seed is None and secret is None:
        report.checked.append("the secret of the seeds is not published yet")
        return
    if history.secret_sha256 is not None and hash_of(secret or b"") != history.secret_sha256:
        report.differences.append("the secret is not the one whose hash stands in the first line")
        return
    wrong = sum(
        seed_of(history, history.rounds[number >> 32], number & 0xFFFFFFFF, secret or b"") != seed
        for number, seed in zip(history.games.number.tolist(), history.games.seed.tolist(), strict=True)
    )
    if wrong:
        games = counted(wrong, "game was", "games were")
        report.differences.append(f"{games} played on other seeds than those that follow")
    else:
        report.checked.append("the seeds are those that follow")
    if history.secret is not None and history.published_at < history.n_games:
        report.checked.append(
            f"the last {history.n_games - history.published_at} games were played when the secret was public already"
        )


def check_rounds(history: History, share: float, report: Report) -> None:
    """Choose the tables of a share of the rounds again, and count the games that are missing."""
    rounds = history.rounds
    chosen = sorted(random.SystemRandom().sample(range(len(rounds)), math.ceil(share * len(rounds))))
    for now in (rounds[index] for index in chosen):
        try:
            again = tables_again(history, now)
        except ValueError:
            again = np.zeros(0)
        if not np.array_equal(again, now.tables):
            report.differences.append(f"round {now.number}: other bots meet than the games before choose")
    report.checked.append(f"the tables of {len(chosen)} of {len(rounds)} rounds were chosen again")
    lost = later = 0
    for now in history.open_rounds:
        end = now.n_games if history.settings.schedule == NEWCOMERS or not history.n_games else now.n_begun
        lost += int(now.is_missing[:end].sum())
        later += int(now.is_missing[end:].sum())
    if lost:
        report.differences.append(f"{lost} of {history.n_games + lost + later} games have no result")
    if later:
        report.checked.append(f"{later} games at the end of rounds were not played: the run ended, or asked for fewer")


def check_tables(folder: Path, history: History, report: Report) -> None:
    """Compare the tables in the folder with those of the journal."""
    if missing := [name for name in (TABLE, CSV, LATEX, PAIRS, SUMMARY) if not (folder / name).exists()]:
        why = "the run that writes the tables has not ended, or was of an earlier version; the same command writes them"
        report.differences.append(f"there is no {', '.join(missing)}: {why}")
        return
    again = json.loads(json.dumps(tables_of(history)))
    try:
        summary = dict(json.loads(_text_in(folder / SUMMARY)))
    except (ValueError, TypeError, RecursionError):
        summary = {}
    parts = ("settings", "journal", "bots", "games", "interval", "variants", "ratings")
    other = [f"{SUMMARY}: {part}" for part in parts if not is_same(summary.get(part), again[part])]
    source = again if other else summary  # whose numbers may have been rounded by another processor
    wrong = [name for name, text in texts_of(source).items() if _text_in(folder / name) != text] + other
    if wrong:
        report.differences.append(f"the results make other tables than {', '.join(wrong)}")
    else:
        report.checked.append("the tables are those of the results")


def check_records(folder: Path, history: History, report: Report) -> None:
    """Compare the records in the folder with the hashes in the journal."""
    wrong = []
    for number, sha256 in history.records.items():
        name = history.record_name(number)
        if hashlib.sha256(_text_in(folder / RECORDS / name).encode()).hexdigest() != sha256:
            wrong.append(name)
    if wrong:
        records = counted(len(wrong), "record is", "records are")
        report.differences.append(f"{records} missing or changed: {', '.join(sorted(wrong)[:5])}")
    elif history.records:
        report.checked.append(f"{len(history.records)} records are those of the results")


# --- games -----------------------------------------------------------------------------------------------------------


def kind_of(agent: Bot) -> str:
    """Return whether a bot plays the same game again: SURE, UNKNOWN or NEVER."""
    if agent.compiled is not None:
        return SURE
    return UNKNOWN if agent.replayable is None else SURE if agent.replayable else NEVER


def kinds_of(folder: Path, history: History, settings: Settings, run_bots: bool) -> list[str]:
    """Return for each entry whether it plays the same game again: one of SURE to CHANGED."""
    spec, arena = settings.spec, arenas_of(settings, history.secret_sha256 or "", folder)[0]
    kinds = []
    for entry in history.entries:
        if not (run_bots or is_own(entry.spec, spec)):
            kinds.append(OTHER)
            continue
        kind = GONE if missing_file(entry.spec) else CHANGED
        with suppress(ValueError):
            if fingerprint(entry.spec, spec) == entry.sha256:
                kind = kind_of(arena.agent(entry.spec))
        kinds.append(kind)
    return kinds


def check_games(
    folder: Path, history: History, share: float, settings: Settings, run_bots: bool, report: Report
) -> None:
    """Play a share of the games again, and compare them with the journal.

    A game of bots that may remember others is played with its whole block, as it was; others alone.
    """
    kinds = kinds_of(folder, history, settings, run_bots)
    entries = list(zip(history.entries, kinds, strict=True))
    asked_again = np.flatnonzero(np.isin(kinds, (SURE, UNKNOWN)))
    can_be = [
        (now, first)
        for now in history.rounds
        for first in sorted(now.blocks)
        if np.isin(now.bots(now.games(first)), [*asked_again, *now.gone[first]]).all()
    ]
    total = sum(len(now.blocks) for now in history.rounds)
    if run_bots:
        again = {bot for now, first in can_be for bot in now.bots(now.games(first)).ravel().tolist()}
        played_at_all = set(history.games.bots.ravel().tolist()) - {-1}
        unchecked = sorted(played_at_all - again)
        report.unchecked = [history.names[bot] for bot in unchecked if history.entries[bot].plays]
    chosen = random.SystemRandom().sample(can_be, math.ceil(share * len(can_be)))
    waiting = [_as_played(history, now, first) for now, first in sorted(chosen, key=lambda each: each[0].number)]
    wanted = {(now.number, first) for now, first in chosen}
    games = (each.values for each in read(folder / JOURNAL) if each.values["kind"] == "games") if wanted else ()
    where = {key: each for each in games if (key := _key_of(history, each)) in wanted}
    wrong: list[str] = []
    played_again = 0
    with cli.progress("check", max(1, len(waiting))) as show:
        for done, played in enumerate(play(settings, history.secret_sha256 or "", folder, waiting), 1):
            told = where[played.block.round, played.block.first]
            wrong += _differences(history, told, event_of(played, history), kinds)
            played_again += len(played.results)
            show(done, f"{played_again} games")
    report.checked.append(f"{played_again} of {history.n_games} games were played again")
    if len(can_be) < total:
        words = {OTHER: NOT_RUN, CHANGED: "has changed, or cannot be made", NEVER: "cannot be asked again"}
        words[GONE] = "is read from {file}, which is not here: go to the folder from which it played"
        named = [
            f"{entry.name} {words[kind].format(file=missing_file(entry.spec))}"
            for entry, kind in entries if kind in words
        ]  # fmt: skip
        report.checked.append(f"{total - len(can_be)} of {total} blocks were left out: {'; '.join(named)}")
    changed = [entry.name for entry, kind in entries if kind == CHANGED and entry.plays]
    if changed:
        report.differences.append(f"other files or parameters than those that were played: {', '.join(changed)}")
    if wrong:
        report.differences += [f"{len(wrong)} of these came out otherwise", *wrong[:MOST_NAMED]]


def _key_of(history: History, told: Mapping[str, Any]) -> tuple[int, int]:
    """Return the round of an event ``games``, and the number of its first game there."""
    return told["round"], history.rounds[told["round"]].place_of(told)[0]


def _as_played(history: History, now: Round, first: int) -> Block:
    """Return a block with the seeds on which it was played."""
    at = np.searchsorted(history.games.number, now.number * 2**32 + now.games(first))
    return block_of(history, now, now.games(first), history.games.seed[at].tolist(), now.gone[first])


def _differences(history: History, told: dict[str, Any], again: dict[str, Any], kinds: list[str]) -> list[str]:
    """Return in words which games of a block came out otherwise."""
    (number, first), words = _key_of(history, told), list[str]()
    now = history.rounds[number]

    def of_game(side: dict[str, Any], game: int) -> tuple[Any, ...]:
        faults = [each for each in side["faults"] if each[0] == game]
        records = side["records"][game : game + 1] if told["records"] else []
        return side["place"][game], side["points"][game], faults, records

    for game, bots in enumerate(now.bots(now.games(first)).tolist()):
        one, other = of_game(told, game), of_game(again, game)
        if one == other:
            continue
        names = ", ".join(history.names[bot] for bot in bots)
        doubts = sorted({history.names[bot] for bot in bots if kinds[bot] == UNKNOWN})
        maybe = f" ({', '.join(doubts)} may play otherwise each time)" if doubts else ""
        points = " and ".join(" ".join(map(str, side[1])) for side in (one, other))
        words.append(f"round {number}, game {first + game}, {names}: points {points}{maybe}")
    return words


# --- comparing -------------------------------------------------------------------------------------------------------


def is_same(one: Any, other: Any) -> bool:
    """Return whether two JSON values are the same, numbers up to ``CLOSE``."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(is_same(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(is_same, one, other))
    if isinstance(one, int | float) and isinstance(other, int | float):
        return math.isclose(one, other, rel_tol=CLOSE, abs_tol=CLOSE)
    return bool(one == other)


def _text_in(path: Path) -> str:
    """Return the text of a file; an empty one if there is none that can be read."""
    try:
        return text_in(path)
    except (OSError, ValueError):
        return ""
