"""Games as a table: the same rows from compiled bots, from others and from records; what is written, and read again."""

import sys
import zlib
from pathlib import Path

import numpy as np
import pytest

from shogun_env.batch.batch import Batch
from shogun_env.commands import run_command
from shogun_env.policies import Bot, bot_of, make_agent
from shogun_env.records.record import write_record
from shogun_env.shares import final_shares
from shogun_env.shitenno import SHITENNO
from shogun_env.training import export
from shogun_env.training.data_card import COLUMNS
from shogun_env.training.export import files_in, played, read_taught, replayed, table_of
from tests.games import batch_class, each_game
from tests.refusals import refusal
from tests.zoo.bots import asked

NAMES = ("random", "scripted", "random")


@each_game
def test_rows__of_bots_inside_and_outside_the_engine_and_of_records__are_the_same(name, tmp_path):
    batch_type = batch_class(name)
    agents = [make_agent(bot, batch_type.spec) for bot in NAMES]
    batch = batch_type(3, num_players=3, seed=5, record=True)
    part = played(batch, agents, NAMES)
    paths = [tmp_path / f"{row}.{name}.jsonl" for row in range(3)]
    for path, lines in zip(paths, batch.records(agents=list(NAMES)), strict=True):
        write_record(path, lines)
    outside = played(
        batch_type(3, num_players=3, seed=5), [bot_of(asked(make_agent(bot, batch_type.spec))) for bot in NAMES], NAMES
    )
    for other in (outside, replayed(batch_type, paths, set())):
        assert all((a == b).all() for a, b in zip(part.decisions[:5], other.decisions[:5], strict=True))
        assert all(np.array_equal(a, b) for a, b in zip(part[1:], other[1:], strict=True))
    assert len(part.decisions) == batch.decisions.sum()


@each_game
def test_table__of_games__has_what_was_seen_done_and_won(name):
    pytest.importorskip("pyarrow")
    batch_type = batch_class(name)
    spec = batch_type.spec
    part = played(batch_type(2, num_players=3, seed=5), [make_agent(bot, spec) for bot in NAMES], NAMES)
    rows = table_of(part, spec, export.MadeBy("", ())).to_pylist()
    assert list(rows[0]) == list(COLUMNS)
    batch = batch_type(2, num_players=3, seed=5)  # played again, decision by decision
    for game in range(2):
        for number, row in enumerate(row for row in rows if row["seed"] == 5 + game):
            assert (row["decision"], row["player"]) == (number, batch.player[game])
            assert row["phase"] == spec.phase_names[batch.phase[game]]
            assert row["legal"] == np.flatnonzero(batch.legal[game]).tolist()
            assert row["observation"] == batch.observe()[game].tolist()
            assert row["action_name"] == spec.action_name(row["action"])
            assert row["agent"] == NAMES[row["player"]]
            assert row["points"] == part.points[game, row["player"]]
            assert row["teacher"] == row["action"]
            assert row["shares"] == np.roll(part.shares[game], -row["player"]).astype(np.float32).tolist()
            batch.step([row["action"]], [game])
    assert batch.over.all()
    assert (batch.points == part.points).all()
    assert part.shares.sum(1).tolist() == [1.0, 1.0]


@pytest.mark.filterwarnings("ignore")  # of its library
def test_export__croissant__is_read_by_the_library_of_the_format(tmp_path):
    library = pytest.importorskip("mlcroissant")
    parquet = pytest.importorskip("pyarrow.parquet")
    assert (
        run_command("export", ["--game", "shikoku", "--agents", "random", "--games", "2", "--out", str(tmp_path)]) == 0
    )
    data_set = library.Dataset(jsonld=tmp_path / "croissant.json")
    assert not data_set.metadata.issues.errors
    rows = parquet.read_table(tmp_path / "data").to_pylist()
    repeated = {field.name: bool(field.repeated) for field in data_set.metadata.record_sets[0].fields}
    assert repeated == {name: isinstance(value, list) for name, value in rows[0].items()}
    for read, row in zip(data_set.records("decisions"), rows, strict=True):
        texts = {name: value.encode() if isinstance(value, str) else value for name, value in row.items()}
        assert {name.removeprefix("decisions/"): np.array(value).tolist() for name, value in read.items()} == texts


def test_export__command__writes_files_and_a_card(tmp_path, capsys):
    parquet = pytest.importorskip("pyarrow.parquet")
    out = tmp_path / "data"
    few = ["--game", "shitenno", "--agents", "random", "--games", "2", "--out", str(out)]
    assert run_command("export", few) == 0
    table = parquet.read_table(out / "data")
    assert f"{len(table)} decisions of 2 games written" in capsys.readouterr().out
    card = (out / "README.md").read_text()
    assert all(f"| `{column}` |" in card for column in COLUMNS)
    assert "data is whole: this command has written it; no file is overwritten" in refusal(capsys, "export", *few)
    (out / "notes").touch()
    assert "is not empty, nor left by this command; no file is overwritten" in refusal(capsys, "export", *few)


def test_export__records__say_which_game_they_are_of_and_which_is_wrong(tmp_path, capsys):
    pytest.importorskip("pyarrow.parquet")
    batch = batch_class("shitenno")(1, record=True)
    batch.play(["random"] * 4)
    path, out = tmp_path / "0.shitenno.jsonl", tmp_path / "data"
    write_record(path, batch.records()[0])
    assert run_command("export", ["--records", str(path), "--out", str(out)]) == 0
    assert "decisions of 1 game written" in capsys.readouterr().out
    again = tmp_path / "again.shitenno.jsonl"
    for text, shown in ((path.read_text(), "0"), (path.read_text().replace('"seed": 0', '"seed": null'), "null")):
        again.write_text(text)
        line = refusal(capsys, "export", "--records", str(path), str(again), "--out", str(tmp_path / "twice"))
        assert f"{again}, as a record of shitenno: its seed is {shown}, must be one" in line
    cut = tmp_path / "cut.shitenno.jsonl"
    cut.write_text("".join(path.read_text().replace('"seed": 0', '"seed": 1').splitlines(keepends=True)[:40]))
    line = refusal(capsys, "export", "--records", str(path), str(cut), "--out", str(tmp_path / "more"))
    assert f"{cut}, as a record of shitenno: line 41: the record ends" in line


def test_export__records_of_other_numbers_of_players_in_another_file__are_refused(tmp_path, capsys, monkeypatch):
    pytest.importorskip("pyarrow")
    monkeypatch.setattr(export, "GAMES_PER_FILE", 2)
    paths = []
    for seed, players in ((0, 2), (1, 2), (2, 3)):
        batch = batch_class("shitenno")(1, seed=seed, num_players=players, record=True)
        batch.play(["random"] * players)
        paths.append(str(tmp_path / f"{seed}.shitenno.jsonl"))
        write_record(Path(paths[-1]), batch.records()[0])
    line = refusal(capsys, "export", "--records", *paths, "--out", str(tmp_path / "data"))
    assert f"{paths[-1]}: 3 players, not 2 as the others have" in line


def test_export__many_names_of_bots__have_numbers_that_fit(tmp_path):
    pytest.importorskip("pyarrow")
    part = played(batch_class("shitenno")(66, seed=5, num_players=2), [make_agent("random", SHITENNO)] * 2, NAMES[:2])
    part = part._replace(agents=tuple((f"bot {game}", f"other {game}") for game in range(66)))
    rows = table_of(part, SHITENNO, export.MadeBy("", ())).select(["agent", "player", "seed"]).to_pylist()
    assert all(row["agent"] == f"{('bot', 'other')[row['player']]} {row['seed'] - 5}" for row in rows)


def test_export__bot_that_remembers__is_made_anew_for_each_file(write, tmp_path):
    """A resumed export wrote other decisions, and so did one of several processes."""
    parquet = pytest.importorskip("pyarrow.parquet")
    (tmp_path / "count.py").write_text(
        "from shogun_env import Bot\nclass Counts(Bot):\n    asked = 0\n    def decide(self, decision):\n"
        "        self.asked += 1\n        return decision.names[self.asked % len(decision.names)]\n"
    )
    command = ["--agents", "count.py:Counts,random", "--players", "2", "--teacher", "count.py:Counts"]
    whole = written(write, parquet, "whole", *command)
    assert write("--out", "part", *command) == 0
    (tmp_path / "part" / "README.md").unlink()
    (tmp_path / "part" / "data" / "00002.parquet").unlink()
    assert written(write, parquet, "part", *command) == whole


# --- a teacher, and what is learnt from ------------------------------------------------------------------------------


@each_game
def test_teacher__compiled_or_asked__says_its_choices_and_changes_no_game(name):
    batch_type = batch_class(name)
    agents = [make_agent(bot, batch_type.spec) for bot in NAMES]
    teacher = make_agent("scripted", batch_type.spec)
    alone = played(batch_type(2, num_players=3, seed=5), agents, NAMES)
    assert (alone.taught == alone.decisions.actions).all()
    function, params = teacher.compiled
    for bot in (teacher, bot_of(asked(teacher))):
        part = played(batch_type(2, num_players=3, seed=5), agents, NAMES, bot)
        assert all((a == b).all() for a, b in zip(part.decisions[:5], alone.decisions[:5], strict=True))
        chosen = zip(part.decisions.observations, part.decisions.masks, part.taught, strict=True)
        for observation, mask, action in list(chosen)[::11]:
            assert function(observation, mask, np.zeros(2, np.uint64), params) == action
        assert (part.taught != part.decisions.actions).any()
        own = part.decisions.players == NAMES.index("scripted")
        assert (part.taught == part.decisions.actions)[own].all()


def test_teacher__that_draws__draws_as_the_same_bot_at_the_table():
    batch_type = batch_class("shitenno")
    random, again = (bot_of(asked(make_agent("random", SHITENNO))) for _ in range(2))
    part = played(batch_type(2, num_players=3, seed=5), [random] * 3, NAMES, again)
    assert (part.taught == part.decisions.actions).all()
    part = played(batch_type(2, num_players=3, seed=5), [ByTheDeal()] * 3, NAMES, ByTheDeal())
    assert (part.taught == part.decisions.actions).all()


class ByTheDeal(Bot):
    """A bot whose choice depends on the hidden cards that it is dealt."""

    def decide(self, decision):
        decision.rng[1] += np.uint64(1)
        return decision.legal[zlib.crc32(decision.position.encode()) % len(decision.legal)]


class Curious(Bot):
    """A bot that wants to be told everything, and keeps it."""

    wants = ("lines", "result")

    def __init__(self, answer: int = 0) -> None:
        self.answer = answer
        self.lines: list[object] = []
        self.ends = 0

    def act(self, view, rng):
        self.lines += view.lines
        return view.masks.argmax(1) + self.answer

    def end(self, ends) -> None:
        self.ends += len(ends.rows)


def test_teacher__that_wants_to_be_told__is_told_and_an_illegal_choice_is_refused():
    batch_type, agents = batch_class("shitenno"), [make_agent("random", SHITENNO)] * 3
    played(batch_type(3, num_players=3, record=True), agents, NAMES, teacher := Curious())
    assert any(teacher.lines) and teacher.ends == 9
    with pytest.raises(ValueError, match=r"player \d decides .*; action \d+ \(no such action\) is illegal") as error:
        played(batch_type(3, num_players=3, record=True), agents, NAMES, Curious(answer=1000))
    assert "(agent 'Curious')" in error.value.__notes__


FIRST_LEGAL = (
    "class Bot:\n    act = lambda self, view, rng: view.masks.argmax(1)\ndef make(game_spec):\n    return Bot()\n"
)


WRITTEN = ("--game", "shitenno", "--agents", "random", "--games", "6")


@pytest.fixture
def write(monkeypatch: pytest.MonkeyPatch, tmp_path):
    """Return what writes games of Shitennō into ``data``, two in a file, as a command."""
    pytest.importorskip("pyarrow")
    monkeypatch.setattr(export, "GAMES_PER_FILE", 2)
    monkeypatch.chdir(tmp_path)

    return lambda *more: run_command("export", [*WRITTEN, *more])


def test_read_taught__of_what_was_written__is_what_was_played(write):
    assert write("--players", "3", "--teacher", "scripted", "--seed", "5") == 0
    paths = files_in(Path(), SHITENNO)
    assert [path.name for path in paths] == ["00000.parquet", "00001.parquet", "00002.parquet"]
    agents = [make_agent("random", SHITENNO)] * 3
    batch: Batch = batch_class("shitenno")(2, num_players=3, seed=7, reward="win")
    part = played(batch, agents, NAMES, make_agent("scripted", SHITENNO))
    decisions, shares = read_taught(paths[1], SHITENNO)
    for name in ("observations", "masks", "actions", "rows", "players"):
        array, again = getattr(decisions, name), part.taught if name == "actions" else getattr(part.decisions, name)
        assert array.dtype == again.dtype and (array == again).all(), name
    assert shares.dtype == np.float32 and (shares == final_shares(batch, part.decisions, 4)).all()


def test_export__stopped__is_resumed_by_the_same_command_and_no_other(write, monkeypatch, tmp_path, capsys):
    parquet = pytest.importorskip("pyarrow.parquet")
    assert write("--seed", "9") == 0
    whole = [parquet.read_table(path) for path in files_in(tmp_path, SHITENNO)]
    (tmp_path / "data" / "README.md").unlink()
    last = tmp_path / "data" / "data" / "00002.parquet"
    last.unlink()
    last.with_name(".00002.parquet.123").write_bytes(b"ha")
    assert "data is not empty, nor left by this command" in refusal(capsys, "export", *WRITTEN, "--seed", "8")
    times = []
    monkeypatch.setattr(export, "played", lambda *args: times.append(1) or played(*args))
    assert write("--seed", "9") == 0
    assert [parquet.read_table(path) for path in files_in(tmp_path, SHITENNO)] == whole and len(times) == 1
    assert f"{sum(map(len, whole)):,} decisions of 6 games" in capsys.readouterr().out
    last.with_name("mine.csv").write_text("mine")
    refusal(capsys, "export", *WRITTEN, "--seed", "9")
    assert last.with_name("mine.csv").read_text() == "mine"


def test_export__resumed_with_a_bot_that_has_changed__is_refused(write, tmp_path, capsys):
    """The games of two bots were in one data set, whose card named one command."""
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "make.py").write_text(FIRST_LEGAL)
    command = ["--agents", "bots/make.py:make", "--out", "bots/data"]
    assert write(*command) == 0
    last = tmp_path / "bots" / "data" / "data" / "00002.parquet"
    (tmp_path / "bots" / "data" / "README.md").unlink()
    last.unlink()
    assert write(*command) == 0 and last.exists()
    (tmp_path / "bots" / "data" / "README.md").unlink()
    last.unlink()
    (tmp_path / "bots" / "weights").write_bytes(b"new")
    line = refusal(capsys, "export", *WRITTEN, *command)
    assert "a bot has changed since the command was stopped; give another --out" in line
    assert not last.exists()


def written(write, parquet, folder, *where):
    """Return the tables of the files that a command writes into a folder."""
    assert write("--out", folder, *where) == 0
    tables = [parquet.read_table(path) for path in files_in(Path(folder), SHITENNO)]
    assert len(tables) == 3
    return tables


@pytest.mark.full
def test_export__processes__write_the_same_files_and_say_which_bot_ended_one(write, tmp_path, capsys):
    parquet = pytest.importorskip("pyarrow.parquet")
    assert written(write, parquet, "one", "--threads", "2") == written(write, parquet, "two", "--processes", "2")
    text = "import os\nclass Bot:\n    act = lambda *_: os._exit(1)\ndef make(game_spec):\n    return Bot()\n"
    (tmp_path / "ending.py").write_text(text)
    line = refusal(capsys, "export", *WRITTEN, "--processes", "2", "--teacher", "ending.py:make", "--out", "three")
    assert "a process of --processes ended while it played ending.py:make or random;" in line


@pytest.mark.slow
@pytest.mark.ray
def test_export__a_cluster_of_ray__writes_the_same_files(write):
    parquet = pytest.importorskip("pyarrow.parquet")
    assert written(write, parquet, "one") == written(write, parquet, "two", "--ray", "local")


def test_files_in__folders_without_games_of_this_version__are_refused(write, tmp_path, monkeypatch):
    parquet = pytest.importorskip("pyarrow.parquet")
    with pytest.raises(ValueError, match=r"no games here; write some with shogun-env export"):
        files_in(tmp_path, SHITENNO)
    assert write() == 0
    with pytest.raises(ValueError, match=r"00000\.parquet: not of shogun, or of another version of it"):
        files_in(tmp_path, batch_class("shogun").spec)
    with monkeypatch.context() as patched, pytest.raises(ValueError, match="needs the extra data: pip install"):
        patched.setitem(sys.modules, "pyarrow", None)
        files_in(tmp_path, SHITENNO)
    path = files_in(tmp_path, SHITENNO)[0]
    table, content = parquet.read_table(path), path.read_bytes()
    parquet.write_table(table.replace_schema_metadata({}), path)
    with pytest.raises(ValueError, match=r"not of shitenno, or of another version of it; its card is None"):
        files_in(tmp_path, SHITENNO)
    for damaged in (
        b"nothing",
        content[:-99],
        content[: len(content) // 2] + b"\0" * 99 + content[-len(content) // 2 + 99 :],
    ):
        path.write_bytes(damaged)
        with pytest.raises(ValueError, match=r"00000\.parquet: damaged"):
            files_in(tmp_path, SHITENNO)
            read_taught(path, SHITENNO)


def test_imitation__of_an_export__takes_each_file_once_a_turn_and_agrees_more_and_more(write, tmp_path, monkeypatch):
    pytest.importorskip("torch")
    from shogun_env.agents.network.shape import Shape, Sizes
    from shogun_env.training import imitation
    from shogun_env.training.board_network import BoardNetwork
    from shogun_env.training.config import Config, changed

    assert write("--teacher", "scripted") == 0
    config = changed(Config(game="shitenno"), {"imitate": f"export:{tmp_path}"})
    own = imitation.Imitation(BoardNetwork(Shape(SHITENNO, Sizes(4, 16, 4))), config)
    rng, agreed, paths = np.random.default_rng(0), [], []
    monkeypatch.setattr(imitation, "read_taught", lambda path, spec: paths.append(path) or read_taught(path, spec))
    for number in range(60):
        assert own.learn_from((), number / 60, rng) > 0
        agreed.append(own.agreement)
    assert agreed[-1] > agreed[9] + 0.1
    assert all(len({*paths[turn : turn + 3]}) == 3 for turn in range(0, 60, 3))
