"""Views made of bytes with torch, or with any library like numpy, are those of the environments to the last bit."""

import copy
import pickle

import numpy as np
import pytest

from shogun_env.batch.float_view import FloatView
from shogun_env.envs.device_view import torch_view, view_function
from shogun_env.spec.options import OptionError
from tests.api.environments import module, single, vector
from tests.games import each_game
from tests.positions import BATCHES, each_of_three, some_decisions


@each_of_three
@pytest.mark.parametrize(("static", "features"), [(True, False), (False, False), (True, True)])
def test_view_of_bytes__with_numpy_or_torch__is_the_float_view(name, static, features):
    torch = pytest.importorskip("torch")
    view = FloatView(BATCHES[name].spec, static=static, features=features)
    observations = np.concatenate([decisions.observations for decisions in some_decisions(name)])
    right = view.show(observations)
    more = [view.features_of(observations)] if view.board is not None else []
    shown = view_function(view, np)(observations, *more)
    assert shown.dtype == np.float32
    assert np.array_equal(shown, right)
    on_device = torch_view(view)(torch.as_tensor(observations), *map(torch.as_tensor, more))
    assert on_device.dtype == torch.float32
    assert np.array_equal(on_device.numpy(), right)


@each_of_three
def test_view_of_bytes__of_any_value_a_byte_can_have__is_the_float_view(name):
    spec = BATCHES[name].spec
    rng, view = np.random.default_rng(0), FloatView(spec)
    highest = np.concatenate([np.full(piece.stop - piece.start, piece.high) for piece in spec.obs_layout])
    observations = rng.integers(0, highest + 1, (50, 2, spec.obs_size)).astype(np.uint8)
    assert np.array_equal(view_function(view, np)(observations), view.show(observations))


@pytest.mark.parametrize("again", [copy.deepcopy, lambda network: pickle.loads(pickle.dumps(network))])
def test_network_that_begins_with_a_view__copied_or_pickled__is_the_same(again):
    torch = pytest.importorskip("torch")
    view, observations = FloatView(BATCHES["shitenno"].spec), some_decisions("shitenno")[0].observations
    network = torch.nn.Sequential(torch_view(view), torch.nn.Linear(view.size, 4)).eval()
    shown = torch.as_tensor(observations)
    assert torch.equal(again(network)(shown), network(shown))
    assert not again(network)[0].training


@each_game
def test_environments__in_bytes__show_what_the_view_makes_flat(name):
    make = view_function(FloatView(module(name).parallel_env().game_spec), np)
    both = [module(name).parallel_env(observation=form) for form in ("flat", "bytes")]
    starts = [env.reset(seed=3)[0] for env in both]
    for agent in both[0].agents:
        assert both[1].observation_space(agent)["observation"].dtype == np.uint8
        flat, plain = (start[agent]["observation"] for start in starts)
        assert np.array_equal(make(plain), flat)
    assert np.array_equal(make(both[1].state().reshape(len(both[1].agents), -1)).reshape(-1), both[0].state())
    rows = [vector(name, 3, observation=form).reset(seed=5)[0] for form in ("flat", "bytes")]
    assert np.array_equal(make(rows[1]), rows[0])


@each_game
def test_bytes__with_other_columns__are_refused(name):
    for option in ({"board_features": True}, {"static_columns": False}):
        with pytest.raises(OptionError, match="observation='bytes': is whole and has no features"):
            single(name, observation="bytes", **option)


@each_game
def test_bytes__with_features_missing_or_too_much__are_refused(name):
    spec = BATCHES[name].spec
    observation = np.zeros(spec.obs_size, np.uint8)
    view = FloatView(spec, features=True)
    features = view.features_of(observation)
    wide = features.shape[-1]
    for seen, given, says in (
        (view, None, f"0 wide, not {wide}"), (FloatView(spec), features, f"{wide} wide, not 0"),
        (view, features[..., 1:], f"{wide - 1} wide, not {wide}"), (view, view.show(observation), f" wide, not {wide}"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=rf"features: .*{says}; .* of FloatView\.features_of, others take none"):
            view_function(seen, np)(observation, given)


@each_game
def test_view_of_bytes__of_a_view_of_floats__is_refused(name):
    torch = pytest.importorskip("torch")
    view = FloatView(BATCHES[name].spec)
    floats = view.show(np.zeros((2, view.spec.obs_size), np.uint8))
    for make, shown in ((view_function(view, np), floats), (torch_view(view), torch.as_tensor(floats))):
        with pytest.raises(ValueError, match=f"wide, not {view.spec.obs_size}; give those of observation='bytes'"):
            make(shown)
