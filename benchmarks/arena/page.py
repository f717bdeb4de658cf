"""The page of an arena: how it was played, tables, pictures, faults, games to look at, and how to check it all.

It is made of a summary (``tables``). The folder of an arena may be somebody else's: nothing in it is believed.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from datetime import date
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import quote

from shogun_env import cli
from shogun_env.benchmarks import pictures
from shogun_env.benchmarks.arena.arena import FaultTexts
from shogun_env.benchmarks.arena.games import History
from shogun_env.benchmarks.arena.journal import FILE
from shogun_env.benchmarks.arena.tables import (
    EVERYTHING,
    INTERVAL,
    RATINGS_ARE,
    SUMMARY,
    Cells,
    Tables,
    ahead_table,
    leaderboard,
    ratings_only,
    tables_of,
    times_of,
    write_tables,
)
from shogun_env.files import text_in, write_whole
from shogun_env.records.document import document
from shogun_env.spec.forms import fault_of, fits, json_of

PAGE, TEXTS = "report.html", "faults.json"
"""The page, and what was wrong with bots the first time."""
RECORDS = "records"
MOST_SHOWN = 12
"""The table of pairings has this many of the best bots."""
NO_PICTURES = "<p>Pictures need pip install 'shogun-env[viz]'.</p>"
_NUMBER = re.compile(r"[-+–−≥≤ ]*\d.*|–|")
"""A cell that does not keep its column from being aligned to the right."""
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


class PageContent(dict[str, Any]):
    """What a page tells of an arena: a summary, with ``heading``, ``times``, ``folder``, ``texts`` and ``replays``."""


# --- reading ---------------------------------------------------------------------------------------------------------


def _texts(value: Any) -> bool:
    """Texts by name."""
    return isinstance(value, dict) and all(isinstance(text, str) for text in value.values())


MADE: dict[str, Any] = {"command": str, "commit": str, "machine": str, "versions": _texts}
"""What is read in a summary, and its form: how and where the games were played. All else follows from the journal."""


def page_content(folder: Path, page_folder: Path | None = None) -> PageContent:
    """Return what a page tells of the arena in a folder, whose tables are made of its journal again.

    Args: folder; page_folder, where the page is, the same folder unless another is given.
    Raises: ValueError naming what is wrong with the journal or the summary.
    """
    path = folder / SUMMARY
    if (folder / FILE).exists() and not path.exists():
        raise ValueError(f"{path}: is not there; run the tournament or league to its end, which writes it")
    history, summary = History.at(folder / FILE), _json_in(path)
    made = {name: summary.get(name) for name in MADE} if isinstance(summary, dict) else summary
    if fault := fault_of(made, MADE, "the summary"):
        raise ValueError(f"{path}: {fault}")
    tables, times = tables_of(history).summary | made, times_of(history)
    way = quote(os.path.relpath(folder.resolve(), (page_folder or folder).resolve()), safe="/.")
    where = "" if way == "." else f"{way}/"
    return PageContent(tables, heading=folder.name, times=times, folder=where, texts=texts_in(folder))


def _json_in(path: Path) -> Any:
    """Return the value in a file; None if it is not there, or no JSON."""
    try:
        return json_of(text_in(path))
    except ValueError:
        return None


def texts_in(folder: Path) -> FaultTexts:
    """Return what was wrong the first time for each bot and kind of fault, as earlier runs kept it."""
    known = _json_in(folder / TEXTS)
    return {(spec, kind): text for spec, kind, text in known} if fits(known, [[str, 3]]) else {}


# --- writing ---------------------------------------------------------------------------------------------------------


def write_arena(
    folder: Path, title: str, history: History, command: str, texts: FaultTexts,
    replays: Mapping[str, str] | None = None,
) -> Tables:  # fmt: skip
    """Write the tables and the page of what was played into the folder of an arena; return the tables.

    Args: folder; title of the page; history; command line, for the summary; texts of this run's faults, which are kept
        for later ones; replays, the file of each by what it shows.
    """
    tables, times, known = tables_of(history, command), times_of(history), {**texts, **texts_in(folder)}
    write_tables(folder, tables, times)
    if known:
        write_whole(folder / TEXTS, json.dumps([[*key, text] for key, text in sorted(known.items())], indent=1) + "\n")
    arena = PageContent(tables.summary, heading="", times=times, folder="", texts=known, replays=replays or {})
    write_whole(folder / PAGE, page(title, [arena]))
    return tables


def page(title: str, arenas: Sequence[PageContent], more: str = "") -> str:
    """Return the page as HTML.

    Args: title; what there is to tell of each arena; more, HTML after them.
    """
    body = [
        f"<main>\n<h1>{escape(title)}</h1>",
        *(arena_part(each, f"a{number}") for number, each in enumerate(arenas)),
        more,
        "</main>",
    ]
    return document(title, STYLE, "\n".join(filter(None, body)))


def arena_part(arena: PageContent, ident: str) -> str:
    """Return the part of a page about an arena; ids in it begin with ``ident``."""
    level = 3 if arena["heading"] else 2
    parts = [f"<h2>{escape(arena['heading'])}</h2>"] if arena["heading"] else []
    parts.append(f"<p>{escape(about(arena))}</p>")
    if EVERYTHING in arena["ratings"]:
        parts += [f"<h{level}>{EVERYTHING}</h{level}>", html_table(ratings_only(arena["ratings"][EVERYTHING]), names=1)]
    for number, variant in enumerate(arena["variants"]):
        rated = arena["ratings"].get(variant["name"], [])
        parts.append(f"<h{level}>{escape(variant['name'])}, {variant['games']} games</h{level}>")
        parts += [f"<p>{escape(words)}</p>" for words in [variant["copies"]] if words]
        parts += [html_table(leaderboard(variant["leaderboard"], rated), names=1), _met_part(variant)]
        parts += [pictures_part(variant, rated, arena["times"], f"{ident}v{number}")]
        parts.append(records_part(variant["records"], arena["folder"]))
    parts.append(f"<p>{RATINGS_ARE} Intervals: {INTERVAL}.</p>")
    parts += [part(arena, level) for part in (_faults_part, _replays_part, _bots_part, _check_part)]
    return "\n".join(filter(None, parts))


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
    kinds = ["" if all(map(_NUMBER.fullmatch, column)) else ' class="text"' for _, *column in columns]
    kinds = [' class="name"' if at == names else kind for at, kind in enumerate(kinds)]

    def row_of(row: Sequence[str], tag: str = "td") -> str:
        parts = (f"<{tag}{kind}>{escape(text)}</{tag}>" for kind, text in zip(kinds, row, strict=True))
        return f"<tr>{''.join(parts)}</tr>\n"

    return f'<table tabindex="0">\n{row_of(head, "th")}{"".join(map(row_of, rows))}</table>'


def _met_part(variant: Mapping[str, Any]) -> str:
    """Return who met whom, for the best bots."""
    _, rows = ahead_table(variant["ahead"])
    cells = (
        ["", *map(str, range(1, len(rows) + 1))],
        [[f"{place} {row[0]}", *row[1:]] for place, row in enumerate(rows, 1)],
    )
    shown = cells[0][: MOST_SHOWN + 1], [row[: MOST_SHOWN + 1] for row in cells[1][:MOST_SHOWN]]
    more = f" (the first {MOST_SHOWN})" if len(rows) > MOST_SHOWN else ""
    caption = f"How often the bot of the row finished ahead of the bot of the column{more}; a tie counts half:"
    return f"<p>{caption}</p>{html_table(shown)}"


def pictures_part(
    variant: Mapping[str, Any], rated: Sequence[Mapping[str, Any]], times: Mapping[str, float], ident: str
) -> str:
    """Return the pictures of a variant as HTML; ids in them begin with ``ident``."""
    if not pictures.is_available():
        return NO_PICTURES
    drawn = pictures.pictures_of(variant, rated, times).items()
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


def records_part(records: Sequence[Mapping[str, Any]], folder: str) -> str:
    """Return the part that leads to the records of the first games of a variant, if they are kept."""
    if not records:
        return ""
    lines = []
    for record in records:
        who = ", ".join(f"{name} {points}" for name, points in zip(record["agents"], record["points"], strict=False))
        address = folder + quote(f"{RECORDS}/{record['file']}")
        lines.append(f'<li><a href="{escape(address)}">{escape(who)}</a></li>')
    heading = f"Records of the first {len(lines)} games: bots in player order, with their points"
    how = "<p>shogun-env view FILE makes a page of a record, on which the game is replayed.</p>"
    return f"<details><summary>{heading}</summary>{how}<ol>{''.join(lines)}</ol></details>"


def _faults_part(arena: PageContent, level: int) -> str:
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
        return f"<h{level}>Faults</h{level}>\n<p>None: every answer could be used.</p>"
    return (
        f"<h{level}>Faults</h{level}>\n<p>{FAULTS_ARE}</p>{html_table((['bot', 'kind', 'number', 'the first'], lines))}"
    )


def _replays_part(arena: PageContent, level: int) -> str:
    items = [f'<li><a href="{escape(file)}">{escape(text)}</a></li>' for text, file in arena.get("replays", {}).items()]
    return f"<h{level}>Games</h{level}>\n<ul>\n{''.join(items)}\n</ul>" if items else ""


def _bots_part(arena: PageContent, level: int) -> str:
    """Return what the bots are."""
    rows = [[each["name"], each["spec"], each["sha256"][:16]] for each in arena["bots"]]
    caption = "What each bot is made by, and the beginning of the SHA-256 of its parameters or files:"
    cells = ["bot", "spec", "SHA-256"], rows
    return f"<details open><summary>Bots</summary><p>{caption}</p>{html_table(cells)}</details>"


def _check_part(arena: PageContent, level: int) -> str:
    """Return where an arena comes from, how to reproduce it and how to check it."""
    names = ", ".join(f"{name} {version}" for name, version in arena["versions"].items())
    return (
        f"<h{level}>Check it</h{level}>\n<p>The hashes of the journal end with <code>{escape(arena['journal'])}</code>."
        " <code>shogun-env tournament --check DIR</code> reads them, makes the tables again, and plays games again.</p>"
        + origin(arena["commit"], names, arena["command"])
    )


def origin(commit: str, names: str, command: str) -> str:
    """Return where a result comes from and how to reproduce it, as HTML."""
    where = f"Commit {commit}; {names}."
    how = f" To reproduce it:</p><pre>{escape(command)}</pre>" if command else "</p>"
    return f"<p>{escape(where)}{how}\n"
