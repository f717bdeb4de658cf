"""Minari: a data set of games by a bot, written by one command, read back, and a tiny offline learner.

``python -m clients.minari_dataset shogun/scripted-v0 --game shogun --bot scripted --steps 10000`` writes it into
Minari's folder; its observations hold the masks. Minari's storage imports Pillow, which it does not require.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from typing import Any

import gymnasium
import minari
import numpy as np

from clients import env_id
from shogun_env.policies import ask, make_agent


def write_dataset(game: str, name: str, bot: str = "scripted", steps: int = 10_000, **options: Any) -> Any:
    """Write a data set of whole games in which ``bot`` plays the learner; return it."""
    env = minari.DataCollector(gymnasium.make(env_id(game), mask="observation", **options))
    batch, seed, taken = env.unwrapped.batch, 0, 0
    agent = make_agent(bot, batch.spec)
    while taken < steps:
        env.reset(seed=seed)
        terminated = False
        while not terminated:
            _, _, terminated, _, _ = env.step(int(ask(agent, batch, np.array([0]))[0]))
            taken += 1
        seed += 1
    return env.create_dataset(dataset_id=name, algorithm_name=bot, description=f"{seed} games of {game} by {bot}")


def part(episodes: list[Any]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return what was observed, what was legal and what was chosen in all decisions of some games."""
    observed = [episode.observations["observation"][:-1] for episode in episodes]
    legal = [episode.observations["action_mask"][:-1] for episode in episodes]
    return np.concatenate(observed), np.concatenate(legal), np.concatenate([episode.actions for episode in episodes])


def clone_bot(episodes: list[Any]) -> tuple[float, float]:
    """Fit a softmax over the legal actions, linear in the observations, to four of five games.

    Returns: the share of actions of the other games that it finds, and the share that chance finds.
    """
    held_out = len(episodes) // 5
    observed, legal, chosen = part(episodes[held_out:])
    weights = np.zeros((observed.shape[1], legal.shape[1]))
    for _ in range(200):
        logits = np.where(legal > 0, observed @ weights, -1e9)
        shares = np.exp(logits - logits.max(1, keepdims=True))
        shares /= shares.sum(1, keepdims=True)
        shares[np.arange(len(shares)), chosen] -= 1
        weights -= 0.5 * observed.T @ shares / len(shares)
    observed, legal, chosen = part(episodes[:held_out])
    agreement = np.where(legal > 0, observed @ weights, -1e9).argmax(1) == chosen
    return float(agreement.mean()), float((1 / legal.sum(1)).mean())


def use(game: str, steps: int) -> int:
    """Write a data set into a folder of its own and read it back; the speed is that of both."""
    with tempfile.TemporaryDirectory() as folder:
        return len(part(episodes_in(folder, game, steps))[2])


def episodes_in(folder: str, game: str, steps: int) -> list[Any]:
    """Write a data set into a folder and return its games."""
    os.environ["MINARI_DATASETS_PATH"] = folder
    write_dataset(game, f"{game}/scripted-v0", steps=steps)
    episodes = list(minari.load_dataset(f"{game}/scripted-v0").iterate_episodes())
    assert all(episode.terminations[-1] for episode in episodes)
    _, legal, chosen = part(episodes)
    assert legal[np.arange(len(legal)), chosen].all()
    return episodes


def check(game: str) -> None:
    """Learn from a data set: a linear bot finds more of the actions than chance does."""
    with tempfile.TemporaryDirectory() as folder:
        agreement, chance = clone_bot(episodes_in(folder, game, 3_000))
    assert agreement > 1.5 * chance, (agreement, chance)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Write a data set of games by a bot.")
    parser.add_argument("name", help="its name, such as shogun/scripted-v0")
    parser.add_argument("--game", choices=("shogun", "shitenno"), default="shogun")
    parser.add_argument("--bot", default="scripted")
    parser.add_argument("--steps", type=int, default=10_000)
    args = parser.parse_args()
    print(write_dataset(args.game, args.name, args.bot, args.steps))
