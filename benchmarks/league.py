"""A league: ``shogun-env league create out/league``, then ``enter``, ``run``, ``show`` and ``verify``.

Bots enter whenever they like and are never removed. Newcomers play first; the other line-ups are drawn. Ratings are
measured from a bot of the reference pool. Everything is in the folder: ``journal.jsonl``, which only grows; tables and
``report.html``, which are made of it again while it is played; and ``secret``, which only its owner may read.
"""

import argparse
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from shogun_env import cli
from shogun_env.benchmarks.arena import presets
from shogun_env.benchmarks.arena import run as arena
from shogun_env.benchmarks.arena.arena import FaultTexts
from shogun_env.benchmarks.arena.games import History
from shogun_env.benchmarks.arena.page import PAGE, write_arena
from shogun_env.benchmarks.arena.replays import replays_in, write_replays
from shogun_env.benchmarks.arena.seeds import FILE as SECRET
from shogun_env.benchmarks.arena.settings import LIMITS, NEWCOMERS, Settings
from shogun_env.benchmarks.arena.tables import as_markdown, tables_of
from shogun_env.benchmarks.tournament import add_check, add_where, check_as
from shogun_env.files import JOURNAL
from shogun_env.spec.forms import one_line
from shogun_env.spec.settings import add_options, given

MARKS = {"withdraw": "withdrawn", "blame": "blamed", "back": "back"}
"""The mark that each of these commands sets."""
PAGE_EVERY = 5.0
"""Seconds between two pages of a league that is being played."""


def create(folder: Path, settings: Settings) -> None:
    """Make a league."""
    pool = presets.POOL if settings.conditions == presets.STANDARD else presets.POOL[:1]
    history = arena.create(folder, settings, pool, is_pool=True)
    print(f"{folder}: {', '.join(history.names)} are in it\n"
          f"the seeds of all games are fixed by a secret with the SHA-256 {history.secret_sha256}\n"
          f"keep {folder / SECRET} to yourself until the league is over, and publish it then")  # fmt: skip


def history_in(folder: Path) -> History:
    """Return the history of the league in a folder; ValueError if there is none."""
    path = folder / JOURNAL
    history = History.at(path) if path.exists() else None
    if history is None or history.settings.schedule != NEWCOMERS:
        raise ValueError(f"{path}: there is no league; make one with `league create`")
    return history


def write(folder: Path, texts: FaultTexts, history: History) -> str:
    """Write tables and page of a league as a history says; return the tables as Markdown."""
    title = f"League: {history.settings.spec.title}, {history.settings.conditions}"
    return as_markdown(write_arena(folder, title, history, "", texts, replays_in(folder)))


def run(folder: Path, settings: Settings, replays: bool = True) -> int:
    """Play rounds, and write tables after each."""
    texts, written, status = FaultTexts(), 0.0, 0
    try:
        for history in arena.run(folder, settings, texts, "league"):
            if time.monotonic() > written + PAGE_EVERY:
                write(folder, texts, history)
                written = time.monotonic()
    except KeyboardInterrupt:
        sys.stderr.write("stopped; all games that were written down are kept, the same command resumes\n")
        status = 130
    history = history_in(folder)
    if replays and not status:
        write_replays(folder, history)
    print(write(folder, texts, history), end="")
    print(f"\n{history.n_games} games; {folder / PAGE} written; the hashes of the journal end with {history.chain}")
    return status


# --- the command -----------------------------------------------------------------------------------------------------


def add_command(commands: Any, name: str, text: str) -> cli.Parser:
    """Add a command that works on the folder of a league; return its parser."""
    parser: cli.Parser = commands.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.")
    parser.add_argument("folder", type=Path, metavar="DIR", help="folder of the league")
    return parser


def add_arguments(parser: cli.Parser, game: str) -> None:
    """Add the arguments of the command."""
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    made = add_command(commands, "create", "make a league, with the reference pool in it")
    made.add_argument(
        "--preset", choices=(presets.STANDARD, presets.OWN), default=presets.STANDARD,
        help=f"conditions that are the same everywhere, or those of this command ({presets.STANDARD})",
    )  # fmt: skip
    add_options(made, Settings, LIMITS)
    made.add_play(game)
    entered = add_command(commands, "enter", "enter a bot")
    entered.add_argument("bot", metavar="BOT", help="its spec, such as scripted, my_bot.py:make or exec:COMMAND")
    entered.add_argument("--name", default="", help="the name under which it plays (its spec)")
    for name, text in (
        ("withdraw", "let a bot play no more; its games stay"),
        ("blame", "the same, for one that broke the rules of the league"),
        ("back", "let it play again"),
    ):
        marked = add_command(commands, name, text)
        marked.add_argument("name", metavar="NAME", help="name of the entry")
        marked.add_argument("--why", default="", metavar="TEXT", help="the reason, which everybody can read")
    ran = add_command(commands, "run", "play rounds until there are this many games; the same command resumes")
    add_options(ran, Settings, ["games"])
    ran.add_argument(
        "--no-replays", dest="replays", action="store_false", help="make no pages of chosen games when all are played"
    )
    add_command(commands, "show", "print the standings")
    checked = add_command(commands, "verify", "check hashes, choices, games and tables (status 1)")
    add_check(checked)
    for plays in (ran, checked):
        add_where(plays)
    for isolates in (entered, ran, checked):
        add_options(isolates, Settings, ["isolate"])


def settings_of(args: argparse.Namespace) -> Settings:
    """Return the settings of a new league, or those of the league in the folder with what is given for this run."""
    if args.command == "create":
        settings = Settings(game=args.game, schedule=NEWCOMERS, conditions=args.preset, **given(args, Settings))
        return presets.with_preset(settings, cli.options_of(args))
    return replace(history_in(args.folder).settings, **given(args, Settings))


def main(args: argparse.Namespace) -> int:
    """Run the command; return its exit status."""
    settings, folder = settings_of(args), args.folder
    match args.command:
        case "run":
            return run(folder, settings, args.replays)
        case "verify":
            return check_as(args, folder)
        case "create":
            create(folder, settings)
        case "show":
            history = history_in(folder)
            if not history.n_games:
                names = ", ".join(one_line(entry.name) for entry in history.entries if entry.plays)
                print(f"no game has been played yet; in it are {names}")
            else:
                print(as_markdown(tables_of(history)), end="")
        case "enter":
            name = arena.enter(folder, args.bot, args.name, settings)
            write(folder, {}, history_in(folder))
            print(f"{one_line(name)} has entered")
        case command:
            arena.mark(folder, args.name, MARKS[command], args.why)
            write(folder, {}, history_in(folder))
            print(f"{one_line(args.name)} is {MARKS[command]}")
    return 0
