"""The steps of a page: put together, they are the drawings and texts of the game, as each viewer may see it."""

from shogun_env.records.frames import parts_at
from shogun_env.records.picture import draw_state
from shogun_env.records.story import player_names, sentences
from shogun_env.records.view import packed
from tests.games import batch_class, each_game
from tests.unit.records.played import events_played, frames_played


@each_game
def test_frames__put_together__are_the_views_of_the_game(name):
    spec, (_, data) = batch_class(name).spec, frames_played(name)
    events = events_played(name)
    assert len(events) == len(data["frames"])
    for step, event in list(enumerate(events))[::17]:
        for viewer in (None, -1, 0, 2):
            parts = parts_at(data, step, viewer)
            text = [parts.pop(key) for key in sorted(parts, key=line_number) if key.startswith("line-")]
            assert "\n".join(text).rstrip() == spec.render(event.after, viewer).rstrip()
            assert parts == draw_state(spec, event.after, viewer).parts


def test_frames__pieces_of_a_part__stand_together_so_that_the_page_is_light():
    _, data = frames_played("shogun")
    n_bytes = len(packed(data))
    assert n_bytes < 110_000


def line_number(key: str) -> int:
    return int(key.removeprefix("line-")) if key.startswith("line-") else -1


def test_frames__of_shogun__tell_attacks_rounds_and_who_may_know_a_plan():
    frames = frames_played("shogun")[1]["frames"]
    marks = [kind for frame in frames for kind, _ in frame.get("marks", ())]
    assert (marks.count("round"), marks.count("action")) == (7, 60)
    assert any(attack for frame in frames for *_, attack in frame["arrows"])
    plans = [owner for frame in frames for raw, owner in frame["lines"] if raw.startswith("plan")]
    assert plans == [0, 1, 2] * 6
    told = [(knower, spoken[0][0]) for frame in frames for _, knower, spoken in frame["told"] if spoken]
    assert told == [(player, f"P{player}") for player in (0, 1, 2)] * 6


@each_game
def test_frames__what_is_told__is_about_lines_of_the_same_step(name):
    spec, (lines, data) = batch_class(name).spec, frames_played(name)
    last = [(one.last - 1, one.text) for one in sentences(spec, lines, None, player_names(spec))]
    for event, frame in zip(events_played(name), data["frames"], strict=True):
        told = ["".join(piece for piece, _ in text) for text, *_ in frame["told"]]
        assert told == [text for line, text in last if event.first <= line < event.end]


@each_game
def test_frames__standing__is_that_of_the_end(name):
    lines, data = frames_played(name)
    standing = [frame["standing"] for frame in data["frames"]]
    assert standing[-1]["points"] == lines[-1]["points"]
    assert all(len(row) == 3 for numbers in standing for row in numbers.values())


def test_frames__of_shitenno__count_the_majorities_that_are_scored():
    lines, data = frames_played("shitenno")
    (score,) = [line for line in lines if line["t"] == "score"]
    held = list(score["holders"].values())
    assert data["frames"][-1]["standing"]["majorities"] == [held.count(player) for player in range(3)] != [0] * 3
