"""Whole plans of Shogun as search handles them: the space being filled, what is laid, plans to try, and mutants."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from shogun_env.batch.batch import Batch
from shogun_env.batch.loops import NO_ACTION
from shogun_env.kernel.jit import Planner
from shogun_env.policies import View
from shogun_env.shogun import constants as c
from shogun_env.shogun.layout import OBS_AT

PHASE, RUNNING, OWN_CARD, PLANNED = OBS_AT["phase"], OBS_AT["running"], OBS_AT["own_card"], OBS_AT["planned"]
CHANGING = tuple(
    slice(start, start + length) for start, length in ((RUNNING, 11), (OWN_CARD, 11), (PLANNED, c.N_PROVINCES))
)
"""The bytes of an observation that change while the observer plans."""
NARROW, WIDE = 0.25, 0.8
"""Standard deviations of the logarithms of the base's numbers for the plans to try; first narrow, later wide."""
FIRST, DRAWN, OTHERS = 0, 1, 2
"""Policies of the games in which plans are made."""
TRIES = 3
"""Plans asked of the base for each one that is wanted; many of them are equal."""
DRAWS = 4
"""Mutants drawn for each one that is wanted; many are illegal, or known already."""
FROM_HAND = 0.5
"""Probability that a mutant takes a card from the hand, if it can; otherwise two spaces exchange their cards."""
TWO_CHANGES = 0.4
"""Probability that a mutant is changed a second time: some plans are better only with both changes."""


def space_of(observation: np.ndarray) -> int:
    """Return the space that the observer fills, or -1 outside planning; ``observation`` uint8[D]."""
    return int(observation[RUNNING : RUNNING + c.N_SPACES].argmax()) if observation[PHASE + c.PLAN] else -1


def is_number(observation: np.ndarray) -> bool:
    """Say whether the decision is how many armies go."""
    return bool(observation[PHASE + c.NUMBER])


def laid_cards(observation: np.ndarray, space: int) -> np.ndarray:
    """Return the actions by which the observer has filled the spaces before ``space``: int64[space]."""
    cards = observation[OWN_CARD : OWN_CARD + space].astype(np.int64)
    return np.where(cards > c.N_CARDS, c.A_NO_CARD, cards)


def position_key(observation: np.ndarray) -> bytes:
    """Return what stays the same of an observation while the observer plans."""
    copy = observation.copy()
    for piece in CHANGING:
        copy[piece] = 0
    return copy.tobytes()


class PlansMade:
    """Whole plans that a bot has made and lays card by card, one for each game, by its row."""

    def __init__(self) -> None:
        self._plans: dict[int, tuple[bytes, np.ndarray]] = {}

    def keep(self, game: int, observation: np.ndarray, plan: np.ndarray) -> None:
        """Remember the plan int64[11] made for the position of an observation uint8[D]."""
        self._plans[game] = (position_key(observation), plan)

    def cards(self, view: View) -> np.ndarray:
        """Return the action that each game's plan has for its decision, -1 without one for the position: int64[n]."""
        rows = zip(view.rows.tolist(), view.observations, view.masks, strict=True)
        return np.array([self._card(*row) for row in rows], np.int64)

    def _card(self, game: int, observation: np.ndarray, mask: np.ndarray) -> int:
        space = space_of(observation)
        if space < 1 or game not in self._plans:
            return NO_ACTION
        key, plan = self._plans[game]
        if key != position_key(observation) or mask[plan[space]] == 0:
            return NO_ACTION
        return int(plan[space]) if (plan[:space] == laid_cards(observation, space)).all() else NO_ACTION


def first_plans(
    planner: Planner,
    params: np.ndarray,
    observation: np.ndarray,
    mask: np.ndarray,
    count: int,
    rng: np.random.Generator,
) -> list[np.ndarray]:
    """Return up to ``count`` different plans int64[11] to try: that of the base first, then with numbers varied."""
    draws = np.array([rng.integers(2**63), 0], np.uint64)
    plans: dict[bytes, np.ndarray] = {}
    space = space_of(observation)
    laid = laid_cards(observation, space)
    for number in range(TRIES * count):
        spread = 0.0 if number == 0 else NARROW + (WIDE - NARROW) * number / (TRIES * count)
        plan = np.zeros(c.N_SPACES, np.int64)
        planner(observation, mask, draws, params * np.exp(spread * rng.standard_normal(len(params))), plan)
        plan[:space] = laid
        plans.setdefault(plan.tobytes(), plan)
        if len(plans) == count:
            break
    return list(plans.values())


def sampled_plans(batch: Batch, player: int, policies: Sequence[Any], count: int) -> list[np.ndarray]:
    """Return up to ``count`` different plans int64[11] that a policy makes space by space: its own first.

    Args:
        batch: one game, in which ``player`` plans.
        player: who plans; the plans of the others do not matter to them.
        policies: how the plan is made first, and how the others are drawn: pairs (function, params).
        count: number of plans.
    """
    rows = np.zeros(TRIES * count, np.int64)
    games = batch.take(rows)
    games.redeal(None, player, int(batch.policy_rngs[0, player, 0] >> np.uint64(1)))
    seats = np.full((len(rows), batch.num_players), OTHERS, np.int8)
    seats[:, player] = DRAWN
    seats[0, player] = FIRST
    games.play([*policies, "random"], seats, until="plan")
    observed = games.observe_for(player)
    plans: dict[bytes, np.ndarray] = {}
    for observation in observed:
        plan = laid_cards(observation, c.N_SPACES)
        plans.setdefault(plan.tobytes(), plan)
    return list(plans.values())[:count]


def is_chest(action: int) -> bool:
    """Say whether an action lays a chest card."""
    return c.A_CHEST <= action < c.A_CHEST + c.N_CHEST_CARDS


def mutant(plan: np.ndarray, first: int, mask: np.ndarray, rng: np.random.Generator) -> np.ndarray | None:
    """Return a plan with one change from space ``first`` on; None if the change drawn is illegal or changes nothing.

    The change is that two spaces exchange their cards, or that a card in hand replaces one.

    Args:
        mask: int8[A], what may be laid on space ``first``.
    """
    space = int(rng.integers(first, c.N_SPACES))
    cards = np.flatnonzero(mask[: c.A_CHEST + c.N_CHEST_CARDS])
    if first == c.BID_SPACE:
        cards = np.union1d(cards, np.arange(c.A_CHEST, c.A_CHEST + c.N_CHEST_CARDS))
    hand = np.setdiff1d(cards, plan)
    changed = plan.copy()
    if rng.random() < FROM_HAND and len(hand) and plan[space] != c.A_NO_CARD:
        other, changed[space] = space, rng.choice(hand)
    else:
        other = int(rng.integers(first, c.N_SPACES))
        changed[[space, other]] = plan[[other, space]]
    if first == c.BID_SPACE and mask[changed[c.BID_SPACE]] == 0:
        return None
    idle = is_chest(plan[space]) and (is_chest(changed[space])) and c.BID_SPACE not in (space, other)
    return None if idle or (changed == plan).all() else changed


def mutants(
    best: list[np.ndarray], count: int, first: int, mask: np.ndarray, rng: np.random.Generator, known: set[bytes]
) -> list[np.ndarray]:
    """Return up to ``count`` mutants of the plans ``best`` that are not in ``known``, which they are added to."""
    result: list[np.ndarray] = []
    for number in range(DRAWS * count):
        plan = mutant(best[number % len(best)], first, mask, rng)
        if plan is not None and rng.random() < TWO_CHANGES:
            plan = mutant(plan, first, mask, rng)
        if plan is not None and plan.tobytes() not in known and len(result) < count:
            known.add(plan.tobytes())
            result.append(plan)
    return result
