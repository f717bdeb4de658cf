"""Whole games of an oracle by itself: ways to play, and what must hold at every decision and at the end."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

from .oracle.chance import DrawnChance
from .oracle.game import Line
from .oracle.shitenno import board as shitenno_board
from .oracle.shogun import board as shogun_board
from .oracles import ORACLES, game_of

MOST_DECISIONS = 2000
Pick = Callable[[str, list[int], random.Random], int]
"""Kind of decision, legal actions, random numbers -> action."""


def pick_random(kind: str, legal: list[int], rng: random.Random) -> int:
    """Any legal action."""
    return rng.choice(legal)


def pick_deck(kind: str, legal: list[int], rng: random.Random) -> int:
    """In a draft bury when allowed, or take the top card, so that open cards stay; else any legal action."""
    for action in (shogun_board.BURY, shogun_board.TOP_OF_DECK):
        if action in legal:
            return action
    return rng.choice(legal)


def pick_eager(kind: str, legal: list[int], rng: random.Random) -> int:
    """Place whenever possible; else any legal action."""
    return rng.choice(
        [action for action in legal if action < shitenno_board.END_TURN] or legal if kind == "turn" else legal
    )


def pick_hoarding(kind: str, legal: list[int], rng: random.Random) -> int:
    """Hardly ever place; else any legal action."""
    return shitenno_board.END_TURN if kind == "turn" and rng.random() < 0.9 else rng.choice(legal)


def check_shogun(game: Any) -> None:
    """Check that every colour adds up, and that armies are in owned provinces and nowhere else (rules 1)."""
    table = game.table
    for colour in table.colours:
        assert table.cubes(colour) == (20 if colour == "farmers" else 62)
    assert all((table.armies[name] > 0) == (table.owner[name] is not None) for name in table.provinces)
    assert all(min(part.values()) >= 0 for part in (table.supply, table.tower, table.tray, table.chests))


def check_shitenno(game: Any) -> None:
    """Check that cards, tiles and Kamon add up, and that nothing is below zero (rules 1)."""
    table = game.table
    piles: list[Counter[str]] = [
        table.troop_pile,
        table.koku_pile,
        table.discard,
        table.spent,
        table.pool,
        *table.hands.values(),
    ]
    cards = Counter({kind: sum(pile[kind] for pile in piles) for kind in shitenno_board.KINDS})
    assert cards == Counter({kind: shitenno_board.CARDS[kind]["copies"] for kind in shitenno_board.KINDS})
    assert all(min(pile.values(), default=0) >= 0 for pile in [*piles, *table.tiles.values()])
    assert min(table.unturned.values()) >= 0
    turned_up = table.used.total() + sum(tiles.total() for tiles in table.tiles.values())
    assert turned_up + sum(table.below.values()) + sum(top is not None for top in table.top.values()) == 24
    placed = Counter(player for positions in table.positions.values() for player, _ in positions)
    kamon = shitenno_board.for_players(len(table.players), "control_kamon_per_player")
    assert all(placed[player] + table.kamon[player] == kamon for player in table.players)
    assert all(table.known[player] <= table.hands[player] for player in table.players)


def end_of_shogun(game: Any, lines: list[Line]) -> None:
    """Check the numbers of actions, opened cards and states, and that rewards by points equal the margin."""
    kinds = [line["t"] for line in lines]
    assert (kinds.count("action"), kinds.count("open"), kinds.count("state")) == (60, 30, 9)
    assert kinds[-2:] == ["state", "result"]
    assert [round(each, 9) for each in game.returns("points")] == [round(each, 9) for each in game.returns("margin")]


def end_of_shitenno(game: Any, lines: list[Line]) -> None:
    """Check that the game ends in time, and that rewards name one winner and rank all."""
    players = len(game.table.players)
    assert game.table.round <= shitenno_board.for_players(players, "rounds_until_koku_pile_is_empty")
    best = [game.returns(reward).index(max(game.returns(reward))) for reward in ("win", "rank")]
    assert best == [lines[-1]["winner"]] * 2
    ranks = [round(2 * rank / (players - 1) - 1, 9) for rank in range(players)]
    assert sorted(round(each, 9) for each in game.returns("rank")) == ranks


class Alone(NamedTuple):
    """What the oracle of a game is asked about itself."""

    check: Callable[[Any], None]
    """At every decision."""
    end: Callable[[Any, list[Line]], None]
    """Of the finished game and its record."""
    rewards: tuple[str, ...]
    picks: dict[str, Pick]
    eventful: tuple[dict[str, Any], int, str]
    """Options, seed and way to play of a game of four players in which a great deal happens."""


ALONE = {
    "shogun": Alone(
        check_shogun,
        end_of_shogun,
        ("win", "rank", "margin", "points"),
        {"random": pick_random, "deck": pick_deck},
        ({"optional_moves": True}, 4, "random"),
    ),
    "shitenno": Alone(
        check_shitenno,
        end_of_shitenno,
        ("win", "rank", "margin"),
        {"random": pick_random, "eager": pick_eager, "hoarding": pick_hoarding},
        ({}, 11, "eager"),
    ),
}


def play_out(name: str, options: dict[str, Any], seed: int, pick: str = "random") -> tuple[Any, DrawnChance, int]:
    """Play a whole game, checking it at every decision; return it, its chance and the number of decisions."""
    alone = ALONE[name]
    chance, rng = ORACLES[name].drawn(seed), random.Random(seed)
    game = game_of(name, options, chance)
    for number in range(MOST_DECISIONS):
        alone.check(game)
        decision = game.decision()
        if decision is None:
            return game, chance, number
        assert len(decision[2]) >= 2
        assert decision[2] == sorted(set(decision[2]))
        game.play(alone.picks[pick](decision[1], decision[2], rng))
    raise AssertionError(f"{name}, {options}, seed {seed}: no end after {MOST_DECISIONS} decisions")
