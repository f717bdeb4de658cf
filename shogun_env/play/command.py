"""The command ``python -m shogun_env play``."""

from __future__ import annotations

import argparse
import secrets
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from shogun_env import cli
from shogun_env.game import Game
from shogun_env.play.server import Pages, serve
from shogun_env.play.table import Table, save_name
from shogun_env.play.terminal import play_in_terminal
from shogun_env.spec.game_spec import GameSpec

__all__ = ["add_arguments", "play"]


def add_arguments(parser: cli.Parser, game: str) -> None:
    """Add the options of the command, with the options of play of ``game``."""
    parser.add_argument(
        "--against", metavar="BOTS",
        help="bots in player order, separated by commas, or one for all players who are not people (scripted)",
    )  # fmt: skip
    parser.add_argument("--people", metavar="N,...", help="which players are people, each with a page of their own (0)")
    parser.add_seed("seed of the game; default: any", default=None)
    parser.add_out("played", "folder of saved games and records; a game saved there with the same seed is resumed")
    parser.add_argument("--port", type=int, default=0, metavar="N", help="port of the page (0: any that is free)")
    parser.add_argument("--hint", metavar="BOT", help="the bot that gives hints (scripted)")
    parser.add_argument("--terminal", action="store_true", help="play in this terminal instead of a page")
    parser.add_play(game)
    spec = cli.batch_class(game).spec
    if spec.at_table:
        usual = " ".join(cli.option_arguments(spec.at_table))
        parser.epilog = f"This command sets {usual} unless other options of play say something else."
    parser.set_defaults(run=play)


def options_at_table(options: Mapping[str, Any], spec: GameSpec) -> dict[str, Any]:
    """Return options of play with those that a game with people usually has, as far as they go together.

    Example:
        >>> from shogun_env.shogun import SHOGUN
        >>> options_at_table({}, SHOGUN), options_at_table({"start": "draft"}, SHOGUN)
        ({'shuffle_seats': True}, {'start': 'draft'})
    """
    both = {**spec.at_table, **options}
    try:
        spec.check_options(both)
    except ValueError:
        return dict(options)
    return both


def play(args: argparse.Namespace) -> None:
    """Play a game against bots, on a page or in the terminal."""
    seed = secrets.randbelow(2**31) if args.seed is None else args.seed
    with only_player(args.out / save_name(args.game, seed)):
        table = _table(args, seed)
        try:
            if args.terminal:
                play_in_terminal(table, input, sys.stdout.write)
            else:
                _serve(table, args.port)
        finally:
            table.pondering.end()
        _say_where(table)


@contextmanager
def only_player(path: Path) -> Iterator[None]:
    """Let no other process play the game of a file as long as the block lasts, however this process ends.

    Raises: ValueError if another process plays it.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    busy = f"{path} is being played by another process: stop it, or give another --seed"
    with cli.locked(path.with_name(f".{path.name}.lock"), busy):
        yield


def _serve(table: Table, port: int) -> None:
    """Serve the pages of a table until Ctrl-C."""
    try:
        pages = Pages(table)
    except ImportError as error:
        raise ValueError(str(error)) from None
    server = serve(pages, port)
    for player in table.people:
        sys.stdout.write(f"player {player}: {pages.address(player, server.server_port)}\n")
    sys.stdout.write(f"open it in a browser on this machine; Ctrl-C stops, and --seed {table.seed} resumes\n")
    sys.stdout.flush()
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        sys.stdout.write("\n")
    finally:
        server.server_close()


def _say_where(table: Table) -> None:
    """Say where the game is saved."""
    if table.folder is not None:
        text = f"saved in {table.folder / save_name(table.game.spec.name, table.seed)}"
        if table.game.is_over:
            text += "; the record is beside it: python -m shogun_env view shows it"
        else:
            text += f"; --seed {table.seed} --out {table.folder} resumes it"
        sys.stdout.write(f"{text}\n")


def _table(args: argparse.Namespace, seed: int) -> Table:
    """Return the table that the options ask for, resumed if it is saved.

    Raises: ValueError if the options are not those of the saved table.
    """
    game_class = cli.game_class(args.game)
    path = args.out / save_name(args.game, seed)
    options = cli.options_of(args)
    people, against, hint = args.people or "0", args.against or "scripted", args.hint or "scripted"
    if path.exists():
        table = Table.resume(path, game_class)
        try:
            given = game_class.spec.check_options({**table.game.options, **options})
        except ValueError:  # they do not go together with those saved
            given = {}
        asked = args.people or args.against
        differs = given != table.game.options or (args.hint or table.adviser) != table.adviser
        if differs or (asked and seats(people, against, given, game_class) != table.bots):
            raise ValueError(f"{path} is a game with other options or bots: leave them out, or give another --seed")
        sys.stdout.write(f"resuming {path}\n")
        return table
    options = options_at_table(options, game_class.spec)
    bots = seats(people, against, options, game_class)
    return Table(game_class, seed=seed, options=options, bots=bots, folder=args.out, adviser=hint)


def seats(people: str, against: str, options: dict[str, Any], game_class: type[Game]) -> dict[int, str]:
    """Return the bot of each player who is not a person; several bots set the number of players.

    Args: people, players separated by commas; against, bots separated by commas; options of play, to which the number
        of players may be added; game_class.
    Raises: ValueError for people who are not players, or a wrong number of bots.
    """
    if not all(part.strip().isdecimal() for part in people.split(",")):
        raise ValueError(f"people={people!r}: must be players separated by commas, such as 0,2")
    chairs = {int(part) for part in people.split(",")}
    names = against.split(",")
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
