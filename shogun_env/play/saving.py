"""The file of a table: what it holds, and where in another game a game may have begun."""

import sys
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from shogun_env.agents.parts import is_foreign
from shogun_env.files import text_in
from shogun_env.game import Game, Move
from shogun_env.policies import make_agent
from shogun_env.spec.forms import COUNT, anything, blaming, fault_of, json_of
from shogun_env.spec.game_spec import GameSpec, Line

RECKONER = "scripted"
"""The bot that says what lots are worth, and whose choices explanations suggest: it answers at once."""
PERSON = "person"
"""What a player who is not a bot is called."""
NEVER = sys.maxsize
"""The line at which somebody resigned in a file that does not say at which."""
FORMAT, VERSION, SUFFIX = "shogun-env-table", 4, ".table.json"
ORIGIN = (None, {"record": [anything], "decision": COUNT})
"""The form of where a game began: with the set-up, or at a decision of another game."""


def save_name(game: str, seed: int) -> str:
    """Return the name of the file in which a table is saved, such as ``7.shogun.table.json``."""
    return f"{seed}.{game}{SUFFIX}"


def _forms(spec: GameSpec) -> dict[str, Any]:
    """Return the forms (``spec.forms``) of what a saved table holds."""
    players = frozenset(map(str, range(max(spec.players))))
    return {
        "seed": COUNT,
        "options": {frozenset(spec.option_defaults): anything},
        "bots": {players: str},
        "host": COUNT,
        "names": {players: str},
        "adviser": str,
        "moves": [str],
        "draws": [COUNT],
        "drafts": {players: [str]},
        "plans": {players: {frozenset(map(str, range(len(spec.plan_spaces)))): str}},
        "confirmed": [COUNT],
        "learners": [COUNT],
        "resigned": [COUNT],
        "resigned_at": {players: COUNT},
        "end": [anything],
        "origin": ORIGIN,
    }


class Origin(NamedTuple):
    """The decision of another game at which a game begins."""

    record: Sequence[Line]
    """The lines of that game."""
    decision: int
    """Number of the decision, the first being 0."""

    def game_and_moves(self, game_class: type[Game], seed: int) -> tuple[Game, Sequence[Move]]:
        """Return the game at that decision, with other chance to come, and what was played from there on.

        Raises: ValueError if the record has no such decision.
        """
        game = game_class.from_record(self.record, seed=seed)
        moves = game.moves[self.decision :]
        if self.decision < 0 or not moves:
            raise ValueError(f"decision {self.decision}: the game has decisions 0 to {len(game.moves) - 1}")
        game.undo(len(moves))
        return game, moves


class ForeignBotsError(ValueError):
    """A file names bots that are not of this package (``agents.parts.is_foreign``) and that nobody has allowed.

    Args: names, their specs.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self.names = tuple(names)
        super().__init__(
            f"names bots that are not of this package and would run here as you: {' and '.join(map(repr, names))}; "
            "to start them, name them with --against or --hint"
        )


def check_bots(names: Iterable[str], spec: GameSpec, allowed: Collection[str]) -> None:
    """Check that the bots which a file names are of this package, or allowed; ForeignBotsError names the others."""
    if foreign := [name for name in dict.fromkeys(names) if name not in allowed and is_foreign(name, spec)]:
        raise ForeignBotsError(foreign)


def playable(name: str, spec: GameSpec, allowed: Collection[str]) -> str:
    """Return the name of a bot, or of another one if it is foreign and not allowed, or cannot be made."""
    try:
        check_bots([name], spec, allowed)
        make_agent(name, spec)
    except (ValueError, OSError, ImportError):
        return RECKONER
    return name


def identity(spec: GameSpec) -> dict[str, Any]:
    """Return what a file says of itself."""
    return {"format": FORMAT, "version": VERSION, "game": spec.name, "rules": spec.rules_version}


def read_saved(path: Path, spec: GameSpec) -> dict[str, Any]:
    """Return what a file holds; ValueError saying why it is no table of this game and version; OSError."""
    with blaming(f"{path} is not a saved table of this game"):
        data = json_of(text_in(path))
        if isinstance(data, dict):  # files of earlier versions do not have these
            data = {"draws": [], "learners": [], "resigned": [], "resigned_at": {}, "names": {}, **data}
        if fault := fault_of(data, {**identity(spec), **_forms(spec)}, "the table"):
            raise ValueError(fault)
    return {**data, "resigned_at": {str(player): NEVER for player in data["resigned"]} | data["resigned_at"]}
