"""Records of Shikoku: the lines are those of Shogun, with a header of their own (``RULES.md``)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from shogun_env.shikoku.options import PLAYERS, of_shogun
from shogun_env.shogun import board
from shogun_env.shogun import constants as c
from shogun_env.shogun.text import fields, lines, sentences
from shogun_env.shogun.text.replay import RecordScript
from shogun_env.spec.log_reader import Line
from shogun_env.spec.voice import Told, Voice

FORMAT = "shikoku-record"
VERSION = 1


def header(options: Mapping[str, Any], seed: int | None, agents: list[str] | None) -> Line:
    """Return the first line of a record."""
    return {
        "t": "header",
        "format": FORMAT,
        "version": VERSION,
        "players": options["num_players"],
        "size": options["size"],
        "seed": seed,
        "agents": agents,
    }


def record_lines(
    entries: np.ndarray, options: Mapping[str, Any], seed: int | None, agents: list[str] | None
) -> Iterator[Line]:
    """Yield the lines of a game's record, header first; arguments and errors as in ``shogun.text.lines``."""
    yield header(options, seed, agents)
    yield from lines.lines_of(entries, of_shogun(options))


_HEADER = {
    "format": FORMAT,
    "version": VERSION,
    "players": PLAYERS,
    "size": tuple(board.SHIKOKU["sizes"]),
    "seed": (None, range(2**53)),
    "agents": (None, [str]),
}
_EVENT = {"event": board.EVENT_NAMES, "rice_loss": range(2**53)}
_LINES: dict[str, dict[Any, Any]] = {
    "header": _HEADER,
    "year": {"year": range(1, c.N_YEARS + 1), "events": [_EVENT]},
    "actions": {"open": [board.ACTION_NAMES]},
    "open": {"position": range(1, c.N_ACTION_CARDS + 1), "action": board.ACTION_NAMES},
    "specials": {"order": [board.SPECIAL_NAMES]},
}


def fields_of(line: Mapping[str, Any]) -> Mapping[Any, Any] | None:
    """Return what the fields of a line may hold, as ``shogun.text.fields`` does."""
    kind = line.get("t")
    return _LINES[kind] if isinstance(kind, str) and kind in _LINES else fields.fields_of(line)


def options_of(line: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of play of a header."""
    return {"num_players": line["players"], "size": line["size"]}


def script(of_game: Sequence[Mapping[str, Any]]) -> RecordScript:
    """Return a record prepared for a replay."""
    return RecordScript([as_shogun(of_game[0]), *of_game[1:]])


def as_shogun(line: Mapping[str, Any]) -> Line:
    """Return a header as that of a record of Shogun."""
    options = of_shogun(options_of(line))
    return lines.header(options, line["seed"], line["agents"]) | {"tower": dict(options["tower"]._asdict())}


def tell(of_game: Sequence[Mapping[str, Any]], voice: Voice) -> Iterator[Told]:
    """Tell what happened, line by line; ``RecordFormat.tell`` says how."""
    return sentences.tell([as_shogun(line) if line["t"] == "header" else line for line in of_game], voice)
