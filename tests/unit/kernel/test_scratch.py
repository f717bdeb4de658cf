"""Scratch memory of kernels: its sizes follow from the constants of the game."""

import ast

from tests.tree import ROOT, SOURCES

SCRATCH = {"stack_floats", "stack_ints"}


def typed_sizes(source: str) -> list[str]:
    """Return the calls for scratch memory in a source whose size is not a name."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    asked = [call for call in calls if isinstance(call.func, ast.Name) and call.func.id in SCRATCH]
    return [ast.unparse(call) for call in asked if not isinstance(call.args[0], ast.Name)]


def test_scratch__every_size__is_derived_and_has_a_name():
    """A size that is typed goes wrong silently: a kernel then writes past its stack."""
    typed = {path.relative_to(ROOT).as_posix(): typed_sizes(path.read_text("utf-8")) for path in SOURCES}
    assert {place: calls for place, calls in typed.items() if calls} == {}
    assert typed_sizes("known = stack_floats(60)") == ["stack_floats(60)"]
