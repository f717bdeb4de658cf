"""Type checkers and readers see the keywords of the public classes, with their types and defaults."""

import inspect
import re
import shutil
import sys
from pathlib import Path
from typing import Any, get_args

import pytest

from shogun_env.envs.base import CHOICES
from tests.api.environments import module
from tests.games import batch_class, each_game
from tests.tree import ROOT, run

BLOCKS = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)
"""The README's own lines, which are right, too."""
RIGHT = """
shogun_v0.parallel_env(num_players=5, side="moon", start="draft", tower=(2, 0.2, 0.05, 0.0), reward="points").look()
shogun_v0.raw_env(tower="one_shot", render_mode="rgb_array", max_cycles=100, record=True).unwrapped.record()
shogun_v0.parallel_env().unwrapped.batch.points
shogun_v0.env(num_players=3, mask="info").unwrapped.batch.points
shogun_v0.ShogunEnv(opponents=["scripted", "random", "random"], learner_seat="rotate", observation="entities").reset()
shogun_v0.ShogunVectorEnv(8, opponents="random", autoreset_mode="NEXT_STEP", render_mode="ansi").action_masks()
shogun_v0.ShogunEnv(opponents={"scripted": 0.5, "random": 0.5}, info_text=False).reset()
shitenno_v0.env(num_players=2, illegal_action="raise", static_columns=False, board_features=True).unwrapped
shogun.Game(7, num_players=3, optional_moves=True).play("Izu")
shogun.Game(position="shogun/1", seed=3).undo()
shitenno.Game(seed=7, num_players=2)
shogun.Batch(10, num_players=3, tower=shogun.Tower(1, 0.1, 0.1, 0.1), shuffle_seats=True).play(["random"] * 3)
shogun.Batch(10).play([compiled_policy("scripted", shogun.Batch.spec), "random", "random", "random"])
make_agent("scripted", shitenno.Batch.spec).act
"""
WRONG = """
shogun_v0.parallel_env(num_player=4)
shogun_v0.parallel_env(side="dark")
shogun_v0.raw_env(num_players="four")
shogun_v0.env(num_players="four")
shogun_v0.env(num_player=4)
shitenno_v0.env(reward="points")
shitenno_v0.parallel_env(side="moon")
shitenno_v0.ShitennoEnv(mask="nowhere")
shogun_v0.ShogunEnv(opponent="random")
shogun_v0.ShogunVectorEnv(8, record=True)
shogun_v0.ShogunEnv(info_text="no")
shogun_v0.ShogunVectorEnv(8, render_mode="human")
shogun.Game(sed=1)
shitenno.Game(side="moon")
shogun.Batch(10, players=4)
shogun.Batch(10, start="late")
shogun_v0.env().unwrapped.batch.nothing
shitenno_v0.parallel_env().batch.nothing
"""
IMPORTS = """from shogun_env import shitenno, shitenno_v0, shogun, shogun_v0
from shogun_env.policies import compiled_policy, make_agent
"""


@pytest.mark.full
@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_type_checker__readme_and_keywords_of_public_classes__refuses_the_wrong_ones_only(checker: str, tmp_path: Path):
    program = shutil.which(checker, path=str(Path(sys.executable).parent)) or shutil.which(checker)
    if program is None:
        pytest.skip(f"{checker} is not installed")
    source = IMPORTS + RIGHT + WRONG
    (tmp_path / "calls.py").write_text(source, "utf-8")
    for number, block in enumerate(BLOCKS):
        (tmp_path / f"readme_{number}.py").write_text(f"# pyright: strict\n{block}", "utf-8")
    result = run(program, *tmp_path.iterdir())  # mypy is strict by pyproject.toml
    refused = {(file, int(line)) for file, line in re.findall(r"(\w+)\.py:(\d+):.*\berror:", result.stdout)}
    lines = source.splitlines()
    assert {file for file, _ in refused} == {"calls"}, result.stdout
    assert [lines[number - 1] for _, number in sorted(refused)] == WRONG.strip().splitlines(), result.stdout


def classes(name: str) -> dict[str, Any]:
    """Return by name what makes an environment or a batch of a game."""
    return {**{each: getattr(module(name), each) for each in module(name).__all__}, "Batch": batch_class(name)}


@each_game
def test_types__options_with_a_few_values__allow_those_that_the_code_accepts(name: str):
    spec = batch_class(name).spec
    accepted = {**{option: set(values) for option, values in spec.option_choices.items()}, "reward": set(spec.rewards)}
    accepted |= {option: set(values) - {None} for option, values in CHOICES.items()}
    for kind, make in classes(name).items():
        shown = {each.name: each.annotation for each in inspect.signature(make).parameters.values()}
        assert "num_players" in shown and not any(isinstance(hint, str) and "Unpack" in hint for hint in shown.values())
        for option, hint in shown.items():
            words = {word for part in [hint, *get_args(hint)] for word in get_args(part) if isinstance(word, str)}
            if option in accepted and words:
                one_game_only = {"human"} if kind.endswith("VectorEnv") else set()
                assert words == {value for value in accepted[option] if isinstance(value, str)} - one_game_only
