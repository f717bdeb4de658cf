"""A run's folder: settings, where it comes from, its network, its past, and how it learnt.

``run.json`` settings, commit, versions, layout and signature of the game · ``model.zip`` and its card ``model.json`` ·
``snapshots/`` · ``progress.jsonl`` one line an evaluation · ``log/`` the learner's own figures.
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
"""Games of the signature a run keeps: enough to notice a change of rules, over in a moment."""


@dataclass
class Run:
    """One training run on disk."""

    folder: Path
    config: Config
    batch_class: type[Batch]

    @classmethod
    def create(cls, folder: Path, config: Config, batch_class: type[Batch], command: str = "") -> Run:
        """Make the folder of a new run.

        Raises: ValueError if it holds a run already, or if there is something in the settings that the game has not.
        """
        check_playable(config, batch_class)
        if (folder / "run.json").exists():
            raise ValueError(f"{folder} holds a run already; go on with --resume, or give another --out")
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
        return cls(folder, config, batch_class)

    @classmethod
    def open(cls, folder: Path, batch_class: type[Batch]) -> Run:
        """Open a run to go on with it.

        Raises: ValueError if there is none, or if the game has changed since.
        """
        about = about_run(folder)
        check_card(about["card"], batch_class.spec, folder / "run.json")
        found = signature(batch_class, SIGNED_GAMES)
        if about["signature"] != found:
            raise ValueError(f"{folder}: the game's signature is {about['signature']}, now it is {found}; train anew")
        return cls(folder, changed(Config(), about["config"]), batch_class)

    @property
    def model(self) -> Path:
        """Where the network lies."""
        return self.folder / "model.zip"

    def save(self, learner: Any) -> None:
        """Write the network and its card; a reader never finds half a file."""
        waiting = self.folder / "model.new.zip"
        learner.save(waiting)
        waiting.replace(self.model)
        card = {**card_of(self.batch_class.spec), "decisions": learner.num_timesteps, "options": self.config.options}
        card_path(self.model).write_text(json.dumps(card, indent=2) + "\n", "utf-8")

    def save_snapshot(self, learner: Any) -> None:
        """Keep the network as it is now for the past to play against."""
        learner.save(self.folder / "snapshots" / f"{learner.num_timesteps:012d}.zip")

    def note(self, line: dict[str, Any]) -> None:
        """Add a line to the progress."""
        with open(self.folder / "progress.jsonl", "a", encoding="utf-8") as stream:
            stream.write(json.dumps(line) + "\n")


def check_playable(config: Config, batch_class: type[Batch]) -> None:
    """Raise ValueError for options, a reward or a bot that the game does not know."""
    batch_class(1, reward=config.reward, **batch_class.spec.check_options(config.options))
    teachers = (config.imitate,) if config.imitate_seconds else ()
    for name in (*config.heuristics, *config.evaluate_against, *teachers):
        make_agent(name, batch_class.spec)


def about_run(folder: Path) -> dict[str, Any]:
    """Return what ``run.json`` says; ValueError if there is none."""
    path = folder / "run.json"
    if not path.is_file():
        raise ValueError(f"{folder}: no run here (there is no run.json)")
    found: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return found


def read_progress(folder: Path) -> list[dict[str, Any]]:
    """Return the lines of a run's progress."""
    path = folder / "progress.jsonl"
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.is_file() else []
