"""Build the API reference from the docstrings with pdoc: ``make docs``, or ``python docs/reference.py FOLDER``.

It begins with the public interface. Kernels, which only those who change the engine read, are apart, in ``kernels/``.

Nothing is compiled: ``NUMBA_DISABLE_JIT`` is set before the package is imported, so that pdoc finds plain functions in
the place of compiled kernels. A warning of pdoc is an error, so that the reference is complete.
"""

from __future__ import annotations

import hashlib
import importlib
import json
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
from markdown2 import markdown  # which pdoc brings
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


KERNELS = re.compile(
    r"shogun_env\.(kernel|(shogun|shitenno)\.(rules|engine)|batch\.(loops|rollout_loops|fillers|arrays)"
    r"|agents\.(scripted\.(shogun|shitenno)|network\.(kernel|arrays)))(\..*)?"
)
"""Modules of kernels."""
START = """# shogun-env {version}

**Start here.** One game: [Shogun](shogun_env/shogun.html#Game), [Shitennō](shogun_env/shitenno.html#Game),
[Shikoku](shogun_env/shikoku.html#Game), with the [methods](shogun_env/game.html) of all. Environments with all their
options: [shogun_v0](shogun_env/shogun_v0.html), [shitenno_v0](shogun_env/shitenno_v0.html),
[shikoku_v0](shogun_env/shikoku_v0.html). Many games as arrays: [Batch](shogun_env/batch/batch.html).
Bots: [policies](shogun_env/policies.html). Records: [record](shogun_env/records/record.html).

**Rules and formats.** {documents}

**Everything.** [All modules](shogun_env.html), and the [kernels](kernels/index.html) of the engine.
"""
"""The first page."""
DOCUMENTS = {"RULES_SHORT.md": "the rules in short", "RULES.md": "the rules", "RECORD.md": "the format of records"}
"""Documents of each game that the first page links, if the game has them."""
PAGE = """<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>{title}</title>
<style>body {{ max-width: 60rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui }}
table {{ border-collapse: collapse }} td, th {{ border: 1px solid; padding: 0 .5rem; vertical-align: top }}</style>
{body}</html>
"""


def modules() -> list[str]:
    """Return the names of the package and of all its modules but the commands' entry points."""
    names = [module.name for module in pkgutil.walk_packages(shogun_env.__path__, "shogun_env.")]
    return ["shogun_env", *(name for name in names if not name.endswith(".__main__"))]


def show(shown: list[str]) -> None:
    """Let the page of each package list its modules among those shown, also those that its ``__all__`` leaves out.

    pdoc looks for public names in the dictionary of a module; those that ``__getattr__`` imports are put there.
    """
    for name in modules():
        package: Any = importlib.import_module(name)
        own = OWN.setdefault(name, getattr(package, "__all__", None))
        for public in own or ():
            vars(package).setdefault(public, getattr(package, public))
        if own is not None and hasattr(package, "__path__"):
            parts = [
                module.name for module in pkgutil.iter_modules(package.__path__) if f"{name}.{module.name}" in shown
            ]
            package.__all__ = [*own, *(part for part in parts if part not in own)]


OWN: dict[str, Any] = {}
"""The ``__all__`` of each module as it is written, None where there is none."""


def page(title: str, text: str) -> str:
    """Return a page of a text in Markdown."""
    body = markdown(text, extras=["tables", "fenced-code-blocks", "header-ids", "cuddled-lists"])
    return PAGE.format(title=title, body=body)


def lean(folder: Path) -> None:
    """Let the pages of a folder share their style sheets and scripts, of which pdoc writes a copy into each page."""
    for path in folder.rglob("*.html"):
        up = "../" * len(path.relative_to(folder).parts[:-1])

        def shared(match: re.Match[str], up: str = up) -> str:
            kind, code = match[1], match[2]
            name = f"{hashlib.sha256(code.encode()).hexdigest()[:12]}.{'css' if kind == 'style' else 'js'}"
            (folder / "assets").mkdir(exist_ok=True)
            (folder / "assets" / name).write_text(code, "utf-8")
            place = f"{up}assets/{name}"
            return f'<link rel="stylesheet" href="{place}">' if kind == "style" else f'<script src="{place}"></script>'

        text = re.sub(r"<(style|script)>(.*?)</\1>", shared, path.read_text("utf-8"), flags=re.DOTALL)
        text = re.sub(r'<a class="attribution".*?</a>', "built with pdoc", text, flags=re.DOTALL)  # a drawing, 2 kB
        parts = re.split(r"(<pre.*?</pre>)", text, flags=re.DOTALL)
        parts[::2] = [re.sub(r"\s*\n\s*", "\n", part) for part in parts[::2]]
        path.write_text("".join(parts), "utf-8")


def first_paragraphs(documents: list[dict[str, Any]], compile_js: Path) -> str:
    """Return what the search looks at: of each name its first paragraph; the browser makes the index of it."""
    kept = ("fullname", "modulename", "qualname", "kind", "funcdef", "doc")
    short = [{key: each[key] for key in kept if key in each} for each in documents]
    for each in short:
        each["signature"] = "()" if "funcdef" in each else ""
        each["doc"] = each.get("doc", "").partition("</p>")[0][:500]
    return json.dumps(short)


def build(folder: Path) -> None:
    """Write one page per module into a folder, those of kernels into ``kernels``, and the first page.

    Raises: SystemExit naming the warnings, if there are any.
    """
    render.env.filters["to_markdown"] = heads_on_lines_of_their_own
    render.precompile_index = first_paragraphs
    footer = f"shogun-env {shogun_env.__version__}"
    kernels = [name for name in modules() if KERNELS.fullmatch(name)]
    others = [name for name in modules() if name not in kernels]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")
        warnings.filterwarnings("always", module="pdoc")
        # pdoc looks for the types of a NamedTuple's fields in the wrong module, and then shows them as written.
        warnings.filterwarnings("ignore", r"Error parsing type annotation ForwardRef\(.*\.__init__\. Import of")
        # Packages bring their modules along, but not those that share their name with a function: so all are named.
        # pdoc does not know from which of its bases a TypedDict has a key.
        warnings.filterwarnings("ignore", r"Cannot determine where shogun_env\.envs\.keywords\.")
        warnings.filterwarnings("ignore", "The module specification .* has already been added")
        for names, place, left_out in ((others, folder, [f"!{KERNELS.pattern}$"]), (kernels, folder / "kernels", [])):
            show(names)
            render.configure(
                docformat="google", footer_text=footer, include_undocumented=False, search=place == folder,
                show_source=False,
            )  # fmt: skip
            pdoc.pdoc(*names, *left_out, output_directory=place)
    if caught:
        raise SystemExit("\n".join(str(warning.message) for warning in caught))
    documents = []
    for game in shogun_env.GAMES:
        package = importlib.import_module(f"shogun_env.{game}")
        links = []
        for name, words in DOCUMENTS.items():
            place = f"{game}_{Path(name).stem.lower()}.html"
            source = Path(package.__path__[0], name)
            if not source.exists():  # Shikoku's records are in Shogun's format
                continue
            (folder / place).write_text(page(name, source.read_text("utf-8")), "utf-8")
            links.append(f"[{words}]({place})")
        documents.append(f"{package.Game.spec.title}: {', '.join(links)}.")
    lean(folder)
    start = START.format(version=shogun_env.__version__, documents=" ".join(documents))
    (folder / "index.html").write_text(page("shogun-env", start), "utf-8")


if __name__ == "__main__":
    target = Path(sys.argv[1] if len(sys.argv) > 1 else "out/docs")
    build(target)
    print(f"{target / 'index.html'} written")
