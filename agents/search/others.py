"""Who sits there: how likely each of the other players is of each kind of bot, by what they have shown.

Kinds are compiled bots, such as a network that draws its actions and ``scripted``. What a player does for all to see
speaks for the kinds that would have done it there; the module of a game says what that is (``whole.py``). In each
rollout the kind of every other player is drawn by these odds.

What is known of a game is kept from one decision to the next, by its row and the player.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from shogun_env.agents.search.whole import Drafter, varied
from shogun_env.batch.loops import NO_ACTION
from shogun_env.kernel.jit import MemoryPolicy
from shogun_env.policies import View

FLOOR = 0.03
"""Part of the odds that is spread evenly over the kinds: nobody is surely of one of them."""
SPREAD = 0.3
"""How far the numbers of bots that are no networks vary, as the standard deviation of their logarithms."""
DRAWN = 32
"""How often each kind is asked what it would do."""
ROUND = "round"
MATCH = 16.0
"""How many times more often a plan that a kind would lay is taken for each space of it that was shown to be so.

Of what is hidden then 79 % is as it was taken to be, instead of 71 (4 tells 77 %, 64 tells 80).
"""
BLUR, CARDS = 0.4, 8
"""A space is taken to hold each of this many cards BLUR times more often than it was drawn, so that no odds are 0."""


@dataclass(kw_only=True)
class Note:
    """What a player knows of the others in a game."""

    log_odds: np.ndarray
    """float64[P, kinds], by what was shown before ``position``."""
    game: tuple[int, int]
    """What the game is known by: the key of the player's random row, and the number of players."""
    draws: int
    """Draws made of that row."""
    round: int
    position: bytes = b""
    """What the module of the game looked at last."""
    plans: np.ndarray | None = None
    """int64[kinds, DRAWN, P, S], in a game with plans what each kind would lay in this round."""
    shown: np.ndarray | None = None
    """int64[P, S], what was shown of the plans so far, NO_ACTION where nothing was."""
    kind_odds: np.ndarray = field(init=False)
    """float64[P, kinds], the probability of each kind with those before it."""
    plan_odds: np.ndarray = field(init=False)
    """float64[kinds, DRAWN, P], the probability of each of a kind's ``plans`` with those before it."""

    def settle(self) -> None:
        """Work out the odds by which kinds and plans are drawn from now on."""
        logs, kinds = self.log_odds + log_likelihood(self), self.log_odds.shape[1]
        odds = np.exp(logs - logs.max(1, keepdims=True))
        self.kind_odds = (FLOOR / kinds + (1 - FLOOR) * odds / odds.sum(1, keepdims=True)).cumsum(1)
        if self.plans is not None:
            weights = MATCH ** (self.plans == self.shown).sum(3)
            self.plan_odds = (weights / weights.sum(1, keepdims=True)).cumsum(1)


def versions(kind: Drafter, rng: np.random.Generator) -> list[Drafter]:
    """Return a kind as it is asked: a network as it is, another bot with DRAWN times varied numbers, first its own."""
    function, params = kind
    if isinstance(function, MemoryPolicy):
        return [kind]
    spreads = SPREAD * (np.arange(DRAWN) > 0)
    return [(function, varied(params, spread, rng)) for spread in spreads]


def log_likelihood(note: Note) -> np.ndarray:
    """Return how likely each kind would have laid what was shown in this round, as logarithms: float64[P, kinds].

    The spaces are taken to be independent, each with the cards that were drawn for it.
    """
    if note.plans is None or note.shown is None:
        return np.zeros_like(note.log_odds)
    hits = (note.plans == note.shown).sum(1)
    each = np.log((hits + BLUR) / (DRAWN + BLUR * CARDS))
    return np.where(note.shown == NO_ACTION, 0.0, each).sum(2).T


def drawn(odds: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return an index for each row of probabilities that are summed up, float64[n, k]: int64[n]."""
    return (odds < rng.random((len(odds), 1))).sum(1).clip(max=odds.shape[1] - 1)


class Others:
    """The kinds that the other players may be, and what is known of them in the games that are played.

    Args: planning, the module of the game; kinds, compiled bots, at least two.
    """

    def __init__(self, planning: Any, kinds: Sequence[Drafter]) -> None:
        self._witness, self.kinds = planning.witness, list(kinds)
        self._notes: dict[tuple[int, int], Note] = {}

    def look(self, view: View, rng: np.ndarray) -> None:
        """Note what the decisions of a view show of the other players; ``rng`` uint64[n, 2] as ``Bot.act`` has it."""
        engine = view.spec.engine
        asked = zip(view.rows.tolist(), view.players.tolist(), rng.tolist(), strict=True)
        for index, (row, player, (stream, draws)) in enumerate(asked):
            number = int(engine.stage(view.batch.games[index], engine.stages.index(ROUND)))
            note, game = self._notes.get((row, player)), (stream, view.batch.num_players)
            if note is None or note.game != game or draws < note.draws or number < note.round:  # a new game in this row
                even = np.zeros((view.batch.num_players, len(self.kinds)))
                note = self._notes[row, player] = Note(log_odds=even, game=game, draws=draws, round=number)
            note.draws = draws
            self._witness(note, number, view.part(np.array([index])), self.kinds)
            note.settle()

    def draw(self, row: int, player: int, seed: int) -> tuple[np.ndarray, np.ndarray | None]:
        """Return kinds for the players of a game, int64[P], and plans that these would lay, int64[P, S] or None.

        Args: row and player by whom the game is known; seed of a rollout.
        """
        note, rng = self._notes[row, player], np.random.default_rng(seed)
        kinds = drawn(note.kind_odds, rng)
        if note.plans is None:
            return kinds, None
        players = np.arange(len(kinds))
        return kinds, note.plans[kinds, drawn(note.plan_odds[kinds, :, players], rng), players]

    def forget(self, rows: np.ndarray) -> None:
        """Forget the games in these rows, int64[n]."""
        gone = set(rows.tolist())
        self._notes = {key: note for key, note in self._notes.items() if key[0] not in gone}
