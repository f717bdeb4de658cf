"""The scripted bot and networks as agents: legal, deterministic, the same compiled and asked, strong enough."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import agents as _bots  # noqa: F401 - gives the bots their names
from agents.policy import Network, card_of, load_network
from agents.scripted.shogun import WEIGHTS
from shogun_env.policies import agent_names, make_agent, play_on
from shogun_env.shogun import SHOGUN, Batch

OPTIONS = [
    {"num_players": 3},
    {"num_players": 4, "side": "moon", "start": "draft", "optional_moves": True},
    {"num_players": 5, "start": "random", "tower": "one_shot"},
]


class Asked:
    """The same bot without its kernel, so that it is asked batch by batch."""

    def __init__(self, agent):
        self.agent = agent

    def act(self, view, rng):
        return self.agent.act(view, rng)


def played(bots, seats, **options):
    batch = Batch(len(seats), seed=11, **options)
    play_on(batch, bots, np.asarray(seats, np.int8))
    return batch


@pytest.mark.parametrize("options", OPTIONS)
def test_scripted__compiled_or_asked__same_games(options):
    players = options["num_players"]
    seats = [[(player + row) % 2 for player in range(players)] for row in range(4)]
    bots = [make_agent("scripted", SHOGUN), make_agent("scripted:style=warrior", SHOGUN)]
    inside, outside = played(bots, seats, **options), played([Asked(bot) for bot in bots], seats, **options)
    assert inside.over.all()
    assert inside.games.tobytes() == outside.games.tobytes()
    assert (inside.decisions == outside.decisions).all()


@pytest.mark.parametrize("options", OPTIONS)
def test_scripted__every_style_in_every_kind_of_game__only_legal_actions(options):
    players = options["num_players"]
    bots = [make_agent(f"scripted:style={style}", SHOGUN) for style in WEIGHTS.styles] + [make_agent("random", SHOGUN)]
    seats = [[(row + player) % len(bots) for player in range(players)] for row in range(40)]
    assert played(bots, seats, **options).over.all()  # the engine refuses a kernel's illegal action


def test_scripted__against_three_random__wins_nine_games_in_ten():
    bots = [make_agent("scripted", SHOGUN), make_agent("random", SHOGUN)]
    seats = np.ones((200, 4), np.int8)
    seats[np.arange(200), np.arange(200) % 4] = 0
    batch = played(bots, seats)
    assert (batch.returns[seats == 0] > 0.9).mean() > 0.9


def test_scripted__risk__changes_how_it_plays():
    seats = np.zeros((16, 4), np.int8)
    careful = played([make_agent("scripted:risk=0:hurt=0", SHOGUN)], seats)
    reckless = played([make_agent("scripted:risk=1:hurt=3", SHOGUN)], seats)
    assert (careful.points != reckless.points).any()


def test_params__style_and_changes__differences_from_defaults():
    names = [name for name, _, _ in WEIGHTS.parameters]
    assert WEIGHTS.params_of().tolist() == [default for _, default, _ in WEIGHTS.parameters]
    changed = WEIGHTS.params_of("builder", risk="0.75")
    assert changed[names.index("risk")] == 0.75
    assert changed[names.index("build")] == WEIGHTS.styles["builder"]["build"]


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("scripted:style=loud", "balanced, builder"),
        ("scripted:risk=high", "risk='high'"),
        ("scripted:risk=11", "from 0 to 10"),
        ("scripted:risk=nan", "from 0 to 10"),
        ("scripted:colour=red", "colour"),
        ("ppo", "path"),
        ("ppo:/nowhere/model.zip", "model.json"),
    ],
)
def test_spec__wrong__one_line_names_what_would_be_right(spec, says):
    with pytest.raises(ValueError, match=says) as caught:
        make_agent(spec, SHOGUN)
    assert "\n" not in str(caught.value)


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
