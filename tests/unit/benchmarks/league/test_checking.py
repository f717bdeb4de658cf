"""What `league verify` finds: nothing in a league that was played, and each kind of lie."""

from __future__ import annotations

import json
import shutil

import pytest

from shogun_env.benchmarks.league import checking, command
from shogun_env.benchmarks.league.journal import FILE, line_of, read

pytest.importorskip("scipy")


@pytest.fixture
def folder(compiled):
    """The folder of a league of compiled bots, two rounds of thirty games."""
    return compiled[1]


def changed(folder, target, change):
    """Copy a league with a journal in which an event is changed, with right hashes."""
    shutil.copytree(folder, target)
    (target / "secret").unlink()  # who checks has none
    text, before = "", ""
    for number, event in enumerate(read(folder / FILE)):
        line, new = line_of(change(number, dict(event.values)), before)
        text, before = text + line, new.chain
    (target / FILE).write_text(text)
    return target


def differences(folder):
    """Return what differs."""
    return " | ".join(checking.verify(folder).differences)


def test_verify__league_that_was_played__is_true_without_its_secret(folder, tmp_path, capsys):
    target = changed(folder, tmp_path / "t", lambda number, values: values)
    assert command.main(["verify", str(target)]) == 0
    said = capsys.readouterr().out
    assert "60 of 60 games were played again" in said and "the tables of 2 of 2 rounds" in said
    assert "2 secrets were looked at" in said and "DIFFERS" not in said
    assert command.main(["verify", str(target), "--share", "50"]) == 0
    said = capsys.readouterr().out
    assert "60 of 60 games" not in said and "of 60 games were played again" in said and "1 of 2 rounds" in said


@pytest.mark.parametrize(
    ("kind", "field", "value", "words"),
    [
        ("games", "points", lambda points: [points[0][::-1], *points[1:]], "came out otherwise"),
        ("end", "secret", lambda secret: "00" * 32, "round 1: its secret is not the one that was fixed before"),
        ("round", "tables", lambda tables: [*tables[:-1], tables[0]], "other bots meet than its secret and the games"),
        ("entry", "sha256", lambda sha256: "0", ""),
    ],
)
def test_verify__lie_with_right_hashes__is_found(folder, tmp_path, kind, field, value, words, capsys):
    first = next(number for number, event in enumerate(read(folder / FILE)) if event.values["kind"] == kind)
    first += kind == "entry"  # the second entry
    target = changed(
        folder, tmp_path / "t",
        lambda number, values: {**values, field: value(values[field])} if number == first else values,
    )  # fmt: skip
    assert words in differences(target)
    if kind == "entry":
        assert command.main(["verify", str(target)]) == 1
        assert "blocks were left out: scripted have changed" in capsys.readouterr().out


def test_verify__standings_and_conditions__are_compared(folder, tmp_path):
    target = tmp_path / "t"
    shutil.copytree(folder, target)
    summary = json.loads((target / "standings.json").read_text())
    summary["standings"][0]["rating"] += 1
    (target / "standings.json").write_text(json.dumps(summary))
    assert differences(target) == "the games make other standings than standings.json"
    (target / "standings.json").write_text("{}")
    assert "standings.json is not of the whole journal" in differences(target)
    (target / "standings.json").unlink()
    assert "standings.json is missing or damaged" in differences(target)
    other = changed(
        folder, tmp_path / "o",
        lambda number, values: {**values, "settings": {**values["settings"], "rules": 0}} if number == 0 else values,
    )  # fmt: skip
    assert "this league is played by rules 0" in differences(other)
