"""The steps of a page: put together, they are the drawings and texts of the game, as each viewer may see it."""

from __future__ import annotations

from shogun_env.records.frames import parts_at
from shogun_env.records.picture import draw_game
from shogun_env.records.replay import replay, written
from shogun_env.records.text import render_text
from tests.games import batch_class, each_game
from tests.unit.records.played import frames_played


@each_game
def test_frames__put_together__are_the_views_of_the_game(name):
    lines, data = frames_played(name)
    step, n_shown = -1, 1
    for position, _ in replay(batch_class(name), lines):
        if (count := len(written(position))) > n_shown or step < 0:
            step += 1
            if step % 7 == 0:
                for viewer in (None, -1, 0, 2):
                    parts = parts_at(data, step, viewer)
                    text = [parts.pop(key) for key in sorted(parts, key=line_number) if key.startswith("line-")]
                    assert "\n".join(text).rstrip() == render_text(position, 0, viewer).rstrip()
                    assert parts == draw_game(position, 0, viewer).parts
        n_shown = count
    assert step == len(data["frames"]) - 1


def line_number(key: str) -> int:
    return int(key.removeprefix("line-")) if key.startswith("line-") else -1


def test_frames__of_shogun__tell_attacks_rounds_and_who_may_know_a_plan():
    frames = frames_played("shogun")[1]["frames"]
    assert sum(frame.get("mark") == "round" for frame in frames) == 7
    assert any(attack for frame in frames for *_, attack in frame["arrows"])
    plans = [owner for frame in frames for raw, owner in frame["lines"] if raw.startswith("plan")]
    assert plans == [0, 1, 2] * 6
    told = [(knower, spoken[0][0]) for frame in frames for _, knower, spoken in frame["told"] if spoken]
    assert told == [(player, f"P{player}") for player in (0, 1, 2)] * 6
