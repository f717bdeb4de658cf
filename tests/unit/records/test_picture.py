"""The drawn view: well-formed, complete, and of hidden things exactly what the viewer may know."""

import re
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shogun_env.records import picture
from shogun_env.records.picture import draw_png, draw_svg
from shogun_env.records.text import render_text
from shogun_env.shitenno.text.names import PROVINCES_IN_ORDER
from shogun_env.shogun.board import IN_PLAY, PROVINCE_NAMES
from shogun_env.spec.voice import EVERYBODY
from tests.coins import Batch as CoinsBatch
from tests.games import batch_class, each_game, game_after
from tests.property.strategies import draw_state, redealt_games

PLACES = {"shogun": PROVINCE_NAMES, "shitenno": PROVINCES_IN_ORDER}


def words(svg: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


@each_game
@given(data=st.data())
def test_drawing__any_game__is_well_formed_and_names_every_province(name: str, data: Any):
    batch = draw_state(data, name)
    for player in (None, EVERYBODY, *range(batch.num_players)):
        shown = words(draw_svg(batch, player=player))
        assert set(PLACES[name]) <= set(shown)
        view = "the referee's view" if player is None else f"as player {player} sees it" if player >= 0 else "everybody"
        assert any(view in word for word in shown)


@each_game
@given(data=st.data())
def test_drawing_and_text__what_the_viewer_cannot_know_dealt_again__are_the_same(name: str, data: Any):
    batch = draw_state(data, name)
    for player, copy in redealt_games(data, batch):
        for viewer in (player, EVERYBODY):
            assert draw_svg(copy, 0, viewer) == draw_svg(batch, 0, viewer)
            assert render_text(copy, 0, viewer) == render_text(batch, 0, viewer)


def test_drawing__planning__shows_a_plan_to_its_player_and_the_referee_only():
    batch = game_after("shogun", 30, seed=2)
    for viewer, owners in ((None, {0, 1, 2, 3}), (1, {1}), (EVERYBODY, set())):
        parts = picture.draw_state(batch.spec, batch.games[0], viewer).parts
        assert {owner for owner in range(4) if "secret" in parts[f"card-{owner}-0"]} == owners


@pytest.mark.parametrize("players", [3, 4])
def test_drawing__provinces_out_of_play__are_those_of_the_number_of_players(players: int):
    batch = batch_class("shogun")(1, num_players=players)
    shown = words(draw_svg(batch))
    out = [shown[at - 1] for at, word in enumerate(shown) if word == "not in play"]
    assert sorted(out) == sorted(PROVINCE_NAMES[prov] for prov in np.flatnonzero(IN_PLAY[0, players] == 0))


def test_drawing__of_a_draft__has_the_counters_apart():
    svg = draw_svg(batch_class("shogun")(1, start="draft"))
    rows: dict[str, list[float]] = {}
    for x, y in re.findall(r"translate\(([\d.]+),([\d.]+)\) scale\(0.72\)", svg):
        rows.setdefault(y, []).append(float(x))
    assert rows and all(min(np.diff(row), default=99) >= 20 for row in rows.values())


def test_drawing__events__say_which_rice_is_lost():
    lost = [word for word in words(draw_svg(batch_class("shogun")(1, seed=1))) if re.search(r"\(.*rice -?\d", word)]
    assert lost and all("(winter rice " in word for word in lost)


@each_game
def test_drawing__text__stays_inside_the_picture(name: str):
    for decisions in (0, 40, 120):
        batch = game_after(name, decisions, seed=4)
        drawing, markup = picture.draw_state(batch.spec, batch.games[0]), draw_svg(batch)
        for x, y, width, height in boxes(ElementTree.fromstring(markup)):
            assert 0 <= x <= drawing.width - width
            assert 0 <= y <= drawing.height - height


def boxes(
    element: ElementTree.Element, left: float = 0, top: float = 0, scale: float = 1
) -> Iterator[tuple[float, ...]]:
    """Yield x, y, width and height in the picture of rectangles, and of texts as points."""
    if moved := re.match(r"translate\((.+?),(.+?)\)(?: scale\((.+)\))?", element.get("transform", "")):
        left, top = left + scale * float(moved[1]), top + scale * float(moved[2])
        scale *= float(moved[3] or 1)
    if element.tag.endswith(("}text", "}rect")):
        x, y, *size = (scale * float(element.get(key, 0)) for key in ("x", "y", "width", "height"))
        yield left + x, top + y, *size
    for part in element:
        yield from boxes(part, left, top, scale)


@each_game
@pytest.mark.parametrize("show", [draw_svg, render_text])
@pytest.mark.parametrize(("row", "player"), [(1, None), (-1, None), (0, 4), (0, -2)])
def test_drawing_and_text__no_such_row_or_player__are_refused(name: str, row: int, player: int | None, show: Any):
    with pytest.raises(ValueError, match="are 0 to"):
        show(batch_class(name)(1), row, player)


def test_drawing__of_a_game_without_one__is_its_text():
    assert any("charms" in text for text in words(draw_svg(CoinsBatch(1))))


@each_game
def test_png__each_theme__is_a_picture(name: str):
    assert all(draw_png(batch_class(name)(1), theme=theme)[:4] == b"\x89PNG" for theme in ("light", "dark"))
