"""Replay and play in a real browser: headless Chromium, driven by keys and clicks.

It needs Debian's packages chromium and chromium-driver: ``apt-get install chromium chromium-driver``. Without them the
tests are skipped and say so; only ``.ci/run`` tries to install them. ``make setup`` installs selenium and axe.
"""

import re
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest

from shogun_env.__main__ import main
from shogun_env.play.house import House
from shogun_env.play.server import Pages
from shogun_env.play.serving import serve
from shogun_env.play.view import end_of
from tests.browser.conftest import NEEDS_A_BROWSER
from tests.browser.person import HAND, LAPTOP, Person, each_scheme, show_at, show_in
from tests.pages import running
from tests.unit.play.people import ended_table, few_cards, late_table, table_of
from tests.waiting import until

webdriver = pytest.importorskip("selenium.webdriver", reason="needs selenium: pip install selenium")
Keys = webdriver.Keys
Gone = pytest.importorskip("selenium.common.exceptions").StaleElementReferenceException
pytestmark = NEEDS_A_BROWSER
SETTLED = "return !page.busy && page.view.version"
"""JavaScript: the version that the page shows, false while it waits for an answer."""
BUTTONS = ("css selector", "#actions button:not(.used, .back)")
PLAN = """
const rows = [...document.querySelectorAll("#plan [data-space]")];
const cards = rows.map(row => [row.dataset.space, row.querySelector("b").textContent]);
return Object.fromEntries(cards.filter(([, card]) => card));
"""
"""JavaScript: the cards of the plan that the page shows, by space."""
CLICK = """
const box = arguments[0].getBoundingClientRect(), clientX = box.x + box.width / 2, clientY = box.y + box.height / 2;
arguments[0].dispatchEvent(new MouseEvent("click", { clientX, clientY, bubbles: true }));
"""


def press(driver: Any, key: str) -> None:
    webdriver.ActionChains(driver).send_keys(key).perform()


def hover(driver: Any, element: Any) -> None:
    webdriver.ActionChains(driver).move_to_element(element).perform()


def open_page(driver: Any, page: str, part: str = "#actions button, #lots button") -> None:
    driver.get(page)
    until(lambda: driver.find_elements("css selector", part))


SMALL = """
const targets = document.querySelectorAll("button, select, summary, input, a");
const boxes = [...targets].filter(each => each.checkVisibility()).map(each => [each, each.getBoundingClientRect()]);
return boxes.filter(([, box]) => box.width < 44 || box.height < 44).map(([each]) => each.outerHTML);
"""
"""JavaScript: what can be pressed and is smaller than a finger."""


def fits_a_phone(driver: Any) -> bool:
    show_at(driver, HAND)
    assert driver.execute_script(SMALL) == []
    return bool(driver.execute_script("return document.documentElement.scrollWidth <= innerWidth"))


def touch(driver: Any, *moves: list[tuple[float, float]]) -> None:
    """Put fingers on the page at the first points, move them to the others one after the other, and lift them."""
    driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 2})
    for index, points in enumerate([*moves, []]):
        kind = "touchStart" if index == 0 else "touchMove" if points else "touchEnd"
        fingers = [{"x": x, "y": y, "id": finger} for finger, (x, y) in enumerate(points)]
        driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers})


@pytest.mark.parametrize("name", [pytest.param("shogun", marks=pytest.mark.slow), "shitenno"])
def test_replay__by_keys__shows_every_step(name, browser, tmp_path):
    main(["record", "--out", str(tmp_path), "--game", name, "--seed", "7"])
    main(["view", str(tmp_path / f"7.{name}.jsonl")])
    browser.get((tmp_path / f"7.{name}.html").as_uri())
    count = browser.find_element("id", "count")
    until(lambda: count.text.startswith("step 1 of"))
    last = int(count.text.split()[-1])
    for key, expected in ((Keys.ARROW_RIGHT, 2), (Keys.ARROW_LEFT, 1), (Keys.END, last), (Keys.HOME, 1)):
        press(browser, key)
        until(lambda expected=expected: count.text == f"step {expected} of {last}")
    press(browser, Keys.ARROW_RIGHT * (last - 1))
    until(lambda: count.text == f"step {last} of {last}")
    assert "over; " in browser.find_element("id", "board").text
    dot = browser.find_elements("css selector", "#chart text[text-anchor]")[0]  # where the first round begins
    browser.execute_script(CLICK, dot)
    until(lambda: "begins." in browser.find_element("id", "told").text)
    browser.execute_script(
        "document.getElementById('viewer').value = 'all'; document.getElementById('viewer').onchange()"
    )
    assert "what everybody knows" in browser.find_element("id", "board").text
    assert fits_a_phone(browser)
    step = int(count.text.split()[1])
    browser.execute_script("document.getElementById('picture').scrollIntoView({ block: 'center' })")
    swipe = [[(300, 420)], [(280, 422)], [(200, 422)]]
    touch(browser, *swipe)
    until(lambda: count.text == f"step {step + 1} of {last}")
    browser.find_element("css selector", ".zoom button:nth-child(2)").click()
    touch(browser, *swipe)  # drags the board, which is near
    assert count.text == f"step {step + 1} of {last}"
    browser.find_element("css selector", ".fold").click()
    assert not browser.find_element("id", "told").is_displayed()
    assert fits_a_phone(browser)


def test_replay__with_thoughts_and_throws__shows_them_to_those_who_may_know(browser, tmp_path):
    main(["record", "--out", str(tmp_path), "--seed", "7", "--agents", "scripted", "--explain"])
    main(["view", str(tmp_path / "7.shogun.jsonl")])
    page = (tmp_path / "7.shogun.html").as_uri()
    browser.get(f"{page}#2")
    until(lambda: browser.find_elements("css selector", "#tower svg"))
    assert "Tower: the tower is filled" in browser.find_element("css selector", "#tower svg").get_attribute(
        "aria-label"
    )
    throw, tray = browser.find_elements("css selector", "#tower svg, #tower [data-word=tray]")

    def meaning() -> str:
        hover(browser, throw)  # anew each time: the scrolling to it hides the meaning
        hover(browser, tray)
        return str(browser.find_element("id", "tip").text)

    until(lambda: "come out of the tower" in meaning())
    press(browser, Keys.ESCAPE)
    press(browser, Keys.PAGE_DOWN)
    press(browser, Keys.ARROW_RIGHT)
    until(lambda: browser.find_element("id", "minds").is_displayed())
    heads = [part.text for part in browser.find_elements("css selector", "#thoughts summary")]
    assert [head[:8] for head in heads] == [f"player {player}" for player in range(4)]
    for viewer, count in (("1", 1), ("all", 0), ("referee", 4)):
        browser.execute_script(
            f"document.getElementById('viewer').value = '{viewer}'; document.getElementById('viewer').onchange()"
        )
        assert len(browser.find_elements("css selector", "#thoughts details")) == count
    assert fits_a_phone(browser)


@pytest.fixture
def address(browser: Any) -> Iterator[Any]:
    with ExitStack() as servers:

        def start(name: str, people: tuple[int, ...] = (0,), table: Any = None) -> tuple[Any, str]:
            table = table or table_of(name, people=people, num_players=3)
            pages = Pages()
            pages.house.add(table)
            servers.enter_context(running(serve(pages, 0)))
            return table, pages.address(pages.path(table.name))

        yield start
        browser.get("about:blank")  # or the page would ask a server that is gone


@pytest.mark.parametrize(
    ("name", "size", "learns", "is_late"),
    [
        ("shitenno", LAPTOP, False, True),
        pytest.param("shogun", LAPTOP, True, False, marks=pytest.mark.slow),
        pytest.param("shogun", HAND, False, False, marks=pytest.mark.slow),
        pytest.param("shitenno", HAND, True, False, marks=pytest.mark.slow),
    ],
    ids=["shitenno-laptop", "shogun-laptop", "shogun-phone", "shitenno-phone"],
)
def test_play__by_a_person_who_knows_only_what_the_page_says__ends_with_a_winner(
    name, size, learns, is_late, browser, address
):
    table, page = address(name, table=late_table() if is_late else None)
    table.explain(0, learns)
    person = Person(browser, size, seed=9)
    try:
        person.play(page)
        assert table.game.is_over
        assert person.button("The replay of this game")
        assert not person.button("confirm")
        end = browser.find_element("id", "end").text
        came = end_of(table.game)
        heads = [head.text for head in browser.find_elements("css selector", "#end th[scope=col]")]
        assert [head.startswith("you") for head in heads] == [each["player"] == 0 for each in came]
        kinds = ["place", "points", *(words for words, _ in came[0]["sources"] + came[0]["years"])]
        assert [row.split(" ")[0] for row in rows(end)] == [words.split()[0] for words in kinds]
        assert [*map(int, rows(end)[1].split()[1:])] == [each["points"] for each in came]
        assert browser.execute_script("return document.querySelector('#end').scrollWidth <= innerWidth")
    finally:
        person.leave()  # or the page asks a server that is gone


def rows(end: str) -> list[str]:
    """Return the lines of the table of the end: words, and a number for each player."""
    return [line for line in end.splitlines() if re.fullmatch(r"[a-zA-Z ]+\d*( -?\d+){2,5}", line)]


SEEN = """
const parts = [...document.querySelectorAll("#scroll > *, #foot, #lesson, #table ~ *")];
return parts.filter(part => part.checkVisibility()).map(part => part.id);
"""
"""JavaScript: what there is to read besides the board."""


def test_play__after_a_confirmation__shows_event_by_event_what_has_happened(browser, address):
    table, page = address("shogun")
    open_page(browser, page)
    shown = browser.find_element("id", "unfold")
    for motion in ("no-preference", "reduce"):
        media = {"features": [{"name": "prefers-reduced-motion", "value": motion}]}
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
        known = len(table.game.lines())
        while len(table.game.lines()) == known:
            while not table.draft(0).is_held:
                table.choose(0, table.draft(0).legal()[0])
            until(lambda: browser.execute_script(SETTLED) == table.versions[0])
            press(browser, "c")
            until(lambda: not table.draft(0).is_held)
        until(shown.is_displayed)
        assert browser.find_element("id", "pause").text == ("pause" if motion == "no-preference" else "go on")
        browser.find_element("id", "pause").click()
        press(browser, Keys.ARROW_RIGHT)
        press(browser, Keys.ARROW_LEFT)
        told = table.events(0)["events"][0]["told"]
        texts = [part.text for part in browser.find_elements("css selector", "#event li")]
        assert texts == ["".join(piece for piece, _ in text) for text in told]
        assert fits_a_phone(browser)
        seen = browser.execute_script(SEEN)
        assert seen == ["unfold"], "something tells of what comes after, or lies on it"
        assert browser.execute_script("return document.documentElement.scrollHeight <= innerHeight && scrollY === 0")
        assert browser.find_element("id", "passed").text.startswith("1 of")
        browser.find_element("id", "event").click()  # as with stories
        until(lambda: not browser.find_element("id", "passed").text.startswith("1 of") or not shown.is_displayed())
        press(browser, Keys.ESCAPE)
        assert not shown.is_displayed()
        assert browser.find_elements("css selector", ".unfolding, #board .arrow") == []
        assert browser.execute_script("return page.view.turn") == (table.deciding == [0])
    browser.find_element("css selector", "#speed option").click()
    assert browser.execute_script("return localStorage.getItem('shogun-env-speed')") == "off"


def test_play__program_gone_and_back_and_game_over__the_page_goes_on_and_leads_to_replay_and_another_game(
    browser, tmp_path
):
    table = ended_table("shitenno")
    pages = Pages(House(tmp_path))
    pages.house.add(table)
    with running(serve(pages, 0)) as server:
        port = server.server_port
        browser.get(pages.address(pages.path(table.name)))
        until(lambda: "place" in browser.find_element("id", "end").text)
    until(lambda: "Start it again" in browser.find_element("id", "gone").text)
    with running(serve(pages, port)):
        until(lambda: not browser.find_element("id", "gone").is_displayed())
        browser.find_element("link text", "The replay of this game").click()
        until(lambda: "step" in browser.find_element("id", "count").text)
        browser.back()
        until(lambda: browser.find_elements("css selector", "#end button"))
        browser.find_element("css selector", "#end button").click()
        until(lambda: table.next is not None and table.next.name in browser.current_url)
        browser.get("about:blank")
        browser.get_log("browser")  # that the program was gone has been logged


def test_play__game_that_was_given_up__is_lost_and_can_be_played_again(browser, address):
    """Where the bot that played on came first, the page said "You have won."."""
    table, page = address("shitenno")
    table.resign(0)
    browser.get(page)
    until(lambda: browser.find_elements("css selector", "#end p"))
    said, ways = (each.text for each in browser.find_elements("css selector", "#end p")[:2])
    assert said == "You resigned: it counts as lost."
    assert ways == "The replay of this game · A review of your decisions · the same again"


def test_play__cards_chosen_and_dragged_in_any_order__make_the_plan(browser, address):
    table, page = address("shogun")
    browser.set_window_size(1366, 768)
    open_page(browser, page, "#plan li")

    def shown():
        until(lambda: browser.execute_script(SETTLED) == table.versions[0])
        return {part.get_attribute("data-space"): part for part in browser.find_elements("css selector", "#plan li")}

    def drag(card, space):
        rows = shown()
        source = browser.find_element("css selector", f"#plan b[data-action='{card}'], #actions [data-action='{card}']")
        webdriver.ActionChains(browser).click_and_hold(source).move_to_element(rows[space]).release().perform()

    def plan():  # in one go: a list of elements may be replaced while it is read
        return browser.execute_script(PLAN)

    rows = [row.text.split()[0] for row in shown().values()]
    assert rows == ["bid", "1", "2", "3", "4", "5", *"?????"], "not in the order of play"
    first, second, third = (part.get_attribute("data-action") for part in browser.find_elements(*BUTTONS)[:3])
    shown()["3"].find_element("css selector", "button").send_keys(Keys.ENTER)
    until(lambda: browser.find_elements("css selector", "#plan [data-space='3'] [aria-pressed=true]"))
    browser.find_element("css selector", f"#actions [data-action='{first}']").send_keys(Keys.ENTER)
    until(lambda: plan() == {"3": first})
    assert table.draft(0).chosen == [] and table.draft(0).laid == {3: first}
    drag(second, "0")
    until(lambda: plan() == {"0": second, "3": first})
    drag(first, "0")  # the cards change places
    until(lambda: plan() == {"0": first, "3": second})
    assert table.draft(0).chosen == [first]
    press(browser, "u")
    until(lambda: plan() == {"0": second, "3": first})
    for space in {*map(str, range(11))} - {*plan()}:
        shown()[space].find_element("css selector", "button").click()
        chosen = ("css selector", f"#plan [data-space='{space}'] [aria-pressed=true]")
        until(lambda chosen=chosen: browser.find_elements(*chosen))
        browser.execute_script("arguments[0].click()", browser.find_elements(*BUTTONS)[0])
        until(lambda space=space: space in plan())
    assert table.draft(0).is_held
    assert table.draft(0).laid[3] == first
    drag(third, "3")  # a plan can be changed as long as it is not confirmed
    until(lambda: table.draft(0).laid.get(3) == third)
    press(browser, "c")
    until(lambda: table.game.batch.games[0]["plan"][0, 0] >= 0 and not table.draft(0).chosen)


def test_play__while_somebody_else_plans__nothing_is_disturbed_and_a_plan_can_be_taken_back(browser, address):
    table, page = address("shogun", (0, 2))
    browser.set_window_size(1366, 768)
    open_page(browser, page, "#plan li")
    last = browser.execute_script("return page.view.spaces.at(-1).space")
    row = browser.find_element("css selector", f"#plan [data-space='{last}'] button")
    row.click()
    browser.find_elements(*BUTTONS)[0].click()
    until(lambda: {*browser.execute_script(PLAN)} == {str(last)})
    row = browser.find_element("css selector", f"#plan [data-space='{last}'] button")
    table.lay(2, dict(enumerate(table.draft(2).legal()[:11])))
    table.confirm(2)
    players, decision = (browser.find_element("id", part) for part in ("players", "decision"))
    until(lambda: "P2 person, confirmed" in players.text)
    assert row.is_displayed() and {*browser.execute_script(PLAN)} == {str(last)}, "the page has drawn the plan anew"
    table.undo(2)
    table.lay(0, dict(enumerate(table.draft(0).legal()[:11])))
    until(lambda: browser.find_element("id", "confirm").is_enabled())
    press(browser, "c")
    until(lambda: decision.text == "Your plan is confirmed. Waiting for P2 (person).")
    assert len(browser.execute_script(PLAN)) == 11
    assert not browser.find_elements("css selector", "#actions button, #plan .card, #plan button:enabled")
    press(browser, "u")
    until(lambda: decision.text.startswith("Plan the season"))
    table.confirm(2)
    until(lambda: browser.execute_script(SETTLED) == table.versions[0])
    press(browser, "c")
    until(lambda: table.game.moves)


def test_play__lots_of_a_division__are_made_by_clicks_and_drags_and_confirmed_at_once(browser, address):
    table, page = address("shitenno")
    while not (table.lots(0) or {"made": False})["made"]:
        table.confirm(0) if table.draft(0).is_held else table.choose(0, table.draft(0).legal()[-1])
    browser.set_window_size(1366, 768)
    browser.get(page)
    until(lambda: browser.find_elements("css selector", "#lots [data-from]"))
    question = table.game.spec.question(table.draft(0).preview.batch.games[0])
    assert browser.find_element("id", "decision").text == f"{question} Click or drag cards from one to the other."

    def lot(index):
        until(lambda: browser.execute_script(SETTLED) == table.versions[0])
        return browser.find_element("css selector", f"#lots [data-lot='{index}']")

    def cards():
        lot(0)
        return table.lots(0)["lots"][0]["cards"]

    pool = table.lots(0)["lots"][1]["cards"]
    lot(1).find_element("css selector", f"[data-action='{pool[-1]}']").click()
    until(lambda: cards() == [pool[-1]])
    card = lot(1).find_element("css selector", f"[data-action='{pool[0]}']")
    webdriver.ActionChains(browser).click_and_hold(card).move_to_element(
        lot(0).find_element("tag name", "h2")
    ).release().perform()
    until(lambda: cards() == [pool[0], pool[-1]])
    lot(0).find_element("css selector", f"[data-action='{pool[-1]}']").click()
    until(lambda: cards() == [pool[0]])
    press(browser, "u")
    until(lambda: cards() == [pool[0], pool[-1]])
    while not table.draft(0).is_held:
        given = len([each for each in table.lots(0)["lots"] if each["tile"]])
        lot(given).find_element("css selector", "[data-action^=seals]:enabled:not([aria-pressed=true])").click()
        until(lambda given=given: len([each for each in table.lots(0)["lots"] if each["tile"]]) > given)
    lot(0)
    assert "you" in browser.find_element("css selector", "#lots table").text
    shown = browser.execute_script("return document.getElementById('confirm').getBoundingClientRect().bottom")
    assert shown <= 768, "the panel is taller than the window"
    press(browser, "h")
    until(lambda: "The champion expects to win" in browser.find_element("id", "message").text)
    browser.find_element("xpath", "//button[.='make the lots of the hint']").click()
    hint = browser.execute_script("return page.advice.hint").split(", ")
    until(lambda: sorted(table.draft(0).chosen) == sorted(hint))
    assert table.draft(0).is_held
    press(browser, "c")
    until(lambda: not table.draft(0).chosen)


def test_play__slow_program__says_so_and_loses_no_click(browser, address):
    table, page = address("shogun")
    browser.get(page)
    until(lambda: browser.find_elements(*BUTTONS))
    lay = table.lay
    table.lay = lambda *args: time.sleep(1) or lay(*args)
    cards = [part.get_attribute("data-action") for part in browser.find_elements(*BUTTONS)]
    for card in cards[:2]:
        browser.execute_script(f"document.querySelector('#actions [data-action={card}]').click()")
    until(lambda: "at work" in browser.find_element("id", "busy").text, 0.9)
    until(lambda: len(table.draft(0).laid) == 2)
    until(lambda: browser.find_element("id", "busy").text == "")


def test_play__what_is_not_possible__is_said_with_its_reason(browser, address):
    _, page = address("shogun")
    open_page(browser, page)
    browser.find_element("css selector", "#why summary").click()
    assert "you have no card of it" in browser.find_element("id", "refused").text
    title = browser.find_element("css selector", "#picture .refused title")
    assert title.get_attribute("textContent").endswith(": you have no card of it")


def test_play__two_tabs_of_one_game__the_old_one_says_so_and_catches_up(browser, address):
    table, page = address("shitenno")
    open_page(browser, page)
    browser.execute_script("page.view.version = -5")
    browser.find_elements("css selector", "#actions button, #lots button:enabled")[0].click()
    until(lambda: "another tab" in browser.find_element("id", "message").text)
    assert table.draft(0).chosen == []
    until(lambda: browser.execute_script("return page.view.version") == table.versions[0])


def test_play__plan_with_too_few_cards__says_how_many_spaces_stay_empty(browser, address):
    table, page = address("shogun", table=few_cards())
    open_page(browser, page, "#plan li")
    chosen = browser.find_element("id", "chosen")
    assert "1 more space must stay empty: you have fewer cards than 11 spaces" in chosen.text
    browser.find_element("css selector", "#plan [data-space='4'] button").click()
    browser.find_element("css selector", "#actions [data-action=none]").click()
    until(lambda: table.draft(0).laid == {4: "none"})
    until(lambda: "must stay empty" not in chosen.text)


def test_play__plan_half_made__survives_a_reload_and_is_in_a_second_window_and_on_the_board(browser, address):
    _, page = address("shogun")
    browser.get(page)
    for space in ("3", "7"):
        until(lambda: browser.find_elements("css selector", "#plan li"))
        browser.find_element("css selector", f"#plan [data-space='{space}'] button").click()
        browser.find_elements(*BUTTONS)[0].click()
        until(lambda space=space: space in browser.execute_script(PLAN))
    made = browser.execute_script(PLAN)
    browser.refresh()
    until(lambda: browser.find_elements("css selector", "#plan li"))
    assert browser.execute_script(PLAN) == made
    drawn = [part.text for part in browser.find_elements("css selector", "[data-part^='card-0-'] text")]
    assert {*made.values()} <= {*drawn}
    browser.switch_to.new_window("tab")
    open_page(browser, page, "#plan li")
    assert browser.execute_script(PLAN) == made
    press(browser, "u")
    until(lambda: browser.execute_script(PLAN) == {"3": made["3"]})
    browser.close()
    browser.switch_to.window(browser.window_handles[0])
    until(lambda: browser.execute_script(PLAN) == {"3": made["3"]})


COVERED = """
const element = arguments[0] ?? document.activeElement, box = element.getBoundingClientRect();
const at = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
return element.contains(at) || at?.contains(element) && at !== document.body ? "" : element.outerHTML;
"""
"""JavaScript: the element, by default the one with the focus, if a person cannot see its middle."""


def test_play__first_decision_with_explanations__shows_cards_and_nothing_with_the_focus_is_covered(browser, address):
    table, page = address("shogun")
    table.explain(0, True)
    show_at(browser, LAPTOP)
    browser.get(page)
    until(lambda: browser.find_elements(*BUTTONS))
    assert browser.find_element("css selector", "#lesson h2").text == "What the game is about"
    assert not browser.execute_script(COVERED, browser.find_elements(*BUTTONS)[0])
    cards = len(browser.find_elements(*BUTTONS))
    covered, seen = [], 0
    for _ in range(2 * cards + 40):
        press(browser, Keys.TAB)
        if browser.execute_script("return document.activeElement.closest('#panel') !== null"):
            covered.append(browser.execute_script(COVERED))
            seen += browser.execute_script("return document.activeElement.closest('#actions') !== null")
    assert seen >= cards
    assert [*filter(None, covered)] == []


def test_play__hint_of_a_plan_and_its_costs__stand_next_to_it_and_are_taken_by_a_click(browser, address):
    table, page = address("shogun")
    spaces = {name: space for space, name in enumerate(table.game.spec.plan_spaces)}
    cards = [card for card in table.draft(0).legal() if not card.startswith("chest")]
    table.game.batch.games[0]["chests"][0] = 2
    table._begin_drafts()
    table.lay(0, {spaces["build_castle"]: cards[0]})
    open_page(browser, page, "#plan li")
    assert "It costs 3 chests; you have 2." in browser.find_element("id", "chosen").text
    (row,) = browser.find_elements("css selector", "#plan .unpaid")
    assert row.get_attribute("data-space") == str(spaces["build_castle"])
    assert "not paid: it costs 3 chests, and 2 chests can be left by then" in row.text
    press(browser, "h")
    until(lambda: len(browser.find_elements("css selector", "#plan .hinted")) == 11)
    assert "The champion expects to win" in browser.find_element("id", "message").text
    first = browser.find_element("css selector", "#plan .hinted:enabled")
    card = first.text.removeprefix("hint: ")
    first.click()
    until(lambda: table.draft(0).laid.get(0) is not None)
    until(lambda: browser.execute_script(PLAN).get("0") == card)
    assert browser.find_element("css selector", "#plan [data-space='0'] .hinted").get_attribute("disabled")
    last = browser.execute_script("return page.view.spaces.at(-1)")
    browser.find_element("css selector", f"#plan [data-space='{last['space']}'] button").click()
    said = browser.find_element("id", "message").text
    assert said.startswith(f"Hint: for {last['title']}: ")
    hinted = browser.execute_script("return page.advice.plan")
    assert last["cards"][hinted[str(last["space"])]] in said, "the hint of a space gives no reason"
    browser.find_element("xpath", "//button[.='take the whole plan']").click()
    until(lambda: table.draft(0).is_held)
    assert {str(space): card for space, card in table.draft(0).laid.items()} == hinted
    until(lambda: browser.execute_script(SETTLED) == table.versions[0])
    assert browser.find_element("id", "hint").is_enabled(), "a whole plan cannot be compared with a hint"


UNCUT = """
const cut = [...document.querySelectorAll("#actions small")].find(text => text.scrollHeight > text.clientHeight + 2);
cut?.click();
return cut ? cut.scrollHeight <= cut.clientHeight + 2 : null;
"""
"""JavaScript: taps a card with a text that is cut, and says whether it is whole then; null if none is cut."""


def test_play__tap_on_a_space_on_a_phone__brings_its_cards(browser, address):
    table, page = address("shogun")
    show_at(browser, HAND, is_mobile=True)
    open_page(browser, page, "#plan li")
    for space in ("10", "2"):
        row = browser.find_element("css selector", f"#plan [data-space='{space}'] button")
        browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", row)
        row.click()
        until(lambda: not browser.execute_script(COVERED, browser.find_elements(*BUTTONS)[0]))
        while int(space) not in table.draft(0).laid:  # a text that is cut is shown whole at the first tap
            with suppress(Gone):  # the page has changed since the button was found
                browser.find_elements(*BUTTONS)[0].click()
            until(lambda: browser.execute_script(SETTLED) == table.versions[0])
    laid = dict(table.draft(0).laid)
    assert browser.execute_script(UNCUT) in (True, None), "a tap does not show a text that is cut"
    assert table.draft(0).laid == laid, "a tap on a text that is cut laid the card"


LIES_ON = """
const [foot, scroll, lies] = [document.getElementById("foot"), document.getElementById("scroll"), new Set()];
for (let at = 0; at < scroll.scrollHeight + document.documentElement.scrollHeight; at += 60) {
  scroll.scrollTop = at;
  scrollTo(0, scroll.scrollHeight > scroll.clientHeight ? at - scroll.scrollHeight + scroll.clientHeight : at);
  const { x, y, width, height } = foot.getBoundingClientRect();
  for (let down = 2; down < height; down += 8)
    for (let aside = 2; aside < width; aside += 20)
      for (const below of document.elementsFromPoint(x + aside, y + down))
        if (scroll.contains(below)) lies.add(below.outerHTML.slice(0, 80));
}
scroll.scrollTop = 0;
scrollTo(0, 0);
const { top, bottom } = document.getElementById("confirm").getBoundingClientRect();
return [[...lies], top >= 0 && bottom <= innerHeight];
"""
"""JavaScript: the choices that the bar of buttons covers at any scroll position, and whether confirm is seen."""


@pytest.mark.parametrize("size", [HAND, (768, 1024), (1366, 900)], ids=str)
def test_play__wherever_it_is_scrolled__bar_of_buttons_lies_on_no_card(size, browser, address):
    table, page = address("shogun")
    for learns in (False, True):
        table.explain(0, learns)
        show_at(browser, size)
        open_page(browser, page, "#plan li")
        assert browser.execute_script(LIES_ON) == [[], True]
        press(browser, "h")
        until(lambda: browser.find_element("id", "message").text.startswith("Hint: "))
        assert browser.execute_script(LIES_ON) == [[], True]


SHOWN = """
const [element, done] = arguments;
element.scrollIntoView({ block: "center" });
setTimeout(() => requestAnimationFrame(() => done(element.getBoundingClientRect().toJSON())), 400);
"""
"""JavaScript: where an element is in the window, once it is drawn there and a tap is no half of a double tap."""
HIT = """
const [{ x, y }] = arguments, seen = document.elementFromPoint(x + 20, y + 20);
return ["touched", x + 20, y + 20, seen?.outerHTML, document.getElementById("message").textContent].join(" ");
"""
"""JavaScript: what a finger meets in a box, and what the page said."""
LETTERS = """
const texts = [...document.querySelectorAll("#picture text")].filter(text => text.getBoundingClientRect().width);
const heights = texts.map(text => ({ at: text.getScreenCTM(), size: Number(text.getAttribute("font-size")) }));
return Math.min(...heights.map(({ at, size }) => size * Math.min(Math.hypot(at.a, at.b), Math.hypot(at.c, at.d))));
"""
"""JavaScript: how large the smallest letters of the board are, in pixels, in height and width."""
NATIVES = "return [...document.querySelectorAll('#picture .native')].filter(each => each.checkVisibility()).length"
"""JavaScript: the provinces of Shitennō of which the board shows the type of troops."""
VIEW_BOX = "return document.getElementById('picture').getAttribute('viewBox').split(' ').map(Number)"


@pytest.mark.parametrize("name", ["shogun", "shitenno"])
def test_play__on_a_phone__letters_of_the_board_are_9_pixels_high(name, browser, address):
    _, page = address(name)
    open_page(browser, page)
    assert fits_a_phone(browser)
    assert browser.execute_script(LETTERS) >= 9
    assert browser.find_elements("css selector", "#tables th")
    assert browser.execute_script(NATIVES) == (0 if name == "shogun" else 8)


def test_play__on_a_phone__board_comes_nearer_is_dragged_and_the_panel_folds(browser, address):
    table, page = address("shogun")
    open_page(browser, page)
    assert fits_a_phone(browser)
    whole_map = browser.execute_script(VIEW_BOX)
    assert (
        browser.execute_script("return [...document.querySelectorAll('#tables th')].map(e => e.textContent)")[0]
        == "points"
    )
    touch(browser, [(180, 200), (220, 200)], [(160, 200), (240, 200)], [(100, 200), (300, 200)])
    x, _, width, _ = browser.execute_script(VIEW_BOX)
    assert width == pytest.approx(whole_map[2] / 5, rel=0.1)  # the fingers are five times as far from each other
    touch(browser, [(200, 200)], [(220, 210)], [(260, 220)])
    assert browser.execute_script(VIEW_BOX)[0] == pytest.approx(x - 60 * width / 374, abs=8)
    assert browser.execute_script(LETTERS) >= 9
    assert table.draft(0).laid == {}
    near, whole, fold = browser.find_elements("css selector", ".zoom button")[1:]
    whole.click()
    assert browser.execute_script(VIEW_BOX) == pytest.approx(whole_map)
    fold.click()
    board = "return document.getElementById('picture').getBoundingClientRect().height"
    assert browser.execute_script(board) > 500
    assert not browser.find_element("id", "plan").is_displayed()
    assert browser.find_element("id", "confirm").is_displayed()
    near.click()
    near.click()
    near.click()
    spot = browser.find_element("css selector", ".spot").rect
    assert min(spot["width"], spot["height"]) >= 44
    fold.click()
    assert browser.find_element("id", "plan").is_displayed()
    for _ in range(2):  # the text of the effect must not move what comes next
        version, card = table.versions[0], browser.find_elements(*BUTTONS)[0]
        box = browser.execute_async_script(SHOWN, card)
        touch(browser, [(box["x"] + 20, box["y"] + 20)])
        if browser.execute_script("return document.querySelector('#actions .whole') !== null"):  # its text was cut
            touch(browser, [(box["x"] + 20, box["y"] + 20)])
        until(
            lambda version=version: table.versions[0] > version, told=lambda box=box: browser.execute_script(HIT, box)
        )
        until(lambda: browser.execute_script(SETTLED) == table.versions[0])
        assert fits_a_phone(browser)


def test_pages__word_of_the_picture__says_what_it_means(browser, address):
    _, page = address("shogun")
    open_page(browser, page)
    tip = browser.find_element("id", "tip")
    of_columns = (("supply", "not on the board"), ("short", "lacks in winter"), ("tray", "come out of the tower"))
    for word, meaning in (*of_columns, ("armies", "Costs"), ("+1 rice", "confiscates rice")):
        shown = f"return [...document.querySelectorAll('#picture text')].find(e => e.textContent.startsWith('{word}'))"
        hover(browser, browser.execute_script(shown))
        until(lambda meaning=meaning: meaning in tip.text, 9)
    press(browser, "\ue00c")  # escape
    assert not tip.is_displayed()
    words = browser.find_element("id", "words")
    assert {"tower", "Noh theatre calms", "build a castle", "Aki"} <= {
        term.get_attribute("textContent") for term in words.find_elements("css selector", "dt")
    }


RUN_AXE = """
const done = arguments[0];
axe.run().then(result => done(result.violations.map(each => `${each.id}: ${each.help}: ${each.nodes[0].html}`)));
"""


def complaints(driver: Any) -> list[str]:
    """Return what axe finds wrong with the page for people who use a screen reader or see few contrasts."""
    axe = pytest.importorskip("axe_core_python", reason="needs axe: pip install axe-core-python")
    driver.execute_script((Path(axe.__file__).parent / "axe.min.js").read_text("utf-8"))
    driver.set_script_timeout(60)
    return list(driver.execute_async_script(RUN_AXE))


@each_scheme("shogun", "shitenno")
def test_pages__looked_at_by_axe__have_nothing_to_complain_of(name, scheme, browser, address, tmp_path):
    show_in(browser, scheme)
    table, page = address(name)
    for learns in (True, False):
        table.explain(0, learns)
        open_page(browser, page)
        assert browser.find_element("id", "lesson").is_displayed() == learns
        browser.execute_script("for (const part of document.querySelectorAll('details')) part.open = true")
        assert complaints(browser) == []
    main(["record", "--out", str(tmp_path), "--game", name, "--seed", "7", "--agents", "scripted", "--explain"])
    main(["view", str(tmp_path / f"7.{name}.jsonl")])
    browser.get(f"{(tmp_path / f'7.{name}.html').as_uri()}#2")
    until(lambda: browser.find_element("id", "count").text.startswith("step 2"))
    assert complaints(browser) == []
