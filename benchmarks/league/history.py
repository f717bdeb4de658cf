"""What the journal of a league says, event by event: who entered, which rounds there were, and all games as columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np

from shogun_env.benchmarks.arena.referee import FAULTS
from shogun_env.benchmarks.league.journal import Event, read

MEETINGS_PER_BLOCK = 8
"""A block of games is this many meetings: at most 40 bots, of the 127 that a batch of games can have."""
MARKS = ("withdrawn", "blamed", "back")
"""Marks of an entry; only with the last, or without any, does a bot play."""


@dataclass
class Entry:
    """A bot of the league."""

    name: str
    spec: str
    sha256: str
    """Of what it was made of when it entered; see ``folder.fingerprints``."""
    rating: float | None
    """Its rating, if that is fixed."""
    mark: str = ""
    """The last of its marks, one of ``MARKS``; empty: none."""
    why: str = ""
    """The reason that was given for the mark."""

    @property
    def plays(self) -> bool:
        """Whether it is put into new rounds."""
        return self.mark in ("", "back")


@dataclass
class Round:
    """A round of the league."""

    number: int
    tables: np.ndarray
    """int64[meetings, P], numbers of the bots that meet; they play all rotations of their seats on one seed."""
    before: str
    """Hash of the journal before the round."""
    chain: str
    """Hash of its line."""
    entries: int
    """Number of entries at that time."""
    playing: list[int]
    """The bots that could be chosen."""
    first: int
    """Number of games before it."""
    blocks: int = 0
    """Number of its blocks whose games have been played."""
    secret: bytes | None = None
    """Its link, once it is over."""

    @property
    def n_blocks(self) -> int:
        """Number of its blocks."""
        return -(-len(self.tables) // MEETINGS_PER_BLOCK)

    def meetings(self, block: int) -> range:
        """Return the numbers of the meetings of a block."""
        return range(block * MEETINGS_PER_BLOCK, min((block + 1) * MEETINGS_PER_BLOCK, len(self.tables)))


class Games(NamedTuple):
    """N games of P players, in the order of the journal: meeting after meeting, each with all its rotations."""

    bots: np.ndarray
    """int32[N, P], number of the bot of each player."""
    place: np.ndarray
    """float32[N, P], 1 is best; tied players have the mean of their places."""
    points: np.ndarray
    """int32[N, P]."""
    faulty: np.ndarray
    """bool[N, P], whether the player's bot had a fault."""

    @property
    def wins(self) -> np.ndarray:
        """The share of the win of each player, float64[N, P]."""
        best = self.place == self.place.min(axis=1, keepdims=True)
        return np.asarray(best / best.sum(axis=1, keepdims=True))

    def some(self, which: np.ndarray | slice) -> Games:
        """Return some of the games, bool[N] or a slice."""
        return Games(**{name: column[which] for name, column in self._asdict().items()})


def seats_of(tables: np.ndarray) -> np.ndarray:
    """Return the bots by player in all rotations of some tables, int32[meetings * P, P].

    Example:
        >>> seats_of(np.array([[5, 6, 7]])).tolist()
        [[5, 6, 7], [6, 7, 5], [7, 5, 6]]
    """
    players = tables.shape[1]
    turned = (np.arange(players)[:, None] + np.arange(players)) % players
    return tables[:, turned].reshape(-1, players).astype(np.int32)


def games_event(number: int, block: int, place: np.ndarray, points: np.ndarray, faults: list[Any]) -> dict[str, Any]:
    """Return the event of a block of a round: place and points of each player, and [game, player, kinds] of faults."""
    whole = np.where(place == place.round(), place.astype(np.int64).astype(object), place.astype(object))
    shown = {"kind": "games", "round": number, "block": block, "place": whole.tolist(), "points": points.tolist()}
    return {**shown, "faults": faults}


@dataclass
class History:
    """What the events of a journal say, as far as they have been told it."""

    settings: dict[str, Any] = field(default_factory=dict)
    commitment: bytes = b""
    entries: list[Entry] = field(default_factory=list)
    rounds: list[Round] = field(default_factory=list)
    faults: dict[int, Counter[str]] = field(default_factory=dict)
    """Number of faults by kind, for each bot that had one."""
    chain: str = ""
    """Hash of the last event."""
    n_games: int = 0
    _columns: list[Games] = field(default_factory=list, repr=False)
    _numbers: dict[str, int] = field(default_factory=dict, repr=False)
    """Numbers of the entries by name."""

    @classmethod
    def of(cls, events: Iterable[Event], where: str = "the journal") -> Self:
        """Return the history that some events tell; ValueError for one that cannot be."""
        history = cls()
        for number, event in enumerate(events, 1):
            try:
                history.tell(event)
            except (KeyError, TypeError, IndexError, ValueError, OverflowError, AttributeError) as error:
                raise ValueError(f"{where}, line {number}: cannot be ({type(error).__name__}: {error})") from None
        if not history.settings:
            raise ValueError(f"{where}: holds no league")
        return history

    @classmethod
    def in_folder(cls, path: Path) -> Self:
        """Return the history in the journal at a path.

        Raises: ValueError if there is none, or it was changed.
        """
        if not path.is_file():
            raise ValueError(f"{path}: there is no league; make one with `league create`")
        return cls.of(read(path), str(path))

    def tell(self, event: Event) -> None:
        """Take up the next event."""
        getattr(self, f"_tell_{event.values['kind']}")(event.values, event)
        self.chain = event.chain

    def _tell_league(self, values: Mapping[str, Any], event: Event) -> None:
        if event.before:
            raise ValueError("a second league")
        self.settings, self.commitment = dict(values["settings"]), bytes.fromhex(values["commitment"])
        if self.players < 2:
            raise ValueError("too few players")

    def _tell_entry(self, values: Mapping[str, Any], _: Event) -> None:
        if values["bot"] != len(self.entries) or values["name"] in self._numbers:
            raise ValueError("an entry twice")
        rating = None if values["rating"] is None else float(values["rating"])
        texts = {name: str(values[name]) for name in ("name", "spec", "sha256")}
        self._numbers[texts["name"]] = len(self.entries)
        self.entries.append(Entry(**texts, rating=rating))

    def _tell_mark(self, values: Mapping[str, Any], _: Event) -> None:
        if values["mark"] not in MARKS:
            raise ValueError(f"the mark {values['mark']}")
        entry = self.entries[self.number_of(values["name"])]
        entry.mark, entry.why = values["mark"], str(values["why"])

    def _tell_round(self, values: Mapping[str, Any], event: Event) -> None:
        tables = np.array(values["tables"], np.int64).reshape(-1, self.players)
        playing = [number for number, entry in enumerate(self.entries) if entry.plays]
        if values["number"] != len(self.rounds) + 1 or self.open_round or not len(tables):
            raise ValueError("a round out of order")
        if not np.isin(tables, playing).all():
            raise ValueError("a bot that does not play")
        self.rounds.append(
            Round(number=values["number"], tables=tables, before=event.before, chain=event.chain,
                  entries=len(self.entries), playing=playing, first=self.n_games)
        )  # fmt: skip

    def _tell_games(self, values: Mapping[str, Any], _: Event) -> None:
        now = self.open_round
        if now is None or (values["round"], values["block"]) != (now.number, now.blocks) or now.blocks >= now.n_blocks:
            raise ValueError("games out of order")
        meetings = now.meetings(now.blocks)
        bots = seats_of(now.tables[meetings.start : meetings.stop])
        place, points = np.array(values["place"], np.float32), np.array(values["points"], np.int32)
        if place.shape != bots.shape or points.shape != bots.shape or not np.isfinite(place).all():
            raise ValueError("another number of games")
        faulty = np.zeros(bots.shape, bool)
        for game, player, kinds in values["faults"]:
            faulty[game, player] = True
            if not set(kinds) <= set(FAULTS):
                raise ValueError(f"faults {', '.join(kinds)}")
            self.faults.setdefault(int(bots[game, player]), Counter()).update({k: int(n) for k, n in kinds.items()})
        self._columns.append(Games(bots=bots, place=place, points=points, faulty=faulty))
        now.blocks += 1
        self.n_games += len(bots)

    def _tell_end(self, values: Mapping[str, Any], _: Event) -> None:
        now = self.open_round
        if now is None or values["round"] != now.number or now.blocks < now.n_blocks:
            raise ValueError("an end out of order")
        now.secret = bytes.fromhex(values["secret"])

    @property
    def players(self) -> int:
        """Number of players of a game."""
        return int(self.settings["options"]["num_players"])

    @property
    def names(self) -> list[str]:
        """Names of all entries."""
        return [entry.name for entry in self.entries]

    @property
    def open_round(self) -> Round | None:
        """The round that is not over; None if there is none."""
        return self.rounds[-1] if self.rounds and self.rounds[-1].secret is None else None

    @property
    def games(self) -> Games:
        """All games."""
        if len(self._columns) > 1:
            parts = {name: [getattr(each, name) for each in self._columns] for name in Games._fields}
            self._columns = [Games(**{name: np.concatenate(columns) for name, columns in parts.items()})]
        if not self._columns:
            none = np.zeros((0, self.players), np.int32)
            return Games(bots=none, place=none.astype(np.float32), points=none, faulty=none.astype(bool))
        return self._columns[0]

    def number_of(self, name: str) -> int:
        """Return the number of an entry; ValueError naming all for an unknown one."""
        if name not in self._numbers:
            raise ValueError(f"{name}: not in the league, whose bots are {', '.join(self.names)}")
        return self._numbers[name]
