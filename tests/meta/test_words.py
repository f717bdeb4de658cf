"""One word for one thing: words that DESIGN.md has retired are not used again, and English that a reader trips over."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.meta.test_house import ROOT, files_of_the_tree

DESIGN = (ROOT / "DESIGN.md").read_text("utf-8")
EXEMPT = {"CHANGELOG.md", "test_words.py"}
"""History, and this list."""
KINDS = (".py", ".md", ".toml", ".ipynb", ".txt", ".cff", ".html")

ENGLISH = {
    r"\b(he|his|him|himself|she|hers?|herself)\b": "they, their, or the player",
    r"\banew\b": "again; from the start",
    r"\bmend(s|ed|ing)?\b": "fix",
    r"\b(is|are) parted by\b": "separated by",
    r"\bneed(s|ed)? not to\b": "need not",
    r"\bneedn't\b": "need not",
    r"\bnothing is changed then\b": "is left unchanged",
    r"\bgoes on where\b": "resumes",
    r"\bwhat went wrong on\b": "the error code of",
    r"\bis no (whole number|result|file|JSON|TOML|number)\b": "is not a ...",
    r"\bhas only action 0\b": "may only play action 0",
    r"\b(stands?|stood) (in|on|at|under|beside|here|there|between|alone) "
    r"(the|a|an|its|each|this|their|one|two|one's)\b": "is in, is on; a building stands, a file does not",
    r"\b(one|a|an|two|three|\d+) (line|byte|bytes|game|row|file|bit|bits|heading|headings) an? "
    r"(game|evaluation|player|spec|object|version|row|decision|line|iteration|rule|second)\b": "per",
    r"\bof the same names? as\b": "named like",
    r"\bso[- ]called\b": "leave it out",
}
"""Phrases of the first edition, and what to write instead."""

NAMES = {"found", "wanted", "told", "made", "seen", "got", "thing", "things"}
"""Names of values that say nothing about the value."""


def texts() -> Iterator[tuple[Path, str]]:
    """Files of the tree that people read."""
    for path in files_of_the_tree():
        if path.suffix in KINDS and path.name not in EXEMPT and not path.is_symlink():
            yield path.relative_to(ROOT), path.read_text("utf-8")


def prose(path: Path, text: str) -> str:
    """Return what is prose in a file: all of it, or of Python the strings and comments."""
    if path.suffix != ".py":
        return text
    lines = text.splitlines()
    keep = [""] * len(lines)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            for number in range(node.lineno - 1, (node.end_lineno or node.lineno)):
                keep[number] = lines[number]
    for number, line in enumerate(lines):
        if "#" in line and not keep[number]:
            keep[number] = line[line.index("#") :]
    return "\n".join(keep)


def retired() -> dict[str, str]:
    """Return the retired words of DESIGN.md's table, with the words that took their place."""
    table = DESIGN.split("## Words of the code")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (.+?) \| (.+?) \| (.*?) \|$", table, re.M)[1:]
    return {word: row[0] for row in rows for word in re.findall(r"`([^`]+)`", row[2])}


@cache
def identifiers() -> dict[Path, set[str]]:
    """Return the names in each Python file: of variables, parameters, attributes, functions, classes, imports."""
    return {path: set(_identifiers(ast.parse(text))) for path, text in texts() if path.suffix == ".py"}


def _identifiers(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        for field in ("id", "attr", "arg", "name", "asname"):
            if isinstance(name := getattr(node, field, None), str):
                yield name
        yield from (f"@{part.id}" for part in getattr(node, "decorator_list", ()) if isinstance(part, ast.Name))


def test_words__of_the_table__are_many_and_have_a_successor():
    assert len(retired()) > 25
    assert "LineUp" in retired()


@pytest.mark.parametrize("word", sorted(retired()))
def test_word__retired__is_not_used_in_code(word: str):
    hits = [str(path) for path, names in identifiers().items() if word in names or path.name == word]
    assert hits == [], f"say {retired()[word]}"


@pytest.mark.parametrize("pattern", ENGLISH)
def test_english__phrase_of_the_first_edition__is_not_used(pattern: str):
    found = re.compile(pattern, re.I)
    hits = [
        f"{path}:{number}: {match[0]}"
        for path, text in texts()
        for number, line in enumerate(prose(path, text).splitlines(), 1)
        if (match := found.search(line))
    ]
    assert hits == [], f"write: {ENGLISH[pattern]}"


def names_stored(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Names that a module gives to values: variables, parameters, attributes."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id, node.lineno
        elif isinstance(node, ast.arg):
            yield node.arg, node.lineno
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr, node.lineno


def test_names__that_say_nothing_of_the_value__are_not_given():
    hits = [
        f"{path}:{line}: {name}"
        for path, text in texts()
        if path.suffix == ".py"
        for name, line in names_stored(ast.parse(text))
        if name in NAMES
    ]
    assert hits == []
