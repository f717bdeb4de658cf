"""Games as a table: the same rows from compiled bots, from others and from records; what a table and its card hold."""

import numpy as np
import pytest

from shogun_env.commands import run_command
from shogun_env.policies import make_agent
from shogun_env.records.record import write_record
from shogun_env.training.export import COLUMNS, played, replayed, table_of
from tests.games import batch_class, each_game
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
        batch_type(3, num_players=3, seed=5), [asked(make_agent(bot, batch_type.spec)) for bot in NAMES], NAMES
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
    rows = table_of(part, spec).to_pylist()
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
            batch.step([row["action"]], [game])
    assert batch.over.all()
    assert (batch.points == part.points).all()
    assert part.shares.sum(1).tolist() == [1.0, 1.0]


def test_export__command__writes_files_and_a_card(tmp_path, capsys):
    parquet = pytest.importorskip("pyarrow.parquet")
    out = tmp_path / "data"
    few = ["--game", "shitenno", "--agents", "random", "--games", "2", "--out", str(out)]
    assert run_command("export", few) == 0
    table = parquet.read_table(out / "data")
    assert f"{len(table)} decisions of 2 games written" in capsys.readouterr().out
    card = (out / "README.md").read_text()
    assert all(f"| `{column}` |" in card for column in COLUMNS)
    with pytest.raises(SystemExit):
        run_command("export", few)
    assert "is not empty; no file is overwritten" in capsys.readouterr().err


def test_export__records__say_which_game_they_are_of_and_which_is_wrong(tmp_path, capsys):
    pytest.importorskip("pyarrow.parquet")
    batch = batch_class("shitenno")(1, record=True)
    batch.play(["random"] * 4)
    path, out = tmp_path / "0.shitenno.jsonl", tmp_path / "data"
    write_record(path, batch.records()[0])
    assert run_command("export", ["--records", str(path), "--out", str(out)]) == 0
    assert "decisions of 1 games written" in capsys.readouterr().out
    again = tmp_path / "again.shitenno.jsonl"
    for text, shown in ((path.read_text(), "0"), (path.read_text().replace('"seed": 0', '"seed": null'), "null")):
        again.write_text(text)
        with pytest.raises(SystemExit):
            run_command("export", ["--records", str(path), str(again), "--out", str(tmp_path / "twice")])
        assert f"{again}, as a record of shitenno: its seed is {shown}, must be one" in capsys.readouterr().err
    cut = tmp_path / "cut.shitenno.jsonl"
    cut.write_text("".join(path.read_text().replace('"seed": 0', '"seed": 1').splitlines(keepends=True)[:40]))
    with pytest.raises(SystemExit):
        run_command("export", ["--records", str(path), str(cut), "--out", str(tmp_path / "more")])
    assert f"{cut}, as a record of shitenno: line 41: the record ends" in capsys.readouterr().err


def test_export__what_a_stopped_one_left__is_written_anew_and_other_files_are_kept(tmp_path, capsys):
    pytest.importorskip("pyarrow.parquet")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "00000.parquet").write_bytes(b"half")
    (tmp_path / "data" / ".00001.parquet.123").write_bytes(b"ha")
    few = ["--game", "shitenno", "--agents", "random", "--games", "2", "--out", str(tmp_path)]
    assert run_command("export", few) == 0
    assert "what a stopped export left is written anew" in capsys.readouterr().err
    (tmp_path / "README.md").unlink()
    (tmp_path / "data" / "mine.csv").write_text("mine")
    with pytest.raises(SystemExit):
        run_command("export", few)
    assert (tmp_path / "data" / "mine.csv").read_text() == "mine"
