"""The golden playthroughs are played as they are written; the first line that differs is named."""

from __future__ import annotations

import random
import re

import pytest

from tests.golden import stories
from tests.golden.playthrough import (
    FOLDER,
    GAMES,
    SHITENNO,
    SHOGUN,
    Style,
    first_difference,
    lines_of,
    new_game,
    path_of,
    playthrough,
    transcript,
)

MOST_BYTES, MOST_BYTES_OF_ALL = 200_000, 1_000_000
LONGEST_LINE = 330
"""Characters; the longest are plans of eleven cards."""
NUMBERS_IN_A_ROW = re.compile(r"(\b\d+\b[ ,:]+){12}")


@pytest.mark.parametrize("style", [SHOGUN, SHITENNO], ids=["shogun", "shitenno"])
def test_golden__files_of_a_game__show_every_kind_of_decision(style: Style):
    texts = [path_of(name).read_text("utf-8") for name, (its, _) in GAMES.items() if its is style]
    decided = {match[1] for text in texts for match in re.finditer(r"^ *\d+ P\d (\w+): ", text, re.M)}
    assert decided == {*style.game.spec.phase_names} - {"over"}


@pytest.mark.parametrize("name", ["sun_3_preset", "shitenno_2"])
def test_golden__lines_written_on_the_way__are_those_of_the_finished_record(name: str):
    style, _ = GAMES[name]
    game = new_game(name)
    written = iter([*transcript(game, style, random.Random(0))])
    assert all(text in written for line in game.record() for text in lines_of(line, style))


@pytest.mark.parametrize("name", GAMES)
def test_golden__game_played_again__is_as_written(name: str):
    difference = first_difference(playthrough(name).splitlines(), path_of(name).read_text("utf-8").splitlines())
    assert difference is None, f"{name}.txt, {difference}\n(`make golden` rewrites it; read the diff)"


@pytest.mark.parametrize("name", stories.GAMES)
def test_golden__story__is_as_written(name: str):
    difference = first_difference([*stories.story(name)], stories.path_of(name).read_text("utf-8").splitlines())
    assert difference is None, f"stories/{name}.txt, {difference}\n(`make golden` rewrites it; read the diff)"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (("P0 plan: chest_4", "P0 plan: chest_3"), "P0 plan: chest_4 "),
        (("views ", "views 0"), "views "),
        (("armies=2", "armies=3"), "armies=2\n"),
        (("tax", "taxes"), "constants "),
        (("observation: ", "observation: 1"), "line 9: now it is\nobservation: "),
    ],
)
def test_golden__one_word_changed__is_named(change: tuple[str, str], says: str):
    lines = playthrough("sun_3_preset").splitlines()
    changed = "\n".join(lines).replace(*change, 1).splitlines()
    difference = first_difference(lines, changed)
    assert difference is not None
    assert says in difference


def test_golden__more_or_fewer_lines__are_named():
    assert first_difference(["a"], ["a"]) is None
    assert first_difference(["a"], ["a", "b"]) == "line 2: now it is\n(the end)\nin the file it is\nb"
    assert first_difference(["a", "b"], ["a"]) == "line 2: now it is\nb\nin the file it is\n(the end)"


def test_golden__files__are_those_of_the_table_and_small():
    files = {path.stem: path.stat().st_size for path in FOLDER.glob("*.txt")}
    assert set(files) == set(GAMES)
    assert max(files.values()) < MOST_BYTES
    assert sum(files.values()) < MOST_BYTES_OF_ALL


@pytest.mark.parametrize("name", GAMES)
def test_golden__each_file__can_be_read(name: str):
    lines = path_of(name).read_text("utf-8").splitlines()
    assert max(map(len, lines)) < LONGEST_LINE
    assert [line for line in lines if NUMBERS_IN_A_ROW.search(line)] == []
