"""The tables of an arena in its folder: as Markdown, CSV and LaTeX, and all that they are made of as JSON."""

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from shogun_env.benchmarks.arena.tables import as_markdown, leaderboard
from shogun_env.cli import write_json
from shogun_env.files import write_whole
from shogun_env.shares import wilson
from shogun_env.spec.bots import FAULTS

TABLE, CSV, LATEX, PAIRS = "leaderboard.md", "leaderboard.csv", "leaderboard.tex", "pairs.csv"
SUMMARY, TIMES = "summary.json", "times.json"
"""Files of the folder of an arena."""
IN_LATEX = str.maketrans({letter: f"\\{letter}" for letter in "%&#$_{}"} | {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "−": "$-$", "∞": r"$\infty$",
    "–": "--", "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}",
})  # fmt: skip
"""How LaTeX is told characters that mean something to it."""


def as_latex(summary: Mapping[str, Any]) -> str:
    """Return the leaderboards of a summary as tables of LaTeX with booktabs, without seats and remarks."""
    parts = []
    for variant in summary["variants"]:
        head, rows = leaderboard(variant["leaderboard"], summary["ratings"].get(variant["name"], []))
        count = head.index("mean points") + 1
        lines = [" & ".join(cell.translate(IN_LATEX) for cell in cells[:count]) + r" \\" for cells in (head, *rows)]
        columns = "".join("l" if name == "bot" else "r" for name in head[:count])
        body = [r"\toprule", lines[0], r"\midrule", *lines[1:], r"\bottomrule"]
        name = f"% {variant['name']}, {variant['games']} games"
        parts += [name, rf"\begin{{tabular}}{{{columns}}}", *body, r"\end{tabular}", ""]
    return "\n".join(parts)


def comma_separated(summary: Mapping[str, Any]) -> str:
    """Return the leaderboards of a summary as CSV, with the names of their columns; numbers are not rounded."""
    rows: list[dict[str, Any]] = []
    for variant in summary["variants"]:
        row_of = {row["agent"]: row for row in variant["leaderboard"]}
        for place, rating in enumerate(summary["ratings"].get(variant["name"], []), 1):
            if row := row_of.get(rating["agent"]):
                rows.append(
                    {"variant": variant["name"], "place": place, "bot": rating["agent"], "rating": rating["rating"]}
                    | {f"rating {name}": rating[name] for name in ("low", "high", "kind")}
                    | {"games": row["games"], "wins": row["win_share"]}
                    | {f"wins {name}": row[name] for name in ("low", "high")}
                    | {"mean place": row["mean_place"], "mean points": row["mean_points"]}
                    | {f"faults {kind}": row["faults"].get(kind, 0) for kind in FAULTS}
                    | {f"player {player}": share for player, share in enumerate(row["seat_shares"])}
                    | {f"in place {place}": share for place, share in enumerate(row["places"], 1)}
                )
    return _as_csv(rows)


def pairs(summary: Mapping[str, Any]) -> str:
    """Return as CSV in how many games each bot met each other, and in what share it was ahead, with 95 % intervals."""
    rows = []
    for variant in summary["variants"]:
        ahead = variant["ahead"]
        for bot, shares, counts in zip(ahead["agents"], ahead["share"], ahead["games"], strict=True):
            for other, share, games in zip(ahead["agents"], shares, counts, strict=True):
                if games:
                    low, high = wilson(share * games, games)
                    pair = {"variant": variant["name"], "bot": bot, "other": other, "games": games}
                    rows.append(pair | {"ahead": share, "ahead low": low, "ahead high": high})
    return _as_csv(rows)


def _as_csv(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return rows as CSV; a row that has no value of a column has an empty cell there."""
    out = io.StringIO()
    names = dict.fromkeys(name for row in sorted(rows, key=len, reverse=True) for name in row)
    writer = csv.DictWriter(out, list(names), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def texts_of(summary: Mapping[str, Any]) -> dict[str, str]:
    """Return the tables of a summary by the names of their files."""
    makers = {TABLE: as_markdown, CSV: comma_separated, LATEX: as_latex, PAIRS: pairs}
    return {name: make(summary) for name, make in makers.items()}


def write_tables(folder: Path, summary: Mapping[str, Any], times: Mapping[str, float]) -> None:
    """Write the tables into a folder; times, which differ from run to run, into a file of their own."""
    for name, text in texts_of(summary).items():
        write_whole(folder / name, text)
    write_json(folder / SUMMARY, summary)
    write_json(folder / TIMES, dict(times))
