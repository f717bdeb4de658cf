"""Docstrings of the kernels that other files call: their heads are complete and say what the code does."""

import re

from tests.games import NAMES, batch_class
from tests.meta.kernel_sources import draws, reads_of, sources, writes_of

EXPORTED = sorted(name for name, source in sources().items() if source.is_exported)
HEADS = ("Rule", "Args", "Reads", "Writes", "Draws", "Returns")
HEAD = re.compile(rf"^({'|'.join(HEADS)})\b(?=:| )", re.M)
FIELDS = {field for name in NAMES for field in batch_class(name).spec.state_dtype.names}
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


def test_docstring__of_each_exported_kernel__says_if_it_draws():
    assert [name for name in EXPORTED if ("Draws" in heads(sources()[name].doc)) != draws(name)] == []


def test_docstring__of_each_rule__names_the_section_or_ruling():
    rules = {name: sources()[name] for name in EXPORTED if ".rules." in name}
    assert len(rules) > 50
    modules = {source.path: source.path.read_text("utf-8").split('"""')[1] for source in rules.values()}
    assert [name for name, rule in rules.items() if not SECTION.search(rule.doc + modules[rule.path])] == []
