"""Policies of strangers, compiled with bounds checks: an index past the end of a row is an IndexError."""

from __future__ import annotations

import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

from shogun_env.kernel import cache
from shogun_env.kernel.jit import JIT, POLICY_SIGNATURE, Policy, _compile, folder_of

PACKAGE = "shogun_env."


def with_bounds_checks(policy: Policy) -> Callable[..., int]:
    """Return a policy compiled with bounds checks, and with it all kernels of others that it calls.

    Kernels of this package are called as they are: they stay within the rows that they are given.

    Example:
        >>> from shogun_env.policies import uniform
        >>> with_bounds_checks(uniform).__name__
        'uniform'
    """
    function = policy.function
    if not JIT:
        return function
    folder = folder_of(function, function.__code__.co_filename, Path(__file__))
    with cache.locked(folder, function.__qualname__):
        compiled: Callable[..., int] = _checked(function, folder, POLICY_SIGNATURE)
    return compiled


def _checked(function: Callable[..., Any], folder: Path, *signature: Any) -> Any:
    """Return a function compiled with bounds checks; see ``with_bounds_checks``."""
    scope = dict(function.__globals__)
    for name in function.__code__.co_names:
        called = getattr(scope.get(name), "py_func", None)
        if called is not None and not called.__module__.startswith(PACKAGE):
            scope[name] = _checked(called, folder)
    copied = types.FunctionType(
        function.__code__, scope, function.__name__, function.__defaults__, function.__closure__
    )
    copied.__qualname__, copied.__module__ = f"{function.__qualname__}_checked", function.__module__
    return _compile(copied, folder, *signature, boundscheck=True)
