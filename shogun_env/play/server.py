"""The pages of a table and the start page, served to this machine only.

bottle is one file without dependencies, and its application is a WSGI function, so that tests call it without a socket.
Each person has a page whose address holds a random token; nobody can guess the address of another person's page.
"""

import html
import json
import secrets
import socketserver
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, NoReturn
from wsgiref import simple_server

from shogun_env import GAMES
from shogun_env.play.house import Ended, House
from shogun_env.play.new_game import NewGame
from shogun_env.play.reviews import Reviews, waiting_page
from shogun_env.play.saving import PERSON, ForeignBotsError
from shogun_env.play.start import foreign_bots_page, start_page
from shogun_env.play.table import Table
from shogun_env.records.document import document, page
from shogun_env.records.story import player_names
from shogun_env.records.text import glossary_of, short_rules
from shogun_env.review.analysis import turning_points, why
from shogun_env.spec.bots import FaultError
from shogun_env.spec.forms import json_of
from shogun_env.spec.game_spec import Line

MISSING = "playing on a page needs the extra play: pip install 'shogun-env[play]'"
"""Message of the error raised where the extra is not installed."""
NOW = "now"
"""What addresses call the game of the table."""
LONGEST_RECORD = 4_000_000
"""Bytes of a record that is opened; those of games have 100,000."""
WRONG_ADDRESS = "this address is not of a page of this table: use the one that the program printed"
TURNS, TEXTS = 3, 3
"""Turning points that the end of a game names at most, and what happened at each."""
LONGEST_POST = 10_000
"""Bytes of a request that are read."""
PATIENCE = 20.0
"""Seconds that a client may be silent within a request."""
HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'self' 'unsafe-inline'; img-src data:; frame-ancestors 'none'",
}


class Pages:
    """The pages of a table: one per person, each under its own token; the first person's also opens the start page."""

    def __init__(
        self, table: Table | None, tokens: Mapping[int, str] | None = None, house: House | None = None
    ) -> None:
        """Make the application.

        Args:
            table: the table; None: the start page comes first.
            tokens: the token of each person, the host's first, such as those before a restart; without, new ones.
            house: the games of the folder, for the start page and another game; None: those of a folder that is
                removed at the end.

        Raises: ImportError that names the extra, if bottle is not installed.
        """
        try:
            import bottle
        except ImportError:
            raise ImportError(MISSING) from None
        self._bottle = bottle
        self._scratch = tempfile.TemporaryDirectory(prefix="shogun-env-")
        self.house = house or House(Path(self._scratch.name))
        self.playing = table
        """The table that is played; None before one has begun."""
        self.tokens = _tokens_of([0] if table is None else table.people, (tokens or {}).values())
        """The token of each person, the host's first."""
        self._reviews = Reviews(self.house.folder)
        self.moved: Callable[[], None] = lambda: None
        """What is done when the pages are those of another game."""
        self._lock = threading.Lock()
        self.app = bottle.Bottle()
        """The WSGI application."""
        for method, path, answer in (
            ("GET", "/", self._page),
            ("GET", "", lambda player: bottle.redirect(f"/{self.tokens[player]}/")),  # the page's links are relative
            ("GET", "/state", self._state),
            ("GET", "/events", self._events),
            ("GET", "/game/<name>/replay", self._replay),
            ("GET", "/game/<name>/review", self._review),
            ("POST", "/game/<name>/again", self._try_again),
            ("GET", "/turns", self._turns),
            ("GET", "/start", self._start),
            ("POST", "/begin", self._begin_chosen),
            ("POST", "/resume", self._resume),
            ("POST", "/open", self._open),
            ("POST", "/<command>", self._command),
        ):
            self.app.route(f"/<token>{path}", method, partial(self._answer, answer))
        self.app.add_hook("after_request", lambda: bottle.response.headers.update(HEADERS))
        for code in (404, 405, 409, 500):
            self.app.error(code)(self._error)

    def address(self, player: int, port: int) -> str:
        """Return the address of a person's page."""
        return f"http://127.0.0.1:{port}/{self.tokens[player]}/"

    @property
    def table(self) -> Table:
        """The table that is played; the start page is opened where there is none."""
        if self.playing is None:
            self._refuse(409, "no game has begun: begin one on the start page")
        return self.playing

    # --- requests ----------------------------------------------------------------------------------------------------

    def _answer(self, answer: Callable[..., Any], token: str, **parts: str) -> Any:
        """Return what is answered to the person whose page a token opens: a page, or an object as JSON."""
        player = next((player for player, opens in self.tokens.items() if opens == token), None)
        if player is None:
            self._refuse(404, WRONG_ADDRESS)
        content = answer(player, **parts)
        if not isinstance(content, dict):
            return content
        self._bottle.response.content_type = "application/json"
        return json.dumps(content, ensure_ascii=False, separators=(",", ":"))

    def _refuse(self, status: int, message: str) -> NoReturn:
        """Answer with an error."""
        raise self._bottle.HTTPError(status, message)

    @contextmanager
    def _refusing(self) -> Iterator[None]:
        """Answer with what is wrong with a request, or why a bot gave no answer."""
        try:
            yield
        except (ValueError, OSError, FaultError) as error:
            self._refuse(409, str(error))

    def _error(self, error: Any) -> str:
        """Return an error as a page for people who opened an address, as JSON for a page that asked."""
        messages = {500: "the program failed; see its window", 405: "this is not a way to use this address"}
        is_routed = "bottle.route" in self._bottle.request.environ
        message = messages.get(
            error.status_code, error.body if is_routed or error.status_code != 404 else WRONG_ADDRESS
        )
        error.headers.update(HEADERS)
        if "text/html" in self._bottle.request.environ.get("HTTP_ACCEPT", ""):
            return document("shogun-env", "", f"<p>{html.escape(message)}</p>")
        error.content_type = "application/json"
        return json.dumps({"error": message})

    # --- the page of a person ----------------------------------------------------------------------------------------

    def _page(self, player: int) -> str:
        if self.playing is None:
            self._bottle.redirect(f"/{self.tokens[player]}/start")
        spec = self.table.game.spec
        return page(
            __package__,
            "page",
            {"title": f"{spec.title}, player {player}", "rules": short_rules(spec)},
            glossary_of(spec),
            ["state", "end", "division", "talk", "drag", "plan", "choices", "lesson", "unfold"],
        )

    def _state(self, player: int) -> dict[str, Any]:
        """Return the view of a person, or only its version if they have it already."""
        with self._lock:
            version = self.table.versions[player]
            is_known = self._bottle.request.query.get("version") == str(version)
            return {"version": version} if is_known else self._view(player)

    def _view(self, player: int) -> dict[str, Any]:
        """Return what the page of a person shows, with what the table does not know."""
        is_host = self._is_host(player)
        links = {other: f"../{token}/" for other, token in self.tokens.items() if is_host and other != player}
        return {**self.table.view(player), "home": is_host, "links": links}

    def _events(self, player: int) -> dict[str, Any]:
        """Return what has happened since a person confirmed last, event by event."""
        with self._lock:
            return self.table.events(player)

    def _command(self, player: int, command: str) -> dict[str, Any]:
        """Carry out a command of a person, and return their view."""
        commands: dict[str, Callable[[dict[str, Any]], dict[str, Any] | None]] = {
            "choose": lambda data: self.table.choose(player, str(data.get("action"))),
            "lay": lambda data: self.table.lay(
                player,
                {int(at) if at.isdecimal() else at: str(card) for at, card in part_of(data, "cards", dict).items()},
            ),
            "divide": lambda data: self.table.divide(
                player, *([str(text) for text in part_of(data, key, list)] for key in ("cards", "tiles"))
            ),
            "undo": lambda data: self.table.undo(player),
            "confirm": lambda data: self.table.confirm(player),
            "hint": lambda data: self.table.advice(player),
            "explain": lambda data: self.table.explain(player, data.get("on") is True),
            "again": lambda data: self._again(),
        }
        if command not in (*commands, "why"):
            self._refuse(404, f"{command!r} is not a command")
        try:
            length = min(max(int(self._bottle.request.content_length), 0), LONGEST_POST)
            data = json_of(self._bottle.request.environ["wsgi.input"].read(length) or b"{}")
            version = data.get("version")
        except (ValueError, AttributeError, OSError):  # OSError: what was announced did not come
            self._refuse(409, "the request is not a JSON object")
        if command == "why":
            return self._why(player, str(data.get("action")))
        with self._lock:
            if not self.table.is_current(player, version):
                self._refuse(409, "the game has gone on in another tab or at another page; this page is up to date now")
            token = self.tokens[player]
            with self._refusing():
                advice = commands[command](data)
            player = next(who for who, opens in self.tokens.items() if opens == token)  # elsewhere in another game
            return {**self._view(player), **(advice or {})}

    def _why(self, player: int, action: str) -> dict[str, Any]:
        """Return what the champion makes of an action; the table is not locked meanwhile, as that may take seconds."""
        with self._refusing():
            with self._lock:
                game = self.table.asked(player)
            return {"why": why(game, action)}

    def _again(self) -> None:
        """Begin another game; ValueError as long as this one lasts."""
        if not self.table.game.is_over:
            raise ValueError("another game begins when this one is over")
        self._take(self.house.another(self.table))

    def _take(self, table: Table) -> None:
        """Let the pages be those of another table, whose pages know that they are behind."""
        if self.playing is not None:
            table.follow(self.playing)
        self.tokens = _tokens_of(table.people, self.tokens.values())  # people may sit elsewhere
        self.playing = table
        self.moved()

    # --- games that are over -----------------------------------------------------------------------------------------

    def _record(self) -> Sequence[Line]:
        """Return the record of the game, which shows everything, so that it must be over."""
        with self._lock:
            table = self.table
            if not table.game.is_over:
                self._refuse(409, "the game is not over: its replay would show what is secret")
            return table.game.record([table.bots.get(player, PERSON) for player in range(table.game.num_players)])

    def _turns(self, player: int) -> dict[str, Any]:
        """Return where the game turned, in the champion's eyes; others are served meanwhile, as with a review."""
        batch_type = type(self.table.game.batch)
        names = player_names(batch_type.spec, player)
        with self._refusing():  # a game may have no champion
            points = turning_points(batch_type, self._record(), count=TURNS, names=names)
        turns = [
            {
                "player": turn.player,
                "when": turn.when,
                "before": round(100 * turn.before),
                "after": round(100 * turn.after),
                "texts": list(turn.texts[:TEXTS]),
            }
            for turn in points
        ]
        return {"turns": turns}

    def _ended(self, player: int, name: str) -> Ended:
        """Return a game that is over by the name that addresses have for it, ``now`` for the table's."""
        if name == NOW:
            return type(self.table.game.batch), self._record(), player
        with self._refusing():
            return self._at_home(player).ended(name)

    def _replay(self, player: int, name: str) -> str:
        """Return the replay of a game."""
        return self._reviews.replay(*self._ended(player, name), self._is_host(player))

    def _review(self, player: int, name: str) -> str:
        """Return the replay with what decisions have cost, or how far the work is; others are served meanwhile."""
        ended = self._ended(player, name)
        with self._refusing():
            page = self._reviews.ask(*ended, self._is_host(player))
        if isinstance(page, str):
            return page
        self._bottle.response.set_header("Refresh", "1")
        return waiting_page(page)

    def _try_again(self, player: int, name: str) -> str:
        """Begin a game from a decision of one that is over."""
        (batch_type, lines, _), house = self._ended(player, name), self._at_home(player)
        form = self._bottle.request.forms
        with self._refusing():
            decision, seat = int(form.get("decision", "")), int(form.get("player", ""))
            try:
                table = house.try_again(batch_type.spec.name, lines, decision, seat, self._allowed())
            except ForeignBotsError as error:
                return self._ask_about(error, can_replace=True)
        self._sit_down(table)
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
        forms = self._bottle.request.forms
        return foreign_bots_page(error.names, {key: forms.getunicode(key) for key in forms}, can_replace)

    # --- the start page ----------------------------------------------------------------------------------------------

    def _is_host(self, player: int) -> bool:
        """Return whether the start page and the games of the folder are a person's."""
        return player == next(iter(self.tokens))

    def _at_home(self, player: int) -> House:
        """Return the games of the folder, for the host."""
        if not self._is_host(player):
            self._refuse(404, WRONG_ADDRESS)
        return self.house

    def _start(self, player: int, error: str = "") -> str:
        """Return the start page, for a game that the address names or that was chosen last."""
        house = self._at_home(player)
        game = self._bottle.request.query.get("game") or house.choices.get("game")
        return start_page(house, game if game in GAMES else GAMES[0], error)

    def _sit_down(self, table: Table) -> None:
        """Let the pages be those of another table, and lead the host there."""
        with self._lock:
            self._take(table)
        self._bottle.redirect(f"/{self.tokens[table.people[0]]}/", 303)

    def _from_start(self, player: int, begin: Callable[[House], Table]) -> str:
        """Begin or resume a game, or return the start page with what was wrong."""
        house = self._at_home(player)
        try:
            table = begin(house)
        except ForeignBotsError as error:
            return self._ask_about(error)
        except (ValueError, OSError, ImportError, FaultError) as error:
            return self._start(player, str(error))
        self._sit_down(table)
        return ""

    def _begin_chosen(self, player: int) -> str:
        """Begin the game that was chosen on the start page."""
        forms = self._bottle.request.forms
        form = {key: forms.getunicode(key) for key in forms}
        return self._from_start(player, lambda house: house.begin(NewGame.from_form(form, self._allowed() or ())))

    def _resume(self, player: int) -> str:
        """Go on with a saved game."""
        game = self._bottle.request.forms.get("game", "")
        return self._from_start(player, lambda house: house.resume(game, self._allowed() or ()))

    def _open(self, player: int) -> str:
        """Show a record that was sent."""
        house, request = self._at_home(player), self._bottle.request
        sent = request.files.get("record")
        if request.content_length > LONGEST_RECORD or sent is None:
            return self._start(player, f"the record: choose a file of at most {LONGEST_RECORD // 10**6} MB")
        try:
            name = house.open(sent.file.read())
        except ValueError as error:
            return self._start(player, f"{sent.raw_filename} is not a record of a game: {error}")
        what = "review" if request.query.get("review") else "replay"
        self._bottle.redirect(f"/{self.tokens[player]}/game/{name}/{what}", 303)
        return ""


def _tokens_of(people: Sequence[int], tokens: Iterable[str]) -> dict[int, str]:
    """Return the token of each person: those there are in the same order, then new ones."""
    return dict(zip(people, chain(tokens, (secrets.token_urlsafe(18) for _ in people)), strict=False))


def part_of(data: Mapping[str, Any], key: str, kind: type) -> Any:
    """Return a part of what a page sent; ValueError if it is of another kind."""
    if not isinstance(data.get(key), kind):
        raise ValueError(f"{key}: must be {'an object' if kind is dict else 'a list'} of JSON")
    return data[key]


# --- serving ---------------------------------------------------------------------------------------------------------


class _Server(socketserver.ThreadingMixIn, simple_server.WSGIServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print what went wrong, unless a client went away or was too slow."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


class _Quiet(simple_server.WSGIRequestHandler):
    timeout = PATIENCE

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing: addresses hold tokens."""


def serve(pages: Pages, port: int) -> simple_server.WSGIServer:
    """Return a server of the pages on 127.0.0.1, with a thread per request; ``serve_forever`` runs it.

    Args: pages; port, 0 for any that is free.
    Raises: OSError naming the port if it is in use; ValueError if it is not a port.
    """
    if not 0 <= port < 65536:
        raise ValueError(f"port {port}: must be from 0, for any that is free, to 65535")
    try:
        return simple_server.make_server("127.0.0.1", port, pages.app, _Server, _Quiet)
    except OSError as error:
        raise OSError(f"port {port}: {error.strerror}; give another one with --port, or 0 for any") from None
