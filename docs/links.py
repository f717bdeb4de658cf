"""Check the links inside the site that ``make docs`` has made: ``python docs/links.py FOLDER``.

Each must lead to a file of the site, and to a place in it if it names one; and a page takes no script, style sheet,
picture or font from elsewhere, so that the site needs no network.
"""

from __future__ import annotations

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

PARTS = {("script", "src"), ("link", "href"), ("img", "src"), ("iframe", "src"), ("video", "src"), ("source", "src")}
"""What a browser loads together with a page."""


class Page(HTMLParser):
    """The links and the names of places of a page."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[tuple[str, str, str]] = []
        """Tag, attribute and address of each link."""
        self.places: set[str] = set()
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what a tag links, and what it is called."""
        for name, value in attrs:
            if value and name in ("href", "src"):
                self.links.append((tag, name, value))
            elif value and name == "id":
                self.places.add(value)


def broken_links(folder: Path) -> list[str]:
    """Return a line for each link of a site that leads nowhere, and for each part of a page that lies elsewhere."""
    pages = {path.resolve(): Page(path) for path in folder.rglob("*.html")}
    broken = []
    for path, page in pages.items():
        for tag, attribute, address in page.links:
            parts = urlsplit(address)
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if parts.scheme or parts.netloc:
                fault = "is loaded from elsewhere" if (tag, attribute) in PARTS and parts.scheme != "data" else ""
            elif not target.is_file():
                fault = "leads to no file"
            elif parts.fragment and target in pages and not has_place(pages[target], unquote(parts.fragment)):
                fault = "leads to no such place"
            else:
                fault = ""
            if fault:
                broken.append(f"{path.relative_to(folder.resolve())}: {address} {fault}")
    return broken


def has_place(page: Page, name: str) -> bool:
    """Whether a page has a place of this name; a replay takes the number of a step for it."""
    return name in page.places or (name.isdigit() and "slider" in page.places)


if __name__ == "__main__":
    found = broken_links(Path(sys.argv[1]))
    if found:
        sys.exit("\n".join(found))
    print(f"{Path(sys.argv[1], 'index.html')} written; its links lead to what they name")
