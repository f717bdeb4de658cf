"""Measure the speed of everything: ``python -m benchmarks.speed --json out/speed.json``.

Figures are measured round by round, each in turn, so that their ratios also hold on a machine with other work.
``--publish`` makes ``benchmarks/README.md`` and ``baseline.json`` from such files, one per game.
"""

from __future__ import annotations

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
from shogun_env.cli import (
    Parser,
    batch_class,
    chosen_game,
    commit,
    options_of,
    progress,
    unusual_options,
    versions,
    write_json,
)

PUBLISHED = Path(__file__).parents[1]
"""The folder of the benchmarks, which holds ``README.md`` and ``baseline.json``."""
QUICK = Settings(seconds=0.1, one_run=False)
"""Settings of ``--quick``."""
BUSY = 0.5
"""If a larger share of the cores is at work before a run begins, a warning is printed."""
PEER_FIGURES = ("decisions_per_s", "games_per_s")
ONE_RUN = ("compile_cold_s", "selfplay_fps", "memory_100k_games_bytes")
"""Figures that are measured once, because they take minutes."""

Samples = dict[tuple[str, ...], list[float]]
"""What each round measured, by path of the figure."""


def cpu_name() -> str:
    """Return the name of the processor, as the system gives it."""
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text("utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def machine() -> Tree:
    """Return a description of the machine as JSON values; ``load`` is that of all processes in the last minute."""
    load = round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None
    return {"cpu": cpu_name(), "cores": num_cores(), "load": load, "versions": versions(), "commit": commit()}


def run(settings: Settings, peers: bool = False) -> Tree:
    """Measure everything and return a tree of figures; after Ctrl-C it is made of the rounds so far.

    Args:
        settings: what to measure.
        peers: whether to measure other libraries too.

    Raises: ValueError for an unknown game, or options of play that it does not allow.
    """
    batch_type = batch_class(settings.game)
    players = str(batch_type.spec.check_options(settings.options)["num_players"])
    where = machine()
    if where["load"] is not None and where["load"] > BUSY * where["cores"]:
        print(
            f"this machine is busy (load {where['load']} on {where['cores']} cores): figures will be low",
            file=sys.stderr,
        )
    works = measures(settings)
    missing: dict[str, str] = {}
    if peers:
        installed, missing = find_peers(settings.seed)
        works += [
            Measure(tuple(("peers", name, figure) for figure in PEER_FIGURES), work) for name, work in installed.items()
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
    return {
        "machine": where,
        "game": settings.game,
        "options": dict(settings.options),
        "num_players": int(players),
        "rounds": settings.rounds,
        "seconds": settings.seconds,
        "cores": num_cores(),
        **dict.fromkeys(WORDS),
        **figures["by_players"][players],
        **figures,
        **once,
        "bytes_per_game": summary([bytes_per_game(batch_type, settings)]),
        "peers": {**figures.get("peers", {}), **{name: {"missing": why} for name, why in missing.items()}},
        "ratios": ratios(samples, shares),
    }


def _rounds(settings: Settings, works: Sequence[Measure], samples: Samples, shares: Samples) -> None:
    """Measure everything once per round, after a first pass that compiles kernels and fills caches."""
    with progress("speed", settings.rounds * len(works)) as report:
        for measure in works:
            measure.work()
        for number in range(settings.rounds):
            for index, measure in enumerate(works):
                values, cores = rates(measure.work, settings.seconds)
                for path, value in zip(measure.paths, values, strict=False):
                    samples[path].append(float(value))
                    shares[path].append(cores)
                report(number * len(works) + index + 1, f"round {number + 1} of {settings.rounds}")
            samples.setdefault(("import_warm_s",), []).append(import_seconds(settings))


def _once(settings: Settings, figures: Tree) -> None:
    """Measure once what takes long; for what cannot run here the reason is printed, and the figure stays empty."""
    works: dict[str, Callable[[], float]] = {
        "memory_100k_games_bytes": lambda: memory_of_many(settings),
        "compile_cold_s": lambda: compile_seconds(settings),
        "selfplay_fps": lambda: learning_rate(settings),
    }
    with progress("speed, long figures", len(works)) as report:
        for number, (name, work) in enumerate(works.items()):
            try:
                figures[name] = summary([work()])
            except subprocess.CalledProcessError as error:
                print(f"{name} not measured: {(error.stderr.strip().splitlines() or [error])[-1]}", file=sys.stderr)
            report(number + 1, name)


def _tree(samples: Samples, shares: Samples) -> Tree:
    """Return the summaries of all figures as a tree, by the parts of their paths."""
    tree: Tree = {}
    for path, values in samples.items():
        branch = tree
        for name in path[:-1]:
            branch = branch.setdefault(name, {})
        branch[path[-1]] = summary(values, shares.get(path, ()))
    return tree


# --- files -----------------------------------------------------------------------------------------------------------


def read_json(path: Path, *required: str) -> Tree:
    """Return the object in a JSON file, which must hold the names in ``required``; ValueError for another file."""
    try:
        content: Any = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise ValueError(f"{path}: {error.strerror}") from None
    except ValueError:
        raise ValueError(f"{path}: not a JSON file") from None
    if not isinstance(content, dict) or not set(required) <= set(content):
        raise ValueError(f"{path}: not of this command; it must hold {', '.join(required)}")
    return content


def publish(paths: Sequence[Path], folder: Path) -> None:
    """Write ``README.md`` and ``baseline.json`` into a folder, from files written by ``--json``, one per game."""
    runs = [read_json(path, "machine", "game", "options", "ratios", *WORDS) for path in paths]
    if len({run["game"] for run in runs}) < len(runs):
        raise ValueError("--publish takes one file per game; two of these are of the same game")
    games = {run["game"]: {name: run[name] for name in ("machine", "options", "ratios")} for run in runs}
    write_json(folder / "baseline.json", games)
    (folder / "README.md").write_text(readme(runs), "utf-8")


def read_baseline(path: Path | None, settings: Settings) -> Tree | None:
    """Return the ratios that a file written by ``publish`` holds for a game, none if it lacks the game; None for None.

    Raises: ValueError for another file, or one whose games had other options of play.
    """
    if path is None:
        return None
    baseline = read_json(path).get(settings.game)
    if baseline is None:
        return {}
    options = baseline.get("options", {})
    if options != settings.options:
        raise ValueError(
            f"--baseline {path}: its games of {settings.game} have the options {options}, "
            f"and these {dict(settings.options)}; their ratios cannot be compared"
        )
    ratios: Tree = baseline["ratios"]
    return ratios


# --- the command -----------------------------------------------------------------------------------------------------


def make_parser(game: str) -> Parser:
    """Return the parser of the command, with the options of play of ``game``."""
    parser = Parser(prog="python -m benchmarks.speed", description=(__doc__ or "").split(":")[0])
    parser.add_argument(
        "--quick", action="store_true", help="less than a minute; without compile time, training and memory"
    )
    parser.add_argument("--peers", action="store_true", help="also measure other libraries that are installed")
    parser.add_argument("--baseline", type=Path, metavar="FILE", help="compare the ratios with those in this file")
    parser.add_argument(
        "--publish",
        type=Path,
        nargs="+",
        metavar="FILE",
        help="measure nothing; write README.md and baseline.json from these files, one per game",
    )
    parser.add_seed("seed of all games")
    parser.add_json("all figures")
    parser.add_play(game)
    return parser


def main(arguments: Sequence[str] | None = None, settings: Settings | None = None) -> int:
    """Run the command; return its exit status. Tests give ``settings`` that take little time."""
    parser = make_parser(chosen_game(arguments))
    args = parser.parse_args(arguments)
    with parser.one_line_errors():
        if args.publish:
            publish(args.publish, PUBLISHED)
            return 0
        options = unusual_options(batch_class(args.game).spec, options_of(args))
        chosen = replace(
            settings or (QUICK if args.quick else Settings()), game=args.game, options=options, seed=args.seed
        )
        before = read_baseline(args.baseline, chosen)
        if args.json:
            args.json.parent.mkdir(parents=True, exist_ok=True)  # an error should not come after minutes of work
        figures = run(chosen, args.peers)
        print(page(figures))
        if before is not None:
            print(moved_table(compare(figures["ratios"], before)))
        write_json(args.json, figures)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
