"""Who knows what (rules 8; Shitennō 7): an observation holds what its player may know, all of it and nothing more."""

from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from shogun_env.batch.batch import Batch
from shogun_env.shitenno import constants as shitenno
from shogun_env.shitenno.board import TROOP_NAMES
from shogun_env.shogun import board
from shogun_env.shogun import constants as c
from shogun_env.shogun.engine.observe import observation_epoch, observe, update_observation
from tests.games import KINDS, batch_class, each_game, each_of_all_games, play_on, rare_action
from tests.property.strategies import draw_batch, draw_state


def views_of(batch: Batch, row: int = 0) -> list[tuple[bytes, bytes]]:
    """Observation and mask of every player of a game."""
    players = range(batch.num_players)
    return [
        (batch.observe_for(p, rows=[row])[0].tobytes(), batch.legal_for(p, rows=[row])[0].tobytes()) for p in players
    ]


@each_of_all_games
@given(data=st.data())
def test_redeal__any_state__player_sees_the_same_and_the_record_is_valid(name: str, data: Any):
    batch = draw_state(data, name)
    before = views_of(batch)
    for player in range(batch.num_players):
        copies = batch.take(np.zeros(4, np.int64))
        copies.redeal(np.arange(4), player, data.draw(st.integers(0, 999)))
        assert [copies.spec.check_messages[code] for code in copies.check() if code] == []
        legal = copies.legal.copy()
        copies.refresh()
        assert (copies.legal == legal).all(), "the masks are those of the new states"
        for row in range(4):
            assert views_of(copies, row)[player] == before[player]


def change_shogun(g: np.void, player: int) -> None:
    """Turn the floors of the tower, and the cards on hidden spaces of the others, which fit there or not."""
    g["tower"][: g["floors"]] = np.roll(g["tower"][: g["floors"]], 1, axis=0)
    for other in set(range(int(g["n_players"]))) - {player}:
        hidden = (g["shown"][other] == c.NOT_SHOWN) & (g["emptied"][other] == 0)
        hidden &= np.arange(c.N_SPACES) < g["space"] + (g["phase"] == c.PLAN and other < g["player"])
        hidden[c.BID_SPACE] = False
        g["plan"][other, hidden] = np.roll(g["plan"][other, hidden], 1)


def change_shitenno(g: np.void, player: int) -> None:
    """Put another's lot or payment back, and deal the others the lowest cards that nobody has seen."""
    if g["player"] != player and g["phase"] in (shitenno.FORM_LOT, shitenno.DIVIDE):
        g["lot"], g["lot_seals"], g["last"] = 0, 0, 0
    elif g["player"] != player and g["phase"] == shitenno.PAY:
        g["phase"], g["target"], g["way"], g["committed"], g["last"] = shitenno.TURN, shitenno.NONE, 0, 0, 0
    for other in set(range(int(g["n_players"]))) - {player}:
        troops = g["hand"][other, : shitenno.N_TROOP_KINDS]
        unknown = troops - g["known"][other]
        cards = np.repeat(np.arange(shitenno.N_TROOP_KINDS), g["pile"] + unknown)[: unknown.sum()]
        dealt = np.bincount(cards, minlength=shitenno.N_TROOP_KINDS).astype(np.uint8)
        g["pile"] += unknown - dealt
        troops += dealt - unknown


CHANGES: dict[str, Callable[[np.void, int], None]] = {"shogun": change_shogun, "shitenno": change_shitenno}
"""What changes a record in everything that a player cannot know."""


@each_game
@given(data=st.data())
def test_observation__states_that_differ_in_what_a_player_cannot_know__are_equal(name: str, data: Any):
    batch = draw_state(data, name)
    before = views_of(batch)
    for player in range(batch.num_players):
        twin = batch.take()
        CHANGES[name](twin.games[0], player)
        twin.rngs[0] += np.uint64(1)
        assert views_of(twin)[player] == before[player]


LOOKED_AT = {"shogun": 48, "shitenno": 600}
"""Games of each kind in which nearly everything happens."""


def highs(name: str) -> np.ndarray:
    """Highest value of every byte of an observation."""
    layout = batch_class(name).spec.obs_layout
    return np.repeat([piece.high for piece in layout], [piece.stop - piece.start for piece in layout])


def collect(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Least and greatest value of every byte over many games of all kinds, all players looking."""
    size = batch_class(name).spec.obs_size
    low, high = np.full(size, 255, np.uint8), np.zeros(size, np.uint8)
    for number, options in enumerate(KINDS[name]):
        batch = batch_class(name)(LOOKED_AT[name], seed=number, **options)
        for turn, _ in enumerate(play_on(batch, number, pick=rare_action)):
            for observations in (batch.observe(), batch.observe_for(turn % batch.num_players)):
                np.minimum(low, observations.min(0), out=low)
                np.maximum(high, observations.max(0), out=high)
    return low, high


def same_in_shogun() -> dict[str, list[int]]:
    """What is printed is 0 only out of play; the bid is no action; three always play."""
    always = board.IN_PLAY[: c.N_SIDES, 3:].all((0, 1))
    same_region = always & (board.REGION[0] == board.REGION[1])
    rows = dict.fromkeys(("tax", "rice", "sites", "in_play"), np.flatnonzero(always).tolist())
    rows["region"] = np.flatnonzero(same_region).tolist()
    return rows | {"present": [0, 1, 2], "position": [c.BID_SPACE], "done": [c.BID_SPACE]}


def same_in_shitenno() -> dict[str, list[int]]:
    """Icons are printed; after a first card of the last kind nothing else can be paid: no decision; two always play."""
    every = list(range(shitenno.N_PROVINCES))
    rows = {f"icons_{troop}": every for troop in TROOP_NAMES}
    return rows | {"committed": [shitenno.N_KINDS - 1], "present": [0, 1]}


ALWAYS_THE_SAME = {"shogun": same_in_shogun, "shitenno": same_in_shitenno}
"""Rows that never vary, and why."""


@each_game
def test_observation__many_games__every_byte_varies_or_is_explained_and_none_is_above_its_high(name: str):
    layout = batch_class(name).spec.obs_layout
    low, high = collect(name)
    above = [piece.name for piece in layout if (high > highs(name))[piece.start : piece.stop].any()]
    assert above == []
    dead = {piece.name: np.flatnonzero((low == high)[piece.start : piece.stop]).tolist() for piece in layout}
    assert {name: rows for name, rows in dead.items() if rows} == ALWAYS_THE_SAME[name]()


@given(data=st.data())
def test_update_observation__within_an_epoch__writes_what_observe_writes(data: Any):
    """A bot that is asked again while next to nothing has changed sees the same as one that looks afresh (Shogun)."""
    batch = draw_batch(data, "shogun")
    kept = np.zeros((batch.num_players, batch.spec.obs_size), np.uint8)
    epochs = [-1] * batch.num_players
    updates = 0
    for _ in play_on(batch, int(batch.seeds[0])):
        if batch.over[0]:
            break
        g, player = batch.games[0], int(batch.player[0])
        epoch = int(observation_epoch(g))
        if epoch != -1 and epoch == epochs[player]:
            update_observation(g, player, kept[player])
            updates += 1
        else:
            observe(g, player, kept[player])
        epochs[player] = epoch
        assert (kept[player] == batch.observe()[0]).all()
    assert updates > 0
