"""Results on disk: whole lines or nothing, whatever interrupts a run; no two runs at once."""

from __future__ import annotations

import errno
import os

import pytest

from shogun_env.benchmarks.arena.results import ResultsFile, finished, line_of, read_results


@pytest.fixture
def path(tmp_path, results):
    file = ResultsFile(tmp_path / "results.jsonl")
    file.append(results[:10])
    file.close()
    return file.path


def test_read_results__what_was_appended__comes_back(path, results):
    assert list(read_results(path)) == results[:10]
    assert list(read_results(path.with_name("none.jsonl"))) == []
    assert finished(path, {results[3].seating, results[20].seating}) == {results[3].seating}


def test_results_file__half_a_line_at_the_end__is_removed(path, results):
    whole = path.read_bytes()
    for cut in (1, 40, len(line_of(results[9])) - 1):
        path.write_bytes(whole[:-cut])
        assert len(list(read_results(path))) == 9
        file = ResultsFile(path)
        file.append(results[9:10])
        file.close()
        assert path.read_bytes() == whole


def test_results_file__one_long_line_without_an_end__is_removed(tmp_path):
    path = tmp_path / "results.jsonl"
    path.write_bytes(b"x" * 200_000)
    ResultsFile(path).close()
    assert path.read_bytes() == b""


def test_append__disk_full_in_mid_line__keeps_what_was_there(path, results, monkeypatch):
    before = path.read_bytes()
    file = ResultsFile(path)
    write, calls = os.write, []

    def full(handle, data):
        calls.append(len(data))
        if len(calls) > 1:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(handle, data[:100])

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(OSError, match=r"No space left on device; the games before are kept, the same command resumes"):
        file.append(results[10:])
    assert path.read_bytes() == before


@pytest.mark.parametrize("line", ["{}\n", "[]\n", "nonsense\n", '{"seed":1}\n'])
def test_read_results__a_line_that_is_not_a_result__is_named(path, line):
    path.write_bytes(path.read_bytes() + line.encode())
    with pytest.raises(ValueError, match="line 11: not the result of a game"):
        list(read_results(path))


def test_read_results__a_game_twice__is_named(path, results):
    path.write_bytes(path.read_bytes() + line_of(results[4]).encode())
    with pytest.raises(ValueError, match="line 11: the second result of one game"):
        list(read_results(path))
