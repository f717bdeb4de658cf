"""Events at a table: they tell what the news tell, lead to the position of now, and show nothing hidden."""

import random

from shogun_env.records.picture import draw_state
from shogun_env.records.story import sentences
from tests.games import each_game
from tests.pages import declared
from tests.unit.play.people import Browser, move, table_of


@each_game
def test_events__after_confirmations__tell_the_news_and_lead_to_now(name):
    table, chance, seen = table_of(name), random.Random(2), 0
    while not table.game.is_over and seen < 12:
        before = len(table.game.moves)
        move(table, chance)
        if len(table.game.moves) == before:
            continue
        past, seen = table.events(0), seen + 1
        told = ["".join(piece for piece, _ in text) for event in past["events"] for text in event["told"]]
        assert told == [news["text"] for news in table.news(0)]
        parts = dict(past["before"])
        for event in past["events"]:
            parts |= event["parts"]
        now = draw_state(table.game.spec, table.game.batch.games[0], 0).parts
        differing = {part.split("-")[0] for part in now if parts.get(part) != now[part]}
        # The decision that is under way: who decides, a card shown for it, the provinces of a move that goes on.
        assert differing <= {"heading", "notes", "making", "piles", "player", "actions", "card", "prov"}
        assert sum(part.startswith("prov") and parts.get(part) != now[part] for part in now) <= 2
    assert seen == 12


def test_events__of_hidden_plans__are_the_same_whatever_is_planned():
    table, chance = table_of("shogun"), random.Random(2)
    while not any(news["kind"] == "bids" for news in table.news(0)):
        move(table, chance)
    past, lines = table.events(0), table.game.record()
    told = {one.text for one in sentences(table.game.spec, lines, 0)}
    texts = ["".join(piece for piece, _ in text) for event in past["events"] for text in event["told"]]
    assert set(texts) <= told
    assert [text for text in texts if "makes a plan" in text] == [f"P{p} makes a plan, face down." for p in (1, 2)]
    (told,) = (text for text in texts if "bids, best first" in text)
    plans = [line for line in lines if line["t"] == "plan"][-3:]
    assert all(plan["bid"].replace("chest_", "chest card ") in told for plan in plans)
    bids = next(n for n, event in enumerate(past["events"]) if "bids, best first" in str(event["told"]))
    cards = [
        part for event in past["events"][: bids + 1] for part in event["parts"] if part.startswith(("card-1", "card-2"))
    ]
    assert {card.split("-")[2] for card in cards} <= {"0"}  # of others nothing but the bids is shown by then


def test_events__by_request__are_what_the_script_declares():
    browser = Browser.at(table_of("shitenno"))
    status, past = browser.ask("events")
    assert status == 200
    assert set(past) == declared("unfold.js", "Past")
    assert set(past["events"][0]) == declared("unfold.js", "Event_")
