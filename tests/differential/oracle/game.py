"""What the slow games have in common: a flow of decisions that is stopped wherever somebody has a choice."""

import contextlib
from collections.abc import Callable, Generator, Iterable
from typing import Any, Self

from .chance import Chance

Decision = tuple[int, str, list[int]]
Flow = Generator[Decision, int, None]
Line = dict[str, Any]


def choose(player: int, kind: str, legal: Iterable[int]) -> Generator[Decision, int, int]:
    """Ask a player; with one legal action nobody is asked (api, forced decisions)."""
    actions = sorted(set(legal))
    if len(actions) == 1:
        return actions[0]
    return (yield player, kind, actions)


class Referee:
    """Takes chance outcomes and writes the record; the table of a game is one."""

    def __init__(self, players: int, chance: Chance) -> None:
        self.players = list(range(players))
        self.chance = chance
        self.lines: list[Line] = []

    def write(self, kind: str, **fields: Any) -> None:
        """Add a line to the record."""
        self.lines.append({"t": kind, **fields})

    def draw(self, kind: str, possible: Callable[[Any], bool]) -> Any:
        """Take the next chance outcome."""
        return self.chance.take(kind, possible)

    def by_player(self, values: dict[int, Any]) -> list[Any]:
        """Values in player order."""
        return [values[player] for player in self.players]


class SlowGame:
    """One game; it plays forced decisions itself and stops at the others."""

    def __init__(self, table: Any, flow: Flow) -> None:
        self.table = table
        self.flow = flow
        self.pending: Decision | None = None
        self.resume(None)

    @classmethod
    def in_the_middle(cls, table: Any, flow: Flow) -> Self:
        """Begin at a table that somebody has laid, with what is still to be played."""
        game = cls.__new__(cls)
        SlowGame.__init__(game, table, flow)
        return game

    @property
    def lines(self) -> list[Line]:
        """Record lines so far, without the header."""
        lines: list[Line] = self.table.lines
        return lines

    def resume(self, action: int | None) -> None:
        """Go on to the next decision or to the end."""
        self.pending = None
        with contextlib.suppress(StopIteration):
            self.pending = next(self.flow) if action is None else self.flow.send(action)

    def decision(self) -> Decision | None:
        """Who decides, on what, and the legal actions; None when the game is over."""
        if self.pending is None:
            return None
        player, kind, legal = self.pending
        return player, kind, list(legal)

    def play(self, action: int) -> None:
        """Play a legal action; an illegal one changes nothing."""
        if self.pending is None:
            raise ValueError("nothing to decide")
        player, kind, legal = self.pending
        if action not in legal:
            raise ValueError(f"player {player}, {kind}: action {action} is not legal, {legal} are")
        self.resume(int(action))


def against_mean(values: list[int]) -> list[float]:
    """Own value minus the mean of the others, over 20 (api, rewards)."""
    total, others = sum(values), len(values) - 1
    return [(value - (total - value) / others) / 20 for value in values]


def win_rewards(standings: list[tuple[int, int]]) -> list[float]:
    """(n z - 1) / (n - 1), z the share of the win (api, rewards)."""
    n, best = len(standings), max(standings)
    share = 1 / standings.count(best)
    return [(n * (share if standing == best else 0.0) - 1) / (n - 1) for standing in standings]


def rank_rewards(standings: list[tuple[int, int]]) -> list[float]:
    """+1 for the first to -1 for the last, ties averaged (api, rewards)."""
    rewards = []
    for own in standings:
        ahead = sum(other > own for other in standings)
        rewards.append(1 - 2 * (ahead + (standings.count(own) - 1) / 2) / (len(standings) - 1))
    return rewards


def final_rewards(reward: str, points: list[int], standings: list[tuple[int, int]]) -> list[float]:
    """Rewards that are paid at the end of the game (api, rewards)."""
    if reward == "win":
        return win_rewards(standings)
    if reward == "rank":
        return rank_rewards(standings)
    if reward == "margin":
        return against_mean(points)
    raise ValueError(f"unknown reward {reward!r}")
