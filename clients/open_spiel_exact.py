"""OpenSpiel: Shikoku with all chance written out, for its exact algorithms: `tests/api/test_open_spiel_exact.py`."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pyspiel

from clients.open_spiel_game import game_type, walk
from shogun_env.exact.chance import Outcome, after, outcomes
from shogun_env.shikoku import SHIKOKU, Batch

MOST_OUTCOMES = 64


class Position:
    """Where a game stands: at a decision, at chance within a step, or at the end. It never changes."""

    def __init__(self, game: Any, tape: tuple[tuple[int, int], ...], listed: list[Outcome], action: int) -> None:
        """Keep a batch of one game; and, at chance, the action under way, what chance brought, and what it may."""
        self.game, self.tape, self.listed, self.action = game, tape, listed, action
        self.known: dict[int, Position] = {}
        """Where actions and outcomes lead, so that the second walk through the tree is quick."""

    def __deepcopy__(self, memo: dict[int, Any]) -> Position:
        return self

    @functools.cached_property
    def key(self) -> str:
        """What the player who decides sees."""
        return f"{self.game.player[0]} {self.game.observe_for(self.game.player[0])[0].tobytes().hex()}"

    @functools.cached_property
    def legal(self) -> list[int]:
        """The actions of the player who decides."""
        return np.flatnonzero(self.game.legal[0]).tolist()

    def then(self, action: int) -> Position:
        """Return where an action or the number of an outcome leads."""
        if action not in self.known:
            if self.listed:
                following = arrived(self.game, self.action, (*self.tape, *self.listed[action].tape))
            else:
                following = arrived(self.game, action, ())
            self.known[action] = following
        return self.known[action]


def arrived(game: Any, action: int, tape: tuple[tuple[int, int], ...]) -> Position:
    """Carry an action out as far as chance is known; what is certain needs no asking."""
    while listed := outcomes(game, 0, action, tape):
        if len(listed) > 1:
            return Position(game, tape, listed, action)
        tape = (*tape, *listed[0].tape)
    return Position(after(game, 0, action, tape), (), [], action)


class ExactGame(pyspiel.Game):
    """Shikoku as OpenSpiel's exact algorithms want it, with chance nodes (``EXPLICIT_STOCHASTIC``)."""

    def __init__(self, **options: Any) -> None:
        self.first = Position(Batch(1, **options), (), [], 0)
        players = self.first.game.num_players
        info = pyspiel.GameInfo(SHIKOKU.n_actions, MOST_OUTCOMES, players, -1.0, 1.0, 0.0, 100)
        super().__init__(game_type("shikoku", players, pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC), info, {})

    def new_initial_state(self) -> ExactState:
        return ExactState(self)


class ExactState(pyspiel.State):
    """A position; OpenSpiel's own ``clone`` copies the attributes, and knows the history."""

    def __init__(self, game: ExactGame) -> None:
        super().__init__(game)
        self.position = game.first

    def current_player(self) -> int:
        if self.position.listed:
            return pyspiel.PlayerId.CHANCE
        return pyspiel.PlayerId.TERMINAL if self.is_terminal() else int(self.position.game.player[0])

    def is_terminal(self) -> bool:
        return not self.position.listed and bool(self.position.game.over[0])

    def _legal_actions(self, player: int) -> list[int]:
        return self.position.legal

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(number, float(one.chance)) for number, one in enumerate(self.position.listed)]

    def _apply_action(self, action: int) -> None:
        self.position = self.position.then(int(action))

    def returns(self) -> list[float]:
        game = self.position.game
        return [float(SHIKOKU.engine.reward_so_far(game.games[0], p, 0)) for p in range(game.num_players)]

    def information_state_string(self, player: int | None = None) -> str:
        return self.position.key


def use(game: str, steps: int) -> int:
    """Walk through the game at random."""
    return walk(ExactGame(), steps)
