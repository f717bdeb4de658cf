"""A game of a batch as text for people."""

from __future__ import annotations

import re
from importlib import resources
from typing import TYPE_CHECKING

import numpy as np

from shogun_env.spec.game_spec import GameSpec
from shogun_env.spec.options import is_whole
from shogun_env.spec.voice import EVERYBODY, words

if TYPE_CHECKING:  # --help is quick without the engine
    from shogun_env.batch.batch import Batch

RULING = re.compile(r"\| [RS]\d+ \|")
"""How a row of the table of rulings begins."""


def render_text(batch: Batch, row: int = 0, player: int | None = None) -> str:
    """Return a game in words and tables: board, cards, plans, tracks, and who decides what.

    Args:
        batch: the games.
        row: which of them.
        player: whose view is shown, exactly what they may know; None is the referee, who sees everything, -1 everybody.

    Raises: ValueError for a row or player that does not exist.

    Example:
        >>> from shogun_env.shogun import Batch
        >>> print(render_text(Batch(1), player=2).splitlines()[0])
        Shogun, year 1, spring: everybody puts a card on the bid
    """
    check_view(batch, row, player)
    return batch.spec.render(batch.games[row], player)


def check_view(batch: Batch, row: int, player: int | None) -> None:
    """Raise a ValueError for a row or player that does not exist."""
    if not is_whole(row) or row not in range(batch.num_games):
        raise ValueError(f"row={row!r}: rows are 0 to {batch.num_games - 1}")
    if player is not None and not (is_whole(player) and EVERYBODY <= player < batch.num_players):
        players = f"players are 0 to {batch.num_players - 1}, -1 is what everybody knows"
        raise ValueError(f"player={player!r}: {players}, and without a player it is the referee's view")


def prompt_text(batch: Batch, row: int, player: int) -> str:
    """Return a game and a player's legal actions in words, as a language model needs them to choose an action.

    Raises: ValueError for a row or player that does not exist.

    Example:
        >>> from shogun_env.shogun import Batch
        >>> prompt_text(Batch(1), 0, 1).splitlines()[-1]
        '- chest_4: bid the chest card 4, paid at once'
    """
    spec, board = batch.spec, render_text(batch, row, player)
    head = f"You are player {player} in a game of {spec.title}. This is the position as you see it:"
    legal = [] if batch.over[row] else np.flatnonzero(batch.legal_for(player)[row]).tolist()
    if legal in ([], [0]):
        return f"{head}\n\n{board}\nYou have nothing to decide now.\n"
    words_of = {spec.action_name(action): spec.action_words(batch.games[row], action) for action in legal}
    rows = [f"- {name}: {effect}" if effect else f"- {name}" for name, effect in words_of.items()]
    task = "It is your decision. Answer with the name of one of these actions, and nothing else:"
    return "\n".join([head, "", board, task, *rows, ""])


def glossary_of(spec: GameSpec) -> dict[str, str]:
    """Return what the words of a game mean, by the words as texts and pictures have them."""
    return {spec.terms.get(name, words(name)): meaning for name, meaning in spec.glossary.items()}


def short_rules(spec: GameSpec) -> str:
    """Return the rules of a game in at most 4,000 characters, enough to play by: its RULES_SHORT.md."""
    return _page(spec, "RULES_SHORT.md")


def full_rules(spec: GameSpec) -> str:
    """Return the rules of a game with all rulings, without what is for programs: the first half of its RULES.md."""
    rules = _page(spec, "RULES.md").partition("\n## Glossary")[0]
    rules = re.sub(r"\| [^|\n]*\.py: [^|\n]*\|$", "|", rules, flags=re.M)  # where a ruling is applied
    return "\n\n".join(text.strip("\n") for text in rules.split("\n\n") if text.strip() and ".py" not in text)


def rulings(spec: GameSpec) -> list[list[str]]:
    """Return the rows of the table of rulings of a game: tag, ruling, reason, where it is applied."""
    rows = (line.strip().strip("|").split("|") for line in _page(spec, "RULES.md").splitlines() if RULING.match(line))
    return [[cell.strip() for cell in row] for row in rows]


def _page(spec: GameSpec, name: str) -> str:
    """Return a document of a game."""
    if not spec.documents:
        return f"There are no rules of {spec.title} in writing.\n"
    return resources.files(spec.documents).joinpath(name).read_text("utf-8")
