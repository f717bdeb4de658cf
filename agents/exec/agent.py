"""The bot ``exec:COMMAND``: a program in any language decides; it is asked by the protocol of ``docs/protocol.md``."""

from __future__ import annotations

import shlex
import sys
import weakref
from collections import deque

import numpy as np

from shogun_env.agents.exec.messages import Hello, decision_line, game_line, hello_line, over_line, read_answer
from shogun_env.agents.exec.program import Program, next_lines
from shogun_env.kernel.rng import next_uint64
from shogun_env.policies import FaultError, View
from shogun_env.spec.game_spec import GameSpec

__all__ = ["Exec", "make_exec", "words_of"]

RESTARTS = 3
"""How often a program that died, was late or wrote too long a line is started again."""
PYTHONS = ("python", "python3")
"""First words of a command that mean the Python that runs this, in a sandbox too."""


def words_of(command: str) -> list[str]:
    """Return the words of a command; ValueError if there are none, or a quotation mark is missing.

    Example:
        >>> words_of("./my_bot --name 'a b'")
        ['./my_bot', '--name', 'a b']
    """
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise ValueError(f"exec:{command}: {error}") from None
    if not words:
        raise ValueError("exec: needs a command after the colon, as exec:./my_bot")
    return [sys.executable if words[0] in PYTHONS else words[0], *words[1:]]


class Exec:
    """A program as an agent; ``make_exec`` describes the parameters.

    Raises: ValueError if the program cannot be started, or its hello is wrong.
    """

    replayable = False

    def __init__(self, game_spec: GameSpec, command: str, seconds: float, stderr: str) -> None:
        if not seconds > 0:
            raise ValueError(f"exec:{command}: seconds={seconds:g} must be more than 0")
        self.game_spec, self.command, self.seconds, self.stderr = game_spec, command, seconds, stderr
        self.hello = Hello(name=command)
        self.starts = 0
        self._words = words_of(command)
        self._names = {game_spec.action_name(action): action for action in range(game_spec.n_actions)}
        self._programs: list[Program] = []
        self._games: dict[tuple[int, int], tuple[int, int]] = {}
        """By row and player: number of the game, and how many of its stages were complete when last asked."""
        self._last_game = self._last_decision = 0
        self._lost: set[int] = set()
        """Numbers of decisions whose answers are no longer waited for."""
        self._texts: list[str] = []
        weakref.finalize(self, _stop, self._programs)
        try:
            self._start()
        except FaultError as fault:
            raise ValueError(f"exec:{command}: {fault}") from None

    @property
    def wants_stories(self) -> bool:
        """Whether the program asked to be told what has happened."""
        return "story" in self.hello.wants

    def act(self, view: View, rng: np.ndarray) -> np.ndarray:
        """Return what the program answers: int64[n].

        Raises: FaultError for an answer that cannot be used, or none; then all decisions of the view are lost.
        """
        if not self._programs or any(program.is_stopped for program in self._programs):
            self._start()
        actions, self._texts = np.full(len(view.rows), -1, np.int64), [""] * len(view.rows)
        unsent: list[deque[tuple[int, bytes]]] = [deque() for _ in self._programs]
        indices: dict[int, int] = {}
        for index in range(len(view.rows)):
            self._last_decision += 1
            number, (game, before) = self._last_decision, self._game(view, index)
            random = int(next_uint64(rng[index])) >> 32
            line = decision_line(view, index, number, game, random, self.hello.wants)
            unsent[game % len(unsent)].append((number, before + line))
            indices[number] = index
        asked: list[set[int]] = [set() for _ in self._programs]
        try:
            while indices:
                self._ask(unsent, asked)
                waiting = [program for program, numbers in zip(self._programs, asked, strict=True) if numbers]
                for program, line in next_lines(waiting, self.seconds):
                    number, action, why = read_answer(line, self._names)
                    numbers = asked[self._programs.index(program)]
                    if number in self._lost:
                        self._lost.discard(number)
                    elif number in numbers:
                        numbers.discard(number)
                        index = indices.pop(number)
                        actions[index], self._texts[index] = action, why
                    else:
                        raise FaultError("form", f"an answer to {number}, which is not asked or was answered before")
        except FaultError:
            self._lost.update(*asked)
            raise
        return actions

    def explain(self, view: View) -> list[str]:
        """Return for every decision of the view, which ``act`` has just answered, why the program chose so."""
        return list(self._texts)

    def close(self) -> None:
        """End the processes; the next decision starts them again."""
        _stop(self._programs)

    def _ask(self, unsent: list[deque[tuple[int, bytes]]], asked: list[set[int]]) -> None:
        """Give each process as many decisions as it takes at a time."""
        for program, lines, numbers in zip(self._programs, unsent, asked, strict=True):
            while lines and len(numbers) < self.hello.at_once:
                number, line = lines.popleft()
                program.unsent += line
                numbers.add(number)

    def _start(self) -> None:
        """Start the processes and read what they say of themselves.

        Raises: FaultError if one dies, is late or says something wrong, or if they were started too often.
        """
        if self.starts > RESTARTS:
            raise FaultError("crash", f"not started again after {RESTARTS} restarts")
        self.starts += 1
        _stop(self._programs)
        self._games.clear()
        self._lost.clear()
        try:
            self.hello = self._started()
            for _ in range(1, self.hello.processes):
                self._started()
        except FaultError:
            _stop(self._programs)
            raise

    def _started(self) -> Hello:
        program = Program(self._words, self.stderr)
        self._programs.append(program)
        program.unsent += hello_line(self.game_spec)
        (_, first), *more = next_lines([program], self.seconds)
        if more:
            raise FaultError("form", "more than one line in answer to the hello")
        return Hello.read(first)

    def _game(self, view: View, index: int) -> tuple[int, bytes]:
        """Return the number of the game of a decision, with the lines that begin it if it is new.

        A game is new if its row was not asked before for this player, or if fewer stages of it are complete than were.
        """
        row, player = int(view.rows[index]), int(view.players[index])
        stage = self.game_spec.engine.stage
        complete = 0 if stage is None else int(stage(view.batch.games[index], 0))
        game, before = self._games.get((row, player), (0, -1))
        lines = b""
        if game == 0 or complete < before:
            lines = over_line(game) if game else b""
            ended, self._last_game = game, self._last_game + 1
            game = self._last_game
            if ended:  # the same process is told of both
                game = self._last_game = game + (ended - game) % len(self._programs)
            lines += game_line(game, player, view.options)
        self._games[row, player] = game, complete
        return game, lines


def _stop(programs: list[Program]) -> None:
    for program in programs:
        if not program.is_stopped:
            program.stop()
    programs.clear()


def make_exec(game_spec: GameSpec, command: str, /, seconds: float = 60.0, stderr: str = "") -> Exec:
    """Return the bot of the spec ``exec:COMMAND``, as ``exec:./my_bot --fast`` or ``exec:seconds=5:python bot.py``.

    Args:
        game_spec: the game.
        command: the program and its arguments, without a shell; colons and commas belong to the spec. ``python`` as
            the first word is the Python that runs this.
        seconds: limit for each line of an answer, in seconds by the clock. A tournament's ``--isolate`` has its own.
        stderr: file to which standard error is appended; empty: a temporary one, whose last line is quoted if the
            program dies.

    Raises: ValueError for a program that cannot be started, dies, or says a wrong hello.
    """
    return Exec(game_spec, command, seconds, stderr)
