"""Settings of runs that are over in seconds."""

from typing import Any

from shogun_env.training.config import Config, changed

TINY: dict[str, Any] = {
    "place_width": 4, "trunk_width": 8, "value_width": 4, "games_per_update": 4, "batch_size": 64, "n_epochs": 1,
    "threads": 1, "imitate": "random", "imitation_fraction": 0.4, "opponents": ["random"], "snapshots": 2,
    "evaluate_games": 4, "evaluate_against": ["random"],
}  # fmt: skip
SIZES = {"shogun": 1500, "shitenno": 700, "coins": 24}
"""About the number of decisions of the games between two updates."""


def limits(name: str, updates: int = 6) -> dict[str, int]:
    """Return the settings of a run of so many updates that depend on the game."""
    size = SIZES[name]
    return {"decisions": updates * size, "evaluate_every": 2 * size, "snapshot_every": size}


def tiny(name: str, updates: int = 6, **more: Any) -> Config:
    """Return the settings of a run of so many updates, more than half of them by PPO."""
    return changed(Config(game=name), {**TINY, **limits(name, updates), **more})
