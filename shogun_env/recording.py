"""The commands ``record``, ``view`` and ``verify``: records of games, written, shown and checked."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from shogun_env import GAMES, cli
from shogun_env.batch.batch import Batch
from shogun_env.batch.validation import MAX_SEED
from shogun_env.files import check_other_file, error_text, write_out
from shogun_env.policies import Bot, Watch, make_agent, play_on
from shogun_env.records.film import film_times, pictures_of
from shogun_env.records.frames import frames_of
from shogun_env.records.picture import draw_png, draw_svg
from shogun_env.records.record import RecordError, game_of, is_record, read_record, record_name, write_record
from shogun_env.records.replay import verify
from shogun_env.records.thoughts import Thought, read_thoughts, thoughts_path, write_thoughts
from shogun_env.records.view import html_page
from shogun_env.spec.bots import specs_for
from shogun_env.spec.forms import blaming
from shogun_env.svg.raster import why_no_film, write_gif

GAMES_PER_BATCH = 32
"""Games played at a time. They are written before the next ones begin, so an interruption loses only these."""
OF_PICTURES, OF_PAGES = ("line", "player", "theme"), ("thoughts", "gif")
"""Options of ``view`` for pictures only, and for pages only."""

# --- record ----------------------------------------------------------------------------------------------------------


def record(args: argparse.Namespace) -> int:
    """Play games with the seeds seed, seed + 1, … and write a record of each; no file is overwritten.

    Returns: the exit status, 130 after Ctrl-C.
    """
    batch_type = cli.batch_class(args.game)
    spec = batch_type.spec
    options = spec.check_options(cli.options_of(args))
    bots = specs_for(args.agents, options["num_players"])
    agents = [make_agent(bot, spec) for bot in bots]
    if args.seed + args.games > MAX_SEED:
        raise ValueError(f"seed {args.seed} and {args.games} games: all seeds must be below 2^53")
    paths = [args.out / record_name(spec, args.seed + number) for number in range(args.games)]
    written = [*paths, *[thoughts_path(path) for path in paths if args.explain]]
    if existing := next((path for path in written if path.exists()), None):
        raise ValueError(f"{existing} already exists; no file is overwritten, and no game was played")
    is_new, done = not args.out.exists(), 0
    args.out.mkdir(parents=True, exist_ok=True)
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
        return 130
    finally:
        if is_new and not done:
            with suppress(OSError):  # it is empty, unless somebody else writes there
                args.out.rmdir()
    print(f"{done} {'game' if done == 1 else 'games'} recorded in {args.out}")
    return 0


def _played(
    batch_type: type[Batch], options: dict[str, Any], agents: Sequence[Bot], bots: list[str], args: argparse.Namespace
) -> Iterator[tuple[list[dict[str, Any]], list[Thought]]]:
    """Play the games and yield their records, in order, each with what the bots said if that is kept."""
    for first in range(0, args.games, GAMES_PER_BATCH):
        count = min(GAMES_PER_BATCH, args.games - first)
        batch = batch_type(count, seed=args.seed + first, record=True, **options)
        seats = np.tile(np.arange(batch.num_players, dtype=np.int8), (count, 1))
        thoughts: list[list[Thought]] = [[] for _ in range(count)]
        play_on(batch, agents, seats, _keeper(batch, thoughts) if args.explain else None)
        yield from zip(batch.records(agents=bots), thoughts, strict=True)


def _keeper(batch: Batch, thoughts: list[list[Thought]]) -> Watch:
    """Return a function that keeps what bots say about their decisions, in a list for each game."""

    def keep(rows: np.ndarray, actions: np.ndarray, texts: list[str]) -> None:
        for row, action, text in zip(rows.tolist(), actions.tolist(), texts, strict=True):
            if text:
                decision, player = int(batch.decisions[row]), int(batch.player[row])
                name = batch.spec.action_name(action)
                thoughts[row].append(Thought(decision=decision, player=player, action=name, text=text))

    return keep


# --- view -------------------------------------------------------------------------------------------------------------


def view(args: argparse.Namespace) -> None:
    """Write the page of a record or, where the output ends in .svg or .png, a picture of a position."""
    kind = args.out.suffix.lower() if args.out else ""
    is_picture = kind in (".svg", ".png")
    for name in OF_PAGES if is_picture else OF_PICTURES:
        if getattr(args, name) is not None:
            where = "a page, not with a picture" if is_picture else "a picture: an --out that ends in .svg or .png"
            raise ValueError(f"--{name}: goes with {where}")
    if is_picture:
        _write_picture(args, kind)
    else:
        _write_page(args)


def _write_page(args: argparse.Namespace) -> None:
    """Write the page of a record, and its film."""
    if not is_record(args.file) and args.file.split("/")[0].strip() in ("-", *GAMES):
        raise ValueError("a position has no page, only a picture: give an --out that ends in .svg or .png")
    file = Path(args.file)
    if args.gif is not None and (reason := why_no_film()):
        raise ValueError(reason)
    batch_type = cli.batch_class(game_of(file, args.game))
    out = args.out or file.with_suffix(".html")
    check_other_file(out, file)
    neighbour = thoughts_path(file)
    said = args.thoughts or (neighbour if neighbour.exists() else None)
    with blaming(f"{file}, as a record of {batch_type.spec.name}{f' with {said}' if said else ''}"):
        lines = read_record(file, batch_type.spec)
        page = html_page(batch_type, lines, read_thoughts(said, batch_type.spec) if said else ())
    write_out(out, page)
    print(f"{out} written; open it in a browser")
    if args.gif is not None:
        write_film(args.gif, batch_type, lines)


def write_film(path: Path, batch_type: type[Batch], lines: Sequence[Any]) -> None:
    """Write the game of a record as a GIF."""
    data = frames_of(batch_type, lines)
    times = film_times(data)
    with cli.progress("film", len(times)) as show:

        def shown() -> Iterator[np.ndarray]:
            for number, picture in enumerate(pictures_of(data), 1):
                show(number, f"{number} of {len(times)} pictures")
                yield picture

        write_gif(path, shown(), times)
    print(f"{path} written, {len(times)} pictures, {sum(times):.0f} s")


def _write_picture(args: argparse.Namespace, kind: str) -> None:
    """Draw a position, or that at a line of a record."""
    batch, theme = _position_of(args), args.theme or "auto"
    if kind == ".png":
        write_out(args.out, draw_png(batch, 0, args.player, "light" if theme == "auto" else theme))
    else:
        write_out(args.out, draw_svg(batch, 0, args.player, theme))
    print(f"{args.out} written")


def _position_of(args: argparse.Namespace) -> Batch:
    """Return the game at the position, or at the line of the record, that the command line names."""
    if is_record(args.file):
        path = Path(args.file)
        game = cli.game_class(game_of(path, args.game))
        with blaming(f"{path}, as a record of {game.spec.name}"):
            return game.from_record(path, args.line).batch
    if args.line is not None:
        raise ValueError(f"--line {args.line}: goes with a record, a file that ends in .jsonl")
    text = sys.stdin.read() if args.file == "-" else args.file
    name = text.split("/")[0].strip()
    if name not in GAMES:
        games = ", ".join(f"{game}/" for game in GAMES)
        files = "a file with one is given as - < FILE, and the name of a record ends in .jsonl"
        raise ValueError(f"a position must begin with one of {games}; {files}")
    if args.game not in (None, name):
        raise ValueError(f"--game {args.game}: this is a position of {name}")
    return cli.game_class(name)(position=text).batch


# --- verify -----------------------------------------------------------------------------------------------------------


def verify_files(args: argparse.Namespace) -> int:
    """Print for every record whether the rules allow it; return the exit status, 1 unless all are allowed."""
    n_wrong = 0
    for file in args.files:
        try:
            batch_type = cli.batch_class(game_of(file, args.game))
            lines = read_record(file, batch_type.spec)
            verify(batch_type, lines)
        except (ValueError, OSError) as error:
            n_wrong += 1
            of_line = f"{file}: " if isinstance(error, RecordError) else ""  # other errors name the file themselves
            print(f"{of_line}{error_text(error)}", file=sys.stderr)
        else:
            print(f"{file}: {len(lines)} lines, all allowed by the rules of {batch_type.spec.name}")
    return 1 if n_wrong else 0
