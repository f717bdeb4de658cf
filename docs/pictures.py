"""Make the pictures in docs/pictures: ``python docs/pictures.py``, or ``make pictures``; needs the extra viz."""

from __future__ import annotations

import io
from pathlib import Path

from PIL import Image

import shogun_env.agents  # registers the bots
from shogun_env.game import Game
from shogun_env.records.picture import draw_png
from shogun_env.shitenno import Game as Shitenno
from shogun_env.shogun import Game as Shogun

FOLDER = Path(__file__).parent / "pictures"
PICTURES = (
    ("shogun", Shogun(seed=7, num_players=5), 330, None, "light"),
    ("shogun_dark", Shogun(seed=7, num_players=4), 260, 0, "dark"),
    ("shitenno", Shitenno(seed=7, num_players=4), 130, 1, "light"),
)
"""Name, game, number of decisions by scripted bots, whose view, theme."""


def make(name: str, game: Game, decisions: int, player: int | None, theme: str) -> None:
    """Play a game and draw it, in few colours so that the file is small."""
    while len(game.moves) < decisions and not game.is_over:
        game.play(game.suggest("scripted"))
    picture = Image.open(io.BytesIO(draw_png(game.batch, 0, player, theme))).convert("RGB").quantize(224)
    picture.save(FOLDER / f"{name}.png", optimize=True)


if __name__ == "__main__":
    assert shogun_env.agents
    FOLDER.mkdir(exist_ok=True)
    for picture in PICTURES:
        make(*picture)
