"""A stand-in for an endpoint: a server on this machine that answers by rule, and keeps what it was asked."""

import json
import random
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.pages import running

Reply = tuple[int, str] | str
"""A status and a body, or the text of a completion."""


class StandIn:
    """What is answered, and what was asked."""

    def __init__(self, reply: Callable[[dict[str, Any]], Reply]) -> None:
        self.reply = reply
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.url = ""


@contextmanager
def stand_in(reply: Callable[[dict[str, Any]], Reply]) -> Iterator[StandIn]:
    """Run a server whose answers are ``reply(request)`` as long as the block lasts."""
    state = StandIn(reply)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            state.requests.append({"path": self.path, **request})
            state.headers.append(dict(self.headers))
            answer = state.reply(request)
            status, text = (200, completion(answer)) if isinstance(answer, str) else answer
            body = text.encode()
            self.send_response(status)
            if status == 302:
                self.send_header("Location", "/elsewhere")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    state.url = f"http://127.0.0.1:{server.server_port}/v1"
    with running(server):
        yield state


def completion(text: str) -> str:
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
    head = {"id": "completion", "object": "chat.completion", "created": 0, "model": "stand-in"}
    return json.dumps({**head, "choices": [choice]})


def player_by_chance(seed: int) -> Callable[[dict[str, Any]], str]:
    """Return a model that reads the last prompt and answers with any legal action, or a plan of any cards.

    What it answers depends on the prompt alone: decisions of several games are asked at the same time, in any order.
    """

    def reply(request: dict[str, Any]) -> str:
        prompt = request["messages"][-1]["content"]
        chance = random.Random(f"{seed} {prompt}")
        if match := re.search(r"for each of these spaces: (.+?)\. Your cards: (.+?)\. ", prompt):
            spaces, cards = match[1].split(", "), match[2].split(", ")
            chance.shuffle(cards)
            if bids := re.search(r"Possible as bid: (.+?)\.", prompt):
                bid = chance.choice(bids[1].split(", "))
                cards = [bid, *(card for card in cards if card != bid)]  # a bid may also be "none"
            plan = dict(zip(spaces, [*cards, *["none"] * 11], strict=False))
            return f"I think so:\n```json\n{json.dumps(plan)}\n```"
        return "Let me see.\n" + chance.choice(re.findall(r"^- ([^:\n]+)", prompt, re.M))

    return reply
