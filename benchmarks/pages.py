"""Measure pages and films: ``python -m benchmarks.pages`` prints their weight, times, and the memory of a server.

A replay is that of a game between scripted bots with the seed 7. The server's games are played by a person who answers
by chance, against scripted bots, through the requests that the page makes.
"""

from __future__ import annotations

import io
import json
import os
import random
import re
import resource
import subprocess
import sys
import time
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import shogun_env
from shogun_env.benchmarks.speed.command import machine
from shogun_env.benchmarks.speed.tables import number, table
from shogun_env.cli import Parser, Progress, batch_class, count, game_class, no_progress, progress, write_json
from shogun_env.play.server import Pages
from shogun_env.play.table import Table
from shogun_env.policies import make_agent, play_on
from shogun_env.records.film import pictures_of
from shogun_env.records.frames import frames_of
from shogun_env.records.view import html_page

SEED = 7
STEPS = range(8)
"""Steps whose film is drawn to measure its speed."""
LABELS = {
    "replay_bytes": "bytes, page of a replay",
    "replay_s": "s, to make the page of a replay",
    "play_page_bytes": "bytes, page of `play`",
    "play_state_bytes": "bytes, first state that this page gets",
    "first_board_s": "s, from the start of `play` to the first board, kernels from the cache",
    "film_pictures_per_s": "pictures of a film per s",
    "request_ms": "ms, request by which a choice is made or confirmed, mean",
    "server_mb": "MB, server before the first game",
    "server_after_mb": "MB, after the games, all tables kept",
}
"""What the figures are."""


def figures_of(game: str, games: int, report: Progress = no_progress) -> dict[str, float]:
    """Return the figures of a game by name, as in ``LABELS``; pictures only where the extra viz is installed.

    Args: game; games, how many the server holds; report, shows progress in games.
    """
    batch_type = batch_class(game)
    batch = batch_type(1, seed=SEED, record=True)
    play_on(batch, [make_agent("scripted", batch.spec)], np.zeros((1, batch.num_players), np.int8))
    (lines,) = batch.records()
    begin = time.perf_counter()
    page = html_page(batch_type, lines)
    figures: dict[str, float] = {"replay_bytes": len(page.encode()), "replay_s": time.perf_counter() - begin}
    data = frames_of(batch_type, lines)
    begin = time.perf_counter()
    try:
        drawn = sum(1 for _ in pictures_of(data, STEPS))
        figures["film_pictures_per_s"] = drawn / (time.perf_counter() - begin)
    except ImportError:
        pass
    return figures | first_board(game) | server_memory(game, games, report)


def first_board(game: str) -> dict[str, float]:
    """Start the command ``play`` and return how long it takes until the page has a board, and what was sent."""
    root = str(Path(shogun_env.__file__).parents[1])
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([root, os.environ.get("PYTHONPATH", "")])}
    with TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "shogun_env", "play", "--game", game, "--seed", str(SEED), "--out", folder]
        begin = time.perf_counter()
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
            try:
                assert process.stdout is not None
                match = re.search(r"http\S+", process.stdout.readline())
                if match is None:
                    raise ValueError("the command play did not start; it needs the extra play")
                page = urllib.request.urlopen(match[0], timeout=60).read()
                state = urllib.request.urlopen(f"{match[0]}state?version=-1", timeout=60).read()
                seconds = time.perf_counter() - begin
            finally:
                process.kill()
    return {"play_page_bytes": len(page), "play_state_bytes": len(state), "first_board_s": seconds}


def server_memory(game: str, games: int, report: Progress = no_progress) -> dict[str, float]:
    """Play games of a person through the pages' application; return the memory of this process before and after.

    Args: game; games, whose tables are all kept; report, shows progress in games.
    """
    chance, tables = random.Random(SEED), []
    before, requests, seconds = memory(), 0, 0.0
    for done in range(games):
        table_of_game = Table(game_class(game), seed=done, options={}, bots=bots_of(game), adviser="random")
        pages = Pages(table_of_game)
        tables.append(pages)
        state = post(pages, "state", None)
        while not state["over"]:
            action = None if state["held"] else chance.choice(state["legal"])
            begin = time.perf_counter()
            state = post(
                pages, "confirm" if state["held"] else "choose", {"version": state["version"], "action": action}
            )
            seconds += time.perf_counter() - begin
            requests += 1
        report(done + 1, f"{done + 1} of {games} games")
    return {"server_mb": before, "server_after_mb": memory(), "request_ms": 1000 * seconds / requests}


def bots_of(game: str) -> dict[int, str]:
    """Return the bots of a table at which player 0 is a person."""
    n_players = game_class(game).spec.check_options({})["num_players"]
    return dict.fromkeys(range(1, n_players), "scripted")


def post(pages: Pages, path: str, data: dict[str, Any] | None) -> dict[str, Any]:
    """Return what the application answers to a request of player 0, GET for no data."""
    body = b"" if data is None else json.dumps(data).encode()
    environ = {
        "REQUEST_METHOD": "GET" if data is None else "POST", "PATH_INFO": f"/{pages.tokens[0]}/{path}",
        "SERVER_NAME": "127.0.0.1", "SERVER_PORT": "1", "HTTP_HOST": "127.0.0.1:1", "SERVER_PROTOCOL": "HTTP/1.1",
        "CONTENT_LENGTH": str(len(body)), "wsgi.input": io.BytesIO(body), "wsgi.errors": io.StringIO(),
        "wsgi.url_scheme": "http", "SCRIPT_NAME": "",
    }  # fmt: skip
    answer: dict[str, Any] = json.loads(b"".join(pages.app(environ, lambda line, headers, *rest: None)))
    return answer


def memory() -> float:
    """Return the memory of this process in MB."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * resource.getpagesize() / 1e6


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    parser = Parser(prog="python -m benchmarks.pages", description="Measure pages, films and the server of play.")
    parser.add_game()
    parser.add_argument("--games", type=count, default=100, metavar="N", help="games that the server plays (100)")
    parser.add_json("the figures")
    args = parser.parse_args(arguments)
    with parser.one_line_errors(), progress("pages", args.games) as report:
        try:
            figures = figures_of(args.game, args.games, report)
        except ImportError as error:
            raise ValueError(str(error)) from None
        origin = machine()
        print(f"{args.game}, {args.games} games of the server; {origin['cpu']}, {origin['cores']} cores\n")
        rows = [[label, number(figures[name])] for name, label in LABELS.items() if name in figures]
        print(table(["figure", args.game], rows), end="")
        write_json(args.json, {"game": args.game, "games": args.games, "machine": origin, "figures": figures})
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
