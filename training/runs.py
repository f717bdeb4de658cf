"""The folder of a training run.

- ``run.json``: command, settings, commit, versions, and the card and the signature of the game;
- ``model.zip`` and its card ``model.json``: the network;
- ``snapshots/``: the network as it was at earlier times;
- ``progress.jsonl``: one line per evaluation;
- ``log/``: the figures that the learner logs.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from shogun_env.agents.network import card_of, card_path, check_card
from shogun_env.batch.batch import Batch
from shogun_env.cli import commit, versions
from shogun_env.policies import make_agent
from shogun_env.signature import signature
from shogun_env.training.config import Config, changed

SIGNED_GAMES = 100
"""Number of games of the signature in ``run.json``: enough to notice a change of the rules, and quick."""


@dataclass
class Run:
    """One training run on disk."""

    folder: Path
    config: Config
    batch_class: type[Batch]

    @classmethod
    def create(cls, folder: Path, config: Config, batch_class: type[Batch], command: str = "") -> Run:
        """Make the folder of a new run and return the run.

        Raises: ValueError if the folder already holds a run, or if the settings do not fit the game.
        """
        check_playable(config, batch_class)
        if (folder / "run.json").exists():
            raise ValueError(f"{folder} holds a run already; resume it with --resume, or give another --out")
        (folder / "snapshots").mkdir(parents=True, exist_ok=True)
        about = {
            "command": command or " ".join(sys.argv),
            "config": config.as_json(),
            "commit": commit(),
            "versions": versions(),
            "card": card_of(batch_class.spec),
            "signature": signature(batch_class, SIGNED_GAMES),
        }
        (folder / "run.json").write_text(json.dumps(about, indent=2) + "\n", "utf-8")
        return cls(folder=folder, config=config, batch_class=batch_class)

    @classmethod
    def open(cls, folder: Path, batch_class: type[Batch]) -> Run:
        """Return the run in a folder, to resume it.

        Raises: ValueError if the folder holds no run, or if the game has changed since then.
        """
        about = about_run(folder)
        check_card(about["card"], batch_class.spec, folder / "run.json")
        current = signature(batch_class, SIGNED_GAMES)
        if about["signature"] != current:
            raise ValueError(
                f"{folder}: the signature of the game was {about['signature']} and is now {current}; begin a new run"
            )
        return cls(folder=folder, config=changed(Config(), about["config"]), batch_class=batch_class)

    @property
    def model(self) -> Path:
        """The path of the network."""
        return self.folder / "model.zip"

    def save(self, learner: Any) -> None:
        """Write the network and its card; the network appears only when its file is complete."""
        temporary = self.folder / "model.new.zip"
        learner.save(temporary)
        temporary.replace(self.model)
        card = {**card_of(self.batch_class.spec), "decisions": learner.num_timesteps, "options": self.config.options}
        card_path(self.model).write_text(json.dumps(card, indent=2) + "\n", "utf-8")

    def save_snapshot(self, learner: Any) -> None:
        """Write the network as it is now to the snapshots."""
        learner.save(self.folder / "snapshots" / f"{learner.num_timesteps:012d}.zip")

    def add_progress(self, line: dict[str, Any]) -> None:
        """Append a line to ``progress.jsonl``."""
        with open(self.folder / "progress.jsonl", "a", encoding="utf-8") as stream:
            stream.write(json.dumps(line) + "\n")


def check_playable(config: Config, batch_class: type[Batch]) -> None:
    """Raise ValueError for options, a reward or bots that the game does not have."""
    batch_class(1, reward=config.reward, **batch_class.spec.check_options(config.options))
    teachers = (config.imitate,) if config.imitate_seconds else ()
    for name in (*config.heuristics, *config.evaluate_against, *teachers):
        make_agent(name, batch_class.spec)


def about_run(folder: Path) -> dict[str, Any]:
    """Return the content of ``run.json``; ValueError if it does not exist."""
    path = folder / "run.json"
    if not path.is_file():
        raise ValueError(f"{folder}: no run here (there is no run.json)")
    about: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return about


def read_progress(folder: Path) -> list[dict[str, Any]]:
    """Return the lines of ``progress.jsonl``; none if it does not exist yet."""
    path = folder / "progress.jsonl"
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.is_file() else []
