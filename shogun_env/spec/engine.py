"""The functions of a game's engine, as the shared loops call them."""

from dataclasses import dataclass
from typing import Any

from shogun_env.kernel.types import Int, Kernel


def nothing(*args: Any) -> None:
    """Do nothing, in place of a function that a game does not need."""


def zero(*args: Any) -> Int:
    """Return 0, likewise."""
    return 0


def minus_one(*args: Any) -> Int:
    """Return -1, likewise."""
    return -1


@dataclass(frozen=True, kw_only=True, eq=False)
class Engine:
    """The kernels of a game. Each of them works on one state.

    A state ``g`` has at least the fields ``player`` (who decides, -1 if the game is over), ``phase``, ``points`` and
    ``error``.
    """

    name: str
    """Short name of the game; games on the same engine share its loops."""
    source: str
    """Path of the file that imports these functions; the loops bound to them are cached together with its kernels."""
    decide: Kernel
    """``decide(g, rng, log, action)``: carry out a legal action of the player who decides."""
    run: Kernel
    """``run(g, rng, log)``: run the phase, one in which nobody decides, and set ``ERR_PHASE`` in an unknown one."""
    over: int
    """The phase of a game that is over. A player decides in the phases before it, nobody in those after it."""
    legal: Kernel
    """``legal(g, mask) -> int``: write the mask of the decision, int8[A] (action 0 alone if the game is over), and
    return the number of legal actions. The shared loops themselves play a decision with one legal action."""
    legal_for: Kernel
    """``legal_for(g, player, mask)``: write the mask of a player, whoever is asked next; a player with nothing to
    decide may only play action 0."""
    observe: Kernel
    """``observe(g, player, out)``: write what a player may know into ``out`` uint8[D], and nothing else."""
    redeal: Kernel
    """``redeal(g, rng, player, mask)``: replace everything that ``player`` cannot know by a random completion
    consistent with what they can; ``mask`` int8[A] is scratch."""
    reward_so_far: Kernel
    """``reward_so_far(g, player, reward) -> float64``: the sum of a player's rewards so far; ``reward`` is a number."""
    start: Kernel = nothing
    """``start(g, rng, log)``: set up a state that is blank but for its options; nothing where ``run`` does that."""
    observation_epoch: Kernel = minus_one
    """``observation_epoch(g) -> int``: a number that stays the same as long as ``update_observation`` is enough; -1 at
    all other times."""
    update_observation: Kernel = nothing
    """``update_observation(g, player, out)``: bring an observation of the same epoch up to date."""
    throw_outcomes: Kernel = minus_one
    """``throw_outcomes(g, thrown, inside, values, shares) -> int``: write the outcomes of a throw, for which many draws
    have one result, and their probabilities; -1 if they cannot be listed."""
    plan_slot: Kernel = minus_one
    """``plan_slot(g) -> int``: which space of a plan, 0 .. ``plan_size`` - 1, the decision fills; -1 outside planning.
    With it there must be an ``observation_epoch``."""
    plan_size: int = 0
    """Number of spaces of a plan; an action is chosen for each."""
    stages: tuple[str, ...] = ()
    """Names of what ``play(until=…)`` can stop after."""
    stage: Kernel = zero
    """``stage(g, index) -> int``: how many stages of the kind ``stages[index]`` are complete."""
    rewind: Kernel = zero
    """``rewind(g) -> bool``: take a state in which plans are hidden back to the beginning of its planning, as far as
    everybody knows it, with nothing planned; return False, without a change, if no plan is hidden. Needs ``plan_slot``.
    """
    adopt: Kernel = nothing
    """``adopt(g, h, rng, player, mask)``: replace the hidden plans of all players but ``player`` by those that they
    have in ``h``, a rewound state in which all have planned, as far as they fit what everybody knows; the rest of them
    is drawn. ``mask`` is scratch."""
    value_features: Kernel = nothing
    """``value_features(g, out)``: write for each player what the value of a state is made of: float64[P, F]."""
    value_names: tuple[str, ...] = ()
    """Names of these F features."""
    board_features: Kernel = nothing
    """``board_features(o, out, first, width)``: work out, from the bytes ``o`` of an observation alone, what a learner
    would have to find out about the board, and write it into ``out`` float32[...]: feature f of row r of the block
    at ``out[first + r * width + f]``. ``GameSpec.board`` names them."""
