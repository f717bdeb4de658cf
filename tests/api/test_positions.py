"""``reset(options={"position": …})``: every interface begins there, and refuses a bad position in a line."""

from typing import Any

import numpy as np
import pytest

from tests.api.environments import KINDS, bare, begin, each_kind, each_learner, lowest, make, same
from tests.games import batch_class, each_of_all_games, some_action
from tests.zoo.bots import highest


def position_of(name: str, decisions: int = 3, **options: Any) -> tuple[str, Any]:
    """Return a position some decisions into a game, and a batch of one game there."""
    batch, rng = batch_class(name)(1, seed=8, **options), np.random.default_rng(1)
    for _ in range(decisions):
        batch.step(some_action(batch, rng))
    return batch.position(), batch


@each_of_all_games
@each_kind
def test_reset__at_a_position__begins_there_with_the_chance_of_the_seed(name: str, kind: str):
    text, there = position_of(name)
    seat = {} if kind not in ("single", "vector", "sb3") else {"learner_seat": int(there.player[0])}
    env, again = make(kind, name, **seat), make(kind, name, **seat)
    begin(env, 5)
    first = begin(env, 1, position=text)
    batch = bare(env).batch
    for row in range(batch.num_games):
        assert batch.position(row) == text
        usual = batch_class(name)(1, seed=1 + row)
        assert np.array_equal(usual.rngs[:, 0], batch.rngs[row : row + 1, 0])
    assert np.array_equal(batch.legal[0], there.legal[0])
    assert same(begin(again, 1, position=text), first)
    begin(env, 5)
    begin(again, 5)
    assert bare(env).batch.games.tobytes() == bare(again).batch.games.tobytes()
    assert batch.position() != text


def test_reset__at_a_position_within_a_planning__asks_those_who_have_not_filled_the_space():
    text, there = position_of("shogun", 2)  # players 0 and 1 have bid
    parallel, aec = make("parallel", "shogun"), make("raw_aec", "shogun")
    _, infos = parallel.reset(seed=1, options={"position": text})
    aec.reset(seed=1, options={"position": text})
    assert [info["to_act"] for info in infos.values()] == [False, False, True, True]
    *_, infos = parallel.step({agent: int(info["action_mask"].argmax()) for agent, info in infos.items()})
    for _ in range(2):
        aec.step(int(aec.batch.legal[0].argmax()))
    assert parallel.batch.games.tobytes() == aec.batch.games.tobytes()
    assert (aec.cycles, parallel.cycles) == (1, 1)
    assert there.player[0] == 2 and all(info["to_act"] for info in infos.values())


@pytest.mark.parametrize("kind", ["parallel", "raw_aec", "single", "vector", "sb3"])
def test_rewards__from_a_position__are_counted_from_there(kind: str):
    batch = batch_class("shogun")(1, num_players=3, seed=3, reward="points")
    batch.play(["random"] * 3, until="year")
    assert batch.returns.any()
    env = make(kind, "shogun", num_players=3, reward="points")
    begin(env, 1, position=batch.position())
    before = env.batch.returns[0].copy()
    total = np.zeros(3)
    for _ in range(400):
        if kind == "parallel":
            masks = dict(zip(env.possible_agents, env.batch.legal_for([0, 1, 2], [0, 0, 0]), strict=True))
            rewards = env.step({agent: int(mask.argmax()) for agent, mask in masks.items()})[1]
            total += list(rewards.values())
        elif kind == "raw_aec":
            env.step(int(env.batch.legal[0].argmax()))
            total += list(env.rewards.values())
        else:
            result = env.step(lowest(env))
            total[0] += np.atleast_1d(result[1])[0]
            if np.atleast_1d(result[2])[0]:
                break
        if kind in ("parallel", "raw_aec") and env.batch.over[0]:
            break
    if kind in ("vector", "sb3"):  # the next game has begun
        assert abs(total[0]) < 10 and abs(before[0] - batch.returns[0, 0]) < 1e-6
    else:
        assert total[0] == pytest.approx(env.batch.returns[0, 0] - before[0], abs=1e-5)


@pytest.mark.parametrize("name", ["shitenno", "coins"])
def test_reset__at_positions_by_row__begins_each_row_at_its_own(name: str):
    texts = [position_of(name, decisions)[0] for decisions in (1, 2)]
    env = make("vector", name, learner_seat="rotate")
    env.reset(seed=1)
    usual = make("vector", name, learner_seat="rotate")
    usual.reset(seed=1)
    env.reset(seed=1, options={"position": [texts[0], None, texts[1], None]})
    single = make("single", name, learner_seat="rotate")
    for row, text in enumerate([texts[0], None, texts[1], None]):
        single.reset(seed=1 + row, options={"position": text})
        assert env.batch.games[row].tobytes() == single.batch.games[0].tobytes()
        assert (env.batch.games[row].tobytes() == usual.batch.games[row].tobytes()) == (text is None)
    before = env.batch.save()
    for bad, says in (([texts[0]], "position: 1 texts for 4 rows"), ([texts[0], "x", None, None], "position: ")):
        with pytest.raises(ValueError, match=says):
            env.reset(options={"position": bad})
    mask = np.array([False, True, False, False])
    env.reset(options={"position": ["bad", texts[0], 7, None], "reset_mask": mask})
    changed = [env.batch.take([row]).save() != type(env.batch).load(before).take([row]).save() for row in range(4)]
    assert changed == mask.tolist()


@each_of_all_games
@each_kind
def test_reset__at_a_bad_position__is_refused_in_a_line_and_changes_nothing(name: str, kind: str):
    env = make(kind, name)
    begin(env, 5)
    over = batch_class(name)(1, seed=1)
    over.play(["random"] * over.num_players)
    players = next(count for count in batch_class(name).spec.players if count != over.num_players)
    others = batch_class(name)(1, num_players=players).position()
    before = bare(env).batch.save(), bare(env).get_state() if hasattr(bare(env), "get_state") else b""
    for bad, says in (
        ("rubbish", "position: "),
        (position_of(name)[0][:-5] + "x=1", "position: "),
        (others, f"position: n_players is {players} in the position"),
        (over.position(), "position: the game is over in it"),
        (7, "position: a position must be a text, as position.*not 7"),
        ({"a": 1}, "must be a text"),
    ):
        with pytest.raises(ValueError, match=says) as error:
            begin(env, 1, position=bad)
        assert "\n" not in str(error.value)
        if kind == "sb3":
            env._reset_options()
            env._reset_seeds()
        state = bare(env).batch.save(), bare(env).get_state() if hasattr(bare(env), "get_state") else b""
        assert state == before


@pytest.mark.parametrize("kind", ["parallel", "raw_aec", "single"])
def test_reset__at_a_position__is_refused_where_records_are_kept(kind: str):
    env = make(kind, "shitenno", record=True)
    begin(env, 5)
    with pytest.raises(ValueError, match=r"position: with record=True, .* a game begins with its set-up"):
        begin(env, 1, position=position_of("shitenno")[0])


@each_learner
def test_reset__at_a_position_after_the_learners_last_decision__ends_with_the_next_step(kind: str):
    batch = batch_class("coins")(1, seed=3)
    while int(batch.games["coins"][0]) > 3:
        batch.step([1])
    env = make(kind, "coins", learner_seat=1 - int(batch.player[0]), opponents=[highest(None)])
    begin(env, 1, position=batch.position())
    assert env.batch.over.all()
    if kind == "single":
        other = make(kind, "coins", learner_seat=1 - int(batch.player[0]), opponents=[highest(None)])
        other.set_state(env.get_state())
    result = env.step(lowest(env))
    assert np.all(result[2])
    assert np.abs(result[1]).max() <= 1


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "sb3"])
@pytest.mark.parametrize("options", ["text", 3, ["position"], True])
def test_reset__options_that_are_no_dictionary__are_refused_and_change_nothing(kind: str, options: Any):
    env = make(kind, "shitenno")
    begin(env, 1)
    before = bare(env).batch.save()
    with pytest.raises(ValueError, match=r"^options=.*: must be a dictionary, such as \{'position': text\}$"):
        env.reset(seed=2, options=options)
    assert bare(env).batch.save() == before
