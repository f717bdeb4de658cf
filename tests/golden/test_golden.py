"""The golden playthroughs are played as they are written; the first line that differs is named."""

import random
import re

import pytest

from tests.golden.playthrough import GAMES, SHITENNO, SHOGUN, Style, lines_of, new_game, texts, transcript

MOST_BYTES = 1_000_000


@pytest.mark.parametrize("style", [SHOGUN, SHITENNO], ids=["shogun", "shitenno"])
def test_golden__files_of_a_game__show_every_kind_of_decision(style: Style):
    files = [path.read_text("utf-8") for path, (its, _) in zip(texts(), GAMES.values(), strict=False) if its is style]
    decided = {match[1] for text in files for match in re.finditer(r"^ *\d+ P\d (\w+): ", text, re.M)}
    assert decided == {*style.game.spec.phase_names} - {"over"}


@pytest.mark.parametrize("name", ["sun_3_preset", "shitenno_2"])
def test_golden__lines_written_on_the_way__are_those_of_the_finished_record(name: str):
    style, _ = GAMES[name]
    game = new_game(name)
    written = iter([*transcript(game, style, random.Random(0))])
    assert all(text in written for line in game.record() for text in lines_of(line, style))


@pytest.mark.parametrize("path", texts(), ids=lambda path: path.stem)
def test_golden__game_played_again__is_as_written(path):
    now, before = ([*text.splitlines(), "(the end)"] for text in (texts()[path](), path.read_text("utf-8")))
    for number, (line, old) in enumerate(zip(now, before, strict=False), 1):
        assert line == old, f"{path.name}, line {number} (`make golden` rewrites it; read the diff)"


def test_golden__files__are_those_of_the_table_and_small():
    files = {path: path.stat().st_size for path in next(iter(texts())).parent.rglob("*.txt")}
    assert set(files) == set(texts())
    assert sum(files.values()) < MOST_BYTES
