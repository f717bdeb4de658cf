"""What a bot is tuned for: opponents, with weights, times sets of options; and how well it does there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from shogun_env.cli import combinations_of, option_arguments, unusual_options
from shogun_env.policies import Agent, make_agent
from shogun_env.shares import wins
from shogun_env.spec.game_spec import GameSpec

if TYPE_CHECKING:  # --help is quick without the engine
    from shogun_env.batch.batch import Batch


class Condition(NamedTuple):
    """One opponent and one set of options."""

    against: str
    """Spec of the bot that plays all other seats."""
    weight: float
    """What the condition counts in addition to the others."""
    options: dict[str, Any]
    """Options of play, complete."""

    @property
    def players(self) -> int:
        """Number of players."""
        return int(self.options["num_players"])


def title_of(spec: GameSpec, against: str, options: Mapping[str, Any]) -> str:
    """Return a condition in words: the opponent, the number of players, and what else differs from usual."""
    others = {name: value for name, value in unusual_options(spec, options).items() if name != "num_players"}
    return " ".join([f"{against}, {options['num_players']} players", *option_arguments(others)])


def weighted(text: str) -> tuple[float, str]:
    """Return the weight and the spec in ``WEIGHT*SPEC``; the weight is 1 in a text without it.

    Raises: ValueError for a weight that is not a positive number.

    Example:
        >>> weighted("2*scripted:style=builder"), weighted("random")
        ((2.0, 'scripted:style=builder'), (1.0, 'random'))
    """
    weight, star, spec = text.partition("*")
    if not star:
        return 1.0, text
    try:
        number = float(weight)
    except ValueError:
        number = 0.0
    if not 0.0 < number < float("inf"):
        raise ValueError(f"--against {text}: {weight!r} must be a number above 0")
    return number, spec


def option_sets(spec: GameSpec, options: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the combinations of options, whose values may be lists such as ``3,4,5``, that the game allows.

    Raises: ValueError if there is none, with the reason of the first.
    """
    sets, errors = [], []
    for one in combinations_of(options):
        try:
            sets.append(spec.check_options(one))
        except ValueError as error:
            errors.append(error)
    if not sets:
        raise errors[0]
    return sets


def conditions_of(spec: GameSpec, against: Sequence[str], options: Mapping[str, Any]) -> list[Condition]:
    """Return every opponent, which may have a weight, with every combination of options.

    Raises: ValueError for a bad weight, or options of which the game allows no combination.
    """
    sets = option_sets(spec, options)
    return [Condition(name, weight, one) for weight, name in map(weighted, against) for one in sets]


class Judge:
    """Plays a bot under all conditions.

    Args:
        batch_class: the game's ``Batch``.
        conditions: at least one.
        games: number of games under all conditions together; rounded so that every rotation of a seed is played.
        num_threads: threads of the engine; results do not depend on their number.

    Raises: ValueError for an unknown opponent.
    """

    def __init__(
        self, batch_class: type[Batch], conditions: Sequence[Condition], games: int, num_threads: int = 1
    ) -> None:
        self.batch_class, self.conditions, self.games, self.num_threads = batch_class, conditions, games, num_threads
        self._opponents = [make_agent(condition.against, batch_class.spec) for condition in conditions]

    def wins(self, agent: Agent, seed: int) -> list[np.ndarray]:
        """Return the wins float64[S, P] under each condition, by seed from ``seed`` on and by player."""
        results = []
        for condition, opponent in zip(self.conditions, self._opponents, strict=True):
            seeds = max(2, round(self.games / len(self.conditions) / condition.players))
            rows = np.arange(seed, seed + seeds)
            results.append(wins(self.batch_class, agent, opponent, rows, condition.options, self.num_threads))
        return results

    def value(self, agent: Agent, seed: int) -> float:
        """Return the mean over the conditions of share of wins times players: 1 is as good as the opponents."""
        won = self.wins(agent, seed)
        total = sum(c.weight * float(w.mean()) * c.players for c, w in zip(self.conditions, won, strict=True))
        return total / sum(condition.weight for condition in self.conditions)
