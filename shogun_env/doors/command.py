"""The command ``shogun-env mcp``."""

from __future__ import annotations

from collections.abc import Sequence

from shogun_env import cli
from shogun_env.spec.bots import specs_in

__all__ = ["main", "make_parser"]

BOTS = "random,scripted,pool:2min,pool:20min,champion,search:base=champion:plan_rollouts=100:rollouts=24"
"""Weak to strong."""


def make_parser() -> cli.Parser:
    """Return the parser of the command."""
    parser = cli.Parser(prog=f"{cli.SCRIPT} mcp", description="Let an assistant that speaks MCP play against bots.")
    parser.add_argument(
        "--bots", default=BOTS, metavar="BOTS",
        help=f"the bots that the assistant may choose as opponents, separated by commas ({BOTS})",
    )  # fmt: skip
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve a seat to the client on stdin and stdout until it leaves."""
    parser = make_parser()
    args = parser.parse_args(arguments)
    from shogun_env.doors.mcp import serve  # not above: it needs the extra mcp

    with parser.one_line_errors():
        serve(specs_in(args.bots))
    return 0
