"""The table of commands, and the frame in which all of them run.

A command is a module with ``add_arguments(parser, game)`` and ``main(args)``, which returns the exit status or None; or
a function ``module:function`` like ``main``, and one of the command's name in ``arguments``. Both raise ValueError or
OSError for what is wrong. The frame alone parses, tells them the command line, and says errors in one line.
"""

import importlib
import shlex
import traceback
from collections.abc import Sequence
from typing import Any, NamedTuple

from shogun_env import arguments, cli


class Command(NamedTuple):
    """A command."""

    text: str
    """What it does, for the list of commands and its own help."""
    place: str
    """Its module within the package, or ``module:function``."""
    extra: str = ""
    """The extra whose libraries it imports where it needs them; others say themselves what they lack."""


GROUPS = {
    "train a bot": {
        "selfplay": Command("train a bot: imitation, then PPO against bots and itself", "training.selfplay", "rl"),
        "train": Command("train a champion by a recipe that imitates an older one first", "benchmarks.train", "rl"),
        "exploit": Command("train a best response to a bot", "training.exploit", "rl"),
        "export": Command("write games as Parquet, one row per decision", "training.export", "data"),
    },
    "benchmark a strategy": {
        "strength": Command("measure a bot over a panel of fixed opponents", "benchmarks.strength"),
        "habits": Command("compare how bots play: what they build, attack and lose", "benchmarks.habits"),
        "starts": Command("measure what start positions are worth among equal bots", "benchmarks.starts"),
        "solve": Command("solve the small game Shikoku, and say what bots lose there", "training.solve"),
        "speed": Command("measure the speed of a game on this machine", "benchmarks.speed"),
    },
    "run a tournament": {
        "tournament": Command("play a seat-balanced tournament, with ratings and a report", "benchmarks.tournament"),
        "league": Command("run a league that bots can enter at any time", "benchmarks.league"),
        "bot-check": Command("check a program that plays: its faults, its speed", "benchmarks.bot_check"),
        "serve": Command("run a bot in Python as a program that speaks the protocol", "agents.program.serve"),
    },
    "play and look": {
        "play": Command("play against bots, on a page of this machine", "play.command:play"),
        "record": Command("play games with bots and write a record of each", "recording:record"),
        "view": Command("make a page of a record, step by step, or draw a position", "recording:view"),
        "review": Command("compare the choices of a record with those of the champion", "review.command:review_record"),
        "verify": Command("check records line by line against the rules", "recording:verify_files"),
        "rules": Command("print the rulings on gaps of the rulebook, or the rules in short", "__main__:rules"),
        "mcp": Command("let an assistant that speaks MCP play against bots", "doors.mcp:serve", "mcp"),
    },
    "maintain": {
        "info": Command("print versions, sizes, and which kernels are compiled", "__main__:info"),
        "warm": Command("compile all kernels at once, in several processes", "benchmarks.warm"),
    },
}
"""The commands by who wants them, as ``docs/commands.md`` has them."""
OF_LIBRARY = {"torch": "rl"}
"""The extras of libraries that only some options of a command need."""
COMMANDS = {name: command for group in GROUPS.values() for name, command in group.items()}


def parser_of(name: str, game: str) -> cli.Parser:
    """Return the parser of a command, with the options of play of ``game`` if it takes any."""
    text, place, extra = COMMANDS[name]
    needs = f" (extra {extra})" if extra else ""
    parser = cli.Parser(prog=f"{cli.SCRIPT} {name}", description=f"{text[0].upper()}{text[1:]}{needs}.")
    add_arguments = getattr(arguments, name) if ":" in place else _module(place).add_arguments
    add_arguments(parser, game)
    return parser


def run_command(name: str, words: Sequence[str]) -> int:
    """Run a command with these arguments and return its exit status.

    What is wrong is said in one line, and the process ends with status 2; with 130 after Ctrl-C. ``args.command_line``
    is what was typed.
    """
    _, place, extra = COMMANDS[name]
    with cli.Parser(prog=f"{cli.SCRIPT} {name}").one_line_errors():
        args = parser_of(name, cli.chosen_game(words)).parse_args(words)
        args.command_line = shlex.join([cli.SCRIPT, name, *words])
        try:
            return getattr(_module(place), place.partition(":")[2] or "main")(args) or 0
        except ModuleNotFoundError as error:
            missing = (error.name or "").partition(".")[0]
            extra = extra or OF_LIBRARY.get(missing, "")
            if not extra or missing == "shogun_env":
                raise
            install = f"pip install 'shogun-env[{extra}]' ({missing} is not installed)"
            raise ValueError(f"{name} needs the extra {extra}: {install}") from None
        except SystemExit as error:  # of a bot: its status would be taken for an answer of the command
            at = traceback.extract_tb(error.__traceback__)[-1]
            raise ValueError(f"{at.filename}, line {at.lineno}: ends the program (SystemExit: {error})") from None


def _module(place: str) -> Any:
    return importlib.import_module(f"shogun_env.{place.partition(':')[0]}")


def list_of_commands() -> str:
    """Return the list of commands for the first screen, by groups."""
    lines = []
    for group, commands in GROUPS.items():
        lines += [f"{group}:", *(f"  {name:<13}{command.text}" for name, command in commands.items()), ""]
    return "\n".join(lines[:-1])
