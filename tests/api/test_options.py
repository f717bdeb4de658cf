"""Bad options, illegal actions, pictures, and what an import brings along."""

import re
import sys
import warnings

import numpy as np
import pytest

import shogun_env
from shogun_env.envs import base
from shogun_env.records.text import render_text
from shogun_env.spec.options import OptionError
from tests.api.environments import KINDS, Chooser, bare, begin, each_kind, lowest, make, module, same, single, vector
from tests.games import batch_class, each_game
from tests.tree import run

BAD = [
    ({"num_players": 9}, "num_players=9: must be "),
    ({"num_players": "four"}, "num_players='four'"),
    ({"reward": "money"}, "reward='money'"),
    ({"reward": np.array(["win", "rank"])}, "reward=array.*: must be one of win"),
    ({"observation": "pixels"}, "observation='pixels'"),
    ({"illegal_action": "ignore"}, "illegal_action='ignore'"),
    ({"mask": "nowhere"}, "mask='nowhere'"),
    ({"max_cycles": 0}, "max_cycles=0"),
    ({"max_cycles": 2.5}, "max_cycles=2.5"),
    ({"render_mode": "film"}, "render_mode='film'"),
    ({"info_text": "no"}, "info_text='no': must be True or False"),
]
OF_SHOGUN = [
    ({"side": "dark"}, "side"),
    ({"start": "late"}, "start"),
    ({"side": "moon"}, "preset.*moon"),
    ({"tower": "ten_floor"}, "tower"),
    ({"tower": {"floors": 2, "stick": 10**400, "dislodge": 0, "shake": 0}}, "tower"),
    ({"optional_moves": 1}, "optional_moves"),
    ({"shuffle_seats": "no"}, "shuffle_seats"),
]
OF_LEARNERS = [
    ({"opponents": "nobody"}, "^opponents: .*known are .*random"),
    ({"opponents": None}, "^opponents: .*give a bot's name"),
    ({"opponents": ["random"]}, r"4 players need 3"),
    ({"opponents": 7}, "give a bot's name"),
    ({"learner_seat": 4}, "0 to 3 or 'rotate'"),
    ({"learner_seat": "last"}, "0 to 3 or 'rotate'"),
]


@each_game
@each_kind
def test_bad_option__every_env__raises_one_line_naming_it(name: str, kind: str):
    learns = kind in ("single", "vector", "sb3")
    cases = [*BAD, *(OF_SHOGUN if name == "shogun" else [])]
    cases += [({"render_mode": "human"}, "human")] if kind in ("vector", "sb3") else []
    cases += [({"copy": "no"}, "copy='no': must be True or False")] if kind == "vector" else []
    cases += [({"autoreset_mode": np.zeros(2)}, "autoreset_mode=array.*: must be Auto")] if kind == "vector" else []
    of_rows = [({"rows": 0}, "num_envs=0: must be"), ({"num_threads": 0}, "num_threads=0")]
    cases += of_rows if kind in ("vector", "sb3") else []
    cases += [*OF_LEARNERS, ({"opponent": "random"}, "did you mean opponents?")] if learns else []
    cases += [({"x": 1}, "known are .*opponents.*learner_seat")] if learns else []
    cases += [({"record": "yes"}, "record")] if kind not in ("vector", "sb3") else []
    for options, message in cases:
        with pytest.raises(OptionError, match=message) as error:
            make(kind, name, **options)
        assert "\n" not in str(error.value)
    for unknown in ({"colour": "red"}, {"record": True} if kind == "vector" else {"colours": 3}):
        with pytest.raises(TypeError, match=next(iter(unknown))):
            make(kind, name, **unknown)


@each_game
def test_fallback__illegal_action__plays_the_lowest_legal_one_and_says_so(name):
    env, right = module(name).parallel_env(), module(name).parallel_env()
    _, infos = env.reset(seed=3)
    right.reset(seed=3)
    legal = {agent: int(info["action_mask"].argmax()) for agent, info in infos.items()}
    decider = next(agent for agent, info in infos.items() if info["to_act"])
    *_, infos = env.step({**legal, decider: 0})
    right.step(legal)
    assert env.batch.games.tobytes() == right.batch.games.tobytes()
    assert [agent for agent, info in infos.items() if info["illegal_action"]] == [decider]
    assert env.illegal_actions[decider] == 1
    *_, infos = env.step({agent: 10_000 for agent in env.agents})
    assert all(info["illegal_action"] for info in infos.values())
    rows = vector(name, 4)
    rows.reset(seed=1)
    actions = lowest(rows)
    actions[2] = -5
    assert rows.step(actions)[-1]["illegal_action"].tolist() == [False, False, True, False]


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
    env = module(name).parallel_env(illegal_action="raise")
    _, infos = env.reset(seed=3)
    legal = {agent: int(info["action_mask"].argmax()) for agent, info in infos.items()}
    decider = [agent for agent, info in infos.items() if info["to_act"]][-1]
    before, phase = env.get_state(), infos[decider]["phase"]
    action_name = batch_class(name).spec.action_name
    for bad, words in [(0, f"0 {action_name(0)}"), (-1, "-1"), (500, "500")]:
        with pytest.raises(ValueError, match=f"{decider} in {phase}: action {words} is illegal; legal are"):
            env.step({**legal, decider: bad})
    deciders = [agent for agent, info in infos.items() if info["to_act"]]
    others = {agent: action for agent, action in legal.items() if agent != decider}
    for given, missing in (({}, deciders), (others, [decider]), ({**legal, decider: None}, [decider])):
        with pytest.raises(ValueError, match=f"^actions: none for {', '.join(missing)}; in {phase} each of them has"):
            env.step(given)
    assert env.get_state() == before
    aec, rows = make("raw_aec", name, illegal_action="raise"), vector(name, 3, illegal_action="raise")
    for each, actions, words in ((aec, 0, "is illegal"), (rows, [None, 0, None], r"row 1.*illegal")):
        begin(each, 3)
        if each is rows:
            actions = np.where([True, False, True], lowest(rows), 0)
        before = each.batch.save()
        with pytest.raises(ValueError, match=words):
            each.step(actions)
        assert each.batch.save() == before


@each_game
@pytest.mark.parametrize("illegal", ["fallback", "raise"])
def test_illegal_action__beside_a_row_that_waits_for_its_next_game__counts_in_rows_that_play(name, illegal):
    rows = vector(name, 8, autoreset_mode="NEXT_STEP", illegal_action=illegal)
    rows.reset(seed=1)
    waits = np.zeros(8, np.bool_)
    while not waits.any() or waits.all():
        waits = rows.step(lowest(rows))[2]
    row, actions = int(np.flatnonzero(~waits)[0]), np.where(waits, -5, lowest(rows))
    actions[row] = -5
    if illegal == "fallback":
        assert np.flatnonzero(rows.step(actions)[-1]["illegal_action"]).tolist() == [row]
        return
    before = rows.batch.save()
    with pytest.raises(ValueError, match=f"row {row}.*illegal"):
        rows.step(actions)
    assert rows.batch.save() == before
    actions[row] = lowest(rows)[row]
    assert not rows.step(actions)[-1]["illegal_action"].any()


@each_game
def test_fallback__first_illegal_action_of_a_process__is_told_once(name, monkeypatch):
    monkeypatch.setattr(base, "_warned", set())
    names = batch_class(name).spec.action_name
    parallel, aec, one, rows = (make(kind, name, 3) for kind in ("parallel", "aec", "single", "vector"))
    for env in (parallel, aec, one, rows):
        env.reset(seed=3)
    bad = 0  # nobody who decides may play it
    asked = f"player_{parallel.batch.player[0]}"
    for who, play in (
        (asked, lambda: parallel.step({asked: bad})),
        (asked, lambda: aec.step(bad)),
        ("player_0", lambda: one.step(bad)),
        ("player_0 in row 1", lambda: rows.step(np.where([True, False, True], lowest(rows), bad))),
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


KEYS = [{0: 1, 1: 1, 2: 1, 3: 1}, {"player0": 1}, {"player_4": 1}, {"player_0": 0, None: 0}, {"player_0 ": 0}]
NO_NUMBERS = [
    1.9, 1.0, np.float32(1.7), np.array(1.5), "1", b"1", True, np.bool_(True), [1], np.array([1]), 1j, object(),
]  # fmt: skip


@each_game
@pytest.mark.parametrize("how", ["fallback", "raise"])
def test_step__keys_that_are_no_agents__are_refused_and_change_nothing(name, how):
    env = module(name).parallel_env(illegal_action=how)
    env.reset(seed=3)
    before = env.get_state()
    for actions in KEYS:
        wrong = next(key for key in actions if key not in env.possible_agents)
        words = f"actions: {wrong!r} is no agent; the agents are player_0, player_1"
        with pytest.raises(ValueError, match=re.escape(words)):
            env.step(actions)
    with pytest.raises(ValueError, match="must be a dict with the actions by agent"):
        env.step([1, 1, 1, 1])
    assert env.get_state() == before


@each_game
@pytest.mark.parametrize("how", ["fallback", "raise"])
def test_step__actions_that_are_no_whole_numbers__are_refused_and_change_nothing(name, how):
    parallel, aec, one, rows = (
        make(kind, name, 3, illegal_action=how) for kind in ("parallel", "raw_aec", "single", "vector")
    )
    for env in (parallel, aec, one, rows):
        env.reset(seed=3)
    before = [env.batch.save() for env in (parallel, aec, one, rows)]
    # whoever it is, even if the actions of the others are illegal
    others = dict.fromkeys(parallel.possible_agents, 500 if how == "fallback" else None)
    for action in NO_NUMBERS:
        for agent in parallel.possible_agents:
            with pytest.raises(ValueError, match=r"must be a whole number|is illegal") as error:
                parallel.step({**others, agent: action})
            assert "\n" not in str(error.value)
        for env, who in ((aec, aec.agent_selection), (one, "the learner")):
            with pytest.raises(ValueError, match=f"^{who}: action .* must be a whole number$"):
                env.step(action)
        with pytest.raises(ValueError, match=r"must be whole numbers \(int64\), one for each of 3 rows, not "):
            rows.step([action] * 3)
    assert [env.batch.save() for env in (parallel, aec, one, rows)] == before


@each_game
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "aec"])
def test_step__before_a_reset__says_what_to_do(name, kind):
    actions = {"parallel": {}, "raw_aec": 0, "single": 0}.get(kind, np.zeros(4, np.int64))
    with pytest.raises(ValueError, match=r"^no game is running, or the last step or reset failed half-way: call "):
        make(kind, name).step(actions)


@each_game
@pytest.mark.parametrize("kind", ["parallel", "raw_aec", "single"])
def test_state_and_record__before_a_reset__says_what_to_do(name, kind):
    env = make(kind, name, record=True)
    for ask in (env.record, *([] if kind == "single" else [env.get_state])):
        with pytest.raises(ValueError, match=r"^no game is running"):
            ask()
    if kind == "parallel":
        with pytest.raises(ValueError, match=r"^no game is running"):
            env.look()


@each_kind
def test_reset__bad_seed__says_what_seeds_are_and_changes_nothing(kind):
    env = make(kind, "shitenno")
    begin(env, 1)
    before = bare(env).batch.save()
    for seed, shown in ((1.0, "1."), (True, "True"), ("1", "'1'"), (-1, "-1"), (2**53, "9007199254740992"),
                        (2**64, f"{2**64}"), (np.uint64(2**64 - 5), f"{2**64 - 5}")):  # fmt: skip
        with pytest.raises(ValueError, match=rf"^seeds .*(found|not) .*{shown}"):
            getattr(env, "games", env).reset(seed=seed)
    assert bare(env).batch.save() == before


@pytest.mark.parametrize("seed", [np.int8(5), np.array(5), [5, 6, 7, 8], np.arange(5, 9)])
def test_reset__seeds_of_rows__may_be_any_whole_numbers(seed):
    env, other = make("vector", "shitenno"), make("vector", "shitenno")
    assert same(env.reset(seed=seed), other.reset(seed=5))
    with pytest.raises(ValueError, match=r"^2 seeds for 4 rows: give one for each$"):
        env.reset(seed=[1, 2])


@each_game
def test_infos__without_text__hold_numbers_and_arrays_only(name):
    phases = batch_class(name).spec.phase_names
    for kind in ("parallel", "aec"):
        env, usual, choose = make(kind, name, info_text=False), make(kind, name), Chooser(1)
        env.reset(seed=2)
        usual.reset(seed=2)
        for _ in range(60):
            infos, texts = (each.look()[1] if kind == "parallel" else each.unwrapped.infos for each in (env, usual))
            for agent, info in infos.items():
                assert {type(value) for value in info.values()} == {bool, int, np.ndarray}
                assert phases[info["phase"]] == texts[agent]["phase"]
            masks = infos if kind == "parallel" else {0: infos[env.agent_selection]}
            actions = choose.parallel(masks)
            for each in (env, usual):
                each.step(actions if kind == "parallel" else actions[0])
    one, rows = single(name, info_text=False), vector(name, 2, info_text=False, max_cycles=3)
    _, info = one.reset(seed=2)
    _, infos = rows.reset(seed=2)
    assert type(info["phase"]) is int and infos["phase"].dtype.kind == "i" and infos["phase"][0] == info["phase"]
    for _ in range(3):
        *_, infos = rows.step(lowest(rows))
    arrays = {name: array for name, array in infos.items() if name not in ("final_obs", "final_info")}
    assert {array.dtype.kind for array in [*arrays.values(), *infos["final_info"].values()]} <= set("bi")


@each_game
def test_render__ansi_and_human__are_the_referees_view_here_and_the_learners_there(name, capsys):
    for kind, options, viewer in (("parallel", {}, None), ("single", {"learner_seat": 2}, 2), ("vector", {}, 0)):
        env = make(kind, name, 1, render_mode="ansi", **options)
        env.reset(seed=1)
        shown = env.render()
        assert (shown[0] if kind == "vector" else shown) == render_text(env.batch, 0, viewer)
    assert capsys.readouterr().out == ""
    env = make("parallel", name, render_mode="human")
    env.reset(seed=1)
    first = capsys.readouterr().out
    env.step({})
    assert first and capsys.readouterr().out not in ("", first)


@each_game
def test_render__rgb_array__is_the_board_in_pixels(name):
    pytest.importorskip("resvg_py", reason="needs [viz]")
    env, learner = (
        make("parallel", name, render_mode="rgb_array"),
        single(name, render_mode="rgb_array", learner_seat=2),
    )
    rows = vector(name, 2, render_mode="rgb_array")
    for each in (env, learner, rows):
        each.reset(seed=1)
    assert (env.render().shape, env.render().dtype) == ((720, 1280, 3), np.uint8)
    assert not np.array_equal(learner.render(), env.render())
    assert [picture.shape for picture in rows.render()] == [(720, 1280, 3)] * 2


@pytest.mark.parametrize("kind", KINDS)
def test_reset__option_that_it_does_not_have__is_told_what_was_meant(kind: str):
    env = make(kind, "shitenno")
    with pytest.raises(ValueError, match="reset has no option 'postion'; did you mean position"):
        begin(env, 3, postion="text")
    for name in ("num_players", "mask"):
        with pytest.raises(ValueError, match=f"reset has no option '{name}': must be given when the environment is"):
            begin(env, 3, **{name: 3})
    begin(env, 3, options=1)  # as tests of PettingZoo have it


def test_import__package__loads_no_engine_and_registers_once():
    code = (
        "import sys, warnings; warnings.simplefilter('error'); import shogun_env, importlib.util;"
        "assert not {'numba', 'gymnasium', 'pettingzoo', 'numpy', 'shogun_env.agents'} & set(sys.modules);"
        "importlib.util.find_spec('gymnasium'); import gymnasium, pettingzoo;"
        "assert 'numba' not in sys.modules and not [f for f in sys.meta_path if hasattr(f, 'library')];"
        "registry = getattr(pettingzoo, 'aec_registry', {f'shogun_env/{n}-v0': 0 for n in shogun_env.GAMES});"
        "assert all(f'shogun_env/{n}-v0' in registry for n in shogun_env.GAMES); importlib.reload(shogun_env);"
        "print(sorted(i for i in gymnasium.registry if i.startswith('shogun_env')))"
    )
    result = run(sys.executable, "-c", code)
    names = sorted(f"shogun_env/{name.capitalize()}-v0" for name in shogun_env.GAMES)
    assert result.stdout == f"{names}\n", result.stderr


def test_versions__package__are_those_of_the_games():
    for name in shogun_env.GAMES:
        game = batch_class(name).spec
        assert shogun_env.RULES_VERSION[name] == game.rules_version
        assert shogun_env.OBS_VERSION[name] == game.obs_version
    with pytest.raises(AttributeError, match="nothing_v0"):
        shogun_env.nothing_v0  # noqa: B018
