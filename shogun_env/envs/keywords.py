"""The keywords of all environments, as TypedDicts; those of play are in each game's ``options.py``."""

from typing import Literal, TypedDict

from gymnasium.vector import AutoresetMode

from shogun_env.envs.base import Form, IllegalAction, MaskPlace, RenderMode
from shogun_env.envs.learner import LearnerSeat, Opponents


class Every(TypedDict, total=False):
    """Of every environment; the package ``envs`` says what they do."""

    observation: Form
    static_columns: bool
    board_features: bool
    illegal_action: IllegalAction
    mask: MaskPlace
    max_cycles: int | None
    info_text: bool


class SingleGame(Every, total=False):
    """Of an environment of one game."""

    render_mode: RenderMode | None
    record: bool


class OneLearner(SingleGame, total=False):
    """Of an environment of one game for one learner."""

    opponents: Opponents
    learner_seat: LearnerSeat


class ManyLearners(Every, total=False):
    """Of an environment of many games with one learner each."""

    opponents: Opponents
    learner_seat: LearnerSeat
    autoreset_mode: AutoresetMode | str
    num_threads: int
    copy: bool
    render_mode: Literal["ansi", "rgb_array"] | None
