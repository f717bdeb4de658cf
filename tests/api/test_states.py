"""States, clones, copies and pickles of a running game play on as the game itself would have."""

from __future__ import annotations

import copy
import json
import pickle
import re

import pytest

from shogun_env.kernel.log import set_tape
from tests.api.environments import bare, begin, each_variant, make, played, same
from tests.games import each_game

KINDS = ("parallel", "raw_aec", "aec", "single")
each_kind = pytest.mark.parametrize("kind", KINDS)
COPIES = {
    "deepcopy": copy.deepcopy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
    "clone": lambda env: env.unwrapped.clone(),
}


@each_variant
@each_kind
@pytest.mark.parametrize("how", COPIES)
def test_copies__in_mid_game__play_on_alike_and_apart(name, options, kind, how):
    env = make(kind, name, **options)
    begin(env, 21)
    played(env, 33)
    other = COPIES[how](env)
    before = bare(other).get_state()
    rest = played(env)
    assert bare(other).get_state() == before
    assert same(played(other), rest)
    assert same(env.reset(), other.reset())
    assert bare(env).get_state() == bare(other).get_state()


@each_variant
@each_kind
@pytest.mark.parametrize("record", [False, True])
def test_state__put_into_another_env__plays_on_alike(name, options, kind, record):
    env, other = make(kind, name, record=record, **options), make(kind, name, record=record, **options)
    begin(env, 22)
    begin(other, 1)
    played(env, 40)
    state = bare(env).get_state()
    bare(other).set_state(state)
    assert bare(other).get_state() == state
    assert same(played(env, 80), played(other, 80))
    if record:
        assert bare(env).record() == bare(other).record()


@each_game
@pytest.mark.parametrize("kind", ["parallel", "raw_aec"])
def test_state__after_the_end__is_restored_as_ended(name, kind):
    env, other = make(kind, name, max_cycles=3), make(kind, name, max_cycles=3)
    begin(env, 1)
    begin(other, 2)
    played(env)
    other.set_state(env.get_state())
    assert other.agents == env.agents == []


@each_game
def test_state__aec_in_mid_round__is_cut_short_at_the_same_decision(name):
    env, other = make("raw_aec", name, max_cycles=2), make("raw_aec", name, max_cycles=2)
    begin(env, 1)
    begin(other, 2)
    played(env, 1)
    played(other, 3)
    other.set_state(env.get_state())
    assert same(played(env), played(other))


@each_game
def test_set_state__of_other_options_or_rubbish__is_refused_and_changes_nothing(name):
    env, other, aec = make("parallel", name), make("parallel", name, num_players=3, reward="rank"), make("aec", name)
    for each in (env, other, aec):
        begin(each, 1)
    before = env.get_state()
    cases = {
        "not a state": b"rubbish",
        "damaged": before[:-1],
        "is damaged": before[: len(before) // 2] + bytes(len(before) - len(before) // 2),
        'reward is "rank"': other.get_state(),
        "kind is": bare(aec).get_state(),
    }
    for message, state in cases.items():
        with pytest.raises(ValueError, match=message):
            env.set_state(state)
        assert env.get_state() == before


BAD_ATTRIBUTES = {
    "parallel": [
        ({"agents": ["player_ "]}, 'agents is ["player_ "], must be one of an empty list, a list of "player_0" and'),
        ({"cycles": -1}, "cycles is -1, must be a whole number from 0"),
        ({"paid": [0.0]}, "paid is [0.0], must be a list of 4, each a finite number"),
        ({"paid": [0.0, 0.0, float("nan"), 0.0]}, "must be a list of 4, each a finite number"),
        ({"illegal_actions": 1.5}, "illegal_actions is 1.5, must be an object of player_0"),
        ({"more": 1}, "attributes is"),
    ],
    "raw_aec": [
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


def with_attributes(state: bytes, **changes) -> bytes:
    head, _, rows = state.partition(b"\n")
    label = json.loads(head)
    return json.dumps({**label, "attributes": {**label["attributes"], **changes}}).encode() + b"\n" + rows


@pytest.mark.parametrize(("kind", "changes", "says"), CASES)
def test_set_state__with_a_bad_attribute__names_it_and_changes_nothing(kind, changes, says):
    env = make(kind, "shitenno")
    begin(env, 1)
    played(env, 20)
    before = env.get_state()
    deep = before.replace(b'"attributes": {', b'"attributes": ' + b"[" * 50_000)
    for state, words in ((with_attributes(before, **changes), says), (deep, "too many values inside one another")):
        with pytest.raises(ValueError, match=re.escape(words)) as refused:
            env.set_state(state)
        assert "\n" not in str(refused.value)
    assert env.get_state() == before


@each_game
def test_set_state__with_chance_outcomes_to_come__is_refused(name):
    env = make("parallel", name, record=True)
    begin(env, 5)
    whole = env.get_state()
    set_tape(env.batch.logs[0], [(1, 0)])
    taped = env.get_state()
    env.set_state(whole)
    with pytest.raises(ValueError, match="its log is that of a replay, or is full"):
        env.set_state(taped)
