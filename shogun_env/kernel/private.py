"""The names of numba that its documentation does not promise: no other file imports one.

Two are imported. Attributes of this kind are used here and there: ``_cache``, ``get_call_template`` and
``get_overload`` of a dispatcher, what it has compiled (in ``address``), ``_py_file`` of a locator, the module
``numba.np.arraymath``, the option ``_nrt`` and the calling convention of kernels (in ``jit``), and ``_getvalue`` of an
array (in ``scratch``).
"""

from __future__ import annotations

import functools
import importlib
import sys
import time
import types
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import numba
from numba.core import config
from numba.core import types as numba_types

from shogun_env.kernel import cache
from shogun_env.progress import Progress, progress

try:
    from numba.core.caching import CompileResultCacheImpl, FunctionCache
except ImportError as error:
    text = (
        f"numba {numba.__version__}: {error}; pip install shogun-env again, which brings a version that it works with"
    )
    raise ImportError(text) from None


def address(kernel: Any, signature: Any) -> Any:
    """Return the address of the machine code that a dispatcher has compiled for a signature."""
    compiled = kernel.get_compile_result(signature)
    return compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name)


INNER = "_inner"
"""What the name of the version of a kernel that others call ends with."""
FIRST_RUN = (
    "compiling kernels; only the first run of this version waits for this, 25 to 50 s on an idle core and longer on a "
    "busy one; shogun-env warm compiles all at once"
)
"""What is said before the first kernel is compiled."""
_BLAS = "scipy.linalg.cython_blas"


@functools.cache
def import_without_scipy() -> None:
    """Import the part of numba that otherwise imports all of ``scipy.linalg``, only to see whether it is there.

    Kernels multiply no matrices with BLAS; that import took an eighth of the time to the first step of a process. Code
    that needs it still imports it.
    """
    if _BLAS not in sys.modules:
        sys.modules[_BLAS] = types.ModuleType(_BLAS)
        try:
            importlib.import_module("numba.np.arraymath")
        finally:
            del sys.modules[_BLAS]


# --- the cache -------------------------------------------------------------------------------------------------------


class _Locator:
    """Tells numba the cache folder of a function; its name stands for all sources, so what it holds is never stale."""

    def __init__(self, function: Callable[..., Any], file: str) -> None:
        self._py_file, self._function = file, function
        self.folder: Path = vars(function)["cache_folder"]

    @classmethod
    def from_function(cls, function: Callable[..., Any], file: str) -> _Locator:
        """Return the locator of a function."""
        return cls(function, file)

    def ensure_cache_path(self) -> None:
        """Create the folder."""
        self.folder.mkdir(parents=True, exist_ok=True)

    def get_cache_path(self) -> str:
        """Return the folder."""
        return str(self.folder)

    def get_source_stamp(self) -> str:
        """Return what changes with the sources."""
        return self.folder.name

    def get_disambiguator(self) -> str:
        """Return what tells functions of one name apart."""
        return str(self._function.__code__.co_firstlineno)


class _CacheImpl(CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes = (_Locator,)


class _KernelCache(FunctionCache):  # type: ignore[misc]
    """numba's cache in our folder; what cannot be read or written is compiled in memory, and a line says so."""

    _impl_class = _CacheImpl

    def __str__(self) -> str:
        return f"{self.cache_path}/*{self.kernel}*"

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the version for a signature, or None if it has to be compiled."""
        found = None
        try:
            found = super().load_overload(sig, target_context)
        except OSError:
            pass
        except Exception as error:  # whatever a damaged pickle raises
            cache.say(f"{self} cannot be read ({error!r}); it is compiled again")
            with cache.writing(Path(self.cache_path)):
                self.flush()
        _looked_up(self.kernel.removesuffix(INNER), found is None)
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a version. Two processes that wrote an index at the same time would take each other's places."""
        with cache.writing(Path(self.cache_path)):
            super().save_overload(sig, data)


def _looked_up(name: str, is_new: bool) -> None:
    """Tell the last of ``_watches``, if there is one, of a kernel, and whether it has to be compiled."""
    _looked_up_before.add(name)
    if _watches:
        _watches[-1](name, is_new)


_watches: list[Callable[[str, bool], None]] = []
_looked_up_before: set[str] = set()


@contextmanager
def showing(function: Callable[..., Any]) -> Iterator[None]:
    """Show how far a function and the kernels that it calls are, if it has to be compiled in the block."""
    waiting, begin = {*_kernels_in(function, {})} - _looked_up_before, time.perf_counter()
    total = 1 + len(waiting)
    with ExitStack() as stack:
        shows: list[Progress] = []

        def looked_up(name: str, is_new: bool) -> None:
            waiting.discard(name)
            if is_new and not shows:
                cache.say(FIRST_RUN)
                shows.append(stack.enter_context(progress(f"compile {function.__qualname__}", total)))
            for show in shows:
                show(total - 1 - len(waiting), name)

        _watches.append(looked_up)
        try:
            yield
        finally:
            _watches.remove(looked_up)
        for show in shows:
            show(total, f"{time.perf_counter() - begin:.1f} s")


def _kernels_in(function: Callable[..., Any], found: dict[str, Any]) -> dict[str, Any]:
    """Add to ``found`` the kernels that a function calls, and those that these call, by their names; return it."""
    names, scope = function.__code__.co_names, function.__globals__
    values = [scope.get(name) for name in names]
    engines = [value for value in values if isinstance(value, types.ModuleType)]
    for value in [*values, *(getattr(engine, name, None) for engine in engines for name in names)]:
        called = getattr(value, "py_func", None)
        if called is not None and called.__qualname__ not in found:
            found[called.__qualname__] = value
            _kernels_in(called, found)
    return found


def cached(kernel: Any, folder: Path) -> Any:
    """Return a dispatcher of numba, which now keeps its machine code in a folder."""
    kernel.py_func.cache_folder = folder
    kernel._cache = _KernelCache(kernel.py_func)
    kernel._cache.kernel = kernel.py_func.__qualname__
    return kernel


# --- kernels that call each other ------------------------------------------------------------------------------------


@contextmanager
def _lightly_optimised() -> Iterator[None]:
    """Let numba optimise little: what other kernels call is optimised once more in the loop that it ends up in."""
    before = config.OPT, config.LOOP_VECTORIZE, config.SLP_VECTORIZE
    config.OPT, config.LOOP_VECTORIZE, config.SLP_VECTORIZE = type(config.OPT)(min(1, config.OPT)), 0, 0
    try:
        yield
    finally:
        config.OPT, config.LOOP_VECTORIZE, config.SLP_VECTORIZE = before


def called_by_kernels(kernel: Any, make_inner: Callable[[], Any]) -> Any:
    """Return a dispatcher, of which other kernels now call the versions of another one, made when it is needed.

    A call with a constant uses the version for any number. numba would compile a version for each combination of
    constants, which was a tenth of all compiling.
    """
    kernel.inner = inner = functools.cache(make_inner)

    def call_template(args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
        unliteral = numba_types.unliteral  # type: ignore[attr-defined]
        with _lightly_optimised():
            return inner().get_call_template(
                tuple(map(unliteral, args)), {name: unliteral(kind) for name, kind in kws.items()}
            )

    kernel.get_call_template = call_template
    kernel.get_overload = lambda sig: inner().get_overload(sig)
    return kernel


def copy_of(function: Callable[..., Any], name: str, scope: dict[str, Any] | None = None) -> Callable[..., Any]:
    """Return a copy of a function with another qualified name, under which numba keeps it, and other globals."""
    copied = types.FunctionType(
        function.__code__,
        function.__globals__ if scope is None else scope,
        function.__name__,
        function.__defaults__,
        function.__closure__,
    )
    copied.__qualname__, copied.__module__ = name, function.__module__
    copied.__doc__, copied.__annotations__ = function.__doc__, function.__annotations__
    return copied
