"""The environment of verifiers in ``clients/verifiers_shogun``: whole games with a stand-in for a model."""

import asyncio
import os
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from shogun_env.agents.chat.questions import Questions
from shogun_env.policies import View
from tests.games import each_game
from tests.unit.agents.chat.stand_in import player_by_chance, stand_in

pytestmark = pytest.mark.slow
vf: Any = pytest.importorskip(
    "verifiers.v1", reason="needs verifiers: `python -m clients verifiers` installs it and runs this"
)
environments: Any = pytest.importorskip("verifiers_shogun", reason="needs `pip install -e clients/verifiers_shogun`")
load_environment = environments.load_environment

Reply = Callable[[dict[str, Any]], Any]


def played(env: Any, reply: Reply, tasks: int) -> tuple[list[Any], list[dict[str, Any]]]:
    """Return the episodes of an environment's first tasks with a model that answers by rule, and what it was asked."""

    async def episodes(url: str) -> list[Any]:
        client = vf.EvalClientConfig(base_url=url, api_key_var="STAND_IN_KEY")
        context = vf.ModelContext(model="stand-in", client=client)
        async with env.serving():
            return [await env.run_episode(task, context) for task in env.taskset.take(tasks)]

    os.environ["STAND_IN_KEY"] = "none"
    with stand_in(reply) as server:
        return asyncio.run(episodes(server.url)), server.requests


@each_game
def test_tasks__of_a_split__are_every_seat_opponent_and_seed(name: str):
    env = load_environment(game=name, num_players=[3], opponents=["random", "scripted"], seeds=2)
    tasks = [task.data for task in env.taskset]
    assert [data.seat for data in tasks] == [0, 1, 2] * 4
    assert [data.opponents for data in tasks[:6]] == ["random"] * 3 + ["scripted"] * 3
    assert {data.seed for data in tasks} == {environments.FIRST_SEED["train"], environments.FIRST_SEED["train"] + 1}
    assert {task.data.seed for task in load_environment(game=name, split="eval").taskset} == set(range(100))


@each_game
def test_game__by_any_legal_answers__is_finished_and_rewarded(name: str):
    env = load_environment(game=name, num_players=[3], opponents=["random"], seeds=2)
    (episode,), requests = played(env, player_by_chance(1), 1)
    (trace,) = episode.traces
    assert episode.ok, (episode.errors, trace.errors)
    assert trace.metrics["finished"] == 1 and trace.metrics["faults"] == 0 < trace.metrics["questions"]
    assert trace.rewards["share_of_win"].score in (0, 1 / 3, 1 / 2, 1) and trace.rewards["faults"].score == 0
    asked = int(trace.metrics["questions"] + trace.metrics["corrections"])
    assert len(requests) == asked == trace.num_turns, (len(requests), asked, trace.num_turns)
    assert trace.rewards["format"].score == 1 - trace.metrics["corrections"] / asked or trace.metrics["corrections"]
    assert len(requests[0]["messages"][0]["content"]) <= 4000 and requests[0]["messages"][0]["role"] == "system"


@each_game
def test_game__of_useless_answers__is_finished_with_faults(name: str):
    (episode,), requests = played(load_environment(game=name, num_players=[3], corrections=1), lambda _: "Nothing.", 1)
    (trace,) = episode.traces
    assert trace.metrics["faults"] == trace.metrics["questions"] == trace.metrics["corrections"] == len(requests) / 2
    assert trace.rewards["format"].score == 0 and trace.rewards["faults"].score == -1 and trace.metrics["finished"] == 1


@each_game
def test_game__between_models__shares_one_win(name: str):
    (episode,), _ = played(load_environment(game=name, num_players=[3], opponents=["models"]), player_by_chance(2), 1)
    assert episode.ok, episode.errors
    assert [trace.agent.name for trace in episode.traces].count("others") == 2
    assert abs(sum(trace.rewards["share_of_win"].score for trace in episode.traces) - 1) < 1e-9


@each_game
def test_game__of_a_conversation_that_ends_early__is_lost(name: str):
    limited = load_environment(game=name, num_players=[3], learner={"max_turns": 2})
    (episode,), requests = played(limited, player_by_chance(3), 1)
    (trace,) = episode.traces
    assert len(requests) == 2 and trace.metrics["finished"] == 0 and trace.rewards["share_of_win"].score == 0


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"num_players": [9]}, "num_players"),
        ({"opponents": ["nobody"]}, "nobody"),
        ({"split": "test"}, "split"),
        ({"seats": 1}, "seats"),
        ({"corrections": -1}, "corrections"),
    ],
)
def test_settings__that_are_wrong__are_refused_in_a_line(settings: dict[str, Any], words: str):
    with pytest.raises(ValueError, match=words) as refused:
        load_environment(**{"game": "shogun", **settings})
    assert "\n" not in str(refused.value)


@each_game
def test_prompt__with_what_the_seat_cannot_know_dealt_again__is_the_same(name: str, monkeypatch: pytest.MonkeyPatch):
    env = load_environment(game=name, num_players=[3], opponents=["random"], seeds=2)
    asked, question = [], Questions.question

    def compared(self: Questions, view: View, index: int, story: int = 0) -> Any:
        again = view.batch.take()
        again.redeal(np.arange(again.num_games), int(view.players[index]), len(asked))
        other = replace(view, batch=again)
        result = question(self, view, index, story)
        assert result.prompt == question(self, other, index, story).prompt
        asked.append(result.prompt)
        return result

    monkeypatch.setattr(Questions, "question", compared)
    episodes, _ = played(env, player_by_chance(4), 2)
    assert all(episode.ok for episode in episodes), [episode.errors for episode in episodes]
    assert len(asked) > 10
