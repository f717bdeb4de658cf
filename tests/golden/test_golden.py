"""The golden playthroughs are played as they are written; the first line that differs is named."""

from __future__ import annotations

import re
from itertools import zip_longest

import pytest

from tests.golden.playthrough import (
    FOLDER,
    GAMES,
    SHITENNO,
    SHOGUN,
    Style,
    line_of,
    new_game,
    path_of,
    playthrough,
    tell,
)

MOST_BYTES, MOST_BYTES_OF_ALL = 300_000, 1_000_000


def first_difference(found: str, kept: str) -> str | None:
    """Name the first line in which two texts differ."""
    pairs = zip_longest(found.splitlines(), kept.splitlines(), fillvalue="(the end)")
    for number, (one, other) in enumerate(pairs, 1):
        if one != other:
            return f"line {number}: played is\n{one}\nwritten is\n{other}"
    return None


@pytest.mark.parametrize("style", [SHOGUN, SHITENNO], ids=["shogun", "shitenno"])
def test_golden__files_of_a_game__show_every_kind_of_decision(style: Style):
    texts = [path_of(name).read_text("utf-8") for name, (its, _) in GAMES.items() if its is style]
    decided = {line.split()[3] for text in texts for line in text.splitlines() if re.match(r" *\d+ player ", line)}
    assert decided == {f"{name}:" for name in style.batch.spec.phase_names} - {"over:"}


@pytest.mark.parametrize("name", ["sun_3_preset", "shitenno_2"])
def test_golden__lines_told_on_the_way__are_those_of_the_finished_record(name: str):
    style, _ = GAMES[name]
    batch = new_game(name)
    told = iter([*tell(batch, style)])
    assert all(line in told for each in batch.records()[0] for line in line_of(each, style))


@pytest.mark.parametrize("name", GAMES)
def test_golden__game_played_again__is_as_written(name: str):
    difference = first_difference(playthrough(name), path_of(name).read_text("utf-8"))
    assert difference is None, f"{name}.txt, {difference}\n(`make golden` rewrites it; read the diff)"


def test_golden__one_word_changed__is_found():
    text = playthrough("sun_3_preset")
    assert first_difference(text, text.replace("armies=2", "armies=3", 1)) is not None
    assert first_difference(text, text + "more\n") is not None


def test_golden__files__are_those_of_the_table_and_small():
    files = {path.stem: path.stat().st_size for path in FOLDER.glob("*.txt")}
    assert set(files) == set(GAMES)
    assert max(files.values()) < MOST_BYTES
    assert sum(files.values()) < MOST_BYTES_OF_ALL
