"""Files that appear whole."""

from __future__ import annotations

import pytest

from shogun_env.files import write_whole, writing_whole


def test_write_whole__existing_file__is_replaced(tmp_path):
    path = tmp_path / "table.md"
    for text in ("one", "two"):
        write_whole(path, text)
        assert path.read_text() == text
    assert [each.name for each in tmp_path.iterdir()] == ["table.md"]


def test_writing_whole__that_fails__leaves_the_old_file_and_no_other(tmp_path):
    path = tmp_path / "table.md"
    write_whole(path, "one")
    with pytest.raises(KeyboardInterrupt), writing_whole(path) as stream:
        stream.write(b"tw")
        raise KeyboardInterrupt
    assert path.read_text() == "one"
    assert [each.name for each in tmp_path.iterdir()] == ["table.md"]
