"""Files that appear whole, locks, and what is no file."""

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import SoftFileLock

from shogun_env.files import error_text, locked, text_in, write_out, write_whole, writing_whole
from shogun_env.kernel import cache
from shogun_env.play.saving import read_saved
from shogun_env.policies import make_agent
from shogun_env.records.record import read_record
from shogun_env.shitenno import SHITENNO


def test_write_whole__in_no_folder_or_over_a_file__makes_or_replaces_it(tmp_path):
    path = tmp_path / "out" / "first" / "table.md"
    for text in ("one", "two"):
        write_whole(path, text)
        assert path.read_text() == text
    assert [each.name for each in path.parent.iterdir()] == ["table.md"]


def test_writing_whole__that_fails__leaves_the_old_file_and_no_other(tmp_path):
    path = tmp_path / "table.md"
    write_whole(path, "one")
    with pytest.raises(KeyboardInterrupt), writing_whole(path) as stream:
        stream.write(b"tw")
        raise KeyboardInterrupt
    assert path.read_text() == "one"
    assert [each.name for each in tmp_path.iterdir()] == ["table.md"]


@pytest.mark.parametrize("make", [os.mkfifo, lambda path: path.symlink_to("/dev/null")], ids=["pipe", "link"])
def test_writing_whole__what_is_no_file__is_not_replaced(make, tmp_path):
    path = tmp_path / "numbers.json"
    make(path)
    before = path.lstat()
    with pytest.raises(ValueError, match=": is a link or a device, and only a file is replaced"):
        write_whole(path, "x")
    assert path.lstat() == before


def test_write_out__file_or_not__is_whole_or_written_into_and_a_full_disk_is_named(tmp_path, monkeypatch):
    page, link = tmp_path / "page.html", tmp_path / "link.html"
    link.symlink_to(page)
    for path, text in ((page, "one"), (page, "two"), (link, "three")):
        write_out(path, text)
        assert page.read_text() == text
    assert link.is_symlink()
    with pytest.raises(OSError, match="No space left") as full:
        write_out(Path("/dev/full"), "x")
    assert error_text(full.value) == "/dev/full: No space left on device"
    monkeypatch.setattr(os, "replace", lambda *paths: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        write_out(page, b"four")
    assert page.read_text() == "three"


def test_writing_whole__of_what_the_disk_does_not_take__names_the_file(tmp_path):
    path = tmp_path / "a.txt"
    with pytest.raises(OSError, match="No space left") as full, writing_whole(path):
        raise OSError(errno.ENOSPC, "No space left on device")
    assert error_text(full.value) == f"{path}: No space left on device"
    path.mkdir()
    with pytest.raises(IsADirectoryError) as folder:
        write_whole(path, "x")
    assert error_text(folder.value) == f"{path}: Is a directory"
    with pytest.raises(BrokenPipeError) as pipe, writing_whole(tmp_path / "b.txt"):
        raise BrokenPipeError(errno.EPIPE, "Broken pipe")
    assert pipe.value.filename is None


@pytest.mark.parametrize("number", [errno.ENOSYS, errno.ENOLCK, errno.EOPNOTSUPP, errno.EBADF])
def test_locked__without_locks__says_so_and_goes_on(tmp_path, monkeypatch, capsys, number):
    def refuse(*arguments: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("fcntl.flock", refuse)
    with locked(tmp_path / "lock", "busy"):
        pass
    assert capsys.readouterr().err == f"{tmp_path}: there are no locks here; let no second run write there\n"


@pytest.mark.filterwarnings("ignore:only soft")
def test_locked__where_a_lock_is_a_file__does_not_wait_for_who_was_killed(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("filelock.FileLock", SoftFileLock)
    (tmp_path / "lock").touch()
    with locked(tmp_path / "lock", "busy"), cache.locked(tmp_path, "lock"):
        pass
    assert capsys.readouterr().err == f"{tmp_path}: there are no locks here; let no second run write there\n"


def test_locked__by_another__is_refused_and_a_link_is_not_followed(tmp_path):
    with (
        locked(tmp_path / "lock", "busy"),
        pytest.raises(ValueError, match=r"^busy$"),
        locked(tmp_path / "lock", "busy"),
    ):
        pass
    (tmp_path / "kept").write_text("kept")
    (tmp_path / "link").symlink_to(tmp_path / "kept")
    with pytest.raises(OSError, match="symbolic"), locked(tmp_path / "link", "busy"):
        pass
    assert (tmp_path / "kept").read_text() == "kept"


def odd_files(folder: Path) -> list[Path]:
    """Return a pipe, a device and a folder; to read the first two would never end."""
    os.mkfifo(folder / "pipe")
    return [folder / "pipe", Path("/dev/zero"), folder]


def test_text_in__of_what_is_no_file__is_refused_in_one_line(tmp_path):
    for path in odd_files(tmp_path):
        with pytest.raises(ValueError, match=r"must be a file of at most 256 MB$"):
            text_in(path)
    (tmp_path / "latin").write_bytes(b"\xe9")
    with pytest.raises(ValueError, match="is not text in UTF-8"):
        text_in(tmp_path / "latin")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with pytest.raises(OSError, match="symbolic"):
        text_in(tmp_path / "loop")


READERS: dict[str, Callable[[Path], object]] = {
    "record": lambda path: read_record(path, SHITENNO),
    "chat": lambda path: make_agent(f"chat:{path}", SHITENNO),
    "table": lambda path: read_saved(path, SHITENNO),
}


@pytest.mark.parametrize("kind", READERS)
def test_readers__of_what_is_no_file__refuse_it_in_one_line(kind, tmp_path):
    for path in odd_files(tmp_path):
        with pytest.raises(ValueError, match="must be a file of at most") as caught:
            READERS[kind](path)
        assert "\n" not in str(caught.value)
