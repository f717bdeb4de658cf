"""What a model is asked: a decision in words, and what an answer to it means, for every program that asks models.

A plan of Shogun is one question, whose answer is remembered and played card by card, or one question for each card.
"""

import threading
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from shogun_env.agents.chat import plans as shogun_plans
from shogun_env.agents.chat.answers import UnusableError, action_in, object_in
from shogun_env.agents.search import plans as whole_plans
from shogun_env.agents.search.whole import Kept
from shogun_env.batch.batch import Batch
from shogun_env.batch.loops import NO_ACTION
from shogun_env.policies import View
from shogun_env.records.text import full_rules, prompt_text, short_rules
from shogun_env.spec.game_spec import GameSpec

__all__ = ["ModelQuestion", "Questions", "UnusableError", "correction", "rules_text"]

RULES = {"short": short_rules, "full": full_rules}
"""What is sent of the rules, by the setting ``rules``; ``none`` sends nothing."""
_LOCK = threading.Lock()
"""Held while a plan is tried on a game: threads must not share the first run of a loop."""


class ModelQuestion(NamedTuple):
    """A decision as it is put to a model."""

    player: int
    phase: str
    prompt: str
    """What the player may know, and what is asked."""
    read: Callable[[str], int]
    """Returns the action that an answer means; UnusableError, which says why in words for the model, if none."""


class Questions:
    """The questions of one model in many games.

    Args: game_spec; plans, ``whole`` or ``cards``, see ``Settings``.
    """

    def __init__(self, game_spec: GameSpec, plans: str) -> None:
        self.game_spec = game_spec
        self._plans = Kept(whole_plans) if plans == "whole" and game_spec.engine.plan_size else None

    def known(self, view: View) -> np.ndarray:
        """Return the actions that answers of before determine, -1 where there is something to ask: int64[n]."""
        return np.full(len(view.rows), NO_ACTION) if self._plans is None else self._plans.actions(view)

    def question(self, view: View, index: int, story: int = 0) -> ModelQuestion:
        """Return what is asked for one decision of a view, after the last ``story`` sentences of what has happened."""
        batch, player = view.batch.take(np.array([index])), int(view.players[index])
        if self._plans is not None and whole_plans.is_whole(view.observations[index]):
            prompt = shogun_plans.plan_prompt(batch, player)
            read = self._plan_reader(batch, player, int(view.rows[index]), view.observations[index])
        else:
            prompt = prompt_text(batch, 0, player)
            names = {self.game_spec.action_name(a): a for a in np.flatnonzero(view.masks[index]).tolist()}

            def read(answer: str) -> int:
                return names[action_in(answer, list(names))]

        if view.stories and (told := view.stories[index][-story:] if story else []):
            prompt = "\n* ".join(["What has happened last, the latest at the end:", *told]) + f"\n\n{prompt}"
        phase = self.game_spec.phase_names[int(batch.phase[0])]
        return ModelQuestion(player=player, phase=phase, prompt=prompt, read=read)

    def _plan_reader(self, batch: Batch, player: int, game: int, observation: np.ndarray) -> Callable[[str], int]:
        """Return a function that reads a whole plan, remembers it, and returns its first card."""
        plans = self._plans
        assert plans is not None

        def read(answer: str) -> int:
            cards = object_in(answer)
            with _LOCK:
                plan = shogun_plans.plan_of(batch.take(), player, cards)
                begun = whole_plans.begun(observation)
                plan[: len(begun)] = begun
                plans.keep(game, player, observation, plan)
            return int(plan[len(begun)])

        return read


def rules_text(game_spec: GameSpec, rules: str) -> str:
    """Return the rules that are sent along, by the setting ``rules``: ``short``, ``full`` or ``none``."""
    return RULES[rules](game_spec) if rules in RULES else ""


def correction(why: str) -> str:
    """Return what a model is told after an answer that cannot be used."""
    return f"That cannot be used: {why}. Answer again, in the form that was asked for."
