"""Docstrings of the kernels that other files call: their heads are complete and say what the code does."""

from __future__ import annotations

import re
from pathlib import Path

from tests.games import NAMES, batch_class
from tests.meta.kernel_sources import draws, reads_of, sources, writes_of

EXPORTED = sorted(name for name, source in sources().items() if source.is_exported)
HEADS = ("Rule", "Args", "Reads", "Writes", "Draws", "Returns")
HEAD = re.compile(rf"^({'|'.join(HEADS)})\b(?=:| )", re.M)
FIELDS = {field for name in NAMES for field in batch_class(name).spec.state_dtype.names}
MANY = 20
"""So many fields may be called ``everything``."""
OBVIOUS = {"g", "rng", "log", "player", "prov", "act", "mask", "out"}
"""What these are, their names and aliases say."""
RESULT = re.compile(r"^(Return|Say whether|Count)\b")
UNFINISHED = re.compile(r"\b(TO[D]O|FIX[M]E|X[X]X)\b")
"""Marks of unfinished work, spelt so that a search for them finds nothing here."""
SECTION = re.compile(r"\b([RS]?\d+(\.\d+)*|winter \d)\b")


def heads(doc: str) -> dict[str, str]:
    """Return the text under each head of a docstring, and the text before the first under the empty name."""
    parts = HEAD.split(doc)
    return {
        "": parts[0].strip(),
        **{name: " ".join(text.split()) for name, text in zip(parts[1::2], parts[2::2], strict=True)},
    }


def listed(name: str, head: str, text: str, total: frozenset[str]) -> set[str]:
    """Return the fields that a head lists: by name, or as what another kernel reads or writes."""
    names: set[str] = set()
    for item in text.removeprefix(":").strip().split(";")[0].split(", "):
        if match := re.fullmatch(r"what ``(\w+)`` (reads|writes)", item):
            (callee,) = {each for each in reachable(name) if each.endswith(f".{match[1]}")}
            names |= reads_of(callee) if match[2] == "reads" else writes_of(callee)
        elif item == "everything":
            assert len(total) >= MANY, f"{name}: {head} everything, but it is only {sorted(total)}"
            names |= total
        else:
            assert item in FIELDS, f"{name}: {head} lists {item!r}, which is no field; remarks come after a semicolon"
            names.add(item)
    return names


def reachable(name: str) -> set[str]:
    """Return all kernels that a kernel calls, near or far."""
    names: set[str] = set()
    waiting = [name]
    while waiting:
        for callee in sources()[waiting.pop()].calls - names:
            names.add(callee)
            waiting.append(callee)
    return names


def test_docstring__of_each_exported_kernel__lists_what_it_reads_and_writes():
    wrong = set()
    for name in (name for name in EXPORTED if "g" in sources()[name].parameters):
        given = heads(sources()[name].doc)
        for head, total in (("Reads", reads_of(name)), ("Writes", writes_of(name))):
            said = listed(name, head, given[head], total) if head in given else set()
            if said != total:
                wrong.add(f"{name}: {head}: {sorted(said ^ total)}")
    assert wrong == set()


def test_docstring__of_each_exported_kernel__says_what_it_draws_and_returns():
    wrong = set()
    for name in EXPORTED:
        source, given = sources()[name], heads(sources()[name].doc)
        returns = source.node.returns is not None and getattr(source.node.returns, "value", "") is not None
        if ("Draws" in given) != draws(name) or UNFINISHED.search(source.doc):
            wrong.add(f"{name}: Draws, or unfinished")
        if ("Returns" in given or RESULT.match(given[""]) is not None) != returns:
            wrong.add(f"{name}: Returns")
    assert wrong == set()


def test_docstring__of_each_exported_kernel__names_every_argument():
    missing = {
        name: {*source.parameters} - OBVIOUS - set(re.findall(r"\w+", source.doc))
        for name, source in sources().items()
        if source.is_exported
    }
    assert {name: words for name, words in missing.items() if words} == {}


def test_docstring__heads__are_in_order():
    orders = {name: [HEADS.index(head) for head in heads(sources()[name].doc) if head] for name in EXPORTED}
    assert [name for name, order in orders.items() if order != sorted(order)] == []


def test_docstring__of_each_rule__names_the_section_or_ruling():
    rules = [name for name in EXPORTED if ".rules." in name]
    assert len(rules) > 50
    wrong = []
    for name in rules:
        source = sources()[name]
        module = re.match(r'"""(.*?)"""', Path(source.path).read_text("utf-8"), re.S)
        if not SECTION.search(source.doc) and not (module and SECTION.search(module[1])):
            wrong.append(name)
    assert wrong == []
