"""The table of commands: what each is for, which module runs it, and the extra that it needs.

A program has ``main(arguments) -> int`` and parses its own command line; ``__main__`` parses that of other commands.
"""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Sequence
from typing import NamedTuple


class Command(NamedTuple):
    """A command."""

    module: str
    """The module of a program within the package; of another command the function that runs it, behind a colon."""
    text: str
    """What it does, for the list of commands and its own help."""
    extra: str = ""
    """The extra whose libraries a program imports where it needs them; others say themselves what they lack."""


GROUPS = {
    "play and look": {
        "play": Command("__main__:play", "play against bots, on a page of this machine or in a terminal"),
        "record": Command("recording:record", "play games with bots and write a record of each"),
        "view": Command("recording:view", "make an HTML page that shows the game of a record step by step"),
        "draw": Command("recording:draw", "draw the board of a position as a picture, SVG or PNG"),
        "review": Command("review.command:review_record", "compare the choices of a record with those of the champion"),
        "verify": Command("recording:verify_files", "check records line by line against the rules"),
        "rules": Command("__main__:rules", "print the rulings on gaps of the rulebook, or the rules in short"),
        "mcp": Command("doors.command", "let an assistant that speaks MCP play against bots", "mcp"),
        "info": Command("__main__:info", "print versions, sizes, and which loops are compiled"),
    },
    "bots": {
        "bot-check": Command("benchmarks.bot_check", "check a program that plays: its faults, its speed"),
        "serve": Command("agents.program.serve", "run a bot in Python as a program that speaks the protocol"),
        "habits": Command("benchmarks.habits", "compare how bots play: what they build, attack and lose"),
        "tune": Command("benchmarks.tune", "tune the numbers of a bot by CMA-ES"),
        "fit-value": Command("training.fit_value", "fit the value of positions that the bot search uses"),
        "solve": Command("training.solve", "solve the small game Shikoku, and say what bots lose there"),
    },
    "train": {
        "demo": Command("benchmarks.demo", "train a small bot, rate it, write a report and a replay", "rl"),
        "train": Command("benchmarks.train", "train a champion from nothing, by the steps of a recipe", "rl"),
        "selfplay": Command("training.selfplay", "train a bot by imitation, then self-play with PPO", "rl"),
        "labels": Command("training.labels", "write down what a teacher chooses, for imitation"),
        "export": Command("training.export", "write games as Parquet, one row per decision", "data"),
        "exploit": Command("training.exploit", "train a best response to a bot", "rl"),
        "curves": Command("benchmarks.curves", "train learners on Shikoku, and say exactly how good they are", "rl"),
        "algorithms": Command("benchmarks.algorithms", "compare algorithms by finished runs"),
    },
    "measure": {
        "tournament": Command("benchmarks.tournament", "play a seat-balanced tournament, with ratings and a report"),
        "league": Command("benchmarks.league", "run a league that bots can enter at any time"),
        "strength": Command("benchmarks.strength", "measure a bot on the ladder of fixed opponents"),
        "budget": Command("benchmarks.budget", "measure what time buys a search"),
        "starts": Command("benchmarks.starts", "measure what start positions are worth among equal bots"),
        "calibration": Command("benchmarks.calibration", "measure how well a network knows whether it will win"),
        "report": Command("benchmarks.report", "write an HTML page of tournaments and of a training run"),
        "speed": Command("benchmarks.speed", "measure the speed of a game on this machine"),
    },
    "maintain": {
        "book": Command("benchmarks.book", "write all generated tables in the documents of a checkout"),
        "signature": Command("benchmarks.signature", "print the hashes of 1,000 seeded games, rules and bots"),
        "warm": Command("benchmarks.warm", "compile all kernels at once, in several processes"),
        "device": Command("benchmarks.device", "measure what many cores and a GPU are good for", "rl"),
        "coverage": Command("benchmarks.coverage", "try the intervals of ratings on bots of known strength"),
        "simulation": Command("benchmarks.simulation", "simulate a league of many bots of known strength"),
    },
}
"""The commands by what they are for, those wanted most first."""
MAINTAIN = "maintain"
"""The group that the first screen only names."""
COMMANDS = {name: command for commands in GROUPS.values() for name, command in commands.items()}
PROGRAMS = {name: command for name, command in COMMANDS.items() if ":" not in command.module}


def run_program(name: str, arguments: Sequence[str]) -> int:
    """Run a program with these arguments and return its exit status.

    Raises: ValueError that names the extra, if a library that the program needs is not installed.
    """
    program = PROGRAMS[name]
    try:
        module = importlib.import_module(f"shogun_env.{program.module}")
        status: int = module.main(arguments)
    except ModuleNotFoundError as error:
        missing = (error.name or "").split(".")[0]
        if not program.extra or missing == "shogun_env":
            raise
        install = f"pip install 'shogun-env[{program.extra}]' ({missing} is not installed)"
        raise ValueError(f"{name} needs the extra {program.extra}: {install}") from None
    return status


def list_of_commands() -> str:
    """Return the list of commands for the first screen, by groups."""
    lines = []
    for group, commands in GROUPS.items():
        if group != MAINTAIN:
            lines += [f"{group}:", *(f"  {name:<13}{command.text}" for name, command in commands.items()), ""]
    return "\n".join([*lines, f"for maintainers: {', '.join(GROUPS[MAINTAIN])}"])


def why_no_command(word: str) -> str:
    """Return in a line that a word is no command, and which it may have been meant to be; empty for a command."""
    if word in COMMANDS:
        return ""
    near = difflib.get_close_matches(word, COMMANDS, n=1)
    meant = f"did you mean {near[0]}?" if near else f"known are {', '.join(COMMANDS)}"
    return f"unknown command {word!r}; {meant}"
