"""What ``Batch.play`` takes as a policy, and what it says of other things."""

from itertools import product
from typing import Any

import numpy as np
import pytest
from numba import njit

from shogun_env.batch.collecting import answers, collect
from shogun_env.batch.policy_table import FEW, KEPT, policy_table
from shogun_env.batch.rollouts import roll_out
from shogun_env.kernel.jit import planner
from shogun_env.policies import Compiled, View, compiled_policy, make_agent, play_on, policy
from tests.games import batch_class, each_game
from tests.zoo.bots import lowest


def plain(observation, legal, rng, params):
    return legal.argmax()


@pytest.mark.parametrize(
    "given",
    [
        lowest(None),
        lowest,
        plain,
        (lowest(None), [1.0]),
        ("random",),
        (plain, [1.0], 3),
        "scriptd",
        None,
        3,
        ["random"],
    ],
)
@pytest.mark.parametrize("name", ["shogun", "shitenno"])
def test_play__what_is_no_policy__is_refused_saying_what_it_takes(name: str, given: Any):
    batch = batch_class(name)(4)
    before = batch.save()
    seats = np.zeros((4, batch.num_players), np.int8)
    for play in (
        lambda: batch.play([given] * batch.num_players),
        lambda: batch.play([given], 0),
        lambda: roll_out(batch, np.arange(4), np.arange(4), [given], seats),
    ):
        with pytest.raises(
            ValueError, match=r"^policy .*: must be 'random', a function made with @policy, or a pair"
        ) as error:
            play()
        assert "\n" not in str(error.value)
        assert "play_on" in str(error.value)
    assert batch.save() == before


def lowest_legal(observation, legal, rng, params):
    action = 0
    while legal[action] == 0:
        action += 1
    return action


def test_play__agents_compiled_and_pairs__are_what_it_takes():
    batch, other = batch_class("shitenno")(4), batch_class("shitenno")(4)
    pair = compiled_policy("scripted", batch.spec)
    batch.play([pair, njit(lowest_legal), "random", make_agent("random", batch.spec).compiled[0]])
    other.play([pair, policy(lowest_legal), "random", "random"])
    assert batch.points.tolist() == other.points.tolist()


def rows_of(*policies: Any) -> np.ndarray:
    """Return the rows of parameters in the table of a game of Shogun among these."""
    spec = batch_class("shogun").spec
    return policy_table(spec, policies, np.zeros((1, 4), np.int8), 1, 4).policies.params


def test_rows__of_networks_that_stay_as_they_are__are_made_once():
    networks = [compiled_policy(bot, batch_class("shogun").spec) for bot in ("pool:2min", "pool:20min")]
    first = rows_of(*networks, ("random", [1.0]))
    assert rows_of(*networks, ("random", [1.0])) is first
    for (_, params), row in zip(networks, first, strict=False):
        assert row[: len(params)].tobytes() == params.tobytes() and not params.flags.writeable
    assert rows_of(*networks, ("random", [2.0]))[2, 0] == 2.0 and rows_of(*networks[::-1])[0, 0] == first[1, 0]
    for seed in range(2 * KEPT):
        rows_of(*networks, ("random", [3.0 + seed]))
    assert rows_of(*networks, ("random", [1.0])) is not first


@pytest.mark.parametrize("count", [3, FEW + 1])
def test_rows__of_parameters_that_may_change__are_as_they_are_now(count: int):
    params = np.zeros(count)
    assert rows_of(("random", params))[0, 2] == 0.0
    params[2] = 5.0
    assert rows_of(("random", params))[0, 2] == 5.0


@pytest.mark.parametrize("wrong", [["a"], [[1.0, 2.0], [3.0, 4.0]], {"weight": 1.0}, [[1.0], [2.0, 3.0]], 1j])
def test_parameters__that_are_no_row_of_numbers__are_refused_naming_the_policy(wrong: Any):
    said = "the parameters must be one row of numbers, float64"
    with pytest.raises(ValueError, match=rf"^policies\[1\]: {said}"):
        batch_class("shitenno")(2, num_players=2).play(["random", (policy(lowest_legal), wrong)])
    with pytest.raises(ValueError, match=f"^Compiled: {said}"):
        Compiled(policy(lowest_legal), wrong)


@policy
def reads_on(observation, legal, rng, params):
    return np.int64(legal.argmax() + np.int64(params[6]) * 0)


@policy
def looks_on(observation, legal, rng, params):
    return np.int64(legal.argmax() + np.int64(observation[5000]) * 0)


@planner
def plans_on(observation, legal, rng, params, plan):
    plan[0] = np.int64(params[6])
    return 0


@policy(planner=plans_on)
def planned_on(observation, legal, rng, params):
    return legal.argmax()


READING_ON = [(reads_on, [1.0] * 6), (reads_on, []), (looks_on, [])]


@pytest.mark.parametrize(
    ("name", "given"), [*product(["shogun", "shitenno"], READING_ON), ("shogun", (planned_on, [1.0]))]
)
def test_policy__that_reads_beyond_what_it_is_given__raises_wherever_it_plays(name: str, given: Any):
    """It read another bot's parameters, or zeros, and played otherwise alone than beside others."""
    other = compiled_policy("scripted", batch_class(name).spec)  # with more parameters, behind which its own lie
    seats, bot = np.zeros((2, 3), np.int8), Compiled(*given)
    loops: list[Any] = [
        lambda batch: batch.play([given, other], seats),
        lambda batch: collect(batch, [given, other], seats),
        lambda batch: roll_out(batch, np.arange(2), np.arange(2), [given, other], seats),
    ]
    asked = [lambda batch: play_on(batch, [bot], seats), lambda batch: play_on(batch, [bot], seats, lambda *_: None)]
    is_asked = given[0] is not planned_on  # alone it decides without its planner
    for play in [*loops, *asked[: 2 * is_asked]]:
        with pytest.raises(IndexError):
            play(batch_class(name)(2, num_players=3))


def writes_params(observation, legal, rng, params):
    params[0] += 1.0
    return legal.argmax()


def test_policy__that_writes_into_its_parameters__is_refused_with_the_line():
    """What it kept there depended on how many games and threads a batch has."""
    line = writes_params.__code__.co_firstlineno + 1
    with pytest.raises(
        ValueError, match=rf"the bot writes_params does not compile: it writes into its parameters, .*line {line}"
    ):
        batch_class("shitenno")(2).play([(policy(writes_params), [0.0])], 0)
    with pytest.raises(ValueError, match="the bot writes_params does not compile"):
        Compiled(policy(writes_params), [0.0]).act(
            View.of(batch_class("shitenno")(1), np.arange(1)), np.zeros((1, 2), np.uint64)
        )


def test_play__name_in_place_of_a_list__is_refused_with_the_list():
    batch = batch_class("shitenno")(4)
    with pytest.raises(ValueError, match=r"^policies='random': must be a list, such as \['random'\] \* 4$"):
        batch.play("random")


@policy
def reader(observation, legal, rng, params):
    """Plays by what it sees; with ``params[0]`` 1 it then writes into all that it can write into."""
    total, action = np.int64(0), np.int64(0)
    for index in range(observation.shape[0]):
        total += observation[index] * (1 + index % 7)
    for _ in range(1 + total % 5):
        action = (action + 1) % legal.shape[0]
        while legal[action] == 0:
            action = (action + 1) % legal.shape[0]
    if params[0] == 1:
        observation[:] = 255
        for index in range(legal.shape[0]):
            legal[index] = 1 - legal[index]
    return action


@policy
def liar(observation, legal, rng, params):
    """Calls an illegal action legal, and plays it."""
    action = 0
    while legal[action] == 1:
        action += 1
    legal[action] = 1
    return action


@planner
def wild(observation, legal, rng, params, plan):
    """Plans what is no action at all, and calls all legal."""
    legal[:] = 1
    plan[:] = 1 << 40
    return 0


@policy(planner=wild)
def planless(observation, legal, rng, params):
    return legal.argmax()


@pytest.mark.parametrize("name", ["shogun", "shitenno"])
def test_policies__that_write_into_what_they_are_given__play_as_if_they_did_not(name: str):
    games, decisions, rollouts = [], [], []
    for writes in (0, 1):
        batch, chosen = batch_class(name)(6), [(reader, [writes])]
        batch.play(chosen, 0)
        games.append(batch.save())
        decisions.append(collect(batch_class(name)(6), chosen, 0))
        roots = batch_class(name)(6)
        rollouts.append(roll_out(roots, np.arange(6), np.arange(6), chosen, np.zeros((6, roots.num_players), np.int8)))
        assert (answers(decisions[0], *chosen, roots.spec) == decisions[0].actions).all()
    assert games[0] == games[1]
    assert all((one == other).all() for one, other in zip(*decisions, strict=True))
    assert (rollouts[0] == rollouts[1]).all()


@pytest.mark.parametrize("name", ["shogun", "shitenno"])
def test_play__illegal_actions_that_a_policy_calls_legal__are_found_out(name: str):
    with pytest.raises(ValueError, match=r"row \d: policies\[1\], which plays player 0, returned an illegal action"):
        batch_class(name)(4).play(["random", liar], [1, *[0] * (batch_class(name)(4).num_players - 1)])
    with pytest.raises(ValueError, match="a policy returned an illegal action"):
        collect(batch_class(name)(4), [liar], 0)


def test_play__plans_of_no_actions__are_not_played():
    batch, other = batch_class("shogun")(4), batch_class("shogun")(4)
    batch.play([planless], 0)
    other.play([policy(lowest_legal)], 0)
    assert batch.save() == other.save()


@each_game
@pytest.mark.parametrize("bot", ["champion", "scripted"])
def test_bot__made_for_another_game__is_refused_asked_or_not(name, bot):
    """It played in silence, by bytes that it read beyond the end of the observation."""
    (other,) = {"shogun", "shitenno"} - {name}
    wrong, batch = make_agent(bot, batch_class(other).spec), batch_class(name)(2)
    words = "was made for another game .observations of [0-9]+ bytes, those of this game have"
    seats = np.zeros((2, batch.num_players), np.int8)
    for watch in (None, lambda rows, actions, texts: None):
        with pytest.raises(ValueError, match=words):
            play_on(batch, [wrong], seats, watch)
    with pytest.raises(ValueError, match=words):
        batch.play([wrong.compiled], 0)
    assert not batch.decisions.any()
