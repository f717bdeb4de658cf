"""Files that appear whole, and arrays in files of which nothing is believed."""

from __future__ import annotations

import zipfile

import pytest
from numpy.lib import format as npy

from shogun_env.files import reading_arrays, write_whole, writing_whole


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


def test_reading_arrays__header_that_is_very_long__is_refused_in_one_line(tmp_path):
    header = b"{" + b" " * 30_000 + b"}"
    with zipfile.ZipFile(tmp_path / "x.npz", "w") as archive:
        archive.writestr("a.npy", npy.magic(1, 0) + len(header).to_bytes(2, "little") + header)
    with pytest.raises(ValueError, match=r"^a.npy is not an array of numbers$"), reading_arrays(tmp_path / "x.npz"):
        pass
