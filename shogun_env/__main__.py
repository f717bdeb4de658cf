"""``shogun-env`` or ``python -m shogun_env``: the commands record, view, draw, play, mcp, …, and PROGRAMS.

Each has ``--help``. The programs are those of ``training`` and ``benchmarks``: ``shogun-env tournament`` runs
``benchmarks.tournament``. The table of all is in ``commands``.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from shogun_env import GAMES, __version__, cli
from shogun_env.batch.validation import MAX_SEED
from shogun_env.commands import PROGRAMS, list_of, run_program, why_no_command
from shogun_env.doors import command as mcp_command
from shogun_env.files import any_output
from shogun_env.play.options import add_arguments
from shogun_env.review.options import add_arguments as add_review_arguments
from shogun_env.spec.bots import specs_in
from shogun_env.svg.raster import why_no_film, write_gif, write_mp4
from shogun_env.svg.style import THEMES

if TYPE_CHECKING:  # commands import the engine when they run, so that --help is quick
    from shogun_env.batch.batch import Batch
    from shogun_env.policies import Agent, Watch
    from shogun_env.records.thoughts import Thought

GAMES_PER_BATCH = 32
"""Games played at a time. They are written before the next ones begin, so an interruption loses only these."""
GAME_OF_A_RECORD = "the game; default: that in the name of the file, or else in the header of the record"
"""How ``view`` and ``verify`` explain ``--game``."""


def add_command(commands: Any, name: str, text: str) -> cli.Parser:
    """Add a command that ``text`` explains, in the list of commands and in its own help; return its parser."""
    parser: cli.Parser = commands.add_parser(name, description=f"{text[0].upper()}{text[1:]}.")
    return parser


# --- record ----------------------------------------------------------------------------------------------------------


def add_record(commands: Any, game: str) -> None:
    """Add the command ``record``, with the options of play of ``game``."""
    parser = add_command(commands, "record", "play games with bots and write a record of each")
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
    parser.set_defaults(run=record)


def record(args: argparse.Namespace) -> None:
    """Play games with the seeds seed, seed + 1, … and write a record of each; no file is overwritten."""
    from shogun_env.policies import make_agent
    from shogun_env.records.record import record_name, write_record
    from shogun_env.records.thoughts import thoughts_path, write_thoughts

    batch_type = cli.batch_class(args.game)
    spec = batch_type.spec
    options = spec.check_options(cli.options_of(args))
    bots = specs_in(args.agents)
    bots = bots * options["num_players"] if len(bots) == 1 else bots
    if len(bots) != options["num_players"]:
        raise ValueError(f"{len(bots)} agents for {options['num_players']} players: give one for each, or one for all")
    agents = [make_agent(bot, spec) for bot in bots]
    if args.seed + args.games > MAX_SEED:
        raise ValueError(f"seed {args.seed} and {args.games} games: all seeds must be below 2^53")
    paths = [args.out / record_name(spec, args.seed + number) for number in range(args.games)]
    written = [*paths, *[thoughts_path(path) for path in paths if args.explain]]
    if existing := next((path for path in written if path.exists()), None):
        raise ValueError(f"{existing} already exists; no file is overwritten, and no game was played")
    args.out.mkdir(parents=True, exist_ok=True)
    done = 0
    try:
        with cli.progress("record", args.games) as show:
            for lines, thoughts in _played(batch_type, options, agents, bots, args):
                write_record(paths[done], lines)
                if args.explain:
                    write_thoughts(thoughts_path(paths[done]), spec, thoughts)
                done += 1
                show(done, f"{done} of {args.games} games")
    except KeyboardInterrupt:
        print(f"\nstopped; {done} of {args.games} games are in {args.out}", file=sys.stderr)
        raise SystemExit(130) from None
    print(f"{done} {'game' if done == 1 else 'games'} recorded in {args.out}")


def _played(
    batch_type: type[Batch], options: dict[str, Any], agents: Sequence[Agent], bots: list[str], args: argparse.Namespace
) -> Iterator[tuple[list[dict[str, Any]], list[Thought]]]:
    """Play the games and yield their records, in order, each with what the bots said if that is kept."""
    from shogun_env.policies import play_on

    for first in range(0, args.games, GAMES_PER_BATCH):
        count = min(GAMES_PER_BATCH, args.games - first)
        batch = batch_type(count, seed=args.seed + first, record=True, **options)
        seats = np.tile(np.arange(batch.num_players, dtype=np.int8), (count, 1))
        thoughts: list[list[Thought]] = [[] for _ in range(count)]
        play_on(batch, agents, seats, _keeper(batch, thoughts) if args.explain else None)
        yield from zip(batch.records(agents=bots), thoughts, strict=True)


def _keeper(batch: Batch, thoughts: list[list[Thought]]) -> Watch:
    """Return a function that keeps what bots say about their decisions, in a list for each game."""
    from shogun_env.records.thoughts import Thought

    def keep(rows: np.ndarray, actions: np.ndarray, texts: list[str]) -> None:
        for row, action, text in zip(rows.tolist(), actions.tolist(), texts, strict=True):
            if text:
                decision, player = int(batch.decisions[row]), int(batch.player[row])
                name = batch.spec.action_name(action)
                thoughts[row].append(Thought(decision=decision, player=player, action=name, text=text))

    return keep


# --- view ------------------------------------------------------------------------------------------------------------


def add_view(commands: Any, game: str) -> None:
    """Add the command ``view``."""
    parser = add_command(commands, "view", "make an HTML page that shows the game of a record step by step")
    parser.add_argument("file", type=Path, help="record, named like 7.shogun.jsonl")
    parser.add_out(None, "page to write; default: the name of the record with .html", metavar="FILE")
    parser.add_argument(
        "--thoughts", type=Path, metavar="FILE",
        help="what bots said, as record --explain writes it; default: the file next to the record, if there is one",
    )  # fmt: skip
    parser.add_argument("--gif", type=Path, metavar="FILE", help="also write a film, which needs the extra viz")
    parser.add_argument("--mp4", type=Path, metavar="FILE", help="the same as MP4, which needs the extra film")
    parser.add_game(GAME_OF_A_RECORD, default=None)
    parser.set_defaults(run=view)


def game_of(file: Path, game: str | None) -> str:
    """Return the game of a record: ``game`` unless it is None, else that in the name of the file or in its header.

    Raises: ValueError if neither the name nor the header says a game; OSError if the file cannot be read.
    """
    in_name = [name for name in GAMES if name in file.name.split(".")]
    game = game or (in_name[0] if len(in_name) == 1 else _in_header(file))
    if game is None:
        raise ValueError(
            "neither the name of the file nor a header in its first line says which game this is; "
            f"give --game with one of {', '.join(GAMES)}"
        )
    return game


def _in_header(file: Path) -> str | None:
    """Return the game whose record the first line of a file begins, or None."""
    from shogun_env.records.record import game_in_header

    with open(file, "rb") as stream:
        return game_in_header(stream.readline())


def view(args: argparse.Namespace) -> None:
    """Write the page of a record."""
    from shogun_env.records.record import read_record
    from shogun_env.records.thoughts import read_thoughts, thoughts_path
    from shogun_env.records.view import html_page

    for kind, film in (("gif", args.gif), ("mp4", args.mp4)):
        if film is not None and (reason := why_no_film(kind)):
            raise ValueError(reason)
    try:
        game = game_of(args.file, args.game)
    except ValueError as error:
        raise ValueError(f"{args.file}: {error}") from None
    batch_type = cli.batch_class(game)
    out = args.out or args.file.with_suffix(".html")
    try:
        lines = read_record(args.file, batch_type.spec)
        neighbour = thoughts_path(args.file)
        file = args.thoughts or (neighbour if neighbour.exists() else None)
        page = html_page(batch_type, lines, read_thoughts(file, batch_type.spec) if file else ())
    except ValueError as error:
        raise ValueError(f"{args.file}, as a record of {game}: {error}") from None
    out.write_text(page, "utf-8")
    print(f"{out} written; open it in a browser")
    for path, write in ((args.gif, write_gif), (args.mp4, write_mp4)):
        if path is not None:
            write_film(path, batch_type, lines, write)


def write_film(path: Path, batch_type: type[Batch], lines: Sequence[Any], write: Any) -> None:
    """Write the game of a record by ``write_gif`` or ``write_mp4``; ValueError that names the extra that is missing."""
    from shogun_env.records.film import film_times, pictures_of
    from shogun_env.records.frames import frames_of

    data = frames_of(batch_type, lines)
    times = film_times(data)
    try:
        with cli.progress("film", len(times)) as show:

            def shown() -> Iterator[np.ndarray]:
                for number, picture in enumerate(pictures_of(data), 1):
                    show(number, f"{number} of {len(times)} pictures")
                    yield picture

            write(path, shown(), times)
    except ImportError as error:
        raise ValueError(str(error)) from None
    print(f"{path} written, {len(times)} pictures, {sum(times):.0f} s")


# --- draw ------------------------------------------------------------------------------------------------------------


def add_draw(commands: Any, game: str) -> None:
    """Add the command ``draw``."""
    parser = add_command(commands, "draw", "draw the board of a position as a picture, SVG or PNG")
    parser.add_argument("position", help="position text, as Game.position() returns it, or a record; - reads the input")
    parser.add_argument("--line", type=cli.count, metavar="N", help="line of the record that is drawn (the last)")
    parser.add_out("board.svg", "picture to write; PNG, which needs the extra viz, if it ends in .png", metavar="FILE")
    parser.add_argument(
        "--player", type=int, metavar="N", help="whose view is drawn (the referee's); -1: what everybody knows"
    )
    parser.add_argument(
        "--theme", choices=THEMES, default="auto", help="ground of the picture (auto: as readers prefer)"
    )
    parser.set_defaults(run=draw)


def draw(args: argparse.Namespace) -> None:
    """Draw a position."""
    from shogun_env.records.picture import draw_png, draw_svg

    batch = _position_of(args)
    try:
        if args.out.suffix.lower() == ".png":
            theme = "light" if args.theme == "auto" else args.theme
            args.out.write_bytes(draw_png(batch, 0, args.player, theme))
        else:
            args.out.write_text(draw_svg(batch, 0, args.player, args.theme), "utf-8")
    except ImportError as error:
        raise ValueError(str(error)) from None
    print(f"{args.out} written")


def _position_of(args: argparse.Namespace) -> Batch:
    """Return the game at the position, or at the line of the record, that the command line names."""
    if args.position.endswith(".jsonl"):
        path = Path(args.position)
        return cli.game_class(game_of(path, None)).from_record(path, args.line).batch
    if args.line is not None:
        raise ValueError(f"--line {args.line}: goes with a record, a file that ends in .jsonl")
    text = sys.stdin.read() if args.position == "-" else args.position
    name = text.split("/")[0].strip()
    if name not in GAMES:
        raise ValueError(f"a position must begin with one of {', '.join(f'{game}/' for game in GAMES)}")
    return cli.game_class(name)(position=text).batch


# --- play ------------------------------------------------------------------------------------------------------------


def add_play(commands: Any, game: str) -> None:
    """Add the command ``play``."""
    parser = add_command(commands, "play", "play against bots, on a page of this machine or in a terminal")
    add_arguments(parser, game)
    parser.set_defaults(run=play)


def play(args: argparse.Namespace) -> None:
    """Play against bots, rated or not."""
    from shogun_env.benchmarks.ladder import Ladder

    if args.rated is not None:
        from shogun_env.benchmarks.rated import play_rated

        args.ladder = Ladder()
        play_rated(args)
        return
    if args.give_up or args.beside is not None:
        raise ValueError(f"{'--give-up' if args.give_up else '--beside'}: goes with --rated NAME")
    from shogun_env.play.command import play as play_unrated

    play_unrated(args, Ladder())


# --- mcp -------------------------------------------------------------------------------------------------------------


def add_mcp(commands: Any, game: str) -> None:
    """Add the command ``mcp``."""
    parser = add_command(commands, "mcp", "let an assistant that speaks MCP play against bots")
    mcp_command.add_arguments(parser)
    parser.set_defaults(run=mcp_command.serve_seat)


# --- review ----------------------------------------------------------------------------------------------------------


def add_review(commands: Any, game: str) -> None:
    """Add the command ``review``."""
    parser = add_command(commands, "review", "compare the choices of a record with those of the champion")
    add_review_arguments(parser)
    parser.set_defaults(run=review)


def review(args: argparse.Namespace) -> None:
    """Review a record."""
    from shogun_env.review.command import review_record

    try:
        game = game_of(args.file, args.game)
    except ValueError as error:
        raise ValueError(f"{args.file}: {error}") from None
    review_record(args, game)


# --- verify ----------------------------------------------------------------------------------------------------------


def add_verify(commands: Any, game: str) -> None:
    """Add the command ``verify``."""
    parser = add_command(commands, "verify", "check records line by line against the rules")
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE", help="records, named like 7.shogun.jsonl")
    parser.add_game(GAME_OF_A_RECORD, default=None)
    parser.set_defaults(run=verify_files)


def verify_files(args: argparse.Namespace) -> None:
    """Print for every record whether the rules allow it; exit with status 1 unless all are allowed."""
    from shogun_env.records.record import read_record
    from shogun_env.records.replay import verify

    n_wrong = 0
    for file in args.files:
        try:
            batch_type = cli.batch_class(game_of(file, args.game))
            lines = read_record(file, batch_type.spec)
            verify(batch_type, lines)
            print(f"{file}: {len(lines)} lines, all allowed by the rules of {batch_type.spec.name}")
        except (ValueError, OSError) as error:
            n_wrong += 1
            why = error.strerror if isinstance(error, OSError) else None  # an OSError names the file itself
            print(f"{file}: {why or error}", file=sys.stderr)
    if n_wrong:
        raise SystemExit(1)


# --- rules, info -----------------------------------------------------------------------------------------------------


def add_rules(commands: Any, game: str) -> None:
    """Add the command ``rules``."""
    parser = add_command(commands, "rules", "print the rulings on gaps of the rulebook, or the rules in short")
    parser.add_argument("--short", action="store_true", help="print the rules in 4,000 characters")
    parser.add_game()
    parser.set_defaults(run=rules)


def rules(args: argparse.Namespace) -> None:
    """Print the table of rulings in the RULES.md of a game, or its rules in short."""
    from shogun_env.records.text import rulings

    if args.short:
        print(cli.game_class(args.game).rules(), end="")
        return
    for tag, ruling, *_ in rulings(cli.batch_class(args.game).spec):
        print(f"{tag:<4} {ruling}")
    print(f"\nThe rules, and where each ruling is applied: {resources.files(f'shogun_env.{args.game}') / 'RULES.md'}")


def add_info(commands: Any, game: str) -> None:
    """Add the command ``info``."""
    parser = add_command(commands, "info", "print versions, sizes, and which loops are compiled")
    parser.add_game()
    parser.set_defaults(run=info)


def facts_of(game: str) -> dict[str, Any]:
    """Return versions, sizes and compiled loops of a game, each by the words before it."""
    import platform
    from importlib import metadata

    from shogun_env.batch.base import LOG_LENGTH
    from shogun_env.kernel.cache import LIMIT, compiled_loops, kept
    from shogun_env.kernel.jit import JIT

    batch_type = cli.batch_class(game)
    spec, folder = batch_type.spec, batch_type.loops.play.folder
    versions = {name: metadata.version(name) for name in ("numpy", "numba", "llvmlite", "gymnasium", "pettingzoo")}
    rows: dict[str, Any] = {
        "shogun-env": __version__,
        "python": platform.python_version(),
        **versions,
        "game": f"{spec.name}, {spec.players[0]} to {spec.players[-1]} players",
        "rules version": spec.rules_version,
        "observation version": spec.obs_version,
        "actions": spec.n_actions,
        "observation": f"{spec.obs_size} bytes",
        "state": f"{spec.state_dtype.itemsize} bytes, and a log of {2 * LOG_LENGTH} bytes if a record is kept",
        "kernel cache": folder if JIT else "compilation is switched off",
    }
    if JIT:
        folders = kept(folder.parent)
        size = f"{sum(each.size for each in folders) / 1e6:,.0f} MB in {len(folders)} folders"
        rows["all caches"] = f"{size}; above {LIMIT / 1e6:,.0f} MB those used longest ago are removed"
    compiled = compiled_loops(folder) if JIT else {}
    rows["compiled"] = "" if compiled else "nothing yet"
    rows |= {f"  {name}": f"in {seconds} s" for name, seconds in compiled.items()}
    return rows


def info(args: argparse.Namespace) -> None:
    """Print versions, sizes and compiled loops."""
    for name, value in facts_of(args.game).items():
        print(f"{name:<24} {value}".rstrip())


# --- the command line ------------------------------------------------------------------------------------------------

OWN = (add_record, add_view, add_draw, add_play, add_mcp, add_review, add_verify, add_rules, add_info)


def make_parser(game: str) -> cli.Parser:
    """Return the parser; the command ``record`` has the options of play of ``game``."""
    parser = cli.Parser(
        prog=cli.SCRIPT,
        usage=f"{cli.SCRIPT} COMMAND ...",
        description="Shogun and Shitennō: play, look, train, measure.\nEach command explains itself with --help.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(
        metavar="COMMAND", prog=cli.SCRIPT, required=True, parser_class=cli.Parser, help=argparse.SUPPRESS
    )
    for add in OWN:
        add(commands, game)
    own = {name: command.description or "" for name, command in commands.choices.items()}
    texts = {name: f"{text[:1].lower()}{text[1:-1]}" for name, text in own.items()}
    parser.epilog = list_of({**texts, **{name: program.text for name, program in PROGRAMS.items()}})
    return parser


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command; an error is printed in one line, with exit status 2."""
    with any_output():
        run(arguments)


def run(arguments: Sequence[str] | None) -> None:
    """Run a command as ``main`` does, whatever the output is."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    parser = make_parser(cli.chosen_game(words))
    name = words[0].replace("_", "-") if words else ""
    if name in PROGRAMS:  # before parsing: a program parses its own command line
        with parser.one_line_errors():
            raise SystemExit(run_program(name, words[1:]))
    if name and not name.startswith("-") and (reason := why_no_command(name)):
        parser.error(reason)
    args = parser.parse_args(words)
    with parser.one_line_errors():
        args.run(args)


if __name__ == "__main__":
    main()
