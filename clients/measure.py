"""What every client's file does besides: its command line, its speed, and that of the same loop without the library."""

from __future__ import annotations

import argparse
import json
import re
import time
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any

Loop = Callable[[str, int], int]
"""``loop(game, steps)`` takes at least so many steps in a game and returns how many they were."""
ADAPTER = re.compile(r"^# --- adapter.*?$(.*?)^# --- ", re.MULTILINE | re.DOTALL)
"""The part of a client's file that adapts the environment."""


def adapter_lines(file: Path) -> int:
    """Return the number of lines between the marks of a client's adapter that are neither blank nor comments."""
    match = ADAPTER.search(file.read_text("utf-8"))
    lines = [line.strip() for line in (match[1] if match else "").splitlines()]
    return sum(bool(line) and not line.startswith(("#", '"""')) for line in lines)


def timed(loop: Loop, game: str, steps: int) -> float:
    """Return the steps per second of a loop, run before so that everything is compiled and loaded."""
    loop(game, max(steps // 10, 1))
    begin = time.perf_counter()
    return loop(game, steps) / (time.perf_counter() - begin)


def report(file: str, library: str, use: Loop, own: Loop, steps: int) -> dict[str, Any]:
    """Run a client's loop and the same loop on the environment alone; print the result as one line of JSON.

    Args:
        file: the client's file.
        library: name of the distribution.
        use: what the library does.
        own: the same number of steps without it.
        steps: how many, unless ``--steps`` says something else.
    """
    parser = argparse.ArgumentParser(prog=f"python -m clients.{Path(file).stem}", description=use.__doc__)
    parser.add_argument("--game", choices=("shogun", "shitenno"), default="shitenno")
    parser.add_argument("--steps", type=int, default=steps, metavar="N", help=f"steps to take ({steps})")
    args = parser.parse_args()
    result = {
        "client": Path(file).stem,
        "library": library,
        "version": metadata.version(library),
        "game": args.game,
        "adapter_lines": adapter_lines(Path(file)),
        "steps_per_s": timed(use, args.game, args.steps),
        "own_steps_per_s": timed(own, args.game, args.steps),
    }
    print(json.dumps(result))
    return result
