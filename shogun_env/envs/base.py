"""What all environments share: options, observations, illegal actions, and the states of a single game."""

from __future__ import annotations

import copy
import inspect
import json
import sys
from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple, Self

import gymnasium
import numpy as np
from gymnasium import spaces

from shogun_env.batch.batch import Batch
from shogun_env.batch.validation import writable
from shogun_env.records.text import render_text
from shogun_env.spec.game_spec import GameSpec
from shogun_env.spec.options import OptionError

NOTHING = 0
"""The action of who has nothing to decide."""
STATE_VERSION = 1
RENDER_MODES = ("ansi", "human")


class Settings(NamedTuple):
    """Options of environments; those of play belong to the game."""

    reward: str = "win"
    """One of the game's rewards."""
    observation: str = "flat"
    """``flat``: float32[D] in 0..1; ``entities``: the same values as a Dict of boxes, one a block."""
    illegal_action: str = "fallback"
    """``fallback`` plays the lowest legal action and says so in the infos; ``raise`` raises ValueError."""
    max_cycles: int | None = None
    """Truncate after so many steps (in the AEC environment after as many rounds of decisions)."""
    render_mode: str | None = None
    """None, ``ansi`` (``render()`` returns text) or ``human`` (prints it)."""
    record: bool = False
    """Keep a log, so that ``record()`` returns the game record."""


def split_options(
    spec: GameSpec, options: Mapping[str, Any], more: tuple[str, ...] = ()
) -> tuple[Settings, dict[str, Any]]:
    """Part an environment's keywords into settings and options of play, all checked.

    Raises: OptionError naming what is wrong and what would be right.
    """
    known = (*spec.option_defaults, *Settings._fields, *more)
    for name in options:
        if name not in known:
            raise OptionError(f"unknown option {name!r}; the options are {', '.join(known)}")
    settings = Settings(**{name: options[name] for name in Settings._fields if name in options})
    _check_choice("reward", settings.reward, spec.rewards)
    _check_choice("observation", settings.observation, ("flat", "entities"))
    _check_choice("illegal_action", settings.illegal_action, ("fallback", "raise"))
    if settings.render_mode is not None:
        _check_choice("render_mode", settings.render_mode, RENDER_MODES)
    if not isinstance(settings.record, bool):
        raise OptionError(f"record={settings.record!r}: must be True or False")
    cycles = settings.max_cycles
    if cycles is not None and (isinstance(cycles, bool) or not isinstance(cycles, int | np.integer) or cycles < 1):
        raise OptionError(f"max_cycles={cycles!r}: must be None or a whole number, at least 1")
    return settings, spec.check_options({name: options[name] for name in spec.option_defaults if name in options})


def _check_choice(name: str, value: Any, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise OptionError(f"{name}={value!r}: must be one of {', '.join(allowed)}")


def signature(spec: GameSpec, more: Mapping[str, Any]) -> inspect.Signature:
    """Return the keywords an environment of ``game`` takes, for ``help`` and completion."""
    defaults = {**spec.option_defaults, **Settings._field_defaults, **more}
    keyword = inspect.Parameter.KEYWORD_ONLY
    return inspect.Signature([inspect.Parameter(name, keyword, default=value) for name, value in defaults.items()])


class Observer:
    """Turns the bytes of observations into what ``observation=`` asks for.

    Attributes: ``space``, of one observation; ``mask_space`` and ``action_space`` of its player.
    """

    def __init__(self, spec: GameSpec, kind: str) -> None:
        """Prepare the conversion; kind is ``flat`` or ``entities``."""
        self.scales = spec.scales
        self.mask_space = spaces.Box(0, 1, (spec.n_actions,), np.int8)
        self.columns = {} if kind == "flat" else {name: _columns(spec, name) for name in spec.block_rows}
        self.space: spaces.Space[Any]
        if kind == "flat":
            self.space = spaces.Box(0.0, 1.0, (spec.obs_size,), np.float32)
        else:
            shapes = {name: index.shape for name, index in self.columns.items()}
            self.space = spaces.Dict({name: spaces.Box(0.0, 1.0, shape, np.float32) for name, shape in shapes.items()})

    def flat(self, seen: np.ndarray) -> np.ndarray:
        """Return a fresh float32 array: uint8[..., D] divided by the scales."""
        values: np.ndarray = np.divide(seen, self.scales, dtype=np.float32)
        return values

    def show(self, seen: np.ndarray) -> Any:
        """Return observations uint8[..., D] as this kind: an array, or a dict of arrays [..., rows, features]."""
        values = self.flat(seen)
        return {name: values[..., index] for name, index in self.columns.items()} if self.columns else values

    def show_each(self, seen: np.ndarray) -> list[Any]:
        """Return the observations uint8[n, D] one by one."""
        shown = self.show(seen)
        if not self.columns:
            return list(shown)
        return [{name: block[i] for name, block in shown.items()} for i in range(len(seen))]


def _columns(spec: GameSpec, block: str) -> np.ndarray:
    """Return where the values of a block lie in ``flat``: int64[rows, features]; int64[features] for one row."""
    rows = spec.block_rows[block]
    pieces = [np.arange(s.start, s.stop).reshape(-1, rows) for s in spec.obs_layout if s.block == block]
    index = np.concatenate(pieces).T
    return np.ascontiguousarray(index[0] if rows == 1 else index)


def legal_or_lowest(actions: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Replace illegal actions by the lowest legal ones.

    Args: actions int64[n]; masks int8[n, A].
    Returns: int64[n] legal actions, bool[n] which were replaced.
    """
    inside = np.clip(actions, 0, masks.shape[1] - 1)
    illegal = (inside != actions) | (masks[np.arange(len(actions)), inside] == 0)
    return (np.where(illegal, masks.argmax(axis=1), actions) if illegal.any() else actions), illegal


class SingleGameEnv:
    """An environment around one game, the only row of ``batch``: states, copies, pictures and the record."""

    batch_class: ClassVar[type[Batch]]
    own: ClassVar[tuple[str, ...]] = ()
    """Attributes that change in play beside the batch; plain lists, dicts, numbers and strings."""

    batch: Batch
    settings: Settings
    render_mode: str | None

    @property
    def game_spec(self) -> GameSpec:
        """The game played."""
        return self.batch_class.spec

    # --- states ------------------------------------------------------------------------------------------------------

    def get_state(self) -> bytes:
        """Return the game as it stands: version, record, random rows.

        It holds the chance to come and everybody's secrets: use ``Batch.redeal`` on a copy before searching.
        """
        own = {name: getattr(self, name) for name in self.own}
        rows = [buffer.tobytes() for buffer in self.batch.buffers()]
        return json.dumps({**self._label(), "own": own}).encode() + b"\n" + b"".join(rows)

    def set_state(self, state: bytes) -> None:
        """Go on from what ``get_state`` returned in an environment of the same options.

        Raises: ValueError if ``state`` is no such thing, or of another game, version or options; nothing is changed.
        """
        head, _, rows = bytes(state).partition(b"\n")
        try:
            label = json.loads(head)
            own = label.pop("own")
        except (ValueError, KeyError, TypeError, AttributeError):
            raise ValueError("these bytes are not a state of an environment") from None
        for name, value in self._label().items():
            if label.get(name) != value:
                raise ValueError(f"state: {name} is {label.get(name)!r}, this environment has {value!r}")
        buffers = self.batch.buffers()
        if set(own) != set(self.own) or len(rows) != sum(buffer.nbytes for buffer in buffers):
            raise ValueError("this state of an environment is damaged")
        at = 0
        for buffer in buffers:
            buffer[...] = np.frombuffer(rows, buffer.dtype, buffer.size, at).reshape(buffer.shape)
            at += buffer.nbytes
        for name, value in own.items():
            setattr(self, name, value)
        self._restored()

    def _label(self) -> dict[str, Any]:
        """Return what a state must share with the environment it is put into, as JSON has it."""
        options = {name: list(v) if isinstance(v, tuple) else v for name, v in self.batch.options.items()}
        head = {
            "state": STATE_VERSION,
            "game": self.game_spec.name,
            "rules": self.game_spec.rules_version,
            "kind": type(self).__name__,
        }
        return {**head, "reward": self.settings.reward, "record": self.settings.record, **options}

    def _restored(self) -> None:
        """Make anew what follows from a state."""

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take over what a pickle kept, as arrays that can be written to."""
        self.__dict__.update(writable(state))

    def clone(self) -> Self:
        """Return a copy that plays on alone, with the same chance to come."""
        return copy.deepcopy(self)

    # --- looking -----------------------------------------------------------------------------------------------------

    def record(self) -> list[dict[str, Any]]:
        """Return the record of the game as it stands, header first (needs ``record=True``)."""
        return self.batch.records([0], self._agents_text())[0]

    def _agents_text(self) -> list[str] | None:
        """Return who plays, for the header of the record."""
        return None

    def _viewer(self) -> int | None:
        """Return whose view is drawn; None is the referee's."""
        return None

    def render(self) -> Any:
        """Return the game as text (``ansi``) or print it (``human``)."""
        if self.render_mode is None:
            gymnasium.logger.warn(f"render() needs a render_mode; there are {', '.join(RENDER_MODES)}")
            return None
        text = render_text(self.batch, 0, self._viewer())
        if self.render_mode == "ansi":
            return text
        sys.stdout.write(text + "\n")
        return None

    def _picture(self) -> None:
        """Print the game after a reset or a step, as ``human`` promises."""
        if self.render_mode == "human":
            self.render()

    def close(self) -> None:
        """There is nothing to release."""
