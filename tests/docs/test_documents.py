"""The documents name what there is (files, targets, versions, works), and figures that are those of the results."""

import json
import re

import shogun_env
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
MADE_BY_COMMANDS = {
    "croissant.json", "model.json", "summary.json", "settings.json", "leaderboard.md", "path/to/file.py",
}  # fmt: skip

OF_TODAY = [path for path in DOCUMENTS if path.name != "CHANGELOG.md"]
"""The changelog names files of earlier versions."""
PAPER = ROOT / "paper"


def test_documents__links__lead_to_files():
    links = [(path, link) for path in DOCUMENTS for link in LINK.findall(path.read_text("utf-8"))]
    assert [(str(path), link) for path, link in links if not (path.parent / link).exists()] == []


def test_documents__files_named__are_in_the_tree():
    paths = [f"/{path.relative_to(ROOT)}" for path in files_of_the_tree()]
    names = {(name, path.name) for path in OF_TODAY for name in FILE.findall(path.read_text("utf-8"))}
    lost = {(name, page) for name, page in names if not any(path.endswith(f"/{name}") for path in paths)}
    assert {(name, page) for name, page in lost if name not in MADE_BY_COMMANDS} == set()


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


def prose_of_the_paper() -> str:
    """Return the paper without its metadata, generated tables, and comments."""
    text = (PAPER / "paper.md").read_text("utf-8").split("---\n", 2)[2]
    text = re.sub(r"<!-- made by .*?<!-- end of .*? -->", "", text, flags=re.S)
    return " ".join(re.sub(r"<!--.*?-->", "", text, flags=re.S).split())


def test_paper__works_cited__are_those_of_the_list():
    works = re.findall(r"^@\w+\{(\w+),$", (PAPER / "paper.bib").read_text("utf-8"), re.M)
    assert sorted(set(re.findall(r"@(\w+)", prose_of_the_paper()))) == sorted(works)


def test_readme_and_paper__figures_of_speed__are_those_of_the_results():
    text, paper = " ".join((ROOT / "README.md").read_text("utf-8").split()), prose_of_the_paper()
    runs = json.loads((ROOT / "benchmarks" / "speed.json").read_text("utf-8"))["runs"]
    own = next(run["figures"] for run in runs if run["game"] == "shogun")
    others = json.loads((ROOT / "clients" / "peers.json").read_text("utf-8"))["figures"]
    rates = (own[f"{name}_decisions_per_s"]["per_core_second"] / 1e6 for name in ("random", "observed"))
    (random, observed), size = (f"{rate:.1f}" for rate in rates), f"{batch_class('shogun').spec.obs_size:,}"
    assert f"One core plays about {random} million random decisions per second in compiled code" in text
    assert f"{observed} million with a {size}-byte observation" in text
    assert f"One core plays {random} million random decisions per second in compiled code, legal actions" in paper
    assert f"and {observed} million with an observation of {size} bytes for each" in paper
    assert re.findall(r"\d+\.\d+", paper) == [random, observed], "a figure without its results"
    thousands = {name: f"{each['decisions_per_s'] / 1e3:.0f} thousand" for name, each in others.items()}
    batch, env, open_spiel, catanatron = list(thousands.values())[:4]  # those from Python
    assert f"From Python, one game at a time, it plays {batch}, or {env} as an environment" in text
    assert f"OpenSpiel's backgammon {open_spiel}, Catanatron {catanatron}" in text


def test_version__in_every_file_that_names_it__is_that_of_the_package():
    version = shogun_env.__version__  # setup.py reads it from there
    text = {name: (ROOT / name).read_text("utf-8") for name in ("CITATION.cff", "CHANGELOG.md", "README.md")}
    cited = dict(re.findall(r'^(version|date-released): "?(.+?)"?$', text["CITATION.cff"], re.M))
    assert cited["version"] == version
    assert f"\n## {version}, {cited['date-released']}\n" in text["CHANGELOG.md"]
    assert f"shogun-env, version {version} (" in text["README.md"]
