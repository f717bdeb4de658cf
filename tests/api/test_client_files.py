"""The libraries of `clients/`: each is in the table and in the list; those that are installed run."""

import json
import re
from importlib import metadata
from pathlib import Path

import pytest

import clients.__main__ as clients
import shogun_env
from clients.__main__ import CLIENTS, tried_here
from shogun_env.benchmarks.documents import clients_table
from shogun_env.cli import origin
from tests.games import NAMES

FOLDER = Path(__file__).resolve().parents[2] / "clients"


def test_clients__list_and_page__are_of_the_same_clients():
    published = json.loads((FOLDER / "results.json").read_text("utf-8"))["clients"]
    files = {name: client.use.partition(":")[0].replace(".", "/") + ".py" for name, client in CLIENTS.items()}
    assert {result["client"]: result["file"] for result in published} == files
    others = {"__init__.py", "__main__.py", "learners.py", "peers.py", "verifiers_shogun/verifiers_shogun.py"}
    assert {path.name for path in FOLDER.glob("*.py")} | others == set(files.values()) | others


def test_table__results_and_failures__have_a_line_each():
    good = {"client": "a", "file": "f.py", "library": "b", "version": "1", "steps_per_s": 1234}
    unmeasured = {"client": "d", "file": "g.py", "library": "e", "version": "2"}
    lines = clients_table([good, {"client": "c", "failed": "ImportError: no"}, unmeasured], origin()).splitlines()
    assert [line.replace(" ", "") for line in lines[2:5]] == [
        "|a|b1|[f.py](f.py)|1,234|",
        "|c|failed:ImportError:no|–|–|",
        "|d|e2|[g.py](g.py)|–|",
    ]
    assert f"shogun-env {shogun_env.__version__}; commit" in lines[-1]


def test_clients__of_which_one_is_never_installed__has_failed(tmp_path, monkeypatch, capsys):
    python = tmp_path / ".venv-client-jax" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text('#!/bin/sh\n[ "$2" = clients ] || exec sleep 5\n')  # pip; what follows reports nothing
    python.chmod(0o755)
    (tmp_path / "constraints.txt").write_text("torch==1\n")
    monkeypatch.setattr(clients, "ROOT", tmp_path)
    monkeypatch.setattr(clients, "SECONDS", 0.2)
    monkeypatch.setattr("sys.argv", ["clients", "jax", "--json", str(tmp_path / "results.json")])
    assert clients.main() == 1
    assert "| jax    | failed: TimeoutExpired" in capsys.readouterr().out
    assert [path.name for path in tmp_path.iterdir()] == ["constraints.txt"], "no results, no environment left"


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
    assert tried_here(name, game, 500).get("steps_per_s", 1) > 0
