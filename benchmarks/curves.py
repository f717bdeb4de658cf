"""How far learners on Shikoku are from an equilibrium, exactly, while they learn: ``shogun-env curves``.

Every learner is a training run with the code that trains for the large games, and some settings of its own. Its
snapshots are looked up in the whole tree of the small game, which says what best responses gain against them.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

from shogun_env import cli, shikoku
from shogun_env.benchmarks import pictures
from shogun_env.exact.cfr import CFRPlus
from shogun_env.exact.mmd import MMD
from shogun_env.exact.policies import profile_of
from shogun_env.exact.tree import Tree
from shogun_env.exact.values import exploitability, mixture
from shogun_env.files import write_whole
from shogun_env.training.config import load_config

ALGORITHMS: dict[str, dict[str, Any]] = {
    "ppo": {},
    "mmd": {"algorithm": "mmd", "ent_coef": 0.05, "magnet_average": 200_000},
    "r-nad": {"algorithm": "r-nad", "ent_coef": 0.05, "magnet_every": 100_000},
    "fictitious": {"algorithm": "fictitious"},
    "psro": {"algorithm": "psro"},
}
"""Settings of the algorithms by name, which are those of runs of half a million decisions; ``ppo`` has entropy 0.1."""
LEARNERS: dict[str, dict[str, Any]] = {
    **ALGORITHMS,
    "entropy 0.003": {"ent_coef": 0.003},
    "entropy 0.01": {"ent_coef": 0.01},
    "entropy 0.05": {"ent_coef": 0.05},
    "entropy 0.2": {"ent_coef": 0.2},
    "pool": {"ent_coef": 0.05, "self_fraction": 0.3, "snapshot_fraction": 1.0},
    "imitation first": {"ent_coef": 0.05, "imitate": "scripted", "imitation_fraction": 0.3},
}
"""Settings of the learners by name; those without more play against themselves as they are now."""
SAME = {"evaluate_every": 1_000_000_000, "evaluate_games": 100, "threads": 1}
CURVE = "curve.json"
ITERATIONS = (10, 20, 40, 80, 160, 320, 640, 1280)
"""Iterations after which the algorithms that know the whole tree are looked at."""


def add_arguments(parser: cli.Parser, game: str) -> None:
    """Add the arguments of the command."""
    others = ", ".join(name for name in LEARNERS if name not in ALGORITHMS)
    parser.add_argument(
        "--learners", default=",".join(ALGORITHMS),
        help=f"which learners, with commas ({','.join(ALGORITHMS)}); there are also {others}",
    )  # fmt: skip
    parser.add_argument("--seeds", type=cli.count, default=5, metavar="N", help="runs of each learner (5)")
    parser.add_argument("--decisions", type=cli.count, default=400_000, metavar="N", help="decisions of a run (400000)")
    parser.add_argument(
        "--every", type=cli.count, default=40_000, metavar="N", help="decisions between two points (40000)"
    )
    parser.add_out("runs/curves", "folder; runs that are complete in it are not repeated")


def main(args: argparse.Namespace) -> None:
    """Run the command."""
    names = args.learners.split(",")
    if unknown := set(names) - set(LEARNERS):
        raise ValueError(f"--learners: unknown: {', '.join(sorted(unknown))}; known are {', '.join(LEARNERS)}")
    tree = Tree.of(shikoku.Batch)
    curves = {name: [curve_of(tree, args, name, seed) for seed in range(args.seeds)] for name in names}
    print_table(curves)
    for name, points in tabular(tree).items():
        print(f"{name}: " + ", ".join(f"{gap:.4f} after {count}" for count, gap in points))
    write_whole(args.out / "curves.json", json.dumps(curves, indent=1) + "\n")
    if path := draw(curves, args.out / "curves.png"):
        print(f"wrote {path}")


def curve_of(tree: Tree, args: argparse.Namespace, name: str, seed: int) -> list[dict[str, float]]:
    """Return the points of a run, which is trained unless that was done: decisions, seconds, NashConv.

    ``nash_conv`` is that of the network, ``average`` that of playing one of its snapshots so far, drawn before a game;
    by PSRO as often as it says.
    """
    from shogun_env.training.runs import Run, parts_of, read_progress  # not above: --help needs no torch
    from shogun_env.training.trainer import train

    folder = args.out / f"{name.replace(' ', '_')}-{seed}"
    curve_file = folder / CURVE
    own = {"seed": seed, "decisions": args.decisions, "snapshot_every": args.every}
    config = load_config(shikoku.Batch.spec, changes={**SAME, **LEARNERS[name], **own})
    if is_begun := (folder / "run.json").is_file():
        run = Run.open(folder, shikoku.Batch)
        if run.config != config:
            raise ValueError(
                f"{folder} is a run with other settings; give another --out, or --decisions and --every as then"
            )
        if curve_file.is_file():
            points: list[dict[str, float]] = json.loads(curve_file.read_text("utf-8"))
            return points
    else:
        run = Run.create(folder, config, shikoku.Batch, f"benchmarks.curves, {name}")
    if not train(run, is_begun, args.command_line):
        raise KeyboardInterrupt  # it is saved
    last = read_progress(folder)[-1]
    points, profiles = [], []
    for path in [*sorted((folder / "snapshots").glob("*.npz")), folder / "network.npz"]:
        decisions = int(path.stem) if path.stem.isdigit() else int(last["decisions"])
        profiles.append(profile_of(tree, [f"ppo:{path}"]).profile)
        parts = parts_of(run, len(profiles))
        mixed = mixture(tree, np.array(profiles)[: len(parts)], parts)
        points.append(
            {
                "decisions": decisions,
                "seconds": round(last["seconds"] * decisions / last["decisions"], 1),
                "nash_conv": exploitability(tree, profiles[-1]).nash_conv,
                "average": exploitability(tree, mixed).nash_conv,
            }
        )
    write_whole(curve_file, json.dumps(points) + "\n")
    return points


def tabular(tree: Tree) -> dict[str, list[tuple[int, float]]]:
    """Return NashConv after some iterations of the algorithms that know the whole tree, by name."""
    solver, descent = CFRPlus(tree), MMD(tree)
    curves: dict[str, list[tuple[int, float]]] = {"CFR+": [], "MMD": []}
    for count in ITERATIONS:
        solver.run(count - solver.iterations)
        descent.run(count - descent.iterations)
        curves["CFR+"].append((count, exploitability(tree, solver.average()).nash_conv))
        curves["MMD"].append((count, exploitability(tree, descent.profile).nash_conv))
    return curves


def print_table(curves: dict[str, list[list[dict[str, float]]]]) -> None:
    """Print what the runs of each learner reached in the end: mean, lowest and highest."""
    print(f"{'learner':<18} {'NashConv':>9} {'lowest':>8} {'highest':>8} {'average':>8} {'seconds':>8}")
    for name, runs in curves.items():
        gaps = [run[-1]["nash_conv"] for run in runs]
        average = np.mean([run[-1]["average"] for run in runs])
        seconds = np.mean([run[-1]["seconds"] for run in runs])
        print(
            f"{name:<18} {np.mean(gaps):>9.4f} {min(gaps):>8.4f} {max(gaps):>8.4f} {average:>8.4f} {seconds:>8.0f}",
            flush=True,
        )


def draw(curves: dict[str, list[list[dict[str, float]]]], path: Path) -> Path | None:
    """Draw the curves, a band from the best to the worst seed; return the path, None without matplotlib.

    They are those of what is learnt: of a mixture of the snapshots by algorithms that learn one, else of the network.
    """
    if not pictures.is_available():
        print("no picture: it needs the extra viz (matplotlib)", file=sys.stderr)
        return None

    def lines(axes: Any) -> None:
        bands = {}
        for name, runs in curves.items():
            is_mixture = load_config(shikoku.Batch.spec, changes=LEARNERS[name]).snapshot_draw != "score"
            gap = "average" if is_mixture else "nash_conv"
            bands[name] = [
                ([point["decisions"] / 1000 for point in run], [point[gap] for point in run]) for run in runs
            ]
        pictures.draw_bands(axes, bands)
        axes.set_yscale("log")
        axes.set_xlabel("decisions learnt from, thousands")
        axes.set_ylabel("NashConv (0 in an equilibrium)")

    path.write_bytes(pictures.picture(lines, 3.6, "png"))
    return path
