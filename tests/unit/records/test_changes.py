"""Records with one change in a line of each form: refused where it stands, or later by the rules."""

import json
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from shogun_env.records import RecordError, parse_record, verify
from tests.games import batch_class, each_game
from tests.unit.records.faults import GAMES, Line
from tests.unit.records.played import lines_of


def others(value: Any, names: list[str]) -> Iterator[Any]:
    """Yield values to take a value's place: near it, of another type, out of ``names``, with a part changed."""
    if value is None or isinstance(value, bool):
        yield from (not value, 0)
    elif isinstance(value, int):
        yield from (value + 1, float(value), -1, bool(value))
    elif isinstance(value, str):
        yield from ("x", *[name for name in names if name != value][:1])
    elif isinstance(value, list):
        yield from ([], value[:-1], value[:1] + value, value[::-1])
        yield from ([one, *value[1:]] for first in value[:1] for one in others(first, names))
    elif isinstance(value, dict):
        yield value | {"x": 1}
        for key in list(value)[:1]:
            yield {name: part for name, part in value.items() if name != key}
            yield from (value | {key: one} for one in others(value[key], []))


def changed(lines: list[Line]) -> Iterator[tuple[str, list[Line]]]:
    """Yield records with one change in the first line of each form: what is changed, lines."""
    forms: dict[tuple[str, ...], int] = {}
    names: dict[tuple[str, str], list[str]] = defaultdict(list)
    for number, line in enumerate(lines):
        forms.setdefault((line["t"], *line), number)
        for field, value in line.items():
            names[line["t"], field] += (
                [value] if isinstance(value, str) and value not in names[line["t"], field] else []
            )
    for at in forms.values():
        line = lines[at]
        for field, value in line.items():
            less = {name: part for name, part in line.items() if name != field}
            yield f"{at + 1}: without {field}", [*lines[:at], less, *lines[at + 1 :]]
            for other in others(value, names[line["t"], field]):
                if json.dumps(other) != json.dumps(value):
                    yield f"{at + 1}: {field}: {other}", [*lines[:at], line | {field: other}, *lines[at + 1 :]]
        yield f"{at + 1}: one field more", [*lines[:at], line | {"x": 1}, *lines[at + 1 :]]
        yield f"{at + 1}: twice", [*lines[:at], line, *lines[at:]]
        yield f"{at + 1}: left out", [*lines[:at], *lines[at + 1 :]]


def refused_at(check: Callable[[], object]) -> int:
    """Return the line at which a record is refused, 0 if it is accepted."""
    try:
        check()
    except RecordError as error:
        return error.line
    return 0


@pytest.mark.full
@each_game
def test_record__with_one_change__is_refused_at_its_line_by_its_form_or_by_the_rules(name: str):
    make, right = batch_class(name), lines_of(name, GAMES[name][0])
    texts = {id(line): json.dumps(line) + "\n" for line in right}
    elsewhere, accepted, by_form, by_rules = [], [], 0, 0
    for what, lines in changed(right):
        text = "".join(texts.get(id(line)) or json.dumps(line) + "\n" for line in lines).encode()
        at = int(what.partition(":")[0])
        if refused := refused_at(lambda text=text: parse_record(text, make.spec)):
            by_form += 1
            elsewhere += [(what, refused)] if refused != at + (what == "1: twice") else []
        elif refused := refused_at(lambda lines=lines: verify(make, lines)):
            by_rules += 1
        else:
            accepted.append(what)
    assert elsewhere == []
    assert min(by_form, by_rules) > 100
    assert len(accepted) < 8, "the seed, the tower, options that no turn of this game met, cards drawn together"
