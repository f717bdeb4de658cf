"""A game looked at again by a champion: what choices cost, where it turned, and what is made of a hint."""

from shogun_env.review.analysis import (
    Effort,
    Review,
    Reviewed,
    Turn,
    cost_text,
    review,
    thoughts_of,
    turning_points,
    why,
)

__all__ = ["Effort", "Review", "Reviewed", "Turn", "cost_text", "review", "thoughts_of", "turning_points", "why"]
