"""Make a program of a bot in Python: ``shogun-env serve my_bot.py:make`` speaks the lines of ``docs/protocol.md``.

The bot is shown views of one decision, with a redealt game. Its random rows are made from the random bits that come
with the first decision of the game and with each. What it prints goes to standard error.
"""

from __future__ import annotations

import argparse
import base64
import json
import os
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from shogun_env import cli
from shogun_env.agents.program.messages import GAME_LINES, OWN_FAULTS, PROTOCOL
from shogun_env.policies import Bot, Ends, View, make_agent
from shogun_env.spec.bots import FaultError, checked, fault_of, first_line

if TYPE_CHECKING:  # --help is quick without the engine
    from shogun_env.batch.batch import Batch


class Served:
    """A bot that is asked in lines.

    Args: batch_type, the game's ``Batch``; agent; spec, by which it was made.
    """

    def __init__(self, batch_type: type[Batch], agent: Bot, spec: str) -> None:
        self.batch_type, self.agent, self.spec = batch_type, agent, spec
        self._players: dict[int, int] = {}
        """Whom it plays, by the number of the game."""
        self._asked: dict[int, tuple[int, int]] = {}
        """The first random bits of a game, by its number, and how often it was asked there: as in other loops, there is
        one random row for a game, of which no draw comes twice."""
        self._lines: dict[int, list[Any]] = {}
        """What it was told of each game, if it wants the lines of records."""

    def hello(self) -> dict[str, Any]:
        """Return what the program says of itself."""
        return {"t": "hello", "protocol": PROTOCOL, "name": self.spec, "wants": [GAME_LINES, *self.agent.wants]}

    def begin(self, message: dict[str, Any]) -> None:
        """Take a line ``game``."""
        self._players[message["game"]] = message["player"]
        self._asked.pop(message["game"], None)
        self._tell(self.agent.begin, np.array([message["game"]]))

    def decide(self, saved: str, asked: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to a decision, by its game as it was saved and its line."""
        batch, game = self.batch_type.load(base64.b64decode(saved)), asked["game"]
        players = np.array([self._players[game]], np.int64)
        stream, count = self._asked.get(game, (asked["random"], 0))
        self._asked[game] = stream, count + 1
        row = np.array([[stream, count << 32 | asked["random"]]], np.uint64)
        view = View(
            batch=batch,
            rows=np.array([game], np.int64),
            players=players,
            observations=batch.observe_for(players).copy(),  # the bot may let the batch observe for others
            masks=batch.legal.copy(),
            stories=(tuple(asked["story"]),) if "story" in asked else (),
            lines=(tuple(self._told(asked)),) if "lines" in asked else (),
        )
        try:
            actions = checked(self.agent.act(view, row), 1)
        except Exception as error:
            kind, text = fault_of(error)
            return {"id": asked["id"], kind if kind in OWN_FAULTS else "error": text}
        return {"id": asked["id"], "action": int(actions[0])}

    def end(self, message: dict[str, Any]) -> None:
        """Take a line ``over``."""
        game = message["game"]
        player, _ = self._players.pop(game), self._asked.pop(game, None)
        lines = self._told(message) if "lines" in message else []
        self._lines.pop(game, None)
        if "points" in message:
            ends = Ends(
                rows=np.array([game]),
                players=np.array([player]),
                points=np.array([message["points"]], np.int16),
                places=np.array([message["places"]]),
                shares=np.array([message["shares"]]),
                stories=(tuple(message["story"]),) if "story" in message else (),
                lines=(tuple(lines),) if lines else (),
            )
            self._tell(self.agent.end, ends)

    def _tell(self, hook: Callable[[Any], None], what: Any) -> None:
        """Tell the bot; an error in that is no fault, as in an arena, and is printed."""
        try:
            hook(what)
        except Exception:
            traceback.print_exc()

    def _told(self, message: dict[str, Any]) -> list[Any]:
        """Return all lines of a game, of which a message holds those that are new."""
        known = self._lines.setdefault(message["game"], [])
        known += message["lines"]
        return list(known)


def serve(spec: str, incoming: BinaryIO, outgoing: BinaryIO) -> None:
    """Read lines and answer them until there are no more.

    Args: spec, of the bot; incoming and outgoing, in bytes.
    Raises: ValueError if the bot cannot be made, or the first line is not that of the protocol.
    """
    messages = map(_parsed, incoming)
    hello = next(messages)
    if not isinstance(hello, dict) or hello.get("t") != "hello" or "game" not in hello:
        raise ValueError(f"the first line must be a hello that names the game (docs/protocol.md), and is {hello!r:.80}")
    if hello.get("protocol") != PROTOCOL:
        raise ValueError(f"hello: protocol={hello.get('protocol')!r:.80} must be {PROTOCOL}")
    batch_type = cli.batch_class(hello["game"])
    served, saved = Served(batch_type, make_agent(spec, batch_type.spec), spec), ""
    batch_type.load(batch_type(1).save()).observe_for(0)  # loads its loops now, not at the bot's first decision

    def say(answer: dict[str, Any]) -> None:
        outgoing.write(json.dumps(answer).encode() + b"\n")
        outgoing.flush()

    say(served.hello())
    for message in messages:
        if message["t"] == "game":
            served.begin(message)
        elif message["t"] == "over":
            served.end(message)
        elif message["t"] == "games":
            saved = message["saved"]
        elif message["t"] == "decide":
            say(served.decide(saved, message))


def _parsed(line: bytes) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        raise ValueError(f"lines must be JSON (docs/protocol.md), and one is {line.strip()!r:.80}") from None


@contextmanager
def own_streams() -> Iterator[tuple[BinaryIO, BinaryIO]]:
    """Take the standard streams from bots in the block: what one reads is nothing, and what it prints is no answer."""
    with os.fdopen(os.dup(0), "rb") as incoming, os.fdopen(os.dup(1), "wb") as outgoing:
        with open(os.devnull, "rb") as nothing:
            os.dup2(nothing.fileno(), 0)
        os.dup2(2, 1)
        try:
            yield incoming, outgoing
        finally:
            sys.stdout.flush()
            for number, stream in enumerate((incoming, outgoing)):
                os.dup2(stream.fileno(), number)


def add_arguments(parser: cli.Parser, game: str) -> None:
    """Add the arguments of the command."""
    parser.add_argument("bot", metavar="BOT", help="the bot, such as my_bot.py:make")


def main(args: argparse.Namespace) -> None:
    """Run the command."""
    with own_streams() as (incoming, outgoing):
        try:
            serve(args.bot, incoming, outgoing)
        except (StopIteration, BrokenPipeError):  # nobody asks any more
            pass
        except (ValueError, OSError, FaultError):
            raise
        except Exception as error:
            raise ValueError(first_line(error)) from error
