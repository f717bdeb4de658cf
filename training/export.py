"""Write games as a table with one row per decision: ``shogun-env export --agents scripted --games 100 --out data``.

The files are Parquet, which pandas, polars and ``datasets`` read, next to a card that says what is in them. Compiled
bots play inside the engine; other bots are asked, and records that are already there are played again.
"""

import argparse
import json
import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from shogun_env import GAMES, __version__, cli
from shogun_env.batch.batch import Batch
from shogun_env.batch.collecting import Decisions, collect
from shogun_env.batch.validation import MAX_SEED
from shogun_env.files import write_whole, writing_whole
from shogun_env.policies import Agent, make_agent, wants_records
from shogun_env.records.record import game_of, read_record
from shogun_env.records.replay import replay
from shogun_env.spec.bots import specs_for
from shogun_env.spec.forms import blaming, short
from shogun_env.spec.game_spec import GameSpec
from shogun_env.training.recorder import recorded, unweighed
from shogun_env.views import places_and_wins

GAMES_PER_FILE = 256
"""Games of a file; all of them are in memory at a time."""
MOST_COMPILED = 5
"""Different compiled bots that ``collect`` takes."""
COLUMNS = {
    "seed": "seed of the game, which identifies it",
    "decision": "number of the decision in its game, from 0; decisions with one legal action are not among them",
    "player": "who decides, from 0",
    "agent": "the bot that does",
    "phase": "what is decided",
    "action": "number of the action that was chosen",
    "action_name": "its name",
    "legal": "numbers of the legal actions, rising",
    "observation": "what the player may know, as bytes",
    "points": "points of this player at the end of the game",
    "place": "place of this player at the end, from 1; players who tie share the mean of their places",
    "share": "share of the win of this player, 0 to 1",
}
"""What the columns mean, in their order."""


class PlayedGames(NamedTuple):
    """Games of a file, m of them."""

    decisions: Decisions
    """Those of whole games; a row is one of the m."""
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


def played(batch: Batch, agents: Sequence[Agent], names: Sequence[str]) -> PlayedGames:
    """Play games to their end, agent p as player p of all, and return them."""
    pairs = [agent.compiled for agent in agents if hasattr(agent, "compiled")]
    if len(pairs) == len(agents) and len({id(pair[0]) for pair in pairs}) <= MOST_COMPILED:
        decisions = collect(batch, pairs)
    else:
        seats = np.arange(batch.num_players, dtype=np.int8)[None].repeat(batch.num_games, 0)
        decisions = recorded(batch, agents, seats, len(agents))
    points, places, shares = ends_of(batch)
    agents_of = (tuple(names),) * batch.num_games
    return PlayedGames(
        decisions=decisions, seeds=batch.seeds.copy(), points=points, places=places, shares=shares, agents=agents_of
    )


def ends_of(batch: Batch) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return points int64[B, P], places float64[B, P] and shares of the win float64[B, P] of games that are over."""
    return batch.points.astype(np.int64), *places_and_wins(batch.returns_by("rank"))


def replayed(batch_type: type[Batch], paths: Sequence[Path], known: set[int]) -> PlayedGames:
    """Return the games of records, which are played again and compared line by line.

    Args: batch_type; paths; known, the seeds of the games before, to which those of these games are added.
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
        if len(agents[0]) != len(agents[-1]):
            raise ValueError(f"{path}: {len(agents[-1])} players, not {len(agents[0])} as the others have")
    decisions = unweighed(np.array(column) for column in zip(*steps, strict=True))
    points, places, shares = (np.concatenate(column) for column in zip(*ends, strict=True))
    return PlayedGames(
        decisions=decisions, seeds=np.array(seeds), points=points, places=places, shares=shares, agents=tuple(agents)
    )


def table_of(part: PlayedGames, spec: GameSpec) -> Any:
    """Return the decisions of games as a table of pyarrow, with the columns of ``COLUMNS``.

    Raises: ModuleNotFoundError without pyarrow.
    """
    import pyarrow as pa

    decisions, games, players = part.decisions, part.decisions.rows, part.decisions.players
    first = np.concatenate([[0], np.flatnonzero(np.diff(games)) + 1]) if len(games) else np.zeros(0, np.int64)
    lengths = np.diff(np.concatenate([first, [len(games)]]))
    names = sorted({name for game in part.agents for name in game})
    agents = np.array([[names.index(name) for name in game] for game in part.agents], np.int8)
    where, legal = np.nonzero(decisions.masks)
    offsets = np.searchsorted(where, np.arange(len(games) + 1)).astype(np.int32)
    phase = next(piece for piece in spec.obs_layout if piece.name == "phase")
    phases = decisions.observations[:, phase.start : phase.stop].argmax(1).astype(np.int8)
    action_names = [spec.action_name(action) for action in range(spec.n_actions)]

    def words(indices: np.ndarray, texts: Sequence[str]) -> Any:
        return pa.DictionaryArray.from_arrays(pa.array(indices.astype(np.int16)), pa.array(list(texts), pa.string()))

    observations = pa.array(np.ascontiguousarray(decisions.observations).reshape(-1))
    columns = {
        "seed": pa.array(part.seeds[games]),
        "decision": pa.array((np.arange(len(games)) - np.repeat(first, lengths)).astype(np.int16)),
        "player": pa.array(players.astype(np.int8)),
        "agent": words(agents[games, players], names),
        "phase": words(phases, spec.phase_names),
        "action": pa.array(decisions.actions.astype(np.int16)),
        "action_name": words(decisions.actions, action_names),
        "legal": pa.ListArray.from_arrays(pa.array(offsets), pa.array(legal.astype(np.int16))),
        "observation": pa.FixedSizeListArray.from_arrays(observations, spec.obs_size),
        "points": pa.array(part.points[games, players].astype(np.int16)),
        "place": pa.array(part.places[games, players].astype(np.float32)),
        "share": pa.array(part.shares[games, players].astype(np.float32)),
    }
    return pa.table({name: columns[name] for name in COLUMNS})


def card_of(spec: GameSpec, about: dict[str, Any], n_rows: int, n_games: int) -> str:
    """Return the card of a data set, as hubs of data sets show it."""
    meanings = "\n".join(f"| `{name}` | {meaning} |" for name, meaning in COLUMNS.items())
    pieces = "\n".join(f"| `{p.name}` | {p.start} | {p.stop} | {p.high} |" for p in spec.obs_layout)
    return f"""---
pretty_name: Decisions of {spec.title}
configs:
- config_name: default
  data_files: data/*.parquet
tags: [board-games, reinforcement-learning, imitation-learning]
---

# Decisions of {spec.title}

{n_rows:,} decisions of {n_games:,} games, written by shogun-env {about["version"]} \
(rules version {spec.rules_version}, observation version {spec.obs_version}):

    {about["command"]}

Options of play: `{json.dumps(about["options"])}`. The bots know what their player may know; the rows of one game \
stand together, in order. Split by `seed`, never by row: the decisions of a game share its end.

| column | meaning |
|---|---|
{meanings}

The {spec.obs_size} bytes of `observation`, from the first to before the last:

| feature | first | last | highest value |
|---|---:|---:|---:|
{pieces}
"""


def parts_of(args: Any, batch_type: type[Batch], options: dict[str, Any]) -> Iterator[PlayedGames]:
    """Yield the games that a command line asks for, as many as fit into a file at a time."""
    if args.records:
        known: set[int] = set()
        for begin in range(0, len(args.records), GAMES_PER_FILE):
            yield replayed(batch_type, args.records[begin : begin + GAMES_PER_FILE], known)
        return
    names = specs_for(args.agents or "scripted", options["num_players"])
    agents = [make_agent(name, batch_type.spec) for name in names]
    for begin in range(0, args.games, GAMES_PER_FILE):
        count = min(GAMES_PER_FILE, args.games - begin)
        record = wants_records(agents)
        batch = batch_type(count, seed=args.seed + begin, num_threads=args.threads, record=record, **options)
        yield played(batch, agents, names)


def add_arguments(parser: cli.Parser, game: str) -> None:
    """Add the arguments of the command."""
    parser.add_argument("--agents", help="bots in player order, separated by commas, or one for all (scripted)")
    parser.add_argument(
        "--records", type=Path, nargs="+", metavar="FILE", help="records of one game, to write in place of new games"
    )
    parser.add_games(1000)
    parser.add_seed("seed of the first game; each later game has the next seed")
    parser.add_argument("--threads", type=cli.count, default=cli.cores(), metavar="N", help="threads of the engine")
    parser.add_out("data", "folder of the data set; it must be empty")
    parser.add_play(game)
    parser.set_defaults(game=None)  # so that records say it themselves


def is_left_over(folder: Path) -> bool:
    """Return whether a folder holds just what an export leaves that was stopped: files of data, and no card yet."""
    if not folder.is_dir() or [path.name for path in folder.iterdir()] != ["data"]:
        return False
    names = [path.name for path in (folder / "data").iterdir()]
    return all(re.fullmatch(r"\d{5}\.parquet|\.\d{5}\.parquet\.\d+", name) for name in names)


def main(args: argparse.Namespace) -> None:
    """Run the command."""
    import pyarrow.parquet as pq

    if args.records and (args.agents is not None or cli.options_of(args)):
        raise ValueError("--records: who played, and with which options, is in the records; leave these out")
    game = game_of(args.records[0], args.game) if args.records else args.game or GAMES[0]
    batch_type = cli.batch_class(game)
    spec = batch_type.spec
    options = spec.check_options(cli.options_of(args))
    if args.seed + args.games > MAX_SEED:
        raise ValueError(f"seed {args.seed} and {args.games} games: all seeds must be below 2^53")
    if is_left_over(args.out):
        print(f"{args.out}: what a stopped export left is written anew", file=sys.stderr)
        shutil.rmtree(args.out / "data")
    if args.out.exists() and any(args.out.iterdir()):
        raise ValueError(f"{args.out} is not empty; no file is overwritten, and no game was played")
    n_rows = n_games = 0
    total = len(args.records or range(args.games))
    with cli.progress("export", total) as show:
        for number, part in enumerate(parts_of(args, batch_type, options)):
            with writing_whole(args.out / "data" / f"{number:05}.parquet") as stream:
                pq.write_table(table_of(part, spec), stream, compression="zstd")
            n_rows, n_games = n_rows + len(part.decisions.actions), n_games + len(part.seeds)
            show(n_games, f"{n_games} of {total} games, {n_rows:,} decisions")
    about: dict[str, Any] = {"version": __version__, "command": args.command_line}
    about["options"] = "those of the records" if args.records else cli.plain_options(options)
    write_whole(args.out / "README.md", card_of(spec, about, n_rows, n_games))
    print(f"{n_rows:,} decisions of {n_games:,} games written to {args.out}")
