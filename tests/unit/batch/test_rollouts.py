"""Whole plans, stages, redeals with plans by policies, and rollouts."""

from typing import Any

import numpy as np
import pytest

from shogun_env.agents.scripted.shogun.kernel import scripted
from shogun_env.batch.batch import Batch
from shogun_env.batch.rollout_loops import copy_rngs
from shogun_env.batch.rollouts import Worth, replan, roll_out
from shogun_env.kernel.jit import Policy
from shogun_env.policies import View, make_agent
from shogun_env.shitenno import SHITENNO
from shogun_env.shitenno import Batch as Shitenno
from shogun_env.shitenno import board as shitenno_board
from shogun_env.shogun import SHOGUN
from shogun_env.shogun import Batch as Shogun
from shogun_env.shogun import board as shogun_board
from shogun_env.shogun import constants as c
from tests.games import FEW, KINDS, batch_class, each_game, play_on

NUMBERS = make_agent("scripted", SHOGUN).compiled[1]
PLANNED = (scripted, NUMBERS)
BY_SPACE = (Policy(scripted.function), NUMBERS)
"""The same bot without its planner."""
BY_VALUES = Worth(weights=np.ones((7, len(SHOGUN.engine.value_names))) / 10)


def deciders(batch: Batch) -> np.ndarray:
    return np.where(batch.over, 0, batch.player)


def positions(name: str, options: dict[str, Any], games: int = 6) -> list[Batch]:
    """Return copies of a batch at several times of random play."""
    batch = batch_class(name)(games, seed=11, **options)
    return [batch.take() for _ in play_on(batch, 1, 60)][::25]


@pytest.mark.parametrize("options", KINDS["shogun"][:FEW], ids=str)
def test_planner__whole_games__are_those_of_asking_space_by_space(options):
    planned, by_space = Shogun(8, seed=5, **options), Shogun(8, seed=5, **options)
    planned.play([PLANNED], 0)
    by_space.play([BY_SPACE], 0)
    assert planned.over.all() and (planned.games == by_space.games).all()
    assert (planned.decisions == by_space.decisions).all()


def test_planner__cards_laid_by_somebody_else__planning_goes_on_as_space_by_space():
    planned = Shogun(8, seed=6)
    for _ in range(18):
        planned.step(planned.legal.argmax(1))
    planned.play([PLANNED], 0, until="plan")
    assert (planned.games["phase"] != c.PLAN).all() and not planned.check().any()


def test_play_until__stages__stops_at_the_first_decision_after_each():
    batch = Shogun(6, seed=2)
    batch.play([PLANNED], 0, until="plan")
    assert (batch.phase == c.TAKE_SPECIAL).all()
    batch.play([PLANNED], 0, until="round")
    assert (batch.phase == c.PLAN).all() and (batch.games["season"] == 1).all()
    batch.play([PLANNED], 0, until="year")
    assert (batch.phase == c.PLAN).all() and (batch.games["year"] == 2).all() and (batch.games["season"] == 0).all()
    batch.play([PLANNED], 0, until="year")
    assert batch.over.all()


@each_game
def test_play_until__rounds_to_the_end__same_games_as_without(name: str):
    whole, stepwise = batch_class(name)(6, seed=2), batch_class(name)(6, seed=2)
    whole.play(["random"], 0)
    while not stepwise.over.all():
        before = stepwise.decisions.sum()
        stepwise.play(["random"], 0, until="round")
        assert stepwise.decisions.sum() > before
    assert (whole.games == stepwise.games).all()


def test_play_until__unknown_stage__names_those_of_the_game():
    with pytest.raises(ValueError, match="until='month': must be None or one of plan, round, year"):
        Shogun(1).play([PLANNED], 0, until="month")


@each_game
@pytest.mark.parametrize("bot", ["random", "scripted"])
def test_replan__any_position__is_valid_and_looks_the_same_to_the_player(name: str, bot: str):
    for options in KINDS[name][:FEW]:
        for batch in positions(name, options):
            observer = deciders(batch)
            before = batch.observe_for(observer).copy()
            replan(batch, observer, 3, [make_agent(bot, batch.spec).compiled], 0, spread=0.3)
            assert not batch.check().any()
            assert (batch.observe_for(observer) == before).all()


def test_replan__states_that_differ_in_what_is_hidden__same_result():
    for options in KINDS["shogun"][:FEW]:
        for batch in positions("shogun", options):
            observer, other = deciders(batch), batch.take()
            other.redeal(None, observer, 99)
            for one in (batch, other):
                replan(one, observer, 3, [PLANNED], 0, spread=0.3)
            assert (batch.games == other.games).all() and (batch.rngs == other.rngs).all()


def test_replan__in_planning__others_have_laid_what_the_bot_lays():
    batch = Shogun(5, seed=4)
    played = batch.take()
    played.play([PLANNED], 0, until="plan")
    while batch.games["space"][0] < 7:
        batch.step(batch.legal.argmax(1))
    observer = int(batch.player[0])
    replan(batch, observer, 3, [PLANNED], 0)
    for player in set(range(4)) - {observer}:
        filled = 8 if player < observer else 7
        assert (batch.games["plan"][:, player, :filled] == played.games["plan"][:, player, :filled]).all()


def test_replan__batch_with_records__is_refused():
    with pytest.raises(ValueError, match="keeps records"):
        replan(Shogun(1, record=True), 0, 1, [PLANNED], 0)


def test_roll_out__one_and_three_threads__equal_results_and_roots_unchanged():
    batch = Shogun(5, seed=1)
    before = batch.games.copy()
    root_of, seeds = np.arange(60) % 5, np.arange(60) // 5
    results = [
        roll_out(batch.take(num_threads=n), root_of, seeds, [PLANNED], 0, until="round", worth=BY_VALUES, spread=0.2)
        for n in (1, 3)
    ]
    assert (results[0] == results[1]).all() and (batch.games == before).all()
    assert np.allclose(results[0].sum(1), 0) and results[0].std() > 0


def test_roll_out__an_end_for_each_root__is_that_of_the_root_alone():
    batch = Shogun(3, seed=1)
    root_of, seeds, ends = np.arange(12) % 3, np.arange(12) // 3, ["round", None, "year"]
    together = roll_out(batch, root_of, seeds, [PLANNED], 0, until=ends, worth=BY_VALUES)
    for root, end in enumerate(ends):
        alone = roll_out(batch, root_of, seeds, [PLANNED], 0, until=end, worth=BY_VALUES)
        assert (together[root_of == root] == alone[root_of == root]).all()
        assert (together[root_of != root] != alone[root_of != root]).any()
    with pytest.raises(ValueError, match="until: 2 words for 3 roots"):
        roll_out(batch, root_of, seeds, [PLANNED], 0, until=ends[:2])


@pytest.mark.parametrize("until", ["round", None])
@pytest.mark.parametrize("stage", [None, "plan"])
def test_roll_out__candidates_in_a_row__same_results_as_apart(until, stage):
    batch = Shogun(3, seed=1)
    if stage is not None:
        batch.play([PLANNED], 0, until=stage)
    root_of, seeds = np.arange(36) // 12, np.arange(36) // 4 % 3
    actions = np.array([np.flatnonzero(batch.legal[root])[seed] for root, seed in zip(root_of, seeds, strict=True)])
    plans = np.tile(np.array([46, 47, 48, 49, 50, *range(1, 7)]), (36, 1))
    forced = {"plans": plans} if stage is None else {"actions": actions}
    order = np.random.default_rng(1).permutation(36)
    apart = roll_out(
        batch, root_of[order], seeds[order], [PLANNED], 0, until=until, worth=BY_VALUES, spread=0.2,
        **{name: values[order] for name, values in forced.items()},
    )  # fmt: skip
    in_a_row = roll_out(batch, root_of, seeds, [PLANNED], 0, until=until, worth=BY_VALUES, spread=0.2, **forced)
    assert (in_a_row[order] == apart).all()


@pytest.mark.full
@each_game
def test_roll_out__action_forced__is_worth_on_average_what_methods_of_a_batch_play(name: str):
    bot = make_agent("scripted", batch_class(name).spec).compiled
    roots = batch_class(name)(8, seed=4, num_players=3, reward="margin")
    roots.play([bot], 0, until="round")
    roots.play([bot], 0, until=roots.spec.engine.stages[0])
    jobs = np.array([(r, s, a) for r in range(8) for s in range(2) for a in np.flatnonzero(roots.legal[r])[:4]])
    worths = []
    for root, seed, action in jobs.tolist():
        game = roots.take([root])
        replan(game, game.player, seed, [bot], 0)
        game.step([action])
        while not game.over[0]:
            try:
                game.play([bot], 0)
            except ValueError:  # the bot has no legal answer to what was forced: the lowest action, as in a rollout
                game.step(game.legal.argmax(1))
        worths.append(game.returns[0])
    by_method = np.array(worths)
    in_loop = roll_out(roots, jobs[:, 0], jobs[:, 1], [bot], 0, actions=jobs[:, 2])
    assert np.allclose(by_method.sum(1), 0, atol=1e-5) and in_loop.std() > 0.1
    by_root = np.array([(in_loop - by_method)[jobs[:, 0] == root, 0].mean() for root in range(8)])
    assert abs(by_root.mean()) < 5 * by_root.std(ddof=1) / len(by_root) ** 0.5 + 0.05


def test_roll_out__states_that_differ_in_what_is_hidden__same_result():
    batch = Shogun(6, seed=3)
    for _ in play_on(batch, 1, 45):
        pass
    other = batch.take()
    other.redeal(None, deciders(batch), 77)
    root_of = np.flatnonzero(~batch.over)
    one, two = (
        roll_out(b, root_of, root_of, [PLANNED], 0, until="round", worth=BY_VALUES, spread=0.3) for b in (batch, other)
    )
    assert (one == two).all()


def test_roll_out__forced_actions__are_played_until_somebody_else_decides():
    batch, bot = Shitenno(4, num_players=3, seed=2), make_agent("scripted", SHITENNO).compiled
    played, rows = batch.take(), np.arange(4)
    sequences: list[list[int]] = [[], [], [], []]
    while len(own := np.flatnonzero(played.player == batch.player)):
        view = View.of(played, own)
        actions = make_agent("scripted", SHITENNO).act(view, np.zeros((len(own), 2), np.uint64))
        played.step(actions, own)
        for row, action in zip(own, actions, strict=True):
            sequences[row].append(int(action))
    longest = max(map(len, sequences))
    forced = np.array([[*row, 64, *[-1] * (longest - len(row))] for row in sequences])  # what is illegal is left out
    free = roll_out(batch, rows, rows, [bot], 0)
    assert longest > 1 and (roll_out(batch, rows, rows, [bot], 0, actions=forced) == free).all()
    highest = batch.legal.shape[1] - 1 - batch.legal[:, ::-1].argmax(1)  # an empty lot
    assert (roll_out(batch, rows, rows, [bot], 0, actions=highest) != free).any()


def test_roll_out__bad_arguments__say_what_is_right():
    batch = Shogun(2)
    with pytest.raises(ValueError, match="every player needs a policy"):
        roll_out(batch, np.arange(2), np.arange(2), [PLANNED], -1)
    with pytest.raises(ValueError, match="rows must be from 0 to 1, found 2 to 2"):
        roll_out(batch, np.array([2]), np.arange(1), [PLANNED], 0)
    with pytest.raises(ValueError, match=r"seeds of shape .* must be whole numbers"):
        roll_out(batch, np.arange(2), np.array([0.5, 1.0]), [PLANNED], 0)
    with pytest.raises(ValueError, match="2 rollouts need 2 actions"):
        roll_out(batch, np.arange(2), np.arange(2), [PLANNED], 0, actions=np.array([-1, -1, -1]))
    with pytest.raises(ValueError, match=r"plans of shape \(2, 11\)"):
        roll_out(batch, np.arange(2), np.arange(2), [PLANNED], 0, plans=np.full((2, 3), -1))
    illegal = int(batch.legal[1].argmin())
    with pytest.raises(ValueError, match=rf"rollout 1: player \d decides .*; action {illegal} \(.* is illegal"):
        roll_out(batch, np.arange(2), np.arange(2), [PLANNED], 0, actions=np.array([-1, illegal]))
    for name, size in {"actions": 2, "plans": 11}.items():
        for odd in (0.5, float("nan"), 10**6, batch.spec.n_actions, -2, "one"):
            given = [[-1] * size, [*[-1] * (size - 1), odd]]
            for form in (given, np.array(given)):
                with pytest.raises(ValueError, match=f"^{name}: must be an array of numbers of actions, -1 to "):
                    roll_out(batch, np.arange(2), np.arange(2), [PLANNED], 0, **{name: form})
    for spread in (-1, float("nan"), "wide", None):
        with pytest.raises(ValueError, match=r"spread=.*: must be a finite number, 0 or more"):
            roll_out(batch, np.arange(2), np.arange(2), [PLANNED], 0, spread=spread)
        with pytest.raises(ValueError, match=r"spread=.*: must be a finite number, 0 or more"):
            replan(batch, 0, 1, [PLANNED], 0, spread=spread)
    count = len(batch.spec.engine.value_names)
    for weights in (np.zeros((2, count - 1)), np.zeros((2, count + 1)), np.zeros(count), np.full((2, count), np.nan)):
        with pytest.raises(ValueError, match=rf"weights of shape .*: must be finite .* each of {count} features"):
            roll_out(batch, np.arange(2), np.arange(2), [PLANNED], 0, worth=Worth(weights=weights))
    with pytest.raises(ValueError, match=r"reward='wins': must be .*win"):
        roll_out(batch, np.arange(2), np.arange(2), [PLANNED], 0, worth=Worth(reward="wins"))
    batch.play(["random"], 0)
    with pytest.raises(ValueError, match="game that is over"):
        roll_out(batch, np.arange(2), np.arange(2), [PLANNED], 0)


def shogun_values(g: np.void, player: int) -> dict[str, float]:
    """Return what a player has by the names of the values, but for what stands next to other players."""
    own = g["owner"] == player
    kinds = {f"{kind}s": g["building"][at][own].sum() for at, kind in enumerate(("castle", "temple", "theatre"))}
    tracks = {name: g[name][player] for name in ("points", "chests", "rice", "supply")}
    return kinds | tracks | {
        "provinces": own.sum(), "armies": g["armies"][own].sum(), "revolts": g["revolts"][own].sum(),
        "rice_short": max(0, int(own.sum()) - int(g["rice"][player])), "spendable": min(12, g["chests"][player]),
        "free_sites": (shogun_board.SITES - g["building"].sum(0))[own].sum(), "inside": g["tower"][:, player].sum(),
        "tax": shogun_board.TAX[own].sum(), "harvest": shogun_board.RICE[own].sum(),
    }  # fmt: skip


def shitenno_values(g: np.void, player: int) -> dict[str, float]:
    """Return what a player has by the names of the values, but for what can be paid and who leads."""
    titles = {"sensei": 2, "shomyo": 3, "daimyo": 4}
    tiles = dict(zip(("exchanges", "plus_ones", "draws"), g["tiles"][player], strict=True))
    return tiles | {name: g["seals"][player] == seals for name, seals in titles.items()} | {
        "points": g["points"][player], "kamon": g["kamon"][player],
    }  # fmt: skip


@each_game
def test_value_features__along_games__are_those_of_the_state(name: str):
    slow, seen = {"shogun": shogun_values, "shitenno": shitenno_values}[name], set()
    for options in KINDS[name][:FEW]:
        batch = batch_class(name)(2, seed=1, **options)
        names = batch.spec.engine.value_names
        for number, _ in enumerate(play_on(batch, 2)):
            if number % 23 == 0:
                features = np.zeros((2, batch.num_players, len(names)))
                for row, player in np.ndindex(2, batch.num_players):
                    batch.spec.engine.value_features(batch.games[row], features[row])
                    values = dict(zip(names, features[row, player], strict=True))
                    right = slow(batch.games[row], player)
                    assert {key: values[key] for key in right} == right
                    seen |= {(key, value > 0) for key, value in right.items()}
    assert len(seen) > 1.8 * len(right)


def test_copy_rngs__some_rows__are_those_of_others_and_the_rest_stays():
    rngs = np.arange(20, dtype=np.uint64).reshape(10, 2)
    copy_rngs(rngs, 1, 5, 3)
    assert rngs.ravel().tolist() == [*range(10), *range(2, 8), *range(16, 20)]


@pytest.mark.parametrize("board", [shitenno_board, shogun_board])
def test_board__data_of_another_size__are_refused(board: Any, monkeypatch: pytest.MonkeyPatch):
    names = board.PROVINCE_NAMES
    monkeypatch.setattr(board, "PROVINCE_NAMES", names[1:])
    with pytest.raises(ValueError, match=rf"data.json.* {len(names) - 1} provinces"):
        board._check()
