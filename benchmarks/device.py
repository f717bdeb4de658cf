"""Measure what a large machine is good for: ``shogun-env device cores``, ``… learner``, ``… engine``.

Three questions that a machine with many cores and a GPU answers, each a table:

- ``cores``: how play and collecting grow with the number of threads.
- ``learner``: decisions a second that training learns from, end to end, with networks of two sizes, and where the time
  goes; the learner is on the GPU where there is one.
- ``engine``: random play with one GPU thread for each game, which must end as the processor's games do. Needs
  numba-cuda and a GPU, or ``NUMBA_ENABLE_CUDASIM=1 NUMBA_DISABLE_JIT=1`` for a few games on none.

Such a machine is lent for minutes, so ``--quick`` tries each of them to its end with tiny settings first.
"""

from __future__ import annotations

import importlib
import os
import sys
import tempfile
import time
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from shogun_env import cli
from shogun_env.benchmarks.markdown import markdown_table, number
from shogun_env.policies import make_agent

if TYPE_CHECKING:  # --help is quick without the engine
    from shogun_env.batch.batch import Batch
    from shogun_env.batch.policy_table import PolicySpec
    from shogun_env.benchmarks.speed import Work

GAMES_PER_THREAD = 256
LEARNERS = (("laptop", False), ("gpu", False), ("gpu", True))
"""Configs whose networks the learner is measured with, and whether the next games are played while it learns."""
PARTS = ("collect", "show", "move", "forward", "backward", "step")
"""Parts of learning that ``training.learner`` and ``training.trainer`` name, in their order."""
THREADS_PER_BLOCK = 64
"""GPU threads of a block; each plays a game, with its state in the memory of the device."""
cuda: Any = None
"""The module numba.cuda once it is needed; the simulator only finds it as a global name."""
Row = Mapping[str, Any]


def thread_counts(cores: int) -> list[int]:
    """Return the numbers of threads that are tried: 1, 2, 4, … and all cores."""
    return [*(1 << power for power in range(cores.bit_length()) if 1 << power < cores), cores]


def cores_rows(args: Namespace) -> Iterator[Row]:
    """Yield for each number of threads what they play in a second."""
    from shogun_env.agents.network.agent import Network
    from shogun_env.agents.network.shape import Shape, Sizes
    from shogun_env.benchmarks.speed import rate

    batch_type, options = cli.batch_class(args.game), cli.options_of(args)
    spec = batch_type.spec
    shape = Shape(spec, Sizes())
    network = Network(shape, shape.random_weights(0), greedy=False).compiled
    scripted: Any = make_agent("scripted", spec)
    for threads in thread_counts(args.threads):
        batch = batch_type(8 if args.quick else threads * GAMES_PER_THREAD, num_threads=threads, **options)

        works: dict[str, Work] = {
            "random": _playing(batch, "random"),
            "scripted": _playing(batch, scripted.compiled),
            "network": _playing(batch, network),
            "network, collected": _collecting(batch, network),
        }
        for work in works.values():
            work()  # what is compiled is not measured
        yield {"threads": threads, **{name: rate(work, args.seconds)[0] for name, work in works.items()}}


def _playing(batch: Batch, bot: PolicySpec) -> Work:
    """Return work that plays the games of a batch, one bot for everybody: decisions."""

    def work() -> float:
        batch.reset()
        batch.play([bot], 0)
        return float(batch.decisions.sum())

    return work


def _collecting(batch: Batch, network: PolicySpec) -> Work:
    """Return work that collects the decisions of a network in the games of a batch: decisions."""
    from shogun_env.batch.collecting import collect

    def work() -> float:
        batch.reset()
        return float(len(collect(batch, [network], seats=0)))

    return work


def learner_rows(args: Namespace) -> Iterator[Row]:
    """Yield how fast training is, and where its time goes, from a run of its own for each of ``LEARNERS``.

    Games that are played ahead are played in another thread, and are no part of the time.
    """
    import torch
    from torch.profiler import ProfilerActivity, profile

    from shogun_env.training.config import load_config
    from shogun_env.training.runs import Run
    from shogun_env.training.trainer import Trainer, compile_kernels

    batch_type = cli.batch_class(args.game)
    on_gpu = torch.cuda.is_available()
    for name, ahead in LEARNERS:
        changes: dict[str, Any] = {"imitation_fraction": 0.0, "threads": args.threads, "variants": [{}]}
        changes["collect_ahead"] = ahead
        if args.quick:
            changes |= {"place_width": 8, "trunk_width": 8, "games_per_update": 4, "batch_size": 256}
        config = load_config(batch_type.spec, name, changes)
        with tempfile.TemporaryDirectory() as folder:
            run = Run.create(Path(folder), config, batch_type, "benchmarks.device")
            compile_kernels(run)
            trainer = Trainer(run, lambda *_: None)
            trainer.play()  # the first update makes room on the device
            before, begin = trainer.decisions, time.perf_counter()
            activities = [ProfilerActivity.CPU, *([ProfilerActivity.CUDA] if on_gpu else [])]
            with profile(activities=activities) as profiler:
                while time.perf_counter() - begin < args.seconds:
                    trainer.play()
            seconds = time.perf_counter() - begin
        spent, busy = times_of(profiler.key_averages())
        yield {
            "config": name,
            "ahead": "yes" if ahead else "no",
            "device": torch.cuda.get_device_name() if on_gpu else "cpu",
            "decisions/s": (trainer.decisions - before) / seconds,
            **{f"{part} %": 100 * spent.get(f"learner/{part}", 0.0) / seconds for part in PARTS},
            "GPU busy %": 100 * busy / seconds,
        }


def times_of(events: Iterable[Any]) -> tuple[dict[str, float], float]:
    """Return the processor's seconds by name of what was done, and the seconds in which the GPU was busy.

    Args:
        events: ``key_averages()`` of a profiler of torch. With a GPU a name is there twice, for the processor and for
            the GPU, and what the GPU does is counted with the operation that asked for it, too.
    """
    here: list[Any] = []
    there: list[Any] = []
    for event in events:
        (here if event.device_type.name == "CPU" else there).append(event)
    spent = {event.key: event.cpu_time_total / 1e6 for event in here}
    return spent, sum(event.self_device_time_total for event in there if not event.is_user_annotation) / 1e6


def engine_rows(args: Namespace) -> Iterator[Row]:
    """Yield for numbers of games how fast a GPU plays them at random; ValueError if they end otherwise than here."""
    global cuda
    try:
        cuda = importlib.import_module("numba.cuda")
    except (
        ImportError,
        AttributeError,
    ) as error:  # numba-cuda takes whatever numpy is there, and may not find its names
        raise ValueError(
            f"engine needs numba-cuda (pip install 'numba-cuda[cu12]'), for numpy as it is: {error}"
        ) from None
    if not cuda.is_available():
        raise ValueError("engine needs a GPU, or NUMBA_ENABLE_CUDASIM=1 NUMBA_DISABLE_JIT=1 for a few games on none")
    batch_type, options = cli.batch_class(args.game), cli.options_of(args)
    play = cuda.jit(random_player(batch_type))
    for games in (2,) if args.quick else (1_000, 10_000, 100_000, 1_000_000):
        batch = batch_type(games, **options)
        device = [cuda.to_device(array) for array in (batch.games, batch.rngs, batch.policy_rngs, batch.legal)]
        counts, logs = cuda.to_device(np.zeros(games, np.int64)), cuda.to_device(np.zeros((games, 1), np.int16))
        blocks = -(-games // THREADS_PER_BLOCK)
        if games <= 1_000:  # compiles, and compares
            play[blocks, THREADS_PER_BLOCK](*device, logs, counts)
            batch.play(["random"] * batch.num_players)
            if device[0].copy_to_host().tobytes() != batch.games.tobytes():
                raise ValueError(f"{games} games on the GPU ended otherwise than on the processor")
            yield {"games": games, "decisions/s": float("nan"), "ended alike": "yes"}
            continue
        cuda.synchronize()
        begin = time.perf_counter()
        play[blocks, THREADS_PER_BLOCK](*device, logs, counts)
        cuda.synchronize()
        seconds = time.perf_counter() - begin
        yield {"games": games, "decisions/s": counts.copy_to_host().sum() / seconds, "ended alike": "–"}


def random_player(batch_type: type[Batch]) -> Callable[..., None]:
    """Return what a GPU thread does: it plays a game at random to its end, as ``Batch.play`` does."""
    from shogun_env.kernel.rng import choose

    advance, is_over = batch_type.loops.advance, batch_type.spec.engine.is_over

    def play(games: Any, rngs: Any, policy_rngs: Any, masks: Any, logs: Any, counts: Any) -> None:
        row = cuda.grid(1)
        if row >= games.shape[0]:
            return
        g = games[row]
        while not is_over(g):
            action = choose(policy_rngs[row, g["player"]], masks[row])
            advance(g, rngs[row], logs[row], action, masks[row])
            counts[row] += 1

    return play


STEPS: dict[str, Callable[[Namespace], Iterator[Row]]] = {
    "cores": cores_rows,
    "learner": learner_rows,
    "engine": engine_rows,
}


def table_of(rows: Sequence[Row]) -> str:
    """Return rows as a table."""
    cells = [[value if isinstance(value, str) else number(value) for value in row.values()] for row in rows]
    return markdown_table(list(rows[0]), cells)


def add_arguments(parser: cli.Parser, game: str) -> None:
    """Add the arguments of the command."""
    parser.add_argument("step", choices=STEPS, help="what is measured")
    parser.add_argument("--seconds", type=float, default=20.0, metavar="S", help="seconds of each figure (20)")
    cores = os.cpu_count() or 1
    parser.add_argument(
        "--threads", type=cli.count, default=cores, metavar="N", help=f"largest number of threads ({cores})"
    )
    parser.add_argument("--quick", action="store_true", help="tiny settings, to see that everything runs")
    parser.add_json("the table")
    parser.add_play(game)


def main(args: Namespace) -> None:
    """Run the command."""
    if args.quick:
        args.seconds = min(args.seconds, 0.1)
    where, rows = cli.origin(), []
    for row in STEPS[args.step](args):
        rows.append(row)
        print(row, file=sys.stderr, flush=True)
    print(table_of(rows), end="")
    about = {"command": args.command_line, "machine": where, "step": args.step}
    cli.write_json(args.json, about | {"rows": rows})
