"""The result of a search: what moved, and the shares of wins before and after on fresh seeds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from shogun_env.benchmarks.markdown import markdown_table, percent, percent_interval
from shogun_env.benchmarks.tune.conditions import Condition, Judge
from shogun_env.cli import plain_options
from shogun_env.policies import Agent
from shogun_env.shares import NO, UNDECIDED, YES, Bounds, Share, decide, half_width, share_of
from shogun_env.spec.game_spec import GameSpec

if TYPE_CHECKING:  # it imports all games, and --help is quick
    from shogun_env.agents.scripted.numbers import Number

ZONE = 0.05
"""By how much the value of the new numbers has to be better for the test to be sure to say so; parity is 1."""
ANSWERS = {YES: "better than before", NO: "no better than before", UNDECIDED: "perhaps better than before"}


class Line(NamedTuple):
    """One condition: shares of wins before and after."""

    condition: Condition
    before: Share
    after: Share
    error: float
    """Half the 95 % interval of the difference, over seeds."""


class Outcome(NamedTuple):
    """The numbers that a search yields, and what they are worth."""

    numbers: tuple[Number, ...]
    """Those that were searched."""
    before: tuple[float, ...]
    after: tuple[float, ...]
    lines: tuple[Line, ...]
    verdict: str
    """Whether the value is higher after than before: ``yes``, ``no`` or ``undecided``, by ``sequential.decide``."""

    def changes(self) -> dict[str, float]:
        """Return the new values by name."""
        return {number.name: value for number, value in zip(self.numbers, self.after, strict=True)}


def measure(
    judge: Judge,
    numbers: Sequence[Number],
    before: Sequence[float],
    after: Sequence[float],
    agent_of: Callable[[Sequence[float]], Agent],
    seed: int,
) -> Outcome:
    """Play the bot with the numbers before and after a search on the same seeds, from ``seed`` on."""
    old, new = judge.wins(agent_of(before), seed), judge.wins(agent_of(after), seed)
    lines = []
    for condition, was, now in zip(judge.conditions, old, new, strict=True):
        gains = now.mean(1) - was.mean(1)
        lines.append(Line(condition=condition, before=share_of(was), after=share_of(now), error=half_width(gains)))
    return Outcome(
        numbers=tuple(numbers), before=tuple(before), after=tuple(after), lines=tuple(lines),
        verdict=verdict_of(judge, old, new),
    )  # fmt: skip


def verdict_of(judge: Judge, old: Sequence[np.ndarray], new: Sequence[np.ndarray]) -> str:
    """Return whether the mean value of ``new`` is above that of ``old``: ``yes``, ``no`` or ``undecided``.

    Args:
        judge: has the conditions and their weights.
        old, new: for each condition the shares of wins float64[S, P].
    """
    seeds = min(map(len, old))
    most = max(condition.players for condition in judge.conditions)
    total = sum(condition.weight for condition in judge.conditions)
    gains = np.zeros(seeds)
    for condition, was, now in zip(judge.conditions, old, new, strict=True):
        parts = np.array_split(now.mean(1) - was.mean(1), seeds)
        gains += condition.weight * condition.players / total * np.array([part.mean() for part in parts])
    # A gain is between -most and +most; the test wants values from 0 to 1.
    return decide((gains / most + 1) / 2, Bounds(low=0.5, high=0.5 + ZONE / most / 2)).verdict


def page(outcome: Outcome, spec: GameSpec) -> str:
    """Return the result as two tables in Markdown."""
    shares = [
        [
            f"`{line.condition.title(spec)}`",
            percent(1 / line.condition.players),
            percent_interval(*line.before[:3]),
            percent_interval(*line.after[:3]),
            f"{100 * (line.after.share - line.before.share):+.1f} ± {percent(line.error)}",
        ]
        for line in outcome.lines
    ]
    moved = [
        [number.name, f"{was:g}", f"{now:g}", f"{now - was:+.3g}", number.unit]
        for number, was, now in zip(outcome.numbers, outcome.before, outcome.after, strict=True)
    ]
    return (
        markdown_table(["against", "parity", "before", "after", "gain"], shares)
        + f"\nOver all conditions the new numbers are {ANSWERS[outcome.verdict]}.\n\n"
        + markdown_table(["number", "before", "after", "moved", "unit"], moved)
    )


def as_json(outcome: Outcome, spec: GameSpec) -> dict[str, Any]:
    """Return the result as JSON values."""
    return {
        "numbers": outcome.changes(),
        "before": {number.name: value for number, value in zip(outcome.numbers, outcome.before, strict=True)},
        "better": outcome.verdict,
        "shares": [
            {
                "against": line.condition.against,
                "options": plain_options(line.condition.options),
                "weight": line.condition.weight,
                "before": line.before._asdict(),
                "after": line.after._asdict(),
                "gain_error": line.error,
            }
            for line in outcome.lines
        ],
    }
