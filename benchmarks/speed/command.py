"""Measure the speed of everything: ``python -m benchmarks.speed --json out/speed.json``; compile seconds apart.

Figures are measured round by round, each in turn, so that their ratios hold on a machine that is not all ours.
``--publish`` makes ``benchmarks/README.md`` and ``baseline.json`` from such files, one a game.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from shogun_env.batch.validation import MAX_SEED
from shogun_env.benchmarks.speed.measures import (
    Measure,
    Settings,
    bytes_per_game,
    compile_seconds,
    import_seconds,
    learning_rate,
    measures,
    memory_of_many,
    num_cores,
    rates,
)
from shogun_env.benchmarks.speed.peers import find_peers
from shogun_env.benchmarks.speed.tables import WORDS, Tree, compare, moved_table, page, ratios, readme, summary
from shogun_env.cli import Parser, batch_class, commit, progress, versions

HERE = Path(__file__).parent
QUICK = Settings(seconds=0.1, one_run=False)
BUSY = 0.5
"""Share of the cores at work before a run begins, from which on its figures are doubtful."""
PEER_FIGURES = ("decisions_per_s", "games_per_s")
ONE_RUN = ("compile_cold_s", "selfplay_fps", "memory_100k_games_bytes")

Samples = dict[tuple[str, ...], list[float]]


def cpu_name() -> str:
    """Return what the system calls its processor."""
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text("utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def machine() -> Tree:
    """Return where figures are measured, as JSON values; ``load`` is that of the last minute, others' work included."""
    load = round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None
    return {"cpu": cpu_name(), "cores": num_cores(), "load": load, "versions": versions(), "commit": commit()}


def run(settings: Settings, peers: bool = False) -> Tree:
    """Measure everything and return it as a tree of figures; Ctrl-C returns the rounds that were made.

    Raises: ValueError for an unknown game.
    """
    batch_type = batch_class(settings.game)
    where = machine()
    if where["load"] is not None and where["load"] > BUSY * where["cores"]:
        print(
            f"this machine is busy (load {where['load']} on {where['cores']} cores): figures are low", file=sys.stderr
        )
    works = measures(settings)
    missing: dict[str, str] = {}
    if peers:
        found, missing = find_peers(settings.seed)
        works += [
            Measure(tuple(("peers", name, figure) for figure in PEER_FIGURES), work) for name, work in found.items()
        ]
    samples: Samples = {path: [] for measure in works for path in measure.paths}
    shares: Samples = {path: [] for path in samples}
    once: Tree = dict.fromkeys(ONE_RUN)
    try:
        _rounds(settings, works, samples, shares)
        if settings.one_run:
            _once(settings, once)
    except KeyboardInterrupt:
        print("stopped; what was measured so far is kept", file=sys.stderr)
    figures = _tree(samples, shares)
    players = str(batch_type.spec.option_defaults["num_players"])
    return {
        "machine": where,
        "game": settings.game,
        "num_players": int(players),
        "rounds": settings.rounds,
        "seconds": settings.seconds,
        "cores": num_cores(),
        **dict.fromkeys(WORDS),
        **figures["by_players"][players],
        **figures,
        **once,
        "bytes_per_game": summary([bytes_per_game(batch_type, settings.games)]),
        "peers": {**figures.get("peers", {}), **{name: {"missing": why} for name, why in missing.items()}},
        "ratios": ratios(samples, shares),
    }


def _rounds(settings: Settings, works: Sequence[Measure], samples: Samples, shares: Samples) -> None:
    """Measure everything once a round, after one turn that compiles and fills caches."""
    with progress("speed", settings.rounds * len(works)) as report:
        for measure in works:
            measure.work()
        for number in range(settings.rounds):
            for index, measure in enumerate(works):
                found, cores = rates(measure.work, settings.seconds)
                for path, value in zip(measure.paths, found, strict=False):
                    samples[path].append(float(value))
                    shares[path].append(cores)
                report(number * len(works) + index + 1, f"round {number + 1} of {settings.rounds}")
            samples.setdefault(("import_warm_s",), []).append(import_seconds(settings.game))


def _once(settings: Settings, figures: Tree) -> None:
    """Measure what takes long, once; what cannot run here says why and stays empty."""
    works: dict[str, Callable[[], float]] = {
        "memory_100k_games_bytes": lambda: memory_of_many(settings.game),
        "compile_cold_s": lambda: compile_seconds(settings.game),
        "selfplay_fps": lambda: learning_rate(settings.game, settings.seed),
    }
    with progress("speed, long figures", len(works)) as report:
        for number, (name, work) in enumerate(works.items()):
            try:
                figures[name] = summary([work()])
            except subprocess.CalledProcessError as error:
                print(f"{name} not measured: {(error.stderr.strip().splitlines() or [error])[-1]}", file=sys.stderr)
            report(number + 1, name)


def _tree(samples: Samples, shares: Samples) -> Tree:
    tree: Tree = {}
    for path, values in samples.items():
        branch = tree
        for name in path[:-1]:
            branch = branch.setdefault(name, {})
        branch[path[-1]] = summary(values, shares.get(path, ()))
    return tree


# --- files -----------------------------------------------------------------------------------------------------------


def read_json(path: Path, *needed: str) -> Tree:
    """Return a JSON file's object; ValueError saying what is wrong with the file."""
    try:
        found: Any = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise ValueError(f"{path}: {error.strerror}") from None
    except ValueError:
        raise ValueError(f"{path}: not a JSON file") from None
    if not isinstance(found, dict) or not set(needed) <= set(found):
        raise ValueError(f"{path}: not of this command; it must hold {', '.join(needed)}")
    return found


def publish(paths: Sequence[Path], folder: Path = HERE) -> None:
    """Write ``README.md`` and ``baseline.json`` from files of runs, one a game."""
    runs = [read_json(path, "machine", "game", "ratios", *WORDS) for path in paths]
    if len({run["game"] for run in runs}) < len(runs):
        raise ValueError("--publish takes one file a game; two of these are of the same")
    games = {run["game"]: {"machine": run["machine"], "ratios": run["ratios"]} for run in runs}
    (folder / "baseline.json").write_text(json.dumps(games, indent=1) + "\n", "utf-8")
    (folder / "README.md").write_text(readme(runs), "utf-8")


# --- the command -----------------------------------------------------------------------------------------------------


def parser() -> argparse.ArgumentParser:
    """Return the command's arguments."""
    made = Parser(prog="python -m benchmarks.speed", description=(__doc__ or "").split(":")[0])
    made.add_argument("--game", default="shogun", help="shogun or shitenno (shogun)")
    made.add_argument("--quick", action="store_true", help="under a minute; without compiling, training, memory")
    made.add_argument("--json", type=Path, metavar="FILE", help="write all figures there")
    made.add_argument("--peers", action="store_true", help="measure other libraries that are installed, too")
    made.add_argument("--baseline", type=Path, metavar="FILE", help="say what moved against the ratios in this file")
    made.add_argument("--seed", type=int, default=0, help="seed of all games (0)")
    made.add_argument(
        "--publish",
        type=Path,
        nargs="+",
        metavar="FILE",
        help="measure nothing; write README.md and baseline.json from these, one a game",
    )
    return made


def main(arguments: Sequence[str] | None = None, settings: Settings | None = None) -> int:
    """Run the command; return its exit status. ``settings`` are for tests: how long, how large."""
    args = parser().parse_args(arguments)
    chosen = replace(settings or (QUICK if args.quick else Settings()), game=args.game, seed=args.seed)
    try:
        if args.publish:
            publish(args.publish)
            return 0
        if not 0 <= args.seed < MAX_SEED:
            raise ValueError(f"--seed {args.seed}: must lie from 0 to 2^53 - 1")
        before = read_json(args.baseline).get(args.game, {"ratios": {}}) if args.baseline else None
        if args.json:
            args.json.parent.mkdir(parents=True, exist_ok=True)
        found = run(chosen, args.peers)
    except (ValueError, OSError) as error:
        parser().error(str(error))
    print(page(found))
    if before is not None:
        print(moved_table(compare(found["ratios"], before["ratios"])))
    if args.json:
        args.json.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
