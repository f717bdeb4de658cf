"""What comes from outside, changed at random, is refused in one line or is used; nothing else is ever seen.

``test_positions.py`` has more about positions, and plays what is accepted to its end.
"""

from __future__ import annotations

import io
import json
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from shogun_env import shitenno_v0
from shogun_env.agents.chat.settings import load_settings
from shogun_env.agents.network.agent import load_network, save_network
from shogun_env.agents.network.shape import Shape, Sizes
from shogun_env.batch.batch import Batch
from shogun_env.benchmarks import pictures, tournament
from shogun_env.benchmarks.arena.games import History
from shogun_env.benchmarks.arena.journal import FILE, Event, wrong
from shogun_env.benchmarks.arena.page import page, told_by
from shogun_env.benchmarks.arena.settings import Settings
from shogun_env.benchmarks.arena.tables import SUMMARY, ratings
from shogun_env.play.server import Pages
from shogun_env.play.table import Table, save_name
from shogun_env.records.record import parse_record
from shogun_env.records.replay import replay
from shogun_env.records.thoughts import Thought, read_thoughts, write_thoughts
from shogun_env.spec.forms import json_of
from shogun_env.training.config import load_config
from shogun_env.training.runs import about_run, read_progress
from tests import coins
from tests.games import NAMES, advance, batch_class, game_after, some_action
from tests.mutate import Arrays, changed_bytes, changed_json, changed_lines, changed_value, changed_words
from tests.unit.play.people import GAMES, move, table_of

MANY = 200_000
FEW = 300
MEMORY = Path("/dev/shm")
"""A folder in memory, where there is one: files that are written for a moment."""


class Kind(NamedTuple):
    """A kind of input."""

    whole: bytes
    """One that is right."""
    change: Callable[[bytes, random.Random], bytes]
    use: Callable[[bytes], Any]
    """Reads an input, and uses it if it is accepted; ValueError if it is not."""


def writes(path: Path, use: Callable[[Path], Any]) -> Callable[[bytes], Any]:
    """Return ``use`` of a file, as a function of the file's content."""

    def used(data: bytes) -> Any:
        path.write_bytes(data)
        return use(path)

    return used


def play_on(batch: Batch, steps: int = 3) -> None:
    """Play some decisions of games, each of which must have a choice and be valid."""
    rng = np.random.default_rng(1)
    for _ in range(steps):
        assert not batch.check().any()
        assert (batch.over | (batch.legal.sum(1) > 1)).all()
        batch.step(some_action(batch, rng))


# --- kinds of inputs: a name, and what makes it in a folder ----------------------------------------------------------


def position(name: str, folder: Path) -> Kind:
    batch = game_after(name, 60)
    text = batch.position(0).encode()

    def use(data: bytes) -> None:
        other = batch.take()
        other.set_position(0, data.decode())
        play_on(other)

    return Kind(text, changed_words(batch.position(0).replace("=", " ").replace(",", " ")), use)


def state(kind: str, folder: Path) -> Kind:
    makers: dict[str, Callable[..., Any]] = {
        "parallel": shitenno_v0.parallel_env, "aec": shitenno_v0.raw_env, "one": shitenno_v0.ShitennoEnv
    }  # fmt: skip
    env, actions = makers[kind](record=True), random.Random(3)
    env.reset(seed=3)

    def step() -> None:
        mask = env.batch.legal[0]
        action = int(actions.choice(np.flatnonzero(mask)))
        if kind == "parallel":
            env.step({env.agents[int(env.batch.player[0])]: action} if env.agents else {})
        elif kind == "one":
            if env._running:
                env.step(action)
        elif env.agents:
            dead = env.terminations[env.agent_selection] or env.truncations[env.agent_selection]
            env.step(None if dead else action)

    for _ in range(4 if kind == "one" else 12):  # one player's decisions lead on over those of the others
        step()
    whole = before = env.get_state()

    def change(data: bytes, chance: random.Random) -> bytes:
        if chance.random() < 0.3:
            return changed_bytes(data, chance)
        head, _, rows = data.partition(b"\n")
        if chance.random() < 0.4:
            rows = changed_bytes(rows, chance)[: len(rows)].ljust(len(rows), b"\0")
            return head + b"\n" + rows
        label = json.loads(head)
        label["attributes"] = changed_value(label["attributes"], chance)
        return json.dumps(label).encode() + b"\n" + rows

    def use(data: bytes) -> None:
        nonlocal before
        try:
            env.set_state(data)
        except ValueError:
            assert env.get_state() == before, "refused, but changed"
            raise
        env.record()
        step()
        env.record()
        before = env.get_state()

    return Kind(whole, change, use)


def saved_batch(name: str, folder: Path) -> Kind:
    make = batch_class(name)
    batch = make(2, seed=5, record=True)
    advance(batch, 5, 12)
    arrays = Arrays(batch.save(), ("head",))

    def change(data: bytes, chance: random.Random) -> bytes:
        return changed_bytes(data, chance) if chance.random() < 0.3 else arrays.changed(chance)

    def use(data: bytes) -> None:
        other = make.load(data)
        other.records()
        play_on(other.take())

    return Kind(batch.save(), change, use)


def record(name: str, folder: Path) -> Kind:
    """One input in twenty is a whole record changed; the others are beginnings of one, which take a tenth as long."""
    batch = batch_class(name)(1, seed=4, record=True)
    batch.play(["random"] * batch.num_players)
    lines = [json.dumps(line).encode() + b"\n" for line in batch.records()[0]]

    def change(data: bytes, chance: random.Random) -> bytes:
        return changed_lines(data if chance.random() < 0.05 else b"".join(lines[: chance.randint(1, 40)]), chance)

    def use(data: bytes) -> None:
        read = parse_record(data, batch.spec)
        for _ in replay(batch_class(name), read, partial=len(read) < len(lines) // 2):
            pass

    return Kind(b"".join(lines), change, use)


def network(_: str, folder: Path) -> Kind:
    spec, path = coins.Batch.spec, folder / "network.npz"
    shape = Shape(spec, Sizes(6, 16, 8))
    save_network(path, spec, shape.sizes, shape.random_weights(1))

    arrays = Arrays(path.read_bytes(), ("card",))

    def change(data: bytes, chance: random.Random) -> bytes:
        return changed_bytes(data, chance) if chance.random() < 0.5 else arrays.changed(chance, ("card",))

    return Kind(path.read_bytes(), change, writes(path, lambda file: load_network(spec, file)))


CONFIG = """seed = 3
options = { num_players = 3 }
variants = [ { num_players = 3 }, { num_players = 4 } ]
opponents = [ "random" ]
late = true
learning_rate = 3e-4
seconds = 5
imitate = "scripted"
"""


def config(_: str, folder: Path) -> Kind:
    spec = batch_class("shogun").spec
    use = writes(folder / "x.toml", lambda path: load_config(spec, path).as_json())
    return Kind(
        CONFIG.encode(), changed_words("true false 1e400 inf nan -1 9 '' [] {} [[a]] seed = 0x1 2020-01-01"), use
    )


def chat(_: str, folder: Path) -> Kind:
    whole = b'url = "http://127.0.0.1:1/v1"\nmodel = "m"\nseconds = 5\ntries = 2\n[extra]\nreasoning_effort = "low"\n'
    use = writes(folder / "m.toml", lambda path: load_settings(path, {}))
    return Kind(whole, changed_words("true false 1e400 inf nan -1 9 '' [] {} [[a]] tries = 0x1 2020-01-01"), use)


def table(name: str, folder: Path) -> Kind:
    own, chance = table_of(name, folder), random.Random(2)
    for _ in range(6):
        move(own, chance)
    path = folder / save_name(name, 5)

    def use(file: Path) -> None:
        again = Table.resume(file, GAMES[name])
        again.folder = None
        again.view(again.people[0])

    return Kind(path.read_bytes(), changed_json, writes(path, use))


def thoughts(_: str, folder: Path) -> Kind:
    spec, path = batch_class("shogun").spec, folder / "1.shogun.thoughts.json"
    write_thoughts(path, spec, [Thought(3, 1, "deck", "why"), Thought(4, 0, "x", "")])
    return Kind(path.read_bytes(), changed_json, writes(path, lambda file: read_thoughts(file, spec)))


def run(_: str, folder: Path) -> Kind:
    whole = json.dumps({"config": {"game": "coins"}, "card": {"game": "coins"}, "signature": "1"}).encode()
    return Kind(whole, changed_json, writes(folder / "run.json", lambda file: about_run(file.parent)))


def progress(_: str, folder: Path) -> Kind:
    whole = b'{"decisions": 5, "win_share": {"random": 0.5}}\n' * 3
    return Kind(whole, changed_lines, writes(folder / "progress.jsonl", lambda file: read_progress(file.parent)))


def played(_: str, folder: Path) -> Path:
    """Play a small tournament in a folder, and return its journal."""
    variants = ({"num_players": 2},)
    settings = Settings(game="shitenno", agents=("scripted", "random"), games=6, seed=1, variants=variants)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pictures, "is_available", lambda: False)  # they take longer than the games
        tournament.run(folder, settings)
    return folder / FILE


def used(history: History) -> None:
    """Rate the bots of a history."""
    ratings(history.games, history)


def journal(_: str, folder: Path) -> Kind:
    """The journal of a tournament."""
    path = played(_, folder)
    return Kind(path.read_bytes(), changed_lines, writes(path, lambda file: used(History.at(file))))


def events(_: str, folder: Path) -> Kind:
    """The events of a journal whose hashes are right."""
    lines = [json.loads(line) for line in played(_, folder).read_bytes().splitlines()]

    def use(data: bytes) -> None:
        told = json_of(data)
        if not isinstance(told, list) or any(wrong(values) for values in told):
            raise ValueError("no events")
        used(History.of(Event(values, "") for values in told))

    return Kind(
        json.dumps([{k: v for k, v in line.items() if k != "chain"} for line in lines]).encode(), changed_json, use
    )


def summary(_: str, folder: Path) -> Kind:
    """The summary of a tournament, as a page is made of it."""
    path = played(_, folder).with_name(SUMMARY)

    def use(file: Path) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(pictures, "is_available", lambda: False)
            page("a page", [told_by(file.parent)])

    return Kind(path.read_bytes(), changed_json, writes(path, use))


def request(name: str, folder: Path) -> Kind:
    """A request as the lines of its environment and, after an empty line, its body."""
    pages = Pages(table_of(name))
    base = f"/{pages.tokens[0]}/"
    body = json.dumps({"version": 0, "action": pages.table.view(0)["legal"][0]})
    lines = {
        "REQUEST_METHOD": "POST", "PATH_INFO": f"{base}choose", "QUERY_STRING": "version=0", "HTTP_HOST": "127.0.0.1:1",
        "HTTP_ACCEPT": "*/*", "CONTENT_LENGTH": str(len(body)), "CONTENT_TYPE": "application/json",
    }  # fmt: skip
    whole = "".join(f"{key} {value}\n" for key, value in lines.items()) + f"\n{body}"

    def change(data: bytes, chance: random.Random) -> bytes:
        head, _, body = data.partition(b"\n\n")
        if chance.random() < 0.5:
            return head + b"\n\n" + changed_json(body, chance)
        words = f"GET POST PUT HEAD {base} {base}state {base}undo confirm hint localhost chunked text/html 0 -1 9999999"
        return changed_words(words)(head, chance) + b"\n\n" + body

    def use(data: bytes) -> None:
        head, _, body = data.partition(b"\n\n")
        given = dict(line.split(" ", 1) for line in head.decode("latin-1").split("\n") if " " in line)
        errors, status = io.StringIO(), []
        environ = {
            "REQUEST_METHOD": "GET", "PATH_INFO": "/", **given, "wsgi.input": io.BytesIO(body), "wsgi.errors": errors,
            "SERVER_NAME": "127.0.0.1", "SERVER_PORT": "1", "wsgi.url_scheme": "http", "SCRIPT_NAME": "",
            "SERVER_PROTOCOL": "HTTP/1.1",
        }  # fmt: skip
        while pages.table.draft(0).chosen:
            pages.table.undo(0)
        pages.table.versions[0], pages.table._changed_at[0], laid = 0, 0, dict(pages.table.draft(0).laid)
        b"".join(pages.app(environ, lambda line, headers, *rest: status.append(line)))
        assert int(status[0][:3]) in (200, 302, 303, 403, 404, 405, 409), (status, errors.getvalue())
        assert errors.getvalue() == ""
        if int(status[0][:3]) != 200:
            assert pages.table.draft(0).laid == laid
            raise ValueError(status[0])

    return Kind(whole.encode(), change, use)


KINDS: dict[str, tuple[Callable[[str, Path], Kind], str]] = {
    **{f"position of {name}": (position, name) for name in NAMES},
    **{f"state, {kind}": (state, kind) for kind in ("parallel", "aec", "one")},
    **{f"batch of {name}": (saved_batch, name) for name in NAMES},
    **{f"record of {name}": (record, name) for name in NAMES},
    **{f"table of {name}": (table, name) for name in NAMES},
    "network": (network, ""),
    "config": (config, ""),
    "chat": (chat, ""),
    "thoughts": (thoughts, ""),
    "run": (run, ""),
    "progress": (progress, ""),
    "journal": (journal, ""),
    "events": (events, ""),
    "summary": (summary, ""),
    "request": (request, "shogun"),
}


@pytest.fixture
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as name:
        yield Path(name)


def try_changed(kind: Kind, count: int) -> int:
    """Use changed inputs; return how many were accepted. Fails at the first unclear refusal."""
    kind.use(kind.whole)
    accepted = 0
    for seed in range(count):
        data = kind.change(kind.whole, random.Random(seed))
        try:
            kind.use(data)
            accepted += 1
        except (ValueError, OSError) as error:
            text = str(error)
            assert text and len(text.splitlines()) == 1, f"seed {seed}: {text!r}"
        except Exception as error:
            raise AssertionError(f"seed {seed}: {error!r} for {data[:200]!r}") from error
    return accepted


@pytest.mark.full
@pytest.mark.parametrize("name", KINDS)
def test_input__changed__is_refused_in_one_line_or_used(name, folder):
    make, about = KINDS[name]
    assert try_changed(make(about, folder), FEW) < FEW


@pytest.mark.slow
@pytest.mark.parametrize("name", KINDS)
def test_input__changed_many_times__is_refused_in_one_line_or_used(name, folder, capsys):
    make, about = KINDS[name]
    begin = time.process_time()
    accepted = try_changed(make(about, folder), MANY)
    with capsys.disabled():
        print(f"\n{name}: {MANY:,} tried, {accepted:,} accepted, {time.process_time() - begin:.0f} s of computing")
