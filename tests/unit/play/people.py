"""People who play by chance, and a browser without a window."""

from __future__ import annotations

import io
import json
import random
from typing import Any

from shogun_env.play.server import Pages
from shogun_env.play.table import Table
from shogun_env.shitenno import Game as Shitenno
from shogun_env.shogun import Game as Shogun

GAMES = {"shogun": Shogun, "shitenno": Shitenno}


def table_of(name: str, folder: Any = None, people: tuple[int, ...] = (0,), **options: Any) -> Table:
    game, players = GAMES[name], options.setdefault("num_players", 3)
    bots = {player: "random" for player in range(players) if player not in people}
    return Table(game, seed=5, options=options, bots=bots, folder=folder, adviser="random")


def ended_table(name: str, folder: Any = None) -> Table:
    """Return a table whose game is over."""
    table, chance = table_of(name, folder), random.Random(4)
    while not table.game.is_over:
        move(table, chance)
    return table


def move(table: Table, chance: random.Random) -> None:
    """Choose, now and then take back, and confirm."""
    player = table.deciding[0] if len(table.deciding) == 1 else chance.choice(table.deciding)
    if table.draft(player).is_held:
        table.confirm(player) if chance.random() < 0.9 else table.undo(player)
    else:
        table.choose(player, chance.choice(table.view(player)["legal"]))


class Browser:
    """What a page does: requests to the application, answers as (status, JSON or text); all that was sent is kept."""

    def __init__(self, pages: Pages, player: int = 0) -> None:
        self.pages, self.base, self.sent = pages, f"/{pages.tokens[player]}/", ""

    def ask(
        self, path: str, data: Any = None, host: str = "127.0.0.1:1", base: str | None = None, accept: str = "*/*"
    ) -> tuple[int, Any]:
        body = data if isinstance(data, bytes) else b"" if data is None else json.dumps(data).encode()
        path, _, query = path.partition("?")
        environ = {
            "REQUEST_METHOD": "GET" if data is None else "POST", "PATH_INFO": (base or self.base) + path,
            "QUERY_STRING": query, "SERVER_NAME": "127.0.0.1", "SERVER_PORT": "1", "HTTP_HOST": host,
            "CONTENT_LENGTH": str(len(body)), "wsgi.input": io.BytesIO(body), "wsgi.errors": io.StringIO(),
            "HTTP_ACCEPT": accept,
            "wsgi.url_scheme": "http", "SCRIPT_NAME": "", "SERVER_PROTOCOL": "HTTP/1.1",
        }  # fmt: skip
        status: list[str] = []
        text = b"".join(self.pages.app(environ, lambda line, headers, *rest: status.append(line))).decode()
        self.sent += text
        return int(status[0][:3]), json.loads(text) if text.startswith(("{", "[")) else text
