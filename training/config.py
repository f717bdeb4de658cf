"""The settings of a training run, their defaults, and how config files and command lines change them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from shogun_env.spec.game_spec import GameSpec

CONFIGS = Path(__file__).parent / "configs"
"""Holds a folder for each game, with ``base.toml``, where all runs of the game start, and configs that change parts."""
MAX_SEED = 2**32
"""Seeds of runs are below this, which is what NumPy's global generator takes."""
BASE = "base"
"""Name of the config where all runs of a game start."""

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
"""Names of settings in version 0.1, with their names now."""


@dataclass(frozen=True)
class Config:
    """The settings of a run, with defaults for every game; a file in ``configs`` holds only the differences."""

    game: str = "shogun"
    """Short name of the game."""
    options: dict[str, Any] = field(default_factory=dict)
    """Options of play."""
    reward: str = "margin"
    """The reward that is learnt; one of ``GameSpec.rewards``."""
    seed: int = 0
    """Seed of the games, the network and the learner."""
    decisions: int = 20_000_000
    """Stop after this many decisions of the learner; a run limited by ``seconds`` ends earlier."""
    seconds: float = 0.0
    """Stop after this many seconds, imitation included; 0 for no limit."""
    n_envs: int = 128
    """Number of games that are played side by side."""
    threads: int = 1
    """Threads of torch: a second one saves a quarter of the time on an idle core, and costs much more on a busy one."""

    # imitation of a bot before self-play
    imitate: str = "scripted"
    """The bot that is imitated."""
    imitate_seconds: float = 0.0
    """Seconds of imitation; 0 to begin with self-play."""
    imitate_rate: float = 4e-3
    """Learning rate of imitation at its beginning."""

    # PPO, by the names of stable-baselines3
    net_arch: dict[str, Any] = field(default_factory=lambda: {"pi": [128, 128], "vf": [32, 32]})
    """Widths of the hidden layers, ``pi`` of the policy and ``vf`` of the value."""
    learning_rate: float = 1e-3
    n_steps: int = 64
    """Decisions of the learner in each game between two updates."""
    batch_size: int = 2048
    n_epochs: int = 4
    gamma: float = 1.0
    gae_lambda: float = 0.95
    ent_coef: float = 0.01
    clip_range: float = 0.2
    target_kl: float = 0.0
    """Stop an update when the policy has moved further than this (KL divergence); 0 for no limit."""

    # opponents
    heuristics: tuple[str, ...] = ("random", "scripted")
    """Bots that the learner plays against."""
    heuristic_share: float = 0.4
    """Share of the opponents' seats that they play."""
    current_share: float = 0.3
    """Share of the opponents' seats that the present learner plays; its snapshots play the rest."""
    snapshot_every: int = 100_000
    """Decisions of the learner between two snapshots."""
    snapshots: int = 5
    """Number of snapshots, the latest ones, that the learner plays against."""

    # evaluation
    tensorboard: bool = False
    """Whether to write logs for TensorBoard."""
    evaluate_every: int = 200_000
    """Decisions of the learner between two evaluations."""
    evaluate_games: int = 200
    """Games of an evaluation against each bot."""
    evaluate_against: tuple[str, ...] = ("random", "scripted")
    """Bots that the learner is evaluated against."""

    def as_json(self) -> dict[str, Any]:
        """Return the settings as JSON values."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}


def load_config(spec: GameSpec, name: str | Path = BASE, changes: Mapping[str, Any] | None = None) -> Config:
    """Return the settings for a game: those of its base, with the changes of a config and further changes.

    Args:
        spec: the game.
        name: name of a config in the game's folder, or path of a .toml file.
        changes: values by name of the setting.

    Raises: ValueError naming an unknown config or setting, a value of the wrong type, or a config for another game.

    Example:
        >>> from shogun_env.shogun import SHOGUN
        >>> load_config(SHOGUN, "small", {"n_envs": 64}).n_envs
        64
    """
    values = {"game": spec.name, **_read(spec, BASE), **_read(spec, name), **(changes or {})}
    if values["game"] != spec.name:
        raise ValueError(f"config {name}: game={values['game']!r} in the settings, but --game {spec.name}")
    return changed(Config(), values)


def _read(spec: GameSpec, name: str | Path) -> dict[str, Any]:
    """Return the values of a config; ValueError if it does not exist or is not valid TOML."""
    folder = CONFIGS / spec.name
    path = Path(name) if str(name).endswith(".toml") else folder / f"{name}.toml"
    if not path.is_file():
        names = ", ".join(sorted(config.stem for config in folder.glob("*.toml")))
        raise ValueError(f"config {name}: no such file; known names for {spec.name} are {names}")
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"config {name}: {error}") from None


def changed(config: Config, values: Mapping[str, Any]) -> Config:
    """Return ``config`` with other values for some settings.

    Raises: ValueError naming an unknown setting, a value of the wrong type, or a seed that is out of range.
    """
    settings = {setting.name: getattr(config, setting.name) for setting in fields(config)}
    for name in values:
        if name in RENAMED:
            raise ValueError(f"setting {name!r} is now called {RENAMED[name]}")
        if name not in settings:
            raise ValueError(f"unknown setting {name!r}; known are {', '.join(settings)}")
    new = replace(config, **{name: _converted(name, value, settings[name]) for name, value in values.items()})
    if not 0 <= new.seed < MAX_SEED:
        raise ValueError(f"seed={new.seed}: the seed of a run must be at least 0 and below 2^32")
    return new


def with_options(config: Config, options: Mapping[str, Any]) -> Config:
    """Return ``config`` with other values for some options of play, which are not checked yet."""
    return replace(config, options={**config.options, **options})


def _converted(name: str, value: Any, default: Any) -> Any:
    """Return a value in the type of ``default``; ValueError if it has another type."""
    if isinstance(default, tuple) and isinstance(value, list):
        return tuple(value)
    if isinstance(default, float) and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if type(value) is not type(default):
        raise ValueError(f"{name}={value!r}: must be of type {type(default).__name__}")
    return value
