"""How learning rates rise shortly and then fall: in imitation by a cosine, in PPO in a straight line."""

from __future__ import annotations

import math

WARM_UP = 0.03
"""Part of imitation in which the rate rises: the first steps of Adam know the size of few gradients and go too far."""
WARM_UP_FROM = 0.05
"""Part of the highest rate at which it begins to rise."""
LAST_OF_IMITATION = 0.01
"""Part of the highest rate that is left at the end of imitation."""
LAST_OF_PPO = 0.1
"""Part of the first rate that is left at the end of a run."""
RISE_OF_PPO = 50
"""Steps of Adam in which the rate of PPO rises, for the same reason: a run that began with the champion moved in its
first update twenty times as far as later (KL divergence .038), which it had to learn again."""


def imitation_rate(highest: float, done: float) -> float:
    """Return the learning rate when ``done`` of the imitation, from 0 to 1, is over."""
    rise = min(1.0, done / WARM_UP + WARM_UP_FROM)
    return highest * (rise * (LAST_OF_IMITATION + 0.5 + 0.5 * math.cos(math.pi * min(1.0, done))))


def ppo_rate(first: float, left: float) -> float:
    """Return the learning rate when ``left`` of PPO's part of the run, from 1 to 0, is to come."""
    return first * (LAST_OF_PPO + (1.0 - LAST_OF_PPO) * left)


def risen(rate: float, steps: int) -> float:
    """Return a learning rate of PPO when this many steps have been made since the optimizer was new."""
    return rate * min(1.0, (steps + 1) / RISE_OF_PPO)
