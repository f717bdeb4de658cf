"""Shitennō (Cédric Lefebvre, 2011) for 2 to 4 players: the game as the frame sees it, and ``Batch``."""

from __future__ import annotations

from shogun_env.frame.batch import Batch as _Batch
from shogun_env.frame.game import describe
from shogun_env.shitenno.actions import action_name
from shogun_env.shitenno.constants import PAY, TURN
from shogun_env.shitenno.layout import OBS_LAYOUT, OBS_SIZE
from shogun_env.shitenno.state import GAME

__all__ = ["GAME", "OBS_LAYOUT", "OBS_SIZE", "SHITENNO", "Batch", "action_name"]

RULES_VERSION = 1
OBS_VERSION = 1

SHITENNO = describe(__name__, "Shitennō", RULES_VERSION, OBS_VERSION, hidden_phases={PAY: TURN})
"""The game as the frame sees it."""


class Batch(_Batch):
    """A batch of games of Shitennō; see ``shogun_env.frame.batch.Batch`` for attributes and methods.

    Example:
        >>> batch = Batch(8, num_players=3, seed=1)
        >>> batch.play(["random"] * 3)
        >>> bool(batch.over.all()), batch.points.shape
        (True, (8, 3))
    """

    game = SHITENNO

    def __init__(
        self,
        num_games: int,
        num_players: int = 4,
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
        )
