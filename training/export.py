"""Write games as a table with one row per decision: ``shogun-env export --agents scripted --games 100 --out data``.

The files are Parquet, which pandas, polars and ``datasets`` read, next to a card that says what is in them. Compiled
bots play inside the engine; other bots are asked, and records that are already there are played again. With
``--teacher`` another bot says what it would have chosen in each decision.

A network imitates such a folder (``imitate="export:FOLDER"``). A search takes a thousand times as long as a network, so
its choices are kept, and training goes over them as often as it likes. With a search over the network itself this is
expert iteration (Anthony et al. 2017).
"""

import argparse
import functools
import io
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from shogun_env import GAMES, cli
from shogun_env.agents.fingerprint import made_of
from shogun_env.agents.network.agent import card_of
from shogun_env.agents.parts import may_remember
from shogun_env.batch.batch import Batch
from shogun_env.batch.collecting import Decisions, answers, collect
from shogun_env.batch.validation import MAX_SEED
from shogun_env.files import write_whole, writing_whole
from shogun_env.policies import Bot, ask, make_agent, play_on, tell_begun, tell_ends, wants_records
from shogun_env.records.record import game_of, read_record
from shogun_env.records.replay import replay
from shogun_env.spec.bots import specs_for
from shogun_env.spec.forms import blaming, json_of, short
from shogun_env.spec.game_spec import GameSpec
from shogun_env.training.data_card import COLUMNS, croissant_of, readme_of
from shogun_env.views import places_and_wins
from shogun_env.workers import results, threads_of_each

GAMES_PER_FILE = 64
"""Games of a file, all of which are in memory at a time: what a stop loses at most."""
ABOUT = b"shogun-env"
"""Key of what a file says of itself, as JSON: ``MadeBy``, and the ``card_of`` its game."""
GAMES_OF_EXPORT = 1000
"""Games of an export that is not told how many."""
HELD_OUT = 0.1
"""Part of the files of an export that nobody learns from."""
BEGUN = ({"data"}, {"data", "croissant.json"}, {"data", "croissant.json", "README.md"})
"""What the folder of an export holds, from the first file on."""


class PlayedGames(NamedTuple):
    """Games of a file, m of them."""

    decisions: Decisions
    """Those of whole games, n of them; a row is one of the m."""
    taught: np.ndarray
    """int64[n], what the teacher would have chosen; without one, what was chosen."""
    seeds: np.ndarray
    """int64[m]."""
    points: np.ndarray
    """int64[m, P]."""
    places: np.ndarray
    """float64[m, P]."""
    shares: np.ndarray
    """float64[m, P]."""
    agents: tuple[tuple[str, ...], ...]
    """By game and player."""


def played(batch: Batch, agents: Sequence[Bot], names: Sequence[str], teacher: Bot | None = None) -> PlayedGames:
    """Play games to their end, agent p as player p of all, and return them with what a teacher would have chosen."""
    decisions, taught = decided(batch, agents, teacher)
    points, places, shares = ends_of(batch)
    return PlayedGames(
        decisions=decisions, taught=taught, seeds=batch.seeds.copy(), points=points, places=places, shares=shares,
        agents=(tuple(names),) * batch.num_games,
    )  # fmt: skip


def decided(
    batch: Batch, agents: Sequence[Bot], teacher: Bot | None, seats: np.ndarray | None = None
) -> tuple[Decisions, np.ndarray]:
    """Play games to their end and return the decisions, and what a teacher would have chosen, int64[n].

    Args: batch; agents; teacher, None: what was chosen; seats, int8[B, P], who plays; None: agent p plays player p.
    """
    teachers = [] if teacher is None else [teacher]
    pairs: list[Any] = [bot.compiled for bot in (*agents, *teachers)]
    if None not in pairs:
        decisions = collect(batch, pairs[: len(agents)], seats)
        return decisions, decisions.actions if teacher is None else answers(decisions, pairs[-1], batch.spec)
    found: list[tuple[np.ndarray, ...]] = []
    streams = batch.policy_rngs.copy()  # the teacher's own: it changes no game, and draws as the same bot there would
    if seats is None:
        seats = np.arange(batch.num_players, dtype=np.int8)[None].repeat(batch.num_games, 0)

    def watch(rows: np.ndarray, actions: np.ndarray, reasons: Sequence[str]) -> None:
        players = batch.player[rows].astype(np.int64)
        taught = actions if teacher is None else taught_in(teacher, batch, rows, streams)
        found.append((batch.observe()[rows], batch.legal[rows], actions, rows, players, taught))

    tell_begun(teachers, np.arange(batch.num_games))
    play_on(batch, agents, seats, watch)
    tell_ends(batch, teachers, np.zeros_like(seats))
    arrays = [np.concatenate(parts) for parts in zip(*found, strict=True)]
    order = np.argsort(arrays[3], kind="stable")  # by game; within one, as they were asked
    *arrays, taught = (array[order] for array in arrays)
    return unweighed(arrays), taught


def taught_in(teacher: Bot, batch: Batch, rows: np.ndarray, streams: np.ndarray) -> np.ndarray:
    """Return what a teacher would choose in games ``rows`` int64[n], as ``ask`` does, drawing from ``streams``."""
    drawn = batch.policy_rngs.copy()
    batch.policy_rngs[:] = streams
    actions = ask(teacher, batch, rows)
    streams[:] = batch.policy_rngs
    batch.policy_rngs[:] = drawn
    return actions


def unweighed(arrays: Iterable[np.ndarray]) -> Decisions:
    """Return decisions of which no probabilities and values are known, from their other five arrays."""
    observations, masks, actions, rows, players = arrays
    unknown = np.zeros(len(actions), np.float32)
    return Decisions(
        observations=observations, masks=masks, actions=actions, rows=rows, players=players,
        log_probs=unknown, values=unknown,
    )  # fmt: skip


def ends_of(batch: Batch) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return points int64[B, P], places float64[B, P] and shares of the win float64[B, P] of games that are over."""
    return batch.points.astype(np.int64), *places_and_wins(batch.returns_by("rank"))


def replayed(
    batch_type: type[Batch], paths: Sequence[Path], known: set[int], players: int | None = None
) -> PlayedGames:
    """Return the games of records, which are played again and compared line by line.

    Args: batch_type; paths; known, the seeds of the games before, to which those of these games are added; players, how
        many these had.
    Raises: ValueError naming a record that does not follow the rules, that has no seed of its own, or that has another
        number of players than the first.
    """
    steps: list[tuple[Any, ...]] = []
    ends: list[tuple[np.ndarray, ...]] = []
    seeds, agents = [], []
    for game, path in enumerate(paths):
        with blaming(f"{path}, as a record of {batch_type.spec.name}"):
            lines = read_record(path, batch_type.spec)
            if (seed := lines[0]["seed"]) is None or seed in known:
                raise ValueError(f"its seed is {short(seed)}, must be one of its own, as the seed identifies a game")
            known.add(seed)
            for batch, action in replay(batch_type, lines):
                if action is not None:
                    steps.append((batch.observe()[0].copy(), batch.legal[0].copy(), action, game, int(batch.player[0])))
        ends.append(ends_of(batch))
        seeds.append(seed)
        agents.append(tuple(lines[0].get("agents") or ("",) * batch.num_players))
        players = players or len(agents[0])
        if players != len(agents[-1]):
            raise ValueError(f"{path}: {len(agents[-1])} players, not {players} as the others have")
    decisions = unweighed(np.array(column) for column in zip(*steps, strict=True))
    points, places, shares = (np.concatenate(column) for column in zip(*ends, strict=True))
    return PlayedGames(
        decisions=decisions, taught=decisions.actions, seeds=np.array(seeds), points=points, places=places,
        shares=shares, agents=tuple(agents),
    )  # fmt: skip


class MadeBy(NamedTuple):
    """What a file came from."""

    command: str
    bots: tuple[str, ...]
    """What each bot is ``made_of``, in the order of their names."""


def table_of(part: PlayedGames, spec: GameSpec, made_by: MadeBy) -> Any:
    """Return the decisions of games as a table of pyarrow, with the columns of ``COLUMNS``.

    Args: part; spec; made_by, which the file is to name.
    Raises: ModuleNotFoundError without pyarrow.
    """
    import pyarrow as pa

    decisions, games, players = part.decisions, part.decisions.rows, part.decisions.players
    n_players = part.shares.shape[1]
    shares = part.shares[games[:, None], (players[:, None] + np.arange(n_players)) % n_players].astype(np.float32)
    names = sorted({name for game in part.agents for name in game})
    agents = np.array([[names.index(name) for name in game] for game in part.agents], np.int16)
    where, legal = np.nonzero(decisions.masks)
    offsets = np.searchsorted(where, np.arange(len(games) + 1)).astype(np.int32)
    phase = next(piece for piece in spec.obs_layout if piece.name == "phase")
    phases = decisions.observations[:, phase.start : phase.stop].argmax(1).astype(np.int8)

    def words(indices: np.ndarray, texts: Sequence[str]) -> Any:
        return pa.DictionaryArray.from_arrays(pa.array(indices.astype(np.int16)), pa.array(list(texts), pa.string()))

    observations = pa.array(np.ascontiguousarray(decisions.observations).reshape(-1))
    columns = {
        "seed": pa.array(part.seeds[games]),
        "decision": pa.array((np.arange(len(games)) - np.searchsorted(games, games)).astype(np.int16)),
        "player": pa.array(players.astype(np.int8)),
        "agent": words(agents[games, players], names),
        "phase": words(phases, spec.phase_names),
        "action": pa.array(decisions.actions.astype(np.int16)),
        "action_name": words(decisions.actions, spec.action_names),
        "teacher": pa.array(part.taught.astype(np.int16)),
        "legal": pa.ListArray.from_arrays(pa.array(offsets), pa.array(legal.astype(np.int16))),
        "observation": pa.FixedSizeListArray.from_arrays(observations, spec.obs_size),
        "points": pa.array(part.points[games, players].astype(np.int16)),
        "place": pa.array(part.places[games, players].astype(np.float32)),
        "share": pa.array(shares[:, 0]),
        "shares": pa.FixedSizeListArray.from_arrays(pa.array(shares.reshape(-1)), n_players),
    }
    about = json.dumps({**made_by._asdict(), "card": card_of(spec)})
    return pa.table({name: columns[name] for name in COLUMNS}, metadata={ABOUT: about})


# --- what a learner reads --------------------------------------------------------------------------------------------


def files_in(folder: Path, spec: GameSpec) -> list[Path]:
    """Return the files of an export, or of all exports in a folder.

    Raises: ValueError if there are none, or those of another game or version; or without pyarrow.
    """
    paths = sorted(folder.rglob("*.parquet"))
    if not paths:
        raise ValueError(f"{folder}: no games here; write some with shogun-env export --out {folder}")
    for path in paths:
        if (card := about_file(path).get("card")) != card_of(spec):
            raise ValueError(f"{path}: not of {spec.name}, or of another version of it; its card is {card}")
    return paths


def held_out(files: Sequence[Path]) -> tuple[list[Path], list[Path]]:
    """Return the files to learn from, and the tenth of them that is held out; of fewer than ten files none is."""
    every = round(1 / HELD_OUT)
    held = files[every - 1 :: every]
    return [path for path in files if path not in held], [*held]


def about_file(path: Path) -> dict[str, Any]:
    """Return what a file says of itself, nothing if no export wrote it; ValueError if damaged, or without pyarrow."""
    try:
        from pyarrow import parquet
    except ModuleNotFoundError:
        raise ValueError("to read what export wrote needs the extra data: pip install 'shogun-env[data]'") from None
    try:
        return dict(json_of((parquet.read_schema(path).metadata or {}).get(ABOUT, b"{}").decode()))
    except (OSError, ValueError) as error:
        raise ValueError(f"{path}: damaged ({error}); delete it, and the same export writes it again") from None


def read_taught(path: Path, spec: GameSpec) -> tuple[Decisions, np.ndarray]:
    """Return the decisions of a file, with what the teacher would have chosen as actions, and how the games ended.

    Returns: decisions, n of them; float32[n, P], final share of the win per player, starting with the player to act, 0
        for absent players.
    Raises: ValueError if the file is damaged.
    """
    from pyarrow import parquet

    names = ["seed", "player", "teacher", "legal", "observation", "shares"]
    try:
        table = parquet.read_table(path, columns=names)
    except (OSError, ValueError) as error:
        raise ValueError(f"{path}: damaged ({error}); delete it, and the same export writes it again") from None
    columns = {name: table[name].combine_chunks() for name in names}
    seeds, players, actions = (columns[name].to_numpy().astype(np.int64) for name in names[:3])
    masks = np.zeros((len(seeds), spec.n_actions), np.int8)
    legal = columns["legal"]
    masks[np.arange(len(seeds)).repeat(np.diff(legal.offsets.to_numpy())), legal.flatten().to_numpy()] = 1
    observations = np.array(columns["observation"].flatten()).reshape(len(seeds), -1)
    shares = columns["shares"].flatten().to_numpy().reshape(len(seeds), -1)
    shares = np.pad(shares, ((0, 0), (0, max(spec.players) - shares.shape[1])))
    rows = np.unique(seeds, return_inverse=True)[1].astype(np.int64)
    return unweighed((observations, masks, actions, rows, players)), shares


# --- the command -----------------------------------------------------------------------------------------------------


def add_arguments(parser: cli.Parser, game: str) -> None:
    """Add the arguments of the command."""
    parser.add_argument("--agents", help="bots in player order, separated by commas, or one for all (scripted)")
    parser.add_argument("--teacher", metavar="BOT", help="a bot that says what it would choose in each decision")
    parser.add_argument(
        "--records", type=Path, nargs="+", metavar="FILE", help="records of one game, to write in place of new games"
    )
    parser.add_games(GAMES_OF_EXPORT)
    parser.add_seed("seed of the first game; each later game has the next seed")
    parser.add_argument("--threads", type=cli.count, default=cli.cores(), metavar="N", help="threads of the engine")
    parser.add_argument("--processes", type=cli.count, default=1, metavar="N", help="processes, for slow bots (1)")
    parser.add_argument("--ray", metavar="ADDRESS", help="a Ray cluster, or local to start one here")
    parser.add_out("data", "folder of the data set, empty; the same command resumes")
    parser.add_play(game)
    parser.set_defaults(game=None, games=None, seed=None)  # so that records say it themselves


class Part(NamedTuple):
    """Games of a file."""

    path: Path
    first: int
    """Seed of the first game, or number of the first record."""
    games: int


@functools.cache
def _bots(made_by: MadeBy, game: str, names: Sequence[str]) -> list[Bot]:
    """Return the bots of a command; a process makes them once."""
    spec = cli.batch_class(game).spec
    return [make_agent(name, spec) for name in names]


def content_of(part: PlayedGames, spec: GameSpec, made_by: MadeBy) -> bytes:
    """Return what is in the file of games."""
    import pyarrow.parquet as pq

    stream = io.BytesIO()
    pq.write_table(table_of(part, spec, made_by), stream, compression="zstd")
    return stream.getvalue()


def new_file(
    made_by: MadeBy, game: str, asked: Sequence[str], options: dict[str, Any], threads: int, part: Part
) -> tuple[Path, bytes]:
    """Play the games of a file; return its path and what is to be in it.

    Args: asked, the bots of the players, and then the teacher if there is one.
    """
    batch_type, players = cli.batch_class(game), options["num_players"]
    bots = _bots(made_by, game, asked)
    if any(may_remember(bot, name, batch_type.spec) for bot, name in zip(bots, asked, strict=True)):
        for bot in bots:
            bot.close()
        _bots.cache_clear()  # so that a file does not depend on which this process wrote before
        bots = _bots(made_by, game, asked)
    batch = batch_type(part.games, seed=part.first, num_threads=threads, record=wants_records(bots), **options)
    games = played(batch, bots[:players], asked[:players], *bots[players:])
    return part.path, content_of(games, batch_type.spec, made_by)


def new_files(
    args: argparse.Namespace, made_by: MadeBy, batch_type: type[Batch], options: dict[str, Any], parts: Sequence[Part]
) -> Iterator[tuple[Path, bytes]]:
    """Yield the paths of files and what is to be in them: the games of records, or new ones in any order."""
    spec, known, players = batch_type.spec, set[int](), None
    if args.records:
        for part in parts:
            games = replayed(batch_type, args.records[part.first : part.first + part.games], known, players)
            players = games.shares.shape[1]
            yield part.path, content_of(games, spec, made_by)
        return
    asked = (*specs_for(args.agents or "scripted", options["num_players"]), *([args.teacher] if args.teacher else []))
    _bots(made_by, spec.name, asked)  # a wrong one is named before a process is started
    threads = threads_of_each(args.threads, args.processes, args.ray)
    call = functools.partial(new_file, made_by, spec.name, asked, options, threads)
    bots = " or ".join(sorted({*asked}))
    yield from results(call, parts, args.processes, args.ray, lambda _: bots)


def check_folder(folder: Path, made_by: MadeBy) -> None:
    """Raise ValueError unless a folder is empty, or holds just what a command left in it when it was stopped.

    Its bots must be the same as well: files of two bots would not be one data set.
    """
    if not folder.exists() or not any(folder.iterdir()):
        return
    is_begun = {path.name for path in folder.iterdir()} in BEGUN
    for path in (folder / "data").iterdir() if is_begun else ():
        if re.fullmatch(r"\d{5}\.parquet", path.name):
            about = about_file(path)
            is_begun &= about.get("command") == made_by.command
            if is_begun and about.get("bots") != [*made_by.bots]:
                raise ValueError(f"{folder}: a bot has changed since the command was stopped; give another --out")
        else:
            is_begun &= bool(re.fullmatch(r"\.\d{5}\.parquet\.\d+", path.name))  # cut off, and written anew
    if is_begun and (folder / "README.md").exists():
        raise ValueError(f"{folder} is whole: this command has written it; no file is overwritten")
    if not is_begun:
        raise ValueError(
            f"{folder} is not empty, nor left by this command; no file is overwritten, and no game was played"
        )


def main(args: argparse.Namespace) -> None:
    """Run the command."""
    import pyarrow.parquet as pq

    told = any(value is not None for value in (args.agents, args.teacher, args.games, args.seed))
    if args.records and (told or cli.options_of(args)):
        raise ValueError("--records: who played, which games and with which options is in the records; leave these out")
    if args.records and (args.processes > 1 or args.ray):
        raise ValueError("--records: are replayed in this process; leave --processes and --ray out")
    games, seed = GAMES_OF_EXPORT if args.games is None else args.games, args.seed or 0
    game = game_of(args.records[0], args.game) if args.records else args.game or GAMES[0]
    batch_type = cli.batch_class(game)
    spec = batch_type.spec
    options = spec.check_options(cli.options_of(args))
    if seed + games > MAX_SEED:
        raise ValueError(f"seed {seed} and {games} games: all seeds must be below 2^53")
    names = () if args.records else {*specs_for(args.agents or "scripted", options["num_players"]), args.teacher or ""}
    hashes = (made_of(name, spec, without=args.out) for name in sorted({*names} - {""}))
    made_by = MadeBy(args.command_line, tuple(hashes))
    check_folder(args.out, made_by)
    total = len(args.records or range(games))
    first = 0 if args.records else seed
    parts = [
        Part(args.out / "data" / f"{number:05}.parquet", first + begin, min(GAMES_PER_FILE, total - begin))
        for number, begin in enumerate(range(0, total, GAMES_PER_FILE))
    ]
    missing = {part.path: part for part in parts if args.records or not part.path.exists()}
    n_rows = sum(pq.read_metadata(part.path).num_rows for part in parts if part.path not in missing)
    done = total - sum(part.games for part in missing.values())
    with cli.progress("export", total) as show:
        for path, content in new_files(args, made_by, batch_type, options, list(missing.values())):
            with writing_whole(path) as stream:
                stream.write(content)
            done, n_rows = done + missing[path].games, n_rows + pq.read_metadata(path).num_rows
            show(done, f"{done} of {total} games, {n_rows:,} decisions")
    played_with = "those of the records" if args.records else cli.plain_options(options)
    paths = sorted((args.out / "data").glob("*.parquet"))
    card = croissant_of(spec, args.command_line, n_rows, total, paths)
    write_whole(args.out / "croissant.json", json.dumps(card, indent=2) + "\n")
    write_whole(args.out / "README.md", readme_of(spec, args.command_line, played_with, n_rows, total))
    print(f"{n_rows:,} decisions of {total:,} game{'s' if total != 1 else ''} written to {args.out}")
