"""The command ``shogun-env play``."""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from shogun_env import GAMES, cli
from shogun_env.files import text_in, write_whole
from shogun_env.game import Game
from shogun_env.play.house import House, only_player
from shogun_env.play.opponents import Ladder
from shogun_env.play.saving import save_name
from shogun_env.play.server import Pages, serve
from shogun_env.play.table import Table
from shogun_env.play.terminal import play_in_terminal
from shogun_env.policies import specs_in
from shogun_env.spec.forms import json_of
from shogun_env.spec.game_spec import GameSpec


def options_at_table(options: Mapping[str, Any], spec: GameSpec) -> dict[str, Any]:
    """Return options of play with those that are fair to all, unless others are given that do not go together.

    Example:
        >>> from shogun_env.shogun import SHOGUN
        >>> options_at_table({}, SHOGUN), options_at_table({"shuffle_seats": True}, SHOGUN)
        ({'start': 'random'}, {'shuffle_seats': True})
    """
    both = {**spec.fair, **options}
    try:
        spec.check_options(both)
    except ValueError:
        return dict(options)
    return both


SKIPS = ("against", "people", "seed", "new", "hint", "learn", "terminal")
"""Options with which a game begins at once; with the others the start page comes first."""


def play(args: argparse.Namespace, ladder: Ladder) -> None:
    """Play games against bots, on pages or in the terminal.

    Args: args, of the command; ladder, who can be played against, and ratings.
    """
    house = House(args.out, ladder, {"game": args.game, **_texts(cli.options_of(args))} if args.options else {})
    if args.game != GAMES[0]:
        house.choices["game"] = args.game
    with closing(house):

        def begin(seed: int) -> Table:
            house.lock(args.out / save_name(args.game, seed))
            return _table(args, seed)

        if not any(getattr(args, name) not in (None, False) for name in SKIPS):
            table = _serve(None, args.port, house, lambda: house.begin(house.choices))
        else:
            table = at_table(begin(_seed(args, house)), args, lambda: begin(house.new_seed(args.game)), house)
        if table is not None:
            _say_where(table, args.terminal)


def _texts(options: Mapping[str, Any]) -> dict[str, str]:
    """Return options of play as the form of the start page sends them."""
    return {name: str(value) for name, value in options.items()}


def at_table(table: Table, args: argparse.Namespace, begin: Callable[[], Table], house: House | None = None) -> Table:
    """Play at a table in the terminal, or on a page and at the tables that follow; return the last.

    Args: table; args, ``terminal`` and ``port``; begin, which returns the table of another game; house, the games of
        the folder, for the start page.
    """
    try:
        if args.terminal:
            play_in_terminal(table, input, sys.stdout.write)
            return table
        if house is None and args.rated:  # of another program, which has its own folder: only the rating is shown
            house = House(args.out, args.ladder)
            house.rated = args.rated
        return _serve(table, args.port, house, begin) or table
    finally:
        table.pondering.end()


def _seed(args: argparse.Namespace, house: House) -> int:
    """Return the seed of the game to be played: the one given, that of the latest game that goes on, or a new one."""
    if args.seed is not None:
        return int(args.seed)
    going = [] if args.new else [saved for saved in house.games() if saved.game == args.game and not saved.end]
    for saved in going[:1]:
        with suppress(ValueError), only_player(saved.path):  # one with other players or options, or played elsewhere
            _resumed(args, saved.path)
            return saved.seed
    return house.new_seed(args.game)


def _serve(table: Table | None, port: int, house: House | None, begin: Callable[[], Table]) -> Table | None:
    """Serve the pages of a table until Ctrl-C, or the start page, and the tables that follow; return the last.

    Port and tokens are kept next to the saved game, so that a page that is open goes on after a restart.
    """
    port_before, tokens = _kept(_pages_file(table, house))
    pages = Pages(table, tokens, begin, house)
    try:
        server = serve(pages, port or port_before)
    except OSError:
        if port:
            raise
        server = serve(pages, 0)
        sys.stdout.write(f"port {port_before}, where the page was, is taken: open the new address\n")

    def keep() -> None:
        for file in {_pages_file(pages.playing, house), _pages_file(None, house)}:
            if file is not None:  # whoever reads the tokens can open the pages, so only the owner may
                file.parent.mkdir(parents=True, exist_ok=True)
                address = {"port": server.server_port, "tokens": pages.tokens}
                write_whole(file, json.dumps(address), only_owner=True)

    keep()
    pages.moved = keep
    for player in pages.tokens:
        who = "the start page" if table is None else f"player {player}"
        sys.stdout.write(f"{who}: {pages.address(player, server.server_port)}\n")
    sys.stdout.write("open it in a browser on this machine; Ctrl-C stops, and the same command resumes\n")
    sys.stdout.flush()
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        sys.stdout.write("\n")
    finally:
        server.server_close()
    return pages.playing


def _pages_file(table: Table | None, house: House | None) -> Path | None:
    """Return the file that says where the pages of a table are, or the start page; None if nothing is saved."""
    if table is None:
        return None if house is None else house.folder / ".start.pages"
    return None if table.folder is None else table.folder / f".{save_name(table.game.spec.name, table.seed)}.pages"


def _kept(path: Path | None) -> tuple[int, dict[int, str]]:
    """Return port and tokens of the pages of a game before; 0 and none if they are not known."""
    with suppress(OSError, ValueError, TypeError, AttributeError, KeyError):
        if path is not None:
            data = json_of(text_in(path))
            return int(data["port"]), {int(player): str(token) for player, token in data["tokens"].items()}
    return 0, {}


def _say_where(table: Table, in_terminal: bool) -> None:
    """Say where the game is saved."""
    if table.folder is None:
        return
    text = f"saved in {table.folder / save_name(table.game.spec.name, table.seed)}"
    if table.record_path is not None:
        command = [cli.SCRIPT, "view", str(table.record_path)]
        text += f"; the record is {table.record_path}: {shlex.join(command)} shows it"
    else:
        command = [cli.SCRIPT, "play", "--game", table.game.spec.name, "--seed", str(table.seed)]
        command += ["--out", str(table.folder), *(["--terminal"] if in_terminal else [])]
        text += f"; {shlex.join(command)} resumes it"
    sys.stdout.write(f"{text}\n")


def _resumed(args: argparse.Namespace, path: Path) -> Table:
    """Return a saved table; ValueError if the options are not those of the table."""
    game_class, options = cli.game_class(args.game), cli.options_of(args)
    table = Table.resume(path, game_class)
    try:
        given = game_class.spec.check_options({**table.game.options, **options})
    except ValueError:  # they do not go together with those saved
        given = {}
    differs = given != table.game.options or (args.hint or table.adviser) != table.adviser
    asked = args.people or args.against
    if differs or (asked and seats(args.people or "0", args.against or "scripted", given, game_class) != table.bots):
        raise ValueError(f"{path} is a game with other options or bots: leave them out, or give another --seed")
    return table


def _table(args: argparse.Namespace, seed: int) -> Table:
    """Return the table that the options ask for, resumed if it is saved.

    Raises: ValueError if the options are not those of the saved table.
    """
    game_class = cli.game_class(args.game)
    path = args.out / save_name(args.game, seed)
    options = cli.options_of(args)
    people, against, hint = args.people or "0", args.against or "scripted", args.hint or "champion"
    if path.exists():
        table = _resumed(args, path)
        sys.stdout.write(f"resuming {path}\n")
        table.learners |= {*table.people} if args.learn else set()
        return table
    options = options_at_table(options, game_class.spec)
    bots = seats(people, against, options, game_class)
    return Table(game_class, seed=seed, options=options, bots=bots, folder=args.out, adviser=hint, learn=args.learn)


def seats(people: str, against: str, options: dict[str, Any], game_class: type[Game]) -> dict[int, str]:
    """Return the bot of each player who is not a person; several bots set the number of players.

    Args: people, players separated by commas; against, bots separated by commas; options of play, to which the number
        of players may be added; game_class.
    Raises: ValueError for people who are not players, or a wrong number of bots.
    """
    if not all(part.strip().isdecimal() for part in people.split(",")):
        raise ValueError(f"people={people!r}: must be players separated by commas, such as 0,2")
    chairs = {int(part) for part in people.split(",")}
    names = specs_in(against)
    if len(names) > 1:
        options.setdefault("num_players", len(chairs) + len(names))
    n_players = game_class.spec.check_options(options)["num_players"]
    others = [player for player in range(n_players) if player not in chairs]
    if max(chairs) >= n_players:
        raise ValueError(f"people={people!r}: players are 0 to {n_players - 1}")
    names = names * len(others) if len(names) == 1 else names
    if len(names) != len(others):
        raise ValueError(f"{len(names)} bots for {len(others)} players who are not people: give one for each, or one")
    return dict(zip(others, names, strict=True))
