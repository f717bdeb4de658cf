"""Records: written whole, read strictly."""

import pytest

from shogun_env.records import RecordError, parse_record, read_record, record_name, write_record
from tests.games import batch_class, each_game
from tests.unit.records.faults import BAD_HEADERS, BAD_TEXT
from tests.unit.records.played import as_bytes, cases, parsed, plain


@each_game
def test_file__written__holds_the_same_lines_and_is_the_only_one(name, tmp_path):
    lines, game = plain(name), batch_class(name).spec
    path = tmp_path / record_name(game, 40)
    write_record(path, lines)
    assert read_record(path, game) == lines
    assert [file.name for file in tmp_path.iterdir()] == [f"40.{name}.jsonl"]


def test_file__there_already__is_not_overwritten(tmp_path):
    path = tmp_path / "game"
    path.write_text("mine")
    with pytest.raises(FileExistsError):
        write_record(path, plain("shogun"))
    assert path.read_text() == "mine"
    assert list(tmp_path.iterdir()) == [path]


def test_file__writing_fails__leaves_nothing(tmp_path):
    with pytest.raises(ValueError, match="not JSON compliant"):
        write_record(tmp_path / "game", [{"t": "header", "seed": float("nan")}])
    assert list(tmp_path.iterdir()) == []


@each_game
@pytest.mark.parametrize("fault", BAD_TEXT)
def test_reader__bad_text__is_refused_by_line(name, fault):
    number, spoil, why = BAD_TEXT[fault]
    texts = as_bytes(plain(name)).splitlines()
    assert spoil(texts[number - 1]) != texts[number - 1]
    texts[number - 1] = spoil(texts[number - 1])
    with pytest.raises(RecordError, match=why) as caught:
        parse_record(b"\n".join(texts), batch_class(name).spec)
    assert caught.value.line == number
    assert str(caught.value).startswith(f"line {number}: ")


@pytest.mark.parametrize(("name", "fault"), cases(BAD_HEADERS))
def test_reader__bad_header__is_refused_saying_what_is_right(name, fault):
    changes, why = BAD_HEADERS[name][fault]
    lines = plain(name)
    lines[0] |= changes
    with pytest.raises(RecordError, match=why) as caught:
        parsed(name, lines)
    assert caught.value.line == 1


@each_game
@pytest.mark.parametrize("change", [{"t": "x" * 9999}, {"t": "x", "result": "x" * 9999}, {"x" * 9999: 1}])
def test_reader__long_text_of_a_stranger__is_told_cut(name, change):
    lines = plain(name)
    lines[1] |= change
    with pytest.raises(RecordError, match="x…") as caught:
        parsed(name, lines)
    assert len(str(caught.value)) < 500


@each_game
def test_reader__name_of_a_field_that_breaks_the_line__is_told_in_one_line(name):
    lines = plain(name)
    lines[1]["a\rb\n"] = 1
    with pytest.raises(RecordError) as caught:
        parsed(name, lines)
    assert len(str(caught.value).splitlines()) == 1
    assert r"a\rb\n" in str(caught.value)
