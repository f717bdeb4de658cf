"""The decorators of kernels.

A *kernel* is any compiled function. A *loop* is a kernel over rows ``lo .. hi - 1`` of a batch; it runs without the
GIL, and loops are what Python calls. A *policy* is a kernel with the policy signature: a compiled bot.
Besides this module only ``private``, ``scratch`` and ``vectors`` import numba.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import re
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Self

import llvmlite
import numba
import numpy as np
from numba.core import cgutils
from numba.core import config as _config
from numba.core import types as _types
from numba.core.errors import NumbaError, UnsupportedBytecodeError
from numba.extending import intrinsic

from shogun_env.kernel import cache, private

__all__ = [
    "JIT", "LOG_PROB", "MEMORY_SIGNATURE", "OWN_VALUE", "PLANNER_SIGNATURE", "POLICY_SIGNATURE", "Loop",
    "MemoryPolicy", "Planner", "Policy", "address_of", "call_memory_policy_at", "call_planner_at", "call_policy_at",
    "folder_of", "inlined_kernel", "is_ours", "kernel", "loop", "memory_policy", "planner", "policy",
]  # fmt: skip

JIT = not _config.DISABLE_JIT
"""False if NUMBA_DISABLE_JIT is set: every kernel is then plain Python, and thousands of times slower."""

POLICY_SIGNATURE = _types.int64(
    _types.Array(_types.uint8, 1, "C"),
    _types.Array(_types.int8, 1, "C"),
    _types.Array(_types.uint64, 1, "C"),
    _types.Array(_types.float64, 1, "C"),
)
"""``int64(uint8[::1] observation, int8[::1] legal, uint64[::1] rng, float64[::1] params)``."""

PLANNER_SIGNATURE = _types.int64(*POLICY_SIGNATURE.args, _types.Array(_types.int64, 1, "C"))
"""``int64(uint8[::1] observation, int8[::1] legal, uint64[::1] rng, float64[::1] params, int64[::1] plan)``."""

MEMORY_SIGNATURE = _types.int64(*POLICY_SIGNATURE.args, _types.Array(_types.float32, 1, "C"))
"""``int64(uint8[::1] observation, int8[::1] legal, uint64[::1] rng, float64[::1] params, float32[::1] memory)``."""

_OURS = f"{__name__.partition('.')[0]}."

PARAMETERS = ("observation", "legal", "rng", "params", "plan or memory")
"""What policies and planners are given, in words."""


def is_ours(function: Any) -> bool:
    """Return whether a function is of this package: it stays within its arrays, and leaves alone what it is given."""
    return str(function.__module__).startswith(_OURS)


def _for_others(signature: Any) -> Any:
    """Return the signature of a policy of others, which cannot write into its parameters: all games share them."""
    given = list(signature.args)
    given[3] = given[3].copy(readonly=True)
    return signature.return_type(*given)


OTHERS_SIGNATURE = _for_others(POLICY_SIGNATURE)
"""That of a policy of others."""


# --- compiling -------------------------------------------------------------------------------------------------------


@functools.cache
def _platform() -> str:
    """Return the versions, the CPU and the switches that machine code depends on, as one text."""
    from llvmlite import binding

    cpu = f"{binding.get_host_cpu_name()} {binding.get_host_cpu_features().flatten()}"
    switches = (_config.BOUNDSCHECK, _config.OPT, sys.version_info[:2])
    return "\0".join(map(str, (numba.__version__, llvmlite.__version__, np.__version__, cpu, switches)))


def folder_of(function: Callable[..., Any], *sources: str | Path) -> Path:
    """Return the cache folder of a kernel in the first of ``sources``, which is made of the other sources too.

    Machine code looks its constants up in the module that the function came from, by its name: a file that is imported
    under two names has a folder for each. Of a function that is in no file, as in a notebook, nothing is kept.
    """
    frozen = cache.frozen_in(function)
    if not all(Path(source).is_file() for source in sources):
        return cache.folder_of_this_process()
    return cache.cache_folder(
        f"{_platform()}\0{function.__module__}\0{frozen}",
        *map(Path, sources),
        Path(__file__),
        Path(private.__file__),
    )


def _compile(function: Callable[..., Any], folder: Path, *signature: Any, **options: Any) -> Any:
    """Return a function compiled into a folder: at once if there is a signature, which is that of a policy."""
    if not JIT:
        return function
    # Without numba's runtime a kernel that allocates does not compile, and arrays are not reference-counted. That
    # counting took 75 of the 205 ns of a decision: every row that is passed to a kernel is a new array.
    if not is_ours(function):  # what lies behind an array is that of another bot, or nothing
        options["boundscheck"] = True
    dispatcher = private.cached(numba.njit(_nrt=False, no_cfunc_wrapper=True, **options)(function), folder)
    if signature:
        dispatcher.compile(*signature)
        dispatcher.disable_compile()
        return dispatcher

    def inner() -> Any:
        """Return the dispatcher of the versions that other kernels call, which have no wrapper for Python."""
        own = private.copy_of(function, f"{function.__qualname__}{private.INNER}")
        return private.cached(
            numba.njit(_nrt=False, no_cfunc_wrapper=True, no_cpython_wrapper=True, **options)(own), folder
        )

    return private.called_by_kernels(dispatcher, inner)


def kernel(function: Callable[..., Any], *sources: str | Path) -> Any:
    """Return a function of numbers and rows as a kernel, compiled on first use; kernels and Python can call it.

    The cache depends on ``sources``, files, too.
    """
    return _compile(function, folder_of(function, *sources, function.__code__.co_filename))


def inlined_kernel(function: Callable[..., Any], *sources: str | Path) -> Any:
    """Return a function as a kernel of which every caller has its own copy, without what the caller does not use.

    It is for kernels that return many arrays. A call of such a kernel stores each pointer and length of its result, and
    each call that passes the result on copies them: in the network that took longer than a layer.
    """
    return _compile(function, folder_of(function, *sources, function.__code__.co_filename), forceinline=True)


@contextlib.contextmanager
def _without_collecting() -> Iterator[None]:
    """Keep Python from looking for garbage while a loop is loaded, with what numba imports for it.

    That makes many objects, all of which stay; to go through them again and again took a tenth of the time to the first
    step of a process.
    """
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()


class Loop:
    """A compiled loop over the rows of a batch; its first call compiles it or loads it from the cache."""

    def __init__(self, function: Callable[..., Any], *sources: str | Path) -> None:
        """Wrap ``function``; ``sources`` are the files that its cache folder depends on."""
        self.__name__ = function.__qualname__
        self.__doc__ = function.__doc__
        self.folder = folder_of(function, *sources)
        self.kernel = _compile(function, self.folder, nogil=True)
        self._call = self._first_call if JIT else function

    def __call__(self, *args: Any) -> Any:
        """Run the loop."""
        return self._call(*args)

    @property
    def is_ready(self) -> bool:
        """Whether the loop has run in this process; threads must not share the first run."""
        return self._call != self._first_call

    def _first_call(self, *args: Any) -> Any:
        """Run the loop; unless it is in the cache, compile it under a lock, so that other processes wait."""
        private.import_without_scipy()
        stamp = self.folder / f"{self.__name__}.ready"
        if stamp.exists():
            with _without_collecting():
                result = self.kernel(*args)
        else:
            with cache.locked(self.folder, self.__name__):
                result = self.kernel(*args) if stamp.exists() else self._compile_and_run(args, stamp)
        self._call = self.kernel
        return result

    def _compile_and_run(self, args: tuple[Any, ...], stamp: Path) -> Any:
        """Run the loop, which compiles it, show how far that is, and write ``stamp`` for later processes."""
        begin = time.perf_counter()
        with private.showing(self.kernel.py_func):
            result = self.kernel(*args)
        cache.write(stamp, f"{time.perf_counter() - begin:.1f}\n")
        return result


def loop(function: Callable[..., Any], *sources: str | Path) -> Loop:
    """Return a function over rows as a loop, compiled on first use; the cache depends on ``sources``, files, too."""
    return Loop(function, *sources, function.__code__.co_filename)


# --- policies --------------------------------------------------------------------------------------------------------


class Policy:
    """A compiled bot; compiled with its signature on first use.

    Attributes:
        planner: the planner that writes what this policy would choose in a whole planning, or None.
    """

    _signature = POLICY_SIGNATURE
    made_by: tuple[Callable[..., Any], tuple[Any, ...]] | None = None
    """A function and the arguments with which it returns this policy; None for one that its module has by its name."""
    reads: int = 0
    """Bytes of the observations that it is made for; 0: of any game."""

    def __init__(self, function: Callable[..., Any], *sources: str | Path, planner: Planner | None = None) -> None:
        """Wrap ``f(observation uint8[D], legal int8[A], rng uint64[2], params float64[K]) -> legal action``.

        The cache depends on ``sources``, files, too. ValueError for another number of parameters.
        """
        given, names = function.__code__.co_argcount, PARAMETERS[: len(self._signature.args)]
        if given != len(names):
            raise ValueError(f"the bot {function.__name__} has {given} parameters: must have {', '.join(names)}")
        functools.update_wrapper(self, function)
        self.function, self.planner = function, planner
        self._signature = self._signature if is_ours(function) else _for_others(self._signature)
        self.sources = (*sources, function.__code__.co_filename)

    def __reduce__(self) -> str | tuple[Any, ...]:
        """Pickle a policy as a reference to its name in its module, like any function, or to who makes it."""
        return self.made_by or self.function.__qualname__

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Return the policy itself."""
        return self

    def check_reads(self, size: int) -> None:
        """Raise ValueError if it is made for other observations than those of ``size`` bytes: it would read on."""
        if self.reads not in (0, size):
            other = f"observations of {self.reads} bytes, those of this game have {size}"
            raise ValueError(f"the bot {self.function.__name__} was made for another game ({other})")

    @functools.cached_property
    def folder(self) -> Path:
        """The cache folder of the compiled function."""
        return folder_of(self.function, *self.sources)

    @functools.cached_property
    def kernel(self) -> Any:
        """The compiled function, loaded from the cache if it is there; ValueError for one that does not compile."""
        if not JIT:
            return self.function
        name, compiled = self.function.__name__, functools.partial(_compile, self.function, self.folder, nogil=True)
        with cache.locked(self.folder, name), private.showing(self.function):
            try:
                found = compiled(self._signature.args)
                result = found.nopython_signatures[0].return_type
                if not isinstance(result, _types.Integer):  # with the signature numba would cut a float off
                    hint = "; write np.int64(…) around it: int64 and uint64 together make a float"
                    hint *= isinstance(result, _types.Float)
                    raise ValueError(f"the bot {name} returns {result}: must be a whole number{hint}")
                return found if result == self._signature.return_type else compiled(self._signature)
            except (NumbaError, UnsupportedBytecodeError) as error:
                raise ValueError(
                    f"the bot {name} does not compile: {_why(str(error), self.function.__code__.co_filename)}"
                ) from error

    @functools.cached_property
    def address(self) -> int:
        """The address of the compiled function, by which a loop calls it."""
        return address_of(self.kernel, self._signature)

    def __call__(self, *args: Any) -> int:
        """Return the action that the policy chooses."""
        return int(self.kernel(*map(_writable, args)))


def _writable(array: np.ndarray) -> np.ndarray:
    """Return an array, or a copy of one that is read-only, which compiled functions do not take."""
    return array if array.flags.writeable else array.copy()


def _why(text: str, file: str) -> str:
    """Return why something in a file does not compile, and in which line, from what numba says of that."""
    why = next((line for line in text.splitlines() if line and not line.startswith("Failed in")), text)
    at = re.search(rf"{re.escape(Path(file).name)}\W+(?:line )?(\d+)", text)
    why = why.replace("NRT required but not enabled", "it makes a list, text or array")
    if "setitem" in why and "readonly array" in text:
        why = "it writes into its parameters, which all games share"
    return f"{why} (line {at[1]})" if at and at[0] not in why else why


class Planner(Policy):
    """A compiled function with the planner signature, which writes a whole plan at once.

    It is called once per player and round of planning, with the observation and the mask of the first space that the
    player decides, and writes into ``plan`` int64[number of spaces] the action that the player's policy would choose
    for every space from there on; it returns 0.
    """

    _signature = PLANNER_SIGNATURE


LOG_PROB, OWN_VALUE = 1, 2
"""Where a policy with memory keeps, of its last decision, the logarithm of the probability of its action, and the share
of the win that it expects for the player."""


class MemoryPolicy(Policy):
    """A compiled bot that keeps in memory what it has worked out for the last decision of the same player.

    The memory only saves time: what is chosen must not depend on it. Its first number is 0 if it holds nothing that
    was worked out with these parameters. ``params[0]`` says how many numbers it needs.
    """

    _signature = MEMORY_SIGNATURE


planner, memory_policy = Planner, MemoryPolicy
"""The decorators of functions with these signatures."""


_at: dict[int, Any] = {}
"""The functions by their numbers, if nothing is compiled."""


def address_of(kernel: Any, signature: Any = OTHERS_SIGNATURE) -> int:
    """Return the address of a function compiled with a signature, valid as long as the function exists.

    A loop takes it as a number: a function as an argument takes 4 us each.
    """
    if JIT:
        return int(private.address(kernel, signature))
    _at[id(kernel)] = kernel
    return id(kernel)


def _caller_of(signature: Any) -> Any:
    """Return what calls a function with a signature in kernels: ``f(address, (argument, …))``."""

    @intrinsic  # type: ignore[untyped-decorator]
    def call(context: Any, address: Any, arguments: Any) -> Any:
        def generate(target: Any, builder: Any, _: Any, values: Any) -> Any:
            convention, given = target.call_conv, cgutils.unpack_tuple(builder, values[1])
            kind = convention.get_function_type(signature.return_type, signature.args).as_pointer()
            function = builder.inttoptr(values[0], kind)
            status, result = convention.call_function(builder, function, signature.return_type, signature.args, given)
            with cgutils.if_unlikely(builder, status.is_error):
                convention.return_status_propagate(builder, status)
            return result

        return signature.return_type(_types.int64, _types.containers.Tuple(signature.args)), generate

    return call if JIT else lambda address, arguments: _at[address](*arguments)


call_policy_at, call_planner_at, call_memory_policy_at = map(
    _caller_of, (POLICY_SIGNATURE, PLANNER_SIGNATURE, MEMORY_SIGNATURE)
)
"""``call_policy_at(address, (observation, legal, rng, params))`` in a kernel: what the function at an address returns;
with a plan or a memory after the parameters for the other two."""


def policy(function: Callable[..., Any] | None = None, *, planner: Planner | None = None) -> Any:
    """Return a function with the policy signature as a ``Policy``, a compiled bot.

    It may write into ``observation`` and ``legal``, which are copies, and not into ``params``, which all games share.
    What reads beyond an array raises IndexError.

    Args: planner: what writes this policy's whole plans; loops then plan once per round instead of once per space.

    Example:
        >>> @policy(planner=None)
        ... def first(observation, legal, rng, params):
        ...     return legal.argmax()
        >>> first.__name__
        'first'
    """
    if function is None:
        return lambda wrapped: Policy(wrapped, planner=planner)
    return Policy(function, planner=planner)
