"""The MCP server, asked by the client of the protocol's own SDK; docs/play_over_mcp.md does so over stdio."""

import asyncio
import subprocess
import sys
from typing import Any

import pytest

import shogun_env
from shogun_env.doors.seat import Seat
from tests.games import each_game
from tests.unit.play.people import GAMES

pytest.importorskip("mcp", reason="the server needs mcp, which `make setup` installs")

from mcp import Client

from shogun_env.doors.mcp import make_server


class Caller:
    """A session: calls tools and returns what they answer."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def __call__(self, tool: str, **arguments: Any) -> Any:
        """Return the structured answer."""
        result = await self.client.call_tool(tool, arguments)
        assert not result.is_error, result.content
        return result.structured_content

    async def error(self, tool: str, **arguments: Any) -> str:
        result = await self.client.call_tool(tool, arguments)
        assert result.is_error
        return result.content[0].text


def session(talk: Any) -> None:
    async def connected() -> None:
        async with Client(make_server(["random", "scripted"])) as client:
            await talk(Caller(client))

    asyncio.run(connected())


def test_session__bot_that_fails__is_named_with_the_reason(tmp_path):
    (tmp_path / "bots.py").write_text(
        "from shogun_env import Bot\nclass Fail(Bot):\n    decide = lambda self, _: {}['moon']\n"
    )
    bot = f"{tmp_path / 'bots.py'}:Fail"

    async def talk() -> None:
        async with Client(make_server([bot])) as client:
            text = await Caller(client).error("new_game", game="shitenno", opponents=[bot], players=2, seat=1, seed=3)
            assert "KeyError: 'moon'" in text and f"(agent '{bot}', bots.py, line 3)" in text

    asyncio.run(talk())


def test_session__new_games_that_contradict_themselves__are_refused_by_the_names_of_the_tool():
    async def talk(call: Caller) -> None:
        game = {"game": "shogun", "opponents": ["random"]}
        text = await call.error("new_game", **game, players=3, options={"num_players": 4})
        assert "players: 3, and options say 4" in text
        assert "valid integer" in await call.error("new_game", **game, seed=True)
        tools = {tool.name: tool for tool in (await call.client.list_tools()).tools}
        assert tools["new_game"].input_schema["properties"]["game"]["enum"] == [*shogun_env.GAMES]
        assert "seat=-1: must be a player, from 0" in await call.error("new_game", **game, seat=-1)
        text = await call.error("new_game", **game, seat=7, players=4)
        assert "no player 7; players are 0 to 3" in text and "people" not in text
        position = await call("new_game", **game, players=4, options={"num_players": 4})
        assert len(position["players"]) == 4

    session(talk)


@pytest.mark.full
def test_session__to_the_end__plays_what_a_seat_plays():
    async def talk(call: Caller) -> None:
        tools = {tool.name: tool for tool in (await call.client.list_tools()).tools}
        assert len(tools) == 8 and all(tool.description and tool.output_schema for tool in tools.values())
        assert "random, scripted" in tools["new_game"].description
        position = await call("new_game", game="shitenno", opponents=["random"], players=2, seat=1, seed=3)
        direct = Seat(GAMES["shitenno"], player=1, opponents=["random"], options={"num_players": 2}, seed=3)
        assert position["players"] == ["random", "you"]
        while not position["over"]:
            assert position["text"] == direct.observe().text
            action = (await call("hint"))["action"]
            direct.play(action)
            position = await call("play", action=action)
        assert (await call("record", lines=True))["lines"] == direct.record()
        assert [place["place"] for place in position["results"]] == [1, 2]
        assert len((await call("record"))["story"]) > 50

        position = await call("new_game", game="shogun", opponents=["random"] * 2, seed=1)
        assert position["phase"] == "plan" and len(position["players"]) == 3
        position = await call("play_plan", cards=(await call("hint"))["plan"])
        assert "You bid" in position["happened"][0]
        legal = [each["name"] for each in (await call("legal_actions"))["result"]]
        assert all(f"- {name}: " in position["text"] for name in legal)

    session(talk)


@each_game
def test_tools__wrong_calls__say_why_and_change_nothing(name):
    async def talk(call: Caller) -> None:
        assert "call new_game first" in await call.error("observe")
        assert len((await call("rules", game=name))["result"]) <= 4000
        assert "must be one of shogun, shitenno" in await call.error("rules", game="go")
        await call("new_game", game=name, opponents=["random"], seed=2)
        before = await call("observe")
        for wrong, why in (
            ({"opponents": ["exec:ls"]}, "'exec:ls' is not one of random, scripted"),
            ({"opponents": []}, "name at least one of random, scripted"),
            ({"opponents": ["random"] * 9}, "num_players=10"),
            ({"seat": 7}, "players are 0 to"),
            ({"players": "many"}, "players"),
            ({"options": {"speed": 1}}, "speed"),
            ({"seed": -1}, "seed"),
            ({"seats": 1}, "Extra inputs are not permitted"),
        ):
            assert why in await call.error("new_game", **{"game": name, **wrong})
        assert "legal are" in await call.error("play", action="fly")
        assert "Field required" in await call.error("play", move="fly")
        assert await call.error("play_plan", cards={"bid": "fly"})
        assert await call("observe") == before
        result = await call.client.call_tool("observe")
        assert before["text"] in result.content[0].text and "\\n" not in result.content[0].text

    session(talk)


def test_serve__bot_that_prints_where_it_is_made__leaves_the_answers_alone(tmp_path):
    (tmp_path / "loud.py").write_text(
        "import os\nprint('printed')\nos.write(1, b'written')\nassert not os.read(0, 1)\n"
        "from shogun_env import Bot\nclass First(Bot):\n    def decide(self, decision):\n        return 0\n"
    )
    command = [sys.executable, "-m", "shogun_env", "mcp", "--bots", f"{tmp_path / 'loud.py'}:First"]
    done = subprocess.run(command, input="{}\n", capture_output=True, text=True, check=True)
    assert "print" not in done.stdout and "written" not in done.stdout
    assert "printed" in done.stderr and "written" in done.stderr
