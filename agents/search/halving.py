"""Sequential halving: rollouts go to the candidates that look best, for many decisions in each call of the loop.

All candidates of a decision meet the same seeds, and each is compared with the first one, the choice of the base bot,
by the differences of rollouts with equal seeds. One halving with a budget is a lap; a search with a time limit runs
laps, each twice as long as the one before, and can be asked for its answer at any moment.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

SIFTINGS = 4
"""How often the candidates are sifted in a lap."""
KEPT = 3
"""One candidate in this many stays after a sifting."""
LEAST_PAIRS = 6
"""Fewer pairs of rollouts never overrule the base bot."""
PER_CANDIDATE = 16
"""Rollouts for each candidate of the first sifting, where there are as many candidates as one likes."""
MOST_CANDIDATES = 24
"""Candidates in the first sifting at most, in that case."""
SEEDS = 2**53
"""Seeds are whole numbers below this."""

Forced = int | np.ndarray
"""What a candidate forces: an action, or a whole plan int64[S]."""


def candidates_for(budget: int) -> int:
    """Return how many candidates a lap with ``budget`` rollouts can sift, where there are as many as one likes.

    Example:
        >>> candidates_for(10), candidates_for(200), candidates_for(1000)
        (3, 12, 24)
    """
    return min(MOST_CANDIDATES, max(3, budget // PER_CANDIDATE))


@dataclass(kw_only=True)
class Question:
    """A decision that is searched. It can be left at any rollout and resumed."""

    root: int
    """Row of its root."""
    player: int
    candidates: list[Forced]
    """What may be played; the base bot's choice is the first."""
    rng: np.random.Generator
    """Where the seeds of its rollouts are drawn from."""
    budget: int
    """Number of rollouts of the lap."""
    weight: float = 1.0
    """Its part of the milliseconds of a decision."""
    more: Callable[[list[Forced], int], list[Forced]] | None = None
    """``more(best, count)`` returns up to ``count`` new candidates near the best ones, best first."""
    values: list[np.ndarray] = field(default_factory=list)
    """For each candidate the worths of its rollouts, by seed."""
    active: list[int] = field(default_factory=list)
    """The candidates of this sifting."""
    finalists: list[int] = field(default_factory=list)
    """The candidates that were left after the last complete lap."""
    pending: list[tuple[int, int]] = field(default_factory=list)
    """Rollouts of this sifting that are still to be played: candidate and number of the seed, by seed."""

    def __post_init__(self) -> None:
        """Open the first lap."""
        self.seeds = np.zeros(0, np.int64)
        """int64[n], seeds of the rollouts."""
        self.values = [np.zeros(0)] * len(self.candidates)
        self.open_lap(self.budget)

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

    def ranking(self, among: list[int]) -> list[int]:
        """Return candidates, best first."""
        return sorted(among, key=lambda index: (-self.gain(index), index))

    # --- laps --------------------------------------------------------------------------------------------------------

    def open_lap(self, budget: int) -> None:
        """Begin a halving with ``budget`` rollouts; a later lap knows what the earlier ones have found."""
        self.budget, self._step, self.is_complete = budget, 0, False
        self.seeds = np.concatenate([self.seeds, self.rng.integers(0, SEEDS, budget)])

    def open_sifting(self) -> None:
        """Choose the rollouts of the next sifting; after the last one the lap is complete."""
        while not self.pending and self._step < SIFTINGS:
            self._choose_active()
            self.pending = self._rollouts(max(1, self.budget // SIFTINGS // len(self.active)))
            self._step += 1
        if not self.pending:
            self.finalists, self.is_complete = self.active, True

    def _choose_active(self) -> None:
        """Choose the candidates of a sifting: all of them, later the best and new ones near them.

        A later lap begins with all as well, or where there are new ones with half as many as the budget can sift.
        """
        if not self.active:
            self.active = list(range(len(self.candidates)))
        else:
            first_of_lap, last = self._step == 0, self._step == SIFTINGS - 1
            among = list(range(len(self.values))) if first_of_lap else self.active
            count = -(-len(self.active) // KEPT)
            if first_of_lap:
                count = len(among) if self.more is None else candidates_for(self.budget) // 2
            best = self.ranking(among)[: max(2, count)]
            fresh: list[Forced] = []
            if self.more is not None and not last:
                fresh = self.more([self.candidates[index] for index in best], len(best))
            first = len(self.candidates)
            self.candidates += fresh
            self.active = sorted({0, *best}) + list(range(first, len(self.candidates)))
        self.values += [np.zeros(0) for _ in range(len(self.candidates) - len(self.values))]

    def _rollouts(self, count: int) -> list[tuple[int, int]]:
        """Return the next ``count`` rollouts of each active candidate, and those of the first to compare them with."""
        rollouts: list[tuple[int, int]] = []
        furthest = 0
        for index in self.active:
            done = len(self.values[index])
            if index:
                furthest = max(furthest, done + count)
                rollouts += [(index, seed) for seed in range(done, done + count)]
        done = len(self.values[0])
        rollouts += [(0, seed) for seed in range(done, max(furthest, done))]
        return sorted(rollouts, key=lambda rollout: rollout[1])  # rollouts with equal seeds in a row are faster

    def take_in(self, worths: np.ndarray) -> None:
        """Add what the first rollouts pending are worth, float64[n], to the values of their candidates."""
        played, self.pending = self.pending[: len(worths)], self.pending[len(worths) :]
        of = np.array([index for index, _ in played])
        for index in np.unique(of).tolist():
            self.values[index] = np.concatenate([self.values[index], worths[of == index]])

    # --- the answer --------------------------------------------------------------------------------------------------

    def answer(self, gate: float) -> Forced:
        """Return the best candidate so far if it is surely better than the first one, else the first."""
        best = self.ranking(self.finalists or self.active or [0])[0]
        return self.candidates[best if best == 0 or self.is_surely_better(best, gate) else 0]

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


Job = tuple[int, int, int]
"""A rollout: number of the question, of the candidate, and of the seed."""
RollOut = Callable[[list[Question], list[Job]], np.ndarray]
"""``roll_out(questions, jobs)`` returns what the rollouts of jobs are worth: float64[jobs]."""


def go_on(questions: list[Question], roll_out: RollOut, most: int | None = None) -> bool:
    """Play rollouts of the questions in one call of ``roll_out``; return False if there are none left in their laps.

    What is found does not depend on how many are played in a call.

    Args:
        questions: what is searched; their candidates and values are written.
        roll_out: plays rollouts.
        most: rollouts in this call at most, about; None for all of a sifting.
    """
    for question in questions:
        if not question.pending and not question.is_complete:
            question.open_sifting()
    waiting = sum(bool(question.pending) for question in questions)
    if not waiting:
        return False
    each = None if most is None else max(1, most // waiting)
    jobs = [(number, *rollout) for number, question in enumerate(questions) for rollout in question.pending[:each]]
    worths, begin = roll_out(questions, jobs), 0
    for question in questions:
        if count := len(question.pending[:each]):
            question.take_in(worths[begin : begin + count])
            begin += count
    return True
