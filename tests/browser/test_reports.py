"""The pages of tournaments and leagues in a real browser."""

from typing import Any

import pytest

from shogun_env.commands import run_command
from tests.browser.conftest import NEEDS_A_BROWSER
from tests.browser.person import HAND, each_scheme, show_at, show_in
from tests.browser.test_pages import complaints

pytestmark = NEEDS_A_BROWSER


AGENTS = ("scripted", "pool:2min", "scripted:style=greedy")


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The addresses of the pages of a tournament and of a league."""
    folder = tmp_path_factory.mktemp("arena")
    of_game, out, league_out = ["--game", "shitenno"], folder / "run", str(folder / "league")
    run_command("tournament", [*of_game, "--agents", ",".join(AGENTS), "--games", "30", "--out", str(out)])
    run_command("league", ["create", league_out, *of_game, "--preset", "own"])
    for agent in AGENTS:
        run_command("league", ["enter", league_out, agent])
    run_command("league", ["run", league_out, "--games", "20", "--no-replays"])
    return {"tournament": (out / "report.html").as_uri(), "league": (folder / "league/report.html").as_uri()}


@each_scheme("tournament", "league")
def test_page__looked_at_by_axe_and_on_a_phone__has_nothing_to_complain_of(
    name: str, scheme: str, browser: Any, pages: dict[str, str]
):
    show_in(browser, scheme)
    browser.get(pages[name])
    browser.execute_script("for (const part of document.querySelectorAll('details')) part.open = true")
    assert complaints(browser) == []
    unseen = (
        "return [...document.querySelectorAll('figure text')].filter(each => getComputedStyle(each).fill === 'none')"
    )
    assert browser.execute_script(f"{unseen}.map(each => each.textContent)") == []
    text = browser.find_element("tag name", "main").text
    assert "Shitennō" in text and "Written on 20" in text and "on a seed of its own (" in text
    assert all(agent in text for agent in AGENTS), "it says what the bots are"
    grounds = (
        "return [...document.querySelectorAll('figure svg > g > g > path')].map(each => getComputedStyle(each).fill)"
    )
    assert "rgb(255, 255, 255)" not in browser.execute_script(grounds), "a chart is a white slab in dark mode"
    show_at(browser, HAND)
    assert browser.execute_script("return document.documentElement.scrollWidth <= innerWidth")
