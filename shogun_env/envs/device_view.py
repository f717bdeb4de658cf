"""Float views made where the learner is: the environment sends bytes, and a network begins with the view.

An observation of Shogun is 1,276 bytes, or 3,181 float32. The functions here make the numbers of the bytes with torch,
``jax.numpy`` or numpy, on any device: the same to the last bit, but that JAX's compiler multiplies instead of dividing,
which moves the last bit of some quotients.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from shogun_env.batch.float_view import FloatView

__all__ = ["Tables", "tables_of", "torch_view", "view_function"]


class Tables(NamedTuple):
    """What a float view of N numbers and K flags is made of; arrays of any library."""

    numbers: Any
    """int64[N], the bytes shown as numbers."""
    flags: Any
    """int64[K, S], the bytes that can set each flag; one that has fewer than S names its last one again."""
    low: Any
    high: Any
    """uint8[K, S]: a byte sets the flag if it is from ``low`` to ``high``."""
    order: Any
    """int64[N + K], where each column of the view is among the numbers and the flags after them."""
    units: Any
    """float32[N + K], what the columns are divided by."""


def tables_of(view: FloatView) -> Tables:
    """Return the tables of a float view as arrays of numpy.

    Raises: ValueError for a view with board features, which only the engine works out.
    """
    if view.board is not None:
        raise ValueError("a view with board features cannot be made of bytes alone: give features=False")
    numbers, units, flags = view.tables
    tests: dict[int, list[tuple[int, int, int]]] = {}
    for byte, first, last, column, step in flags.tolist():
        for value in range(first, last + 1) if step else (None,):
            low, high = (first, last) if value is None else (value, value)
            tests.setdefault(column + (low - first) * step, []).append((byte, low, high))
    most = max(map(len, tests.values()), default=1)
    slots = np.array([[*each, *each[-1:] * (most - len(each))] for each in tests.values()]).reshape(-1, most, 3)
    order = np.argsort(np.array([*numbers[:, 1].tolist(), *tests]))
    return Tables(
        numbers=numbers[:, 0].astype(np.int64),
        flags=slots[:, :, 0].astype(np.int64),
        low=slots[:, :, 1].astype(np.uint8),
        high=slots[:, :, 2].astype(np.uint8),
        order=order,
        units=np.concatenate([units, np.ones(len(tests), np.float32)])[order],
    )


def show(library: Any, tables: Tables, observations: Any) -> Any:
    """Return the views float32[..., F] of observations uint8[..., D], with tables of the same library."""
    seen = observations[..., tables.flags]
    flags = ((seen >= tables.low) & (seen <= tables.high)).any(-1)
    return library.concatenate([observations[..., tables.numbers], flags], -1)[..., tables.order] / tables.units


def view_function(view: FloatView, library: Any) -> Callable[[Any], Any]:
    """Return a function of bytes that makes the view with ``jax.numpy``, or numpy; ``jax.jit`` compiles it.

    Args: view, without board features; library, ``jax.numpy`` or ``numpy``.

    Returns: ``function(observations)``, from uint8[..., D] to float32[..., F].

    Raises: ValueError for a view with board features.

    Example:
        >>> import numpy as np
        >>> from shogun_env.shogun import Batch
        >>> batch, view = Batch(3), FloatView(Batch.spec)
        >>> bool((view_function(view, np)(batch.observe()) == view.show(batch.observe())).all())
        True
    """
    tables = Tables(**{name: library.asarray(table) for name, table in tables_of(view)._asdict().items()})
    return lambda observations: show(library, tables, observations)


def torch_view(view: FloatView) -> Any:
    """Return a view as a ``torch.nn.Module`` without parameters, to be put first in a network.

    Its ``forward`` takes uint8[..., D] and returns float32[..., F] on the device that the module is moved to.

    Args: view, without board features.
    Raises: ValueError for a view with board features; ImportError without torch.
    """
    import torch

    class View(torch.nn.Module):
        """Makes float views of bytes."""

        def __init__(self) -> None:
            super().__init__()
            for name, table in tables_of(view)._asdict().items():
                self.register_buffer(name, torch.as_tensor(table), persistent=False)

        def forward(self, observations: torch.Tensor) -> torch.Tensor:
            tables = Tables(**{name: getattr(self, name) for name in Tables._fields})
            shown: torch.Tensor = show(torch, tables, observations)
            return shown

    return View()
