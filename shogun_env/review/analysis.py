"""A game looked at again by a champion: what each choice cost, and where the game turned.

A *choice* is what a player decides in one go: a whole plan, or decisions that follow one another before anything
happens, such as a target and a number of armies. A choice is compared with the champion's in the same place by
rollouts: both are played from what the player knew, with the same cards and the champion for everybody from there on.
What a choice costs is the mean difference of the share of the win. In a game with planning a rollout ends with the
round, and the champion's network says what the next one is worth; else it ends with the game. The choices that seem
costliest are compared again with fresh cards, because the largest of many estimates is too large.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from shogun_env.batch.batch import Batch
from shogun_env.batch.loops import NO_ACTION
from shogun_env.batch.rollouts import REWARDS, ROUND, Worth, roll_out
from shogun_env.cli import Progress, no_progress
from shogun_env.game import ROW, Game
from shogun_env.kernel.jit import MemoryPolicy
from shogun_env.kernel.log import LENGTH, TAPE
from shogun_env.policies import Agent, View, ask, make_agent
from shogun_env.records.events import Stop, stop_of
from shogun_env.records.replay import replay
from shogun_env.records.story import player_names, sentences
from shogun_env.records.thoughts import Thought
from shogun_env.review import CHAMPION, USUAL, Effort
from shogun_env.shares import half_width
from shogun_env.spec.game_spec import GameSpec, Line
from shogun_env.spec.voice import words

__all__ = [
    "Effort", "Review", "Turn", "expectations", "review", "rounds", "turning_points", "why",
]  # fmt: skip

LONGEST = 30
"""Most actions in a choice of the champion."""
LEAST_COST = 0.005
"""Choices that cost or gained less are not told of on a page."""
ADVISING = 0.3
"""Part of the work until it is known what the champion would choose; the rest are rollouts."""
SAME = "The champion would choose the same"
LIKELIEST = 3
"""Actions that ``why`` names at most."""


class Review(NamedTuple):
    """The choices of a player."""

    player: int
    choices: int
    """How many there were."""
    alike: int
    """How many of them were the champion's."""
    others: tuple[Thought, ...]
    """What is said of the others, the costliest first. Those that made a difference below LEAST_COST are left out.
    ``cost`` is 0 unless the choice was compared again with fresh cards."""


class Turn(NamedTuple):
    """A change of the share of the win that the champion expects for a player, between two decisions of theirs."""

    player: int
    before: float
    after: float
    when: str
    """The round, in words."""
    first: int
    """Number of the first line of the record that was written in between."""
    last: int
    """Number of the last one."""
    texts: tuple[str, ...]
    """What happened in between that names the player, first what has several lines of the record, such as fights."""

    @property
    def change(self) -> str:
        """The player and the change, in words."""
        way = "rises" if self.after > self.before else "falls"
        return f"P{self.player} {way} from {100 * self.before:.0f} to {100 * self.after:.0f} %"


@dataclass(kw_only=True)
class _Choice:
    """Decisions of a player that belong together."""

    player: int
    decision: int
    line: int
    root: Batch
    """The game at the first of them, as the player knows it."""
    true: Batch
    """The game itself there, with its log."""
    is_plan: bool
    played: dict[int, tuple[int, str]] = field(default_factory=dict)
    """Actions, and in words, by the space of the plan, or as 0, 1, … in other choices."""
    advised: dict[int, tuple[int, str]] = field(default_factory=dict)
    """The champion's choice, likewise."""
    cost: float = 0.0
    error: float = 0.0
    is_checked: bool = False

    @property
    def differs(self) -> bool:
        """Whether the champion would choose otherwise."""
        return self.played != self.advised


# --- choices ---------------------------------------------------------------------------------------------------------


def _slot(batch: Batch) -> int:
    """Return the space of a plan that the decision fills, -1 outside planning."""
    return int(batch.spec.engine.plan_slot(batch.games[0]))


def _words(batch: Batch, action: int) -> str:
    """Return an action in words: the card where a plan is made, else what it does."""
    spec, name = batch.spec, words(batch.spec.action_name(action))
    return (spec.action_label(action) if _slot(batch) >= 0 else spec.action_words(batch.games[0], action)) or name


def _choices(batch_type: type[Batch], lines: Sequence[Line], players: Sequence[int]) -> list[_Choice]:
    """Return the choices of players in a record, in the order in which they began."""
    choices: list[_Choice] = []
    plans: dict[int, _Choice] = {}
    last: tuple[int, int] = (-1, -1)  # who decided before, and how long the log was then
    stop: Stop | None = None
    for decision, (batch, action) in enumerate(replay(batch_type, lines)):
        if action is None:
            break
        stop = stop_of(batch, stop)
        player, length, slot = int(batch.player[0]), int(batch.logs[0, LENGTH]), _slot(batch)
        if slot < 0:
            plans.clear()
        goes_on = player in plans if slot >= 0 else last == (player, length)
        last = (player, length) if slot < 0 else (-1, -1)
        if player not in players:
            continue
        if not goes_on:
            choices.append(
                _Choice(
                    player=player, decision=decision, line=stop.n_lines + 1, is_plan=slot >= 0,
                    root=View.of(batch, ROW).batch, true=batch.take(ROW, record=True),
                )
            )  # fmt: skip
            if slot >= 0:
                plans[player] = choices[-1]
        choice = plans[player] if slot >= 0 else choices[-1]
        choice.played[slot if slot >= 0 else len(choice.played)] = action, _words(batch, action)
    return choices


def _advise(choice: _Choice, champion: Agent) -> None:
    """Write what the champion would choose; it plays on in a copy, and the others lay anything in their plans."""
    batch, player = choice.true.take(ROW, record=True), choice.player
    batch.logs[:, TAPE] = 0  # chance is drawn, and not that of the record
    length = int(batch.logs[0, LENGTH])
    while len(choice.advised) < LONGEST and not batch.over[0]:
        slot = _slot(batch)
        is_mine = int(batch.player[0]) == player
        if int(batch.logs[0, LENGTH]) != length or (slot >= 0) != choice.is_plan or not (is_mine or choice.is_plan):
            return
        action = int(ask(champion, batch, ROW)[0]) if is_mine else int(batch.legal[0].argmax())
        if is_mine:
            choice.advised[slot if slot >= 0 else len(choice.advised)] = action, _words(batch, action)
        batch.step([action])


def _side_by_side(choice: _Choice) -> tuple[tuple[str, str, str], ...]:
    """Return a choice and the champion's as rows."""
    rows, spec = [], choice.root.spec
    spaces = {each.space: each.title for each in spec.plan_sheet(choice.root.games[0])} if choice.is_plan else {}
    for at in sorted({*choice.played, *choice.advised}):
        mine, better = (side.get(at, (0, ""))[1] for side in (choice.played, choice.advised))
        rows.append((spaces.get(at, ""), mine, better))
    return tuple(rows)


# --- what they cost --------------------------------------------------------------------------------------------------


def review(
    batch_type: type[Batch], lines: Sequence[Line], players: Iterable[int] | None = None, *,
    champion: str | Agent = CHAMPION, effort: Effort = USUAL, show: Progress = no_progress,
    resigned: Mapping[int, int] = {}, since: int = 0,
) -> list[Review]:  # fmt: skip
    """Compare the choices of players in a game with those of a champion.

    Args:
        batch_type: the game's ``Batch``.
        lines: a record with valid fields, as ``read_record`` returns it.
        players: whose choices; None for all.
        champion: a network, as ``make_agent`` takes it, that says what is best and plays on for everybody.
        effort: number of rollouts.
        show: shows progress, as a part of the whole.
        resigned: by player, after how many lines of the record another took over, whose choices are left out.
        since: number of the decision with which the reviewed part begins.

    Returns: a review for each of the players, in their order.

    Raises: RecordError if the rules do not allow the record; ValueError for a player who is not in the game, an effort
        of fewer than two rollouts for each choice, or a bot that is no network.
    """
    n_players = int(lines[0]["players"])
    whose = list(range(n_players)) if players is None else list(dict.fromkeys(players))
    if unknown := [player for player in whose if not 0 <= player < n_players]:
        raise ValueError(f"player {unknown[0]}: this game has players 0 to {n_players - 1}")
    if min(effort.first, effort.again) < 4:
        raise ValueError(f"{effort}: first and again must be at least 4 rollouts")
    bot = _network(champion, batch_type.spec)
    choices = [one for one in _choices(batch_type, lines, whose) if one.line <= resigned.get(one.player, one.line)]
    choices = [one for one in choices if one.decision >= since]
    for number, choice in enumerate(choices, 1):
        _advise(choice, bot)
        show(ADVISING * number / len(choices), f"{number} of {len(choices)} choices")
    differ = {player: [c for c in choices if c.player == player and c.differs] for player in whose}
    total = sum(effort.first * len(own) + effort.again * min(effort.costliest, len(own)) for own in differ.values())
    rng, done = np.random.default_rng(0), 0

    def compare(choice: _Choice, rollouts: int) -> None:
        nonlocal done
        choice.cost, choice.error = _cost(choice, bot, rollouts // 2, rng)
        done += rollouts
        show(1.0 if done == total else ADVISING + (1 - ADVISING) * done / total, f"{done} of {total} rollouts")

    for choice in choices:
        if choice.differs:
            compare(choice, effort.first)
    for own in differ.values():
        own.sort(key=lambda choice: -choice.cost)
        for choice in own[: effort.costliest]:
            compare(choice, effort.again)
            choice.is_checked = True
    round_of, reviews = rounds(batch_type, lines), []
    for player, own in differ.items():
        own.sort(key=lambda choice: (not choice.is_checked, -choice.cost))
        others = [_thought(choice, round_of(choice.line)) for choice in own if abs(choice.cost) >= LEAST_COST]
        n_choices = sum(choice.player == player for choice in choices)
        reviews.append(Review(player=player, choices=n_choices, alike=n_choices - len(own), others=tuple(others)))
    return reviews


def _network(champion: str | Agent, spec: GameSpec) -> Any:
    """Return the champion; ValueError unless it is a network, which says what it expects."""
    bot = make_agent(champion, spec)
    if bot.compiled is None or not isinstance(bot.compiled[0], MemoryPolicy):
        raise ValueError(f"champion {champion!r}: must be a network, such as champion or ppo:PATH")
    return bot


def _thought(choice: _Choice, when: str) -> Thought:
    """Return what a page says of a choice."""
    rough = "" if choice.is_checked else ", roughly"
    verb = "That cost" if choice.cost >= 0 else "That was better by"
    cost = f"{100 * abs(choice.cost):.0f} ± {100 * choice.error:.0f} points of the chance to win"
    whose = ", as the champion's network sees the end of the round" if choice.root.spec.engine.plan_size else ""
    first, _ = next(iter(choice.played.values()))
    return Thought(
        decision=choice.decision, player=choice.player, action=choice.root.spec.action_name(first),
        text=f"{verb} {cost}{whose}{rough}.", cost=choice.cost if choice.is_checked else 0.0, line=choice.line,
        when=when, rows=_side_by_side(choice),
    )  # fmt: skip


def _cost(choice: _Choice, champion: Any, pairs: int, rng: np.random.Generator) -> tuple[float, float]:
    """Return the share of the win that a choice costs, and half the width of its 95 % interval."""
    spec, n = choice.root.spec, choice.root.num_players
    pair = champion.compiled
    has_plans, size = spec.engine.plan_size > 0, max(1, spec.engine.plan_size)
    both = choice.played, choice.advised
    length = max(len(one) for one in both)
    actions = np.full((2, length), NO_ACTION, np.int64)
    plans = np.full((2, size), NO_ACTION, np.int64)
    for index, one in enumerate(both):
        if choice.is_plan:
            plans[index] = 0  # what the engine lays by itself is never asked
        for slot, (action, _) in one.items():
            (plans if choice.is_plan else actions)[index, slot] = action
    worth = Worth(critic=pair, reward="win") if has_plans else REWARDS._replace(reward="win")
    rewards = roll_out(
        choice.root, np.zeros(2 * pairs, np.int64), np.repeat(rng.integers(0, 2**53, pairs), 2), [pair],
        np.zeros((1, n), np.int8), actions=np.tile(actions, (pairs, 1)), plans=np.tile(plans, (pairs, 1)),
        until=ROUND if has_plans else None, worth=worth,
    )[:, choice.player]  # fmt: skip
    shares = (rewards * (n - 1) + 1) / n
    differences = shares[1::2] - shares[::2]
    return float(differences.mean()), half_width(differences)


# --- where a game turned ---------------------------------------------------------------------------------------------


def turning_points(
    batch_type: type[Batch], lines: Sequence[Line], *, champion: str | Agent = CHAMPION, count: int = 5
) -> list[Turn]:
    """Return the largest changes of the share of the win that a champion in a player's place expects, largest first.

    What it expects is asked at decisions of that player; between the first and the last decision of a plan nothing
    changes. What happened after the last decision of a player, such as the end, is no turn.

    Args:
        batch_type: the game's ``Batch``.
        lines: a record with valid fields, as ``read_record`` returns it.
        champion: a network, as ``make_agent`` takes it.
        count: how many at most.

    Raises: RecordError if the rules do not allow the record; ValueError for a bot that is no network.
    """
    spec = batch_type.spec
    chances = list(expectations(batch_type, lines, _network(champion, spec)))
    story = sentences(spec, lines, None, player_names(spec))
    round_of, turns = rounds(batch_type, lines), []
    before: dict[int, tuple[int, float]] = {}
    for end, player, share in chances:
        if player in before and end > before[player][0]:
            first, was = before[player]
            naming = [one for one in story if first < one.first <= end and player in (who for _, who in one.parts)]
            naming.sort(key=lambda one: one.first == one.last)  # fights and placements have several lines
            texts, when = tuple(one.text for one in naming), round_of(first + 1)
            turns.append(
                Turn(player=player, before=was, after=share, when=when, first=first + 1, last=end, texts=texts)
            )
        before[player] = end, share
    return sorted(turns, key=lambda turn: -abs(turn.after - turn.before))[:count]


def expectations(batch_type: type[Batch], lines: Sequence[Line], champion: Any) -> Iterator[tuple[int, int, float]]:
    """Yield how many lines were written, who decides, and what share of the win is expected, where no plan goes on.

    Raises: RecordError, at the end, if the rules do not allow the record.
    """
    planned: set[int] = set()
    stop: Stop | None = None
    for batch, action in replay(batch_type, lines):
        if action is None:
            return
        stop = stop_of(batch, stop)
        player, is_plan = int(batch.player[0]), _slot(batch) >= 0
        planned = planned if is_plan else set()
        if player not in planned:
            yield stop.n_lines, player, champion.weigh(View.of(batch, ROW))[0].share
        if is_plan:
            planned.add(player)


def rounds(batch_type: type[Batch], lines: Sequence[Line]) -> Callable[[int], str]:
    """Return a function that says in words in which round the line with a number is.

    A round begins with the line after its first decision at the latest.
    """
    story = sentences(batch_type.spec, lines, None)
    begun = {one.first: one.text.removesuffix(" begins.") for one in story if one.kind == "round"}
    return lambda line: next((text for first, text in reversed(begun.items()) if first < line), "Set-up")


# --- hints -----------------------------------------------------------------------------------------------------------


def why(game: Game, action: str) -> str:
    """Return in a sentence or two what the champion makes of an action that a hint names, at the decision of a game.

    It says how likely the champion plays the likeliest actions and this one, and what share of the win it expects.
    Nothing is used that the player who decides does not know.

    Raises: ValueError if the game is over, or the action is illegal.
    """
    if game.is_over:
        raise ValueError("the game is over; there is nothing to explain")
    bot = _network(CHAMPION, game.spec)
    legal = game.legal_actions()
    if action not in legal:
        raise ValueError(f"{action!r} is illegal here; legal are {', '.join(legal)}")
    (weighed,) = bot.weigh(View.of(game.batch, ROW))
    order = sorted(legal, key=lambda name: -weighed.chances[legal[name]])
    named = order[:LIKELIEST] if action in order[:LIKELIEST] else [*order[: LIKELIEST - 1], action]
    called = {name: game.spec.action_label(legal[name]) or words(name) for name in named}
    chances = ", ".join(f"{called[name]} {100 * weighed.chances[legal[name]]:.0f} %" for name in named)
    opinion = SAME if order[0] == action else "The champion would choose otherwise"
    return f"{opinion}: {chances}. It expects to win {100 * weighed.share:.0f} % of such games."
