"""Shogun (Dirk Henn, 2006) for 3 to 5 players: the game as the frame sees it, and ``Batch``."""

from __future__ import annotations

from typing import Any

from shogun_env.frame.batch import Batch as _Batch
from shogun_env.frame.game import describe
from shogun_env.shogun.actions import action_name
from shogun_env.shogun.constants import PLAN
from shogun_env.shogun.layout import OBS_LAYOUT, OBS_SIZE
from shogun_env.shogun.options import TOWERS, Tower
from shogun_env.shogun.state import GAME

__all__ = ["GAME", "OBS_LAYOUT", "OBS_SIZE", "SHOGUN", "TOWERS", "Batch", "Tower", "action_name"]

RULES_VERSION = 1
OBS_VERSION = 1

SHOGUN = describe(__name__, "Shogun", RULES_VERSION, OBS_VERSION, plan_phase=PLAN)
"""The game as the frame sees it."""


class Batch(_Batch):
    """A batch of games of Shogun; see ``shogun_env.frame.batch.Batch`` for attributes and methods.

    Example:
        >>> batch = Batch(8, num_players=3, seed=1)
        >>> batch.play(["random"] * 3)
        >>> bool(batch.over.all()), batch.points.shape
        (True, (8, 3))
    """

    game = SHOGUN

    def __init__(
        self,
        num_games: int,
        num_players: int = 4,
        side: str = "sun",
        start: str = "preset",
        tower: Any = "two_floor",
        optional_moves: bool = False,
        shuffle_seats: bool = False,
        reward: str = "win",
        seed: int = 0,
        num_threads: int = 1,
        record: bool = False,
    ) -> None:
        """Make the batch; game i has seed ``seed + i``."""
        super().__init__(
            num_games,
            reward=reward,
            seed=seed,
            num_threads=num_threads,
            record=record,
            num_players=num_players,
            side=side,
            start=start,
            tower=tower,
            optional_moves=optional_moves,
            shuffle_seats=shuffle_seats,
        )
