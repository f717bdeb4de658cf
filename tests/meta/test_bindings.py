"""Bindings that a reader can follow: values by keyword, no game named in shared code, no import by a computed name."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import shogun_env
from tests.meta.test_house import ROOT, SOURCES

FEW = 2
"""A NamedTuple or dataclass of at most this many fields may be built by position."""
BY_POSITION = {
    "BoardFeature": "a row of a table: name, lowest and highest value, meaning",
    "Decisions": "joined from parts, array by array in the order of the fields",
    "Games": "joined from parts, array by array in the order of the fields",
    "Number": "a row of a table whose heading names the columns",
    "Published": "a line of an experiment: file, what it holds, what a new run replaces, what is made of it",
    "Samples": "joined from parts, array by array in the order of the fields",
    "Told": "what each of forty methods returns in one line: number of lines, player, text",
    "Tower": "an option that users also give as a tuple of numbers, in the same order",
}
"""Classes with more fields that may be built by position, with the reason."""

NAME_GAMES = {
    "shogun_env/__init__.py": "the table of games",
    "shogun_env/__main__.py": "examples of file names, and the title, in its help",
    "shogun_env/commands.py": "the game that one program solves",
    "shogun_env/doors/mcp.py": "what models are told of the games",
    "agents/chat/plans.py": "whole plans in words: Shogun has plans",
    "agents/pool/__init__.py": "the table of networks that never change",
    "agents/__init__.py": "the bots of the game that is solved",
    "agents/scripted/__init__.py": "the table of scripted bots",
    "agents/search/agent.py": "the table of modules that handle whole plans",
    "agents/search/lots.py": "whole lots: Shitennō has lots",
    "agents/search/plans.py": "whole plans: Shogun has plans",
    "agents/search/value.py": "the table of values that were fitted",
    "training/config.py": "the game of a run unless another is named",
    "training/fit_value.py": "the table of options of play that values are fitted for",
    "benchmarks/arena/tables.py": "the table of anchors",
    "benchmarks/ladder.py": "the table of bots that people play against",
    "benchmarks/arena/presets.py": "the table of named conditions",
    "training/solve.py": "the game that is solved",
    "benchmarks/curves.py": "the game in which learners are looked up",
    "benchmarks/budget.py": "the table of bots that are measured",
    "benchmarks/pictures.py": "words on an axis",
}
"""The files that name a game, besides those of the games and of their scripted bots, with what names it there."""

COMPUTED_IMPORTS = {
    "shogun_env/__init__.py": "imports a game when it is first asked for, and registers it, by the names in GAMES",
    "shogun_env/__main__.py": "finds RULES.md by the name of a game, by the names in a table",
    "shogun_env/commands.py": "imports programs, by the names in its table",
    "shogun_env/kernel/private.py": "finds names that numba does not document, all in one table",
    "shogun_env/cli.py": "imports the game of the command line, by the names in GAMES",
    "agents/search/whole.py": "a copy of kept plans imports the module that it was made with",
    "shogun_env/records/text.py": "finds the rules of a game, by the name in its specification",
    "shogun_env/records/document.py": "reads scripts and style sheets of the page's package, which the caller names",
    "shogun_env/policies.py": "loads bots from the places they are registered with, entry points and files",
    "benchmarks/speed.py": "imports the environments of the game on the command line, checked before",
}
"""Files that import by a name that is not a literal, with the reason."""


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def place_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


# -------------------------------------------------------------------------------------------------------------- fields


def has_fields(node: ast.ClassDef) -> bool:
    """Say whether a class is a NamedTuple or a dataclass."""
    decorators = [part.func if isinstance(part, ast.Call) else part for part in node.decorator_list]
    names = [ast.unparse(part).rpartition(".")[2] for part in (*node.bases, *decorators)]
    return "NamedTuple" in names or "dataclass" in names


@cache
def classes_with_many_fields() -> frozenset[str]:
    """Return the names of the NamedTuples and dataclasses with many fields that the package defines."""
    return frozenset(
        node.name
        for path in SOURCES
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.ClassDef) and has_fields(node)
        if sum(isinstance(part, ast.AnnAssign) for part in node.body) > FEW
    )


def calls_of(path: Path, names: frozenset[str]) -> Iterator[tuple[str, ast.Call]]:
    """Yield the calls in a file of classes with these names; ``cls`` in the body of a class means that class."""
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Call) and (name := ast.unparse(node.func).rpartition(".")[2]) in names:
            yield name, node
        elif isinstance(node, ast.ClassDef) and node.name in names:
            for part in ast.walk(node):
                if isinstance(part, ast.Call) and ast.unparse(part.func) == "cls":
                    yield node.name, part


def by_position(path: Path, names: frozenset[str]) -> list[str]:
    """Return the places in a file where a class with one of these names is built by position."""
    return [f"{path}:{call.lineno}: {name}" for name, call in calls_of(path, names) if call.args]


def test_classes__with_many_fields__are_built_by_keyword():
    names = classes_with_many_fields()
    assert set(BY_POSITION) <= names
    names -= set(BY_POSITION)
    assert [place for path in SOURCES for place in by_position(path, names)] == []


# ---------------------------------------------------------------------------------------------------------- parameters

MOST_PARAMETERS = 10
TAKE_MORE = {
    "agents/search/agent.py: make_search": "the parameters of the bot, each by its name in a spec",
}
"""Functions that may have more parameters, with the reason."""


def with_many_parameters(tree: ast.Module) -> list[str]:
    """Return the names of the functions with more parameters than a reader can hold, ``self`` and ``cls`` aside."""
    names = []
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            count = sum(argument.arg not in ("self", "cls") for argument in arguments)
            names += [node.name] if count > MOST_PARAMETERS else []
    return names


def test_functions__with_many_parameters__are_on_the_list():
    many = [f"{place_of(path)}: {name}" for path in SOURCES for name in with_many_parameters(tree_of(path))]
    assert set(many) == set(TAKE_MORE)


# --------------------------------------------------------------------------------------------------------- shared code


def is_of_a_game(path: Path) -> bool:
    """Say whether a file belongs to one game: to its folder, its environments or its scripted bots."""
    return any(game in path.relative_to(ROOT).parts or path.stem == f"{game}_v0" for game in shogun_env.GAMES)


def docstrings(tree: ast.AST) -> set[int]:
    """Return the ids of all strings that are statements: docstrings of modules, classes, functions and values."""
    return {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}


def games_named(tree: ast.AST) -> list[str]:
    """Return the places where code names a game: in a string, or as a module or value; docstrings may."""
    exempt = docstrings(tree)
    names = {*shogun_env.GAMES, *(game.upper() for game in shogun_env.GAMES)}
    hits = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in exempt:
            words = node.value.lower().replace("shogun_env", "").replace("shogun-env", "")
            hits += [f"{node.lineno}: {game}" for game in shogun_env.GAMES if game in words]
        elif isinstance(node, ast.Name | ast.Attribute):
            name = node.id if isinstance(node, ast.Name) else node.attr
            hits += [f"{node.lineno}: {name}"] if name in names else []
        elif isinstance(node, ast.Import | ast.ImportFrom):
            modules = [alias.name for alias in node.names] + [getattr(node, "module", None) or ""]
            hits += [f"{node.lineno}: {name}" for name in modules if names & set(name.split("."))]
    return hits


def test_shared_code__names_no_game_but_in_the_files_of_the_table():
    shared = [path for path in SOURCES if not is_of_a_game(path)]
    assert len(shared) > 100
    places = [f"{place_of(path)}:{place}" for path in shared for place in games_named(tree_of(path))]
    assert [place for place in places if place.split(":")[0] not in NAME_GAMES] == []
    assert [place for place in NAME_GAMES if not (ROOT / place).exists()] == []


# ------------------------------------------------------------------------------------------------------------- imports


def computed_imports(tree: ast.AST) -> list[int]:
    """Return the lines that import by a name that is not a literal: now, or later by an entry point."""
    lines = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        function = ast.unparse(node.func)
        name = function.rpartition(".")[2]
        if name in ("import_module", "__import__") or function in ("resources.files", "pkgutil.resolve_name"):
            computed = not node.args or not is_literal(node.args[0])
        else:
            entry_points = [part.value for part in node.keywords if (part.arg or "").endswith("entry_point")]
            computed = name == "entry_points" or not all(map(is_literal, entry_points))
        if computed:
            lines.append(node.lineno)
    return lines


def is_literal(node: ast.expr) -> bool:
    """Say whether an expression is a text, or the package of its file."""
    return isinstance(node, ast.Constant) or (isinstance(node, ast.Name) and node.id == "__package__")


def test_imports__by_a_computed_name__are_on_the_list():
    assert {place_of(path) for path in SOURCES if computed_imports(tree_of(path))} == set(COMPUTED_IMPORTS)
