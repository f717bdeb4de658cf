"""``shogun-env`` or ``python -m shogun_env``: the commands record, view, draw, play, …, and PROGRAMS.

Each has ``--help``. The programs are those of ``training`` and ``benchmarks``: ``shogun-env tournament`` runs
``benchmarks.tournament``. The table of all is in ``commands``. What a command does is imported when it runs, so that
``--help`` is quick.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import Any

from shogun_env import __version__, cli
from shogun_env.commands import COMMANDS, PROGRAMS, list_of_commands, run_program, why_no_command
from shogun_env.files import any_output
from shogun_env.review import CHAMPION, USUAL
from shogun_env.svg.style import THEMES

GAME_OF_A_RECORD = "the game; default: that in the name of the file, or else in the header of the record"
"""How ``view`` and ``verify`` explain ``--game``."""


def add_command(commands: Any, name: str) -> cli.Parser:
    """Add a command that is no program, and return its parser."""
    place, text, _ = COMMANDS[name]
    parser: cli.Parser = commands.add_parser(name, description=f"{text[0].upper()}{text[1:]}.")
    parser.set_defaults(run=place)
    return parser


def add_play_options(parser: cli.Parser, game: str) -> None:
    """Add the options of the command, with the options of play of ``game``."""
    parser.add_argument(
        "--against", metavar="BOTS",
        help="bots in player order, separated by commas, or one for all players who are not people (scripted)",
    )  # fmt: skip
    parser.add_argument("--people", metavar="N,...", help="which players are people, each with a page of their own (0)")
    parser.add_seed(
        "seed of the game; default: that of the latest game of these players that is not over, else any", default=None
    )
    parser.add_argument("--new", action="store_true", help="begin another game, even if the latest is not over")
    parser.add_out("played", "folder of saved games and records; a game saved there with the same seed is resumed")
    parser.add_argument("--port", type=int, default=0, metavar="N", help="port of the page (0: any that is free)")
    parser.add_argument("--hint", metavar="BOT", help="the bot that gives hints (champion)")
    parser.add_argument(
        "--learn", action="store_true", help="explain each kind of decision and event when you first meet it"
    )
    parser.add_argument(
        "--rated", metavar="NAME",
        help="rated games under your name, with results as in a tournament: a seat and a seed of its own for each, no "
        "hints or explanations",
    )  # fmt: skip
    parser.add_argument(
        "--give-up", action="store_true", help="with --rated: give up the game in progress, which counts as last place"
    )
    parser.add_argument(
        "--beside",
        type=Path,
        metavar="DIR",
        help="with --rated: folder of a tournament whose bots are in the tables too",
    )
    parser.add_argument("--terminal", action="store_true", help="play in this terminal instead of a page")
    parser.add_play(game)
    if fair := cli.option_tables(game).FAIR:
        usual = " ".join(cli.option_arguments(fair))
        parser.epilog = f"This command sets {usual} unless other options of play say something else."


def add_review_options(parser: cli.Parser) -> None:
    """Add the options of the command."""
    parser.add_argument("file", type=Path, help="record of a game")
    parser.add_argument("--player", type=int, metavar="N", help="whose choices are looked at (everybody's)")
    parser.add_argument(
        "--top", type=cli.count, default=5, metavar="N", help="choices of each player that are shown (5)"
    )
    parser.add_argument(
        "--rollouts", type=cli.count, default=USUAL.again, metavar="N",
        help=f"rollouts for each of the costliest choices ({USUAL.again}); an eighth of them for the others",
    )  # fmt: skip
    parser.add_argument("--champion", default=CHAMPION, metavar="BOT", help=f"a network ({CHAMPION})")
    parser.add_out(None, "also write the replay page, with what is said about decisions", metavar="FILE")
    parser.add_game("game of the record; default: the one in its name or header", default=None)


def add_commands(commands: Any, game: str) -> None:
    """Add all commands that are no programs; ``record`` and ``play`` with the options of play of ``game``."""
    parser = add_command(commands, "record")
    parser.add_argument(
        "--agents", default="random", help="bots in player order, separated by commas, or one for all players (random)"
    )
    parser.add_games(1)
    parser.add_seed("seed of the first game; each later game has the next seed")
    parser.add_out("records")
    parser.add_argument(
        "--explain", action="store_true",
        help="also write what bots say about their decisions, in a file next to each record, which view shows",
    )  # fmt: skip
    parser.add_play(game)

    parser = add_command(commands, "view")
    parser.add_argument("file", type=Path, help="record, named like 7.shogun.jsonl")
    parser.add_out(None, "page to write; default: the name of the record with .html", metavar="FILE")
    parser.add_argument(
        "--thoughts", type=Path, metavar="FILE",
        help="what bots said, as record --explain writes it; default: the file next to the record, if there is one",
    )  # fmt: skip
    parser.add_argument("--gif", type=Path, metavar="FILE", help="also write a film, which needs the extra viz")
    parser.add_argument("--mp4", type=Path, metavar="FILE", help="the same as MP4, which needs the extra film")
    parser.add_game(GAME_OF_A_RECORD, default=None)

    parser = add_command(commands, "draw")
    parser.add_argument("position", help="position text, as Game.position() returns it, or a record; - reads the input")
    parser.add_argument("--line", type=cli.count, metavar="N", help="line of the record that is drawn (the last)")
    parser.add_out("board.svg", "picture to write; PNG, which needs the extra viz, if it ends in .png", metavar="FILE")
    parser.add_argument(
        "--player", type=int, metavar="N", help="whose view is drawn (the referee's); -1: what everybody knows"
    )
    parser.add_argument(
        "--theme", choices=THEMES, default="auto", help="light or dark background (auto: as the reader prefers)"
    )

    add_play_options(add_command(commands, "play"), game)

    add_review_options(add_command(commands, "review"))

    parser = add_command(commands, "verify")
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE", help="records, named like 7.shogun.jsonl")
    parser.add_game(GAME_OF_A_RECORD, default=None)

    parser = add_command(commands, "rules")
    parser.add_argument("--short", action="store_true", help="print the rules in 4,000 characters")
    parser.add_game()

    add_command(commands, "info").add_game()


# --- commands that are short ------------------------------------------------------------------------------------------


def play(args: argparse.Namespace) -> None:
    """Play against bots, rated or not."""
    from shogun_env.benchmarks.ladder import Ladder

    if args.rated is not None:
        from shogun_env.benchmarks.rated import play_rated

        args.ladder = Ladder()
        play_rated(args)
        return
    if args.give_up or args.beside is not None:
        raise ValueError(f"{'--give-up' if args.give_up else '--beside'}: goes with --rated NAME")
    from shogun_env.play.command import play as play_unrated

    play_unrated(args, Ladder())


def rules(args: argparse.Namespace) -> None:
    """Print the table of rulings in the RULES.md of a game, or its rules in short."""
    from shogun_env.records.text import rulings

    if args.short:
        print(cli.game_class(args.game).rules(), end="")
        return
    for tag, ruling, *_ in rulings(cli.batch_class(args.game).spec):
        print(f"{tag:<4} {ruling}")
    print(f"\nThe rules, and where each ruling is applied: {resources.files(f'shogun_env.{args.game}') / 'RULES.md'}")


def facts_of(game: str) -> dict[str, Any]:
    """Return versions, sizes and compiled loops of a game, each by the words before it."""
    import platform
    from importlib import metadata

    from shogun_env.batch.base import LOG_LENGTH
    from shogun_env.kernel.cache import LIMIT, compiled_loops, kept
    from shogun_env.kernel.jit import JIT

    batch_type = cli.batch_class(game)
    spec, folder = batch_type.spec, batch_type.loops.play.folder
    versions = {name: metadata.version(name) for name in ("numpy", "numba", "llvmlite", "gymnasium", "pettingzoo")}
    rows: dict[str, Any] = {
        "shogun-env": __version__,
        "python": platform.python_version(),
        **versions,
        "game": f"{spec.name}, {spec.players[0]} to {spec.players[-1]} players",
        "rules version": spec.rules_version,
        "observation version": spec.obs_version,
        "actions": spec.n_actions,
        "observation": f"{spec.obs_size} bytes",
        "state": f"{spec.state_dtype.itemsize} bytes, and a log of {2 * LOG_LENGTH} bytes if a record is kept",
        "kernel cache": folder if JIT else "compilation is switched off",
    }
    if JIT:
        folders = kept(folder.parent)
        size = f"{sum(size for _, size, _ in folders) / 1e6:,.0f} MB in {len(folders)} folders"
        rows["all caches"] = f"{size}; above {LIMIT / 1e6:,.0f} MB those used longest ago are removed"
    compiled = compiled_loops(folder) if JIT else {}
    rows["compiled"] = "" if compiled else "nothing yet"
    rows |= {f"  {name}": f"in {seconds} s" for name, seconds in compiled.items()}
    return rows


def info(args: argparse.Namespace) -> None:
    """Print versions, sizes and compiled loops."""
    for name, value in facts_of(args.game).items():
        print(f"{name:<24} {value}".rstrip())


# --- the command line ------------------------------------------------------------------------------------------------


def make_parser(game: str) -> cli.Parser:
    """Return the parser; the command ``record`` has the options of play of ``game``."""
    parser = cli.Parser(
        prog=cli.SCRIPT,
        usage=f"{cli.SCRIPT} COMMAND ...",
        description="Shogun and Shitennō: play, look, train, measure.\nEach command explains itself with --help.",
        epilog=list_of_commands(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(
        metavar="COMMAND", prog=cli.SCRIPT, required=True, parser_class=cli.Parser, help=argparse.SUPPRESS
    )
    add_commands(commands, game)
    return parser


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command; an error is printed in one line, with exit status 2."""
    with any_output():
        run(arguments)


def run(arguments: Sequence[str] | None) -> None:
    """Run a command as ``main`` does, whatever the output is."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    parser = make_parser(cli.chosen_game(words))
    name = words[0].replace("_", "-") if words else ""
    if name in PROGRAMS:  # before parsing: a program parses its own command line
        with parser.one_line_errors():
            raise SystemExit(run_program(name, words[1:]))
    if name and not name.startswith("-") and (reason := why_no_command(name)):
        parser.error(reason)
    args = parser.parse_args(words)
    module, _, function = args.run.partition(":")
    with parser.one_line_errors():
        getattr(importlib.import_module(f"shogun_env.{module}"), function)(args)


if __name__ == "__main__":
    main()
