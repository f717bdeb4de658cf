"""The rooms of the repository, in the order of their imports: the picture of ``DESIGN.md``, made of the tree.

The layers are those that the contract ``package`` of ``pyproject.toml`` enforces, and a room is described by the first
sentence of its docstring. Where a room moves, comes or goes, ``shogun-env book --check`` fails until it is made again.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

TOP = ("agents", "training", "benchmarks")
"""Rooms at the top of the repository, which the package has links to."""
ROOT = Path(__file__).resolve().parents[1]
"""The folder of the checkout."""


def rooms_picture(root: Path = ROOT) -> str:
    """Return all rooms of a checkout as a block of text, a line each; a blank line stands between layers."""
    layers = []
    for layer in reversed(layers_of(root)):
        rooms = [(label, first_sentence(docstring_of(path))) for label, path in places(root, layer)]
        layers.append("\n".join(f"{label:<15}{sentence}" for label, sentence in rooms))
    return "```text\n" + "\n\n".join(layers) + "\n```\n"


def layers_of(root: Path) -> list[list[str]]:
    """Return the names of rooms by layers, the highest first, as the contract has them."""
    contracts = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    (package,) = (contract for contract in contracts if contract["id"] == "package")
    return [re.findall(r"\((\w+)\)", layer) for layer in package["layers"]]


def places(root: Path, names: list[str]) -> Iterator[tuple[str, Path]]:
    """Yield how each room is written and the file with its docstring: a folder, or a file that is a room itself."""
    for name in names:
        base = root if name in TOP else root / "shogun_env"
        folder = base / name
        yield (f"{name}/", folder / "__init__.py") if folder.is_dir() else (f"{name}.py", base / f"{name}.py")


def docstring_of(path: Path) -> str:
    """Return the docstring of a file of Python, which must have one."""
    text = ast.get_docstring(ast.parse(path.read_text("utf-8")))
    if text is None:
        raise ValueError(f"{path}: has no docstring, from which its line in DESIGN.md is made")
    return text


def first_sentence(text: str) -> str:
    """Return the first sentence of a docstring in one line, without marks and the command that it may end with."""
    paragraph = " ".join(text.split("\n\n")[0].split()).replace("``", "")
    sentence = re.split(r"(?<=[.?!]) (?=[A-Z])", paragraph)[0]
    return re.sub(r"(, run in a checkout)?: (python|shogun-env) .*$", ".", sentence)
