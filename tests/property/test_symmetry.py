"""Seats are equal: players turned by one, and the taped chance with them, give the same game turned by one."""

from __future__ import annotations

import numpy as np
from hypothesis import given

from shogun_env.shogun import Batch, board
from shogun_env.shogun import constants as c
from tests.positions import Pairs, tape_of
from tests.property.games import Options, play_on, seeds, some_options

BY_PLAYER = (
    "chests", "rice", "points", "n_owned", "plan", "shown", "emptied", "position_of", "short", "groups", "last_open",
)  # fmt: skip


def turned(player: int, n: int) -> int:
    return (player + 1) % n


def turn_tape(tape: Pairs, n: int) -> Pairs:
    """Turn everything of a tape that names a player."""
    out: Pairs = []
    at = 0
    while at < len(tape):
        kind, value = tape[at]
        size = {c.LOG_TRAY: c.N_COLOURS, c.LOG_SEATS: n}.get(kind, 1)
        if kind == c.LOG_PLACE:
            size = n * int(board.ARMY_GROUPS[n].sum())
        values = [number for _, number in tape[at : at + size]]
        if kind == c.LOG_TRAY:
            values = [*np.roll(values[:n], 1), *values[n:]]
        elif kind in (c.LOG_SEATS, c.LOG_PLACE):
            values = list(np.roll(values, size // n))
        elif kind in (c.LOG_BIDS, c.LOG_STARTER):
            values = [turned(value, n)]
        out += [(kind, int(number)) for number in values]
        at += size
    return out


def same_turned(one: np.void, other: np.void, n: int) -> list[str]:
    """Name the fields in which ``other`` is not ``one`` turned by one player."""
    wrong = [name for name in BY_PLAYER if (np.roll(one[name][:n], 1, axis=0) != other[name][:n]).any()]
    colours = [*range(1, n), 0]
    order = [turned(p, n) if p != c.NONE else c.NONE for p in one["owner"]]
    wrong += ["owner"] if list(other["owner"]) != order else []
    wrong += [name for name in ("supply", "tray") if (one[name][:n] != other[name][colours]).any()]
    alike = (
        "armies",
        "revolts",
        "building",
        "event_card",
        "special_at",
        "action_at",
        "kinds_left",
        "year",
        "season",
        "phase",
    )
    return wrong + [name for name in alike if (one[name] != other[name]).any()]


@given(options=some_options(), seed=seeds)
def test_seats__players_and_taped_chance_turned__turn_the_game(options: Options, seed: int):
    if options["start"] == "preset":
        options = {**options, "shuffle_seats": True}
    first = Batch(1, seed=seed, record=True, **options)
    n = first.num_players
    deciders, chosen, seen = [int(first.player[0])], [], [first.observe()[0].copy()]
    for actions in play_on(first, seed):
        chosen.append(int(actions[0]))
        deciders.append(int(first.player[0]))
        seen.append(first.observe()[0].copy())
    tape = tape_of(first)
    queues: list[list[int]] = [[at for at, who in enumerate(deciders) if who == player] for player in range(n)]
    other = Batch(1, record=True, **options)
    other.reset(seeds=[3], tapes={0: turn_tape(tape, n)})
    while not other.over[0]:
        at = queues[(int(other.player[0]) - 1) % n].pop(0)
        assert (other.observe()[0] == seen[at]).all(), "each sees what the one before him saw"
        other.step(np.array([chosen[at]]))
    assert not any(queues)
    assert same_turned(first.games[0], other.games[0], n) == []
    assert (np.roll(first.returns, 1) == other.returns).all()
