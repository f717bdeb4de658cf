"""Rewrite the golden files: ``python -m tests.golden.rewrite``; read the diff before you commit it."""

from __future__ import annotations

from tests.golden import stories
from tests.golden.playthrough import GAMES, path_of, playthrough


def main() -> None:
    """Write every file and print which changed."""
    files = {path_of(name): playthrough(name) for name in GAMES}
    files |= {stories.path_of(name): "\n".join(stories.story(name)) + "\n" for name in stories.GAMES}
    for path, text in files.items():
        is_new = not path.exists() or path.read_text("utf-8") != text
        path.write_text(text, "utf-8")
        print(f"{path.name}: {'rewritten' if is_new else 'as before'}")


if __name__ == "__main__":
    main()
