"""Build the API reference from the docstrings with pdoc: ``make docs``, or ``python docs/reference.py FOLDER``.

Nothing is compiled: ``NUMBA_DISABLE_JIT`` is set before the package is imported, so that pdoc finds plain functions in
the place of compiled kernels. A warning of pdoc is an error, so that the reference is complete.
"""

from __future__ import annotations

import importlib
import os
import pkgutil
import re
import sys
import warnings
from pathlib import Path
from typing import Any

os.environ["NUMBA_DISABLE_JIT"] = "1"

import pdoc
from jinja2 import pass_context
from pdoc import render

import shogun_env

HEADS = re.compile(r"(?<!\n)\n(?=(?:Rule|Args|Reads|Writes|Draws|Returns|Raises)\b:? )")
"""Where a head of a docstring follows another line: Markdown would join the two."""
to_markdown = render.env.filters["to_markdown"]


@pass_context
def heads_on_lines_of_their_own(context: Any, docstring: str) -> str:
    """Convert a docstring to Markdown, with a line break before each head."""
    markdown: str = to_markdown(context, HEADS.sub("  \n", docstring))
    return markdown


def modules() -> list[str]:
    """Return the names of the package and of all its modules but the commands' entry points."""
    names = [module.name for module in pkgutil.walk_packages(shogun_env.__path__, "shogun_env.")]
    return ["shogun_env", *(name for name in names if not name.endswith(".__main__"))]


def show_all_modules() -> None:
    """Let the page of each package list all of its modules, also those that its ``__all__`` leaves out."""
    for name in modules():
        package: Any = importlib.import_module(name)
        names = getattr(package, "__all__", None)
        if names is not None and hasattr(package, "__path__"):
            parts = (module.name for module in pkgutil.iter_modules(package.__path__))
            package.__all__ = [*names, *(part for part in parts if part not in (*names, "__main__"))]


def build(folder: Path) -> None:
    """Write one page per module into a folder.

    Raises: SystemExit naming the warnings, if there are any.
    """
    show_all_modules()
    render.env.filters["to_markdown"] = heads_on_lines_of_their_own
    render.configure(docformat="google", footer_text=f"shogun-env {shogun_env.__version__}")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")
        warnings.filterwarnings("always", module="pdoc")
        # pdoc looks for the types of a NamedTuple's fields in the wrong module, and then shows them as written.
        warnings.filterwarnings("ignore", r"Error parsing type annotation ForwardRef\(.*\.__init__\. Import of")
        # Packages bring their modules along, but not those that share their name with a function: so all are named.
        warnings.filterwarnings("ignore", "The module specification .* has already been added")
        pdoc.pdoc(*modules(), output_directory=folder)
    if caught:
        raise SystemExit("\n".join(str(warning.message) for warning in caught))


if __name__ == "__main__":
    target = Path(sys.argv[1] if len(sys.argv) > 1 else "out/docs")
    build(target)
    print(f"{target / 'index.html'} written")
