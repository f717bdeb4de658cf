"""Make the pictures in docs/pictures: ``python docs/pictures.py``, or ``make pictures``; needs the extra viz.

The learning curve is that of Shogun's champion; ``--progress FILE`` draws that of another training run. Those of the
page of ``play`` need the extra play, selenium, chromium and chromedriver; without the last two the old ones stay.
"""

import argparse
import io
import json
import shutil
import threading
from pathlib import Path
from typing import Any

from numpy import asarray
from PIL import Image

from shogun_env.benchmarks.book import BOOK
from shogun_env.benchmarks.documents import read_json
from shogun_env.benchmarks.pictures import COLOURS, GRID, ROW, draw_ratings, picture, short
from shogun_env.game import Game
from shogun_env.play.new_game import NewGame
from shogun_env.play.server import Pages
from shogun_env.play.serving import serve
from shogun_env.play.table import Table
from shogun_env.records.film import film_times, pictures_of
from shogun_env.records.frames import frames_of
from shogun_env.records.picture import draw_png
from shogun_env.shitenno import Game as Shitenno
from shogun_env.shogun import Game as Shogun
from shogun_env.svg.raster import write_gif

FOLDER = Path(__file__).parent / "pictures"
CHAMPION = FOLDER.parents[1] / "agents" / "champion" / "shogun_progress.jsonl"
BOARDS = (
    ("shogun", Shogun(seed=7, num_players=5), 330, None),
    ("shitenno", Shitenno(seed=7, num_players=4), 130, 1),
)
"""Name, game, number of decisions by scripted bots, whose view."""
FILM_WIDTH = 720
LAPTOP, PHONE = (1366, 768), (390, 844)
PAGES = (("play", Shogun, 64, LAPTOP), ("play_phone", Shogun, 64, PHONE), ("play_shitenno", Shitenno, 20, LAPTOP))
"""Name, game, least number of decisions before it is the person's turn to plan or divide, size of the screen."""
DRAWN = """return page.view.version >= 0 && !page.busy && document.querySelector("svg")"""
"""JavaScript: whether the page shows a position, drawn, and waits for no answer."""


def board(name: str, game: Game, decisions: int, player: int | None) -> None:
    """Play a game and draw it, in few colours so that the file is small."""
    while len(game.moves) < decisions and not game.is_over:
        game.play(game.suggest("scripted"))
    save(f"{name}.png", draw_png(game.batch, 0, player), 224)


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
    ratings = read_json(BOOK / "shogun.json", "ratings")["ratings"]["all variants"]
    save("leaderboard.png", picture(lambda axes: draw_ratings(axes, ratings), 0.9 + ROW * len(ratings), "png"), 64)


def learning(progress: Path) -> None:
    """Draw the learning curve of a training run."""
    points = [json.loads(line) for line in progress.read_text("utf-8").splitlines()]
    points = [point for point in points if {"decisions", "seconds", "win_share"} <= set(point)]

    def draw(axes: Any) -> None:
        names = dict.fromkeys(name for point in points for name in point["win_share"])
        for name, colour in zip(names, COLOURS, strict=False):
            evaluated = [point for point in points if name in point["win_share"]]
            axes.plot(
                [point["decisions"] / 1e6 for point in evaluated],
                [100 * point["win_share"][name] for point in evaluated],
                "o-", color=colour, label=f"against {short(name)}", markersize=3,
            )  # fmt: skip
        axes.set_ylim(-2, 102)
        axes.set_xlabel(f"million decisions; {points[-1]['seconds'] / 60:.0f} minutes in all")
        axes.set_ylabel("% of games won")
        axes.grid(axis="y", color=GRID)
        axes.legend(frameon=False, fontsize=8)

    save("learning.png", picture(draw, 3.2, "png"), 64)


def play_pages() -> None:
    """Photograph the page of ``play``: a plan that is half made, on two screens, and a division."""
    driver = shutil.which("chromedriver")
    if driver is None or shutil.which("chromium") is None:
        print("no chromium and chromedriver: the pictures of the page of play stay as they are")
        return
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--hide-scrollbars"):
        options.add_argument(argument)
    browser = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    try:
        for arguments in PAGES:
            photograph(browser, *arguments)
    finally:
        browser.quit()


def photograph(browser: Any, name: str, game_class: type[Game], decisions: int, size: tuple[int, int]) -> None:
    """Play a game with scripted bots by following the hints, and save what the page of player 0 shows then."""
    from selenium.webdriver.support.wait import WebDriverWait

    bots = dict.fromkeys(range(1, 4), "scripted")
    table = Table(NewGame.among_bots(game_class, {"num_players": 4}, bots), seed=7)
    while len(table.game.moves) < decisions or not is_of_interest(table):
        follow(table)
    pages = Pages()
    pages.house.add(table)
    server = serve(pages, 0)
    threading.Thread(target=server.serve_forever).start()
    try:
        screen = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": False}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
        browser.get(pages.address(pages.path(table.name)))
        WebDriverWait(browser, 30).until(lambda page: page.execute_script(DRAWN))
        save(f"{name}.png", browser.get_screenshot_as_png(), 128)
        browser.get("about:blank")  # or the page would ask a server that is gone
    finally:
        server.shutdown()
        server.server_close()


def follow(table: Table) -> None:
    """Do what the adviser says."""
    draft = table.draft(0)
    if draft.is_held:
        table.confirm(0)
    elif draft.is_plan:
        table.choose(0, table.advice(0)["plan"][draft.space])
    else:
        actions = table.advice(0)["hint"].split(", ")  # of a division all, from its beginning
        table.choose(0, actions[min(len(draft.chosen), len(actions) - 1)])


def is_of_interest(table: Table) -> bool:
    """Whether the person has laid seven cards of a plan, or made half of a division."""
    draft = table.draft(0)
    lots = table.lots(0)
    return len(draft.laid) == 7 or (lots is not None and lots["made"] and len(draft.chosen) == 2)


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
    play_pages()
