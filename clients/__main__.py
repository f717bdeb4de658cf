"""Try every client, each in an environment of its own with the newest versions: ``make test-clients``.

It prints a table of versions, lines of adapter and speeds and keeps it in ``out/clients.json``; ``--publish`` makes it
the table of ``clients/README.md``. An environment is removed when its client is done; ``python -m clients NAME`` tries
one.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from shogun_env.benchmarks.documents import clients_table, write
from shogun_env.cli import Parser, write_json

ROOT = Path(__file__).resolve().parents[1]
RESULTS = "out/clients.json"
PUBLISHED = "clients/results.json"
CLIENTS = {
    "gymnasium_wrappers": ["moviepy", "resvg-py", "pillow"],
    "cleanrl_ppo": ["torch"],
    "sb3_by_id": ["stable-baselines3", "sb3-contrib"],
    "minari_dataset": ["minari[hdf5,create]", "pillow"],
    "rlcard_env": ["rlcard", "torch"],
    "open_spiel_game": ["open_spiel"],
    "torchrl_masked": ["torchrl", "torch"],
    "tianshou_aec": ["tianshou", "torch"],
    "skrl_ppo": ["skrl[torch]", "torch"],
    "rl_zoo3_train": ["rl_zoo3", "sb3-contrib", "torch"],
    "agilerl_dqn": ["agilerl", "peft", "accelerate", "torch"],
    "rllib_ppo": ["ray[rllib]", "torch"],
}
"""What has to be installed for each client, besides this package."""
SECONDS = 900
"""Time that a client may take, its compilation included."""


def environment(name: str) -> Path:
    """Make the environment of a client, unless it is there; return its folder."""
    folder = ROOT / f".venv-client-{name}"
    if not (folder / "bin" / "python").exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    pip = [folder / "bin" / "python", "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    # Of the constraints only that of torch: its newest release may bring gigabytes for GPUs; all else is the newest.
    held = folder / "constraints.txt"
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    held.write_text("\n".join(line for line in lines if line.startswith("torch==")))
    subprocess.run([*pip, "-c", held, "-e", ROOT, *CLIENTS[name]], check=True)
    return folder


def tried(name: str, folder: Path) -> dict[str, Any]:
    """Run the file of a client; return what it reports, or ``failed`` with the last line of its error."""
    command = [folder / "bin" / "python", "-m", f"clients.{name}"]
    result = subprocess.run(
        command, cwd=ROOT, env={**os.environ, "PYTHONPATH": ""}, capture_output=True, text=True, timeout=SECONDS
    )
    reports = [json.loads(line) for line in result.stdout.splitlines() if line.startswith('{"client"')]
    if result.returncode or not reports:
        print(result.stderr, file=sys.stderr)
        return {"client": name, "failed": (result.stderr.strip().splitlines() or ["nothing was reported"])[-1]}
    return dict(reports[0])


def publish(results: list[dict[str, Any]], path: Path) -> None:
    """Write results into a file; ValueError if a client failed or was not tried."""
    good = [result["client"] for result in results if "failed" not in result]
    if missing := [name for name in CLIENTS if name not in good]:
        raise ValueError(f"no results of {', '.join(missing)}: nothing is published")
    write_json(path, {"clients": results})


def main() -> int:
    """Run the command; return its exit status."""
    parser = Parser(prog="python -m clients", description="Try clients, each in an environment of its own.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"which (all): {', '.join(CLIENTS)}")
    parser.add_argument("--keep", action="store_true", help="keep the environments, several gigabytes in all")
    parser.add_argument(
        "--publish", action="store_true", help=f"try nothing; make {RESULTS} the table of clients/README.md"
    )
    args = parser.parse_args()
    if unknown := set(args.names) - set(CLIENTS):
        parser.error(f"unknown: {', '.join(sorted(unknown))}; known are {', '.join(CLIENTS)}")
    out = ROOT / RESULTS
    known = {result["client"]: result for result in json.loads(out.read_text("utf-8"))} if out.exists() else {}
    if args.publish:
        with parser.one_line_errors():
            publish([known[name] for name in CLIENTS if name in known], ROOT / PUBLISHED)
            write(ROOT)
        return 0
    names = args.names or list(CLIENTS)
    for name in names:
        print(f"{name} …", file=sys.stderr, flush=True)
        folder = environment(name)
        known[name] = tried(name, folder)
        write_json(out, [known[each] for each in CLIENTS if each in known])
        if not args.keep:
            shutil.rmtree(folder)
    print(clients_table([known[name] for name in names]), end="")
    return int(any("failed" in known[name] for name in names))


if __name__ == "__main__":
    raise SystemExit(main())
