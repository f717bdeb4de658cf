"""Bad options, illegal actions, pictures, and what an import brings along."""

from __future__ import annotations

import re
import subprocess
import sys
import warnings

import numpy as np
import pytest

import shogun_env
from shogun_env.envs import base
from tests.api.environments import Chooser, module, single, vector
from tests.games import batch_class, each_game

BAD = [
    ("num_players", 9),
    ("num_players", "four"),
    ("reward", "money"),
    ("observation", "pixels"),
    ("illegal_action", "ignore"),
    ("mask", "nowhere"),
    ("max_cycles", 0),
    ("max_cycles", 2.5),
    ("render_mode", "film"),
    ("record", "yes"),
]
SHOGUN_BAD = [
    ("side", "dark"),
    ("start", "late"),
    ("tower", "ten_floor"),
    ("tower", {"floors": 2, "stick": 10**400, "dislodge": 0, "shake": 0}),
    ("optional_moves", 1),
    ("shuffle_seats", "no"),
]


@each_game
@pytest.mark.parametrize(("option", "value"), BAD)
def test_bad_option__every_env__raises_one_line_naming_it(name, option, value):
    for make in (module(name).parallel_env, module(name).env, module(name).raw_env):
        with pytest.raises(ValueError, match=option) as error:
            make(**{option: value})
        assert "\n" not in str(error.value)
    with pytest.raises(ValueError, match=option):
        single(name, **{option: value})
    if option != "record":
        with pytest.raises(ValueError, match=option):
            vector(name, 2, **{option: value})


@each_game
def test_unknown_keyword__every_env__raises_naming_it(name):
    v0 = module(name)
    for make in (v0.parallel_env, v0.env, v0.raw_env, lambda **o: single(name, **o), lambda **o: vector(name, 2, **o)):
        with pytest.raises(TypeError, match="colour"):
            make(colour="red")
    with pytest.raises(TypeError, match="record"):
        vector(name, 2, record=True)


@each_game
@pytest.mark.parametrize("beyond", [-1, 1])
def test_num_players__one_too_few_or_too_many__raises_saying_how_many_may_play(name, beyond):
    players = batch_class(name).spec.players
    count = players[0] - 1 if beyond < 0 else players[-1] + 1
    with pytest.raises(ValueError, match=f"num_players={count}.*{players[0]}.*{players[-1]}"):
        module(name).parallel_env(num_players=count)


@pytest.mark.parametrize(("option", "value"), SHOGUN_BAD)
def test_option_of_shogun__for_shitenno__raises_naming_it(option, value):
    with pytest.raises(TypeError, match=option):
        module("shitenno").parallel_env(**{option: value})


@pytest.mark.parametrize(("option", "value"), SHOGUN_BAD)
def test_bad_option__of_shogun__raises_naming_it(option, value):
    with pytest.raises(ValueError, match=option):
        module("shogun").parallel_env(**{option: value})


def test_bad_combination__preset_on_the_moon_side__raises():
    with pytest.raises(ValueError, match=r"preset.*moon"):
        module("shogun").parallel_env(side="moon")


@each_game
def test_bad_option__of_one_learner__raises_naming_what_is_right(name):
    cases = [
        ({"opponents": "nobody"}, "known are .*random"),
        ({"opponents": ["random"]}, r"4 players need 3"),
        ({"opponents": 7}, "give a bot's name"),
        ({"learner_seat": 4}, "0 to 3 or 'rotate'"),
        ({"learner_seat": "last"}, "0 to 3 or 'rotate'"),
    ]
    for options, message in cases:
        with pytest.raises(ValueError, match=message):
            single(name, **options)
        with pytest.raises(ValueError, match=message):
            vector(name, 2, **options)
    for options, message in [({"render_mode": "human"}, "human"), ({"autoreset_mode": "later"}, "autoreset_mode")]:
        with pytest.raises(ValueError, match=message):
            vector(name, 2, **options)


# --- illegal actions -------------------------------------------------------------------------------------------------


@each_game
def test_fallback__illegal_action__plays_the_lowest_legal_one_and_says_so(name):
    env, right = module(name).parallel_env(), module(name).parallel_env()
    _, infos = env.reset(seed=3)
    right.reset(seed=3)
    lowest = {agent: int(info["action_mask"].argmax()) for agent, info in infos.items()}
    decider = next(agent for agent, info in infos.items() if info["to_act"])
    *_, infos = env.step({**lowest, decider: 0})
    right.step(lowest)
    assert env.batch.games.tobytes() == right.batch.games.tobytes()
    assert [agent for agent, info in infos.items() if info["illegal_action"]] == [decider]
    assert env.illegal_actions[decider] == 1
    *_, infos = env.step({agent: 10_000 for agent in env.agents})
    assert all(info["illegal_action"] for info in infos.values())


@each_game
def test_fallback__aec__says_so_when_the_agent_is_asked_again(name):
    env = module(name).raw_env()
    env.reset(seed=3)
    first = env.agent_selection
    env.step(0)
    assert env.infos[first]["illegal_action"]
    while env.agent_selection != first:
        env.step(int(env.infos[env.agent_selection]["action_mask"].argmax()))
    assert env.last()[-1]["illegal_action"]
    env.step(int(env.last()[-1]["action_mask"].argmax()))
    assert not env.infos[first]["illegal_action"]


@each_game
def test_raise__illegal_action__names_it_and_changes_nothing(name):
    v0 = module(name)
    env = v0.parallel_env(illegal_action="raise")
    _, infos = env.reset(seed=3)
    legal = {agent: int(info["action_mask"].argmax()) for agent, info in infos.items()}
    decider = [agent for agent, info in infos.items() if info["to_act"]][-1]
    before, phase = env.get_state(), infos[decider]["phase"]
    action_name = batch_class(name).spec.action_name
    for bad, words in [(0, f"0 {action_name(0)}"), (-1, "-1"), (500, "500")]:
        with pytest.raises(ValueError, match=f"{decider} in {phase}: action {words} is illegal; legal are"):
            env.step({**legal, decider: bad})
    with pytest.raises(ValueError, match="action None is illegal"):
        env.step({agent: action for agent, action in legal.items() if agent != decider})
    assert env.get_state() == before
    aec = v0.raw_env(illegal_action="raise")
    aec.reset(seed=3)
    before = aec.get_state()
    with pytest.raises(ValueError, match="is illegal"):
        aec.step(0)
    assert aec.get_state() == before
    rows = vector(name, 3, illegal_action="raise")
    rows.reset(seed=1)
    actions = rows.batch.legal.argmax(axis=1)
    before = rows.batch.save()
    with pytest.raises(ValueError, match=r"row 1.*illegal"):
        rows.step(np.array([actions[0], 0, actions[2]]))
    assert rows.batch.save() == before


@each_game
def test_fallback__vector__says_so_by_row(name):
    env = vector(name, 4)
    env.reset(seed=1)
    actions = env.batch.legal.argmax(axis=1)
    actions[2] = -5
    *_, infos = env.step(actions)
    assert infos["illegal_action"].tolist() == [False, False, True, False]


@pytest.fixture
def unwarned(monkeypatch):
    monkeypatch.setattr(base, "_warned", set())


@each_game
@pytest.mark.usefixtures("unwarned")
def test_fallback__first_illegal_action_of_a_process__is_told_once(name):
    names = batch_class(name).spec.action_name
    parallel, aec, one, rows = module(name).parallel_env(), module(name).env(), single(name), vector(name, 3)
    for env in (parallel, aec, one, rows):
        env.reset(seed=3)
    bad = 0  # nobody who decides may play it
    asked = f"player_{parallel.batch.player[0]}"
    lowest_in_rows = rows.action_masks().argmax(1)
    for who, play in (
        (asked, lambda: parallel.step({asked: bad})),
        (asked, lambda: aec.step(bad)),
        ("player_0", lambda: one.step(bad)),
        ("player_0 in row 1", lambda: rows.step(np.array([lowest_in_rows[0], bad, lowest_in_rows[2]]))),
    ):
        base._warned.clear()
        with pytest.warns(UserWarning, match=f"^{who}: the illegal action {bad} ") as told:
            play()
        words = [str(each.message) for each in told if "was replaced by" in str(each.message)]
        assert len(words) == 1 and "\n" not in words[0] and "illegal_action='fallback'" in words[0]
        assert f"({names(bad)})" in words[0]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        one.step(10**6)
        rows.step(np.array([-1, 500, 10**6]))


# --- actions ---------------------------------------------------------------------------------------------------------

KEYS = [{0: 1, 1: 1, 2: 1, 3: 1}, {"player0": 1}, {"player_4": 1}, {"player_0": 0, None: 0}, {"player_0 ": 0}]
NO_NUMBERS = [
    1.9,
    1.0,
    np.float32(1.7),
    np.array(1.5),
    "1",
    b"1",
    True,
    np.bool_(True),
    [1],
    np.array([1]),
    1j,
    object(),
]


@each_game
@pytest.mark.parametrize("how", ["fallback", "raise"])
@pytest.mark.parametrize("actions", KEYS)
def test_step__keys_that_are_no_agents__are_refused_and_change_nothing(name, how, actions):
    env = module(name).parallel_env(illegal_action=how)
    env.reset(seed=3)
    before = env.get_state()
    wrong = next(key for key in actions if key not in env.possible_agents)
    with pytest.raises(
        ValueError, match=re.escape(f"actions: {wrong!r} is no agent; the agents are player_0, player_1")
    ):
        env.step(actions)
    assert env.get_state() == before
    with pytest.raises(ValueError, match="must be a dict with the actions by agent"):
        env.step([1, 1, 1, 1])


@each_game
@pytest.mark.parametrize("how", ["fallback", "raise"])
@pytest.mark.parametrize("action", NO_NUMBERS)
def test_step__actions_that_are_no_whole_numbers__are_refused_and_change_nothing(name, how, action):
    parallel, aec, one = (
        make(illegal_action=how)
        for make in (module(name).parallel_env, module(name).raw_env, lambda **options: single(name, **options))
    )
    for env in (parallel, aec, one):
        env.reset(seed=3)
    for agent in parallel.possible_agents:
        # whoever it is, even if the actions of the others are illegal
        others = dict.fromkeys(parallel.possible_agents, 500 if how == "fallback" else None)
        before = parallel.get_state()
        with pytest.raises(ValueError, match=r"must be a whole number|is illegal") as error:
            parallel.step({**others, agent: action})
        assert "\n" not in str(error.value)
        assert parallel.get_state() == before
    for env, who in ((aec, aec.agent_selection), (one, "the learner")):
        before = env.get_state()
        with pytest.raises(ValueError, match=f"^{who}: action .* must be a whole number$"):
            env.step(action)
        assert env.get_state() == before
    rows = vector(name, 3, illegal_action=how)
    rows.reset(seed=3)
    before = rows.batch.save()
    with pytest.raises(ValueError, match="must be whole numbers, one for each of 3 rows"):
        rows.step([action] * 3)
    assert rows.batch.save() == before


@each_game
def test_step__before_a_reset__says_what_to_do(name):
    for env, action in (
        (module(name).parallel_env(), {}), (module(name).raw_env(), 0), (single(name), 0), (vector(name, 2), [0, 0]),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=r"^no game is running, or the last step or reset failed half-way: call "):
            env.step(action)


@each_game
def test_action_masks__of_both_gymnasium_envs__are_what_their_spaces_sample_by(name):
    env, rows = single(name), vector(name, 3)
    env.reset(seed=1)
    rows.reset(seed=1)
    env.action_space.seed(1)
    rows.action_space.seed(1)
    for _ in range(20):
        assert env.action_masks()[env.action_space.sample(mask=env.action_masks())] == 1
        actions = rows.action_space.sample(mask=tuple(rows.action_masks()))
        assert rows.action_masks()[np.arange(3), actions].all()


@each_game
def test_infos__without_text__hold_numbers_and_arrays_only(name):
    phases = batch_class(name).spec.phase_names
    for make in (module(name).parallel_env, module(name).env):
        env, usual, choose = make(info_text=False), make(), Chooser(1)
        env.reset(seed=2)
        usual.reset(seed=2)
        for _ in range(60):
            infos = env.look()[1] if hasattr(env, "look") else env.unwrapped.infos
            texts = usual.look()[1] if hasattr(env, "look") else usual.unwrapped.infos
            for agent, info in infos.items():
                assert {type(value) for value in info.values()} == {bool, int, np.ndarray}
                assert phases[info["phase"]] == texts[agent]["phase"]
            if hasattr(env, "look"):
                actions = choose.parallel(infos)
            else:
                actions = choose.one(infos[env.agent_selection]["action_mask"])
            env.step(actions)
            usual.step(actions)
    one, rows = single(name, info_text=False), vector(name, 2, info_text=False, max_cycles=3)
    _, info = one.reset(seed=2)
    _, infos = rows.reset(seed=2)
    assert type(info["phase"]) is int and infos["phase"].dtype.kind == "i" and infos["phase"][0] == info["phase"]
    for _ in range(3):
        *_, infos = rows.step(rows.action_masks().argmax(1))
    arrays = {name: array for name, array in infos.items() if name not in ("final_obs", "final_info")}
    assert {array.dtype.kind for array in [*arrays.values(), *infos["final_info"].values()]} <= set("bi")
    v0 = module(name)
    for make in (v0.parallel_env, v0.raw_env, lambda **o: single(name, **o), lambda **o: vector(name, 2, **o)):
        with pytest.raises(ValueError, match="info_text='no': must be True or False"):
            make(info_text="no")


# --- pictures and imports --------------------------------------------------------------------------------------------


@each_game
def test_render__ansi__is_the_referees_view_here_and_the_learners_there(name, capsys):
    env = module(name).parallel_env(render_mode="ansi")
    env.reset(seed=1)
    from shogun_env.records.text import render_text

    assert env.render() == render_text(env.batch, 0, None)
    learner = single(name, render_mode="ansi", learner_seat=2)
    learner.reset(seed=1)
    assert learner.render() == render_text(learner.batch, 0, 2)
    rows = vector(name, 2, render_mode="ansi")
    rows.reset(seed=1)
    assert rows.render()[1] == render_text(rows.batch, 1, 0)
    assert capsys.readouterr().out == ""


@each_game
def test_render__human__prints_after_every_step(name, capsys):
    env = module(name).parallel_env(render_mode="human")
    assert capsys.readouterr().out == ""
    _, infos = env.reset(seed=1)
    first = capsys.readouterr().out
    env.step(Chooser().parallel(infos))
    assert first
    assert capsys.readouterr().out not in ("", first)


def test_import__package__loads_no_engine_and_registers_once():
    code = (
        "import sys, warnings; warnings.simplefilter('error'); import shogun_env, importlib.util;"
        "assert not {'numba', 'gymnasium', 'pettingzoo', 'numpy'} & set(sys.modules);"
        "importlib.util.find_spec('gymnasium'); import gymnasium, pettingzoo;"
        "assert 'numba' not in sys.modules and not [f for f in sys.meta_path if hasattr(f, 'library')];"
        "registry = getattr(pettingzoo, 'aec_registry', {f'shogun_env/{n}-v0': 0 for n in shogun_env.GAMES});"
        "assert all(f'shogun_env/{n}-v0' in registry for n in shogun_env.GAMES); importlib.reload(shogun_env);"
        "print(sorted(i for i in gymnasium.registry if i.startswith('shogun_env')))"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout == f"{sorted(f'shogun_env/{name.capitalize()}-v0' for name in shogun_env.GAMES)}\n"


def test_versions__package__are_those_of_the_games():
    for name in shogun_env.GAMES:
        game = batch_class(name).spec
        assert shogun_env.RULES_VERSION[name] == game.rules_version
        assert shogun_env.OBS_VERSION[name] == game.obs_version
    with pytest.raises(AttributeError, match="nothing_v0"):
        shogun_env.nothing_v0  # noqa: B018


@each_game
def test_render__rgb_array__is_the_board_in_pixels(name):
    pytest.importorskip("resvg_py", reason="needs [viz]")
    env = module(name).parallel_env(render_mode="rgb_array")
    env.reset(seed=1)
    assert (env.render().shape, env.render().dtype) == ((720, 1280, 3), np.uint8)
    learner = single(name, render_mode="rgb_array", learner_seat=2)
    learner.reset(seed=1)
    assert not np.array_equal(learner.render(), env.render())
    rows = vector(name, 2, render_mode="rgb_array")
    rows.reset(seed=1)
    assert [picture.shape for picture in rows.render()] == [(720, 1280, 3)] * 2


def test_record_video__of_gymnasium__writes_a_film(tmp_path):
    pytest.importorskip("moviepy", reason="RecordVideo of Gymnasium needs moviepy")
    import gymnasium

    env = gymnasium.make("shogun_env/Shitenno-v0", render_mode="rgb_array")
    film = gymnasium.wrappers.RecordVideo(env, str(tmp_path), video_length=3, disable_logger=True)
    film.reset(seed=1)
    for _ in range(4):
        film.step(int(film.get_wrapper_attr("action_masks")().argmax()))
    film.close()
    assert next(tmp_path.glob("*.mp4")).stat().st_size > 1000
