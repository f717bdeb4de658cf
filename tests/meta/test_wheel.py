"""What is installed: the wheel holds the package and all its data; outside a checkout everything plays."""

from __future__ import annotations

import configparser
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.meta.test_house import FOLDERS, ROOT, place_in_package, run

MAX_BYTES = 10_000_000
"""Seven tenths of it are the networks: those of the pool stay, and a new champion moves the old one there."""
SHIPPED = (".py", ".html", ".js", ".css", ".json", ".md", ".toml", ".npz", ".bin")
WEIGHTS = ("agents/champion/some_weights.npz", "agents/champion/some_weights.bin", "agents/champion/some_weights.json")
"""Files that stand for those of trained bots."""


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what a checkout has, with weights of a trained bot."""
    tree = tmp_path_factory.mktemp("wheel") / "tree"
    tree.mkdir()
    for name in ("pyproject.toml", "setup.py", "MANIFEST.in", "Makefile", "README.md", "DESIGN.md", "LICENSE"):
        shutil.copy(ROOT / name, tree)
    for name in (*FOLDERS, "tests", "docs"):
        shutil.copytree(ROOT / name, tree / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
    for name in WEIGHTS:
        (tree / name).parent.mkdir(exist_ok=True)
        (tree / name).write_bytes(b"1")
    return tree


def build(kind: str, tree: Path, out: Path) -> Path:
    """Build the ``wheel`` or the ``sdist`` of a tree, and return the file."""
    out.mkdir()
    code = f"from setuptools import build_meta; build_meta.build_{kind}({str(out)!r})"
    result = run(sys.executable, "-c", code, cwd=tree)
    assert result.returncode == 0, result.stderr
    (file,) = out.iterdir()
    return file


@pytest.fixture(scope="module")
def wheel(tree: Path) -> Path:
    """The wheel of the tree."""
    return build("wheel", tree, tree.parent / "wheels")


@pytest.mark.full
def test_wheel__built__holds_the_package_and_nothing_else(wheel: Path, tree: Path):
    shipped = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    files = [path for folder in FOLDERS for path in (tree / folder).rglob("*")]
    expected = {
        str(place_in_package(path, tree)) for path in files if path.suffix in SHIPPED or path.name == "py.typed"
    }
    assert shipped == expected
    assert {name.split("/")[0] for name in shipped} == {"shogun_env"}
    assert {f"shogun_env/{name}" for name in WEIGHTS} <= shipped
    assert wheel.stat().st_size < MAX_BYTES


@pytest.mark.full
def test_wheel__built__has_one_command(wheel: Path):
    archive = zipfile.ZipFile(wheel)
    (name,) = (name for name in archive.namelist() if name.endswith("entry_points.txt"))
    points = configparser.ConfigParser()
    points.read_string(archive.read(name).decode())
    assert {section: dict(points[section]) for section in points.sections()} == {
        "console_scripts": {"shogun-env": "shogun_env.__main__:main"},
    }


@pytest.fixture(scope="module")
def tree_without_links(tree: Path) -> Path:
    """A copy of the tree as git leaves it where there are no links: a small file with the link's text instead."""
    copy = tree.parent / "no_links"
    shutil.copytree(tree, copy, symlinks=True, ignore=shutil.ignore_patterns("build", "*.egg-info"))
    for link in [path for path in (copy / "shogun_env").iterdir() if path.is_symlink()]:
        text = os.readlink(link)
        link.unlink()
        link.write_text(text)
    return copy


@pytest.mark.full
def test_sdist__built__holds_tests_and_documents_and_makes_the_same_wheel(tree: Path, wheel: Path, tmp_path: Path):
    with tarfile.open(build("sdist", tree, tmp_path / "sdists")) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
        archive.extractall(tmp_path / "unpacked", filter="data")
    (unpacked,) = (tmp_path / "unpacked").iterdir()
    files = wheel, build("wheel", unpacked, tmp_path / "wheels")
    names = [{name for name in zipfile.ZipFile(file).namelist() if "/RECORD" not in name} for file in files]
    assert names[0] == names[1]
    wanted = {"Makefile", "DESIGN.md", "tests/conftest.py", "tests/golden/sun_3_preset.txt", "docs/shogun.md"}
    assert wanted | {"docs/pictures/shogun.png", "agents/__init__.py"} <= held
    assert not [name for name in held if "__pycache__" in name]


@pytest.mark.full
def test_page_of_an_index__with_an_address__has_no_relative_link(tree: Path, tmp_path: Path):
    copy = shutil.copytree(tree, tmp_path / "tree", symlinks=True)
    addressed = (copy / "pyproject.toml").read_text(
        "utf-8"
    ) + '\n[project.urls]\nSource = "https://example.org/us/it"\n'
    pages = []
    for number, settings in enumerate(["", addressed]):
        (copy / "pyproject.toml").write_text(settings or (copy / "pyproject.toml").read_text("utf-8"), "utf-8")
        archive = zipfile.ZipFile(build("wheel", copy, tmp_path / f"wheels{number}"))
        (name,) = (name for name in archive.namelist() if name.endswith("/METADATA"))
        pages.append(archive.read(name).decode().partition("\n\n")[2])
    assert pages[0].strip() == (ROOT / "README.md").read_text("utf-8").strip()
    links = re.findall(r"\]\(([^)]+)\)", pages[1])
    assert "https://example.org/us/it/raw/v" in pages[1]
    assert [link for link in links if not link.startswith("https://")] == []


@pytest.mark.full
def test_wheel__built_without_links__holds_the_same(wheel: Path, tree_without_links: Path):
    other = build("wheel", tree_without_links, tree_without_links.parent / "wheels_without_links")
    names = [{name for name in zipfile.ZipFile(file).namelist() if "/RECORD" not in name} for file in (wheel, other)]
    assert names[0] == names[1]


@pytest.mark.full
@pytest.mark.parametrize("gone", ["agents", "agents/__init__.py"])
def test_wheel__of_a_tree_without_the_bots__is_not_built(gone: str, tree_without_links: Path, tmp_path: Path):
    """It was, and bots were missing when somebody asked for one."""
    tree = shutil.copytree(tree_without_links, tmp_path / "tree", symlinks=True)
    path = tree / gone
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    code = f"from setuptools import build_meta; build_meta.build_wheel({str(tmp_path)!r})"
    result = run(sys.executable, "-c", code, cwd=tree)
    assert result.returncode != 0
    assert "shogun-env cannot be installed: agents must lie next to setup.py" in result.stderr
    assert list(tmp_path.glob("*.whl")) == []


def test_import__checkout_without_links__says_in_one_line_what_to_do(tree_without_links: Path):
    code = "import sys; sys.meta_path = [f for f in sys.meta_path if 'Editable' not in repr(f)]; import shogun_env"
    result = run(sys.executable, "-c", code, cwd=tree_without_links, PYTHONPATH=str(tree_without_links))
    assert result.returncode == 1
    assert result.stderr.splitlines()[-1].startswith("ImportError: shogun_env: this checkout has no symbolic links")


# -------------------------------------------------------------------------------------------- installed somewhere else

PLAY = """
import sys
from pathlib import Path
import gymnasium, shogun_env
assert Path(shogun_env.__file__).is_relative_to({home!r}), shogun_env.__file__
for game in shogun_env.GAMES:
    for bot in {bots!r}:
        env = gymnasium.make(f"shogun_env/{{game.capitalize()}}-v0", opponents=bot)
        env.reset(seed=1)
        env.step(0)
assert "torch" not in sys.modules
"""
RUNS = {
    "record --seed 7 --agents scripted": "1 game recorded in records",
    "view records/7.shogun.jsonl": "records/7.shogun.html written",
    "draw records/7.shogun.jsonl": "board.svg written",
    "verify records/7.shogun.jsonl": "all allowed by the rules of shogun",
    "rules": "shogun/RULES.md",
    "info": "shogun-env ",
    "play --terminal": "resumes it",
    "tournament --agents scripted,random --games 8 --out first": "written to first",
    "report --tournament first --out report.html": "report.html written",
    "strength --agent scripted --seeds 2 --rungs random": "against random: 3 players",
    "signature --games 8": "rules=",
    "selfplay --help": "--resume",
    "starts --games 10": "| as usual",
    "speed --help": "--quick",
    "fit_value --help": "--bot BOT",
}
"""Commands that need no extra, and something that they print."""
REFUSED = {
    "selfplay": "selfplay needs the extra rl: pip install 'shogun-env[rl]'",
    "demo": "demo needs the extra rl: pip install 'shogun-env[rl]'",
    "tune --against scripted --out tuned": "pip install 'shogun-env[eval]'",
    "tournament --agents scripted,random --games 8 --out many --ray auto": "pip install 'shogun-env[ray]'",
    "play": "needs the extra play: pip install 'shogun-env[play]'",
    "draw records/7.shogun.jsonl -o board.png": "needs the extra viz: pip install 'shogun-env[viz]'",
    "book": "run it in the folder of a checkout",
    "signature --write": "--write is for the signatures of a checkout, and this is an installed package",
    "fit_value": "without --out FILE fit_value writes the file that search reads, and this is an installed package",
}
"""Commands that cannot be carried out there, and what their one line says."""
FEW = ("record --seed 7 --agents scripted", "view records/7.shogun.jsonl", "selfplay")
"""The commands that are tried where only the way of installing is another one."""


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["wheel", "sdist", "checkout", "checkout without links"])
def test_installed__in_an_empty_environment__plays_and_names_the_extras_that_are_missing(
    kind: str, tree: Path, tree_without_links: Path, wheel: Path, tmp_path: Path
):
    home = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", home], check=True)
    checkout = {"checkout": tree, "checkout without links": tree_without_links}.get(kind)
    files = {"wheel": lambda: wheel, "sdist": lambda: build("sdist", tree, tmp_path / "sdists")}
    what = ["-e", checkout] if checkout else [files[kind]()]
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    no_path = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}

    def call(*command: str | Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*map(str, command)], cwd=elsewhere, env=no_path, stdin=subprocess.DEVNULL, capture_output=True, text=True
        )

    result = call(home / "bin" / "python", "-m", "pip", "install", "--quiet", *what)
    assert result.returncode == 0, result.stderr
    top = {path.name.split("-")[0] for path in home.glob("lib/*/site-packages/*") if path.is_dir()}
    assert not top & {"agents", "training", "benchmarks", "tests", "docs", "clients"}
    where = checkout or home
    bots = ["scripted", "search:plan_rollouts=50:rollouts=25"] if kind == "wheel" else []
    result = call(home / "bin" / "python", "-c", PLAY.format(home=str(where), bots=bots))
    assert result.returncode == 0, result.stderr
    listed = call(home / "bin" / "shogun-env", "--help").stdout
    tried = (*RUNS, *REFUSED) if kind == "wheel" else FEW
    for arguments, text in RUNS.items():
        if arguments not in tried:
            continue
        result = call(home / "bin" / "shogun-env", *arguments.split())
        assert result.returncode == 0, f"{arguments}: {result.stderr}"
        assert text in result.stdout + result.stderr, arguments
        name = arguments.split()[0]
        assert re.search(rf"^  {name} |^for maintainers: .*\b{name}\b", listed, re.MULTILINE), name
    for arguments, text in REFUSED.items():
        if arguments not in tried:
            continue
        result = call(home / "bin" / "shogun-env", *arguments.split())
        assert result.returncode == 2, arguments
        *before, line = (
            result.stderr.splitlines()
        )  # before it a run may say what it compiles, and the hash of its secret
        assert text in line
        assert not any(text in other or other.startswith("Traceback") for other in before)
