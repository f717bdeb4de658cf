"""Collecting: the decisions of whole games are those of playing step by step; what other bots answer to them."""

import numpy as np
import pytest

from shogun_env.agents.network.agent import Network
from shogun_env.agents.network.shape import Shape, Sizes
from shogun_env.batch import collecting
from shogun_env.batch.collecting import Collector, answers, collect
from shogun_env.kernel.jit import LOG_PROB, OWN_VALUE, MemoryPolicy, Policy, memory_policy
from shogun_env.policies import Compiled, bot_of, make_agent, play_on
from shogun_env.shogun import SHOGUN
from shogun_env.shogun import Batch as Shogun
from tests.games import FEW, content
from tests.positions import BATCHES, BOTS, OPTIONS, decisions_of, each_of_three, policies_of
from tests.zoo.bots import asked

CASES = [(name, number) for name, options in OPTIONS.items() for number in range(len(options[:FEW]))]


@memory_policy
def last_legal(observation, legal, rng, params, memory):
    """The highest legal action, by another function with memory than that of networks."""
    memory[0], memory[LOG_PROB], memory[OWN_VALUE] = 1.0, -0.5, 1.0 + observation[0]
    action = len(legal) - 1
    while legal[action] == 0:
        action -= 1
    return action


def network(name, seed=1):
    """Return an untrained network that draws its actions."""
    shape = Shape(BATCHES[name].spec, Sizes(4, 8, 4))
    return Network(shape, shape.random_weights(seed), greedy=False).compiled


def line_up(name):
    """Return policies of every kind: with and without planner, with memory, the built-in one."""
    return [*policies_of(name, BOTS[name]), (last_legal, np.array([3.0])), network(name)]


def step_by_step(batch, policies, seats):
    """Play games one after the other from Python; return each decision, what a network kept of it, and its policy."""
    lines = []
    for row in range(batch.num_games):
        while not batch.over[row]:
            player = int(batch.player[row])
            policy = int(seats[row, player])
            function, params = policies[policy] if isinstance(policies[policy], tuple) else (policies[policy], ())
            rng = batch.policy_rngs[row, player].copy()
            observation, mask = batch.observe_for(player, rows=[row])[0].copy(), batch.legal[row].copy()
            remembers = isinstance(function, MemoryPolicy)
            memory = np.zeros(int(params[0]) if remembers else 3, np.float32)
            more = [memory] if remembers else []
            action = function(observation, mask, rng, np.atleast_1d(np.asarray(params, np.float64)), *more)
            batch.policy_rngs[row, player] = rng
            lines.append((observation, mask, action, row, player, *memory[1:3], policy))
            batch.step([action], [row])
    return lines


def arrays_of(lines):
    """Return the decisions of ``step_by_step`` as arrays, in the order of ``Decisions``."""
    return [np.array(column) for column in list(zip(*lines, strict=True))[:-1]]


def sides(name, number, games=3, **more):
    """Return two equal batches, the policies, and who plays where."""
    options = {**OPTIONS[name][number], **more}
    policies = line_up(name)
    one, two = (BATCHES[name](games, seed=6 + number, **options) for _ in range(2))
    seats = np.random.default_rng(number).integers(len(policies), size=(games, one.num_players))
    return one, two, policies, seats


def assert_same(decisions, lines):
    for own, expected in zip(decisions, arrays_of(lines), strict=True):
        assert own.shape == expected.shape
        assert (own == expected).all()


@pytest.mark.parametrize(("name", "number"), CASES)
def test_collect__policies_of_all_kinds__same_decisions_and_games_as_step_by_step(name, number):
    batch, other, policies, seats = sides(name, number)
    decisions = collect(batch, policies, seats)
    lines = step_by_step(other, policies, seats)
    assert_same(decisions, lines)
    assert len(decisions) == len(lines) == batch.decisions.sum()
    assert batch.over.all()
    for one, two in zip(content(batch), content(other), strict=True):
        assert one == two
    remembers = np.array([isinstance(policies[line[-1]][0], MemoryPolicy) for line in lines])
    assert remembers.any()
    for kept in (decisions.log_probs, decisions.values):
        assert (kept[remembers] != 0).all() and (kept[~remembers] == 0).all()


@each_of_three
def test_collect__several_threads_and_little_room__same_decisions(name, monkeypatch):
    one, two, policies, seats = sides(name, 0, games=7)
    plain = collect(one, policies, seats)
    monkeypatch.setattr(collecting, "ROOM", 0)  # for one game at a time in each thread
    two = two.take(num_threads=3)
    split = collect(two, policies, seats)
    assert content(one) == content(two)
    changes = np.flatnonzero(np.diff(split.rows)) + 1
    assert len(changes) == len(np.unique(split.rows)) - 1  # those of a game stand together
    order = np.argsort(split.rows, kind="stable")
    for own, other in zip(plain, split, strict=True):
        assert (own == other[order]).all()


@each_of_three
def test_collect__of_some_policies__leaves_out_the_decisions_of_the_others_and_changes_no_game(name):
    whole, part, policies, seats = sides(name, 0)
    every = collect(whole, policies, seats)
    made_by = seats[every.rows, every.players]
    for collected in ([0], [len(policies) - 1], [len(policies) - 1, 0], []):
        games = part.take()
        decisions = collect(games, policies, seats, collected=collected)
        assert content(games) == content(whole)
        for own, other in zip(decisions, every, strict=True):
            assert (own == other[np.isin(made_by, collected)]).all()


@each_of_three
def test_collector__others_are_asked__keeps_the_same_decisions_and_games(name):
    compiled, mixed, policies, seats = sides(name, 0, games=5)
    seats[:, :2] = 0, len(policies) - 1  # in every game one is asked, so that games are played on in turn
    decisions = collect(compiled, policies, seats, collected=[len(policies) - 1])
    bots = [Compiled(*pair) if isinstance(pair, tuple) else Compiled(pair) for pair in policies]
    bots[0] = bot_of(asked(bots[0]))
    collector = Collector(mixed, [len(policies) - 1])
    play_on(mixed, bots, seats.astype(np.int8), collector=collector)
    assert content(mixed) == content(compiled)
    for own, other in zip(collector.decisions(), decisions, strict=True):
        assert (own == other).all()


def test_collect__games_that_are_over__no_decisions_and_those_begun_go_on():
    batch = Shogun(3, seed=2, num_players=3)
    batch.play(["random"], [[0, 0, 0], [-1, -1, -1], [-1, -1, -1]])
    assert batch.over.tolist() == [True, False, False]
    batch.step([0, *batch.legal[1:].argmax(1)])
    decisions = collect(batch, ["random"], 0)
    assert np.unique(decisions.rows).tolist() == [1, 2]
    assert batch.decisions[1:].sum() == len(decisions) + 2
    assert len(collect(batch, ["random"], 0)) == 0


def test_collect__bad_seats_or_policies__one_line():
    with pytest.raises(ValueError, match="every player needs a policy"):
        collect(Shogun(1, num_players=3), ["random"], [[0, 0, -1]])
    with pytest.raises(ValueError, match="must be from -1 to 0"):
        collect(Shogun(1, num_players=3), ["random"], 1)


@pytest.mark.parametrize("collected", [[9], [-1], [0, 1.5], ["random"]])
def test_collect__of_what_is_no_policy__is_refused_and_nothing_is_played(collected):
    batch = Shogun(1, num_players=3)
    with pytest.raises(ValueError, match=r"collected=.*: must be a whole number, at least 0 and below 1"):
        collect(batch, ["random"], 0, collected)
    assert not batch.decisions.any()
    with pytest.raises(ValueError, match="no game has been played: call what `playing` returns first"):
        Collector(batch).decisions()


@each_of_three
def test_collect__policies_with_memory_in_turn__play_as_each_does_alone(name):
    policies = [network(name, 1), network(name, 2), (last_legal, np.array([3.0]))]
    games = BATCHES[name](6, seed=4, **OPTIONS[name][0])
    seats = np.arange(6)[:, None] % 3 + np.zeros((1, games.num_players), np.int64)
    alone = [games.take([row]) for row in range(6)]
    together = collect(games, policies, seats)
    for row, game in enumerate(alone):
        own = collect(game, policies, seats[row : row + 1])
        here = together.rows == row
        assert (own.actions == together.actions[here]).all()
        assert (own.log_probs == together.log_probs[here]).all() and (own.values == together.values[here]).all()


def test_collect__more_functions_than_players__play_as_one_does():
    scripted, params = make_agent("scripted", SHOGUN).compiled
    copies = [(Policy(scripted.function), params) for _ in range(6)]
    one = collect(Shogun(2, num_players=3), copies[:1], 0)
    assert collect(Shogun(2, num_players=3), copies, [[0, 1, 2], [3, 4, 5]]).actions.tolist() == one.actions.tolist()


@each_of_three
def test_answers__of_a_bot__what_its_policy_returns_one_after_the_other(name):
    decisions = decisions_of(name, OPTIONS[name][0])
    for policy in line_up(name):
        function, params = policy
        values, rng = (params if len(params) else np.zeros(1)), np.array([5, 0], np.uint64)
        more = [np.zeros(int(params[0]), np.float32)] if isinstance(function, MemoryPolicy) else []
        rows = zip(decisions.observations, decisions.masks, strict=True)
        expected = [function(observation, mask, rng, values, *more) for observation, mask in rows]
        assert answers(decisions, policy, BATCHES[name].spec, seed=5).tolist() == expected
