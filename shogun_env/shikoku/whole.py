"""Shikoku as a whole: its ``GameSpec``, ``Batch`` and ``Game``, which the package shows under its own name."""

from dataclasses import replace
from typing import Unpack

from shogun_env.batch.batch import Batch as _Batch
from shogun_env.game import Game as _Game
from shogun_env.shikoku import OBS_VERSION, RULES_VERSION, options, record
from shogun_env.shikoku.options import Play, Rewarded
from shogun_env.shogun.board import BOARD_NAMES
from shogun_env.shogun.constants import LARGE, NONE
from shogun_env.shogun.state import STATE
from shogun_env.shogun.whole import SHOGUN
from shogun_env.spec.keywords import OfBatch, shows_keywords
from shogun_env.spec.position import named

__all__ = ["OBS_LAYOUT", "OBS_SIZE", "SHIKOKU", "STATE", "Batch", "Game"]

OBS_LAYOUT = tuple(piece._replace(high=LARGE) if piece.name == "moon" else piece for piece in SHOGUN.obs_layout)
"""Every slice of an observation, in order: those of Shogun; ``moon`` holds the size, 2 small, 3 large."""
OBS_SIZE = OBS_LAYOUT[-1].stop

SHIKOKU = replace(
    SHOGUN,
    name="shikoku",
    title="Shikoku",
    rules_version=RULES_VERSION,
    obs_version=OBS_VERSION,
    documents=__package__,
    players=options.PLAYERS,
    option_defaults=options.DEFAULTS,
    option_choices=options.CHOICES,
    check_options=options.check_options,
    blank_state=options.blank_state,
    fair=options.FAIR,
    start_positions=(),
    start_position=lambda state, player: NONE,
    obs_layout=OBS_LAYOUT,
    record_format=replace(
        SHOGUN.record_format,
        kinds=record.KINDS,
        header=lambda options: {"size": options["size"]},
        log_options=options.of_shogun,
        options_of=record.options_of,
        script=record.script,
        tell=record.tell,
    ),
    position_format=replace(
        SHOGUN.position_format,
        fields={**SHOGUN.position_format.fields, "side": named(BOARD_NAMES)},
        options_of=options.options_of_state,
    ),
)
"""Shikoku as shared code sees it."""


class BatchKeywords(OfBatch, Rewarded, total=False):
    """Of ``Batch``."""


@shows_keywords
class Batch(_Batch):
    """A batch of games of Shikoku; see ``shogun_env.batch.batch.Batch`` for attributes and methods.

    Example:
        >>> batch = Batch(8, seed=1)
        >>> batch.play(["random"] * 2)
        >>> bool(batch.over.all()), batch.points.shape
        (True, (8, 2))
    """

    spec = SHIKOKU

    def __init__(self, num_games: int, **keywords: Unpack[BatchKeywords]) -> None:
        """Make the batch; game number i has the seed ``seed + i``."""
        super().__init__(num_games, **keywords)


class Game(_Game):
    """One game of Shikoku, with moves by name; see ``shogun_env.game.Game``.

    Example:
        >>> game = Game(seed=7)
        >>> str(game).splitlines()[0]
        'Shikoku, year 2, autumn: player 0 puts a card on the bid'
    """

    batch_class = Batch

    def __init__(self, seed: int = 0, *, position: str | None = None, **options: Unpack[Play]) -> None:
        """Set up the game, or the position, which holds the options."""
        super().__init__(seed, position=position, **options)
