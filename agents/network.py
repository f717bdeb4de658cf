"""A trained network as a bot: ``ppo:PATH`` plays a model saved by ``training.selfplay``, many games in one pass.

Beside ``model.zip`` lies its card, ``model.json``: what the network was trained on. One that was trained on another
layout of observations or actions would play nonsense without an error, so it is refused.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from shogun_env.kernel.rng import next_uint64
from shogun_env.policies import View
from shogun_env.spec.game_spec import GameSpec

if TYPE_CHECKING:
    from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

_UNIT = 2.0**-64


def card_of(game_spec: GameSpec) -> dict[str, Any]:
    """Return what a network trained on the game depends on, as JSON values."""
    layout = [list(piece) for piece in game_spec.obs_layout]
    digest = hashlib.sha256(json.dumps([layout, game_spec.n_actions]).encode()).hexdigest()[:16]
    return {
        "game": game_spec.name,
        "rules_version": game_spec.rules_version,
        "obs_version": game_spec.obs_version,
        "obs_size": game_spec.obs_size,
        "n_actions": game_spec.n_actions,
        "layout": digest,
    }


def check_card(found: dict[str, Any], game_spec: GameSpec, source: str | Path) -> None:
    """Raise ValueError if a model's card does not fit the game, naming the first difference."""
    if found.get("game") != game_spec.name:
        raise ValueError(f"{source}: a network for {found.get('game')} does not play {game_spec.name}")
    for name, value in card_of(game_spec).items():
        if found.get(name) != value:
            raise ValueError(f"{source}: {name} is {found.get(name)!r}, this is {value!r}; train it anew")


def card_path(path: str | Path) -> Path:
    """Return where the card of a model lies."""
    return Path(path).with_suffix(".json")


class Network:
    """A masked policy of stable-baselines3 as an agent.

    Args:
        policy: the network; observations are bytes divided by the game's scales.
        greedy: play the likeliest action; else draw one by its probability, as in training, with the decider's own
            random numbers. A network trained from nothing plays far worse greedily as long as it is unsure.
    """

    def __init__(self, policy: MaskableActorCriticPolicy, game_spec: GameSpec, greedy: bool = False) -> None:
        self.policy = policy
        self.game_spec = game_spec
        self.greedy = greedy

    def act(self, view: View, rng: np.ndarray) -> np.ndarray:
        """Return int64[n]; draws one number for each decision unless greedy."""
        shares = self.shares(view.observations, view.masks)
        likeliest: np.ndarray = shares.argmax(1)
        if self.greedy:
            return likeliest
        drawn = np.array([float(next_uint64(row)) * _UNIT for row in rng])
        reached = np.cumsum(shares, axis=1)
        chosen = (reached > drawn[:, None] * reached[:, -1:]).argmax(1)
        legal = view.masks[np.arange(len(chosen)), chosen] == 1
        return np.where(legal, chosen, likeliest)  # a draw of almost 1 can fall beyond the last legal action

    def shares(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Return float32[n, A], the probabilities of actions; 0 where illegal."""
        import torch

        with torch.no_grad(), _one_thread():
            seen = torch.as_tensor(observations / self.game_spec.scales, dtype=torch.float32, device=self.policy.device)
            found: Any = self.policy.get_distribution(seen, action_masks=masks.astype(np.bool_))
            shares: np.ndarray = found.distribution.probs.cpu().numpy() * masks
        return shares


@contextmanager
def _one_thread() -> Iterator[None]:
    """Let torch work on one thread: for some hundred rows a second helps little, and where cores are busy it hurts."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def load_network(game_spec: GameSpec, path: str | Path, greedy: bool = False) -> Network:
    """Load ``path`` (a zip of MaskablePPO, or the run folder it lies in) to play the game.

    Raises: ValueError if it is not there, has no card, was trained on something else, or [rl] is not installed.
    """
    file = Path(path) / "model.zip" if Path(path).is_dir() else Path(path)
    if not file.is_file() or not card_path(file).is_file():
        what = f"a run's folder with model.zip and model.json, or a .zip with its {card_path(file).suffix} beside it"
        raise ValueError(f"ppo:{path}: no network there; give {what}")
    check_card(json.loads(card_path(file).read_text("utf-8")), game_spec, card_path(file))
    try:
        from sb3_contrib import MaskablePPO
    except ImportError:
        raise ValueError("ppo: needs pip install 'shogun-env[rl]'") from None
    model = MaskablePPO.load(file, device="cpu")
    model.policy.set_training_mode(False)
    return Network(model.policy, game_spec, greedy)


def make_network(game_spec: GameSpec, path: str, /, greedy: bool = False) -> Network:
    """Make the bot of the spec ``ppo:PATH`` or ``ppo:PATH:greedy=true``."""
    return load_network(game_spec, path, greedy)
