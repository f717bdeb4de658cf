"""What comes from outside, changed by hypothesis, is refused in one line or is used; nothing else is ever seen.

A position that is accepted is played to its end.
"""

import io
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shogun_env.agents.chat.settings import load_settings
from shogun_env.agents.network.agent import load_network, save_network
from shogun_env.agents.network.shape import Shape, Sizes
from shogun_env.batch.batch import Batch
from shogun_env.benchmarks import pictures, tournament
from shogun_env.benchmarks.arena.games import History
from shogun_env.benchmarks.arena.journal import JournalEvent, wrong
from shogun_env.benchmarks.arena.settings import Settings
from shogun_env.benchmarks.arena.tables import ratings
from shogun_env.files import JOURNAL
from shogun_env.play.saving import save_name
from shogun_env.play.server import Pages
from shogun_env.play.table import Table
from shogun_env.records.record import parse_record
from shogun_env.records.replay import replay
from shogun_env.records.thoughts import Thought, read_thoughts, write_thoughts
from shogun_env.spec.forms import json_of
from shogun_env.spec.settings import as_json
from shogun_env.training.config import load_config
from shogun_env.training.runs import about_run, read_progress
from tests import coins
from tests.games import NAMES, batch_class, game_after
from tests.property.strategies import changed_arrays, changed_json, changed_lines, changed_words, draw_state
from tests.property.test_positions import faults
from tests.unit.play.people import GAMES, move, table_of

EXAMPLES = settings.default.max_examples
"""20, and 50 in ``make test-slow``."""

Kind = tuple[st.SearchStrategy[Any], Callable[[Any], Any]]
"""What comes from outside, changed; and what reads it and uses it if it is accepted, ValueError if it is not."""


def in_file(path: Path, use: Callable[[Path], Any]) -> Callable[[bytes], Any]:
    """Return ``use`` of a file, as a function of the file's content."""

    def used(data: bytes) -> Any:
        path.write_bytes(data)
        return use(path)

    return used


# --- kinds of inputs: each is made in a folder -----------------------------------------------------------------------


def position(name: str, folder: Path) -> Kind:
    @st.composite
    def changed(draw: Any) -> Any:
        batch = draw_state(SimpleNamespace(draw=draw), name)
        words = game_after(name, draw(st.integers(0, 60))).position().replace("=", " ")
        return batch, draw(changed_words(batch.position(), words))

    def use(given: tuple[Batch, bytes]) -> None:
        batch, text = given
        before = batch.save()
        try:
            batch.set_position(0, text.decode())
        except ValueError:
            assert batch.save() == before
            raise
        if batch.save() != before:
            assert faults(batch.take(), 1) == []

    return changed(), use


def record(name: str, folder: Path) -> Kind:
    """Beginnings of a record, and at times a whole one, which takes ten times as long."""
    batch_type = batch_class(name)
    batch = batch_type(1, seed=4, record=True)
    batch.play(["random"] * batch.num_players)
    lines = [json.dumps(line).encode() + b"\n" for line in batch.records()[0]]
    lengths = st.one_of(*[st.integers(1, 40)] * 9, st.just(len(lines)))

    def use(data: bytes) -> None:
        read = parse_record(data, batch.spec)
        for _ in replay(batch_type, read, partial=len(read) < len(lines) // 2):
            pass

    return lengths.flatmap(lambda length: changed_lines(b"".join(lines[:length]))), use


def network(_: str, folder: Path) -> Kind:
    spec, path = coins.Batch.spec, folder / "network.npz"
    shape = Shape(spec, Sizes(6, 16, 8))
    save_network(path, spec, shape.sizes, shape.random_weights(1))
    changes = changed_arrays(path.read_bytes(), texts="card", only="card")
    return changes, in_file(path, lambda file: load_network(spec, file))


CONFIG = """seed = 3
options = { num_players = 3 }
variants = [ { num_players = 3 }, { num_players = 4 } ]
opponents = [ "random" ]
late = true
learning_rate = 3e-4
seconds = 5
imitate = "scripted"
"""
MODEL = """url = "http://127.0.0.1:1/v1"
model = "m"
seconds = 5
tries = 2
[extra]
reasoning_effort = "low"
"""
WORDS = "true false 1e400 inf nan -1 9 '' [] {} [[a]] seed tries = 0x1 2020-01-01"


def config(_: str, folder: Path) -> Kind:
    spec = batch_class("shogun").spec
    return changed_words(CONFIG, WORDS), in_file(folder / "x.toml", lambda path: as_json(load_config(spec, path)))


def chat(_: str, folder: Path) -> Kind:
    return changed_words(MODEL, WORDS), in_file(folder / "m.toml", lambda path: load_settings(path, {}))


def table(name: str, folder: Path) -> Kind:
    own, chance = table_of(name, folder), random.Random(2)
    for _ in range(6):
        move(own, chance)
    path = folder / save_name(name, 5)

    def use(file: Path) -> None:
        again = Table.resume(file, GAMES[name])
        again.folder = None
        again.view(again.people[0])

    return changed_json(path.read_bytes()), in_file(path, use)


def thoughts(_: str, folder: Path) -> Kind:
    spec, path = batch_class("shogun").spec, folder / "1.shogun.thoughts.json"
    write_thoughts(path, spec, [Thought(3, 1, "deck", "why"), Thought(4, 0, "x", "")])
    return changed_json(path.read_bytes()), in_file(path, lambda file: read_thoughts(file, spec))


def run(_: str, folder: Path) -> Kind:
    whole = json.dumps({"config": {"game": "coins"}, "card": {"game": "coins"}, "signature": "1"}).encode()
    return changed_json(whole), in_file(folder / "run.json", lambda file: about_run(file.parent))


def progress(_: str, folder: Path) -> Kind:
    whole = b'{"decisions": 5, "win_share": {"random": 0.5}}\n' * 3
    return changed_lines(whole), in_file(folder / "progress.jsonl", lambda file: read_progress(file.parent))


def played_tournament(folder: Path) -> Path:
    """Play a small tournament in a folder, and return its journal."""
    variants = ({"num_players": 2},)
    played = Settings(game="shitenno", agents=("scripted", "random"), games=6, seed=1, variants=variants)
    tournament.run(folder, played)
    return folder / JOURNAL


def rate(history: History) -> None:
    ratings(history.games, history)


def journal(_: str, folder: Path) -> Kind:
    path = played_tournament(folder)
    return changed_lines(path.read_bytes()), in_file(path, lambda file: rate(History.at(file)))


def events(_: str, folder: Path) -> Kind:
    """The events of a journal whose hashes are right."""
    lines = [json.loads(line) for line in played_tournament(folder).read_bytes().splitlines()]
    whole = json.dumps([{key: value for key, value in line.items() if key != "chain"} for line in lines])

    def use(data: bytes) -> None:
        told = json_of(data)
        if not isinstance(told, list) or any(wrong(values) for values in told):
            raise ValueError("no events")
        rate(History.of(JournalEvent(values, "") for values in told))

    return changed_json(whole.encode()), use


def request(name: str, folder: Path) -> Kind:
    """A request as the lines of its environment and, after an empty line, its body."""
    pages = Pages()
    table = pages.house.add(table_of(name))
    base = pages.path(table.name)
    body = json.dumps({"version": 0, "action": table.draft(0).legal()[0]})
    lines = {
        "REQUEST_METHOD": "POST", "PATH_INFO": f"{base}choose", "QUERY_STRING": "version=0", "HTTP_HOST": "127.0.0.1:1",
        "HTTP_ACCEPT": "*/*", "CONTENT_LENGTH": str(len(body)), "CONTENT_TYPE": "application/json",
    }  # fmt: skip
    head = "".join(f"{key} {value}\n" for key, value in lines.items())
    words = f"GET POST PUT HEAD {base} {base}state {base}undo confirm hint localhost chunked text/html 0 -1 9999999"
    heads, bodies = changed_words(head, words), changed_json(body.encode())

    def use(data: bytes) -> None:
        head, _, body = data.partition(b"\n\n")
        given = dict(line.split(" ", 1) for line in head.decode("latin-1").split("\n") if " " in line)
        errors, status = io.StringIO(), []
        environ = {
            "REQUEST_METHOD": "GET", "PATH_INFO": "/", **given, "wsgi.input": io.BytesIO(body), "wsgi.errors": errors,
            "SERVER_NAME": "127.0.0.1", "SERVER_PORT": "1", "wsgi.url_scheme": "http", "SCRIPT_NAME": "",
            "SERVER_PROTOCOL": "HTTP/1.1",
        }  # fmt: skip
        while table.draft(0).chosen:
            table.undo(0)
        table.versions[0], table._changed_at[0], laid = 0, 0, dict(table.draft(0).laid)
        b"".join(pages.app(environ, lambda line, headers, *rest: status.append(line)))
        assert int(status[0][:3]) in (200, 302, 303, 403, 404, 405, 409), (status, errors.getvalue())
        assert errors.getvalue() == ""
        if int(status[0][:3]) != 200:
            assert table.draft(0).laid == laid
            raise ValueError(status[0])

    changed = st.one_of(
        heads.map(lambda head: head + b"\n\n" + body.encode()), bodies.map(lambda body: head.encode() + b"\n" + body)
    )
    return changed, use


KINDS: dict[str, tuple[Callable[[str, Path], Kind], str]] = {
    **{f"{make.__name__} of {name}": (make, name) for make in (position, record, table) for name in NAMES},
    **{make.__name__: (make, "") for make in (network, config, chat, thoughts, run, progress, journal, events)},
    "request": (request, "shogun"),
}


@pytest.fixture(scope="module")
def kind(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kind]:
    make, about = KINDS[request.param]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pictures, "is_available", lambda: False)  # they take longer than the games
        yield make(about, tmp_path_factory.mktemp("kind"))


@pytest.mark.full
@pytest.mark.parametrize("kind", KINDS, indirect=True)
@settings(max_examples=EXAMPLES**2 // 2)
@given(data=st.data())
def test_input__changed__is_refused_in_one_line_or_used(kind: Kind, data: Any):
    changes, use = kind
    changed = data.draw(changes)
    try:
        use(changed)
    except (ValueError, OSError) as error:
        text = str(error)
        assert text and len(text.splitlines()) == 1, repr(text)
