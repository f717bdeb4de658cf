"""The referee checks the answers of an agent, and replaces wrong ones by the lowest legal action.

For each player of each game it counts faults by kind, and seconds by the clock; nothing else does. A bot whose time in
a game is over is not asked in it again. What else a stranger's program may do is limited where it is started, in
``programs``.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from shogun_env.bot import Bot, Clock, Wrapped
from shogun_env.policies import Ends, FaultError, PartlyLostError, View
from shogun_env.spec.bots import FAULTS, MachineError, checked, fault_of, legal_or_lowest
from shogun_env.spec.forms import one_line


class Referee(Wrapped):
    """A bot whose faults are counted and replaced by the lowest legal action.

    Args:
        agent: whom to watch.
        num_games: number of games of the batch in which it plays.
        num_players: number of players of a game.
        game_seconds: seconds by the clock that it may use for one player of one game.

    Attributes:
        faults: int64[B, P, len(FAULTS)], faults by kind.
        seconds: float64[B, P], seconds used.
        asked: int64[B, P], decisions put to the agent.
        texts: for each kind of fault that occurred, what was wrong the first time.
    """

    compiled = None  # it is asked, whatever it could do in a loop

    def __init__(self, agent: Bot, num_games: int, num_players: int, game_seconds: float = float("inf")) -> None:
        super().__init__(agent)
        self.game_seconds = game_seconds
        self.faults = np.zeros((num_games, num_players, len(FAULTS)), np.int64)
        self.seconds = np.zeros((num_games, num_players))
        self.asked = np.zeros((num_games, num_players), np.int64)
        self.texts: dict[str, str] = {}

    def act(self, view: View, rng: np.ndarray) -> np.ndarray:
        """Return legal actions, int64[n].

        Raises: MachineError if this machine, not the agent, is why there is no answer; KeyboardInterrupt.
        """
        rows, players, masks = view.rows.copy(), view.players.copy(), view.masks.copy()
        actions, lost = np.full(len(rows), -1, np.int64), np.full(len(rows), FAULTS.index("late"))
        in_time = np.flatnonzero(self.seconds[rows, players] < self.game_seconds)
        if len(in_time) == len(rows):
            lost = self._ask(view, rng, actions)
        else:
            self.texts.setdefault("late", f"more than {self.game_seconds:g} s in one game")
            if len(in_time):
                draws, chosen = rng[in_time], actions[in_time]
                lost[in_time] = self._ask(view.part(in_time), draws, chosen)
                rng[in_time], actions[in_time] = draws, chosen
        legal, illegal = legal_or_lowest(np.where(lost < 0, actions, 0), masks)
        illegal &= lost < 0
        if illegal.any():
            self.texts.setdefault("illegal", f"action {int(actions[illegal][0])} is illegal")
        lost[illegal] = FAULTS.index("illegal")
        which = np.flatnonzero(lost >= 0)
        self.faults[rows[which], players[which], lost[which]] += 1  # a game is in a view once
        return np.where(lost < 0, legal, masks.argmax(axis=1))

    def begin(self, rows: np.ndarray) -> None:
        """Tell the agent that games begin; an error in it is no fault."""
        self._tell(super().begin, rows)

    def end(self, ends: Ends) -> None:
        """Tell the agent how games ended; an error in it is no fault."""
        self._tell(super().end, ends)

    def _tell(self, hook: Callable[[Any], None], what: Any) -> None:
        try:
            hook(what)
        except MachineError:
            raise
        except (Exception, SystemExit) as error:
            self._kind_of(error)

    def _ask(self, view: View, rng: np.ndarray, actions: np.ndarray) -> np.ndarray:
        """Write the answer of the agent into ``actions``; return the kinds of faults that lost it, -1 for none."""
        rows, players, draws = view.rows.copy(), view.players.copy(), rng.copy()
        self.asked[rows, players] += 1
        lost = np.full(len(rows), -1)
        clock = Clock(self.game_seconds - self.seconds[rows, players], np.zeros(len(rows)))
        try:
            actions[:] = checked(self.inner.act_by(view, draws, clock), len(rows))
        except MachineError:
            raise
        except (Exception, SystemExit) as error:
            lost[:] = self._lost_by(error, actions)
        self.seconds[rows, players] += clock.used
        if draws.shape == rng.shape and draws.dtype == rng.dtype:
            rng[:] = draws
        else:
            fault = FaultError("form", f"rng was changed to shape {draws.shape} and type {draws.dtype}")
            lost[lost < 0] = FAULTS.index(self._kind_of(fault))
        return lost

    def _lost_by(self, error: BaseException, actions: np.ndarray) -> np.ndarray:
        """Return the kinds of faults that an exception is for each decision; write what counts into ``actions``.

        One about part of the decisions, of a bot that this bot has asked, loses all of them.
        """
        if isinstance(error, PartlyLostError) and len(error.lost) == len(actions):
            actions[:] = error.actions
            for kind, text in error.texts.items():
                self.texts.setdefault(kind, one_line(text))
            return np.array([FAULTS.index(kind) if kind else -1 for kind in error.lost])
        return np.full(len(actions), FAULTS.index(self._kind_of(error)))

    def _kind_of(self, error: BaseException) -> str:
        """Return the kind of fault that an exception is, and keep its text."""
        kind, text = fault_of(error)
        self.texts.setdefault(kind, text)
        return kind
