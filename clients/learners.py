"""Learners of others at a named task: MaskablePPO of sb3 as it comes, and CleanRL's loop (docs/tasks.md).

``python -m clients.learners sb3 --game shitenno --decisions 300000 --seed 0 --out runs/sb3-0.zip`` learns from random
bots at fair starts, as ``scratch-1h`` asks; ``clients/learners.py:sb3:runs/sb3-0.zip`` is the bot that it has made.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO

from clients.cleanrl_ppo import Agent, train
from shogun_env.batch.float_view import FloatView
from shogun_env.cli import Parser, batch_class, count, new_file
from shogun_env.envs.sb3 import MaskedVecEnv
from shogun_env.policies import Bot, View
from shogun_env.spec.game_spec import GameSpec

NUM_ENVS = 64
ROLLOUT = 2048
"""Decisions between two updates of sb3, which by itself takes as many from one environment."""


class Learnt(Bot):
    """A bot that plays what a library's network chooses, shown what the library was shown."""

    def __init__(self, game_spec: GameSpec, choose: Callable[[np.ndarray, np.ndarray], Any]) -> None:
        """Keep ``choose(observations, masks)``, which returns an action for each row."""
        self.view, self.choose = FloatView(game_spec), choose

    def act(self, view: View, rng: np.ndarray) -> np.ndarray:
        """Return an action for every decision: int64[n]."""
        return np.asarray(self.choose(self.view.show(view.observations), view.masks))


def sb3(game_spec: GameSpec, path: str) -> Learnt:
    """Return the bot that MaskablePPO made."""
    model = MaskablePPO.load(path, device="cpu")
    return Learnt(game_spec, lambda shown, masks: model.predict(shown, action_masks=masks, deterministic=True)[0])


def cleanrl(game_spec: GameSpec, path: str) -> Learnt:
    """Return the bot that CleanRL's loop made."""
    agent = Agent(FloatView(game_spec).size, game_spec.n_actions)
    agent.load_state_dict(torch.load(path, weights_only=True))
    return Learnt(game_spec, agent.best)


def main(arguments: Sequence[str] | None = None) -> int:
    """Learn against random bots, all settings being those of the library; return the exit status."""
    parser = Parser(prog="python -m clients.learners", description="Learn as in the task scratch-1h.")
    parser.add_argument("library", choices=("sb3", "cleanrl"), help="whose learner")
    parser.add_argument("--decisions", type=count, default=3_000_000, metavar="N", help="to learn from (3000000)")
    parser.add_seed("seed of the learner and its games", default=0)
    parser.add_out("runs/learnt", "file to write", new_file)
    parser.add_game()
    args = parser.parse_args(arguments)
    args.out.parent.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    games = batch_class(args.game)
    if args.library == "cleanrl":
        torch.save(train(args.game, args.decisions, args.seed, **games.spec.fair)[0].state_dict(), args.out)
    else:
        envs = MaskedVecEnv(games, NUM_ENVS, opponents="random", learner_seat="rotate", **games.spec.fair)
        MaskablePPO("MlpPolicy", envs, n_steps=ROLLOUT // NUM_ENVS, seed=args.seed).learn(args.decisions).save(args.out)
    print(f"the bot is clients/learners.py:{args.library}:{args.out}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
