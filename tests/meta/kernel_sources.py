"""What the sources of kernels say: who calls whom, which fields of the state each reads and writes, where it draws."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from tests.tree import ROOT

DECORATORS = ("kernel", "loop", "policy")
DRAWING = ("shogun_env.kernel.rng.next_uint64",)


@dataclass
class Source:
    """A kernel as its file has it."""

    name: str
    """Module and name."""
    path: Path
    node: ast.FunctionDef
    calls: set[str] = field(default_factory=set)
    reads: set[str] = field(default_factory=set)
    """Fields of the state that it reads itself, in subscripts of ``g``."""
    writes: set[str] = field(default_factory=set)
    passed: list[tuple[str, int, str]] = field(default_factory=list)
    """Rows of fields handed on: kernel called, index of the argument, field."""
    written_parameters: set[int] = field(default_factory=set)
    """Parameters into which it stores itself."""
    handed_parameters: list[tuple[int, str, int]] = field(default_factory=list)
    """Parameters that it hands on: index, kernel called, index there."""
    is_exported: bool = False
    """Whether another file calls it."""

    @property
    def doc(self) -> str:
        return ast.get_docstring(self.node) or ""

    @property
    def parameters(self) -> list[str]:
        return [arg.arg for arg in self.node.args.args]


def modules() -> Iterator[tuple[str, Path]]:
    """The modules with kernels, but for the bots'."""
    package = ROOT / "shogun_env"
    for pattern in ("kernel/*.py", "*/rules/*.py", "*/engine/**/*.py"):
        for path in sorted(package.glob(pattern)):
            yield ".".join(path.relative_to(ROOT).with_suffix("").parts), path


@cache
def sources() -> dict[str, Source]:
    """Return all kernels by module and name, with what each does itself."""
    trees = {module: (path, ast.parse(path.read_text("utf-8"))) for module, path in modules()}
    kernels = {
        f"{module}.{node.name}": Source(f"{module}.{node.name}", path, node)
        for module, (path, tree) in trees.items()
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and any(getattr(d, "id", "") in DECORATORS for d in node.decorator_list)
    }
    for module, (_, tree) in trees.items():
        names = {name.rpartition(".")[2]: name for name in kernels if name.rpartition(".")[0] == module}
        for node in tree.body:
            if isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    if (name := f"{node.module}.{alias.name}") in kernels:
                        names[alias.asname or alias.name] = name
                        kernels[name].is_exported = True
        for source in kernels.values():
            if source.name.rpartition(".")[0] == module:
                _Walk(source, names).visit(source.node)
    return kernels


class _Walk(ast.NodeVisitor):
    """Collects what a kernel does itself."""

    def __init__(self, source: Source, names: dict[str, str]) -> None:
        self.source, self.names = source, names
        self.aliases: dict[str, str] = {}
        """Local names of rows of fields."""

    def field_of(self, node: ast.expr) -> str | None:
        """Return the field of the state that an expression is, or is a part of."""
        while isinstance(node, ast.Subscript):
            if isinstance(node.value, ast.Name) and node.value.id == "g" and isinstance(node.slice, ast.Constant):
                return str(node.slice.value)
            node = node.value
        return self.aliases.get(node.id) if isinstance(node, ast.Name) else None

    def visit_Assign(self, node: ast.Assign) -> None:
        for target in node.targets:
            field_name = self.field_of(node.value) if isinstance(node.value, ast.Subscript) else None
            if isinstance(target, ast.Name) and field_name is not None:
                self.aliases[target.id] = field_name
            self.store(target)
        self.visit(node.value)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.store(node.target)
        self.visit(node.value)

    def store(self, target: ast.expr) -> None:
        if isinstance(target, ast.Tuple):
            for part in target.elts:
                self.store(part)
        elif isinstance(target, ast.Subscript):
            if field_name := self.field_of(target):
                self.source.writes.add(field_name)
            elif isinstance(target.value, ast.Name) and target.value.id in self.source.parameters:
                self.source.written_parameters.add(self.source.parameters.index(target.value.id))
            node: ast.expr = target
            while isinstance(node, ast.Subscript):  # what is in the brackets is read
                self.visit(node.slice)
                node = node.value

    def visit_Call(self, node: ast.Call) -> None:
        if isinstance(node.func, ast.Name) and (name := self.names.get(node.func.id)):
            self.source.calls.add(name)
            for index, argument in enumerate(node.args):
                if isinstance(argument, ast.Subscript | ast.Name) and (field_name := self.field_of(argument)):
                    self.source.passed.append((name, index, field_name))
                if isinstance(argument, ast.Name) and argument.id in self.source.parameters:
                    self.source.handed_parameters.append((self.source.parameters.index(argument.id), name, index))
        self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        if isinstance(node.ctx, ast.Load) and (field_name := self.field_of(node)):
            self.source.reads.add(field_name)
        self.generic_visit(node)


@cache
def writes_parameter(name: str, index: int) -> bool:
    """Say whether a kernel, or one that it hands the parameter to, stores into it."""
    source = sources()[name]
    if index in source.written_parameters:
        return True
    return any(own == index and writes_parameter(callee, at) for own, callee, at in source.handed_parameters)


@cache
def reads_of(name: str) -> frozenset[str]:
    """Return all fields that a kernel reads, those that it calls included."""
    source = sources()[name]
    return frozenset(source.reads).union(*map(reads_of, source.calls))


@cache
def writes_of(name: str) -> frozenset[str]:
    """Return all fields that a kernel writes, those that it calls included."""
    source = sources()[name]
    passed = {field_name for callee, index, field_name in source.passed if writes_parameter(callee, index)}
    return frozenset(source.writes | passed).union(*map(writes_of, source.calls))


@cache
def draws(name: str) -> bool:
    """Say whether a kernel may make random draws."""
    return name in DRAWING or any(map(draws, sources()[name].calls))
