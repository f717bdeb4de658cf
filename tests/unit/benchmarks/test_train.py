"""Recipes: files that are wrong, steps that are stopped and resumed, and the test that a step has to pass."""

import contextlib
import io
import itertools
import json
import re
import shlex
import shutil
from pathlib import Path

import pytest

from shogun_env.commands import run_command

pytest.importorskip("torch")

from shogun_env.agents.network.agent import FILE, load_network
from shogun_env.benchmarks import strength, train
from shogun_env.benchmarks.train import STATE
from shogun_env.cli import batch_class
from shogun_env.shikoku import SHIKOKU
from shogun_env.training import export, recipe
from shogun_env.training.config import Config, changed
from shogun_env.training.recipe import RECIPES, load_recipe
from shogun_env.training.runs import about_run
from shogun_env.training.trainer import Trainer
from tests.refusals import refusal

RECIPE = """
decisions_per_second = 50_000
[settings]
place_width = 4
trunk_width = 8
value_width = 4
games_per_update = 16
batch_size = 64
threads = 1
decisions = 500
evaluate_games = 8
snapshot_every = 200
evaluate_every = 300
checkpoint_seconds = 0.001
[[steps]]
name = "first"
imitate = "random"
imitation_fraction = 0.3
[[steps]]
name = "exploiter"
exploits = "first"
[[steps]]
name = "left"
start = "first"
opponents = ["random", "exploiter"]
self_fraction = 0.0
[[steps]]
name = "right"
start = "first"
opponents = ["first"]
evaluate_against = ["first"]
self_fraction = 0.5
[[steps]]
name = "mean"
start = "left,right"
decisions = 0
"""
STEPS = ["first", "exploiter", "left", "right", "mean"]
FIRST, FOUR = ("[[steps]]".join(RECIPE.split("[[steps]]")[: 1 + steps]) for steps in (1, 4))
"""The recipe with its first steps only."""


def arguments_of(folder: Path, recipe: str = RECIPE) -> list[str]:
    """Write a recipe into a folder, and return the arguments that train it there, which takes seconds."""
    path = folder / "recipe.toml"
    path.write_text(recipe, "utf-8")
    return ["--game", "shikoku", "--recipe", str(path), "--out", str(folder / "out")]


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """Train four steps, then the rest; return a folder with copies of what was there, and what the command said."""
    folder, said = tmp_path_factory.mktemp("recipe"), io.StringIO()
    with contextlib.redirect_stdout(said):
        for name, recipe in (("four", FOUR), ("whole", RECIPE)):
            assert run_command("train", arguments_of(folder, recipe)) == 0
            shutil.copytree(folder / "out", folder / name)
    return folder, said.getvalue().splitlines()[-len(STEPS) :]


@pytest.fixture
def begun(trained):
    """Return what puts the folder back to where ``four`` steps are finished, or the ``whole``."""

    def put_back(name: str) -> Path:
        shutil.rmtree(trained[0] / "out")
        shutil.copytree(trained[0] / name, trained[0] / "out")
        return trained[0]

    return put_back


def networks(out: Path) -> dict[str, bytes]:
    """Return the weights of every step in a folder."""
    return {
        step: b"".join(array.tobytes() for array in load_network(SHIKOKU, out / step)[1].values())
        for step in STEPS
        if (out / step / FILE).exists()
    }


@pytest.fixture
def stopped_at(monkeypatch):
    """Stop a run in the n-th update from now on, counted over all steps, as Ctrl-C does; None: nowhere."""
    keep_up, left = Trainer.keep_up, [None]

    def counted(self) -> None:
        if left[0] is not None:
            left[0] -= 1
            if left[0] == 0:
                raise KeyboardInterrupt
        keep_up(self)

    monkeypatch.setattr(Trainer, "keep_up", counted)
    return lambda updates: left.__setitem__(0, updates)


def test_recipe__finished__says_what_each_step_brought(trained, begun, capsys):
    out, lines = begun("whole") / "out", trained[1]
    assert [line.split(":")[0] for line in lines] == STEPS
    assert all(
        re.search(r": wins \d+\.\d ± \d+\.\d % against (random|first) \(parity 50\.0 %\);", line) for line in lines
    )
    assert f"ppo:{out / 'mean'}" in lines[-1] and "decisions in" not in lines[-1]
    left, right, mean = (load_network(SHIKOKU, out / name)[1] for name in STEPS[2:])
    for name, array in mean.items():
        assert array == pytest.approx((left[name] + right[name]) / 2, abs=1e-7)
    assert about_run(out / "left")["config"]["opponents"] == ["random", f"ppo:{out / 'exploiter'}"]
    exploiter = about_run(out / "exploiter")["config"]
    first = str(out / "first")
    assert (exploiter["start"], exploiter["opponents"], exploiter["self_fraction"]) == (first, [f"ppo:{first}"], 0.0)
    assert run_command("train", arguments_of(out.parent)) == 0, "all is finished"
    assert capsys.readouterr().out.splitlines() == lines


def test_recipe__stopped_again_and_again__same_network_bit_by_bit(trained, tmp_path, stopped_at, capsys):
    arguments, reached = arguments_of(tmp_path), []
    for updates in (2, 8, 12):
        stopped_at(updates)
        with pytest.raises(SystemExit) as left:
            run_command("train", arguments)
        assert left.value.code == 130
        again = f"the run is saved, {shlex.join(['shogun-env', 'train', *arguments])} resumes it\n"
        assert again in capsys.readouterr().err
        reached.append(len(networks(tmp_path / "out")))
    assert reached == sorted(set(reached)) and reached[-1] < len(STEPS), "each stop is in a later step"
    stopped_at(None)
    assert run_command("train", arguments) == 0
    assert networks(tmp_path / "out") == networks(trained[0] / "whole")


def test_recipe__finished__is_lengthened_and_with_other_settings_refused(begun, capsys):
    folder = begun("whole")
    out = folder / "out"
    before, state = networks(out), (out / STATE).read_bytes()
    said = refusal(capsys, "train", *arguments_of(folder), "--set", "batch_size=128")
    assert said.endswith("of another run (steps first config batch_size: 64, not 128); give another --out")
    assert (out / STATE).read_bytes() == state
    longer = RECIPE + '[[steps]]\nname = "last"\nstart = "mean"\n'
    assert run_command("train", arguments_of(folder, longer)) == 0
    assert networks(out) == before and (out / "last" / FILE).exists()


def stop(*_):
    raise KeyboardInterrupt


def test_recipe__stopped_before_its_first_step__is_resumed(tmp_path, monkeypatch):
    arguments = arguments_of(tmp_path, FIRST)
    with monkeypatch.context() as patched, pytest.raises(SystemExit):
        patched.setattr(train, "trained", stop)
        run_command("train", arguments)
    assert run_command("train", arguments) == 0


EXPERT = """[[steps]]
name = "round"
start = "first"
expert = "search:base=first:model=first;greedy=false:rollouts=8"
imitation_hold = 0.2
"""


@pytest.fixture(scope="module")
def taught(tmp_path_factory):
    """Let exports write files of two games; return the folder of a recipe with an expert that is trained."""
    pytest.importorskip("pyarrow")
    folder = tmp_path_factory.mktemp("taught")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(export, "GAMES_PER_FILE", 2)
        assert run_command("train", arguments_of(folder, FIRST + EXPERT)) == 0
        yield folder


def test_step_with_an_expert__stopped_while_it_is_asked_and_while_it_is_imitated__learns_the_same(
    taught, tmp_path, monkeypatch, stopped_at, capsys
):
    played, count = export.played, itertools.count()
    arguments = arguments_of(tmp_path, FIRST + EXPERT)
    with monkeypatch.context() as patched, pytest.raises(SystemExit):
        patched.setattr(export, "played", lambda *args: played(*args) if next(count) < 3 else stop())
        run_command("train", arguments)
    assert capsys.readouterr().err.endswith("shogun-env train: stopped\n")
    assert len([*tmp_path.rglob("*.parquet")]) == 3
    stopped_at(9)
    with pytest.raises(SystemExit):
        run_command("train", arguments)
    assert (tmp_path / "out" / "round" / FILE).exists()
    stopped_at(None)
    assert run_command("train", arguments) == 0
    whole, parts = (load_network(SHIKOKU, folder / "out" / "round")[1] for folder in (taught, tmp_path))
    assert all((whole[name] == parts[name]).all() for name in whole)


def test_step_with_an_expert__learns_once_from_what_it_chose_in_games_of_the_network(taught):
    out = taught / "out"
    about = about_run(out / "round")["config"]
    folder = out / "round" / "expert"
    assert (about["start"], about["imitate"]) == (str(out / "first"), f"export:{folder}")
    files = export.files_in(folder, SHIKOKU)
    command = export.about_file(files[0])["command"]
    assert f"--agents ppo:{out / 'first'}:greedy=false" in command
    assert f"--teacher 'search:base=ppo;{out / 'first'}:model=ppo;{out / 'first'};greedy=false:rollouts=8'" in command
    counts = [len(export.read_taught(path, SHIKOKU)[1]) for path in export.held_out(files)[0]]
    reached = json.loads((out / STATE).read_text())["finished"][-1]["decisions"]
    assert 500 <= reached < 500 + max(counts) and abs(sum(counts) - 500) < 100


def test_step_with_an_expert__table_that_comes_twice__has_other_games_each_time(tmp_path, monkeypatch):
    pytest.importorskip("pyarrow")
    monkeypatch.setattr(export, "GAMES_PER_FILE", 8)
    twice = EXPERT + "variants = [{}, {}]\n"
    assert run_command("train", arguments_of(tmp_path, FIRST + twice)) == 0
    parts = [tmp_path / "out" / "round" / "expert" / str(number) for number in range(2)]
    seeds = [{*seeds_in(folder)} for folder in parts]
    assert all(seeds) and not seeds[0] & seeds[1]


def seeds_in(folder):
    from pyarrow import parquet

    return parquet.read_table(folder / "data")["seed"].to_pylist()


def test_recipe__step_with_a_seed__has_it(tmp_path):
    file = tmp_path / "r.toml"
    seeds = ('name = "a"\nseed = 7', 'name = "b"')
    steps = "".join(f"[[steps]]\n{text}\ndecisions = 1000\n" for text in seeds)
    for settings, expected in (("", [7, 1]), ("[settings]\nseed = 5\n", [7, 5])):
        file.write_text(f"decisions_per_second = 1000\n{settings}{steps}")
        assert [step.config.seed for step in load_recipe(SHIKOKU, file, {}).steps] == expected
    assert [step.config.seed for step in load_recipe(SHIKOKU, file, {"seed": 3}).steps] == [3, 3]


def test_recipe__what_a_kind_of_step_has_by_itself__goes_over_the_settings_of_all_and_under_its_own(tmp_path):
    """A recipe with ``imitation_fraction = 0.0`` wrote down what the expert chose and never learnt from it."""
    file, step = tmp_path / "r.toml", '[[steps]]\nname = "{}"\ndecisions = 1000\n'
    own = [step.format("a") + 'start = "new.npz"', step.format("b") + 'expert = "random"']
    own += [step.format("c") + 'exploits = "a"', step.format("d") + 'expert = "random"\nimitation_fraction = 0.4']
    head = 'decisions_per_second = 1000\n[settings]\nstart = "old.npz"\nimitation_fraction = 0.1\n'
    file.write_text(head + "\n".join(own))
    steps = [(step.config.start, step.config.imitation_fraction) for step in load_recipe(SHIKOKU, file, {}).steps]
    assert steps == [("new.npz", 0.1), ("old.npz", 1.0), ("a", 0.0), ("old.npz", 0.4)]


def test_recipe__step_like_another__has_what_the_file_says_of_it_but_for_name_and_gates(tmp_path):
    file, step = tmp_path / "r.toml", '[[steps]]\nname = "{}"\n'
    texts = [step.format("a") + "decisions = 1000\nlearning_rate = 1e-4\nover_panel = 0.5"]
    texts += [step.format("b") + 'like = "a"\ndecisions = 2000\nstart = "a"', step.format("c") + 'like = "b"']
    file.write_text("decisions_per_second = 1000\n" + "\n".join(texts))
    steps = load_recipe(SHIKOKU, file, {}).steps
    has = [(step.config.decisions, step.config.learning_rate, step.config.start, step.over_panel) for step in steps]
    assert has == [(1000, 1e-4, "", 0.5), (2000, 1e-4, "a", 0.0), (2000, 1e-4, "a", 0.0)]
    assert [step.config.seed for step in steps] == [0, 1, 2]


@pytest.mark.parametrize(
    ("expert", "with_networks"),
    [
        ("base", "ppo:B"),
        ("search:base=base:model=base;greedy=true+60", "search:base=ppo;B:model=ppo;B;greedy=true+ppo;6"),
        ("search:base=a:plan_rollouts=60:horizon=year", "search:base=a:plan_rollouts=60:horizon=year"),
        ("mine.py:make:teacher=60", "mine.py:make:teacher=ppo;6"),
    ],
)  # fmt: skip
def test_expert__of_a_step_called_like_a_parameter_or_a_number__has_networks_for_bots_alone(expert, with_networks):
    paths = {"base": Path("B"), "60": Path("6"), "year": Path("Y"), "greedy": Path("G")}
    assert recipe.Step("next", Config(), expert).expert_with(paths) == with_networks


GATE = 'better_than = "first"\nmargin = '


def test_gate_of_strength__not_passed__stops_with_a_line_and_keeps_all(begun, capsys):
    folder = begun("four")
    out, after = folder / "out", '[[steps]]\nname = "after"\nstart = "mean"\n'
    arguments = arguments_of(folder, RECIPE + GATE + "0.4\n" + after)
    assert run_command("train", arguments) == 1
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == "stopped: mean is it better than first by 40 points? no; all is kept, and --no-gates goes on"
    assert (out / "mean" / FILE).exists() and not (out / "after").exists()
    assert [row["step"] for row in json.loads((out / STATE).read_text())["finished"]] == STEPS[:4]
    assert run_command("train", arguments) == 1, "it is still not better"
    assert run_command("train", [*arguments, "--no-gates"]) == 0
    assert (out / "after" / FILE).exists()


def test_gate_of_strength__changed__is_tested_if_it_had_failed_and_refused_if_it_had_passed(begun, capsys):
    folder = begun("four")
    for margin, status in (("0.4", 1), ("-0.4", 0)):
        assert run_command("train", arguments_of(folder, RECIPE + GATE + f"{margin}\n")) == status
    assert "yes: ppo:" in capsys.readouterr().out
    said = refusal(capsys, "train", *arguments_of(folder, RECIPE + GATE + "0.4\n"))
    assert said.endswith("of another run (steps mean margin: -0.4, not 0.4); give another --out")


@pytest.mark.parametrize(("share", "status"), [("0.9", 1), ("0.01", 0)])
def test_gate_over_the_panel__asks_the_mean_of_its_rows(share, status, begun, capsys, monkeypatch):
    monkeypatch.setattr(recipe, "FULL_GAMES", ["shikoku"])
    monkeypatch.setattr(strength, "panel", lambda spec: ["random", "scripted"])
    folder = begun("four")
    assert run_command("train", arguments_of(folder, f"{RECIPE}over_panel = {share}\n")) == status
    said = capsys.readouterr().out.splitlines()
    answer = json.loads((folder / "out" / "mean" / f"panel-{100 * float(share):g}.json").read_text())
    asked = answer["settings"]
    assert (asked["against"], asked["bounds"]["low"]) == ("panel", float(share))
    assert answer["verdict"] == ["yes", "no"][status]
    assert said[-1].startswith("stopped: mean does it win more than 90 % over the panel? no;") == (status == 1)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("decisions = 0", "decisions = 0\nover_panel = 0.5", "step mean: over_panel=0.5: shikoku has no panel"),
        ("decisions = 0", "decisions = 0\nover_panel = 48", "over_panel=48: must be a number from 0 to 1"),
        ("trunk_width = 8", "trunk = 8", "step first: unknown setting 'trunk'; did you mean"),
        ("trunk_width = 8", "trunk_width = 'x'", "step first: trunk_width='x': must be a whole number, at least 1"),
        ('name = "first"', "", "step 1: name='': must be new, of small letters"),
        ('name = "left"', 'name = "first"', "step first: name='first': must be new"),
        ('name = "left"', 'name = "random"', "step random: name='random': must be new"),
        ('exploits = "first"', 'exploits = "frist"', "exploits='frist': must be one of the steps before, first"),
        ('exploits = "first"', "exploits = 1", "step exploiter: exploits=1: must be text"),
        ('name = "first"', 'name = "first"\nlike = "left"', "like='left': must be one of the steps before, none"),
        ('exploits = "first"', "like = [1]", "step exploiter: like=[1]: must be one of the steps before, first"),
        ('exploits = "first"', 'expert = "random"', "expert='random': needs decisions, and one network as start"),
        ('"first"\nopp', '"first"\nexpert = "serch:base=first"\nopp', "step left: expert: unknown agent 'serch'"),
        ('"first"\nopp', '"first"\nexpert = "search:base=right"\nopp', "step left: expert: unknown agent 'right'"),
        ('"first"\nopp', '"first"\nexpert = "search:base=first:x=1"\nopp', "step left: expert: "),
        ('start = "left,right"', 'start = "left,rigth"', "step mean: ppo:rigth: no network there"),
        ('["random", "exploiter"]', '["random", "right"]', "step left: 'right' is no step before this one"),
        ('["random", "exploiter"]', '["exploder"]', "step left: unknown agent 'exploder'"),
        ('name = "left"\n', 'name = "left"\ntrunk_width = 9\n', "step mean: start='left': its sizes are"),
        ('name = "left"', 'name = "lock"', "step lock: name='lock': must be new, of small letters"),
        ('"first"\n[[', '"first"\nopponents = []\n[[', "step exploiter: opponents: a best response learns against"),
        ('"first"\n[[', '"first"\nalgorithm = "psro"\n[[', "its opponents are snapshots, here only first plays"),
        ("decisions = 0", "decisions = 0\nmargin = 0.1", "step mean: margin=0.1: needs better_than"),
        ("decisions = 0", 'decisions = 0\nbetter_than = "left"\nmargin = 0.57', "mean: better_than: bounds 0.98"),
        ("decisions = 0", 'decisions = 0\nbetter_than = "left"\nmargin = -0.6', "-0.163333: must be 0 < low < high <"),
        ('start = "left,right"', "", "step mean: decisions=0: a mean needs the networks that it is of as start"),
        ("decisions_per_second = 50_000", "", "decisions_per_second=None: must be a finite number above 0"),
        ("[settings]", "setings = 1\n[settings]", "unknown setting 'setings'; did you mean settings"),
        ("[settings]", 'game = "shogun"\n[settings]', "game='shogun', but --game shikoku"),
        ("[[steps]]", "[[steps]", "Expected"),
    ],
)  # fmt: skip
def test_recipe__that_is_wrong__is_one_line_and_nothing_is_begun(old, new, says, tmp_path, capsys):
    said = refusal(capsys, "train", *arguments_of(tmp_path, RECIPE.replace(old, new, 1)))
    assert said.startswith(f"shogun-env train: recipe {tmp_path / 'recipe.toml'}") and says in said
    assert not (tmp_path / "out").exists()


RECIPES_SHIPPED = [(path.parent.name, path.stem) for path in sorted(RECIPES.glob("*/*.toml"))]
SHIPPED = pytest.mark.parametrize(("game", "name"), RECIPES_SHIPPED)


@SHIPPED
def test_shipped_recipe__dry__ends_with_a_step_that_must_be_better(game: str, name: str, capsys):
    assert run_command("train", ["--game", game, "--recipe", name, "--dry-run"]) == 0
    shown, steps = capsys.readouterr().out, load_recipe(batch_class(game).spec, name, {}).steps
    assert re.search(r"^about \d+ minutes on two cores$", shown, re.M)
    assert all(
        f"\n{step.name}: {step.config.seconds / 60:.0f} minutes\n" in shown for step in steps if step.config.seconds
    )
    assert steps[-1].better_than or steps[-1].over_panel


def test_shipped_recipe__with_other_settings__has_them_in_all_steps_but_means():
    spec = batch_class("shogun").spec
    whole, short = (load_recipe(spec, "champion", changes) for changes in ({}, {"threads": 1, "decisions": 9}))
    for step, less in zip(whole.steps, short.steps, strict=True):
        assert less.config == changed(step.config, {"threads": 1, "decisions": 1 if step.is_mean else 9})
    assert [step.config.seed for step in whole.steps] == list(range(len(whole.steps)))


TINY = (
    "place_width=4", "trunk_width=8", "value_width=4", "games_per_update=4", "batch_size=512", "evaluate_games=4",
    "evaluate_every=1000000", "decisions=300", "threads=1", "variants=[{}, {num_players=3}]",
)  # fmt: skip


@pytest.mark.full
@pytest.mark.parametrize(
    ("game", "name"),
    [pytest.param(*each, marks=[pytest.mark.slow] * (each[0] != "shogun")) for each in RECIPES_SHIPPED],
)
def test_shipped_recipe__in_seconds__makes_a_network(game: str, name: str, tmp_path):
    tiny = [word for setting in TINY for word in ("--set", setting)]
    out = tmp_path / "out"
    assert run_command("train", ["--game", game, "--recipe", name, "--out", str(out), "--no-gates", *tiny]) == 0
    last = load_recipe(batch_class(game).spec, name, {}).steps[-1]
    load_network(batch_class(game).spec, out / last.name)
