"""The games of a folder, as the start page shows them: those that go on, those that are over, and another one."""

import json
import secrets
from collections.abc import Collection, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from shogun_env import GAMES, cli
from shogun_env.batch.batch import Batch
from shogun_env.files import locked, write_whole
from shogun_env.play.new_game import NewGame
from shogun_env.play.opponents import strongest
from shogun_env.play.saving import save_name
from shogun_env.play.table import Table
from shogun_env.records.record import game_in_header, parse_record, read_record, record_name
from shogun_env.records.replay import verify
from shogun_env.spec.forms import json_of
from shogun_env.spec.game_spec import Line

SHOWN = 40
"""Games of the folder that are listed, the latest first."""
LAST = ".start.json"
"""The file with the choices made last on the start page."""

Ended = tuple[type[Batch], Sequence[Line], int | None]
"""A game that is over: its ``Batch``, the record, and whose game it was, None for a record from elsewhere."""


class Saved(NamedTuple):
    """A game of the folder."""

    path: Path
    new: NewGame
    """Which game it is, and who plays it."""
    seed: int
    when: float
    """When it was changed last, as ``time.time`` counts."""
    moves: int
    end: tuple[Mapping[str, Any], ...]
    """How it ended, as ``Table`` saves it: player, place and points, the first place first; empty if it goes on."""

    @property
    def mine(self) -> Mapping[str, Any]:
        """How a game that is over ended for the host."""
        return next(one for one in self.end if one["player"] == self.new.seat)

    @property
    def name(self) -> str:
        """What addresses call it."""
        return self.path.name.removesuffix(".table.json")

    @property
    def again(self) -> dict[str, str]:
        """What the form of the start page sends for another such game, with any seat."""
        return replace(self.new, seat=None).form


class House:
    """The games of a folder.

    Args:
        folder: where games are saved.
        choices: what the start page is filled in with, as its form sends it.
    """

    def __init__(self, folder: Path, choices: Mapping[str, str] | None = None) -> None:
        self.folder = folder
        self._again: NewGame | None = None
        """What was chosen, if the start page began the game that is played."""
        self._opened: dict[str, Ended] = {}
        self._locks = ExitStack()
        self._locked: set[Path] = set()
        self.choices = {**self._chosen_last(), **(choices or {})}
        """What was chosen last, as the form of the start page sends it."""

    def close(self) -> None:
        """Let other processes play the games."""
        self._locks.close()

    # --- what there is -----------------------------------------------------------------------------------------------

    def games(self) -> list[Saved]:
        """Return all saved games, the latest first; files that are none are left out."""
        games = []
        for path in sorted(self.folder.glob("[0-9]*.table.json"), key=lambda path: -path.stat().st_mtime):
            with suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
                games.append(_saved(path))
        return games

    def find(self, name: str) -> Saved:
        """Return the saved game that addresses call by a name; ValueError if there is none."""
        for saved in self.games():
            if saved.name == name:
                return saved
        raise ValueError(f"{name!r}: there is no such game in {self.folder}")

    def ended(self, name: str) -> Ended:
        """Return a game that is over by its name in addresses, that of a saved game or of a record that was opened.

        Raises: ValueError if there is none, or it goes on; OSError if the file is gone.
        """
        if name in self._opened:
            return self._opened[name]
        saved = self.find(name)
        if not saved.end:
            raise ValueError("the game is not over: its replay would show what is secret")
        game_class = saved.new.game_class
        lines = read_record(self.folder / record_name(game_class.spec, saved.seed), game_class.spec)
        return game_class.batch_class, lines, saved.new.seat

    def open(self, data: bytes) -> str:
        """Keep the record in the bytes of a file as long as the program runs; return its name in addresses.

        Raises: ValueError naming what is wrong with it.
        """
        if (game := game_in_header(data.partition(b"\n")[0])) is None:
            raise ValueError(f"its first line is not the header of a record of {', '.join(GAMES)}")
        batch_type = cli.batch_class(game)
        lines = parse_record(data, batch_type.spec)
        verify(batch_type, lines)
        name = f"opened-{len(self._opened) + 1}"
        self._opened[name] = batch_type, lines, None
        return name

    # --- playing -----------------------------------------------------------------------------------------------------

    def begin(self, new: NewGame) -> Table:
        """Begin a game, and keep what was chosen for the next time.

        Raises: ValueError for a bot that cannot be made; nothing is begun then.
        """
        table = Table(new, seed=self.new_seed(new.spec.name), folder=self.folder)
        self._again = new
        self.choices = new.form
        write_whole(self.folder / LAST, json.dumps(self.choices), only_owner=True)
        return table

    def another(self, table: Table) -> Table:
        """Begin another game of the players of a table."""
        if self._again is not None:
            return self.begin(self._again)
        new = replace(table.new, learn=bool(table.learners))
        return Table(new, seed=self.new_seed(new.spec.name), folder=self.folder)

    def resume(self, name: str, allowed: Collection[str] = ()) -> Table:
        """Return the table of a game that goes on, as ``Table.resume`` does; ValueError saying why that cannot be."""
        saved = self.find(name)
        self.lock(saved.path)
        self._again = None
        return Table.resume(saved.path, saved.new.game_class, allowed)

    def try_again(
        self, game: str, lines: Sequence[Line], decision: int, player: int, allowed: Collection[str] | None = None
    ) -> Table:
        """Begin a game from a decision of another one, against the same bots; see ``Table.from_record``."""
        self._again = None
        seed = self.new_seed(game)
        return Table.from_record(
            cli.game_class(game), lines, decision, player, seed=seed, folder=self.folder, adviser=strongest(game),
            allowed=allowed,
        )  # fmt: skip

    def new_seed(self, game: str) -> int:
        """Return the seed of a game that is not in the folder, and keep that game for this process."""
        self.folder.mkdir(parents=True, exist_ok=True)
        while (path := self.folder / save_name(game, seed := secrets.randbelow(2**31))).exists():
            pass
        self.lock(path)
        return seed

    def lock(self, path: Path) -> None:
        """Let no other process play the game of a file until ``close``; ValueError if another does."""
        if path not in self._locked:
            path.parent.mkdir(parents=True, exist_ok=True)
            busy = f"{path} is being played by another process: stop it, or give another --seed"
            self._locks.enter_context(locked(path.with_name(f".{path.name}.lock"), busy))
            self._locked.add(path)

    def _chosen_last(self) -> dict[str, str]:
        with suppress(OSError, ValueError, AttributeError):
            chosen = json_of((self.folder / LAST).read_text("utf-8"))
            return {str(key): str(value) for key, value in chosen.items()}
        return {}


def wins_against(games: Sequence[Saved], game: str) -> dict[tuple[str, ...], tuple[int, int]]:
    """Return how many games of a kind the host won, and how many are over, by who the others were, sorted.

    A shared first place is a win.
    """
    table: dict[tuple[str, ...], tuple[int, int]] = {}
    for saved in games:
        if saved.end and saved.new.spec.name == game:
            others = tuple(sorted(saved.new.others))
            won, played = table.get(others, (0, 0))
            table[others] = won + (saved.mine["place"] == 1), played + 1
    return table


def _saved(path: Path) -> Saved:
    """Return what a file says of its game; an error of any kind if it is no saved table."""
    data = json_of(path.read_text("utf-8"))
    return Saved(
        path=path, new=NewGame.from_saved(cli.game_class(data["game"]), data), seed=int(data["seed"]),
        when=path.stat().st_mtime, moves=len(data["moves"]), end=tuple(data["end"]),
    )  # fmt: skip
