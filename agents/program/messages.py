"""The lines of the protocol: what is written to a program, and what its answers have to be; ``docs/protocol.md``."""

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from shogun_env.policies import Ends, FaultError, View
from shogun_env.spec.forms import one_line
from shogun_env.spec.game_spec import GameSpec

PROTOCOL = 1
"""Version of the protocol."""
LONGEST_NAME = 100
"""Letters of the name of a program that are kept."""
QUOTED = 60
"""Characters of a wrong line that are quoted."""
_JSON = json.JSONEncoder(separators=(",", ":"))
"""Made once, where ``json.dumps`` makes one for each line."""
OWN_FAULTS = ("error", "form", "nan")
"""Kinds of faults that a program may name in place of an action, with a text."""
SHOWN = ("numbers", "fields", "position", "text", "lines", "story", "names")
"""What a program may ask to be sent with each decision: attributes of a ``Decision``."""
GAME_LINES = "games"
"""A wish for a line before each decision with its game, as ``Batch.save`` writes it."""
WANTS = (*SHOWN, "result", GAME_LINES)
"""What a program may ask for in its hello."""


@dataclass(frozen=True, kw_only=True)
class Hello:
    """What a program says of itself."""

    name: str
    wants: tuple[str, ...] = ()
    """Some of ``WANTS``."""

    @classmethod
    def read(cls, line: bytes) -> Self:
        """Return what a line says; FaultError (``form``) naming what is wrong and what would be right."""
        message = _object(line)
        if message.get("t") != "hello":
            raise FaultError("form", f"the first line must be a hello, not {_quoted(line)}")
        if message.get("protocol") != PROTOCOL:
            raise FaultError("form", f"hello: protocol={message.get('protocol')!r} must be {PROTOCOL}")
        name, wants = message.get("name"), message.get("wants", [])
        if not isinstance(name, str) or not one_line(name):
            raise FaultError("form", f"hello: name={name!r} must be the name of the bot")
        if not isinstance(wants, list) or any(not isinstance(want, str) or want not in WANTS for want in wants):
            raise FaultError("form", f"hello: wants={wants!r} must be a list of some of {', '.join(WANTS)}")
        return cls(name=one_line(name, LONGEST_NAME), wants=tuple(dict.fromkeys(wants)))


def hello_line(spec: GameSpec) -> bytes:
    """Return the first line, with what is the same in all games."""
    return _line(
        t="hello",
        protocol=PROTOCOL,
        game=spec.name,
        rules_version=spec.rules_version,
        obs_version=spec.obs_version,
        actions=list(spec.action_names),
        phases=list(spec.phase_names),
        fields=[[piece.name, piece.start, piece.stop, piece.high] for piece in spec.obs_layout],
    )


def game_line(game: int, player: int, options: Mapping[str, Any]) -> bytes:
    """Return the line that begins a game, of which the program plays one player."""
    return _line(t="game", game=game, player=player, players=options["num_players"], options=dict(options))


def over_line(game: int, ends: Ends | None, index: int, sent_lines: int, wants: Sequence[str]) -> bytes:
    """Return the line that says that nothing more will be asked in a game.

    Args: game, its number; ends and index, how it ended, None if that is not known; sent_lines, how many lines of its
        record were sent before; wants, what the program asked for.
    """
    if ends is None:
        return _line(t="over", game=game)
    shown: dict[str, Any] = {
        "points": ends.points[index].tolist(),
        "places": ends.places[index].tolist(),
        "shares": ends.shares[index].tolist(),
    }
    if "story" in wants:
        shown["story"] = list(ends.stories[index]) if ends.stories else []
    if "lines" in wants:
        shown["lines"] = list(ends.lines[index][sent_lines:]) if ends.lines else []
    return _line(t="over", game=game, **shown)


def decision_line(
    view: View, index: int, wants: Sequence[str], *, number: int, game: int, random: int, sent_lines: int = 0
) -> bytes:
    """Return the line that puts a decision to the program, after one with its game if the program wants ``games``.

    Args: view, the decisions; index, which of them; wants, what the program asked for; number, by which the answer
        names it; game, the number of the game line; random, 32 bits; sent_lines, as of ``over_line``.
    """
    decision = view.decision(index)
    shown = {want: getattr(decision, want) for want in wants if want in SHOWN}
    if "lines" in shown:
        shown["lines"] = shown["lines"][sent_lines:]
    asks = {"id": number, "game": game, "phase": decision.phase, "legal": decision.legal, "random": random}
    line = _line(t="decide", **asks, **shown)
    if GAME_LINES not in wants:
        return line
    saved = view.batch.take(np.array([index])).save()
    return _line(t="games", count=1, saved=base64.b64encode(saved).decode()) + line


def read_answer(line: bytes, asked: int, names: Mapping[str, int]) -> tuple[int, str] | None:
    """Return the action that a line answers with, and why it was chosen, if it says so.

    Args: line, what the program wrote; asked, the number of the decision; names, the actions by name.
    Returns: None for an answer to an earlier decision.
    Raises: FaultError (``form``) naming what is wrong, or of the kind ``error`` or ``nan`` if the answer says so.
    """
    message = _object(line)
    number, action, why = message.get("id"), message.get("action"), message.get("why", "")
    if type(number) is not int:
        raise FaultError("form", f"id={number!r} must be that of a decision, in {_quoted(line)}")
    if number != asked:
        if 0 < number < asked:
            return None
        raise FaultError("form", f"an answer to {number}, which is not asked")
    for kind in OWN_FAULTS:
        if kind in message:
            raise FaultError(kind, one_line(str(message[kind])))
    if isinstance(action, str):
        if action not in names:
            raise FaultError("form", f"action={action[:QUOTED]!r} is not the name of an action")
        action = names[action]
    if type(action) is not int or not -(1 << 63) <= action < 1 << 63:
        raise FaultError("form", f"action must be the number or the name of a legal action, in {_quoted(line)}")
    if not isinstance(why, str):
        raise FaultError("form", f"why must be a text, in {_quoted(line)}")
    return action, why


def _object(line: bytes) -> dict[str, Any]:
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        message = None
    if not isinstance(message, dict):
        raise FaultError("form", f"each line must be a JSON object, not {_quoted(line)}")
    return message


def _quoted(line: bytes) -> str:
    text = line[: 4 * QUOTED].decode("utf-8", "replace")
    return repr(text) if len(text) <= QUOTED else repr(text[:QUOTED]) + "…"


def _line(**fields: Any) -> bytes:
    return _JSON.encode(fields).encode() + b"\n"
