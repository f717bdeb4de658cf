"""What a person sees who makes a plan: the spaces in the order of play, and what each card would do on each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

__all__ = ["PlanCosts", "PlanSpace"]


@dataclass(frozen=True)
class PlanSpace:
    """A space of a plan.

    Attributes:
        space: its number, as in ``GameSpec.plan_spaces``.
        mark: where it is in the order of play, such as ``1``; ``?`` where nobody knows, empty where that says nothing.
        title: what the space is for, with its price.
        cards: what the game does with each card that the player holds there, in a few words, by action.
    """

    space: int
    mark: str
    title: str
    cards: dict[int, str]


class PlanCosts(NamedTuple):
    """What a plan, or the part of it that is made, costs its player."""

    text: str
    """In a sentence: the costs, and what the player has; empty if it costs nothing."""
    unpaid: Mapping[int, str]
    """Why the means may not suffice, by the number of the space for which that is so."""
