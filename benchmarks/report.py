"""A report as one self-contained HTML page: leaderboards, ratings, pictures, learning curve, how to reproduce them.

``python -m benchmarks.report --out report.html --tournament out/tournament --run runs/selfplay``
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from shogun_env.benchmarks import pictures
from shogun_env.benchmarks.arena.standings import fault_text
from shogun_env.benchmarks.markdown import percent
from shogun_env.cli import Parser
from shogun_env.records.document import document
from shogun_env.training.runs import about_run, read_progress

WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 720, 300, 52, 36, 16
COLOURS = ("#1f6fb2", "#c05621", "#2f855a", "#6b46c1")
STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
table { display: block; overflow-x: auto; border-collapse: collapse; margin: 1rem 0; }
th, td { padding: .3rem .5rem; border-bottom: 1px solid #ddd; text-align: right; }
td { white-space: nowrap; }
th:first-child, td:first-child { text-align: left; font-family: ui-monospace, monospace; }
pre { background: #f5f5f5; padding: .7rem; white-space: pre-wrap; }
svg { width: 100%; height: auto; } .curve text { font-size: 12px; fill: #444; }
@media (prefers-color-scheme: dark) { body { background: #181818; color: #ddd; } pre { background: #262626; }
.curve text { fill: #bbb; } }
.pictures { display: flex; flex-wrap: wrap; gap: 1rem; }
figure { margin: 0; flex: 1 1 22rem; max-width: 29rem; background: #fff; color: #222; border-radius: .4rem;
padding: .5rem; box-sizing: border-box; } figcaption { font-weight: 600; font-size: .9rem; }
"""

Tournament = tuple[str, dict[str, Any], dict[str, float]]
"""Heading, summary and times of a tournament."""


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return an HTML table."""
    body = "".join(f"<tr>{_cells('td', row)}</tr>\n" for row in rows)
    return f"<table>\n<tr>{_cells('th', head)}</tr>\n{body}</table>\n"


def _cells(tag: str, row: Sequence[str]) -> str:
    return "".join(f"<{tag}>{escape(text)}</{tag}>" for text in row)


def leaderboard(variant: dict[str, Any]) -> str:
    """Return the leaderboard of a variant, and who finished ahead of whom, as HTML tables."""
    rows = variant["leaderboard"]
    seats = range(len(rows[0]["seat_shares"]))
    head = ["agent", "games", "win share", "95 % interval", "mean place", "mean points", "faults"]
    lines = [
        [
            row["agent"],
            str(row["games"]),
            _percent(row["win_share"]),
            f"{100 * row['low']:.1f}–{100 * row['high']:.1f}",
            f"{row['mean_place']:.2f}",
            f"{row['mean_points']:.1f}",
            fault_text(row["faults"]),
            *(_percent(share) for share in row["seat_shares"]),
        ]
        for row in rows
    ]
    names, shares = variant["ahead"]["agents"], variant["ahead"]["share"]
    matrix = [[name, *(_percent(share) for share in row)] for name, row in zip(names, shares, strict=True)]
    pairs = "<p>How often the agent of the row finished ahead of the agent of the column (a tie counts half):</p>"
    return table([*head, *(f"seat {k}" for k in seats)], lines) + pairs + table(["", *names], matrix)


def rating_table(rows: Sequence[dict[str, Any]]) -> str:
    """Return ratings, and the win shares that they expect, as an HTML table."""
    head = ["agent", "rating", "95 % interval", "games", "expected win share", "observed"]
    lines = [
        [
            row["agent"],
            f"{row['rating']:.0f}",
            f"{row['low']:.0f}–{row['high']:.0f}",
            str(row["games"]),
            _percent(row["expected"]),
            _percent(row["observed"]),
        ]
        for row in rows
    ]
    return "<p>Ratings: Plackett–Luce, 400 points are odds of ten to one.</p>" + table(head, lines)


def tournament_part(heading: str, summary: dict[str, Any], times: dict[str, float]) -> str:
    """Return the part of the report about a tournament."""
    parts = [f"<h2>{escape(heading)}</h2>"]
    names = {variant["name"] for variant in summary["variants"]}
    for name, rows in summary["ratings"].items():
        if name not in names:
            parts.append(f"<h3>{escape(name)}</h3>\n{rating_table(rows)}")
    for variant in summary["variants"]:
        ratings = summary["ratings"].get(variant["name"], [])
        parts.append(f"<h3>{escape(variant['name'])}, {variant['games']} games</h3>\n{leaderboard(variant)}")
        parts.append(rating_table(ratings) if ratings else "")
        parts.append(figures(variant, ratings, times))
    parts.append(f"<p>{summary['games']} games, all rotations of each line-up on the same seeds. Interval: "
                 f"{escape(summary['interval'])}.</p>{origin(summary)}")  # fmt: skip
    return "\n".join(parts)


def figures(variant: dict[str, Any], ratings: list[dict[str, Any]], times: dict[str, float]) -> str:
    """Return the pictures of a variant as HTML."""
    if not pictures.is_available():
        return "<p>Pictures need pip install 'shogun-env[viz]'.</p>"
    parts = []
    for heading, svg in pictures.pictures_of(variant, ratings, times).items():
        text = svg.decode()
        text = text[text.index("<svg") :]
        parts.append(f"<figure><figcaption>{escape(heading)}</figcaption>{text}</figure>")
    return f'<div class="pictures">{"".join(parts)}</div>'


def _percent(share: float | None) -> str:
    return "–" if share is None else percent(share)


def curve(lines: Sequence[dict[str, Any]]) -> str:
    """Return the learning curve as an SVG picture: win shares by seconds of training."""
    end = max(line["seconds"] for line in lines) or 1.0
    right = WIDTH - 10

    def x(seconds: float) -> float:
        return round(LEFT + (right - LEFT) * seconds / end, 1)

    def y(share: float) -> float:
        return round(HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * share, 1)

    parts = [
        f'<svg class="curve" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="win share by seconds of training">'
    ]
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        parts.append(f'<line x1="{LEFT}" x2="{right}" y1="{y(share)}" y2="{y(share)}" stroke="#8884"/>')
        parts.append(_text(LEFT - 6, y(share) + 4, f"{share:.0%}", "end"))
    ends = ((0.0, "middle"), (end / 2, "middle"), (end, "end"))
    parts += [_text(x(seconds), HEIGHT - 12, f"{seconds:.0f} s", anchor) for seconds, anchor in ends]
    for index, name in enumerate(lines[0]["win_share"]):
        colour = COLOURS[index % len(COLOURS)]
        points = " ".join(f"{x(line['seconds'])},{y(line['win_share'][name])}" for line in lines)
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2.5"/>')
        parts.append(_text(right, TOP + 50 + 16 * index, f"wins against a table of {name}", "end", colour))
    return "\n".join([*parts, "</svg>\n"])


def _text(x: float, y: float, words: str, anchor: str, colour: str = "") -> str:
    style = f' style="fill:{colour}"' if colour else ""
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}"{style}>{escape(words)}</text>'


def training_part(folder: Path) -> str:
    """Return the part of the report about a training run."""
    about, lines = about_run(folder), read_progress(folder)
    text = f"<h2>Training</h2>\n<p>{escape(_how(about['config']))}</p>\n"
    if lines:
        text += curve(lines)
        text += f"<p>{lines[-1]['decisions']:,} decisions of self-play; {lines[-1]['seconds']:.0f} seconds in all.</p>"
    settings = json.dumps(about["config"], indent=2)
    return text + f"<details><summary>All settings</summary><pre>{escape(settings)}</pre></details>\n" + origin(about)


def _how(config: dict[str, Any]) -> str:
    """Return in words how a run learns, imitation included."""
    share = config["imitation_share"]
    start = f"For {share:.0%} of the run the network imitates the bot {config['imitate']}; then " if share else ""
    bots = " and ".join(config["opponents"])
    return f"{start}MaskablePPO learns from games against itself, its past, and the bots {bots}."


def origin(result: dict[str, Any]) -> str:
    """Return where a tournament or a run comes from and how to reproduce it, as HTML."""
    names = ", ".join(f"{name} {version}" for name, version in result["versions"].items())
    where = f"Commit {result['commit']}; {names}. To reproduce it:"
    return f"<p>{escape(where)}</p><pre>{escape(result['command'])}</pre>\n"


def page(title: str, tournaments: Sequence[Tournament], run: Path | None, links: str = "") -> str:
    """Return the report as an HTML page.

    Args:
        title: of the page.
        tournaments: heading, summary and times of each.
        run: folder of a training run, or None.
        links: HTML that follows the title.
    """
    body = [f"<h1>{escape(title)}</h1>", links]
    body += [tournament_part(*each) for each in tournaments]
    if run is not None:
        body.append(training_part(run))
    return document(title, STYLE, "\n".join(body))


def read_tournament(folder: Path) -> Tournament:
    """Return the name, the summary and the times of a tournament from its folder."""
    summary, times = (json.loads((folder / name).read_text("utf-8")) for name in ("summary.json", "times.json"))
    return folder.name, summary, times


def make_parser() -> Parser:
    """Return the parser of the command."""
    parser = Parser(prog="python -m benchmarks.report", description="Write a report as HTML.")
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
        tournaments = [read_tournament(path) for path in args.tournament]
        text = page("shogun-env report", tournaments, args.run)
        args.out.parent.mkdir(parents=True, exist_ok=True)
        args.out.write_text(text, "utf-8")
        print(f"{args.out} written; open it in a browser")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
