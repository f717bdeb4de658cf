"""Where slow work is done: in this process, in others of this machine, or on a Ray cluster."""

import functools
import multiprocessing
import os
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import chain, islice
from typing import Any, TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")

LOCAL = "local"
"""The address of a Ray cluster that is started for the run, on this machine."""


def results(
    call: functools.partial[Result], tasks: Iterable[Task], processes: int, ray: str | None,
    played: Callable[[Iterable[Task]], str], **here: Any,
) -> Iterator[Result]:  # fmt: skip
    """Yield ``call(task)`` of each task, in any order; other processes do it if there are several tasks.

    Args:
        call: a function of a module, with the arguments that all tasks share.
        tasks: what can be sent to another process; each is taken when it is begun.
        processes: at most this many are busy.
        ray: address of a Ray cluster, which does it instead, or ``LOCAL``.
        played: says of tasks which bots may have ended the process that had them.
        here: further arguments of calls in this process.

    Raises: ValueError if Ray is not installed, or a process ended; ConnectionError if there is no cluster.
    """
    tasks = iter(tasks)
    first = list(islice(tasks, 2)) if processes > 1 else []
    if ray is not None:
        yield from _by_ray(call, chain(first, tasks), ray)
    elif processes > 1 and len(first) > 1:
        yield from _by_processes(call, chain(first, tasks), processes, played)
    else:
        yield from map(functools.partial(call, **here), chain(first, tasks))


def threads_of_each(threads: int, processes: int, ray: str | None) -> int:
    """Return the threads of the engine in each process: one where several processes share the cores."""
    return 1 if processes > 1 or ray is not None else threads


@functools.cache
def _pool(processes: int) -> ProcessPoolExecutor:
    """Return the processes of a run, which stay from one call to the next: each of them makes its bots once."""
    return ProcessPoolExecutor(processes, multiprocessing.get_context("spawn"), initializer=_end_with_parent)


def _end_with_parent() -> None:
    """Let this process end as soon as its parent has ended, however that did."""
    parent = multiprocessing.parent_process()
    assert parent is not None, "a pool has started it"

    def wait() -> None:
        parent.join()
        os._exit(1)  # nobody is left to be told

    threading.Thread(target=wait, daemon=True).start()


def _by_processes(call: Any, tasks: Iterator[Any], processes: int, played: Callable[[Any], str]) -> Iterator[Any]:
    running: dict[Future[Any], Any] = {}  # one for each process: after Ctrl-C none begins another
    try:
        while True:
            for task in islice(tasks, processes - len(running)):
                running[_pool(processes).submit(call, task)] = task
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                yield future.result()
                del running[future]
    except BrokenProcessPool:
        _pool.cache_clear()
        raise ValueError(f"a process of --processes ended while it played {played(running.values())}; the games "
                         "before are kept") from None  # fmt: skip
    finally:
        for future in running:
            future.cancel()


def _by_ray(call: Any, tasks: Iterator[Any], address: str) -> Iterator[Any]:
    """Yield results from the Ray cluster at an address, or from a new one; ConnectionError if there is none."""
    try:
        import ray
    except ImportError:
        raise ValueError("--ray needs pip install 'shogun-env[ray]'") from None
    ray.init(address=None if address == LOCAL else address, ignore_reinit_error=True, log_to_driver=False)
    remote = ray.remote(call.func)
    most = 2 * max(1, int(ray.cluster_resources().get("CPU", 1)))
    running: list[Any] = []
    while True:
        running += [remote.remote(*call.args, task) for task in islice(tasks, most - len(running))]
        if not running:
            return
        ready, running = ray.wait(running, num_returns=1)
        yield ray.get(ready[0])
