"""The start page and the pages of tables, served to this machine, or to the network that its owner names.

bottle is one file without dependencies, and its application is a WSGI function, so that tests call it without a socket.
Each page has an address that holds a random token; nobody can guess the address of another person's page.
"""

import gzip
import hmac
import ipaddress
import json
import re
import secrets
import tempfile
import threading
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, NoReturn
from urllib.parse import urlsplit

from shogun_env import FULL_GAMES, GAMES, cli
from shogun_env.files import error_text
from shogun_env.play.advice import champion_at
from shogun_env.play.house import Ended, House
from shogun_env.play.new_game import NewGame
from shogun_env.play.notes import WAY, friends_page, note, waiting_page, ways_of
from shogun_env.play.reviews import Reviews
from shogun_env.play.saving import ForeignBotsError, Origin
from shogun_env.play.start import foreign_bots_page, start_page
from shogun_env.play.table import Table
from shogun_env.records.document import page
from shogun_env.records.text import glossary_of, short_rules
from shogun_env.spec.bots import FaultError
from shogun_env.spec.forms import json_of, shown
from shogun_env.spec.voice import EVERYBODY

MISSING = "playing on a page needs the extra play: pip install 'shogun-env[play]'"
"""Message of the error raised where the extra is not installed."""
LONGEST_RECORD = 4_000_000
"""Bytes of a record that is opened; those of games have 100,000."""
WRONG_ADDRESS = "This address opens no page here: use the one that the program printed, or the link of your host."
WATCH = "to watch: what everybody may see"
RESIGN = "Give the game up? A bot plays on for you, and the game counts as lost."
MOST_SEATS = 8
"""Players of a table at most."""
LONGEST_POST = 10_000
"""Bytes of a request that are read."""
HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'self' 'unsafe-inline'; img-src data:; frame-ancestors 'none'",
}


class Who(NamedTuple):
    """Who opens an address, by the token in it."""

    is_host: bool
    """Whether the start page and all games of the folder are theirs."""
    seat: int | None = None
    """The player whose page of one table the token opens, or EVERYBODY; None for the host, who has a seat at each."""
    name: str = ""
    """The name of the table whose pages are opened; empty for the start page."""


def _game_in(name: str) -> str:
    """Return the game of a table by the table's name, such as ``7.shogun``."""
    return name.rpartition(".")[2]


class Pages:
    """The start page, and the pages of tables, each table under its name.

    The host's token opens all. The tokens of others follow from it: each opens the page of one player at one table, or
    what everybody may see of one; so they are the same after a restart, and none leads to another.

    Args:
        house: the games of the folder; None: those of a folder that is removed at the end.
        token: the token of the host, such as that before a restart; empty: a new one.

    Raises: ImportError that names the extra, if bottle is not installed.
    """

    def __init__(self, house: House | None = None, token: str = "") -> None:
        """Make the application."""
        try:
            import bottle
        except ImportError:
            raise ImportError(MISSING) from None
        self._bottle = bottle
        self._scratch = tempfile.TemporaryDirectory(prefix="shogun-env-")
        self.house = house or House(Path(self._scratch.name))
        self.token = token or secrets.token_urlsafe(18)
        """The token of the host."""
        self.server = ("127.0.0.1", 0)
        """Address and port of the server."""
        self._reviews = Reviews(self.house.folder)
        self._lock = threading.Lock()
        self._begun: dict[tuple[str, ...], str] = {}
        """The games begun, by what was sent for them and where: a button that is pressed twice begins one."""
        self.app = bottle.Bottle()
        """The WSGI application."""
        game = "/game/<name>"
        for method, path, answer in (
            ("GET", "/", self._start),
            ("POST", "/begin", self._begin),
            ("POST", "/delete", self._delete),
            ("POST", "/open", self._open),
            ("GET", f"{game}/", self._page),
            ("POST", f"{game}/", self._page),
            ("GET", f"{game}/state", self._state),
            ("GET", f"{game}/events", self._events),
            ("GET", f"{game}/replay", self._replay),
            ("GET", f"{game}/review", self._review),
            ("GET", f"{game}/champion", self._champion),
            ("GET", f"{game}/friends", self._friends),
            ("POST", f"{game}/again", self._try_again),
            ("POST", f"{game}/resign", self._resign),
            ("POST", f"{game}/<command>", self._command),
        ):
            self.app.route(f"/<token>{path}", method, partial(self._answer, answer))
        for path in ("/<token>", f"/<token>{game}"):  # links of pages are relative
            self.app.route(path, "GET", lambda **parts: bottle.redirect(f"{bottle.request.path}/"))
        self.app.add_hook("before_request", self._check_host)
        self.app.add_hook("after_request", lambda: bottle.response.headers.update(HEADERS))
        self.app.default_error_handler = self._error

    # --- who may open what -------------------------------------------------------------------------------------------

    def path(self, name: str, seat: int | None = None) -> str:
        """Return the path of a player's page at a table, of EVERYBODY's, or for None of the host's."""
        if seat is None:
            return f"/{self.token}/game/{name}/"
        return f"/{self._token_of(name, seat)}/game/{_game_in(name)}/"  # the name holds the seed

    def links(self, table: Table) -> dict[str, str]:
        """Return the paths of the pages of the people at a table, by who they are."""
        return {
            f"player {player}": self.path(table.name, None if player == table.new.seat else player)
            for player in table.people
        }

    def address(self, path: str) -> str:
        """Return a path of the pages as an address."""
        return f"http://{self.server[0]}:{self.server[1]}{path}"

    def _token_of(self, name: str, seat: int) -> str:
        """Return the token of a player of a table who is not the host, or of EVERYBODY."""
        return hmac.new(self.token.encode(), f"{name} {seat}".encode(), "sha256").hexdigest()[:32]

    def _who(self, token: str, name: str = "") -> Who | None:
        """Return whom a token lets in, to the pages of a table if an address names one; None for a wrong one."""
        if hmac.compare_digest(token.encode(), self.token.encode()):
            return Who(is_host=True, name=name)
        for known in self.house.names():
            for seat in range(EVERYBODY, MOST_SEATS) if _game_in(known) == name else ():
                if hmac.compare_digest(token.encode(), self._token_of(known, seat).encode()):
                    return Who(is_host=False, seat=seat, name=known)
        return None

    def _check_host(self) -> None:
        """Refuse a page of another name that leads here: a stranger's page could then read what a browser can."""
        with suppress(ValueError):
            host = urlsplit(f"//{self._bottle.request.headers.get('Host', '')}").hostname or ""
            if host == "localhost" or ipaddress.ip_address(host):
                return
        self._refuse(403, "open this page by the number of the machine, such as 127.0.0.1, not by a name")

    # --- requests ----------------------------------------------------------------------------------------------------

    def _answer(self, answer: Callable[..., Any], token: str, **parts: str) -> Any:
        """Return what is answered to whom a token lets in: a page, or an object as JSON."""
        who = self._who(token, parts.pop("name", ""))
        if who is None:
            self._refuse(404, WRONG_ADDRESS)
        content = answer(who, **parts)
        if isinstance(content, dict):
            self._bottle.response.content_type = "application/json"
            content = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
        if not content or "gzip" not in self._bottle.request.get_header("Accept-Encoding", ""):
            return content
        self._bottle.response.set_header("Content-Encoding", "gzip")
        return gzip.compress(content.encode(), compresslevel=1)

    def _refuse(self, status: int, message: str) -> NoReturn:
        """Answer with an error."""
        raise self._bottle.HTTPError(status, message)

    @contextmanager
    def _refusing(self) -> Iterator[None]:
        """Answer with what is wrong with a request, or why a bot gave no answer."""
        try:
            yield
        except Exception as error:
            self._refuse(409, _told(error))

    @contextmanager
    def _at(self, who: Who) -> Iterator[tuple[Table, int]]:
        """Let nobody else at a table while the block shows or changes it: the table, and whose page is shown."""
        with self._refusing():
            table = self.house.tables.get(who.name)
            if table is None:
                with self._lock:
                    table = self.house.table(who.name)
            seat = table.new.seat if who.seat is None else who.seat
            if seat not in (*table.people, EVERYBODY):
                self._refuse(404, WRONG_ADDRESS)
            with table.lock:
                yield table, int(seat)

    def _error(self, error: Any) -> str:
        """Return an error as a page for people who opened an address, as JSON for a page that asked."""
        messages = {500: "The program failed; see its window.", 405: "This is not a way to use this address."}
        is_routed = "bottle.route" in self._bottle.request.environ
        message = error.body if is_routed or error.status_code != 404 else WRONG_ADDRESS
        message = messages.get(error.status_code, str(message))
        error.headers.update(HEADERS)
        if "text/html" not in self._bottle.request.environ.get("HTTP_ACCEPT", ""):
            error.content_type = "application/json"
            return json.dumps({"error": message})
        _, token, *rest = f"{self._bottle.request.path}/".split("/")
        name = rest[1] if len(rest) > 1 and rest[0] == "game" else ""
        who = self._who(token, name)
        links = self._ways(who) if who else [("/", "How to open a table")]
        return note("This did not work", message, links)

    def _ways(self, who: Who) -> list[tuple[str, str]]:
        """Return where to go from the pages of a game: addresses with texts."""
        ways = [(f"/{self.token}/", "start page")] if who.is_host else []
        if who.name and (who.name in self.house.tables or who.seat is not None):
            ways.append((self.path(who.name, who.seat), "the table"))
        return ways

    # --- the page of a player ----------------------------------------------------------------------------------------

    def _page(self, who: Who) -> str:
        """Return the page of a table, or one that asks which bots of a saved table may be started."""
        with self._refusing():
            try:
                if who.is_host and who.name not in self.house.tables:
                    with self._lock:
                        self.house.table(who.name, self._allowed() or ())
            except ForeignBotsError as error:
                return self._ask_about(error)
        with self._at(who) as (table, player):
            spec = table.game.spec
            called = "looked at" if player == EVERYBODY else f"player {player}"
            text = page(
                __package__,
                "page",
                {"title": f"{spec.title}, {called}", "rules": short_rules(spec)},
                glossary_of(spec),
                ["state", "end", "division", "talk", "drag", "plan", "choices", "lesson", "unfold"],
            )
        return text.replace(WAY, self._menu(who, plays=player != EVERYBODY))

    def _menu(self, who: Who, plays: bool) -> str:
        """Return the ways out of a game, for its page."""
        ways = [(f"/{self.token}/", "start page"), ("friends", "friends: who plays, and a link to watch")]
        links = "".join(f'<a href="{href}">{text}</a>' for href, text in ways if who.is_host)
        resign = f'<form method="post" action="resign"><p>{RESIGN}</p><button>resign</button></form>' if plays else ""
        return f'<details id="menu"><summary>menu</summary>{links}{resign}</details>' if links or resign else ""

    def _state(self, who: Who) -> dict[str, Any]:
        """Return the view of a person, or only its version if they have it already."""
        with self._at(who) as (table, player):
            version = table.versions[player]
            is_known = self._bottle.request.query.get("version") == str(version)
            return {"version": version} if is_known else self._view(who, table, player)

    def _view(self, who: Who, table: Table, player: int) -> dict[str, Any]:
        """Return what the page of a person shows, with what the table does not know."""
        links = {other: self.path(table.name, other) for other in table.people if who.is_host and other != player}
        reviewed = table.game.spec.name in FULL_GAMES
        return {**table.view(player), "links": links, "reviewed": reviewed, "next": self._next(who, table, player)}

    def _next(self, who: Who, table: Table, player: int) -> str:
        """Return the path of a person's page at the table at which they play again; empty for none."""
        if table.next is None:
            return ""
        seats = {**dict(zip(table.people, table.next.people, strict=True)), EVERYBODY: EVERYBODY}
        return self.path(table.next.name, None if who.is_host else seats[player])

    def _events(self, who: Who) -> dict[str, Any]:
        """Return what has happened since a person confirmed last, event by event."""
        with self._at(who) as (table, player):
            return table.events(player)

    def _command(self, who: Who, command: str) -> dict[str, Any]:
        """Carry out a command of a person, and return their view."""
        commands: dict[str, Callable[[Table, int, dict[str, Any]], dict[str, Any] | None]] = {
            "choose": lambda table, player, data: table.choose(player, str(data.get("action"))),
            "lay": lambda table, player, data: table.lay(
                player,
                {int(at) if at.isdecimal() else at: str(card) for at, card in part_of(data, "cards", dict).items()},
            ),
            "divide": lambda table, player, data: table.divide(
                player, *([str(text) for text in part_of(data, key, list)] for key in ("cards", "tiles"))
            ),
            "undo": lambda table, player, data: table.undo(player),
            "confirm": lambda table, player, data: table.confirm(player),
            "hint": lambda table, player, data: table.advice(player),
            "explain": lambda table, player, data: table.explain(player, data.get("on") is True),
            "rematch": lambda table, player, data: self._rematch(table),
        }
        if command not in commands:
            self._refuse(404, f"{command!r} is not a command")
        try:
            length = min(max(int(self._bottle.request.content_length), 0), LONGEST_POST)
            data = json_of(self._bottle.request.environ["wsgi.input"].read(length) or b"{}")
            version = data.get("version")
        except (ValueError, AttributeError, OSError):  # OSError: what was announced did not come
            self._refuse(409, "the request is not a JSON object")
        with self._at(who) as (table, player):
            if player == EVERYBODY:
                self._refuse(409, "you watch this game: its players move")
            if not table.is_current(player, version):
                self._refuse(409, "the game has gone on in another tab or at another page; this one is up to date now")
            return {**(commands[command](table, player, data) or {}), **self._view(who, table, player)}

    def _rematch(self, table: Table) -> None:
        """Begin another game of the same people; ValueError as long as this one lasts."""
        with self._lock:
            self.house.another(table)
        table.show_again()

    def _resign(self, who: Who) -> None:
        """Let a bot play on for a person."""
        with self._at(who) as (table, player):
            if player not in table.resigned:  # else the button was pressed twice
                table.resign(player)
        self._bottle.redirect("./", 303)

    def _friends(self, who: Who) -> str:
        """Return the links of the others at a table, and of those who watch, for the host to hand out."""
        if not who.is_host:
            self._refuse(404, WRONG_ADDRESS)
        with self._at(who) as (table, player):
            names = {each: f"P{each}, {table.names[each]}" for each in table.people if each != player}
        links = {text: self.address(self.path(who.name, each)) for each, text in {**names, EVERYBODY: WATCH}.items()}
        return friends_page(links, self._ways(who), is_open=not ipaddress.ip_address(self.server[0]).is_loopback)

    # --- games that are over -----------------------------------------------------------------------------------------

    def _ended(self, who: Who) -> Ended:
        """Return a game that is over, and which seat of it somebody had."""
        with self._refusing():
            batch_type, lines, host, resigned, since = self.house.ended(who.name)
        seat = host if who.seat is None else who.seat
        return batch_type, lines, None if seat == EVERYBODY else seat, resigned, since

    def _replay(self, who: Who) -> str:
        """Return the replay of a game."""
        ended = self._ended(who)
        return self._with_way(who, self._reviews.replay(*ended[:3], who.is_host), ended)

    def _review(self, who: Who) -> str:
        """Return the replay with what decisions have cost, or how far the work is; others are served meanwhile."""
        ended = self._ended(who)
        with self._refusing():
            page = self._reviews.ask(*ended, who.is_host)
        if not isinstance(page, str):
            page = waiting_page(page)
        return self._with_way(who, page, ended)

    def _champion(self, who: Who) -> dict[str, Any]:
        """Return what the champion would do at a decision of a game that is over."""
        (batch_type, lines, *_), query = self._ended(who), self._bottle.request.query
        with self._refusing():
            decision, player = numbers_in(query, "decision", "player")
            game, moves = Origin(lines, decision).game_and_moves(cli.game_class(batch_type.spec.name), seed=0)
            return {"says": champion_at(game, player, moves)}

    def _with_way(self, who: Who, page: str, ended: Ended) -> str:
        """Return a page of a game that is over with the ways to other pages."""
        kinds = ["replay", "review"] if ended[0].spec.name in FULL_GAMES else ["replay"]
        ways = [*self._ways(who), *((kind, kind) for kind in kinds)]
        return page.replace(WAY, ways_of(ways), 1)

    def _try_again(self, who: Who) -> str:
        """Begin a game from a decision of one that is over."""
        if not who.is_host:
            self._refuse(404, WRONG_ADDRESS)
        (batch_type, lines, *_), form = self._ended(who), self._form()
        with self._refusing():
            decision, seat = numbers_in(form, "decision", "player")
            begin = partial(self.house.try_again, batch_type.spec.name, lines, decision, seat, self._allowed())
            try:
                table = self._once(form, begin)
            except ForeignBotsError as error:
                return self._ask_about(error, can_replace=True)
        self._bottle.redirect(self.path(table.name), 303)
        return ""

    def _allowed(self) -> list[str] | None:
        """Return the bots, not of this package, that somebody has allowed to start; None if nobody was asked."""
        with self._refusing():
            allowed = json_of(self._bottle.request.forms.getunicode("allowed") or "null")
            if allowed is not None and not isinstance(allowed, list):
                raise ValueError("allowed: must be a list")
        return allowed

    def _ask_about(self, error: ForeignBotsError, can_replace: bool = False) -> str:
        """Return a page that asks whether bots may be started, and sends the request again."""
        return foreign_bots_page(error.names, self._form(), can_replace)

    def _form(self) -> dict[str, str]:
        """Return what a form has sent."""
        forms = self._bottle.request.forms
        return {key: forms.getunicode(key) for key in forms}

    def _once(self, form: Mapping[str, str], begin: Callable[[], Table]) -> Table:
        """Return the table that a form begins; if its page has sent the same before, that which it began then."""
        sent = (self._bottle.request.path, *form, *form.values())
        with self._lock:
            table = self.house.tables.get(self._begun.get(sent, "")) if "page" in form else None
            table = table or begin()
            self._begun[sent] = table.name
        return table

    # --- the start page ----------------------------------------------------------------------------------------------

    def _start(self, who: Who, error: str = "", typed: Mapping[str, str] | None = None) -> str:
        """Return the start page, for a game that the address names or that was chosen last; ``typed`` is kept."""
        filled = self.house.choices if typed is None else typed
        game = self._bottle.request.query.get("game") or filled.get("game")
        return start_page(self.house, game if game in GAMES else GAMES[0], filled, error)

    def _begin(self, who: Who) -> str:
        """Begin the game that was chosen on the start page, or return the page with what was wrong."""
        form = self._form()
        try:
            table = self._once(form, lambda: self.house.begin(NewGame.from_form(form, self._allowed() or ())))
        except ForeignBotsError as error:
            return self._ask_about(error)
        except Exception as error:
            return self._start(who, _told(error), form)
        self._bottle.redirect(self.path(table.name), 303)
        return ""

    def _delete(self, who: Who) -> None:
        """Delete a game of the folder."""
        name = self._bottle.request.forms.get("game", "")
        table = self.house.tables.get(name)
        with self._refusing(), table.lock if table else nullcontext(), self._lock:  # a bot may think, and then save
            self.house.delete(name)
        self._bottle.redirect("./", 303)

    def _open(self, who: Who) -> str:
        """Show a record that was sent."""
        request = self._bottle.request
        sent = request.files.get("record")
        if request.content_length > LONGEST_RECORD or sent is None:
            return self._start(who, f"the record: choose a file of at most {LONGEST_RECORD // 10**6} MB")
        try:
            name = self.house.open(sent.file.read())
        except ValueError as error:
            return self._start(who, f"{sent.raw_filename} is not a record of a game: {error}")
        what, game = "review" if request.query.get("review") else "replay", self.house.ended(name)[0].spec
        if what == "review" and game.name not in FULL_GAMES:
            return self._start(who, f"{sent.raw_filename} is of {game.title}, which has no reviews, only replays")
        self._bottle.redirect(f"game/{name}/{what}", 303)
        return ""


def _told(error: Exception) -> str:
    """Return what was wrong with a request, or why a bot gave no answer; raise a fault of this program again."""
    if isinstance(error, ValueError | OSError | ImportError | FaultError):
        return error_text(error)
    if "__notes__" not in vars(error):  # a bot's has one
        raise error
    traceback.print_exception(error)
    return f"{type(error).__name__}: {error_text(error)}"


def numbers_in(sent: Mapping[str, str], *names: str) -> list[int]:
    """Return whole numbers that a form or an address holds; ValueError naming the first that is none."""
    for name in names:
        if not re.fullmatch(r"\d{1,15}", sent.get(name, ""), re.ASCII):
            raise ValueError(f"{name}={shown(sent.get(name, ''))}: must be a whole number")
    return [int(sent[name]) for name in names]


def part_of(data: Mapping[str, Any], key: str, kind: type) -> Any:
    """Return a part of what a page sent; ValueError if it is of another kind."""
    if not isinstance(data.get(key), kind):
        raise ValueError(f"{key}: must be {'an object' if kind is dict else 'a list'} of JSON")
    return data[key]
