"""Generated parts of documents: all are up to date, none is written by hand, and none has an empty cell."""

import re

import pytest

from shogun_env.benchmarks.documents import PANEL_VERSION, ROOT, generated, mean_and_worst, strength_runs, write
from shogun_env.benchmarks.markdown import BEGIN
from tests.meta.test_readme import parsed
from tests.tree import files_of_the_tree


def test_documents__generated_parts__are_those_of_the_results_and_the_code():
    assert write(ROOT, check=True) == [], "run make book"


def test_documents__marks__are_those_of_the_parts_that_are_made():
    marked = {
        path: names
        for path in files_of_the_tree()
        if path.suffix == ".md"
        if (names := re.findall(re.escape(BEGIN).replace(r"\{\}", "(.+)"), path.read_text()))
    }
    assert marked == {path: list(parts) for path, parts in generated(ROOT).items()}


def test_documents__tables__have_no_empty_cells():
    text = "\n".join(part for parts in generated(ROOT).values() for part in parts.values())
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert len(rows) > 150
    assert [row for row in rows if re.search(r"\|\s*\|", row)] == []


def test_strength__run_of_another_panel_version__is_refused(tmp_path):
    file = tmp_path / "strength.json"
    file.write_text('{"runs": [{"agent": "scripted", "game": "shitenno", "protocol": 1}]}')
    with pytest.raises(
        ValueError, match=f"scripted is of panel version 1, not {PANEL_VERSION['shitenno']}; measure it again"
    ):
        strength_runs(file)


def test_mean_and_worst__of_rows__have_the_interval_of_independent_ones():
    figures = [{"share": 0.6, "low": 0.57, "high": 0.63}, {"share": 0.4, "low": 0.36, "high": 0.44}]
    rows = [{"against": "some", "players": {"2": each}} for each in figures]
    assert mean_and_worst({"rungs": rows}, "2") == "50.0 ± 2.5 (40.0)"


def test_commands__under_every_generated_table__are_the_scripts_and_can_be_pasted():
    parts = {f"{path.name} {name}": part for path, each in generated(ROOT).items() for name, part in each.items()}
    commands = {name: re.findall(r"`((?:shogun-env|python -m) [^`]+)`", part) for name, part in parts.items()}
    found = [command for each in commands.values() for command in each]
    assert len(found) > 3
    assert [command for command in found if not command.startswith("shogun-env ")] == []
    for command in found:
        assert parsed(command.removeprefix("shogun-env "))
        assert not re.search(r"(?<!')[;&|<>](?![^']*'( |$))", command), command
