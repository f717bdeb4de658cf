"""Run folders: what is refused before one is made, what is not resumed, files that appear whole."""

import json
import pickle
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

import torch

from shogun_env.agents.network.agent import FILE, load_network, save_network
from shogun_env.agents.network.shape import Shape, Sizes
from shogun_env.shitenno import SHITENNO, Batch
from shogun_env.training.config import changed, load_config
from shogun_env.training.runs import CHECKPOINT, LOG, Run, about_run, read_progress, start_weights
from tests import coins
from tests.games import each_engine
from tests.unit.training.settings import tiny


@each_engine
def test_run__game_has_changed__not_resumed(engine, tmp_path):
    config = load_config(engine.spec)
    Run.create(tmp_path / "r", config, engine)
    about = json.loads((tmp_path / "r" / "run.json").read_text())
    assert Run.open(tmp_path / "r", engine).config == config
    with pytest.raises(ValueError, match="holds a run already"):
        Run.create(tmp_path / "r", config, engine)
    for name, value, says in (("signature", "0", "signature"), ("card", {**about["card"], "layout": "x"}, "layout")):
        (tmp_path / "r" / "run.json").write_text(json.dumps({**about, name: value}))
        with pytest.raises(ValueError, match=says):
            Run.open(tmp_path / "r", engine)


@pytest.mark.parametrize(
    "changes",
    [{"config": None}, {"config": {}}, {"signature": ...}, {"card": []}, {"command": ...}],
    ids=str,
)
def test_run__file_that_is_not_whole__is_damaged(changes, tmp_path):
    new_run(tmp_path)
    (path,) = tmp_path.rglob("run.json")
    about = {**json.loads(path.read_text()), **changes}
    path.write_text(json.dumps({name: value for name, value in about.items() if value is not ...}))
    with pytest.raises(ValueError, match=r"run\.json: damaged; begin a new run"):
        about_run(path.parent)


@pytest.mark.parametrize("name", ["network.npz", "checkpoint.pt", "progress.jsonl"])
def test_run__in_a_folder_that_holds_another_bot__is_refused_and_changes_nothing(name, tmp_path):
    (tmp_path / name).write_text("dear")
    with pytest.raises(ValueError, match=f"holds {name}, which a run would replace; give another folder"):
        Run.create(tmp_path, tiny("shitenno"), Batch)
    assert [path.name for path in tmp_path.iterdir()] == [name] and (tmp_path / name).read_text() == "dear"


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"options": {"side": "moon"}}, "unknown option 'side'"),
        ({"variants": [{}, {"num_players": 9}]}, "num_players"),
        ({"opponents": ["nobody"]}, "unknown agent 'nobody'"),
        ({"opponents": [3]}, r"opponents=\[3\]: must be a list of text"),
        ({"imitate": "nobody"}, "unknown agent 'nobody'"),
        ({"imitate": "export:nowhere"}, "nowhere: no games here; write some with shogun-env export --out nowhere"),
        ({"evaluate_against": ["nobody"]}, "unknown agent 'nobody'"),
        ({"start": "nowhere"}, "ppo:nowhere: no network there"),
    ],
    ids=str,
)
def test_run__settings_that_do_not_fit_the_game__refused_before_a_folder_is_made(changes, says, tmp_path):
    with pytest.raises(ValueError, match=says) as refused:
        Run.create(tmp_path / "r", changed(tiny("shitenno"), changes), Batch)
    assert "\n" not in str(refused.value)
    assert not (tmp_path / "r").exists()


def test_run__bots_that_are_only_evaluated_against__need_not_be_compiled(tmp_path):
    config = changed(tiny("shitenno"), {"evaluate_against": ["search"], "imitate": "search", "imitation_fraction": 0.0})
    assert Run.create(tmp_path / "r", config, Batch).config == config


def test_run__start_from_a_wider_network__refused(tmp_path):
    sizes = Sizes(4, 9, 4)
    save_network(tmp_path / "n.npz", SHITENNO, sizes, Shape(SHITENNO, sizes).random_weights(0))
    with pytest.raises(ValueError, match=r"its sizes are .*'trunk_width': 9.*; set the same or wider in this run"):
        Run.create(tmp_path / "r", tiny("shitenno", start=str(tmp_path / "n.npz")), Batch)
    assert not (tmp_path / "r").exists()


def test_run__start_from_narrower_networks__widened_alike(tmp_path):
    run, sizes = new_run(tmp_path), Sizes(2, 3, 4)
    for number in range(2):
        weights = Shape(coins.COINS, sizes).random_weights(number)
        save_network(tmp_path / f"{number}.npz", coins.COINS, sizes, weights)
    paths = [str(tmp_path / f"{number}.npz") for number in range(2)]
    first, second, both = (
        start_weights(changed(run.config, {"start": path}), coins.Batch) for path in (*paths, ",".join(paths))
    )
    for name, shape in run.shape.weights().items():
        assert first[name].shape == shape
        np.testing.assert_allclose(both[name], (first[name] + second[name]) / 2, rtol=1e-6)
        assert both[name].dtype == np.float32
    np.testing.assert_array_equal(first["trunk.outside"][:, 3:], second["trunk.outside"][:, 3:])
    with pytest.raises(ValueError, match="ppo:nowhere: no network there"):
        start_weights(changed(run.config, {"start": f"{paths[0]},nowhere"}), coins.Batch)


def new_run(folder: Path) -> Run:
    return Run.create(folder / "r", tiny("coins"), coins.Batch)


def test_save_network__in_a_run__says_what_it_was_trained_on(tmp_path):
    run = new_run(tmp_path)
    run.save_network(run.shape.random_weights(3), 77)
    card = load_network(coins.COINS, run.folder)[2]
    assert (card["decisions"], card["variants"], card["options"]) == (77, [{}], {})
    before = (run.folder / FILE).read_bytes()
    with pytest.raises(TypeError):
        run.save_network(run.shape.random_weights(4), decisions=object())  # not JSON: fails while it is written
    assert (run.folder / FILE).read_bytes() == before


def test_checkpoint__saved_and_loaded__the_same(tmp_path):
    run = new_run(tmp_path)
    assert run.load_checkpoint() is None
    state = {"weights": torch.arange(5.0), "games": 7, "rngs": [{"state": "12345678901234567890"}], "text": "x"}
    run.save_checkpoint(state)
    loaded = run.load_checkpoint()
    assert torch.equal(loaded.pop("weights"), state.pop("weights")) and loaded == state
    before = (run.folder / CHECKPOINT).read_bytes()
    with pytest.raises(AttributeError):
        run.save_checkpoint({"function": lambda: 0})  # fails while it is written
    assert (run.folder / CHECKPOINT).read_bytes() == before


class Nasty:
    """What would leave a file behind if it were unpickled."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return Path.touch, (self.path,)


def test_checkpoint__damaged__refused_in_one_line_and_no_code_of_it_runs(tmp_path):
    run = new_run(tmp_path)
    run.save_checkpoint({"weights": torch.arange(500.0)})
    path, trace = run.folder / CHECKPOINT, tmp_path / "trace"
    whole = path.read_bytes()
    torch.save({"x": Nasty(trace)}, tmp_path / "nasty.pt")
    nasty = ((tmp_path / "nasty.pt").read_bytes(), pickle.dumps(Nasty(trace), protocol=2))
    torch.save(torch.zeros(3), tmp_path / "other.pt")
    other = (tmp_path / "other.pt").read_bytes()
    for content in (b"", b"text", whole[:30], whole[: len(whole) // 2], whole[:-30], *nasty, other, None):
        path.unlink()
        path.mkdir() if content is None else path.write_bytes(content)
        with pytest.raises(ValueError, match="not a checkpoint of this run, or damaged; begin a new run") as refused:
            run.load_checkpoint()
        assert "\n" not in str(refused.value)
    assert not trace.exists()


def test_progress__last_line_cut_off__is_left_out(tmp_path):
    run = new_run(tmp_path)
    assert read_progress(run.folder) == []
    lines = [{"decisions": number, "win_share": {}} for number in range(3)]
    for line in lines:
        run.add_progress(line)
    path = run.folder / "progress.jsonl"
    path.write_bytes(path.read_bytes()[:-5])
    assert read_progress(run.folder) == lines[:2]
    path.write_bytes(path.read_bytes() + b"\xff\n")
    assert read_progress(run.folder) == lines[:2]
    for damaged in ("garbage", "3", '{"decisions": 1}'):
        path.write_text(f"{json.dumps(lines[0])}\n{damaged}\n{json.dumps(lines[2])}\n")
        with pytest.raises(ValueError, match=r"progress.jsonl: line 2 is damaged; delete that line"):
            run.keep_progress(3)
        assert damaged in path.read_text()


def test_run__in_a_folder_that_no_bot_can_be_named_by__is_refused(tmp_path, monkeypatch):
    """``ppo:lr=0.1`` was a bot with a parameter, so what had been trained there could not be played."""
    monkeypatch.chdir(tmp_path)
    for name in ("a,b;c", "lr=0.1", "lr=0.1/seed=2"):
        with pytest.raises(ValueError, match="paths without comma, colon, semicolon, or NAME= at the beginning; give"):
            Run.create(Path(name), tiny("coins"), coins.Batch)
    assert not list(tmp_path.iterdir())
    Run.create(Path("./lr=0.1").absolute(), tiny("coins"), coins.Batch)


def test_log__damaged__is_named(tmp_path):
    run = new_run(tmp_path)
    path = run.folder / LOG / "progress.csv"
    path.parent.mkdir()
    for content in (b"decisions\n\xff\n", b"decisions\nzz\n"):
        path.write_bytes(content)
        with pytest.raises(ValueError, match=r"progress.csv is damaged, delete it"):
            run.kept_log(9)


def test_run__gone_on_with_in_another_folder__warns_of_bots_that_are_named_from_there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(
        "from shogun_env.policies import make_agent\n\n\ndef make(spec):\n    return make_agent('random', spec)\n"
    )
    own = Run.create(Path("own"), tiny("shitenno", evaluate_against=[f"{tmp_path}/mine.py:make"]), Batch)
    run = Run.create(Path("run"), replace(own.config, evaluate_against=("mine.py:make",)), Batch)
    assert own.elsewhere() == run.elsewhere() == ""
    Path("else").mkdir()
    monkeypatch.chdir("else")
    own, run = (Run.open(Path("..", name), Batch) for name in ("own", "run"))
    assert own.elsewhere() == ""
    now = f"mine.py:make now means what lies in {tmp_path / 'else'}"
    assert run.elsewhere() == f"../run: the run began in {tmp_path}; {now}"
    about = {name: value for name, value in about_run(run.folder).items() if name != "folder"}
    (run.folder / "run.json").write_text(json.dumps(about))
    assert run.elsewhere() == "", "a run of version 0.4.1 does not say where it began"
