"""Settings of Sphinx, which makes the site of the documents: ``make docs``; the pages lie in ``out/docs``.

The root of the sources is the repository, so that each page lies in the site where it lies here, and a link between two
documents is the same in both. What only the site has is added while Sphinx reads the documents:

- the contents, from the list in ``docs/README.md``;
- the pages of the API, one for each module that ``docs/reference.md`` links;
- the replays of the gallery, made of their records and played inside their page.

Nothing is compiled: ``NUMBA_DISABLE_JIT`` is set before the package is imported.
"""

import importlib
import os
import re
import shutil
import sys
from pathlib import Path
from typing import Any

os.environ["NUMBA_DISABLE_JIT"] = "1"

import numpy as np
from docutils import nodes
from pygments.lexers.data import JsonLexer
from sphinx import addnodes
from sphinx.application import Sphinx

import shogun_env

sys.path.append(str(Path(__file__).parent))
import gallery

ROOT = Path(__file__).resolve().parents[1]
LIST = "docs/README"
"""The list of the documents, which orders them."""
MODULES = "docs/reference"
"""The folder of the pages of modules, which git ignores."""
LINK = re.compile(r"\]\(([\w./-]+\.(?:md|ipynb))\)")
LINK_TO_CODE = re.compile(r"\]\(([\w./-]+\.py)\)")
LINK_TO_STEP = re.compile(r"\]\((\w+)\.jsonl#(\d+)\)")
HEADS = re.compile(r"(Rule|Args|Reads|Writes|Draws|Returns|Raises)\b.*: ?")
"""Where a part of a docstring begins. It is a paragraph of its own, even where no line is empty before it."""
KEYWORD = re.compile(r"^    (\w+): ", re.M)
"""A keyword in a list of keywords in a docstring."""
LONGEST_VALUE = 60
"""A constant that takes more characters is shown without its value."""
TITLE_OF_REPLAY = re.compile(r"^## \[(.*)\]\((\w+)\.jsonl\)$", re.M)
REPLAY = (
    r'## [\1](\2.html){.external}\n\n<iframe class="replay" name="\2" src="\2.html" title="\1" loading="lazy"></iframe>'
)
"""The title of a replay, and below it the replay."""
STEP = r"](\1.html?\2#\2){.external target=\1}"
"""A link that shows a step of the replay there. Without the question mark the browser would not load the page anew."""

project = "shogun-env"
author = "The shogun-env developers"
copyright = author
version = release = shogun_env.__version__
extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
root_doc = "README"
include_patterns = ["*.md", "**/*.md", "notebooks/*.ipynb"]
exclude_patterns = [
    ".*", "**/.*", "build", "dist", "out", "runs", "demo", "games", "records", "paper", "tests/cases",
    "shogun_env/agents", "shogun_env/benchmarks", "shogun_env/training",
]  # fmt: skip

smartquotes = False  # it would make a dash of the hyphens of an option
myst_enable_extensions = ["attrs_inline"]
myst_heading_anchors = 6
nb_execution_mode = "off"
nb_merge_streams = True

autodoc_default_options = {"members": True, "member-order": "bysource"}
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True
suppress_warnings = ["ref.python"]  # an annotation such as "Batch", imported for type checking only, fits every game's
python_maximum_signature_line_length = 88

html_theme = "furo"
html_title = f"shogun-env {version}"
html_logo, html_favicon = "logo.svg", "logo.svg"
html_static_path = ["site.css"]
html_css_files = ["site.css"]
html_use_index = html_domain_indices = False  # one searches
html_copy_source = False
html_show_sphinx = False
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"


def module_of(path: Path) -> str:
    """Return the dotted name of a module in one of the folders that are installed."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts if parts[0] == "shogun_env" else ("shogun_env", *parts)).removesuffix(".__init__")


LINKS = LINK_TO_CODE.findall((ROOT / "docs/reference.md").read_text("utf-8"))
PUBLIC = list(dict.fromkeys(module_of((ROOT / "docs" / link).resolve()) for link in LINKS))
"""Names of the modules that ``docs/reference.md`` links, in its order."""


def write_pages_of_modules(folder: Path) -> None:
    """Write what a page is made of, for each public module, and remove pages of other modules.

    The docstring of a module is Markdown and may have headings; those of its classes and functions are autodoc's.
    """
    folder.mkdir(exist_ok=True)
    for path in folder.iterdir():
        if path.stem not in PUBLIC:
            path.unlink()
    for name in PUBLIC:
        module: Any = importlib.import_module(name)
        for public in getattr(module, "__all__", ()):  # also those that are imported when they are first asked for
            vars(module).setdefault(public, getattr(module, public))
        text = KEYWORD.sub(r"\n- ``\1``: ", module.__doc__)
        page = f"# {name}\n\n{text}\n\n```{{eval-rst}}\n.. automodule:: {name}\n```\n"
        path = folder / f"{name}.md"
        if not path.exists() or path.read_text("utf-8") != page:
            path.write_text(page, "utf-8")


def linked_documents(docname: str, text: str) -> list[str]:
    """Return the documents that a text links, each once, as Sphinx names them."""
    links = [os.path.normpath(f"{os.path.dirname(docname)}/{link}") for link in LINK.findall(text)]
    return list(dict.fromkeys(link.rpartition(".")[0] for link in links))


def parts_of(docname: str) -> list[str]:
    """Return the documents below the first document of a folder: those it links that lie there too."""
    if not docname.endswith("/README") or docname == LIST:
        return []
    names = linked_documents(docname, (ROOT / f"{docname}.md").read_text("utf-8"))
    return [name for name in names if name.startswith(docname.removesuffix("README")) and name != docname]


def contents(docnames: set[str]) -> str:
    """Return the contents: the documents by section of ``docs/README.md``, and below them all that it does not link."""
    listed = {root_doc, *(part for name in docnames for part in parts_of(name))}
    listed |= {name for name in docnames if name.startswith(f"{MODULES}/")}
    sections: list[tuple[str, list[str]]] = []
    for section in re.split(r"^#+ ", (ROOT / f"{LIST}.md").read_text("utf-8"), flags=re.M)[1:]:
        names = [name for name in linked_documents(LIST, section) if name not in listed]
        listed.update(names)
        sections.append((section.splitlines()[0] if sections else "Play, watch, the games", names))
    sections.append(("In the repository", sorted(docnames - listed)))
    return "".join(toctree(title, names) for title, names in sections if names)


def toctree(title: str, names: list[str]) -> str:
    """Return a part of the contents, in MyST's Markdown."""
    pages = "".join(f"/{name}\n" for name in names)
    return f"\n\n```{{toctree}}\n:hidden:\n:caption: {title}\n\n{pages}```\n"


def add_what_the_site_has(app: Sphinx, docname: str, source: list[str]) -> None:
    """Change the text of a document before it is read."""
    folder = (ROOT / docname).parent

    def page_of_code(match: re.Match[str]) -> str:
        path = (folder / match[1]).resolve()
        name = module_of(path) if path.is_relative_to(ROOT) else ""
        return f"](/{MODULES}/{name}.md)" if name in PUBLIC else match[0]

    app.env.note_dependency(str(ROOT / "docs/reference.md"))
    text = LINK_TO_CODE.sub(page_of_code, source[0])
    if docname == "docs/gallery/README":
        text = LINK_TO_STEP.sub(STEP, TITLE_OF_REPLAY.sub(REPLAY, text))
    if docname == "README":
        text += contents(set(app.env.found_docs))
    if docname == "docs/reference":
        text += toctree("Modules", [f"{MODULES}/{name}" for name in PUBLIC])
    if parts := parts_of(docname):
        text += toctree("Parts", parts)
    source[0] = text


def change_docstring(app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Change the lines of a docstring before autodoc shows them."""
    if what == "module":  # its page begins with it
        lines.clear()
    for number in range(len(lines) - 1, 0, -1):
        if HEADS.match(lines[number]) and lines[number - 1].strip():
            lines.insert(number, "")


def hide_values(app: Sphinx, doctree: nodes.document) -> None:
    """Hide the values of constants that are long, or that name a folder of this machine, and where its Python is."""
    for default in list(doctree.findall(nodes.Text)):
        if default == repr(sys.executable):
            default.parent.replace(default, nodes.Text("sys.executable"))
    for value in list(doctree.findall(addnodes.desc_annotation)):
        text = value.astext()
        if text.lstrip().startswith("=") and (len(text) > LONGEST_VALUE or str(ROOT) in text):
            value.parent.remove(value)


def mend(page: str) -> str:
    """Return a page of the theme with what people who use a screen reader, or keys only, need."""
    page = page.replace('class="caption" role="heading"', 'class="caption" role="heading" aria-level="2"')
    page = page.replace('<div class="table-wrapper', '<div tabindex="0" class="table-wrapper')
    return page.replace("<pre>", '<pre tabindex="0">')


def finish(app: Sphinx, exception: Exception | None) -> None:
    """Put the first page and the replays where they belong."""
    if exception is None and app.builder.name == "html":
        for path in app.outdir.rglob("*.html"):
            path.write_text(mend(path.read_text("utf-8")), "utf-8")
        shutil.copy(app.outdir / "README.html", app.outdir / "index.html")
        with np.errstate(over="ignore"):  # random numbers wrap around
            gallery.write_pages(ROOT / "docs/gallery", app.outdir / "docs/gallery")


def setup(app: Sphinx) -> None:
    """Connect what this file adds."""
    write_pages_of_modules(ROOT / MODULES)
    app.add_lexer("jsonl", JsonLexer)
    app.connect("env-get-outdated", lambda *_: [root_doc])  # its contents name all other documents
    app.connect("source-read", add_what_the_site_has)
    app.connect("autodoc-process-docstring", change_docstring, priority=1)
    app.connect("doctree-read", hide_values)
    app.connect("build-finished", finish)
