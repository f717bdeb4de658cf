"""Shogun as a whole: its ``GameSpec``, ``Batch`` and ``Game``, which the package shows under its own name."""

from typing import Unpack

from shogun_env.batch.batch import Batch as _Batch
from shogun_env.game import Game as _Game
from shogun_env.shogun import OBS_VERSION, RULES_VERSION, options
from shogun_env.shogun.constants import A_NO_CARD, PLAN, REWARDS
from shogun_env.shogun.draw.drawing import draw
from shogun_env.shogun.engine.board_features import BOARD
from shogun_env.shogun.engine.face import ENGINE
from shogun_env.shogun.engine.invariants import VALIDITY
from shogun_env.shogun.layout import OBS_LAYOUT, OBS_SIZE, ROW_NAMES
from shogun_env.shogun.options import FAIR, TOWERS, Play, Rewarded, Tower
from shogun_env.shogun.state import STATE
from shogun_env.shogun.text.actions import ACTION_NAMES, PHASE_NAMES, action_label, action_words, question
from shogun_env.shogun.text.codec import POSITION_FORMAT
from shogun_env.shogun.text.events import fights, standing
from shogun_env.shogun.text.glossary import GLOSSARY, TERMS
from shogun_env.shogun.text.habits import habits, scorings
from shogun_env.shogun.text.kinds import KINDS, begun, header
from shogun_env.shogun.text.odds import promises
from shogun_env.shogun.text.plan_costs import plan_costs
from shogun_env.shogun.text.plan_sheet import plan_laid, plan_sheet
from shogun_env.shogun.text.refusals import refusals
from shogun_env.shogun.text.render import START_POSITIONS, render, start_position
from shogun_env.shogun.text.replay import RecordScript, options_of
from shogun_env.shogun.text.sentences import tell
from shogun_env.spec.game_spec import GameSpec, RecordFormat
from shogun_env.spec.keywords import OfBatch, shows_keywords

__all__ = ["FAIR", "OBS_LAYOUT", "OBS_SIZE", "SHOGUN", "STATE", "TOWERS", "Batch", "Game", "Tower", "action_name"]

SHOGUN = GameSpec(
    name="shogun",
    title="Shogun",
    rules_version=RULES_VERSION,
    obs_version=OBS_VERSION,
    documents=__package__,
    state_dtype=STATE,
    engine=ENGINE,
    players=options.PLAYERS,
    rewards=REWARDS,
    validity=VALIDITY,
    phase_names=PHASE_NAMES,
    action_names=ACTION_NAMES,
    action_label=action_label,
    action_words=action_words,
    question=question,
    refusals=refusals,
    plan_spaces=ROW_NAMES["spaces"],
    promises=promises,
    plan_sheet=plan_sheet,
    plan_laid=plan_laid,
    plan_costs=plan_costs,
    no_card=ACTION_NAMES[A_NO_CARD],
    plan_phase=PLAN,
    glossary=GLOSSARY,
    terms=TERMS,
    option_defaults=options.DEFAULTS,
    option_choices=options.CHOICES,
    check_options=options.check_options,
    blank_state=options.blank_state,
    fair=FAIR,
    start_positions=START_POSITIONS,
    start_position=start_position,
    obs_layout=OBS_LAYOUT,
    row_names=ROW_NAMES,
    board=BOARD,
    record_format=RecordFormat(
        kinds=KINDS,
        header=header,
        options_of=options_of,
        tell=tell,
        fights=fights,
        begun=begun,
        script=RecordScript,
        habits=habits,
        scorings=scorings,
    ),
    position_format=POSITION_FORMAT,
    render=render,
    standing=standing,
    draw=draw,
)
"""Shogun as shared code sees it."""
action_name = SHOGUN.action_name


class BatchKeywords(OfBatch, Rewarded, total=False):
    """Of ``Batch``."""


@shows_keywords
class Batch(_Batch):
    """A batch of games of Shogun; see ``shogun_env.batch.batch.Batch`` for attributes and methods.

    Example:
        >>> batch = Batch(8, num_players=3, seed=1)
        >>> batch.play(["random"] * 3)
        >>> bool(batch.over.all()), batch.points.shape
        (True, (8, 3))
    """

    spec = SHOGUN

    def __init__(self, num_games: int, **keywords: Unpack[BatchKeywords]) -> None:
        """Make the batch; game number i has the seed ``seed + i``."""
        super().__init__(num_games, **keywords)


class Game(_Game):
    """One game of Shogun, with moves by name; see ``shogun_env.game.Game``.

    Example:
        >>> game = Game(seed=7, num_players=3)
        >>> str(game).splitlines()[0]
        'Shogun, year 1, spring: player 0 puts a card on the bid'
    """

    batch_class = Batch

    def __init__(self, seed: int = 0, *, position: str | None = None, **options: Unpack[Play]) -> None:
        """Set up the game, or the position, which holds the options."""
        super().__init__(seed, position=position, **options)
