"""The repository around the code: what the oracles import, examples in docstrings, what files may hold."""

import ast
import doctest
import importlib
import re
import sys
import tomllib

import pytest

from tests.tree import ROOT, SOURCES, files_of_the_tree, place_in_package

MAX_LINES = 500
MODULES = [
    ".".join(place_in_package(path).with_suffix("").parts).removesuffix(".__init__")
    for path in SOURCES
    if path.name not in ("__main__.py", "sb3.py")
]


def test_import__the_oracles__are_of_the_standard_library_and_themselves():
    for path in (ROOT / "tests/differential/oracle").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import | ast.ImportFrom) and not getattr(node, "level", 0):
                names = [getattr(node, "module", None) or alias.name for alias in node.names]
                assert {name.partition(".")[0] for name in names} <= sys.stdlib_module_names, path


@pytest.mark.full
def test_doctest__examples_in_docstrings__print_what_they_say():
    results = {name: doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS) for name in MODULES}
    assert sum(result.attempted for result in results.values()) > 100
    assert [name for name, result in results.items() if result.failed] == []


def test_source__each_file__is_short():
    assert [path for path in SOURCES if len(path.read_text("utf-8").splitlines()) > MAX_LINES] == []


def test_tree__text_files__name_no_path_of_one_machine():
    pattern = re.compile(rb"^(?!.*(?:tmp_path|mktemp|/tmp/ray)).*/(?:work|farm|root|tmp|home|Users)/[A-Za-z].*", re.M)
    texts = {path: path.read_bytes() for path in files_of_the_tree()}
    assert [(path, hit) for path, text in texts.items() if b"\0" not in text for hit in pattern.findall(text)] == []


def test_floors__constraints_file__names_the_lower_bounds_of_the_core():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    floors = dict(re.findall(r"^([\w-]+)==([\d.]+)\.\*$", (ROOT / "constraints-floors.txt").read_text(), re.M))
    assert floors == dict(re.match(r"([\w-]+)>=([\d.]+)", text).groups() for text in project["dependencies"])
