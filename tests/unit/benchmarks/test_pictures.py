"""Pictures of reports."""

import pytest

from shogun_env.benchmarks.pictures import MOST_ROWS, pictures_of

pytest.importorskip("matplotlib")


def test_pictures__of_many_bots__show_the_best():
    row = {"places": [0.5, 0.5]}
    names = [f"bot {number}" for number in range(MOST_ROWS + 5)]
    ((heading, svg),) = pictures_of({"leaderboard": [{"agent": name, **row} for name in names]}, []).items()
    assert heading.endswith(f"(the best {MOST_ROWS})")
    assert "bot 29<" in svg.decode() and "bot 30<" not in svg.decode()
