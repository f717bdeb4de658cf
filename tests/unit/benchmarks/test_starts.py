"""What start positions are worth among equal bots: the printed rows are not equal, and fair options are."""

import json

import numpy as np
import pytest

from shogun_env.benchmarks.starts import AGAIN, Settings, _apart, starts_of, table
from shogun_env.cli import batch_class
from shogun_env.commands import run_command
from shogun_env.policies import Bot, View, register_agent
from tests.games import each_game


def test_measure__printed_table_of_five__gives_the_first_row_more_than_all_others_and_random_starts_do_not():
    settings = Settings(game="shogun", games=500, threads=1)
    printed = starts_of(settings, "scripted", {"num_players": 5})
    fair = starts_of(settings, "scripted", {"num_players": 5, **batch_class("shogun").spec.fair})
    assert list(printed["by_position"]) == [f"row {row} of the start table" for row in range(1, 6)]
    assert list(printed["by_position"].values()) == printed["by_player"]
    assert printed["by_player"][0][0] > 0.4
    assert fair["by_position"] == {}
    assert max(abs(share - 0.2) / half for share, half in fair["by_player"]) < 2.5
    assert fair["spread"] < printed["spread"]


@each_game
def test_measure__any_bots_and_start__shares_the_win_and_repeats_itself(name: str):
    spec = batch_class(name).spec
    one, two = (Settings(game=name, games=40, seed=3, threads=threads) for threads in (1, 2))
    for start in spec.option_choices.get("start", [None]):
        options = {"num_players": 3, **({"start": start} if start else {})}
        measured = starts_of(one, "random", options)
        assert sum(share for share, _ in measured["by_player"]) == pytest.approx(1)
        assert starts_of(two, "random", options) == measured


class Memory(Bot):
    """Notes the games that have begun, and whether it is asked in another."""

    def __init__(self) -> None:
        self.begun: set[int] = set()
        self.calls: list[int] = []

    def begin(self, rows: np.ndarray) -> None:
        self.calls.append(len(rows))
        self.begun.update(rows.tolist())

    def act(self, view: View, rng: np.ndarray) -> np.ndarray:
        assert self.begun >= {*view.rows.tolist()}
        return view.masks.argmax(1)


def test_measure__bot_that_remembers__is_told_that_games_begin_before_their_set_up_and_before_they_are_played_on():
    """A draft bot took what it had drafted in one game for its provinces in another."""
    bot = Memory()
    register_agent("memory", lambda game_spec: bot)
    settings = Settings(game="shogun", games=30, threads=1)
    starts_of(settings, "memory", {"num_players": 3, "side": "moon", "start": "draft"})
    assert bot.calls == [6, 30]


def test_apart__of_known_chances__is_theirs_and_not_that_of_few_games():
    rng = np.random.default_rng(1)
    true = np.tile([0.5, 0.3, 0.2], (4000, 1))
    won = np.eye(3)[np.array([rng.choice(3, AGAIN, p=row) for row in true])]
    spread, half = _apart(won.mean(1), won.var(1, ddof=1) / AGAIN)
    assert spread == pytest.approx(np.std([0.5, 0.3, 0.2]), abs=2 * half)
    assert half < 0.02


def test_starts__command__prints_its_tables(tmp_path, capsys):
    path = tmp_path / "starts.json"
    arguments = ["--game", "shitenno", "--agents", "random,scripted", "--players", "2,3", "--games", "20"]
    assert run_command("starts", [*arguments, "--json", str(path)]) == 0
    out = capsys.readouterr().out
    figures = json.loads(path.read_text())
    assert [(cell["agent"], cell["options"]) for cell in figures["starts"]][:2] == [
        ("random", {"num_players": 2}),
        ("scripted", {"num_players": 2}),
    ]
    assert out == table(figures)
    assert {cell["games"] for cell in figures["starts"]} == {30}, "six set-ups at least, and what was played"
    assert "Daimyō/Shōmyō/Sensei/Hatamoto" in out
    assert out.count("\n| as usual ") == 6
