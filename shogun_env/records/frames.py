"""The steps of a game as a page needs them: what is drawn and written at each, without repetition.

A step is all that happens up to the next decision that writes lines of the record. Each step holds only what differs
from the step before, as pairs of numbers: of the part of the picture (or line of the text), and of its markup in a list
in which every markup is there once. The views of players hold what differs from the referee's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from shogun_env.batch.batch import Batch
from shogun_env.records.picture import draw_game
from shogun_env.records.replay import replay, written
from shogun_env.records.story import player_names, raw_words, sentences
from shogun_env.records.text import render_text
from shogun_env.records.thoughts import Thought
from shogun_env.records.throws import throw_picture
from shogun_env.spec.words import EVERYBODY

__all__ = ["frames_of", "parts_at"]

TEXT = "line-"
"""How the names of the parts begin that are lines of the text."""


class _Table:
    """Texts, each with a number."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def __getitem__(self, text: str) -> int:
        return self.numbers.setdefault(text, len(self.numbers))

    def texts(self) -> list[str]:
        return list(self.numbers)


def frames_of(
    batch_type: type[Batch], lines: Sequence[Mapping[str, Any]], thoughts: Sequence[Thought] = ()
) -> dict[str, Any]:
    """Return the steps of a game as JSON values.

    Args: the game's ``Batch``; lines, a record with valid fields, as ``read_record`` returns it; thoughts, what bots
        said about decisions of this game.

    Returns: ``frames``, for each step what happened as ``told`` (a text in pieces, each with the player whose name it
        is or None; who may know it: a player, -1 for all, None for the referee; the text for the others), its ``lines``
        (their words, and who may know them), the number of the ``first``, the ``points``, ``arrows`` (from, to, whether
        it is an attack), a ``mark`` if it begins a round or holds a fight, ``throws`` into a tower as ``throw_picture``
        returns them, and ``thoughts`` about the decisions that led here (player, heading, text, cost); ``parts`` and
        ``pieces``, the names and markups; ``views``, by viewer, for each step its changes as a flat list of numbers of
        parts and pieces, -1 for a piece that is the referee's; ``size`` of the picture; ``places``.

    Raises: RecordError if the rules do not allow the record; ValueError if a thought is not about this game.
    """
    parts, pieces = _Table(), _Table()
    viewers: list[int | None] = [None, EVERYBODY, *range(int(lines[0]["players"]))]
    before: dict[int | None, dict[int, int]] = {viewer: {} for viewer in viewers}
    views: dict[str, list[list[int]]] = {_key(viewer): [] for viewer in viewers}
    frames: list[dict[str, Any]] = []
    size, places, n_shown = (0, 0), {}, 1
    told = _told(batch_type, lines)
    said = {thought.decision: thought for thought in thoughts}
    pending: list[tuple[int, str, str, float]] = []
    for decision, (batch, action) in enumerate(replay(batch_type, lines)):
        count = len(written(batch))
        if count > n_shown or not frames:
            frame = _frame(batch, lines[n_shown:count], n_shown + 1)
            frames.append({**frame, "told": _between(told, n_shown, count), "thoughts": pending})
            pending = []
            referee: dict[int, int] = {}
            for viewer in viewers:
                drawing = draw_game(batch, 0, viewer)
                markups = {**drawing.parts, **_text_parts(batch, viewer)}
                now = {parts[name]: pieces[markup] for name, markup in markups.items()}
                if viewer is None:
                    referee = now
                else:
                    differing = [part for part in {**referee, **now} if now.get(part) != referee.get(part)]
                    now = {part: now.get(part, pieces[""]) for part in differing}
                views[_key(viewer)].append(_changes(before[viewer], now, pieces[""] if viewer is None else -1))
                before[viewer] = now
            size, places = (drawing.width, drawing.height), drawing.places
        n_shown = count
        if decision in said:
            pending.append(_thought(batch, action, said.pop(decision)))
    if said:
        raise ValueError(f"a thought about decision {min(said)}, which this game does not have")
    names = {"parts": parts.texts(), "pieces": pieces.texts(), "places": places}
    return {"frames": frames, "views": views, "size": size, **names}


def parts_at(data: Mapping[str, Any], step: int, viewer: int | None = None) -> dict[str, str]:
    """Return the markups of a step by name of the part, as the page puts them together."""
    shown: dict[int, int] = {}
    for key in dict.fromkeys((_key(None), _key(viewer))):
        own: dict[int, int] = {}
        for changes in data["views"][key][: step + 1]:
            own |= dict(zip(changes[::2], changes[1::2], strict=True))
        shown |= {part: piece for part, piece in own.items() if piece >= 0}
    return {data["parts"][part]: data["pieces"][piece] for part, piece in shown.items()}


def _key(viewer: int | None) -> str:
    """Return the name of a view in the data."""
    return {None: "referee", EVERYBODY: "all"}.get(viewer, str(viewer))


def _changes(before: Mapping[int, int], now: Mapping[int, int], nothing: int) -> list[int]:
    """Return the parts that differ, each followed by its piece, ``nothing`` for a part that is not there any more."""
    changed = {part: piece for part, piece in now.items() if before.get(part) != piece}
    changed |= {part: nothing for part in before if part not in now}
    return [number for pair in changed.items() for number in pair]


def _text_parts(batch: Batch, viewer: int | None) -> dict[str, str]:
    """Return the lines of the text view as parts."""
    rows = render_text(batch, 0, viewer).splitlines()
    return {f"{TEXT}{number}": row for number, row in enumerate(rows)}


def _thought(batch: Batch, action: int | None, thought: Thought) -> tuple[int, str, str, float]:
    """Return a thought as a page shows it; ValueError if it is about another decision."""
    player, name = int(batch.player[0]), None if action is None else batch.spec.action_name(action)
    if (thought.player, thought.action) != (player, name):
        raise ValueError(
            f"the thought about decision {thought.decision} is about {thought.action} of player {thought.player}, and "
            f"the record has {name} of player {player}: they are of different games"
        )
    phase = batch.spec.phase_names[int(batch.phase[0])].replace("_", " ")
    heading = f"P{player}, {thought.when}, {phase}" if thought.when else f"player {player}, {phase}: {name}"
    return player, heading, thought.text, thought.cost


# --- what happened ---------------------------------------------------------------------------------------------------


def _told(batch_type: type[Batch], lines: Sequence[Mapping[str, Any]]) -> dict[int, tuple[Any, int | None, Any]]:
    """Return what happened, as ``frames_of`` describes it, by the index of the last line that it is about."""
    spec, names = batch_type.spec, player_names(batch_type.spec)
    told: dict[int, tuple[Any, int | None, Any]] = {}
    both = (sentences(spec, lines, viewer, names) for viewer in (None, EVERYBODY))
    for known, sealed in zip(*both, strict=True):
        is_open = known.text == sealed.text
        told[known.last - 1] = (known.parts, EVERYBODY if is_open else known.player, () if is_open else sealed.parts)
    return told


def _between(told: Mapping[int, Any], first: int, end: int) -> list[Any]:
    """Return what happened in the lines with the indices ``first`` to ``end - 1``."""
    return [told[index] for index in range(first, end) if index in told]


def _frame(batch: Batch, lines: Sequence[Mapping[str, Any]], first: int) -> dict[str, Any]:
    """Return what happened in a step."""
    secret = batch.spec.record_format.secret_lines
    shown = [(raw_words(line), EVERYBODY if line["t"] not in secret else line.get("player")) for line in lines]
    arrows = [
        (line["province"], line["to"], line.get("result") == "attacked")
        for line in lines
        if line.get("to") is not None and line.get("province") is not None
    ]
    frame: dict[str, Any] = {"first": first, "lines": shown, "points": batch.points[0].tolist(), "arrows": arrows}
    throws = [line for line in lines if line["t"] == "throw"]
    if throws:
        frame["throws"] = [throw_picture(line, _place_of(line, lines)) for line in throws]
    fights = [line for line in lines if line["t"] == "fight"]
    placed = [line for line in lines if line["t"] == "control"]
    if begun := [line for line in lines if line["t"] in ("round", "result")]:
        frame["mark"] = "round"
        frame["label"] = sentences(batch.spec, begun[-1:], EVERYBODY, player_names(batch.spec))[0].text
    elif fights or placed:
        frame["mark"] = "fight" if fights else "placement"
        frame["label"] = ", ".join(dict.fromkeys(str(line["province"]) for line in fights or placed))
    return frame


def _place_of(throw: Mapping[str, Any], lines: Sequence[Mapping[str, Any]]) -> str | None:
    """Return the province of the fight for which a throw is made: the line after it says which."""
    after = next((line for line, before in zip(lines[1:], lines, strict=False) if before is throw), None)
    return str(after["province"]) if after is not None and after["t"] == "fight" else None
