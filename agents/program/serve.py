"""Make a program of a bot in Python: ``shogun-env serve my_bot.py:make`` speaks the lines of ``docs/protocol.md``.

The bot is shown the same as in the process of a tournament: views of several decisions, with redealt games. Only its
random rows are others, made from the random bits that come with each decision. What it prints goes to standard error.
"""

from __future__ import annotations

import argparse
import base64
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from shogun_env import cli
from shogun_env.agents.program.messages import GAMES, PROTOCOL, WISHES
from shogun_env.policies import Agent, Ends, FaultError, PartlyLostError, View, make_agent
from shogun_env.spec.bots import checked
from shogun_env.spec.forms import one_line

if TYPE_CHECKING:  # --help is quick without the engine
    from shogun_env.batch.batch import Batch

AT_ONCE = 16
"""Decisions that a bot is shown together by default; each is charged an equal share of their time."""


class Served:
    """A bot that is asked in lines.

    Args: batch_type, the game's ``Batch``; agent; spec, by which it was made; at_once, decisions shown together.
    """

    def __init__(self, batch_type: type[Batch], agent: Agent, spec: str, at_once: int) -> None:
        self.batch_type, self.agent, self.spec, self.at_once = batch_type, agent, spec, at_once
        self._players: dict[int, int] = {}
        """Whom it plays, by the number of the game."""
        self._lines: dict[int, list[Any]] = {}
        """What it was told of each game, if it wants the lines of records."""

    def hello(self) -> dict[str, Any]:
        """Return what the program says of itself."""
        wants = [GAMES, *(wish for name, wish in WISHES.items() if getattr(self.agent, name, False))]
        return {"t": "hello", "protocol": PROTOCOL, "name": self.spec, "wants": wants, "at_once": self.at_once}

    def begin(self, message: dict[str, Any]) -> None:
        """Take a line ``game``."""
        self._players[message["game"]] = message["player"]

    def decide(self, saved: str, asked: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return the answers to decisions that are asked together.

        Args: saved, their games; asked, their lines.
        """
        batch = self.batch_type.load(base64.b64decode(saved))
        players = np.array([self._players[each["game"]] for each in asked], np.int64)
        view = View(
            batch=batch,
            rows=np.array([each["game"] for each in asked], np.int64),
            players=players,
            observations=batch.observe_for(players),
            masks=batch.legal.copy(),
            stories=tuple(tuple(each["story"]) for each in asked if "story" in each),
            lines=tuple(tuple(self._told(each)) for each in asked if "lines" in each),
        )
        rng = np.array([[each["random"], 0] for each in asked], np.uint64)
        ids = [each["id"] for each in asked]
        try:
            actions = checked(self.agent.act(view, rng), len(asked))
            return [{"id": number, "action": action} for number, action in zip(ids, actions.tolist(), strict=True)]
        except PartlyLostError as fault:
            lost = zip(ids, np.asarray(fault.actions).tolist(), fault.lost, strict=True)
            return [
                {"id": number, "error": fault.texts[kind]} if kind else {"id": number, "action": int(action)}
                for number, action, kind in lost
            ]
        except FaultError as fault:
            kind = fault.kind if fault.kind in ("form", "nan") else "error"
            return [{"id": number, kind: str(fault)} for number in ids]
        except Exception as error:
            text = one_line(f"{type(error).__name__}: {error}")
            return [{"id": number, "error": text} for number in ids]

    def end(self, message: dict[str, Any]) -> None:
        """Take a line ``over``."""
        game = message["game"]
        player = self._players.pop(game)
        lines = self._told(message) if "lines" in message else []
        self._lines.pop(game, None)
        if "points" in message and hasattr(self.agent, "end"):
            self.agent.end(
                Ends(
                    rows=np.array([game]),
                    players=np.array([player]),
                    points=np.array([message["points"]], np.int16),
                    places=np.array([message["places"]]),
                    shares=np.array([message["shares"]]),
                    stories=(tuple(message["story"]),) if "story" in message else (),
                    lines=(tuple(lines),) if lines else (),
                )
            )

    def _told(self, message: dict[str, Any]) -> list[Any]:
        """Return all lines of a game, of which a message holds those that are new."""
        known = self._lines.setdefault(message["game"], [])
        known += message["lines"]
        return list(known)


def serve(spec: str, incoming: BinaryIO, outgoing: BinaryIO, at_once: int = AT_ONCE) -> None:
    """Read lines and answer them until there are no more.

    Args: spec, of the bot; incoming and outgoing, in bytes; at_once, decisions that it is shown together.
    Raises: ValueError if the bot cannot be made, or the first line is not that of the protocol.
    """
    messages = map(_parsed, incoming)
    hello = next(messages)
    if not isinstance(hello, dict) or hello.get("t") != "hello" or "game" not in hello:
        raise ValueError(f"the first line must be a hello that names the game (docs/protocol.md), and is {hello!r:.80}")
    if hello.get("protocol") != PROTOCOL:
        raise ValueError(f"hello: protocol={hello.get('protocol')!r:.80} must be {PROTOCOL}")
    batch_type = cli.batch_class(hello["game"])
    served = Served(batch_type, make_agent(spec, batch_type.spec), spec, at_once)

    def say(answers: Sequence[dict[str, Any]]) -> None:
        outgoing.write("".join(json.dumps(answer) + "\n" for answer in answers).encode())
        outgoing.flush()

    say([served.hello()])
    for message in messages:
        if message["t"] == "game":
            served.begin(message)
        elif message["t"] == "over":
            served.end(message)
        elif message["t"] == "games":
            say(served.decide(message["saved"], _decisions(served, messages, message["count"])))


def _parsed(line: bytes) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        raise ValueError(f"lines must be JSON (docs/protocol.md), and one is {line.strip()!r:.80}") from None


def _decisions(served: Served, messages: Iterator[dict[str, Any]], count: int) -> list[dict[str, Any]]:
    """Return the next decisions; the lines of games that begin with them come between."""
    asked: list[dict[str, Any]] = []
    while len(asked) < count:
        message = next(messages)
        if message["t"] == "game":
            served.begin(message)
        elif message["t"] == "decide":
            asked.append(message)
    return asked


@contextmanager
def own_streams() -> Iterator[tuple[BinaryIO, BinaryIO]]:
    """Take the standard streams from the bot, whose own reading finds nothing, and what it prints is no answer."""
    with os.fdopen(os.dup(0), "rb") as incoming, os.fdopen(os.dup(1), "wb") as outgoing:
        with open(os.devnull, "rb") as nothing:
            os.dup2(nothing.fileno(), 0)
        os.dup2(2, 1)
        yield incoming, outgoing


def add_arguments(parser: cli.Parser, game: str) -> None:
    """Add the arguments of the command."""
    parser.add_argument("bot", metavar="BOT", help="the bot, such as my_bot.py:make")
    parser.add_argument(
        "--at-once", type=cli.count, default=AT_ONCE, metavar="N", help=f"decisions shown together ({AT_ONCE})"
    )


def main(args: argparse.Namespace) -> None:
    """Run the command."""
    with own_streams() as (incoming, outgoing):
        try:
            serve(args.bot, incoming, outgoing, args.at_once)
        except (StopIteration, BrokenPipeError):  # nobody asks any more
            pass
        except (ValueError, OSError, FaultError):
            raise
        except Exception as error:
            raise ValueError(one_line(f"{type(error).__name__}: {error}")) from error
