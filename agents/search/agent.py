"""``search``: rollouts from the position, with everything hidden dealt again, before each decision.

What the player cannot know is never read: positions come from ``View.redeal``, and each rollout redeals again, with the
other players' hidden plans chosen by a bot. Whole plans are searched at once; other decisions action by action. The
choice of the base bot is played unless another is better by ``gate`` standard errors.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from shogun_env.agents.network.arrays import GREEDY
from shogun_env.agents.search import plans as shogun_plans
from shogun_env.agents.search.halving import SEEDS, Forced, Job, Question, candidates_for, halve
from shogun_env.agents.search.value import value_of
from shogun_env.batch.loops import NO_ACTION
from shogun_env.batch.rollouts import NO_WEIGHTS, Worth, roll_out
from shogun_env.kernel.jit import MemoryPolicy
from shogun_env.kernel.rng import next_uint64
from shogun_env.policies import Agent, View, make_agent
from shogun_env.spec.game_spec import GameSpec

PLANNING = {"shogun": shogun_plans}
"""The module that handles the whole plans of a game."""
SPREAD = 0.3
"""How far the numbers of the other players' bots vary between rollouts."""
PLAYS_ON = "scripted"
"""Who plays on in rollouts where the base bot is a network."""
FIRST_SPEED = 10.0
"""Rollouts per millisecond that are expected before any was timed."""
NEWEST = 0.2
"""What the last call counts in the mean of the speed, so that one slow call does not halve the next budget."""


@dataclass(frozen=True, kw_only=True)
class SearchSettings:
    """How much and how far a bot searches; ``make_search`` describes each setting and has the defaults."""

    plan_rollouts: int
    rollouts: int
    gate: float
    horizon: str
    ms: float
    retests: int

    def check(self, game_spec: GameSpec) -> None:
        """Raise ValueError for a setting that is out of range, or a horizon that the game does not have."""
        stages = game_spec.engine.stages
        if self.horizon not in (*stages, "game"):
            raise ValueError(f"horizon={self.horizon!r}: must be {', '.join(stages)} or game")
        for name, value, least in (
            ("plan_rollouts", self.plan_rollouts, 4), ("rollouts", self.rollouts, 4), ("retests", self.retests, 0),
        ):  # fmt: skip
            if value < least:
                raise ValueError(f"{name}={value}: must be at least {least}")
        if not (self.gate >= 0 and self.ms >= 0):
            raise ValueError(f"gate={self.gate}, ms={self.ms}: must be 0 or more")


class Search:
    """A bot that searches with rollouts.

    Args:
        game_spec: the game.
        base: the compiled bot that decides where search finds nothing better, and draws the first plans.
        play_on: the compiled bot that plays on for the player in rollouts.
        model: the compiled bot that plays on for the others.
        settings: how much and how far it searches.

    Raises: ValueError for a bot that is not compiled, or a setting out of range.
    """

    def __init__(
        self, game_spec: GameSpec, base: Agent, play_on: Agent, model: Agent, settings: SearchSettings
    ) -> None:
        settings.check(game_spec)
        self.game_spec, self.settings = game_spec, settings
        self.base, self._drafter = base, _compiled(base, "base")
        self.policies = [_compiled(play_on, "play_on"), _compiled(model, "model")]
        function = self._drafter[0]
        plans = function.planner is not None or isinstance(function, MemoryPolicy)
        self.planning = PLANNING.get(game_spec.name) if plans else None
        self._plans = self.planning.PlansMade() if self.planning is not None else None
        self._speed = FIRST_SPEED
        self._texts: list[str] = []
        self.__name__ = "search"

    def act(self, view: View, rng: np.ndarray) -> np.ndarray:
        """Return a legal action for every decision of the view: int64[n]."""
        self._texts = [""] * len(view.rows)
        actions = self._plans.cards(view) if self._plans is not None else np.full(len(view.rows), NO_ACTION)
        asked = np.flatnonzero(actions == NO_ACTION)
        if len(asked):
            self._search(view, rng, asked, actions)
        return actions

    def explain(self, view: View) -> list[str]:
        """Return for every decision of the view, which ``act`` has just answered, how its candidates did."""
        return list(self._texts)

    def _search(self, view: View, rng: np.ndarray, asked: np.ndarray, actions: np.ndarray) -> None:
        """Write the actions of the decisions ``asked`` int64[m] of the view."""
        part = View(
            batch=view.batch.take(asked), rows=view.rows[asked], players=view.players[asked],
            observations=view.observations[asked], masks=view.masks[asked],
        )  # fmt: skip
        draws = rng[asked]
        choices = self.base.act(part, draws)
        # A bot may have nothing legal to say about a lot that it did not begin itself: the lowest action instead.
        choices = np.where(part.masks[np.arange(len(asked)), choices] == 1, choices, part.masks.argmax(1))
        seeds = np.array([int(next_uint64(row)) % SEEDS for row in draws], np.int64)
        rng[asked] = draws
        questions = [
            question
            for index in range(len(asked))
            if (question := self._question(part, index, int(choices[index]), int(seeds[index]))) is not None
        ]
        actions[asked] = choices
        if not questions:
            return
        self._run(part, seeds, questions)
        for question in questions:
            answer, index = question.answer(self.settings.gate), question.root
            self._texts[int(asked[index])] = question.report(self.game_spec.action_name)
            if isinstance(answer, np.ndarray):
                observation = part.observations[index]
                self._plans.keep(int(part.rows[index]), observation, answer)  # type: ignore[union-attr]
                answer = int(answer[self.planning.space_of(observation)])  # type: ignore[union-attr]
            if part.masks[index, answer] == 1:
                actions[asked[index]] = answer

    def _question(self, part: View, index: int, choice: int, seed: int) -> Question | None:
        """Return what is to be searched for a decision; None if the base bot decides it."""
        rng = np.random.default_rng(seed)
        observation, mask = part.observations[index], part.masks[index]
        if self.planning is not None and self.planning.is_number(observation):
            return None  # there is nothing to win: -0.8 ± 1.0 points of win share for the best of all numbers
        space = -1 if self.planning is None else self.planning.space_of(observation)
        if self.planning is not None and space >= 0:
            return self._plan_question(part, index, space, rng)
        others = np.flatnonzero(mask)
        candidates: list[Forced] = [choice, *others[others != choice].tolist()]
        budget = self._budget(self.settings.rollouts)
        candidates = candidates[: max(2, budget // 2)]
        return Question(
            root=index, player=int(part.players[index]), candidates=candidates, rng=rng, budget=budget,
        )  # fmt: skip

    def _plan_question(self, part: View, index: int, space: int, rng: np.random.Generator) -> Question | None:
        planning, budget = self.planning, self._budget(self.settings.plan_rollouts)
        assert planning is not None
        observation, mask = part.observations[index], part.masks[index]
        function, params = self._drafter
        count = candidates_for(budget)
        if function.planner is not None:
            plans = planning.first_plans(function.planner, params, observation, mask, count, rng)
        else:
            drawn = params.copy()
            drawn[GREEDY] = 0.0
            own = part.batch.take([index])
            plans = planning.sampled_plans(
                own, int(part.players[index]), [(function, params), (function, drawn)], count
            )
        known = {plan.tobytes() for plan in plans}

        def more(best: list[Forced], count: int) -> list[Forced]:
            return list(planning.mutants([np.asarray(plan) for plan in best], count, space, mask, rng, known))

        plans += planning.mutants(plans[:1], count - len(plans), space, mask, rng, known)
        return Question(
            root=index, player=int(part.players[index]), candidates=list(plans), rng=rng, budget=budget,
            more=more,
        )  # fmt: skip

    def _budget(self, rollouts: int) -> int:
        """Return the number of rollouts of a decision: as given, or as many as the time allows."""
        ms = self.settings.ms
        return max(4, int(ms * self._speed)) if ms > 0 else rollouts

    def _run(self, part: View, seeds: np.ndarray, questions: list[Question]) -> None:
        """Search the questions, whose roots are the decisions of ``part``."""
        roots = part.redeal(seeds)
        roots.num_threads = part.batch.num_threads
        own_value = self.planning is not None and isinstance(self.policies[0][0], MemoryPolicy)
        values = None if own_value else value_of(self.game_spec, roots.num_players)
        horizon = self.settings.horizon
        until = None if horizon == "game" or (values is None and not own_value) else horizon
        weights, reward = NO_WEIGHTS if values is None else values, "win" if own_value else "margin"
        worth = Worth(weights=weights, own_value=own_value, reward=reward)
        seats = np.ones((roots.num_games, roots.num_players), np.int8)
        seats[np.arange(roots.num_games), part.players] = 0
        size = max(1, self.game_spec.engine.plan_size)

        def play(questions: list[Question], jobs: list[Job]) -> np.ndarray:
            forced, plans = np.full(len(jobs), -1, np.int64), np.full((len(jobs), size), -1, np.int64)
            for job, (number, index, _) in enumerate(jobs):
                candidate = questions[number].candidates[index]
                if isinstance(candidate, np.ndarray):
                    plans[job] = candidate
                else:
                    forced[job] = candidate
            root_of = np.array([questions[number].root for number, _, _ in jobs])
            job_seeds = np.array([questions[n].seeds[seed % len(questions[n].seeds)] for n, _, seed in jobs])
            begin = time.perf_counter()
            result = roll_out(
                roots, root_of, job_seeds, self.policies, seats, actions=forced, plans=plans, until=until,
                worth=worth, spread=SPREAD,
            )  # fmt: skip
            if self.settings.ms > 0:
                speed = len(jobs) / max(1e-9, 1000 * (time.perf_counter() - begin))
                self._speed += NEWEST * (speed - self._speed)
            worths: np.ndarray = result[np.arange(len(jobs)), part.players[root_of]]
            return worths

        halve(questions, play, gate=self.settings.gate, retests=self.settings.retests)


def _compiled(agent: Agent, name: str) -> tuple[Any, np.ndarray]:
    """Return the policy and the numbers of an agent; ValueError if it is not compiled."""
    pair = getattr(agent, "compiled", None)
    if pair is None:
        raise ValueError(f"{name} of search: must be a compiled bot, such as scripted or random")
    function, params = pair
    return function, np.asarray(params, np.float64)


def make_search(
    game_spec: GameSpec, base: str = "scripted", play_on: str = "", model: str = "", plan_rollouts: int = 200,
    rollouts: int = 60, gate: float = 2.0, horizon: str = "round", ms: float = 0.0, retests: int = 2,
) -> Search:  # fmt: skip
    """Return the bot that searches.

    Args:
        game_spec: the game.
        base: the compiled bot that decides where search finds nothing better, and draws the first plans; parameters of
            the bot are separated by semicolons (``base=scripted;style=builder``).
        play_on: the compiled bot that plays on for the player in rollouts; without, ``base``, but ``scripted`` where
            that is a network, which would make rollouts twenty times as slow and not better.
        model: the same for the other players; without, ``play_on``.
        plan_rollouts: rollouts for a whole plan.
        rollouts: rollouts for another decision.
        gate: standard errors by which a choice must be better than that of the base bot.
        horizon: where rollouts end: ``round`` or ``year``, where the fitted value, or the network that plays on, says
            what the position is worth; or ``game``. A game without either is played to the end.
        ms: milliseconds per decision instead of numbers of rollouts, 0 for none; results then depend on the machine.
        retests: how often a choice that is better, but not surely, is compared again; each time costs a sifting more.

    Raises: ValueError for a bot that is not compiled, or a number out of range.

    Example:
        >>> from shogun_env.shogun import SHOGUN
        >>> bot = make_search(SHOGUN, rollouts=25)
    """
    bot = make_agent(base.replace(";", ":"), game_spec)
    is_network = isinstance(_compiled(bot, "base")[0], MemoryPolicy)
    own = make_agent(play_on.replace(";", ":") or PLAYS_ON, game_spec) if play_on or is_network else bot
    other = make_agent(model.replace(";", ":"), game_spec) if model else own
    settings = SearchSettings(
        plan_rollouts=plan_rollouts, rollouts=rollouts, gate=gate, horizon=horizon, ms=ms, retests=retests
    )
    return Search(game_spec, bot, own, other, settings)
