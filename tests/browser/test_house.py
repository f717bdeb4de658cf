"""The start page and the review in a real browser, as somebody uses them who comes back."""

import time
from collections.abc import Iterator
from typing import Any

import pytest

from shogun_env.play import reviews
from shogun_env.play.house import House
from shogun_env.play.server import Pages
from shogun_env.play.serving import serve
from shogun_env.review.analysis import Effort
from tests.browser.conftest import NEEDS_A_BROWSER
from tests.browser.person import show_in
from tests.browser.test_pages import complaints, fits_a_phone, open_page, press
from tests.pages import running
from tests.unit.play.people import ended_table
from tests.waiting import until

pytestmark = NEEDS_A_BROWSER


@pytest.fixture
def home(browser: Any, tmp_path: Any) -> Iterator[Any]:
    """The pages of a folder with a game that is over, and the address of the start page."""
    ended_table("shitenno", tmp_path)
    house = House(tmp_path, {"game": "shitenno"})
    pages = Pages(house)
    with running(serve(pages, 0)) as server:
        yield pages, f"http://127.0.0.1:{server.server_port}/{pages.token}/"
        browser.get("about:blank")
    house.close()


def choose(browser: Any, name: str, value: str) -> None:
    browser.find_element("css selector", f"[name={name}] [value='{value}']").click()


def test_start__game_chosen_by_clicks__begins_and_is_there_to_go_on_with(browser, home):
    pages, address = home
    browser.get(address)
    assert browser.title == "Start – shogun-env"
    bots = browser.find_elements("css selector", "select[name^=bot]")
    assert [bot.is_displayed() for bot in bots] == [True, True, True]
    choose(browser, "num_players", "2")
    assert [bot.is_displayed() for bot in bots] == [True, False, False]
    choose(browser, "bot1", "pool:2min")
    browser.find_element("css selector", ".begin").click()
    until(lambda: browser.find_elements("css selector", "#actions button, #lots button"))
    (table,) = pages.house.tables.values()
    assert [*table.bots.values()] == ["pool:2min"]
    until(lambda: browser.title.endswith("Shitennō") and browser.title.startswith("your turn – "))
    browser.find_element("css selector", "#menu summary").click()
    browser.find_element("link text", "start page").click()
    until(lambda: browser.title == "Start – shogun-env")
    assert "Ashigaru" in browser.find_element("css selector", "section ul").text
    browser.find_element("link text", "go on").click()
    until(lambda: browser.find_elements("id", "decision"))


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_start_and_review__looked_at_by_axe_and_on_a_phone__have_nothing_to_complain_of(scheme, browser, home):
    show_in(browser, scheme)
    _, address = home
    browser.get(f"{address}")
    assert complaints(browser) == []
    assert fits_a_phone(browser)
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    browser.get(f"{address}game/5.shitenno/review")
    assert complaints(browser) == [], "while it is worked out"
    until(lambda: browser.find_elements("css selector", "#costliest li"))
    assert complaints(browser) == []
    assert fits_a_phone(browser)


def test_review__opens_with_the_costliest_decisions_and_begins_a_game_from_one(browser, home, monkeypatch):
    monkeypatch.setattr(reviews, "EFFORT", Effort(first=4, again=8))
    pages, address = home
    browser.get(f"{address}")
    link = browser.find_element("link text", "review").get_attribute("href")
    open_page(browser, f"{link}#1", "#costliest li")  # which waited for ever
    browser.get("about:blank")
    open_page(browser, link, "#costliest li")
    listed = browser.find_elements("css selector", "#costliest button")
    costs = [int(each.text.rpartition("−")[2]) for each in listed]
    assert 1 <= len(costs) <= 5 and costs == sorted(costs, reverse=True)
    assert browser.find_element("id", "summary").text.startswith("Your chance to win: ")
    assert browser.execute_script("return document.getElementById('counted').value") == "chance to win (%)"
    assert len(browser.find_elements("css selector", "#chart circle")) == len(listed)
    assert browser.execute_script("return document.getElementById('slider').list.options.length") == len(listed)
    heads = browser.find_element("css selector", "#thoughts summary").text
    assert listed[0].text.startswith(heads), "it opens with the costliest"
    seen = {browser.find_element("id", "count").text}
    for key in "pppppnnnnn":
        press(browser, key)
        seen.add(browser.find_element("id", "count").text)
    assert len(seen) == len(listed), "p and n lead to every decision of the list"
    listed[0].click()
    table = browser.find_element("css selector", "#thoughts table").text
    assert "played" in table and "the champion" in table
    browser.find_element("css selector", "#thoughts details > button").click()
    until(lambda: browser.find_elements("css selector", "#actions button, #lots button"))
    (table,) = pages.house.tables.values()
    assert table.origin is not None and table.people == [0]
    browser.back()
    browser.refresh()  # the review of the other game is where it was
    until(lambda: browser.find_elements("css selector", "#costliest li"))
    browser.find_element("link text", "start page")


def test_replay__list_of_events__leads_to_each_and_a_game_begins_from_a_step(browser, home, monkeypatch):
    pages, address = home
    open_page(browser, f"{address}game/5.shitenno/replay", "#events button")
    rows = browser.find_elements("css selector", "#events button")
    count = browser.find_element("id", "count")
    assert len(rows) == int(count.text.split()[-1])
    assert browser.find_elements("css selector", "#events h3")
    browser.execute_script("arguments[0].click()", rows[20])
    until(lambda: count.text.startswith("step 21 of"))
    assert rows[20].get_attribute("aria-current") == "step"
    told = browser.find_element("id", "told").text
    assert told.split()[0] in rows[20].text
    browser.find_element("id", "ask").click()
    until(lambda: ". The champion would choose " in browser.find_element("id", "asked").text)
    assert len(pages.house.tables) == 0, "a question begins a game"
    browser.execute_script("location.hash = '#31'")
    until(lambda: count.text.startswith("step 31 of"))
    browser.execute_script("location.hash = '#21'")
    until(lambda: count.text.startswith("step 21 of"))
    slowly, twice = pages.house.try_again, "for (const at of [0, 300]) setTimeout(() => arguments[0].click(), at)"
    monkeypatch.setattr(pages.house, "try_again", lambda *game: time.sleep(1) or slowly(*game))
    browser.execute_script(twice, browser.find_element("id", "again"))
    until(lambda: browser.find_elements("css selector", "#actions button, #lots button, #end table"))
    (table,) = pages.house.tables.values()
    assert table.origin.decision > 0
