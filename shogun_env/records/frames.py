"""The steps of a game as a page needs them: what is drawn and written at each, without repetition.

A step is one event (``events.py``), with the board after it. Each markup of a part of the picture, or of a line of the
text, is written once, and views hold its number at every step. Next to one another these compress to nearly nothing.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from shogun_env.batch.batch import Batch
from shogun_env.records.events import Event, Stop, arrows_of, events_of, first_stop, stop_of
from shogun_env.records.picture import draw_state
from shogun_env.records.replay import replay
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
NOTHING = -1
"""Instead of the number of a markup: the part is not there."""


class _Decision(NamedTuple):
    """A decision of a game."""

    n_lines: int
    """How many lines of the record there were."""
    player: int
    phase: str
    action: str


def frames_of(
    batch_type: type[Batch], lines: Sequence[Mapping[str, Any]], thoughts: Sequence[Thought] = (),
    chances: Sequence[tuple[int, int, float]] = (), show: Callable[[float], None] = lambda done: None,
) -> dict[str, Any]:  # fmt: skip
    """Return the steps of a game as JSON values.

    Args: the game's ``Batch``; lines, a record with valid fields, as ``read_record`` returns it; thoughts, what bots
        said about decisions of this game; chances and show, as ``html_page`` takes them.

    Returns: ``frames``, for each step what happened as ``told`` (a text in pieces, each with the player whose name it
        is or None; who may know it: a player, -1 for all, None for the referee; the text for the others), its ``lines``
        (their words, and who may know them), the number of the ``first``, ``arrows`` (from, to, whether it is an
        attack), ``marks`` (kind and label) if it begins a round or an action or holds a fight, ``throws`` into a tower
        as ``fight_picture`` returns them, ``standing`` (numbers by player, by what they count), and
        ``thoughts`` about the decisions that led here (player, heading, text, cost, number of the decision, rows), and
        ``next``, number and player of the decision that follows, if one does; ``names`` of the players;
        ``pieces``, by name of the part its markups; ``views``, by part and viewer, for each step the number of the
        markup, or NOTHING; ``size`` of the picture; ``places``.

    Raises: RecordError if the rules do not allow the record; ValueError if a thought is not about this game.
    """
    spec, decisions = batch_type.spec, list[_Decision]()
    stops = list(stops_of(batch_type, lines, decisions))  # what happened is told of games that happened
    events = list(events_of(spec, stops, lines))
    pieces: dict[str, dict[str, int]] = {}
    viewers: list[int | None] = [None, EVERYBODY, *range(int(lines[0]["players"]))]
    views: dict[str, dict[str, list[int]]] = defaultdict(
        lambda: {_key(viewer): [NOTHING] * len(events) for viewer in viewers}
    )
    frames: list[dict[str, Any]] = []
    size, places = (0, 0), {}
    texts = _texts(batch_type, lines)
    remarks = [(decisions[each.decision].n_lines, remark) for each, remark in _thoughts(thoughts, decisions)]
    chances = sorted(chances)
    for step, event in enumerate(events):
        frame = _frame(spec, event, lines)
        frame["standing"] = {**_chances_at(chances, event.end), **spec.standing(event.after)}
        frame["told"] = [texts[index] for index in range(event.first, event.end) if index in texts]
        frame["thoughts"] = [remark for at, remark in remarks if event.first <= at < event.end]
        at = bisect_left(decisions, event.end, key=lambda decision: decision.n_lines)
        if at < len(decisions):
            frame["next"] = at, decisions[at].player
        frames.append(frame)
        show(step / len(events))
        for viewer in viewers:
            drawing = draw_state(spec, event.after, viewer)
            rows = enumerate(spec.render(event.after, viewer).splitlines())
            for part, markup in {**drawing.parts, **{f"{TEXT}{number}": row for number, row in rows}}.items():
                numbers = pieces.setdefault(part, {})
                views[part][_key(viewer)][step] = numbers.setdefault(markup, len(numbers))
        size, places = (drawing.width, drawing.height), drawing.places
    agents = lines[0]["agents"] or [""] * int(lines[0]["players"])
    names = [f"P{player} ({agent})" if agent else f"P{player}" for player, agent in enumerate(agents)]
    markups_of = {part: list(numbers) for part, numbers in pieces.items()}
    return {"frames": frames, "names": names, "size": size, "places": places, "views": views, "pieces": markups_of}


def parts_at(data: Mapping[str, Any], step: int, viewer: int | None = None) -> dict[str, str]:
    """Return the markups of a step by name of the part, as the page puts them together."""
    numbers = {part: views[_key(viewer)][step] for part, views in data["views"].items()}
    return {part: data["pieces"][part][number] for part, number in numbers.items() if number != NOTHING}


def _key(viewer: int | None) -> str:
    """Return the name of a view in the data."""
    return {None: "referee", EVERYBODY: "all"}.get(viewer, str(viewer))


def stops_of(
    batch_type: type[Batch], lines: Sequence[Mapping[str, Any]], decisions: list[_Decision] | None = None
) -> Iterator[Stop]:
    """Yield where a replay stops, the first time before all lines; add the decisions on the way to ``decisions``.

    Raises: RecordError at the end if the rules do not allow the record.
    """
    last = None
    for batch, action in replay(batch_type, lines, stepwise=True):
        if last is None:
            last = first_stop(batch)
            yield last
        last = stop_of(batch, last)
        yield last
        if action is not None and decisions is not None:
            phase = batch.spec.phase_names[int(batch.phase[0])]
            decisions.append(_Decision(last.n_lines, int(batch.player[0]), phase, batch.spec.action_name(action)))


def _chances_at(chances: Sequence[tuple[int, int, float]], n_lines: int) -> dict[str, list[int]]:
    """Return the share of the win that each player could expect when there were that many lines, in per cent.

    Args: chances, in order; n_lines.
    """
    now: dict[int, int] = {}
    for at, player, share in chances:
        if at <= n_lines or player not in now:
            now[player] = round(100 * share)
    return {CHANCE: [now[player] for player in sorted(now)]} if now else {}


def _thoughts(thoughts: Sequence[Thought], decisions: Sequence[_Decision]) -> Iterator[tuple[Thought, tuple[Any, ...]]]:
    """Yield thoughts by their decisions, each with how a page shows it; ValueError if one is about another game."""
    for thought in sorted(thoughts, key=lambda thought: thought.decision):
        if not 0 <= thought.decision < len(decisions):
            raise ValueError(f"a thought about decision {thought.decision}, which this game does not have")
        _, player, phase, action = decisions[thought.decision]
        if (thought.player, thought.action) != (player, action):
            raise ValueError(
                f"the thought about decision {thought.decision} is about {thought.action} of player {thought.player}, "
                f"and the record has {action} of player {player}: they are of different games"
            )
        phase = phase.replace("_", " ")
        heading = f"P{player}, {thought.when}, {phase}" if thought.when else f"player {player}, {phase}: {action}"
        yield thought, (player, heading, thought.text, thought.cost, thought.decision, thought.rows)


# --- what happened ---------------------------------------------------------------------------------------------------


def _texts(batch_type: type[Batch], lines: Sequence[Mapping[str, Any]]) -> dict[int, tuple[Any, int | None, Any]]:
    """Return what happened, as ``frames_of`` describes it, by the index of the last line that it is about."""
    spec, names = batch_type.spec, player_names(batch_type.spec)
    texts: dict[int, tuple[Any, int | None, Any]] = {}
    both = (sentences(spec, lines, viewer, names) for viewer in (None, EVERYBODY))
    for known, sealed in zip(*both, strict=True):
        is_open = known.text == sealed.text
        texts[known.last - 1] = (known.parts, EVERYBODY if is_open else known.player, () if is_open else sealed.parts)
    return texts


def _frame(spec: GameSpec, event: Event, record: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return what happened in an event, but for the sentences."""
    knows, lines = spec.record_format.kinds.knows, record[event.first : event.end]
    shown = [(raw_words(line), EVERYBODY if knows(EVERYBODY, line) else line.get("player")) for line in lines]
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
        if mark := spec.record_format.kinds[line["t"]].mark:
            place = line.get("province")
            sentence = sentences(spec, [line], EVERYBODY, player_names(spec))[0].text
            marks.append((mark, spec.terms.get(place, place) if place else sentence))
    return marks
