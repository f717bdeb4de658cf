"""Luck, so that it can be subtracted: the part of a result that chance decided and that nobody could have influenced.

The luck of an event is what a position is worth after it, less the mean of what it would have been worth had chance
fallen otherwise. Given the position and the choice before the event its expectation is 0, whatever the worth: a wrong
one subtracts less luck and nothing else. So the share of wins less the sum of the luck of a game has the same
expectation as the share of wins, and a smaller spread. Two kinds of events are known:

- ``rounds``: what comes between closed plans and the next planning is one event. It is played again from the moment at
  which the last card is laid, with new chance *by the same bots*, whose later choices are part of the event: any other
  bot would spoil the expectation. It needs bots that can be asked again in a copied position (``replayable``).
- ``draws``: each choice that chance follows is an event of its own, up to the next choice. Only the event is repeated.
  What a position is worth is found by playing the round out with a stand-in for everybody, after the true event as
  after the repeated ones. Whoever made the choice is not asked again, so people and language models may play.

What a position is worth when a round is over is the fitted value of ``search`` (``agents.search.value``), whose hash is
part of the settings of a tournament, and is therefore fixed before its first game. Every sum has the coefficient 1, so
nothing is fitted to results. Before the first plans nothing is subtracted. The method is that of DIVAT and MIVAT (M.
White and M. Bowling, "Learning a value analysis tool for agent evaluation", IJCAI 2009), with replays in place of an
enumeration of chance.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from shogun_env.agents.search.value import VALUE_FILES, value_of
from shogun_env.batch.batch import Batch
from shogun_env.batch.rollouts import ROUND, value_features
from shogun_env.benchmarks.arena.referee import Referee
from shogun_env.policies import Agent, ask, make_agent
from shogun_env.spec.game_spec import GameSpec

ROUNDS, DRAWS = "rounds", "draws"
REPEATS = {ROUNDS: 12, DRAWS: 256}
"""How often an event is repeated unless another number is given."""
STAND_IN = "scripted"
"""Who plays a round out to find what a position is worth."""


@dataclass(frozen=True)
class Subtraction:
    """How luck is found; the settings of a tournament hold these values."""

    events: str
    """``rounds`` or ``draws``."""
    repeats: int
    """How often an event is repeated, and with ``draws`` how often the true position after it is played out."""
    value: str
    """Hash of the file of the fitted value: sha256."""

    def check(self, game_spec: GameSpec) -> None:
        """Raise ValueError for settings that cannot be used, or a value that is not the one of the settings."""
        if self.events not in REPEATS:
            raise ValueError(f"luck by {self.events!r}: must be {' or '.join(REPEATS)}")
        if self.repeats < 1:
            raise ValueError(f"luck with repeats={self.repeats}: must be at least 1")
        if self.value != value_hash(game_spec):
            raise ValueError("the fitted value is not the one that these settings were made with")


def value_hash(game_spec: GameSpec) -> str:
    """Return the sha256 of the file of a game's fitted value.

    Raises: ValueError for a game without one, or without plans, whose luck cannot be found.
    """
    file = VALUE_FILES.get(game_spec.name)
    if file is None or game_spec.plan_phase < 0:
        raise ValueError(f"luck cannot be subtracted in {game_spec.name}, which has no fitted value or no plans")
    return hashlib.sha256(file.read_bytes()).hexdigest()


def subtraction(game_spec: GameSpec, events: str) -> dict[str, Any]:
    """Return the fields of a ``Subtraction`` with the usual number of repeats and the value as it is now.

    Raises: ValueError as ``value_hash``.
    """
    return {"events": events, "repeats": REPEATS[events], "value": value_hash(game_spec)}


def check_replayable(agents: Mapping[str, Agent]) -> None:
    """Raise ValueError naming an agent that cannot be asked again in a copied position."""
    for name, agent in agents.items():
        if not hasattr(agent, "compiled") and not getattr(agent, "replayable", False):
            raise ValueError(
                f"luck by {ROUNDS}: {name} does not say that it is replayable, and may not be asked again; take {DRAWS}"
            )


class LuckFinder:
    """Plays games like ``play_on`` and finds the luck of every player in them.

    Args:
        batch: games at their beginning, with the reward ``win`` or ``rank``.
        agents: who plays, compiled or in the care of a ``Referee``; compiled ones are asked like the others, so that
            every choice is seen, which gives the same games.
        seats: int8[B, P], index of the agent that plays each player.
        how: what is repeated, and how often.
        keys: a text for each game, from which the chance of the repeats comes: the result of a game depends on its text
            and on nothing else that is played with it.

    Attributes:
        luck: float64[B, P], the luck of each player so far, as a share of the win.
    """

    def __init__(
        self, batch: Batch, agents: Sequence[Agent], seats: np.ndarray, how: Subtraction, keys: Sequence[str]
    ) -> None:
        how.check(batch.spec)
        weights = value_of(batch.spec, batch.num_players)
        assert weights is not None, "a game with a file of its value has weights"
        self.batch, self.agents, self.seats, self.how, self.weights = batch, list(agents), seats, how, weights
        digests = [hashlib.blake2b(key.encode(), digest_size=16).digest() for key in keys]
        self._rngs = [np.random.default_rng(int.from_bytes(digest)) for digest in digests]
        self._stand_in = make_agent(STAND_IN, batch.spec)
        self._rounds = np.zeros(batch.num_games, np.int64)
        """Number of plannings that are complete in each game."""
        self.luck = np.zeros((batch.num_games, batch.num_players))

    def play(self) -> np.ndarray:
        """Play all games to the end; return the luck.

        Raises: ValueError naming the row if an agent returns an illegal action.
        """
        while not self.batch.over.all():
            self._step(np.flatnonzero(~self.batch.over))
        return self.luck

    def _step(self, rows: np.ndarray) -> None:
        """Play one choice in games ``rows`` int64[n], and what follows until the next; find the luck in it."""
        batch, planning = self.batch, self.batch.spec.plan_phase
        actions, before = choices(batch, self.agents, self.seats, rows), batch.take(rows)
        batch.step(actions, rows)
        drew = batch.rngs[rows, 1] != before.rngs[:, 1]
        # Nothing is drawn while cards are laid: whether plans are closed now is known before chance speaks.
        closed = (before.phase == planning) & ((batch.phase[rows] != planning) | drew)
        self._rounds[rows[closed]] += 1
        if self.how.events == ROUNDS:
            which = np.flatnonzero(closed)
            expected = self._worth(before, which, rows[which], self.agents, actions)
            play_round(batch, self.agents, self.seats, rows[which])
            worth = chances(batch.take(rows[which]), self.weights, self._rounds[rows[which]])
        else:
            which = np.flatnonzero(drew & (self._rounds[rows] > 0))
            stand_ins = [self._stand_in] * len(self.agents)
            expected = self._worth(before, which, rows[which], stand_ins, actions)
            worth = self._worth(batch, rows[which], rows[which], stand_ins)
        self.luck[rows[which]] += worth - expected

    def _worth(
        self,
        source: Batch,
        which: np.ndarray,
        rows: np.ndarray,
        agents: Sequence[Agent],
        actions: np.ndarray | None = None,
    ) -> np.ndarray:
        """Return what positions of games are worth with new chance, the mean over the repeats: float64[n, P].

        Args:
            source: a batch with the positions.
            which: int64[n], their rows in it.
            rows: int64[n], the games that they are of.
            agents: who plays the round out.
            actions: int64[size of the source], the choice that is made there; None: they are played out as they are.
        """
        n, repeats, players = len(rows), self.how.repeats, self.batch.num_players
        if not n:
            return np.zeros((0, players))
        copies = source.take(np.repeat(which, repeats), num_threads=self.batch.num_threads)
        new = [self._rngs[row].integers(2**64, size=(repeats, 1 + players), dtype=np.uint64) for row in rows]
        keys = np.concatenate(new)
        copies.rngs[:, 0], copies.policy_rngs[:, :, 0] = keys[:, 0], keys[:, 1:]
        copies.rngs[:, 1], copies.policy_rngs[:, :, 1] = 0, 0
        if actions is not None:
            copies.step(np.repeat(actions[which], repeats))
        watched = [one.of_copies(n * repeats) if isinstance(one, Referee) else one for one in agents]
        play_round(copies, watched, np.repeat(self.seats[rows], repeats, axis=0), np.arange(n * repeats))
        worths = chances(copies, self.weights, np.repeat(self._rounds[rows], repeats))
        mean: np.ndarray = worths.reshape(n, repeats, players).mean(1)
        return mean


def choices(batch: Batch, agents: Sequence[Agent], seats: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return what the agents who play games ``rows`` int64[n] choose there, none of which may be over: int64[n]."""
    who = seats[rows, batch.player[rows]]
    actions = np.zeros(len(rows), np.int64)
    for index in np.unique(who):
        actions[who == index] = ask(agents[index], batch, rows[who == index])
    return actions


def play_round(batch: Batch, agents: Sequence[Agent], seats: np.ndarray, rows: np.ndarray) -> None:
    """Play games ``rows`` on until the next planning begins, or they are over; those that are there already stay."""
    pairs = [getattr(agent, "compiled", None) for agent in agents]
    compiled = np.array([pair is not None for pair in pairs])
    mine = np.zeros(batch.num_games, np.bool_)
    mine[rows] = True
    while True:
        active = mine & ~batch.over & (batch.phase != batch.spec.plan_phase)
        if not active.any():
            return
        if compiled.any():
            inside = np.where(active[:, None] & compiled[seats], seats, -1).astype(np.int8)
            batch.play([pair or "random" for pair in pairs], inside, until=ROUND)
            active &= ~batch.over & (batch.phase != batch.spec.plan_phase)
        waiting = np.flatnonzero(active)
        if len(waiting):
            batch.step(choices(batch, agents, seats, waiting), waiting)


def chances(batch: Batch, weights: np.ndarray, rounds: np.ndarray) -> np.ndarray:
    """Return the chance of each player to win: float64[B, P]; in a game that is over the share of the win.

    Args:
        batch: games between two rounds, or over.
        weights: float64[complete rounds, F], of the fitted value.
        rounds: int64[B], the number of complete rounds.
    """
    if not batch.num_games:
        return np.zeros((0, batch.num_players))
    own = weights[np.minimum(rounds, len(weights) - 1)]
    scores = np.einsum("npf,nf->np", value_features(batch), own)
    odds = np.exp(scores - scores.max(1, keepdims=True))
    best = np.isclose(batch.returns, batch.returns.max(1, keepdims=True)).astype(np.float64)
    result = np.where(batch.over[:, None], best, odds)
    share: np.ndarray = result / result.sum(1, keepdims=True)
    return share
