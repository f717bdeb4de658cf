"""States, clones, copies and pickles of a running game play on as the game itself would have."""

import pytest

from tests.api.environments import COPIES, bare, begin, each_variant, make, played, same
from tests.games import each_game

KINDS = ("parallel", "raw_aec", "aec", "single")
each_kind = pytest.mark.parametrize("kind", KINDS)


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
    if record or kind == "aec":  # the other one may be new
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
        "not saved games of this version": b"rubbish",
        "must be bytes, not str": "text",
        "must be bytes, not int": 5,
        "must be bytes, not NoneType": None,
        "are damaged": before[:-1],
        'reward is "rank": must be "win"': other.get_state(),
        'kind is "raw_env": must be "parallel_env"': bare(aec).get_state(),
    }
    for message, state in cases.items():
        with pytest.raises(ValueError, match=message):
            env.set_state(state)
        assert env.get_state() == before


@each_game
def test_set_state__of_another_seat_or_other_opponents__is_refused_and_changes_nothing(name):
    """The other seat stayed for all later games, and opponents that were not there failed at the next step."""
    env = make("single", name, learner_seat=1, opponents="random")
    begin(env, 1)
    before = bare(env).get_state()
    for message, options in {
        "learner_seat is 2: must be 1": {"learner_seat": 2},
        "opponents is 2: must be 1": {"opponents": ["random", "scripted", "random"]},
    }.items():
        other = make("single", name, **{"learner_seat": 1, "opponents": "random"} | options)
        begin(other, 2)
        with pytest.raises(ValueError, match=message):
            bare(env).set_state(bare(other).get_state())
        assert bare(env).get_state() == before
