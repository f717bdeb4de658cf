"""Golden stories: a whole game of each as a player is told it, so that a change of wording shows as a diff."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

from shogun_env import shitenno, shogun
from shogun_env.records.story import sentences

GAMES = {"shogun": shogun.Game, "shitenno": shitenno.Game}


def path_of(name: str) -> Path:
    """Return the location of the story of a game."""
    return Path(__file__).parent / "stories" / f"{name}.txt"


def story(name: str) -> Iterator[str]:
    """Play a game of three at random and yield what player 0 is told of it, after the numbers of the lines."""
    game, chooser = GAMES[name](seed=3, num_players=3), random.Random(3)
    while not game.is_over:
        game.play(chooser.choice(list(game.legal_actions())))
    for told in sentences(game.spec, game.record(["person", "random", "random"]), 0):
        lines = str(told.first) if told.first == told.last else f"{told.first}-{told.last}"
        yield f"{lines:>7} {told.text}"
