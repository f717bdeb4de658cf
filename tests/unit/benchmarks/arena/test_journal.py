"""The journal: whole lines or nothing, whatever interrupts a run; every line that was changed is seen."""

import errno
import hashlib
import os

import pytest

from shogun_env.benchmarks.arena.games import History
from shogun_env.benchmarks.arena.journal import Journal, line_of, read
from tests.unit.benchmarks.arena.journals import changed, entry, played, start, write


@pytest.fixture
def path(tmp_path):
    write(tmp_path / "journal.jsonl", played())
    return tmp_path / "journal.jsonl"


def test_chain__whoever_knows_the_last_hash__knows_every_line(path):
    """As the document of the module says it, without the code of the module."""
    before = ""
    for line in path.read_text().splitlines():
        text, _, rest = line.rpartition(',"chain":"')
        assert rest == hashlib.sha256(f"{before}{text}}}".encode()).hexdigest() + '"}'
        before = rest[:64]
    assert History.at(path).chain == before


def test_journal__half_a_line_at_the_end__is_removed(path):
    whole = path.read_bytes()
    last = whole.splitlines()[-1]
    for cut in (1, 40, len(last)):
        path.write_bytes(whole[:-cut])
        history = History.at(path)
        assert history.n_games == 0
        journal = Journal(path, history.chain)
        journal.append(played()[-1])
        journal.close()
        assert path.read_bytes() == whole


def test_append__disk_full_in_mid_line__keeps_what_was_there(path, monkeypatch):
    before = path.read_bytes()
    journal = Journal(path, History.at(path).chain)
    calls, real = [], os.write

    def full(handle, data):
        calls.append(len(data))
        if len(calls) > 1:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(handle, data[:20])

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(OSError, match=r"No space left on device; the games before are kept, the same command resumes"):
        journal.append(entry(4, "e"))
    assert path.read_bytes() == before


def test_append__others_write_or_cut__stops_and_says_how_to_mend_it(path):
    journal = Journal(path, History.at(path).chain)
    size = path.stat().st_size
    with open(path, "a") as stream:
        stream.write("mine\n")
    with pytest.raises(
        OSError, match=rf"others changed its length from {size} to {size + 5} bytes.*`truncate -s {size}`"
    ):
        journal.append(entry(4, "e"))
    assert path.read_bytes().endswith(b"mine\n")
    os.truncate(path, 100)
    with pytest.raises(OSError, match="to 100 bytes"):
        journal.append(entry(4, "e"))


def test_journal__that_is_a_link__is_not_followed(tmp_path):
    (tmp_path / "other").write_text("precious\n")
    (tmp_path / "journal.jsonl").symlink_to(tmp_path / "other")
    with pytest.raises(OSError):
        Journal(tmp_path / "journal.jsonl", "")
    assert (tmp_path / "other").read_text() == "precious\n"


DAMAGED = {
    "a digit": (lambda lines: [*lines[:3], lines[3].replace(b'"bot":2', b'"bot":3'), *lines[4:]], 4),
    "a foreign line": (lambda lines: [*lines[:3], b'{"fake": true}\n', *lines[3:]], 4),
    "a line taken out": (lambda lines: [*lines[:3], *lines[4:]], 4),
    "two lines changed places": (lambda lines: [*lines[:3], lines[4], lines[3], *lines[5:]], 4),
    "a line twice": (lambda lines: [*lines[:4], lines[3], *lines[4:]], 5),
    "nested": (lambda lines: [*lines[:3], b"[" * 100_000 + b"\n", *lines[3:]], 4),
    "too long": (lambda lines: [*lines[:3], b"x" * (1 << 24) + b"\n", *lines[3:]], 4),
    "a late line": (lambda lines: [*lines[:-1], lines[-1][1:]], 7),
    "other line ends": (lambda lines: [line.replace(b"\n", b"\r\n") for line in lines], 1),
    "a byte order mark": (lambda lines: [b"\xef\xbb\xbf" + lines[0], *lines[1:]], 1),
    "no text": (lambda lines: [*lines[:3], b"\xff\x00\n", *lines[3:]], 4),
}
"""What may happen to a journal: how, and the number of the line that is named."""


@pytest.mark.parametrize("what", DAMAGED)
def test_read__damage__is_named_with_what_to_do(what, path):
    damage, number = DAMAGED[what]
    lines = path.read_bytes().splitlines(keepends=True)
    is_begun = any(b'"round"' in line for line in lines[: number - 1])
    path.write_bytes(b"".join(damage(lines)))
    says = f"`head -n {number - 1}` keeps those" if is_begun else r"no game is before it: undo that \(line ends\?\) or"
    with pytest.raises(ValueError, match=rf"line {number}: was changed, or does not follow.*{says}"):
        History.at(path)


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ([], "not an event"),
        ({"kind": 5}, "not an event"),
        ({"kind": "dance"}, "not an event: kind 'dance'"),
        ({"kind": "entry", "bot": 4}, "entry is"),
        ({**entry(4, "e"), "more": 1}, "entry is"),
        ({**entry(4, "e"), "rating": "high"}, 'rating is "high", must be one of a finite number, null'),
        ({**entry(4, "e"), "name": 5}, "name is 5, must be text"),
    ],
)
def test_read__well_linked_line_that_is_no_event__is_named(values, says, path, tmp_path):
    target = tmp_path / "t.jsonl"
    if values == []:  # which `line_of` cannot make a line of
        chain = hashlib.sha256(b"[]}").hexdigest()
        target.write_text(f'[],"chain":"{chain}"}}\n')
        with pytest.raises(ValueError, match="line 1: no JSON"):
            list(read(target))
        return
    changed(path, target, lambda number, old: values if number == 5 else old)
    with pytest.raises(ValueError, match="line 6: ") as raised:
        list(read(target))
    assert says in str(raised.value)
    assert "\n" not in str(raised.value)


def test_read__no_file__says_so_at_once(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "zero").symlink_to("/dev/zero")
    for name in ("pipe", "zero", "none", "."):
        with pytest.raises(ValueError, match="is not there, or not a file"):
            list(read(tmp_path / name))


def test_history__first_line__is_the_start(path):
    with pytest.raises(ValueError, match="line 1: entry cannot be here"):
        path.write_text(line_of(entry(0, "a"), "")[0])
        History.at(path)
    path.write_text("")
    with pytest.raises(ValueError, match="is empty"):
        History.at(path)
    first = line_of(start(), "")
    path.write_text(first[0] + line_of(start(), first[1].chain)[0])
    with pytest.raises(ValueError, match="line 2: start cannot be here"):
        History.at(path)
