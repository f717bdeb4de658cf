"""A report as one self-contained HTML page: leaderboards, ratings, pictures, learning curve, how to reproduce them.

``shogun-env report --out report.html --tournament out/tournament --run runs/selfplay``
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import quote

from shogun_env.benchmarks import pictures
from shogun_env.benchmarks.arena.folder import RECORDS
from shogun_env.benchmarks.arena.standings import Standing, leaderboard
from shogun_env.benchmarks.arena.tables import EVERYTHING, RATINGS_ARE, Rating, ahead_table, rating_table
from shogun_env.cli import Parser, batch_class
from shogun_env.records.document import document
from shogun_env.spec.forms import json_of
from shogun_env.training.runs import about_run, read_progress

NO_PICTURES = "<p>Pictures need pip install 'shogun-env[viz]'.</p>"
STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
table { display: block; overflow-x: auto; border-collapse: collapse; margin: 1rem 0; }
th, td { padding: .3rem .5rem; border-bottom: 1px solid #ddd; text-align: right; }
td { white-space: nowrap; }
th:first-child, td:first-child { text-align: left; font-family: ui-monospace, monospace; }
pre { background: #f5f5f5; padding: .7rem; white-space: pre-wrap; }
svg { width: 100%; height: auto; }
@media (prefers-color-scheme: dark) { body { background: #181818; color: #ddd; } pre { background: #262626; } }
.pictures { display: flex; flex-wrap: wrap; gap: 1rem; }
figure { margin: 0; flex: 1 1 22rem; max-width: 29rem; background: #fff; color: #222; border-radius: .4rem;
padding: .5rem; box-sizing: border-box; } figcaption { font-weight: 600; font-size: .9rem; }
"""

Played = tuple[str, dict[str, Any], dict[str, float], str]
"""Heading, summary and times of a tournament that was played, and where its folder is, seen from the report."""


def html_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table as HTML."""

    def line(tag: str, row: Sequence[str]) -> str:
        return "<tr>" + "".join(f"<{tag}>{escape(text)}</{tag}>" for text in row) + "</tr>\n"

    return f"<table>\n{line('th', head)}{''.join(line('td', row) for row in rows)}</table>\n"


def ratings_part(ratings: Sequence[Rating], table: Sequence[Standing] = ()) -> str:
    """Return the part of the report about ratings."""
    return f"<p>{RATINGS_ARE}</p>{html_table(*rating_table(ratings, table))}" if ratings else ""


def tournament_part(heading: str, summary: dict[str, Any], times: dict[str, float], folder: str = "") -> str:
    """Return the part of the report about a tournament, whose folder is at the relative address ``folder``."""
    ratings = {name: [Rating(**row) for row in rows] for name, rows in summary["ratings"].items()}
    parts = [f"<h2>{escape(heading)}</h2>"]
    if EVERYTHING in ratings:
        parts.append(f"<h3>{EVERYTHING}</h3>\n{ratings_part(ratings[EVERYTHING])}")
    for variant in summary["variants"]:
        name = variant["name"]
        table = [Standing(**row) for row in variant["leaderboard"]]
        copies = f"<p>{escape(variant['copies'])}</p>" if variant.get("copies") else ""
        parts += [f"<h3>{escape(name)}, {variant['games']} games</h3>{copies}", html_table(*leaderboard(table))]
        parts.append(
            "<p>How often the agent of the row finished ahead of the agent of the column (a tie counts half):</p>"
        )
        parts += [html_table(*ahead_table(variant["ahead"])), ratings_part(ratings.get(name, []), table)]
        parts.append(pictures_part(variant, summary["ratings"].get(name, []), times))
        parts.append(records_part(variant.get("records", []), folder))
    parts.append(f"<p>{summary['games']} games, each line-up in all rotations of its seats. Interval: "
                 f"{escape(summary['interval'])}.</p>{origin(summary)}")  # fmt: skip
    return "\n".join(parts)


def pictures_part(variant: dict[str, Any], ratings: list[dict[str, Any]], times: dict[str, float]) -> str:
    """Return the pictures of a variant as HTML."""
    if not pictures.is_available():
        return NO_PICTURES
    figures = [figure(*each) for each in pictures.pictures_of(variant, ratings, times).items()]
    return f'<div class="pictures">{"".join(figures)}</div>'


def records_part(records: Sequence[Mapping[str, Any]], folder: str) -> str:
    """Return the part of the report that leads to the records of the first games of a variant, if they are kept."""
    if not records:
        return ""
    lines = []
    for record in records:
        players = zip(record["agents"], record["points"], strict=True)
        who = ", ".join(f"{name} {points}" for name, points in players)
        address = folder + quote(f"{RECORDS}/{record['file']}")
        lines.append(f'<li><a href="{escape(address)}">{escape(who)}</a></li>')
    heading = f"Records of the first {len(lines)} games: agents in player order, with their points"
    how = "<p>shogun-env view FILE makes a page of a record, on which the game is replayed.</p>"
    return f"<details><summary>{heading}</summary>{how}<ol>{''.join(lines)}</ol></details>"


def figure(heading: str, svg: bytes) -> str:
    """Return a picture with its heading as HTML."""
    text = svg.decode()
    return f"<figure><figcaption>{escape(heading)}</figcaption>{text[text.index('<svg') :]}</figure>"


def training_part(folder: Path) -> str:
    """Return the part of the report about a training run."""
    about, lines = about_run(folder), read_progress(folder)
    text = f"<h2>Training</h2>\n<p>{escape(_how(about['config']))}</p>\n"
    if lines:
        curve = pictures.learning_curve(lines, parity=_parity(about["config"])) if pictures.is_available() else b""
        text += figure("Learning curve", curve) if curve else NO_PICTURES
        text += f"<p>{lines[-1]['decisions']:,} decisions of self-play; {lines[-1]['seconds']:.0f} seconds in all.</p>"
    settings = json.dumps(about["config"], indent=2)
    return text + f"<details><summary>All settings</summary><pre>{escape(settings)}</pre></details>\n" + origin(about)


def _parity(config: dict[str, Any]) -> float:
    """Return the mean share of the win of a bot among its equals, over the variants of a run."""
    check = batch_class(config["game"]).spec.check_options
    shares = [1.0 / int(check({**config["options"], **variant})["num_players"]) for variant in config["variants"]]
    return sum(shares) / len(shares)


def _how(config: dict[str, Any]) -> str:
    """Return in words how a run learns, imitation included."""
    share = config["imitation_fraction"]
    start = f"For {share:.0%} of the run the network imitates the bot {config['imitate']}; then " if share else ""
    bots = config["opponents"]
    named = f"the bot{'s' if len(bots) > 1 else ''} {' and '.join(bots)}"
    return f"{start}PPO learns from games against itself, its past, and {named}."


def origin(result: dict[str, Any]) -> str:
    """Return where a tournament or a run comes from and how to reproduce it, as HTML."""
    names = ", ".join(f"{name} {version}" for name, version in result["versions"].items())
    where = f"Commit {result['commit']}; {names}. To reproduce it:"
    return f"<p>{escape(where)}</p><pre>{escape(result['command'])}</pre>\n"


def page(title: str, tournaments: Sequence[Played], run: Path | None, links: str = "") -> str:
    """Return the report as an HTML page.

    Args:
        title: of the page.
        tournaments: heading, summary and times of each, and the relative address of its folder, empty for that of the
            page.
        run: folder of a training run, or None.
        links: HTML that follows the title.
    """
    body = [f"<h1>{escape(title)}</h1>", links]
    body += [tournament_part(*each) for each in tournaments]
    if run is not None:
        body.append(training_part(run))
    return document(title, STYLE, "\n".join(body))


def read_tournament(folder: Path, page_folder: Path) -> Played:
    """Return what a page in ``page_folder`` tells of a tournament, from its folder."""
    summary, times = (json_of((folder / name).read_text("utf-8")) for name in ("summary.json", "times.json"))
    where = quote(os.path.relpath(folder.resolve(), page_folder.resolve()), safe="/.")
    return folder.name, summary, times, "" if where == "." else f"{where}/"


def make_parser() -> Parser:
    """Return the parser of the command."""
    parser = Parser(prog="shogun-env report", description="Write a report as HTML.")
    parser.add_argument(
        "--tournament", type=Path, action="append", default=[], metavar="DIR", help="folder of a tournament"
    )
    parser.add_argument("--run", type=Path, metavar="DIR", help="folder of a training run")
    parser.add_out("out/report.html", "page to write", metavar="FILE")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    parser = make_parser()
    args = parser.parse_args(arguments)
    with parser.one_line_errors():
        if not args.tournament and not args.run:
            raise ValueError("a report needs a --tournament or a --run")
        tournaments = [read_tournament(path, args.out.parent) for path in args.tournament]
        text = page("shogun-env report", tournaments, args.run)
        args.out.parent.mkdir(parents=True, exist_ok=True)
        args.out.write_text(text, "utf-8")
        print(f"{args.out} written; open it in a browser")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
