"""OpenSpiel: a game as one written in Python, for its searches; IS-MCTS deals again what a player cannot know."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts, mcts

from shogun_env.batch.float_view import FloatView


class SpielGame(pyspiel.Game):
    """A game whose chance is inside the engine: OpenSpiel sees decisions only (``SAMPLED_STOCHASTIC``)."""

    def __init__(self, game: str, **options: Any) -> None:
        self.batch = importlib.import_module(f"shogun_env.{game}").Batch(1, **options)
        self.view = FloatView(self.batch.spec)
        kind = pyspiel.GameType(
            game, game, pyspiel.GameType.Dynamics.SEQUENTIAL, pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC,
            pyspiel.GameType.Information.IMPERFECT_INFORMATION, pyspiel.GameType.Utility.ZERO_SUM,
            pyspiel.GameType.RewardModel.TERMINAL, self.batch.num_players, self.batch.num_players, True, True, True,
            True, {},
        )  # fmt: skip
        info = pyspiel.GameInfo(self.batch.spec.n_actions, 0, self.batch.num_players, -1.0, 1.0, 0.0, 10_000)
        super().__init__(kind, info, {})

    def new_initial_state(self, seed: int = 0) -> SpielState:
        self.batch.reset(seeds=[seed])
        return SpielState(self, self.batch.take([0]))

    def information_state_tensor_size(self) -> int:
        return int(self.view.size)


class SpielState(pyspiel.State):
    """A position; ``resample_from_infostate`` is the engine's redeal."""

    def __init__(self, game: SpielGame, batch: Any) -> None:
        super().__init__(game)
        self.game, self.batch = game, batch

    def current_player(self) -> int:
        return pyspiel.PlayerId.TERMINAL if self.batch.over[0] else int(self.batch.player[0])

    def is_terminal(self) -> bool:
        return bool(self.batch.over[0])

    def legal_actions(self, player: int | None = None) -> list[int]:
        mine = player is None or player == self.current_player()
        return np.flatnonzero(self.batch.legal[0]).tolist() if mine and not self.is_terminal() else []

    def apply_action(self, action: int) -> None:
        self.batch.step([int(action)])

    def returns(self) -> list[float]:
        return self.batch.returns[0].tolist()

    def clone(self) -> SpielState:
        return SpielState(self.game, self.batch.take([0]))

    def information_state_string(self, player: int | None = None) -> str:
        return self.batch.observe_for(self.current_player() if player is None else player)[0].tobytes().hex()

    def information_state_tensor(self, player: int | None = None) -> np.ndarray:
        observed = self.batch.observe_for(self.current_player() if player is None else player)
        return self.game.view.show(observed[0])

    def resample_from_infostate(self, player: int, sampler: Any = None) -> SpielState:
        other = self.clone()
        other.batch.redeal(None, player, int((sampler or np.random.random)() * 2**31))
        return other

    def action_to_string(self, player: int, action: int) -> str:
        return str(self.batch.spec.action_name(action))


def play_out(state: Any, rng: np.random.RandomState, most: int = 10**9) -> int:
    """Play a state on at random; return the number of decisions."""
    taken = 0
    while not state.is_terminal() and taken < most:
        state.apply_action(rng.choice(state.legal_actions()))
        taken += 1
    return taken


def use(game: str, steps: int) -> int:
    """Play random games through OpenSpiel's interface."""
    rng = np.random.RandomState(1)
    spiel, taken = SpielGame(game), 0
    while taken < steps:
        taken += play_out(spiel.new_initial_state(taken), rng)
    return taken


def check(game: str) -> None:
    """Choose with MCTS, which knows everything, and with IS-MCTS, which knows what its player does."""
    rng = np.random.RandomState(1)
    spiel = SpielGame(game)
    state = spiel.new_initial_state(3)
    evaluator = mcts.RandomRolloutEvaluator(1, rng)
    play_out(state, rng, 20)
    action = mcts.MCTSBot(spiel, 2.0, 20, evaluator, random_state=rng, solve=False).step(state)
    assert action in state.legal_actions()
    bot = ismcts.ISMCTSBot(spiel, evaluator, 2.0, 20, random_state=rng)
    bot.set_resampler(lambda now, player: now.resample_from_infostate(player, rng.random_sample))
    assert bot.step(state) in state.legal_actions()
