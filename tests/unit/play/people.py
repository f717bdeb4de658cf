"""People who play by chance, and a browser without a window."""

import io
import json
import random
from typing import Any
from urllib.parse import urlencode

import numpy as np

from shogun_env.play.house import House, Saved
from shogun_env.play.new_game import NewGame
from shogun_env.play.server import Pages
from shogun_env.play.table import Table
from shogun_env.shitenno import Game as Shitenno
from shogun_env.shogun import Game as Shogun
from shogun_env.shogun.rules.planning import take_hands

GAMES = {"shogun": Shogun, "shitenno": Shitenno}


def table_of(name: str, folder: Any = None, people: tuple[int, ...] = (0,), **options: Any) -> Table:
    game, players = GAMES[name], options.setdefault("num_players", 3)
    bots = {player: "random" for player in range(players) if player not in people}
    return Table(NewGame.among_bots(game, options, bots, adviser="random"), seed=5, folder=folder)


def ended_table(name: str, folder: Any = None, people: tuple[int, ...] = (0,)) -> Table:
    """Return a table whose game is over."""
    table, chance = table_of(name, folder, people), random.Random(4)
    while not table.game.is_over:
        move(table, chance)
    return table


def move(table: Table, chance: random.Random) -> None:
    """Choose, now and then take back, and confirm."""
    player = table.deciding[0] if len(table.deciding) == 1 else chance.choice(table.deciding)
    if table.draft(player).is_held:
        table.confirm(player) if chance.random() < 0.9 else table.undo(player)
    else:
        table.choose(player, chance.choice(table.draft(player).legal()))


def late_table() -> Table:
    """Return a table of Shitennō at the first decision of the fourth round."""
    table, chance = table_of("shitenno"), random.Random(4)
    while table.game.batch.games[0]["round"] < 4:
        move(table, chance)
    return table


def few_cards() -> Table:
    """Return a table at which player 0 plans with five provinces and five chest cards, for eleven spaces."""
    table = table_of("shogun")
    g = table.game.batch.games[0]
    lost = np.flatnonzero(g["owner"] == 0)[5:]
    g["supply"][0] += g["armies"][lost].sum()
    g["owner"][lost], g["armies"][lost], g["n_owned"][0] = -1, 0, 5
    take_hands(g)
    table.game = GAMES["shogun"](position=table.game.position())
    table._begin_drafts()
    return table


class Browser:
    """What a page does: requests to the application, answers as (status, JSON or text); all that was sent is kept.

    Args: pages; path, of the page, by default the start page.
    """

    def __init__(self, pages: Pages, path: str = "") -> None:
        self.pages, self.base, self.sent, self.to = pages, path or f"/{pages.token}/", "", ""

    @classmethod
    def at(cls, table: Table, seat: int | None = None, pages: Pages | None = None) -> "Browser":
        """Return a browser with the page of a player at a table, by default that of the host."""
        pages = pages or Pages()
        pages.house.add(table)
        return cls(pages, pages.path(table.name, seat))

    host = "127.0.0.1:1"

    def ask(self, path: str, data: Any = None, base: str | None = None, accept: str = "*/*") -> tuple[int, Any]:
        body = data if isinstance(data, bytes) else b"" if data is None else json.dumps(data).encode()
        return self._send("GET" if data is None else "POST", path, body, "application/json", base, accept)

    def form(self, path: str, values: dict[str, str]) -> tuple[int, Any]:
        """Send a form, as the start page does."""
        kind = "application/x-www-form-urlencoded"
        return self._send("POST", path, urlencode(values).encode(), kind, accept="text/html")

    def upload(self, path: str, name: str, data: bytes) -> tuple[int, Any]:
        """Send a file in a form."""
        head = f'--edge\r\nContent-Disposition: form-data; name="record"; filename="{name}"\r\n\r\n'
        body = head.encode() + data + b"\r\n--edge--\r\n"
        return self._send("POST", path, body, "multipart/form-data; boundary=edge", accept="text/html")

    def _send(
        self, method: str, path: str, body: bytes, kind: str, base: str | None = None, accept: str = "*/*"
    ) -> tuple[int, Any]:
        path, _, query = path.partition("?")
        environ = {
            "REQUEST_METHOD": method, "CONTENT_TYPE": kind, "PATH_INFO": (base or self.base) + path,
            "QUERY_STRING": query, "SERVER_NAME": "127.0.0.1", "SERVER_PORT": "1", "HTTP_HOST": self.host,
            "CONTENT_LENGTH": str(len(body)), "wsgi.input": io.BytesIO(body), "wsgi.errors": io.StringIO(),
            "HTTP_ACCEPT": accept,
            "wsgi.url_scheme": "http", "SCRIPT_NAME": "", "SERVER_PROTOCOL": "HTTP/1.1",
        }  # fmt: skip
        status: list[str] = []
        sent: dict[str, str] = {}
        answer = self.pages.app(environ, lambda line, headers, *rest: (status.append(line), sent.update(headers)))
        text = b"".join(answer).decode()
        self.to = sent.get("Location", "").removeprefix("http://127.0.0.1:1")
        self.sent += text
        return int(status[0][:3]), json.loads(text) if text.startswith(("{", "[")) else text


def saved_in(house: House) -> list[Saved]:
    """Return the saved games of a house, the latest first, without files that are damaged."""
    return [each for each in house.files() if isinstance(each, Saved)]
