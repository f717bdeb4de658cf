"""Whole plans of Shogun as search handles them: the space being filled, what is laid, plans to try, and mutants."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from shogun_env.agents.search.others import DRAWN, Note, log_likelihood, versions
from shogun_env.agents.search.whole import Drafter, More, drafted, drawing, position_of, varied, with_mutants
from shogun_env.batch.batch import Batch
from shogun_env.batch.loops import NO_ACTION
from shogun_env.kernel.jit import MemoryPolicy, Planner
from shogun_env.shogun import constants as c
from shogun_env.shogun.layout import OBS_AT
from shogun_env.views import View

PHASE, RUNNING, OWN_CARD, PLANNED = OBS_AT["phase"], OBS_AT["running"], OBS_AT["own_card"], OBS_AT["planned"]
CHANGING = tuple(slice(at, at + length) for at, length in ((RUNNING, 11), (OWN_CARD, 11), (PLANNED, c.N_PROVINCES)))
"""The bytes of an observation that change while the observer plans."""
NARROW, WIDE = 0.25, 0.8
"""Standard deviations of the logarithms of the base's numbers for the plans to try; first narrow, later wide."""
PLAYED_OUT = 2
"""Rounds at the end of the game from which rollouts go on to its end, rather than to that of the round.

In the round before them that takes four times as long, and gains a point of win share a plan at most.
"""
TRIES = 3
"""Plans asked of a planner for each one that is wanted; many of them are equal."""
FROM_HAND = 0.5
"""Probability that a mutant takes a card from the hand, if it can; otherwise two spaces exchange their cards."""
TWO_CHANGES = 0.4
"""Probability that a mutant is changed a second time: some plans are better only with both changes."""


def space_of(observation: np.ndarray) -> int:
    """Return the space that the observer fills, or -1 outside planning; ``observation`` uint8[D]."""
    return int(observation[RUNNING : RUNNING + c.N_SPACES].argmax()) if observation[PHASE + c.PLAN] else -1


def are_near_the_end(games: np.ndarray) -> np.ndarray:
    """Say of each state STATE[n] whether it is in one of the last ``PLAYED_OUT`` rounds: bool[n]."""
    return (games["year"] == c.N_YEARS) & (games["season"] >= c.N_SEASONS - PLAYED_OUT)


def is_minor(observation: np.ndarray) -> bool:
    """Say whether the decision is one that is not worth a search: how many armies go.

    The best of all numbers gained -0.8 ± 1.0 points of win share.
    """
    return bool(observation[PHASE + c.NUMBER])


def laid_cards(observation: np.ndarray, space: int) -> np.ndarray:
    """Return the actions by which the observer has filled the spaces before ``space``: int64[space]."""
    cards = observation[OWN_CARD : OWN_CARD + space].astype(np.int64)
    return np.where(cards > c.N_CARDS, c.A_NO_CARD, cards)


def is_whole(observation: np.ndarray) -> bool:
    """Say whether the decision is part of a plan."""
    return space_of(observation) >= 0


def begun(observation: np.ndarray) -> np.ndarray:
    """Return the actions by which the observer has begun the plan: int64[k]."""
    return laid_cards(observation, space_of(observation))


def can_draft(function: Any) -> bool:
    """Say whether a bot can make whole plans."""
    return isinstance(function, MemoryPolicy) or function.planner is not None


def candidates(
    batch: Batch, player: int, observation: np.ndarray, mask: np.ndarray, drafters: Sequence[Drafter], count: int,
    rng: np.random.Generator,
) -> tuple[list[np.ndarray], More]:  # fmt: skip
    """Return up to ``count`` different plans to try, the base bot's own first, and a function that makes more.

    Half of those next to a network's are of the bot that plays on, with numbers varied: they cost a tenth, and differ
    more in the last round, in which a network draws nearly the same plan again and again.

    Args:
        batch: one game, in which the player plans.
        player: who plans.
        observation, mask: uint8[D] and int8[A], those of the decision.
        drafters: the base bot, and the one that plays on.
        count: number of plans.
        rng: what is drawn from.
    """
    (function, params), (other, other_params) = drafters
    if isinstance(function, MemoryPolicy):
        from_other = count // 2 if other.planner is not None else 0
        plans = sampled_plans(batch, player, drafters[0], count - from_other)
        if from_other:
            plans += first_plans(other.planner, other_params, observation, mask, from_other, rng)
    else:
        plans = first_plans(function.planner, params, observation, mask, count, rng)
    space = space_of(observation)
    cards = layable(space, mask)
    return with_mutants(plans, count, lambda plan: mutant(plan, space, cards, mask, rng), TWO_CHANGES, rng)


def first_plans(
    planner: Planner, params: np.ndarray, observation: np.ndarray, mask: np.ndarray, count: int,
    rng: np.random.Generator,
) -> list[np.ndarray]:  # fmt: skip
    """Return up to ``count`` different plans int64[11] to try: that of the base first, then with numbers varied."""
    draws = np.array([rng.integers(2**63), 0], np.uint64)
    plans: dict[bytes, np.ndarray] = {}
    space = space_of(observation)
    laid = laid_cards(observation, space)
    for number in range(TRIES * count):
        spread = 0.0 if number == 0 else NARROW + (WIDE - NARROW) * number / (TRIES * count)
        plan = np.zeros(c.N_SPACES, np.int64)
        planner(observation, mask, draws, varied(params, spread, rng), plan)
        plan[:space] = laid
        plans.setdefault(plan.tobytes(), plan)
        if len(plans) == count:
            break
    return list(plans.values())


def sampled_plans(batch: Batch, player: int, network: Drafter, count: int) -> list[np.ndarray]:
    """Return ``count`` plans int64[11] that a network makes space by space: its own first, then such as it draws.

    Hardly two of them are equal, and each costs eleven forward passes.

    Args: batch, one game, in which ``player`` plans; the plans of the others do not matter to them.
    """
    games = drafted(batch, player, [network, drawing(network)], count, others="random", until="plan")
    return [laid_cards(observation, c.N_SPACES) for observation in games.observe_for(player)]


def is_chest(action: int) -> bool:
    """Say whether an action lays a chest card."""
    return c.A_CHEST <= action < c.A_CHEST + c.N_CHEST_CARDS


def layable(first: int, mask: np.ndarray) -> list[int]:
    """Return the cards that a player may lay from space ``first`` on, by the mask int8[A] of that space."""
    cards = np.flatnonzero(mask[: c.A_CHEST + c.N_CHEST_CARDS]).tolist()
    if first == c.BID_SPACE:  # a chest card that cannot be paid as a bid may lie elsewhere
        cards = sorted({*cards, *range(c.A_CHEST, c.A_CHEST + c.N_CHEST_CARDS)})
    return list(cards)


def mutant(
    whole: np.ndarray, first: int, cards: list[int], mask: np.ndarray, rng: np.random.Generator
) -> np.ndarray | None:
    """Return a plan with one change from space ``first`` on; None if the change drawn is illegal or changes nothing.

    The change is that two spaces exchange their cards, or that a card in hand replaces one.

    Args:
        cards: what ``layable`` returns for ``first`` and ``mask``.
        mask: int8[A], what may be laid on space ``first``.
    """
    space, plan = int(rng.integers(first, c.N_SPACES)), whole.tolist()
    changed = plan.copy()
    hand = [card for card in cards if card not in plan] if rng.random() < FROM_HAND else []
    if hand and plan[space] != c.A_NO_CARD:
        other, changed[space] = space, hand[int(rng.integers(len(hand)))]
    else:
        other = int(rng.integers(first, c.N_SPACES))
        changed[space], changed[other] = plan[other], plan[space]
    if first == c.BID_SPACE and mask[changed[c.BID_SPACE]] == 0:
        return None
    idle = is_chest(plan[space]) and is_chest(changed[space]) and c.BID_SPACE not in (space, other)
    return None if idle or changed == plan else np.array(changed, np.int64)


# --- what the others show --------------------------------------------------------------------------------------------


def witness(note: Note, number: int, view: View, kinds: Sequence[Drafter]) -> None:
    """Note what the others have shown of their plans, and when a round begins what each kind would lay in it.

    Args: note, written; number of complete rounds; view, one decision; kinds.
    """
    game, player = view.batch.games[0], int(view.players[0])
    if not c.PLAN <= game["phase"] <= c.NUMBER:
        return
    position = position_of(view.observations[0], CHANGING) if game["phase"] == c.PLAN else note.position
    if note.plans is None or note.shown is None or (number, position) != (note.round, note.position):
        note.log_odds += log_likelihood(note)
        if note.plans is not None and number == note.round:  # another game
            note.log_odds[:] = 0.0
        note.round, note.position = number, position
        note.plans = plans_by(view.batch, player, kinds)
        note.shown = np.full(note.plans.shape[2:], NO_ACTION)
    shown = game["shown"][: view.batch.num_players]
    note.shown = np.where(shown == c.NOT_SHOWN, note.shown, actions_of(shown))


def actions_of(cards: np.ndarray) -> np.ndarray:
    """Return the actions that lay cards int8[...], of which EMPTY leaves a space empty."""
    return np.where(cards == c.EMPTY, c.A_NO_CARD, c.A_CARD + cards.astype(np.int64))


def plans_by(batch: Batch, player: int, kinds: Sequence[Drafter]) -> np.ndarray:
    """Return what each kind would lay in this round for the others of a game: int64[kinds, DRAWN, P, 11].

    Args: batch, one game; player, for whom the others plan, at the beginning of the round as far as everybody knows it.
    """
    begin = batch.take([0])
    begin.spec.engine.rewind(begin.games[0])
    begin.refresh(check=False)
    seed = int(batch.policy_rngs[0, player, 0] >> np.uint64(1))
    plans = []
    for kind in kinds:
        games = begin.take(np.zeros(DRAWN, np.int64))
        games.redeal(None, player, seed)
        asked = versions(kind, np.random.default_rng(seed))
        seats = np.arange(DRAWN)[:, None].repeat(batch.num_players, 1) % len(asked)
        seats[:, player] = len(asked)  # what the player lays does not matter
        games.play([*asked, "random"], seats, until="plan")
        plans.append(actions_of(games.games["plan"][:, : batch.num_players]))
    return np.array(plans)
