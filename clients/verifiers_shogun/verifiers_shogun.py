"""Shogun and Shitennō as an environment of the library verifiers, in its current interface, ``verifiers.v1``.

A task is one game: its seed, number of players, the learner's seat and who plays the other seats. A seat of a model is
one conversation, with the prompts and readers of answers of the bot ``chat``; it is shown what its player may know.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from typing import Any, Literal

import httpx
import numpy as np
import verifiers.v1 as vf
from pydantic import Field, ValidationError, model_validator
from verifiers.v1.dialects.chat import message_to_wire
from verifiers.v1.runtimes import ProgramResult

from shogun_env.agents.chat.questions import ModelQuestion, Questions, UnusableError, correction, rules_text
from shogun_env.batch.loops import NO_ACTION
from shogun_env.cli import batch_class
from shogun_env.policies import View, ask, make_agent, tell_ends
from shogun_env.shares import shares_of_win

__all__ = ["ShogunEnv", "ShogunHarness", "ShogunTaskset", "load_environment"]

MODELS = "models"
"""In the place of a bot: the seats of the others are played by the role ``others``."""
FIRST_SEED = {"eval": 0, "train": 1 << 32}
"""Games of the two splits have no seed in common."""
MOST_SEEDS = 1 << 31
ROW = np.zeros(1, np.int64)


class ShogunData(vf.TaskData):
    """A game that is to be played."""

    game: str
    seed: int
    num_players: int
    seat: int
    """The learner's player number."""
    opponents: str
    """The bot that plays every other seat, or ``models``."""
    player: int | None = None
    """Whose conversation it is; set when the game begins."""


class ShogunTask(vf.Task[ShogunData]):
    """What a conversation is worth; ``--env.taskset.task.rewards.NAME.weight`` sets another weight."""

    @vf.reward
    async def share_of_win(self, trace: vf.Trace) -> float:
        """Return 1 for a win, 1/k for one shared by k players, 0 for a loss or a game that broke off."""
        return float(trace.info["game"]["share_of_win"])

    @vf.reward(weight=0.1)
    async def format(self, trace: vf.Trace) -> float:
        """Return the share of answers that could be used at once, without a correction."""
        told = trace.info["game"]
        return told["used_at_once"] / max(told["questions"], 1)

    @vf.reward(weight=0.1)
    async def faults(self, trace: vf.Trace) -> float:
        """Return minus the share of questions that were given up: the lowest legal action was played."""
        told = trace.info["game"]
        return -told["faults"] / max(told["questions"], 1)

    @vf.metric
    async def counts(self, trace: vf.Trace) -> dict[str, float]:
        """Return the counts that the rewards are made of, the points, and whether the game was played to its end."""
        names = ("questions", "corrections", "faults", "points", "finished")
        return {name: float(trace.info["game"][name]) for name in names}


class ShogunTasksetConfig(vf.TasksetConfig):
    """Which games there are; each combination of what is listed is played from every seat on every seed."""

    game: Literal["shogun", "shitenno"] = "shitenno"
    num_players: list[int] = Field(default=[4], min_length=1)
    opponents: list[str] = Field(default=["random", "scripted"], min_length=1)
    """Bots, such as ``random``, ``scripted``, ``champion``, ``search:…``; or ``models``."""
    seeds: int = Field(default=100, ge=1, le=MOST_SEEDS)
    """How many set-ups and courses of chance there are."""
    split: Literal["train", "eval"] = "train"
    rules: Literal["short", "full", "none"] = "short"
    """Rules that the model is sent at the beginning."""

    @model_validator(mode="after")
    def check_games(self) -> ShogunTasksetConfig:
        """Refuse numbers of players that the game does not have, and unknown bots."""
        games = batch_class(self.game)
        for number in self.num_players:
            games(1, num_players=number)
        for bot in self.opponents:
            if bot != MODELS:
                make_agent(bot, games.spec)
        return self


class ShogunTaskset(vf.Taskset[ShogunTask, ShogunTasksetConfig]):
    """Games by seed, number of players, opponents and seat; those of one seed come one after the other."""

    def load(self) -> Iterator[ShogunTask]:
        """Yield the tasks in order."""
        config = self.config
        system = rules_text(batch_class(config.game).spec, config.rules) or None
        for seed in range(FIRST_SEED[config.split], FIRST_SEED[config.split] + config.seeds):
            for number in config.num_players:
                for bot in config.opponents:
                    for seat in range(number):
                        data = ShogunData(
                            name=f"{config.game}-{seed}-{number}-{bot}-{seat}", system_prompt=system, game=config.game,
                            seed=seed, num_players=number, seat=seat, opponents=bot,
                        )  # fmt: skip
                        yield ShogunTask(data, config.task)


class ShogunHarnessConfig(vf.HarnessConfig):
    """No settings beyond those of every harness."""


class ShogunHarness(vf.Harness[ShogunHarnessConfig]):
    """A conversation without tools, in this process: a decision costs a request, not the start of a program."""

    APPENDS_SYSTEM_PROMPT = True
    SUPPORTS_RESUME = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(
        self, ctx: Any, trace: Any, runtime: Any, endpoint: str, secret: str, mcp_urls: Any, data: vf.TaskData
    ) -> ProgramResult:
        """Send the conversation to the model; verifiers, through which the request goes, writes the answer down."""
        system, prompt = self.resolve_prompt(data)
        messages = [{"role": "system", "content": system}] if system else []
        messages += (
            [{"role": "user", "content": prompt}] if isinstance(prompt, str) else map(message_to_wire, prompt or [])
        )
        async with httpx.AsyncClient(timeout=None, trust_env=False) as client:
            answer = await client.post(
                f"{endpoint.rstrip('/')}/chat/completions",
                headers={"Authorization": f"Bearer {secret}"},
                json={"model": ctx.model, "messages": messages},
            )
        if answer.is_error:
            return ProgramResult(1, "", f"HTTP {answer.status_code} {answer.text[:200]}")
        return ProgramResult(0, "", "")


LOCAL = {"type": "subprocess"}
"""Nothing that a model says is executed, so that no container is needed."""


class ShogunEnvConfig(vf.EnvConfig):
    """Who plays, and how often a seat may correct itself."""

    learner: vf.AgentConfig = vf.AgentConfig(runtime=LOCAL)
    others: vf.AgentConfig = vf.AgentConfig(runtime=LOCAL)
    """The other seats, where ``opponents`` is ``models``; the learner's model unless another is named."""
    plans: Literal["whole", "cards"] = "whole"
    """``whole``: a plan of Shogun is one answer; ``cards``: each of its cards is."""
    corrections: int = Field(default=2, ge=0)
    """How often a seat is asked again after an answer that cannot be used, with what was wrong."""


class Seat:
    """A player who is a model, and what came of the questions."""

    def __init__(self, interaction: Any, corrections: int) -> None:
        self.interaction, self.most = interaction, corrections
        self.is_lost = False
        """Whether the conversation has ended before the game: no connection, or a limit of turns or tokens."""
        self.told = {"questions": 0, "used_at_once": 0, "corrections": 0, "faults": 0}

    async def action(self, question: ModelQuestion, lowest: int) -> int:
        """Return what the model decides, or ``lowest`` if it gives no answer that can be used."""
        self.told["questions"] += 1
        message = question.prompt
        for number in range(1 + self.most):
            if self.is_lost:
                break
            segment = await self.interaction.turn(message)
            if segment.terminated:
                self.is_lost = True
                break
            try:
                action = question.read(segment.last_reply)
            except UnusableError as error:
                message = correction(str(error))
                self.told["corrections"] += number < self.most
                continue
            self.told["used_at_once"] += number == 0
            return action
        self.told["faults"] += 1
        return lowest


class ShogunEnv(vf.Env[ShogunEnvConfig]):
    """One game: the learner at a seat, bots or models at the others."""

    async def run(self, task: ShogunTask, agents: Any) -> None:
        """Play the game of a task; each model's trace gets the counts in ``info["game"]``, which its rewards read."""
        data = task.data
        batch = batch_class(data.game)(1, seed=data.seed, num_players=data.num_players)
        bot = None if data.opponents == MODELS else make_agent(data.opponents, batch.spec)
        async with contextlib.AsyncExitStack() as stack:
            seats = {}
            for player in range(data.num_players):
                if player == data.seat or bot is None:
                    role = agents.learner if player == data.seat else agents.others
                    own = task.with_data(player=player, prompt=None)
                    interaction = await stack.enter_async_context(role.interaction(own))
                    seats[player] = Seat(interaction, self.config.corrections)
            questions = Questions(batch.spec, self.config.plans)
            while not batch.over[0] and not all(seat.is_lost for seat in seats.values()):
                player = int(batch.player[0])
                if player not in seats:
                    action = int((await asyncio.to_thread(ask, bot, batch, ROW))[0])
                else:
                    view = View.of(batch, ROW)
                    action = int(questions.known(view)[0])
                    if action == NO_ACTION:
                        lowest = int(view.masks[0].argmax())
                        action = await seats[player].action(questions.question(view, 0), lowest)
                batch.step([action])
            if bot is not None:
                table = np.where(np.isin(np.arange(data.num_players), list(seats)) | ~batch.over[:1], -1, 0)
                tell_ends(batch, [bot], table[None].astype(np.int8))
            shares = shares_of_win(batch)[0] if batch.over[0] else np.zeros(data.num_players)
            for player, seat in seats.items():
                share = 0.0 if seat.is_lost else round(float(shares[player]), 9)
                seat.interaction.trace.info["game"] = {
                    **seat.told, "player": player, "share_of_win": share, "points": int(batch.points[0, player]),
                    "finished": bool(batch.over[0]),
                }  # fmt: skip


def load_environment(
    *, plans: str = "whole", corrections: int = 2, learner: Any = None, others: Any = None, **taskset: Any
) -> vf.Env:
    """Return the environment; what is not named here is of ``ShogunTasksetConfig``.

    Args:
        plans: ``whole`` or ``cards``.
        corrections: how often a seat is asked again.
        learner: settings of the learner's ``vf.AgentConfig``, such as ``{"max_turns": 200}``.
        others: the same for the other models.
        taskset: ``game``, ``num_players``, ``opponents``, ``seeds``, ``split``, ``rules``.

    Raises: ValueError naming the setting that is wrong.
    """
    roles = {name: value for name, value in (("learner", learner), ("others", others)) if value is not None}
    try:
        config = ShogunEnvConfig.model_validate(
            {"taskset": {**taskset, "id": "verifiers-shogun"}, "plans": plans, "corrections": corrections, **roles}
        )
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"] if part != "taskset")
        raise ValueError(f"{where}: {first['msg']}" if where else str(first["msg"])) from None
    return vf.load_environment(config)
