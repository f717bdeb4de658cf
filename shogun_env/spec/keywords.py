"""Keywords that are written down once: type checkers read them in a TypedDict, people in a signature with defaults."""

import inspect
from typing import Any, TypedDict, TypeVar, get_args, get_type_hints

T = TypeVar("T")


class OfBatch(TypedDict, total=False):
    """The keywords of every ``Batch`` besides the reward, whose names each game has, and those of play."""

    seed: int
    num_threads: int
    record: bool


def defaults_of(cls: type[Any], spec: Any) -> dict[str, Any]:
    """Return the defaults of keywords: those of the game's options, and those that the classes above ``cls`` give."""
    defaults: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        defaults |= vars(base).get("keyword_defaults", {})
        if "__init__" in vars(base):
            parameters = inspect.signature(vars(base)["__init__"]).parameters.values()
            defaults |= {each.name: each.default for each in parameters if each.default is not each.empty}
    return {**defaults, **spec.option_defaults}


def shows_keywords(cls: type[T]) -> type[T]:
    """Let the signature of a class show every keyword of its ``__init__(…, **options: Unpack[Keywords])``.

    ``inspect.signature``, ``help`` and notebooks show it; the defaults are those that are used.
    """
    function = cls.__init__
    of_game: Any = getattr(cls, "batch_class", cls)
    signature, defaults = inspect.signature(function), defaults_of(cls, of_game.spec)
    (options,) = (each for each in signature.parameters.values() if each.kind is each.VAR_KEYWORD)
    (keywords,) = get_args(get_type_hints(function)[options.name])
    own = [each for each in signature.parameters.values() if each is not options]
    more = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=defaults[name], annotation=hint)
        for name, hint in get_type_hints(keywords).items()
    ]
    function.__signature__ = signature.replace(parameters=[*own, *more])  # type: ignore[attr-defined]
    return cls
