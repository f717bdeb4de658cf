"""A record as one HTML file: the board drawn and as text at every step, and the lines between; it needs no network."""

import base64
import json
import zlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from shogun_env.batch.batch import Batch
from shogun_env.records.document import page
from shogun_env.records.frames import frames_of
from shogun_env.records.story import player_names, raw_words, sentences
from shogun_env.records.text import glossary_of, short_rules
from shogun_env.records.thoughts import Thought

__all__ = ["html_page", "packed", "unpacked"]


def html_page(
    batch_type: type[Batch], lines: Sequence[Mapping[str, Any]], thoughts: Sequence[Thought] = (), *,
    chances: Sequence[tuple[int, int, float]] = (), summary: str = "", seat: int | None = None,
    can_begin: bool = False, show: Callable[[float], None] = lambda done: None,
) -> str:  # fmt: skip
    """Return an HTML page that shows a game step by step; a step is one event.

    Args:
        batch_type: the game's ``Batch``.
        lines: a record with valid fields, as ``read_record`` returns it.
        thoughts: what bots said about decisions of this game; shown next to them to those who know the decisions.
        chances: the share of the win that each player could expect: number of lines then, player, share.
        summary: a sentence about the reader.
        seat: the player who reads, and who takes up the game from a step; None: whoever decides there.
        can_begin: whether a server next to the page begins games from its steps.
        show: is called with how far the work is, from 0 to 1.

    Raises: RecordError if the rules do not allow the record; ValueError if a thought is not about this game.
    """
    frames = frames_of(batch_type, lines, thoughts, chances, show)
    spec, header = batch_type.spec, lines[0]
    seed = "none" if header["seed"] is None else header["seed"]
    story = [one.text for one in sentences(spec, lines, None, player_names(spec))]
    values = {
        "title": f"{spec.title}, {header['players']} players, seed {seed}",
        "subtitle": story[0],
        "result": story[-1],
        "header": raw_words(header),
        "rules": short_rules(spec),
        "frames": packed({**frames, "summary": summary, "seat": seat, "begins": can_begin}),
    }
    return page(__package__, "view", values, glossary_of(spec), ["chart"])


def packed(data: Mapping[str, Any]) -> str:
    """Return JSON values as text that browsers unpack with a DecompressionStream: base64 of zlib's format."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode()


def unpacked(text: str) -> Any:
    """Return the values that ``packed`` packed."""
    return json.loads(zlib.decompress(base64.b64decode(text)))
