"""The options of the command ``review``, apart from what it runs, so that ``--help`` imports no engine."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from shogun_env import cli

__all__ = ["CHAMPION", "USUAL", "Effort", "add_arguments"]

CHAMPION = "champion"


class Effort(NamedTuple):
    """How many rollouts compare a choice with the champion's, half of them for each."""

    first: int = 64
    """For every choice that differs."""
    again: int = 512
    """For those that seem dearest."""
    dearest: int = 8
    """How many of each player these are."""


USUAL = Effort()


def add_arguments(parser: cli.Parser) -> None:
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
