"""A head start: the network learns to do what a bot does, and what its games come to, from games of bots.

A policy gradient from nothing spends its first minutes finding out that provinces need rice. Bots make whole games in a
moment, so a network that copies one for some seconds begins self-play where that bot ends.
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
MINIBATCH = 512
TEACHER_SHARE = 0.75
"""Share of seats the teacher plays; the rest are random bots, so that it is seen against weak players too."""
_NOVICE, _TEACHER = 0, 1
_SMOOTHING = 0.05
"""Weight of the last minibatch in the agreement shown."""


class Lessons(NamedTuple):
    """Decisions of the teacher."""

    observations: np.ndarray
    """uint8[n, D]"""
    masks: np.ndarray
    """bool[n, A]"""
    actions: np.ndarray
    """int64[n]"""
    returns: np.ndarray
    """float32[n], what the game came to for the player."""


def play_lessons(batch: Batch, teacher: Agent, rng: np.random.Generator) -> Lessons:
    """Play the games of ``batch``, as they stand, to their end; return every decision of the teacher's."""
    novice = make_agent("random", batch.spec)
    seats = (rng.random((batch.num_games, batch.num_players)) < TEACHER_SHARE).astype(np.int8)
    seen, masks, actions, rows, players = [], [], [], [], []
    while not batch.over.all():
        going = np.flatnonzero(~batch.over)
        chosen = np.zeros(batch.num_games, np.int64)
        deciders = seats[going, batch.player[going]]
        for kind, agent in ((_NOVICE, novice), (_TEACHER, teacher)):
            here = going[deciders == kind]
            if len(here) == 0:
                continue
            view = View.of(batch, here)
            draws = batch.policy_rngs[here, view.players]
            chosen[here] = agent.act(view, draws)
            batch.policy_rngs[here, view.players] = draws
            if kind == _TEACHER:
                seen.append(view.observations)
                masks.append(view.masks)
                actions.append(chosen[here])
                rows.append(here)
                players.append(view.players)
        batch.step(chosen)
    returns = batch.returns[np.concatenate(rows), np.concatenate(players)]
    return Lessons(np.concatenate(seen), np.concatenate(masks).astype(np.bool_), np.concatenate(actions), returns)


def imitate(policy: Any, batch: Batch, spec: str, seconds: float, rate: float, report: Progress) -> dict[str, float]:
    """Teach ``policy`` for so many seconds what the bot ``spec`` does in games of ``batch``, played on and on.

    Returns: how many decisions were learnt from, and the share of late ones on which the network's favourite was the
        bot's.
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
    """Take one step on some lessons; return the share on which the network already agreed."""
    seen = torch.as_tensor(lessons.observations[rows] / scales)
    actions = torch.as_tensor(lessons.actions[rows])
    values, log_prob, _ = policy.evaluate_actions(seen, actions, action_masks=lessons.masks[rows])
    wrong = torch.nn.functional.mse_loss(values.flatten(), torch.as_tensor(lessons.returns[rows]))
    loss = 0.5 * wrong - log_prob.mean()
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(policy.parameters(), 1.0)
    optimizer.step()
    with torch.no_grad():
        favourite = policy.get_distribution(seen[:128], action_masks=lessons.masks[rows[:128]]).mode()
    return float((favourite == actions[:128]).float().mean())
