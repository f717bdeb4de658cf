"""The options of the command ``play``, apart from what it runs, so that ``--help`` imports no engine."""

from __future__ import annotations

from pathlib import Path

from shogun_env import cli

__all__ = ["add_arguments"]


def add_arguments(parser: cli.Parser, game: str) -> None:
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
