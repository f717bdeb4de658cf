"""The libraries of `clients/`: each is in the table and in the list; those that are installed run."""

import json
import re
from importlib import metadata
from pathlib import Path

import pytest

from clients.__main__ import CLIENTS, tried_here
from shogun_env.benchmarks.documents import clients_table
from tests.games import NAMES

FOLDER = Path(__file__).resolve().parents[2] / "clients"


def test_clients__list_and_page__are_of_the_same_clients():
    published = json.loads((FOLDER / "results.json").read_text("utf-8"))["clients"]
    modules = {name: client.use.partition(":")[0] for name, client in CLIENTS.items()}
    assert {result["client"]: result["file"] for result in published} == modules
    assert {path.stem for path in FOLDER.glob("*.py")} - {"__init__", "__main__", "learners", "peers"} == set(
        modules.values()
    )


def test_table__results_and_failures__have_a_line_each():
    good = {"client": "a", "file": "f", "library": "b", "version": "1", "steps_per_s": 1234}
    lines = clients_table([good, {"client": "c", "failed": "ImportError: no"}]).splitlines()
    assert [line.replace(" ", "") for line in lines[2:]] == [
        "|a|b1|[f.py](f.py)|1,234|",
        "|c|failed:ImportError:no|–|–|",
    ]


def missing(packages: str) -> list[str]:
    """Return those of the packages that are not installed."""
    installed = {re.sub(r"[._-]+", "-", own.metadata["Name"]).lower() for own in metadata.distributions()}
    names = [re.match(r"[\w.-]+", package)[0] for package in packages.split()]
    return [name for name in names if re.sub(r"[._-]+", "-", name).lower() not in installed]


@pytest.mark.slow
@pytest.mark.parametrize("game", NAMES)
@pytest.mark.parametrize("name", CLIENTS)
def test_client__whose_packages_are_installed__takes_its_steps(name: str, game: str):
    if lacks := missing(CLIENTS[name].packages):
        pytest.skip(f"needs {', '.join(lacks)}: `make test-clients` installs them in an environment of its own")
    assert tried_here(name, game, 500)["steps_per_s"] > 0
