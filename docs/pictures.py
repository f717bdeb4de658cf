"""Make the pictures in docs/pictures: ``python docs/pictures.py``, or ``make pictures``; needs the extra viz.

The learning curve is that of Shogun's champion; ``--progress FILE`` draws that of another training run.
"""

from __future__ import annotations

import argparse
import io
import json
from pathlib import Path

from numpy import asarray
from PIL import Image

from shogun_env.benchmarks.book import entry
from shogun_env.benchmarks.pictures import ROW, budget_curves, draw_ratings, learning_curve, picture
from shogun_env.cli import batch_class
from shogun_env.game import Game
from shogun_env.records.film import film_times, pictures_of
from shogun_env.records.frames import frames_of
from shogun_env.records.picture import draw_png
from shogun_env.shitenno import Game as Shitenno
from shogun_env.shogun import Game as Shogun
from shogun_env.svg.raster import write_gif

FOLDER = Path(__file__).parent / "pictures"
CHAMPION = FOLDER.parents[1] / "agents" / "champion" / "shogun_progress.jsonl"
BUDGETS = FOLDER.parents[1] / "benchmarks" / "budget.json"
BOARDS = (
    ("shogun", Shogun(seed=7, num_players=5), 330, None, "light"),
    ("shogun_dark", Shogun(seed=7, num_players=4), 260, 0, "dark"),
    ("shitenno", Shitenno(seed=7, num_players=4), 130, 1, "light"),
)
"""Name, game, number of decisions by scripted bots, whose view, theme."""
FILM_WIDTH = 720


def board(name: str, game: Game, decisions: int, player: int | None, theme: str) -> None:
    """Play a game and draw it, in few colours so that the file is small."""
    while len(game.moves) < decisions and not game.is_over:
        game.play(game.suggest("scripted"))
    save(f"{name}.png", draw_png(game.batch, 0, player, theme), 224)


def save(name: str, data: bytes, colours: int) -> None:
    """Save a picture in few colours."""
    image = Image.open(io.BytesIO(data)).convert("RGB").quantize(colours)
    image.save(FOLDER / name, optimize=True)


def replay() -> None:
    """Make a short film: two fights of a game between scripted bots, with the cubes that fall through the tower."""
    game = Shogun(seed=7, num_players=4)
    while not game.is_over:
        game.play(game.suggest("scripted"))
    data = frames_of(Shogun.batch_class, game.record())
    fights = [
        step for step, frame in enumerate(data["frames"]) if ("fight" in (kind for kind, _ in frame.get("marks", ())))
    ]
    steps = range(fights[8] - 1, fights[9] + 2)
    pictures = (Image.fromarray(frame) for frame in pictures_of(data, steps))
    small = (image.resize((FILM_WIDTH, image.height * FILM_WIDTH // image.width), 1) for image in pictures)
    write_gif(FOLDER / "replay.gif", map(asarray, small), film_times(data, steps))


def leaderboard() -> None:
    """Draw the ratings of the styles of Shogun's scripted bot, from the results book."""
    ratings = entry("shogun")["ratings"]["all variants"]
    save("leaderboard.png", picture(lambda axes: draw_ratings(axes, ratings), 0.9 + ROW * len(ratings), "png"), 64)


def learning(progress: Path) -> None:
    """Draw the learning curve of a training run."""
    lines = [json.loads(line) for line in progress.read_text("utf-8").splitlines()]
    save("learning.png", learning_curve(lines, "png"), 64)


def budgets() -> None:
    """Draw what time buys a search, from the published measurements."""
    runs = json.loads(BUDGETS.read_text("utf-8"))["runs"]
    titles = {run["game"]: batch_class(run["game"]).spec.title for run in runs}
    save("budget.png", budget_curves(runs, titles, "png"), 64)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Make the pictures in docs/pictures.")
    parser.add_argument(
        "--progress", type=Path, metavar="FILE", default=CHAMPION, help="progress.jsonl of the run that is drawn"
    )
    args = parser.parse_args()
    FOLDER.mkdir(exist_ok=True)
    for arguments in BOARDS:
        board(*arguments)
    replay()
    leaderboard()
    learning(args.progress)
    budgets()
