"""Check a program that plays by ``docs/protocol.md``: ``shogun-env bot-check "python my_bot.py"``.

It plays games against ``random``, one after the other, and then all at once. It prints all faults, each with what the
program sent, its decisions per second, and its share of the wins. The exit status is 1 if there was a fault.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from shogun_env import cli
from shogun_env.agents.program.agent import Exec
from shogun_env.policies import Ends, FaultError, View, make_agent, play_on, wants_records
from shogun_env.shares import shares_of_win
from shogun_env.spec.bots import legal_or_lowest
from shogun_env.spec.forms import one_line

if TYPE_CHECKING:  # --help is quick without the engine
    from shogun_env.batch.batch import Batch

MOST_TOLD = 20
"""Faults that are printed one by one."""


class Fault(NamedTuple):
    """An answer that could not be used."""

    where: str
    """Game and decision, from 1."""
    kind: str
    text: str


class Checked:
    """A program whose faults are written down and replaced by the lowest legal action.

    Attributes: faults, in order; decisions, put to the program; seconds that it took for them; game_seconds, that its
        games took with all that they needed; where, the game.
    """

    def __init__(self, program: Exec) -> None:
        self.program = program
        self.faults: list[Fault] = []
        self.decisions = 0
        self.seconds = self.game_seconds = 0.0
        self.where = ""
        self.wants_stories, self.wants_lines = program.wants_stories, program.wants_lines
        self.wants_ends = program.wants_ends

    def end(self, ends: Ends) -> None:
        """Tell the program how games ended."""
        self.program.end(ends)

    def act(self, view: View, rng: np.ndarray) -> np.ndarray:
        """Return legal actions: int64[n]."""
        self.program.starts = 0  # it may be started again as often as it takes
        masks, actions = view.masks.copy(), view.masks.argmax(axis=1)
        first = self.decisions + 1
        self.decisions += len(masks)
        begin = time.perf_counter()
        try:
            actions = self.program.act(view, rng)
        except FaultError as fault:
            self._note(first, fault.kind, str(fault))
        self.seconds += time.perf_counter() - begin
        legal, illegal = legal_or_lowest(actions, masks)
        for index in np.flatnonzero(illegal).tolist():
            self._note(first + index, "illegal", f"action {actions[index]} in the phase {_phase(view, index)}")
        return legal

    def _note(self, decision: int, kind: str, text: str) -> None:
        self.faults.append(Fault(where=f"{self.where}, decision {decision}", kind=kind, text=one_line(text)))

    @property
    def speed(self) -> float:
        """Decisions per second."""
        return self.decisions / max(self.seconds, 1e-9)

    @property
    def game_speed(self) -> float:
        """Decisions per second, games included."""
        return self.decisions / max(self.game_seconds, 1e-9)


def _phase(view: View, index: int) -> str:
    return view.spec.phase_names[int(view.batch.phase[index])]


def check(
    batch_type: type[Batch], command: str, options: Mapping[str, Any], games: int, seed: int = 0
) -> tuple[Checked, Checked, float]:
    """Return what a program did in games one after the other, in the same games at once, and its share of the wins.

    Args:
        batch_type: the game's ``Batch``.
        command: as after ``exec:``, parameters included; with ``exec:``, too.
        options: options of play.
        games: how many; the program plays each player in turn.
        seed: seed of the first game.

    Raises: ValueError for a program that cannot be started, or whose hello is wrong.
    """
    spec = batch_type.spec
    program = make_agent(f"exec:{command.removeprefix('exec:')}", spec)
    assert isinstance(program, Exec), "that is what exec makes"
    one, many = Checked(program), Checked(program)
    unseen = batch_type(1, seed=seed, **{**options, "reward": "win"})  # loads what is loaded once, which is not timed
    play_on(unseen, [make_agent("random", spec)], np.zeros((1, unseen.num_players), np.int8), lambda *_: None)
    won = 0.0
    for game in range(games):
        one.where = f"game {game + 1}"
        batch, player = _play(batch_type, one, options, np.array([game]), seed)
        won += float(shares_of_win(batch)[0, player[0]])
    many.where = "all games at once"
    _play(batch_type, many, options, np.arange(games), seed)
    program.close()
    return one, many, won / games


def _play(
    batch_type: type[Batch], bot: Checked, options: Mapping[str, Any], games: np.ndarray, seed: int
) -> tuple[Batch, np.ndarray]:
    """Play games to their end; return them, and the player that the bot was in each: int64[n]."""
    record = wants_records([bot])
    batch = batch_type(len(games), seed=seed + int(games[0]), record=record, **{**options, "reward": "win"})
    seats = np.ones((len(games), batch.num_players), np.int8)
    player = games % batch.num_players
    seats[np.arange(len(games)), player] = 0
    begin = time.perf_counter()
    play_on(batch, [bot, make_agent("random", batch.spec)], seats)
    bot.game_seconds += time.perf_counter() - begin
    return batch, player


def told(one: Checked, many: Checked, share: float, games: int) -> str:
    """Return what was found, in words, a line each."""
    faults = [*one.faults, *many.faults]
    hello = one.program.hello
    lines = [
        f"{hello.name}: at_once {hello.at_once}, processes {hello.processes}, wants {', '.join(hello.wants) or '-'}"
    ]
    lines += [f"{fault.where}: {fault.kind}: {fault.text}" for fault in faults[:MOST_TOLD]]
    if len(faults) > MOST_TOLD:
        lines.append(f"and {len(faults) - MOST_TOLD} more")
    lines.append(f"{len(faults)} faults in {one.decisions + many.decisions} decisions")
    lines.append(f"{one.speed:,.0f} decisions per second in one game at a time, {many.speed:,.0f} in {games} at once")
    lines.append(f"with the games: {one.game_speed:,.0f} and {many.game_speed:,.0f}")
    lines.append(f"share of the wins against random: {share:.2f} ({games} games)")
    return "\n".join(lines)


def make_parser(game: str) -> cli.Parser:
    """Return the parser of the command, with the options of play of ``game``."""
    parser = cli.Parser(prog="shogun-env bot-check", description="Check a program that plays by docs/protocol.md.")
    parser.add_argument(
        "command",
        metavar="COMMAND",
        help="the program with its arguments, in quotation marks, with or without exec: before it",
    )
    parser.add_games(10)
    parser.add_seed("seed of the first game")
    parser.add_play(game)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    parser = make_parser(cli.chosen_game(arguments))
    args = parser.parse_args(arguments)
    with parser.one_line_errors():
        one, many, share = check(cli.batch_class(args.game), args.command, cli.options_of(args), args.games, args.seed)
        print(told(one, many, share, args.games))
    return 1 if one.faults or many.faults else 0


if __name__ == "__main__":
    sys.exit(main())
