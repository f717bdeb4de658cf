"""Random play with one GPU thread for each game, which must end as the processor's games do.

``python -m tests.gpu_engine shogun 1000 1000000`` compares the first number of games and measures the others. It needs
numba-cuda and a GPU, or ``NUMBA_ENABLE_CUDASIM=1 NUMBA_DISABLE_JIT=1`` for a few games on none.
"""

import importlib
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from shogun_env.batch.loops import advance
from shogun_env.cli import batch_class
from shogun_env.kernel.rng import choose

THREADS_PER_BLOCK = 64
"""GPU threads of a block; each plays a game, with its state in the memory of the device."""
cuda: Any = None
"""The module numba.cuda once it is needed; the simulator only finds it as a global name."""


def random_player(batch_type: Any) -> Callable[..., None]:
    """Return what a GPU thread does: it plays a game at random to its end, as ``Batch.play`` does."""
    step, over = advance.of(batch_type.spec.engine), batch_type.spec.engine.over

    def play(games: Any, rngs: Any, policy_rngs: Any, masks: Any, logs: Any, counts: Any) -> None:
        row = cuda.grid(1)
        if row >= games.shape[0]:
            return
        g = games[row]
        while g["phase"] != over:
            action = choose(policy_rngs[row, g["player"]], masks[row])
            step(g, rngs[row], logs[row], action, masks[row])
            counts[row] += 1

    return play


def main(game: str, counts: Sequence[int]) -> None:
    """Compare and measure."""
    global cuda
    cuda = importlib.import_module("numba.cuda")
    batch_type = batch_class(game)
    play = cuda.jit(random_player(batch_type))
    for size in counts:
        batch = batch_type(size)
        arrays = [cuda.to_device(array) for array in (batch.games, batch.rngs, batch.policy_rngs, batch.legal)]
        decisions, logs = cuda.to_device(np.zeros(size, np.int64)), cuda.to_device(np.zeros((size, 1), np.int16))
        cuda.synchronize()
        begin = time.perf_counter()
        play[-(-size // THREADS_PER_BLOCK), THREADS_PER_BLOCK](*arrays, logs, decisions)
        cuda.synchronize()
        seconds = time.perf_counter() - begin
        if size == counts[0]:  # this compiles as well
            batch.play(["random"] * batch.num_players)
            assert arrays[0].copy_to_host().tobytes() == batch.games.tobytes(), "the processor's games end otherwise"
            print(f"{game}: {size:,} games ended alike", flush=True)
        else:
            print(f"{game}: {size:,} games, {decisions.copy_to_host().sum() / seconds:,.0f} decisions/s", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], [int(count) for count in sys.argv[2:]])
