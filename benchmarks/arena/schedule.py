"""Who meets next in an arena: every line-up, line-ups drawn anew, those that tell most about ratings, or a person's.

Bots that *tell most*: one leads a meeting in proportion to the variance of its strength. Several tables are drawn for
it: the others sit around a strength that it may have, drawn from what is known (Thompson sampling), so that bots meet
who may be equal. The table that tells most is played: the sum over its pairs of log(1 + p (1 - p) v), where p is the
chance that one finishes ahead of the other, and v the variance of the difference of their strengths. That is the
information of the game about each difference, for a Bradley–Terry model with normal errors.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from itertools import combinations, combinations_with_replacement
from typing import Any

import numpy as np

from shogun_env.benchmarks.arena.games import History, Round
from shogun_env.benchmarks.arena.likelihood import SCALE, Strengths, expected
from shogun_env.benchmarks.arena.settings import ALL, DRAWN, PERSON, TELLING

LEAST_MEETINGS = 16
"""Least number of meetings in a round of games that tell most."""
TURNS = 2
"""How often a bot plays in such a round, about."""
PART = 20
"""Such a round has at least 1/PART of all games before it: after many games a few more tell little."""
TABLES = 16
"""Tables that are drawn for each leader; with 48 the order of bots is known no sooner."""
WIDTH = 0.6
"""Standard deviation of the other bots' strengths around the leader's: 104 rating points. 0.3 and 1 do as well."""
SEATS = 8
"""Meetings are chosen in laps of 1/SEATS of all bots' seats."""
LAPS = 64
"""Most laps of a round; in longer rounds laps are longer instead."""


def next_round(history: History, games: int) -> dict[str, Any] | None:
    """Return the event of the next round of an arena; None if there are enough games of each variant.

    Raises: ValueError for bots that make no line-up.
    """
    for variant, players in enumerate(history.settings.players):
        first = sum(each.n_games for each in history.rounds if each.variant == variant)
        if first < games:
            meetings = -(-games // (players * lap(history, variant))) * lap(history, variant) - first // players
            tables = _tables(history, variant, first, meetings, None)
            return {"kind": "round", "number": len(history.rounds), "variant": variant, "tables": tables.tolist()}
    return None


def missing(history: History, games: int) -> list[tuple[Round, list[int]]]:
    """Return the rounds that lack blocks, with the missing ones; blocks beyond the wanted games are left out.

    A round whose tables were chosen by earlier games is always played to its end.
    """
    found = []
    for now in history.open_rounds:
        size = lap(history, now.variant) * history.settings.players[now.variant]
        end = now.n_games if history.settings.schedule == TELLING else -(-games // size) * size - now.first
        blocks = [each for each in range(now.n_blocks) if each not in now.done and each * now.per_block < end]
        if blocks:
            found.append((now, blocks))
    return found


def tables_again(history: History, now: Round) -> np.ndarray:
    """Return who meets in a round, int64[meetings, P], chosen again from the journal before it."""
    return _tables(history, now.variant, now.first, len(now.tables), now)


def lap(history: History, variant: int) -> int:
    """Return how many meetings there are in a lap, in which every bot meets others as often as any other does."""
    settings = history.settings
    players = settings.players[variant]
    if settings.schedule == ALL:
        return len(line_ups(settings.agents, players))
    return len(settings.agents) // players if settings.schedule == DRAWN else 1


def _tables(history: History, variant: int, first: int, meetings: int, now: Round | None) -> np.ndarray:
    """Return who meets after the ``first`` games of a variant, int64[meetings, P], for ``now`` again if it is given."""
    settings = history.settings
    players = settings.players[variant]
    if settings.schedule == TELLING:
        if now is None:
            playing = [bot for bot, each in enumerate(history.entries) if each.plays]
            return telling_tables(history, playing, history.n_games, len(history.entries), players)
        return telling_tables(history, now.playing, now.before, now.entries, players)
    bots = [history.number_of(name) for name in settings.agents]
    begin = first // players
    which = begin + np.arange(meetings)
    if settings.schedule == DRAWN:
        check_drawn(settings.agents, players)
        laps = np.unique(which // lap(history, variant))
        drawn = [each for at in laps for each in drawn_line_ups(bots, players, rng_of(history, "lap", int(at)))]
        return np.asarray(np.array(drawn)[which - laps[0] * lap(history, variant)])
    every = np.array([bots] if settings.schedule == PERSON else line_ups(bots, players))
    return np.asarray(every[which % len(every)])


def rng_of(history: History, purpose: str, number: int) -> np.random.Generator:
    """Return the generator of a choice: it follows from the journal, so anybody can make or foresee the choice."""
    key = f"{history.secret_sha256 or history.settings.seed} {purpose} {number}"
    return np.random.default_rng(int.from_bytes(hashlib.blake2b(key.encode(), digest_size=16).digest()))


# --- line-ups --------------------------------------------------------------------------------------------------------


def line_ups(agents: Sequence[Any], players: int) -> list[tuple[Any, ...]]:
    """Return all line-ups of some agents.

    As many agents as players make one line-up, in which a name may appear twice. From more agents every selection of as
    many as there are players is a line-up. Of fewer agents every line-up is one in which each plays at least once.

    Raises: ValueError for fewer than two agents, or a name that appears twice among more or fewer than ``players``.

    Example:
        >>> line_ups(["a", "b"], 3)
        [('a', 'a', 'b'), ('a', 'b', 'b')]
    """
    if len(agents) == players:
        return [tuple(agents)]
    if len(agents) < 2:
        raise ValueError(f"a tournament needs at least two agents, not {len(agents)}")
    if len(set(agents)) < len(agents):
        raise ValueError(f"an agent may be listed twice only among {players} agents, one for each player")
    if len(agents) > players:
        return list(combinations(agents, players))
    return [line_up for line_up in combinations_with_replacement(agents, players) if set(line_up) == set(agents)]


def about_copies(agents: Sequence[str], players: int, games: int) -> str:
    """Return a sentence about a tournament in which bots play in copies, because there are fewer than players, or "".

    Example:
        >>> about_copies(["a", "b"], 3, 6)
        '2 bots for 3 players: up to 2 copies of a bot play, figures are of one copy; 2 line-ups, 3 rotations, 6 games.'
    """
    if not agents or len(agents) >= players:
        return ""
    most, count = players - len(agents) + 1, len(line_ups(agents, players))
    return (
        f"{len(agents)} bots for {players} players: up to {most} copies of a bot play, figures are of one copy; "
        f"{count} line-ups, {players} rotations, {games} games."
    )


def check_drawn(agents: Sequence[str], players: int) -> None:
    """Raise ValueError for agents of whom no line-ups can be drawn."""
    if len(set(agents)) < len(agents) or len(agents) <= players:
        raise ValueError(f"{len(agents)} agents: drawn line-ups need more different agents than {players} players")


def drawn_line_ups(agents: Sequence[int], players: int, rng: np.random.Generator) -> list[list[int]]:
    """Return line-ups: agents are shuffled and cut into groups, and those left over sit out."""
    order = [agents[index] for index in rng.permutation(len(agents))]
    return [order[begin : begin + players] for begin in range(0, len(order) - players + 1, players)]


# --- games that tell most --------------------------------------------------------------------------------------------


def telling_tables(history: History, playing: Sequence[int], games: int, entries: int, players: int) -> np.ndarray:
    """Return who meets after the first ``games`` games, int64[meetings, P]; ValueError for too few bots.

    Args: playing, the bots that can be chosen, of the first ``entries``; players of a game.
    """
    fixed = {n: each.rating / SCALE for n, each in enumerate(history.entries[:entries]) if each.rating is not None}
    some, which = history.games.some(slice(games)), np.array(playing, np.int64)
    known = expected(some.bots, some.place, entries, fixed, float(np.mean(list(fixed.values()) or [0.0])))
    meetings = max(LEAST_MEETINGS, -(-TURNS * len(which) // players), games // (PART * players))
    known = known.rounded().of_bots(which)
    return np.asarray(which[choose(rng_of(history, "choice", games), known, meetings, players)])


def choose(rng: np.random.Generator, strengths: Strengths, meetings: int, players: int) -> np.ndarray:
    """Return the bots that meet: int64[meetings, players], numbers of bots, no bot twice at a table.

    Meetings are chosen in laps; bots that already have meetings in this round become less interesting.

    Raises: ValueError for fewer bots than players.
    """
    size = len(strengths.mean)
    if size < players:
        raise ValueError(f"{size} bots for games of {players} players: enter more")
    shrink = np.ones(size)
    chosen: list[np.ndarray] = []
    total = meetings
    while meetings:
        some = min(meetings, max(1, size // (SEATS * players), total // LAPS))
        meetings -= some
        tables = _best_tables(rng, strengths, shrink, some, players)
        gained = np.zeros(size)
        for seat in range(players):
            others = np.delete(tables, seat, axis=1)
            each = players * _unsure(strengths.mean[tables[:, [seat]]] - strengths.mean[others]).sum(axis=1)
            np.add.at(gained, tables[:, seat], each)
        shrink /= np.sqrt(1 + gained * strengths.variance * shrink**2)
        chosen.append(tables)
    return np.concatenate(chosen)


def _best_tables(
    rng: np.random.Generator, strengths: Strengths, shrink: np.ndarray, meetings: int, players: int
) -> np.ndarray:
    """Return a few meetings, int64[meetings, players]; errors are ``shrink`` float64[n] of what they were."""
    size = len(shrink)
    errors = np.sqrt(strengths.variance) * shrink
    may_be = strengths.mean + rng.normal(size=size) * errors
    by_strength = np.argsort(may_be, kind="stable")
    leaders = _leaders(rng, errors**2, meetings)
    wanted = may_be[leaders][:, None, None] + WIDTH * rng.normal(size=(meetings, TABLES, players - 1))
    at = np.minimum(np.searchsorted(may_be[by_strength], wanted), size - 1)
    everyone = np.broadcast_to(leaders[:, None, None], (meetings, TABLES, 1))
    tables = np.concatenate([everyone, by_strength[at]], axis=2)
    ranks = np.argsort(by_strength, kind="stable")[leaders]
    first = np.clip(ranks - players // 2, 0, size - players)
    neighbours = by_strength[first[:, None] + np.arange(players)]
    tables = np.concatenate([tables, neighbours[:, None]], axis=1)
    best = information(strengths, tables, shrink).argmax(axis=1)
    return np.asarray(tables[np.arange(meetings), best])


def choose_any(rng: np.random.Generator, size: int, meetings: int, players: int) -> np.ndarray:
    """Return bots that meet by chance alone, every bot as often as any other: int64[meetings, players].

    Example:
        >>> sorted(choose_any(np.random.default_rng(1), 6, 2, 3).ravel().tolist())
        [0, 1, 2, 3, 4, 5]
    """
    rounds = -(-meetings * players // (size - size % players))
    seats = [rng.permutation(size)[: size - size % players] for _ in range(rounds)]
    return np.concatenate(seats).reshape(-1, players)[:meetings]


def _leaders(rng: np.random.Generator, variance: np.ndarray, meetings: int) -> np.ndarray:
    """Return the leader of each meeting, in proportion to the variances as nearly as whole numbers allow."""
    total = variance.sum()
    if not total:  # all are fixed
        return rng.integers(len(variance), size=meetings)
    order = rng.permutation(len(variance))
    ends = np.cumsum(variance[order] / total)
    at = np.searchsorted(ends, (rng.random() + np.arange(meetings)) / meetings)
    return np.asarray(order[np.minimum(at, len(variance) - 1)])


def _unsure(difference: np.ndarray) -> np.ndarray:
    """Return p (1 - p), where p is the chance of a bot to finish ahead of one that is weaker by ``difference``."""
    ahead = 1 / (1 + np.exp(-difference))
    return np.asarray(ahead * (1 - ahead))


def information(strengths: Strengths, tables: np.ndarray, shrink: np.ndarray) -> np.ndarray:
    """Return what a game at each table int64[..., P] tells: float64[...]; less than nothing where a bot sits twice.

    Errors of the n bots are ``shrink``, float64[n], of what they are in ``strengths``.
    """
    total = np.zeros(tables.shape[:-1])
    for a in range(tables.shape[-1]):
        for b in range(a):
            one, other = tables[..., a], tables[..., b]
            tells = _unsure(strengths.mean[one] - strengths.mean[other])
            total += np.log1p(tells * strengths.of_difference(one, other, shrink))
            total[one == other] = -np.inf
    return total
