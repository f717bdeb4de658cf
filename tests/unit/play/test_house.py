"""The start page: another game, games that go on and are over, records from elsewhere, and a game taken up again."""

import json
import os
import random
import re
from html import escape, unescape
from itertools import pairwise
from threading import Event, Thread

import pytest

import shogun_env
from shogun_env import shikoku
from shogun_env.cli import no_progress
from shogun_env.play import reviews
from shogun_env.play.house import House, Saved, wins_against
from shogun_env.play.new_game import NewGame
from shogun_env.play.saving import Origin, save_name
from shogun_env.play.server import Pages
from shogun_env.play.table import Table
from shogun_env.records.record import read_record, record_text
from shogun_env.records.view import unpacked
from shogun_env.review.analysis import Effort, review
from shogun_env.review.findings import review_page
from tests.refusals import refusal
from tests.unit.play.people import GAMES, Browser, ended_table, move, saved_in, table_of
from tests.waiting import until

CHOICES = {"game": "shitenno", "num_players": "3", "bot1": "random", "bot2": "scripted", "seat": "1"}


def house_in(folder, **choices):
    house = House(folder, choices)
    return house, Browser(Pages(house))


def latest(house):
    """Return the table that was begun last."""
    return [*house.tables.values()][-1]


def test_start__offers_bots_by_level_the_easiest_first_and_no_other_seats_than_there_are(tmp_path):
    _, browser = house_in(tmp_path)
    status, page = browser.ask("")
    assert status == 200
    assert '<option value="random" selected>random provinces' in page, "fair starts are the default for people"
    levels = [int(level) for level in re.findall(r"<td>(\d)</td>", page)]
    assert levels == sorted(levels) and len(levels) == 10
    assert '<option value="pool:2min" selected>Ashigaru, level 2</option>' in page
    assert "<small>pool:2min</small>" in page
    kinds = re.findall(r'<label class="(\w*)"><input type="radio" name="seat" value="\d"', page)
    assert kinds == ["", "", "", "from4", "from5"], "a style sheet hides the seats of players who are not in the game"


def test_begin__what_was_chosen__is_played_kept_and_fills_the_page_in_the_next_time(tmp_path):
    house, browser = house_in(tmp_path)
    assert browser.form("begin", CHOICES)[0] == 303
    assert latest(house).bots == {0: "random", 2: "scripted"} and latest(house).people == [1]
    assert browser.to == browser.pages.path(latest(house).name)
    assert latest(house).new.adviser == "champion"
    again = House(tmp_path)
    assert CHOICES.items() <= again.choices.items()
    page = Browser(Pages(again)).ask("")[1]
    assert '<option value="3" selected>' in page
    assert "Games that go on" in page and "Scarecrow, Samurai" in page
    (saved,) = saved_in(again)
    with pytest.raises(ValueError, match="is being played by another process"):
        again.table(saved.name)
    house.close()
    later = Browser(Pages(again, browser.pages.token), browser.to)  # after a restart the page that is open goes on
    state = later.ask("state")[1]
    assert state["names"] == ["Scarecrow", "person", "Samurai"] and state["turn"]


def test_start__of_another_game_than_the_last__is_not_filled_in_with_its_bots(tmp_path):
    """The button "begin" then failed: the other game does not have them."""
    house, browser = house_in(tmp_path)
    browser.form("begin", {"game": "shogun", "bot1": "scripted:style=turtle"})
    house.close()
    house, browser = house_in(tmp_path, game="shitenno")
    assert "turtle" not in browser.ask("")[1]
    assert House(tmp_path, {"game": "shogun"}).choices["bot1"] == "scripted:style=turtle"


COUNTS = r"Of (\d+) choices, (\d+) were good, (\d+) of them .*; (\d+) mistakes? .*, (\d+) blunders? "


def test_champion__at_a_step_of_a_replay_in_planning__says_a_whole_plan_and_begins_no_game(tmp_path):
    house, browser = house_in(tmp_path)
    table = ended_table("shogun", tmp_path)
    browser = Browser.at(table, pages=browser.pages)
    status, answer = browser.ask("champion?decision=0&player=1")
    bid = next(line["bid"] for line in table.record() if line["t"] == "plan" and line["player"] == 1)
    assert status == 200 and answer["says"].startswith(f"P1 plans next. bid: {bid} (the champion: ")
    assert re.search(r"The champion expects to win \d+ % of such games\.$", answer["says"])
    assert len(house.tables) == 1


def test_reviews__progress__never_stands_still_at_the_end(tmp_path):
    table, seen = ended_table("shitenno"), []
    review_page(type(table.game.batch), table.record(), 0, Effort(4, 4, 1), lambda done, text: seen.append(done))
    assert seen == sorted(seen) and 0.9 < seen[-1] <= 1
    assert max(after - before for before, after in pairwise(seen)) < 0.35


def test_review__that_could_not_be_written__is_worked_out_when_asked_for_again(tmp_path, monkeypatch):
    def full(path, text):
        raise OSError("No space left on device")

    monkeypatch.setattr(reviews, "review_page", lambda *game, **more: "a review")
    browser = Browser.at(ended_table("shitenno"), pages=house_in(tmp_path)[1].pages)
    with monkeypatch.context() as patch:
        patch.setattr(reviews, "write_whole", full)
        answer = until(lambda: answer if (answer := browser.ask("review"))[0] != 200 else None)
        assert answer == (409, {"error": "No space left on device"})
    assert until(lambda: browser.ask("review") == (200, "a review"))


def test_review__of_a_game_that_is_deleted_meanwhile__leaves_no_file(tmp_path, monkeypatch):
    ended_table("shitenno", tmp_path)
    house, browser = house_in(tmp_path)
    monkeypatch.setattr(reviews, "review_page", lambda *game, **more: house.delete("5.shitenno") or "a review")
    assert browser.ask("game/5.shitenno/review")[0] == 200
    until(lambda: not browser.pages._reviews._under_way)
    assert not saved_in(house) and not [*tmp_path.glob(".*.review.html")]


@pytest.mark.parametrize("game", shogun_env.GAMES)
def test_begin__any_game_of_the_page__is_begun_and_has_hints(game, tmp_path):
    house, browser = house_in(tmp_path)
    assert browser.form("begin", {"game": game, "bot1": "random"})[0] == 303
    assert latest(house).game.spec.name == game
    assert latest(house).advice(latest(house).people[0])


def test_begin__pressed_twice__begins_one_game_and_from_a_new_page_another(tmp_path):
    house, browser = house_in(tmp_path)
    for games in (1, 2):
        page = re.search(r'name="page" value="([^"]+)"', browser.ask("")[1])[1]
        for _ in range(2):
            assert browser.form("begin", {"game": "shikoku", "bot1": "random", "page": page})[0] == 303
            assert browser.to == browser.pages.path(latest(house).name)
        assert len(saved_in(house)) == games


def test_review__of_a_game_without_a_champion__is_not_offered_and_says_so(tmp_path):
    house, browser = house_in(tmp_path)
    browser.form("begin", {"game": "shikoku", "bot1": "random"})
    chance = random.Random(4)
    while not latest(house).game.is_over:
        move(latest(house), chance)
    start, browser = Browser(browser.pages), Browser(browser.pages, browser.to)
    offers = start.ask("")[1] + browser.ask("replay")[1]
    assert "/replay" in offers and not re.search(r'href="[^"]*review"', offers)
    assert browser.ask("state")[1]["reviewed"] is False
    answer = until(lambda: answer if (answer := browser.ask("review"))[0] != 200 else None, 100)
    assert answer == (409, {"error": "champion: there is none for shikoku"})


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"num_players": "9"}, "players, 9: must be one of 2, 3, 4"),
        ({"bot1": "nobody"}, "opponent 1: unknown agent &#x27;nobody&#x27;"),
        ({"seat": "3"}, "I sit at, 3: a game of 3 has the seats P0 to P2"),
    ],
)
def test_begin__what_cannot_be__is_said_in_words_of_the_page_which_keeps_what_was_typed(wrong, why, tmp_path):
    house, browser = house_in(tmp_path)
    typed = {**CHOICES, "bot2": "person", "name": "Ann & Co", "name2": "Zoë", "learn": "1", **wrong}
    status, page = browser.form("begin", typed)
    assert status == 200 and why in page
    assert house.tables == {} and saved_in(house) == []
    assert 'value="Ann &amp; Co"' in page and 'value="Zoë"' in page and 'value="1" checked> explain' in page
    assert '<option value="person" selected>' in page


def test_games__that_are_over__are_listed_with_place_and_points_and_lead_to_replay_and_review(tmp_path, monkeypatch):
    monkeypatch.setattr(reviews, "EFFORT", Effort(first=4, again=8))
    table = ended_table("shitenno", tmp_path)
    (tmp_path / "9.shogun.table.json").write_text("{}")
    house, browser = house_in(tmp_path)
    (saved,) = saved_in(house)
    page = browser.ask("")[1]
    fault = f"{tmp_path / '9.shogun.table.json'} is damaged: 'game' is missing"
    assert f"<li>{escape(fault)}</li>" in page
    for way in ("", "state", "replay"):
        assert browser.ask(f"game/9.shogun/{way}") == (409, {"error": fault})
    assert f"<p>{escape(fault)}</p>" in browser.ask("game/9.shogun/", accept="text/html")[1]
    own = next(each for each in saved.end if each["player"] == 0)
    assert f"<td>{own['place']} of 3</td>" in page and f"<td>{own['points']} (" in page
    status, replay = browser.ask("game/5.shitenno/replay")
    assert status == 200 and "seed 5" in replay
    assert browser.ask("game/5.shogun/replay")[0] == 409
    assert f'<a href="{browser.base}">start page</a>' in replay
    chosen = {"game": "shitenno", "num_players": "3", "bot1": "random", "bot2": "random", "seat": "drawn"}
    assert chosen.items() <= saved.again.items() and NewGame.from_form(saved.again).form == saved.again
    assert '<input type="hidden" name="bot2" value="random">' in page
    until(lambda: "how far the review is" not in browser.ask("game/5.shitenno/review")[1], 100)
    text = browser.ask("game/5.shitenno/review")[1]
    assert "Shitennō" in text
    assert browser.ask("game/5.shitenno/champion?decision=0&player=4")[0] == 409
    told = set()
    for at, moved in enumerate(table.game.moves[:20]):
        says = browser.ask(f"game/5.shitenno/champion?decision={at}&player={moved.player}")[1]["says"]
        assert says.startswith(f"P{moved.player} decides next: ")
        told |= {*re.findall(r"\. The champion would choose (\w+)", says)}
    assert told == {"the", "otherwise"}, "it compared its choice with itself"
    assert browser.ask(f"game/5.shitenno/champion?decision=0&player={table.game.moves[0].player - 1}")[0] == 409
    assert browser.ask("game/5.shitenno/review")[1] == text, "the review is worked out again"
    assert len([*tmp_path.glob(".*.review.html")]) == 1
    (summary,) = summaries(text)
    assert summary.startswith("Your chance to win: ")
    total, good, alike, mistakes, blunders = map(int, re.search(COUNTS, summary.replace(" no ", " 0 ")).groups())
    assert good + mistakes + blunders == total and alike <= good


def test_replay__of_a_game_that_goes_on__is_refused(tmp_path):
    table_of("shitenno", tmp_path)
    _, browser = house_in(tmp_path)
    status, answer = browser.ask("game/5.shitenno/replay")
    assert (status, "its replay would show what is secret" in answer["error"]) == (409, True)


@pytest.mark.parametrize("name", [*GAMES])
def test_try_again__from_any_decision__is_that_position_with_other_chance_against_the_same_bots(name, tmp_path):
    table = ended_table(name)
    lines = table.game.record(["person", "random", "random"])
    chance, moves = random.Random(3), table.game.moves
    for decision in (0, chance.randrange(len(moves)), len(moves) - 1):
        before = table.game.copy()
        before.undo(len(moves) - decision)
        begun, _ = Origin(lines, decision).game_and_moves(GAMES[name], 9)
        assert begun.render() == before.render(), "but for the floors of the tower, which no record tells"
        house = House(tmp_path / str(decision))
        again = house.try_again(name, lines, decision, 0)
        assert [move.action for move in again.game.moves[:decision]] == [move.action for move in moves[:decision]]
        assert again.bots == {1: "random", 2: "random"} and again.people == [0]
        assert not again.news(0) or again.game.moves[decision:], "what happened before is told as news"
        for _ in range(3):
            if not again.game.is_over:
                move(again, chance)
        saved = again.folder / save_name(name, again.seed)
        resumed = Table.resume(saved, GAMES[name])
        assert resumed.view(0)["text"] == again.view(0)["text"]
    while not again.game.is_over:
        move(again, chance)
    assert read_record(again.record_path, GAMES[name].spec)[0]["seed"] == again.seed != lines[0]["seed"]
    assert [saved for saved in saved_in(house) if saved.end] and not wins_against(saved_in(house), name)
    for decision, player, why in ((len(moves), 0, "the game has decisions 0 to"), (0, 5, "players 0 to 2")):
        with pytest.raises(ValueError, match=why):
            house.try_again(name, lines, decision, player)


def test_begin__with_people_among_the_others__gives_each_by_name_a_link_that_opens_nothing_else(tmp_path):
    house, start = house_in(tmp_path)
    named = {"bot1": "person", "name1": " Zoë  K ", "name": "Ann"}
    assert start.form("begin", {**CHOICES, **named})[0] == 303
    table, pages = latest(house), start.pages
    assert (table.bots, table.people) == ({2: "scripted"}, [1, 0]), "the host comes first"
    host, guest, watcher = (Browser(pages, pages.path(table.name, seat)) for seat in (None, 0, -1))
    state = host.ask("state")[1]
    assert (state["player"], state["names"]) == (1, ["Zoë K", "Ann", "Samurai"])
    assert state["links"] == {"0": guest.base}
    status, page = host.ask("friends")
    assert status == 200 and "P0, Zoë K" in page and page.count("<svg") == 2
    assert guest.base in page and watcher.base in page and "on this machine only" in page
    state = guest.ask("state")[1]
    assert (state["player"], state["links"], state["plays"]) == (0, {}, True)
    state = watcher.ask("state")[1]
    assert (state["player"], state["links"], state["plays"], state["turn"]) == (-1, {}, False, False)
    other = house.begin(table.chosen)
    for browser in (guest, watcher):
        shown = [browser.ask(path) for path in ("", "state", "events", "replay", "review")]
        assert str(table.seed) not in f"{browser.base} {shown}", "who knows the seed knows all chance to come"
        assert browser.ask("friends")[0] == browser.form("again", {"decision": "0", "player": "0"})[0] == 404
        token = browser.base.split("/")[1]
        for base in (f"/{token}/", host.base.replace(pages.token, token).replace(table.name, other.name)):
            assert browser.ask("", base=base)[0] == 404
    assert watcher.ask("choose", {"version": state["version"], "action": "accept"})[0] == 409
    assert Browser(pages, pages.path(table.name, 2)).ask("state")[0] == 404, "a bot has no page"
    (saved, _) = sorted(saved_in(house), key=lambda saved: saved.name != table.name)
    assert (saved.new.seat, saved.new.others, saved.new.host_name) == (1, ("person:Zoë K", "scripted"), "Ann")
    assert {"bot1": "person", "name1": "Zoë K", "bot2": "scripted", "name": "Ann"}.items() <= saved.again.items()
    house.close()
    after = Browser(Pages(House(tmp_path), pages.token), guest.base)
    assert after.ask("state")[1]["player"] == 0, "the link opens the same page after a restart"
    after.pages.house.close()
    later = Browser(Pages(House(tmp_path), pages.token), guest.base)
    assert later.ask("state")[1]["names"] == ["Zoë K", "Ann", "Samurai"]


def test_names__of_people_who_are_called_like_bots__stay_theirs(tmp_path):
    _, start = house_in(tmp_path)
    assert start.form("begin", {**CHOICES, "bot1": "person", "name1": "champion"})[0] == 303
    assert Browser(start.pages, start.to).ask("state")[1]["names"] == ["champion", "person", "Samurai"]
    assert "against champion, Samurai," in start.ask("")[1]


def test_tables__several_at_a_time__each_have_their_address_and_what_was_asked_for_them(tmp_path):
    house, start = house_in(tmp_path)
    browsers = []
    for learn in ({"learn": "1"}, {}, {"learn": "1"}):
        assert start.form("begin", {**CHOICES, **learn})[0] == 303
        browsers.append(Browser(start.pages, start.to))
    assert [browser.ask("state")[1]["learns"] for browser in browsers] == [True, False, True]
    browsers[2].ask("explain", {"version": browsers[2].ask("state")[1]["version"], "on": False})
    assert [browser.ask("state")[1]["learns"] for browser in browsers] == [True, False, False]
    house.close()
    again = [Browser(Pages(House(tmp_path), start.pages.token), browser.base) for browser in browsers]
    assert [browser.ask("state")[1]["learns"] for browser in again] == [True, False, False]


@pytest.mark.parametrize("name", [*GAMES])
def test_resign__of_one_person_after_the_other__ends_the_game_which_counts_as_lost(name, tmp_path):
    table = table_of(name, tmp_path, people=(0, 2))
    house = House(tmp_path)
    host, guest = Browser.at(table, pages=Pages(house)), None
    guest = Browser.at(table, 2, host.pages)
    assert guest.form("resign", {})[0] == 303 and guest.to == guest.base
    assert not table.game.is_over and 2 not in table.deciding
    assert guest.ask("state")[1]["plays"] is False
    table = Table.resume(tmp_path / save_name(name, 5), GAMES[name])
    house.add(table)
    assert [*table.resigned] == [2] and table.deciding == [0]
    assert table.view(0)["names"][2] == "person, then Samurai"
    assert host.form("resign", {})[0] == 303
    assert table.game.is_over and host.ask("replay")[0] == 200
    for browser in (host, guest):
        assert browser.form("resign", {})[0] == 303 and browser.to == browser.base, "pressed twice"
    (saved,) = saved_in(house)
    assert saved.resigned and wins_against([saved], name) == {("person", "random"): (0, 1)}
    assert "<td>resigned</td>" in Browser(host.pages).ask("")[1]
    assert read_record(table.record_path, table.game.spec)[0]["agents"][0] == "person, then scripted"


def test_review__of_somebody_who_resigned__is_about_what_they_decided(tmp_path):
    """It counted the choices of the bot that played on as theirs."""
    table, chance, own = table_of("shitenno", tmp_path), random.Random(4), 0
    while own < 3:
        moves = len(table.game.moves)
        move(table, chance)
        own += len(table.game.moves) > moves
    table.resign(0)
    assert table.view(0)["resigned"] and not table.view(-1)["resigned"]
    house = House(tmp_path)
    for _ in ("saved", "at its table"):
        batch_type, lines, seat, resigned, _ = house.ended(table.name)
        (found,) = review(batch_type, lines, [seat], effort=Effort(4, 4, 1), resigned=resigned)
        assert found.choices == own
        house.add(table)
    (summary,) = summaries(review_page(batch_type, lines, 0, Effort(4, 4, 1), no_progress, resigned=resigned))
    assert "at your last decision, after which you resigned. Of 3 choices, " in summary
    path = tmp_path / "5.shitenno.table.json"
    path.write_text(json.dumps({k: v for k, v in json.loads(path.read_text()).items() if k != "resigned_at"}))
    assert saved_in(House(tmp_path))[0].resigned, "a file of version 0.4.0 does not say when"
    assert Table.resume(path, GAMES["shitenno"]).view(0)["resigned"]


def test_review__of_a_game_from_a_decision_of_another__is_about_what_was_decided_since(tmp_path):
    house, chance = House(tmp_path), random.Random(4)
    lines, decision = ended_table("shitenno").record(), 90
    table = house.try_again("shitenno", lines, decision, 0)
    while not table.game.is_over:
        move(table, chance)
    own = sum(each.player == 0 for each in table.game.moves[decision:])
    for each in (house, House(tmp_path)):
        batch_type, lines, seat, resigned, since = each.ended(table.name)
        page = review_page(batch_type, lines, seat, Effort(4, 4, 1), no_progress, resigned=resigned, since=since)
        (summary,) = summaries(page)
        assert 0 < int(re.search(r"Of (\d+) choice", summary)[1]) <= own, "choices are of one decision or more"


def summaries(page):
    return [unpacked(frames)["summary"] for frames in re.findall(r'id="frames"[^>]*>([^<]*)<', page)]


def test_delete__of_a_game__takes_it_from_the_list_and_its_page_says_so(tmp_path, monkeypatch):
    ended_table("shitenno", tmp_path)
    house, browser = house_in(tmp_path)
    monkeypatch.setattr(reviews, "review_page", lambda *game, **more: "a review")
    assert until(lambda: browser.ask("game/5.shitenno/review") == (200, "a review"))
    assert browser.ask("game/5.shitenno/")[0] == 200  # which locks it
    status, page = browser.form("delete", {"game": "5.shitenno"})
    assert (status, browser.to) == (303, browser.base)
    assert saved_in(house) == [] and not [*tmp_path.iterdir()]
    status, page = browser.ask("game/5.shitenno/", accept="text/html")
    assert status == 409 and "it may have been deleted" in page and f'href="{browser.base}"' in page
    for name in ("5.shitenno", "../5.shitenno", ""):
        assert browser.form("delete", {"game": name})[0] == 409


def test_delete__while_bots_think__waits_and_the_game_does_not_come_back(tmp_path, monkeypatch):
    table, asked, goes_on = table_of("shitenno", tmp_path), Event(), Event()
    browser = Browser.at(table, pages=house_in(tmp_path)[1].pages)

    def think(game):
        asked.set()
        goes_on.wait(60)

    table.choose(0, table.draft(0).legal()[0])
    monkeypatch.setattr(table, "_play_bots", think)
    confirms = Thread(target=browser.ask, args=("confirm", {"version": table.versions[0]}))
    deletes = Thread(target=Browser(browser.pages).form, args=("delete", {"game": table.name}))
    confirms.start()
    assert asked.wait(60)
    deletes.start()
    deletes.join(0.2)
    assert Browser(browser.pages).ask("")[0] == 200, "other pages wait, too"
    goes_on.set()
    for each in (confirms, deletes):
        each.join(60)
    assert [*tmp_path.glob("5.*")] == []
    table.explain(0, True)
    assert [*tmp_path.glob("5.*")] == [], "a request that was under way saves it again"


def test_seed__of_a_record_that_is_in_the_folder__begins_no_game(tmp_path, capsys, monkeypatch):
    """Its record was then shown as that of the table, and deleted with it."""
    ended = ended_table("shitenno", tmp_path)
    ended.record_path.with_name("5.shitenno.table.json").unlink()
    says = "5.shitenno.jsonl is the record of another game: give another --seed or --out"
    assert says in refusal(capsys, "play", "--game", "shitenno", "--seed", "5", "--out", str(tmp_path))
    house, _ = house_in(tmp_path)
    seeds = iter((5, 6))
    monkeypatch.setattr("secrets.randbelow", lambda below: next(seeds))
    assert house.new_seed("shitenno") == 6
    table_of("shitenno", tmp_path)  # saved, and not over
    house.delete("5.shitenno")
    assert ended.record_path.exists()


@pytest.mark.parametrize(
    "damage",
    [
        {"seed": 5}, {"seed": float("inf")}, {"end": [1]}, {"end": [{"player": 0, "place": 1}]}, {"moves": 5},
        {"end": [{"player": 2, "place": 1, "points": 3}]}, {"end": [{"player": 0, "place": 1, "points": float("nan")}]},
        {"names": {"0": "\ud800"}}, {"origin": {"record": [], "decision": float("inf")}}, {"resigned": [9]},
    ],
)  # fmt: skip
def test_games__of_a_damaged_file__are_listed_with_what_is_wrong_and_others_can_be_played(damage, tmp_path):
    path = ended_table("shitenno", tmp_path).record_path.with_name("5.shitenno.table.json")
    path.with_name("6.shitenno.table.json").write_text(json.dumps(json.loads(path.read_text()) | {"seed": 6} | damage))
    path.with_name("7.shitenno.table.json").symlink_to("nothing")
    os.mkfifo(path.with_name("8.shitenno.table.json"))  # nobody writes into it
    house, browser = house_in(tmp_path)
    assert [saved.name for saved in saved_in(house)] == ["5.shitenno"]
    status, page = browser.ask("")
    assert status == 200 and page.count("is damaged: ") == 3


def test_replay__of_a_game_whose_record_was_deleted__is_written_anew_from_its_table(tmp_path):
    record = ended_table("shitenno", tmp_path).record_path
    kept = record.read_bytes()
    record.unlink()
    _, browser = house_in(tmp_path)
    status, page = browser.ask("game/5.shitenno/replay")
    assert status == 200 and "<script" in page and record.read_bytes() == kept


def test_try_again__on_the_page_of_a_game__leads_to_its_table(tmp_path):
    ended_table("shitenno", tmp_path)
    house, browser = house_in(tmp_path)
    assert browser.form("game/5.shitenno/again", {"decision": "7", "player": "0"})[0] == 303
    assert latest(house).origin.decision == 7
    for decision, player, said in (
        ("x", "0", "decision='x'"),
        ("7", "", "player=''"),
        ("7", "9" * 5000, "player='999"),
    ):
        status, page = browser.form("game/5.shitenno/again", {"decision": decision, "player": player})
        assert status == 409 and said in unescape(page).lower() and ": must be a whole number" in page


def test_try_again__pressed_twice__begins_one_game_and_from_a_new_page_another(tmp_path):
    ended_table("shitenno", tmp_path)
    house, browser = house_in(tmp_path)
    for games in (1, 2):
        for _ in range(2):
            sent = {"decision": "7", "player": "0", "page": f"{games}.5"}
            assert browser.form("game/5.shitenno/again", sent)[0] == 303
            assert browser.to == browser.pages.path(latest(house).name)
        assert len(house.tables) == games


def test_open__record_from_elsewhere__is_shown_and_something_else_is_refused_by_name(tmp_path):
    table = ended_table("shitenno")
    lines = table.game.record(["<b>", "nobody:./nothing", "random"])
    house, browser = house_in(tmp_path)
    status, _ = browser.upload("open", "mine.jsonl", record_text(lines).encode())
    assert status == 303
    assert "&lt;b&gt;" in browser.ask("game/opened-1/replay")[1]
    assert browser.form("game/opened-1/again", {"decision": "3", "player": "2"})[0] == 303
    assert latest(house).bots == {0: "scripted", 1: "scripted"}, "bots that cannot be made are replaced"
    for data, why in ((b"{}", "its first line is not the header"), (record_text(lines[:-1]).encode(), "line ")):
        status, page = browser.upload("open", "other<.jsonl", data)
        assert status == 200 and "other&lt;.jsonl is not a record of a game: " in page and why in page


def test_open__record_of_a_game_without_reviews__is_not_reviewed_and_says_so(tmp_path):
    game = shikoku.Game(seed=5)
    while not game.is_over:
        game.play(game.suggest("random"))
    record = record_text(game.record(["random", "random"]))
    _, browser = house_in(tmp_path)
    assert browser.upload("open", "small.jsonl", record.encode())[0] == 303
    status, page = browser.upload("open?review=1", "small.jsonl", record.encode())
    assert status == 200 and "small.jsonl is of Shikoku, which has no reviews, only replays" in page


@pytest.fixture
def foreign(tmp_path):
    """Return the specs of bots that would run code of somebody else, and say whether any has."""
    mark, bot, chat = tmp_path / "ran", tmp_path / "bot.py", tmp_path / "model.toml"
    bot.write_text(f"def make(spec):\n    open({str(mark)!r}, 'w')\n    raise ValueError('no bot')\n")
    chat.write_text(f'url = "http://127.0.0.1:9"\nmodel = "m"\nsubstitute = "{bot}:make"\n')
    command = f"exec:sh -c 'touch {mark}'"
    specs = [command, f"{bot}:make", f"search:base={command.replace(':', ';')}", f"chat:{chat}"]
    specs += [f"search:rollouts=1:model={bot};make"]
    return specs, mark


def test_record_of_somebody_else__runs_nothing_before_somebody_has_seen_what(foreign, tmp_path):
    """Its bots are named in its header: to try again from a decision started any program."""
    specs, mark = foreign
    lines = ended_table("shitenno").game.record(["person", "random", "random"])
    house, browser = house_in(tmp_path / "games")
    for number, spec in enumerate(specs, 1):
        lines[0]["agents"] = ["random", spec, "person"]
        assert browser.upload("open", "other.jsonl", record_text(lines).encode())[0] == 303
        assert number > 1 or browser.ask("game/opened-1/replay")[0] == 200
        again = f"game/opened-{number}/again", {"decision": "3", "player": "2"}
        status, page = browser.form(*again)
        assert (status, house.tables, mark.exists()) == (200, {}, False)
        assert f"<code>{escape(spec)}</code>" in page
        (allowed,) = re.findall(r'name="allowed" value="([^"]*)">start them', page)
        assert unescape(allowed) == json.dumps([spec])
        assert browser.form(again[0], {**again[1], "allowed": "[]"})[0] == 303
        assert (latest(house).bots, mark.exists()) == ({0: "random", 1: "scripted"}, False)
        assert browser.form(again[0], {**again[1], "allowed": unescape(allowed)})[0] == 303
        assert mark.exists(), "the attempt would have worked"
        mark.unlink()
        house.tables.clear()
    house.close()


def test_saved_table_of_somebody_else__runs_nothing_before_somebody_has_seen_what(foreign, tmp_path, capsys):
    specs, mark = foreign
    table_of("shitenno", tmp_path / "games")
    path = tmp_path / "games" / "5.shitenno.table.json"
    saved = json.loads(path.read_text())
    house, browser = house_in(tmp_path / "games")
    for spec in specs:
        for other in ({"bots": {"1": "random", "2": spec}}, {"adviser": spec}):
            path.write_text(json.dumps({**saved, **other}))
            status, page = browser.ask("game/5.shitenno/", accept="text/html")
            assert (status, house.tables, mark.exists()) == (200, {}, False)
            assert browser.ask("game/5.shitenno/state")[0] == 409 and not mark.exists()
            assert f"<code>{escape(spec)}</code>" in page and "instead" not in page
            house.close()
            line = refusal(capsys, "play", "--game", "shitenno", "--seed", "5", "--out", str(path.parent))
            assert "names bots that are not of this package and would run here as you" in line
            assert not mark.exists()
        form = {**saved_in(house)[0].again, "bot1": spec}
        assert browser.form("begin", form)[0] == 200 and not mark.exists(), "a button of the page repeats saved games"
    browser.form("game/5.shitenno/", {"allowed": json.dumps(specs)})
    assert mark.exists(), "the attempt would have worked"
    house.close()


def test_wins__of_the_games_that_are_over__are_counted_by_who_the_others_were(tmp_path):
    def saved(game, opponents, place, host=1):
        end = () if place is None else ({"player": 1 - host, "place": 3 - place}, {"player": host, "place": place})
        new = NewGame(game_class=GAMES[game], options={"num_players": 3}, others=opponents, seat=host)
        return Saved(path=tmp_path, new=new, seed=1, when=0.0, moves=3, end=end)

    games = [
        saved("shogun", ("scripted", "random"), 1), saved("shogun", ("random", "scripted"), 2),
        saved("shogun", ("random", "scripted"), None), saved("shogun", ("champion",) * 2, 2),
        saved("shitenno", ("champion",) * 2, 1),
    ]  # fmt: skip
    assert wins_against(games, "shogun") == {("random", "scripted"): (1, 2), ("champion", "champion"): (0, 1)}


def test_start__with_games_that_are_over__says_how_many_were_won_against_whom(tmp_path):
    table = ended_table("shitenno", folder=tmp_path)
    place = next(one["place"] for one in table.view(table.people[0])["end"] if one["player"] == table.people[0])
    page = house_in(tmp_path)[1].ask("?game=shitenno")[1]
    assert f"won {int(place == 1)} of 1 against" in page
