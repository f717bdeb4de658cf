"""Records of Shikoku: the lines are those of Shogun, with a header of their own (``RULES.md``)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from shogun_env.shikoku.options import PLAYERS, of_shogun
from shogun_env.shogun import board
from shogun_env.shogun import constants as c
from shogun_env.shogun.text import kinds, sentences
from shogun_env.shogun.text.replay import RecordScript
from shogun_env.spec.record_kinds import Line
from shogun_env.spec.voice import Passage, Voice

KINDS = kinds.KINDS.but(
    "shikoku",
    PLAYERS,
    {"size": tuple(board.SHIKOKU["sizes"])},
    year={"events": [kinds.EVENT]},
    actions={"open": [kinds.ACTION]},
    open={"position": range(1, c.N_ACTION_CARDS + 1)},
    specials={"order": [kinds.SPECIAL]},
)
"""The kinds of lines of Shikoku: a board of its own opens other numbers of cards."""


def options_of(line: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of play of a header."""
    return {"num_players": line["players"], "size": line["size"]}


def script(of_game: Sequence[Mapping[str, Any]]) -> RecordScript:
    """Return a record prepared for a replay."""
    return RecordScript([as_shogun(of_game[0]), *of_game[1:]])


def as_shogun(line: Mapping[str, Any]) -> Line:
    """Return a header as that of a record of Shogun."""
    return {**line, **kinds.header(of_shogun(options_of(line)))}


def tell(of_game: Sequence[Mapping[str, Any]], voice: Voice) -> Iterator[Passage]:
    """Tell what happened, line by line; ``RecordFormat.tell`` says how."""
    return sentences.tell([as_shogun(line) if line["t"] == "header" else line for line in of_game], voice)
