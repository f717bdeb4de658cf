"""``shogun-env mcp``: games for an assistant that speaks the Model Context Protocol (MCP), over stdin and stdout.

A session has one seat. The tools are those of ``Seat``, with descriptions for models; whatever is wrong with a call is
an error that says why, and leaves the game unchanged. Needs the extra ``mcp``, the protocol's Python SDK.
"""

import argparse
import functools
import inspect
import threading
from collections.abc import Callable, Sequence
from typing import Annotated, Any

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools.base import Tool
from mcp.types import CallToolResult, TextContent, ToolAnnotations
from pydantic import BaseModel, Field, StrictInt

from shogun_env import GAMES
from shogun_env.agents.program.serve import own_streams
from shogun_env.cli import game_class
from shogun_env.doors.seat import Place, Seat
from shogun_env.files import error_text
from shogun_env.policies import FaultError, make_agent
from shogun_env.spec.bots import specs_in
from shogun_env.spec.forms import docstring_of

INSTRUCTIONS = (
    "Board games against bots: Shogun (3 to 5 players), Shitennō (2 to 4), and Shikoku, a small Shogun (2 or 3). Read "
    "the rules, then call new_game. Every answer shows the position as your player may know it and what you have to "
    "decide. Where it asks you to answer with an action, call play; where it asks for a plan as a JSON object, call "
    "play_plan. Most points win."
)


class Position(BaseModel):
    """A position as your player may know it."""

    player: int = Field(description="The player you are")
    players: list[str] = Field(description="Who plays, by number of the player: names of bots, and you")
    phase: str = Field(description="What you have to decide")
    over: bool = Field(description="Whether the game is over")
    happened: list[str] = Field(description="What has happened since your last decision, in order")
    text: str = Field(description="Board, cards and points, and what you are asked")
    results: list[Place] = Field(
        description="Who came where, best first, in place 1 the winner or all who share the win; empty until the end"
    )


class Action(BaseModel):
    """A legal action."""

    name: str = Field(description="What play takes")
    effect: str = Field(description="What the action does; empty where the name says it")


class Hint(BaseModel):
    """What a bot would play that knows what you know."""

    action: str | None = Field(description="The action to give to play; null where a plan is made")
    plan: dict[str, str] | None = Field(description="The cards to give to play_plan; null elsewhere")


class Record(BaseModel):
    """What has happened in the game, from its beginning."""

    over: bool = Field(description="Whether the game is over: only then is everything told that was hidden")
    story: list[str] = Field(description="What has happened, in sentences, oldest first; empty if lines were asked for")
    lines: list[dict[str, Any]] = Field(description="The lines of the game record; empty unless asked for")


PositionAnswer = Annotated[CallToolResult, Position]
GameName = Annotated[str, Field(description="Which game", json_schema_extra={"enum": [*GAMES]})]


class Session:
    """What a client has: at most one game.

    Args: bots, the specs that may be named as opponents: others could run programs or read files.
    """

    def __init__(self, bots: Sequence[str]) -> None:
        self.bots = tuple(bots)
        self._seat: Seat | None = None
        self.lock = threading.Lock()
        """Held while a tool is at work."""

    def _game(self) -> Seat:
        if self._seat is None:
            raise ValueError("there is no game: call new_game first")
        return self._seat

    def new_game(
        self,
        game: GameName,
        opponents: Annotated[
            list[str],
            Field(
                description="Bots for the other players, in player order, or one name for all of them. Several names "
                "set the number of players. The names that can be given are in the description of this tool."
            ),
        ] = ["scripted"],  # noqa: B006 (the SDK shows it as the default, and nobody changes it)
        players: Annotated[int | None, Field(description="How many play; null: the number usual for the game")] = None,
        seat: Annotated[int, Field(description="Which player you are, from 0")] = 0,
        options: Annotated[
            dict[str, Any] | None, Field(description="Options of play by name, such as {'side': 'moon'} in Shogun")
        ] = None,
        seed: Annotated[
            StrictInt | None,
            Field(description="Games with the same seed and decisions are the same; null: a secret seed"),
        ] = None,
    ) -> PositionAnswer:
        """Begin a game; the one before it is given up. Returns your first decision."""
        if unknown := [name for name in opponents if name not in self.bots]:
            raise ValueError(f"opponents: {unknown[0]!r} is not one of {', '.join(self.bots)}")
        if not opponents:
            raise ValueError(f"opponents: name at least one of {', '.join(self.bots)}")
        chosen = {**({} if players is None else {"num_players": players}), **(options or {})}
        if players is not None and chosen["num_players"] != players:
            raise ValueError(f"players: {players}, and options say {chosen['num_players']}; give one of them")
        self._seat = Seat(game_class(game), player=seat, opponents=opponents, options=chosen, seed=seed)
        return position_answer(self._seat)

    def observe(self) -> PositionAnswer:
        """Show what has happened since your last decision, the position as you may know it, and what you decide."""
        return position_answer(self._game())

    def legal_actions(self) -> list[Action]:
        """List the actions that you can play now, with what each does; none when the game is over."""
        return [Action(name=name, effect=effect) for name, effect in self._game().legal_actions().items()]

    def play(self, action: Annotated[str, Field(description="Name of a legal action")]) -> PositionAnswer:
        """Play one action; the bots then play up to your next decision, which is returned.

        An action that is not legal is an error that says why, and changes nothing.
        """
        self._game().play(action)
        return position_answer(self._game())

    def play_plan(
        self,
        cards: Annotated[
            dict[str, str],
            Field(
                description="Card by space, such as {'bid': 'chest_1', 'build_castle': 'Kaga'}: all spaces asked for"
            ),
        ],
    ) -> PositionAnswer:
        """Make your whole plan of a round of Shogun at once, when you are asked for a plan; returns what comes next.

        A card that cannot lie on its space is an error that says which could, and changes nothing.
        """
        self._game().play_plan(cards)
        return position_answer(self._game())

    def hint(self) -> Hint:
        """Ask what the bot `scripted` would play in your place; it knows what you know."""
        advice = self._game().hint()
        action = advice.pop("action", None)
        return Hint(action=action, plan=advice or None)

    def rules(
        self,
        game: GameName,
        full: Annotated[bool, Field(description="In 18,000 characters, with all rulings, instead of 4,000")] = False,
    ) -> str:
        """Return the rules of a game."""
        return game_class(game).rules(full)

    def record(
        self, lines: Annotated[bool, Field(description="The lines of the game record instead of sentences")] = False
    ) -> Record:
        """Tell what has happened from the beginning of the game, as far as you may know it; all of it after the end."""
        seat = self._game()
        story, record = ([], [*map(dict, seat.record())]) if lines else (seat.story(), [])
        return Record(over=seat.is_over, story=story, lines=record)


def position_answer(seat: Seat) -> CallToolResult:
    """Return what a seat sees, as text for models and as a ``Position``."""
    seen = seat.observe()
    position = Position(player=seat.player, players=seat.players, **seen._asdict())
    parts = ["\n* ".join(["What has happened since your last decision:", *seen.happened])] if seen.happened else []
    ends = [f"{each.place}. player {each.player}: {each.points} points" for each in seen.results]
    parts += [seen.text, *(["\n".join(["The game is over.", *ends])] if ends else [])]
    return CallToolResult(
        content=[TextContent(type="text", text="\n\n".join(parts))], structured_content=position.model_dump(mode="json")
    )


def make_server(bots: Sequence[str]) -> MCPServer[Any]:
    """Return a server for one session, in which the bots named can be opponents."""
    session = Session(bots)
    looks = (session.observe, session.legal_actions, session.hint, session.rules, session.record)
    plays = (session.new_game, session.play, session.play_plan)
    named = f"\n\nBots that can be opponents: {', '.join(bots)}."
    tools = [tool(session, function, is_look=True) for function in looks]
    tools += [tool(session, each, is_look=False, more=named if each == session.new_game else "") for each in plays]
    return MCPServer(
        "shogun-env", title="Shogun and Shitennō", instructions=INSTRUCTIONS, tools=tools, log_level="ERROR"
    )


def tool(session: Session, function: Callable[..., Any], is_look: bool, more: str = "") -> Tool:
    """Return a method as a tool that waits for others, refuses arguments it does not have, and says what is wrong."""

    @functools.wraps(function)
    def called(*args: Any, **arguments: Any) -> Any:
        with session.lock:
            try:
                return function(*args, **arguments)
            except (ValueError, OSError, FaultError) as error:
                raise ToolError(error_text(error)) from error
            except Exception as error:  # of a bot, which a note names
                raise ToolError(f"{type(error).__name__}: {error_text(error)}") from error

    hints = ToolAnnotations(read_only_hint=is_look, destructive_hint=not is_look, open_world_hint=False)
    made = Tool.from_function(
        called, description=f"{inspect.cleandoc(docstring_of(function))}{more}", annotations=hints
    )
    arguments = made.fn_metadata.arg_model
    arguments.model_config["extra"] = "forbid"
    arguments.model_rebuild(force=True)
    made.parameters = arguments.model_json_schema(by_alias=True)
    return made


def serve(args: argparse.Namespace) -> None:
    """Serve one session over stdin and stdout until the client leaves."""
    names = specs_in(args.bots)
    with own_streams():  # which the SDK takes itself, once it serves
        for name in names:
            check_plays(name)
    make_server(names).run("stdio")


def check_plays(name: str) -> None:
    """Raise ValueError for a bot that can be made for none of the games."""
    reasons = []
    for game in GAMES:
        try:
            make_agent(name, game_class(game).spec).close()
            return
        except ValueError as error:
            reasons.append(error)
    raise reasons[0]
