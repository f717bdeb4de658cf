"""Try every client, each in an environment of its own with the newest versions: ``make test-clients``.

It prints a table of versions and speeds, which ``--json clients/results.json`` and ``make book`` publish, and removes
the environment of each client that is done. ``python -m clients NAME`` tries one, and with ``--here --game shogun
--steps 10000`` in the current environment.
"""

import json
import os
import pkgutil
import shutil
import subprocess
import sys
import time
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

from shogun_env import FULL_GAMES
from shogun_env.benchmarks.documents import clients_table
from shogun_env.cli import Parser, count, origin, write_json

ROOT = Path(__file__).resolve().parents[1]
VERIFIERS = "verifiers_shogun"
"""Folder of our package for verifiers, in ``clients/``."""


class Client(NamedTuple):
    """How a library is tried."""

    use: str
    """Module of ``clients`` and its function ``use(game, steps) -> int``, which takes at least this many steps and
    returns their number; without a function no speed is measured."""
    packages: str
    """What has to be installed besides this package."""
    library: str
    """Name of the distribution whose version is reported."""
    steps: int = 0
    """How many steps are measured."""
    check: str = ""
    """What tries what has no speed: module and function ``check(game)``, or a file of tests."""


CLIENTS = {
    "gymnasium": Client("standard:gymnasium", "moviepy resvg-py pillow", "gymnasium", 100_000, "standard:film"),
    "cleanrl": Client("cleanrl_ppo:use", "torch", "torch", 40_000),
    "jax": Client("jax_ppo:use", "jax optax", "jax", 40_000),
    "sb3": Client("standard:sb3", "stable-baselines3 sb3-contrib", "sb3-contrib", 20_000),
    "open_spiel": Client("open_spiel_game:use", "open_spiel", "open_spiel", 5_000, "open_spiel_game:check"),
    "open_spiel_exact": Client(
        "open_spiel_exact:use", "open_spiel pytest", "open_spiel", 20_000, "tests/api/test_open_spiel_exact.py"
    ),
    "torchrl": Client("torchrl_masked:use", "torchrl torch", "torchrl", 2_000, "torchrl_masked:check"),
    "rllib": Client("rllib_ppo:use", "ray[rllib] torch", "ray", 2_000),
    "verifiers": Client(
        f"{VERIFIERS}.{VERIFIERS}", f"-e ./clients/{VERIFIERS} pytest", "verifiers", check="tests/api/test_verifiers.py"
    ),
}
WARM_UP = 500
"""Least number of steps before those that are measured: some game ends, so that learners see a result."""
SECONDS = 1800
"""Time that a client may take to be installed, and again to be tried, its compilation included."""


def environment(name: str) -> Path:
    """Make the environment of a client, unless it is there; return its folder.

    Raises: CalledProcessError, TimeoutExpired after ``SECONDS``: pip may look for versions that go together for hours.
    """
    folder = ROOT / f".venv-client-{name}"
    if not (folder / "bin" / "python").exists():
        # The newest pip finds versions that go together sooner than that of an older Python.
        subprocess.run([sys.executable, "-m", "venv", "--upgrade-deps", folder], check=True, timeout=SECONDS)
    # Of the constraints only that of torch: its newest release may bring gigabytes for GPUs; all else is the newest.
    held = folder / "constraints.txt"
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    held.write_text("\n".join(line for line in lines if line.startswith("torch==")))
    install = [folder / "bin" / "python", "-m", "pip", "install", "-q", "--disable-pip-version-check", "-c", held]
    newest = ["--upgrade", "--upgrade-strategy", "eager", "-e", ROOT, *CLIENTS[name].packages.split()]
    subprocess.run([*install, *newest], cwd=ROOT, check=True, timeout=SECONDS)
    return folder


def tried(name: str, folder: Path) -> dict[str, Any]:
    """Try a client in its environment; return what it reports, or ``failed`` with the last line of its error.

    Raises: TimeoutExpired after ``SECONDS``.
    """
    command = [folder / "bin" / "python", "-m", "clients", name, "--here"]
    result = subprocess.run(
        command, cwd=ROOT, env={**os.environ, "PYTHONPATH": ""}, capture_output=True, text=True, timeout=SECONDS
    )
    reports = [json.loads(line) for line in result.stdout.splitlines() if line.startswith('{"client"')]
    if result.returncode or not reports:
        print(result.stderr, file=sys.stderr)
        return {"client": name, "failed": (result.stderr.strip().splitlines() or ["nothing was reported"])[-1]}
    return dict(reports[0])


def tried_here(name: str, game: str | None = None, steps: int | None = None) -> dict[str, Any]:
    """Try a client in this environment; return its library, version, file and steps per second of processor time.

    What has no speed is tried with both games unless one is given, speed is measured on Shitennō.
    """
    client = CLIENTS[name]
    module, _, use = client.use.partition(":")
    if client.check.endswith(".py"):
        command = [sys.executable, "-m", "pytest", "-q", "--noconftest", client.check]
        subprocess.run(command, cwd=ROOT, stdout=sys.stderr, check=True)
    elif client.check:
        check = pkgutil.resolve_name(f"clients.{client.check}")
        for each in FULL_GAMES if game is None else (game,):
            check(each)
    version, file = metadata.version(client.library), f"{module.replace('.', '/')}.py"
    report = {"client": name, "file": file, "library": client.library, "version": version}
    if use:
        game, steps, take = game or "shitenno", steps or client.steps, pkgutil.resolve_name(f"clients.{client.use}")
        take(game, min(steps, max(steps // 10, WARM_UP)))  # loads and compiles everything
        begin = time.process_time()
        report["steps_per_s"] = round(take(game, steps) / (time.process_time() - begin))
    return report


def main() -> int:
    """Run the command; return its exit status."""
    parser = Parser(prog="python -m clients", description="Try clients, each in an environment of its own.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"which (all): {', '.join(CLIENTS)}")
    parser.add_argument("--here", action="store_true", help="try them in the current environment")
    parser.add_game("the game, with --here (shitenno)", default=None)
    parser.add_argument("--steps", type=count, metavar="N", help="steps to take, with --here")
    parser.add_json("the table, if no client failed,")
    args = parser.parse_args()
    names = args.names or list(CLIENTS)
    if unknown := set(names) - set(CLIENTS):
        parser.error(f"unknown: {', '.join(sorted(unknown))}; known are {', '.join(CLIENTS)}")
    if args.here and args.json:
        parser.error("--json: goes with environments of their own, not with --here")
    if not args.here and (args.game or args.steps):
        parser.error("--game and --steps go with --here")
    if args.here:
        with parser.one_line_errors():
            for name in names:
                try:
                    print(json.dumps(tried_here(name, args.game, args.steps)))
                except ImportError as error:
                    raise ValueError(f"{name}: {error}; install {CLIENTS[name].packages}") from None
        return 0
    results, machine = [], origin()
    for name in names:
        print(f"{name} …", file=sys.stderr, flush=True)
        try:
            results.append(tried(name, environment(name)))
        except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
            results.append({"client": name, "failed": f"{type(error).__name__}: see above"})
        finally:
            shutil.rmtree(ROOT / f".venv-client-{name}", ignore_errors=True)
    print(clients_table(results, machine), end="")
    failed = any("failed" in result for result in results)
    write_json(None if failed else args.json, {"machine": machine, "command": "python -m clients", "clients": results})
    return int(failed)


if __name__ == "__main__":
    raise SystemExit(main())
