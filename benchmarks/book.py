"""The generated tables of documents, and the tournaments behind them, in ``benchmarks/results/``.

``python -m shogun_env.benchmarks.book`` (``make book``) writes all generated parts of documents
(``benchmarks.documents``); ``--check`` only says whether they are up to date; ``--play`` first plays the tournaments of
``runs.toml`` again, or those named.
"""

from __future__ import annotations

import argparse
import json
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from shogun_env.benchmarks.arena.tables import SUMMARY
from shogun_env.benchmarks.documents import ROOT, read_json, write
from shogun_env.cli import write_json
from shogun_env.commands import run_command

BOOK = ROOT / "benchmarks" / "results"
KEPT = ("command", "commit", "machine", "versions", "settings", "games", "interval", "variants", "ratings")
"""What an entry of the book keeps of a summary."""


def runs() -> dict[str, Any]:
    """Return what ``runs.toml`` says: runs, and the run whose ratings are shown for each game."""
    return tomllib.loads((BOOK / "runs.toml").read_text("utf-8"))


def entry(name: str) -> dict[str, Any]:
    """Return an entry of the book; ValueError if there is none of that name."""
    return read_json(BOOK / f"{name}.json", "name", *KEPT)


def add(name: str, summary: dict[str, Any]) -> None:
    """Put the summary of a tournament into the book, its numbers with four digits after the point."""
    text = json.dumps({"name": name, **{key: summary[key] for key in KEPT}})
    write_json(BOOK / f"{name}.json", json.loads(text, parse_float=lambda digits: round(float(digits), 4)))


def play(name: str, out: Path) -> dict[str, Any]:
    """Play a run of ``runs.toml`` from fair starts in a folder; return its summary."""
    own = runs()["runs"][name]
    words = ["--game", own["game"], "--agents", ",".join(own["agents"]), "--games", own["games"], "--seed", own["seed"]]
    words += ["--fair", "--out", out / name]
    words += ["--players", ",".join(map(str, own["players"]))] if "players" in own else []
    words += ["--line-ups", own["line_ups"]] if "line_ups" in own else []
    if run_command("tournament", [*map(str, words)]):
        raise KeyboardInterrupt  # nothing is published of a run that was stopped
    return read_json(out / name / SUMMARY, *KEPT)


def main(words: Sequence[str] | None = None) -> int:
    """Run the program; return its exit status, 1 if ``--check`` found a part that is out of date."""
    parser = argparse.ArgumentParser(prog="book", description="Write the generated tables of the documents.")
    parser.add_argument("--check", action="store_true", help="write nothing; say which documents are out of date")
    parser.add_argument("--play", nargs="*", metavar="RUN", help="first play these runs of runs.toml, or all of them")
    parser.add_argument("--out", type=Path, default=Path("out/book"), help="folder of the runs that are played")
    args, known = parser.parse_args(words), runs()["runs"]
    names = [] if args.play is None else args.play or list(known)
    if unknown := set(names) - set(known):
        parser.error(f"--play {', '.join(sorted(unknown))}: must be one of {', '.join(known)}")
    summaries = {name: play(name, args.out) for name in names}
    for name, summary in summaries.items():  # only now, because a changed book is a changed checkout
        add(name, summary)
    old = write(ROOT, args.check)
    word = "old" if args.check else "written"
    print(f"{', '.join(old)}: {word}" if old else "all documents are up to date")
    return int(args.check and bool(old))


if __name__ == "__main__":
    raise SystemExit(main())
