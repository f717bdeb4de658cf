"""The table of commands: what each is for, which module runs it, and the extra that it needs.

A program has ``main(arguments) -> int`` and parses its own command line; other commands are in ``__main__``.
"""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Mapping, Sequence
from typing import NamedTuple


class Program(NamedTuple):
    """A module with ``main(arguments) -> int``, which parses its own command line."""

    module: str
    """Its name within the package."""
    text: str
    """What it does, for the list of commands."""


PROGRAMS = {
    "demo": Program("benchmarks.demo", "train a small bot, rate it, write a report and a replay"),
    "train": Program("benchmarks.train", "train a champion from nothing, by the steps of a recipe"),
    "selfplay": Program("training.selfplay", "train a bot by imitation, then self-play with PPO"),
    "labels": Program("training.labels", "write down what a teacher chooses, for imitation"),
    "export": Program("training.export", "write games as Parquet, one row per decision"),
    "exploit": Program("training.exploit", "train a best response to a bot"),
    "fit-value": Program("training.fit_value", "fit the value of positions that the bot search uses"),
    "tournament": Program("benchmarks.tournament", "play a seat-balanced tournament, with ratings and a report"),
    "league": Program("benchmarks.league", "run a league that bots can enter at any time"),
    "coverage": Program("benchmarks.coverage", "try the intervals of ratings on bots of known strength"),
    "simulation": Program("benchmarks.simulation", "simulate a league of many bots of known strength"),
    "serve": Program("agents.program.serve", "run a bot in Python as a program that speaks the protocol"),
    "bot-check": Program("benchmarks.bot_check", "check a program that plays: its faults, its speed"),
    "strength": Program("benchmarks.strength", "measure a bot on the ladder of fixed opponents"),
    "budget": Program("benchmarks.budget", "measure what time buys a search"),
    "starts": Program("benchmarks.starts", "measure what start positions are worth among equal bots"),
    "habits": Program("benchmarks.habits", "compare how bots play: what they build, attack and lose"),
    "calibration": Program("benchmarks.calibration", "measure how well a network knows whether it will win"),
    "tune": Program("benchmarks.tune", "tune the numbers of a bot by CMA-ES"),
    "report": Program("benchmarks.report", "write an HTML page of tournaments and of a training run"),
    "book": Program("benchmarks.book", "write all generated tables in the documents of a checkout"),
    "signature": Program("benchmarks.signature", "print the hashes of 1,000 seeded games, rules and bots"),
    "warm": Program("benchmarks.warm", "compile all kernels at once, in several processes"),
    "device": Program("benchmarks.device", "measure what many cores and a GPU are good for"),
    "curves": Program("benchmarks.curves", "train learners on Shikoku, and say exactly how good they are"),
    "algorithms": Program("benchmarks.algorithms", "compare algorithms by finished runs"),
    "solve": Program("training.solve", "solve the small game Shikoku, and say what bots lose there"),
    "mcp": Program("doors.command", "let an assistant that speaks MCP play against bots"),
    "speed": Program("benchmarks.speed", "measure the speed of a game on this machine"),
}
"""Every program by the name of its command."""
EXTRAS = {
    "curves": "rl", "demo": "rl", "device": "rl", "export": "data", "exploit": "rl", "mcp": "mcp", "selfplay": "rl",
    "train": "rl",
}  # fmt: skip
"""The extra whose libraries a program imports where it needs them; others say themselves what they lack."""


def run_program(name: str, arguments: Sequence[str]) -> int:
    """Run a program with these arguments and return its exit status.

    Raises: ValueError that names the extra, if a library that the program needs is not installed.
    """
    try:
        module = importlib.import_module(f"shogun_env.{PROGRAMS[name].module}")
        status: int = module.main(arguments)
    except ModuleNotFoundError as error:
        missing = (error.name or "").split(".")[0]
        if name not in EXTRAS or missing == "shogun_env":
            raise
        install = f"pip install 'shogun-env[{EXTRAS[name]}]' ({missing} is not installed)"
        raise ValueError(f"{name} needs the extra {EXTRAS[name]}: {install}") from None
    return status


GROUPS = {
    "play and look": ("play", "record", "view", "draw", "review", "verify", "rules", "mcp", "info"),
    "bots": ("bot-check", "serve", "habits", "tune", "fit-value", "solve"),
    "train": ("demo", "train", "selfplay", "labels", "export", "exploit", "curves", "algorithms"),
    "measure": ("tournament", "league", "strength", "budget", "starts", "calibration", "report", "speed"),
}
"""The commands of the first screen, by what they are for, those wanted most first."""
MAINTAIN = ("book", "signature", "warm", "device", "coverage", "simulation")
"""The commands of maintainers, which ``--help`` only names."""


def list_of(texts: Mapping[str, str]) -> str:
    """Return the list of commands for the first screen, by groups; ``texts`` says what each does."""
    lines = []
    for group, names in GROUPS.items():
        lines += [f"{group}:", *(f"  {name:<13}{texts[name]}" for name in names), ""]
    return "\n".join([*lines, f"for maintainers: {', '.join(MAINTAIN)}"])


def why_no_command(word: str) -> str:
    """Return in a line that a word is no command, and which it may have been meant to be; empty for a command."""
    known = [name for names in (*GROUPS.values(), MAINTAIN) for name in names]
    if word in known:
        return ""
    near = difflib.get_close_matches(word, known, n=1)
    meant = f"did you mean {near[0]}?" if near else f"known are {', '.join(known)}"
    return f"unknown command {word!r}; {meant}"
