"""The page of each game in docs/ agrees with the game: sizes, blocks, action numbers, options, versions, bots."""

import importlib
import inspect
import re
from typing import Any

from gymnasium.vector import AutoresetMode

from shogun_env import envs
from shogun_env.batch.float_view import FloatView
from shogun_env.envs.base import CHOICES
from shogun_env.spec.game_spec import GameSpec
from tests.games import batch_class, each_game
from tests.tree import ROOT


def page_and_spec(name: str) -> tuple[str, GameSpec]:
    return (ROOT / "docs" / f"{name}.md").read_text("utf-8"), batch_class(name).spec


def rows_of(page: str, heading: str) -> list[list[str]]:
    """Return the rows of the table under a heading, without its head."""
    lines = re.findall(r"^\|(.*)\|$", page.split(f"## {heading}\n")[1].split("\n## ")[0], re.MULTILINE)
    rows = [[cell.strip() for cell in line.split("|")] for line in lines]
    marks = [index for index, row in enumerate(rows) if set(row[0]) == {"-"}]
    return [row for index, row in enumerate(rows) if index not in marks and index + 1 not in marks]


def accepted_values(name: str) -> dict[str, list[Any]]:
    """Return the values that the code accepts for each option of the environments; none where they are many."""
    v0, spec = importlib.import_module(f"shogun_env.{name}_v0"), batch_class(name).spec
    makers = [v0.parallel_env, *(getattr(v0, each) for each in v0.__all__ if each[0].isupper())]
    options = {option: p.default for make in makers for option, p in inspect.signature(make).parameters.items()}
    flags = {option: (True, False) for option, default in options.items() if isinstance(default, bool)}
    few = {**spec.option_choices, **flags, **CHOICES, "reward": spec.rewards, "autoreset_mode": AutoresetMode}
    return {option: [getattr(value, "name", value) for value in few.get(option, ())] for option in options}


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


@each_game
def test_game_page__observation__has_the_blocks_of_the_layout(name: str):
    page, spec = page_and_spec(name)
    shown = [(block.strip("`"), int(rows), int(features)) for block, rows, features, _ in rows_of(page, "Observation")]
    sizes = {block: sum(s.stop - s.start for s in spec.obs_layout if s.block == block) for block in spec.block_rows}
    assert shown == [(block, rows, sizes[block] // rows) for block, rows in spec.block_rows.items()]


@each_game
def test_game_page__rows_with_names__are_all_there_in_order(name: str):
    """The order of the eleven spaces stood nowhere."""
    page, spec = page_and_spec(name)
    text = page.split("Rows have names, ")[1].split(".\n")[0].split("`: ")[1]
    shown = {words[0]: words[1:] for part in text.split("; ") if (words := re.findall(r"`(\w+)`", part))}
    for block, rows in shown.items():
        assert not rows or rows == list(spec.row_names[block])
    assert {*shown, "table"} == set(spec.row_names)


@each_game
def test_game_page__options__are_all_there_with_every_value_default_first(name: str):
    page, spec = page_and_spec(name)
    of_play = {option.strip("`"): values for option, values, _ in rows_of(page, "Options")}
    shared = (ROOT / "docs" / "environments.md").read_text("utf-8")
    rows = of_play | {option.strip("`"): values for option, values, _ in rows_of(f"## Options\n{shared}", "Options")}
    accepted = accepted_values(name)
    assert set(rows) == set(accepted)
    assert list(of_play) == list(spec.option_defaults)
    assert "(environments.md)" in page
    for option, values in rows.items():
        words = [word.strip("` ") for word in values.split(",")]
        assert {str(value) for value in accepted[option]} <= set(words), option
        if option in spec.option_defaults:
            assert words[0] == str(spec.option_defaults[option])


@each_game
def test_environments__docstring_of_the_module__has_every_option_with_every_value(name: str):
    v0, spec = importlib.import_module(f"shogun_env.{name}_v0"), batch_class(name).spec
    text = inspect.getdoc(v0)
    documented = f"{text}\n{inspect.getdoc(envs)}"
    entries = dict(re.findall(r"^    (\w+): (.*(?:\n {8}.*)*)", documented, re.MULTILINE))
    accepted = {**accepted_values(name), "reward": []}  # whose values are under "Rewards"
    assert set(entries) == set(accepted)
    for option, words in entries.items():
        assert {str(value) for value in accepted[option]} <= set(re.findall(r"\w+", words)), option
    assert f"`Discrete({spec.n_actions})`" in text
    assert f"`float32[{FloatView(spec).size}]`" in text
    rewards = text.split("## Rewards\n")[1].split("\n## ")[0]
    assert re.findall(r"^- ``(\w+)``", rewards, re.MULTILINE) == list(spec.rewards)
