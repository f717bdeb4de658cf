"""What all environments share: options, observations, illegal actions, and the states of a single game."""

from __future__ import annotations

import copy
import difflib
import operator
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar, Literal, NamedTuple, Self, get_args

import gymnasium
import numpy as np
from gymnasium import spaces

from shogun_env.batch.batch import Batch
from shogun_env.batch.float_view import ByteView, FloatView
from shogun_env.batch.serialization import fill, from_bytes, to_bytes
from shogun_env.batch.validation import WritableArrays
from shogun_env.records.picture import draw_svg
from shogun_env.records.text import render_text
from shogun_env.spec.forms import shown
from shogun_env.spec.game_spec import GameSpec
from shogun_env.spec.keywords import defaults_of
from shogun_env.spec.options import OptionError, check_names, flag, one_of, whole_number
from shogun_env.svg.raster import pixels

STATE_VERSION = 5
"""Version of the bytes that ``get_state`` returns."""
Form = Literal["flat", "entities", "bytes"]
IllegalAction = Literal["fallback", "raise"]
MaskPlace = Literal["both", "observation", "info"]
RenderMode = Literal["ansi", "human", "rgb_array"]
RENDER_MODES: tuple[str, ...] = get_args(RenderMode)
RESET_OPTIONS = ("position", "reset_mask")
CHOICES: dict[str, tuple[str | None, ...]] = {
    "observation": get_args(Form),
    "illegal_action": get_args(IllegalAction),
    "mask": get_args(MaskPlace),
    "render_mode": (None, *RENDER_MODES),
}
"""Values of the options of all environments that are one of a few; those of ``reward`` belong to the game."""


class Settings(NamedTuple):
    """Options of all environments, which the package ``envs`` describes; the options of play belong to the game."""

    reward: str = "win"
    observation: str = "flat"
    static_columns: bool = True
    board_features: bool = False
    illegal_action: str = "fallback"
    mask: str = "both"
    max_cycles: int | None = None
    render_mode: str | None = None
    record: bool = False
    info_text: bool = True


def split_options(env: OfGame, options: Mapping[str, Any]) -> tuple[Settings, dict[str, Any]]:
    """Return the keywords of an environment as settings and as options of play, all checked and filled in.

    Raises: OptionError naming what is wrong and what would be right.
    """
    spec = env.game_spec
    check_names(options, defaults_of(type(env), spec))
    settings = Settings(**{name: options[name] for name in Settings._fields if name in options})
    for name, allowed in {"reward": spec.rewards, **CHOICES}.items():
        one_of(name, getattr(settings, name), allowed)
    for name in ("record", "static_columns", "board_features", "info_text"):
        flag(name, getattr(settings, name))
    if settings.max_cycles is not None:
        whole_number("max_cycles", settings.max_cycles, 1)
    if settings.observation == "bytes" and (settings.board_features or not settings.static_columns):
        raise OptionError("observation='bytes': is whole and has no features; static_columns must be True, and "
                          "board_features False")  # fmt: skip
    return settings, spec.check_options({name: options[name] for name in spec.option_defaults if name in options})


class Observer:
    """Shows observations in the form of the option ``observation``, and masks where the option ``mask`` puts them.

    Attributes:
        view: how the bytes are shown.
        space: space of one observation as it is shown.
        phases: for each phase what infos say: its name, or its number.
        mask_in_info: whether infos have the mask.
    """

    def __init__(self, spec: GameSpec, settings: Settings) -> None:
        self.view = (
            ByteView(spec)
            if settings.observation == "bytes"
            else FloatView(spec, settings.static_columns, settings.board_features)
        )
        names = spec.phase_names
        self.phases: list[Any] = list(names) if settings.info_text else list(range(len(names)))
        self._in_blocks = settings.observation == "entities"
        self._mask_in_observation = settings.mask != "info"
        self.mask_in_info = settings.mask != "observation"
        low, high = self._in_form(self.view.low), self._in_form(self.view.high)
        self.space: spaces.Space[Any] = (
            spaces.Dict({name: spaces.Box(low[name], high[name], dtype=np.float32) for name in low})
            if self._in_blocks
            else spaces.Box(low, high, dtype=low.dtype)
        )
        if self._mask_in_observation:
            mask_space = spaces.Box(0, 1, (spec.n_actions,), np.int8)
            self.space = spaces.Dict({"observation": self.space, "action_mask": mask_space})

    def _in_form(self, values: np.ndarray) -> Any:
        """Return values [..., F] as they are, or as a dict of blocks float32[..., rows, columns]."""
        if isinstance(self.view, FloatView) and self._in_blocks:
            return {name: self.view.block(values, name) for name in self.view.blocks}
        return values

    def show(self, views: np.ndarray, masks: np.ndarray) -> Any:
        """Return views, which ``view`` made, in the form of the options; with masks int8[..., A] if these belong there.

        Returns: views of the arrays given: float32[..., F], a dict of float32[..., rows, columns], or uint8[..., D].
        """
        shown = self._in_form(views)
        return {"observation": shown, "action_mask": masks} if self._mask_in_observation else shown

    def show_each(self, views: np.ndarray, masks: Sequence[np.ndarray] | np.ndarray) -> list[Any]:
        """Return n views with their masks int8[A] as a list of n, each in the form of the options."""
        shown = self._in_form(views)
        if self._in_blocks:
            shown = [{name: block[i] for name, block in shown.items()} for i in range(len(views))]
        if not self._mask_in_observation:
            return list(shown)
        # Rows by number: to go through an array takes twice the time.
        return [{"observation": shown[i], "action_mask": masks[i]} for i in range(len(views))]

    def info(self, mask: np.ndarray, **values: Any) -> dict[str, Any]:
        """Return infos with ``values``, and with the mask as ``action_mask`` if it belongs there."""
        return {"action_mask": mask, **values} if self.mask_in_info else values


class LastViews(WritableArrays):
    """The views of rows that are shown again and again: only what has changed is written.

    Args: view, how observations are shown; count, number of rows.
    """

    def __init__(self, view: FloatView | ByteView, count: int) -> None:
        self._view = view
        self._seen = np.zeros((count, view.spec.obs_size), np.uint8)
        self._views = np.zeros((count, len(view.low)), view.low.dtype)

    def show(self, observations: np.ndarray, first: int = 0) -> np.ndarray:
        """Return the views of observations uint8[n, D] of the rows from ``first`` on: [n, F], overwritten later."""
        rows = slice(first, first + len(observations))
        views = self._views[rows]
        self._view.update(observations, self._seen[rows], views)
        return views


class OfGame:
    """An environment of a game, which says whether it may be stepped: after a reset, and nothing that failed half-way.

    Who decides in a game that was left half-way is not whom the caller has seen decide: an opponent may have failed,
    or the caller stopped the step. An action given then would be played for somebody else.
    """

    batch_class: type[Batch]
    _running: bool | None = None
    """None before the first reset."""

    @property
    def game_spec(self) -> GameSpec:
        """The specification of the game."""
        return self.batch_class.spec

    @contextmanager
    def _moving(self) -> Iterator[None]:
        """Let the games change; if that fails, they must be reset."""
        self._running = False
        yield
        self._running = True

    def _check_running(self) -> None:
        """Raise ValueError if a reset is needed."""
        if not self._running:
            raise ValueError("no game is running, or the last step or reset failed half-way: call reset()")


def whole_action(who: str, action: Any) -> int:
    """Return an action as int; ValueError if it is no whole number, such as 1.9, True or "1"."""
    if type(action) is int:  # the usual case, told in a tenth of the time
        return action
    try:
        if isinstance(action, bool):
            raise TypeError
        return operator.index(action)
    except TypeError:
        raise ValueError(f"{who}: action {shown(action)} must be a whole number") from None


_warned: set[str] = set()
"""What this process was warned of."""


def warn_of_fallback(spec: GameSpec, who: str, action: int, played: int) -> None:
    """Warn, once in a process, that an illegal action was replaced."""
    if "fallback" in _warned:
        return
    _warned.add("fallback")
    words = f" ({spec.action_name(action)})" if 0 <= action < spec.n_actions else ""
    warnings.warn(
        f"{who}: the illegal action {action}{words} was replaced by {played} ({spec.action_name(played)}), as "
        "illegal_action='fallback' says; 'raise' refuses such actions. Later ones are in the infos only.",
        stacklevel=3,
    )


def of_reset(options: Any, spec: GameSpec) -> Mapping[str, Any]:
    """Return the options that ``reset`` was given.

    Raises: ValueError for what is no dictionary, an option of environments or of play, or a name nearly of ours.
    """
    if not isinstance(options, Mapping | None):
        raise ValueError(f"options={shown(options)}: must be a dictionary, such as {{'position': text}}")
    for name in {*(options or {})} - {*RESET_OPTIONS}:  # those of other wrappers pass
        if name in (*Settings._fields, *spec.option_defaults):
            raise ValueError(f"reset has no option {name!r}: must be given when the environment is made")
        if near := difflib.get_close_matches(str(name), RESET_OPTIONS, 1, 0.8):
            raise ValueError(f"reset has no option {name!r}; did you mean {near[0]}?")
    return options or {}


def start_at(batch: Batch, position: Any) -> Batch:
    """Return a batch with one game, in the position that ``reset(options={"position": …})`` asks for.

    Raises: ValueError for what is no position text of a running game with the options of ``batch``, or if ``batch``
        keeps records, which begin with the set-up.
    """
    if batch.record:
        reason = "with record=True, or an opponent that wants story or lines,"
        raise ValueError(f"position: {reason} a game begins with its set-up; make the environment without")
    try:
        start = batch.at_position(position)
    except ValueError as error:
        raise ValueError(f"position: {error}") from None
    if start.over[0]:
        raise ValueError("position: the game is over in it, must be one that is running")
    return start


def begin_at(batch: Batch, rows: np.ndarray, start: Batch) -> None:
    """Put the games of ``rows`` int64[n] into the position of ``start``; their chance to come stays the same."""
    batch.games[rows] = start.games[0]
    batch.refresh(rows, check=False)


def rendered(batch: Batch, row: int, viewer: int | None, mode: str) -> Any:
    """Return a game as ``viewer``, or for None the referee, sees it: in pixels for ``rgb_array``, otherwise as text."""
    if mode == "rgb_array":
        return pixels(draw_svg(batch, row, viewer, "light"))
    return render_text(batch, row, viewer)


class SingleGameEnv(OfGame, WritableArrays):
    """An environment around one game, the only row of ``batch``: states, copies, rendering and the record."""

    keyword_defaults = Settings._field_defaults
    state_names: ClassVar[tuple[str, ...]]
    """Attributes that a state holds besides the batch, JSON values: all that changes in play."""

    def __init__(self, **options: Any) -> None:
        """Make the environment; ``reset`` starts a game.

        Raises: OptionError (a ValueError) for a bad option.
        """
        self.settings, play = split_options(self, options)
        self.batch = self.batch_class(1, reward=self.settings.reward, record=self.settings.record, **play)
        self.render_mode: str | None = self.settings.render_mode

    # --- states ------------------------------------------------------------------------------------------------------

    def get_state(self) -> bytes:
        """Return the whole state of the environment as bytes, which ``set_state`` reads.

        It holds the chance to come and the secrets of all players: use ``Batch.redeal`` on a copy before a search.
        """
        attributes = {name: getattr(self, name) for name in self.state_names}
        return to_bytes({**self._label(), "attributes": attributes}, self.batch.buffers())

    def set_state(self, state: bytes) -> None:
        """Continue from a state that ``get_state`` returned in an environment with the same options.

        Raises: ValueError if the bytes are not such a state, or belong to another game, version or options; the
            environment is left unchanged.
        """
        head, arrays = from_bytes(state, self._label())
        fill(self.batch.buffers(), arrays)
        for name, value in head["attributes"].items():
            setattr(self, name, value)
        self._restored()

    def _label(self) -> dict[str, Any]:
        """Return, as JSON values, what a state must have in common with the environment that it is set in."""
        options = {name: list(v) if isinstance(v, tuple) else v for name, v in self.batch.options.items()}
        head = {
            "state": STATE_VERSION,
            "game": self.game_spec.name,
            "rules": self.game_spec.rules_version,
            "kind": type(self).__name__,
        }
        return {**head, "reward": self.settings.reward, "record": self.batch.record, **options}

    def _restored(self) -> None:
        """Update what depends on the state, after ``set_state``."""
        self._running = True

    def clone(self) -> Self:
        """Return an independent copy of the environment, with the same chance to come."""
        return copy.deepcopy(self)

    # --- looking -----------------------------------------------------------------------------------------------------

    def record(self) -> list[dict[str, Any]]:
        """Return the lines of the record of the game so far, header first (needs ``record=True``).

        Raises: ValueError for an environment made without ``record=True``, or before the first reset.
        """
        if self._running is None:
            self._check_running()
        return self.batch.records([0], self._agents_text())[0]

    def _agents_text(self) -> list[str] | None:
        """Return who plays, by player, for the header of the record; None if that is not known."""
        return None

    def _viewer(self) -> int | None:
        """Return the player whose view is rendered; None is the referee."""
        return None

    def render(self) -> Any:
        """Return the game as text (``ansi``) or in pixels (``rgb_array``), or print it and return None (``human``).

        Raises: ImportError that names the extra ``viz``, for ``rgb_array`` without it.
        """
        if self.render_mode is None:
            gymnasium.logger.warn(f"render() needs a render_mode: one of {', '.join(RENDER_MODES)}")
            return None
        shown = rendered(self.batch, 0, self._viewer(), self.render_mode)
        if self.render_mode != "human":
            return shown
        sys.stdout.write(shown + "\n")
        return None

    def _render_for_humans(self) -> None:
        """Print the game after a reset or a step, if the render mode is ``human``."""
        if self.render_mode == "human":
            self.render()

    def close(self) -> None:
        """Do nothing: no resources are held."""
