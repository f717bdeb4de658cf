"""Who meets next in an arena: every line-up, line-ups drawn anew, or newcomers first."""

import hashlib
from collections.abc import Sequence
from itertools import combinations, combinations_with_replacement
from typing import Any

import numpy as np

from shogun_env.benchmarks.arena.games import History, Round
from shogun_env.benchmarks.arena.settings import ALL, DRAWN, NEWCOMERS

NEW = 100
"""A bot that is not of the reference pool is a newcomer until it has been in this many games, which tell its rating to
some 60 points either way (four players, the others' ratings known)."""
LEAST_MEETINGS = 16
"""Least number of meetings in a round of a league: few games are played slowly, one by one."""
PART = 20
"""Such a round has at least 1/PART of all games before it, so that a long league has no thousands of rounds."""
MOST_MEETINGS = 400_000
"""Most meetings in a round of a tournament: a round is a line of the journal, which ``journal.MOST_BYTES`` limits."""


def next_round(history: History, games: int) -> dict[str, Any] | None:
    """Return the event of the next round of an arena; None if there are enough games of each variant.

    Raises: ValueError for bots that make no line-up.
    """
    for variant, players in enumerate(history.settings.players):
        first = sum(each.n_games for each in history.rounds if each.variant == variant)
        meetings = -(-games // (players * lap(history, variant))) * lap(history, variant) - first // players
        if meetings > 0:
            playing = [bot for bot, each in enumerate(history.entries) if each.plays]
            tables = _tables(history, variant, first, min(meetings, MOST_MEETINGS), history.n_games, playing)
            return {"kind": "round", "number": len(history.rounds), "variant": variant, "tables": tables.tolist()}
    return None


def missing(history: History, games: int) -> list[tuple[Round, np.ndarray]]:
    """Return the rounds that lack games, with the numbers of those, int64[n]; games beyond the wanted are left out.

    A round of a league is always played to its end. In others no game is left out before one that was played: which
    these are when processes are killed depends on how long games take.
    """
    found = []
    for now in history.open_rounds:
        size = lap(history, now.variant) * history.settings.players[now.variant]
        wanted = max(-(-games // size) * size - now.first, now.n_begun)
        end = now.n_games if history.settings.schedule == NEWCOMERS else wanted
        if now.is_missing[:end].any():
            found.append((now, np.flatnonzero(now.is_missing[:end])))
    return found


def tables_again(history: History, now: Round) -> np.ndarray:
    """Return who meets in a round, int64[meetings, P], chosen again from the journal before it."""
    return _tables(history, now.variant, now.first, len(now.tables), now.before, now.playing)


def lap(history: History, variant: int) -> int:
    """Return how many meetings there are in a lap, in which every bot meets others as often as any other does."""
    settings = history.settings
    players = settings.players[variant]
    if settings.schedule == ALL:
        return len(line_ups(settings.agents, players))
    return len(settings.agents) // players if settings.schedule == DRAWN else 1


def _tables(
    history: History, variant: int, first: int, meetings: int, before: int, playing: Sequence[int]
) -> np.ndarray:
    """Return who of ``playing`` meet after the ``first`` games of a variant, ``before`` in all: int64[meetings, P]."""
    settings = history.settings
    players = settings.players[variant]
    if settings.schedule == NEWCOMERS:
        return league_tables(history, playing, before, players)
    bots = [history.number_of(name) for name in settings.agents]
    begin = first // players
    which = begin + np.arange(meetings)
    if settings.schedule == DRAWN:
        check_drawn(settings.agents, players)
        laps = np.unique(which // lap(history, variant))
        drawn = [each for at in laps for each in drawn_line_ups(bots, players, rng_of(history, "lap", int(at)))]
        return np.asarray(np.array(drawn)[which - laps[0] * lap(history, variant)])
    every = np.array(line_ups(bots, players))
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
        words = "one of them twice: give one for each player, or different ones"
        raise ValueError(f"{len(agents)} agents for {players} players, {words}")
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


# --- leagues ---------------------------------------------------------------------------------------------------------


def league_tables(history: History, playing: Sequence[int], games: int, players: int) -> np.ndarray:
    """Return who meets after the first ``games`` games of a league, int64[meetings, P].

    In each lap every newcomer has a meeting with others who are drawn; without newcomers all are drawn.

    Args: playing, the bots that can be chosen; players of a game.
    Raises: ValueError for too few bots.
    """
    if len(playing) < players:
        raise ValueError(f"{len(playing)} bots for games of {players} players: enter more")
    rng, tables = rng_of(history, "choice", games), list[list[int]]()
    seats = np.bincount(history.games.some(slice(games)).bots.ravel(), minlength=len(history.entries))
    meetings = max(LEAST_MEETINGS, games // (PART * players))
    while len(tables) < meetings:
        new = [bot for bot in playing if seats[bot] < NEW and not history.entries[bot].is_pool]
        lap = [[bot, *_others(bot, playing, players - 1, rng)] for bot in new] or drawn_line_ups(playing, players, rng)
        np.add.at(seats, np.array(lap), players)
        tables += lap
    return np.array(tables[:meetings])


def _others(bot: int, playing: Sequence[int], count: int, rng: np.random.Generator) -> list[int]:
    """Return bots that are drawn to play with one."""
    return rng.permutation([each for each in playing if each != bot])[:count].tolist()
