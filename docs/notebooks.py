"""Run the notebooks and keep what they print and draw: ``make notebooks``, or ``python docs/notebooks.py NAME ...``.

GitHub shows a notebook with its outputs, so they are committed. What differs from machine to machine is left out:
folders, times of cells, and what commands say on stderr. The tests run them with the smaller numbers that cells have as
``nbmake.mock`` in their metadata.
"""

import re
import sys
import time
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

NOTEBOOKS = Path(__file__).resolve().parents[1] / "notebooks"
FOLDER = re.compile(r"(/[\w.-]+)+/tmp\w{8}/")
"""A temporary folder, with those around it."""
SECONDS = 600
"""A cell that takes longer fails."""


def cleaned(output: dict[str, Any]) -> list[dict[str, Any]]:
    """Return an output as it is committed, in a list, which is empty for one that is left out."""
    if output.get("name") == "stderr":
        return []
    if "text" in output:
        output["text"] = FOLDER.sub("", output["text"])
    data = output.get("data", {})
    if "<iframe" in data.get("text/html", ""):  # GitHub shows none
        del data["text/html"]
        data["text/plain"] = "(a page with the whole game, when you run this)"
    return [output]


def run(path: Path) -> float:
    """Run a notebook in its folder and write it with its outputs; return the seconds it took."""
    notebook = nbformat.read(path, as_version=4)
    metadata = dict(notebook.metadata)
    began = time.monotonic()
    client = NotebookClient(
        notebook, timeout=SECONDS, record_timing=False, resources={"metadata": {"path": path.parent}}
    )
    client.execute()
    taken = time.monotonic() - began
    notebook.metadata = nbformat.from_dict(metadata)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = [each for output in cell.outputs for each in cleaned(output)]
    nbformat.write(notebook, path)
    return taken


if __name__ == "__main__":
    for each in sorted(NOTEBOOKS.glob("*.ipynb")):
        if not sys.argv[1:] or each.stem in sys.argv[1:]:
            print(f"{each.name}: {run(each):.0f} s", flush=True)
