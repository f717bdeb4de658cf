"""The games of a folder, as the start page shows them: those that go on, those that are over, and another one."""

import json
import re
import secrets
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from shogun_env import GAMES, cli
from shogun_env.batch.batch import Batch
from shogun_env.files import locked, text_in, write_whole
from shogun_env.play.new_game import NewGame
from shogun_env.play.opponents import strongest
from shogun_env.play.saving import NEVER, ORIGIN, SUFFIX, save_name
from shogun_env.play.table import Table
from shogun_env.records.record import game_in_header, parse_record, read_record, record_name
from shogun_env.records.replay import verify
from shogun_env.spec.forms import COUNT, finite, fits, json_of, shown
from shogun_env.spec.game_spec import Line

SHOWN = 40
"""Games of the folder that are listed, the latest first."""
SECRET = "the game is not over: its replay would show what is secret"
LAST = ".start.json"
"""The file with the choices made last on the start page."""

Ended = tuple[type[Batch], Sequence[Line], int | None, Mapping[int, int], int]
"""A game that is over: its ``Batch``, the record, the host's seat, None for an opened record, who resigned after how
many lines, and the decision of another game from which it began, 0 for the set-up."""


END = {"player": COUNT, "place": COUNT, "points": finite}
"""The form of how a game ended for a player."""


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

    left: Mapping[int, int] = {}
    """The people who resigned, and how many lines the record had then."""
    since: int | None = None
    """The decision of another game from which it began; None: it began with the set-up."""

    @property
    def resigned(self) -> bool:
        """Whether the host gave the game up."""
        return self.new.seat in self.left

    @property
    def mine(self) -> Mapping[str, Any]:
        """How a game that is over ended for the host."""
        return next(one for one in self.end if one["player"] == self.new.seat)

    @property
    def name(self) -> str:
        """What addresses call it."""
        return self.path.name.removesuffix(SUFFIX)

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
        self.tables: dict[str, Table] = {}
        """The tables that are played or looked at, by their names."""
        self._opened: dict[str, Ended] = {}
        self._locks = ExitStack()
        self._locked: set[Path] = set()
        last, choices = self._chosen_last(), choices or {}
        is_same = choices.get("game", last.get("game")) == last.get("game")  # another game has other bots
        self.choices = {**(last if is_same else {}), **choices}
        """What was chosen last, as the form of the start page sends it."""

    def close(self) -> None:
        """Let other processes play the games."""
        self._locks.close()

    # --- what there is -----------------------------------------------------------------------------------------------

    def files(self) -> list[Saved | str]:
        """Return all saved games, the latest first; of files that are damaged what is wrong."""
        return [*map(_read, sorted(self.folder.glob(f"[0-9]*{SUFFIX}"), key=lambda path: -path.lstat().st_mtime))]

    def names(self) -> Iterator[str]:
        """Yield the names of all tables, first of those that are played or looked at."""
        yield from (*self.tables,)
        yield from (path.name.removesuffix(SUFFIX) for path in self.folder.glob(f"[0-9]*{SUFFIX}"))

    def find(self, name: str) -> Saved:
        """Return the saved game that addresses call by a name; ValueError if there is none, or it is damaged."""
        path = self.folder / f"{name}{SUFFIX}"
        if not re.fullmatch(r"\d+\.\w+", name) or not path.exists():
            raise ValueError(f"there is no game {name} here: it may have been deleted")
        if isinstance(found := _read(path), str):
            raise ValueError(found)
        return found

    def ended(self, name: str) -> Ended:
        """Return a game that is over by its name in addresses, that of a table or of a record that was opened.

        Raises: ValueError if there is none, or it goes on, or its record is gone and its bots are not the package's.
        """
        if name in self._opened:
            return self._opened[name]
        if table := self.tables.get(name):
            if table.game.is_over:
                since = table.origin.decision if table.origin else 0
                return table.game.batch_class, table.record(), table.new.seat, table.resigned, since
            raise ValueError(SECRET)
        saved = self.find(name)
        if not saved.end:
            raise ValueError(SECRET)
        game_class = saved.new.game_class
        record = self.folder / record_name(game_class.spec, saved.seed)
        if not record.exists():  # the table, which knows all moves, writes it anew
            Table.resume(saved.path, game_class)
        lines = read_record(record, game_class.spec)
        return game_class.batch_class, lines, saved.new.seat, saved.left, saved.since or 0

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
        self._opened[name] = batch_type, lines, None, {}, 0
        return name

    # --- playing -----------------------------------------------------------------------------------------------------

    def begin(self, new: NewGame) -> Table:
        """Begin a game, and keep what was chosen for the next time.

        Raises: ValueError for a bot that cannot be made; nothing is begun then.
        """
        table = self._begin(new)
        self.choices = new.form
        write_whole(self.folder / LAST, json.dumps(self.choices), only_owner=True)
        return table

    def _begin(self, new: NewGame) -> Table:
        return self.add(Table(new, seed=self.new_seed(new.spec.name), folder=self.folder))

    def add(self, table: Table) -> Table:
        """Let a table be found by its name; return it."""
        self.tables[table.name] = table
        return table

    def another(self, table: Table) -> Table:
        """Return the table at which the people of one whose game is over play again; the first question begins it.

        Raises: ValueError as long as the game lasts.
        """
        if not table.game.is_over:
            raise ValueError("another game begins when this one is over")
        if table.next is None:
            table.next = self._begin(replace(table.chosen, learn=False))
            for before, now in zip(table.people, table.next.people, strict=True):
                table.next.explain(now, before in table.learners)
        return table.next

    def table(self, name: str, allowed: Collection[str] = ()) -> Table:
        """Return the table with a name, which may have been saved before the program began; see ``Table.resume``."""
        if name not in self.tables:
            saved = self.find(name)
            self.lock(saved.path)
            self.add(Table.resume(saved.path, saved.new.game_class, allowed))
        return self.tables[name]

    def delete(self, name: str) -> None:
        """Delete a game with its record and reviews; ValueError if there is none, or another process plays it.

        Its table, if it is open, saves no more: hold its lock meanwhile.
        """
        saved = self.find(name)
        self.lock(saved.path)
        if table := self.tables.pop(name, None):
            table.folder = None
        if saved.end:
            saved.path.with_name(record_name(saved.new.spec, saved.seed)).unlink(missing_ok=True)
        saved.path.unlink()
        for left in self.folder.glob(f".{name}.*"):  # the lock, and reviews
            with suppress(OSError):  # Windows keeps a lock that is held
                left.unlink()

    def try_again(
        self, game: str, lines: Sequence[Line], decision: int, player: int, allowed: Collection[str] | None = None
    ) -> Table:
        """Begin a game from a decision of another one, against the same bots; see ``Table.from_record``."""
        game_class, seed, adviser = cli.game_class(game), self.new_seed(game), strongest(game)
        where = {"seed": seed, "folder": self.folder}
        return self.add(Table.from_record(game_class, lines, decision, player, adviser, allowed, **where))

    def new_seed(self, game: str) -> int:
        """Return the seed of a game that is not in the folder, and keep that game for this process."""
        self.folder.mkdir(parents=True, exist_ok=True)
        while self.record_of(game, seed := secrets.randbelow(2**31)) or (self.folder / save_name(game, seed)).exists():
            pass
        self.lock(self.folder / save_name(game, seed))
        return seed

    def record_of(self, game: str, seed: int) -> Path | None:
        """Return the record that is in the folder of a game with a seed; a new table would take it for its own."""
        path = self.folder / record_name(cli.batch_class(game).spec, seed)
        return path if path.exists() else None

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

    A shared first place is a win. A game from a decision of another one does not count: it may be as good as won.
    """
    table: dict[tuple[str, ...], tuple[int, int]] = {}
    for saved in games:
        if saved.end and saved.since is None and saved.new.spec.name == game:
            others = tuple(sorted(saved.new.others))
            won, played = table.get(others, (0, 0))
            is_won = saved.mine["place"] == 1 and not saved.resigned
            table[others] = won + is_won, played + 1
    return table


def _read(path: Path) -> Saved | str:
    """Return what a file says of its game, or what is wrong with it."""
    try:
        data = json_of(text_in(path))
        new = NewGame.from_saved(cli.game_class(data["game"]), data)
        for name, form in {"seed": COUNT, "moves": [str], "end": [END], "origin": ORIGIN}.items():
            if not fits(data[name], form):
                raise ValueError(f"{name} is {shown(data[name])}")
        if path.name != (name := save_name(new.spec.name, data["seed"])):
            raise ValueError(f"it holds the game of {name}, so it must have this name")
        if data["end"] and new.seat not in [one["player"] for one in data["end"]]:
            raise ValueError("end does not name whose game it is")
        return Saved(
            path=path, new=new, seed=data["seed"],
            when=path.stat().st_mtime, moves=len(data["moves"]), end=tuple(data["end"]),
            left={player: data.get("resigned_at", {}).get(str(player), NEVER) for player in data.get("resigned", ())},
            since=data["origin"]["decision"] if data["origin"] else None,
        )  # fmt: skip
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        return f"{path} is damaged: {error}{' is missing' * isinstance(error, KeyError)}"
