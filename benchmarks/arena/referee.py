"""The referee: what an agent answers is checked, and what is wrong with it becomes the lowest legal action.

Nothing that an agent raises, returns or writes into what it is given reaches the games or other agents. What was wrong
is counted by kind, for each player of each game. An agent that is not isolated runs in this process, in which it can do
more than that: see "What a bot can do" in ``docs/bots_of_strangers.md``.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np

from shogun_env.benchmarks.arena.process_state import ProcessState
from shogun_env.envs.base import legal_or_lowest
from shogun_env.policies import Agent, Ends, FaultError, PartlyLostError, View

FAULTS = ("illegal", "form", "nan", "error", "late", "crash")
"""Kinds of faults: an illegal action; an answer that is not an array of n whole numbers; one with not-a-numbers in it;
an exception; an answer after the limit of time; an answer lost because the process of the agent died. One fault is
counted for every decision that is lost by it."""


def checked(answer: Any, count: int) -> np.ndarray:
    """Return an agent's answer as int64[count], a copy.

    Raises: FaultError of the kind ``form`` or ``nan`` if it is anything but one whole number per decision.

    Example:
        >>> checked([3, 4], 2).tolist()
        [3, 4]
    """
    values = np.array(answer)
    if values.dtype.kind == "f" and np.isnan(values).any():
        raise FaultError("nan", "the answer holds numbers that are not a number")
    if values.shape != (count,) or values.dtype.kind not in "iu":
        raise FaultError("form", f"an array of shape {values.shape} and type {values.dtype}, not int64[{count}]")
    return values.astype(np.int64)


LONGEST = 250
"""Letters of an exception that are kept."""


def first_line(error: BaseException) -> str:
    """Return an exception as one short line of text, such as ``OSError: no such file``."""
    return f"{printable(type(error).__name__)}: {text_of(error)}"[:LONGEST]


def text_of(error: BaseException) -> str:
    """Return the text of an exception as one line, whatever it does when it is printed."""
    try:
        return printable(f"{error} ")
    except BaseException:
        return "a text that cannot be printed"


def fault_of(error: BaseException) -> tuple[str, str]:
    """Return the kind of fault that an exception is, one of ``FAULTS``, and its text."""
    if type(error) is FaultError and type(error.kind) is str and error.kind in FAULTS:
        return error.kind, text_of(error)[:LONGEST]
    return "error", first_line(error)


def parts_of(error: PartlyLostError, count: int) -> tuple[np.ndarray, np.ndarray, dict[str, str]]:
    """Return what an error says that loses only some of ``count`` decisions.

    Returns: the answer, int64[count]; for each decision the index of its kind in ``FAULTS``, or -1, int64[count]; the
        texts by kind.
    Raises: FaultError if it is not what such an error may hold.
    """
    actions, lost = checked(error.actions, count), error.lost
    if len(lost) != count or any(kind not in ("", *FAULTS) for kind in lost):
        raise FaultError("form", f"{len(lost)} kinds of faults for {count} decisions, or unknown ones")
    codes = np.array([FAULTS.index(kind) if kind else -1 for kind in lost], np.int64)
    return actions, codes, {kind: printable(str(error.texts.get(kind, "")))[:LONGEST] for kind in lost if kind}


def check_draws(draws: np.ndarray, count: int) -> None:
    """Raise FaultError if an agent changed the form of its random rows, uint64[count, 2]."""
    if draws.shape != (count, 2) or draws.dtype != np.uint64:
        raise FaultError("form", f"rng was changed to shape {draws.shape} and type {draws.dtype}")


def printable(text: str) -> str:
    """Return a text as one line, without what a terminal would act on."""
    return "".join(letter for letter in " ".join(text.split()) if letter.isprintable())


class Referee:
    """An agent whose faults are counted and replaced by the lowest legal action; nothing that it raises gets out.

    Args:
        agent: whom to watch.
        num_games: number of games of the batch in which it plays.
        num_players: number of players of a game.
        game_seconds: seconds that it may use for one player of one game; after that its decisions are not put to it.
        state: the state of this process, which is put back after each answer; None for an agent that lives elsewhere.

    Attributes:
        faults: int64[B, P, len(FAULTS)], faults by kind.
        seconds: float64[B, P], seconds used.
        asked: int64[B, P], decisions put to the agent.
        texts: for each kind of fault that occurred, what was wrong the first time.
    """

    def __init__(
        self,
        agent: Agent,
        num_games: int,
        num_players: int,
        game_seconds: float = float("inf"),
        state: ProcessState | None = None,
    ) -> None:
        self.agent = agent
        self.game_seconds = game_seconds
        self.state = state
        self.faults = np.zeros((num_games, num_players, len(FAULTS)), np.int64)
        self.seconds = np.zeros((num_games, num_players))
        self.asked = np.zeros((num_games, num_players), np.int64)
        self.texts: dict[str, str] = {}
        self.wants_stories: bool = getattr(agent, "wants_stories", False)
        self.wants_lines: bool = getattr(agent, "wants_lines", False)
        self.wants_ends: bool = getattr(agent, "wants_ends", False)

    def of_copies(self, num_games: int) -> Referee:
        """Return a referee of the same agent in copies of its games, whose faults and times are nobody's."""
        return Referee(self.agent, num_games, self.faults.shape[1], state=self.state)

    def act(self, view: View, rng: np.ndarray) -> np.ndarray:
        """Return legal actions, int64[n]."""
        rows, players, masks = view.rows.copy(), view.players.copy(), view.masks.copy()
        actions = np.full(len(rows), -1, np.int64)
        in_time = self.seconds[rows, players] <= self.game_seconds
        if in_time.all():
            lost = self._ask(view, rng, actions)
        else:
            lost = np.full(len(rows), FAULTS.index("late"))
            lost[in_time] = self._ask_some(view, rng, actions, np.flatnonzero(in_time))
            self.texts.setdefault("late", f"more than {self.game_seconds} s in one game")
        legal, illegal = legal_or_lowest(np.where(lost < 0, actions, 0), masks)
        illegal &= lost < 0
        if illegal.any():
            self.texts.setdefault("illegal", f"action {int(actions[illegal][0])} is illegal")
        lost[illegal] = FAULTS.index("illegal")
        which = np.flatnonzero(lost >= 0)
        self.faults[rows[which], players[which], lost[which]] += 1  # a game is in a view once
        return np.where(lost < 0, legal, masks.argmax(axis=1))

    def end(self, ends: Ends) -> None:
        """Tell the agent how games ended; whatever it does then costs it nothing."""
        try:
            self.agent.end(ends)  # type: ignore[attr-defined]
        except BaseException as error:
            if self.state is not None:
                sys.setrecursionlimit(self.state.recursion)
            self._kind_of(error)
        finally:
            if self.state is not None:
                sys.setrecursionlimit(self.state.recursion)
                self.state.restore()
        if self.state is not None and self.state.is_stopped:
            raise KeyboardInterrupt

    def _ask_some(self, view: View, rng: np.ndarray, actions: np.ndarray, which: np.ndarray) -> np.ndarray:
        """Ask only for the decisions ``which`` int64[m] of a view; see ``_ask``."""
        if not len(which):
            return np.zeros(0, np.int64)
        part = View(
            batch=view.batch.take(which),
            rows=view.rows[which],
            players=view.players[which],
            observations=view.observations[which],
            masks=view.masks[which],
            stories=tuple(view.stories[index] for index in which if view.stories),
            lines=tuple(view.lines[index] for index in which if view.lines),
        )
        draws, chosen = rng[which], np.full(len(which), -1, np.int64)
        lost = self._ask(part, draws, chosen)
        rng[which], actions[which] = draws, chosen
        return lost

    def _ask(self, view: View, rng: np.ndarray, actions: np.ndarray) -> np.ndarray:
        """Write the answer of the agent into ``actions``; return the kinds of faults that lost it, -1 for none."""
        rows, players, draws = view.rows.copy(), view.players.copy(), rng.copy()
        self.asked[rows, players] += 1
        begin = time.perf_counter()
        lost = np.full(len(rows), -1)
        try:
            actions[:] = checked(self.agent.act(view, draws), len(rows))
        except BaseException as error:
            if self.state is not None:
                sys.setrecursionlimit(self.state.recursion)  # what follows is a call, and may need it
            lost[:] = self._lost_by(error, actions)
        finally:
            if self.state is not None:
                sys.setrecursionlimit(self.state.recursion)
                self.state.restore()
        if self.state is not None and self.state.is_stopped:
            raise KeyboardInterrupt
        passed = time.perf_counter() - begin
        if self.state is None:  # another process, which knows how much of that it computed
            passed = getattr(self.agent, "charged", passed)
        self.seconds[rows, players] += passed / len(rows)
        try:
            check_draws(draws, len(rows))
            rng[:] = draws
        except FaultError as fault:
            lost[lost < 0] = FAULTS.index(self._kind_of(fault))
        return lost

    def _lost_by(self, error: BaseException, actions: np.ndarray) -> np.ndarray:
        """Return the kinds of faults that an exception is for each decision; write what counts into ``actions``."""
        if type(error) is PartlyLostError:
            try:
                actions[:], lost, texts = parts_of(error, len(actions))
            except BaseException as other:
                error = other
            else:
                for kind, text in texts.items():
                    self.texts.setdefault(kind, text)
                return lost
        return np.full(len(actions), FAULTS.index(self._kind_of(error)))

    def _kind_of(self, error: BaseException) -> str:
        """Return the kind of fault that an exception is, and keep its text.

        Raises: KeyboardInterrupt if that is the user's, not the agent's.
        """
        if isinstance(error, KeyboardInterrupt) and (self.state is None or self.state.is_stopped):
            raise error
        kind, text = fault_of(error)
        self.texts.setdefault(kind, text)
        return kind
