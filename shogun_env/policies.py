"""Bots: the compiled bot ``random``, the registry of names, and how bots play a batch.

A ``Bot`` decides for many games at once: ``act(view, rng) -> int64[n]``. It is shown what the players who decide may
know, and nothing else: what a ``View`` holds are copies, and its batch is redealt. A bot that is a policy, that is a
compiled function, has it in its attribute ``compiled``; loops then run it without returning to Python, with the same
result.

Random numbers: each player of each game has a random row, made from the seed of the game and the player. A policy draws
from it in place; ``act`` gets the same rows as ``rng``, and what it leaves there is written back.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import warnings
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import chdir, contextmanager, suppress
from enum import Enum
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from shogun_env.batch.validation import actions_of, seats_of
from shogun_env.bot import Agent, Bot, Compiled, Trace, Weighed, Wrapped, bot_of
from shogun_env.bot_files import OF_A_BOT, factory_in_file
from shogun_env.spec.bots import (
    IN_A_FILE,
    FaultError,
    PartlyLostError,
    first_line,
    inner_spec,
    raised_in,
    specs_in,
    split_spec,
)
from shogun_env.spec.forms import meant, shown, whole
from shogun_env.spec.game_spec import GameSpec
from shogun_env.views import Decision, Ends, View

if TYPE_CHECKING:  # --help is quick without the engine
    from shogun_env.batch.batch import Batch
    from shogun_env.batch.collecting import Collector
    from shogun_env.batch.loops import uniform
    from shogun_env.kernel.jit import policy

__all__ = [
    "Agent", "AgentSpec", "Bot", "Compiled", "Decision", "Ends", "FaultError", "PartlyLostError", "Trace", "View",
    "Watch", "Weighed", "Wrapped", "agent_names", "agent_text", "ask", "bot_of", "compiled_policy", "inner_spec",
    "is_built_in", "known_agents", "make_agent", "parameters_of", "play_on", "policy", "register_agent", "specs_in",
    "split_spec", "tell_ends", "uniform",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Import the decorator ``policy`` or the bot ``uniform`` when it is first asked for: both need the engine."""
    module = {"policy": "kernel.jit", "uniform": "batch.loops"}.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"shogun_env.{module}"), name)


# --- names -----------------------------------------------------------------------------------------------------------

AgentSpec = str | Agent | Callable[..., int]
"""What ``make_agent`` makes a bot of: a name; a bot, or another object with ``act``; a function, a ``Policy``."""
Factory = Callable[..., Any]
"""What makes a bot: ``factory(game_spec, *texts, key=value, …)``."""
ENTRY_POINTS = "shogun_env.agents"
"""Group of entry points by which installed packages register bots: ``name = "package.module:factory"``, or
``anything = "package.module"`` for a module that calls ``register_agent`` itself.
"""
_factories: dict[str, dict[str | None, Factory | str]] = {}


def register_agent(name: str, factory: Factory | str, game: str | None = None) -> None:
    """Give a bot a name for command lines, ``opponents=`` and ``make_agent``.

    Args:
        name: the part of a spec before the first colon.
        factory: called as ``factory(game_spec, *texts, key=value, …)``. Its parameters with a default are those of the
            bot: text is converted to the type of the default (bool, int, float, str), and is passed as it is if the
            default is None. Its parameters without a default, after ``game_spec``, take the parts of a spec without
            ``=``, in order, or by their names; their annotation says the type. With ``**names`` it is given every other
            ``key=value`` as text, to check itself. Or the place of that function, ``package.module:function``,
            which is imported when the bot is first made.
        game: name of the only game that this bot plays; each game may have a bot of its own under the same name. None:
            every game without one of its own.

    Raises: ValueError if another factory has the name already, or if a text is no place of a function.
    """
    if isinstance(factory, str) and not all(part.replace(".", "").isidentifier() for part in _origin(factory)):
        raise ValueError(f"agent {name!r}: factory={factory!r}: must be a function, or package.module:function")
    registered = _factories.get(name, {}).get(game)
    if registered is not None and _origin(registered) != _origin(factory):
        raise ValueError(f"agent {name!r} is registered already; give another name")
    _factories.setdefault(name, {})[game] = factory


def _origin(factory: Factory | str) -> tuple[str, str]:
    """Return where a factory is defined: importing its module again defines the same one."""
    if isinstance(factory, str):
        module, _, function = factory.partition(":")
        return module, function
    return factory.__module__, factory.__qualname__


def _imported(factory: Factory | str) -> Factory:
    """Return a factory, from its module if only its place is registered."""
    if not isinstance(factory, str):
        return factory
    module, function = _origin(factory)
    return getattr(importlib.import_module(module), function)


def agent_names() -> list[str]:
    """Return the registered names, sorted; those of installed packages are included."""
    _load_entry_points()
    return sorted(_factories)


@functools.cache
def _load_entry_points() -> None:
    """Register the bots of this package and of others that are installed; warn of those that cannot be loaded."""
    importlib.import_module("shogun_env.agents")  # registers the bots of this package
    for point in metadata.entry_points(group=ENTRY_POINTS):
        try:
            loaded = point.load()
            if callable(loaded):
                register_agent(point.name, loaded)
        except Exception as error:
            warnings.warn(f"the bots of {point.value} could not be loaded: {error!r}", RuntimeWarning, stacklevel=3)


def is_built_in(spec: str, game_spec: GameSpec) -> bool:
    """Say whether the bot of a spec is one of this package; no other package is imported to find out."""
    importlib.import_module("shogun_env.agents")  # registers the bots of this package
    by_game = _factories.get(spec.partition(":")[0], {})
    factory = by_game.get(game_spec.name, by_game.get(None))
    return factory is not None and _origin(factory)[0].startswith("shogun_env.")


class KnownAgent(NamedTuple):
    """What is known of a registered bot without making it."""

    name: str
    parameters: tuple[str, ...]
    """Its parameters in the order of a spec: ``NAME`` for one that is needed, ``name=default`` for the others."""
    game: str | None
    """The only game that it plays; None: every game without a bot of that name of its own."""


def known_agents() -> list[KnownAgent]:
    """Return all registered bots, sorted; those of installed packages are included."""
    agents = []
    for name in agent_names():
        for game, factory in _factories[name].items():
            parameters = list(inspect.signature(_imported(factory)).parameters.values())[1:]
            words = [p.name.upper() if p.default is p.empty else f"{p.name}={p.default}" for p in parameters]
            agents.append(KnownAgent(name=name, parameters=tuple(words), game=game))
    return sorted(agents, key=lambda agent: (agent.name, agent.game or ""))


def _find_factory(name: str, parts: list[str], game_spec: GameSpec) -> tuple[Factory, list[str]]:
    """Return what makes the bot of a spec split at its colons, and the parts that are its parameters."""
    if name.endswith(".py"):
        if not parts:
            raise ValueError(f"agent {name!r}: name the function that makes it, as {name}:make")
        return factory_in_file(Path(name).resolve(), parts[0]), parts[1:]
    if name not in _factories and name not in agent_names():
        known = meant(name, agent_names())
        raise ValueError(f"unknown agent {name!r}; {known}" + (f", and {IN_A_FILE}" if known[-1] != "?" else ""))
    by_game = _factories[name]
    factory = by_game.get(game_spec.name, by_game.get(None))
    if factory is None:
        raise ValueError(f"agent {name!r} does not play {game_spec.name}, only {', '.join(map(str, by_game))}")
    return _imported(factory), parts


def parameters_of(spec: str, factory: Callable[..., Any], parts: list[str]) -> tuple[list[Any], dict[str, Any]]:
    """Return the parts of a spec as converted values, by position and by keyword; ValueError if they do not fit.

    Args: spec, for messages; factory, as for ``register_agent``; parts, those of the spec after the name.
    """
    parameters = list(inspect.signature(factory).parameters.values())[1:]
    takes_more = any(p.kind is p.VAR_KEYWORD for p in parameters)
    parameters = [p for p in parameters if p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL)]
    defaults = {p.name: p.default for p in parameters if p.default is not p.empty}
    needed = [p for p in parameters if p.default is p.empty]
    kinds = {p.name: _annotated(p) for p in needed if p.kind is not p.POSITIONAL_ONLY}
    kinds |= {p.name: _kind_of(p) for p in parameters if p.name in defaults}
    texts: list[str] = []
    values: dict[str, Any] = {}
    for part in parts:
        key, equals, text = part.partition("=")
        if not equals or not key.isidentifier():
            texts.append(part)
        elif key in values:
            raise ValueError(f"agent {spec!r}: {key} is given twice")
        elif key not in kinds and takes_more:
            values[key] = text
        elif key not in kinds:
            raise ValueError(f"agent {spec!r}: unknown parameter {key!r}; {_listed(kinds, key)}")
        else:
            values[key] = _converted(spec, key, text, kinds[key])
    unnamed = [p for p in needed if p.name not in values]
    if len(texts) != len(unnamed):
        if unnamed:
            raise ValueError(f"agent {spec!r} needs {', '.join(p.name for p in unnamed)} after a colon, not {texts}")
        if texts[0] in defaults:
            raise ValueError(f"agent {spec!r}: {texts[0]} needs a value, as {texts[0]}=VALUE")
        raise ValueError(f"agent {spec!r} has no parameter {texts[0]!r}; {_listed(kinds, texts[0])}")
    values |= {p.name: _converted(spec, p.name, text, _annotated(p)) for p, text in zip(unnamed, texts, strict=True)}
    return [values.pop(p.name) for p in needed if p.kind is not p.KEYWORD_ONLY], values


def _kind_of(parameter: inspect.Parameter) -> type:
    """Return the type of a parameter with a default: that of the default, but a whole one may stand for a float."""
    default = parameter.default
    if default is None or _annotated(parameter) is float:
        return _annotated(parameter)
    return type(default.item() if isinstance(default, np.generic) else default)


def _annotated(parameter: inspect.Parameter) -> type:
    """Return the type, besides None, of a parameter's annotation, if a text can be converted to it, otherwise str."""
    annotation = parameter.annotation  # may be a text
    name = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    name = name.removeprefix("Optional[").removesuffix("]").removeprefix("None | ").removesuffix(" | None")
    return {"bool": bool, "int": int, "float": float}.get(name, str)


def _listed(parameters: Collection[str], wrong: str) -> str:
    return meant(wrong, parameters) if parameters else "it has none"


_SWITCH = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def _converted(spec: str, key: str, text: str, kind: Any) -> Any:
    """Return the text of a parameter converted to a type; ValueError if that fails."""
    named = {str(each.value): each for each in kind} if issubclass(kind, Enum) else {}
    try:
        if kind is bool:
            return _SWITCH[text.lower()]
        if not issubclass(kind, int | float | str | Path | Enum):
            raise ValueError(kind)
        return named[text] if named else kind(text)
    except (ValueError, KeyError):
        words = {bool: "true or false", int: "a whole number", float: "a number"}.get(
            kind, f"one of {', '.join(named)}" if named else "given in Python, where the bot is made"
        )
        raise ValueError(f"agent {spec!r}: {key}={text!r} must be {words}") from None


def make_agent(spec: AgentSpec, game_spec: GameSpec) -> Bot:
    """Return the bot that a spec describes, to play a game.

    Args:
        spec: ``name``, ``name:key=value:…`` or ``name:text``, where ``path/to/file.py:make`` in place of the name is
            what a Python file defines as ``make``, a function or a class of bots, and a colon in quotation marks
            separates nothing; or a policy made with ``@policy``; or a bot, which is returned; or another object with
            ``act(view, rng)``.
        game_spec: the specification of the game.

    Raises: ValueError for an unknown name or parameter, listing the known ones; for a value of the wrong type; or for a
        bot that does not play this game, or has a misspelt method or attribute.

    Example:
        >>> from shogun_env.shogun import SHOGUN
        >>> make_agent("random", SHOGUN).compiled[0].__name__
        'uniform'
    """
    from shogun_env.kernel.jit import Policy

    if isinstance(spec, Policy):
        return Compiled(spec)
    if not isinstance(spec, str):
        return bot_of(spec)
    if whole(spec) != spec:
        raise ValueError(f"agent {spec!r}: must be text in UTF-8, as records and tables hold it; rename its file")
    name, *parts = split_spec(spec)
    with chdir("."):  # back to it afterwards: a bot that goes to its own folder moves no path of others
        factory, parts = _find_factory(name, parts, game_spec)
        if isinstance(factory, Policy):
            raise ValueError(f"agent {spec!r}: is a policy; name a function make(game_spec) that returns it")
        texts, values = parameters_of(spec, factory, parts)
        try:
            made = factory(game_spec, *texts, **values)
        except (ValueError, ImportError, OSError) as error:
            if (where := raised_in(error)) and not hasattr(error, "__notes__"):  # of a bot within this one
                error.add_note(f"(agent {spec!r}, {where})")
            raise
        except Exception as error:
            raise ValueError(f"agent {spec!r} cannot be made: {first_line(error)}") from error
    if isinstance(made, type):
        raise ValueError(f"agent {spec!r}: its function returned the class {made.__name__}, not {made.__name__}()")
    if not isinstance(made, Policy) and not callable(getattr(made, "act", None)):
        raise ValueError(f"agent {spec!r}: its function returned {type(made).__name__}, which has no act(view, rng)")
    bot = Compiled(made) if isinstance(made, Policy) else bot_of(made)
    with suppress(AttributeError):  # frozen, or with a name of its own making
        bot.name = spec
    if bot.compiled is not None and str(bot.compiled[0].__module__).startswith(OF_A_BOT):  # which may not name it
        bot.compiled[0].made_by = bot.compiled[0].made_by or (_policy_of, (factory, game_spec, texts, values))
    return bot


def _policy_of(factory: Factory, game_spec: GameSpec, texts: list[Any], values: dict[str, Any]) -> Any:
    """Return the policy of the bot that a factory makes."""
    made = factory(game_spec, *texts, **values)
    return getattr(made, "compiled", [made])[0]


def compiled_policy(spec: AgentSpec, game_spec: GameSpec, role: str = "agent") -> tuple[Any, np.ndarray]:
    """Return the pair (policy, params) of a bot that is a policy, which ``Batch.play`` takes.

    Args: spec and game_spec as for ``make_agent``; role, what the bot is for, for the error.
    Raises: ValueError for a bot that is not compiled, or that ``make_agent`` does not know.

    Example:
        >>> from shogun_env.shogun import Batch
        >>> batch = Batch(8, num_players=3)
        >>> batch.play([compiled_policy("random", Batch.spec), "random", "random"])
    """
    pair = make_agent(spec, game_spec).compiled
    if pair is None:
        raise ValueError(f"{role}={agent_text(spec)!r}: must be a compiled bot, such as scripted, random or ppo:FOLDER")
    return pair


def agent_text(spec: AgentSpec) -> str:
    """Return the text by which records and tables name an agent: its spec, or its own name or that of its class."""
    if isinstance(spec, str | Bot):
        return spec if isinstance(spec, str) else spec.name
    return str(getattr(spec, "__name__", type(spec).__name__))


def _random(game_spec: GameSpec) -> Bot:
    from shogun_env.batch.loops import uniform

    return Compiled(uniform)


register_agent("random", _random)

# --- playing ---------------------------------------------------------------------------------------------------------

Watch = Callable[[np.ndarray, np.ndarray, list[str]], None]
"""``watch(rows, actions, texts)`` is told what an agent plays in games ``rows`` int64[n], and why, as it says."""


def ask(agent: Agent, batch: Batch, rows: np.ndarray, watch: Watch | None = None) -> np.ndarray:
    """Return the actions that ``agent`` chooses in games ``rows`` int64[n], none of which may be over: int64[n].

    The agent's draws are written back to ``batch.policy_rngs``; ``watch`` is called before the actions are played.

    Raises: what the agent raises; ValueError for no action, or naming row, decision and action if one is illegal.
    """
    bot = agent if isinstance(agent, Bot) else bot_of(agent)
    view = View.of(batch, rows, bot.wants)
    players = view.players.copy()  # the agent may write into its view
    rng = batch.policy_rngs[rows, players]
    with _noting(bot):
        try:
            answer = bot.act(view, rng)
        except PartlyLostError as error:  # only a referee can do with the others
            raise error.__cause__ or error from None
        actions = actions_of(answer, len(rows))
        is_known = (actions >= 0) & (actions < batch.spec.n_actions)
        illegal = ~is_known | (batch.legal[rows, actions * is_known] == 0)
        if illegal.any():
            row, action = int(rows[illegal][0]), int(actions[illegal][0])
            raise ValueError(f"row {row}: {batch.why_illegal(row, action)}")
    batch.policy_rngs[rows, players] = rng
    if watch is not None:
        with _noting(bot):
            texts = _texts_of(bot.explain(view), len(rows))
        watch(rows, actions, texts)
    return actions


@contextmanager
def _noting(bot: Bot) -> Iterator[None]:
    """Note on an exception in the block which bot raised it, and in which line of its file."""
    try:
        yield
    except Exception as error:
        where = raised_in(error)
        error.add_note(f"(agent {bot.name!r}{', ' * bool(where)}{where})")
        raise


def _texts_of(texts: Any, count: int) -> list[str]:
    """Return what ``explain`` answered; ValueError for what is no list of as many texts."""
    if not isinstance(texts, list) or len(texts) != count or not all(isinstance(text, str) for text in texts):
        raise ValueError(f"explain answered {shown(texts)}, which is no list of {count} texts")
    return texts


def play_on(
    batch: Batch, agents: Sequence[Agent], seats: np.ndarray, watch: Watch | None = None, *,
    rows: np.ndarray | None = None, actions: np.ndarray | None = None, collector: Collector | None = None,
) -> None:  # fmt: skip
    """Play the games on with agents of any kind, until each is over or waits for a player without an agent.

    Compiled agents play inside ``Batch.play``; the others are asked in turn, each for all games that wait for it. They
    are told that games begin where nothing has been decided, unless ``rows`` says which are played on.

    Args:
        batch, agents: the games, and the bots.
        seats: int8[B, P], index of the agent that plays each player; -1 for a player without one.
        watch: is told of every decision and why it was made so; compiled agents are then asked like the others, which
            is slower and gives the same games.
        rows, actions: int64[n], which games are played on, ascending, and legal actions that they begin with; or None.
        collector: keeps decisions of compiled agents; only where all games are played on.

    Raises: ValueError for bad seats; naming row, decision and action if an agent plays an illegal action, or the agent
        for no action.

    Example:
        >>> from shogun_env.shogun import Batch
        >>> batch = Batch(4, num_players=3)
        >>> play_on(batch, [make_agent("random", batch.spec)], np.zeros((4, 3), np.int8))
        >>> bool(batch.over.all())
        True
    """
    bots = [agent if isinstance(agent, Bot) else bot_of(agent) for agent in agents]
    compiled = [bot.compiled for bot in bots]
    outside = [pair is None or watch is not None for pair in compiled]
    is_asking, all_rows = any(outside), np.arange(batch.num_games)
    inside = seats  # which ``Batch.play`` checks
    if is_asking:
        seats = seats_of(seats, batch.num_games, batch.num_players, len(bots))
        inside = np.where(np.array([*outside, True])[seats], np.int8(-1), seats)  # last: seat -1
    is_telling = any("result" in bot.wants for bot in bots)
    told = np.full(batch.num_games, rows is not None)
    told[rows] = False
    play = (collector or batch).playing([pair or "random" for pair in compiled], inside)
    if rows is None and (new := np.flatnonzero((batch.decisions == 0) & ~batch.over)).size:
        tell_begun(bots, new)
    while True:
        play(rows, actions)
        actions = None
        if is_telling and (ended := batch.over & ~told).any():
            tell_ends(batch, bots, np.where(ended[:, None], seats, -1))
            told |= ended
        if not is_asking or (waiting := np.where(batch.over, -1, seats[all_rows, batch.player])).max() < 0:
            return
        for index in np.unique(waiting[waiting >= 0]):
            asked = np.flatnonzero(waiting == index)
            batch.step(ask(bots[index], batch, asked, watch), asked)


def tell_begun(agents: Sequence[Bot], rows: np.ndarray) -> None:
    """Tell agents that new games are in ``rows`` int64[n]."""
    for agent in agents:
        with _noting(agent):
            agent.begin(rows.copy())


def wants_records(agents: Sequence[Bot]) -> bool:
    """Return whether one of the bots wants to be told what has happened, for which a batch keeps records."""
    return any({"story", "lines"} & set(agent.wants) for agent in agents)


def tell_ends(batch: Batch, agents: Sequence[Bot | None], seats: np.ndarray | None = None) -> None:
    """Tell the agents who want it how games ended.

    Args: batch; agents; seats, int8[B, P], who plays whom in the games that are over, -1 in others; None: agent p plays
        player p of all games.
    """
    table = np.arange(batch.num_players)[None].repeat(batch.num_games, 0) if seats is None else seats
    for index, agent in enumerate(agents):
        if agent is not None and "result" in agent.wants and (table == index).any():
            rows, players = np.nonzero(table == index)
            with _noting(agent):
                agent.end(Ends.of(batch, rows, players, agent.wants))
