"""The golden playthroughs are played as they are written; the first line that differs is named."""

import pytest

from tests.golden.playthrough import texts

MOST_BYTES = 1_000_000


@pytest.mark.parametrize("path", texts(), ids=lambda path: path.stem)
def test_golden__game_played_again__is_as_written(path):
    now, before = ([*text.splitlines(), "(the end)"] for text in (texts()[path](), path.read_text("utf-8")))
    for number, (line, old) in enumerate(zip(now, before, strict=False), 1):
        assert line == old, f"{path.name}, line {number} (`make golden` rewrites it; read the diff)"


def test_golden__files__are_those_of_the_table_and_small():
    files = {path: path.stat().st_size for path in next(iter(texts())).parent.rglob("*.txt")}
    assert set(files) == set(texts())
    assert sum(files.values()) < MOST_BYTES
