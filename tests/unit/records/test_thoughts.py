"""What bots say about their decisions: the same games, a file that is checked, shown to those who may know it."""

import json

import pytest

from shogun_env.__main__ import main
from shogun_env.records import read_record
from shogun_env.records.frames import frames_of
from shogun_env.records.thoughts import Thought, read_thoughts, thoughts_path, write_thoughts
from tests.games import batch_class
from tests.refusals import refusal

SPEC = batch_class("shogun").spec


def recorded(folder, *arguments):
    main(["record", "--players", "3", "--seed", "7", "--out", str(folder), *arguments])
    return folder / "7.shogun.jsonl"


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """A record of scripted bots that explain."""
    return recorded(tmp_path_factory.mktemp("thoughts"), "--agents", "scripted", "--explain")


def test_record__with_thoughts__is_the_same_record_and_has_those_of_bots_that_explain(tmp_path):
    agents = ("--agents", "champion,scripted,search:plan_rollouts=4:rollouts=4")
    path = recorded(tmp_path / "with", *agents, "--explain")
    assert path.read_bytes() == recorded(tmp_path / "without", *agents).read_bytes()
    thoughts = read_thoughts(thoughts_path(path), SPEC)
    assert {thought.player for thought in thoughts} == {1, 2}
    texts = [thought.text for thought in thoughts if thought.player == 1]
    assert sum("a chest is worth" in text for text in texts) == 6
    assert any("what stays behind is in danger" in text for text in texts)
    assert all("candidates; gain" in thought.text for thought in thoughts if thought.player == 2)


def test_frames__with_thoughts__show_each_once_after_its_decision(path):
    thoughts, lines = read_thoughts(thoughts_path(path), SPEC), read_record(path, SPEC)
    frames = frames_of(batch_class("shogun"), lines, thoughts)["frames"]
    shown = [thought for frame in frames for thought in frame["thoughts"]]
    assert [(player, text) for player, _, text, *_ in shown] == [(each.player, each.text) for each in thoughts]
    assert frames[0]["thoughts"] == []
    plans = [frame for frame in frames if any(raw.startswith("plan:") for raw, _ in frame["lines"])]
    assert [sorted(player for player, *_ in frame["thoughts"]) for frame in plans] == [[0, 1, 2]] * 6


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"action": "Kyoto"}, "they are of different games"),
        ({"player": 2}, "they are of different games"),
        ({"decision": 99_999}, "a thought about decision 99999, which this game does not have"),
    ],
)
def test_view__thoughts_of_another_game__are_refused(change, why, path, tmp_path, capsys):
    first, *rest = read_thoughts(thoughts_path(path), SPEC)
    write_thoughts(tmp_path / "other.json", SPEC, [first._replace(**change), *rest])
    assert why in refusal(capsys, "view", str(path), "--thoughts", str(tmp_path / "other.json"))
    record = tmp_path / path.name
    record.write_bytes(path.read_bytes())
    thoughts = (tmp_path / "other.json").rename(thoughts_path(record))
    said = refusal(capsys, "view", str(record))
    assert why in said and thoughts.name in said, "who left it there is not told which file it is"


def test_file__of_another_game__says_so(tmp_path):
    path = tmp_path / "7.shogun.thoughts.json"
    write_thoughts(path, SPEC, [Thought(decision=1, player=0, action="Kaga", text="ü")])
    assert read_thoughts(path, SPEC)[0].text == "ü"
    path.write_text(json.dumps({**json.loads(path.read_text()), "format": "shitenno-thoughts"}))
    with pytest.raises(ValueError, match="is not a file of thoughts of shogun"):
        read_thoughts(path, SPEC)


def test_file__of_a_text_with_half_a_letter__is_written_and_read(tmp_path):
    half = Thought(decision=1, player=0, action="pass", text=f"a smile cut in half: {chr(0xD83D)}")
    write_thoughts(tmp_path / "t.json", SPEC, [half])
    assert read_thoughts(tmp_path / "t.json", SPEC)[0].text == "a smile cut in half: ?"
