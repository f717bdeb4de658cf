"""OpenSpiel: Shikoku with all chance written out, for its exact algorithms: `tests/api/test_open_spiel_exact.py`."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pyspiel

from shogun_env.exact.chance import Outcome, after, outcomes
from shogun_env.shikoku import SHIKOKU, Batch

MOST_OUTCOMES = 64
OUTCOME = SHIKOKU.n_actions
"""From this number on actions are outcomes of chance."""


class Position:
    """Where a game stands: at a decision, at chance within a step, or at the end."""

    def __init__(self, game: Any, tape: tuple[tuple[int, int], ...], listed: list[Outcome], action: int) -> None:
        """Keep a batch of one game; and, at chance, the action under way, what chance brought, and what it may."""
        self.game, self.tape, self.listed, self.action = game, tape, listed, action

    @functools.cached_property
    def key(self) -> str:
        """What the player who decides sees."""
        return f"{self.game.player[0]} {self.game.observe_for(self.game.player[0])[0].tobytes().hex()}"

    def legal(self) -> list[int]:
        """Return the actions, or the numbers of the outcomes."""
        if self.listed:
            return [OUTCOME + number for number in range(len(self.listed))]
        return [] if self.game.over[0] else np.flatnonzero(self.game.legal[0]).tolist()

    def then(self, action: int) -> Position:
        """Return where an action or outcome leads."""
        if self.listed:
            return arrived(self.game, self.action, (*self.tape, *self.listed[action - OUTCOME].tape))
        return arrived(self.game, action, ())


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
        kind = pyspiel.GameType(
            "shikoku", "Shikoku", pyspiel.GameType.Dynamics.SEQUENTIAL,
            pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC, pyspiel.GameType.Information.IMPERFECT_INFORMATION,
            pyspiel.GameType.Utility.ZERO_SUM, pyspiel.GameType.RewardModel.TERMINAL, players, players, True, False,
            False, False, {},
        )  # fmt: skip
        info = pyspiel.GameInfo(OUTCOME + MOST_OUTCOMES, MOST_OUTCOMES, players, -1.0, 1.0, 0.0, 100)
        super().__init__(kind, info, {})
        self.known: dict[tuple[int, ...], Position] = {(): self.first}
        """Positions by what led there, so that the second walk through the tree is quick."""

    def new_initial_state(self) -> ExactState:
        return ExactState(self, ())

    def at(self, way: tuple[int, ...]) -> Position:
        """Return the position that actions and outcomes lead to."""
        if way not in self.known:
            self.known[way] = self.at(way[:-1]).then(way[-1])
        return self.known[way]


class ExactState(pyspiel.State):
    """A history: the actions and outcomes since the beginning."""

    def __init__(self, game: ExactGame, way: tuple[int, ...]) -> None:
        super().__init__(game)
        self.game, self.way = game, way
        self.position = game.at(way)

    def current_player(self) -> int:
        if self.position.listed:
            return pyspiel.PlayerId.CHANCE
        return pyspiel.PlayerId.TERMINAL if self.is_terminal() else int(self.position.game.player[0])

    def is_terminal(self) -> bool:
        return not self.position.listed and bool(self.position.game.over[0])

    def is_chance_node(self) -> bool:
        return bool(self.position.listed)

    def legal_actions(self, player: int | None = None) -> list[int]:
        return self.position.legal()

    def legal_actions_mask(self, player: int | None = None) -> list[int]:
        legal = set(self.position.legal())
        return [int(action in legal) for action in range(OUTCOME + MOST_OUTCOMES)]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(OUTCOME + number, float(one.chance)) for number, one in enumerate(self.position.listed)]

    def apply_action(self, action: int) -> None:
        self.way = (*self.way, int(action))
        self.position = self.game.at(self.way)

    def child(self, action: int) -> ExactState:
        return ExactState(self.game, (*self.way, int(action)))

    def clone(self) -> ExactState:
        return ExactState(self.game, self.way)

    def history(self) -> list[int]:
        return list(self.way)

    def history_str(self) -> str:
        return " ".join(map(str, self.way))

    def returns(self) -> list[float]:
        game = self.position.game
        return [float(SHIKOKU.engine.reward_so_far(game.games[0], p, 0)) for p in range(game.num_players)]

    def information_state_string(self, player: int | None = None) -> str:
        return self.position.key


def use(game: str, steps: int) -> int:
    """Walk through the game at random."""
    rng, exact, taken = np.random.RandomState(1), ExactGame(), 0
    while taken < steps:
        state = exact.new_initial_state()
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
            taken += 1
    return taken
