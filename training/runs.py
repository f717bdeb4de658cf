"""The folder of a training run.

- ``run.json``: command, folder in which it ran, settings, commit, versions, the card of the game and the signature of
  its rules;
- ``network.npz``: the network, which ``ppo:FOLDER`` plays;
- ``checkpoint.pt``: all that a resumed run needs; written whole, and read without running code from it;
- ``lock``: keeps a second process out;
- ``snapshots/``: the network as it was at earlier times;
- ``progress.jsonl``: one line per evaluation;
- ``log/``: the figures of each update next to ``decisions`` and ``seconds``, as CSV and for TensorBoard.
"""

from __future__ import annotations

import csv
import io
import json
import pickle
import re
import shlex
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, get_type_hints

import numpy as np

from shogun_env.agents.fingerprint import words_in
from shogun_env.agents.network.agent import FILE, card_of, check_card, load_network, save_network
from shogun_env.agents.network.arrays import Weights
from shogun_env.agents.network.shape import WIDTHS, Shape, Sizes
from shogun_env.agents.parts import is_own
from shogun_env.batch.batch import Batch
from shogun_env.batch.signature import signature
from shogun_env.cli import commit, versions
from shogun_env.files import write_whole, writing_whole
from shogun_env.policies import make_agent
from shogun_env.spec.forms import blaming, fits, from_0, json_of, table
from shogun_env.spec.game_spec import GameSpec
from shogun_env.spec.settings import as_json
from shogun_env.training.config import JUDGED, Config, changed
from shogun_env.training.export import files_in
from shogun_env.training.opponents import meta_strategy, square

SIGNED_GAMES = 100
"""Number of games of the rules' signature in ``run.json``: enough to notice a change of the rules, and quick."""
CHECKPOINT = "checkpoint.pt"
PROGRESS = "progress.jsonl"
LOG = "log"
WRITTEN = (FILE, CHECKPOINT, PROGRESS)
"""Files of a run that another one would replace or resume."""
UNREADABLE = (
    OSError, EOFError, LookupError, AttributeError, TypeError, ValueError, RuntimeError, pickle.UnpicklingError,
)  # fmt: skip
"""What reading a damaged checkpoint raises."""
ABOUT = {"command": str, "config": table, "card": table, "signature": str}
"""What ``run.json`` has, besides what is only to be read."""
NO_CHECKPOINT = "not a checkpoint of this run, or damaged; begin a new run"


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
        if re.search(r"[,:;]|^\w+=", str(folder)):
            words = "bots are named by paths without comma, colon, semicolon, or NAME= at the beginning"
            raise ValueError(f"{folder}: {words}; give another folder")
        if (folder / "run.json").exists():
            raise ValueError(f"{folder} holds a run already; {resuming(folder)} resumes it, or give another folder")
        if other := [name for name in WRITTEN if (folder / name).exists()]:
            raise ValueError(f"{folder} holds {other[0]}, which a run would replace; give another folder")
        (folder / "snapshots").mkdir(parents=True, exist_ok=True)
        about = {
            "command": command,
            "folder": str(Path.cwd()),
            "config": as_json(config),
            "commit": commit(),
            "versions": versions(),
            "card": card_of(batch_class.spec),
            "signature": signature(batch_class, SIGNED_GAMES),
        }
        write_whole(folder / "run.json", json.dumps(about, indent=2) + "\n")
        return cls(folder=folder, config=config, batch_class=batch_class)

    @classmethod
    def begun(cls, folder: Path, config: Config, batch_class: type[Batch], command: str) -> tuple[Run, bool]:
        """Return the run in a folder, which is made if there is none, and whether it had been begun.

        Raises: ValueError as of ``create`` and ``open``, or if the run has other settings.
        """
        if not (folder / "run.json").is_file():
            return cls.create(folder, config, batch_class, command), False
        run = cls.open(folder, batch_class)
        if run.config != config:
            raise ValueError(f"{folder} is a run with other settings; take these, or another folder")
        return run, True

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
                f"{folder}: the signature of the rules was {about['signature']} and is now {current}; begin a new run"
            )
        with blaming(str(folder / "run.json")):
            config = changed(Config(), about["config"])
        return cls(folder=folder, config=config, batch_class=batch_class)

    def keep_limits(self, command: str) -> None:
        """Write the settings anew if their limits have changed, and the command that changed them after the others."""
        about = about_run(self.folder)
        if self.config != changed(Config(), about["config"]):
            about |= {"config": as_json(self.config), "command": f"{about['command']} && {command}"}
            write_whole(self.folder / "run.json", json.dumps(about, indent=2) + "\n")

    def elsewhere(self) -> str:
        """Return a warning if the bots of others that play are named from another folder than when the run began."""
        here, config = str(Path.cwd()), self.config
        began = str(about_run(self.folder).get("folder", here))

        def has_moved(word: str) -> bool:
            there, now = Path(began, word), Path(here, word)  # the same for an absolute path
            return there != now and (there.exists() or now.exists())

        names = dict.fromkeys((*config.opponents, *config.teachers, *config.evaluate_against))
        others = [name for name in names if not is_own(name, self.batch_class.spec)]
        moved = ", ".join(name for name in others if any(map(has_moved, words_in(name))))
        return f"{self.folder}: the run began in {began}; {moved} now means what lies in {here}" if moved else ""

    @property
    def shape(self) -> Shape:
        """The shape of the run's network."""
        return Shape(self.batch_class.spec, sizes_of(self.config, self.batch_class.spec))

    def save_network(self, weights: Any, decisions: int, name: str = FILE) -> None:
        """Write weights as the network of the run, or under another name; the file appears when it is complete."""
        config = self.config
        save_network(
            self.folder / name,
            self.batch_class.spec,
            self.shape.sizes,
            weights,
            decisions=decisions,
            options=config.options,
            variants=list(config.variants),
        )

    def save_checkpoint(self, state: dict[str, Any]) -> None:
        """Write a checkpoint, which appears only when it is complete."""
        import torch  # not above: reports read the folders of runs without it

        whole = io.BytesIO()  # torch's own words about a full disk are of its container
        torch.save(state, whole)
        with writing_whole(self.folder / CHECKPOINT) as stream:
            stream.write(whole.getbuffer())

    def load_checkpoint(self) -> dict[str, Any] | None:
        """Return the checkpoint, loaded without running code from it; None if the run was stopped before the first.

        Raises: ValueError if it cannot be read, or if there is none beside a network.
        """
        import torch

        path = self.folder / CHECKPOINT
        if not path.exists():
            if (self.folder / FILE).exists():
                raise ValueError(f"{path}: there is none, but {FILE}; put it back, or begin a new run")
            return None
        try:
            return dict(torch.load(path, map_location="cpu", weights_only=True))
        except UNREADABLE:
            raise ValueError(f"{path}: {NO_CHECKPOINT}") from None

    def kept_log(self, decisions: int) -> list[str]:
        """Return the lines of ``log/progress.csv`` with its head, but for those of a number of decisions and more."""
        path = self.folder / LOG / "progress.csv"
        with blaming(f"{path} is damaged, delete it"):
            lines = path.read_text("utf-8").splitlines(keepends=True) if path.is_file() else []
            if lines and not lines[-1].endswith("\n"):  # cut off by a kill
                lines.pop()
            rows = csv.DictReader(lines)
            told = (float(row.get("decisions") or 0) for row in rows)  # older logs have no such column
            return [*lines[:1], *(line for line, at in zip(lines[1:], told, strict=False) if at < decisions)]

    def keep_progress(self, count: int) -> None:
        """Keep the first ``count`` lines of ``progress.jsonl``, those that a checkpoint knows; others come again."""
        lines = read_progress(self.folder)[:count]
        write_whole(self.folder / PROGRESS, "".join(json.dumps(line) + "\n" for line in lines))

    def keep_snapshots(self, decisions: int) -> None:
        """Delete the snapshots after a number of decisions, which a checkpoint does not know; others come again."""
        for path in (self.folder / "snapshots").glob("*.npz"):
            if path.stem.isdecimal() and int(path.stem) > decisions:
                path.unlink()

    def add_progress(self, line: dict[str, Any]) -> None:
        """Append a line to ``progress.jsonl``."""
        with open(self.folder / PROGRESS, "a", encoding="utf-8") as stream:
            stream.write(json.dumps(line) + "\n")


def resuming(folder: Path) -> str:
    """Return the command that resumes a run."""
    return f"shogun-env selfplay --resume --out {shlex.quote(str(folder))}"


def sizes_of(config: Config, spec: GameSpec) -> Sizes:
    """Return the sizes of a run's network."""
    return Sizes(
        place_width=config.place_width,
        trunk_width=config.trunk_width,
        value_width=config.value_width,
        features=config.features,
        late=spec.board.late if config.late and spec.board is not None else (),
    )


def start_weights(config: Config, batch_class: type[Batch]) -> dict[str, np.ndarray]:
    """Return the weights with which a run begins: the mean of those of all networks that ``start`` names.

    Narrower ones are widened, and choose as before.

    Raises: ValueError if there is no network, or if one is of a shape that cannot be widened to that of the run.
    """
    every = []
    wide = Shape(batch_class.spec, sizes_of(config, batch_class.spec))
    for path in config.start.split(","):
        shape, weights, _ = load_network(batch_class.spec, path)
        check_wider(path, shape.sizes, wide.sizes)
        every.append(weights if shape.sizes == wide.sizes else widened(weights, shape, wide, config.seed))
    return {name: np.mean([weights[name] for weights in every], axis=0) for name in every[0]}


# --- a wider network that chooses as a narrower one does, and can learn more (Net2Net; Chen et al. 2016) --------------


def check_wider(start: str, narrow: Sizes, wide: Sizes) -> None:
    """Raise ValueError if a network cannot be widened so: a layer is narrower, or it reads something else."""
    widths = {name: getattr(wide, name) for name in WIDTHS}
    if replace(narrow, **widths) != wide or any(getattr(narrow, name) > widths[name] for name in WIDTHS):
        raise ValueError(f"start={start!r}: its sizes are {asdict(narrow)}; set the same or wider in this run")


def widened(weights: Mapping[str, np.ndarray], narrow: Shape, wide: Shape, seed: int) -> dict[str, np.ndarray]:
    """Return weights of a wider network with the same logits and shares.

    New units read what the others read, by random weights, but nothing reads them yet: the weights that do are 0, and
    learning begins with these.

    Args:
        weights: of the narrower network, by the names of ``Shape.weights``; ``check_wider`` compares the shapes.
        narrow: its shape.
        wide: the shape of the wider one.
        seed: of the random weights.
    """
    out = wide.random_weights(seed)
    hints = get_type_hints(Weights, include_extras=True)
    for name, array in out.items():
        rows = [_rows_of_narrow(axis, narrow, wide) for axis in hints[name.replace(".", "_")].__metadata__]
        if len(rows) > 1:
            is_new = np.ones(array.shape[-2], bool)
            is_new[rows[-2]] = False
            array[..., is_new, :] = 0.0
        if name == "place.scale":  # scores of places add up all units, so new ones count nothing yet
            array[..., len(rows[-1]) :] = 0.0
        array[np.ix_(*rows)] = weights[name]
    return out


def _rows_of_narrow(axis: str, narrow: Shape, wide: Shape) -> np.ndarray:
    """Return where the rows of an axis, which is named by a field of ``Size``, lie in a wider network: int64[n]."""
    count = getattr(narrow.size, axis)
    if axis != "n_pooled":
        return np.arange(count)
    pools = np.arange(count // narrow.size.place_width)
    return (pools[:, None] * wide.size.place_width + np.arange(narrow.size.place_width)).ravel()


def check_playable(config: Config, batch_class: type[Batch]) -> None:
    """Raise ValueError for what does not fit the game: options, bots, a first network."""
    for name in (*config.evaluate_against, *config.opponents, *config.teachers):
        bot = make_agent(name, batch_class.spec)
        bot.close()
        if config.judged_games and name in config.opponents and bot.compiled is None:
            raise ValueError(f"judged_games: opponent {name} is not compiled; leave it out, or judge no games")
    if config.judged_games and batch_class.spec.name != JUDGED:
        raise ValueError(f"judged_games: {batch_class.spec.name} has no plans to judge, only {JUDGED}")
    if config.imitation_fraction and config.export is not None:
        files_in(config.export, batch_class.spec)
    if config.start:
        start_weights(config, batch_class)
    for options in config.every_options:  # last: on the first run this compiles kernels
        batch_class(1, **batch_class.spec.check_options(options))


def mixture_of(run: Run) -> tuple[list[str], np.ndarray]:
    """Return what a run has learnt as bots and how often each is drawn, for a whole game: float64[n].

    By ``fictitious`` and ``psro`` that is a mixture of its snapshots, which draw their actions; else its network.
    """
    paths = sorted((run.folder / "snapshots").glob("*.npz"))[-run.config.snapshots :]
    if run.config.snapshot_draw == "score" or not paths:
        return [f"ppo:{run.folder}"], np.ones(1)
    return [f"ppo:{path}:greedy=false" for path in paths], parts_of(run, len(paths))


def parts_of(run: Run, count: int) -> np.ndarray:
    """Return how often each of the first ``count`` snapshots of a run is played when there are no more: float64[n]."""
    if run.config.snapshot_draw != "payoff":
        return np.full(count, 1.0 / count)
    state = run.load_checkpoint() or {}
    return meta_strategy(square(state.get("payoffs", []))[:count, :count])


def about_run(folder: Path) -> dict[str, Any]:
    """Return the content of ``run.json``; ValueError if it does not exist or cannot be read."""
    path = folder / "run.json"
    if not path.is_file():
        raise ValueError(f"{folder}: no run here (there is no run.json)")
    try:
        about: dict[str, Any] = dict(json_of(path.read_text("utf-8")))
        if "game" in about["config"] and all(fits(about[name], form) for name, form in ABOUT.items()):
            return about
    except (LookupError, TypeError, ValueError):
        pass
    raise ValueError(f"{path}: damaged; begin a new run")


def read_progress(folder: Path) -> list[dict[str, Any]]:
    """Return the lines of ``progress.jsonl``; none if it does not exist yet. A last line cut off is left out.

    Raises: ValueError naming another line that cannot be read.
    """
    path = folder / PROGRESS
    texts = path.read_text("utf-8", "replace").splitlines() if path.is_file() else []
    lines = []
    for number, text in enumerate(texts, 1):
        try:
            line = dict(json_of(text))
            if not fits(line.get("decisions"), from_0) or not fits(line.get("win_share"), table):
                raise ValueError
            lines.append(line)
        except (TypeError, ValueError):
            if number < len(texts):
                raise ValueError(f"{path}: line {number} is damaged; delete that line") from None
    return lines
