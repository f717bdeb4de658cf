"""What has happened at a table, event by event, as one person may see it."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from shogun_env.batch.batch import Batch
from shogun_env.game import Game, Move
from shogun_env.records.events import Stop, arrows_of, events_of, stop_of
from shogun_env.records.picture import draw_state
from shogun_env.records.replay import run_stepwise
from shogun_env.records.story import raw_words, sentences
from shogun_env.records.throws import fight_picture


def events_since(game: Game, n_moves: int, player: int) -> dict[str, Any]:
    """Return the events of a game after its first moves, as JSON values: nothing that the player may not know.

    Args: the game, which is left unchanged; number of the moves before; player who looks.

    Returns: ``before``, the parts of the picture before the events; and ``events``, for each what was ``told`` (texts
        in pieces), the ``arrows`` and ``throws`` of ``frames_of``, and the ``parts`` of the picture that changed.
    """
    spec, lines = game.spec, game.record()
    start = game.copy()
    if len(game.moves) > n_moves:
        start.undo(len(game.moves) - n_moves)
    texts = {sentence.last: sentence.parts for sentence in sentences(spec, lines, player)}
    shown = before = draw_state(spec, start.batch.games[0].copy(), player).parts
    events = []
    for event in events_of(spec, _stops(start.batch, game.moves[n_moves:]), lines):
        parts = draw_state(spec, event.after, player).parts
        of_event = lines[event.first : event.end]
        changed = {name: parts.get(name, "") for name in {**shown, **parts} if shown.get(name) != parts.get(name)}
        events.append(
            {
                "told": [texts[number] for number in range(event.first + 1, event.end + 1) if number in texts],
                "arrows": arrows_of(of_event),
                "throws": [fight_picture(fight) for fight in spec.record_format.fights(event.before, of_event)],
                "parts": changed,
            }
        )
        shown = parts
    return {"before": before, "events": events}


def news_since(game: Game, seen: int, player: int) -> list[dict[str, Any]]:
    """Return what has happened in a game after some lines, in sentences; see ``Table.news``.

    Args: game; seen, the number of lines before, without the header; player who looks.
    """
    record, kinds = game.batch.records()[0], game.spec.record_format.kinds
    return [
        {
            "text": sentence.text,
            "parts": sentence.parts,
            "kind": sentence.kind,
            "lines": [
                raw_words(line) for line in record[sentence.first - 1 : sentence.last] if kinds.knows(player, line)
            ],
        }
        for sentence in sentences(game.spec, record, player)
        if sentence.first - 2 >= seen
    ]


def _stops(batch: Batch, moves: Sequence[Move]) -> Iterator[Stop]:
    """Play moves in a batch of one game, and yield where it stops on the way, first before all of them."""
    actions = iter(batch.spec.actions[move.action] for move in moves)
    run_stepwise(batch)
    stop = stop_of(batch, None)
    yield stop
    while not batch.over[0]:
        legal = np.flatnonzero(batch.legal[0]).tolist()
        action = legal[0] if len(legal) == 1 else next(actions, None)
        if action is None:
            return
        batch.step([action])
        stop = stop_of(batch, stop)
        yield stop
