"""OpenEnv: a server of games against bots for learners of language models, and its client.

``python -m clients.openenv_shogun --port 8000`` serves without a container; ``ShogunClient(base_url=…)`` plays there,
each connection a game of its own. The player is one seat: an observation is text as that player may know it, an
action is text as a model writes it. The reward comes at the end: 1 for a sole winner, -1 for the last place (``rank``).
"""

from __future__ import annotations

import argparse
import json
import socket
import threading
import time
import uuid
from typing import Any

import uvicorn
from openenv.core import EnvClient
from openenv.core.client_types import StepResult
from openenv.core.env_server import Action, Environment, Observation, State, create_fastapi_app
from pydantic import Field

from shogun_env import cli
from shogun_env.doors.command import BOTS
from shogun_env.doors.seat import Seat
from shogun_env.policies import specs_in

SESSIONS = 64
"""Games at the same time."""


class ShogunAction(Action):
    """An answer."""

    text: str = Field(description="Its last line names an action, or it holds a plan as a JSON object")


class ShogunObservation(Observation):
    """What the player may know."""

    text: str = Field(description="What has happened, the position, and what is asked")
    player: int = Field(description="Who the player is")
    phase: str = Field(description="What is decided")
    legal: list[str] = Field(description="Names of the legal actions; of a plan, those for its first free space")
    error: str = Field(default="", description="What was wrong with the answer, which has changed nothing")


class ShogunEnvironment(Environment[ShogunAction, ShogunObservation, State]):
    """A game against bots, as OpenEnv knows environments."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self) -> None:
        super().__init__()
        self._seat: Seat | None = None
        self._state = State()

    def reset(
        self,
        seed: int | None = None,
        episode_id: str | None = None,
        *,
        game: str = "shogun",
        opponents: str = "scripted",
        player: int = 0,
        options: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> ShogunObservation:
        """Begin a game. Args: opponents, as on a command line, of those in ``BOTS``. ValueError for a bad one."""
        if unknown := [name for name in specs_in(opponents) if name not in specs_in(BOTS)]:
            raise ValueError(f"opponents: {unknown[0]!r} is not one of {BOTS}")
        self._seat = Seat(
            cli.game_class(game), player=player, opponents=specs_in(opponents), options=options, seed=seed
        )
        self._state = State(episode_id=episode_id or str(uuid.uuid4()))
        return self._observation(self._seat)

    def step(self, action: ShogunAction, timeout_s: float | None = None, **kwargs: Any) -> ShogunObservation:
        """Play an answer, and let the bots play up to the next decision."""
        if self._seat is None:
            raise ValueError("there is no game: reset first")
        error = ""
        try:
            self._seat.answer(action.text)
            self._state.step_count += 1
        except ValueError as wrong:
            error = str(wrong)
        return self._observation(self._seat, error)

    @property
    def state(self) -> State:
        """The name of the game, and how many answers were played."""
        return self._state

    def _observation(self, seat: Seat, error: str = "") -> ShogunObservation:
        seen = seat.observe()
        reward = seat.table.game.returns("rank")[seat.player] if seen.is_over else 0.0
        return ShogunObservation(
            text="\n".join([*seen.happened, "", seen.text]), player=seat.player, phase=seen.phase,
            legal=list(seat.legal_actions()), error=error, done=seen.is_over, reward=reward,
        )  # fmt: skip


class ShogunClient(EnvClient[ShogunAction, ShogunObservation, State]):
    """A connection to a server, which is one game; ``.sync()`` for programs without ``async``."""

    def _step_payload(self, action: ShogunAction) -> dict[str, Any]:
        return {"text": action.text}

    def _parse_result(self, payload: dict[str, Any]) -> StepResult[ShogunObservation]:
        outcome = {"reward": payload.get("reward"), "done": payload.get("done", False)}
        return StepResult(observation=ShogunObservation(**payload["observation"], **outcome), **outcome)

    def _parse_state(self, payload: dict[str, Any]) -> State:
        return State(**payload)


app = create_fastapi_app(ShogunEnvironment, ShogunAction, ShogunObservation, max_concurrent_envs=SESSIONS)
"""What a server such as uvicorn serves."""


def serve_here() -> tuple[uvicorn.Server, str]:
    """Serve on a free port of this machine, in a thread; return the server, and its address."""
    server = uvicorn.Server(uvicorn.Config(app, log_level="critical"))  # it calls it an error when a client leaves
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True).start()
    while not server.started:
        time.sleep(0.01)
    return server, f"http://127.0.0.1:{listener.getsockname()[1]}"


def answer(observation: ShogunObservation) -> ShogunAction:
    """Return the first legal action, or a plan of the first cards, as text."""
    if "JSON object" not in observation.text:
        return ShogunAction(text=f"I choose this:\n{observation.legal[0]}")
    spaces = observation.text.rpartition("each of these spaces: ")[2].partition(".")[0].split(", ")
    cards = observation.text.rpartition("Your cards: ")[2].partition(".")[0].split(", ")
    return ShogunAction(text=json.dumps(dict(zip(spaces, cards, strict=False))))


def check(game: str) -> None:
    """Play two games at the same time, with wrong answers and a wrong reset in between."""
    server, address = serve_here()
    with ShogunClient(base_url=address).sync() as one, ShogunClient(base_url=address).sync() as other:
        first = one.reset(seed=3, game=game, opponents="random")
        same = other.reset(seed=3, game=game, opponents="random")
        assert first.observation == same.observation and not first.done
        wrong = one.step(ShogunAction(text="I pass"))
        assert wrong.observation.error and wrong.observation.text == first.observation.text
        try:
            other.reset(game=game, opponents="exec:ls")
        except RuntimeError as error:
            assert "is not one of" in str(error)
        else:
            raise AssertionError("a server started a program that a client named")
        result = first
        while not result.done:
            result = one.step(answer(result.observation))
            assert not result.observation.error, result.observation.error
        assert -1 <= result.reward <= 1 and one.state().step_count > 5 and other.state().step_count == 0
    server.should_exit = True


def use(game: str, steps: int) -> int:
    """Play games against ``random`` over a connection."""
    server, address = serve_here()
    count = 0
    with ShogunClient(base_url=address).sync() as client:
        while count < steps:
            result = client.reset(game=game, opponents="random")
            while not result.done:
                result = client.step(answer(result.observation))
                count += 1
    server.should_exit = True
    return count


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Serve games over OpenEnv.")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    args = parser.parse_args()
    uvicorn.run(app, host=args.host, port=args.port)
