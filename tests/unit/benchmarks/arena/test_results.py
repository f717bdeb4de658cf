"""Results on disk: whole lines or nothing, whatever interrupts a run; no two runs at once."""

from __future__ import annotations

import errno
import hashlib
import json
import os

import pytest

from shogun_env.benchmarks.arena.growing import FOREIGN
from shogun_env.benchmarks.arena.results import ResultsFile, ResultsReader, chain_start, line_of, result_of

START = chain_start({"game": "some"})


def read(path, start=START):
    """Return the results in a file, and what is set aside."""
    reader = ResultsReader(path, start)
    return list(reader), reader.set_aside


@pytest.fixture
def path(tmp_path, results):
    file = ResultsFile(tmp_path / "results.jsonl", START)
    file.append(results[:6])
    file.append(results[6:10])
    file.close()
    return file.path


def test_reader__what_was_appended__comes_back(path, results):
    assert read(path) == (results[:10], [])
    assert read(path.with_name("none.jsonl")) == ([], [])
    file = ResultsFile(path, START)
    assert file.done == {result.seating for result in results[:10]}
    file.append(results[10:12])
    file.close()
    assert read(path) == (results[:12], [])


def test_chain__whoever_knows_the_last_hash__knows_every_line(path, results):
    """As the document of the module says it, without the code of the module."""
    before = START
    for line in path.read_text().splitlines():
        text, _, rest = line.rpartition(',"chain":"')
        assert rest == hashlib.sha256(f"{START}{before}{text}}}".encode()).hexdigest() + '"}'
        before = rest[:64]
    reader = ResultsReader(path, START)
    list(reader)
    assert before == reader.last
    assert len(read(path, chain_start({"game": "another"}))[1]) == 10


def test_results_file__half_a_line_at_the_end__is_removed(path, results):
    whole = path.read_bytes()
    for cut in (1, 40, len(whole.splitlines()[-1])):
        path.write_bytes(whole[:-cut])
        assert len(read(path)[0]) == 9
        file = ResultsFile(path, START)
        file.append(results[9:10])
        file.close()
        assert path.read_bytes() == whole


def test_results_file__one_long_line_without_an_end__is_removed(tmp_path):
    path = tmp_path / "results.jsonl"
    path.write_bytes(b"x" * 2_200_000)
    assert read(path) == ([], [])
    ResultsFile(path, START).close()
    assert path.read_bytes() == b""


def test_append__disk_full_in_mid_line__keeps_what_was_there(path, results, monkeypatch):
    before = path.read_bytes()
    file = ResultsFile(path, START)
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


def test_append__others_write_or_close_the_file__nothing_is_lost(path, results):
    file = ResultsFile(path, START)
    fake, _ = line_of(results[10], START, file.last)
    with open(path, "a") as stream:
        stream.write(fake)
    os.close(file._file._handle)
    file.append(results[11:12])
    assert read(path) == ([*results[:10], results[11]], [])
    assert path.with_name(FOREIGN).read_text() == fake
    assert file.foreign == [f"{len(fake)} bytes that others wrote, now in {FOREIGN}"]
    os.truncate(path, 100)
    with pytest.raises(OSError, match="was cut while games were played"):
        file.append(results[12:13])
    file.close()


DAMAGED = {
    "a digit": (lambda lines: [*lines[:3], lines[3].replace(b'"seed":1', b'"seed":2'), *lines[4:]], [4], {3}),
    "a foreign line": (lambda lines: [*lines[:3], b'{"fake": true}\n', *lines[3:]], [4], set()),
    "a line without an end": (lambda lines: [*lines[:3], lines[3][:-1], *lines[4:]], [4], {3, 4}),
    "a line taken out": (lambda lines: [*lines[:3], *lines[4:]], [4], {3, 4}),
    "two lines changed places": (lambda lines: [*lines[:3], lines[4], lines[3], *lines[5:]], [4, 6], {4, 5}),
    "a line twice": (lambda lines: [*lines[:4], lines[3], *lines[4:]], [5], set()),
    "too long": (lambda lines: [*lines[:3], b"x" * 3_000_000 + b"\n", *lines[3:]], [4], set()),
    "nested": (lambda lines: [*lines[:3], b"[" * 100_000 + b"\n", *lines[3:]], [4], set()),
    "no text": (lambda lines: [*lines[:3], b"\xff\x00\n", *lines[3:]], [4], set()),
}
"""What may happen to ten lines: how, the numbers of the lines that are set aside, and the games that are lost."""


@pytest.mark.parametrize("what", DAMAGED)
def test_reader__damage__is_named_and_counted_and_the_rest_is_read(what, path, results):
    damage, numbers, lost = DAMAGED[what]
    path.write_bytes(b"".join(damage(path.read_bytes().splitlines(keepends=True))))
    found, set_aside = read(path)
    assert [int(text.split(":")[0].removeprefix("line ")) for text in set_aside] == numbers
    assert found == [result for index, result in enumerate(results[:10]) if index not in lost]
    file = ResultsFile(path, START)
    file.append([results[index] for index in sorted(lost)])
    file.close()
    again, still = read(path)
    assert sorted(again, key=results.index) == results[:10]
    assert still == set_aside


def test_reader__well_linked_line_with_wrong_values__is_set_aside(path, results):
    values = json.loads(path.read_text().splitlines()[0])
    del values["chain"]
    wrong = [
        *({**values, name: value} for name in values for value in (None, 5.5, "text", [], [None] * 3, {"a": {}}, True)
          if not (name in ("line_up", "agents") and value == "text") and not (name == "made_by" and value == {"a": {}})
          and not (name == "variant" and value == "text")),
        {name: value for name, value in values.items() if name != "win"},
        {**values, "more": 1}, {**values, "rotation": 3}, {**values, "win": [1.0, 0.0, float("nan")]}, [], None, 5,
    ]  # fmt: skip
    for each in wrong:
        with pytest.raises(ValueError, match="not the result of a game"):
            result_of(each)
    assert result_of(values) == results[0]


def test_results_file__of_an_earlier_version__is_refused_in_one_line(tmp_path, path):
    old = tmp_path / "old.jsonl"
    old.write_text("".join(line.rpartition(',"chain":')[0] + "}\n" for line in path.read_text().splitlines()))
    with pytest.raises(ValueError, match=r"old.jsonl: its lines have no hashes, as before version 0.3; give another"):
        ResultsFile(old, START)
