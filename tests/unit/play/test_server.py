"""The pages: whole games by requests, nothing hidden in any answer, wrong tokens, two tabs, a port in use."""

import gc
import gzip
import json
import random
import re
import socket
import sys
import urllib.request

import pytest

from shogun_env.play.advice import reason_of
from shogun_env.play.saving import save_name
from shogun_env.play.server import WRONG_ADDRESS, Pages
from shogun_env.play.serving import serve
from shogun_env.play.table import Table
from shogun_env.policies import FaultError, make_agent
from tests.games import each_game
from tests.pages import declared, running
from tests.unit.play.people import GAMES, Browser, table_of


@pytest.mark.full
@each_game
def test_page__whole_game_by_requests__sends_nothing_hidden(name):
    """All that is sent is read: plans and troop cards of others appear only once they are shown to all."""
    table, chance = table_of(name), random.Random(7)
    browser = Browser.at(table)
    _, state = browser.ask("state")
    for end in ("replay", "review"):
        status, answer = browser.ask(end)
        assert (status, "its replay would show what is secret" in answer["error"]) == (409, True)
    while not state["over"]:
        data = {"version": state["version"]}
        command = "confirm" if state["held"] else "choose"
        if not state["held"]:
            data["action"] = chance.choice(state["legal"])
        status, answer = browser.ask(command, data)
        assert status == 200
        state = answer
        if name == "shogun":
            cards = [state["parts"][f"card-{owner}-{column}"] for owner in (1, 2) for column in range(11)]
            assert not any(re.search(r'class="[^"]*secret f-(ink|on)', card) for card in cards)
        raw = [line for told in state["news"] for line in told["lines"]]
        others = [line for line in raw if re.match(r"(plan|deal|draw|state): player [12]", line)]
        assert others == []
    assert "seed" not in browser.sent


@each_game
def test_state__has_what_the_script_declares(name):
    browser = Browser.at(table_of(name))
    _, state = browser.ask("state")
    assert set(state) == declared("state.js", "View")
    _, state = browser.ask("explain", {"version": state["version"], "on": True})
    assert state["learns"]
    (lesson,) = (lesson for lesson in state["lessons"] if lesson["decision"])
    assert {*lesson, "suggestion"} == declared("lesson.js", "Lesson")
    assert ("suggestion" in lesson) == (not state["spaces"]), "of a plan a hint has all spaces"
    assert not browser.ask("explain", {"version": state["version"], "on": False})[1]["lessons"]


def test_command__of_a_tab_that_is_behind__changes_nothing():
    table = table_of("shitenno")
    browser = Browser.at(table)
    _, state = browser.ask("state")
    first = {"version": state["version"], "action": state["legal"][0]}
    assert browser.ask("choose", first)[0] == 200
    status, answer = browser.ask("choose", first)
    assert (status, "another tab" in answer["error"]) == (409, True)
    assert table.draft(0).chosen == state["legal"][:1]


def test_page__that_slept_through_a_restart__is_behind_and_its_command_is_refused(tmp_path):
    """Versions began at 0 with each program, so that a stale command was carried out on another position."""
    table = table_of("shitenno", tmp_path)
    stale = {"action": table.draft(0).legal()[0]}
    table.choose(0, stale["action"])
    stale["version"] = table.versions[0]
    table = Table.resume(tmp_path / save_name("shitenno", 5), GAMES["shitenno"])
    table.undo(0)
    browser = Browser.at(table)
    assert browser.ask(f"state?version={stale['version']}")[1].get("chosen") == []
    assert browser.ask("choose", stale)[0] == 409 and not table.draft(0).chosen


@pytest.mark.parametrize(
    ("path", "data", "status", "why"),
    [
        ("state", None, 200, None),
        ("fly", {}, 404, "not a command"),
        ("choose", [1], 409, "not a JSON object"),
        ("choose", b"[" * 9000, 409, "not a JSON object"),
        ("choose", {"action": "fly"}, 409, "fly is not possible now"),
        ("lay", {"cards": [1]}, 409, "cards: must be an object of JSON"),
        ("lay", {"cards": {"first": "castle"}}, 409, "no plan is made now"),
        ("divide", {"cards": []}, 409, "tiles: must be a list of JSON"),
        ("undo", {}, 409, "nothing to undo"),
        ("confirm", {}, 409, "nothing to confirm"),
    ],
)
def test_request__bad_or_good__has_one_clear_answer(path, data, status, why):
    gc.collect()  # folders of other tests: deep within a text nothing can be cleared away
    browser = Browser.at(table_of("shitenno"))
    data = {"version": browser.ask("state")[1]["version"], **data} if isinstance(data, dict) else data
    actual, answer = browser.ask(path, data)
    assert actual == status
    assert why is None or why in answer["error"]


def test_request__of_a_wrong_token_or_with_odd_headers__is_refused():
    browser = Browser.at(table_of("shitenno"))
    assert browser.ask("fly", {}, accept="\xe9")[0] == 404
    assert browser.ask("state", base="/guess/")[0] == 404


@pytest.mark.parametrize("path", ["/", "/guess/", "/guess/state", "/a/b/c/d"])
def test_address__that_is_not_of_a_page__is_said_to_people_and_to_programs(path):
    browser = Browser.at(table_of("shitenno"))
    assert browser.ask("", base=path) == (404, {"error": WRONG_ADDRESS})
    status, page = browser.ask("", base=path, accept="text/html,*/*")
    assert status == 404
    assert WRONG_ADDRESS in page
    assert page.startswith("<!doctype html>")
    assert browser.ask("", base=browser.base.removesuffix("/"))[0] in (302, 303), "the slash is added"
    assert "<style>" in page and '<a href="/">' in page
    page = browser.ask("<b>", {}, accept="text/html")[1]
    assert "&lt;b&gt;" in page and "<b>" not in page
    assert f'<a href="/{browser.pages.token}/">start page</a>' in page and f'<a href="{browser.base}">' in page


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:1", "", "127.0.0.1.evil.example", "2130706433", "[[[::1]"]
)
def test_request__by_a_name_that_a_stranger_lets_lead_here__is_refused(host):
    browser = Browser.at(table_of("shitenno"))
    browser.host = host
    status, answer = browser.ask("state")
    assert status == 403 and "not by a name" in answer["error"]
    for good in ("localhost:1", "192.168.1.5:80", "[::1]:1"):
        browser.host = good
        assert browser.ask("state")[0] == 200


@pytest.mark.parametrize(
    ("error", "before"),
    [(OSError("the endpoint is away"), ""), (FaultError("late", "the endpoint is away"), ""),
     (RuntimeError("the endpoint is away"), "RuntimeError: ")],
)  # fmt: skip
def test_confirm__where_a_bot_gets_no_answer__says_why(error, before, monkeypatch):
    table = table_of("shitenno")
    browser = Browser.at(table)
    while not table.draft(0).is_held:
        browser.ask("choose", {"version": table.versions[0], "action": table.draft(0).legal()[-1]})

    def fail(game):
        error.add_note("(agent 'mine')")
        raise error

    monkeypatch.setattr(table, "_play_bots", fail)
    said = f"{before}the endpoint is away (agent 'mine')"
    assert browser.ask("confirm", {"version": table.versions[0]}) == (409, {"error": said})
    assert table.draft(0).is_held


def test_hint__asked_for__is_legal():
    browser = Browser.at(table_of("shogun"))
    _, state = browser.ask("state")
    known = {"version": state["version"]}
    _, answer = browser.ask("hint", known)
    assert {*answer["plan"]} == {str(space["space"]) for space in state["spaces"]}
    assert answer["plan"]["0"] in state["legal"]
    assert re.fullmatch(r"The champion expects to win \d+ % of such games\.", answer["why"])
    cards = answer["plan"]
    assert browser.ask("lay", {**known, "cards": cards})[1]["held"], "the plan of a hint is no plan"


def test_hint__of_one_action__says_what_it_does_and_what_the_champion_makes_of_it():
    table = table_of("shitenno")
    while table.lots(0) is not None and table.lots(0)["made"]:
        table.confirm(0) if table.draft(0).is_held else table.choose(0, table.draft(0).legal()[-1])
    hint = Browser.at(table).ask("hint", {"version": table.versions[0]})[1]
    assert hint["hint"] in hint["legal"]
    assert hint["why"].startswith(hint["words"][hint["hint"]])
    assert "It expects to win" in hint["why"]
    best = table.asked(0).suggest(make_agent("champion", table.game.spec))
    assert reason_of(table.asked(0), best, "champion").startswith("The champion's likeliest choices: ")


def test_server__on_a_free_port__answers_and_is_on_this_machine_only():
    browser = Browser.at(table_of("shitenno"))
    with running(serve(browser.pages, 0)) as server:
        assert server.server_address[0] == "127.0.0.1"
        with urllib.request.urlopen(browser.pages.address(browser.base), timeout=10) as answer:
            assert b"<svg" in (page := answer.read())
        request = urllib.request.Request(browser.pages.address(browser.base), headers={"Accept-Encoding": "gzip"})
        with urllib.request.urlopen(request, timeout=10) as answer:
            packed = answer.read()
        assert gzip.decompress(packed) == page and len(packed) < len(page) / 2


@pytest.mark.parametrize("sent", [b"GET / HT", b"POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50\r\n\r\n{"])
def test_server__client_that_is_silent_within_a_request__is_left(sent, monkeypatch, capfd):
    monkeypatch.setattr("shogun_env.play.serving._Quiet.timeout", 0.2)
    browser = Browser.at(table_of("shitenno"))
    with running(serve(browser.pages, 0)) as server, socket.create_connection(server.server_address) as client:
        client.settimeout(10)
        client.sendall(sent.replace(b"%s", f"{browser.base}choose".encode()))
        while client.recv(4096):
            pass
    assert capfd.readouterr().err == ""


def test_server__port_in_use__says_so():
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(OSError, match=f"port {port}: .*--port"):
            serve(Pages(), port)


def test_server__request_that_is_none__gets_a_page_with_a_style_too():
    browser = Browser.at(table_of("shitenno"))
    with running(serve(browser.pages, 0)) as server, socket.create_connection(server.server_address) as client:
        client.settimeout(10)
        client.sendall(b"NONSENSE / HTTP/9.9\r\n\r\n")
        answer = b""
        while more := client.recv(4096):
            answer += more
    assert b"<style>" in answer and b"This did not work" in answer


@pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.1", "myhost", "::1"])
def test_server__address_that_this_machine_does_not_have__is_named(host):
    with pytest.raises((ValueError, OSError), match=rf"--host {host}: .*address"):
        serve(Pages(), 0, host)


def test_server__for_friends__lets_each_in_by_a_link_at_another_address_and_nobody_without(tmp_path):
    table = table_of("shitenno", tmp_path, people=(0, 1))
    host = Browser.at(table)
    with running(serve(host.pages, 0, "127.0.0.2")) as server:
        links = {seat: host.pages.address(host.pages.path(table.name, seat)) for seat in (None, 1, -1)}
        assert all(link.startswith(f"http://127.0.0.2:{server.server_port}/") for link in links.values())
        for seat, link in links.items():
            with urllib.request.urlopen(f"{link}state", timeout=10) as answer:
                assert json.load(answer)["player"] == (0 if seat is None else seat)
        with pytest.raises(OSError, match="404"):
            urllib.request.urlopen(f"http://127.0.0.2:{server.server_port}/", timeout=10)
        with pytest.raises(OSError, match="refused"):
            socket.create_connection(("127.0.0.1", server.server_port), timeout=10)


@pytest.mark.parametrize("port", [-1, 65536])
def test_server__no_such_port__says_which_there_are(port):
    with pytest.raises(ValueError, match=f"port {port}: must be from 0"):
        serve(Pages(), port)


def test_pages__without_the_extra__name_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "bottle", None)
    with pytest.raises(ImportError, match=r"pip install 'shogun-env\[play\]'"):
        Pages()
