"""The per-game face of Shogun: what the frame's loops call. Safe for device code."""

from __future__ import annotations

from shogun_env._jit import rule
from shogun_env.shogun import constants as c
from shogun_env.shogun.flow import advance as step
from shogun_env.shogun.flow import start_game
from shogun_env.shogun.invariants import check_game
from shogun_env.shogun.legal import legal, legal_for
from shogun_env.shogun.observe import observe, observe_again, quiet_time
from shogun_env.shogun.redeal import redeal
from shogun_env.shogun.rules.scoring import reward_so_far

__all__ = [
    "N_ACTIONS",
    "check_game",
    "legal",
    "legal_for",
    "observe",
    "observe_again",
    "over",
    "quiet_time",
    "redeal",
    "reset",
    "reward_so_far",
    "step",
]

N_ACTIONS = c.N_ACTIONS


@rule
def reset(g, rng, log):
    """Set up a record that holds its options and is blank otherwise, up to the first decision."""
    start_game(g, rng, log)
    step(g, rng, log, c.NONE)


@rule
def over(g):
    """Say whether the game is over."""
    return g["phase"] == c.OVER
