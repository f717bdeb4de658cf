"""One word for one thing: words that have been retired are not used again."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.meta.test_house import ROOT, files_of_the_tree

RETIRED = {
    "@rule": "@kernel",
    "AECGame": "AECGameEnv",
    "GAME": "STATE",
    "LOG_SEATS": "player",
    "LineUp": "PolicyTable",
    "ManyPlayers": "MultiAgentEnv",
    "OneGame": "SingleGameEnv",
    "ParallelGame": "ParallelGameEnv",
    "Sight": "Features",
    "_SEATS": "offset",
    "_spread": "_run_in_threads",
    "arguments.py": "validation.py",
    "blank_record": "blank_state",
    "hit": "bernoulli",
    "least_harm": "fallback",
    "loops_of": "loop",
    "note": "log_entry",
    "note_cubes": "log_entry",
    "note_plans": "log_entry",
    "note_row": "log_entry",
    "note_state": "log_entry",
    "observe_again": "update_observation",
    "quiet_time": "observation_epoch",
    "saved.py": "serialization.py",
    "scales": "float view",
    "seat_of": "start position",
    "sight": "extract_features",
    "trouble": "log_status",
    "value_layers": "value_width",
    "whole_lines": "complete_lines",
}
"""Names of earlier versions, and what to say instead; `DESIGN.md` ("Words of the code") says what the words mean."""


def names(tree: ast.AST) -> Iterator[str]:
    """Names in a Python file: of variables, parameters, attributes, functions, classes, imports, decorators."""
    for node in ast.walk(tree):
        for field in ("id", "attr", "arg", "name", "asname"):
            if isinstance(name := getattr(node, field, None), str):
                yield name
        yield from (f"@{part.id}" for part in getattr(node, "decorator_list", ()) if isinstance(part, ast.Name))


def test_words__retired__are_not_used_in_code():
    hits = [
        f"{path.relative_to(ROOT)}: {word}, say {RETIRED[word]}"
        for path in files_of_the_tree()
        if path.suffix == ".py" and not path.is_symlink()
        for word in sorted(RETIRED.keys() & {path.name, *names(ast.parse(path.read_text("utf-8")))})
    ]
    assert hits == []
