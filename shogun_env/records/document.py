"""An HTML document around the body of a page: what all pages of this project begin and end with."""

from __future__ import annotations

import html

__all__ = ["document"]


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
