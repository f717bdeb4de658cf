"""The generated tables of documents, and the tournaments behind them, in ``benchmarks/results/``.

``python -m shogun_env.benchmarks.book`` (``make book``) writes all generated parts of documents
(``benchmarks.documents``); ``--check`` only says whether they are up to date. ``--add`` first puts files that
``strength --json`` and ``speed --json`` wrote into ``strength.json`` and ``speed.json``; ``--play shogun`` plays the
tournament of that name again, by the command that its file names.
"""

from __future__ import annotations

import argparse
import json
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from shogun_env.benchmarks.arena.tables import SUMMARY
from shogun_env.benchmarks.documents import LADDER_VERSION, ROOT, SPEED_FIGURES, read_json, write
from shogun_env.benchmarks.markdown import printed
from shogun_env.cli import write_json
from shogun_env.commands import run_command
from shogun_env.files import only_in_a_checkout

BOOK = ROOT / "benchmarks" / "results"
KEPT = ("command", "commit", "machine", "versions", "settings", "games", "interval", "variants", "ratings")
"""What an entry of the book keeps of a summary."""
MEASURES = {"strength": ("protocol", "game", "agent", "rungs"), "speed": ("game", "options", "figures")}
"""What a run of these commands holds."""


def entry(name: str) -> dict[str, Any]:
    """Return an entry of the book; ValueError if there is none of that name."""
    return read_json(BOOK / f"{name}.json", "name", *KEPT)


def play(name: str, out: Path) -> dict[str, Any]:
    """Play the tournament of an entry again, in a folder; return its new entry, numbers with four digits."""
    _, command, *words = shlex.split(printed(entry(name)["command"]))
    if run_command(command, [*words, "--out", str(out / name)]):
        raise KeyboardInterrupt  # nothing is published of a run that was stopped
    summary = read_json(out / name / SUMMARY, *KEPT)
    text = json.dumps({"name": name, **{key: summary[key] for key in KEPT}})
    found: dict[str, Any] = json.loads(text, parse_float=lambda digits: round(float(digits), 4))
    return found


def add(path: Path) -> None:
    """Put the file of a measure into the published runs, in the place of the same one.

    Raises: ValueError for another file, or one that is not fit for it.
    """
    run = read_json(path, "command", "machine")
    measure = next((name for name, holds in MEASURES.items() if set(holds) <= set(run)), None)
    if measure is None:
        raise ValueError(f"{path}: not of {' or '.join(MEASURES)} --json")
    if measure == "strength" and run["protocol"] != LADDER_VERSION:
        raise ValueError(f"{path}: of protocol {run['protocol']}, not {LADDER_VERSION}; measure it again")
    if measure == "speed" and (run["options"] or set(SPEED_FIGURES) > set(run["figures"])):
        raise ValueError(f"{path}: of games with options of play, or without all figures; measure it again")
    published = ROOT / "benchmarks" / f"{measure}.json"
    runs, same = read_json(published, "runs")["runs"], [run["game"], run.get("agent")]
    write_json(published, {"runs": [old for old in runs if [old["game"], old.get("agent")] != same] + [run]})


def main(words: Sequence[str] | None = None) -> int:
    """Run the program; return its exit status, 1 if ``--check`` found a part that is out of date."""
    parser = argparse.ArgumentParser(prog="book", description="Write the generated tables of the documents.")
    parser.add_argument("--check", action="store_true", help="write nothing; say which documents are out of date")
    parser.add_argument("--add", nargs="*", default=[], type=Path, metavar="FILE", help="first add these measures")
    parser.add_argument("--play", nargs="*", default=[], metavar="NAME", help="first play these tournaments again")
    parser.add_argument("--out", type=Path, default=Path("out/book"), help="folder of the tournaments that are played")
    args = parser.parse_args(words)
    only_in_a_checkout("book writes the documents of a checkout")
    entries = {name: play(name, args.out) for name in args.play}
    for name, found in entries.items():  # only now, because a changed book is a changed checkout
        write_json(BOOK / f"{name}.json", found)
    for path in args.add:
        add(path)
    old = write(ROOT, args.check)
    word = "old" if args.check else "written"
    print(f"{', '.join(old)}: {word}" if old else "all documents are up to date")
    return int(args.check and bool(old))


if __name__ == "__main__":
    raise SystemExit(main())
