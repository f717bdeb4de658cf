"""The events of a game: what happens at once, with the state before and after it.

The engine stops after every decision and every phase (``run_stepwise``). Each stop at which there are new lines ends an
event, except for lines that only go with another event, as the game's ``joins`` says: "action 3 begins" belongs to what
the first player does in it, and "nothing is done" to what was done before.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from shogun_env.batch.batch import Batch, complete_lines
from shogun_env.kernel.log import LENGTH, entries
from shogun_env.spec.game_spec import GameSpec, Line
from shogun_env.spec.record_kinds import LogReader


class Stop(NamedTuple):
    """Where a game that runs stepwise has stopped."""

    n_lines: int
    """How many lines of its record, the header included, are complete."""
    length: int
    """How many entries its log has."""
    state: np.void
    log: LogReader
    """Has read the log up to here: lines are made once, not again at each stop."""


class Event(NamedTuple):
    """Lines of a record that are one step, and the states between which they lie."""

    first: int
    """Index of the first line in the record."""
    end: int
    """Index of the line after the last."""
    before: np.void
    after: np.void


def first_stop(batch: Batch) -> Stop:
    """Return the stop before all lines, in the state that a batch of one game is in."""
    form = batch.spec.record_format
    log = form.kinds.reader(form.log_options(batch.options))
    return Stop(n_lines=1, length=0, state=batch.games[0].copy(), log=log)


def stop_of(batch: Batch, last: Stop | None) -> Stop:
    """Return where a batch of one game has stopped; ``last`` is the stop before, None if there was none."""
    last = last or first_stop(batch)
    last.log.rows += entries(batch.logs[0])[last.length :].tolist()
    lines = complete_lines(batch.spec.record_format.kinds.read(last.log))
    length = int(batch.logs[0, LENGTH])
    return last._replace(n_lines=last.n_lines + len(lines), length=length, state=batch.games[0].copy())


def events_of(spec: GameSpec, stops: Iterable[Stop], lines: Sequence[Line]) -> Iterator[Event]:
    """Yield the events of a game, in order, every line in one of them.

    Args: the game; stops, in order, the first one before all lines that are to be told; lines of the record.
    """
    joins = spec.record_format.kinds.joins
    pending: Event | None = None
    holds = False  # whether more than what opens an event is pending
    last: Stop | None = None
    for stop in stops:
        if last is None or stop.n_lines == last.n_lines:
            last = stop if last is None else last._replace(state=stop.state)
            continue
        kinds = [joins(line) for line in lines[last.n_lines : stop.n_lines]]
        if pending is not None and holds and max(kinds) >= 0:
            yield pending
            pending = None
        if pending is None:
            pending, holds = Event(last.n_lines, stop.n_lines, last.state, stop.state), False
        pending = pending._replace(end=stop.n_lines, after=stop.state)
        holds = holds or 0 in kinds or min(kinds) < -1
        last = stop
    if pending is not None:
        yield pending


def arrows_of(lines: Sequence[Line]) -> list[tuple[Any, Any, bool]]:
    """Return what moves in some lines: from where, to where, and whether it is an attack."""
    return [
        (line["province"], line["to"], line.get("result") == "attacked")
        for line in lines
        if line.get("to") is not None and line.get("province") is not None
    ]
