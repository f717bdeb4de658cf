"""What bots said about their decisions, in a file next to a record: ``7.shogun.thoughts.json``.

The format of records is fixed and holds nothing of it: a record says what happened, with thoughts or without.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from shogun_env.files import text_in, write_whole
from shogun_env.records.record import is_record
from shogun_env.spec.forms import COUNT, blaming, fault_of, json_of, whole
from shogun_env.spec.game_spec import GameSpec

__all__ = ["Thought", "read_thoughts", "thoughts_path", "write_thoughts"]

FORMAT, VERSION = "thoughts", 1


class Thought(NamedTuple):
    """What a bot said about one of its decisions."""

    decision: int
    """Number of the decision in its game, the first being 0."""
    player: int
    """Who decided, and who alone may know the thought besides the referee."""
    action: str
    """Name of the action that was played."""
    text: str
    cost: float = 0.0
    """Share of the win that the decision cost, as a review found; files hold neither this nor what follows."""
    when: str = ""
    """The round in words, with which a page heads the thoughts of a review."""
    rows: tuple[tuple[str, str, str], ...] = ()
    """What was decided next to what a champion would decide: what about (for a plan the space), decided, better."""
    line: int = 0
    """Number of the first line of the record that was written after the decision."""


def thoughts_path(record: Path) -> Path:
    """Return the path of the thoughts that belong to a record.

    Example:
        >>> thoughts_path(Path("games/7.shogun.jsonl")).name
        '7.shogun.thoughts.json'
    """
    return record.with_name(f"{record.stem if is_record(record) else record.name}.thoughts.json")


def write_thoughts(path: Path, spec: GameSpec, thoughts: Iterable[Thought]) -> None:
    """Write the thoughts of a game."""
    rows = [{"decision": t.decision, "player": t.player, "action": t.action, "text": whole(t.text)} for t in thoughts]
    text = json.dumps({"format": f"{spec.name}-{FORMAT}", "version": VERSION, "thoughts": rows}, ensure_ascii=False)
    write_whole(path, text + "\n")


def read_thoughts(path: Path, spec: GameSpec) -> list[Thought]:
    """Return the thoughts of a file.

    Raises: ValueError if it does not hold thoughts of this game; OSError if it cannot be read.
    """
    thought = {"decision": COUNT, "player": range(max(spec.players)), "action": str, "text": str}
    forms = {"format": f"{spec.name}-{FORMAT}", "version": VERSION, "thoughts": [thought]}
    with blaming(f"{path} is not a file of thoughts of {spec.name}"):
        data: Any = json_of(text_in(path))
        if fault := fault_of(data, forms):
            raise ValueError(fault)
    return [Thought(**row) for row in data["thoughts"]]
