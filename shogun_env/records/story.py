"""What happened in a game, in plain English: one text for the lines of a record that belong together."""

from collections.abc import Iterable, Sequence
from typing import Any

from shogun_env.spec.forms import cut
from shogun_env.spec.game_spec import GameSpec, Line
from shogun_env.spec.voice import YOU, Passage, Sentence, Voice, spoken

__all__ = ["Sentence", "known_lines", "player_names", "raw_words", "sentences"]

LONGEST = 240
"""Characters of a line in raw words; a longer line is cut, as the board shows the rest."""


def sentences(
    spec: GameSpec, lines: Sequence[Line], viewer: int | None = None, names: Sequence[str] | None = None
) -> list[Sentence]:
    """Return what happened, in order; each line is covered exactly once, and no text spans a decision.

    Args:
        spec: the game.
        lines: a record from its header on, as ``read_record`` and ``Game.record`` return it, or the lines of
            ``Game.lines``. Lines of later rounds alone will do; those before them only say more exactly what they mean.
        viewer: nothing is told that this player cannot know; -1 for what everybody knows, None for the referee.
        names: by player; who is called "you" is addressed as such. Default: P0, P1, …, and "you" for the viewer.

    Example:
        >>> from shogun_env import shitenno
        >>> game = shitenno.Game(seed=1, num_players=2)
        >>> [told.text for told in sentences(game.spec, game.lines(), 0) if told.kind == "deal"]
        ['You are dealt a Samurai-Shinobi and a double Sōhei.', 'P1 is dealt 2 troop cards.']
    """
    if names is None:
        names = player_names(spec, viewer)
    tell, voice = spec.record_format.tell, Voice(names, viewer)
    story, at = [], 0
    before = 1 if lines and lines[0]["t"] == "header" else 2  # number of the first of the lines in its record
    for marked, player, n_lines in _raw(spec, lines, voice) if tell is None else tell(lines, voice):
        text, parts = spoken(marked)
        first, last = before + at, before + at + n_lines - 1
        story.append(Sentence(text=text, player=player, kind=lines[at]["t"], first=first, last=last, parts=parts))
        at += n_lines
    return story


def known_lines(spec: GameSpec, lines: Sequence[Line], viewer: int) -> list[Line]:
    """Return the lines of a record that a player may know; secret ones of others keep only their type and player.

    Args: spec; lines, without the header, which has the seed; viewer, the player.

    Example:
        >>> from shogun_env import shitenno
        >>> game = shitenno.Game(seed=1, num_players=2)
        >>> [line for line in known_lines(game.spec, game.lines(), 1) if line["t"] == "deal"][0]
        {'t': 'deal', 'player': 0}
    """
    kinds = spec.record_format.kinds
    return [
        line if kinds.knows(viewer, line) else {key: line[key] for key in ("t", "player") if key in line}
        for line in lines
    ]


def player_names(spec: GameSpec, viewer: int | None = None) -> list[str]:
    """Return the names that players have where nothing else is known: P0, P1, …, and "you" for the viewer."""
    return [YOU if player == viewer else f"P{player}" for player in range(max(spec.players))]


def raw_words(line: Line) -> str:
    """Return a line of a record field by field, its type first."""
    fields = ", ".join(f"{name} {_word(value)}" for name, value in line.items() if name != "t")
    return cut(f"{line['t']}: {fields}" if fields else str(line["t"]), LONGEST)


def _raw(spec: GameSpec, lines: Sequence[Line], voice: Voice) -> Iterable[Passage]:
    """Yield the lines in raw words, for a game that cannot tell about them; of secret lines only the type."""
    for line in lines:
        is_known = spec.record_format.kinds.knows(voice.viewer, line)
        yield Passage(raw_words(line) if is_known else str(line["t"]), line.get("player"))


def _word(value: Any) -> str:
    """Return a value of a record in words."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return f"({', '.join(f'{key} {_word(item)}' for key, item in value.items())})"
    if isinstance(value, list):
        return f"[{', '.join(map(_word, value))}]"
    return str(value)
