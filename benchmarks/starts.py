"""Measure how much a start position is worth among equal bots: ``shogun-env starts --players 3,4,5``.

All players are copies of one bot. Each set-up is dealt once and played on several times with other chance, so that
besides the share of wins of each player the command tells how far the players' chances lie apart when play begins.
``--publish`` puts a file of ``--json`` into ``starts.json``, from which the tables of the games' pages are made.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from shogun_env import cli
from shogun_env.batch.batch import Batch
from shogun_env.benchmarks.documents import ROOT, published, read_json, starts_tables, write
from shogun_env.policies import Agent, ask, make_agent, play_on, specs_in
from shogun_env.shares import Z95, shares_of_win

AGAIN = 5
"""How often each set-up is played on."""


class Share(NamedTuple):
    """The mean share of wins of the players in one place, with half the width of its 95 % interval."""

    share: float
    half: float


class Starts(NamedTuple):
    """What games of equal bots tell about their starts."""

    by_player: list[Share]
    """Share of wins of player 0, 1, …"""
    by_position: dict[str, Share]
    """Share of wins by start position in words; empty with options that have none."""
    spread: Share
    """How far the players' chances to win lie from equality after the set-up: the root of the mean square, 0..1."""


def measure(
    batch_type: type[Batch], agent: str, options: Mapping[str, Any], games: int, seed: int = 0, num_threads: int = 1
) -> Starts:
    """Play copies of a bot against each other and return what the starts are worth.

    Args:
        batch_type: the game's ``Batch``.
        agent: spec of the bot.
        options: options of play.
        games: least number of games; ``AGAIN`` of them begin with each set-up, and there are at least two.
        seed: seed of the first set-up; each later one has the next seed.
        num_threads: threads of the engine; results do not depend on their number.

    Raises: ValueError for an unknown bot, or options that the game does not allow.
    """
    spec = batch_type.spec
    bot, dealt = make_agent(agent, spec), max(2, -(-games // AGAIN))
    batch = batch_type(dealt, seed=seed, num_threads=num_threads, **{**options, "reward": "win"})
    _set_up(batch, bot)
    players = range(batch.num_players)
    positions = np.array([[spec.start_position(g, player) for player in players] for g in batch.games])
    again = batch.take(np.repeat(np.arange(dealt), AGAIN), num_threads=num_threads)
    rng = np.random.default_rng(seed)
    for keys in (again.rngs, again.policy_rngs):  # of each game and of each bot: other chance to come
        keys[..., 0] = rng.integers(0, 2**64, keys.shape[:-1], np.uint64)
    play_on(again, [bot], np.zeros((again.num_games, batch.num_players), np.int8))
    won = shares_of_win(again).reshape(dealt, AGAIN, batch.num_players)
    chances = won.mean(1)
    return Starts(
        by_player=[_share(chances[:, player]) for player in players],
        by_position={
            words: _share(chances[positions == index])
            for index, words in enumerate(spec.start_positions)
            if (positions == index).any()
        },
        spread=_apart(chances, won.var(1, ddof=1) / AGAIN),
    )


def _set_up(batch: Batch, bot: Agent) -> None:
    """Let copies of a bot make the decisions of the set-up, which come before the first plan in games with plans."""
    plan = batch.spec.plan_phase
    while plan >= 0 and (rows := np.flatnonzero(batch.phase != plan)).size:
        batch.step(ask(bot, batch, rows), rows)


def _share(chances: np.ndarray) -> Share:
    """Return the mean of one chance of each set-up, float64[n], which are independent; one alone tells nothing."""
    half = Z95 * float(chances.std(ddof=1)) / len(chances) ** 0.5 if len(chances) > 1 else 1.0
    return Share(share=float(chances.mean()), half=half)


def _apart(chances: np.ndarray, errors: np.ndarray) -> Share:
    """Return how far true chances lie from equality, without what comes from the few games of each set-up.

    Args: chances, measured, float64[D, P] by set-up and player; errors, the variance of each, float64[D, P].
    """
    squares = ((chances - 1 / chances.shape[1]) ** 2 - errors).mean(1)
    spread = max(float(squares.mean()), 0.0) ** 0.5
    error = Z95 * float(squares.std(ddof=1)) / len(squares) ** 0.5
    return Share(share=spread, half=error / (2 * spread) if spread > error**0.5 else error**0.5)


def publish(paths: Sequence[Path], results: Path) -> None:
    """Put files written by ``--json`` into the published results, in the place of those that hold the same figures.

    Raises: ValueError for a file that is not of this command.
    """
    runs = read_json(results, "runs")["runs"]
    for path in paths:
        run = read_json(path, "game", "machine", "command", "starts")
        runs = [old for old in runs if not any(figure in _figures(run) for figure in _figures(old))] + [run]
    cli.write_json(results, {"runs": runs})


def _figures(run: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """Return which figures a run holds: game, bot and options of play of each."""
    return [(run["game"], cell["agent"], cell["options"]) for cell in run["starts"]]


# --- the command -----------------------------------------------------------------------------------------------------


def make_parser(game: str) -> cli.Parser:
    """Return the parser of the command, with the options of play of ``game``, of which lists may be given."""
    parser = cli.Parser(prog="shogun-env starts", description=(__doc__ or "").split(":")[0])
    parser.add_argument(
        "--agents", default="scripted", metavar="SPECS", help="bots that play among themselves, with commas (scripted)"
    )
    parser.add_games(5000, "least number of games of each bot with each set of options")
    parser.add_seed("seed of the first set-up")
    parser.add_argument(
        "--threads", type=cli.count, default=cli.cores(), metavar="N", help=f"threads of the engine ({cli.cores()})"
    )
    parser.add_argument(
        "--publish", type=Path, nargs="+", metavar="FILE", help="play nothing; put these files into the documents"
    )
    parser.add_json("the figures")
    parser.add_play(game)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    parser = make_parser(cli.chosen_game(arguments))
    args = parser.parse_args(arguments)
    with parser.one_line_errors():
        if args.publish:
            publish(args.publish, published("starts.json"))
            write(ROOT)
            return 0
        figures = {"command": cli.command_line(parser, arguments), **_measured(args)}
        print(starts_tables(args.game, [figures]), end="")
        cli.write_json(args.json, figures)
    return 0


def _measured(args: argparse.Namespace) -> dict[str, Any]:
    """Return the figures that a command line asks for, as JSON values."""
    batch_type = cli.batch_class(args.game)
    variants = [cli.unusual_options(batch_type.spec, options) for options in cli.combinations_of(cli.options_of(args))]
    cells = [(agent, options) for options in variants for agent in specs_in(args.agents)]
    where, starts = cli.origin(), []
    with cli.progress("starts", len(cells)) as show:
        for done, (agent, options) in enumerate(cells):
            show(done, f"{agent}, {options}")
            measured = measure(batch_type, agent, options, args.games, args.seed, args.threads)
            starts.append({"agent": agent, "options": options, "games": args.games, **measured._asdict()})
        show(len(cells), "done")
    return {"game": args.game, "machine": where, "starts": starts}


if __name__ == "__main__":
    sys.exit(main())
