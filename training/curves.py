"""How far learners on Shikoku are from an equilibrium, exactly, while they learn: ``shogun-env solve --learners ppo``.

Every learner is a training run with the code that trains for the large games, and some settings of its own. Its
snapshots are looked up in the whole tree of the small game, which says what best responses gain against them.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np

from shogun_env import shikoku
from shogun_env.exact.cfr import CFRPlus
from shogun_env.exact.mmd import MMD
from shogun_env.exact.policies import profile_of
from shogun_env.exact.tree import Tree
from shogun_env.exact.values import exploitability, mixture
from shogun_env.files import text_in, write_whole
from shogun_env.spec.forms import blaming, finite, fits, json_of
from shogun_env.training.config import MOST_SNAPSHOTS, load_config

LEARNERS: dict[str, dict[str, Any]] = {
    "ppo": {},
    "mmd": {"algorithm": "mmd", "ent_coef": 0.05, "magnet_average": 200_000},
    "r-nad": {"algorithm": "r-nad", "ent_coef": 0.05, "magnet_every": 100_000},
    "fictitious": {"algorithm": "fictitious"},
    "psro": {"algorithm": "psro"},
    "entropy 0.003": {"ent_coef": 0.003},
    "entropy 0.01": {"ent_coef": 0.01},
    "entropy 0.05": {"ent_coef": 0.05},
    "entropy 0.2": {"ent_coef": 0.2},
    "pool": {"ent_coef": 0.05, "self_fraction": 0.3, "snapshot_fraction": 1.0},
    "imitation first": {"ent_coef": 0.05, "imitate": "scripted", "imitation_fraction": 0.3},
}
"""Settings of the learners by name; those without more play against themselves as they are now.

Those of the algorithms, which come first, are for runs of half a million decisions; ``ppo`` has entropy 0.1."""
SAME = {"evaluate_every": 1_000_000_000, "evaluate_games": 100, "threads": 1}
ITERATIONS = (10, 20, 40, 80, 160, 320, 640, 1280)
"""Iterations after which the algorithms that know the whole tree are looked at."""

Curve = list[dict[str, float]]
"""The points of a run: decisions, seconds, NashConv of the network, and ``average``, that of its mixture."""
POINT = dict.fromkeys(("decisions", "seconds", "nash_conv", "average"), finite)


def compare(names: list[str], seeds: int, decisions: int, every: int, out: Path, command: str) -> None:
    """Train learners, print what each reached in the end, and what algorithms reach that know the whole tree.

    Args: names of learners; seeds, runs of each; decisions of a run; every, decisions between two points; out, folder,
        whose complete runs are not repeated, and in which ``curves.json`` is written; command line that resumes it.

    Raises: ValueError for an unknown learner, or runs with other settings in the folder.
    """
    if unknown := set(names) - set(LEARNERS):
        raise ValueError(f"--learners: unknown: {', '.join(sorted(unknown))}; known are {', '.join(LEARNERS)}")
    if every < (least := -(-decisions // MOST_SNAPSHOTS)):  # the payoffs of older ones are not kept
        raise ValueError(f"--every {every}: must be at least {least}, as {MOST_SNAPSHOTS} snapshots play at most")
    tree, curves = Tree.of(shikoku.Batch), {}
    for name in names:
        settings = SAME | LEARNERS[name] | {"decisions": decisions, "snapshot_every": every}
        curves[name] = [
            curve_of(tree, out / f"{name.replace(' ', '_')}-{seed}", settings | {"seed": seed}, command)
            for seed in range(seeds)
        ]
    print(f"{'learner':<18} {'NashConv':>9} {'lowest':>8} {'highest':>8} {'average':>8} {'seconds':>8}")
    for name, runs in curves.items():
        gaps = [run[-1]["nash_conv"] for run in runs]
        average, seconds = (np.mean([run[-1][value] for run in runs]) for value in ("average", "seconds"))
        print(
            f"{name:<18} {np.mean(gaps):>9.4f} {min(gaps):>8.4f} {max(gaps):>8.4f} {average:>8.4f} {seconds:>8.0f}",
            flush=True,
        )
    for name, points in tabular(tree).items():
        print(f"{name}: " + ", ".join(f"{gap:.4f} after {count}" for count, gap in points))
    write_whole(out / "curves.json", json.dumps(curves, indent=1) + "\n")


def curve_of(tree: Tree, folder: Path, settings: dict[str, Any], command: str) -> Curve:
    """Return the points of a run, which is trained unless that was done.

    ``average`` is NashConv of playing one of the snapshots so far, drawn before a game; by PSRO as often as it says.
    Before the first snapshot it is that of the network.
    """
    from shogun_env.training.runs import Run, parts_of, read_progress  # not above: --help needs no torch
    from shogun_env.training.trainer import train

    curve_file, config = folder / "curve.json", load_config(shikoku.Batch.spec, changes=settings)
    run, is_begun = Run.begun(folder, config, shikoku.Batch, command)
    if curve_file.is_file():
        with blaming(f"{curve_file} is damaged, delete it"):
            points: Curve = json_of(text_in(curve_file))
            if not points or not fits(points, [POINT]):
                raise ValueError("not the points of a curve")
        return points
    if not train(run, is_begun, command):
        raise KeyboardInterrupt  # it is saved
    last = read_progress(folder)[-1]
    points, profiles = [], []
    for path in [*sorted((folder / "snapshots").glob("*.npz")), folder / "network.npz"]:
        decisions = int(path.stem) if path.stem.isdigit() else int(last["decisions"])
        profile = profile_of(tree, [f"ppo:{path}"]).profile
        if path.stem.isdigit():
            profiles.append(profile)
        mixed = mixture(tree, np.array(profiles), parts_of(run, len(profiles))) if profiles else profile
        points.append(
            {
                "decisions": decisions,
                "seconds": round(last["seconds"] * decisions / last["decisions"], 1),
                "nash_conv": exploitability(tree, profile).nash_conv,
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
