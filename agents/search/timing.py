"""Search for a number of seconds: laps of sequential halving, each about twice as long as the one before."""

from collections.abc import Callable

import numpy as np

from shogun_env.agents.search.halving import Job, Question, RollOut, go_on

Clock = Callable[[], float]
"""Tells the seconds."""
FIRST_PART = 0.25
"""Part of the rollouts expected in the time that are played in the first lap, so that the others go by its speed."""
LEAST_LAP = 8
"""Rollouts of a lap at least; none begins if fewer fit into the time that is left."""
SLICE = 0.02
"""Seconds between two looks at the clock."""
FIRST_SLICE = 64
"""Rollouts before the first look."""
DRAFTING = 0.25
"""Part of the time in which the first plans are drafted."""
FIRST_SPEED = 10_000.0
"""Rollouts per second that are expected before any was timed."""
FIRST_DRAFT = 0.002
"""Seconds for a draft of a plan that are expected before any was timed."""
NEWEST = 0.2
"""What the last search counts in the means of these, so that a slow one does not halve the next budget."""


class Pace:
    """How fast rollouts are, and the clock that tells it.

    Args: clock: tells the seconds.
    """

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.speed = FIRST_SPEED
        """Rollouts per second, as far as known: a mean over the searches so far."""
        self.draft = FIRST_DRAFT
        """Seconds for a draft of a plan, in the same way."""

    def plans_in(self, seconds: float) -> int:
        """Return how many plans to draft for a decision that has this long."""
        return max(3, int(DRAFTING * seconds / self.draft))

    def drafted(self, count: int, seconds: float) -> None:
        """Note how long the drafts of ``count`` plans took."""
        self.draft += NEWEST * (max(seconds, 1e-6) / count - self.draft)

    def first_lap(self, seconds: float) -> tuple[int, int]:
        """Return how many rollouts are expected in a number of seconds, and how many to play in the first lap."""
        expected = int(self.speed * seconds)
        return expected, max(LEAST_LAP, int(FIRST_PART * expected))

    def search(self, questions: list[Question], roll_out: RollOut, seconds: float, begin: float) -> None:
        """Search questions together until each has had its time.

        Args:
            questions: what is searched, as in ``go_on``; with the best answers so far they can be left at any time.
            roll_out: plays rollouts.
            seconds: for a question of weight 1; others get that part of it.
            begin: when the time began, by the clock.
        """
        weights = sum(question.weight for question in questions)
        end = begin + seconds * weights
        played, spent, played_before = 0, 0.0, 0

        def timed(questions: list[Question], jobs: list[Job]) -> np.ndarray:
            nonlocal played, spent
            before = self.clock()
            worths = roll_out(questions, jobs)
            played, spent = played + len(jobs), spent + self.clock() - before
            return worths

        while (left := end - self.clock()) > 0:
            speed = played / max(spent, 1e-9) if played else self.speed
            most = max(1, int(speed * min(SLICE, left)))
            most = most if played else min(most, FIRST_SLICE)
            if go_on(questions, timed, most):
                continue
            fits = speed * left / weights
            if fits < LEAST_LAP or played == played_before:  # there is no time, or nothing to compare
                break
            played_before = played
            for question in questions:
                question.open_lap(next_lap(question.budget, int(fits * question.weight)))
        if played:
            self.speed += NEWEST * (played / max(spent, 1e-9) - self.speed)


def next_lap(last: int, fits: int) -> int:
    """Return the rollouts of the lap after one of ``last``: twice as many, or all that ``fits`` if few would be left.

    Example:
        >>> next_lap(100, 1000), next_lap(100, 290), next_lap(100, 50)
        (200, 290, 50)
    """
    return max(1, fits if fits <= 3 * last else 2 * last)
