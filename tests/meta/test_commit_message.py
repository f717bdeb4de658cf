"""What the hook on commit messages accepts and refuses (``.ci/commit_message``)."""

from __future__ import annotations

import json
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from typing import Any

import pytest

from tests.meta.test_house import ROOT

WHY = "The old one counted an attack twice, because a farmer joined on the way."
SAME = "No functional change"
RULES, BOTS = "1" * 16, "2" * 16
BENCH = f"Bench: rules={RULES} bots={BOTS}"


@pytest.fixture(scope="module")
def hook() -> Any:
    """The hook as a module."""
    loader = SourceFileLoader("commit_message", str(ROOT / ".ci" / "commit_message"))
    spec = spec_from_loader("commit_message", loader)
    assert spec is not None
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module


def message(subject: str, *paragraphs: str) -> str:
    """Return a message as git writes it into its file."""
    return "\n\n".join((subject, *paragraphs)) + "\n# Please enter the commit message\n"


@pytest.mark.parametrize(
    ("text", "staged"),
    [
        (message("fix(battle): count each attack once", WHY, SAME), ["README.md"]),
        (message("feat!: ask for the side first", WHY, SAME), []),
        (message("perf: play whole plans", WHY, BENCH), ["benchmarks/signatures.json"]),
        ("Merge branch 'pool'\n", ["agents/__init__.py"]),
    ],
)
def test_message__as_contributing_says__is_accepted(hook, monkeypatch, text: str, staged: list[str]):
    monkeypatch.setattr(hook, "git", lambda *_: json.dumps({"shogun": {"rules": RULES, "bots": BOTS}}))
    assert hook.faults(text, staged) == []


@pytest.mark.parametrize(
    ("text", "staged", "fault"),
    [
        (message("count each attack once", WHY, SAME), [], "subject"),
        (message("docs: words", WHY, SAME), [], "subject"),
        (message("fix: what the whole test run showed", WHY, SAME), [], "subject"),
        (message(f"fix: count {'each ' * 30}attack", WHY, SAME), [], "subject"),
        (message("fix: count each attack once", SAME), [], "body"),
        (message("fix: count each attack once", WHY, WHY), [], "last line"),
        (message("fix: count each attack once", WHY, f"Bench: {BOTS}"), [], "last line"),
        (message("fix: count each attack once", WHY, SAME), ["benchmarks/signatures.json"], "last line"),
        (message("fix: count", WHY, BENCH.replace("2", "3")), ["benchmarks/signatures.json"], "last line"),
    ],
)
def test_message__otherwise__is_refused_with_what_would_be_right(hook, monkeypatch, text, staged, fault: str):
    monkeypatch.setattr(hook, "git", lambda *_: json.dumps({"shogun": {"rules": RULES, "bots": BOTS}}))
    (line,) = hook.faults(text, staged)
    assert line.startswith(f"{fault}: ")
    assert "must " in line
