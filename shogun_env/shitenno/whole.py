"""Shitennō as a whole: its ``GameSpec``, ``Batch`` and ``Game``, which the package shows under its own name."""

from typing import Unpack

from shogun_env.batch.batch import Batch as _Batch
from shogun_env.game import Game as _Game
from shogun_env.shitenno import OBS_VERSION, RULES_VERSION
from shogun_env.shitenno.constants import PAY, REWARDS, TURN
from shogun_env.shitenno.draw.drawing import draw
from shogun_env.shitenno.engine.board_features import BOARD
from shogun_env.shitenno.engine.face import ENGINE
from shogun_env.shitenno.engine.invariants import VALIDITY
from shogun_env.shitenno.layout import OBS_LAYOUT, OBS_SIZE, ROW_NAMES
from shogun_env.shitenno.options import CHOICES, DEFAULTS, FAIR, PLAYERS, Play, Rewarded, blank_state, check_options
from shogun_env.shitenno.state import STATE
from shogun_env.shitenno.text.actions import ACTION_NAMES, PHASE_NAMES, action_label, action_words, question
from shogun_env.shitenno.text.codec import POSITION_FORMAT
from shogun_env.shitenno.text.division import division
from shogun_env.shitenno.text.events import standing
from shogun_env.shitenno.text.glossary import GLOSSARY, TERMS
from shogun_env.shitenno.text.habits import habits
from shogun_env.shitenno.text.kinds import KINDS
from shogun_env.shitenno.text.refusals import refusals
from shogun_env.shitenno.text.render import START_POSITIONS, render, start_position
from shogun_env.shitenno.text.replay import RecordScript
from shogun_env.shitenno.text.sentences import tell
from shogun_env.spec.game_spec import GameSpec, RecordFormat
from shogun_env.spec.keywords import OfBatch, shows_keywords

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
    rewards=REWARDS,
    validity=VALIDITY,
    phase_names=PHASE_NAMES,
    action_names=ACTION_NAMES,
    action_label=action_label,
    action_words=action_words,
    question=question,
    refusals=refusals,
    division=division,
    hidden_phases={PAY: TURN},
    glossary=GLOSSARY,
    terms=TERMS,
    option_defaults=DEFAULTS,
    option_choices=CHOICES,
    check_options=check_options,
    blank_state=blank_state,
    fair=FAIR,
    start_positions=START_POSITIONS,
    start_position=start_position,
    obs_layout=OBS_LAYOUT,
    row_names=ROW_NAMES,
    board=BOARD,
    record_format=RecordFormat(
        kinds=KINDS, header=lambda options: {"options": {}}, tell=tell, script=RecordScript, habits=habits
    ),
    position_format=POSITION_FORMAT,
    render=render,
    standing=standing,
    draw=draw,
)
"""Shitennō as shared code sees it."""
action_name = SHITENNO.action_name


class BatchKeywords(OfBatch, Rewarded, total=False):
    """Of ``Batch``."""


@shows_keywords
class Batch(_Batch):
    """A batch of games of Shitennō; see ``shogun_env.batch.batch.Batch`` for attributes and methods.

    Example:
        >>> batch = Batch(8, num_players=3, seed=1)
        >>> batch.play(["random"] * 3)
        >>> bool(batch.over.all()), batch.points.shape
        (True, (8, 3))
    """

    spec = SHITENNO

    def __init__(self, num_games: int, **keywords: Unpack[BatchKeywords]) -> None:
        """Make the batch; game number i has the seed ``seed + i``."""
        super().__init__(num_games, **keywords)


class Game(_Game):
    """One game of Shitennō, with moves by name; see ``shogun_env.game.Game``.

    Example:
        >>> game = Game(seed=7, num_players=3)
        >>> str(game).splitlines()[0]
        'Shitennō, round 1: player 1 forms a lot'
    """

    batch_class = Batch

    def __init__(self, seed: int = 0, *, position: str | None = None, **options: Unpack[Play]) -> None:
        """Set up the game, or the position, which holds the options."""
        super().__init__(seed, position=position, **options)
