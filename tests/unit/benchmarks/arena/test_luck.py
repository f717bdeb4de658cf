"""Luck: it changes no game, its mean is 0 whatever the worth, and subtracting it narrows the intervals."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from shogun_env.benchmarks import tournament
from shogun_env.benchmarks.arena import luck
from shogun_env.benchmarks.arena.arena import Arena
from shogun_env.benchmarks.arena.luck import DRAWS, ROUNDS, LuckFinder, Subtraction, subtraction, value_hash
from shogun_env.benchmarks.arena.referee import Referee
from shogun_env.benchmarks.arena.seating import Seating
from shogun_env.benchmarks.arena.standings import comma_separated, leaderboard, standings
from shogun_env.policies import make_agent
from shogun_env.shitenno import SHITENNO
from shogun_env.shogun import SHOGUN, Batch
from tests.refusals import refusal

pytestmark = pytest.mark.usefixtures("no_pictures")

THREE = {"num_players": 3}
VALUE = value_hash(SHOGUN)


class Asked:
    """A compiled bot that is asked from Python, and says so or not."""

    def __init__(self, name, replayable=True):
        self.act = make_agent(name, SHOGUN).act
        self.replayable = replayable


def lucky_games(names, events, games, repeats=2, seed=1, players=3, **more):
    arena = Arena(Batch, {"num_players": players}, luck=Subtraction(events, repeats, VALUE), **more)
    return list(arena.play(names, games=games, seed=seed))


def luck_in(names, events, batch_size, repeats=1, first=10_000):
    """Shares of the win and luck of the first agent of a table of three in many games: float64[n] each."""
    agents = [make_agent(name, SHOGUN) for name in dict.fromkeys(names)]
    rotations = np.arange(batch_size) % 3
    seats = np.array([[list(dict.fromkeys(names)).index(names[(k + r) % 3]) for k in range(3)] for r in rotations])
    batch = Batch(batch_size, seed=first, reward="win", **THREE)
    keys = [str(first + row) for row in range(batch_size)]
    found = LuckFinder(batch, agents, seats.astype(np.int8), Subtraction(events, repeats, VALUE), keys).play()
    player = -rotations % 3
    rows = np.arange(batch_size)
    return (batch.returns[rows, player] * 2 + 1) / 3, found[rows, player]


@pytest.mark.parametrize("events", [ROUNDS, DRAWS])
def test_luck__found_or_not__same_games_and_nobody_gains_what_nobody_loses(events):
    names = ["scripted", "random", "random"]
    plain = list(Arena(Batch, THREE).play(names, games=6, seed=1))
    found = lucky_games(names, events, games=6)
    assert [replace(result, luck=None) for result in found] == plain
    for result in found:
        assert result.luck is not None
        assert sum(result.luck) == pytest.approx(0, abs=1e-5)
        assert max(map(abs, result.luck)) > 0.01


@pytest.mark.parametrize("events", [ROUNDS, DRAWS])
def test_luck__of_games_among_others_or_asked_from_python__is_the_same(events):
    names = ["scripted", "random", "random"]
    games = lucky_games(names, events, games=4)
    asked = lucky_games(names, events, games=1, seed=2, agents={"scripted": Asked("scripted")})
    assert [result.luck for result in asked] == [result.luck for result in games[3:]]
    assert all(result.faults == [{}] * 3 for result in asked)


@pytest.mark.parametrize(
    ("events", "names", "games", "repeats", "error"),
    [
        (ROUNDS, ["scripted", "random", "random"], 240, 1, 0.04),
        (DRAWS, ["random", "scripted", "scripted"], 60, 4, 0.012),
    ],
)
def test_luck__of_a_bot_among_stronger_or_weaker_ones__has_mean_zero(events, names, games, repeats, error):
    """Were other bots to play the rounds again, or to play out either side only, skill would be called luck."""
    won, found = luck_in(names, events, games, repeats)
    assert abs(won.mean() - (names[0] == "scripted")) < 0.2
    assert found.std() / games**0.5 < error
    assert abs(found.mean()) < 3.5 * found.std() / games**0.5


@pytest.mark.full
def test_luck__subtracted__halves_the_variance_between_equal_bots():
    won, found = luck_in(["scripted", "scripted:style=builder", "scripted:style=turtle"], ROUNDS, 120, repeats=6)
    rest = won - found
    assert np.var(rest) < 0.7 * np.var(won)


@pytest.mark.slow
@pytest.mark.parametrize(("events", "games"), [(ROUNDS, 100_000), (DRAWS, 20_000)])
def test_luck__many_games_of_random_bots__has_mean_zero_in_every_seat(events, games):
    """``python -m pytest -rP`` prints the means."""
    size = 1000
    seats = np.zeros((size, 3), np.int8)
    parts = []
    for first in range(0, games, size):
        batch = Batch(size, seed=50_000 + first, reward="win", **THREE)
        keys = [str(first + row) for row in range(size)]
        parts.append(
            LuckFinder(batch, [make_agent("random", SHOGUN)], seats, Subtraction(events, 1, VALUE), keys).play()
        )
    found = np.concatenate(parts)
    errors = found.std(0) / games**0.5
    print(f"{events}, {games} games: mean luck by seat {found.mean(0).round(5)}, standard errors {errors.round(5)}")
    assert (np.abs(found.mean(0)) < 4 * errors).all()


def test_chances__sum_to_one_and_a_win_is_a_win():
    batch = Batch(6, seed=3, **THREE)
    batch.play(["random"], 0, until="round")
    weights = luck.value_of(SHOGUN, 3)
    between = luck.chances(batch, weights, np.ones(6, np.int64))
    assert between.sum(1) == pytest.approx(np.ones(6))
    assert (between > 0).all() and (between.max(1) < 1).all()
    batch.play(["random"], 0)
    over = luck.chances(batch, weights, np.full(6, 6))
    assert over.tolist() == ((batch.returns * 2 + 1) / 3).round(3).tolist()


def test_luck__faults_of_repeats__are_not_counted():
    class Late(Asked):
        """Answers what is illegal where it is asked with others, as in repeats of its only game."""

        def act(self, view, rng):
            return view.masks.argmin(1) if len(view.rows) > 1 else view.masks.argmax(1)

    bot = Late("random")
    bot.act = Late.act.__get__(bot)
    batch = Batch(1, seed=4, reward="win", **THREE)
    referee = Referee(bot, 1, 3)
    LuckFinder(batch, [referee, make_agent("random", SHOGUN)], np.array([[0, 1, 1]], np.int8),
               Subtraction(ROUNDS, 3, VALUE), ["a"]).play()  # fmt: skip
    assert referee.asked.sum() > 10
    assert referee.faults.sum() == 0


# --- settings and tables ---------------------------------------------------------------------------------------------


def test_subtraction__what_cannot_be_done__is_refused():
    with pytest.raises(ValueError, match="luck cannot be subtracted in shitenno"):
        subtraction(SHITENNO, ROUNDS)
    for how, says in (
        (Subtraction("years", 2, VALUE), "luck by 'years': must be rounds or draws"),
        (Subtraction(ROUNDS, 0, VALUE), "repeats=0: must be at least 1"),
        (Subtraction(ROUNDS, 2, "0" * 64), "the fitted value is not the one that these settings were made with"),
    ):
        with pytest.raises(ValueError, match=says):
            Arena(Batch, THREE, luck=how)
    with pytest.raises(ValueError, match="luck by rounds: silent does not say that it is replayable"):
        lucky_games(["silent", "random", "random"], ROUNDS, 3, agents={"silent": Asked("random", replayable=False)})


def test_standings__with_luck__next_to_the_plain_share():
    names = ["scripted", "random", "random"]
    table = standings(lucky_games(names, ROUNDS, games=9))
    first = table[0]
    assert first.without_luck is not None
    assert first.without_luck[1] <= first.without_luck[0] <= first.without_luck[2]
    games = lucky_games(names, ROUNDS, games=9)
    own = [(g.win[g.agents.index("scripted")], g.luck[g.agents.index("scripted")]) for g in games]
    assert first.win_share == pytest.approx(np.mean([won for won, _ in own]))
    assert first.without_luck[0] == pytest.approx(np.mean([won - lucky for won, lucky in own]))
    assert leaderboard(table)[0][2:5] == ["win share", "95 % interval", "luck subtracted"]
    assert comma_separated(table).splitlines()[0].endswith("variant,without_luck,without_luck_low,without_luck_high")
    plain = standings([replace(game, luck=None) for game in games])
    assert [row._replace(without_luck=None) for row in table] == plain
    assert "luck subtracted" not in leaderboard(plain)[0]
    assert Seating("3 players", tuple(names), 1, 0) in {game.seating for game in games}


@pytest.mark.full
def test_tournament__luck__is_in_the_settings_and_another_folder_is_needed_without(tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(luck.REPEATS, DRAWS, 2)
    bots = ["--agents", "scripted,random,random", "--players", "3", "--threads", "1", "--out", str(tmp_path / "t")]
    assert tournament.main([*bots, "--games", "3", "--subtract-luck", "draws"]) == 0
    assert "luck subtracted" in capsys.readouterr().out
    settings = json.loads((tmp_path / "t" / "settings.json").read_text())
    assert settings["luck"] == {"events": "draws", "repeats": 2, "value": VALUE}
    assert '"luck":[' in (tmp_path / "t" / "results.jsonl").read_text()
    assert "holds another tournament (luck: " in refusal(capsys, tournament.main, *bots, "--games", "3")
    silent = ["--agents", "tests/unit/benchmarks/arena/zoo.py:honest,random,random", "--subtract-luck", "rounds"]
    assert "does not say that it is replayable" in refusal(capsys, tournament.main, *bots, *silent)
    shitenno = ["--game", "shitenno", "--agents", "scripted,random", "--players", "2", "--subtract-luck", "draws"]
    assert "luck cannot be subtracted in shitenno" in refusal(capsys, tournament.main, *shitenno)
