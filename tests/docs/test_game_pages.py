"""The page of each game in docs/ agrees with the game: sizes, blocks, action numbers, options, versions, bots."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from shogun_env.agents.scripted import STYLES
from shogun_env.batch.float_view import FloatView
from shogun_env.spec.game_spec import GameSpec
from tests.games import batch_class, each_game

ROOT = Path(__file__).resolve().parents[2]


def page_and_spec(name: str) -> tuple[str, GameSpec]:
    return (ROOT / "docs" / f"{name}.md").read_text("utf-8"), batch_class(name).spec


def rows_of(page: str, heading: str) -> list[list[str]]:
    """Return the rows of the table under a heading, without its head."""
    lines = re.findall(r"^\|(.*)\|$", page.split(f"## {heading}\n")[1].split("\n## ")[0], re.MULTILINE)
    return [[cell.strip() for cell in line.split("|")] for line in lines[2:]]


@each_game
def test_game_page__facts__are_those_of_the_game(name: str):
    page, spec = page_and_spec(name)
    facts = dict(re.findall(r"^\| (\w+) \| (.+?) \|$", page.split("## ")[0], re.MULTILINE))
    assert facts["players"].startswith(", ".join(map(str, spec.players)))
    assert facts["actions"].startswith(f"`Discrete({spec.n_actions})`")
    assert facts["observation"].startswith(f"{spec.obs_size:,} bytes")
    assert f" {FloatView(spec).size:,} float32 " in facts["observation"]
    assert facts["state"] == f"{spec.state_dtype.itemsize:,} bytes"
    assert re.findall(r"`(\w+)`", facts["rewards"]) == list(spec.rewards)
    assert facts["versions"] == f"rules {spec.rules_version}, observation {spec.obs_version}"
    assert f'"shogun_env/{name.capitalize()}-v0"' in page


@each_game
def test_game_page__observation__has_the_blocks_of_the_layout(name: str):
    page, spec = page_and_spec(name)
    shown = [(block.strip("`"), int(rows), int(features)) for block, rows, features, _ in rows_of(page, "Observation")]
    sizes = {block: sum(s.stop - s.start for s in spec.obs_layout if s.block == block) for block in spec.block_rows}
    assert shown == [(block, rows, sizes[block] // rows) for block, rows in spec.block_rows.items()]


@each_game
def test_game_page__actions__are_all_there_once(name: str):
    page, spec = page_and_spec(name)
    listed: list[int] = []
    for numbers, _ in rows_of(page, "Actions"):
        first, *last = map(int, numbers.split("–"))
        listed += range(first, (last[0] if last else first) + 1)
    assert listed == list(range(spec.n_actions))


@each_game
def test_game_page__options__are_those_of_play_default_first(name: str):
    page, spec = page_and_spec(name)
    rows = {option.strip("`"): values for option, values in rows_of(page, "Options")}
    assert list(rows) == list(spec.option_defaults)
    for option, values in rows.items():
        words = [word.strip("` ") for word in re.split(r"[,:]", values)]
        assert words[0] == str(spec.option_defaults[option])
        assert {str(choice) for choice in spec.option_choices[option]} <= set(words)


@each_game
def test_game_page__styles_of_the_bot__are_those_there_are(name: str):
    page, _ = page_and_spec(name)
    styles = re.search(r"`scripted` in the styles ([^;]+);", page)
    assert styles is not None
    assert set(re.findall(r"`(\w+)`", styles[1])) == set(STYLES[name])


@pytest.mark.parametrize("name", ["shogun", "shitenno"])
def test_game_page__rulings_and_records__are_linked(name: str):
    page, _ = page_and_spec(name)
    assert f"(../shogun_env/{name}/RULES.md)" in page
    assert f"(../shogun_env/{name}/RECORD.md)" in page
