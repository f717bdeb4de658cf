"""Decisions that belong together and are searched as one, such as the cards of a plan: what was chosen is kept.

The module of a game says what such a whole is, by these functions: ``is_whole(observation)``, whether a decision is
part of one; ``begun(observation)``, the actions of it that were played already; ``position_key(observation)``, what
stays the same meanwhile; ``candidates(...)``, the wholes to try; ``can_draft(function)``, whether a bot can make them;
and ``is_minor(observation)``, whether a decision is not worth a search. A game with the horizon ``mixed`` also has
``are_near_the_end(games)``, which says where rollouts go on to the end of the game.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np

from shogun_env.batch.loops import NO_ACTION
from shogun_env.policies import View

Drafter = tuple[Any, np.ndarray]
"""A compiled bot that wholes are asked of: function and params."""


class Kept:
    """The wholes that a bot has chosen and plays action by action, one for each player of each game, by its row.

    Args: planning: the module of the game, which stays an attribute.
    """

    def __init__(self, planning: ModuleType) -> None:
        self.planning = planning
        self._wholes: dict[tuple[int, int], tuple[bytes, np.ndarray]] = {}

    def __getstate__(self) -> dict[str, Any]:
        """Return what a copy or a pickle keeps, in which the module is its name."""
        return {**self.__dict__, "planning": self.planning.__name__}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        """Restore the attributes from a copy or a pickle."""
        self.__dict__.update(state, planning=import_module(state["planning"]))

    def keep(self, game: int, player: int, observation: np.ndarray, whole: np.ndarray) -> None:
        """Remember the whole int64[L] that a player of a game chose in the position of an observation uint8[D]."""
        self._wholes[game, player] = (self.planning.position_key(observation), whole)

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
        return action if mask[action] == 1 and key == self.planning.position_key(observation) else NO_ACTION
