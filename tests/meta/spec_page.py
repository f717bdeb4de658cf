"""The generated part of each game's RULES.md, its observation; `python -m tests.meta.spec_page` rewrites it."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

from shogun_env import GAMES
from shogun_env.spec.game_spec import GameSpec

ROOT = Path(__file__).resolve().parents[2]
PART = re.compile(r"(?<=do not edit -->\n).*?(?=<!-- end -->)", re.S)


def observation_table(spec: GameSpec) -> str:
    """Return the layout of a game's observation as a table, and its size."""
    rows = ["| bytes | block | feature | highest | known to | meaning |", "|---|---|---|---|---|---|"]
    for piece in spec.obs_layout:
        cells = (piece.block, f"`{piece.name}`", piece.high, piece.known_to, piece.meaning)
        rows.append(f"| {piece.start}–{piece.stop - 1} | " + " | ".join(map(str, cells)) + " |")
    return "\n" + "\n".join(rows) + f"\n\n{spec.obs_size} bytes in all.\n\n"


def page_of(game: str) -> Path:
    """Return where a game's RULES.md stands."""
    return ROOT / "shogun_env" / game / "RULES.md"


def rewritten(name: str) -> str:
    """Return a game's RULES.md with its generated part brought up to date."""
    game = importlib.import_module(f"shogun_env.{name}").Batch.spec
    return PART.sub(lambda _: observation_table(game), page_of(name).read_text("utf-8"))


def main() -> None:
    """Rewrite the pages."""
    for name in GAMES:
        page_of(name).write_text(rewritten(name), "utf-8")


if __name__ == "__main__":
    main()
