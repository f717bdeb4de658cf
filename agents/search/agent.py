"""``search``: rollouts from the position, with everything hidden dealt again, before each decision.

What the player cannot know is never read: positions come from ``View.redeal``, and each rollout redeals again, with the
other players' hidden plans chosen by a bot. Whole plans are searched at once; other decisions action by action. The
choice of the base bot is played unless another is better by ``gate`` standard errors.

How much is searched is said in rollouts, and the same seeds then give the same games on any machine and number of
threads; or in milliseconds. A search can stop and go on at any moment.
"""

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from shogun_env.agents.search import lots, plans
from shogun_env.agents.search.halving import SEEDS, Forced, Job, Question, RollOut, candidates_for, go_on
from shogun_env.agents.search.others import SPREAD, Others
from shogun_env.agents.search.timing import Pace
from shogun_env.agents.search.value import value_of
from shogun_env.agents.search.whole import Kept, drawing
from shogun_env.batch.batch import Batch
from shogun_env.batch.loops import NO_ACTION
from shogun_env.batch.rollouts import NO_WEIGHTS, Worth, roll_out
from shogun_env.kernel.jit import MemoryPolicy
from shogun_env.kernel.rng import next_uint64
from shogun_env.policies import Bot, Compiled, View, inner_spec, make_agent
from shogun_env.spec.bots import inner_specs
from shogun_env.spec.game_spec import GameSpec

PLANNING = {"shogun": plans, "shitenno": lots}
"""The module of each game that handles decisions which are searched as one; ``whole.py`` says what it provides."""
MIXED = "mixed"
"""The horizon of rollouts that end with the round, but near the end of the game with the game."""
PLAYS_ON = "scripted"
"""Who plays on in rollouts where the base bot is a network, but for the game ``PLAYS_ITSELF``, where that does."""
PLAYS_ITSELF = "shitenno"
KINDS = {"shogun": ["scripted", "pool:champion-by-hand:greedy=false"], "shitenno": ["scripted"]}
"""What others are taken for in a game, besides the network that is the base bot, unless told otherwise."""
FITTED = "fitted"
"""As ``critic``: no network, the fitted value says what positions are worth."""
BUDGETS = {"shogun": (800, 120), "shitenno": (120, 40)}
"""Rollouts for a whole plan or lot and for another decision, by game, unless numbers or milliseconds are given.

Those of Shitennō take about ten times as long.
"""
USUAL_BUDGET = (200, 60)
"""The same for other games."""
ACTION_WEIGHT = 0.2
"""Part of the milliseconds of a whole plan that another decision gets: its rollouts are shorter, and fewer will do."""


@dataclass(frozen=True, kw_only=True)
class SearchSettings:
    """How much and how far a bot searches; ``make_search`` describes each setting and has the defaults."""

    plan_rollouts: int
    rollouts: int
    gate: float
    horizon: str
    ms: float
    threads: int

    def check(self, game_spec: GameSpec) -> None:
        """Raise ValueError for a setting that is out of range, or a horizon that the game does not have."""
        horizons = horizons_of(game_spec)
        if self.horizon not in horizons:
            raise ValueError(f"horizon={self.horizon!r}: must be {', '.join(horizons[:-1])} or {horizons[-1]}")
        for name, least in {"plan_rollouts": 4, "rollouts": 4, "threads": 1, "gate": 0, "ms": 0}.items():
            if not least <= getattr(self, name) < math.inf:
                raise ValueError(f"{name}={getattr(self, name):g}: must be a finite number, at least {least}")


def horizons_of(game_spec: GameSpec) -> list[str]:
    """Return where rollouts of a game may end."""
    has_mixed = hasattr(PLANNING.get(game_spec.name), "are_near_the_end")
    return [*game_spec.engine.stages, "game", *([MIXED] if has_mixed else [])]


class Search(Bot):
    """A bot that searches with rollouts.

    Args:
        game_spec: the game.
        base: the compiled bot that decides where search finds nothing better, and draws the first plans.
        play_on: the compiled bot that plays on for the player in rollouts.
        models: the compiled bots that the others may be, at least one.
        settings: how much and how far it searches.
        critic: the network that says what positions at the end of a round are worth; None: the fitted value.

    Raises: ValueError for a bot that is not compiled, a setting out of range, or a critic that is no network or in a
        game in which none is asked.
    """

    def __init__(
        self, game_spec: GameSpec, base: Bot, play_on: Bot, models: Sequence[Bot],
        settings: SearchSettings, critic: Bot | None = None,
    ) -> None:  # fmt: skip
        settings.check(game_spec)
        self.game_spec, self.settings = game_spec, settings
        self.base, self._drafter = base, _compiled(base, "base")
        self.policies = [_compiled(play_on, "play_on"), *(_compiled(model, "model") for model in models)]
        self.critic = None if critic is None else _compiled(critic, "critic")
        if self.critic is not None and not isinstance(self.critic[0], MemoryPolicy):
            raise ValueError("critic of search: must be a network, such as champion, or fitted")
        if self.critic is not None and not can_ask(game_spec):
            raise ValueError(f"critic of search: in {game_spec.name} no network is asked, only critic=fitted")
        planning = PLANNING.get(game_spec.name)
        self._kept = Kept(planning) if planning is not None and planning.can_draft(self._drafter[0]) else None
        if len(models) > 1 and planning is None:
            raise ValueError(
                f"model of search: {game_spec.name} has no way to tell {len(models)} kinds apart; give one"
            )
        self._others = Others(planning, self.policies[1:]) if len(models) > 1 else None
        plays_on = [*range(1, len(self.policies))]
        if game_spec.engine.plan_size:
            plays_on = [0 if isinstance(self.policies[index][0], MemoryPolicy) else index for index in plays_on]
        self._plays_on = np.array(plays_on)
        """The policy that plays a kind on in rollouts: int64[kinds]."""
        self.pace = Pace(time.perf_counter)
        """How fast rollouts are; a search with milliseconds goes by its clock."""
        self._texts: list[str] = []
        self.replayable = settings.ms == 0
        self.name = "search"

    @property
    def planning(self) -> Any:
        """The module that handles decisions which are searched as one; None if they are searched action by action."""
        return None if self._kept is None else self._kept.planning

    def act(self, view: View, rng: np.ndarray) -> np.ndarray:
        """Return a legal action for every decision of the view: int64[n]."""
        self.recall(view, rng)
        self._texts = [""] * len(view.rows)
        actions = self._kept.actions(view) if self._kept is not None else np.full(len(view.rows), NO_ACTION)
        asked = np.flatnonzero(actions == NO_ACTION)
        if len(asked):
            self._search(view, rng, asked, actions)
        return actions

    def begin(self, rows: np.ndarray) -> None:
        """Forget what was known of the other players in the games that were in these rows, int64[n]."""
        if self._others is not None:
            self._others.forget(rows)

    def recall(self, view: View, rng: np.ndarray) -> None:
        """Note what decisions show of the other players."""
        if self._others is not None:
            self._others.look(view, rng)

    def explain(self, view: View) -> list[str]:
        """Return for every decision of the view, which ``act`` has just answered, how its candidates did."""
        return list(self._texts)

    def _search(self, view: View, rng: np.ndarray, asked: np.ndarray, actions: np.ndarray) -> None:
        """Write the actions of the decisions ``asked`` int64[m] of the view, and their draws to ``rng``."""
        begin = self.pace.clock()
        part, draws = view.part(asked), rng[asked]
        choices = self.base.act(part, draws)
        # A bot may have nothing legal to say about a lot that it did not begin itself: the lowest action instead.
        choices = np.where(part.masks[np.arange(len(asked)), choices] == 1, choices, part.masks.argmax(1))
        seeds = np.array([int(next_uint64(row)) % SEEDS for row in draws], np.int64)
        rng[asked], actions[asked] = draws, choices
        each = enumerate(zip(choices.tolist(), seeds.tolist(), strict=True))
        found = [self._question(part, index, choice, seed) for index, (choice, seed) in each]
        questions = [question for question in found if question is not None]
        if questions and self.settings.ms > 0:
            self.pace.search(questions, self._player(part, seeds), self.settings.ms / 1000, begin)
        elif questions:
            play = self._player(part, seeds)
            while go_on(questions, play):
                pass
        for question in questions:
            answer, index = question.answer(self.settings.gate), question.root
            self._texts[int(asked[index])] = question.report(self.game_spec.action_name)
            if isinstance(answer, np.ndarray):
                observation = part.observations[index]
                row, player = int(part.rows[index]), int(part.players[index])
                self._kept.keep(row, player, observation, answer)  # type: ignore[union-attr]
                answer = int(answer[len(self.planning.begun(observation))])
            if part.masks[index, answer] == 1:
                actions[asked[index]] = answer

    def _question(self, part: View, index: int, choice: int, seed: int) -> Question | None:
        """Return what is to be searched for a decision; None if the base bot decides it."""
        rng = np.random.default_rng(seed)
        observation, mask = part.observations[index], part.masks[index]
        if self.planning is not None and self.planning.is_minor(observation):
            return None
        if self.planning is not None and self.planning.is_whole(observation):
            return self._whole_question(part, index, rng)
        others = np.flatnonzero(mask)
        candidates: list[Forced] = [choice, *others[others != choice].tolist()]
        weight = 1.0 if self.planning is None else ACTION_WEIGHT
        expected, budget = self._budgets(self.settings.rollouts, weight)
        return Question(
            root=index, player=int(part.players[index]), candidates=candidates[: max(2, expected // 2)], rng=rng,
            budget=budget, weight=weight,
        )  # fmt: skip

    def _whole_question(self, part: View, index: int, rng: np.random.Generator) -> Question:
        """Return what is to be searched where a whole plan or lot begins, or where none was kept."""
        player = int(part.players[index])
        expected, budget = self._budgets(self.settings.plan_rollouts, 1.0)
        count = candidates_for(expected)
        if self.settings.ms > 0:
            count = min(count, self.pace.plans_in(self.settings.ms / 1000))
        begin = self.pace.clock()
        wholes, more = self.planning.candidates(
            part.batch.take([index]), player, part.observations[index], part.masks[index],
            [self._drafter, self.policies[0]], count, rng,
        )  # fmt: skip
        self.pace.drafted(count, self.pace.clock() - begin)
        return Question(root=index, player=player, candidates=list(wholes), rng=rng, budget=budget, more=more)

    def _budgets(self, rollouts: int, weight: float) -> tuple[int, int]:
        """Return the number of rollouts expected for a decision, and that of its first lap: all, if it is given."""
        if self.settings.ms == 0:
            return rollouts, rollouts
        return self.pace.first_lap(weight * self.settings.ms / 1000)

    def _player(self, part: View, seeds: np.ndarray) -> RollOut:
        """Return the function that plays rollouts from the decisions of ``part``."""
        roots = part.redeal(seeds)
        plan_size, weights = self.game_spec.engine.plan_size, value_of(self.game_spec, roots.num_players)
        until = self._ends(roots, weights is not None)
        worth = Worth(weights=NO_WEIGHTS if weights is None else weights, critic=self.critic, reward="margin")
        begun = [len(self.planning.begun(row)) if self.planning is not None else 0 for row in part.observations]

        def play(questions: list[Question], jobs: list[Job]) -> np.ndarray:
            candidates = [questions[number].candidates[index] for number, index, _ in jobs]
            forced = np.full((len(jobs), max(map(np.size, candidates))), NO_ACTION, np.int64)
            root_of = np.array([questions[number].root for number, _, _ in jobs])
            job_seeds = np.array([questions[n].seeds[seed % len(questions[n].seeds)] for n, _, seed in jobs])
            table_of, tables, seats, laid = self._seated(part, root_of, job_seeds)
            games, ends = roots.take(tables, num_threads=self.settings.threads), [until[root] for root in tables]
            for job, (candidate, (number, _, _)) in enumerate(zip(candidates, jobs, strict=True)):
                if not isinstance(candidate, np.ndarray):
                    forced[job, 0] = candidate
                elif plan_size:
                    laid[job, part.players[root_of[job]]] = candidate
                else:
                    rest = candidate[begun[questions[number].root] :]
                    forced[job, : len(rest)] = rest
            result = roll_out(
                games, table_of, job_seeds, self.policies, seats, actions=forced, plans=laid, until=ends, worth=worth,
                spread=SPREAD,
            )  # fmt: skip
            return result[np.arange(len(jobs)), part.players[root_of]]

        return play

    def _seated(
        self, part: View, root_of: np.ndarray, seeds: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Return who the others are in rollouts from roots ``root_of`` int64[n] with ``seeds`` int64[n].

        A table is a root with a policy for every player. Of the kinds that others may be, networks only plan in Shogun,
        where they would play on ten times as slowly.

        Returns: the table of each rollout int64[n]; the root of each table int64[T], and its policies int8[T, P]; the
            plans of the others int64[n, P, S], -1 where their policies plan.
        """
        players, plan_size = part.batch.num_players, self.game_spec.engine.plan_size
        plans = np.full((len(seeds), players, max(1, plan_size)), NO_ACTION)
        numbers: dict[tuple[int, ...], int] = {}
        table_of = np.zeros(len(seeds), np.int64)
        drawn: dict[tuple[int, int], tuple[np.ndarray, np.ndarray | None]] = {}
        for index, (root, seed) in enumerate(zip(root_of.tolist(), seeds.tolist(), strict=True)):
            seats, player = np.ones(players, np.int64), int(part.players[root])
            if self._others is not None:
                if (root, seed) not in drawn:
                    drawn[root, seed] = self._others.draw(int(part.rows[root]), player, seed)
                kinds, laid = drawn[root, seed]
                seats = self._plays_on[kinds]
                if laid is not None:
                    plans[index] = laid
            seats[player] = 0
            plans[index, player] = NO_ACTION
            table_of[index] = numbers.setdefault((root, *seats.tolist()), len(numbers))
        tables = np.array(list(numbers))
        return table_of, tables[:, 0], tables[:, 1:].astype(np.int8), plans

    def _ends(self, roots: Batch, is_valued: bool) -> list[str | None]:
        """Return where the rollouts of each root end: a stage, or None for the end, the only one without a value."""
        horizon = self.settings.horizon
        if horizon == MIXED:
            is_near = PLANNING[self.game_spec.name].are_near_the_end(roots.games)
            return [None if near or not is_valued else "round" for near in is_near]
        return [None if horizon == "game" or not is_valued else horizon] * roots.num_games


def can_ask(game_spec: GameSpec) -> bool:
    """Say whether rollouts of a game may end where a network is asked: it has plans, and a value to end rounds with."""
    return game_spec.engine.plan_size > 0 and value_of(game_spec, game_spec.players[0]) is not None


def _compiled(agent: Bot, name: str) -> tuple[Any, np.ndarray]:
    """Return the policy and the numbers of an agent; ValueError if it is not compiled."""
    if agent.compiled is None:
        raise ValueError(f"{name} of search: must be a compiled bot, such as scripted or random")
    function, params = agent.compiled
    return function, np.asarray(params, np.float64)


def make_search(  # noqa: PLR0913 - the parameters of the bot, each by its name in a spec
    game_spec: GameSpec, base: str = "scripted", play_on: str = "", model: str = "", plan_rollouts: int = 0,
    rollouts: int = 0, gate: float = 1.0, horizon: str = "", critic: str = "", ms: float = 0.0, threads: int = 1,
) -> Search:  # fmt: skip
    """Return the bot that searches.

    Args:
        game_spec: the game.
        base: the compiled bot that decides where search finds nothing better, and draws the first plans; parameters of
            the bot are separated by semicolons (``base=scripted;style=builder``).
        play_on: the compiled bot that plays on for the player in rollouts, and next to a network draws half of the
            plans; without, ``base``, but in Shogun ``scripted`` where that is a network, which would make rollouts ten
            times as slow and not better.
        model: what the other players are; without, ``play_on``, but over a network that network, which draws its
            actions, ``scripted``, and in Shogun ``pool:champion-by-hand``, which draws too. Of several compiled bots,
            separated by plus signs, each of the others is taken for one, drawn in each rollout by odds that what they
            show changes. In Shogun networks of such a list only plan, and ``play_on`` plays on for them.
        plan_rollouts: rollouts for a whole plan of Shogun or lot of Shitennō, 800 or 120 without milliseconds.
        rollouts: rollouts for another decision, 120 or 40 without milliseconds.
        gate: standard errors by which a choice must be better than that of the base bot.
        horizon: where rollouts end: ``round`` or ``year``, where a value says what the position is worth; ``game``; or
            ``mixed``: the end of the round, but in the last two rounds that of the game, where playing on knows more
            than any value. Without it ``mixed`` in Shogun and ``round`` in others; a game without a value is played to
            the end.
        critic: the network that says what positions at the end of a round are worth; ``fitted``: no network, but the
            fitted value. Without it ``base`` in Shogun, if that is a network, and ``fitted`` otherwise. With a network
            rollouts take up to three times as long, except where they end with the game.
        ms: milliseconds by the clock for each decision of one game, instead of numbers of rollouts; where whole plans
            are searched, a plan gets them and each other decision a fifth of them. The bot searches in laps, each about
            twice as long as the one before, and plays the best it has found when the time is over. Results depend on
            the machine; the first decision of a process takes longer, because it loads the compiled rollouts.
        threads: threads that share the rollouts; what is found with numbers of rollouts does not depend on it.

    Raises: ValueError for a bot that is not compiled, a number out of range, or both milliseconds and rollouts.

    Example:
        >>> from shogun_env.shogun import SHOGUN
        >>> bot = make_search(SHOGUN, rollouts=25)
    """
    if ms and (plan_rollouts or rollouts):
        given = f"plan_rollouts={plan_rollouts}" if plan_rollouts else f"rollouts={rollouts}"
        raise ValueError(f"ms={ms:g} and {given}: give milliseconds or numbers of rollouts, not both")
    bot = make_agent(inner_spec(base), game_spec)
    is_network = isinstance(_compiled(bot, "base")[0], MemoryPolicy)
    kinds = KINDS.get(game_spec.name, []) if is_network and not model else []
    plays_on = play_on or (PLAYS_ON if is_network and game_spec.name != PLAYS_ITSELF else base)
    own = make_agent(inner_spec(plays_on), game_spec)
    models = [make_agent(spec, game_spec) for spec in inner_specs(model)] if model else [own]
    if kinds:
        models = [Compiled(*drawing(_compiled(bot, "base"))), *(make_agent(kind, game_spec) for kind in kinds)]
    values = bot if is_network and can_ask(game_spec) else None
    if critic:
        values = None if critic == FITTED else make_agent(inner_spec(critic), game_spec)
    usual_plans, usual = BUDGETS.get(game_spec.name, USUAL_BUDGET)
    ends = next(end for end in (MIXED, "round", "game") if end in horizons_of(game_spec))
    settings = SearchSettings(
        plan_rollouts=plan_rollouts or usual_plans, rollouts=rollouts or usual, gate=gate,
        horizon=horizon or ends, ms=ms, threads=threads,
    )  # fmt: skip
    return Search(game_spec, bot, own, models, settings, values)
