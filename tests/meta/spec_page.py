"""The generated part of each game's RULES.md, its observation; `python -m tests.meta.spec_page` rewrites it."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

from shogun_env import GAMES
from shogun_env.batch.float_view import FloatView
from shogun_env.spec.game_spec import GameSpec
from shogun_env.spec.layout import Kinds, Slice

ROOT = Path(__file__).resolve().parents[2]
PART = re.compile(r"(?<=do not edit -->\n).*?(?=<!-- end -->)", re.S)


def shown(piece: Slice) -> str:
    """Return how float views show a slice, in words."""
    if not isinstance(piece.shown, Kinds):
        return "as it is" if piece.high == piece.shown == 1 else f"/ {piece.shown:g}"
    first, block, flags = piece.shown
    own = f"flags for {first}–{piece.high}"
    if not block:
        return own
    there = f", which one as `{flags}` of {block}" if flags else ""
    return f"a flag for 1–{first - 1}{there}; {own}"


def observation_table(spec: GameSpec) -> str:
    """Return the layout of a game's observation as a table, its size, and the board features."""
    rows = ["| bytes | block | feature | highest | in `flat` | changes | known to | meaning |"]
    rows.append("|---|---|---|---|---|---|---|---|")
    for piece in spec.obs_layout:
        changes = "no" if piece.is_static else "yes"
        cells = (piece.block, f"`{piece.name}`", piece.high, shown(piece), changes, piece.known_to, piece.meaning)
        rows.append(f"| {piece.start}–{piece.stop - 1} | " + " | ".join(map(str, cells)) + " |")
    sizes = [
        FloatView(spec, static, features).size for static, features in ((True, False), (False, False), (True, True))
    ]
    text = "\n" + "\n".join(rows) + f"\n\n{spec.obs_size} bytes in all; `flat` has {sizes[0]:,} columns, "
    text += f"{sizes[1]:,} without those that never change, {sizes[2]:,} with board features.\n\n"
    if spec.board is None:
        return text
    rows = [f"| board feature of each row of {spec.board.block} | lowest | highest | meaning |", "|---|---|---|---|"]
    rows += [f"| `{own.name}` | {own.low:g} | {own.high:g} | {own.meaning} |" for own in spec.board.features]
    return text + "\n".join(rows) + "\n\n"


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
