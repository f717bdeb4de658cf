"""Play whole games without compilation and check every field after each decision: ``make debug``."""

from __future__ import annotations

import sys
import time

import numpy as np

from shogun_env._jit import JIT
from shogun_env.shogun import SHOGUN, Batch
from tests.property.games import STARTS, TOWERS, eager_to_bury, play_on


def main() -> int:
    """Play one game of every start and number of players; return the exit status."""
    if JIT:
        print(
            "NUMBA_DISABLE_JIT is not set: the kernels are compiled, their array bounds are not checked",
            file=sys.stderr,
        )
    begin = time.perf_counter()
    with np.errstate(over="ignore"):  # products of the random stream wrap, which numpy warns of for each
        for number, start in enumerate(STARTS * 3):
            options = {"num_players": 3 + number // len(STARTS), "tower": TOWERS[number % len(TOWERS)]}
            batch = Batch(1, seed=number, record=True, optional_moves=number % 2 == 0, **start, **options)
            for step, _ in enumerate(play_on(batch, number, pick=eager_to_bury)):
                code = int(batch.check()[0])
                if code != 0:
                    print(f"{start | options}, seed {number}, decision {step}: {SHOGUN.checks[code]}", file=sys.stderr)
                    return 1
                batch.observe()
            points = " ".join(map(str, batch.points[0]))
            print(f"{number + 1:2} {start | options}: {batch.decisions[0]} decisions, points {points}")
    print(f"18 games, no field out of order, {time.perf_counter() - begin:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
