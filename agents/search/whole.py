"""Decisions that belong together and are searched as one, such as the cards of a plan: tried, chosen, and kept.

The module of a game says what such a whole is: ``is_whole(observation)``, whether a decision is part of one;
``begun(observation)``, the actions of it that were played already; ``CHANGING``, the bytes of an observation that
change meanwhile; ``candidates(...)``, the wholes to try; ``can_draft(function)``, whether a bot can make them; and
``is_minor(observation)``, whether a decision is not worth a search; and ``witness(...)``, what a view shows of the
others (``others.py``). A game with the horizon ``mixed`` also has
``are_near_the_end(games)``, which says where rollouts go on to the end of the game.
"""

from collections.abc import Callable, Sequence
from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np

from shogun_env.agents.network.arrays import GREEDY
from shogun_env.batch.arrays import ASK
from shogun_env.batch.batch import Batch
from shogun_env.batch.loops import NO_ACTION
from shogun_env.policies import View

Drafter = tuple[Any, np.ndarray]
"""A compiled bot that wholes are asked of: function and params."""
More = Callable[[list[Any], int], list[np.ndarray]]
"""``more(best, count)`` returns up to ``count`` new wholes near the best ones."""
DIGITS = 12
"""Digits after the point of factors that are drawn."""
DRAWS = 4
"""Mutants drawn for each one that is wanted; many are illegal, or known already."""


def drawing(drafter: Drafter) -> Drafter:
    """Return a network as one that draws its actions."""
    function, params = drafter
    drawn = params.copy()
    drawn[GREEDY] = 0.0
    drawn.flags.writeable = False
    return function, drawn


def varied(params: np.ndarray, spread: float, rng: np.random.Generator) -> np.ndarray:
    """Return numbers float64[K] times draws whose logarithms have a standard deviation.

    The factors are rounded, as the last digits of numpy's ``exp`` depend on the processor.
    """
    return params * np.exp(spread * rng.standard_normal(len(params))).round(DIGITS)


def drafted(
    batch: Batch, player: int, drafters: Sequence[Any], count: int, others: str | None = None, until: str | None = None
) -> Batch:
    """Return copies of a game in which the player has made a whole, in each by the next drafter, or by the last one.

    Args: batch, one game; others, the bot that plays the others, None to stop at their decisions; until, a stage.
    """
    games = batch.take(np.zeros(count, np.int64))
    games.redeal(None, player, int(batch.policy_rngs[0, player, 0] >> np.uint64(1)))
    seats = np.full((count, batch.num_players), ASK if others is None else len(drafters), np.int8)
    seats[:, player] = np.minimum(np.arange(count), len(drafters) - 1)
    games.play([*drafters, *([] if others is None else [others])], seats, until=until)
    return games


def with_mutants(
    wholes: Sequence[np.ndarray], count: int, change: Callable[[np.ndarray], np.ndarray | None], again: float,
    rng: np.random.Generator,
) -> tuple[list[np.ndarray], More]:  # fmt: skip
    """Return the different ones of some wholes, then mutants of the first, ``count`` together; and what makes more.

    Args: change, returns a mutant, or None for one that is illegal; again, how often a mutant is changed once more.
    """
    known = {whole.tobytes(): whole for whole in wholes}
    first = list(known.values())

    def more(best: list[Any], wanted: int) -> list[np.ndarray]:
        found: list[np.ndarray] = []
        for number in range(DRAWS * wanted):
            if len(found) == wanted:
                break
            whole = change(best[number % len(best)])
            if whole is not None and rng.random() < again:
                whole = change(whole)
            if whole is not None and whole.tobytes() not in known:
                known[whole.tobytes()] = whole
                found.append(whole)
        return found

    return first + more(first[:1], count - len(first)), more


def position_of(observation: np.ndarray, changing: Sequence[slice]) -> bytes:
    """Return what stays the same of an observation uint8[D] while the observer plays a whole: all but ``changing``."""
    copy = observation.copy()
    for piece in changing:
        copy[piece] = 0
    return copy.tobytes()


class Kept:
    """The wholes that a bot has chosen and plays action by action, one for each player of each game, by its row.

    Args: planning: the module of the game.
    """

    def __init__(self, planning: ModuleType) -> None:
        self._module = planning.__name__  # a module cannot be copied or pickled
        self._wholes: dict[tuple[int, int], tuple[bytes, np.ndarray]] = {}

    @property
    def planning(self) -> ModuleType:
        """The module of the game."""
        return import_module(self._module)

    def keep(self, game: int, player: int, observation: np.ndarray, whole: np.ndarray) -> None:
        """Remember the whole int64[L] that a player of a game chose in the position of an observation uint8[D]."""
        self._wholes[game, player] = (position_of(observation, self.planning.CHANGING), whole)

    def actions(self, view: View) -> np.ndarray:
        """Return the action that each game's whole has for its decision, -1 without one for the position: int64[n]."""
        asked = zip(view.rows.tolist(), view.players.tolist(), view.observations, view.masks, strict=True)
        return np.array([self._action((row, player), *shown) for row, player, *shown in asked], np.int64)

    def _action(self, who: tuple[int, int], observation: np.ndarray, mask: np.ndarray) -> int:
        if who not in self._wholes or not self.planning.is_whole(observation):
            return NO_ACTION
        key, whole = self._wholes[who]
        begun = self.planning.begun(observation)
        if len(begun) == 0 or len(begun) >= len(whole) or (whole[: len(begun)] != begun).any():
            return NO_ACTION
        action = int(whole[len(begun)])
        return action if mask[action] == 1 and key == position_of(observation, self.planning.CHANGING) else NO_ACTION
