"""The documents at the top of the repository and in docs/ name what there is: files, targets, versions."""

from __future__ import annotations

import itertools
import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from shogun_env import FULL_GAMES
from shogun_env.benchmarks.rooms import rooms_picture
from tests.games import batch_class
from tests.meta.test_house import ROOT, files_of_the_tree

DOCUMENTS = [
    *sorted(ROOT.glob("*.md")),
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "docs/lab_notes").glob("*.md")),
]
LINK = re.compile(r"\]\(([^)#:]+)\)")
FILE = re.compile(r"`((?:[\w.-]+/)*[\w.-]+\.(?:py|md|toml|json|ipynb))`")
"""A file's name between backticks, with or without its folders."""
MADE_BY_COMMANDS = {"model.json", "summary.json", "settings.json", "leaderboard.md", "path/to/file.py"}


def each(documents: list[Path]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("document", documents, ids=lambda path: str(path.relative_to(ROOT)))


each_document = each(DOCUMENTS)
each_document_of_today = each([path for path in DOCUMENTS if path.name != "CHANGELOG.md"])
"""The changelog names files of earlier versions."""


@each_document
def test_document__links__lead_to_files(document: Path):
    links = LINK.findall(document.read_text("utf-8"))
    assert [link for link in links if not (document.parent / link).exists()] == []


@each_document_of_today
def test_document__files_named__are_in_the_tree(document: Path):
    text = document.read_text("utf-8")
    paths = [f"/{path.relative_to(ROOT)}" for path in files_of_the_tree()]
    names = {name for name in FILE.findall(text) if name not in MADE_BY_COMMANDS}
    assert {name for name in names if not any(path.endswith(f"/{name}") for path in paths)} == set()


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


@each_document
def test_document__make_targets__exist(document: Path):
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = set(re.findall(r"`make ([a-z][a-z-]+)", document.read_text("utf-8")))
    assert {target for target in targets if not re.search(rf"^{target}:", makefile, re.M)} == set()


def test_contributing__table_of_targets__has_all_but_a_few():
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = set(re.findall(r"^([a-z][a-z-]*):.*##", makefile, re.M))
    named = set(re.findall(r"`make ([a-z-]+)", (ROOT / "CONTRIBUTING.md").read_text("utf-8")))
    assert targets - named == {"clean"}


def test_design__picture__has_every_room_and_is_that_of_the_tree():
    picture = (ROOT / "DESIGN.md").read_text("utf-8").split("<!-- made by `shogun-env book`: rooms -->\n")[1]
    picture = picture.split("<!-- end of rooms -->")[0]
    rooms = {f"{path.parent.name}/" for path in (ROOT / "shogun_env").glob("*/__init__.py")}
    rooms |= {path.name for path in (ROOT / "shogun_env").glob("*.py")} - {"__init__.py"}
    assert len(rooms) > 20
    assert {line.split()[0] for line in picture.splitlines() if line and not line.startswith("```")} == rooms
    assert picture == rooms_picture(ROOT), "shogun-env book writes it"


def test_design_and_contributing__length__is_what_a_newcomer_reads():
    design = (ROOT / "DESIGN.md").read_text("utf-8")
    assert len(design.split()) <= 3000
    assert len((ROOT / "CONTRIBUTING.md").read_text("utf-8").split()) <= 2000
    decisions = re.split(r"^### ", design, flags=re.M)[1:]
    assert [text.splitlines()[0] for text in decisions if len(text.partition("\n")[2].split()) > 80] == []


def test_citation__fields__are_those_of_the_package():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    text = (ROOT / "CITATION.cff").read_text("utf-8")
    # Without a YAML parser among the requirements: every line is a key with a value, or an entry of a list.
    assert all(re.fullmatch(r'[a-z-]+:( [^\s"].*| ".*")?|  - (name: )?".*"', line) for line in text.splitlines())
    fields = dict(re.findall(r'^([a-z-]+): "?(.+?)"?$', text, re.M))
    assert fields["cff-version"] == "1.2.0"
    assert (fields["version"], fields["license"]) == (project["version"], project["license"])
    assert re.findall(r'- name: "(.+)"', text) == [author["name"] for author in project["authors"]]
    released = re.search(
        rf"^## {re.escape(fields['version'])}, (\S+)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.M
    )
    assert released is not None
    assert fields["date-released"] == released[1]


def test_readme__length__is_that_of_one_page():
    text = (ROOT / "README.md").read_text("utf-8")
    assert len(text.splitlines()) <= 150
    assert len(text.split()) <= 1300


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


def test_readme__commands__are_in_the_list_of_all():
    named = re.findall(r"^\| (`(?:shogun-env|make) .+?`)", (ROOT / "README.md").read_text("utf-8"), re.M)
    every = (ROOT / "docs" / "commands.md").read_text("utf-8")
    assert len(named) == 6
    assert [command for command in named if command not in every] == []


@each_document_of_today
def test_document__names_of_games__are_spelled_with_their_accents(document: Path):
    prose = re.sub(r"```.*?```|`[^`]*`|\]\([^)]*\)|<!--.*?-->", "", document.read_text("utf-8"), flags=re.S)
    assert re.findall(r".*\bShitenno\b.*", prose) == []


def test_strength_page__tables__are_generated_as_it_says():
    page = (ROOT / "docs" / "strength.md").read_text("utf-8")
    assert "Every table on this page is made by `shogun-env book`" in page
    by_hand = re.sub(r"<!-- made by .*?<!-- end of", "", page, flags=re.S)
    assert re.findall(r"^\|.*", by_hand, re.M) == []


def test_readme__citation__is_that_of_the_file():
    readme = (ROOT / "README.md").read_text("utf-8")
    version = re.search(r"^version: (.+)$", (ROOT / "CITATION.cff").read_text("utf-8"), re.M)
    assert version is not None
    assert f"shogun-env, version {version[1]} (2026)" in readme
    assert "(CITATION.cff)" in readme
