"""Float views made where the learner is: the environment sends bytes, and a network begins with the view.

An observation of Shogun is 1,276 bytes, or 3,181 float32. The functions here make the numbers of the bytes with torch,
``jax.numpy`` or numpy, on any device: the same to the last bit, but that JAX's compiler multiplies instead of dividing,
which moves the last bit of some quotients. Board features, which only the engine works out, go with the bytes.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from shogun_env.batch.float_view import FloatView

__all__ = ["ViewTables", "tables_of", "torch_view", "view_function"]


class ViewTables(NamedTuple):
    """What a float view of N numbers, K flags and B board features is made of; arrays of any library."""

    numbers: Any
    """int64[N], the bytes shown as numbers."""
    flags: Any
    """int64[K, S], the bytes that can set each flag; one that has fewer than S names its last one again."""
    low: Any
    high: Any
    """uint8[K, S]: a byte sets the flag if it is from ``low`` to ``high``."""
    order: Any
    """int64[N + K + B], where each column of the view is among the numbers, then the flags, then the features."""
    units: Any
    """float32[N + K + B], what the columns are divided by."""


def tables_of(view: FloatView) -> ViewTables:
    """Return the tables of a float view as arrays of numpy."""
    numbers = [(byte, column, unit) for byte, low, _, column, _, unit in view.entries if low < 0]
    tests: dict[int, list[tuple[int, int, int]]] = {}
    for byte, first, last, column, step, _ in view.entries[len(numbers) :]:
        for value in range(first, last + 1) if step else (None,):
            low, high = (first, last) if value is None else (value, value)
            tests.setdefault(column + (low - first) * step, []).append((byte, low, high))
    most = max(map(len, tests.values()), default=1)
    slots = np.array([[*each, *each[-1:] * (most - len(each))] for each in tests.values()]).reshape(-1, most, 3)
    columns = [*(column for _, column, _ in numbers), *tests, *view.feature_columns.tolist()]
    units = [unit for *_, unit in numbers] + [1.0] * (len(columns) - len(numbers))
    order = np.argsort(np.array(columns))
    return ViewTables(
        numbers=np.array([byte for byte, *_ in numbers], np.int64),
        flags=slots[:, :, 0].astype(np.int64),
        low=slots[:, :, 1].astype(np.uint8),
        high=slots[:, :, 2].astype(np.uint8),
        order=order,
        units=np.array(units, np.float32)[order],
    )


def show(library: Any, tables: ViewTables, size: int, observations: Any, features: Any = None) -> Any:
    """Return the views float32[..., F] of observations uint8[..., D], with tables of the same library.

    Args: size, D; features, float32[..., B], for a view with board features.
    Raises: ValueError for another D, as of a view of floats, and for another B, as of features of another view.
    """
    if observations.shape[-1] != size:
        raise ValueError(f"observations: {observations.shape[-1]} wide, not {size}; give those of observation='bytes'")
    wide = len(tables.order) - len(tables.numbers) - len(tables.flags)
    given = 0 if features is None else features.shape[-1]
    if given != wide:
        raise ValueError(
            f"features: {given} wide, not {wide}; a view with board features needs those of FloatView.features_of, "
            "others take none"
        )
    seen = observations[..., tables.flags]
    flags = ((seen >= tables.low) & (seen <= tables.high)).any(-1)
    parts = [observations[..., tables.numbers], flags] + ([] if features is None else [features])
    return library.concatenate(parts, -1)[..., tables.order] / tables.units


def view_function(view: FloatView, library: Any) -> Callable[..., Any]:
    """Return a function of bytes that makes the view with ``jax.numpy``, or numpy; ``jax.jit`` compiles it.

    Args: view; library, ``jax.numpy`` or ``numpy``.

    Returns: ``function(observations)``, from uint8[..., D] to float32[..., F]; ``function(observations, features)`` for
        a view with board features, float32[..., B] as ``view.features_of`` returns them.

    Example:
        >>> import numpy as np
        >>> from shogun_env.shogun import Batch
        >>> batch, view = Batch(3), FloatView(Batch.spec)
        >>> bool((view_function(view, np)(batch.observe()) == view.show(batch.observe())).all())
        True
    """
    tables = ViewTables(**{name: library.asarray(table) for name, table in tables_of(view)._asdict().items()})
    return lambda observations, features=None: show(library, tables, view.spec.obs_size, observations, features)


def torch_view(view: FloatView) -> Any:
    """Return a view as a ``torch.nn.Module`` without parameters, to be put first in a network.

    Its ``forward`` takes uint8[..., D], and for a view with board features float32[..., B] as ``view.features_of``
    returns them, and returns float32[..., F] on the device that the module is moved to.

    Raises: ImportError without torch.
    """
    import torch

    class View(torch.nn.Module):
        """Makes float views of bytes."""

        def __init__(self) -> None:
            super().__init__()
            for name, table in tables_of(view)._asdict().items():
                self.register_buffer(name, torch.as_tensor(table), persistent=False)

        def __reduce__(self) -> tuple[Any, ...]:
            return torch_view, (view,), self.__dict__  # a class within a function cannot be pickled

        def forward(self, observations: torch.Tensor, features: torch.Tensor | None = None) -> torch.Tensor:
            tables = ViewTables(**{name: getattr(self, name) for name in ViewTables._fields})
            return show(torch, tables, view.spec.obs_size, observations, features)

    return View()
