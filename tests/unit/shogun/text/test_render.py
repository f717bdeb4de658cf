"""The text view of Shogun."""

import re

from shogun_env.records.picture import draw_state
from shogun_env.records.text import render_text
from shogun_env.shogun.text.names import ACTIONS
from tests.games import batch_class, game_after


def test_view_of_a_player__in_planning__hides_cards_and_who_is_first():
    batch = game_after("shogun", 30, seed=2)
    assert "everybody puts a card on" in render_text(batch, 0, 1)
    row = next(line for line in render_text(batch, 0, 1).splitlines() if line.startswith("   bid"))
    assert [cell == "?" for cell in row.split()[1:]] == [True, False, True, True]
    assert "?" not in next(line for line in render_text(batch).splitlines() if line.startswith("   bid"))


def test_view_of_a_player__in_planning__lists_the_rest_of_their_hand():
    batch = game_after("shogun", 30, seed=2)
    g = batch.games[0]
    hand = render_text(batch, 0, 3).split("hand of P3  ")[1]
    assert len(hand.split(";")) == g["cards_left"][3] + (g["player"] > 3)


def test_view_of_a_player__who_leaves_one_space_empty__says_one_space():
    assert render_text(game_after("shikoku", 0, seed=3), 0, 0).count("; and 1 space to stay empty") == 1


def test_text__of_shogun__counts_the_cubes_inside_the_tower():
    batch = game_after("shogun", 200, seed=4)
    g = batch.games[0]
    for player in range(4):
        row = next(line for line in render_text(batch).splitlines() if line.startswith(f"P{player} ")).split()
        assert row[-3:] == [str(g["supply"][player]), str(g["tower"][:, player].sum()), str(g["tray"][player])]


def test_text__draft__shows_cards_and_groups():
    text = render_text(batch_class("shogun")(1, start="draft", num_players=5))
    assert "open cards" in text
    assert "43 unseen" in text
    assert "P4  5 4 4 3 3 2 2" in text


def test_board__actions_in_play__are_called_what_the_table_of_names_calls_them():
    batch = game_after("shogun", 30, seed=2)
    drawn = draw_state(batch.spec, batch.games[0]).parts["actions"]
    heads = dict(re.findall(r'<g data-word="([^"]*)">(.*?)</g>', drawn))
    assert len(heads) == 10
    for called, markup in heads.items():
        written = re.findall(r"<text[^>]*>([^<]*)</text>", markup)
        assert called in ACTIONS.values() and " ".join(written) == called
    assert [called for called in heads if f" {called}" not in render_text(batch)] == []
