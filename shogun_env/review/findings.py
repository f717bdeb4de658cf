"""A review as a page shows it: what decisions cost, the chance to win over the game, and a line about the reader."""

import json
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from shogun_env.batch.batch import Batch
from shogun_env.cli import Progress
from shogun_env.files import text_in, write_whole
from shogun_env.policies import make_agent
from shogun_env.records.thoughts import Thought
from shogun_env.review import CHAMPION
from shogun_env.review.analysis import Effort, expectations, review, rounds, when_of
from shogun_env.spec.forms import json_of
from shogun_env.spec.game_spec import Line

VERSION = 1
LEAST_TURN = 0.05
"""Share of the win by which the chance of the reader must change to be told of."""


class Findings(NamedTuple):
    """What a page shows of a review."""

    thoughts: tuple[Thought, ...]
    """What decisions cost."""
    chances: tuple[tuple[int, int, float], ...]
    """The share of the win that the champion expects: number of lines of the record then, player, share."""
    summary: str
    """A sentence about the reader; empty where there is none."""


def findings_of(
    batch_type: type[Batch], lines: Sequence[Line], reader: int | None, effort: Effort, show: Progress
) -> Findings:
    """Return what a review of a game finds, for a player or for somebody who looks at all.

    Args: batch_type; lines, the record; reader, whose decisions are looked at, None for all; effort; show, as for
        ``review``.
    Raises: as ``review``.
    """
    champion = make_agent(CHAMPION, batch_type.spec)
    reviews = review(batch_type, lines, None if reader is None else [reader], effort=effort, show=show)
    chances = tuple(
        (n_lines, player, round(share, 4)) for player, share, n_lines in expectations(batch_type, lines, champion)
    )
    thoughts = tuple(one for each in reviews for one in each.others)
    summary = "" if reader is None else _summary(batch_type, lines, reader, chances, thoughts)
    return Findings(thoughts=thoughts, chances=chances, summary=summary)


def _summary(
    batch_type: type[Batch], lines: Sequence[Line], reader: int, chances: Sequence[tuple[int, int, float]],
    thoughts: Sequence[Thought],
) -> str:  # fmt: skip
    """Return how the chance of the reader went: at the start, after its largest change, at the last decision."""
    shares = [(n_lines, share) for n_lines, player, share in chances if player == reader]
    if not shares:
        return ""
    whens = rounds(batch_type, lines)
    steps = [(after - before, first, after) for (_, before), (first, after) in pairwise(shares)]
    course = [f"{_percent(shares[0][1])} at the start"]
    change, first, after = max(steps, key=lambda step: abs(step[0]), default=(0.0, 0, 0.0))
    if abs(change) >= LEAST_TURN:
        sign = "+" if change > 0 else "−"
        course.append(f"{_percent(after)} in {_low(when_of(whens, first))} ({sign}{100 * abs(change):.0f})")
    course.append(f"{_percent(shares[-1][1])} at your last decision")
    worst = max(thoughts, key=lambda one: one.cost, default=None)
    cost = (
        f" Your costliest decision: {_low(worst.when)}, −{100 * worst.cost:.0f} points."
        if worst is not None and worst.cost > 0
        else ""
    )
    return f"Your chance to win: {', '.join(course)}.{cost}"


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _low(text: str) -> str:
    """Return a heading as part of a sentence."""
    return text[:1].lower() + text[1:]


# --- keeping ---------------------------------------------------------------------------------------------------------


def write_findings(path: Path, findings: Findings) -> None:
    """Write findings to a file."""
    thoughts = [thought._asdict() for thought in findings.thoughts]
    data = {"version": VERSION, **findings._asdict(), "thoughts": thoughts}
    write_whole(path, json.dumps(data, ensure_ascii=False))


def read_findings(path: Path) -> Findings | None:
    """Return the findings in a file; None if there are none, or not of this version."""
    try:
        data: Any = json_of(text_in(path))
        if data["version"] != VERSION:
            return None
        thoughts = tuple(Thought(**{**one, "rows": tuple(map(tuple, one["rows"]))}) for one in data["thoughts"])
        return Findings(thoughts=thoughts, chances=tuple(map(tuple, data["chances"])), summary=str(data["summary"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None
