"""What each part of observations and network brings: ``python -m benchmarks.ablations --game shogun``.

Networks imitate ``scripted``, each with one part taken away, from the same number of decisions and with several seeds;
then they play against bots. Only imitation is compared: it is quick, and everything else starts from it.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np

from shogun_env.agents.network.agent import Network
from shogun_env.agents.network.shape import Shape, Sizes
from shogun_env.benchmarks.arena.results import write_whole
from shogun_env.benchmarks.speed.command import machine
from shogun_env.benchmarks.speed.tables import table
from shogun_env.cli import Parser, Progress, batch_class, count, no_progress, progress, write_json
from shogun_env.spec.game_spec import GameSpec
from shogun_env.spec.layout import Kinds
from shogun_env.training.board_policy import BoardNetwork
from shogun_env.training.config import load_config
from shogun_env.training.evaluation import win_share
from shogun_env.training.imitation import Imitation
from shogun_env.training.learner import multiplies_bfloat16, prepare_torch

AGAINST = ("scripted:style=classic", "scripted")
"""Bots against which the networks play."""
FIRST_SEED = 2**43
"""First seed of the games, which are not those of runs or of evaluations."""
PLAIN_TRUNK = 256
"""Width of the network without a board: with it, one that sees Shogun costs about as much as one with a board."""


def without_features(spec: GameSpec, sizes: Sizes) -> Shape:
    """Return the network without what an engine works out for every place."""
    return Shape(spec, replace(sizes, features=False))


def without_units(spec: GameSpec, sizes: Sizes) -> Shape:
    """Return the network that sees each number as a part of the highest that its byte may hold."""
    layout = tuple(
        piece if isinstance(piece.shown, Kinds) else piece._replace(shown=float(piece.high))
        for piece in spec.obs_layout
    )
    return Shape(replace(spec, obs_layout=layout), sizes)


def without_flags(spec: GameSpec, sizes: Sizes) -> Shape:
    """Return the network that sees each category as one number; so it cannot add up places by owner or region."""
    layout = tuple(
        piece._replace(shown=float(piece.high)) if isinstance(piece.shown, Kinds) else piece
        for piece in spec.obs_layout
    )
    board = None if spec.board is None else spec.board._replace(groups=())
    return Shape(replace(spec, obs_layout=layout, board=board), sizes)


def without_sharing(spec: GameSpec, sizes: Sizes) -> Shape:
    """Return a plain network of two layers on ``flat``."""
    return Shape(replace(spec, board=None), replace(sizes, trunk=PLAIN_TRUNK, features=False))


def with_bytes_alone(spec: GameSpec, sizes: Sizes) -> Shape:
    """Return a plain network that sees every byte as a part of its highest value: no sharing, units or flags."""
    layout = tuple(piece._replace(shown=float(piece.high)) for piece in spec.obs_layout)
    return without_sharing(replace(spec, obs_layout=layout), sizes)


NETWORKS: dict[str, Callable[[GameSpec, Sizes], Shape]] = {
    "all": Shape,
    "no board features": without_features,
    "no units": without_units,
    "no flags": without_flags,
    "no sharing: plain, on `flat`": without_sharing,
    "plain, on bytes": with_bytes_alone,
}
"""What is compared, by name."""


def measure(
    game: str, name: str, seed: int, decisions: int, games: int, report: Progress = no_progress
) -> dict[str, Any]:
    """Return the figures of one network: how often it agrees with ``scripted``, its win shares, seconds.

    Args:
        game: short name of the game.
        name: one of ``NETWORKS``.
        seed: of its weights and of the games from which it learns.
        decisions: from how many it learns.
        games: how many it plays against each bot.
        report: shows progress, as a share of the whole.
    """
    batch_type = batch_class(game)
    config = load_config(batch_type.spec, changes={"seed": seed})
    network = BoardNetwork(
        NETWORKS[name](batch_type.spec, Sizes(row=config.row, trunk=config.trunk, value=config.value)), seed
    )
    network.is_mixed = multiplies_bfloat16()
    imitation, rng = Imitation(network, config), np.random.default_rng(seed)
    batch = batch_type(config.games)
    done = rounds = 0
    begin = time.process_time()
    while done < decisions:
        batch.reset(seeds=FIRST_SEED + (seed * 2**20 + rounds) * config.games + np.arange(config.games))
        done += imitation.learn_from([batch], done / decisions, rng)
        rounds += 1
        report(min(1.0, done / decisions), f"{name}, seed {seed}")
    spent = time.process_time() - begin
    bot = Network(network.shape, network.weights())
    shares = {opponent: win_share(bot, opponent, batch_type, {}, games)[0] for opponent in AGAINST}
    figures = {"agrees": imitation.agreement, "shares": shares, "decisions": done, "cpu_seconds": round(spent, 1)}
    return {"network": name, "seed": seed, **figures}


def rows_of(results: Sequence[dict[str, Any]]) -> list[list[str]]:
    """Return the rows of the table: for each network the mean over its seeds, with the lowest and the highest."""

    def cell(values: Sequence[float]) -> str:
        return f"{mean(values):.1%} ({min(values):.1%}–{max(values):.1%})"

    rows = []
    for name in NETWORKS:
        own = [result for result in results if result["network"] == name]
        if own:
            cost = mean(result["cpu_seconds"] / result["decisions"] for result in own)
            shares = [cell([result["shares"][opponent] for result in own]) for opponent in AGAINST]
            rows.append([name, cell([result["agrees"] for result in own]), *shares, f"{1e6 * cost:.0f}"])
    return rows


def run(game: str, seeds: int, decisions: int, games: int, out: Path, report: Progress = no_progress) -> list[Any]:
    """Measure all networks with all seeds and return the results; those that the file holds are not measured again.

    Raises: ValueError if the file holds results of another game or of other numbers of decisions or games.
    """
    asked = {"game": game, "decisions": decisions, "games": games}
    lines = [json.loads(line) for line in out.read_text("utf-8").splitlines()] if out.is_file() else []
    for line in lines:
        if line["asked"] != asked:
            raise ValueError(f"{out} holds results with {line['asked']}, not {asked}; give another --out")
    known = {(line["network"], line["seed"]) for line in lines}
    todo = [(seed, name) for seed in range(seeds) for name in NETWORKS if (name, seed) not in known]
    out.parent.mkdir(parents=True, exist_ok=True)
    for number, (seed, name) in enumerate(todo):

        def share_done(share: float, text: str, number: int = number) -> None:
            report(number + share, text)

        lines.append({**measure(game, name, seed, decisions, games, share_done), "asked": asked})
        write_whole(out, "".join(json.dumps(line) + "\n" for line in lines))
    return lines


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    parser = Parser(prog="python -m benchmarks.ablations", description=(__doc__ or "").split(":")[0])
    parser.add_game()
    parser.add_argument("--seeds", type=count, default=3, metavar="N", help="seeds of each network (3)")
    parser.add_argument(
        "--decisions", type=count, default=800_000, metavar="N", help="decisions to learn from (800000)"
    )
    parser.add_argument("--games", type=count, default=2000, metavar="N", help="games against each bot (2000)")
    about_out = "file to which each result is added; those in it are not measured again"
    parser.add_out("runs/ablations.jsonl", about_out, metavar="FILE")
    parser.add_json("the results")
    args = parser.parse_args(arguments)
    with parser.one_line_errors():
        prepare_torch(1)
        with progress("ablations", args.seeds * len(NETWORKS)) as report:
            results = run(args.game, args.seeds, args.decisions, args.games, args.out, report)
        origin = machine()
        print(f"{args.game}, {args.seeds} seeds, {args.decisions:,} decisions, {args.games:,} games against each bot;")
        print(f"{origin['cpu']}, {origin['cores']} cores, one used\n")
        heads = ["network", "agrees with scripted", *(f"wins against {name}" for name in AGAINST), "CPU µs a decision"]
        print(table(heads, rows_of(results)), end="")
        write_json(args.json, results)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
