"""A trained network as a bot: ``ppo:PATH`` plays a model saved by ``training.selfplay``, many games in one pass.

Next to ``model.zip`` is its card, ``model.json``, which says what the network was trained on. A network trained on
another layout of observations or actions would play nonsense without an error, so it is refused.
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
"""Makes 64 random bits a number from 0 to 1."""


def card_of(game_spec: GameSpec) -> dict[str, Any]:
    """Return the card of a network trained on a game: everything that the network depends on, as JSON values."""
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


def check_card(card: dict[str, Any], game_spec: GameSpec, source: str | Path) -> None:
    """Check that the card of a model fits a game.

    Args:
        card: as ``card_of`` returned it when the network was trained.
        game_spec: the game to play.
        source: the file that holds the card, for messages.

    Raises: ValueError naming the first difference.
    """
    if card.get("game") != game_spec.name:
        raise ValueError(f"{source}: a network for {card.get('game')} does not play {game_spec.name}")
    for name, value in card_of(game_spec).items():
        if card.get(name) != value:
            raise ValueError(f"{source}: {name} is {card.get(name)!r}, but must be {value!r}; retrain the network")


def card_path(path: str | Path) -> Path:
    """Return the path of the card of a model."""
    return Path(path).with_suffix(".json")


class Network:
    """A masked policy of stable-baselines3 as an agent.

    Args:
        policy: the network, for observations divided by the game's scales.
        game_spec: the game that it plays.
        greedy: whether to play the most probable action. Otherwise an action is drawn by its probability, as in
            training, with the random row of the player who decides. A network trained from scratch plays much worse
            greedily as long as it is unsure.
    """

    def __init__(self, policy: MaskableActorCriticPolicy, game_spec: GameSpec, greedy: bool = False) -> None:
        self.policy = policy
        self.game_spec = game_spec
        self.greedy = greedy

    def act(self, view: View, rng: np.ndarray) -> np.ndarray:
        """Return an action for every decision, int64[n]; makes one draw for each unless greedy."""
        probabilities = self.shares(view.observations, view.masks)
        likeliest: np.ndarray = probabilities.argmax(1)
        if self.greedy:
            return likeliest
        draws = np.array([float(next_uint64(row)) * _UNIT for row in rng])
        cumulated = np.cumsum(probabilities, axis=1)
        chosen = (cumulated > draws[:, None] * cumulated[:, -1:]).argmax(1)
        legal = view.masks[np.arange(len(chosen)), chosen] == 1
        return np.where(legal, chosen, likeliest)  # rounding can put a draw of almost 1 beyond the last legal action

    def shares(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Return the probabilities of actions, 0 for illegal ones: float32[n, A].

        Args: observations, masks: uint8[n, D] and int8[n, A], as in a ``View``.
        """
        import torch

        device = self.policy.device
        with torch.no_grad(), _one_thread():
            inputs = torch.as_tensor(observations / self.game_spec.scales, dtype=torch.float32, device=device)
            output: Any = self.policy.get_distribution(inputs, action_masks=masks.astype(np.bool_))
            probabilities: np.ndarray = output.distribution.probs.cpu().numpy() * masks
        return probabilities


@contextmanager
def _one_thread() -> Iterator[None]:
    """Let torch use one thread: for a few hundred rows a second one helps little, and on busy cores it hurts."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def load_network(game_spec: GameSpec, path: str | Path, greedy: bool = False) -> Network:
    """Return the network of a file as an agent.

    Args:
        game_spec: the game to play.
        path: a .zip saved by MaskablePPO, or the folder of a run, which holds one.
        greedy: see ``Network``.

    Raises: ValueError if the network does not exist, has no card or was trained on something else, or if the extra
        ``rl`` is not installed.
    """
    file = Path(path) / "model.zip" if Path(path).is_dir() else Path(path)
    if not file.is_file() or not card_path(file).is_file():
        right = "the folder of a run with model.zip and model.json, or a .zip file with its .json file next to it"
        raise ValueError(f"ppo:{path}: no network there; give {right}")
    check_card(json.loads(card_path(file).read_text("utf-8")), game_spec, card_path(file))
    try:
        from sb3_contrib import MaskablePPO
    except ImportError:
        raise ValueError("ppo: needs pip install 'shogun-env[rl]'") from None
    model = MaskablePPO.load(file, device="cpu")
    model.policy.set_training_mode(False)
    return Network(model.policy, game_spec, greedy)


def make_network(game_spec: GameSpec, path: str, /, greedy: bool = False) -> Network:
    """Return the bot of the spec ``ppo:PATH`` or ``ppo:PATH:greedy=true``; see ``load_network``."""
    return load_network(game_spec, path, greedy)
