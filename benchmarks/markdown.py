"""Markdown as documents and terminals show it: tables, numbers, commands, the marks around generated parts."""

import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from shogun_env.cli import SCRIPT

BEGIN, END = "<!-- made by `make book`: {} -->\n", "<!-- end of {} -->"
"""What is before and after a generated part of a document; both hold the name of the part."""
NUMBER = re.compile(r"[-+–−≥≤ ]*\d.*|–|")
"""A cell that does not keep its column from being aligned to the right."""


def markdown_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table, aligned for readers of the source and of terminals; numbers are aligned to the right."""
    columns = [list(column) for column in zip(head, *rows, strict=True)]
    filled = [_filled(column, is_last=column is columns[-1]) for column in columns]
    return "".join(f"| {' | '.join(line)} |\n" for line in zip(*filled, strict=True))


def _filled(column: Sequence[str], is_last: bool) -> list[str]:
    """Return the cells of a column, filled up to the same width, with the rule below the first."""
    width = max(3, *map(len, column))
    if all(map(NUMBER.fullmatch, column[1:])):
        head, *cells = (cell.rjust(width) for cell in column)
        return [head, "-" * (width - 1) + ":", *cells]
    if is_last:
        width = 3  # sentences are in the last column mostly: nothing follows that would have to be aligned
    head, *cells = (cell.ljust(width) for cell in column)
    return [head, "-" * width, *cells]


def columns_of(text: str, *headings: str) -> str:
    """Return the columns with these headings of the first table in a text that has them all, as a table.

    Raises: ValueError if there is no such table.
    """
    for table in re.findall(r"(?:^\|.*\n)+", text, re.M):
        rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]
        if set(headings) <= set(rows[0]):
            places = [rows[0].index(heading) for heading in headings]
            return markdown_table(headings, [[row[place] for place in places] for row in rows[2:]])
    raise ValueError(f"no table has the columns {', '.join(headings)}")


def number(value: float) -> str:
    """Return a figure with three digits that are not 0, and commas between thousands."""
    return f"{float(f'{value:.3g}'):,.0f}" if value >= 100 else f"{value:.3g}"


def percent(share: float, digits: int = 1) -> str:
    """Return a share 0..1 in per cent, such as ``36.0 %``."""
    return f"{100 * share:.{digits}f} %"


def percent_interval(share: float, low: float, high: float) -> str:
    """Return a share with the ends of its interval in per cent, such as ``36.0 % (35.4–36.6)``."""
    return f"{percent(share)} ({100 * low:.1f}–{100 * high:.1f})"


def whole(number: float) -> str:
    """Return a number without decimals, with a real minus sign.

    Example:
        >>> whole(-403.2), whole(-0.4)
        ('−403', '0')
    """
    return f"{round(number)}".replace("-", "−")


def rating_text(rating: float | None, low: float | None, high: float | None, kind: str) -> str:
    """Return a rating with its interval, such as ``203 (180 to 226)``; one end may be open.

    Example:
        >>> rating_text(203.4, 180.2, 226.0, "interval"), rating_text(-800.0, None, -600.0, "at most")
        ('203 (180 to 226)', '−800 (−∞ to −600)')
    """
    if rating is None:
        return "–"
    if kind == "anchor":
        return f"{whole(rating)} (anchor)"
    return f"{whole(rating)} ({'−∞' if low is None else whole(low)} to {'∞' if high is None else whole(high)})"


NO_FIGURE = ("--json", "--threads", "--out", "-o")
"""Options on which no figure depends, each with a value."""


def printed(command: str, instead: Mapping[str, str] = MappingProxyType({})) -> str:
    """Return the command of a result as documents print it: every argument on which its figures depend, quoted.

    Args: command as it was given when the figures were made; instead, what is printed in place of some arguments.

    Example:
        >>> printed("python -m benchmarks.strength --agent pool:2min --seeds 250 --threads 1", {"pool:2min": "SPEC"})
        'shogun-env strength --agent SPEC --seeds 250'
    """
    words = shlex.split(re.sub(r"^python -m (benchmarks|training)\.", f"{SCRIPT} ", command))
    left_out = {at + more for at, word in enumerate(words) if word in NO_FIGURE for more in (0, 1)}
    return shlex.join(instead.get(word, word) for at, word in enumerate(words) if at not in left_out)


def with_parts(text: str, parts: Mapping[str, str]) -> str:
    """Return a document with the generated parts between their marks.

    Raises: ValueError if the marks of a part are missing.
    """
    for name, part in parts.items():
        before, begin, rest = text.partition(BEGIN.format(name))
        _, end, after = rest.partition(END.format(name))
        if not begin or not end:
            raise ValueError(f"the marks {BEGIN.format(name).strip()} and {END.format(name)} are missing")
        text = f"{before}{begin}{part}{end}{after}"
    return text
