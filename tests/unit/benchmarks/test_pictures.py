"""Pictures of reports: the learning curve of a training run."""

import pytest

from shogun_env.benchmarks.pictures import MOST_ROWS, learning_curve, pictures_of

pytest.importorskip("matplotlib")
LINES = [
    {"decisions": 0, "seconds": 1.0, "win_share": {"random": 0.25}},
    {"event": "something else"},
    {"decisions": 2_000_000, "seconds": 90.0, "win_share": {"random": 0.9, "scripted": 0.1}},
]


def test_learning_curve__of_a_run__names_opponents_and_time():
    text = learning_curve(LINES).decode()
    for words in ("against random", "against scripted", "million decisions; 2 minutes in all"):
        assert words in text
    assert learning_curve(LINES, "png").startswith(b"\x89PNG")


def test_learning_curve__with_parity__has_a_line_there():
    assert "parity, 25 %" in learning_curve(LINES, parity=0.25).decode()
    assert "parity" not in learning_curve(LINES).decode()


def test_learning_curve__without_points__says_what_is_needed():
    with pytest.raises(ValueError, match="needs lines with decisions, seconds and win_share"):
        learning_curve(LINES[1:2])


def test_pictures__of_many_bots__show_the_best():
    row = {"places": [0.5, 0.5]}
    names = [f"bot {number}" for number in range(MOST_ROWS + 5)]
    variant = {
        "leaderboard": [{"agent": name, **row} for name in names],
        "ahead": {"agents": names, "share": [[None] * len(names)] * len(names)},
    }
    shown = pictures_of(variant, [], {})
    assert len(shown) == 2 and all(heading.endswith(f"(the best {MOST_ROWS})") for heading in shown)
    for svg in shown.values():
        assert "bot 29<" in svg.decode() and "bot 30<" not in svg.decode()
