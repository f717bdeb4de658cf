"""Every engine compiles to PTX, the code of NVIDIA's GPUs, from the sources it has: no GPU is needed to see that.

That it compiles shows that the kernels follow their rules: no allocation, no exceptions, no objects. Needs numba-cuda
with its compiler wheels, in an environment of its own (``.ci/ptx``). What it does there is tested on a simulated GPU.
"""

import importlib
import os
import re
import subprocess
import sys
import types
from collections.abc import Callable
from typing import Any

import numba
import pytest
from numba.np.numpy_support import from_dtype

from shogun_env.batch import loops
from tests import gpu_engine
from tests.games import batch_class, each_game
from tests.tree import ROOT

CAPABILITY = (8, 0)
MOST_BYTES = 4_000_000
MOST_CONSTANTS = 65_536
"""Bytes of constants that the assembler of a GPU accepts."""


@pytest.fixture
def cuda(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The CUDA compiler, for a device that is not there: it only needs the device's compute capability."""
    dispatcher = importlib.import_module("numba.cuda.dispatcher")
    module: Any = importlib.import_module("numba.cuda")
    assert "numba_cuda" in str(dispatcher.__file__), "these tests need numba-cuda: run them by .ci/ptx"
    gpu = types.SimpleNamespace(compute_capability=CAPABILITY)
    monkeypatch.setattr(dispatcher, "get_current_device", lambda: gpu)
    monkeypatch.setattr(gpu_engine, "cuda", module)
    return module


def kernels(cuda: Any, name: str) -> dict[str, tuple[Callable[..., None], tuple[Any, ...]]]:
    """A CUDA kernel that handles one game per thread around each function of the engine, with its arguments' types."""
    engine = batch_class(name).spec.engine
    advance, over, start, write_mask = loops.advance.of(engine), engine.over, engine.start, engine.legal
    write_observation, redeal_for = engine.observe, engine.redeal

    def step(games: Any, rngs: Any, logs: Any, actions: Any, masks: Any) -> None:
        row = cuda.grid(1)
        if row < games.shape[0] and games[row]["phase"] != over:
            advance(games[row], rngs[row], logs[row], actions[row], masks[row])

    def reset(games: Any, rngs: Any, logs: Any) -> None:
        row = cuda.grid(1)
        if row < games.shape[0]:
            start(games[row], rngs[row], logs[row])

    def legal(games: Any, masks: Any) -> None:
        row = cuda.grid(1)
        if row < games.shape[0]:
            write_mask(games[row], masks[row])

    def observe(games: Any, players: Any, out: Any) -> None:
        row = cuda.grid(1)
        if row < games.shape[0]:
            write_observation(games[row], players[row], out[row])

    def redeal(games: Any, rngs: Any, players: Any, masks: Any) -> None:
        row = cuda.grid(1)
        if row < games.shape[0]:
            redeal_for(games[row], rngs[row], players[row], masks[row])

    games = numba.types.Array(from_dtype(batch_class(name).spec.state_dtype), 1, "C")
    table = {
        kind: numba.types.Array(getattr(numba.types, kind), 2, "C") for kind in ("uint64", "int16", "int8", "uint8")
    }
    numbers = numba.types.Array(numba.types.int64, 1, "C")
    rows = numba.types.Array(numba.types.uint64, 3, "C")
    return {
        "legal": (legal, (games, table["int8"])),
        "observe": (observe, (games, numbers, table["uint8"])),
        "redeal": (redeal, (games, table["uint64"], numbers, table["int8"])),
        "step": (step, (games, table["uint64"], table["int16"], numbers, table["int8"])),
        "reset": (reset, (games, table["uint64"], table["int16"])),
        "play": (
            gpu_engine.random_player(batch_class(name)),
            (games, table["uint64"], rows, table["int8"], table["int16"], numbers),
        ),
    }


@pytest.mark.slow
@pytest.mark.ptx
@each_game
@pytest.mark.parametrize("kernel", ["legal", "observe", "redeal", "step", "reset", "play"])
def test_ptx__engine__compiles_for_a_gpu(cuda: Any, name: str, kernel: str):
    function, signature = kernels(cuda, name)[kernel]
    ptx, _ = cuda.compile(function, signature, device=False, cc=CAPABILITY, output="ptx", abi="numba")
    assert len(re.findall(r"^\.visible \.entry", ptx, re.M)) == 1
    assert ".target sm_80" in ptx
    assert not re.search(r"\b(malloc|NRT_)", ptx), "nothing is allocated on the device"
    assert len(ptx) < MOST_BYTES
    constants = re.findall(r"^\.const\b[^;\[]*\[(\d+)\]", ptx, re.M)
    assert sum(map(int, constants)) <= MOST_CONSTANTS


@each_game
@pytest.mark.slow
def test_engine__simulated_gpu__ends_games_as_the_processor_does(name: str):
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-m", "tests.gpu_engine", name, "2"]
    result = subprocess.run(command, env=environment, capture_output=True, text=True, cwd=ROOT, timeout=600)
    assert result.returncode == 0, result.stderr[-2000:]
    assert result.stdout == f"{name}: 2 games ended alike\n"
