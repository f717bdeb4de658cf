"""The bot ``exec:COMMAND``: a program in any language decides; it is asked by the protocol of ``docs/protocol.md``.

Time is wall time, and a process shares it: while k decisions wait for one, each is charged a k-th of it.
"""

import functools
import shlex
import sys
import time
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from shogun_env.agents.program import messages
from shogun_env.agents.program.program import Program, listen
from shogun_env.policies import Ends, FaultError, PartlyLostError, View
from shogun_env.spec.bots import MOST_SECONDS, MachineError
from shogun_env.spec.forms import blaming
from shogun_env.spec.game_spec import GameSpec

RESTARTS = 3
"""How often a program is started again that died, was late, or wrote too long a line. Being late after it has answered
does not count, because then it has only used up its time."""
PYTHONS = ("python", "python3")
"""First words of a command that mean the Python that runs this, in a sandbox too."""


class Clock(NamedTuple):
    """The seconds of the decisions of a view."""

    left: np.ndarray
    """float64[n], what an agent may take for each."""
    used: np.ndarray
    """float64[n], what it took, written by the agent."""


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


class Process:
    """One process of a bot: what it is asked in a view, and which games it knows."""

    def __init__(self) -> None:
        self.program: Program | None = None
        self.waiting: deque[int] = deque()
        """Indices of decisions that it is not asked yet."""
        self.asked: dict[int, int] = {}
        """Indices by the numbers of the decisions that it is asked, the first one first."""
        self.last = -1
        """Index of the decision that it answered last."""
        self.sent_lines: dict[int, int] = {}
        """By the number of each game that it was told of: how many lines of its record it has been sent."""
        self.charged_until = 0.0
        """Up to when its time has been charged."""
        self.has_answered = False
        """Whether it has answered since it was started."""

    @property
    def is_stopped(self) -> bool:
        """Whether it has to be started."""
        return self.program is None or self.program.is_stopped

    def stop(self) -> None:
        """End the program and forget what it was told; the next one is told of its games anew."""
        self.sent_lines.clear()
        if self.program is not None:
            self.program.stop()
        self.program = None


class Answers:
    """The answers to the decisions of a view: actions, reasons, and faults."""

    def __init__(self, count: int) -> None:
        self.actions = np.full(count, -1, np.int64)
        self.why = [""] * count
        self.lost = [""] * count
        self.texts: dict[str, str] = {}

    def lose(self, indices: Iterable[int], fault: FaultError) -> None:
        """Lose decisions by a fault."""
        for index in indices:
            self.texts.setdefault(fault.kind, str(fault))
            self.actions[index], self.lost[index] = -1, fault.kind

    def checked(self) -> np.ndarray:
        """Return the actions; FaultError if all decisions are lost by one fault, PartlyLostError if only some are."""
        if not any(self.lost):
            return self.actions
        if all(self.lost) and len(self.texts) == 1:
            raise FaultError(*next(iter(self.texts.items())))
        raise PartlyLostError(self.actions, self.lost, self.texts)


class Exec:
    """A program as an agent.

    Args:
        game_spec: the game.
        name: its spec, for messages.
        words: the command that starts it.
        seconds: how long it may be silent, by the clock.
        start_seconds: how long its hello may take.
        stderr: file to which standard error is appended; empty: a temporary one, which faults name.
        enters: whether the command writes a newline when it has entered a sandbox (``Program``).
        waiting: called about once a second while the program is waited for, with its name.

    Raises: ValueError if the program cannot be started, or its hello is wrong.
    """

    replayable = False

    def __init__(
        self, game_spec: GameSpec, name: str, words: Sequence[str], *, seconds: float = 60.0,
        start_seconds: float = 60.0, stderr: str = "", enters: bool = False,
        waiting: Callable[[str], None] | None = None,
    ) -> None:  # fmt: skip
        if not 0 < seconds <= MOST_SECONDS:
            raise ValueError(f"{name}: seconds={seconds:g} must be more than 0, at most {MOST_SECONDS}")
        self.game_spec, self.name, self.seconds, self.start_seconds = game_spec, name, seconds, start_seconds
        self.stderr, self.enters, self.waiting = stderr, enters, waiting
        self.hello = messages.Hello(name=name)
        self.wants_stories = self.wants_lines = self.wants_ends = False
        """What the program asked to be told, by ``WISHES``."""
        self.starts = 0
        self._words = words
        self._names = {game_spec.action_name(action): action for action in range(game_spec.n_actions)}
        self._processes: list[Process] = []
        self._games: dict[tuple[int, int], tuple[int, int]] = {}
        """By row and player: number of the game, and how many of its stages were complete when last asked."""
        self._last_game = self._last_decision = 0
        self._lost: set[int] = set()
        """Numbers of decisions whose answers are no longer waited for."""
        self._texts: list[str] = []
        weakref.finalize(self, _stop, self._processes)
        try:
            while len(self._processes) < self.hello.processes:
                self._processes.append(Process())
                self._start(self._processes[-1])
        except (FaultError, MachineError) as fault:
            _stop(self._processes)
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

        answers, before = Answers(len(view.rows)), self._last_decision
        self._last_decision += len(view.rows)
        games = [self._game(view, index) for index in range(len(view.rows))]
        randoms = [int(next_uint64(row)) >> 32 for row in rng]
        for process in self._processes:
            process.last = -1
        for index, game in enumerate(games):
            self._process_of(game).waiting.append(index)
        while any(process.waiting or process.asked for process in self._processes):
            for process in self._processes:
                if process.waiting and process.is_stopped:
                    self._restart(process, answers)
                if not process.asked:
                    process.charged_until = time.monotonic()
                room = self.hello.at_once - len(process.asked)
                if messages.GAMES in self.hello.wants and process.asked:
                    room = 0  # they are asked together
                group = [process.waiting.popleft() for _ in range(min(room, len(process.waiting)))]
                if group:
                    assert process.program is not None, "it has been started"
                    _charge(process, clock)
                    lines = [messages.games_line(view, group)] if messages.GAMES in self.hello.wants else []
                    for index in group:
                        number = before + 1 + index
                        process.asked[number] = index
                        lines.append(self._lines_for(process, view, index, number, games[index], randoms[index]))
                    process.program.ask(b"".join(lines))
            self._listen(answers, before, clock)
        self._texts = answers.why
        return answers.checked()

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

    def close(self) -> None:
        """End the processes; the next decision starts them again, as often as at the beginning."""
        _stop(self._processes)
        self.starts = 0

    def __getstate__(self) -> dict[str, Any]:
        """Return what a copy begins with: no game and no process; its program is started when it is first asked."""
        fresh: dict[str, Any] = {"starts": 0, "waiting": None, "_games": {}, "_lost": set()}
        return {**self.__dict__, **fresh, "_processes": [Process() for _ in self._processes]}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Begin as a copy."""
        self.__dict__.update(state)
        weakref.finalize(self, _stop, self._processes)

    def _listen(self, answers: Answers, before: int, clock: Clock) -> None:
        """Take the next answers of the processes that are asked something; ``before``: the last earlier decision."""
        waited = {process.program: process for process in self._processes if process.asked and process.program}
        silences = {
            program: min(self.seconds, clock.left[list(process.asked.values())].max())
            for program, process in waited.items()
        }
        waiting = None if self.waiting is None else functools.partial(self.waiting, self.name)
        for program, lines, fault in listen(silences, waiting) if waited else ():
            process = waited[program]
            _charge(process, clock)
            for line in lines:
                self._take(line, process, answers, before)
            if fault is not None:
                process.has_answered &= fault.kind == "late"
                answers.lose(process.asked.values(), fault)
                process.asked.clear()
                process.stop()
        late = np.flatnonzero((clock.used > clock.left) & (answers.actions >= 0))
        if len(late):
            answers.lose(late.tolist(), FaultError("late", "its time in this game was over"))

    def _take(self, line: bytes, process: Process, answers: Answers, before: int) -> None:
        """Take a line: an answer to a decision that the process is asked, or a fault that costs one."""
        try:
            number, action, why = messages.read_answer(line, self._names)
        except FaultError as fault:
            self._lose_one(messages.number_in(line), process, answers, before, fault)
            return
        if number in process.asked:
            process.has_answered = True
            process.last = index = process.asked.pop(number)
            answers.actions[index], answers.why[index] = action, why
        elif number in self._lost:
            self._lost.discard(number)
        else:
            words = f"an answer to {number}, which is not asked or was answered before"
            self._lose_one(number, process, answers, before, FaultError("form", words))

    def _lose_one(self, number: int, process: Process, answers: Answers, before: int, fault: FaultError) -> None:
        """Lose the decision that a wrong line names; without a name the one asked first, or else answered last."""
        is_known = number in process.asked or 0 < number - before <= len(answers.lost)
        number = number if is_known else next(iter(process.asked), before + 1 + process.last)
        if number > before:
            answers.lose([number - before - 1], fault)
            if process.asked.pop(number, None) is not None:
                self._lost.add(number)

    def _lines_for(self, process: Process, view: View, index: int, number: int, game: int, random: int) -> bytes:
        """Return the line that puts a decision to a process, after the one that begins its game if it is new to it."""
        sent = process.sent_lines.get(game)
        asked = messages.Asked(number=number, game=game, random=random, sent_lines=sent or 0)
        line = messages.decision_line(view, index, asked, self.hello.wants)
        process.sent_lines[game] = len(view.lines[index]) if view.lines else 0
        return line if sent is not None else messages.game_line(game, int(view.players[index]), view.options) + line

    def _process_of(self, game: int) -> Process:
        return self._processes[game % len(self._processes)]

    def _restart(self, process: Process, answers: Answers) -> None:
        """Start a process again, or lose the decisions that wait for it."""
        try:
            if not process.has_answered:
                if self.starts > RESTARTS:
                    raise FaultError("crash", f"not started again after {RESTARTS} restarts")
                self.starts += 1
            self._start(process)
        except FaultError as fault:
            answers.lose(process.waiting, fault)
            process.waiting.clear()

    def _start(self, process: Process) -> None:
        """Start a process and read what it says of itself.

        Raises: FaultError if it dies, is late or says something wrong.
        """
        process.stop()
        process.has_answered = False
        process.program = program = Program(self._words, self.stderr, self.enters)
        try:
            program.ask(messages.hello_line(self.game_spec))
            ((_, lines, fault),) = listen({program: self.start_seconds})
            if fault is not None and not lines:
                raise fault
            if len(lines) > 1:
                raise FaultError("form", "more than one line in answer to the hello")
            self.hello = messages.Hello.read(lines[0])
        except (FaultError, MachineError):
            program.stop()
            raise
        for name, wish in messages.WISHES.items():
            setattr(self, name, wish in self.hello.wants)
        program.may_end = self.wants_ends

    def _leave(self, key: tuple[int, int], ends: Ends | None = None, index: int = 0) -> None:
        """Forget the game of a row and a player, and tell the program that it is over, and how, if that is known."""
        game, _ = self._games.pop(key, (0, 0))
        process = self._process_of(game)
        sent = process.sent_lines.pop(game, None)
        if sent is not None and process.program is not None and not process.is_stopped:
            process.program.send(messages.over_line(game, ends, index, sent, self.hello.wants))

    def _game(self, view: View, index: int) -> int:
        """Return the number of the game of a decision; a process is told that the game before it in its row is over.

        A game is new if this player was not asked in its row before, or if it is less far than the last time.
        """
        row, player = int(view.rows[index]), int(view.players[index])
        complete = int(self.game_spec.engine.stage(view.batch.games[index], 0))
        game, before = self._games.get((row, player), (0, -1))
        if game == 0 or complete < before:
            if game:
                self._leave((row, player))
            self._last_game += 1
            game = self._last_game
        self._games[row, player] = game, complete
        return game


def _charge(process: Process, clock: Clock) -> None:
    """Charge the decisions that a process is asked with the time that has passed, in equal shares."""
    now = time.monotonic()
    if process.asked:
        clock.used[list(process.asked.values())] += (now - process.charged_until) / len(process.asked)
    process.charged_until = now


def _stop(processes: list[Process]) -> None:
    for process in processes:
        process.stop()


def make_exec(game_spec: GameSpec, command: str, /, seconds: float = 60.0, stderr: str = "") -> Exec:
    """Return the bot of the spec ``exec:COMMAND``, as ``exec:./my_bot --fast`` or ``exec:seconds=5:python bot.py``.

    Args:
        game_spec: the game.
        command: the program and its arguments, without a shell; a colon or comma of an argument is one of the spec
            unless the argument is in quotation marks. ``python`` as the first word is the Python that runs this.
        seconds: limit for each line of an answer, in seconds by the clock.
        stderr: file to which standard error is appended, up to 1 MB; empty: a temporary one, which faults name.

    Raises: ValueError for a program that cannot be started, dies, or says a wrong hello.
    """
    name = f"exec:{command}"
    return Exec(game_spec, name, words_of(command), seconds=seconds, start_seconds=seconds, stderr=stderr)
