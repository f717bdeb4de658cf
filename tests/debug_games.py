"""Play whole games without compilation and check every field after each decision: ``make debug``."""

from __future__ import annotations

import sys
import time

import numpy as np

from shogun_env.kernel.jit import JIT
from tests.games import KINDS, NAMES, Options, batch_class, play_on, rare_action


def first_fault(name: str, number: int, options: Options) -> str | None:
    """Play a game and print how it came out; return what is wrong in it, or None."""
    batch = batch_class(name)(1, seed=number, record=True, **options)
    for step, _ in enumerate(play_on(batch, number, pick=rare_action)):
        code = int(batch.check()[0])
        if code:
            return f"{name}, {options}, seed {number}, decision {step}: {batch.spec.check_messages[code]}"
        batch.observe()
    points = " ".join(map(str, batch.points[0]))
    print(f"{name}, seed {number:2}, {options}: {batch.decisions[0]} decisions, points {points}")
    return None


def main() -> int:
    """Play games of all kinds; return the exit status."""
    if JIT:
        print(
            "NUMBA_DISABLE_JIT is not set: the kernels are compiled, their array bounds are not checked",
            file=sys.stderr,
        )
    begin = time.perf_counter()
    games = [(name, number, options) for name in NAMES for number, options in enumerate(KINDS[name])]
    with np.errstate(over="ignore"):  # products of the random stream wrap, which numpy warns of for each
        for game in games:
            if fault := first_fault(*game):
                print(fault, file=sys.stderr)
                return 1
    print(f"{len(games)} games, no field out of order, {time.perf_counter() - begin:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
