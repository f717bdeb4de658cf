"""The command ``shogun-env play``."""

import argparse
import ipaddress
import json
import re
import shlex
import sys
from contextlib import closing, suppress
from pathlib import Path
from typing import Any
from wsgiref.simple_server import WSGIServer

from shogun_env import GAMES, cli
from shogun_env.agents.parts import is_foreign
from shogun_env.files import error_text, text_in, write_whole
from shogun_env.play.house import House, Saved
from shogun_env.play.new_game import NewGame
from shogun_env.play.opponents import strongest
from shogun_env.play.saving import ForeignBotsError, save_name
from shogun_env.play.server import Pages
from shogun_env.play.serving import serve
from shogun_env.play.table import Table
from shogun_env.policies import make_agent
from shogun_env.spec.bots import specs_in
from shogun_env.spec.forms import fits, json_of

SKIPS = ("against", "people", "seed", "new", "hint", "learn")
"""Options that begin a game at once instead of showing the start page."""
ADDRESS = ".start.pages"
"""The file of a folder that says where its pages were."""


def play(args: argparse.Namespace) -> None:
    """Play games against bots, on pages."""
    options = cli.options_of(args)
    cli.game_class(args.game).spec.check_options(options)
    choices = {name: str(value) for name, value in options.items()}
    if choices or args.game != GAMES[0]:
        choices["game"] = args.game
    with closing(House(args.out, choices)) as house:
        pages, server = _listen(args.port, args.host, house)
        with server:  # before a game begins: else one is left over where the port is taken
            begins = any(getattr(args, name) not in (None, False) for name in SKIPS)
            table = house.add(_table(args, house)) if begins else None
            _serve(table, pages, server)
        for each in house.tables.values():
            _say_where(each, args.host)


# --- the game --------------------------------------------------------------------------------------------------------


def _table(args: argparse.Namespace, house: House) -> Table:
    """Return the table that is asked for: that of the seed given, the latest such game that goes on, or a new one.

    Raises: ValueError if the table of a seed is played elsewhere, or was saved with other options.
    """
    path = None if args.seed is None else args.out / save_name(args.game, args.seed)
    if path is not None and path.exists():
        if args.new:
            raise ValueError(f"{path} is there already: leave out --new to resume it, or give another --seed")
        house.lock(path)
        return _resumed(args, path, house)
    if args.seed is not None and (record := house.record_of(args.game, args.seed)):
        raise ValueError(f"{record} is the record of another game: give another --seed or --out")
    for saved in [] if args.new or path is not None else house.files():
        why = saved if isinstance(saved, str) else ""
        if isinstance(saved, Saved) and saved.new.spec.name == args.game and not saved.end:
            try:
                return _resumed(args, saved.path, house)
            except ValueError as error:  # one with other players or options, or played elsewhere
                why = str(error)
        if " is damaged" in why:
            sys.stderr.write(f"{why}; it is not resumed\n")
    new = _new_game(args, cli.options_of(args), args.hint or strongest(args.game))
    for name in {*new.bots.values(), new.adviser}:
        make_agent(name, new.spec)  # one that cannot be made is named before a folder is there
    seed = house.new_seed(args.game) if args.seed is None else args.seed
    house.lock(args.out / save_name(args.game, seed))
    return Table(new, seed=seed, folder=args.out)


def _new_game(args: argparse.Namespace, options: dict[str, Any], adviser: str) -> NewGame:
    """Return the game that the command line asks for, with these options of play."""
    people = "0" if args.people is None else args.people
    against = "scripted" if args.against is None else args.against
    return NewGame.from_words(cli.game_class(args.game), options, people, against, adviser=adviser, learn=args.learn)


def _resumed(args: argparse.Namespace, path: Path, house: House) -> Table:
    """Return a saved table, which no other process plays; ValueError if the options are not those of the table."""
    named = [*specs_in(args.against or ""), args.hint]
    try:
        table = Table.resume(path, cli.game_class(args.game), named)
    except ForeignBotsError as error:
        raise ValueError(f"{path}: {error}") from None
    saved = table.game.options
    try:
        wanted = table.game.spec.check_options({**saved, **cli.options_of(args)})
    except ValueError:  # they do not go together with those saved
        wanted = {}
    adviser = args.hint or table.new.adviser
    is_same = (wanted, adviser) == (saved, table.new.adviser)
    if is_same and not (args.people is None and args.against is None):
        is_same = _new_game(args, wanted, adviser).bots == table.bots
    if not is_same:
        raise ValueError(f"{path} is a game with other options or bots: leave them out, or give another --seed")
    house.lock(path)
    sys.stdout.write(f"resuming {path}\n")
    table.learners |= {*table.people} if args.learn else set()
    return table


# --- pages -----------------------------------------------------------------------------------------------------------


def _listen(port: int, host: str, house: House) -> tuple[Pages, WSGIServer]:
    """Return the pages, with their server, on the port of those before unless another is given."""
    port_before, token = _read_address(house.folder / ADDRESS)
    pages = Pages(house, token)
    try:
        server = serve(pages, port or port_before, host)
    except OSError:
        if port or not port_before:
            raise
        server = serve(pages, 0, host)
        sys.stdout.write(f"port {port_before}, where the page was, is taken: open the new address\n")
    return pages, server


def _serve(table: Table | None, pages: Pages, server: WSGIServer) -> None:
    """Serve the pages until Ctrl-C; say where those of a table are, or for None the start page.

    Port and token are kept next to the saved games, so that a page that is open goes on after a restart.
    """
    house, host = pages.house, pages.server[0]
    address = {"port": server.server_port, "token": pages.token}
    with suppress(ValueError):  # another process serves the folder, and keeps its address
        house.lock(house.folder / ADDRESS)
        write_whole(house.folder / ADDRESS, json.dumps(address), only_owner=True)  # it opens the pages
    links = {"the start page": f"/{pages.token}/"} if table is None else pages.links(table)
    for who, path in links.items():
        sys.stdout.write(f"{who}: {pages.address(path)}\n")
    where = "on this machine" if ipaddress.ip_address(host).is_loopback else "on any machine of the network"
    sys.stdout.write(f"open it in a browser {where}; Ctrl-C stops, games are saved\n")
    sys.stdout.flush()
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        sys.stdout.write("\n")


def _read_address(path: Path) -> tuple[int, str]:
    """Return port and token of the pages before; 0 and an empty text if they are not known."""
    with suppress(OSError, ValueError):
        if fits(data := json_of(text_in(path)), {"port": range(2**16), "token": _token}):
            return data["port"], data["token"]
    return 0, ""


def _token(value: Any) -> bool:
    """Letters, digits, hyphens and underscores."""
    return isinstance(value, str) and re.fullmatch(r"[\w-]+", value, re.ASCII) is not None


def _say_where(table: Table, host: str) -> None:
    """Say where the game is saved, and how to resume it on the address ``host``, once it is."""
    if table.folder is None:
        return
    try:
        if not table.is_saved:  # the disk was full
            with table.lock:
                table.save()
    except OSError as error:
        sys.stdout.write(f"the last decisions could not be saved: {error_text(error)}\n")
        return
    text = f"saved in {table.folder / save_name(table.game.spec.name, table.seed)}"
    if table.record_path is not None:
        command = [cli.SCRIPT, "view", str(table.record_path)]
        text += f"; the record is {table.record_path}: {shlex.join(command)} shows it"
    else:
        command = [cli.SCRIPT, "play", "--game", table.game.spec.name, "--seed", str(table.seed)]
        command += ["--out", str(table.folder)]
        command += [] if ipaddress.ip_address(host).is_loopback else ["--host", host]
        if any(is_foreign(name, table.game.spec) for name in table.bots.values()):  # they are not started unnamed
            people = ",".join(map(str, sorted(table.people)))
            command += ["--people", people, "--against", ",".join(table.bots.values())]
        if is_foreign(table.new.adviser, table.game.spec):
            command += ["--hint", table.new.adviser]
        text += f"; {shlex.join(command)} resumes it"
    sys.stdout.write(f"{text}\n")
