"""A league: ``shogun-env league create out/league``, then ``enter``, ``run``, ``show`` and ``verify``.

Bots enter whenever they like and are never removed. Games are chosen where they tell most about ratings, which hang on
the reference pool. Everything is in the folder: ``journal.jsonl``, which only grows; ``standings.md`` and ``.json``,
and ``index.html``, which are made of it again while it is played; and ``secret``, which only its owner may read.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from shogun_env import cli
from shogun_env.benchmarks.arena.arena import FaultTexts
from shogun_env.benchmarks.arena.blocks import Workers
from shogun_env.benchmarks.arena.programs import BUBBLEWRAP
from shogun_env.benchmarks.arena.seeds import FILE as SECRET
from shogun_env.benchmarks.league import checking, league, page, preset, standings
from shogun_env.benchmarks.league.history import History
from shogun_env.benchmarks.league.journal import FILE

MARKS = {"withdraw": "withdrawn", "blame": "blamed", "back": "back"}
"""The mark that each of these commands sets."""
PAGE_EVERY = 5.0
"""Seconds between two pages of a league that is being played."""


def create(args: argparse.Namespace) -> int:
    """Make a league."""
    limits = {name: value for name in preset.LIMITS if (value := getattr(args, name)) is not None}
    settings = preset.settings_of(args.game, args.preset, cli.options_of(args), limits)
    history = league.create(args.folder, settings)
    print(f"{args.folder}: {', '.join(history.names)} are in it, with fixed ratings\n"
          f"published before the first game: the seeds of all rounds are fixed by {history.commitment.hex()}\n"
          f"keep {args.folder / SECRET} to yourself: it makes the seeds of rounds to come")  # fmt: skip
    return 0


def enter(args: argparse.Namespace) -> int:
    """Enter a bot."""
    history = History.in_folder(args.folder / FILE)
    limits = None if args.isolate is None else league.limits_of(history, args.isolate)
    name = league.enter(args.folder, args.bot, args.name, limits)
    _write(args.folder)
    print(f"{name} has entered")
    return 0


def mark(args: argparse.Namespace) -> int:
    """Mark an entry."""
    league.mark(args.folder, args.name, MARKS[args.command], args.why)
    _write(args.folder)
    print(f"{args.name} is {MARKS[args.command]}")
    return 0


def _write(folder: Path) -> None:
    """Write the standings and the page of a league as it is now."""
    history = History.in_folder(folder / FILE)
    page.write(folder, history, standings.write(folder, history), {})


def run(args: argparse.Namespace) -> int:
    """Play rounds, and write standings after each."""
    workers = Workers(threads=args.threads, processes=args.processes, ray=args.ray)
    texts: FaultTexts = {}
    written, status = 0.0, 0
    try:
        for history, found in league.run(args.folder, args.games, workers, args.isolate):
            texts = found
            if time.monotonic() > written + PAGE_EVERY:
                page.write(args.folder, history, standings.write(args.folder, history), texts)
                written = time.monotonic()
    except KeyboardInterrupt:
        sys.stderr.write("stopped; all games that were written down are kept, the same command resumes\n")
        status = 130
    history = History.in_folder(args.folder / FILE)
    summary = standings.write(args.folder, history)
    if args.replays and not status:
        page.write_replays(args.folder, history, summary)
    page.write(args.folder, history, summary, texts)
    print(standings.as_markdown(summary), end="")
    print(f"\n{args.folder / page.PAGE} written; the hashes of the journal end with {summary['journal']}")
    return status


def show(args: argparse.Namespace) -> int:
    """Print the standings."""
    print(standings.as_markdown(standings.summary_of(History.in_folder(args.folder / FILE))), end="")
    return 0


def verify(args: argparse.Namespace) -> int:
    """Check a league; return 1 if something differs."""
    workers = Workers(threads=args.threads, processes=args.processes, ray=args.ray)
    report = checking.verify(args.folder, args.share or 1.0, workers, args.isolate)
    print("\n".join([*report.checked, *(f"DIFFERS: {text}" for text in report.differences)]))
    return 1 if report.differences else 0


def add_command(commands: Any, name: str, text: str, does: Callable[[argparse.Namespace], int]) -> cli.Parser:
    """Add a command that works on the folder of a league; return its parser."""
    parser: cli.Parser = commands.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.")
    parser.add_argument("folder", type=Path, metavar="DIR", help="folder of the league")
    parser.set_defaults(does=does)
    return parser


def add_isolation(parser: cli.Parser) -> None:
    """Add how strangers are isolated."""
    parser.add_argument(
        "--isolate", nargs="?", const=BUBBLEWRAP, metavar="COMMAND",
        help="start the bots of strangers in sandboxes of their own, or by this command, with the league's limits",
    )  # fmt: skip


def make_parser(game: str) -> cli.Parser:
    """Return the parser of the command, with the options of play of ``game``."""
    parser = cli.Parser(prog="shogun-env league", description="Run a league that bots can enter at any time.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    made = add_command(commands, "create", "make a league, and fix the seeds of its rounds", create)
    made.add_argument(
        "--preset", choices=(preset.STANDARD, preset.OWN), default=preset.STANDARD,
        help=f"conditions that are the same everywhere, or those of this command ({preset.STANDARD})",
    )  # fmt: skip
    words = {"game_seconds": "seconds per game", "memory_mb": "memory"}
    for name, unusual in words.items():
        convert = cli.count if name == "memory_mb" else cli.seconds
        made.add_argument(
            f"--{name.replace('_', '-')}", type=convert, metavar="N", help=f"limit of {unusual} for strangers"
        )
    made.add_play(game)
    entered = add_command(commands, "enter", "enter a bot", enter)
    entered.add_argument("bot", metavar="BOT", help="its spec, such as scripted, my_bot.py:make or exec:COMMAND")
    entered.add_argument("--name", default="", help="the name under which it plays (its spec)")
    add_isolation(entered)
    for name, text in (
        ("withdraw", "let a bot play no more; its games stay"),
        ("blame", "the same, for one that broke the rules of the league"),
        ("back", "let it play again"),
    ):
        marked = add_command(commands, name, text, mark)
        marked.add_argument("name", metavar="NAME", help="name of the entry")
        marked.add_argument("--why", default="", metavar="TEXT", help="the reason, which everybody can read")
    ran = add_command(commands, "run", "play rounds until there are this many games; the same command resumes", run)
    ran.add_games(1000, "least number of games in all")
    ran.add_argument(
        "--no-replays", dest="replays", action="store_false", help="make no pages of chosen games when all are played"
    )
    add_command(commands, "show", "print the standings", show)
    checked = add_command(commands, "verify", "check hashes, secrets, choices, games and standings (status 1)", verify)
    checked.add_argument(
        "--share", type=cli.percentage, metavar="PERCENT", help="share of the rounds to choose and play again (all)"
    )
    for plays in (ran, checked):
        plays.add_argument(
            "--threads", type=cli.count, default=cli.cores(), metavar="N", help=f"threads ({cli.cores()})"
        )
        plays.add_argument("--processes", type=cli.count, default=1, metavar="N", help="processes, for slow bots (1)")
        plays.add_argument("--ray", metavar="ADDRESS", help="a Ray cluster, or local to start one here")
        add_isolation(plays)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    parser = make_parser(cli.chosen_game(arguments))
    args = parser.parse_args(arguments)
    with parser.one_line_errors():
        status: int = args.does(args)
    return status


if __name__ == "__main__":
    raise SystemExit(main())
