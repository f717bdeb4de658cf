"""What a newcomer is told about something at the first meeting."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["Lesson"]


@dataclass(frozen=True, kw_only=True)
class Lesson:
    """An explanation that comes once; one without ``phases`` and ``lines`` comes when the game begins.

    Attributes:
        title: what it is about.
        text: what happens, and what one can do.
        advice: what usually is good, and why.
        words: names of the glossary that go with it.
        rule: how the paragraph or item of the short rules begins that holds the rule.
        phases: it comes when the newcomer first decides in one of these.
        lines: it comes after the first of these lines of a record: a type, or a type and a value that the line has.
        own: whether only lines that name the newcomer count.
        named: field of the line whose value is explained too, by the glossary.
    """

    title: str
    text: str
    advice: str
    rule: str
    words: tuple[str, ...] = ()
    phases: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    own: bool = False
    named: str = ""

    def is_about(self, line: Mapping[str, Any], player: int) -> bool:
        """Return whether a line of a record is one after which the lesson comes for a player.

        Example:
            >>> lesson = Lesson(title="Fight", text="", advice="", rule="", lines=("throw battle",))
            >>> lesson.is_about({"t": "throw", "why": "battle"}, 0), lesson.is_about({"t": "throw", "why": "fill"}, 0)
            (True, False)
        """
        if self.own and line.get("player") != player:
            return False
        return any(
            line["t"] == kind and (not value or value in line.values())
            for kind, _, value in (each.partition(" ") for each in self.lines)
        )
