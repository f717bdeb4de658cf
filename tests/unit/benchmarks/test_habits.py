"""What bots play like: counted from records, compared with the state of the game and with known players."""

import json
from dataclasses import replace

import numpy as np

from shogun_env.benchmarks.habits import OPPONENT, SEEDS_AT_ONCE, Settings, habits_of, habits_table
from shogun_env.cli import batch_class
from shogun_env.commands import run_command
from tests.games import each_game


@each_game
def test_habits__of_random_games__agree_with_the_states_at_their_ends(name: str):
    batch = batch_class(name)(12, num_players=3, seed=5, record=True)
    batch.play(["random"] * 3)
    spec = batch.spec
    for row, lines in enumerate(batch.records()):
        habits = {words: count for words, (count, _) in spec.record_format.habits(lines).items()}
        points = np.sum([count for words, count in habits.items() if words.startswith("points for ")], axis=0)
        assert points.tolist() == batch.points[row].tolist(), "points by source add up to those of the game"
        g = batch.games[row]
        if name == "shogun":
            assert habits["chests left at the end"] == g["chests"][:3].tolist()
            assert sum(habits["provinces at the end"]) == (g["owner"] < 3).sum() - (g["owner"] < 0).sum()
        else:
            assert sum(habits["placements"]) == sum(line["t"] == "control" for line in lines)


@each_game
def test_measure__any_bots__gives_the_same_with_other_threads_and_in_parts(name: str):
    batch_type, games = batch_class(name), 2 * (SEEDS_AT_ONCE + 3)
    options = {"num_players": min(batch_type.spec.players)}
    settings = Settings(game=name, against="random", options=options, games=games, seed=3, threads=1)
    own, others, played = habits_of(settings, "random")
    assert (own, others, played) == habits_of(replace(settings, threads=2), "random")
    assert habits_of(replace(settings, games=1), "random")[2] == 6 * options["num_players"]
    assert own.keys() == others.keys()
    far = [words for words in own if abs(own[words][0] - others[words][0]) > 3 * (own[words][1] + others[words][1])]
    assert far == [], "copies of one bot do the same"


def test_measure__scripted_against_random__shows_what_sets_them_apart():
    own, others, _ = habits_of(Settings(game="shogun", against="random", games=80, threads=1), "scripted")
    assert own["castles built in year 1"][0] > others["castles built in year 1"][0] + 0.5
    assert own["actions skipped that could not be paid"][0] < others["actions skipped that could not be paid"][0]
    assert own["games won by the sole leader after year 1"][0] > 0.9


def test_habits__command__marks_differences_and_writes_its_figures(tmp_path, capsys):
    path = tmp_path / "habits.json"
    arguments = ["--game", "shitenno", "--agents", "scripted,random", "--against", "random", "--games", "40"]
    assert run_command("habits", [*arguments, "--json", str(path)]) == 0
    out, figures = capsys.readouterr().out, json.loads(path.read_text())
    assert list(figures["habits"]) == ["scripted", "random", OPPONENT]
    assert out == habits_table(figures) and "\n*40 games of each bot; " in out
    row = next(line for line in out.splitlines() if line.startswith("| points for placements "))
    assert row.split("|")[-2].strip() == "more"
