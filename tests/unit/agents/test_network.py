"""Networks as bots: as torch computes them, the same whatever is kept in memory, and which files are refused."""

import copy
import json
import pickle
import re
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from shogun_env.agents.network.agent import CARD, FILE, Network, card_of, load_network, save_network, save_torch
from shogun_env.agents.network.shape import Shape, Sizes, packed
from shogun_env.agents.network.sums import add_rows, list_active
from shogun_env.batch.collecting import Decisions, collect
from shogun_env.batch.rollouts import Worth, replan, roll_out
from shogun_env.kernel.jit import LOG_PROB, OWN_VALUE
from shogun_env.kernel.vectors import BLOCK, LANES
from shogun_env.policies import View, make_agent
from shogun_env.spec.layout import Board, lay_out
from tests.games import NAMES, batch_class
from tests.positions import BATCHES, OPTIONS, decisions_of, each_of_three, some_decisions

SMALL = Sizes(6, 16, 8)
WIDE = Sizes(50, 164, 32)
"""Layers of whole vectors, of up to eight at once, and of some numbers besides."""
LATE = {
    "shogun": ("planned", "own_card", "running", "pending", "phase"),
    "shitenno": ("target", "committed", "last", "phase"),
    "coins": ("own_charm",),
}
"""Slices that networks of these tests read late; numbers, flags and kinds, of places and others."""


def shape_of(name, sizes=SMALL):
    return Shape(BATCHES[name].spec, sizes)


def weights_of(shape, seed=0):
    """Return weights none of which is near 0, so that each has an effect."""
    rng = np.random.default_rng(seed)
    return {
        name: (rng.standard_normal(size) * max(4, size[-2] if len(size) > 1 else 4) ** -0.5).astype(np.float32)
        for name, size in shape.weights().items()
    }


def network_of(name, greedy=False, seed=0, sizes=SMALL):
    shape = shape_of(name, sizes)
    return Network(shape, weights_of(shape, seed), greedy)


def answer(bot, observation, mask, rng=(0, 0), memory=None):
    """Return the action and what is kept of it: with a fresh memory unless one is given."""
    function, params = bot.compiled
    memory = np.zeros(int(params[0]), np.float32) if memory is None else memory
    action = function(observation, mask, np.array(rng, np.uint64), params, memory)
    return action, *memory[[LOG_PROB, OWN_VALUE]].tolist()


def mixed_decisions(name, seed=0):
    """Return observations and masks of games of all kinds, so that neighbours in the list have little in common."""
    parts = some_decisions(name, seed=seed)
    observations = np.concatenate([part.observations for part in parts])
    masks = np.concatenate([part.masks for part in parts])
    order = np.random.default_rng(seed).permutation(len(masks))
    return observations[order], masks[order]


def in_torch(shape, weights, observations, masks, groups=None):
    """Return log-probabilities float32[n, A] and values float32[n] as torch computes them."""
    torch = pytest.importorskip("torch")
    from shogun_env.training.board_network import BoardNetwork
    from shogun_env.training.positions import positions_of

    groups = np.arange(len(masks)) if groups is None else groups
    network = BoardNetwork(shape)
    network.load_weights(weights)
    with torch.no_grad():
        logits, shares = network(positions_of(shape, observations, masks == 1, groups))
        return logits.log_softmax(1).numpy(), shares.softmax(1)[:, 0].numpy()


def late_sizes(name, sizes=SMALL):
    return replace(sizes, late=LATE[name])


def assert_as_in_torch(name, decisions, sizes):
    from shogun_env.training.positions import groups_of

    shape = shape_of(name, sizes)
    groups = groups_of(shape, decisions)
    order = np.argsort(groups, kind="stable")
    decisions, groups = Decisions(*(array[order] for array in decisions)), groups[order]
    weights = weights_of(shape)
    log_probs, values = in_torch(shape, weights, decisions.observations, decisions.masks, groups)
    bot = Network(shape, weights, greedy=False)
    reached = np.zeros((len(decisions), 3))
    memory = np.zeros(int(bot.compiled[1][0]), np.float32)
    for index, (observation, mask) in enumerate(zip(decisions.observations, decisions.masks, strict=True)):
        reached[index] = answer(bot, observation, mask, (index, 0), memory)[:3]
    actions = reached[:, 0].astype(int)
    assert decisions.masks[np.arange(len(actions)), actions].all()
    np.testing.assert_allclose(reached[:, 1], log_probs[np.arange(len(actions)), actions], atol=1e-5)
    np.testing.assert_allclose(reached[:, 2], values, atol=1e-5)
    assert values.std() > 1e-3
    return groups[-1] + 1


@each_of_three
@pytest.mark.parametrize("sizes", [SMALL, Sizes(5, 12, 7, features=False), WIDE], ids=["features", "none", "wide"])
def test_network__whole_games_of_all_kinds__probabilities_and_values_of_torch(name, sizes):
    kinds = {options["num_players"]: options for options in OPTIONS[name]}
    assert set(kinds) == set(BATCHES[name].spec.players)
    for players, options in kinds.items():
        assert_as_in_torch(name, decisions_of(name, options, games=1, seed=players), sizes)


@each_of_three
def test_network__that_reads_slices_late__probabilities_and_values_of_torch_with_fewer_positions(name):
    for options in OPTIONS[name]:
        decisions = decisions_of(name, options, games=1, seed=options["num_players"])
        positions = assert_as_in_torch(name, decisions, late_sizes(name))
        assert positions < 0.9 * len(decisions) or name == "coins"


@each_of_three
@pytest.mark.parametrize("sizes", [SMALL, late_sizes], ids=["early", "late"])
def test_network__every_array_of_weights__has_an_effect(name, sizes):
    shape = shape_of(name, sizes(name) if callable(sizes) else sizes)
    weights = weights_of(shape)
    observations, masks = mixed_decisions(name)

    def answers_of(weights):
        bot = Network(shape, weights, greedy=True)
        pairs = zip(observations[:60], masks[:60], strict=False)
        return [answer(bot, observation, mask) for observation, mask in pairs]

    before = answers_of(weights)
    without_effect = {own for own, array in weights.items() if answers_of({**weights, own: array * 0.5}) == before}
    of_places = {own for own in weights if own.split(".")[0] in ("row", "mix", "place") or own == "late.place"}
    expected = {
        "shogun": set(),
        "shitenno": {"mix.near", "number.weight"},  # provinces have no borders, and no action is a number
        "coins": of_places | {"trunk.pooled", "number.weight"},
    }
    assert without_effect == expected[name]


@pytest.mark.parametrize("width", [1, 15, 16, 33, 48, 67, 120, 160, 208])
def test_add_rows__any_width__each_number_as_if_added_and_rounded_one_by_one(width):
    rng = np.random.default_rng(width)
    stride, n_rows = width + 3, 40
    weights = rng.standard_normal(n_rows * stride).astype(np.float32)
    rows, factors = rng.integers(n_rows, size=30), rng.standard_normal(30).astype(np.float32)
    out, start = rng.standard_normal((2, width + LANES)).astype(np.float32)
    for begin in (start[:width], out[:width], start[:0]):
        expected = out.copy()
        expected[:width] = begin if len(begin) else 0
        for row, factor in zip(rows[:25], factors, strict=False):
            expected[:width] += factor * weights[row * stride : row * stride + width]
        add_rows(out[:width], begin, weights, stride, rows, factors, 25)
        assert out.tobytes() == expected.tobytes()


@each_of_three
def test_memory__whatever_it_keeps__result_bit_by_bit_that_of_a_fresh_one(name):
    bots = [
        network_of(name),
        network_of(name, sizes=Sizes(4, 8, 4, features=False)),
        network_of(name, sizes=late_sizes(name)),
        network_of(name, sizes=late_sizes(name, WIDE)),
    ]
    for bot in bots:
        kept = np.zeros(int(bot.compiled[1][0]), np.float32)
        games = decisions_of(name, OPTIONS[name][-1], games=2, seed=3)
        for observations, masks in (mixed_decisions(name), (games.observations, games.masks)):
            for index, (observation, mask) in enumerate(zip(observations[:400], masks[:400], strict=True)):
                assert answer(bot, observation, mask, (index, 1), kept) == answer(bot, observation, mask, (index, 1))


@each_of_three
def test_memory__left_by_something_else__is_not_read_when_it_says_so(name):
    bot = network_of(name)
    observations, masks = mixed_decisions(name)
    for number, fill in enumerate((1.0, -3e38, np.nan, np.inf)):
        memory = np.full(int(bot.compiled[1][0]), fill, np.float32)
        memory[0] = 0.0
        observation, mask = observations[number], masks[number]
        assert answer(bot, observation, mask, memory=memory) == answer(bot, observation, mask)


@each_of_three
def test_play__networks_beside_each_other__as_when_each_is_asked(name):
    bots = [network_of(name, seed=1), network_of(name, seed=2, sizes=Sizes(4, 8, 4)), network_of(name, True, 3)]
    for number, options in enumerate(OPTIONS[name][:2]):
        inside = BATCHES[name](3, seed=5, num_threads=2, **options)
        outside = inside.take()
        seats = np.random.default_rng(number).integers(3, size=(3, inside.num_players))
        inside.play([bot.compiled for bot in bots], seats)
        while not outside.over.all():
            rows = np.flatnonzero(~outside.over)
            view = View.of(outside, rows)
            policies = seats[rows, view.players]
            actions = np.zeros(len(rows), np.int64)
            for index, bot in enumerate(bots):
                own = np.flatnonzero(policies == index)
                rng = outside.policy_rngs[rows[own], view.players[own]]
                part = SimpleNamespace(observations=view.observations[own], masks=view.masks[own])
                actions[own] = bot.act(part, rng)
                outside.policy_rngs[rows[own], view.players[own]] = rng
            outside.step(actions, rows)
        assert (inside.games == outside.games).all()
        assert (inside.policy_rngs == outside.policy_rngs).all()


@each_of_three
def test_greedy__any_position__takes_the_likeliest_legal_action_without_a_draw(name):
    greedy = network_of(name, greedy=True)
    observations, masks = mixed_decisions(name)
    log_probs, _ = in_torch(shape_of(name), weights_of(shape_of(name)), observations[:200], masks[:200])
    rng = np.array([[7, 9]] * len(log_probs), np.uint64)
    actions = greedy.act(SimpleNamespace(observations=observations[:200], masks=masks[:200]), rng)
    rows = np.arange(len(actions))
    assert masks[rows, actions].all()
    assert log_probs[rows, actions] == pytest.approx(log_probs.max(1), abs=1e-5)
    assert (rng == [7, 9]).all()


@each_of_three
def test_sampled__many_draws__as_often_as_it_is_probable(name):
    observations, masks = mixed_decisions(name)
    several = int(masks.sum(1).argmax())
    shape = shape_of(name)
    log_probs, _ = in_torch(shape, weights_of(shape), observations[several : several + 1], masks[several : several + 1])
    draws = 20_000
    view = SimpleNamespace(
        observations=np.repeat(observations[several : several + 1], draws, 0),
        masks=np.repeat(masks[several : several + 1], draws, 0),
    )
    rng = np.stack([np.arange(draws), np.zeros(draws)], 1).astype(np.uint64)
    actions = network_of(name).act(view, rng)
    expected = np.exp(log_probs[0])
    observed = np.bincount(actions, minlength=len(expected)) / draws
    assert (np.abs(observed - expected) <= 5 * np.sqrt(expected / draws) + 1e-9).all()
    assert (rng[:, 1] == 1).all()  # one draw each, from the own row
    assert (observed > 0.01).sum() > 1


@pytest.mark.parametrize("name", NAMES)
def test_random_weights__of_a_wide_network__make_a_policy_that_tries_everything(name):
    late = BATCHES[name].spec.board.late if BATCHES[name].spec.board else ()
    shape = shape_of(name, Sizes(48, 208, 64, late=late))
    bot = Network(shape, shape.random_weights(92), greedy=False)
    decisions = collect(BATCHES[name](20, seed=5), [bot.compiled], seats=0)
    assert -decisions.log_probs.mean() > 0.9 * np.log(decisions.masks.sum(1)).mean()


@pytest.mark.parametrize("name", NAMES)
def test_roll_out__with_networks__same_in_threads_and_whatever_the_numbers_of_other_bots_vary_by(name):
    batch = BATCHES[name](3, seed=1)
    root_of, seeds = np.arange(24) % 3, np.arange(24) // 3
    networks = [network_of(name, seed=1).compiled, network_of(name, seed=2).compiled]
    seats = np.random.default_rng(0).integers(2, size=(3, batch.num_players))
    worth = Worth(reward="margin")
    results = [
        roll_out(batch.take(num_threads=threads), root_of, seeds, networks, seats, worth=worth, spread=spread)
        for threads, spread in ((1, 0.0), (3, 0.0), (1, 0.5))
    ]
    assert (results[0] == results[1]).all()
    assert np.isfinite(results[2]).all()
    assert np.allclose(results[0].sum(1), 0, atol=1e-6)
    assert results[0].std() > 0
    order = np.random.default_rng(1).permutation(24)
    again = roll_out(batch, root_of[order], seeds[order], networks, seats, worth=Worth(reward="margin"))
    assert (again == results[0][order]).all()
    replan(batch, batch.player, 3, networks, seats, spread=0.5)
    assert not batch.check().any()


def certain_network(share, seed=0):
    """Return a network of Shogun that always expects this share of the win for the player who decides."""
    shape = shape_of("shogun")
    weights = weights_of(shape, seed)
    weights["share.weight"][:] = 0
    weights["share.bias"][:] = 0
    weights["share.bias"][0] = np.log(4 * share / (1 - share))  # the value is for five players
    return Network(shape, weights).compiled


@pytest.mark.parametrize("share", [0.1, 0.7])
def test_roll_out__critic__is_worth_what_it_expects_for_the_player_unless_the_game_ends(share):
    batch = BATCHES["shogun"](8, seed=1)
    batch.play(["random"], 0, until="plan")
    root_of, seeds = np.arange(16) % 8, np.arange(16) // 8
    play_on = partial(roll_out, batch, root_of, seeds, ["random"], 0)
    result = play_on(until="round", worth=Worth(critic=certain_network(share)))
    own = (4 * share - 1) / 3
    assert result[np.arange(16), batch.player[root_of]] == pytest.approx(np.full(16, own), abs=1e-5)
    assert np.allclose(result.sum(1), 0)
    to_the_end = play_on(worth=Worth(critic=certain_network(share), reward="win"))
    assert (to_the_end == play_on(worth=Worth(reward="win"))).all()


def test_roll_out__critic__does_not_depend_on_threads_or_on_the_rollouts_before():
    batch = BATCHES["shogun"](3, seed=1)
    critic, player = network_of("shogun", seed=3).compiled, network_of("shogun", seed=4).compiled
    root_of, seeds, order = np.arange(24) % 3, np.arange(24) // 3, np.random.default_rng(1).permutation(24)
    seats = np.where(np.arange(4) == batch.player[:, None], 0, 1)
    ends = partial(roll_out, policies=[player, "random"], seats=seats, until="round", worth=Worth(critic=critic))
    result = ends(batch, root_of, seeds)
    assert result.std() > 0
    assert (ends(batch.take(num_threads=3), root_of, seeds) == result).all()
    assert (ends(batch, root_of[order], seeds[order]) == result[order]).all()


@pytest.mark.parametrize(
    ("name", "worth", "message"),
    [
        ("shogun", {"critic": "random"}, "critic: must be a network"),
        ("shitenno", {}, "critic: shitenno has no planning"),
    ],
)
def test_roll_out__critic_that_cannot_be_asked__is_refused(name, worth, message):
    batch = BATCHES[name](2, seed=1)
    worth = Worth(**{"critic": network_of(name).compiled, **worth})
    with pytest.raises(ValueError, match=re.escape(message)):
        roll_out(batch, np.arange(2), np.arange(2), ["random"], 0, worth=worth)


def saved(name, folder: Path, **card) -> Path:
    shape = shape_of(name)
    save_network(folder / FILE, BATCHES[name].spec, SMALL, weights_of(shape), **card)
    return folder / FILE


@each_of_three
def test_file__saved_and_loaded__the_same_network(name, tmp_path):
    path = saved(name, tmp_path, decisions=12)
    shape, weights, card = load_network(BATCHES[name].spec, path)
    assert (shape.sizes, card["decisions"]) == (SMALL, 12)
    assert all((weights[own] == array).all() for own, array in weights_of(shape).items())
    assert [own.name for own in tmp_path.iterdir()] == [FILE]
    for spec, greedy in ((f"ppo:{tmp_path}", True), (f"ppo:{path}:greedy=false", False)):
        bot = make_agent(spec, BATCHES[name].spec)
        assert bot.compiled[1].tobytes() == network_of(name, greedy).compiled[1].tobytes()
    batch = BATCHES[name](2)
    decisions = collect(batch, [bot.compiled], 0)
    assert batch.over.all() and (decisions.log_probs != 0).all() and (decisions.values != 0).all()


@pytest.mark.parametrize("name", NAMES)
def test_file__of_the_other_game__is_refused(name, tmp_path):
    (other,) = (own for own in NAMES if own != name)
    saved(name, tmp_path)
    with pytest.raises(ValueError, match=f"a network for {name} does not play {other}"):
        make_agent(f"ppo:{tmp_path}", batch_class(other).spec)


def test_file__that_is_not_there__is_refused(tmp_path):
    for path in (tmp_path, tmp_path / "nothing", tmp_path / "nothing.npz"):
        with pytest.raises(ValueError, match=f"no network there; give the folder of a run with {re.escape(FILE)}"):
            load_network(BATCHES["coins"].spec, path)


def rewritten(folder, card=None, drop=(), **arrays):
    """Write a network of Coins to a file with parts changed."""
    path = saved("coins", folder)
    with np.load(path) as kept:
        own = {key: kept[key] for key in kept.files if key not in drop}
    if card is not None:
        own[CARD] = np.frombuffer(card if isinstance(card, bytes) else json.dumps(card).encode(), np.uint8)
    with open(path, "wb") as stream:
        np.savez_compressed(stream, allow_pickle=True, **{**own, **arrays})
    return path


SIZES = SMALL.as_card()


def card_with(**changes):
    return {**card_of(BATCHES["coins"].spec), "sizes": SIZES, **changes}


DAMAGED = "not a network that can be played here"
NO_SIZES = "the sizes on its card are not those of a network"


DAMAGES = [
    ({"card": card_with(layout="other")}, "layout is 'other', but must be .*; retrain the network"),
    ({"card": card_with(n_actions=5)}, "n_actions is 5, but must be 4"),
    ({"card": card_with(sizes={**SIZES, "value": 9})}, r"value\.\w+ is float32\[.*8\], must be float32\[.*9\]"),
    ({"card": card_with(sizes={**SIZES, "row": "six"})}, "place_width='six': must be a whole number from 1"),
    ({"card": card_with(sizes={"row": 6, "trunk": 16, "features": True})}, NO_SIZES),
    ({"card": card_with(sizes=None)}, NO_SIZES),
    ({"card": card_of(BATCHES["coins"].spec)}, NO_SIZES),
    ({"card": [1, 2]}, DAMAGED),
    ({"card": b"{not json"}, DAMAGED),
    ({"card": b"\xff\xfe"}, DAMAGED),
    ({"drop": [CARD]}, DAMAGED),
    ({"drop": ["trunk.bias"]}, r"trunk.bias is missing, must be float32\[16\]"),
    ({"more": np.zeros(3, np.float32)}, "more must be missing: the weights of .* are row.weight, row.bias, "),
    ({"trunk.bias": np.zeros(15, np.float32)}, r"trunk.bias is float32\[15\], must be float32\[16\]"),
    ({"trunk.bias": np.array(["a"] * 16)}, DAMAGED),
    ({"trunk.bias": np.array([None] * 16)}, "allow_pickle=False"),
    ({"trunk.bias": np.full(16, np.nan, np.float32)}, "numbers that are not finite"),
]


@pytest.mark.parametrize(("changes", "says"), DAMAGES, ids=range(len(DAMAGES)))
def test_file__another_card_or_other_arrays__is_refused_in_one_line(changes, says, tmp_path):
    path = rewritten(tmp_path, **changes)
    with pytest.raises(ValueError, match=says) as refused:
        load_network(BATCHES["coins"].spec, path)
    assert "\n" not in str(refused.value) and str(path) in str(refused.value)


@each_of_three
def test_save_torch__module_of_a_shape__plays_compiled_as_it_does_in_torch(name, tmp_path):
    torch = pytest.importorskip("torch")
    from shogun_env.training.board_network import BoardNetwork
    from shogun_env.training.positions import positions_of

    shape = shape_of(name)
    network = BoardNetwork(shape, seed=3)
    with torch.no_grad():
        for weight in network.parameters():
            weight.add_(0.3 * torch.randn_like(weight))
    save_torch(tmp_path / "mine.npz", shape, torch.nn.ModuleDict({"policy": network}))
    bot = make_agent(f"ppo:{tmp_path / 'mine.npz'}", shape.spec)
    batch = BATCHES[name](40, **OPTIONS[name][0])
    batch.reset(seeds=np.arange(40))
    view = View.of(batch, np.arange(40))
    with torch.no_grad():
        chances = network(positions_of(shape, view.observations, view.masks == 1, np.arange(40)))[0].softmax(1).numpy()
    assert bot.compiled is not None
    np.testing.assert_allclose([each.chances for each in bot.weigh(view)], chances, atol=1e-4)
    save_torch(tmp_path / "short.npz", shape, network.bfloat16().state_dict())
    short, weights = (load_network(shape.spec, tmp_path / file)[1] for file in ("short.npz", "mine.npz"))
    assert all(np.allclose(short[name], weights[name], rtol=2**-8) for name in weights)
    network.own["more"] = torch.nn.Parameter(torch.zeros(1))
    with pytest.raises(ValueError, match="more must be missing"):
        save_torch(tmp_path / "more.npz", shape, network)
    assert not (tmp_path / "more.npz").exists()


@pytest.mark.parametrize(("places", "others", "says"), [(65, 1, "65 places"), (3, 65, "65 rows outside the board")])
def test_shape__larger_than_the_kernels_are_built_for__is_refused(places, others, says):
    rows = {"places": ["place"] * places, "others": ["other"] * others}
    layout = lay_out([(block, block, 1, 1, 1.0, "all", "a flag") for block in rows], rows)
    board = Board("places", features=(), features_read=(), neighbours=(), groups=(), actions=())
    spec = replace(BATCHES["coins"].spec, obs_layout=layout, row_names=rows, board=board)
    with pytest.raises(ValueError, match=f"{says}: a network is built for at most 64"):
        packed(Shape(spec, Sizes(features=False)), {})


def test_shape__more_bytes_than_kernels_list_at_once__is_refused():
    layout = lay_out([("flags", "rows", 2048, 1, 1.0, "all", "flags")], {"rows": ["row"]})
    spec = replace(BATCHES["coins"].spec, obs_layout=layout, row_names={"rows": ["row"]}, board=None)
    with pytest.raises(ValueError, match=f"2048 bytes, {spec.n_actions} actions: .* fewer than 2048"):
        Shape(spec, Sizes())


@pytest.mark.parametrize("size", [1, LANES, 3 * LANES, BLOCK, 2 * BLOCK + 5])
def test_list_active__any_size__those_above_0_in_order(size):
    inputs = np.random.default_rng(size).standard_normal(size).astype(np.float32)
    inputs[::3], rows, factors = 0, np.full(size, -1), np.zeros(size, np.float32)
    count = list_active(inputs, rows, factors)
    assert rows[:count].tolist() == np.flatnonzero(inputs > 0).tolist()
    assert factors[:count].tolist() == inputs[inputs > 0].tolist()


@pytest.mark.parametrize(
    ("width", "value"), [("place_width", 0), ("trunk_width", -3), ("value_width", "9"), ("trunk_width", 2049)]
)
def test_sizes__bad_width__is_refused(width, value):
    with pytest.raises(ValueError, match=f"{width}={value!r}: must be a whole number from 1 to 2048"):
        Sizes(**{width: value})


@pytest.mark.parametrize("again", [copy.deepcopy, lambda bot: pickle.loads(pickle.dumps(bot))])
def test_network__copied__keeps_its_weights_read_only_and_plays_the_same(again):
    """A copy could be written into, so that each call of a loop copied all of its weights."""
    bot = network_of("shogun")
    view = View.of(batch_class("shogun")(3, seed=1), np.arange(3))
    played = bot.act(view, np.zeros((len(view.rows), 2), np.uint64))
    other = again(bot)
    assert not bot.compiled[1].flags.writeable and not other.compiled[1].flags.writeable
    assert (other.act(view, np.zeros((len(view.rows), 2), np.uint64)) == played).all()
