"""A report as one self-contained HTML page: tournaments, leagues, and the learning curve of a training run.

``shogun-env report --out report.html --tournament out/tournament --run runs/selfplay``
"""

from __future__ import annotations

import argparse
import json
from html import escape
from pathlib import Path
from typing import Any

from shogun_env.benchmarks import pictures
from shogun_env.benchmarks.arena.page import NO_PICTURES, figure, origin, page, page_content
from shogun_env.cli import Parser, batch_class
from shogun_env.files import write_out
from shogun_env.shares import parity


def training_part(folder: Path) -> str:
    """Return the part of the report about a training run."""
    from shogun_env.training.runs import about_run, read_progress  # not above: --help needs no engine

    about, lines = about_run(folder), read_progress(folder)
    text = f"<h2>Training</h2>\n<p>{escape(_how(about['config']))}</p>\n"
    if lines:
        config = about["config"]
        variants = [{**config["options"], **variant} for variant in config["variants"]]
        equal = parity(batch_class(config["game"]).spec, variants)
        curve = pictures.learning_curve(lines, parity=equal) if pictures.is_available() else b""
        text += figure("Learning curve", curve, "run") if curve else NO_PICTURES
        text += f"<p>{lines[-1]['decisions']:,} decisions of self-play; {lines[-1]['seconds']:.0f} seconds in all.</p>"
    settings = json.dumps(about["config"], indent=2)
    names = ", ".join(f"{name} {version}" for name, version in about["versions"].items())
    text += f"<details><summary>All settings</summary><pre>{escape(settings)}</pre></details>\n"
    return text + origin(about["commit"], names, about["command"])


def _how(config: dict[str, Any]) -> str:
    """Return in words how a run learns, imitation included."""
    share = config["imitation_fraction"]
    start = f"For {share:.0%} of the run the network imitates the bot {config['imitate']}; then " if share else ""
    bots = config["opponents"]
    named = f"the bot{'s' if len(bots) > 1 else ''} {' and '.join(bots)}"
    return f"{start}PPO learns from games against itself, its past, and {named}."


def add_arguments(parser: Parser, game: str) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "--tournament", type=Path, action="append", default=[], metavar="DIR", help="folder of a tournament or a league"
    )
    parser.add_argument("--run", type=Path, metavar="DIR", help="folder of a training run")
    parser.add_out("out/report.html", "page to write", metavar="FILE")


def main(args: argparse.Namespace) -> None:
    """Run the command."""
    if not args.tournament and not args.run:
        raise ValueError("a report needs a --tournament or a --run")
    tournaments = [page_content(path, args.out.parent) for path in args.tournament]
    text = page("shogun-env report", tournaments, training_part(args.run) if args.run else "")
    write_out(args.out, text)
    print(f"{args.out} written; open it in a browser")
