"""Agents: the protocol every bot keeps to, the compiled ``random``, the registry of names, and how agents play a batch.

An agent decides for many games at once: ``act(view, rng) -> int64[n]``. It sees what the deciding players may know
and nothing else. A bot that is a compiled kernel says so by its attribute ``compiled``; loops then run it without
returning to Python, with the same result.

Random numbers: each player of each game has a row of his own, made from (game seed, player). A compiled kernel draws
from it in place; ``act`` is given the same rows as ``rng`` and what it leaves there is written back.
"""

from __future__ import annotations

import functools
import inspect
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib import metadata
from typing import Any, Protocol, runtime_checkable

import numpy as np

from shogun_env.batch.batch import Batch
from shogun_env.batch.loops import uniform
from shogun_env.kernel.jit import Policy, policy
from shogun_env.spec.game_spec import GameSpec

__all__ = [
    "Agent", "AgentSpec", "Compiled", "View", "agent_names", "agent_text", "ask", "make_agent", "play_on", "policy",
    "register_agent", "uniform",
]  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """Decisions put to an agent: n of them, each of another game, all arrays the agent's to keep."""

    batch: Batch
    """The true games. For ``redeal`` and ``options``; an agent that reads more of it cheats."""
    rows: np.ndarray
    """int64[n], rows of the batch: a stable name of each game while it lasts."""
    players: np.ndarray
    """int64[n], who decides."""
    observations: np.ndarray
    """uint8[n, D], what he may know, laid out as ``spec.obs_layout`` says."""
    masks: np.ndarray
    """int8[n, A], 1 where an action is legal; at least two are."""

    @classmethod
    def of(cls, batch: Batch, rows: np.ndarray) -> View:
        """Return the decisions of games ``rows`` int64[n], none of them over."""
        players = batch.player[rows].astype(np.int64)
        seen = np.empty((len(rows), batch.spec.obs_size), np.uint8)
        return cls(batch, rows, players, batch.observe_for(players, out=seen, rows=rows), batch.legal[rows])

    @property
    def spec(self) -> GameSpec:
        """The game played."""
        return self.batch.spec

    @property
    def options(self) -> dict[str, Any]:
        """The options of play, ``num_players`` among them."""
        return self.batch.options

    def redeal(self, seed: int | np.ndarray) -> Batch:
        """Return a batch of these n games, in their order, in which all that their deciders cannot know is dealt anew.

        Args: seed: int or int[n], one a game; with seeds from ``rng`` a search does not depend on the other games.
        """
        copy = self.batch.take(self.rows)
        copy.redeal(None, self.players, seed)
        return copy


@runtime_checkable
class Agent(Protocol):
    """A bot. Optional attribute ``compiled: tuple[Policy, params]``: the kernel it is, params float64[K]."""

    def act(self, view: View, rng: np.ndarray) -> np.ndarray:
        """Return int64[n], a legal action for every decision of the view.

        Args: rng: uint64[n, 2], the random row of each decider, for ``kernel.rng`` to draw from; written back.
        """


class Compiled:
    """A compiled kernel as an agent.

    Args: function: made with ``@policy``; params: its float64[K].
    """

    def __init__(self, function: Policy, params: Sequence[float] | np.ndarray = ()) -> None:
        self.compiled = (function, np.atleast_1d(np.asarray(params, np.float64)))
        self.__name__ = function.__name__

    def act(self, view: View, rng: np.ndarray) -> np.ndarray:
        """Run the kernel for every decision."""
        function, params = self.compiled
        params = params if len(params) else np.zeros(1)
        rows = zip(view.observations, view.masks, rng, strict=True)
        return np.array([function(seen, mask, row, params) for seen, mask, row in rows], np.int64)


# --- names -----------------------------------------------------------------------------------------------------------

AgentSpec = str | Agent | Policy
Factory = Callable[..., Agent]
ENTRY_POINTS = "shogun_env.agents"
"""Group of entry points by which installed packages give bots a name: ``name = "package.module:factory"``, or
``anything = "package.module"`` for a module that calls ``register_agent`` itself.
"""
_factories: dict[str, dict[str | None, Factory]] = {}


def register_agent(name: str, factory: Factory, game: str | None = None) -> None:
    """Give a bot a name for command lines and ``opponents=``.

    Args:
        name: as it stands before the first colon of a spec.
        factory: called as ``factory(game_spec, *texts, key=value, …)``. Its keyword parameters are the bot's: each
            needs a default, whose type (bool, int, float, str) the text is turned into; None takes any text.
            Parameters without a default after ``game`` take the parts of a spec that have no ``=``.
        game: name of the one game it plays; under one name each game may have a factory of its own, with parameters
            of its own. None: any game that has none of its own.

    Raises: ValueError if another factory has the name.
    """
    known = _factories.get(name, {}).get(game)
    if known is not None and (known.__module__, known.__qualname__) != (factory.__module__, factory.__qualname__):
        raise ValueError(f"agent {name!r} is registered already")
    _factories.setdefault(name, {})[game] = factory


def agent_names() -> list[str]:
    """Return the registered names, sorted, those of installed packages included."""
    _load_entry_points()
    return sorted(_factories)


@functools.cache
def _load_entry_points() -> None:
    """Register the bots of installed packages, this one's own among them; a warning for one that cannot be loaded."""
    for point in metadata.entry_points(group=ENTRY_POINTS):
        try:
            loaded = point.load()
            if callable(loaded):
                register_agent(point.name, loaded)
        except Exception as error:
            warnings.warn(f"the bots of {point.value} could not be loaded: {error!r}", RuntimeWarning, stacklevel=3)


def make_agent(spec: AgentSpec, game_spec: GameSpec) -> Agent:
    """Return the agent a spec means, to play ``game``.

    Args:
        spec: ``name``, ``name:key=value:…`` or ``name:text``; or an agent, which is returned; or a kernel made with
            ``@policy``.

    Raises: ValueError for an unknown name or parameter, listing the known ones, a value of the wrong type, or a bot
        that does not play this game.
    """
    if isinstance(spec, Policy):
        return Compiled(spec)
    if not isinstance(spec, str):
        if not callable(getattr(spec, "act", None)):
            raise ValueError(f"agent {spec!r}: give a bot's name, a compiled policy, or an object with act(view, rng)")
        return spec
    name, *parts = spec.split(":")
    if name not in _factories and name not in agent_names():
        raise ValueError(f"unknown agent {name!r}; known are {', '.join(agent_names())}")
    of_game = _factories[name]
    factory = of_game.get(game_spec.name, of_game.get(None))
    if factory is None:
        raise ValueError(f"agent {name!r} does not play {game_spec.name}, only {', '.join(map(str, of_game))}")
    texts, values = _parameters(spec, factory, parts)
    return factory(game_spec, *texts, **values)


def agent_text(spec: AgentSpec) -> str:
    """Return how a record or a table names an agent: its spec, or the name of what it is."""
    return spec if isinstance(spec, str) else getattr(spec, "__name__", type(spec).__name__)


def _parameters(spec: str, factory: Factory, parts: list[str]) -> tuple[list[str], dict[str, Any]]:
    """Sort the parts of a spec into texts and converted keyword values."""
    parameters = list(inspect.signature(factory).parameters.values())[1:]
    known = {p.name: p.default for p in parameters if p.default is not p.empty}
    wanted = [p.name for p in parameters if p.default is p.empty]
    texts: list[str] = []
    values: dict[str, Any] = {}
    for part in parts:
        key, equals, text = part.partition("=")
        if not equals or not key.isidentifier():
            texts.append(part)
        elif key not in known:
            raise ValueError(f"agent {spec!r}: unknown parameter {key!r}; {_listed(known)}")
        else:
            values[key] = _converted(spec, key, text, known[key])
    if len(texts) != len(wanted):
        needs = (
            f"needs {', '.join(wanted)} after a colon" if wanted else f"has no parameter {texts[0]!r}; {_listed(known)}"
        )
        raise ValueError(f"agent {spec!r} {needs}")
    return texts, values


def _listed(known: Iterable[str]) -> str:
    names = ", ".join(known)
    return f"known are {names}" if names else "it has none"


_SWITCH = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def _converted(spec: str, key: str, text: str, default: Any) -> Any:
    """Turn a parameter's text into the type of its default."""
    kind = type(default)
    try:
        if kind is bool:
            return _SWITCH[text.lower()]
        return text if default is None or kind is str else kind(text)
    except (ValueError, KeyError):
        words = {bool: "true or false", int: "a whole number", float: "a number"}.get(kind, kind.__name__)
        raise ValueError(f"agent {spec!r}: {key}={text!r} must be {words}") from None


def _random(game_spec: GameSpec) -> Agent:
    return Compiled(uniform)


register_agent("random", _random)

# --- playing ---------------------------------------------------------------------------------------------------------


def ask(agent: Agent, batch: Batch, rows: np.ndarray) -> np.ndarray:
    """Return int64[n], what ``agent`` plays in games ``rows`` int64[n], none over; its draws are kept."""
    view = View.of(batch, rows)
    rng = batch.policy_rngs[rows, view.players]
    actions = np.asarray(agent.act(view, rng))
    batch.policy_rngs[rows, view.players] = rng
    return actions


def play_on(batch: Batch, agents: Sequence[Agent], seats: np.ndarray) -> None:
    """Play the games on with agents of any kind, until each is over or waits for a player who is asked outside.

    Compiled agents play inside ``Batch.play``; the others are asked in turn, each for all the games that wait for it.

    Args:
        agents: the bots.
        seats: int8[B, P], which of them plays where; -1 is asked outside.

    Raises: ValueError naming row, decision and action if an agent returns an illegal one.
    """
    compiled = [getattr(agent, "compiled", None) for agent in agents]
    policies = [kernel or uniform for kernel in compiled]
    outside = np.array([kernel is None for kernel in compiled] + [True])  # the last entry is that of seat -1
    inside = np.where(outside[seats], np.int8(-1), seats)
    everything = np.arange(batch.num_games)
    while True:
        if not outside[:-1].all():
            batch.play(policies, inside)
        waiting = np.where(batch.over, -1, seats[everything, batch.player])
        if waiting.max() < 0:
            return
        for index in np.unique(waiting[waiting >= 0]):
            rows = np.flatnonzero(waiting == index)
            batch.step(ask(agents[index], batch, rows), rows)
