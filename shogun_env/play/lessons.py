"""A first game with explanations: what a newcomer is told at the first meeting of each kind of decision and event."""

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from shogun_env.game import Game
from shogun_env.records.text import short_rules
from shogun_env.spec.game_spec import GameSpec, Line
from shogun_env.spec.pages import Lesson
from shogun_env.spec.voice import words


def lessons_met(game: Game, player: int, phase: str, seen: int) -> list[dict[str, Any]]:
    """Return what a newcomer has been told up to now, as JSON values; each lesson is among it once.

    Args:
        game: the game as it is confirmed.
        player: the newcomer.
        phase: what they decide now; empty if somebody else does, or nobody.
        seen: how many lines there were when they confirmed last.

    Returns: for each lesson its ``title``, ``text``, ``advice``, ``words`` with their meanings, and ``rule``; whether
        it is about the ``decision`` to be made; and whether it is ``new``, met since the person confirmed last.
    """
    spec, lines = game.spec, game.lines()
    decided = {move.phase for move in game.moves if move.player == player}
    lessons = []
    for lesson in spec.lessons:
        line = _first(lesson, spec, lines, player)
        is_now = phase in lesson.phases and not decided & {*lesson.phases}
        begins = not lesson.phases and not lesson.lines
        if line >= 0 or begins or phase in lesson.phases or decided & {*lesson.phases}:
            named = [str(lines[line][lesson.named])] if lesson.named and line >= 0 else []
            lessons.append(
                {
                    "title": lesson.title,
                    "text": lesson.text,
                    "advice": lesson.advice,
                    "words": [(_heading(spec, word), spec.glossary[word]) for word in (*named, *lesson.words)],
                    "rule": rule_text(spec, lesson.rule),
                    "decision": is_now,
                    "new": is_now or line >= seen or (begins and not decided),
                }
            )
    return lessons


def _heading(spec: GameSpec, word: str) -> str:
    """Return a word of the glossary as the beginning of a line."""
    term = spec.terms.get(word, words(word))
    return term[0].upper() + term[1:]


def _first(lesson: Lesson, spec: GameSpec, lines: Sequence[Line], player: int) -> int:
    """Return the index of the first line that a player knows of and after which a lesson comes, -1 if there is none."""
    knows = spec.record_format.kinds.knows
    found = (index for index, line in enumerate(lines) if lesson.is_about(line, player) and knows(player, line))
    return next(found, -1) if lesson.lines else -1


@cache
def rule_text(spec: GameSpec, begin: str) -> str:
    """Return the paragraph or item of the short rules of a game that begins so, as plain text.

    Raises: ValueError if there is none.
    """
    for line in short_rules(spec).splitlines():
        if line.startswith(begin):
            cells = [cell.strip() for cell in line.strip("|").split("|")]  # of a row the first and the last
            return re.sub(r"^(- |\d+\. )|\*\*", "", line if len(cells) == 1 else f"{cells[0]}: {cells[-1]}")
    raise ValueError(f"{begin!r}: no paragraph of the short rules of {spec.title} begins so")
