"""Games of a named person against named bots under a fixed protocol: ``shogun-env play --rated NAME``.

The folder is that of a tournament, in which the person is the agent ``person:NAME``: the same settings, results whose
hashes follow from one another, records and tables, so that people stand in the same tables as bots.

The protocol: the person plays each seat in turn, every game on a seed of its own that nobody can guess; no hints, no
explanations, no word of the champion; what has shown something new cannot be taken back; a game that was begun is ended
before the next, or given up, and counts. Who gives up is last, and the others share the win.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

from shogun_env import cli
from shogun_env.benchmarks.arena.folder import (
    RESULTS,
    SECRET_HASH,
    earlier_settings,
    named,
    results_in,
    secret_of,
    write_records,
)  # fmt: skip
from shogun_env.benchmarks.arena.outcomes import Outcomes
from shogun_env.benchmarks.arena.results import ResultsFile, ResultsReader, chain_start
from shogun_env.benchmarks.arena.seating import Result, Seating, variant_name
from shogun_env.benchmarks.arena.seeds import NO_SECRET, game_seed, hash_of
from shogun_env.benchmarks.arena.tables import Tables, tables_of, times_of, write_tables
from shogun_env.benchmarks.report import page
from shogun_env.benchmarks.tournament import check_belongs, made_by
from shogun_env.files import write_whole
from shogun_env.play.command import at_table, seats
from shogun_env.play.table import Table, save_name
from shogun_env.records.record import record_text
from shogun_env.views import places_and_wins

PERSON = "person:"
"""How the names of people begin among those of agents."""
NAME = re.compile(r"[\w.-]{1,40}")
PROTOCOL = "rated-1"
NOT_BEGUN = "--give-up: no rated game is begun and not over"
GAMES = "games"
"""Folder of the saved games, in that of the tournament."""


class Series:
    """The rated games of a person in a folder.

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
        self.out, self.game_class = out, cli.game_class(game)
        self.spec = self.game_class.spec
        self.options = self.spec.check_options(options)
        self.line_up = (PERSON + person, *bots)
        self.variant = variant_name(self.spec, self.options)
        self.settings: dict[str, Any] = {
            "protocol": PROTOCOL,
            "game": game,
            "agents": list(self.line_up),
            "seed": None,
            "variants": [cli.plain_options(self.options)],
            "made_by": made_by(game),
        }
        self._check_folder()
        self.table_of(self._seating(0, NO_SECRET), None)  # bots that cannot be made are named at once
        out.mkdir(parents=True, exist_ok=True)
        self.secret = secret_of(out)
        self.settings[SECRET_HASH] = hash_of(self.secret)
        self.start = chain_start(self.settings)
        check_belongs(out, self.start)
        cli.write_json(out / "settings.json", self.settings)

    def _check_folder(self) -> None:
        earlier = earlier_settings(self.out)
        if earlier is None and (self.out / "settings.json").exists():
            raise ValueError(f"{self.out}: its settings.json cannot be read; restore it, or give another --out")
        for name, value in self.settings.items():
            if earlier is not None and earlier.get(name) != value:
                was = earlier.get(name)
                raise ValueError(f"{self.out} holds other games ({name}: {was}, not {value}); give another --out")

    def results(self) -> ResultsReader:
        """Return the results so far."""
        return ResultsReader(self.out / RESULTS, self.start)

    def seatings(self) -> Iterator[Seating]:
        """Yield the games in their order: every game has a seed of its own, and the person another seat."""
        return (self._seating(index, self.secret) for index in itertools.count())

    def _seating(self, index: int, secret: bytes) -> Seating:
        return Seating(
            variant=self.variant,
            line_up=self.line_up,
            seed=game_seed(index, secret),
            rotation=index % len(self.line_up),
        )

    def table_of(self, seating: Seating, folder: Path | None) -> Table:
        """Return the table of a game, resumed if it is saved; without a folder nothing is saved."""
        path = None if folder is None else folder / save_name(self.spec.name, seating.seed)
        bots = {player: name for player, name in enumerate(seating.agents) if not name.startswith(PERSON)}
        if path is not None and path.exists():
            table = Table.resume(path, self.game_class)
            if table.bots != bots or table.game.options != self.options or table.adviser:
                raise ValueError(f"{path} is not the game of these players: remove it, or give another --out")
            return table
        return Table(self.game_class, seed=seating.seed, options=self.options, bots=bots, folder=folder, adviser="")

    def next_table(self) -> tuple[Seating, Table]:
        """Return the first game without a result, and its table; what is over is counted first."""
        done = {result.seating for result in self.results()}
        for seating in self.seatings():
            if seating in done:
                continue
            table = self.table_of(seating, self.out / GAMES)
            if not table.game.is_over:
                return seating, table
            self.count(seating, table)
        raise AssertionError("there is always another game")

    def check_begun(self) -> None:
        """Raise ValueError unless a game is saved that has no result and is not over: no other can be given up."""
        done = {result.seating for result in self.results()}
        waiting = next(seating for seating in self.seatings() if seating not in done)
        path = self.out / GAMES / save_name(self.spec.name, waiting.seed)
        if not path.exists() or self.table_of(waiting, path.parent).game.is_over:
            raise ValueError(NOT_BEGUN)

    def count(self, seating: Seating, table: Table, gives_up: bool = False) -> None:
        """Write the result of a game that is over, or that the person gives up."""
        if seating in {result.seating for result in self.results()}:
            return
        (person,) = table.people
        players, batch = len(self.line_up), table.game.batch
        if gives_up:
            place = [players / 2.0] * players
            win = [1 / (players - 1)] * players
            place[person], win[person] = float(players), 0.0
        else:
            places, wins = places_and_wins(batch.returns_by("rank"))
            place, win = places[0].tolist(), wins[0].tolist()
        result = Result(
            seed=seating.seed,
            line_up=list(seating.line_up),
            rotation=seating.rotation,
            agents=seating.agents,
            place=place,
            points=batch.points[0].tolist(),
            win=win,
            decisions=int(batch.decisions[0]),
            faults=[{} for _ in range(players)],
            variant=seating.variant,
            made_by=self.settings["made_by"],
        )
        if not gives_up:
            text = record_text(table.game.record(seating.agents))
            sha256 = hashlib.sha256(text.encode()).hexdigest()
            kept = {"file": seating.record_name(self.spec), "sha256": sha256}
            result = replace(result, record=kept, record_text=text)
        write_records(self.out, [result])
        file = ResultsFile(self.out / RESULTS, self.start)
        try:
            file.append([result])
        finally:
            file.close()

    def tables(self, command: str = "", beside: Path | None = None) -> Tables | None:
        """Write the tables of the results so far, and return them; None before the first.

        Args:
            command: the command line.
            beside: folder of a tournament of bots, whose games with the same options are in the tables too.

        Raises: ValueError if that is none, or has no such games.
        """
        reader = self.results()
        results = list(reader)
        if reader.set_aside:
            sys.stderr.write(f"{reader.path}: {named(reader.set_aside)}\n")
        if not results:
            return None
        if beside is not None:
            more = [result for result in results_in(beside) if result.variant == self.variant]
            if not more or (earlier_settings(beside) or {}).get("game") != self.spec.name:
                raise ValueError(f"{beside} has no games of {self.spec.name} with {self.variant}")
            results += more
        outcomes = Outcomes.of(results)
        tables = tables_of(outcomes, {**self.settings, "games": len(results)}, command)
        times = times_of(outcomes)
        write_tables(self.out, tables, times)
        title = f"{self.line_up[0]} and bots"
        write_whole(self.out / "report.html", page(title, [(title, tables.summary, times, "")], None))
        return tables


def series_of(args: argparse.Namespace) -> Series:
    """Return the games that a command line asks for.

    Raises: ValueError for options that do not go with rated games, and as ``Series`` does.
    """
    for name in ("people", "seed", "hint", "learn", "new"):
        if getattr(args, name) not in (None, False):
            raise ValueError(f"--{name}: not in rated games, whose protocol is the same for all")
    game_class, options = cli.game_class(args.game), {**cli.options_of(args)}
    bots = seats("0", args.against or "champion", options, game_class)
    out = args.out / f"rated-{args.rated}.{args.game}"
    if args.give_up and not (out / GAMES).exists():
        raise ValueError(NOT_BEGUN)
    return Series(out, args.rated, args.game, tuple(bots.values()), {**game_class.spec.fair, **options})


def play_rated(args: argparse.Namespace) -> None:
    """Play rated games until the person leaves, and say how they stand."""
    series = series_of(args)
    with ExitStack() as locks:
        locks.enter_context(cli.only_run(series.out))
        playing: list[tuple[Seating, Table]] = []

        def begin() -> Table:
            playing[:] = [series.next_table()]
            return playing[0][1]

        if args.give_up:
            series.check_begun()
        table = begin()
        if args.give_up:
            series.count(*playing[0], gives_up=True)
        else:
            sys.stdout.write(f"rated game {1 + len(list(series.results()))}, you are player {table.people[0]}\n")
            at_table(table, args, begin)
            if playing[0][1].game.is_over:
                series.count(*playing[0])
        tables = series.tables(f"shogun-env play --rated {args.rated} --game {args.game}", args.beside)
    if tables is not None:
        (board,) = tables.standings.values()
        for row in board:
            interval = f"{100 * row.low:.1f} to {100 * row.high:.1f} %"
            sys.stdout.write(f"{row.agent}: {row.games} games, wins {100 * row.win_share:.1f} % ({interval})\n")
    sys.stdout.write(f"results and report in {series.out}; the same command plays on\n")
