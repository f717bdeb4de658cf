"""All settings of a training run, their defaults, and how files and command lines change them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from shogun_env.spec.game_spec import GameSpec

CONFIGS = Path(__file__).parent / "configs"
"""A folder for each game: ``base.toml``, which every run of the game starts from, and files that change some of it."""
BASE = "base"

RENAMED = {
    "rows": "n_envs",
    "steps": "n_steps",
    "batch": "batch_size",
    "epochs": "n_epochs",
    "entropy": "ent_coef",
    "clip": "clip_range",
    "layers": "net_arch = {pi = [...], vf = [...]}",
    "value_layers": "net_arch = {pi = [...], vf = [...]}",
}
"""Settings of version 0.1 and what they are called now."""


@dataclass(frozen=True)
class Config:
    """Settings of a run; the defaults hold for every game. A file in ``configs`` holds only what differs."""

    game: str = "shogun"
    options: dict[str, Any] = field(default_factory=dict)
    """Options of play."""
    reward: str = "margin"
    """What is learnt to earn; one of the game's rewards."""
    seed: int = 0
    decisions: int = 20_000_000
    """Learner decisions to train for; more than a run that is limited by ``seconds`` is meant to reach."""
    seconds: float = 0.0
    """Stop after so many seconds, if more than 0; imitation counts too."""
    n_envs: int = 128
    """Games side by side."""
    threads: int = 1
    """Threads torch learns with: a second one gains a quarter on an idle core, and loses much more on a busy one."""

    # learning first from a bot's games (0: from nothing)
    imitate: str = "scripted"
    imitate_seconds: float = 0.0
    imitate_rate: float = 4e-3

    # PPO, by the names of stable-baselines3
    net_arch: dict[str, Any] = field(default_factory=lambda: {"pi": [128, 128], "vf": [32, 32]})
    """Widths of the layers of the policy and of the value."""
    learning_rate: float = 1e-3
    n_steps: int = 64
    """Decisions of each game between two updates."""
    batch_size: int = 2048
    n_epochs: int = 4
    gamma: float = 1.0
    gae_lambda: float = 0.95
    ent_coef: float = 0.01
    clip_range: float = 0.2
    target_kl: float = 0.0
    """Stop an update whose policy moves further than this, if more than 0."""

    # opponents, shares by game seat
    heuristics: tuple[str, ...] = ("random", "scripted")
    heuristic_share: float = 0.4
    current_share: float = 0.3
    """Share of the learner itself as it is now; the rest are its past."""
    snapshot_every: int = 100_000
    """Learner decisions between two snapshots of the past."""
    snapshots: int = 5
    """How many of the latest snapshots are played against."""

    # looking at progress
    tensorboard: bool = False
    evaluate_every: int = 200_000
    evaluate_games: int = 200
    evaluate_against: tuple[str, ...] = ("random", "scripted")

    def as_json(self) -> dict[str, Any]:
        """Return the settings as JSON values."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}


def load_config(spec: GameSpec, name: str | Path = BASE, changes: Mapping[str, Any] | None = None) -> Config:
    """Return the settings for a game: its base, what a config changes of it, and further changes.

    Args:
        game: which.
        name: of a config in the game's folder, or a path to a .toml file.

    Raises: ValueError naming an unknown config or setting, a value of the wrong type, or one that is for another game.
    """
    values = {"game": spec.name, **_read(spec, BASE), **_read(spec, name), **(changes or {})}
    if values["game"] != spec.name:
        raise ValueError(f"config {name}: game={values['game']!r} in the settings, but --game {spec.name}")
    return changed(Config(), values)


def _read(spec: GameSpec, name: str | Path) -> dict[str, Any]:
    """Return the values of a config; ValueError if there is none, or it is no TOML."""
    folder = CONFIGS / spec.name
    path = Path(name) if str(name).endswith(".toml") else folder / f"{name}.toml"
    if not path.is_file():
        known = ", ".join(sorted(found.stem for found in folder.glob("*.toml")))
        raise ValueError(f"config {name}: no such file; known names for {spec.name} are {known}")
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"config {name}: {error}") from None


def changed(config: Config, values: Mapping[str, Any]) -> Config:
    """Return ``config`` with other values, checked.

    Raises: ValueError naming an unknown setting or a value of the wrong type.
    """
    known = {piece.name: getattr(config, piece.name) for piece in fields(config)}
    for name in values:
        if name in RENAMED:
            raise ValueError(f"setting {name!r} is now called {RENAMED[name]}")
        if name not in known:
            raise ValueError(f"unknown setting {name!r}; known are {', '.join(known)}")
    return replace(config, **{name: _fitted(name, value, known[name]) for name, value in values.items()})


def _fitted(name: str, value: Any, default: Any) -> Any:
    """Return a value as its default's type."""
    if isinstance(default, tuple) and isinstance(value, list):
        return tuple(value)
    if isinstance(default, float) and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if type(value) is not type(default):
        raise ValueError(f"{name}={value!r}: must be of type {type(default).__name__}")
    return value
