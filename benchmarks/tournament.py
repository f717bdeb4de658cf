"""A seat-balanced tournament: ``shogun-env tournament --agents scripted,random,random,random --games 2000``.

Every line-up plays all rotations of its seats, each game on a seed of its own. The folder ``--out`` holds the journal
of all games, tables, and the page ``report.html``; the same command resumes the tournament after any interruption, and
with more games extends it. ``--players 3,4,5`` plays several variants of a game. ``--check DIR`` plays games of a
folder again, and says whether its tables are true.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from shogun_env import cli
from shogun_env.benchmarks.arena import run as arena
from shogun_env.benchmarks.arena.arena import FaultTexts
from shogun_env.benchmarks.arena.check import check
from shogun_env.benchmarks.arena.games import LONGEST_NAME, History
from shogun_env.benchmarks.arena.page import PAGE, write_arena
from shogun_env.benchmarks.arena.schedule import check_drawn, lap, line_ups, missing
from shogun_env.benchmarks.arena.seeds import hash_of
from shogun_env.benchmarks.arena.settings import DRAWN, LIMITS, Settings
from shogun_env.benchmarks.arena.tables import as_markdown
from shogun_env.files import JOURNAL
from shogun_env.policies import known_agents, specs_in
from shogun_env.spec.forms import compared
from shogun_env.spec.settings import add_options, given

PLAYED = ("schedule", "seed", "secret", "games", "until_interval", "record")
WHERE = ("threads", "processes", "ray")
ISOLATION = ("isolate", *LIMITS)
"""Fields of ``Settings`` that are options of the command, by what they are about."""


def run(out: Path, settings: Settings, command: str = "") -> tuple[dict[str, Any], bool]:
    """Play a tournament, or the games of it that are missing, and write its tables into a folder.

    Returns: the summary (``arena.tables``), and whether all games were played; after Ctrl-C some may be missing.

    Raises: ValueError for bad settings, a folder that holds another tournament, or one in which another run is at work;
        nothing is written in that case. OSError if the disk is full; the games played are kept.
    """
    if (out / JOURNAL).exists():
        check_same(out, settings)
    else:
        check_names(settings.agents)
        for players in settings.players:
            (check_drawn if settings.schedule == DRAWN else line_ups)(settings.agents, players)
        arena.create(out, settings, [*dict.fromkeys(settings.agents)])
    texts: FaultTexts = {}
    is_complete = True
    try:
        for _ in arena.run(out, settings, texts, "tournament"):
            pass
    except KeyboardInterrupt:
        is_complete = False
    history = History.at(out / JOURNAL)
    if not history.n_games:
        raise KeyboardInterrupt
    summary = write_arena(out, "tournament", history, reproducing(command, history, settings), texts)
    for variant in summary["variants"]:
        if variant["copies"]:
            sys.stderr.write(f"tournament: {variant['copies']}\n")
    sys.stderr.write(f"the hashes of the journal end with {history.chain}\n")
    for (agent, kind), text in sorted(texts.items()):
        sys.stderr.write(f"{agent}: {kind}: {text}\n")
    return summary, is_complete and not missing(history, settings.games)


def check_names(agents: Sequence[str]) -> None:
    """Raise ValueError for a bot whose name is too long, or looks like that of another."""
    names = [*map(compared, agents)]
    for name in agents:
        if len(name) > LONGEST_NAME:
            raise ValueError(f"--agents {name:.60}…: a name has at most {LONGEST_NAME} letters; give a shorter path")
        if names.count(compared(name)) > agents.count(name):
            raise ValueError(f"--agents: {name} looks like another of {', '.join(agents)}")


def reproducing(command: str, history: History, settings: Settings) -> str:
    """Return the command that plays the same games; empty as long as the secret of their seeds is not published."""
    played, size = int((history.games.variant == 0).sum()), lap(history, 0)
    if command and settings.until_interval is None and played - settings.games >= size * settings.players[0]:
        command += f" --games {played}"  # more than it asks for were there already
    if not command or history.settings.seed is not None or "--secret" in command:
        return command
    return f"{command} --secret {history.secret.hex()}" if history.secret else ""


def check_same(out: Path, settings: Settings) -> None:
    """Raise ValueError naming the first setting in which the tournament in a folder is another one."""
    history = History.at(out / JOURNAL)
    if settings.secret is not None and hash_of(bytes.fromhex(settings.secret)) != history.secret_sha256:
        raise ValueError(f"{out} holds a tournament of another secret; give another --out")
    earlier, now = history.settings.in_journal(), settings.in_journal()
    for name, value in now.items():
        if earlier[name] != value:
            raise ValueError(
                f"{out} holds another tournament ({name}: {earlier[name]}, not {value}); give another --out"
            )


# --- the command -----------------------------------------------------------------------------------------------------


def _variant(text: str) -> dict[str, Any]:
    """Return the options of play in ``NAME=VALUE,NAME=VALUE``; ArgumentTypeError for another text."""
    try:
        return cli.together(map(cli.name_and_value, text.split(",")))
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def add_arguments(parser: cli.Parser, game: str) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "--agents", default="", help="bots, separated by commas, such as scripted:style=builder,random,my_bot.py:make"
    )
    parser.add_argument("--list", action="store_true", help="print the names of bots with their parameters, and stop")
    parser.add_argument(
        "--check", type=Path, metavar="DIR",
        help="check the journal and tables of a tournament, play its games again, and say what differs (status 1)",
    )  # fmt: skip
    add_check(parser, "with --check: ")
    add_options(parser, Settings, PLAYED)
    parser.add_argument(
        "--variant", type=_variant, action="append", metavar="NAME=VALUE,…",
        help="options of play of one variant; repeat it for several (options of play take lists too: --players 3,4)",
    )  # fmt: skip
    parser.add_out("out/tournament")
    parser.add_json("the summary")
    add_where(parser)
    strangers = parser.add_argument_group("bots of strangers: programs (exec:COMMAND) and bots of Python files")
    add_options(strangers, Settings, ISOLATION)
    parser.add_play(game)


def add_check(parser: cli.Parser, when: str = "") -> None:
    """Add how a folder is checked."""
    parser.add_argument(
        "--share", type=cli.percentage, metavar="PERCENT", help=f"{when}the share of games to play again (all)"
    )
    parser.add_argument(
        "--run-bots", action="store_true",
        help=f"{when}also run the programs and Python files that the folder names: only if you trust them",
    )  # fmt: skip


def check_as(args: argparse.Namespace, folder: Path) -> int:
    """Check the arena in a folder as a command line says, and print what was found; return the exit status."""
    where = {name: getattr(args, name) for name in (*WHERE, "isolate")}
    return check(folder, args.share or 1.0, args.run_bots, where).print()


def add_where(parser: cli.Parser) -> None:
    """Add where games are played."""
    where = parser.add_argument_group("where the games are played (the tables do not depend on it)")
    add_options(where, Settings, WHERE)
    where.set_defaults(threads=cli.cores())


def settings_of(args: argparse.Namespace) -> Settings:
    """Return the settings that a command line gives, with limits of isolated bots; ValueError for limits of others."""
    combinations = cli.combinations_of(cli.options_of(args))
    variants = tuple(cli.together([options, more]) for more in args.variant or [{}] for options in combinations)
    agents = tuple(specs_in(args.agents))
    settings = Settings(game=args.game, agents=agents, variants=variants, **given(args, Settings))
    if settings.secret is not None and settings.seed is not None:
        raise ValueError("--secret: goes without --seed, as the seeds follow from it")
    if settings.isolate is not None:
        return replace(settings, **{**LIMITS, **settings.limits})
    for name, value in settings.limits.items():
        raise ValueError(f"--{name.replace('_', '-')} {value:g}: nothing is limited without --isolate")
    return settings


def main(args: argparse.Namespace) -> int:
    """Run the command; return its exit status."""
    if args.list:
        for agent in known_agents():
            print(f"{':'.join([agent.name, *agent.parameters])}  ({agent.game or 'every game'})")
        print("path/to/file.py:make  (the function of a file of your own)")
        return 0
    if args.check is None and (args.share is not None or args.run_bots):
        raise ValueError(f"{'--share' if args.share else '--run-bots'}: goes with --check DIR only")
    if args.check is None and not args.agents:
        raise ValueError("give --agents, or --list to see their names")
    if args.check is not None:
        unused = [name for name in ("agents", "json", "variant") if getattr(args, name)]
        unused += [name for name in (*PLAYED, *LIMITS) if getattr(args, name) != getattr(Settings, name)]
        for name in (*unused, *cli.options_of(args)):
            raise ValueError(f"--{name.replace('_', '-')}: not with --check, which goes by what the folder says")
        return check_as(args, args.check)
    if args.json is not None:
        file, folder = args.json.absolute(), args.out.absolute()
        if file in (folder, *folder.parents) or folder in file.parents:
            raise ValueError(f"--json {args.json}: is the folder of --out, holds it or lies in it; give another file")
    summary, is_complete = run(args.out, settings_of(args), args.command_line)
    print(as_markdown(summary), end="")
    print(f"\n{summary['games']} games; written to {args.out}, with a page: {args.out / PAGE}")
    cli.write_json(args.json, summary)
    return 0 if is_complete else 130
