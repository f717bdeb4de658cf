"""States, clones, copies and pickles of a running game play on as the game itself would have."""

from __future__ import annotations

import copy
import json
import pickle
import re

import pytest

from shogun_env.kernel.log import set_tape
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
        'reward is "rank"': other.get_state(),
        "kind is": aec.get_state(),
    }
    for message, state in cases.items():
        with pytest.raises(ValueError, match=message):
            env.set_state(state)
        assert env.get_state() == before


def with_attributes(state: bytes, **changes) -> bytes:
    head, _, rows = state.partition(b"\n")
    label = json.loads(head)
    return json.dumps({**label, "attributes": {**label["attributes"], **changes}}).encode() + b"\n" + rows


BAD_ATTRIBUTES = {
    "parallel": [
        ({"agents": ["player_ "]}, 'agents is ["player_ "], must be one of an empty list, a list of "player_0" and'),
        ({"cycles": -1}, "cycles is -1, must be a whole number from 0"),
        ({"paid": [0.0]}, "paid is [0.0], must be a list of 4, each a finite number"),
        ({"paid": [0.0, 0.0, float("nan"), 0.0]}, "must be a list of 4, each a finite number"),
        ({"illegal_actions": 1.5}, "illegal_actions is 1.5, must be an object of player_0"),
        ({"more": 1}, "attributes is"),
    ],
    "aec": [
        ({"agent_selection": "player_9"}, "agent_selection is"),
        ({"rewards": None}, "rewards is null, must be an object of player_0"),
        ({"terminations": {f"player_{player}": True for player in range(4)}}, "terminations is"),
        ({"_left_in_round": 0}, "_left_in_round is 0"),
        ({"agents": []}, "agents is []"),
    ],
    "single": [
        ({"_learner_state": 1.5}, "_learner_state is 1.5, must be an object of seats"),
        ({"_running": 1}, "_running is 1, must be one of false, true"),
    ],
}


CASES = [(kind, *case) for kind, cases in BAD_ATTRIBUTES.items() for case in cases]


@pytest.mark.parametrize(("kind", "changes", "says"), CASES)
def test_set_state__with_a_bad_attribute__names_it_and_changes_nothing(kind, changes, says):
    make, play = KINDS[kind]
    env = make("shitenno")
    env.reset(seed=1)
    play(env, 20)
    before = env.unwrapped.get_state()
    deep = before.replace(b'"attributes": {', b'"attributes": ' + b"[" * 50_000)
    for state, words in ((with_attributes(before, **changes), says), (deep, "too many values inside one another")):
        with pytest.raises(ValueError, match=re.escape(words)) as refused:
            env.unwrapped.set_state(state)
        assert "\n" not in str(refused.value)
    assert env.unwrapped.get_state() == before


@each_game
def test_set_state__with_chance_outcomes_to_come__is_refused(name):
    env = module(name).parallel_env(record=True)
    env.reset(seed=5)
    whole = env.unwrapped.get_state()
    set_tape(env.unwrapped.batch.logs[0], [(1, 0)])
    taped = env.unwrapped.get_state()
    env.unwrapped.set_state(whole)
    with pytest.raises(ValueError, match="its log is that of a replay, or is full"):
        env.unwrapped.set_state(taped)


@each_game
def test_state__aec_in_mid_round__is_cut_short_at_the_same_decision(name):
    env, other = module(name).raw_env(max_cycles=2), module(name).raw_env(max_cycles=2)
    env.reset(seed=1)
    other.reset(seed=2)
    play_aec(env, 1)
    play_aec(other, 3)
    other.set_state(env.get_state())
    assert same(play_aec(env, 10_000), play_aec(other, 10_000))
