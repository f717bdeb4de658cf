"""Seats are equal: players turned by one, and the taped chance with them, give the same game turned by one."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from shogun_env.shitenno import constants as shitenno
from shogun_env.shitenno.board import START_CARDS
from shogun_env.shogun import constants as shogun
from shogun_env.shogun.board import ARMY_GROUPS
from tests.games import batch_class, each_game, play_on, tape_of
from tests.property.strategies import SOME_OPTIONS, seeds

Pairs = list[tuple[int, int]]
NONE = -1


class Seats(NamedTuple):
    """Where the players are in a game's state and on its tape."""

    runs: Callable[[int], dict[int, tuple[int, int]]]
    """Number of players -> by kind of outcome: how many come together, and how many of them are each player's, player
    by player from the first on."""
    players: tuple[int, ...]
    """Kinds of outcomes that are a player."""
    by_player: tuple[str, ...]
    """Fields with a row for each player."""
    alike: tuple[str, ...]
    """Fields that have nothing to do with players."""


SEATS = {
    "shogun": Seats(
        runs=lambda n: {
            shogun.LOG_TRAY: (shogun.N_COLOURS, 1),
            shogun.LOG_START_POSITION: (n, 1),
            shogun.LOG_PLACE: (n * int(ARMY_GROUPS[0, n].sum()), int(ARMY_GROUPS[0, n].sum())),
        },
        players=(shogun.LOG_BIDS, shogun.LOG_STARTER),
        by_player=(
            "chests", "rice", "points", "n_owned", "plan", "shown", "emptied", "position_of", "short", "groups",
            "last_open", "supply", "tray",
        ),
        alike=(
            "armies", "revolts", "building", "event_card", "special_at", "action_at", "kinds_left", "year", "season",
            "phase",
        ),
    ),
    "shitenno": Seats(
        runs=lambda n: {shitenno.LOG_DEAL: (n * START_CARDS, START_CARDS), shitenno.LOG_TITLE: (n, 1)},
        players=(),
        by_player=("points", "seals", "gained", "kamon", "hand", "known", "n_troops", "tiles"),
        alike=(
            "golden", "filled", "top", "covered", "unturned", "used", "pile", "discard", "koku_pile", "spent", "round",
            "phase",
        ),
    ),
}  # fmt: skip


def turn_tape(name: str, tape: Pairs, n: int) -> Pairs:
    """Turn everything of a tape that names a player."""
    seats = SEATS[name]
    runs = seats.runs(n)
    out: Pairs = []
    while len(out) < len(tape):
        kind, value = tape[len(out)]
        size, share = runs.get(kind, (1, 0))
        values = [number for _, number in tape[len(out) : len(out) + size]]
        values[: n * share] = np.roll(values[: n * share], share).tolist()
        if kind in seats.players:
            values = [(value + 1) % n]
        out += [(kind, number) for number in values]
    return out


def same_turned(name: str, one: np.void, other: np.void, n: int) -> list[str]:
    """Name the fields in which ``other`` is not ``one`` turned by one player."""
    seats = SEATS[name]
    wrong = [field for field in seats.by_player if (np.roll(one[field][:n], 1, axis=0) != other[field][:n]).any()]
    owner = np.where(one["owner"] == NONE, NONE, (one["owner"] + 1) % n)
    wrong += ["owner"] if (other["owner"] != owner).any() else []
    return wrong + [field for field in seats.alike if (one[field] != other[field]).any()]


@each_game
@given(data=st.data(), seed=seeds)
def test_seats__players_and_taped_chance_turned__turn_the_game(name: str, data: Any, seed: int):
    options = data.draw(SOME_OPTIONS[name])
    if options.get("start") == "preset":
        options = {**options, "shuffle_seats": True}
    first = batch_class(name)(1, seed=seed, record=True, **options)
    n = first.num_players
    deciders, chosen, observations = [int(first.player[0])], [], [first.observe()[0].copy()]
    for actions in play_on(first, seed):
        chosen.append(int(actions[0]))
        deciders.append(int(first.player[0]))
        observations.append(first.observe()[0].copy())
    tape = tape_of(first)
    queues: list[list[int]] = [[at for at, who in enumerate(deciders) if who == player] for player in range(n)]
    other = batch_class(name)(1, record=True, **options)
    other.reset(seeds=[3], tapes={0: turn_tape(name, tape, n)})
    while not other.over[0]:
        at = queues[(int(other.player[0]) - 1) % n].pop(0)
        assert (other.observe()[0] == observations[at]).all(), "each sees what the player before them saw"
        other.step(np.array([chosen[at]]))
    assert not any(queues)
    assert same_turned(name, first.games[0], other.games[0], n) == []
    assert (np.roll(first.returns, 1) == other.returns).all()
