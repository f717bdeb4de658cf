"""Replaying a record on the engine, chance from its lines, and verifying it line by line.

Chance stands in a record as outcomes, so a replay needs none of the engine's random numbers: a game typed in from a
table replays like any other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from shogun_env.batch.batch import Batch, complete_lines
from shogun_env.kernel.log import LENGTH, entries
from shogun_env.records.record import RecordError, short
from shogun_env.spec.game_spec import Line, Script

__all__ = ["replay", "verify", "written"]

_MISSING = object()


def replay(batch_type: type[Batch], lines: Sequence[Line]) -> Iterator[tuple[Batch, int | None]]:
    """Play a record on the engine, chance from its lines.

    Args:
        batch_type: the game's ``Batch``.
        lines: a record whose fields are right, as ``read_record`` returns them.

    Yields: before every decision the game, as one and the same batch of one row that keeps its log, and the action that
        the record takes; at the end the game and None.

    Raises: RecordError when the record ends or leaves the rules, naming the first line that the engine would not write.
    """
    spec, header = batch_type.spec, lines[0]
    script = spec.record_format.script(lines)
    batch = batch_type(1, record=True, **spec.record_format.options_of(header))
    end = _End(batch, lines, script)
    alive = end.goes_on(lambda: batch.reset(seeds=[header["seed"] or 0], tapes={0: script.tape()}))
    while alive and not batch.over[0]:
        action, index = script.answer(batch.games[0])
        if action is None or not 0 <= action < spec.n_actions or not batch.legal[0, action]:
            end.refuse(action, index)
            break
        yield batch, action
        alive = end.goes_on(lambda: batch.step([action]))  # noqa: B023 - called at once
    end.compare()
    yield batch, None


def verify(batch_type: type[Batch], lines: Sequence[Line]) -> None:
    """Replay a record and compare every line with what the engine writes.

    Raises: RecordError naming the first line, and the field of it, that differs.
    """
    for _ in replay(batch_type, lines):
        pass


class _End:
    """Why a replay stopped, and where the record first differs from what the engine wrote."""

    def __init__(self, batch: Batch, lines: Sequence[Line], script: Script) -> None:
        self.batch, self.lines, self.order = batch, lines, script.order
        self.sure = 0
        """Log entries written by the calls that did not fail."""
        self.refused: tuple[int | None, str] | None = None
        """Index of the line at fault, as far as it is known, and what is wrong."""

    def goes_on(self, call: Callable[[], None]) -> bool:
        """Call what moves the game on; False if chance from the record did not fit it."""
        try:
            call()
        except ValueError:
            if not self.batch.games["error"][0]:
                raise
            self.refused = (None, "what this line says cannot happen here")
            return False
        self.sure = int(self.batch.logs[0, LENGTH])
        return True

    def refuse(self, action: int | None, index: int | None) -> None:
        """Note that the record's answer to a decision is missing or illegal."""
        spec, player, phase = self.batch.spec, self.batch.player[0], self.batch.games["phase"][0]
        legal = ", ".join(spec.action_name(a) for a in np.flatnonzero(self.batch.legal[0]).tolist())
        found = "no decision found" if action is None else f"{spec.action_name(action)} is illegal"
        self.refused = (index, f"player {player} decides {spec.phase_names[phase]}: {found}; legal are {legal}")

    def compare(self) -> None:
        """Raise a RecordError for the first line that is wrong; return if the record is right from end to end."""
        made, sure = written(self.batch), len(written(self.batch, self.sure))
        index, why = self.refused or (None, "")
        for place in range(1, len(made)):
            at = self._line_at(place)
            if index is not None and at >= index:
                break
            if at == len(self.lines):
                raise RecordError(at + 1, f"the record ends; {made[place]['t']} must follow")
            if difference := _difference(self.lines[at], made[place]):
                raise RecordError(at + 1, why if why and place >= sure else difference)
        if self.refused or len(made) < len(self.order):
            index = self._line_at(len(made)) if index is None else index
            why = why or "the game is over before this line"
            raise RecordError(index + 1, why if index < len(self.lines) else f"the record ends; {why}")

    def _line_at(self, place: int) -> int:
        """Return the index of the line that stands where the engine wrote one, or how many there are."""
        return self.order[place] if place < len(self.order) else len(self.lines)


def written(batch: Batch, count: int | None = None) -> list[dict[str, Any]]:
    """Return the lines that the log of a batch of one game, or its first ``count`` entries, make; none cut short."""
    return complete_lines(batch.spec.record_format.lines(entries(batch.logs[0])[:count], batch.options, None, None))


def _difference(line: Line, wanted: Line) -> str | None:
    """Name the first field in which a line differs from what the engine wrote."""
    if line["t"] != wanted["t"]:
        return f"{line['t']} found, {wanted['t']} must stand here"
    for name, value in wanted.items():
        if isinstance(value, dict) and isinstance(line.get(name), dict):
            for key in sorted(value.keys() | line[name].keys()):
                if line[name].get(key, _MISSING) != value.get(key, _MISSING):
                    found, right = (short(row[key]) if key in row else "missing" for row in (line[name], value))
                    return f"{name}: {key} is {found}, must be {right}"
        elif name not in line or line[name] != value:
            return f"{name} is {short(line.get(name))}, must be {short(value)}"
    return next((f"{name} must not be here" for name in line if name not in wanted), None)
