"""PettingZoo's own test suites, warnings being errors, and what they leave out."""

from types import SimpleNamespace

import pettingzoo
import pytest
from pettingzoo.test import (
    api_test,
    max_cycles_test,
    parallel_api_test,
    parallel_seed_test,
    render_test,
    seed_test,
    state_test,
)

from tests.api.environments import Chooser, module, same
from tests.games import each_game, each_game_and_player_count

pytestmark = pytest.mark.filterwarnings(
    "error",
    "ignore:.* the illegal action .* was replaced",  # some sample without masks
    # api_test knows dict observations of its own games by name only
    "ignore:Observation is not a NumPy array",
    "ignore:Observation space for each agent should be Box or Discrete",
    "ignore:Observation space for each agent probably should be",
)


@each_game_and_player_count
def test_parallel_env__official_suites__pass(name, players):
    v0 = module(name)
    parallel_api_test(v0.parallel_env(num_players=players), num_cycles=300)
    parallel_seed_test(lambda: v0.parallel_env(num_players=players))


@each_game_and_player_count
def test_aec_env__official_suites__pass(name, players):
    v0 = module(name)
    api_test(v0.env(num_players=players), num_cycles=100)
    api_test(v0.raw_env(num_players=players), num_cycles=100)
    seed_test(lambda: v0.env(num_players=players), num_cycles=100)


@each_game_and_player_count
def test_both_envs__state_and_max_cycles__pass(name, players):
    v0 = module(name)
    state_test(v0.env(num_players=players), v0.parallel_env(num_players=players))
    if v0.Batch.spec.plan_phase >= 0:  # the suite wants every agent to act equally often in the AEC
        max_cycles_test(
            SimpleNamespace(
                parallel_env=lambda **k: v0.parallel_env(num_players=players, **k),
                env=lambda **k: v0.env(num_players=players, **k),
            )
        )


@each_game
def test_aec_env__render__passes(name, capsys):
    render_test(module(name).env)


@each_game
def test_max_cycles__both_envs__are_truncated_at_the_same_decision(name):
    both = module(name).parallel_env(max_cycles=5), module(name).raw_env(max_cycles=5)
    for env in both:
        env.reset(seed=1)
    steps = 0
    while both[0].agents:
        both[0].step({agent: int(mask.argmax()) for agent, mask in zip(both[0].agents, both[0]._masks, strict=True)})
        steps += 1
    while not any(both[1].truncations.values()):
        both[1].step(int(both[1].observe(both[1].agent_selection)["action_mask"].argmax()))
    assert steps == 5
    assert both[0].batch.games.tobytes() == both[1].batch.games.tobytes()


@each_game
def test_entities__official_suites__pass(name):
    v0 = module(name)
    for form in ("entities", "bytes"):
        parallel_api_test(v0.parallel_env(observation=form), num_cycles=200)
        seed_test(lambda form=form: v0.env(observation=form), num_cycles=50)


@each_game
def test_reset__without_seed__continues_the_generator_of_the_last_seed(name):
    env, other = module(name).parallel_env(), module(name).parallel_env()
    env.reset(seed=5)
    other.reset(seed=5)
    assert same(env.reset(), other.reset())
    seeds = {int(env.batch.seeds[0])}
    env.reset()
    seeds |= {5, int(env.batch.seeds[0])}
    assert len(seeds) == 3
    assert max(seeds) < 2**53


@each_game
def test_registry__make__gives_our_environments(name):
    assert (
        type(pettingzoo.make("parallel", f"shogun_env/{name}-v0", num_players=3)).__module__ == f"shogun_env.{name}_v0"
    )
    aec = pettingzoo.make("aec", f"shogun_env/{name}_v0")
    assert (aec.unwrapped.max_num_agents, str(aec)) == (4, f"{name}_v0")


def test_phase__of_a_hidden_payment__is_shown_to_the_decider_alone():
    env, choose = module("shitenno").parallel_env(), Chooser(2)
    _, infos = env.reset(seed=3)
    own_phases = set()
    while env.agents:
        others_phases = {info["phase"] for info in infos.values() if not info["to_act"]}
        assert "pay" not in others_phases
        own_phases |= {info["phase"] for info in infos.values() if info["to_act"]}
        *_, infos = env.step(choose.parallel(infos))
    assert "pay" in own_phases
