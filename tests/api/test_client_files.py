"""The files of `clients/`: each is in the table and in the list; those whose libraries are installed run."""

from __future__ import annotations

import importlib
import json
from pathlib import Path

import pytest

from clients.__main__ import CLIENTS
from clients.measure import adapter_lines
from shogun_env.benchmarks.documents import clients_table
from tests.games import NAMES

FOLDER = Path(__file__).resolve().parents[2] / "clients"
HELPERS = {"__init__", "__main__", "loops", "measure", "peers"}
LIBRARIES = {
    "gymnasium_wrappers": "gymnasium", "cleanrl_ppo": "torch", "sb3_by_id": "sb3_contrib", "minari_dataset": "minari",
    "rlcard_env": "rlcard", "open_spiel_game": "pyspiel", "torchrl_masked": "torchrl", "tianshou_aec": "tianshou",
    "skrl_ppo": "skrl", "rl_zoo3_train": "rl_zoo3", "agilerl_dqn": "agilerl", "rllib_ppo": "ray.rllib",
}  # fmt: skip
"""The library of each client, as it is imported."""


def published() -> list[dict]:
    """Return the results that the table of the page is made of."""
    return json.loads((FOLDER / "results.json").read_text("utf-8"))["clients"]


def test_clients__files_table_and_page__are_of_the_same_clients():
    assert {path.stem for path in FOLDER.glob("*.py")} - HELPERS == set(CLIENTS) == set(LIBRARIES)
    assert [result["client"] for result in published()] == list(CLIENTS)


def test_clients__lines_of_adapters__are_those_of_the_page():
    assert {result["client"]: result["adapter_lines"] for result in published()} == {
        name: adapter_lines(FOLDER / f"{name}.py") for name in CLIENTS
    }


def test_adapter_lines__code_between_the_marks__is_counted_without_comments(tmp_path):
    file = tmp_path / "client.py"
    file.write_text(
        'import os\n\n# --- adapter ---\n\nclass A:\n    """Doc."""\n\n    # why\n    x = 1\n\n# --- use ---\nB = 2\n'
    )
    assert adapter_lines(file) == 2
    file.write_text("# --- use ---\nB = 2\n")
    assert adapter_lines(file) == 0


def test_table__results_and_failures__have_a_line_each():
    good = {
        "client": "a",
        "library": "b",
        "version": "1",
        "adapter_lines": 3,
        "steps_per_s": 1234.5,
        "own_steps_per_s": 9.6,
    }
    lines = clients_table([good, {"client": "c", "failed": "ImportError: no"}]).splitlines()
    assert [line.replace(" ", "") for line in lines[2:]] == [
        "|[a.py](a.py)|b1|3|1,234|10|",
        "|[c.py](c.py)|failed:ImportError:no|–|–|–|",
    ]


@pytest.mark.slow
@pytest.mark.parametrize("game", NAMES)
@pytest.mark.parametrize("name", CLIENTS)
def test_client__whose_library_is_installed__takes_its_steps(name: str, game: str):
    pytest.importorskip(LIBRARIES[name], reason="`make test-clients` installs it in an environment of its own")
    assert importlib.import_module(f"clients.{name}").use(game, 500) >= 500
