"""Say what bots play like, by what they do in games: ``shogun-env habits --agents champion,scripted``.

Each bot plays one seat against copies of another, seats rotated, and what it does is counted from the records. The
first bot is compared with the second: what differs by more than chance is marked. A network that wins more often than
the one before may have unlearnt what pays late or rarely, which no share of wins shows; so both tables are looked at
before it takes its place. ``--publish`` puts a file of ``--json`` into ``habits.json``, from which documents are made.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from shogun_env import cli
from shogun_env.batch.batch import Batch
from shogun_env.benchmarks.documents import ROOT, habits_table, published, read_json, write
from shogun_env.policies import make_agent, specs_in
from shogun_env.shares import Z95, rotated
from shogun_env.spec.habits import Habits

SEEDS_AT_ONCE = 50
"""Seeds whose games are in memory at the same time; the log of a game takes 64 kB."""
OPPONENT = "opponents"
"""Name of the column of those that the first bot plays against."""

Sums = dict[str, list[np.ndarray]]
"""By habit for each seed: how often, and out of how many occasions, float64[2]."""


def measure(
    batch_type: type[Batch], agent: str, against: str, options: Mapping[str, Any], games: int, seed: int = 0,
    num_threads: int = 1,
) -> tuple[dict[str, list[float]], dict[str, list[float]]]:  # fmt: skip
    """Return what a bot does, and what its opponents do: by habit the mean with half the width of its 95 % interval.

    A mean of something counted per game, or out of the occasions there were; both are left out if there were none.

    Args:
        batch_type: the game's ``Batch``.
        agent: spec of the bot.
        against: spec of the bot that all other players are copies of.
        options: options of play.
        games: number of games, rounded down to a multiple of the number of players, at least two of each.
        seed: seed of the first game.
        num_threads: threads of the engine; results do not depend on their number.

    Raises: ValueError for an unknown bot, or options that the game does not allow.
    """
    spec = batch_type.spec
    bot, opponent = (make_agent(each, spec) for each in (agent, against))
    count = max(2, games // int(spec.check_options(options)["num_players"]))
    own_sums: Sums = {}
    other_sums: Sums = {}
    for first in range(seed, seed + count, SEEDS_AT_ONCE):
        seeds = np.arange(first, min(first + SEEDS_AT_ONCE, seed + count))
        batch, own = rotated(batch_type, bot, opponent, seeds, dict(options), num_threads, record=True)
        for row, lines in enumerate(batch.records()):
            habits, is_own = spec.record_format.habits(lines), np.arange(batch.num_players) == own[row]
            is_new_seed = row % batch.num_players == 0
            for sums, players in ((own_sums, is_own), (other_sums, ~is_own)):
                _add(sums, habits, players, is_new_seed)
    return _means(own_sums), _means(other_sums)


def _add(sums: Sums, habits: Habits, players: np.ndarray, is_new_seed: bool) -> None:
    """Add what some players did in a game, bool[P], to the sums of its seed."""
    for words, counts in habits.items():
        of_seed = sums.setdefault(words, [])
        if is_new_seed:
            of_seed.append(np.zeros(2))
        of_seed[-1] += np.array(counts)[:, players].sum(1)


def _means(sums: Sums) -> dict[str, list[float]]:
    """Return the ratios of the sums with their intervals, from how seeds scatter around the ratio of all."""
    means = {}
    for words, of_seed in sums.items():
        count, of = np.array(of_seed).T
        if of.sum() > 0:
            mean = count.sum() / of.sum()
            scatter = count - mean * of
            half = Z95 * float(scatter.std(ddof=1)) * len(of) ** 0.5 / of.sum()
            means[words] = [float(mean), half]
    return means


def publish(paths: Sequence[Path], results: Path) -> None:
    """Put files written by ``--json`` into the published results, in the place of those of the same game.

    Raises: ValueError for a file that is not of this command.
    """
    runs = read_json(results, "runs")["runs"]
    for path in paths:
        run = read_json(path, "game", "machine", "command", "habits")
        runs = [old for old in runs if old["game"] != run["game"]] + [run]
    cli.write_json(results, {"runs": runs})


def make_parser(game: str) -> cli.Parser:
    """Return the parser of the command, with the options of play of ``game``."""
    parser = cli.Parser(prog="shogun-env habits", description=(__doc__ or "").split(":")[0])
    parser.add_argument(
        "--agents", default="champion,scripted", metavar="SPECS",
        help="bots, with commas; the first is compared with the second (champion,scripted)",
    )  # fmt: skip
    parser.add_argument("--against", default="scripted", metavar="SPEC", help="who plays all other seats (scripted)")
    parser.add_games(400, "games of each bot")
    parser.add_seed("seed of the first game")
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
            publish(args.publish, published("habits.json"))
            write(ROOT)
            return 0
        figures = {"command": cli.command_line(parser, arguments), **_measured(args)}
        print(habits_table(args.game, [figures]), end="")
        cli.write_json(args.json, figures)
    return 0


def _measured(args: argparse.Namespace) -> dict[str, Any]:
    """Return the figures that a command line asks for, as JSON values."""
    batch_type, options = cli.batch_class(args.game), cli.options_of(args)
    agents = specs_in(args.agents)
    where, habits = cli.origin(), {}
    with cli.progress("habits", len(agents)) as show:
        for done, agent in enumerate(agents):
            show(done, agent)
            own, others = measure(batch_type, agent, args.against, options, args.games, args.seed, args.threads)
            habits[agent] = own
            if done == 0:
                habits[OPPONENT] = others
        show(len(agents), "done")
    habits[OPPONENT] = habits.pop(OPPONENT)  # last
    return {"game": args.game, "machine": where, "against": args.against, "habits": habits}


if __name__ == "__main__":
    sys.exit(main())
