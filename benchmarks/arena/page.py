"""The page of an arena: how it was played, tables, pictures, faults, games to look at, and how to check it all."""

import json
from collections.abc import Mapping, Sequence
from datetime import date
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import quote

from shogun_env import cli
from shogun_env.benchmarks import pictures
from shogun_env.benchmarks.arena.arena import FaultTexts
from shogun_env.benchmarks.arena.games import RECORDS, History
from shogun_env.benchmarks.arena.table_files import write_tables
from shogun_env.benchmarks.arena.tables import (
    EVERYTHING,
    INTERVAL,
    RATINGS_ARE,
    Cells,
    ahead_table,
    games_for,
    leaderboard,
    ratings_only,
    tables_of,
    times_of,
)
from shogun_env.benchmarks.markdown import NUMBER
from shogun_env.files import text_in, write_whole
from shogun_env.records.document import document
from shogun_env.spec.forms import fits, json_of

PAGE, TEXTS = "report.html", "faults.json"
"""The page, and what was wrong with bots the first time."""
MOST_SHOWN = 12
"""The table of pairings has this many of the best bots."""
NO_PICTURES = "<p>Pictures need pip install 'shogun-env[viz]'.</p>"
FAULTS_ARE = "A fault is an answer that could not be used; the lowest legal action was played instead."
STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
table { display: block; overflow-x: auto; border-collapse: collapse; margin: 1rem 0; }
th, td { padding: .3rem .5rem; border-bottom: 1px solid #8886; text-align: right; white-space: nowrap; }
.text, .name { text-align: left; }
td.name { font-family: ui-monospace, monospace; }
pre { background: #8882; padding: .7rem; white-space: pre-wrap; overflow-wrap: anywhere; }
p, li { overflow-wrap: anywhere; }
svg { width: 100%; height: auto; }
.pictures { display: flex; flex-wrap: wrap; gap: 1rem; }
figure { margin: 0; flex: 1 1 22rem; max-width: 29rem; } figcaption { font-weight: 600; font-size: .9rem; }
@media (prefers-color-scheme: dark) { body { background: #181818; color: #ddd; } a { color: #8bf; } }
"""


def texts_in(folder: Path) -> FaultTexts:
    """Return what was wrong the first time for each bot and kind of fault, as earlier runs kept it."""
    try:
        known = json_of(text_in(folder / TEXTS))
    except ValueError:
        return {}
    return {(spec, kind): text for spec, kind, text in known} if fits(known, [[str, 3]]) else {}


def write_arena(
    folder: Path, title: str, history: History, command: str, texts: FaultTexts,
    replays: Mapping[str, str] | None = None,
) -> dict[str, Any]:  # fmt: skip
    """Write the tables and the page of what was played into the folder of an arena; return the summary (``tables``).

    Args: folder; title of the page; history; command line, for the summary; texts of this run's faults, which are kept
        for later ones; replays, the file of each by what it shows.
    """
    summary, times, known = tables_of(history, command), times_of(history), {**texts, **texts_in(folder)}
    write_tables(folder, summary, times)
    if known:
        write_whole(folder / TEXTS, json.dumps([[*key, text] for key, text in sorted(known.items())], indent=1) + "\n")
    arena = {**summary, "times": times, "texts": known, "replays": replays or {}}
    write_whole(folder / PAGE, page(title, arena))
    return summary


def page(title: str, arena: Mapping[str, Any]) -> str:
    """Return the page as HTML; ``arena`` is a summary (``tables``), with ``times``, ``texts`` and ``replays``."""
    parts = [f"<main>\n<h1>{escape(title)}</h1>", f"<p>{escape(about(arena))}</p>"]
    if EVERYTHING in arena["ratings"]:
        parts += [f"<h2>{EVERYTHING}</h2>", html_table(ratings_only(arena["ratings"][EVERYTHING]), names=1)]
    for number, variant in enumerate(arena["variants"]):
        rated = arena["ratings"].get(variant["name"], [])
        parts.append(f"<h2>{escape(variant['name'])}, {variant['games']} games</h2>")
        parts += [f"<p>{escape(words)}</p>" for words in (games_for(rated), variant["copies"]) if words]
        parts += [html_table(leaderboard(variant["leaderboard"], rated), names=1), _met_part(variant)]
        parts += [pictures_part(variant, rated, f"v{number}"), records_part(variant["records"])]
    parts.append(f"<p>{RATINGS_ARE} Intervals: {INTERVAL}.</p>")
    parts += [part(arena) for part in (_faults_part, _replays_part, _bots_part, _check_part)]
    return document(title, STYLE, "\n".join(filter(None, [*parts, "</main>"])))


def about(arena: Mapping[str, Any]) -> str:
    """Return in a sentence what was played: game, games, seeds, date."""
    settings = arena["settings"]
    seed = settings["seed"]
    seeds = f"from {seed} on" if seed is not None else f"from a secret with the SHA-256 {arena['secret_sha256']}"
    title = cli.batch_class(settings["game"]).spec.title
    preset = f", conditions {settings['conditions']}" if settings["conditions"] else ""
    return (
        f"{title}{preset}: {arena['games']:,} games of {len(arena['bots'])} bots, each line-up in all rotations of its "
        f"seats, every game on a seed of its own ({seeds}). Written on {date.today().isoformat()}."
    )


def html_table(cells: Cells, names: int = 0) -> str:
    """Return a table as HTML, which scrolls by keys too; the column ``names`` holds names of bots."""
    head, rows = cells
    columns = zip(head, *rows, strict=True)
    kinds = ["" if all(map(NUMBER.fullmatch, column)) else ' class="text"' for _, *column in columns]
    kinds = [' class="name"' if at == names else kind for at, kind in enumerate(kinds)]

    def row_of(row: Sequence[str], tag: str = "td") -> str:
        parts = (f"<{tag}{kind}>{escape(text)}</{tag}>" for kind, text in zip(kinds, row, strict=True))
        return f"<tr>{''.join(parts)}</tr>\n"

    return f'<table tabindex="0">\n{row_of(head, "th")}{"".join(map(row_of, rows))}</table>'


def _met_part(variant: Mapping[str, Any]) -> str:
    """Return who met whom, for the best bots."""
    _, rows = ahead_table(variant["ahead"])
    best = [[f"{place} {name}", *row[:MOST_SHOWN]] for place, (name, *row) in enumerate(rows[:MOST_SHOWN], 1)]
    more = f" (the first {MOST_SHOWN})" if len(rows) > MOST_SHOWN else ""
    caption = f"How often the bot of the row finished ahead of the bot of the column{more}; a tie counts half:"
    return f"<p>{caption}</p>{html_table((['', *map(str, range(1, len(best) + 1))], best))}"


def pictures_part(variant: Mapping[str, Any], rated: Sequence[Mapping[str, Any]], ident: str) -> str:
    """Return the pictures of a variant as HTML; ids in them begin with ``ident``."""
    if not pictures.is_available():
        return NO_PICTURES
    drawn = pictures.pictures_of(variant, rated).items()
    figures = [figure(heading, svg, f"{ident}p{at}") for at, (heading, svg) in enumerate(drawn)]
    return f'<div class="pictures">{"".join(figures)}</div>'


def figure(heading: str, svg: bytes, ident: str) -> str:
    """Return a picture with its heading as HTML, in the colours of the page.

    Args: ident: its ids begin with this, so that no two on a page are alike.
    """
    text = svg.decode()
    text = text[text.index("<svg") :]
    text = text.replace("fill: #ffffff", "fill: none", 2)  # behind the picture, and behind its axes
    for before, after in ((pictures.INK, "currentColor"), (pictures.GRID, "#8886")):
        text = text.replace(before, after)
    for before in (' id="', '"#', "url(#"):
        text = text.replace(before, f"{before}{ident}-")
    return f"<figure><figcaption>{escape(heading)}</figcaption>{text}</figure>"


def records_part(records: Sequence[Mapping[str, Any]]) -> str:
    """Return the part that leads to the records of the first games of a variant, if they are kept."""
    if not records:
        return ""
    lines = []
    for record in records:
        who = ", ".join(f"{name} {points}" for name, points in zip(record["agents"], record["points"], strict=False))
        address = quote(f"{RECORDS}/{record['file']}")
        lines.append(f'<li><a href="{escape(address)}">{escape(who)}</a></li>')
    heading = f"Records of the first {len(lines)} games: bots in player order, with their points"
    how = "<p>shogun-env view FILE makes a page of a record, on which the game is replayed.</p>"
    return f"<details><summary>{heading}</summary>{how}<ol>{''.join(lines)}</ol></details>"


def _faults_part(arena: Mapping[str, Any]) -> str:
    """Return the faults, with the text of the first of each kind that is known."""
    spec_of = {each["name"]: each["spec"] for each in arena["bots"]}
    numbers: dict[tuple[str, str], int] = {}
    for variant in arena["variants"]:
        for row in variant["leaderboard"]:
            for kind, number in row["faults"].items():
                numbers[row["agent"], kind] = numbers.get((row["agent"], kind), 0) + number
    lines = [
        [name, kind, str(number), arena["texts"].get((spec_of.get(name, ""), kind), "–")]
        for (name, kind), number in numbers.items()
    ]
    if not lines:
        return "<h2>Faults</h2>\n<p>None: every answer could be used.</p>"
    return f"<h2>Faults</h2>\n<p>{FAULTS_ARE}</p>{html_table((['bot', 'kind', 'number', 'the first'], lines))}"


def _replays_part(arena: Mapping[str, Any]) -> str:
    items = [f'<li><a href="{escape(file)}">{escape(text)}</a></li>' for text, file in arena.get("replays", {}).items()]
    return f"<h2>Games</h2>\n<ul>\n{''.join(items)}\n</ul>" if items else ""


def _bots_part(arena: Mapping[str, Any]) -> str:
    """Return what the bots are."""
    took = {name: f"{time:.3g}" for name, time in arena["times"].items()}
    rows = [[each["name"], each["spec"], each["sha256"][:16], took.get(each["name"], "–")] for each in arena["bots"]]
    caption = (
        "What each bot is made by, the beginning of the SHA-256 of its parameters or files, and the milliseconds of a "
        "decision of a bot that is not compiled:"
    )
    cells = ["bot", "spec", "SHA-256", "ms"], rows
    return f"<details open><summary>Bots</summary><p>{caption}</p>{html_table(cells)}</details>"


def _check_part(arena: Mapping[str, Any]) -> str:
    """Return where an arena comes from, how to reproduce it and how to check it."""
    versions = ", ".join(f"{name} {version}" for name, version in arena["versions"].items())
    how = (
        f" To reproduce it in another folder:</p><pre>{escape(arena['command'])}</pre>" if arena["command"] else "</p>"
    )
    return (
        f"<h2>Check it</h2>\n<p>The hashes of the journal end with <code>{escape(arena['journal'])}</code>."
        " <code>shogun-env tournament --check DIR</code> reads them, makes the tables again, and plays games again.</p>"
        f"<p>Commit {escape(arena['commit'])}; {escape(versions)}.{how}\n"
    )
