"""What a bot is made of, and whose code that is, found out from its spec: no bot is made, and no program started."""

import tomllib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from shogun_env.files import text_in
from shogun_env.policies import Bot, agent_names, inner_spec, is_built_in, split_spec
from shogun_env.spec.bots import inner_specs
from shogun_env.spec.game_spec import GameSpec

OF_OTHERS = {"search": ("base", "play_on", "model", "critic")}
"""Bots of the package that are made of other bots, with the parameters that name these."""
READING = ("exec", "chat", "ppo")
"""Bots of the package that read or run files of others, or ask other machines."""


def parts_of(spec: str, above: tuple[str, ...] = ()) -> Iterator[str]:
    """Yield the specs of the bots that a bot is made of, itself first; none for one that is part of itself (``above``).

    Example:
        >>> [*parts_of("search:base=random:model=scripted+mine.py;make")]
        ['search:base=random:model=scripted+mine.py;make', 'random', 'scripted', 'mine.py:make']
    """
    from shogun_env.agents.search.agent import FITTED

    if spec in above:  # the substitute of a chat can lead to that chat
        return
    yield spec
    name, *parameters = split_spec(spec)
    values = dict(part.split("=", 1) for part in parameters if "=" in part)
    given = [values[key] for key in OF_OTHERS.get(name, ()) if values.get(key, FITTED) not in ("", FITTED)]
    inner = [part for text in given for part in inner_specs(text)]
    if name == "chat":
        substitute = values.get("substitute")
        for file in () if substitute is not None else [part for part in parameters if "=" not in part]:
            with suppress(OSError, ValueError):
                substitute = tomllib.loads(text_in(Path(file))).get("substitute")
        inner += [inner_spec(substitute)] if isinstance(substitute, str) and substitute else []
    for each in inner:
        yield from parts_of(each, (*above, spec))


def is_stranger(spec: str) -> bool:
    """Return whether making a bot starts a program, or runs a Python file that its spec names.

    Example:
        >>> [is_stranger(spec) for spec in ("search:base=champion", "search:base=mine.py;make", "exec:./bot")]
        [False, True, True]
    """
    names = {split_spec(part)[0] for part in parts_of(spec)}
    return any(name == "exec" or name.endswith(".py") for name in names)


def is_own(spec: str, game_spec: GameSpec) -> bool:
    """Return whether a bot consists of this package's code and files alone, so that it is safe to make.

    Example:
        >>> from shogun_env.shogun import SHOGUN
        >>> [is_own(spec, SHOGUN) for spec in ("search:base=champion", "search:base=mine.py;make", "ppo:runs/mine")]
        [True, False, False]
    """
    names = (split_spec(part)[0] for part in parts_of(spec))  # one by one: no file of a chat is read
    return all(name not in READING and is_built_in(name, game_spec) for name in names)


def may_remember(bot: Bot, spec: str, game_spec: GameSpec) -> bool:
    """Return whether what a bot decides may depend on the games before, so that it is made anew for others."""
    return bot.compiled is None and not bot.replayable and not is_own(spec, game_spec)


def is_foreign(spec: str, game_spec: GameSpec) -> bool:
    """Return whether making a bot would run code, or read files, that are not of this package.

    A text that names no bot at all, such as that of a person, is not foreign: nothing can be made of it.

    Example:
        >>> from shogun_env.shogun import SHOGUN
        >>> [is_foreign(spec, SHOGUN) for spec in ("random", "person", "exec:sh -c 'echo'", "bot.py:make")]
        [False, False, True, True]
    """
    name = split_spec(spec)[0]
    return not is_own(spec, game_spec) and (name.endswith(".py") or name in agent_names())
