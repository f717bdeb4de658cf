"""A review as a page shows it: what decisions cost, the chance to win over the game, and a line about the reader."""

from collections.abc import Mapping, Sequence
from itertools import islice, pairwise

from shogun_env.batch.batch import Batch
from shogun_env.cli import Progress
from shogun_env.policies import make_agent
from shogun_env.records.events import stop_of
from shogun_env.records.replay import replay
from shogun_env.records.view import html_page
from shogun_env.review import CHAMPION
from shogun_env.review.analysis import Effort, Review, expectations, review, rounds
from shogun_env.spec.game_spec import Line
from shogun_env.spec.voice import counted

COMPARING = 0.4
"""Part of the work until choices are compared; the rest is the page."""
MISTAKE, BLUNDER = 0.03, 0.1
"""Share of the win that a mistake costs at least, and a blunder."""
LEAST_TURN = 0.05
"""Share of the win by which the chance of the reader must change to be told of."""


def review_page(
    batch_type: type[Batch], lines: Sequence[Line], reader: int | None, effort: Effort, show: Progress,
    can_begin: bool = False, resigned: Mapping[int, int] = {}, since: int = 0,
) -> str:  # fmt: skip
    """Return the replay of a game with a review of it, for a player or for somebody who looks at all.

    Args: batch_type; lines, the record; reader, whose decisions are looked at, None for all; effort; show, as for
        ``review``; can_begin, as for ``html_page``; resigned and since, as for ``review``.
    Raises: as ``review``.
    """
    reviews = review(
        batch_type, lines, None if reader is None else [reader], effort=effort, resigned=resigned, since=since,
        show=lambda done, text: show(COMPARING * done, text),
    )  # fmt: skip
    chances = list(expectations(batch_type, lines, make_agent(CHAMPION, batch_type.spec)))
    thoughts = [one for each in reviews for one in each.others]
    first, _ = next(islice(replay(batch_type, lines), since, None))
    later = [each for each in chances if each[0] >= stop_of(first, None).n_lines]
    summary = "" if reader is None else _summary(batch_type, lines, reviews[0], later, resigned.get(reader))
    return html_page(
        batch_type, lines, thoughts, chances=chances, summary=summary, seat=reader, can_begin=can_begin,
        show=lambda done: show(COMPARING + (1 - COMPARING) * done, "the page"),
    )  # fmt: skip


def _summary(
    batch_type: type[Batch], lines: Sequence[Line], own: Review, chances: Sequence[tuple[int, int, float]],
    resigned: int | None,
) -> str:  # fmt: skip
    """Return how the chance of the reader went, and how good their choices were, up to where they ``resigned``."""
    thoughts, reader = own.others, own.player
    shares = [(n_lines, share) for n_lines, player, share in chances if player == reader]
    if resigned is not None:
        shares = [each for each in shares if each[0] < resigned]
    if not shares:
        return ""
    steps = [(after - before, first, after) for (_, before), (first, after) in pairwise(shares)]
    course = [f"{_percent(shares[0][1])} at the start"]
    change, first, after = max(steps, key=lambda step: abs(step[0]), default=(0.0, 0, 0.0))
    if abs(change) >= LEAST_TURN:
        sign = "+" if change > 0 else "−"
        course.append(f"{_percent(after)} in {_low(rounds(batch_type, lines)(first))} ({sign}{100 * abs(change):.0f})")
    course.append(
        f"{_percent(shares[-1][1])} at your last decision{', after which you resigned' * (resigned is not None)}"
    )
    worst = max(thoughts, key=lambda one: one.cost, default=None)
    cost = (
        f" Your costliest decision: {_low(worst.when)}, −{100 * worst.cost:.0f} points."
        if worst is not None and worst.cost > 0
        else ""
    )
    blunders = sum(one.cost >= BLUNDER for one in thoughts)
    mistakes = sum(one.cost >= MISTAKE for one in thoughts) - blunders
    good = own.choices - mistakes - blunders
    counts = (
        f" Of {counted(own.choices, 'choice')}, {good} were good, {own.alike} of them the champion's; "
        f"{counted(mistakes, 'mistake')} (from {100 * MISTAKE:.0f} points on), "
        f"{counted(blunders, 'blunder')} (from {100 * BLUNDER:.0f})."
    )
    return f"Your chance to win: {', '.join(course)}.{counts}{cost}"


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _low(text: str) -> str:
    """Return a heading as part of a sentence."""
    return text[:1].lower() + text[1:]
