"""What the command ``info`` prints."""

from __future__ import annotations

import platform
from importlib import metadata
from typing import Any

from shogun_env import __version__, cli
from shogun_env.batch.base import LOG_LENGTH
from shogun_env.kernel.cache import LIMIT, compiled_loops, kept
from shogun_env.kernel.jit import JIT

__all__ = ["facts_of"]


def facts_of(game: str) -> dict[str, Any]:
    """Return versions, sizes and compiled loops of a game, each by the words before it."""
    batch_type = cli.batch_class(game)
    spec, folder = batch_type.spec, batch_type.loops.play.folder
    versions = {name: metadata.version(name) for name in ("numpy", "numba", "llvmlite", "gymnasium", "pettingzoo")}
    rows: dict[str, Any] = {
        "shogun-env": __version__,
        "python": platform.python_version(),
        **versions,
        "game": f"{spec.name}, {spec.players[0]} to {spec.players[-1]} players",
        "rules version": spec.rules_version,
        "observation version": spec.obs_version,
        "actions": spec.n_actions,
        "observation": f"{spec.obs_size} bytes",
        "state": f"{spec.state_dtype.itemsize} bytes, and a log of {2 * LOG_LENGTH} bytes if a record is kept",
        "kernel cache": folder if JIT else "compilation is switched off",
    }
    if JIT:
        folders = kept(folder.parent)
        size = f"{sum(each.size for each in folders) / 1e6:,.0f} MB in {len(folders)} folders"
        rows["all caches"] = f"{size}; above {LIMIT / 1e6:,.0f} MB those used longest ago are removed"
    compiled = compiled_loops(folder) if JIT else {}
    rows["compiled"] = "" if compiled else "nothing yet"
    rows |= {f"  {name}": f"in {seconds} s" for name, seconds in compiled.items()}
    return rows
