"""Count what the bot ``chat`` sends in a game: ``python -m tests.unit.agents.chat.tokens``.

The stand-in for an endpoint answers as ``scripted`` would play, and a token is counted as four characters.
"""

import json
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from shogun_env.cli import game_class
from shogun_env.game import Game
from shogun_env.play.view import space_of
from shogun_env.policies import make_agent
from tests.games import NAMES
from tests.unit.agents.chat.stand_in import stand_in


class Sent(NamedTuple):
    """What one player's model is sent in a game."""

    requests: int
    tokens: int


def sent(name: str, rules: str, seed: int) -> Sent:
    """Play a game of four, player 0 by a stand-in for a model with these rules, and return what the model is sent."""
    game = game_class(name)(seed=seed, num_players=4)
    with stand_in(lambda request: _answer(game, request)) as server, tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "model.toml"
        file.write_text(f'url = "{server.url}"\nmodel = "stand-in"\nrules = "{rules}"\n')
        bot = make_agent(f"chat:{file}", game.spec)
        while not game.is_over:
            game.play(game.suggest(bot if game.player == 0 else "scripted"))
    characters = sum(len(message["content"]) for request in server.requests for message in request["messages"])
    return Sent(len(server.requests), characters // 4)


def _answer(game: Game, request: dict[str, Any]) -> str:
    """Return what ``scripted`` would play for player 0: an action, or a whole plan as a JSON object."""
    if "JSON" not in request["messages"][-1]["content"]:
        return game.suggest("scripted")
    trial, plan = game.copy(), {}
    while (space := space_of(trial)) >= 0:
        action = trial.suggest("scripted")
        if trial.player == 0:
            plan[game.spec.plan_spaces[space]] = action
        trial.play(action)
    return json.dumps(plan)


def main(games: int = 20) -> None:
    """Print the means over this many games of each kind."""
    for name in NAMES:
        for rules in ("none", "short", "full"):
            each = [sent(name, rules, seed) for seed in range(games)]
            requests, tokens = (sum(column) / games for column in zip(*each, strict=True))
            print(f"{name}, rules {rules}: {requests:.1f} requests, {tokens:,.0f} tokens")


if __name__ == "__main__":
    sys.exit(main())
