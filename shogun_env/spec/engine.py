"""The functions of a game's engine: the protocol that the shared loops call."""

from __future__ import annotations

from dataclasses import dataclass

from shogun_env.kernel.types import Kernel


@dataclass(frozen=True, kw_only=True)
class Engine:
    """The compiled functions of a game. All of them work on one state and are safe for device code.

    A state ``g`` has at least the fields ``player`` (who decides, -1 when over), ``phase``, ``points`` and ``error``.
    """

    source: str
    """File in which the functions meet; the loops bound to them are cached with its kernels."""
    start: Kernel
    """``start(g, rng, log)``: make a state that holds its options and is blank otherwise ready to be run or decided."""
    decide: Kernel
    """``decide(g, rng, log, action)``: carry out a legal action of the player who decides."""
    needs_run: Kernel
    """``needs_run(g) -> bool``: the state is in a phase that nobody decides."""
    run: Kernel
    """``run(g, rng, log)``: run that phase."""
    legal: Kernel
    """``legal(g, mask) -> int``: write the mask of the decision, int8[A] (action 0 alone when the game is over); return
    the number of legal actions. The shared loops play a decision with one legal action themselves."""
    legal_for: Kernel
    """``legal_for(g, player, mask)``: write the mask of a player, who may not be the one asked next: action 0 alone for
    a player with nothing to decide."""
    is_over: Kernel
    """``is_over(g) -> bool``"""
    observe: Kernel
    """``observe(g, player, out)``: write what a player may know into ``out`` uint8[D], and nothing else."""
    redeal: Kernel
    """``redeal(g, rng, player, mask)``: replace everything that ``player`` cannot know by a random completion
    consistent with what they can; ``mask`` is scratch."""
    reward_so_far: Kernel
    """``reward_so_far(g, player, reward) -> float64``: the sum of a player's rewards, by number of the reward."""
    check_game: Kernel
    """``check_game(g, mask) -> int``: 0 for a valid state, else the code of the first condition that fails; ``mask`` is
    scratch."""
    observation_epoch: Kernel | None = None
    """``observation_epoch(g) -> int``: a number that stays the same while ``update_observation`` is enough; -1 at all
    other times. None for a game without such times."""
    update_observation: Kernel | None = None
    """``update_observation(g, player, out)``: bring an observation of the same epoch up to date."""
