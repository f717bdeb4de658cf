"""The per-game face of Shitennō, safe for device code: ``reset, legal, step, observe, redeal, over`` and the rest."""

from __future__ import annotations

from shogun_env._jit import rule
from shogun_env.shitenno import constants as c
from shogun_env.shitenno.flow import advance as step
from shogun_env.shitenno.invariants import check_game
from shogun_env.shitenno.legal import legal, legal_for
from shogun_env.shitenno.observe import observe
from shogun_env.shitenno.redeal import redeal
from shogun_env.shitenno.rules.scoring import reward_so_far

__all__ = [
    "N_ACTIONS",
    "check_game",
    "legal",
    "legal_for",
    "observe",
    "over",
    "redeal",
    "reset",
    "reward_so_far",
    "step",
]

N_ACTIONS = c.N_ACTIONS


@rule
def reset(g, rng, log):
    """Set up a record that holds its options and is blank otherwise, up to the first decision."""
    step(g, rng, log, c.NONE)


@rule
def over(g):
    """Say whether the game is over."""
    return g["phase"] == c.OVER
