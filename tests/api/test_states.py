"""States, clones, copies and pickles of a running game play on as the game itself would have."""

from __future__ import annotations

import copy
import pickle

import pytest

from tests.api.environments import Chooser, each_variant, module, same, single
from tests.games import each_game


def play_parallel(env, steps):
    choose = Chooser(13)
    _, infos = env.look()
    outputs = []
    while env.agents and len(outputs) < steps:
        outputs.append(env.step(choose.parallel(infos)))
        infos = outputs[-1][-1]
    return outputs


def play_aec(env, steps):
    choose = Chooser(13)
    outputs = []
    for _ in env.agent_iter(steps):
        outputs.append(env.last())
        over = outputs[-1][2] or outputs[-1][3]
        env.step(None if over else choose.one(outputs[-1][-1]["action_mask"]))
    return outputs


def play_single(env, steps):
    choose = Chooser(13)
    outputs = []
    while len(outputs) < steps and not (outputs and outputs[-1][2]):
        outputs.append(env.step(choose.one(env.action_masks())))
    return outputs


KINDS = {
    "parallel": (lambda name, **o: module(name).parallel_env(**o), play_parallel),
    "aec": (lambda name, **o: module(name).raw_env(**o), play_aec),
    "wrapped": (lambda name, **o: module(name).env(**o), play_aec),
    "single": (lambda name, **o: single(name, **o), play_single),
}
COPIES = {
    "deepcopy": copy.deepcopy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
    "clone": lambda env: env.unwrapped.clone(),
}


@each_variant
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("how", COPIES)
def test_copies__in_mid_game__play_on_alike_and_apart(name, options, kind, how):
    make, play = KINDS[kind]
    env = make(name, **options)
    env.reset(seed=21)
    play(env, 33)
    other = COPIES[how](env)
    before = other.unwrapped.get_state()
    rest = play(env, 10_000)
    assert other.unwrapped.get_state() == before
    assert same(play(other, 10_000), rest)
    assert same(env.reset(), other.reset())
    assert env.unwrapped.get_state() == other.unwrapped.get_state()


@each_variant
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("record", [False, True])
def test_state__put_into_another_env__plays_on_alike(name, options, kind, record):
    make, play = KINDS[kind]
    env, other = make(name, record=record, **options), make(name, record=record, **options)
    env.reset(seed=22)
    other.reset(seed=1)
    play(env, 40)
    state = env.unwrapped.get_state()
    other.unwrapped.set_state(state)
    assert other.unwrapped.get_state() == state
    assert same(play(env, 80), play(other, 80))
    if record:
        assert env.unwrapped.record() == other.unwrapped.record()


@each_game
@pytest.mark.parametrize("kind", ["parallel", "aec"])
def test_state__after_the_end__is_restored_as_ended(name, kind):
    make, play = KINDS[kind]
    env, other = make(name), make(name)
    env.reset(seed=1)
    other.reset(seed=2)
    play(env, 10_000)
    other.set_state(env.get_state())
    assert other.agents == env.agents == []


@each_game
def test_set_state__of_other_options_or_rubbish__is_refused_and_changes_nothing(name):
    env = module(name).parallel_env()
    env.reset(seed=1)
    before = env.get_state()
    other = module(name).parallel_env(num_players=3, reward="rank")
    other.reset(seed=1)
    aec = module(name).raw_env()
    aec.reset(seed=1)
    cases = {
        "not a state": b"rubbish",
        "damaged": before[:-1],
        "is damaged": before[: len(before) // 2] + bytes(len(before) - len(before) // 2),
        "reward is 'rank'": other.get_state(),
        "kind is": aec.get_state(),
    }
    for message, state in cases.items():
        with pytest.raises(ValueError, match=message):
            env.set_state(state)
        assert env.get_state() == before


@each_game
def test_state__aec_in_mid_round__is_cut_short_at_the_same_decision(name):
    env, other = module(name).raw_env(max_cycles=2), module(name).raw_env(max_cycles=2)
    env.reset(seed=1)
    other.reset(seed=2)
    play_aec(env, 1)
    play_aec(other, 3)
    other.set_state(env.get_state())
    assert same(play_aec(env, 10_000), play_aec(other, 10_000))
