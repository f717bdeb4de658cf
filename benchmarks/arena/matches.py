"""What a tournament plays and what comes of it: line-ups, matches, results, variants of a game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, combinations_with_replacement
from typing import Any

from shogun_env.cli import option_arguments, unusual_options
from shogun_env.spec.game_spec import GameSpec

Key = tuple[str, tuple[str, ...], int, int]
"""What identifies a game within a tournament: variant, line-up, seed and rotation."""


@dataclass(frozen=True)
class Match:
    """All rotations of a line-up on one seed; in rotation r, player k is ``line_up[(k + r) % n]``."""

    line_up: tuple[str, ...]
    """Names of the agents."""
    seed: int


@dataclass(frozen=True, slots=True)
class Result:
    """The result of one game."""

    seed: int
    line_up: list[str]
    rotation: int
    agents: list[str]
    """Name of the agent that played each player."""
    place: list[float]
    """Place of each player; 1 is best, and tied players have the mean of their places."""
    points: list[int]
    """Points of each player."""
    win: list[float]
    """Share of the win of each player; the shares sum to 1."""
    decisions: int
    """Number of decisions, forced ones not counted."""
    faults: list[dict[str, int]]
    """Number of faults of each player by kind; the lowest legal action was played instead."""
    variant: str = ""
    """The options of play, as ``variant_name`` names them."""
    seconds: list[float] | None = field(default=None, compare=False)
    """Seconds that each player's agent took, 0 for compiled ones; None if all are compiled."""
    asked: list[int] | None = field(default=None, compare=False)
    """Number of decisions put to each player's agent, 0 for compiled ones; None if all are compiled."""
    story: dict[str, list[Any]] | None = None
    """What each player did, from the record of the game, for some games; see ``story_of``."""
    made_by: dict[str, Any] = field(default_factory=dict)
    """Versions of the package and of the rules, and their signature."""

    @property
    def key(self) -> Key:
        """What identifies a game within a tournament."""
        return self.variant, tuple(self.line_up), self.seed, self.rotation


def variant_name(spec: GameSpec, options: Mapping[str, Any]) -> str:
    """Return the name of a set of options of play: the number of players, and the options that are unusual.

    Example:
        >>> from shogun_env.shogun import SHOGUN
        >>> variant_name(SHOGUN, {"num_players": 3, "side": "moon", "start": "draft"})
        '3 players --side moon --start draft'
    """
    players = spec.check_options(options)["num_players"]
    unusual = {name: value for name, value in unusual_options(spec, options).items() if name != "num_players"}
    return " ".join([f"{players} players", *option_arguments(unusual)])


def line_ups(agents: Sequence[str], players: int) -> list[tuple[str, ...]]:
    """Return the line-ups of a tournament.

    As many agents as players make one line-up, in which a name may appear twice. From more agents every selection of as
    many as there are players is a line-up. Of fewer agents every line-up is one in which each plays at least once.

    Raises: ValueError for fewer than two agents, or a name that appears twice among more or fewer than ``players``.

    Example:
        >>> line_ups(["a", "b"], 3)
        [('a', 'a', 'b'), ('a', 'b', 'b')]
    """
    if len(agents) == players:
        return [tuple(agents)]
    if len(agents) < 2:
        raise ValueError(f"{len(agents)} agents: a tournament needs at least two")
    if len(set(agents)) < len(agents):
        raise ValueError(f"an agent may be listed twice only among {players} agents, one for each player")
    if len(agents) > players:
        return list(combinations(agents, players))
    return [table for table in combinations_with_replacement(agents, players) if set(table) == set(agents)]


def matches(agents: Sequence[str], players: int, games: int, seed: int = 0) -> list[Match]:
    """Return the matches of a tournament: every line-up on the same seeds ``seed``, ``seed + 1``, …

    Args:
        agents: names of the agents.
        players: number of players of a game.
        games: least number of games, all rotations counted.
        seed: the first seed.

    Raises: ValueError as for ``line_ups``.

    Example:
        >>> [match.seed for match in matches(["a", "b", "c"], 3, games=6, seed=5)]
        [5, 6]
    """
    tables = line_ups(agents, players)
    seeds = -(-games // (len(tables) * players))
    return [Match(table, seed + index) for index in range(seeds) for table in tables]


def without_repeated_seeds(games: Sequence[tuple[Match, int]]) -> Iterator[list[int]]:
    """Yield indices of games, in groups in which each seed occurs once.

    Games on one seed have the same chance. An agent that is asked for two of them at a time could read in one what will
    come in the other.

    Example:
        >>> one, two = Match(("a", "b"), 7), Match(("a", "b"), 8)
        >>> list(without_repeated_seeds([(one, 0), (one, 1), (two, 0)]))
        [[0, 2], [1]]
    """
    groups: list[list[int]] = []
    used: dict[int, int] = {}
    for index, (match, _) in enumerate(games):
        number = used.get(match.seed, 0)
        used[match.seed] = number + 1
        if number == len(groups):
            groups.append([])
        groups[number].append(index)
    yield from groups
