"""The arguments of commands whose modules import the engine, apart from them, so that ``--help`` is quick.

Each function is named as its command. Other commands have ``add_arguments`` in their own modules.
"""

from pathlib import Path

from shogun_env import cli
from shogun_env.review import CHAMPION, USUAL
from shogun_env.svg.style import THEMES

BOTS_OF_ASSISTANTS = "random,scripted,pool:2min,pool:20min,champion,search:base=champion:plan_rollouts=100:rollouts=24"
"""Opponents for an assistant, weak to strong."""
GAME_OF_A_RECORD = "the game; default: that in the name of the file, or else in the header of the record"


def play(parser: cli.Parser, game: str) -> None:
    """Add the arguments of ``play``."""
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
    parser.add_argument(
        "--host", default="127.0.0.1", metavar="ADDRESS",
        help="address of this machine in your network, to let friends in by links (127.0.0.1: nobody)",
    )  # fmt: skip
    parser.add_argument("--hint", metavar="BOT", help="the bot that gives hints (champion; in Shikoku solved)")
    parser.add_argument(
        "--learn", action="store_true", help="explain each kind of decision and event when you first meet it"
    )
    parser.add_play(game)
    if fair := cli.option_tables(game).FAIR:
        usual = " ".join(cli.option_arguments(fair))
        parser.epilog = f"This command sets {usual} unless other options of play say something else."


def record(parser: cli.Parser, game: str) -> None:
    """Add the arguments of ``record``."""
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


def view(parser: cli.Parser, game: str) -> None:
    """Add the arguments of ``view``."""
    parser.add_argument(
        "file", help="record, named like 7.shogun.jsonl; for a picture also a position text, or - to read it"
    )
    parser.add_out(
        None,
        "page to write (the name of the record with .html); a picture of a position, if it ends in .svg or .png (extra "
        "viz)",
        cli.ending(".html", ".svg", ".png"),
    )
    parser.add_argument("--line", type=cli.count, metavar="N", help="picture: line of the record that is drawn (last)")
    parser.add_argument(
        "--player", type=int, metavar="N", help="picture: whose view is drawn (the referee's); -1: what everybody knows"
    )
    parser.add_argument(
        "--theme", choices=THEMES, help="picture: light or dark background (auto: as the reader prefers)"
    )
    parser.add_argument(
        "--thoughts", type=Path, metavar="FILE",
        help="what bots said, as record --explain writes it; default: the file next to the record, if there is one",
    )  # fmt: skip
    parser.add_argument(
        "--gif", type=cli.ending(".gif"), metavar="FILE", help="also write a film, which needs the extra viz"
    )
    parser.add_game(GAME_OF_A_RECORD, default=None)


def review(parser: cli.Parser, game: str) -> None:
    """Add the arguments of ``review``."""
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
    parser.add_out(None, "also write the replay page, with what is said about decisions", cli.ending(".html"))
    parser.add_game(GAME_OF_A_RECORD, default=None)


def verify(parser: cli.Parser, game: str) -> None:
    """Add the arguments of ``verify``."""
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE", help="records, named like 7.shogun.jsonl")
    parser.add_game(GAME_OF_A_RECORD, default=None)


def rules(parser: cli.Parser, game: str) -> None:
    """Add the arguments of ``rules``."""
    parser.add_argument("--short", action="store_true", help="print the rules in 4,000 characters")
    parser.add_game()


def info(parser: cli.Parser, game: str) -> None:
    """Add the arguments of ``info``."""
    parser.add_game()


def mcp(parser: cli.Parser, game: str) -> None:
    """Add the arguments of ``mcp``."""
    parser.add_argument(
        "--bots", default=BOTS_OF_ASSISTANTS, metavar="BOTS",
        help=f"the bots that the assistant may choose as opponents, separated by commas ({BOTS_OF_ASSISTANTS})",
    )  # fmt: skip
