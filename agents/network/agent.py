"""A trained network as a bot: ``ppo:PATH`` plays the network of a run, or of a file, as a compiled policy.

A network is one ``.npz`` file of arrays and a card in JSON, which says what it was trained on; loading one runs no code
of the file. A network trained on another layout of observations or actions would play nonsense without an error, so it
is refused.
"""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from shogun_env.agents.network.arrays import MEMORY_AT, MEMORY_SIZE
from shogun_env.agents.network.kernel import policy_of
from shogun_env.agents.network.shape import Shape, Sizes, packed
from shogun_env.files import reading_arrays, writing_whole
from shogun_env.kernel.jit import OWN_VALUE
from shogun_env.policies import Compiled, View, Weighed
from shogun_env.spec.forms import json_of
from shogun_env.spec.game_spec import GameSpec

FILE = "network.npz"
"""Name of the network in the folder of a run."""
NOT_PLAYED = "not a network that can be played here"
CARD = "card"
"""Name of the card among the arrays of the file."""


def card_of(game_spec: GameSpec) -> dict[str, Any]:
    """Return the card of a network trained on a game: everything that the network depends on, as JSON values."""
    layout = [
        [piece.name, piece.block, piece.start, piece.stop, piece.high, piece.shown] for piece in game_spec.obs_layout
    ]
    board = None
    if game_spec.board is not None:
        names = [feature.name for feature in game_spec.board.features]
        board = [names, game_spec.board.neighbours, game_spec.board.groups]
    digest = hashlib.sha256(json.dumps([layout, game_spec.n_actions, board]).encode()).hexdigest()[:16]
    return {
        "game": game_spec.name,
        "rules_version": game_spec.rules_version,
        "obs_version": game_spec.obs_version,
        "n_actions": game_spec.n_actions,
        "layout": digest,
    }


def check_card(card: Mapping[str, Any], game_spec: GameSpec, source: str | Path) -> None:
    """Check that the card of a network fits a game.

    Args:
        card: as ``card_of`` returned it when the network was trained; more entries do not matter.
        game_spec: the game to play.
        source: the file that holds the card, for messages.

    Raises: ValueError naming the first difference.
    """
    if card.get("game") != game_spec.name:
        raise ValueError(f"{source}: a network for {card.get('game')} does not play {game_spec.name}")
    for name, value in card_of(game_spec).items():
        if card.get(name) != value:
            raise ValueError(f"{source}: {name} is {card.get(name)!r}, but must be {value!r}; retrain the network")


def save_network(path: Path, game_spec: GameSpec, sizes: Sizes, weights: Mapping[str, np.ndarray], **more: Any) -> None:
    """Write a network and its card to a file, which appears only when it is complete.

    Args:
        path: the file.
        game_spec: the game.
        sizes: of the network.
        weights: its arrays, by the names of ``Shape.weights``.
        more: further entries of the card, JSON values.
    """
    card = {**card_of(game_spec), "sizes": sizes.as_card(), **more}
    text = np.frombuffer(json.dumps(card).encode(), np.uint8)
    with writing_whole(path) as stream:
        np.savez_compressed(stream, allow_pickle=False, **{CARD: text, **weights})


def save_torch(path: str | Path, shape: Shape, module: Any) -> None:
    """Write the weights of a torch module to a file that ``ppo:PATH`` plays as a compiled bot.

    Args:
        path: the file.
        shape: of the network.
        module: the module or its ``state_dict()``; its parameters have the names of ``Shape.weights``, with ``_`` for
            ``.``, wherever they lie in it, as in ``training.board_network.BoardNetwork``.

    Raises: ValueError naming the first parameter that is missing, too many, of another shape, or not finite.
    """
    tensors = module.items() if isinstance(module, Mapping) else module.named_parameters()
    named = {name.rpartition(".")[2]: tensor.detach().cpu().float().numpy() for name, tensor in tensors}
    weights = _weights_in({name.replace("_", ".", 1): array for name, array in named.items()}, shape)
    save_network(Path(path), shape.spec, shape.sizes, weights)


def load_network(game_spec: GameSpec, path: str | Path) -> tuple[Shape, dict[str, np.ndarray], dict[str, Any]]:
    """Return the shape, the weights (float32) and the card of the network in a file, or in the folder of a run.

    Raises: ValueError if there is none, if it was trained on something else, or if the file is damaged.
    """
    file = Path(path) / FILE if Path(path).is_dir() else Path(path)
    if not file.is_file():
        raise ValueError(f"ppo:{path}: no network there; give the folder of a run with {FILE}, or such a file")
    try:
        with reading_arrays(file) as arrays:
            card = json_of(arrays[CARD].tobytes())
            if not isinstance(card, dict):
                raise ValueError("its card is not an object")
            check_card(card, game_spec, "its card")
            shape = _shape_of(card, game_spec)
            weights = _weights_in(arrays, shape)
    except (OSError, ValueError) as error:
        raise ValueError(f"ppo:{path}: {NOT_PLAYED}: {' '.join(str(error).split())}") from None
    return shape, weights, card


def _shape_of(card: Mapping[str, Any], game_spec: GameSpec) -> Shape:
    """Return the shape of the network with a card; ValueError if the card does not give its sizes."""
    try:
        return Shape(game_spec, Sizes.from_card(card["sizes"]))
    except (LookupError, TypeError, AttributeError) as error:
        raise ValueError(f"the sizes on its card are not those of a network ({error!r})") from None


def _weights_in(arrays: Mapping[str, np.ndarray], shape: Shape) -> dict[str, np.ndarray]:
    """Return the weights float32 of a network of this shape; ValueError if there are others, or not finite."""
    right: dict[str, tuple[int, ...]] = shape.weights()
    if extra := [name for name in arrays if name not in (CARD, *right)]:
        raise ValueError(
            f"{extra[0]} must be missing: the weights of a network of this shape, such as BoardNetwork's, are "
            f"{', '.join(right)}; other networks play as a policy or a bot in Python"
        )
    weights = {}
    for name, form in right.items():
        found = arrays.get(name, None)
        if found is None or found.shape != form or found.dtype.kind != "f":
            words = "missing" if found is None else f"{found.dtype}{list(found.shape)}"
            raise ValueError(f"{name} is {words}, must be float32{list(form)}")
        if not np.isfinite(found).all():
            raise ValueError(f"{name} holds numbers that are not finite")
        weights[name] = found.astype(np.float32)
    return weights


class Network(Compiled):
    """A network as an agent; loops play it without returning to Python.

    Args:
        shape: the shape of the network.
        weights: its arrays, by the names of ``Shape.weights``.
        greedy: whether to play the likeliest action. Otherwise an action is drawn by its probability, as in training,
            with the random row of the player who decides, one draw for each decision.
    """

    def __init__(self, shape: Shape, weights: Mapping[str, np.ndarray], greedy: bool = True) -> None:
        super().__init__(policy_of(shape.spec), packed(shape, weights, greedy))
        self.name = "network"

    def weigh(self, view: View) -> list[Weighed]:
        """Return for every decision the probabilities of the actions, and the share of the win that is expected."""
        function, params = self.compiled[0], self._params
        weighed = []
        for observation, mask in zip(view.observations, view.masks, strict=True):
            memory = np.zeros(int(params[MEMORY_SIZE]), np.float32)
            function(observation, mask, np.zeros(2, np.uint64), params, memory)
            logits = memory[int(params[MEMORY_AT.logits]) :][: len(mask)].astype(np.float64)
            logits[mask == 0] = -np.inf
            chances = np.exp(logits - logits.max())
            weighed.append(Weighed(share=float(memory[OWN_VALUE]), chances=chances / chances.sum()))
        return weighed


def make_network(game_spec: GameSpec, path: str, /, greedy: bool = True) -> Network:
    """Return the bot of the spec ``ppo:PATH`` or ``ppo:PATH:greedy=false``; see ``load_network``."""
    shape, weights, _ = load_network(game_spec, path)
    return Network(shape, weights, greedy)
