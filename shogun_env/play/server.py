"""The pages of a table, served to this machine only.

bottle is one file without dependencies, and its application is a WSGI function, so that tests call it without a socket.
Each person has a page whose address holds a random token; nobody can guess the address of another person's page.
"""

from __future__ import annotations

import html
import json
import secrets
import socket
import socketserver
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, NoReturn
from wsgiref import simple_server

from shogun_env.play.table import NO_ADVICE, Table
from shogun_env.records.document import document, page
from shogun_env.records.story import player_names
from shogun_env.records.text import glossary_of, short_rules
from shogun_env.records.view import html_page
from shogun_env.review.analysis import Effort, review, thoughts_of, turning_points, why
from shogun_env.spec.faults import FaultError
from shogun_env.spec.forms import json_of

__all__ = ["Pages", "serve"]

MISSING = "playing on a page needs the extra play: pip install 'shogun-env[play]'; or use --terminal"
"""Message of the error raised where the extra is not installed."""
WRONG_ADDRESS = "this address is not of a page of this table: use the one that the program printed"
REVIEW = Effort(first=32, again=256)
"""Half of what the command ``review`` usually does, since somebody waits."""
TURNS, TEXTS = 3, 3
"""Turning points that the end of a game names at most, and what happened at each."""
LONGEST_POST = 10_000
"""Bytes of a request that are read."""
HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'self' 'unsafe-inline'; img-src data:; frame-ancestors 'none'",
}


class Pages:
    """The pages of a table: one per person, each under its own token."""

    def __init__(
        self, table: Table, tokens: Mapping[int, str] | None = None, begin: Callable[[], Table] | None = None
    ) -> None:
        """Make the application.

        Args:
            table: the table.
            tokens: the token of each person, such as those before a restart; without, new ones.
            begin: returns the table of another game of the same players, for the time when this one is over.

        Raises: ImportError that names the extra, if bottle is not installed.
        """
        try:
            import bottle
        except ImportError:
            raise ImportError(MISSING) from None
        self.table, self._bottle = table, bottle
        self.tokens = {player: (tokens or {}).get(player) or secrets.token_urlsafe(18) for player in table.people}
        """The token of each person."""
        self._begin = begin
        self.moved: Callable[[], None] = lambda: None
        """What is done when the pages are those of another game."""
        self._lock = threading.Lock()
        table.ponder()
        self.app = bottle.Bottle()
        """The WSGI application."""
        self.app.route("/<token>/", "GET", self._page)
        self.app.route("/<token>", "GET", self._whole_address)
        self.app.route("/<token>/state", "GET", self._state)
        self.app.route("/<token>/events", "GET", self._events)
        self.app.route("/<token>/replay", "GET", self._replay)
        self.app.route("/<token>/review", "GET", self._review)
        self.app.route("/<token>/turns", "GET", self._turns)
        self.app.route("/<token>/<command>", "POST", self._command)
        self.app.add_hook("before_request", self._check_host)
        for code in (403, 404, 405, 409, 500):
            self.app.error(code)(self._error)

    def address(self, player: int, port: int) -> str:
        """Return the address of a person's page."""
        return f"http://127.0.0.1:{port}/{self.tokens[player]}/"

    def _check_host(self) -> None:
        """Refuse requests that a page of another site has sent here by a name of its own."""
        host = self._header("HTTP_HOST").rsplit(":", 1)[0]
        if host not in ("127.0.0.1", "localhost"):
            self._refuse(403, "this server answers to 127.0.0.1 only")

    def _header(self, name: str) -> str:
        """Return a header of the request by its name in WSGI, as it was sent: bottle fails where it is not UTF-8."""
        return str(self._bottle.request.environ.get(name, ""))

    def _player(self, token: str) -> int:
        """Return whose page a token opens."""
        for player, own in self.tokens.items():
            if secrets.compare_digest(own.encode(), token.encode("utf-8", "surrogateescape")):
                return player
        self._refuse(404, WRONG_ADDRESS)

    def _page(self, token: str) -> str:
        player = self._player(token)
        self._bottle.response.headers.update(HEADERS)
        title = f"{self.table.game.spec.title}, player {player}"
        return page(
            __package__,
            "page",
            {"title": title, "rules": short_rules(self.table.game.spec)},
            glossary_of(self.table.game.spec),
            ["state", "end", "division", "talk", "drag", "plan", "choices", "lesson", "unfold"],
        )

    def _whole_address(self, token: str) -> None:
        """Lead to the page, whose address ends in a slash."""
        self._bottle.redirect(f"/{self.tokens[self._player(token)]}/")

    def _refuse(self, status: int, message: str) -> NoReturn:
        """Answer with an error."""
        raise self._bottle.HTTPError(status, message)

    def _replay(self, token: str) -> str:
        """Return the replay of the game."""
        self._player(token)
        lines = self._record()
        self._bottle.response.headers.update(HEADERS)
        return html_page(type(self.table.game.batch), lines)

    def _review(self, token: str) -> str:
        """Return the replay with a person's dearest decisions; others are served meanwhile, as that takes a while."""
        player, batch_type = self._player(token), type(self.table.game.batch)
        lines = self._record()
        reviews = review(batch_type, lines, [player], effort=REVIEW)
        self._bottle.response.headers.update(HEADERS)
        return html_page(batch_type, lines, thoughts_of(reviews))

    def _turns(self, token: str) -> str:
        """Return where the game turned, in the champion's eyes; others are served meanwhile, as with a review."""
        player, batch_type = self._player(token), type(self.table.game.batch)
        lines = self._record()
        turns = turning_points(batch_type, lines, count=TURNS, names=player_names(batch_type.spec, player))
        found = [
            {
                "player": turn.player,
                "when": turn.when,
                "before": round(100 * turn.before),
                "after": round(100 * turn.after),
                "texts": list(turn.texts[:TEXTS]),
            }
            for turn in turns
        ]
        return self._json({"turns": found})

    def _record(self) -> list[dict[str, Any]]:
        """Return the record of the game, which shows everything, so that it must be over."""
        with self._lock:
            table = self.table
            if not table.game.is_over:
                self._refuse(409, "the game is not over: its replay would show what is secret")
            return table.game.record([table.bots.get(player, "person") for player in range(table.game.num_players)])

    def _again(self) -> None:
        """Begin another game; ValueError as long as this one lasts."""
        if not self.table.game.is_over or self._begin is None:
            raise ValueError("another game begins when this one is over")
        table = self._begin()
        table.follow(self.table)
        self.tokens = dict(zip(table.people, self.tokens.values(), strict=True))  # people may sit elsewhere
        self.table = table
        self.moved()

    def _state(self, token: str) -> str:
        """Return the view of a person, or only its version if they have it already."""
        player = self._player(token)
        with self._lock:
            version = self.table.versions[player]
            if self._bottle.request.query.get("version") == str(version):
                return self._json({"version": version})
            return self._json(self.table.view(player))

    def _events(self, token: str) -> str:
        """Return what has happened since a person confirmed last, event by event."""
        player = self._player(token)
        with self._lock:
            return self._json(self.table.events(player))

    def _command(self, token: str, command: str) -> str:
        """Carry out a command of a person, and return their view."""
        player = self._player(token)
        commands: dict[str, Callable[[dict[str, Any]], str | None]] = {
            "choose": lambda data: self.table.choose(player, str(data.get("action"))),
            "lay": lambda data: self.table.lay(player, cards_of(data)),
            "divide": lambda data: self.table.divide(player, names_of(data, "cards"), names_of(data, "tiles")),
            "undo": lambda data: self.table.undo(player),
            "confirm": lambda data: self.table.confirm(player),
            "hint": lambda data: self.table.hint(player),
            "explain": lambda data: self.table.explain(player, data.get("on") is True),
            "again": lambda data: self._again(),
        }
        if command not in (*commands, "why"):
            self._refuse(404, f"{command!r} is not a command")
        try:
            data = json_of(self._bottle.request.environ["wsgi.input"].read(self._length()) or b"{}")
            version = data.get("version")
        except (ValueError, AttributeError, OSError):  # OSError: what was announced did not come
            self._refuse(409, "the request is not a JSON object")
        if command == "why":
            return self._why(player, str(data.get("action")))
        with self._lock:
            if not self.table.is_current(player, version):
                self._refuse(409, "the game has gone on in another tab or at another page; this page is up to date now")
            try:
                advice = commands[command](data)
            except (ValueError, OSError, FaultError) as error:  # the last two: a bot gave no answer
                self._refuse(409, str(error))
            self.table.ponder()
            player = self._player(token)  # who may sit elsewhere in another game
            return self._json({**self.table.view(player), **({"hint": advice} if advice else {})})

    def _why(self, player: int, action: str) -> str:
        """Return what the champion makes of an action; the table is not locked meanwhile, as that may take seconds."""
        try:
            with self._lock:
                game = self.table.asked(player)
                if not self.table.adviser:
                    raise ValueError(NO_ADVICE)
            return self._json({"why": why(game, action)})
        except ValueError as error:
            self._refuse(409, str(error))

    def _length(self) -> int:
        return min(max(int(self._bottle.request.content_length), 0), LONGEST_POST)

    def _json(self, data: dict[str, Any]) -> str:
        self._bottle.response.headers.update(HEADERS)
        self._bottle.response.content_type = "application/json"
        return json.dumps(data)

    def _error(self, error: Any) -> str:
        """Return an error as a page for people who opened an address, as JSON for a page that asked."""
        messages = {500: "the program failed; see its window", 405: "this is not a way to use this address"}
        is_routed = "bottle.route" in self._bottle.request.environ
        message = messages.get(
            error.status_code, error.body if is_routed or error.status_code != 404 else WRONG_ADDRESS
        )
        error.headers.update(HEADERS)
        if "text/html" in self._header("HTTP_ACCEPT"):
            return document("shogun-env", "", f"<p>{html.escape(message)}</p>")
        error.content_type = "application/json"
        return json.dumps({"error": message})


def cards_of(data: Mapping[str, Any]) -> dict[int, str]:
    """Return the cards of a plan that a page sent, by number of the space; ValueError if they are something else."""
    cards = data.get("cards")
    if not isinstance(cards, dict) or not all(key.isdecimal() and len(key) < 4 for key in cards):
        raise ValueError("cards: must be an object with the card for each space, by number of the space")
    return {int(space): str(card) for space, card in cards.items()}


def names_of(data: Mapping[str, Any], key: str) -> list[str]:
    """Return the names of actions that a page sent; ValueError if they are something else."""
    names = data.get(key)
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names) or len(names) > MOST_NAMES:
        raise ValueError(f"{key}: must be a list of names of actions, {MOST_NAMES} at most")
    return names


MOST_NAMES = 100
"""Names of actions in one request."""
MOST_CONNECTIONS = 64
"""Connections that are served at once; pages hold two or three each."""
PATIENCE = 20.0
"""Seconds that a client may be silent within a request."""


class _Server(socketserver.ThreadingMixIn, simple_server.WSGIServer):
    """A server with a thread per request; when there are too many, the oldest is ended, as a slow client's would be."""

    daemon_threads = True

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._connections: dict[socket.socket, None] = {}
        self._connections_lock = threading.Lock()

    def process_request(self, request: Any, client_address: Any) -> None:
        """Serve a request in a new thread."""
        with self._connections_lock:
            self._connections[request] = None
            too_many = len(self._connections) > MOST_CONNECTIONS
            oldest = next(iter(self._connections)) if too_many else None
            if oldest is not None:
                del self._connections[oldest]
        if oldest is not None:
            with suppress(OSError):
                oldest.shutdown(socket.SHUT_RDWR)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        """Close a connection."""
        with self._connections_lock:
            self._connections.pop(request, None)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print what went wrong, unless a client went away or was too slow."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


class _Quiet(simple_server.WSGIRequestHandler):
    """A handler that logs nothing: addresses hold tokens."""

    timeout = PATIENCE

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing."""


def serve(pages: Pages, port: int) -> simple_server.WSGIServer:
    """Return a server of the pages on 127.0.0.1; ``serve_forever`` runs it.

    Args: pages; port, 0 for any that is free.
    Raises: OSError naming the port if it is in use; ValueError if it is not a port.
    """
    if not 0 <= port < 65536:
        raise ValueError(f"port {port}: must be from 0, for any that is free, to 65535")
    try:
        return simple_server.make_server("127.0.0.1", port, pages.app, _Server, _Quiet)
    except OSError as error:
        raise OSError(f"port {port}: {error.strerror}; give another one with --port, or 0 for any") from None
