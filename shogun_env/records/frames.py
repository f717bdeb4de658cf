"""The steps of a game as a page needs them: what is drawn and written at each, without repetition.

A step is one event (``events.py``), with the board after it. Each step holds only what differs
from the step before, as pairs of numbers: of the part of the picture (or line of the text), and of its markup in a list
in which every markup is there once. The views of players hold what differs from the referee's. The markups of a part
stand next to each other: they are alike, and a page is half as heavy where they are packed together.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from shogun_env.batch.batch import Batch
from shogun_env.records.events import Event, Stop, arrows_of, events_of, stop_of
from shogun_env.records.picture import draw_state
from shogun_env.records.replay import replay, verify
from shogun_env.records.story import player_names, raw_words, sentences
from shogun_env.records.thoughts import Thought
from shogun_env.records.throws import fight_picture
from shogun_env.spec.game_spec import GameSpec
from shogun_env.spec.voice import EVERYBODY

__all__ = ["frames_of", "parts_at", "stops_of"]

CHANCE = "chance to win (%)"
"""What the chart calls the share of the win that a champion expects."""
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
    batch_type: type[Batch], lines: Sequence[Mapping[str, Any]], thoughts: Sequence[Thought] = (),
    chances: Sequence[tuple[int, int, float]] = (),
) -> dict[str, Any]:  # fmt: skip
    """Return the steps of a game as JSON values.

    Args: the game's ``Batch``; lines, a record with valid fields, as ``read_record`` returns it; thoughts, what bots
        said about decisions of this game; chances, as ``html_page`` takes them.

    Returns: ``frames``, for each step what happened as ``told`` (a text in pieces, each with the player whose name it
        is or None; who may know it: a player, -1 for all, None for the referee; the text for the others), its ``lines``
        (their words, and who may know them), the number of the ``first``, ``arrows`` (from, to, whether it is an
        attack), ``marks`` (kind and label) if it begins a round or an action or holds a fight, ``throws`` into a tower
        as ``fight_picture`` returns them, ``standing`` (numbers by player, by what they count), and
        ``thoughts`` about the decisions that led here (player, heading, text, cost, number of the decision, rows), and
        ``next``, number and player of the decision that follows, if one does; ``names`` of the players;
        ``parts`` and ``pieces``, the names and markups; ``views``, by viewer, for each step its changes as a flat list
        of numbers of parts and pieces, -1 for a piece that is the referee's; ``size`` of the picture; ``places``.

    Raises: RecordError if the rules do not allow the record; ValueError if a thought is not about this game.
    """
    verify(batch_type, lines)
    spec = batch_type.spec
    parts, pieces = _Table(), _Table()
    viewers: list[int | None] = [None, EVERYBODY, *range(int(lines[0]["players"]))]
    before: dict[int | None, dict[int, int]] = {viewer: {} for viewer in viewers}
    views: dict[str, list[list[int]]] = {_key(viewer): [] for viewer in viewers}
    frames: list[dict[str, Any]] = []
    size, places = (0, 0), {}
    told, said, hoped = _told(batch_type, lines), _Said(thoughts), _Chances(chances)
    ends: list[int] = []
    for event in events_of(spec, stops_of(batch_type, lines, said), lines):
        ends.append(event.end)
        frame = _frame(spec, event, lines)
        frame["standing"] = {**hoped.until(event.end), **spec.standing(event.after)}
        frame |= {"told": _between(told, event.first, event.end), "thoughts": said.between(event.first, event.end)}
        frames.append(frame)
        referee: dict[int, int] = {}
        for viewer in viewers:
            drawing = draw_state(spec, event.after, viewer)
            markups = {**drawing.parts, **_text_parts(spec, event.after, viewer)}
            now = {parts[name]: pieces[markup] for name, markup in markups.items()}
            if viewer is None:
                referee = now
            else:
                differing = [part for part in {**referee, **now} if now.get(part) != referee.get(part)]
                now = {part: now.get(part, pieces[""]) for part in differing}
            views[_key(viewer)].append(_changes(before[viewer], now, pieces[""] if viewer is None else -1))
            before[viewer] = now
        size, places = (drawing.width, drawing.height), drawing.places
    for frame, event_end in zip(frames, ends, strict=True):
        if (decision := said.decision_at(event_end)) is not None:
            frame["next"] = decision
    said.check_all_placed()
    agents = lines[0]["agents"] or [""] * int(lines[0]["players"])
    names = [f"P{player} ({agent})" if agent else f"P{player}" for player, agent in enumerate(agents)]
    data = {"frames": frames, "names": names, "size": size, "places": places, "parts": parts.texts()}
    return {**data, **_by_part(views, pieces.texts())}


def _by_part(views: Mapping[str, Sequence[Sequence[int]]], pieces: Sequence[str]) -> dict[str, Any]:
    """Return ``views`` and ``pieces`` with other numbers for the pieces: in the order of the parts they are of."""
    part_of: dict[int, int] = {}
    for changes in (step for steps in views.values() for step in steps):
        for part, piece in zip(changes[::2], changes[1::2], strict=True):
            part_of.setdefault(piece, part)
    order = sorted(range(len(pieces)), key=lambda piece: (part_of.get(piece, -1), piece))
    number = {-1: -1, **{piece: at for at, piece in enumerate(order)}}
    renumbered = {
        viewer: [[number[each] if at % 2 else each for at, each in enumerate(step)] for step in steps]
        for viewer, steps in views.items()
    }
    return {"views": renumbered, "pieces": [pieces[piece] for piece in order]}


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


def _text_parts(spec: GameSpec, state: np.void, viewer: int | None) -> dict[str, str]:
    """Return the lines of the text view as parts."""
    rows = spec.render(state, viewer).splitlines()
    return {f"{TEXT}{number}": row for number, row in enumerate(rows)}


def stops_of(batch_type: type[Batch], lines: Sequence[Mapping[str, Any]], said: _Said | None = None) -> Iterator[Stop]:
    """Yield where a replay stops, the first time before all lines; give each thought its place at its decision."""
    decision, last = 0, None
    for batch, action in replay(batch_type, lines, stepwise=True):
        if last is None:
            yield Stop(n_lines=1, length=0, state=batch.games[0].copy())
        last = stop_of(batch, last)
        yield last
        if action is not None:
            if said is not None:
                said.place(batch, action, decision, last.n_lines)
                said.decisions.append((last.n_lines, int(batch.player[0])))
            decision += 1


class _Said:
    """Thoughts, each to be shown at the event that begins after its decision."""

    def __init__(self, thoughts: Sequence[Thought]) -> None:
        self.waiting = {thought.decision: thought for thought in thoughts}
        self.decisions: list[tuple[int, int]] = []
        """For each decision how many lines there were, and who decided."""
        self.placed: list[tuple[int, tuple[Any, ...]]] = []
        """Index of the line that followed the decision, and what is shown."""

    def place(self, batch: Batch, action: int, decision: int, n_lines: int) -> None:
        """Note what was thought about a decision, after ``n_lines`` lines; ValueError if of another game."""
        if decision in self.waiting:
            self.placed.append((n_lines, _thought(batch, action, self.waiting.pop(decision))))

    def decision_at(self, n_lines: int) -> tuple[int, int] | None:
        """Return number and player of the first decision when there are that many lines; None after the last."""
        at = bisect_left(self.decisions, (n_lines, -1))
        return (at, self.decisions[at][1]) if at < len(self.decisions) else None

    def between(self, first: int, end: int) -> list[tuple[Any, ...]]:
        """Return what was thought about the decisions that led to the lines with indices ``first`` to ``end - 1``."""
        return [shown for at, shown in self.placed if first <= at < end]

    def check_all_placed(self) -> None:
        """Raise a ValueError if a thought is about a decision that the game does not have."""
        if self.waiting:
            raise ValueError(f"a thought about decision {min(self.waiting)}, which this game does not have")


class _Chances:
    """The share of the win that each player could expect, in percent, over the lines of a record."""

    def __init__(self, chances: Sequence[tuple[int, int, float]]) -> None:
        self.chances = [(n_lines, player, round(100 * share)) for n_lines, player, share in sorted(chances)]
        self.now = {player: percent for _, player, percent in reversed(self.chances)}

    def until(self, n_lines: int) -> dict[str, list[int]]:
        """Return the shares when there are that many lines, as ``standing`` has them; nothing if none is known."""
        while self.chances and self.chances[0][0] <= n_lines:
            _, player, percent = self.chances.pop(0)
            self.now[player] = percent
        return {CHANCE: [self.now[player] for player in sorted(self.now)]} if self.now else {}


def _thought(batch: Batch, action: int, thought: Thought) -> tuple[Any, ...]:
    """Return a thought as a page shows it; ValueError if it is about another decision."""
    player, name = int(batch.player[0]), batch.spec.action_name(action)
    if (thought.player, thought.action) != (player, name):
        raise ValueError(
            f"the thought about decision {thought.decision} is about {thought.action} of player {thought.player}, and "
            f"the record has {name} of player {player}: they are of different games"
        )
    phase = batch.spec.phase_names[int(batch.phase[0])].replace("_", " ")
    heading = f"P{player}, {thought.when}, {phase}" if thought.when else f"player {player}, {phase}: {name}"
    return player, heading, thought.text, thought.cost, thought.decision, thought.rows


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


def _frame(spec: GameSpec, event: Event, record: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return what happened in an event, but for the sentences."""
    secret, lines = spec.record_format.kinds.secret, record[event.first : event.end]
    shown = [(raw_words(line), EVERYBODY if line["t"] not in secret else line.get("player")) for line in lines]
    frame: dict[str, Any] = {"first": event.first + 1, "lines": shown, "arrows": arrows_of(lines)}
    if fights := spec.record_format.fights(event.before, lines):
        frame["throws"] = [fight_picture(fight) for fight in fights]
    if marks := _marks(spec, lines):
        frame["marks"] = marks
    return frame


def _marks(spec: GameSpec, lines: Sequence[Mapping[str, Any]]) -> list[tuple[str, str]]:
    """Return what one can jump to an event for, each with a label: a round, an action, a fight or placement."""
    marks = []
    for line in lines:
        if line["t"] in ("round", "action", "result"):
            text = sentences(spec, [line], EVERYBODY, player_names(spec))[0].text
            marks.append(("action" if line["t"] == "action" else "round", text))
        elif line["t"] in ("fight", "control"):
            marks.append(
                ("fight" if line["t"] == "fight" else "placement", spec.terms.get(line["province"], line["province"]))
            )
    return marks
