"""The command ``shogun-env mcp``."""

from __future__ import annotations

import argparse

from shogun_env import cli
from shogun_env.spec.bots import specs_in

BOTS = "random,scripted,pool:2min,pool:20min,champion,search:base=champion:plan_rollouts=100:rollouts=24"
"""Weak to strong."""


def add_arguments(parser: cli.Parser, game: str) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "--bots", default=BOTS, metavar="BOTS",
        help=f"the bots that the assistant may choose as opponents, separated by commas ({BOTS})",
    )  # fmt: skip


def main(args: argparse.Namespace) -> None:
    """Serve a seat to the client on stdin and stdout until it leaves."""
    from shogun_env.doors.mcp import serve  # not above: --help needs no extra

    serve(specs_in(args.bots))
