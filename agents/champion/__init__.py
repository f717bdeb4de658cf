"""The champion: for each game the strongest network, with its weights in this folder."""

from pathlib import Path

from shogun_env.agents.network.agent import Network, make_network
from shogun_env.spec.game_spec import GameSpec

FOLDER = Path(__file__).parent


def make_champion(game_spec: GameSpec, greedy: bool = True) -> Network:
    """Return the bot of the spec ``champion`` or ``champion:greedy=false``; ``MODEL_CARD.md`` says how it was trained.

    Raises: ValueError for a game without a champion, or whose observations have changed since it was trained.
    """
    path = FOLDER / f"{game_spec.name}.npz"
    if not path.is_file():
        raise ValueError(f"champion: there is none for {game_spec.name}")
    return make_network(game_spec, str(path), greedy)
