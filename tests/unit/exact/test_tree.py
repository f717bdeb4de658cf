"""The tree of Shikoku: its size, its chance, its information sets, and the values on it against games and search."""

import functools

import numpy as np
import pytest

from shogun_env import shikoku, shitenno, shogun
from shogun_env.commands import run_command
from shogun_env.exact.cfr import CFRPlus, solve
from shogun_env.exact.policies import profile_of
from shogun_env.exact.tree import CHANCE, OVER, Tree, TreeError
from shogun_env.exact.values import best_response, expected_values, exploitability, mixture, uniform_profile
from shogun_env.policies import Bot, Weighed
from shogun_env.shikoku import Batch
from shogun_env.spec.options import OptionError
from tests.games import some_action
from tests.refusals import refusal
from tests.zoo.bots import lowest


@functools.cache
def small() -> Tree:
    """Return the tree of the small game for two."""
    return Tree.of(Batch)


def random_profile(tree: Tree, seed: int) -> np.ndarray:
    """Return probabilities that are drawn at random."""
    raw = np.random.default_rng(seed).exponential(size=len(tree.actions))
    return raw / np.add.reduceat(raw, tree.begins)[tree.set_of_action]


def test_tree__of_the_small_game__has_the_histories_that_the_documents_name():
    tree = small()
    assert (len(tree), len(tree.counts), len(tree.returns)) == (38_741, 1_542, 29_700)
    ends = tree.deciders == OVER
    assert ends.sum() == len(tree.returns) and np.allclose(tree.returns.sum(1), 0.0)
    assert set(np.flatnonzero(~ends)) == set(tree.parents[1:].tolist())


def test_tree__at_chance__has_outcomes_that_add_up_to_one():
    tree = small()
    sums = np.bincount(tree.parents[1:], tree.chances[1:], len(tree))
    assert np.abs(sums[tree.deciders == CHANCE] - 1.0).max() < 1e-12


def test_tree__information_sets__hold_what_one_player_was_shown_and_did():
    tree = small()
    batch = Batch(len(tree.counts))
    batch.games[:] = tree.states
    batch.refresh()
    assert not batch.check().any()
    assert (batch.player == tree.owners).all() and (batch.legal.sum(1) == tree.counts).all()
    # Nobody forgets: the own decisions above every node of a set are the same.
    for player in range(2):
        own: list[tuple[int, ...]] = [()] * len(tree)
        of_set: dict[int, tuple[int, ...]] = {}
        for node in range(1, len(tree)):
            above = int(tree.parents[node])
            mine = tree.deciders[above] == player
            own[node] = (*own[above], int(tree.sets[above]), int(tree.slots[node])) if mine else own[above]
            if tree.deciders[node] == player:
                assert of_set.setdefault(int(tree.sets[node]), own[node]) == own[node]


def test_tree__larger_than_allowed_or_with_another_tower__is_refused():
    with pytest.raises(TreeError, match="more than 1,000 histories"):
        Tree.of(Batch, size="large", most=1000)
    with pytest.raises(TreeError, match="more than 1,000 histories"):
        Tree.of(Batch, num_players=2, most=1000)  # which is found in one go
    with pytest.raises(OptionError, match="reward='wins'"):
        Tree.of(Batch, reward="wins")
    with pytest.raises(TreeError, match="must have one floor"):
        Tree.of(shogun.Batch, num_players=3)


def test_values__of_random_play__are_those_of_many_games():
    profile = uniform_profile(small())
    batch = Batch(40_000, seed=9)
    batch.play(["random"] * 2)
    mean, error = batch.returns[:, 0].mean(), batch.returns[:, 0].std() / 200
    assert abs(mean - expected_values(small(), profile)[0]) < 4 * error


def test_values__of_an_agent__are_those_of_many_games():
    tree, batch = small(), Batch(20_000, seed=11)
    while not batch.over.all():
        rows = np.flatnonzero(~batch.over)
        first = np.where(batch.player == 0, batch.legal.argmax(1), 0)
        batch.step(np.where(batch.player == 0, first, some_action(batch, np.random.default_rng(len(rows)))))
    exact = expected_values(tree, profile_of(tree, [lowest(None), "random"], samples=2).profile)
    error = batch.returns[:, 0].std() / np.sqrt(batch.num_games)
    assert abs(batch.returns[:, 0].mean() - exact[0]) < 4 * error


def test_best_response__to_random_profiles__has_its_value_and_is_beaten_by_no_other_answer():
    tree = small()
    for seed in range(3):
        profile = random_profile(tree, seed)
        for player in range(2):
            best = best_response(tree, profile, player)
            assert expected_values(tree, best.profile)[player] == pytest.approx(best.value, abs=1e-12)
            own = tree.owners[tree.set_of_action] == player
            rng = np.random.default_rng(seed)
            for _ in range(30):  # deviations in a single set
                number = int(rng.choice(np.flatnonzero(tree.owners == player)))
                other = best.profile.copy()
                begin, count = int(tree.begins[number]), int(tree.counts[number])
                other[begin : begin + count] = 0.0
                other[begin + int(rng.integers(count))] = 1.0
                assert expected_values(tree, other)[player] <= best.value + 1e-12
            mixed = np.where(own, random_profile(tree, 99), profile)
            assert expected_values(tree, mixed)[player] < best.value


def test_mixture__of_profiles__is_worth_their_mean():
    tree = small()
    first, second = random_profile(tree, 1), random_profile(tree, 2)
    own = tree.owners[tree.set_of_action] == 0
    one, other = np.where(own, first, second), second
    mixed = mixture(tree, [one, other], [0.25, 0.75])
    wanted = 0.25 * expected_values(tree, one) + 0.75 * expected_values(tree, other)
    assert expected_values(tree, mixed) == pytest.approx(wanted, abs=1e-12)


def test_cfr__of_the_small_game__comes_within_a_thousandth_of_the_range_of_returns():
    *_, (solver, gap) = solve(small(), target=0.001 * 2)
    assert gap <= 0.002 and solver.iterations <= 320
    value = expected_values(small(), solver.average())
    assert abs(value).max() < 0.002  # both begin alike


def test_cfr__actions_exactly_as_good__have_no_regret_from_rounding():
    """It was 5e-20, and took such an action with certainty where another CPU, or OpenSpiel, takes all alike."""
    solver = CFRPlus(small())
    solver.run(50)
    assert solver.regrets[solver.regrets > 0].min() > 1e-9


def test_solve__command__prints_what_bots_lose_and_keeps_the_profile(tmp_path, capsys, monkeypatch):
    assert run_command("solve", ["--most", "20", "--agents", "random", "--out", str(tmp_path / "out.npz")]) == 0
    _, random, head, *rows, wrote = capsys.readouterr().out.splitlines()
    lost = exploitability(small(), uniform_profile(small()))
    gains = ", ".join(f"{gain:.4f}" for gain in lost.gains)
    assert random == f"random: best responses gain {gains}; NashConv {lost.nash_conv:.4f}"
    gap = exploitability(small(), np.load(tmp_path / "out.npz")["profile"]).nash_conv
    assert [head.split(), rows[-1].split()[:3]] == [
        ["iterations", "NashConv", "/", "range", "seconds"], ["20", f"{gap:.6f}", f"{gap / 2:.3%}"]
    ]  # fmt: skip
    assert wrote == f"wrote {tmp_path / 'out.npz'}"
    monkeypatch.setattr("shogun_env.training.solve.Tree", None)  # bots are made before it
    assert "unknown agent 'nobody'" in refusal(capsys, "solve", "--agents", "nobody")


def test_solve__of_three__goes_by_the_range_of_their_returns(capsys):
    """It is from -1/2 to 1; 2 was taken, as for two."""
    assert run_command("solve", ["--players", "3", "--most", "1", "--agents", "random"]) == 0
    *_, row = capsys.readouterr().out.splitlines()
    _, gap, part, _ = row.split()
    assert part == f"{float(gap) / 1.5:.3%}"


def test_solved__position_that_no_game_reaches__is_refused():
    game = shikoku.Game(seed=1, position=shikoku.Game(seed=1).position().replace("chests=3,3", "chests=4,3"))
    with pytest.raises(ValueError, match="solved knows only positions that come from the beginning of a game"):
        game.suggest("solved")


def test_tree__of_a_game_whose_observations_have_any_length__is_too_large():
    with pytest.raises(TreeError, match=r"the tree has more than 2,000 histories"):
        Tree.of(shitenno.Batch, most=2000)


def test_cfr__goes_on_from_where_it_stands():
    one, two = CFRPlus(small()), CFRPlus(small())
    one.run(6)
    two.run(2)
    two.run(4)
    assert (one.average() == two.average()).all()


def test_profile_of__agents__is_what_they_play():
    tree = small()
    assert (profile_of(tree, ["random"]).profile == uniform_profile(tree)).all()
    first = profile_of(tree, [lowest(None), "random"], samples=2)
    assert (first.samples, first.error) == (2, 0.0) == (2, profile_of(tree, ["random"]).error)
    assert set(first.profile[tree.owners[tree.set_of_action] == 0]) == {0.0, 1.0}
    assert exploitability(tree, first.profile).gains[0] > 0.3


class Scribbler(Bot):
    """Plays the lowest actions, notes what it is dealt, writes into its view, and is asked once in a game."""

    deals, weighed, memory = frozenset[bytes](), None, None

    def begin(self, rows):
        self.memory = dict.fromkeys(rows.tolist())

    def act(self, view, rng):
        for row in view.rows.tolist():
            del self.memory[row]
        self.deals |= {view.batch.games.tobytes()}
        actions = view.masks.argmax(1)
        view.masks[:], view.batch.games["phase"] = 1, 0
        return actions

    def weigh(self, view):
        return self.weighed and [Weighed(0.5, self.weighed(mask)) for mask in view.masks]


def test_profile_of__each_sample__is_of_a_game_that_begins_with_a_view_and_a_deal_of_its_own():
    bot = Scribbler()
    found = profile_of(small(), [bot, "random"], samples=3)
    assert (found.profile == profile_of(small(), [lowest(None), "random"], samples=1).profile).all()
    assert len(bot.deals) == 3


@pytest.mark.parametrize(
    "weighed",
    [
        np.ones_like,
        lambda mask: mask / len(mask),
        lambda mask: mask * 0.0,
        lambda mask: np.eye(len(mask))[0] * 2 - mask,
    ],
)
def test_profile_of__answers_that_are_not_legal__are_refused_with_the_name_of_the_bot(weighed):
    bot = Scribbler()
    bot.weighed = weighed
    with pytest.raises(ValueError, match="weigh of 'Scribbler': must say probabilities of legal actions"):
        profile_of(small(), [bot])
    bot.weighed, bot.act = None, lambda view, rng: np.full(len(rng), -1)
    with pytest.raises(ValueError, match=r"action -1 \(no such action\) is illegal") as error:
        profile_of(small(), [bot])
    assert error.value.__notes__ == ["(agent 'Scribbler')"]


def test_profiles__of_a_wrong_form__are_refused():
    tree = small()
    with pytest.raises(ValueError, match="one for each action"):
        expected_values(tree, np.ones(3))
    with pytest.raises(ValueError, match="add up to 1"):
        expected_values(tree, np.ones(len(tree.actions)))
    with pytest.raises(ValueError, match="player=2: must be 0 to 1"):
        best_response(tree, uniform_profile(tree), 2)
    with pytest.raises(ValueError, match="3 agents: must be 1 or 2"):
        profile_of(tree, ["random"] * 3)


def test_options__that_do_not_exist__are_refused():
    with pytest.raises(ValueError, match="num_players=4: must be 2 or 3"):
        shikoku.Batch(1, num_players=4)
    with pytest.raises(ValueError, match="size='tiny': must be one of small, large"):
        shikoku.Batch(1, size="tiny")  # type: ignore[arg-type]
