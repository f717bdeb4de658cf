"""The bot ``exec:COMMAND``: a program in any language decides; it is asked by the protocol of ``docs/protocol.md``.

It is one process, and is asked one question at a time. Its time is that of the clock, from a question to its answer.
"""

import functools
import shlex
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from shogun_env.agents.program import messages
from shogun_env.agents.program.program import Program
from shogun_env.bot import Bot, Clock
from shogun_env.policies import Ends, FaultError, PartlyLostError, View
from shogun_env.spec.bots import MOST_SECONDS, MachineError
from shogun_env.spec.forms import blaming
from shogun_env.spec.game_spec import GameSpec
from shogun_env.views import TOLD

RESTARTS = 1
"""How often a program is started again that died, was late, or wrote too long a line. Being late after it has answered
does not count, because then it has only used up its time."""
PYTHONS = ("python", "python3")
"""First words of a command that mean the Python that runs this, in a sandbox too."""


def words_of(command: str, python: str = sys.executable) -> list[str]:
    """Return the words of a command; ValueError if there are none, or a quotation mark is missing.

    Args: command; python, what the first word ``python`` means.

    Example:
        >>> words_of("./my_bot --name 'a b'")
        ['./my_bot', '--name', 'a b']
    """
    with blaming(f"exec:{command}"):
        words = shlex.split(command)
    if not words:
        raise ValueError("exec: needs a command after the colon, as exec:./my_bot")
    return [python if words[0] in PYTHONS else words[0], *words[1:]]


class Exec(Bot):
    """A program as an agent.

    Args:
        game_spec: the game.
        name: its spec, for messages.
        words: the command that starts it.
        seconds: how long an answer may take, by the clock.
        start_seconds: how long its hello may take.
        stderr: file to which standard error is appended; empty: a temporary one, which faults name.
        enters: whether the command writes a newline when it has entered a sandbox (``Program``).
        waiting: called about once a second while the program is waited for, with its name.

    Raises: ValueError if the program cannot be started, or its hello is wrong.
    """

    def __init__(
        self, game_spec: GameSpec, name: str, words: Sequence[str], *, seconds: float = 60.0,
        start_seconds: float = 60.0, stderr: str = "", enters: bool = False,
        waiting: Callable[[str], None] | None = None,
    ) -> None:  # fmt: skip
        if not 0 < seconds <= MOST_SECONDS:
            raise ValueError(f"{name}: seconds={seconds:g} must be more than 0, at most {MOST_SECONDS}")
        self.game_spec, self.name, self.seconds, self.start_seconds = game_spec, name, seconds, start_seconds
        self.stderr, self.enters, self.waiting = stderr, enters, waiting
        self.starts = 0
        self._words = words
        self._program: Program | None = None
        self._has_answered = False
        """Whether it has answered since it was started."""
        self._games: dict[tuple[int, int], tuple[int, int]] = {}
        """By row and player: number of the game, and how many of its stages were complete when last asked."""
        self._sent_lines: dict[int, int] = {}
        """By the number of each game that the program was told of: how many lines of its record it has been sent."""
        self._last_game = self._last_decision = 0
        self._texts: list[str] = []
        try:
            self._start()
        except (FaultError, MachineError) as fault:
            refusal = MachineError if isinstance(fault, MachineError) else ValueError
            raise refusal(f"{name}: {fault}") from None
        self.starts = 1

    def act(self, view: View, rng: np.ndarray) -> np.ndarray:
        """Return what the program answers: int64[n].

        Raises: PartlyLostError, or FaultError if all are lost, for answers that cannot be used, or none.
        """
        return self.act_by(view, rng, Clock(np.full(len(view.rows), np.inf), np.zeros(len(view.rows))))

    def act_by(self, view: View, rng: np.ndarray, clock: Clock) -> np.ndarray:
        """Return what the program answers in time, as ``act``, and write into the clock what it took."""
        from shogun_env.kernel.rng import next_uint64

        count = len(view.rows)
        actions, lost, texts = np.full(count, -1, np.int64), [""] * count, dict[str, str]()
        self._texts = [""] * count
        randoms = [int(next_uint64(row)) >> 32 for row in rng]
        for index in range(count):
            begin = time.monotonic()
            try:
                question = self._question(view, index, randoms[index])
                begin = time.monotonic()  # a start is not charged
                actions[index], self._texts[index] = self._answer(question, min(self.seconds, clock.left[index]))
            except FaultError as fault:
                lost[index] = fault.kind
                texts.setdefault(fault.kind, str(fault))
            clock.used[index] = time.monotonic() - begin
        if not any(lost):
            return actions
        if all(lost) and len(texts) == 1:
            raise FaultError(*next(iter(texts.items())))
        raise PartlyLostError(actions, lost, texts)

    def _question(self, view: View, index: int, random: int) -> bytes:
        """Return the lines that put a decision to the program, which is started if it does not run."""
        game = self._game(view, index)
        self._last_decision += 1
        self._run()
        sent = self._sent_lines.get(game)
        about = {"number": self._last_decision, "game": game, "random": random, "sent_lines": sent or 0}
        begins = messages.game_line(game, int(view.players[index]), view.options) if sent is None else b""
        self._sent_lines[game] = len(view.lines[index]) if view.lines else 0
        return begins + messages.decision_line(view, index, self.hello.wants, **about)

    def _answer(self, question: bytes, seconds: float) -> tuple[int, str]:
        """Ask a question; return the action that the program answers with, and why it was chosen.

        Answers to earlier questions are passed over. They do not stop the clock.

        Raises: FaultError; the program is stopped if it is late, has ended or writes too long a line.
        """
        program = self._program
        assert program is not None, "it runs"
        waiting = None if self.waiting is None else functools.partial(self.waiting, self.name)
        until = time.monotonic() + seconds
        program.tell(question)
        try:
            while (line := program.line(until, waiting)) is not None:
                answer = messages.read_answer(line, self._last_decision, self.game_spec.actions)
                if answer is not None:
                    self._has_answered = True
                    return answer
        finally:
            self._has_answered &= not program.is_stopped
        where = program.errors()
        self._stop()
        raise FaultError("late", f"no answer in {seconds:.3g} s{where}")

    def explain(self, view: View) -> list[str]:
        """Return for every decision of the view, which ``act`` has just answered, why the program chose so."""
        return list(self._texts)

    def end(self, ends: Ends) -> None:
        """Tell the program how games ended in which it was asked; nothing is waited for."""
        for index, key in enumerate(zip(ends.rows.tolist(), ends.players.tolist(), strict=True)):
            self._leave(key, ends, index)

    def begin(self, rows: np.ndarray) -> None:
        """Tell the program that the games of ``rows`` int64[n] are over, as other ones have replaced them."""
        replaced = set(rows.tolist())
        for key in [key for key in self._games if key[0] in replaced]:
            self._leave(key)

    def errors(self) -> str:
        """Return the last line of the standard error of the process and where that can be read; empty if none came."""
        return "" if self._program is None or self._program.is_stopped else self._program.errors(quoted=True)

    def close(self) -> None:
        """End the process; the next decision starts it again, as often as at the beginning."""
        self._stop()
        self.starts, self._has_answered = 0, False

    def __getstate__(self) -> dict[str, Any]:
        """Return what a copy begins with: no game and no process; its program is started when it is first asked."""
        fresh: dict[str, Any] = {"_games": {}, "_sent_lines": {}, "_program": None, "_has_answered": False}
        return {**self.__dict__, "starts": 0, "waiting": None, **fresh}

    def _run(self) -> None:
        """Start the process if it does not run; FaultError if it was started too often, or does not start."""
        if self._program is None or self._program.is_stopped:
            if not self._has_answered:
                if self.starts > RESTARTS:
                    raise FaultError("crash", "not started again after a restart")
                self.starts += 1
            self._start()

    def _start(self) -> None:
        """Start the process and read what it says of itself.

        Raises: FaultError if it dies, is late or says something wrong.
        """
        self._stop()
        self._has_answered = False
        program = Program(self._words, self.stderr, self.enters)
        try:
            program.tell(messages.hello_line(self.game_spec))
            line = program.line(time.monotonic() + self.start_seconds)
            if line is None:
                raise FaultError("late", f"no hello in {self.start_seconds:g} s{program.errors()}")
            self.hello = messages.Hello.read(line)
        except (FaultError, MachineError):
            program.stop()
            raise
        self.wants = tuple(want for want in self.hello.wants if want in TOLD)
        program.may_end = "result" in self.wants
        self._program = program

    def _stop(self) -> None:
        """End the process and forget what it was told; the next one is told of its games anew."""
        self._sent_lines.clear()
        if self._program is not None:
            self._program.stop()
        self._program = None

    def _leave(self, key: tuple[int, int], ends: Ends | None = None, index: int = 0) -> None:
        """Forget the game of a row and a player, and tell the program that it is over, and how, if that is known."""
        game, _ = self._games.pop(key, (0, 0))
        sent = self._sent_lines.pop(game, None)
        if sent is not None and self._program is not None and not self._program.is_stopped:
            self._program.tell(messages.over_line(game, ends, index, sent, self.hello.wants))

    def _game(self, view: View, index: int) -> int:
        """Return the number of the game of a decision; a process is told that the game before it in its row is over.

        A game is new if this player was not asked in its row before, or if it is less far than the last time.
        """
        key = int(view.rows[index]), int(view.players[index])
        complete = int(self.game_spec.engine.stage(view.batch.games[index], 0))
        game, before = self._games.get(key, (0, sys.maxsize))
        if complete < before:
            self._leave(key)
            self._last_game += 1
            game = self._last_game
        self._games[key] = game, complete
        return game


def make_exec(game_spec: GameSpec, command: str, /, seconds: float = 60.0, stderr: str = "") -> Exec:
    """Return the bot of the spec ``exec:COMMAND``, as ``exec:./my_bot --fast`` or ``exec:seconds=5:python bot.py``.

    Args:
        game_spec: the game.
        command: the program and its arguments, without a shell; a colon or comma of an argument is one of the spec
            unless the argument is in quotation marks. ``python`` as the first word is the Python that runs this.
        seconds: limit for each answer, by the clock; to start it has a minute, or as long as for an answer.
        stderr: file to which the last half to whole MB of standard error is appended; empty: a temporary one, which
            faults name.

    Raises: ValueError for a program that cannot be started, dies, or says a wrong hello.
    """
    name = f"exec:{command}"
    return Exec(game_spec, name, words_of(command), seconds=seconds, start_seconds=max(60.0, seconds), stderr=stderr)
