"""The pages of a table and the start page, served to this machine only.

bottle is one file without dependencies, and its application is a WSGI function, so that tests call it without a socket.
Each person has a page whose address holds a random token; nobody can guess the address of another person's page.
"""

from __future__ import annotations

import html
import json
import secrets
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any, NamedTuple, NoReturn

from shogun_env import GAMES, cli
from shogun_env.batch.batch import Batch
from shogun_env.play.advice import NO_ADVICE
from shogun_env.play.house import House
from shogun_env.play.reviews import Reviews, key_of, waiting_page
from shogun_env.play.saving import PERSON
from shogun_env.play.start import start_page
from shogun_env.play.table import Table
from shogun_env.records.document import document, page
from shogun_env.records.record import Line
from shogun_env.records.story import player_names
from shogun_env.records.text import glossary_of, short_rules
from shogun_env.records.view import html_page
from shogun_env.review.analysis import turning_points, why
from shogun_env.spec.bots import FaultError
from shogun_env.spec.forms import json_of

__all__ = ["Pages"]

MISSING = "playing on a page needs the extra play: pip install 'shogun-env[play]'; or use --terminal"
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
HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'self' 'unsafe-inline'; img-src data:; frame-ancestors 'none'",
}


class Ended(NamedTuple):
    """A game that is over."""

    batch_type: type[Batch]
    lines: Sequence[Line]
    player: int | None
    """The person; None for a record from elsewhere."""
    kept: str
    """The name under which its review is kept; empty for a record from elsewhere."""


class Pages:
    """The pages of a table: one per person, each under its own token; the first person's also opens the start page."""

    def __init__(
        self, table: Table | None, tokens: Mapping[int, str] | None = None, begin: Callable[[], Table] | None = None,
        house: House | None = None,
    ) -> None:  # fmt: skip
        """Make the application.

        Args:
            table: the table; None: the start page comes first.
            tokens: the token of each person, the host's first, such as those before a restart; without, new ones.
            begin: returns the table of another game of the same players, for the time when this one is over.
            house: the games of the folder, for the start page; None: there is no such page.

        Raises: ImportError that names the extra, if bottle is not installed.
        """
        try:
            import bottle
        except ImportError:
            raise ImportError(MISSING) from None
        self._table, self.house, self._bottle = table, house, bottle
        self.tokens = _tokens_of([0] if table is None else table.people, (tokens or {}).values())
        """The token of each person, the host's first."""
        self._begin = begin
        self._reviews = Reviews(house.folder if house else None)
        self.moved: Callable[[], None] = lambda: None
        """What is done when the pages are those of another game."""
        self._lock = threading.Lock()
        if table is not None:
            table.ponder()
        self.app = bottle.Bottle()
        """The WSGI application."""
        self.app.route("/<token>/", "GET", self._page)
        self.app.route("/<token>", "GET", self._whole_address)
        self.app.route("/<token>/state", "GET", self._state)
        self.app.route("/<token>/events", "GET", self._events)
        self.app.route("/<token>/game/<name>/replay", "GET", self._replay)
        self.app.route("/<token>/game/<name>/review", "GET", self._review)
        self.app.route("/<token>/game/<name>/again", "POST", self._try_again)
        self.app.route("/<token>/turns", "GET", self._turns)
        self.app.route("/<token>/start", "GET", self._start)
        self.app.route("/<token>/begin", "POST", self._begin_chosen)
        self.app.route("/<token>/resume", "POST", self._resume)
        self.app.route("/<token>/open", "POST", self._open)
        self.app.route("/<token>/<command>", "POST", self._command)
        self.app.add_hook("before_request", self._check_host)
        for code in (403, 404, 405, 409, 500):
            self.app.error(code)(self._error)

    def address(self, player: int, port: int) -> str:
        """Return the address of a person's page."""
        return f"http://127.0.0.1:{port}/{self.tokens[player]}/"

    @property
    def playing(self) -> Table | None:
        """The table that is played; None before one has begun."""
        return self._table

    @property
    def table(self) -> Table:
        """The table that is played; the start page is opened where there is none."""
        if self._table is None:
            self._refuse(409, "no game has begun: begin one on the start page")
        return self._table

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
        if self._table is None:
            self._bottle.redirect(f"/{token}/start")
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

    # --- games that are over -----------------------------------------------------------------------------------------

    def _shown_game(self, token: str, name: str) -> Ended:
        """Return a game that is over, by the name that addresses have for it: ``now`` for the table's."""
        player = self._player(token)
        try:
            if name == NOW:
                return Ended(
                    batch_type=type(self.table.game.batch), lines=self._record(), player=player, kept=self._kept_name()
                )
            saved, game, lines = self._at_home(token).game_of(name)
            return Ended(
                batch_type=cli.batch_class(game), lines=lines, player=saved.host if saved else None,
                kept=name if saved else "",
            )  # fmt: skip
        except (ValueError, OSError) as error:
            self._refuse(409, str(error))

    def _kept_name(self) -> str:
        """Return the name under which what is known of the table's game is kept; empty if nothing is."""
        return "" if self.table.record_path is None else self.table.record_path.name.removesuffix(".jsonl")

    def _replay(self, token: str, name: str) -> str:
        """Return the replay of a game."""
        shown = self._shown_game(token, name)
        self._bottle.response.headers.update(HEADERS)
        make = partial(
            html_page, shown.batch_type, shown.lines, seat=shown.player, can_begin=self._is_host(self._player(token))
        )
        return self._reviews.page(f"replay {key_of(shown.lines, shown.player)}", make)

    def _review(self, token: str, name: str) -> str:
        """Return the replay with what decisions have cost, or how far the work is; others are served meanwhile."""
        shown = self._shown_game(token, name)
        self._bottle.response.headers.update(HEADERS)
        known = self._reviews.ask(shown.batch_type, shown.lines, shown.player, shown.kept)
        if isinstance(known, float):
            self._bottle.response.set_header("Refresh", "1")
            return waiting_page(known)
        make = partial(
            html_page, shown.batch_type, shown.lines, known.thoughts, seat=shown.player,
            can_begin=self._is_host(self._player(token)), chances=known.chances, summary=known.summary,
        )  # fmt: skip
        return self._reviews.page(f"review {key_of(shown.lines, shown.player)}", make)

    def _try_again(self, token: str, name: str) -> None:
        """Begin a game from a decision of one that is over."""
        shown, house = self._shown_game(token, name), self._at_home(token)
        form = self._bottle.request.forms
        try:
            decision, player = int(form.get("decision", "")), int(form.get("player", ""))
            table = house.try_again(shown.batch_type.spec.name, shown.lines, decision, player)
        except (ValueError, OSError) as error:
            self._refuse(409, str(error))
        self._sit_down(token, table)

    # --- the start page ----------------------------------------------------------------------------------------------

    def _is_host(self, player: int) -> bool:
        """Return whether the start page and the games of the folder are a person's."""
        return self.house is not None and player == next(iter(self.tokens))

    def _at_home(self, token: str) -> House:
        """Return the games of the folder, for the host."""
        if not self._is_host(self._player(token)) or self.house is None:
            self._refuse(404, WRONG_ADDRESS)
        return self.house

    def _start(self, token: str, error: str = "") -> str:
        """Return the start page, for a game that the address names or that was chosen last."""
        house = self._at_home(token)
        self._bottle.response.headers.update(HEADERS)
        game = self._bottle.request.query.get("game") or house.choices.get("game")
        return start_page(house, game if game in GAMES else GAMES[0], error)

    def _sit_down(self, token: str, table: Table) -> None:
        """Let the pages be those of another table, and lead the person there."""
        with self._lock:
            before = self._table
            if before is not None:
                before.pondering.end()
            self._take(table)
        self._bottle.redirect(f"/{token}/", 303)

    def _take(self, table: Table) -> None:
        """Let the pages be those of another table, whose pages know that they are behind."""
        if self._table is not None:
            table.follow(self._table)
        self.tokens = _tokens_of(table.people, self.tokens.values())  # people may sit elsewhere
        self._table = table
        table.ponder()
        self.moved()

    def _from_start(self, token: str, begin: Callable[[House], Table]) -> str:
        """Begin or resume a game, or return the start page with what was wrong."""
        house = self._at_home(token)
        try:
            table = begin(house)
        except (ValueError, OSError, ImportError, FaultError) as error:
            return self._start(token, str(error))
        self._sit_down(token, table)
        return ""

    def _begin_chosen(self, token: str) -> str:
        """Begin the game that was chosen on the start page."""
        forms = self._bottle.request.forms
        return self._from_start(token, lambda house: house.begin({key: forms.getunicode(key) for key in forms}))

    def _resume(self, token: str) -> str:
        """Go on with a saved game."""
        return self._from_start(token, lambda house: house.resume(self._bottle.request.forms.get("game", "")))

    def _open(self, token: str) -> str:
        """Show a record that was sent."""
        house, sent = self._at_home(token), self._bottle.request.files.get("record")
        if self._bottle.request.content_length > LONGEST_RECORD or sent is None:
            return self._start(token, f"the record: choose a file of at most {LONGEST_RECORD // 10**6} MB")
        try:
            name = house.open(sent.file.read())
        except ValueError as error:
            return self._start(token, f"{sent.raw_filename} is not a record of a game: {error}")
        what = "review" if self._bottle.request.query.get("review") else "replay"
        self._bottle.redirect(f"/{token}/game/{name}/{what}", 303)
        return ""

    # --- the end -----------------------------------------------------------------------------------------------------

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

    def _record(self) -> Sequence[Line]:
        """Return the record of the game, which shows everything, so that it must be over."""
        with self._lock:
            table = self.table
            if not table.game.is_over:
                self._refuse(409, "the game is not over: its replay would show what is secret")
            return table.game.record([table.bots.get(player, PERSON) for player in range(table.game.num_players)])

    def _again(self) -> None:
        """Begin another game; ValueError as long as this one lasts."""
        if not self.table.game.is_over or self._begin is None:
            raise ValueError("another game begins when this one is over")
        self._take(self._begin())

    def _state(self, token: str) -> str:
        """Return the view of a person, or only its version if they have it already."""
        player = self._player(token)
        with self._lock:
            version = self.table.versions[player]
            if self._bottle.request.query.get("version") == str(version):
                return self._json({"version": version})
            return self._json(self._view(player))

    def _view(self, player: int) -> dict[str, Any]:
        """Return what the page of a person shows, with what the table does not know."""
        rated = self.house.standing(self.table) if self.house else ""
        is_host = self._is_host(player)
        links = {other: f"../{token}/" for other, token in self.tokens.items() if is_host and other != player}
        return {**self.table.view(player), "home": is_host, "links": links, "rated": rated}

    def _events(self, token: str) -> str:
        """Return what has happened since a person confirmed last, event by event."""
        player = self._player(token)
        with self._lock:
            return self._json(self.table.events(player))

    def _command(self, token: str, command: str) -> str:
        """Carry out a command of a person, and return their view."""
        player = self._player(token)
        commands: dict[str, Callable[[dict[str, Any]], dict[str, Any] | None]] = {
            "choose": lambda data: self.table.choose(player, str(data.get("action"))),
            "lay": lambda data: self.table.lay(player, cards_of(data)),
            "divide": lambda data: self.table.divide(player, names_of(data, "cards"), names_of(data, "tiles")),
            "undo": lambda data: self.table.undo(player),
            "confirm": lambda data: self.table.confirm(player),
            "hint": lambda data: self.table.advice(player),
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
            return self._json({**self._view(player), **(advice or {})})

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
        return json.dumps(data, ensure_ascii=False, separators=(",", ":"))

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


def _tokens_of(people: Sequence[int], tokens: Iterable[str]) -> dict[int, str]:
    """Return the token of each person: those there are in the same order, then new ones."""
    return dict(zip(people, chain(tokens, (secrets.token_urlsafe(18) for _ in people)), strict=False))


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
