"""Pages of a sentence or two: an error, a review that is worked out, and the links for friends."""

import html
from collections.abc import Mapping, Sequence
from pathlib import Path

from shogun_env.records.document import own_style

WAY = "<!--way-->"
"""Where a page has the ways to others."""


def ways_of(links: Sequence[tuple[str, str]]) -> str:
    """Return links as the way out of a page; addresses with texts."""
    return f'<nav class="way">{" · ".join(f"""<a href="{href}">{text}</a>""" for href, text in links)}</nav>'


def note(title: str, text: str, links: Sequence[tuple[str, str]], more: str = "") -> str:
    """Return a page that says something; ``more`` is HTML below it."""
    begins_with_path = bool(Path(text.partition(" ")[0].rstrip(":")).suffix)
    said = text if begins_with_path else text[:1].upper() + text[1:]
    body = f"<h1>{title}</h1><p>{html.escape(said)}</p>{more}"
    return own_style(__package__, "start", f"{title} – shogun-env", f"{ways_of(links)}<main>{body}</main>")


def waiting_page(share: float) -> str:
    """Return the page that is shown, and asked for anew each second, while a review is worked out.

    A header would not ask for an address with a fragment again.
    """
    progress = (
        f'<p><progress value="{share:.2f}" aria-label="how far the review is"></progress> {100 * share:.0f} %</p>'
    )
    progress += "<script>setTimeout(() => location.reload(), 1000)</script>"
    text = "The champion plays the decisions again; this happens once."
    return note("A review of the decisions", text, [], progress).replace(ways_of([]), WAY)


def friends_page(links: Mapping[str, str], ways: Sequence[tuple[str, str]], is_open: bool) -> str:
    """Return the page with the links that the host hands out, each also as a QR code.

    Args: links, addresses by whom they are for; ways, the way out; is_open, whether other machines can open them.
    """
    import segno

    items = (
        f"<section><h2>{html.escape(who)}</h2>{segno.make(link).svg_inline(scale=4, border=3, light='#fff')}"
        f'<p><a href="{link}">{link}</a></p></section>'
        for who, link in links.items()
    )
    text = "Each link opens one page, and nothing else: give it only to whom it is for."
    if not is_open:
        text += " It opens on this machine only; the option --host opens tables to your network."
    return note("Friends", text, ways, f'<div class="friends">{"".join(items)}</div>')
