"""Which games a tournament plays, and what comes of each: line-ups, seatings, results, variants of a game.

A line-up is a choice of agents for one game, such as ``a, b, c``. On each seed it is played in all its rotations: three
games, in which player 0 is ``a``, then ``b``, then ``c``. A ``Seating`` is one of these games, and a ``Result`` is what
came of it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, combinations_with_replacement
from typing import Any, NamedTuple

import numpy as np

from shogun_env.benchmarks.arena.seeds import NO_SECRET, game_seed
from shogun_env.cli import option_arguments, unusual_options
from shogun_env.spec.game_spec import GameSpec


class Seating(NamedTuple):
    """One game of a tournament, and what identifies it: who sits where, on which seed.

    Example:
        >>> Seating(variant="3 players", line_up=("a", "b", "c"), seed=7, rotation=1).agents
        ['b', 'c', 'a']
    """

    variant: str
    """The options of play, as ``variant_name`` names them."""
    line_up: tuple[str, ...]
    """Names of the agents."""
    seed: int
    rotation: int
    """In rotation r, player k is ``line_up[(k + r) % n]``."""

    @property
    def agents(self) -> list[str]:
        """Name of the agent that plays each player."""
        return [*self.line_up[self.rotation :], *self.line_up[: self.rotation]]

    def record_name(self, spec: GameSpec) -> str:
        """Return the name of the file for the record of this game: its seed, and a hash of everything."""
        digest = hashlib.blake2b(repr(tuple(self)).encode(), digest_size=6).hexdigest()
        return f"{self.seed}-{digest}.{spec.name}.jsonl"


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
    luck: list[float] | None = None
    """The luck of each player, as a share of the win; None if it was not found (``arena.luck``)."""
    made_by: dict[str, Any] = field(default_factory=dict)
    """Versions of the package and of the rules, and their signature."""
    record: dict[str, str] | None = None
    """Of the record of the game the ``file``, and the ``sha256`` of that; None if none is kept."""
    record_text: str | None = field(default=None, compare=False, repr=False)
    """What that file holds."""

    @property
    def seating(self) -> Seating:
        """The game of the tournament that this is the result of."""
        return Seating(variant=self.variant, line_up=tuple(self.line_up), seed=self.seed, rotation=self.rotation)


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
    return [line_up for line_up in combinations_with_replacement(agents, players) if set(line_up) == set(agents)]


def about_copies(agents: Sequence[str], players: int, games: int) -> str:
    """Return a sentence about a tournament in which bots play in copies, because there are fewer than players, or "".

    Args:
        agents: names of the agents.
        players: number of players of a game.
        games: number of games that are played.

    Example:
        >>> about_copies(["a", "b"], 3, 6)
        '2 bots for 3 players: up to 2 copies of a bot play, figures are of one copy; 2 line-ups, 3 rotations, 6 games.'
    """
    if len(agents) >= players:
        return ""
    most, count = players - len(agents) + 1, len(line_ups(agents, players))
    return (
        f"{len(agents)} bots for {players} players: up to {most} copies of a bot play, figures are of one copy; "
        f"{count} line-ups, {players} rotations, {games} games."
    )


def drawn_line_ups(agents: Sequence[str], players: int, seed: int) -> list[tuple[str, ...]]:
    """Return line-ups drawn from a seed: agents shuffled and cut into groups; those of the rest sit out.

    Raises: ValueError for an agent listed twice, or not more agents than players.

    Example:
        >>> drawn_line_ups(["a", "b", "c", "d", "e"], 2, seed=1)
        [('e', 'a'), ('b', 'c')]
    """
    if len(set(agents)) < len(agents) or len(agents) <= players:
        raise ValueError(f"{len(agents)} agents: drawn line-ups need more different agents than {players} players")
    order = [agents[index] for index in np.random.default_rng(seed).permutation(len(agents))]
    return [tuple(order[begin : begin + players]) for begin in range(0, len(order) - players + 1, players)]


def seatings(
    variant: str,
    agents: Sequence[str],
    players: int,
    games: int,
    seed: int = 0,
    secret: bytes = NO_SECRET,
    drawn: bool = False,
) -> list[Seating]:
    """Return the games of a tournament: line-ups in all their rotations on the seeds ``seed``, ``seed + 1``, …

    Args:
        variant: name of the options of play.
        agents: names of the agents.
        players: number of players of a game.
        games: least number of games.
        seed: the first seed.
        secret: seeds are made from it and these numbers; see ``game_seed``.
        drawn: each seed has line-ups of its own, drawn from its number (``drawn_line_ups``), not all that there are.

    Raises: ValueError as for ``line_ups``.

    Example:
        >>> [(seating.seed, seating.rotation) for seating in seatings("3 players", ["a", "b", "c"], 3, games=6, seed=5)]
        [(5, 0), (5, 1), (5, 2), (6, 0), (6, 1), (6, 2)]
    """

    def on(index: int) -> list[tuple[str, ...]]:
        return drawn_line_ups(agents, players, seed + index) if drawn else line_ups(agents, players)

    n_seeds = -(-games // (len(on(0)) * players))
    return [
        Seating(variant=variant, line_up=line_up, seed=game_seed(seed + index, secret), rotation=rotation)
        for index in range(n_seeds)
        for line_up in on(index)
        for rotation in range(players)
    ]


def without_repeated_seeds(games: Sequence[Seating]) -> list[list[int]]:
    """Return the indices of games, in groups in which each seed occurs once.

    Games on one seed have the same chance. An agent that is asked for two of them at a time could read in one what will
    come in the other.

    Example:
        >>> without_repeated_seeds(seatings("2 players", ["a", "b"], 2, games=4))
        [[0, 2], [1, 3]]
    """
    groups: list[list[int]] = []
    n_seen: dict[int, int] = {}
    for index, game in enumerate(games):
        group = n_seen.get(game.seed, 0)
        n_seen[game.seed] = group + 1
        if group == len(groups):
            groups.append([])
        groups[group].append(index)
    return groups
