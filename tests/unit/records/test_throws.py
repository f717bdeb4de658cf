"""Throws into the tower as pictures: a cube for each, and the number of those that do not fit."""

import re
from itertools import pairwise

from shogun_env.records.throws import fight_picture
from shogun_env.spec.pages import Fight
from shogun_env.svg.style import PLAYER_SHAPES
from tests.unit.records.played import frames_played


def test_throw__of_a_record__has_a_cube_for_each_in_the_tray():
    lines, data = frames_played("shogun")
    throws = [throw for frame in data["frames"] for throw in frame.get("throws", ())]
    trays = [line["tray"] for line in lines if line["t"] == "throw"]
    assert [len(throw["cubes"]) for throw in throws] == [sum(tray.values()) for tray in trays]
    fights = [line["province"] for line in lines if line["t"] == "fight"]
    assert all(f" in {province}: " in throw["text"] for throw, province in zip(throws[1:], fights, strict=True))
    assert all("afterwards" in throw["ground"] and throw["after"] for throw in throws[1:])
    assert throws[0]["text"].startswith("Tower: the tower is filled: ")
    assert throws[0]["after"] == ""


def test_throw__of_more_cubes_than_fit__says_how_many_more():
    sides, thrown = (("0", 60), ("farmers", 3)), {"0": 60, "farmers": 3}
    fight = Fight(
        why="battle", thrown=thrown, tray={"farmers": 2}, province="Kaga", sides=sides, holder="0", remaining=4
    )
    picture = fight_picture(fight)
    tops = [float(top) for top in re.findall(r'<text x="10" y="([\d.]+)"', picture["ground"])]  # after the heading
    assert tops == sorted(tops) and min(below - above for above, below in pairwise(tops[1:])) > 12
    assert picture["size"] == (654, 178), "of five rows two have two lines of cubes"
    assert "+5" in picture["ground"]
    assert "P0 attacks" in picture["ground"]
    assert picture["after"].count("f-p0") == 4
    assert picture["text"] == "Tower: battle in Kaga: 63 cubes thrown, 2 in the tray; P0 holds it with 4"
    assert all("f-p5" in cube and PLAYER_SHAPES[5] in cube for cube in picture["cubes"])
    assert ">0<" not in picture["ground"], "five cubes of player 0 would read as five zeros"
