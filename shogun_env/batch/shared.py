"""Code that games share, of which each engine has a compiled copy of its own.

numba would compile a closure, or a loop that takes an engine as an argument, again in every process. So shared code
calls the functions of an engine by a global name, as ``engine.decide(…)``. In an engine's copy the name stands for its
functions, and the copy is cached like any other function.
"""

import functools
from collections.abc import Callable
from types import ModuleType
from typing import Any, Generic, TypeVar, cast

from shogun_env.kernel.jit import kernel
from shogun_env.kernel.private import copy_of
from shogun_env.spec.engine import Engine, minus_one, nothing, zero

NEVER = -1
"""The epoch of a state whose observations cannot be updated."""
NO_SLOT = -1
"""The slot of a decision outside planning."""
engine = cast(Engine, None)
"""In shared code, the engine of a copy; ``spec.engine.Engine`` says what each of its functions does."""

_T = TypeVar("_T")


@functools.cache
def _functions_of(engine: Engine) -> ModuleType:
    """Return what ``engine`` is in the copies of an engine: a module, whose functions numba knows when it compiles."""
    functions = ModuleType(engine.name)
    compiled = {filler: kernel(filler) for filler in (nothing, zero, minus_one)}
    for name, function in vars(engine).items():
        setattr(functions, name, compiled.get(function, function))
    return functions


class Shared(Generic[_T]):
    """A kernel, loop or policy that calls functions of an engine, or others of its kind."""

    __slots__ = ("_copies", "_decorator", "_function")

    def __init__(self, function: Callable[..., Any], decorator: Callable[..., _T]) -> None:
        """Wrap a function; ``decorator(copy, source)`` compiles a copy, which is cached with a source file."""
        self._function, self._decorator = function, decorator
        self._copies: dict[Engine, _T] = {}

    def of(self, engine: Engine) -> _T:
        """Return the copy of an engine."""
        if engine not in self._copies:
            function, scope = self._function, dict(self._function.__globals__)
            for name in function.__code__.co_names:
                if isinstance(other := scope.get(name), Shared):
                    scope[name] = other.of(engine)
            scope["engine"] = _functions_of(engine)
            copy = copy_of(function, f"{engine.name}_{function.__name__}", scope)
            self._copies[engine] = self._decorator(copy, engine.source)
        return self._copies[engine]

    def __call__(self, *args: Any) -> Any:
        """Only other shared code calls it by this name."""
        raise TypeError(f"{self._function.__name__} calls functions of an engine: call its copy, .of(engine)")


def shared(decorator: Callable[..., _T]) -> Callable[[Callable[..., Any]], Shared[_T]]:
    """Return a decorator of code that calls functions of an engine.

    Args: decorator: what compiles it: ``kernel``, ``inlined_kernel``, ``loop`` or ``memory_policy``.
    """
    return lambda function: Shared(function, decorator)
