"""Labels: what a teacher chose is written down, read again, and learnt from."""

import json
from pathlib import Path

import numpy as np
import pytest

from shogun_env.commands import run_command

pytest.importorskip("torch")

from shogun_env.agents.network.shape import Shape, Sizes
from shogun_env.policies import make_agent, wants_records
from shogun_env.shitenno import SHITENNO
from shogun_env.training import labels as labels_module
from shogun_env.training.board_network import BoardNetwork
from shogun_env.training.config import Config, changed
from shogun_env.training.imitation import Imitation
from shogun_env.training.labels import LabelFiles, Labels, labels_of
from tests.games import each_engine
from tests.positions import BATCHES


@pytest.fixture(autouse=True)
def two_games_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(labels_module, "GAMES_PER_FILE", 2)


def write(folder: Path, *more: str) -> int:
    """Write labels of ``scripted`` in four games of Shitennō, unless told otherwise."""
    arguments = ["--game", "shitenno", "--teacher", "scripted", "--others", "random", "--games", "4"]
    return run_command("labels", [*arguments, "--out", str(folder), *more])


@each_engine
def test_labels__of_a_bot_at_some_seats__are_its_choices_there_and_how_games_ended(engine, tmp_path):
    teacher = make_agent("scripted", engine.spec)
    batch = engine(3, seed=3, num_players=3, reward="win")
    seats = np.array([[0, 1, 1], [1, 0, 0], [1, 1, 0]], np.int8)
    labels = labels_of(batch, [teacher, make_agent("random", engine.spec)], seats)
    assert batch.over.all()
    chosen = labels.decisions
    assert set(zip(chosen.rows.tolist(), chosen.players.tolist(), strict=True)) == {(0, 0), (1, 1), (1, 2), (2, 2)}
    assert (np.diff(chosen.rows) >= 0).all()
    function, params = teacher.compiled
    for observation, mask, action in list(zip(*chosen[:3], strict=True))[::11]:
        assert function(observation, mask, np.zeros(2, np.uint64), params) == action
    won = (batch.returns * 2 + 1) / 3
    assert labels.shares[:, 0] == pytest.approx(won[chosen.rows, chosen.players])
    labels.write(tmp_path / "labels.npz")
    assert same(labels, Labels.read(tmp_path / "labels.npz"))


def same(one: Labels, other: Labels) -> bool:
    """Return whether labels are alike, in type too."""
    pairs = zip((*one.decisions, one.shares), (*other.decisions, other.shares), strict=True)
    return all(array.dtype == again.dtype and (array == again).all() for array, again in pairs)


def test_labels__written_in_two_runs__are_those_of_one(tmp_path, capsys):
    assert write(tmp_path / "whole") == write(tmp_path / "parts", "--games", "2") == write(tmp_path / "parts") == 0
    whole, parts = (sorted((tmp_path / name).glob("*.npz")) for name in ("whole", "parts"))
    assert [path.name for path in whole] == [path.name for path in parts] == ["000000.npz", "000001.npz"]
    for path, again in zip(whole, parts, strict=True):
        assert same(Labels.read(path), Labels.read(again))
    with pytest.raises(SystemExit):
        write(tmp_path / "parts", "--seed", "1")
    assert "holds labels with seed=0, not 1; give another --out" in capsys.readouterr().err


def test_label_files__in_turn__are_each_read_once_before_any_is_read_again(tmp_path):
    write(tmp_path, "--games", "6")
    files, rng = LabelFiles(tmp_path, SHITENNO), np.random.default_rng(0)
    lengths = [[len(files.next(rng).decisions) for _ in files.paths] for _ in range(3)]
    assert len(files.paths) == 3 and all(sorted(each) == sorted(lengths[0]) for each in lengths)


def test_label_files__wrong_folders__are_refused(tmp_path):
    with pytest.raises(ValueError, match=r"no labels here; write some with shogun-env labels"):
        LabelFiles(tmp_path, SHITENNO)
    write(tmp_path)
    about = tmp_path / "labels.json"
    about.write_text(json.dumps({**json.loads(about.read_text()), "game": "shogun"}))
    with pytest.raises(ValueError, match="labels of shogun, not of shitenno"):
        LabelFiles(tmp_path, SHITENNO)
    about.write_text(json.dumps({**json.loads(about.read_text()), "game": "shitenno", "card": {}}))
    with pytest.raises(ValueError, match="labels of another version of shitenno, or of its observations"):
        LabelFiles(tmp_path, SHITENNO)
    about.write_text("[1")
    with pytest.raises(ValueError, match=r"labels\.json: missing or damaged; write the labels anew"):
        LabelFiles(tmp_path, SHITENNO)
    whole = (tmp_path / "000000.npz").read_bytes()
    for damaged in (b"nothing", whole[:-99], whole[:2000] + b"\0" * 99 + whole[2099:]):
        (tmp_path / "000000.npz").write_bytes(damaged)
        with pytest.raises(ValueError, match=r"000000\.npz: damaged; delete it"):
            Labels.read(tmp_path / "000000.npz")


class Curious:
    """A bot that wants to be told everything, and keeps it."""

    wants_lines = wants_ends = True

    def __init__(self) -> None:
        self.lines: list[object] = []
        self.ends = 0

    def act(self, view, rng):
        self.lines += view.lines
        return view.masks.argmax(1)

    def end(self, ends) -> None:
        self.ends += len(ends.rows)


def test_labels__of_a_teacher_that_wants_to_be_told__tell_it(tmp_path):
    teacher, batch = Curious(), BATCHES["shitenno"](3, seed=3, num_players=3, reward="win", record=True)
    assert wants_records([teacher])
    labels_of(batch, [teacher, make_agent("random", SHITENNO)], np.tile(np.array([0, 1, 1], np.int8), (3, 1)))
    assert any(teacher.lines) and teacher.ends >= 3


def test_imitation__of_labels__agrees_with_them_more_and_more(tmp_path):
    write(tmp_path)
    config = changed(Config(game="shitenno"), {"imitate": f"labels:{tmp_path}"})
    own = Imitation(BoardNetwork(Shape(SHITENNO, Sizes(4, 16, 4))), config)
    rng = np.random.default_rng(0)
    agreed = []
    for number in range(60):
        assert own.learn_from((), number / 60, rng) > 0
        agreed.append(own.agreement)
    assert agreed[-1] > agreed[9] + 0.1
