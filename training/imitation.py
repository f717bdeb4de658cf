"""A head start: the network learns from games of bots to do what a bot does, and to predict the results.

A policy gradient that starts from scratch spends its first minutes on finding out that provinces need rice. Bots play
whole games in a moment, so a network that imitates one for some seconds begins self-play about as strong as that bot.
"""

from __future__ import annotations

import time
from typing import Any, NamedTuple

import numpy as np
import torch

from shogun_env.batch.batch import Batch
from shogun_env.cli import Progress
from shogun_env.policies import Agent, View, make_agent

GAMES = 64
"""Games played side by side."""
MINIBATCH = 512
"""Decisions of one step of the optimizer."""
TEACHER_SHARE = 0.75
"""Share of seats that the teacher plays; random bots play the rest, so that it also plays against weak players."""
_NOVICE, _TEACHER = 0, 1
"""Indices of the agents in ``seats``."""
_SMOOTHING = 0.05
"""Weight of the latest minibatch in the agreement that is shown."""


class Lessons(NamedTuple):
    """Decisions of the teacher, n of them."""

    observations: np.ndarray
    """uint8[n, D], what the teacher was shown."""
    masks: np.ndarray
    """bool[n, A], True where an action was legal."""
    actions: np.ndarray
    """int64[n], what the teacher chose."""
    returns: np.ndarray
    """float32[n], sum of the player's rewards in the game."""


def play_lessons(batch: Batch, teacher: Agent, rng: np.random.Generator) -> Lessons:
    """Play the games of ``batch`` from where they are to their end; return all decisions of the teacher."""
    novice = make_agent("random", batch.spec)
    seats = (rng.random((batch.num_games, batch.num_players)) < TEACHER_SHARE).astype(np.int8)
    observations, masks, actions, rows, players = [], [], [], [], []
    while not batch.over.all():
        running = np.flatnonzero(~batch.over)
        chosen = np.zeros(batch.num_games, np.int64)
        deciders = seats[running, batch.player[running]]
        for kind, agent in ((_NOVICE, novice), (_TEACHER, teacher)):
            own = running[deciders == kind]
            if len(own) == 0:
                continue
            view = View.of(batch, own)
            rng_rows = batch.policy_rngs[own, view.players]
            chosen[own] = agent.act(view, rng_rows)
            batch.policy_rngs[own, view.players] = rng_rows
            if kind == _TEACHER:
                observations.append(view.observations)
                masks.append(view.masks)
                actions.append(chosen[own])
                rows.append(own)
                players.append(view.players)
        batch.step(chosen)
    return Lessons(
        observations=np.concatenate(observations),
        masks=np.concatenate(masks).astype(np.bool_),
        actions=np.concatenate(actions),
        returns=batch.returns[np.concatenate(rows), np.concatenate(players)],
    )


def imitate(policy: Any, batch: Batch, spec: str, seconds: float, rate: float, report: Progress) -> dict[str, float]:
    """Teach a network what a bot does.

    Args:
        policy: the network.
        batch: games to play, again and again, with new seeds.
        spec: spec of the bot.
        seconds: how long.
        rate: learning rate at the beginning; it falls to a twentieth.
        report: shows progress, in seconds.

    Returns: ``decisions``, the number that the network learnt from, and ``agreement``, the share of the latest ones in
        which its most probable action was the bot's.
    """
    teacher = make_agent(spec, batch.spec)
    optimizer = torch.optim.Adam(policy.parameters(), lr=rate)
    rng = np.random.default_rng(int(batch.seeds[0]))
    begin = time.monotonic()
    count, agreement, spent = 0, 0.0, 0.0
    policy.set_training_mode(True)
    while spent < seconds:
        batch.reset()
        lessons = play_lessons(batch, teacher, rng)
        order = rng.permutation(len(lessons.actions))
        for first in range(0, len(order), MINIBATCH):
            spent = time.monotonic() - begin
            if spent >= seconds:
                break
            for group in optimizer.param_groups:
                group["lr"] = rate * max(0.05, 1 - spent / seconds)
            rows = order[first : first + MINIBATCH]
            agreement += _SMOOTHING * (_learn(policy, optimizer, lessons, rows, batch.spec.scales) - agreement)
            count += len(rows)
            report(spent, f"imitating {spec}: agrees on {agreement:.0%} of decisions")
    return {"decisions": count, "agreement": agreement}


def _learn(policy: Any, optimizer: Any, lessons: Lessons, rows: np.ndarray, scales: np.ndarray) -> float:
    """Take one step of the optimizer on some lessons; return the share in which the network already agreed."""
    observations = torch.as_tensor(lessons.observations[rows] / scales)
    actions = torch.as_tensor(lessons.actions[rows])
    values, log_prob, _ = policy.evaluate_actions(observations, actions, action_masks=lessons.masks[rows])
    value_loss = torch.nn.functional.mse_loss(values.flatten(), torch.as_tensor(lessons.returns[rows]))
    loss = 0.5 * value_loss - log_prob.mean()
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(policy.parameters(), 1.0)
    optimizer.step()
    with torch.no_grad():
        favourite = policy.get_distribution(observations[:128], action_masks=lessons.masks[rows[:128]]).mode()
    return float((favourite == actions[:128]).float().mean())
