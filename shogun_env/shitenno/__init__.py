"""Shitennō (Cédric Lefebvre, 2011) for 2 to 4 players: the game as the frame sees it, and ``Batch``."""

from __future__ import annotations

from shogun_env.frame.batch import Batch as _Batch
from shogun_env.frame.game import Game, Position
from shogun_env.frame.loops import bind_loops
from shogun_env.layout import scales
from shogun_env.shitenno import codec
from shogun_env.shitenno import constants as _c
from shogun_env.shitenno import engine as _engine
from shogun_env.shitenno.actions import PHASE_NAMES, action_name
from shogun_env.shitenno.board import PROVINCE_NAMES
from shogun_env.shitenno.fields import line_fields
from shogun_env.shitenno.invariants import CHECKS
from shogun_env.shitenno.layout import BLOCK_ROWS, OBS_LAYOUT, OBS_SIZE
from shogun_env.shitenno.lines import record_lines
from shogun_env.shitenno.options import DEFAULTS, PLAYERS, check_options, template
from shogun_env.shitenno.replay import Script, options_of
from shogun_env.shitenno.state import GAME
from shogun_env.shitenno.text import render

__all__ = ["GAME", "OBS_LAYOUT", "OBS_SIZE", "SHITENNO", "Batch", "action_name"]

RULES_VERSION = 1
OBS_VERSION = 1

SHITENNO = Game(
    name="shitenno",
    dtype=GAME,
    loops=bind_loops(_engine),
    players=PLAYERS,
    n_actions=_c.N_ACTIONS,
    obs_layout=OBS_LAYOUT,
    block_rows=BLOCK_ROWS,
    scales=scales(OBS_LAYOUT),
    defaults=DEFAULTS,
    check_options=check_options,
    template=template,
    rewards=_c.REWARDS,
    phase_names=PHASE_NAMES,
    action_name=action_name,
    plan_phase=_c.NONE,
    hidden_phases={_c.PAY: _c.TURN},
    checks=CHECKS,
    errors={_c.ERR_TAPE: "the chance outcomes given do not fit the game", _c.ERR_LOG_FULL: "the log is full"},
    record_lines=record_lines,
    line_fields=line_fields,
    options_of=options_of,
    script=Script,
    text=render,
    position=Position(
        fields=codec.FIELDS,
        options=tuple(codec.OPTIONS),
        derived=codec.DERIVED,
        fill=codec.fill,
        board=codec.BOARD,
        places=PROVINCE_NAMES,
        place_text=codec.place_text,
        set_place=codec.set_place,
    ),
    rules_version=RULES_VERSION,
    obs_version=OBS_VERSION,
)


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
