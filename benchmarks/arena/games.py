"""What a journal says, event by event: settings, who entered, which rounds there were, and all games as columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np

from shogun_env.benchmarks.arena.journal import JournalEvent, read
from shogun_env.benchmarks.arena.settings import Settings
from shogun_env.spec.forms import compared, one_line

MEETINGS_PER_BLOCK = 24
"""Games that are played together are at most this many meetings: at most 120 bots, of the 127 that a batch can have."""
QUICK = 0.002
"""Seconds for a decision, at most, of a bot that is quick though it is not compiled: with four such bots a block of
games takes about half a minute, more than the start of their programs does."""
RECORDS = "records"
"""Folder for the records of games."""
LONGEST_NAME = 200
"""Letters of a bot's name, at most."""


@dataclass
class Entry:
    """A bot of an arena."""

    name: str
    spec: str
    sha256: str
    """Its ``fingerprint`` when it entered."""
    is_pool: bool
    """Whether it is of the reference pool of a league, which nobody withdraws."""
    mark: str = ""
    """The last of its marks, one of ``journal.MARKS``; empty: none."""
    why: str = ""
    """The reason that was given for the mark."""

    @property
    def plays(self) -> bool:
        """Whether it is put into new rounds."""
        return self.mark in ("", "back")


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a game."""

    agents: tuple[str, ...]
    """Name of the agent that played each player."""
    seed: int
    place: list[float]
    """Place of each player; 1 is best, and tied players have the mean of their places."""
    points: list[int]
    """Points of each player."""
    faults: list[dict[str, int]]
    """Number of faults of each player by kind; the lowest legal action was played instead."""
    seconds: list[float] | None = field(default=None, compare=False)
    """Seconds that each player's agent took, 0 for compiled ones; None if all are compiled."""
    asked: list[int] | None = field(default=None, compare=False)
    """Number of decisions put to each player's agent, 0 for compiled ones; None if all are compiled."""
    record_text: str | None = field(default=None, repr=False)
    """The record of the game, if it is kept."""


class Games(NamedTuple):
    """N games of at most P players, in the order of rounds and of the games in each."""

    number: np.ndarray
    """int64[N], number of the round, times 2^32, and of the game in it."""
    variant: np.ndarray
    """int16[N]."""
    seed: np.ndarray
    """int64[N]."""
    bots: np.ndarray
    """int32[N, P], number of the bot of each player; -1 where there are fewer players."""
    place: np.ndarray
    """float32[N, P], 1 is best; tied players have the mean of their places."""
    points: np.ndarray
    """int32[N, P]."""
    faulty: np.ndarray
    """bool[N, P], whether the player's bot had a fault."""

    @property
    def wins(self) -> np.ndarray:
        """The share of the win of each player, float64[N, P]; 0 where there is none."""
        place = np.where(self.bots < 0, np.inf, self.place)
        best = place == place.min(axis=1, keepdims=True, initial=np.inf)
        best &= self.bots >= 0
        return np.asarray(best / np.maximum(best.sum(axis=1, keepdims=True), 1))

    @property
    def part(self) -> np.ndarray:
        """The part of each player in those of their bot, float64[N, P]."""
        return np.asarray(1 / (self.bots[:, :, None] == self.bots[:, None]).sum(2))

    @classmethod
    def none(cls, players: int) -> Games:
        """Return no games, of this many players."""
        whole, by_player = (np.int64, np.int16, np.int64), (np.int32, np.float32, np.int32, bool)
        return cls(*(np.zeros(0, kind) for kind in whole), *(np.zeros((0, players), kind) for kind in by_player))

    def some(self, which: np.ndarray | slice) -> Games:
        """Return some of the games: bool[N], int64[n] or a slice."""
        return Games(*(column[which] for column in self))


@dataclass
class Round:
    """A round: tables at which bots meet, and each of which plays all rotations of its seats, each on its own seed."""

    number: int
    variant: int
    tables: np.ndarray
    """int64[meetings, P], numbers of the bots that meet."""
    first: int
    """Number of games of this variant in the rounds before it."""
    before: int
    """Number of all games in the rounds before it."""
    playing: list[int]
    """The bots that could be chosen for it."""
    blocks: dict[int, int] = field(default_factory=dict)
    """Games that were played together: the number in the round of the first, and how many."""
    gone: dict[int, frozenset[int]] = field(default_factory=dict)
    """Of these games, by the number of the first, the bots that were to play and did not any more."""

    def __post_init__(self) -> None:
        """Begin with no game played."""
        self.is_missing = np.ones(self.n_games, bool)
        """bool[n_games], which games have not been played."""

    @property
    def n_games(self) -> int:
        """Number of its games."""
        return int(self.tables.size)

    @property
    def n_begun(self) -> int:
        """Number of its games up to the last one that was played."""
        return int((np.arange(1, self.n_games + 1) * ~self.is_missing).max())

    @property
    def per_block(self) -> int:
        """Number of games that are played together where no bot is slow."""
        return MEETINGS_PER_BLOCK * int(self.tables.shape[1])

    def games(self, first: int) -> np.ndarray:
        """Return the numbers of the games that were played together with the first of them, int64[n]."""
        return np.arange(first, first + self.blocks[first])

    def place_of(self, values: Mapping[str, Any]) -> tuple[int, int]:
        """Return the number of the first game of an event ``games`` in this round, and how many there are."""
        if "block" not in values:
            return values["first"], values["count"]
        first = values["block"] * self.per_block  # of an earlier version, whose blocks were all of one size
        return first, min(self.per_block, self.n_games - first)

    def bots(self, games: np.ndarray) -> np.ndarray:
        """Return the bot of each player in games of this round, int32[n, P]: in rotation r player k is bot k + r."""
        players = self.tables.shape[1]
        turned = (np.arange(players) + games[:, None] % players) % players
        return np.take_along_axis(self.tables[games // players], turned, axis=1).astype(np.int32)


@dataclass
class History:
    """What the events of a journal say, up to the last one that it has taken."""

    settings: Settings = None  # type: ignore[assignment]  # until the first event
    made_by: dict[str, Any] = field(default_factory=dict)
    secret_sha256: str | None = None
    secret: bytes | None = None
    """The secret, once it is published."""
    published_at: int = 0
    """Number of games that had been played when it was published."""
    entries: list[Entry] = field(default_factory=list)
    rounds: list[Round] = field(default_factory=list)
    faults: dict[tuple[int, int], Counter[str]] = field(default_factory=dict)
    """Number of faults by kind, for each variant and bot that had one."""
    seconds: dict[int, np.ndarray] = field(default_factory=dict)
    """Seconds and decisions, float64[2], for each bot that is not compiled."""
    records: dict[int, str] = field(default_factory=dict)
    """SHA-256 of the record of each game that has one, by its number (``Games.number``)."""
    chain: str = ""
    """Hash of the last event."""
    n_games: int = 0
    n_events: int = 0
    _columns: list[Games] = field(default_factory=list, repr=False)
    _numbers: dict[str, int] = field(default_factory=dict, repr=False)
    """Numbers of the entries by what their names are compared by."""

    @classmethod
    def of(cls, events: Iterable[JournalEvent], where: str = "the journal") -> Self:
        """Return the history of some events; ValueError for an event that cannot be."""
        history = cls()
        for number, event in enumerate(events, 1):
            try:
                history.take(event)
            except ValueError as error:
                raise ValueError(f"{where}, line {number}: {error}") from None
        if history.settings is None:
            raise ValueError(f"{where}: is empty; begin again in another folder")
        return history

    @classmethod
    def at(cls, path: Path) -> Self:
        """Return the history in the journal at a path; ValueError if there is none, or it was changed."""
        return cls.of(read(path), str(path))

    def take(self, event: JournalEvent) -> None:
        """Take the next event; ValueError for one that cannot be."""
        kind = event.values["kind"]
        if (kind == "start") != (self.settings is None):
            raise ValueError(f"{kind} cannot be here")
        getattr(self, f"_take_{kind}")(event.values)
        self.chain = event.chain
        self.n_events += 1

    def _take_start(self, values: Mapping[str, Any]) -> None:
        settings, sha256 = Settings.of_json(values["settings"]), values["secret_sha256"]
        if (sha256 is None) == (settings.seed is None):
            raise ValueError("secret_sha256 must be a SHA-256 where there is no seed")
        if not settings.variants:
            raise ValueError("variants: there is none")
        self.settings, self.made_by, self.secret_sha256 = settings, values["made_by"], sha256
        self._columns = [Games.none(max(settings.players))]

    def _take_entry(self, values: Mapping[str, Any]) -> None:
        name = values["name"]
        if values["bot"] != len(self.entries):
            raise ValueError("an entry out of order")
        if why := self.why_not(name):
            raise ValueError(f"{name!r:.60}: {why}")
        self._numbers[compared(name)] = len(self.entries)
        is_pool = values["rating"] is not None
        self.entries.append(Entry(name=name, spec=values["spec"], sha256=values["sha256"], is_pool=is_pool))

    def why_not(self, name: str) -> str | None:
        """Return why a bot cannot enter with a name; None if it can."""
        if not name.strip() or not name.isprintable() or len(name) > LONGEST_NAME:
            return f"must be one printable line of 1 to {LONGEST_NAME} letters"
        same = self._numbers.get(compared(name))
        return None if same is None else f"looks like the name of {self.entries[same].name}"

    def _take_mark(self, values: Mapping[str, Any]) -> None:
        entry = self.entries[self.number_of(values["name"])]
        entry.mark, entry.why = values["mark"], one_line(values["why"])

    def _take_round(self, values: Mapping[str, Any]) -> None:
        number, variant, players = values["number"], values["variant"], self.settings.players
        if number != len(self.rounds) or variant >= len(players):
            raise ValueError("a round out of order")
        if not values["tables"] or {len(table) for table in values["tables"]} != {players[variant]}:
            raise ValueError(f"tables must have {players[variant]} bots each")
        tables = np.array(values["tables"], np.int64)
        playing = [bot for bot, entry in enumerate(self.entries) if entry.plays]
        if not np.isin(tables, playing).all():
            raise ValueError("a bot that does not play")
        self.rounds.append(
            Round(
                number=number, variant=variant, tables=tables, playing=playing,
                first=sum(each.n_games for each in self.rounds if each.variant == variant),
                before=sum(each.n_games for each in self.rounds),
            )
        )  # fmt: skip

    def _take_games(self, values: Mapping[str, Any]) -> None:
        number = values["round"]
        if number >= len(self.rounds):
            raise ValueError("games of no round, or twice")
        now = self.rounds[number]
        first, count = now.place_of(values)
        if not 0 < count <= now.n_games - first or not now.is_missing[first : first + count].all():
            raise ValueError("games of no round, or twice")
        games = np.arange(first, first + count)
        bots = now.bots(games)
        seeds = _numbers(values["seeds"], "seeds", games.shape, "iu")
        place = _numbers(values["place"], "place", bots.shape, "iuf")
        points = _numbers(values["points"], "points", bots.shape, "iu")
        if not (np.isfinite(place).all() and (seeds >= 0).all() and (abs(points) < 2**31).all()):
            raise ValueError("seeds, places or points that cannot be")
        faulty, ids = np.zeros(bots.shape, bool), number * 2**32 + games
        for game, player, kinds in values["faults"]:
            if game >= len(bots) or player >= bots.shape[1]:
                raise ValueError(f"faults of game {game}, player {player}: there is no such")
            faulty[game, player] = True
            self.faults.setdefault((now.variant, int(bots[game, player])), Counter()).update(kinds)
        for bot, pair in values["seconds"].items():
            if int(bot) >= len(self.entries):
                raise ValueError(f"seconds of bot {bot}: there is no such")
            self.seconds[int(bot)] = self.seconds.get(int(bot), 0) + np.array(pair, np.float64)
        if values["records"]:
            if len(values["records"]) != len(games):
                raise ValueError("records must be a SHA-256 for each game")
            self.records |= dict(zip(ids.tolist(), values["records"], strict=True))
        columns = (bots, place.astype(np.float32), points.astype(np.int32), faulty)
        variant = np.full(len(games), now.variant, np.int16)
        self._columns.append(Games(ids, variant, seeds.astype(np.int64), *map(self._wide, columns)))
        now.blocks[first], now.is_missing[games] = count, False
        now.gone[first] = self.gone_from(now)
        self.n_games += len(games)

    def _wide(self, column: np.ndarray) -> np.ndarray:
        """Return a column widened to the players of the largest variant; the added bots are -1, all else 0."""
        more = max(self.settings.players) - column.shape[1]
        fill = -1 if column.dtype == np.int32 else 0
        return np.pad(column, ((0, 0), (0, more)), constant_values=fill) if more else column

    def _take_secret(self, values: Mapping[str, Any]) -> None:
        if self.secret is not None:
            raise ValueError("the secret twice")
        try:
            self.secret, self.published_at = bytes.fromhex(values["secret"]), self.n_games
        except ValueError:
            raise ValueError("the secret must be hexadecimal digits") from None

    def gone_from(self, now: Round) -> frozenset[int]:
        """Return the bots that have been withdrawn or blamed since a round began."""
        return frozenset(bot for bot in now.playing if not self.entries[bot].plays)

    @property
    def names(self) -> list[str]:
        """Names of all entries."""
        return [entry.name for entry in self.entries]

    @property
    def open_rounds(self) -> list[Round]:
        """The rounds of which games are missing."""
        return [each for each in self.rounds if each.is_missing.any()]

    @property
    def games(self) -> Games:
        """All games."""
        if len(self._columns) != 1:
            every = Games(*map(np.concatenate, zip(*self._columns, strict=True)))
            if (np.diff(every.number) < 0).any():
                every = every.some(np.argsort(every.number))
            self._columns = [every]
        return self._columns[0]

    def record_name(self, number: int) -> str:
        """Return the name of the file for the record of a game, by its number (``Games.number``)."""
        now = self.rounds[number >> 32]
        return f"{now.variant}-{now.first + (number & 0xFFFFFFFF)}.{self.settings.game}.jsonl"

    def is_quick(self, bot: int) -> bool:
        """Say whether a bot that is not compiled has answered quickly in the games so far."""
        seconds, decisions = self.seconds.get(bot, (np.inf, 1))
        return bool(seconds <= QUICK * decisions)

    def number_of(self, name: str) -> int:
        """Return the number of an entry; ValueError naming all for an unknown one."""
        if compared(name) not in self._numbers:
            raise ValueError(f"{name}: no bot of this name; there are {', '.join(self.names)}")
        return self._numbers[compared(name)]


def games_of(results: Sequence[Result]) -> tuple[Games, list[str]]:
    """Return results as columns, in their order, and the names of the bots."""
    names = sorted({name for result in results for name in result.agents})
    bots = np.array([[names.index(name) for name in result.agents] for result in results], np.int32)
    columns = (
        bots, np.array([result.place for result in results], np.float32),
        np.array([result.points for result in results], np.int32),
        np.array([[bool(kinds) for kinds in result.faults] for result in results]),
    )  # fmt: skip
    seeds = np.array([result.seed for result in results], np.int64)
    return Games(np.arange(len(results)), np.zeros(len(results), np.int16), seeds, *columns), names


def _numbers(values: Any, name: str, shape: tuple[int, ...], kinds: str) -> np.ndarray:
    """Return JSON values as an array of this shape; ValueError if they are none, or of another kind."""
    try:
        array = np.array(values)
    except (ValueError, OverflowError):
        array = np.array(None)
    if array.shape != shape or array.dtype.kind not in kinds:
        raise ValueError(f"{name} must be {' x '.join(map(str, shape))} numbers")
    return array
