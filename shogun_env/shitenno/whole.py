"""Shitennō as a whole: its ``GameSpec``, ``Batch`` and ``Game``, which the package shows under its own name."""

from __future__ import annotations

from typing import Any, Unpack, overload

from shogun_env.batch.batch import Batch as _Batch
from shogun_env.game import Game as _Game
from shogun_env.shitenno import OBS_VERSION, RULES_VERSION
from shogun_env.shitenno.board import PROVINCE_NAMES
from shogun_env.shitenno.constants import N_ACTIONS, PAY, REWARDS, TURN
from shogun_env.shitenno.draw.drawing import draw
from shogun_env.shitenno.engine.board_features import BOARD
from shogun_env.shitenno.engine.face import ENGINE
from shogun_env.shitenno.engine.invariants import CHECKS
from shogun_env.shitenno.layout import BLOCK_ROWS, OBS_LAYOUT, OBS_SIZE
from shogun_env.shitenno.options import (
    CHOICES,
    DEFAULTS,
    FAIR,
    PLAYERS,
    Play,
    Reward,
    blank_state,
    check_options,
    options_of_state,
)
from shogun_env.shitenno.state import STATE
from shogun_env.shitenno.text import codec
from shogun_env.shitenno.text.actions import PHASE_NAMES, action_label, action_name, action_words, question
from shogun_env.shitenno.text.division import division
from shogun_env.shitenno.text.events import standing
from shogun_env.shitenno.text.glossary import GLOSSARY, TERMS
from shogun_env.shitenno.text.habits import habits
from shogun_env.shitenno.text.kinds import KINDS, header
from shogun_env.shitenno.text.lessons import LESSONS
from shogun_env.shitenno.text.refusals import refusals
from shogun_env.shitenno.text.render import START_POSITIONS, render, start_position
from shogun_env.shitenno.text.replay import RecordScript, options_of
from shogun_env.shitenno.text.sentences import tell
from shogun_env.spec.game_spec import GameSpec, PositionFormat, RecordFormat
from shogun_env.spec.keywords import shows_keywords

__all__ = ["FAIR", "OBS_LAYOUT", "OBS_SIZE", "SHITENNO", "STATE", "Batch", "Game", "action_name"]

SHITENNO = GameSpec(
    name="shitenno",
    title="Shitennō",
    rules_version=RULES_VERSION,
    obs_version=OBS_VERSION,
    documents=__package__,
    state_dtype=STATE,
    engine=ENGINE,
    players=PLAYERS,
    n_actions=N_ACTIONS,
    rewards=REWARDS,
    check_messages=CHECKS,
    phase_names=PHASE_NAMES,
    action_name=action_name,
    action_label=action_label,
    action_words=action_words,
    question=question,
    refusals=refusals,
    division=division,
    hidden_phases={PAY: TURN},
    glossary=GLOSSARY,
    terms=TERMS,
    lessons=LESSONS,
    option_defaults=DEFAULTS,
    option_choices=CHOICES,
    check_options=check_options,
    blank_state=blank_state,
    fair=FAIR,
    start_positions=START_POSITIONS,
    start_position=start_position,
    obs_layout=OBS_LAYOUT,
    block_rows=BLOCK_ROWS,
    board=BOARD,
    record_format=RecordFormat(
        kinds=KINDS,
        header=header,
        options_of=options_of,
        tell=tell,
        script=RecordScript,
        habits=habits,
    ),
    position_format=PositionFormat(
        fields=codec.FIELDS,
        options=tuple(codec.OPTIONS),
        options_of=options_of_state,
        derived=codec.DERIVED,
        fill=codec.fill,
        board=codec.BOARD,
        places=PROVINCE_NAMES,
        place_text=codec.place_text,
        set_place=codec.set_place,
    ),
    render=render,
    standing=standing,
    draw=draw,
)
"""What shared code knows about Shitennō."""


@shows_keywords
class Batch(_Batch):
    """A batch of games of Shitennō; see ``shogun_env.batch.Batch`` for attributes and methods.

    Example:
        >>> batch = Batch(8, num_players=3, seed=1)
        >>> batch.play(["random"] * 3)
        >>> bool(batch.over.all()), batch.points.shape
        (True, (8, 3))
    """

    spec = SHITENNO

    def __init__(
        self,
        num_games: int,
        *,
        reward: Reward = "win",
        seed: int = 0,
        num_threads: int = 1,
        record: bool = False,
        **options: Unpack[Play],
    ) -> None:
        """Make the batch; game number i has the seed ``seed + i``."""
        super().__init__(num_games, reward=reward, seed=seed, num_threads=num_threads, record=record, **options)


class Game(_Game):
    """One game of Shitennō, with moves by name; see ``shogun_env.game.Game``.

    Example:
        >>> game = Game(seed=7, num_players=3)
        >>> str(game).splitlines()[0]
        'Shitennō, round 1: player 1 forms a lot'
    """

    batch_class = Batch

    @overload
    def __init__(self, seed: int = 0, **options: Unpack[Play]) -> None: ...
    @overload
    def __init__(self, seed: int = 0, *, position: str) -> None: ...
    def __init__(self, seed: int = 0, **options: Any) -> None:
        """Set up the game, or the position, which holds the options."""
        super().__init__(seed, **options)
