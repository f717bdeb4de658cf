"""Bots: ``Bot`` has every method and attribute that a bot may have, with a default for each.

What is nearly one of these names is an error, not a bot that is never told. An object that is no ``Bot`` needs a method
``act``; ``bot_of`` wraps it once, so all other code asks bots only.
"""

from __future__ import annotations

import contextlib
import dataclasses
import difflib
import functools
import inspect
import operator
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, runtime_checkable

import numpy as np

from shogun_env.batch.validation import params_of
from shogun_env.spec.bots import FaultError, MachineError, PartlyLostError, fault_of
from shogun_env.spec.forms import UnknownNameError, meant, shown
from shogun_env.spec.game_spec import GameSpec
from shogun_env.views import TOLD, Decision, Ends, View

if TYPE_CHECKING:  # --help is quick without the engine
    from shogun_env.kernel.jit import Policy

METHODS = ("act", "act_by", "appraise", "begin", "close", "decide", "end", "explain", "recall", "weigh")
"""The methods of a bot that others call."""
VALUES = ("compiled", "replayable", "settings", "wants")
"""The attributes of a bot that others read."""
RENAMED = {f"wants_{old}": f'wants = ("{new}",)' for old, new in zip(("stories", "lines", "ends"), TOLD, strict=True)}
"""What took the place of attributes of earlier versions."""
NEARLY = 0.84
"""difflib's similarity from which a name counts as a misspelling of another: ``ends`` and ``end``, but not ``closest``
and ``close``."""


@runtime_checkable
class Agent(Protocol):
    """What can be taken for a bot: a ``Bot``, or any object with ``act``, which may have other methods of a bot too."""

    def act(self, view: View, rng: np.ndarray) -> np.ndarray:
        """Return a legal action for every decision of the view: int64[n]; see ``Bot.act``."""


class Weighed(NamedTuple):
    """What a bot makes of a decision."""

    share: float
    """Share of the win that it expects for the player who decides."""
    chances: np.ndarray
    """float64[A], the probability with which it plays each action; 0 for illegal ones."""


class Clock(NamedTuple):
    """The seconds of the decisions of a view."""

    left: np.ndarray
    """float64[n], what a bot may take for each."""
    used: np.ndarray
    """float64[n], what it took, written by the bot."""


@dataclasses.dataclass(frozen=True)
class NoSettings:
    """The settings of a bot without any."""


def _check_names(names: Mapping[str, Any], who: str) -> None:
    """Raise ValueError for a public name that is nearly that of a method or attribute of bots, but not quite."""
    for name, value in names.items():
        if wrong := _why_wrong(name, callable(value)):
            raise ValueError(f"{who}.{name}: bots have no such {wrong}")


@functools.cache
def _why_wrong(name: str, is_method: bool) -> str:
    """Return what a name of a bot was meant to be, in words; an empty text if it may well be its own."""
    hooks = (*METHODS, "Settings") if is_method else VALUES
    if name.startswith("_") or name in (*METHODS, *VALUES, "Settings"):
        return ""
    if old := difflib.get_close_matches(name, RENAMED, 1, 0.9):
        return f"attribute; write {RENAMED[old[0]]}"
    swapped = [hook for hook in hooks if sorted(hook) == sorted(name)]
    near = swapped or difflib.get_close_matches(name, hooks, 1, NEARLY)
    return f"name; did you mean {near[0]}? Call something else _{name}, say" if near else ""


def _check_wants(wants: Any, who: str) -> None:
    if not isinstance(wants, tuple):
        raise ValueError(f'{who}.wants={shown(wants)}: must be a tuple of words, such as ("story",)')
    for want in wants:
        if want not in TOLD:
            raise ValueError(f"{who}.wants: {want!r} cannot be wanted; {meant(str(want), TOLD)}")


def _undecided(bot: Bot) -> str:
    return f"{type(bot).__name__}: a bot needs decide(decision) or act(view, rng)"


def _number(answer: Any, spec: GameSpec) -> int:
    """Return the number of an action that ``decide`` answered; FaultError (``form``) for neither name nor number."""
    if isinstance(answer, str):
        try:
            return int(spec.actions[answer])
        except UnknownNameError as error:
            raise FaultError("form", str(error)) from None
    if not isinstance(answer, bool):
        with contextlib.suppress(TypeError, OverflowError):
            return int(np.int64(operator.index(answer)))
    raise FaultError("form", f"{shown(answer)} is not the name or the number of an action")


def _check_compiled(pair: Any, who: str) -> None:
    from shogun_env.kernel.jit import Policy

    if pair is not None and not (isinstance(pair, tuple) and len(pair) == 2 and isinstance(pair[0], Policy)):
        raise ValueError(f"{who}.compiled: must be a pair: a function under @policy, and float64[K]")


class Bot:
    """A bot: it decides, and whatever else it can do is one of the methods and attributes here.

    A bot of your own has ``decide`` or ``act``. Its numbers are the fields of a frozen dataclass ``Settings`` in its
    class, which ``bot.settings`` is one of: ``Frugal(greed=0.2)``, or ``bots.py:Frugal:greed=0.2`` by name.

    Args: game_spec, the game that it is to play, None if that is not known; values, settings, the others have defaults.

    Raises: ValueError when a class is defined, for a name that is nearly one of those here; TypeError for a setting
        that there is not, or one that is missing.

    Example:
        >>> class First(Bot):
        ...     def decide(self, decision):
        ...         return decision.names[0]
    """

    Settings: type = NoSettings
    """The numbers of a bot: a frozen dataclass."""
    settings: Any = None
    wants: tuple[str, ...] = ()
    """What a bot is told besides its decisions, in the words of the protocol, some of ``story``, ``lines`` and
    ``result``: what has happened, in sentences or as lines of a record, and by ``end`` how games ended."""
    compiled: tuple[Any, np.ndarray] | None = None
    """A policy, made with ``@policy``, and its parameters float64[K]: loops then play without asking the bot."""
    replayable: bool | None = None
    """True: its choice depends on the view and the draws alone, so a tournament may ask again in copied positions.
    False: it is never asked again, as it costs money or goes by the clock. None: that is not known."""
    name: str = "bot"
    """By which records and tables name it, unless it was made by a name."""

    def __init__(self, game_spec: GameSpec | None = None, *values: Any, **settings: Any) -> None:
        if not isinstance(game_spec, GameSpec | None):
            raise TypeError(f"{type(self).__name__}({shown(game_spec)}): settings are given by name")
        known = [field.name for field in dataclasses.fields(self.Settings)]
        for name in settings:
            if name not in known:
                raise TypeError(f"{type(self).__name__}: unknown setting {name!r}; {meant(name, known)}")
        self.settings = self.Settings(*values, **settings)

    def __init_subclass__(cls, **more: Any) -> None:
        """Check the names of a new class of bots, and show its settings as its parameters."""
        super().__init_subclass__(**more)
        _check_names(vars(cls), cls.__name__)
        if "name" not in vars(cls):
            cls.name = cls.__name__
        if not isinstance(inspect.getattr_static(cls, "wants"), property):
            _check_wants(cls.wants, cls.__name__)
        if not (dataclasses.is_dataclass(cls.Settings) and cls.Settings.__dataclass_params__.frozen):  # type: ignore[attr-defined]
            raise ValueError(f"{cls.__name__}.Settings: must be a class under @dataclass(frozen=True)")
        own = list(inspect.signature(cls.Settings).parameters.values())
        if cls.__init__ is Bot.__init__:
            first = inspect.Parameter("game_spec", inspect.Parameter.POSITIONAL_ONLY, default=None)
            own = [first, *(p if p.default is p.empty else p.replace(kind=p.KEYWORD_ONLY) for p in own)]
        else:  # of its own, which may hand settings on by **
            taken = list(inspect.signature(cls.__init__).parameters.values())[1:]
            names = [p.name for p in taken]
            hands_on = any(p.kind is p.VAR_KEYWORD for p in taken)
            own = taken + [p.replace(kind=p.KEYWORD_ONLY) for p in own if hands_on and p.name not in names]
        cls.__signature__ = inspect.Signature(sorted(own, key=lambda p: p.kind), __validate_parameters__=False)  # type: ignore[attr-defined]

    def act(self, view: View, rng: np.ndarray) -> np.ndarray:
        """Return a legal action for every decision of a view, int64[n]; by itself it calls ``decide`` for each.

        Args:
            view: the decisions.
            rng: uint64[n, 2], the random row of each player who decides, for the functions of ``kernel.rng`` to draw
                from; it is written back to the batch.

        Raises: what ``decide`` raises; of several decisions PartlyLostError, from the first of that, with the others.
        """
        actions, lost, texts = np.zeros(len(rng), np.int64), [""] * len(rng), dict[str, str]()
        first: BaseException | None = None
        for index, row in enumerate(rng):
            try:
                actions[index] = _number(self.decide(view.decision(index, row)), view.spec)
            except MachineError:
                raise
            except (Exception, SystemExit) as error:
                if len(rng) == 1:
                    raise
                first, (lost[index], text) = first or error, fault_of(error)
                texts.setdefault(lost[index], text)
        if first is not None:
            raise PartlyLostError(actions, lost, texts) from first
        return actions

    def decide(self, decision: Decision) -> int | str:
        """Return the name or the number of a legal action for one decision; TypeError for a bot with ``act`` alone."""
        raise TypeError(_undecided(self))

    def act_by(self, view: View, rng: np.ndarray, clock: Clock) -> np.ndarray:
        """Return actions as ``act``, in the time that is left, and write into the clock what each took."""
        begin = time.perf_counter()
        try:
            return self.act(view, rng)
        finally:
            clock.used[:] = (time.perf_counter() - begin) / len(clock.used)

    def explain(self, view: View) -> list[str]:
        """Return for every decision, which ``act`` has just answered, why it chose so; empty for nothing to say."""
        return [""] * len(view.rows)

    def weigh(self, view: View) -> list[Weighed] | None:
        """Return for every decision how likely it plays what, and what it expects; None if it does not know."""
        return None

    def appraise(self, observation: np.ndarray, tiles: Sequence[int]) -> np.ndarray | None:
        """Return the points that lots bring to each player, counted from the observer; None if it cannot say.

        Args: observation, uint8[D]; tiles, the action that gives each lot its tile, 0 for none yet.
        Returns: float64[lots, players] or None.
        """
        return None

    def begin(self, rows: np.ndarray) -> None:
        """Take note that new games are in ``rows`` int64[n], as in ``View.rows``."""

    def recall(self, view: View, rng: np.ndarray) -> None:
        """Take note of decisions that were made before the game was resumed, as ``act`` was asked for them."""

    def end(self, ends: Ends) -> None:
        """Take note how games ended; called if ``wants`` has ``result``, for each game at least once."""

    def close(self) -> None:
        """End what the bot has started, such as a program; not called where the process ends."""


class Wrapped(Bot):
    """A bot that is another one, but for the methods and attributes that a subclass defines.

    Args: inner, a bot, or an object with ``act``, whose other methods and attributes are the defaults.
    """

    def __init__(self, inner: Any) -> None:
        self.inner = inner
        self.name = inner.name if isinstance(inner, Bot) else getattr(inner, "__name__", type(inner).__name__)


def _of_inner(hook: str) -> property:
    default = vars(Bot)[hook]

    def forwarded(self: Wrapped) -> Any:
        found = getattr(self.inner, hook, default)
        return found.__get__(self) if found is default and callable(default) else found

    return property(forwarded)


for _hook in (*METHODS, *VALUES):
    setattr(Wrapped, _hook, _of_inner(_hook))


def bot_of(agent: Any) -> Bot:
    """Return a bot as it is, and any other object with ``act(view, rng)`` as one.

    Raises: ValueError for what is no bot, for a name that is nearly that of a method or attribute of bots, or for an
        attribute whose value cannot be used.
    """
    who = type(agent).__name__
    if isinstance(agent, str):
        raise ValueError(f"agent {agent!r}: names are not taken here; give make_agent({agent!r}, Batch.spec)")
    if isinstance(agent, type) or not callable(getattr(agent, "act", None)):
        right = f"{agent.__name__}()" if isinstance(agent, type) else "an object with act(view, rng)"
        raise ValueError(f"agent {agent!r}: give a bot's name, a compiled policy, or {right}")
    is_bot = isinstance(agent, Bot)
    own = vars(agent) if hasattr(agent, "__dict__") else {}
    others = {} if is_bot else {name: getattr(type(agent), name, None) for name in dir(type(agent))}
    _check_names({**others, **own}, who)
    bot: Bot = agent if is_bot else Wrapped(agent)
    if is_bot and not isinstance(agent, Wrapped) and type(agent).act is Bot.act and type(agent).decide is Bot.decide:
        raise ValueError(_undecided(agent))
    _check_wants(bot.wants, who)
    _check_compiled(bot.compiled, who)
    if not isinstance(bot.replayable, bool | None):
        raise ValueError(f"{who}.replayable={shown(bot.replayable)}: must be True, False or None")
    has_end = type(agent).end is not Bot.end if is_bot else hasattr(agent, "end")
    if has_end and "result" not in bot.wants and "wants" not in own and not isinstance(agent, Wrapped):
        raise ValueError(f'{who}.end: is called if the bot wants it; write wants = ("result",)')
    return bot


Trace = Callable[[np.ndarray, np.ndarray, np.ndarray], str]
"""``trace(observation, mask, params)`` returns in words what a policy weighs in a decision."""
Appraise = Callable[[np.ndarray, Sequence[int], np.ndarray], np.ndarray]
"""``appraise(observation, tiles, params)`` returns the points that lots bring: float64[lots, players]."""


class Compiled(Bot):
    """A policy as a bot: loops play it without returning to Python.

    Args:
        function: made with ``@policy``.
        params: float64[K], its parameters, such as weights; the policy gets them with each decision.
        trace: ``trace(observation, mask, params)`` says in words what the policy weighs; None for a policy without.
        appraise: ``appraise(observation, tiles, params)`` says what lots are worth; None for a policy without.

    Example:
        >>> from shogun_env.policies import uniform
        >>> Compiled(uniform).name
        'uniform'
    """

    compiled: tuple[Any, np.ndarray]

    def __init__(
        self,
        function: Policy,
        params: Sequence[float] | np.ndarray = (),
        trace: Trace | None = None,
        appraise: Appraise | None = None,
    ) -> None:
        numbers = params_of(params, "Compiled")
        self.compiled = (function, numbers)
        _check_compiled(self.compiled, "Compiled")
        self.name = function.function.__name__
        self._trace, self._appraise = trace, appraise

    @functools.cached_property
    def _params(self) -> np.ndarray:
        """The parameters, or a copy of those that are read-only, which functions of this package do not take."""
        numbers = self.compiled[1]
        return numbers if numbers.flags.writeable else numbers.copy()

    def __getstate__(self) -> dict[str, Any]:
        """Return what a copy begins with; that its parameters are read-only, so that loops keep them, is told apart."""
        state = {name: value for name, value in self.__dict__.items() if name != "_params"}
        return {**state, "_is_fixed": not self.compiled[1].flags.writeable}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore a copy."""
        is_fixed = state.pop("_is_fixed")
        self.__dict__.update(state)
        if is_fixed:
            self.compiled[1].flags.writeable = False

    def act(self, view: View, rng: np.ndarray) -> np.ndarray:
        """Return what the policy chooses for every decision: int64[n]."""
        from shogun_env.kernel.jit import MemoryPolicy

        function = self.compiled[0]
        function.check_reads(view.observations.shape[1])
        params = self._params
        memory = [np.zeros(int(params[0]), np.float32)] if isinstance(function, MemoryPolicy) else []
        rows = zip(view.observations, view.masks, rng, strict=True)
        return np.array([function(*row, params, *memory) for row in rows], np.int64)

    def explain(self, view: View) -> list[str]:
        """Return for every decision what the policy weighs, empty without a trace."""
        if self._trace is None:
            return super().explain(view)
        params = self.compiled[1]
        return [self._trace(*pair, params) for pair in zip(view.observations, view.masks, strict=True)]

    def appraise(self, observation: np.ndarray, tiles: Sequence[int]) -> np.ndarray | None:
        """Return the points that lots bring, as ``Bot.appraise``; None without a function for it."""
        return None if self._appraise is None else self._appraise(observation, tiles, self.compiled[1])
