"""OpenSpiel: a game as one written in Python, for its searches; IS-MCTS deals again what a player cannot know."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts, mcts

from shogun_env.batch.float_view import FloatView
from shogun_env.cli import batch_class

MOST = 1 + 1e-6
"""The highest return: 1, with room for the rounding of float32."""


def game_type(name: str, players: int, chance: Any) -> Any:
    """Return what OpenSpiel has to know of a game of ours whose chance is of a kind."""
    sampled = chance == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC
    return pyspiel.GameType(
        name, name, pyspiel.GameType.Dynamics.SEQUENTIAL, chance, pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        pyspiel.GameType.Utility.ZERO_SUM, pyspiel.GameType.RewardModel.TERMINAL, players, players, True, sampled,
        sampled, sampled, {},
    )  # fmt: skip


class SpielGame(pyspiel.Game):
    """A game whose chance is inside the engine: OpenSpiel sees decisions only (``SAMPLED_STOCHASTIC``)."""

    def __init__(self, game: str, **options: Any) -> None:
        self.batch = batch_class(game)(1, **options)
        self.view, players = FloatView(self.batch.spec), self.batch.num_players
        info = pyspiel.GameInfo(self.batch.spec.n_actions, 0, players, -MOST, MOST, 0.0, 10_000)
        super().__init__(game_type(game, players, pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC), info, {})

    def new_initial_state(self, seed: int | None = None) -> SpielState:
        self.batch.reset(seeds=None if seed is None else [seed])
        return SpielState(self, self.batch.take([0]))

    def information_state_tensor_size(self) -> int:
        return int(self.view.size)

    def make_py_observer(self, kind: Any = None, params: Any = None) -> SpielObserver:
        return SpielObserver(self)


class SpielObserver:
    """What a player may know, as OpenSpiel's ``Observation`` asks for it."""

    def __init__(self, game: SpielGame) -> None:
        self.tensor = np.zeros(game.view.size, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        self.tensor[:] = state.information_state_tensor(player)

    def string_from(self, state: SpielState, player: int) -> str:
        return state.information_state_string(player)


class SpielState(pyspiel.State):
    """A position; ``resample_from_infostate`` is the engine's redeal.

    OpenSpiel's own ``clone`` copies the attributes, and knows the history.
    """

    def __init__(self, game: SpielGame, batch: Any) -> None:
        super().__init__(game)
        self.batch = batch

    def __str__(self) -> str:
        return str(self.batch.position())

    def current_player(self) -> int:
        return pyspiel.PlayerId.TERMINAL if self.batch.over[0] else int(self.batch.player[0])

    def is_terminal(self) -> bool:
        return bool(self.batch.over[0])

    def _legal_actions(self, player: int) -> list[int]:
        return np.flatnonzero(self.batch.legal[0]).tolist() if player == self.current_player() else []

    def _apply_action(self, action: int) -> None:
        self.batch.step([int(action)])

    def returns(self) -> list[float]:
        returns = self.batch.returns[0].astype(np.float64)
        return (returns - returns.mean()).tolist()  # float32 sums to 0 less nearly than OpenSpiel's tests want

    def information_state_string(self, player: int | None = None) -> str:
        return self.batch.observe_for(self.current_player() if player is None else player)[0].tobytes().hex()

    def information_state_tensor(self, player: int | None = None) -> np.ndarray:
        observed = self.batch.observe_for(self.current_player() if player is None else player)
        return self.get_game().view.show(observed[0])

    def resample_from_infostate(self, player: int, sampler: Any = None) -> SpielState:
        other = self.clone()
        other.batch.redeal(None, player, int((sampler or np.random.random)() * 2**31))
        return other

    def _action_to_string(self, player: int, action: int) -> str:
        return str(self.batch.spec.action_name(action))


def play_out(state: Any, rng: np.random.RandomState, most: int = 10**9) -> int:
    """Play a state on at random, by chance where it is asked; return the number of actions and outcomes."""
    taken = 0
    while not state.is_terminal() and taken < most:
        state.apply_action(rng.choice(state.legal_actions()))
        taken += 1
    return taken


def walk(spiel: Any, steps: int) -> int:
    """Play games through OpenSpiel's interface at random; return the number of their actions and outcomes."""
    rng, taken = np.random.RandomState(1), 0
    while taken < steps:
        taken += play_out(spiel.new_initial_state(), rng)
    return taken


def use(game: str, steps: int) -> int:
    """Play random games."""
    return walk(SpielGame(game), steps)


def check(game: str) -> None:
    """Choose with MCTS, which knows everything, and with IS-MCTS, which knows what its player does.

    OpenSpiel's own random test comes first; its part with serialisation is for games in C++ where chance is sampled.
    """
    rng = np.random.RandomState(1)
    spiel = SpielGame(game)
    assert str(spiel.new_initial_state()) != str(spiel.new_initial_state()), "each state begins another game"
    pyspiel.random_sim_test(spiel, 1, False, False)
    state = spiel.new_initial_state(3)
    evaluator = mcts.RandomRolloutEvaluator(1, rng)
    play_out(state, rng, 20)
    assert state.clone().history() == state.history() and state.clone().move_number() == 20
    action = mcts.MCTSBot(spiel, 2.0, 20, evaluator, random_state=rng, solve=False).step(state)
    assert action in state.legal_actions()
    bot = ismcts.ISMCTSBot(spiel, evaluator, 2.0, 20, random_state=rng)
    bot.set_resampler(lambda now, player: now.resample_from_infostate(player, rng.random_sample))
    assert bot.step(state) in state.legal_actions()
