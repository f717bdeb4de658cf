"""The programs of ``training`` and ``benchmarks`` as commands: ``shogun-env tune`` runs ``benchmarks.tune``.

In the folder of a checkout each has a name of its own besides, such as ``python -m benchmarks.tournament``.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import NamedTuple

__all__ = ["EXTRAS", "PROGRAMS", "Program", "run_program"]


class Program(NamedTuple):
    """A module with ``main(arguments) -> int``, which parses its own command line."""

    module: str
    """Its name within the package."""
    text: str
    """What it does, for the list of commands."""


PROGRAMS = {
    "demo": Program("benchmarks.demo", "train a small bot, rate it, write a report and a replay"),
    "selfplay": Program("training.selfplay", "train a bot by self-play with MaskablePPO"),
    "exploit": Program("training.exploit", "train a best response to a bot"),
    "fit_value": Program("training.fit_value", "fit the value of positions that the bot search uses"),
    "tournament": Program("benchmarks.tournament", "play a seat-balanced tournament, with ratings and a report"),
    "strength": Program("benchmarks.strength", "measure a bot on the ladder of fixed opponents"),
    "tune": Program("benchmarks.tune.command", "tune the numbers of a bot by CMA-ES"),
    "report": Program("benchmarks.report", "write an HTML page of tournaments and of a training run"),
    "book": Program("benchmarks.book", "write the tables of bots in the README of a checkout"),
    "figures": Program("benchmarks.figures", "print statistics of random play, with standard errors"),
    "signature": Program("benchmarks.signature", "print a hash of 1,000 seeded games"),
    "speed": Program("benchmarks.speed.command", "measure the speed of a game on this machine"),
}
"""Every program by the name of its command."""
EXTRAS = {"demo": "rl", "exploit": "rl", "selfplay": "rl"}
"""The extra whose libraries a program imports at its start; others name what they lack when they need it."""


def run_program(name: str, arguments: Sequence[str]) -> int:
    """Run a program with these arguments and return its exit status.

    Raises: ValueError that names the extra, if a library that the program imports at its start is not installed.
    """
    program = PROGRAMS[name]
    try:
        module = importlib.import_module(f"shogun_env.{program.module}")
    except ModuleNotFoundError as error:
        missing = (error.name or "").split(".")[0]
        if name not in EXTRAS or missing == "shogun_env":
            raise
        install = f"pip install 'shogun-env[{EXTRAS[name]}]' ({missing} is not installed)"
        raise ValueError(f"{name} needs the extra {EXTRAS[name]}: {install}") from None
    status: int = module.main(arguments)
    return status
