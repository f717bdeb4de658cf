"""The generated tables of documents: ``python -m shogun_env.benchmarks.book`` (``make book``) writes all of them.

``--check`` only says whether they are up to date. ``--add`` first puts what commands measured in its place: files of
``strength --json`` and ``speed --json`` into ``strength.json`` and ``speed.json``, the summary of a tournament
(``--json``) into the results book, ``benchmarks/results/``.
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

from shogun_env.benchmarks.documents import PANEL_VERSION, ROOT, SPEED_FIGURES, read_json, write
from shogun_env.cli import write_json

BOOK = ROOT / "benchmarks" / "results"
KEPT = ("command", "commit", "machine", "versions", "settings", "games", "interval", "variants", "ratings")
"""What an entry of the book keeps of a summary."""
MEASURES = {
    "strength": ("protocol", "game", "agent", "rungs"), "speed": ("game", "options", "figures"), "tournament": KEPT,
}  # fmt: skip
"""What a file of these commands holds."""


def add(path: Path) -> None:
    """Put the file of a measure into what is published, in the place of the same one.

    Raises: ValueError for another file, or one that is not fit for it.
    """
    run = read_json(path, "command", "machine")
    measure = next((name for name, holds in MEASURES.items() if set(holds) <= set(run)), None)
    if measure is None:
        raise ValueError(f"{path}: not of {', '.join(MEASURES)} --json")
    if measure == "strength" and run["protocol"] != (version := PANEL_VERSION.get(run["game"], 0)):
        raise ValueError(f"{path}: of panel version {run['protocol']}, not {version}; measure it again")
    if measure == "speed" and (run["options"] or set(SPEED_FIGURES) > set(run["figures"])):
        raise ValueError(f"{path}: of games with options of play, or without all figures; measure it again")
    if measure == "tournament":
        text = json.dumps({key: run[key] for key in KEPT})  # numbers with four digits
        kept = json.loads(text, parse_float=lambda digits: round(float(digits), 4))
        write_json(BOOK / f"{run['settings']['game']}.json", kept)
        return
    published = ROOT / "benchmarks" / f"{measure}.json"
    runs, same = read_json(published, "runs")["runs"], [run["game"], run.get("agent")]
    write_json(published, {"runs": [old for old in runs if [old["game"], old.get("agent")] != same] + [run]})


def main(words: Sequence[str] | None = None) -> int:
    """Run the program; return its exit status, 1 if ``--check`` found a part that is out of date."""
    parser = argparse.ArgumentParser(prog="book", description="Write the generated tables of the documents.")
    parser.add_argument("--check", action="store_true", help="write nothing; say which documents are out of date")
    parser.add_argument("--add", nargs="*", default=[], type=Path, metavar="FILE", help="first add these measures")
    args = parser.parse_args(words)
    if not (ROOT / "README.md").exists():
        raise ValueError(f"{ROOT}: there is no README.md; documents are written in the folder of a checkout")
    if args.check and args.add:
        raise ValueError("--check writes nothing, and --add puts measures in their places: give one of them")
    for path in args.add:
        add(path)
    old = write(ROOT, args.check)
    word = "old" if args.check else "written"
    print(f"{', '.join(old)}: {word}" if old else "all documents are up to date")
    return int(args.check and bool(old))


if __name__ == "__main__":
    raise SystemExit(main())
