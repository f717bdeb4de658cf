"""The documents at the top of the repository and in docs/ name what there is: files, targets, versions."""

from __future__ import annotations

import itertools
import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from shogun_env import FULL_GAMES
from tests.games import batch_class
from tests.tree import ROOT, files_of_the_tree

DOCUMENTS = [
    *sorted(ROOT.glob("*.md")),
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "docs/lab_notes").glob("*.md")),
]
LINK = re.compile(r"\]\(([^)#:]+)\)")
FILE = re.compile(r"`((?:[\w.-]+/)*[\w.-]+\.(?:py|md|toml|json|ipynb))`")
"""A file's name between backticks, with or without its folders."""
MADE_BY_COMMANDS = {"model.json", "summary.json", "settings.json", "leaderboard.md", "path/to/file.py"}

OF_TODAY = [path for path in DOCUMENTS if path.name != "CHANGELOG.md"]
"""The changelog names files of earlier versions."""


def test_documents__links__lead_to_files():
    links = [(path, link) for path in DOCUMENTS for link in LINK.findall(path.read_text("utf-8"))]
    assert [(str(path), link) for path, link in links if not (path.parent / link).exists()] == []


def test_documents__files_named__are_in_the_tree():
    paths = [f"/{path.relative_to(ROOT)}" for path in files_of_the_tree()]
    names = {(name, path.name) for path in OF_TODAY for name in FILE.findall(path.read_text("utf-8"))}
    lost = {(name, page) for name, page in names if not any(path.endswith(f"/{name}") for path in paths)}
    assert {(name, page) for name, page in lost if name not in MADE_BY_COMMANDS} == set()


def places_of(token: str, folders: list[str]) -> Iterator[Path]:
    """Yield what a name in DESIGN's table of files may lead to: in the repository, the package, a game or a folder."""
    games = [f"shogun_env/{game}" for game in FULL_GAMES]
    for base in ("", "shogun_env", *games, *folders):
        yield from (ROOT / base).glob(token)


def test_design__table_of_files__leads_to_files():
    text = (ROOT / "DESIGN.md").read_text("utf-8").split("Where does a line about X live?")[1].split("\n## ")[0]
    cells = re.findall(r"^\| .+? \| (.+) \|$", text, re.M)[1:]
    assert len(cells) > 10
    lost = []
    for cell, game in itertools.product(cells, FULL_GAMES):
        tokens = [token.replace("<game>", game) for token in re.findall(r"`([^`]*[/.][^`]*)`", cell)]
        folders = [token for token in tokens if token.endswith("/")]
        families = [token for token in tokens if "<" not in token]
        lost += [token for token in families if not any(True for _ in places_of(token, folders))]
    assert lost == []


def test_documents__make_targets__exist():
    targets = set(re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text("utf-8"), re.M))
    named = {name for path in DOCUMENTS for name in re.findall(r"`make ([a-z][a-z-]+)", path.read_text("utf-8"))}
    assert named - targets == set()


def test_design__picture__has_every_room():
    picture = (ROOT / "DESIGN.md").read_text("utf-8").split("```text\n")[1].split("```")[0]
    rooms = {f"{path.parent.name}/" for path in (ROOT / "shogun_env").glob("*/__init__.py")}
    rooms |= {path.name for path in (ROOT / "shogun_env").glob("*.py")} - {"__init__.py"}
    assert len(rooms) > 20
    assert {line.split()[0] for line in picture.splitlines() if line} == rooms


def test_citation__fields__are_those_of_the_package():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    text = (ROOT / "CITATION.cff").read_text("utf-8")
    fields = dict(re.findall(r'^([a-z-]+): "?(.+?)"?$', text, re.M))
    assert (fields["version"], fields["license"]) == (project["version"], project["license"])
    assert re.findall(r'- name: "(.+)"', text) == [author["name"] for author in project["authors"]]
    released = re.search(
        rf"^## {re.escape(fields['version'])}, (\S+)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.M
    )
    assert released is not None
    assert fields["date-released"] == released[1]
    assert f"shogun-env, version {fields['version']} (2026)" in (ROOT / "README.md").read_text("utf-8")


def test_readme__figures_of_speed__are_those_of_the_results():
    text = " ".join((ROOT / "README.md").read_text("utf-8").split())
    own = json.loads((ROOT / "benchmarks" / "speed.json").read_text("utf-8"))["runs"]["shogun"]["figures"]
    others = json.loads((ROOT / "clients" / "peers.json").read_text("utf-8"))["figures"]
    random, observed = (own[f"{name}_decisions_per_s"]["per_core_second"] / 1e6 for name in ("random", "observed"))
    assert f"One core plays about {random:.0f} million random decisions per second" in text
    assert f"{observed:.0f} million with a {batch_class('shogun').spec.obs_size:,}-byte observation" in text
    assert (
        f"OpenSpiel's backgammon makes {others['open_spiel, backgammon']['decisions_per_s'] / 1e3:.0f} thousand" in text
    )
    assert f"Catanatron {others['catanatron']['decisions_per_s'] / 1e3:.0f} thousand" in text
