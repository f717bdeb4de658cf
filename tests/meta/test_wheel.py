"""What is installed: the wheel holds the package and all its data; outside a checkout everything plays."""

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

import shogun_env
from tests.tree import FOLDERS, ROOT, place_in_package, run

MAX_BYTES = 18_000_000
"""Eight tenths of it are the networks: those of the pool stay, and a new champion moves the old one there."""
SHIPPED = (".py", ".html", ".js", ".css", ".json", ".md", ".toml", ".npz", ".typed")
WEIGHTS = ("agents/champion/some_weights.npz", "agents/champion/some_weights.json")
"""Files that stand for those of trained bots."""


def copy_of(tree: Path, place: Path) -> Path:
    return shutil.copytree(tree, place, symlinks=True, ignore=shutil.ignore_patterns("build", "*.egg-info"))


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


@pytest.fixture(scope="module")
def tree_without_links(tree: Path) -> Path:
    """A copy of the tree as git leaves it where there are no links: a small file with the link's text instead."""
    copy = copy_of(tree, tree.parent / "no_links")
    for link in [path for path in (copy / "shogun_env").iterdir() if path.is_symlink()]:
        text = os.readlink(link)
        link.unlink()
        link.write_text(text)
    return copy


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
    return build("wheel", tree, tree.parent / "wheels")


def names_in(wheel: Path) -> set[str]:
    return {name for name in zipfile.ZipFile(wheel).namelist() if not name.endswith("/RECORD")}


def text_in(wheel: Path, ending: str) -> str:
    archive = zipfile.ZipFile(wheel)
    return archive.read(next(name for name in archive.namelist() if name.endswith(ending))).decode()


@pytest.mark.full
def test_wheel__built__holds_the_package_and_one_command(wheel: Path, tree: Path):
    files = [path for folder in FOLDERS for path in (tree / folder).rglob("*")]
    expected = {
        str(place_in_package(path, tree)) for path in files if path.suffix in SHIPPED or path.name == "py.typed"
    }
    assert {name for name in names_in(wheel) if ".dist-info/" not in name} == expected
    assert {f"shogun_env/{name}" for name in WEIGHTS} <= expected
    assert wheel.stat().st_size < MAX_BYTES
    assert f"\nVersion: {shogun_env.__version__}\n" in text_in(wheel, "/METADATA")
    points = configparser.ConfigParser()
    points.read_string(text_in(wheel, "entry_points.txt"))
    assert {name: dict(points[name]) for name in points.sections()} == {
        "console_scripts": {"shogun-env": "shogun_env.__main__:main"}
    }


@pytest.mark.full
def test_sdist_and_tree_without_links__built__make_the_same_wheel(
    tree: Path, tree_without_links: Path, wheel: Path, tmp_path: Path
):
    with tarfile.open(build("sdist", tree, tmp_path / "sdists")) as archive:
        archive.extractall(tmp_path / "unpacked", filter="data")
    (unpacked,) = (tmp_path / "unpacked").iterdir()
    held = {str(path.relative_to(unpacked)) for path in unpacked.rglob("*")}
    assert {"Makefile", "tests/golden/sun_3_preset.txt", "docs/shogun.md", "docs/pictures/shogun.png"} <= held
    assert not [name for name in held if "__pycache__" in name]
    for number, source in enumerate((unpacked, tree_without_links)):
        assert names_in(build("wheel", source, tmp_path / f"wheels{number}")) == names_in(wheel)


@pytest.mark.full
def test_page_of_an_index__with_an_address__has_no_relative_link(tree: Path, wheel: Path, tmp_path: Path):
    readme = (ROOT / "README.md").read_text("utf-8").strip()
    assert text_in(wheel, "/METADATA").partition("\n\n")[2].strip() == readme
    copy = copy_of(tree, tmp_path / "tree")
    with (copy / "pyproject.toml").open("a") as settings:
        settings.write('\n[project.urls]\nSource = "https://example.org/us/it"\n')
    code = f"from setuptools import build_meta; build_meta.prepare_metadata_for_build_wheel({str(tmp_path)!r})"
    result = run(sys.executable, "-c", code, cwd=copy)
    assert result.returncode == 0, result.stderr
    (page,) = (path.read_text("utf-8") for path in tmp_path.glob("*.dist-info/METADATA"))
    assert "https://example.org/us/it/raw/v" in page
    assert [link for link in re.findall(r"\]\(([^)]+)\)", page) if not link.startswith("https://")] == []


@pytest.mark.full
@pytest.mark.parametrize("gone", ["agents", "agents/__init__.py"])
def test_wheel__of_a_tree_without_the_bots__is_not_built(gone: str, tree_without_links: Path, tmp_path: Path):
    """It was, and bots were missing when somebody asked for one."""
    copy = copy_of(tree_without_links, tmp_path / "tree")
    (copy / gone).rename(tmp_path / "gone")
    code = f"from setuptools import build_meta; build_meta.build_wheel({str(tmp_path)!r})"
    result = run(sys.executable, "-c", code, cwd=copy)
    assert result.returncode != 0
    assert "shogun-env cannot be installed: agents must lie next to setup.py" in result.stderr


def test_import__checkout_without_links__says_in_one_line_what_to_do(tree_without_links: Path):
    code = "import sys; sys.meta_path = [f for f in sys.meta_path if 'Editable' not in repr(f)]; import shogun_env"
    result = run(sys.executable, "-c", code, cwd=tree_without_links, PYTHONPATH=str(tree_without_links))
    assert result.returncode == 1
    assert result.stderr.splitlines()[-1].startswith("ImportError: shogun_env: this checkout has no symbolic links")


PLAY = """
import sys
from pathlib import Path
import gymnasium, shogun_env
assert Path(shogun_env.__file__).is_relative_to({home!r}), shogun_env.__file__
for game in shogun_env.GAMES:
    for bot in ("scripted", "search:plan_rollouts=50:rollouts=25"):
        env = gymnasium.make(f"shogun_env/{{game.capitalize()}}-v0", opponents=bot)
        env.reset(seed=1)
        env.step(0)
assert "torch" not in sys.modules
"""
FEW = {
    "record --seed 7 --agents scripted": "1 game recorded in records",
    "view records/7.shogun.jsonl": "records/7.shogun.html written",
    "selfplay": "selfplay needs the extra rl: pip install 'shogun-env[rl]'",
}
"""Commands that are tried however it is installed, and what they say."""
MORE = {
    "view records/7.shogun.jsonl -o board.svg": "board.svg written",
    "verify records/7.shogun.jsonl": "all allowed by the rules of shogun",
    "rules": "shogun/RULES.md",
    "info": "shogun-env ",
    "tournament --agents scripted,random --games 8 --out first": "written to first",
    "strength --agent scripted --seeds 2 --rungs random": "against random: 3 players",
    "starts --games 10": "| as usual",
    "tournament --agents scripted,random --games 8 --out many --ray auto": "pip install 'shogun-env[ray]'",
    "play": "needs the extra play: pip install 'shogun-env[play]'",
    "view records/7.shogun.jsonl -o board.png": "needs the extra viz: pip install 'shogun-env[viz]'",
}
"""Commands that are tried with the wheel."""


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["wheel", "sdist", "checkout", "checkout without links"])
def test_installed__in_an_empty_environment__plays_and_names_the_extras_that_are_missing(
    kind: str, request: pytest.FixtureRequest, tmp_path: Path
):
    tree = request.getfixturevalue("tree_without_links" if kind.endswith("links") else "tree")
    home = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", home], check=True)
    what = ["-e", tree] if kind.startswith("checkout") else [build(kind, tree, tmp_path / "built")]
    no_path = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}

    def call(*command: str | Path) -> subprocess.CompletedProcess[str]:
        words, pipe = [*map(str, command)], subprocess.PIPE
        return subprocess.run(
            words, cwd=tmp_path, env=no_path, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe, text=True
        )

    result = call(home / "bin" / "python", "-m", "pip", "install", "--quiet", *what)
    assert result.returncode == 0, result.stderr
    top = {path.name.split("-")[0] for path in home.glob("lib/*/site-packages/*") if path.is_dir()}
    assert not top & {"agents", "training", "benchmarks", "tests", "docs", "clients"}
    result = call(home / "bin" / "python", "-c", PLAY.format(home=str(tree if what[0] == "-e" else home)))
    assert result.returncode == 0, result.stderr
    for arguments, text in (FEW | MORE if kind == "wheel" else FEW).items():
        result = call(home / "bin" / "shogun-env", *arguments.split())
        is_refused = "pip install" in text or "checkout" in text or "installed package" in text
        assert result.returncode == (2 if is_refused else 0), f"{arguments}: {result.stderr}"
        said = result.stderr.splitlines()[-1] if is_refused else result.stdout + result.stderr
        assert text in said and "Traceback" not in result.stderr, arguments
