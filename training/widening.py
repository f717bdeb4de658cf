"""A wider network that chooses as a narrower one does, and can learn more than that (Net2Net; Chen et al. 2016)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import get_type_hints

import numpy as np

from shogun_env.agents.network.arrays import Weights
from shogun_env.agents.network.shape import Shape, Sizes

WIDTHS = ("place_width", "trunk_width", "value_width")


def is_wider(narrow: Sizes, wide: Sizes) -> bool:
    """Say whether a network can be widened: no layer is narrower, and both read the same in the same order."""
    widths = {name: getattr(wide, name) for name in WIDTHS}
    return replace(narrow, **widths) == wide and all(getattr(narrow, name) <= widths[name] for name in WIDTHS)


def widened(weights: Mapping[str, np.ndarray], narrow: Shape, wide: Shape, seed: int) -> dict[str, np.ndarray]:
    """Return weights of a wider network with the same logits and shares.

    New units read what the others read, by random weights, but nothing reads them yet: the weights that do are 0, and
    learning begins with these.

    Args:
        weights: of the narrower network, by the names of ``Shape.weights``, which ``is_wider`` compares with ``wide``.
        narrow: its shape.
        wide: the shape of the wider one.
        seed: of the random weights.
    """
    out = wide.random_weights(seed)
    hints = get_type_hints(Weights, include_extras=True)
    for name, hint in hints.items():
        file_name = name.replace("_", ".", 1)
        if file_name not in out:
            continue
        array = out[file_name]
        kept = [_kept(axis, narrow, wide) for axis in hint.__metadata__]
        if len(kept) > 1:
            is_new = np.ones(array.shape[-2], bool)
            is_new[kept[-2]] = False
            array[..., is_new, :] = 0.0
        if name == "place_scale":  # scores of places add up all units, so new ones count nothing yet
            array[..., len(kept[-1]) :] = 0.0
        array[np.ix_(*kept)] = weights[file_name]
    return out


def _kept(axis: str, narrow: Shape, wide: Shape) -> np.ndarray:
    """Return where the rows of an axis, which is named by a field of ``Size``, lie in a wider network: int64[n]."""
    count = getattr(narrow.size, axis)
    if axis != "n_pooled":
        return np.arange(count)
    pools = np.arange(count // narrow.size.place_width)
    return (pools[:, None] * wide.size.place_width + np.arange(narrow.size.place_width)).ravel()
