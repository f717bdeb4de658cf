"""Solve Shikoku by CFR+, and say what bots lose there against best responses: ``shogun-env solve``.

``--learners ppo,mmd`` trains learners instead, and says how far each of them is from an equilibrium (``curves``).
"""

import argparse
import sys
import time
from pathlib import Path
from typing import get_args

import numpy as np

from shogun_env import cli, shikoku
from shogun_env.exact.cfr import solve
from shogun_env.exact.policies import profile_of
from shogun_env.exact.tree import Tree
from shogun_env.exact.values import exploitability
from shogun_env.files import writing_whole
from shogun_env.policies import make_agent, specs_in
from shogun_env.shikoku.options import DEFAULTS, PLAYERS, Size
from shogun_env.training import curves

SOLVING = {
    "players": DEFAULTS["num_players"], "size": DEFAULTS["size"], "target": 0.001, "most": 2000, "agents": "random",
    "samples": 100, "out": None,
}  # fmt: skip
LEARNING = {"seeds": 5, "decisions": 400_000, "every": 40_000, "runs": Path("runs/curves")}
"""Options of solving and of training learners, with their defaults: each is refused with the other."""


def add_arguments(parser: cli.Parser, game: str) -> None:
    """Add the arguments of the command."""
    parser.set_defaults(**SOLVING, **LEARNING)
    parser.add_argument("--players", type=int, choices=PLAYERS, help="number of players (2)")
    parser.add_argument("--size", choices=get_args(Size), help="size of the game (small)")
    parser.add_argument(
        "--target", type=cli.number, metavar="X",
        help="stop when NashConv is this fraction of the range of returns (0.001)",
    )  # fmt: skip
    parser.add_argument("--most", type=cli.count, metavar="N", help="stop after this many iterations (2000)")
    parser.add_argument("--agents", help="bots whose exact losses are printed, with commas (random)")
    parser.add_argument(
        "--samples", type=cli.count, metavar="N", help="answers to draw from bots that state no probabilities (100)"
    )
    parser.add_argument("-o", "--out", type=cli.new_file, metavar="FILE", help="file for the equilibrium, .npz")
    learners = parser.add_argument_group("learners", "Train on the small game of two players instead of solving.")
    learners.add_argument(
        "--learners", metavar="NAMES",
        help=f"whose exact losses are printed, with commas (needs the extra rl): {', '.join(curves.LEARNERS)}",
    )  # fmt: skip
    learners.add_argument("--seeds", type=cli.count, metavar="N", help="runs of each (5)")
    learners.add_argument("--decisions", type=cli.count, metavar="N", help="of a run (400000)")
    learners.add_argument("--every", type=cli.count, metavar="N", help="from point to point (40000)")
    learners.add_argument(
        "--runs", type=Path, metavar="DIR",
        help="folder of the runs, of which those that are complete are not repeated (runs/curves)",
    )  # fmt: skip


def main(args: argparse.Namespace) -> None:
    """Write the tree down, print what bots lose, run CFR+, and keep the result; or train learners."""
    does_learn = args.learners is not None
    for name, default in (SOLVING if does_learn else LEARNING).items():
        if getattr(args, name) != default:
            raise ValueError(f"--{name}: {'not' if does_learn else 'only'} with --learners")
    if does_learn:
        names = args.learners.split(",")
        curves.compare(names, args.seeds, args.decisions, args.every, args.runs, args.command_line)
        return
    bots = {name: make_agent(name, shikoku.Batch.spec) for name in specs_in(args.agents)}
    began = time.perf_counter()
    tree = Tree.of(shikoku.Batch, num_players=args.players, size=args.size, progress=_say)
    took = time.perf_counter() - began
    print(f"{len(tree):,} histories, {len(tree.counts):,} information sets, {len(tree.returns):,} ends; {took:.1f} s")
    for agent, bot in bots.items():
        sampled = profile_of(tree, [bot], args.samples)
        found = exploitability(tree, sampled.profile)
        gains = ", ".join(f"{gain:.4f}" for gain in found.gains)
        error = f"; sampled, probabilities ±{sampled.error:.2f}, which raises it" if sampled.error else ""
        print(f"{agent}: best responses gain {gains}; NashConv {found.nash_conv:.4f}{error}")
    print("iterations   NashConv  / range  seconds")
    began, width = time.perf_counter(), float(np.ptp(tree.returns))
    for solver, gap in solve(tree, args.target * width, most=args.most):
        seconds = time.perf_counter() - began
        print(f"{solver.iterations:>10}  {gap:>9.6f}  {gap / width:>7.3%}  {seconds:>7.1f}", flush=True)
    if args.out is not None:
        with writing_whole(args.out) as file:
            np.savez_compressed(
                file, profile=solver.average(), actions=tree.actions, begins=tree.begins, counts=tree.counts,
                owners=tree.owners, states=tree.states,
            )  # fmt: skip
        print(f"wrote {args.out}")


def _say(histories: int) -> None:
    """Say how many histories there are so far, now and then."""
    if histories % 1_000_000 == 0:
        print(f"{histories:,} histories …", file=sys.stderr, flush=True)
