"""A record as one HTML file: the board as text at every step, and the lines between; the page needs no network."""

from __future__ import annotations

import html
import json
from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Any

from shogun_env.batch.batch import Batch
from shogun_env.records.replay import replay, written
from shogun_env.records.text import render_text

__all__ = ["html_page"]

LONGEST = 240
"""Characters of a line that are shown; a longer line is cut, as the board shows the rest."""


def html_page(batch_type: type[Batch], lines: Sequence[Mapping[str, Any]]) -> str:
    """Return an HTML page that shows a game step by step; a step is all that happens up to the next decision.

    Args:
        batch_type: the game's ``Batch``.
        lines: a record with valid fields, as ``read_record`` returns it.

    Raises: RecordError if the rules do not allow the record.
    """
    header = lines[0]
    frames = _frames(batch_type, lines)
    values = {
        "title": f"{batch_type.spec.title}, {header['players']} players, seed {_word(header['seed'])}",
        "subtitle": _sentence(
            {
                name: header[name]
                for name in header
                if name not in ("t", "format", "players", "seed") and header[name] != {}
            }
        ),
    }
    page = resources.files(__package__).joinpath("view.html").read_text("utf-8")
    for name, value in values.items():
        page = page.replace("{{" + name + "}}", html.escape(value))
    return page.replace("{{frames}}", json.dumps(frames, ensure_ascii=False).replace("</", "<\\/"))


def _frames(batch_type: type[Batch], lines: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the steps: the new lines of each as (type, words), the number of the first, and the board after them."""
    frames: list[dict[str, Any]] = []
    n_shown = 1
    for batch, _ in replay(batch_type, lines):
        count = len(written(batch))
        if count > n_shown or not frames:
            new = [(line["t"], _sentence({k: v for k, v in line.items() if k != "t"})) for line in lines[n_shown:count]]
            frames.append({"first": n_shown + 1, "lines": new, "text": render_text(batch)})
        n_shown = count
    return frames


def _sentence(fields: Mapping[str, Any]) -> str:
    """Return fields in words."""
    text = ", ".join(f"{name} {_word(value)}" for name, value in fields.items())
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _word(value: Any) -> str:
    """Return a value of a record in words."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return f"({', '.join(f'{key} {_word(item)}' for key, item in value.items())})"
    if isinstance(value, list):
        return f"[{', '.join(map(_word, value))}]"
    return str(value)
