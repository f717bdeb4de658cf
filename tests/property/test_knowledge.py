"""Who knows what (rules 8): an observation holds what its player may know, all of it and nothing more."""

from __future__ import annotations

import numpy as np
from hypothesis import given

from shogun_env.shogun import OBS_LAYOUT, Batch, board, engine
from shogun_env.shogun import constants as c
from tests.property.games import (
    STARTS,
    TOWERS,
    Options,
    advance,
    eager_to_bury,
    play_on,
    seeds,
    some_action,
    some_options,
    steps,
)

HIGH = np.repeat([piece.high for piece in OBS_LAYOUT], [piece.stop - piece.start for piece in OBS_LAYOUT])


def seen(batch: Batch, row: int = 0) -> list[tuple[bytes, bytes]]:
    """Observation and mask of every player of a game."""
    players = range(batch.num_players)
    return [
        (batch.observe_for(p, rows=[row])[0].tobytes(), batch.legal_for(p, rows=[row])[0].tobytes()) for p in players
    ]


@given(options=some_options(), seed=seeds, step=steps)
def test_redeal__any_state__player_sees_the_same_and_the_record_is_valid(options: Options, seed: int, step: int):
    batch = Batch(1, seed=seed, **options)
    advance(batch, seed, step)
    before = seen(batch)
    for player in range(batch.num_players):
        copies = batch.take(np.zeros(4, np.int64))
        copies.redeal(np.arange(4), player, seed % 1000)
        assert not copies.check().any()
        for row in range(4):
            assert seen(copies, row)[player] == before[player]


def test_redeal__planning_of_four__deals_the_others_anew_and_not_the_own_plan():
    batch = Batch(64, seed=5)
    for _ in play_on(batch, 5, 30):
        pass
    before = batch.games.copy()
    batch.redeal(np.arange(64), 1, 9)
    plans = batch.games["plan"]
    assert (plans[:, 1] == before["plan"][:, 1]).all()
    changed = (plans != before["plan"]).any(2)
    assert (changed[:, [0, 2, 3]].mean(0) > 0.95).all()
    assert (batch.games["tower"] != before["tower"]).any(), "cubes inside change floors"
    assert (batch.games["tower"].sum(1) == before["tower"].sum(1)).all()


@given(options=some_options(), seed=seeds, step=steps)
def test_observation__states_that_differ_in_what_nobody_knows__are_equal(options: Options, seed: int, step: int):
    """Floors of the tower, the random row, the log; and others' hidden plans, which two players exchange for others."""
    batch = Batch(2, seed=seed, **options)
    batch.copy_games(0, 1)
    rng = np.random.default_rng(seed)
    for _ in range(step):
        if batch.over.all():
            break
        batch.step(np.repeat(some_action(batch, rng)[:1], 2))
    g = batch.games[1]
    g["tower"][: g["floors"]] = np.roll(g["tower"][: g["floors"]], 1, axis=0)
    batch.rngs[1] += np.uint64(1)
    assert seen(batch, 0) == seen(batch, 1)
    player = int(rng.integers(batch.num_players))
    for other in range(batch.num_players):
        hidden = (g["shown"][other] == c.NOT_SHOWN) & (g["emptied"][other] == 0)
        hidden &= np.arange(c.N_SPACES) < g["space"] + (g["phase"] == c.PLAN and other < g["player"])
        hidden[c.BID_SPACE] = False
        if other != player:
            g["plan"][other, hidden] = np.roll(g["plan"][other, hidden], 1)
    assert seen(batch, 0)[player] == seen(batch, 1)[player]


def collect() -> tuple[np.ndarray, np.ndarray]:
    """Least and greatest value of every byte over many games of all options, all players looking."""
    low, high = np.full(len(HIGH), 255, np.uint8), np.zeros(len(HIGH), np.uint8)
    for number, start in enumerate(STARTS * 3):
        rest = {"num_players": 3 + number // len(STARTS), "tower": TOWERS[number % len(TOWERS)]}
        batch = Batch(48, optional_moves=number % 2 == 0, seed=number, **start, **rest)
        for turn, _ in enumerate(play_on(batch, number, pick=eager_to_bury)):
            found = batch.observe_for(turn % batch.num_players)
            np.minimum(low, found.min(0), out=low)
            np.maximum(high, found.max(0), out=high)
    return low, high


def explained() -> dict[str, list[int]]:
    """Rows that never vary: what is printed is 0 only out of play; the bid is no action; three always play."""
    always = board.IN_PLAY[:, 3:].all((0, 1))
    same_region = always & (board.REGION[0] == board.REGION[1])
    rows = dict.fromkeys(("tax", "rice", "sites", "in_play"), np.flatnonzero(always).tolist())
    rows["region"] = np.flatnonzero(same_region).tolist()
    return rows | {"present": [0, 1, 2], "position": [c.BID_SPACE], "done": [c.BID_SPACE]}


def test_observation__many_games__every_byte_varies_or_is_explained_and_none_is_above_its_high():
    low, high = collect()
    above = [piece.name for piece in OBS_LAYOUT if (high > HIGH)[piece.start : piece.stop].any()]
    assert above == []
    dead = {piece.name: np.flatnonzero((low == high)[piece.start : piece.stop]).tolist() for piece in OBS_LAYOUT}
    assert {name: rows for name, rows in dead.items() if rows} == explained()


@given(options=some_options(), seed=seeds)
def test_observe_again__in_a_quiet_time__writes_what_observe_writes(options: Options, seed: int):
    """A bot that is asked again while next to nothing has changed sees the same as one that looks anew."""
    batch = Batch(1, seed=seed, **options)
    kept = np.zeros((batch.num_players, len(HIGH)), np.uint8)
    seen_at = [-1] * batch.num_players
    quiet = 0
    for _ in play_on(batch, seed):
        if batch.over[0]:
            break
        g, player = batch.games[0], int(batch.player[0])
        now = int(engine.quiet_time(g))
        if now != -1 and now == seen_at[player]:
            engine.observe_again(g, player, kept[player])
            quiet += 1
        else:
            engine.observe(g, player, kept[player])
        seen_at[player] = now
        assert (kept[player] == batch.observe()[0]).all()
    assert quiet > 0
