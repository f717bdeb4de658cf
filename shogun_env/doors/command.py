"""The command ``shogun-env mcp``."""

from __future__ import annotations

import argparse

from shogun_env import cli
from shogun_env.spec.bots import specs_in

__all__ = ["add_arguments", "serve_seat"]

BOTS = "random,scripted,pool:2min,pool:20min,champion,search:base=champion:plan_rollouts=100:rollouts=24"
"""Weak to strong."""


def add_arguments(parser: cli.Parser) -> None:
    """Add the options of the command."""
    parser.add_argument(
        "--bots", default=BOTS, metavar="BOTS",
        help=f"the bots that the assistant may choose as opponents, separated by commas ({BOTS})",
    )  # fmt: skip


def serve_seat(args: argparse.Namespace) -> None:
    """Serve a seat to the client on stdin and stdout until it leaves.

    Raises: ValueError that names the extra, if the protocol's SDK is not installed.
    """
    try:
        from shogun_env.doors.mcp import serve
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("shogun_env"):
            raise
        missing = (error.name or "").partition(".")[0]
        text = f"mcp needs the extra mcp: pip install 'shogun-env[mcp]' ({missing} is not installed)"
        raise ValueError(text) from None
    serve(specs_in(args.bots))
