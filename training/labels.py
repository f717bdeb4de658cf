"""Write down what a teacher chooses: ``shogun-env labels --teacher search:base=champion --out out/labels``.

A search takes a thousand times as long as a network, so its choices are kept: training goes over them as often as it
likes (``imitate="labels:FOLDER"``). With a search over the network itself this is expert iteration (Anthony et al.
2017). The teacher plays about half of the seats, other bots the rest. A label is what the teacher was asked, what it
chose, and how the game ended. A file holds the labels of a few games and appears when it is complete. The same command
resumes, and more ``--games`` extend it.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from shogun_env.cli import Parser, batch_class, count, only_run, options_of, progress
from shogun_env.files import reading_arrays, text_in, write_whole, writing_whole
from shogun_env.policies import Agent, make_agent, specs_in, wants_records
from shogun_env.shares import final_shares
from shogun_env.spec.forms import json_of
from shogun_env.training.config import BASE, RUN_SEEDS, load_config, with_options

if TYPE_CHECKING:
    from shogun_env.batch.batch import Batch
    from shogun_env.batch.collecting import Decisions
    from shogun_env.spec.game_spec import GameSpec

GAMES_PER_FILE = 16
"""Games of a file: what a stop loses at most."""
TEACHER_SEATS = 0.5
"""Part of the seats that the teacher plays."""
ABOUT = "labels.json"
"""File of a folder that says how its labels are made."""
WRITTEN = ("observations", "masks", "actions", "rows", "players")
"""What a file holds of decisions, in their order."""
PREFIX = "labels:"
"""What the setting ``imitate`` begins with where it names a folder of labels."""
FIRST_SEED = 2**43
"""First seed of the games with ``--seed 0``: neither those of training runs nor those of any table."""
GAMES_OF_SEED = 2**24
SEEDS_OF_LABELS = (RUN_SEEDS - FIRST_SEED) // GAMES_OF_SEED
"""``--seed`` is below this."""


class Labels(NamedTuple):
    """What a teacher chose, and how the games ended."""

    decisions: Decisions
    """Those of the teacher, n of them."""
    shares: np.ndarray
    """float32[n, P], final share of the win per player, starting with the player to act; 0 for absent players."""

    def write(self, path: Path) -> None:
        """Write them to a file; legal actions take a bit each."""
        arrays = {name: getattr(self.decisions, name) for name in WRITTEN}
        arrays["masks"] = np.packbits(self.decisions.masks.astype(np.bool_), axis=1)
        n_actions = np.int64(self.decisions.masks.shape[1])
        with writing_whole(path) as stream:
            np.savez_compressed(stream, **arrays, shares=self.shares, n_actions=n_actions)

    @classmethod
    def read(cls, path: Path) -> Labels:
        """Read them from a file; ValueError if it is damaged."""
        from shogun_env.training.recorder import unweighed  # not above: --help needs no engine

        try:
            with reading_arrays(path) as file:
                arrays = {name: file[name] for name in WRITTEN}
                arrays["masks"] = np.unpackbits(arrays["masks"], axis=1, count=int(file["n_actions"])).view(np.int8)
                return cls(unweighed(arrays.values()), file["shares"])
        except (OSError, ValueError) as error:
            raise ValueError(f"{path}: damaged; delete it and write its labels again ({error})") from None


def labels_of(batch: Batch, agents: Sequence[Agent], seats: np.ndarray) -> Labels:
    """Play games and return what the teacher, the first of the agents, was asked and chose.

    Args:
        batch: new games, with ``reward="win"``.
        agents: the teacher, and who else plays.
        seats: int8[B, P], index of the agent that plays each player.
    """
    from shogun_env.training.recorder import recorded  # not above: --help needs no engine

    decisions = recorded(batch, agents, seats, 1)
    return Labels(decisions, final_shares(batch, decisions, max(batch.spec.players)))


def labels_folder(spec: str) -> Path | None:
    """Return the folder that ``labels:FOLDER`` names; None for the spec of a bot."""
    return Path(spec.removeprefix(PREFIX)) if spec.startswith(PREFIX) else None


class LabelFiles:
    """The files of labels in a folder.

    Args:
        folder: the folder.
        spec: the game.
        left: names of the files whose turn comes, from the last, before all come again; it is kept up to date.

    Raises: ValueError if there are none, or those of another game or version.
    """

    def __init__(self, folder: Path, spec: GameSpec, left: list[str] | None = None) -> None:
        from shogun_env.agents.network.agent import card_of  # not above: --help needs no engine

        self.paths = sorted(folder.glob("*.npz"))
        if not self.paths:
            raise ValueError(f"{folder}: no labels here; write some with shogun-env labels --out {folder}")
        about = about_labels(folder)
        if about.get("game") != spec.name:
            raise ValueError(f"{folder}: labels of {about.get('game')}, not of {spec.name}")
        if about.get("card") != card_of(spec):
            raise ValueError(
                f"{folder}: labels of another version of {spec.name}, or of its observations; write them anew"
            )
        self.left = [] if left is None else left

    def next(self, rng: np.random.Generator) -> Labels:
        """Return the labels of a file: all files in a random order, then all in another one."""
        if not self.left:
            self.left += [self.paths[index].name for index in rng.permutation(len(self.paths))]
        return Labels.read(self.paths[0].parent / self.left.pop())


def about_labels(folder: Path) -> dict[str, Any]:
    """Return how the labels of a folder were made; ValueError if its file cannot be read."""
    path = folder / ABOUT
    try:
        return dict(json_of(text_in(path)))
    except (OSError, TypeError, ValueError):
        raise ValueError(f"{path}: missing or damaged; write the labels anew") from None


def seats_of(batch: Batch, agents: int, rng: np.random.Generator) -> np.ndarray:
    """Return who plays each player: int8[B, P], 0 for the teacher at about half of the seats, or at all of them."""
    seats = rng.integers(1, max(2, agents), (batch.num_games, batch.num_players), np.int8)
    seats[rng.random(seats.shape) < TEACHER_SEATS] = 0
    return np.where(seats < agents, seats, 0).astype(np.int8)


def add_arguments(parser: Parser, game: str) -> None:
    """Add the arguments of the command."""
    parser.add_argument("--teacher", required=True, metavar="SPEC", help="the bot whose choices are kept")
    parser.add_argument(
        "--others",
        default="scripted",
        metavar="SPECS",
        help="who plays the other seats, separated by commas (scripted)",
    )
    parser.add_argument(
        "--config",
        default=BASE,
        help="whose options and variants are played: a name in training/configs/GAME or a file",
    )
    parser.add_argument(
        "--games", type=count, default=400, metavar="N", help="games in all, including those in the folder (400)"
    )
    parser.add_seed("seed of the first game and of who plays where")
    parser.add_out("runs/labels", "folder of the labels")
    parser.add_play(game)


def main(args: argparse.Namespace) -> None:
    """Run the command."""
    from shogun_env.agents.network.agent import card_of  # not above: --help needs no engine

    batch_type = batch_class(args.game)
    config = with_options(load_config(batch_type.spec, args.config), options_of(args))
    if args.seed >= SEEDS_OF_LABELS:
        raise ValueError(f"--seed {args.seed}: must be below {SEEDS_OF_LABELS}, so that no training run has its games")
    tables = list(map(batch_type.spec.check_options, config.every_options))
    agents = [make_agent(spec, batch_type.spec) for spec in (args.teacher, *specs_in(args.others))]
    settings: dict[str, Any] = {name: getattr(args, name) for name in ("game", "teacher", "others", "seed")}
    settings |= {"options": config.options, "variants": list(config.variants), "card": card_of(batch_type.spec)}
    args.out.mkdir(parents=True, exist_ok=True)
    with only_run(args.out), progress("labels", args.games) as show:
        check_folder(args.out, settings, args.command_line)
        total = 0
        for number in range(-(-args.games // GAMES_PER_FILE)):
            path = args.out / f"{number:06d}.npz"
            if path.exists():
                continue
            first = FIRST_SEED + args.seed * GAMES_OF_SEED + number * GAMES_PER_FILE
            options = {**tables[number % len(tables)], "reward": "win"}
            batch = batch_type(GAMES_PER_FILE, record=wants_records(agents), **options)
            batch.reset(seeds=first + np.arange(GAMES_PER_FILE))
            seats = seats_of(batch, len(agents), np.random.default_rng((args.seed, number)))
            labels = labels_of(batch, agents, seats)
            labels.write(path)
            total += len(labels.decisions)
            show((number + 1) * GAMES_PER_FILE, f"{total:,} labels")
    print(f"{total:,} new labels; learn from them with --set 'imitate=\"labels:{args.out}\"'")


def check_folder(folder: Path, settings: dict[str, Any], command: str) -> None:
    """Write how the labels of a folder are made; ValueError if those that it holds are made otherwise."""
    file = folder / ABOUT
    if not file.exists():
        write_whole(file, json.dumps({"command": command, **settings}, indent=1) + "\n")
        return
    known = about_labels(folder)
    for name, value in settings.items():
        if known.get(name) != value:
            raise ValueError(
                f"{folder} holds labels with {name}={known.get(name)!r}, not {value!r}; give another --out"
            )
