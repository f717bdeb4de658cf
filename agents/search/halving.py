"""Sequential halving: rollouts go to the candidates that look best, for many decisions in each call of the loop.

All candidates of a decision meet the same seeds, and each is compared with the first one, the choice of the base bot,
by the differences of rollouts with equal seeds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

SIFTINGS = 4
"""How often the candidates are sifted."""
KEPT = 3
"""One candidate in this many stays after a sifting."""
LEAST_PAIRS = 6
"""Fewer pairs of rollouts never overrule the base bot."""

Forced = int | np.ndarray
"""What a candidate forces: an action, or a whole plan int64[S]."""


@dataclass(kw_only=True)
class Question:
    """A decision that is searched."""

    root: int
    """Row of its root."""
    player: int
    candidates: list[Forced]
    """What may be played; the base bot's choice is the first."""
    budget: int
    """Number of rollouts."""
    seeds: np.ndarray
    """int64[budget], seeds of the rollouts."""
    more: Callable[[list[Forced], int], list[Forced]] | None = None
    """``more(best, count)`` returns up to ``count`` new candidates near the best ones, best first."""
    values: list[np.ndarray] = field(default_factory=list)
    """For each candidate the worths of its rollouts, by seed."""
    active: list[int] = field(default_factory=list)
    """The candidates of this sifting."""

    def gain(self, index: int) -> float:
        """Return by how much a candidate is better than the first one, on the seeds that both have met."""
        n = min(len(self.values[index]), len(self.values[0]))
        return float((self.values[index][:n] - self.values[0][:n]).mean()) if n else 0.0

    def is_surely_better(self, index: int, gate: float) -> bool:
        """Say whether a candidate is better than the first one by ``gate`` standard errors of the difference."""
        n = min(len(self.values[index]), len(self.values[0]))
        if n < LEAST_PAIRS:
            return False
        differences = self.values[index][:n] - self.values[0][:n]
        return bool(differences.mean() > gate * differences.std(ddof=1) / np.sqrt(n) and differences.mean() > 0)

    def is_doubtful(self, gate: float) -> bool:
        """Say whether the best candidate is better than the first one, but not surely."""
        best = self.ranking()[0]
        return best != 0 and self.gain(best) > 0 and not self.is_surely_better(best, gate)

    def ranking(self) -> list[int]:
        """Return the active candidates, best first."""
        return sorted(self.active, key=lambda index: (-self.gain(index), index))

    def open_sifting(self, number: int) -> int:
        """Choose the candidates of a sifting, numbered from 0; return how many rollouts each of them gets in it."""
        if number == 0:
            self.active = list(range(len(self.candidates)))
        else:
            best = self.ranking()[: max(2, -(-len(self.active) // KEPT))]
            fresh: list[Forced] = []
            if self.more is not None and number < SIFTINGS - 1:
                fresh = self.more([self.candidates[index] for index in best], len(best))
            first = len(self.candidates)
            self.candidates += fresh
            self.active = sorted({0, *best}) + list(range(first, len(self.candidates)))
        self.values += [np.zeros(0) for _ in range(len(self.candidates) - len(self.values))]
        return max(1, self.budget // SIFTINGS // len(self.active))

    def report(self, name_of: Callable[[int], str], count: int = 8) -> str:
        """Return in words how the best candidates of the search and the first one did, by names of actions."""
        order = sorted(range(len(self.values)), key=lambda index: (-len(self.values[index]), -self.gain(index)))
        shown = [*order[:count], *([0] if 0 not in order[:count] else [])]
        rows = [f"{'rollouts':>8} {'gain':>7}  of {len(self.candidates)} candidates; gain: reward over the first"]
        for index in shown:
            actions = np.atleast_1d(np.asarray(self.candidates[index])).tolist()
            words = " ".join(map(name_of, actions)) + ("  (the first)" if index == 0 else "")
            rows.append(f"{len(self.values[index]):8} {self.gain(index):+7.3f}  {words}")
        return "\n".join(rows)

    def answer(self, gate: float) -> Forced:
        """Return the best candidate if it is surely better than the first one, else the first."""
        best = self.ranking()[0]
        return self.candidates[best if best == 0 or self.is_surely_better(best, gate) else 0]


Job = tuple[int, int, int]
"""A rollout: number of the question, of the candidate, and of the seed."""
RollOut = Callable[[list[Question], list[Job]], np.ndarray]
"""``roll_out(questions, jobs)`` returns what the rollouts of jobs are worth: float64[jobs]."""


def halve(questions: list[Question], roll_out: RollOut, gate: float = 0.0, retests: int = 0) -> None:
    """Search all questions together: one call of ``roll_out`` per sifting.

    Args:
        questions: what is searched; their candidates and values are written.
        roll_out: plays rollouts.
        gate, retests: a best candidate that is better than the first one, but not surely by ``gate`` standard errors,
            is compared with it again, with as many rollouts as in a sifting, at most ``retests`` times.
    """
    for sifting in range(SIFTINGS):
        jobs: list[Job] = []
        for number, question in enumerate(questions):
            if len(question.candidates) == 1 and question.more is None:
                question.active, question.values = [0], [np.zeros(0)]
            else:
                jobs += _jobs_of(number, question, question.open_sifting(sifting))
        _play(questions, jobs, roll_out)
    for _ in range(retests):
        jobs = []
        for number, question in enumerate(questions):
            if question.is_doubtful(gate):
                question.active = [0, question.ranking()[0]]
                jobs += _jobs_of(number, question, max(1, question.budget // SIFTINGS // 2))
        _play(questions, jobs, roll_out)


def _jobs_of(number: int, question: Question, count: int) -> list[Job]:
    """Return the next ``count`` rollouts of each active candidate, and those of the first that are to be compared."""
    jobs: list[Job] = []
    furthest = 0
    for index in question.active:
        done = len(question.values[index])
        if index:
            furthest = max(furthest, done + count)
            jobs += [(number, index, seed) for seed in range(done, done + count)]
    done = len(question.values[0])
    return jobs + [(number, 0, seed) for seed in range(done, max(furthest, done))]


def _play(questions: list[Question], jobs: list[Job], roll_out: RollOut) -> None:
    """Play jobs and add what they are worth to the values of their questions."""
    if not jobs:
        return
    order = sorted(range(len(jobs)), key=lambda job: (jobs[job][0], jobs[job][2]))  # equal seeds in a row are faster
    worths = np.zeros(len(jobs))
    worths[order] = roll_out(questions, [jobs[job] for job in order])
    owners = np.array([job[:2] for job in jobs])
    cuts = np.flatnonzero((owners[1:] != owners[:-1]).any(1)) + 1
    for begin, part in zip([0, *cuts.tolist()], np.split(worths, cuts), strict=True):
        number, index, _ = jobs[begin]
        values = questions[number].values
        values[index] = np.concatenate([values[index], part])
