"""The games of a folder, as the start page shows them: those that go on, those that are over, and another one."""

import json
import secrets
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from shogun_env import GAMES, cli
from shogun_env.batch.batch import Batch
from shogun_env.files import locked, write_whole
from shogun_env.play.opponents import strongest
from shogun_env.play.saving import PERSON, save_name
from shogun_env.play.table import Table
from shogun_env.records.record import game_in_header, parse_record, read_record, record_name
from shogun_env.records.replay import verify
from shogun_env.spec.forms import json_of
from shogun_env.spec.game_spec import GameSpec, Line

SHOWN = 40
"""Games of the folder that are listed, the latest first."""
ANYWHERE = "drawn"
"""The seat of a person who takes any."""
LAST = ".start.json"
"""The file with the choices made last on the start page."""

Ended = tuple[type[Batch], Sequence[Line], int | None]
"""A game that is over: its ``Batch``, the record, and whose game it was, None for a record from elsewhere."""


class Saved(NamedTuple):
    """A game of the folder."""

    path: Path
    game: str
    title: str
    seed: int
    when: float
    """When it was changed last, as ``time.time`` counts."""
    opponents: tuple[str, ...]
    """The others in player order: bots, and ``PERSON``."""
    moves: int
    end: tuple[Mapping[str, Any], ...]
    """How it ended, as ``Table`` saves it: player, place and points, the first place first; empty if it goes on."""
    host: int
    """The person who started the program."""
    choices: Mapping[str, str]
    """What the form of the start page would send for such a game."""

    @property
    def mine(self) -> Mapping[str, Any]:
        """How a game that is over ended for the host."""
        return next(one for one in self.end if one["player"] == self.host)

    @property
    def name(self) -> str:
        """What addresses call it."""
        return self.path.name.removesuffix(".table.json")


class House:
    """The games of a folder.

    Args:
        folder: where games are saved.
        choices: what the start page is filled in with, as its form sends it.
    """

    def __init__(self, folder: Path, choices: Mapping[str, str] | None = None) -> None:
        self.folder = folder
        self._again: Callable[[], Table] | None = None
        """Begins a game as the last one, if the start page began that."""
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
        batch_type = cli.batch_class(saved.game)
        lines = read_record(self.folder / record_name(batch_type.spec, saved.seed), batch_type.spec)
        return batch_type, lines, saved.host

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

    def begin(self, choices: Mapping[str, str]) -> Table:
        """Begin the game that somebody has chosen, and keep the choices for the next time.

        Args: choices, as the form of the start page sends them.
        Raises: ValueError naming what is wrong with a choice; nothing is begun then.
        """
        game = cli.game_class(choices.get("game", GAMES[0]))
        options = _options(game.spec, choices)
        others = [choices.get(f"bot{number}", "scripted") for number in range(1, options["num_players"])]
        seat = _seat(choices.get("seat", ANYWHERE), options["num_players"])
        seats = [player for player in range(options["num_players"]) if player != seat]
        bots = {player: name for player, name in zip(seats, others, strict=True) if name != PERSON}
        table = Table(
            game, seed=self.new_seed(game.spec.name), options=options, bots=bots, host=seat,
            folder=self.folder, adviser=strongest(game.spec.name), learn=bool(choices.get("learn")),
        )  # fmt: skip
        self._again = partial(self.begin, choices)
        self.choices = dict(choices)
        write_whole(self.folder / LAST, json.dumps(self.choices), only_owner=True)
        return table

    def another(self, table: Table) -> Table:
        """Begin another game of the players of a table."""
        if self._again is not None:
            return self._again()
        return Table(
            type(table.game), seed=self.new_seed(table.game.spec.name), options=table.game.options, bots=table.bots,
            host=table.people[0], folder=self.folder, adviser=table.adviser, learn=bool(table.learners),
        )  # fmt: skip

    def resume(self, name: str) -> Table:
        """Return the table of a game that goes on; ValueError saying why that cannot be."""
        saved = self.find(name)
        self.lock(saved.path)
        self._again = None
        return Table.resume(saved.path, cli.game_class(saved.game))

    def try_again(self, game: str, lines: Sequence[Line], decision: int, player: int) -> Table:
        """Begin a game from a decision of another one, against the same bots; see ``Table.from_record``."""
        self._again = None
        seed = self.new_seed(game)
        return Table.from_record(
            cli.game_class(game), lines, decision, player, seed=seed, folder=self.folder, adviser=strongest(game)
        )

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
        if saved.end and saved.game == game:
            others = tuple(sorted(saved.opponents))
            won, played = table.get(others, (0, 0))
            table[others] = won + (saved.mine["place"] == 1), played + 1
    return table


def _saved(path: Path) -> Saved:
    """Return what a file says of its game; an error of any kind if it is no saved table."""
    data = json_of(path.read_text("utf-8"))
    spec = cli.batch_class(data["game"]).spec
    n_players = spec.check_options(data["options"])["num_players"]
    bots = {int(player): str(name) for player, name in data["bots"].items()}
    host = int(data["host"])
    others = tuple(bots.get(player, PERSON) for player in range(n_players) if player != host)
    return Saved(
        path=path, game=spec.name, title=spec.title, seed=int(data["seed"]), when=path.stat().st_mtime,
        opponents=others, moves=len(data["moves"]), end=tuple(data["end"]), host=host,
        choices={
            "game": spec.name,
            **_texts(spec, data["options"]),
            **{f"bot{number}": name for number, name in enumerate(others, 1)},
        },
    )  # fmt: skip


def _texts(spec: GameSpec, options: Mapping[str, Any]) -> dict[str, str]:
    """Return options of play as a form sends them; those with other values than a form offers are left out."""
    offered = {name: [str(value) for value in values] for name, values in spec.option_choices.items()}
    return {name: str(value) for name, value in options.items() if str(value) in offered.get(name, ())}


def _options(spec: GameSpec, choices: Mapping[str, str]) -> dict[str, Any]:
    """Return the options of play that a form has chosen, checked; those left out are fair to all."""
    options = {}
    for name, values in spec.option_choices.items():
        if name in choices and name != "reward":
            by_text = {str(value): value for value in values}
            if choices[name] not in by_text:
                raise ValueError(f"{name}={choices[name]!r}: must be one of {', '.join(by_text)}")
            options[name] = by_text[choices[name]]
    return spec.check_options({**spec.fair, **options})


def _seat(text: str, n_players: int) -> int:
    """Return the seat that a person has chosen, or any."""
    if text == ANYWHERE:
        return secrets.randbelow(n_players)
    if not text.isdecimal() or int(text) >= n_players:
        raise ValueError(f"seat={text!r}: must be {ANYWHERE}, or a player from 0 to {n_players - 1}")
    return int(text)
