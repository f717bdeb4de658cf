"""The repository around the code: what is shipped, what an import loads, that each gate of `make check` can fail."""

from __future__ import annotations

import ast
import doctest
import importlib
import json
import os
import re
import shutil
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


def tool(name: str, *arguments: str | Path, cwd: Path = ROOT, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a program of the folder that this Python is in."""
    return run(Path(sys.executable).parent / name, *arguments, cwd=cwd, **environment)


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
IMPORTED_BY_OTHERS |= dict.fromkeys(("import-linter", "codespell", "nbmake", "pytest-xdist"), "a program or a plugin")
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


# -------------------------------------------------------------------------------------------- each gate fails for once

RUFF = ("check", "--no-cache", "--output-format", "concise", "--config", ROOT / "pyproject.toml")
BRANCHES = "\n".join(f"    if x == {n}:\n        x += {n + 1}" for n in range(12))
STATEMENTS = "\n".join(f"    x += {n}" for n in range(41))
BROKEN = {
    "D103": "def f(x):\n    return x\n",
    "F401": "import os\n",
    "I001": "import sys\nimport os\n\nx = os, sys\n",
    "T201": 'print("hello")\n',
    "N802": 'def Name():\n    """Say."""\n',
    "B006": 'def f(x=[]):\n    """Say."""\n    return x\n',
    "E501": f"x = '{'x' * 120}'\n",
    "C901": f'def f(x):\n    """Say."""\n{BRANCHES}\n    return x\n',
    "PLR0915": f'def f(x):\n    """Say."""\n{STATEMENTS}\n    return x\n',
}


def test_lint__broken_samples__are_refused(tmp_path):
    for code, text in BROKEN.items():
        (tmp_path / f"{code}.py").write_text(f'"""A sample."""\n\n{text}')
    result = tool("ruff", *RUFF, tmp_path)
    assert result.returncode == 1, result.stdout
    refused = set(re.findall(r"(\w+)\.py:\d+:\d+: (\w+) ", result.stdout))
    assert {(code, code) for code in BROKEN} <= refused, result.stdout


def test_format__unformatted_sample__is_refused(tmp_path):
    (tmp_path / "sample.py").write_text("x = {'a':1}\n")
    result = tool("ruff", "format", "--check", "--no-cache", "--config", ROOT / "pyproject.toml", tmp_path)
    assert result.returncode == 1


@pytest.mark.slow
def test_types__untyped_function__is_refused(tmp_path):
    sample = tmp_path / "sample.py"
    sample.write_text("def f(x):\n    return x\n")
    options = ("--config-file", ROOT / "pyproject.toml", "--cache-dir", tmp_path / "cache")
    result = tool("mypy", *options, sample)
    assert result.returncode == 1
    assert "no-untyped-def" in result.stdout


LAYERS = {
    "": ("", ""),
    "package": ("kernel/rng.py", "from shogun_env.envs import gym"),
    "kernel": ("kernel/cache.py", "from shogun_env.kernel import jit"),
    "spec": ("spec/layout.py", "from shogun_env.spec import game_spec"),
    "game": ("shogun/rules/tower.py", "from shogun_env.shogun.engine import flow"),
    "engine": ("shogun/engine/flow.py", "from shogun_env.shogun.engine import redeal"),
    "text": ("shogun/text/kinds.py", "from shogun_env.shogun.text import codec"),
    "draw": ("shogun/draw/geometry.py", "from shogun_env.shogun.draw import panels"),
    "svg": ("svg/markup.py", "from shogun_env.svg import style"),
    "batch": ("batch/loops.py", "from shogun_env.batch import batch"),
    "records": ("records/record.py", "from shogun_env.records import view"),
    "envs": ("envs/base.py", "from shogun_env.envs import gym"),
    "review": ("review/analysis.py", "from shogun_env.review import command"),
    "play": ("play/table.py", "from shogun_env.play import server"),
    "doors": ("doors/seat.py", "from shogun_env.doors import mcp"),
    "numba": ("shogun/engine/flow.py", "import numba"),
    "light": ("policies.py", "import torch"),
    "sb3": ("envs/gym.py", "from shogun_env.envs import sb3"),
    "bots": ("agents/base.py", "from shogun_env.shogun.rules import tower"),
}
"""For each contract a file of the package and a line in it that breaks the contract."""
SMALL_HOUSE = (
    *("kernel/cache.py", "kernel/jit.py", "kernel/rng.py", "spec/layout.py", "spec/game_spec.py", "policies.py"),
    *("batch/loops.py", "batch/batch.py", "records/record.py", "records/view.py"),
    *("envs/base.py", "envs/gym.py", "envs/sb3.py"),
    *("shogun/rules/tower.py", "shogun/engine/flow.py", "shogun/engine/redeal.py", "shogun/text/kinds.py"),
    *("shogun/draw/geometry.py", "shogun/draw/panels.py", "shitenno/draw/drawing.py", "svg/markup.py", "svg/style.py"),
    *("play/table.py", "play/server.py", "review/analysis.py", "review/command.py"),
    *("doors/seat.py", "doors/mcp.py"),
    *("shogun/text/codec.py", "shitenno/engine/flow.py", "shitenno/text/kinds.py"),
    *("agents/base.py", "training/nets.py", "benchmarks/speed.py", "__main__.py"),
)


def build_small_house(root: Path) -> None:
    """Build a tree with the packages that the contracts name: each file empty, the allowed exceptions used."""
    shutil.copy(ROOT / "pyproject.toml", root)
    package = root / "shogun_env"
    for name in SMALL_HOUSE:
        path = package / name
        path.parent.mkdir(parents=True, exist_ok=True)
        for folder in path.relative_to(root).parents[:-1]:
            (root / folder / "__init__.py").touch()
        path.touch()
    (package / "kernel/jit.py").write_text("import llvmlite\nimport numba\n")
    (package / "envs/sb3.py").write_text("import stable_baselines3\nimport torch\n")
    (package / "shogun/whole.py").write_text("from shogun_env.batch import batch\n")
    (package / "__main__.py").write_text("from shogun_env import agents\n")
    (package / "agents/__init__.py").write_text("import torch\n")
    (package / "benchmarks/speed.py").write_text("from shogun_env.training import nets\n")


@pytest.mark.slow
@pytest.mark.parametrize("contract", LAYERS)
def test_layers__one_wrong_import__breaks_its_contract(contract, tmp_path):
    build_small_house(tmp_path)
    file, line = LAYERS[contract]
    if file:
        (tmp_path / "shogun_env" / file).write_text(f"{line}\n")
    only = ("--contract", contract) if contract else ()
    result = tool("lint-imports", "--no-logo", "--no-cache", *only, cwd=tmp_path, PYTHONPATH="")
    assert ("0 broken" in result.stdout) == (not contract), result.stdout + result.stderr
    assert ("1 broken" in result.stdout) == bool(contract), result.stdout + result.stderr


@pytest.mark.slow
def test_layers__module_without_a_place__is_refused(tmp_path):
    build_small_house(tmp_path)
    (tmp_path / "shogun_env/shogun/helpers.py").touch()
    result = tool("lint-imports", "--no-logo", "--no-cache", cwd=tmp_path, PYTHONPATH="")
    assert "shogun_env.shogun.helpers" in result.stdout
    assert result.returncode == 1


def test_layers__each_contract__is_seen_to_fail():
    contracts = {contract["id"] for contract in PYPROJECT["tool"]["importlinter"]["contracts"]}
    assert contracts == set(LAYERS) - {""}
