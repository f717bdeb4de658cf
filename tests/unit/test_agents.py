"""The scripted bot and networks as agents: legal, deterministic, the same compiled and asked, strong enough."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import shogun_env.agents as _bots  # noqa: F401 - gives the bots their names
from shogun_env.agents.network import Network, card_of, load_network
from shogun_env.agents.scripted import shitenno, shogun
from shogun_env.batch.batch import Batch
from shogun_env.policies import agent_names, make_agent, play_on
from shogun_env.shitenno import Batch as ShitennoBatch
from shogun_env.shogun import SHOGUN
from shogun_env.shogun import Batch as ShogunBatch

WEIGHTS = {ShogunBatch: shogun.WEIGHTS, ShitennoBatch: shitenno.WEIGHTS}
"""By game, what its scripted bot plays by."""
KINDS_OF_GAMES = [
    (ShogunBatch, {"num_players": 3}),
    (ShogunBatch, {"num_players": 4, "side": "moon", "start": "draft", "optional_moves": True}),
    (ShogunBatch, {"num_players": 5, "start": "random", "tower": "one_shot"}),
    *((ShitennoBatch, {"num_players": players}) for players in (2, 3, 4)),
]
every_kind_of_game = pytest.mark.parametrize(("batch_class", "options"), KINDS_OF_GAMES)
every_game = pytest.mark.parametrize("batch_class", WEIGHTS)


class Asked:
    """The same bot without its kernel, so that it is asked batch by batch."""

    def __init__(self, agent):
        self.agent = agent

    def act(self, view, rng):
        return self.agent.act(view, rng)


def played(batch_class: type[Batch], bots, seats, **options):
    """Return games between bots, given by agents or specs, by who sits where."""
    batch = batch_class(len(seats), seed=11, **options)
    play_on(batch, [make_agent(bot, batch_class.spec) for bot in bots], np.asarray(seats, np.int8))
    return batch


@every_kind_of_game
def test_scripted__compiled_or_asked__same_games(batch_class, options):
    players = options["num_players"]
    seats = [[(player + row) % 2 for player in range(players)] for row in range(4)]
    style = list(WEIGHTS[batch_class].styles)[2]
    bots = [make_agent(spec, batch_class.spec) for spec in ("scripted", f"scripted:style={style}")]
    inside = played(batch_class, bots, seats, **options)
    outside = played(batch_class, [Asked(bot) for bot in bots], seats, **options)
    assert inside.over.all()
    assert inside.games.tobytes() == outside.games.tobytes()
    assert (inside.decisions == outside.decisions).all()


@every_kind_of_game
def test_scripted__every_style_in_every_kind_of_game__only_legal_actions(batch_class, options):
    players = options["num_players"]
    bots = [f"scripted:style={style}" for style in WEIGHTS[batch_class].styles] + ["random"]
    seats = [[(row + player) % len(bots) for player in range(players)] for row in range(40)]
    assert played(batch_class, bots, seats, **options).over.all()  # the engine refuses a kernel's illegal action


@pytest.mark.full
@every_game
def test_scripted__against_three_random__wins_nine_games_in_ten(batch_class):
    seats = np.ones((200, 4), np.int8)
    seats[np.arange(200), np.arange(200) % 4] = 0
    batch = played(batch_class, ["scripted", "random"], seats)
    assert (batch.returns[seats == 0] > 0.9).mean() > 0.9


@every_game
def test_scripted__every_weight__changes_how_it_plays(batch_class):
    seats = np.zeros((40, 4), np.int8)
    usual = played(batch_class, ["scripted"], seats)
    for name, default, _ in WEIGHTS[batch_class].parameters:
        other = played(batch_class, [f"scripted:{name}={default / 2 + 1.3}"], seats)
        assert usual.games.tobytes() != other.games.tobytes(), name


@every_game
def test_weights__style_and_changes__differences_from_defaults(batch_class):
    weights = WEIGHTS[batch_class]
    names = [name for name, _, _ in weights.parameters]
    usual, other, *_ = weights.styles
    assert weights.params_of(usual).tolist() == [default for _, default, _ in weights.parameters]
    (changed, value), *_ = weights.styles[other].items()
    assert weights.params_of(other)[names.index(changed)] == value
    assert weights.params_of(other, **{changed: "0.75"})[names.index(changed)] == 0.75
    assert weights.params_of(other, **{changed: None})[names.index(changed)] == value


@every_game
@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("scripted:style=loud", "must be one of balanced, {styles}"),
        ("scripted:{weight}=high", "{weight}='high'"),
        ("scripted:{weight}=11", "from 0 to 10"),
        ("scripted:{weight}=nan", "from 0 to 10"),
        ("scripted:colour=red", "unknown parameter 'colour'; known are style, {weights}$"),
        ("ppo", "path"),
        ("ppo:/nowhere/model.zip", "model.json"),
    ],
)
def test_spec__wrong__one_line_names_what_would_be_right(batch_class, spec, says):
    weights = WEIGHTS[batch_class]
    names = [name for name, _, _ in weights.parameters]
    words = {"styles": ", ".join(list(weights.styles)[1:]), "weight": names[0], "weights": ", ".join(names)}
    with pytest.raises(ValueError, match=says.format(**words)) as caught:
        make_agent(spec.format(**words), batch_class.spec)
    assert "\n" not in str(caught.value)


def test_spec__weight_of_the_other_games_bot__refused():
    with pytest.raises(ValueError, match="unknown parameter 'risk'; known are style, troop"):
        make_agent("scripted:risk=0.3", ShitennoBatch.spec)


def test_names__importing_agents__registers_them():
    assert {"random", "scripted", "ppo"} <= set(agent_names())


def test_network__card_of_another_layout__refused_before_it_is_read(tmp_path: Path):
    (tmp_path / "model.zip").write_bytes(b"never read")
    (tmp_path / "model.json").write_text(json.dumps({**card_of(SHOGUN), "layout": "other"}))
    with pytest.raises(ValueError, match="layout is 'other'"):
        load_network(SHOGUN, tmp_path)


def network_of(logits, greedy):
    torch = pytest.importorskip("torch")

    def get_distribution(seen, action_masks):
        scores = torch.as_tensor(np.where(action_masks, logits, -1e9), dtype=torch.float32)
        return SimpleNamespace(distribution=torch.distributions.Categorical(logits=scores))

    policy = SimpleNamespace(device="cpu", get_distribution=get_distribution)
    return Network(policy, SHOGUN, greedy)


def test_network__greedy__takes_the_likeliest_legal_action():
    network = network_of(np.arange(SHOGUN.n_actions, dtype=float), greedy=True)
    masks = np.zeros((2, SHOGUN.n_actions), np.int8)
    masks[0, [3, 7]] = 1
    masks[1, [0, 119]] = 1
    view = SimpleNamespace(observations=np.zeros((2, SHOGUN.obs_size), np.uint8), masks=masks)
    assert network.act(view, np.zeros((2, 2), np.uint64)).tolist() == [7, 119]


def test_network__sampling__draws_by_its_shares_from_the_deciders_own_rows():
    network = network_of(np.log(np.full(SHOGUN.n_actions, 0.5)), greedy=False)
    masks = np.zeros((400, SHOGUN.n_actions), np.int8)
    masks[:, [3, 7]] = 1
    view = SimpleNamespace(observations=np.zeros((400, SHOGUN.obs_size), np.uint8), masks=masks)
    rng = np.arange(800, dtype=np.uint64).reshape(400, 2)
    first, again = network.act(view, rng.copy()), network.act(view, rng.copy())
    assert (first == again).all()
    assert set(first.tolist()) == {3, 7}
    assert 140 < (first == 3).sum() < 260  # five standard errors
