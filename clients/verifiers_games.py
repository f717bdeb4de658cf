"""The environment of verifiers in ``verifiers_shogun``: whole games with a stand-in for a model at a local endpoint."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import verifiers.v1 as vf
from verifiers_shogun import FIRST_SEED, load_environment

from shogun_env.agents.chat.questions import Questions
from shogun_env.policies import View
from tests.unit.agents.chat.stand_in import player_by_chance, stand_in

Reply = Callable[[dict[str, Any]], Any]


def played(env: vf.Env, reply: Reply, tasks: int) -> tuple[list[vf.Episode], list[dict[str, Any]]]:
    """Return the episodes of an environment's first tasks with a model that answers by rule, and what it was asked."""

    async def episodes(url: str) -> list[vf.Episode]:
        client = vf.EvalClientConfig(base_url=url, api_key_var="STAND_IN_KEY")
        context = vf.ModelContext(model="stand-in", client=client)
        async with env.serving():
            return [await env.run_episode(task, context) for task in env.taskset.take(tasks)]

    os.environ["STAND_IN_KEY"] = "none"
    with stand_in(reply) as server:
        return asyncio.run(episodes(server.url)), server.requests


def use(game: str, steps: int) -> int:
    """Play games against bots until a model has decided ``steps`` times; return how often it did."""
    taken, seed = 0, 0
    while taken < steps:
        env = load_environment(game=game, opponents=["scripted"], seeds=1 + seed)
        episodes, _ = played(env, player_by_chance(seed), 1 + steps // 60)
        taken += sum(int(trace.metrics["questions"]) for episode in episodes for trace in episode.traces)
        seed += 1
    return taken


def check(game: str) -> None:
    """Try what has no speed: tasks, rewards, faults, models at all seats, the sealed prompt, and bad settings."""
    env = load_environment(game=game, num_players=[3], opponents=["random", "scripted"], seeds=2)
    tasks = [task.data for task in env.taskset]
    assert [data.seat for data in tasks] == [0, 1, 2] * 4
    assert [data.opponents for data in tasks[:6]] == ["random"] * 3 + ["scripted"] * 3
    assert {data.seed for data in tasks} == {FIRST_SEED["train"], FIRST_SEED["train"] + 1}
    assert {task.data.seed for task in load_environment(game=game, split="eval").taskset} == set(range(100))

    (episode,), requests = played(env, player_by_chance(1), 1)
    (trace,) = episode.traces
    assert episode.ok, (episode.errors, trace.errors)
    assert trace.metrics["finished"] == 1 and trace.metrics["faults"] == 0 < trace.metrics["questions"]
    assert trace.rewards["share_of_win"].score in (0, 1 / 3, 1 / 2, 1) and trace.rewards["faults"].score == 0
    asked = int(trace.metrics["questions"] + trace.metrics["corrections"])
    assert len(requests) == asked == trace.num_turns, (len(requests), asked, trace.num_turns)
    assert trace.rewards["format"].score == 1 - trace.metrics["corrections"] / asked or trace.metrics["corrections"]
    assert len(requests[0]["messages"][0]["content"]) <= 4000 and requests[0]["messages"][0]["role"] == "system"

    (episode,), requests = played(load_environment(game=game, num_players=[3], corrections=1), lambda _: "Nothing.", 1)
    (trace,) = episode.traces
    assert trace.metrics["faults"] == trace.metrics["questions"] == trace.metrics["corrections"] == len(requests) / 2
    assert trace.rewards["format"].score == 0 and trace.rewards["faults"].score == -1 and trace.metrics["finished"] == 1

    (episode,), _ = played(load_environment(game=game, num_players=[3], opponents=["models"]), player_by_chance(2), 1)
    assert episode.ok, episode.errors
    assert [trace.agent.name for trace in episode.traces].count("others") == 2
    assert abs(sum(trace.rewards["share_of_win"].score for trace in episode.traces) - 1) < 1e-9

    limited = load_environment(game=game, num_players=[3], learner={"max_turns": 2})
    (episode,), requests = played(limited, player_by_chance(3), 1)
    (trace,) = episode.traces
    assert len(requests) == 2 and trace.metrics["finished"] == 0 and trace.rewards["share_of_win"].score == 0

    check_sealed(game, env)
    for settings, words in (
        ({"num_players": [9]}, "num_players"),
        ({"opponents": ["nobody"]}, "nobody"),
        ({"split": "test"}, "split"),
        ({"seats": 1}, "seats"),
        ({"corrections": -1}, "corrections"),
    ):
        try:
            load_environment(**{"game": game, **settings})
        except ValueError as error:
            assert words in str(error) and "\n" not in str(error), error
        else:
            raise AssertionError(f"{settings} was taken")


def check_sealed(game: str, env: vf.Env) -> None:
    """Compare each prompt with that of a copy in which all that the seat cannot know is dealt again."""
    asked, question = [], Questions.question

    def compared(self: Questions, view: View, index: int, story: int = 0) -> Any:
        again = view.batch.take()
        again.redeal(np.arange(again.num_games), int(view.players[index]), len(asked))
        other = replace(view, batch=again)
        result = question(self, view, index, story)
        assert result.prompt == question(self, other, index, story).prompt
        asked.append(result.prompt)
        return result

    Questions.question = compared  # type: ignore[method-assign]
    try:
        episodes, _ = played(env, player_by_chance(4), 2)
    finally:
        Questions.question = question  # type: ignore[method-assign]
    assert all(episode.ok for episode in episodes), [episode.errors for episode in episodes]
    assert len(asked) > 10
