"""Replaying a record on the engine, with chance from its lines, and verifying it line by line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from shogun_env.records.record import RecordError
from shogun_env.spec.forms import short
from shogun_env.spec.game_spec import Line, Script

if TYPE_CHECKING:  # --help is quick without the engine
    from shogun_env.batch.batch import Batch

_MISSING = object()


def replay(
    batch_type: type[Batch], lines: Sequence[Line], partial: bool = False, stepwise: bool = False
) -> Iterator[tuple[Batch, int | None]]:
    """Play a record on the engine, with chance from its lines.

    Args:
        batch_type: the game's ``Batch``.
        lines: a record with valid fields, as ``read_record`` returns it.
        partial: accept a record that ends before the game; the end is then the last decision that it leads to.
        stepwise: also stop after every decision with one legal action, and after every phase in which nobody decides.

    Yields: before every decision the game and the action that the record takes; at the end, and at the stops of
        ``stepwise``, the game and None. The game is a batch of one row that keeps its log, always the same object.

    Raises: RecordError naming the first line that the engine would not write, when the record reaches it, or the line
        after the last if the record ends early: before the game, or if ``partial``, before the first decision.

    Example:
        >>> from shogun_env.shogun import Batch
        >>> batch = Batch(1, num_players=3, record=True)
        >>> batch.play(["random"] * 3)
        >>> n_decisions = sum(action is not None for _, action in replay(Batch, batch.records()[0]))
        >>> n_decisions == int(batch.decisions[0])
        True
    """
    spec, header = batch_type.spec, lines[0]
    script = spec.record_format.script(lines)
    batch = batch_type(1, record=True, **spec.record_format.options_of(header))
    if stepwise:
        run_stepwise(batch)
    end = _End(batch, lines, script)
    alive = end.goes_on(lambda: batch.reset(seeds=[header["seed"] or 0], tapes={0: script.tape()}))
    while alive and not batch.over[0]:
        if stepwise and batch.legal[0].sum() == 1:
            yield batch, None
            only = int(batch.legal[0].argmax())
            alive = end.goes_on(lambda: batch.step([only]))  # noqa: B023 - called at once
            continue
        action, index = script.answer(batch.games[0])
        if action is None or not 0 <= action < spec.n_actions or not batch.legal[0, action]:
            end.refuse(action, index)
            break
        yield batch, action
        alive = end.goes_on(lambda: batch.step([action]))  # noqa: B023 - called at once
    try:
        end.compare()
    except RecordError as error:
        if not partial or error.line <= len(lines) or not end.has_begun:
            raise
        if not alive:
            return  # the chance that follows the last decision is not written
    yield batch, None


def run_stepwise(batch: Batch) -> None:
    """Make the games of a batch that keeps records stop after every decision and every phase without one.

    A step then takes the only legal action of a decision that has no other, or action 0 to run the next phase.
    """
    from shogun_env.kernel.log import STEPWISE

    batch.logs[:, STEPWISE] = 1


def verify(batch_type: type[Batch], lines: Sequence[Line]) -> None:
    """Replay a record and compare every line with what the engine writes.

    Args:
        batch_type: the game's ``Batch``.
        lines: a record with valid fields, as ``read_record`` returns it.

    Raises: RecordError naming the first line that differs, and its field.
    """
    for _ in replay(batch_type, lines):
        pass


class _End:
    """Why a replay stopped, and where the record first differs from the lines that the engine wrote."""

    def __init__(self, batch: Batch, lines: Sequence[Line], script: Script) -> None:
        self.batch, self.lines, self.order = batch, lines, script.order
        self.valid_entries = 0
        """Number of log entries written by the calls that did not fail."""
        self.has_begun = False
        """Whether the first decision was reached."""
        self.refused: tuple[int | None, str] | None = None
        """Index of the line at fault, or None if it cannot be told, and what is wrong."""

    def goes_on(self, call: Callable[[], None]) -> bool:
        """Call ``call``, which moves the game on; return False if chance from the record does not fit the game."""
        from shogun_env.kernel.log import LENGTH

        try:
            call()
        except ValueError:
            if not self.batch.games["error"][0]:
                raise
            self.refused = (None, "what this line says cannot happen here")
            return False
        self.valid_entries, self.has_begun = int(self.batch.logs[0, LENGTH]), True
        return True

    def refuse(self, action: int | None, index: int | None) -> None:
        """Note that the record's answer to a decision is missing or illegal."""
        spec, player, phase = self.batch.spec, self.batch.player[0], self.batch.games["phase"][0]
        legal = ", ".join(spec.action_name(a) for a in np.flatnonzero(self.batch.legal[0]).tolist())
        fault = "no decision found" if action is None else f"{spec.action_name(action)} is illegal"
        self.refused = (index, f"player {player} decides {spec.phase_names[phase]}: {fault}; legal are {legal}")

    def compare(self) -> None:
        """Raise a RecordError for the first line that is wrong; return if the whole record is right."""
        expected, n_valid = written(self.batch), len(written(self.batch, self.valid_entries))
        index, why = self.refused or (None, "")
        for place in range(1, len(expected)):
            at = self._line_at(place)
            if index is not None and at >= index:
                break
            if at == len(self.lines):
                raise RecordError(at + 1, f"the record ends; {expected[place]['t']} must follow")
            if difference := _difference(self.lines[at], expected[place]):
                raise RecordError(at + 1, why if why and place >= n_valid else difference)
        if self.refused or len(expected) < len(self.order):
            index = self._line_at(len(expected)) if index is None else index
            why = why or "the game is over before this line"
            raise RecordError(index + 1, why if index < len(self.lines) else f"the record ends; {why}")

    def _line_at(self, place: int) -> int:
        """Return the index of the line of the record at a place in the engine's order, or the number of lines."""
        return self.order[place] if place < len(self.order) else len(self.lines)


def written(batch: Batch, count: int | None = None) -> list[dict[str, Any]]:
    """Return the complete lines that the log of a batch of one game makes, or its first ``count`` entries."""
    from shogun_env.batch.batch import complete_lines
    from shogun_env.kernel.log import entries

    return complete_lines(batch.spec.record_format.lines(entries(batch.logs[0])[:count], batch.options, None, None))


def _difference(line: Line, expected: Line) -> str | None:
    """Return what is wrong with the first field in which a line differs from the engine's, or None."""
    if line["t"] != expected["t"]:
        return f"the type is {line['t']}, must be {expected['t']}"
    for name, value in expected.items():
        if isinstance(value, dict) and isinstance(line.get(name), dict):
            for key in sorted(value.keys() | line[name].keys()):
                if line[name].get(key, _MISSING) != value.get(key, _MISSING):
                    wrong, right = (short(row[key]) if key in row else "missing" for row in (line[name], value))
                    return f"{name}: {key} is {wrong}, must be {right}"
        elif name not in line or line[name] != value:
            return f"{name} is {short(line.get(name))}, must be {short(value)}"
    return next((f"{name} must not be here" for name in line if name not in expected), None)
