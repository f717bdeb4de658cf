"""The results of a tournament, checked: ``check`` reads the hashes, makes the tables again, and plays games again."""

from __future__ import annotations

import hashlib
import json
import math
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from shogun_env import cli
from shogun_env.benchmarks.arena.arena import Block
from shogun_env.benchmarks.arena.blocks import Tournament, Workers
from shogun_env.benchmarks.arena.folder import RECORDS, named
from shogun_env.benchmarks.arena.results import ResultsReader
from shogun_env.benchmarks.arena.seating import Result, Seating
from shogun_env.benchmarks.arena.standings import comma_separated
from shogun_env.benchmarks.arena.tables import Tables, as_markdown
from shogun_env.policies import Agent

SURE, UNKNOWN, NEVER = "sure", "unknown", "never"
"""Whether an agent plays the same game again: it is compiled or says that it is replayable; it does not say; it says
that it is not."""
CLOSE = 1e-9
"""Numbers of tables that differ by less than this share are the same: other processors round differently."""


@dataclass
class Report:
    """What was checked, in words, and what differs."""

    checked: list[str] = field(default_factory=list)
    differences: list[str] = field(default_factory=list)


def check_lines(
    reader: ResultsReader, found: Mapping[Seating, Result], every: Sequence[Seating], report: Report
) -> dict[Seating, Result]:
    """Tell what was read; return the results of those games that belong to the tournament."""
    report.checked.append(f"{reader.accepted} results follow from one another; the hashes end with {reader.last}")
    if reader.set_aside:
        report.differences.append(named(reader.set_aside))
    results = {game: found[game] for game in every if game in found}
    if len(results) < len(every):
        report.differences.append(f"{len(every) - len(results)} of {len(every)} games have no result")
    return results


def check_tables(out: Path, tables: Tables, report: Report) -> None:
    """Compare tables made from the results with those in the folder."""
    texts = {"leaderboard.md": as_markdown(tables), "leaderboard.csv": comma_separated(dict(tables.standings))}
    wrong = [name for name, text in texts.items() if not is_same_text(_text_in(out / name), text)]
    summary = _json_in(out / "summary.json")
    parts = ("settings", "games", "interval", "variants", "ratings")
    if not isinstance(summary, dict):
        wrong.append("summary.json")
    else:
        wrong += [f"summary.json: {part}" for part in parts if not is_same(summary.get(part), tables.summary[part])]
    if wrong:
        report.differences.append(f"the results make other tables than {', '.join(wrong)}")
    else:
        report.checked.append("the tables are those of the results")


def check_records(out: Path, results: Mapping[Seating, Result], report: Report) -> None:
    """Compare the records in the folder with the hashes in the results."""
    wanted = [result.record for result in results.values() if result.record is not None]
    wrong = [each["file"] for each in wanted if _hash_of(out / RECORDS / each["file"]) != each["sha256"]]
    if wrong:
        report.differences.append(f"{len(wrong)} records are missing or changed: {', '.join(wrong[:5])}")
    elif wanted:
        report.checked.append(f"{len(wanted)} records are those of the results")


def check_games(
    tournament: Tournament,
    blocks: Sequence[Block],
    results: Mapping[Seating, Result],
    kinds: Mapping[str, str],
    share: float,
    workers: Workers,
    report: Report,
) -> None:
    """Play a share of the games again, 0..1, and compare them with their results.

    Args: kinds: for each agent SURE, UNKNOWN or NEVER.
    """
    chosen, left_out = units(blocks, results, kinds, share)
    total, done, wrong = sum(map(len, chosen)), 0, []
    with cli.progress("check", total) as show:
        for played, _ in workers.play(tournament, chosen):
            for again in played:
                if again.seating in results and (words := difference(results[again.seating], again)):
                    doubts = sorted({name for name in again.line_up if kinds[name] == UNKNOWN})
                    wrong.append(words + (f" ({', '.join(doubts)} may play otherwise each time)" if doubts else ""))
            done += len(played)
            show(done, f"{done} of {total} games")
    report.checked.append(f"{total} of {len(results)} games were played again")
    if left_out:
        names = sorted(name for name, kind in kinds.items() if kind == NEVER)
        report.checked.append(f"{left_out} games were left out: {', '.join(names)} cannot be asked again")
    if wrong:
        report.differences.append(f"{len(wrong)} of these came out otherwise")
        report.differences += wrong


def kind_of(agent: Agent) -> str:
    """Return whether an agent plays the same game again: SURE, UNKNOWN or NEVER."""
    if hasattr(agent, "compiled"):
        return SURE
    says = getattr(agent, "replayable", None)
    return UNKNOWN if says is None else SURE if says else NEVER


def units(
    blocks: Sequence[Block], results: Mapping[Seating, Result], kinds: Mapping[str, str], share: float
) -> tuple[list[Block], int]:
    """Return a random share of the games that have results, in parts of blocks, and the number of those left out.

    A game of agents that may remember others is chosen with its whole block, as it was played.
    """
    choices: list[tuple[int, list[Seating]]] = []
    left_out = 0
    for index, block in enumerate(blocks):
        found = [game for game in block if game in results]
        can_be = [game for game in found if all(kinds[name] != NEVER for name in game.line_up)]
        left_out += len(found) - len(can_be)
        if len(can_be) < len(found) or all(kinds[name] == SURE for game in block for name in game.line_up):
            choices += [(index, [game]) for game in can_be]
        elif found:
            choices.append((index, list(block)))
    random.SystemRandom().shuffle(choices)
    wanted = math.ceil(share * sum(len(games) for _, games in choices))
    by_block: dict[int, list[Seating]] = {}
    for index, games in choices:
        if sum(map(len, by_block.values())) < wanted:
            by_block.setdefault(index, []).extend(games)
    return [sorted(games, key=blocks[index].index) for index, games in sorted(by_block.items())], left_out


def difference(result: Result, again: Result) -> str:
    """Return in words in which fields two results of one game differ; an empty text if in none."""
    values = [
        f"{each.name} {getattr(result, each.name)}, again {getattr(again, each.name)}"
        for each in fields(Result)
        if each.compare and each.name != "record" and getattr(result, each.name) != getattr(again, each.name)
    ]
    if result.record is not None and result.record != again.record:
        values.append("record")
    game = result.seating
    where = f"{game.variant}, {' '.join(game.line_up)}, seed {game.seed}, rotation {game.rotation}"
    return f"{where}: {'; '.join(values)}"[:500] if values else ""


def is_same(one: Any, other: Any) -> bool:
    """Return whether two JSON values are the same, numbers up to ``CLOSE``."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(is_same(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(is_same, one, other))
    if isinstance(one, int | float) and isinstance(other, int | float):
        return math.isclose(one, other, rel_tol=CLOSE, abs_tol=CLOSE)
    return bool(one == other)


def is_same_text(one: str, other: str) -> bool:
    """Return whether two texts are the same, numbers up to ``CLOSE``.

    Example:
        >>> is_same_text("a,0.30000000000000004", "a,0.3"), is_same_text("a,0.31", "a,0.3")
        (True, False)
    """
    return one == other or is_same(list(_words(one)), list(_words(other)))


def _words(text: str) -> Iterator[str | float]:
    for word in re.split(r"([\s,|])", text):
        try:
            yield float(word)
        except ValueError:
            yield word


def _text_in(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, ValueError):
        return ""


def _json_in(path: Path) -> Any:
    try:
        return json.loads(_text_in(path))
    except (ValueError, RecursionError):
        return None


def _hash_of(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""
