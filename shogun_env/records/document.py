"""HTML documents, and the pages that are made of a body, a style sheet and a script of their own."""

import html
import re
from collections.abc import Mapping, Sequence
from importlib import resources

from shogun_env.svg.style import page_style

SHARED = ("picture", "zoom", "tips", "events")
"""Modules of JavaScript that all pages have."""
_KEY = re.compile(r"\{\{(\w+)\}\}")
_COMMENT = re.compile(r"/\*.*?\*/ ?| *// [^\n]*", re.DOTALL)
_MODULE_WORD = re.compile(r"^(import .*?;\n|export )", re.MULTILINE | re.DOTALL)
_AROUND = re.compile(r"\s*([{};,])\s*")
_BLANK = re.compile(r"^\s+", re.MULTILINE)


def document(title: str, style: str, body: str, script: str = "") -> str:
    """Return an HTML document that needs no other file.

    Args:
        title: plain text.
        style: style sheet.
        body: HTML.
        script: JavaScript that runs after the body was read; empty for none.
    """
    code = f"<script>\n{script}\n</script>\n" if script else ""
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{html.escape(title)}</title>
<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E">
<style>{style}</style>
</head>
<body>
{body}
{code}</body>
</html>
"""


def page(
    package: str, name: str, values: Mapping[str, str], words: Mapping[str, str], modules: Sequence[str] = ()
) -> str:
    """Return a page that a person can work with, made of the files ``name.html``, ``name.css`` and ``name.js``.

    Args:
        package: the package in which the files are.
        name: their name; they come after what all pages share, ``document.css`` and the modules of ``SHARED``.
        values: plain text for each ``{{key}}`` in the body; ``title`` is also the title of the page.
        words: what the words of the game mean, for ``{{words}}``: a list of definitions.
        modules: names of more modules of JavaScript in the package, which the page's own imports.
    """
    items = (f"<dt>{html.escape(word)}</dt><dd>{html.escape(meaning)}</dd>" for word, meaning in words.items())
    parts = {**{key: html.escape(value) for key, value in values.items()}, "words": "".join(items)}
    body = _KEY.sub(lambda key: parts[key[1]], _asset(package, f"{name}.html"))  # in one go: values may hold keys too
    code = "".join(_asset(__package__, f"{module}.js") for module in SHARED)
    code += "".join(_asset(package, f"{module}.js") for module in (*modules, name))
    script = '"use strict";\n' + _MODULE_WORD.sub("", _light(code))  # modules are strict without saying so
    return document(values["title"], _style_of(package, name), body, script)


def own_style(package: str, name: str, title: str, body: str) -> str:
    """Return a page without a script that looks like the others: ``body`` in the styles of all and of ``name.css``."""
    return document(title, _style_of(package, name), body)


def _asset(package: str | None, name: str) -> str:
    """Return a file of a package as text."""
    return resources.files(str(package)).joinpath(name).read_text("utf-8")


def _style_of(package: str, name: str) -> str:
    """Return the styles of all pages and those of ``name.css``, without comments and space around signs."""
    rules = _asset(__package__, "document.css") + _asset(package, f"{name}.css")
    return page_style() + _AROUND.sub(r"\1", _light(rules))


def _light(code: str) -> str:
    """Return JavaScript or CSS without comments and indentation.

    A comment begins with ``/*``, or with ``//`` and a space: no string or pattern of the pages contains these.
    """
    return _BLANK.sub("", _COMMENT.sub("", code))
