"""The repository around the code: what is shipped, what an import loads."""

from __future__ import annotations

import ast
import doctest
import importlib
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
HEAVY = (
    "resvg_py",
    "PIL",
    "bottle",
    "torch",
    "matplotlib",
    "ray",
    "stable_baselines3",
    "sb3_contrib",
    "tensorboard",
    "rich",
    "shogun_env.agents",
    "shogun_env.shogun",
    "numba",
)
MAX_LINES = 500
FOLDERS = ("shogun_env", "agents", "training", "benchmarks")
"""The folders that are installed; links inside the first lead to the others."""
SOURCES = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))


def place_in_package(path: Path, root: Path = ROOT) -> Path:
    """Return where in the installed package a file of one of the folders is."""
    place = path.relative_to(root)
    return place if place.parts[0] == "shogun_env" else Path("shogun_env", place)


MODULES = [
    ".".join(place_in_package(path).with_suffix("").parts).removesuffix(".__init__")
    for path in SOURCES
    if path.name not in ("__main__.py", "sb3.py")
]


def run(*command: str | Path, cwd: Path = ROOT, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command of this Python's environment; return what it wrote and its exit status."""
    env = {**os.environ, **environment}
    return subprocess.run([*map(str, command)], cwd=cwd, env=env, capture_output=True, text=True, check=False)


def files_of_the_tree() -> list[Path]:
    """Everything git keeps or would keep."""
    listed = run("git", "ls-files", "--cached", "--others", "--exclude-standard", "-z").stdout.split("\0")
    return [ROOT / name for name in listed if name and (ROOT / name).is_file()]


# ------------------------------------------------------------------------------------------------------------ imports


@pytest.mark.floors
def test_import__shogun_env__brings_nothing_heavy():
    code = f"import sys, shogun_env; print([m for m in {HEAVY} if m in sys.modules])"
    result = run(sys.executable, "-c", code)
    assert result.returncode == 0, result.stderr
    assert result.stdout.strip() == "[]"


def test_import__the_oracles__are_of_the_standard_library_and_themselves():
    imported = set()
    oracle = ROOT / "tests" / "differential" / "oracle"
    for path in oracle.rglob("*.py"):
        depth = len(path.relative_to(oracle).parts)
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                imported |= {name.name.split(".")[0] for name in node.names}
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                imported.add((node.module or "").split(".")[0])
            elif isinstance(node, ast.ImportFrom):
                imported.add("itself" if node.level <= depth else "." * node.level)
    assert "itself" in imported
    assert imported - {"itself"} <= sys.stdlib_module_names


@pytest.mark.full
def test_doctest__examples_in_docstrings__print_what_they_say():
    results = {name: doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS) for name in MODULES}
    assert sum(result.attempted for result in results.values()) > 100
    assert [name for name, result in results.items() if result.failed] == []


# -------------------------------------------------------------------------------------------------------------- files


def test_source__each_file__is_short():
    lines = {str(path.relative_to(ROOT)): len(path.read_text("utf-8").splitlines()) for path in SOURCES}
    assert {name: count for name, count in lines.items() if count > MAX_LINES} == {}


def test_tree__text_files__name_no_path_of_one_machine():
    pattern = re.compile(r"/(?:work|farm|root|tmp|home)/[A-Za-z]")
    allowed = re.compile(r"tmp_path|mktemp|/tmp/ray")
    hits = []
    for path in files_of_the_tree():
        text = path.read_bytes()
        if b"\0" not in text:
            lines = enumerate(text.decode().splitlines(), 1)
            hits += [f"{path}:{n}" for n, line in lines if pattern.search(line) and not allowed.search(line)]
    assert hits == []


def subjects_of(path: Path) -> list[Path]:
    """Return the modules and folders that a file of unit tests may be named after."""
    place = path.relative_to(ROOT / "tests" / "unit")
    folder, name = ROOT / "shogun_env" / place.parent, place.stem.removeprefix("test_")
    own = [folder] if name == folder.name else []
    return [*own, folder / f"{name}.py", folder / f"__{name}__.py", folder / name]


def test_tests__of_units__are_where_the_module_is_that_they_test():
    files = list((ROOT / "tests" / "unit").rglob("test_*.py"))
    assert len(files) > 30
    assert [path for path in files if not any(place.exists() for place in subjects_of(path))] == []


def test_notebooks__in_the_tree__carry_the_outputs_of_one_run_and_nothing_of_a_machine():
    for path in (ROOT / "notebooks").glob("*.ipynb"):
        text = path.read_text("utf-8")
        cells = [cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"]
        assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1)), path.name
        outputs = [output for cell in cells for output in cell["outputs"]]
        kinds = {kind for output in outputs for kind in output.get("data", {})}
        assert kinds & {"image/png", "image/svg+xml"}, f"{path.name} shows no picture"
        assert not any(output.get("name") == "stderr" or output["output_type"] == "error" for output in outputs)
        assert re.findall(r"/(?:home|root|tmp|work|Users)/\S+", text) == [], path.name
        assert len(text) < 500_000, path.name


def test_floors__constraints_file__names_the_lower_bounds_of_the_core():
    floors = dict(re.findall(r"^([\w-]+)==([\d.]+)\.\*$", (ROOT / "constraints-floors.txt").read_text(), re.M))
    bounds = dict(re.match(r"([\w-]+)>=([\d.]+)", d).groups() for d in PYPROJECT["project"]["dependencies"])
    assert floors == bounds


IMPORTED_BY_OTHERS = {"tensorboard": "stable-baselines3 logs to it", "ruff": "a program", "mypy": "a program"}
IMPORTED_BY_OTHERS["pandas"] = "blocks of docs/records_as_tables.md"
IMPORTED_BY_OTHERS |= dict.fromkeys(
    ("import-linter", "codespell", "nbmake", "pytest-xdist", "furo", "myst-nb"), "a program or a plugin"
)
NAMES = {
    "axe-core-python": "axe_core_python",
    "stable-baselines3": "stable_baselines3",
    "sb3-contrib": "sb3_contrib",
    "resvg-py": "resvg_py",
    "pillow": "PIL",
    "imageio-ffmpeg": "imageio_ffmpeg",
}


def imported_modules() -> set[str]:
    """The first names of all modules that the tree's Python files import."""
    names: set[str] = set()
    for path in files_of_the_tree():
        if path.suffix == ".py":
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.Import):
                    names |= {alias.name.split(".")[0] for alias in node.names}
                elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                    names.add(node.module.split(".")[0])
                elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "importorskip":
                    names |= {str(part.value).split(".")[0] for part in node.args if isinstance(part, ast.Constant)}
    return names


def test_extras__each_requirement__is_used():
    imported = imported_modules()
    extras = PYPROJECT["project"]["optional-dependencies"]
    needed = {re.split(r"[<>=\[]", text)[0] for name, extra in extras.items() if name != "hooks" for text in extra}
    dead = {name for name in needed - set(IMPORTED_BY_OTHERS) if NAMES.get(name, name) not in imported}
    assert dead == set()
