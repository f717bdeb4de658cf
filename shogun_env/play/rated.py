"""Games of a named person against named bots under a fixed protocol: ``shogun-env play --rated NAME``.

The folder is that of an arena in which the person is the bot ``person:NAME``: the same journal, records and tables, so
that people stand in the same tables as bots.

The protocol: the person plays each seat in turn, every game on a seed of its own that nobody can guess; no hints, no
explanations, no word of the champion; what has shown something new cannot be taken back; a game that was begun is ended
before the next, or given up, and counts. Who gives up is last, and the others share the win.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from shogun_env import cli
from shogun_env.benchmarks.arena import run as arena
from shogun_env.benchmarks.arena.games import History, Result
from shogun_env.benchmarks.arena.journal import FILE, Journal
from shogun_env.benchmarks.arena.page import write_arena
from shogun_env.benchmarks.arena.schedule import missing, next_round
from shogun_env.benchmarks.arena.seeds import kept_secret
from shogun_env.benchmarks.arena.settings import PERSON as SCHEDULE
from shogun_env.benchmarks.arena.settings import Settings
from shogun_env.benchmarks.arena.tables import Tables
from shogun_env.benchmarks.arena.workers import Block, Played, blocks_of, event_of
from shogun_env.benchmarks.tournament import check_same
from shogun_env.play.ladder import BALANCED, PERSON_PREFIX, finished_games, rating_of, ratings
from shogun_env.play.saving import save_name
from shogun_env.play.table import Table
from shogun_env.policies import make_agent
from shogun_env.records.record import record_text
from shogun_env.views import places_and_wins

NAME = re.compile(r"[\w.-]{1,40}")
PROTOCOL = "rated-1"
NOT_BEGUN = "--give-up: no rated game is begun and not over"
GAMES = "games"
"""Folder of the saved games, in that of the arena."""


class Series:
    """The rated games of a person in a folder, out of which other processes are kept until it is closed.

    Args:
        out: the folder.
        person: name of the person.
        game: name of the game.
        bots: specs of the others.
        options: options of play.

    Raises: ValueError for a bad name, unknown bots, or a folder that holds something else.
    """

    def __init__(self, out: Path, person: str, game: str, bots: tuple[str, ...], options: Mapping[str, Any]) -> None:
        if not NAME.fullmatch(person):
            raise ValueError(f"--rated {person!r}: a name has 1 to 40 letters, digits, dots, hyphens or underscores")
        self.out, self.person, self.game_class = out, person, cli.game_class(game)
        line_up = (PERSON_PREFIX + person, *bots)
        self.settings = Settings(
            game=game, variants=(dict(options),), agents=line_up, schedule=SCHEDULE, conditions=PROTOCOL, record=True
        )
        self.options = self.game_class.spec.check_options(options)
        for bot in bots:
            make_agent(bot, self.game_class.spec)  # one that cannot be made is named at once
        if (out / FILE).exists():
            check_same(out, self.settings)
        else:
            arena.create(out, self.settings, dict.fromkeys(line_up))
        self._open = ExitStack()
        self._open.enter_context(cli.only_run(out))
        self.history = History.at(out / FILE)
        self._journal = Journal(out / FILE, self.history.chain)
        self._open.callback(self._journal.close)
        assert self.history.secret_sha256 is not None, "there is no seed"
        self.secret = kept_secret(out, self.history.secret_sha256)
        self.playing: tuple[Block, Table] | None = None
        """The game at the table."""
        self._was = ""
        """How the person was rated before the game of the last table, in words."""

    def table_of(self, block: Block) -> Table:
        """Return the table of a game, resumed if it is saved."""
        (agents,), (seed,), path = block.agents, block.seeds, self._path_of(block)
        bots = {player: name for player, name in enumerate(agents) if not name.startswith(PERSON_PREFIX)}
        if path.exists():
            table = Table.resume(path, self.game_class)
            if table.bots != bots or table.game.options != self.options or table.adviser:
                raise ValueError(f"{path} is not the game of these players: remove it, or give another --out")
            return table
        return Table(self.game_class, seed=seed, options=self.options, bots=bots, folder=path.parent, adviser="")

    def _path_of(self, block: Block) -> Path:
        """Return where a game is saved."""
        return self.out / GAMES / save_name(self.settings.game, block.seeds[0])

    def next_block(self) -> Block:
        """Return the first game without a result."""
        wanted = self.history.n_games + 1
        if not missing(self.history, wanted):
            event = next_round(self.history, wanted)
            assert event is not None, "there is always another game"
            self.history.take(self._journal.append(event))
        now, (block, *_) = missing(self.history, wanted)[0]
        return blocks_of(self.history, now, [block], self.secret)[0]

    def next_table(self, is_begun: bool = False) -> Table:
        """Return the table of the first game without a result; what is over is counted first.

        Args: is_begun, whether it must have been begun: ValueError if it has not.
        """
        self.count()
        while True:
            block = self.next_block()
            if is_begun and not self._path_of(block).exists():
                raise ValueError(NOT_BEGUN)
            self.playing = block, self.table_of(block)
            if not self.playing[1].game.is_over:
                self._was = self._rating()
                return self.playing[1]
            self.count()

    def standing(self, table: Table) -> str:
        """Return in words how the person is rated before the game of the last table, and after it if it is over.

        It is counted then.
        """
        if not table.game.is_over:
            return f"A rated game. Your rating: {self._was}."
        self.count()
        return f"Your rating: {self._rating()}; before this game: {self._was}."

    def _rating(self) -> str:
        """Return in words how the person is rated by all games that are counted, also against other bots."""
        games = finished_games(self.out.parent, self.person, self.settings.game)
        rating, n_games = rating_of(games, PERSON_PREFIX + self.person, ratings(self.settings.game))
        return f"{rating}, {n_games} game{'s' if n_games != 1 else ''}" if rating else "none yet"

    def count(self, gives_up: bool = False) -> None:
        """Write the result of the game at the table, once, if it is over or the person gives up."""
        if self.playing is None or not (gives_up or self.playing[1].game.is_over):
            return
        (block, table), self.playing = self.playing, None
        (agents,), (seed,), (person,) = block.agents, block.seeds, table.people
        players, batch = len(agents), table.game.batch
        place = places_and_wins(batch.returns_by("rank"))[0][0].tolist()
        if gives_up:
            place = [players / 2.0] * players
            place[person] = float(players)
        text = None if gives_up else record_text(table.game.record(list(agents)))
        faults: list[dict[str, int]] = [{} for _ in agents]
        points = batch.points[0].tolist()
        result = Result(agents=agents, seed=seed, place=place, points=points, faults=faults, record_text=text)
        played = Played(block=block, results=[result], texts={})
        arena.write_records(self.out, self.history, self.history.rounds[block.round], played)
        self.history.take(self._journal.append(event_of(played, self.history)))

    def close(self) -> None:
        """Count the game if it is over, and let other processes play these games."""
        self.count()
        self._open.close()

    def tables(self, command: str = "", beside: Path | None = None) -> Tables | None:
        """Write the tables of the games so far, and return them; None before the first.

        Args:
            command: the command line.
            beside: folder of a tournament of bots, whose games with the same options are in the tables too.

        Raises: ValueError if that is none, or has no such games.
        """
        if not self.history.n_games:
            return None
        history = self.history if beside is None else with_games_of(self.history, beside)
        return write_arena(self.out, f"{self.settings.agents[0]} and bots", history, command, {})


def with_games_of(history: History, folder: Path) -> History:
    """Return the history of a person with the games of bots in another folder added that have the same options."""
    other = History.at(folder / FILE)
    (options,) = history.settings.variants
    if other.settings.game != history.settings.game or options not in other.settings.variants:
        raise ValueError(f"{folder} has no games of {history.settings.game} with {history.settings.names[0]}")
    variant = other.settings.variants.index(options)
    return history.joined(other, variant)


def series_in(folder: Path, name: str, game: str, bots: Sequence[str], options: Mapping[str, Any]) -> Series:
    """Return the rated games of a person against some bots, in a folder of their own; ValueError for a bad name."""
    named = tuple(BALANCED.get(bot, bot) for bot in bots)
    mark = hashlib.sha256(repr((named, sorted(options.items()))).encode()).hexdigest()[:8]
    return Series(folder / f"rated-{name}.{game}.{mark}", name, game, named, options)
