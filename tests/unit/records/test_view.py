"""The page of a record: it needs nothing else, and holds all lines and boards."""

import html.parser
import json
from pathlib import Path

import pytest

from shogun_env.__main__ import main
from shogun_env.records import read_record
from shogun_env.records.frames import frames_of, parts_at
from shogun_env.records.record import RecordError
from shogun_env.records.story import raw_words
from shogun_env.records.view import html_page, unpacked
from shogun_env.review.analysis import turning_points
from shogun_env.shogun import Batch as Shogun
from tests.games import batch_class, each_game
from tests.pages import declared
from tests.refusals import refusal


class Page(html.parser.HTMLParser):
    """What a page holds: texts by element, and all attributes that could fetch something."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.texts: dict[str, str] = {}
        self.fetched: list[str] = []
        self.at = ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.at = dict(attrs).get("id") or tag
        self.fetched += [value for name, value in attrs if name in ("src", "href", "action")]

    def handle_data(self, data):
        self.texts[self.at] = self.texts.get(self.at, "") + data


PAGES = {
    "shogun": (("--players", "3", "--start", "draft"), "takes a province card", "Shogun, year 2, winter: over"),
    "shitenno": (("--players", "3"), "round 0", ": over; player "),
}
"""Options of a game, what its first board says, what its last."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a record of each game and its page."""
    folder = tmp_path_factory.mktemp("pages")
    for name, (options, *_) in PAGES.items():
        main(["record", "--out", str(folder), "--game", name, "--seed", "7", *options])
        main(["view", str(folder / f"7.{name}.jsonl")])
    return folder


def page_of(name: str, folder: Path) -> Page:
    return Page((folder / f"7.{name}.html").read_text("utf-8"))


@each_game
def test_view__page__needs_nothing_else(name, folder):
    page = page_of(name, folder)
    assert [place for place in page.fetched if not place.startswith("data:")] == []
    assert f"{batch_class(name).spec.title}, 3 players, seed 7" in page.texts["title"]


@each_game
def test_view__frames__hold_all_lines_once_and_the_board_after_them(name, folder):
    data = unpacked(page_of(name, folder).texts["frames"])
    lines = read_record(folder / f"7.{name}.jsonl", batch_class(name).spec)
    _, first, last = PAGES[name]
    frames = data["frames"]
    assert [raw for frame in frames for raw, _ in frame["lines"]] == [raw_words(line) for line in lines[1:]]
    assert [frame["first"] for frame in frames[:1]] == [2]
    assert first in parts_at(data, 0)["line-0"]
    assert last in parts_at(data, len(frames) - 1)["line-0"]
    winners = lines[-1].get("winners", [lines[-1].get("winner")])
    assert all(f"player {player}" in parts_at(data, len(frames) - 1)["line-0"] for player in winners)


def test_view__data__are_those_that_the_script_declares(folder):
    data = unpacked(page_of("shogun", folder).texts["frames"])
    assert set(data) == declared("view.js", "Data")
    assert {name for frame in data["frames"] for name in frame} == declared("view.js", "Frame")
    throws = [throw for frame in data["frames"] for throw in frame.get("throws", [])]
    assert {name for throw in throws for name in throw} == declared("events.js", "Throw")


def test_view__text_that_looks_like_html__stays_text(tmp_path):
    batch = batch_class("shitenno")(1, record=True, seed=1)
    batch.play(["random"] * 4)
    path = tmp_path / "game.shitenno.jsonl"
    texts = [json.dumps(line) for line in batch.records(agents=["</script><b>", "&amp;", "<i>", "'\""])[0]]
    path.write_text("\n".join(texts))
    main(["view", str(path), "--out", str(tmp_path / "page")])
    page = Page((tmp_path / "page").read_text("utf-8"))
    assert "P0 (</script><b>), P1 (&amp;), P2 (<i>) and P3 ('\")." in page.texts["p"]
    assert "b" not in page.texts


@pytest.mark.parametrize("told_of", [html_page, frames_of, turning_points])
def test_page__of_a_record_without_the_fight_of_a_throw__is_refused_by_its_line(told_of):
    batch = Shogun(1, num_players=3, seed=7, record=True)
    batch.play(["random"] * 3)
    lines = batch.records()[0]
    throw = next(index for index, line in enumerate(lines) if line["t"] == "fight")
    for damaged in (lines[:throw] + lines[throw + 1 :], lines[:throw]):
        with pytest.raises(RecordError, match=f"line {throw + 1}"):
            told_of(Shogun, damaged)


def test_view__record_whose_name_is_that_of_its_page__is_not_written_over(folder, tmp_path, capsys):
    (odd := tmp_path / "odd.html").write_bytes(content := (folder / "7.shitenno.jsonl").read_bytes())
    for arguments in ([], ["-o", str(odd)]):
        assert f"{odd}: is what is read" in refusal(capsys, "view", str(odd), *arguments)
        assert odd.read_bytes() == content
    main(["view", str(odd), "-o", str(tmp_path / "page.html")])


def test_page__agents_named_like_parts_of_a_page__are_named(folder):
    header, *lines = read_record(folder / "7.shitenno.jsonl", batch_class("shitenno").spec)
    page = html_page(batch_class("shitenno"), [{**header, "agents": ["{{frames}}", "{{words}}", "{{rules}}"]}, *lines])
    assert "agents [{{frames}}, {{words}}, {{rules}}]" in page
    assert len(page) < 1.1 * len(html_page(batch_class("shitenno"), [header, *lines]))
