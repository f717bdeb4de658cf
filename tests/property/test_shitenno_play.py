"""Random games of Shitennō: valid at every step, as long and as high as expected, recorded, no leak (rules 7, 8)."""

from __future__ import annotations

import copy
import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shogun_env.frame.codec import from_text, to_text
from shogun_env.frame.record import RecordError, verify
from shogun_env.shitenno import OBS_LAYOUT, SHITENNO, Batch
from shogun_env.shitenno import constants as c

players = st.integers(2, 4)
seeds = st.integers(0, 2**53 - 1)
SCRATCH = ("rest", "spare", "path")
HIGH = np.repeat([piece.high for piece in OBS_LAYOUT], [piece.stop - piece.start for piece in OBS_LAYOUT])


def played(batch: Batch, seed: int, most: int = 1000) -> Iterator[None]:
    """Play random legal actions until all games are over, or ``most`` steps; yields before each."""
    rng = np.random.default_rng(seed)
    for _ in range(most):
        yield
        if batch.over.all():
            return
        batch.step((rng.random(batch.legal.shape) * batch.legal).argmax(1))


def some_game(n: int, seed: int, step: int, **options: bool) -> Batch:
    """A game after so many random decisions."""
    batch = Batch(1, num_players=n, seed=seed, **options)
    for _ in played(batch, seed, step):
        pass
    return batch


def views(batch: Batch, row: int = 0) -> list[tuple[bytes, bytes]]:
    """Observation and mask of every player of a game."""
    every = range(batch.num_players)
    return [(batch.observe_for(p, rows=[row]).tobytes(), batch.legal_for(p, rows=[row]).tobytes()) for p in every]


def without_scratch(games: np.ndarray) -> list[bytes]:
    return [games[name].tobytes() for name in games.dtype.names if name not in SCRATCH]


@pytest.mark.parametrize("n", [2, 3, 4])
def test_play__random_games__every_record_is_valid_and_every_decision_has_a_choice(n: int):
    batch = Batch(60, num_players=n, seed=n)
    for _ in played(batch, n):
        assert [SHITENNO.checks[code] for code in batch.check() if code] == []
        assert (batch.legal.sum(1)[~batch.over] >= 2).all()
        assert not any(batch.games[name].any() for name in SCRATCH), "looking for legal actions leaves no trace"
    assert batch.over.all()


@pytest.mark.parametrize(("n", "length", "score"), [(2, 91, 85), (3, 115, 64), (4, 117, 47)])
def test_play__random_games__are_as_long_and_score_as_expected(n: int, length: int, score: int):
    batch = Batch(1000, num_players=n, seed=11)
    batch.play(["random"] * n)
    assert abs(batch.decisions.mean() - length) < 3
    assert abs(batch.points.mean() - score) < 3
    assert batch.decisions.max() < 800


@pytest.mark.parametrize("reward", SHITENNO.rewards)
@pytest.mark.parametrize("n", [2, 3, 4])
def test_returns__finished_games__sum_to_zero_and_name_one_winner(n: int, reward: str):
    batch = Batch(200, num_players=n, seed=7, reward=reward)
    batch.play(["random"] * n)
    assert np.abs(batch.returns.sum(1)).max() < 1e-5
    if reward != "margin":
        assert ((batch.returns == 1).sum(1) == 1).all()


@given(n=players, seed=seeds)
def test_record__random_game__replays_and_holds_all_cards(n: int, seed: int):
    batch = Batch(1, num_players=n, seed=seed, record=True)
    batch.play(["random"] * n)
    (lines,) = batch.records()
    verify(Batch, lines)
    for state in [line for line in lines if line["t"] == "state"]:
        held = sum(sum(hand.values()) for hand in state["hands"])
        assert held + sum(state["discard"].values()) + sum(state["spent"].values()) + sum(state["pile"]) == 34 + 24


@given(n=players, seed=seeds, pick=st.integers(0, 10**9))
def test_record__one_number_changed__is_refused_at_that_line_or_later(n: int, seed: int, pick: int):
    batch = Batch(1, num_players=n, seed=seed, record=True)
    batch.play(["random"] * n)
    lines = copy.deepcopy(batch.records()[0])
    changeable = [
        (index, name)
        for index, line in enumerate(lines)
        for name, value in line.items()
        if index and isinstance(value, int) and not isinstance(value, bool)
    ]
    index, name = changeable[pick % len(changeable)]
    lines[index][name] = (lines[index][name] + 1) % n if name in ("player", "winner") else lines[index][name] + 1
    with pytest.raises(RecordError):
        verify(Batch, lines)


@given(n=players, seed=seeds, step=st.integers(0, 130))
def test_position_text__any_state__comes_back(n: int, seed: int, step: int):
    g = some_game(n, seed, step).games[0]
    again = from_text(SHITENNO, to_text(SHITENNO, g))
    assert without_scratch(np.array([again])) == without_scratch(np.array([g]))


@given(n=players, seed=seeds, step=st.integers(0, 130))
def test_redeal__any_state__player_sees_the_same_and_the_record_is_valid(n: int, seed: int, step: int):
    batch = some_game(n, seed, step)
    before = views(batch)
    for player in range(n):
        copies = batch.take(np.zeros(6, np.int64))
        copies.redeal(np.arange(6), player, seed % 1000)
        assert [SHITENNO.checks[code] for code in copies.check() if code] == []
        for row in range(6):
            assert views(copies, row)[player] == before[player]


def test_redeal__unknown_card_of_a_hand__is_any_card_not_seen_with_equal_chance():
    batch = Batch(1, num_players=2, seed=3)
    copies = batch.take(np.zeros(20_000, np.int64))
    copies.redeal(np.arange(20_000), 0, 1)
    hands = copies.games["hand"][:, 1, : c.N_TROOP_KINDS].astype(np.int64)
    assert (hands.sum(1) == 2).all()
    at = next(piece.start for piece in OBS_LAYOUT if piece.name == "unseen")
    unseen = batch.observe_for(0)[0][at : at + c.N_TROOP_KINDS].astype(np.float64)
    expected = 2 * unseen / unseen.sum()
    error = np.sqrt(2 * expected / len(hands)) + 1e-9
    assert (np.abs(hands.mean(0) - expected) / error).max() < 5


@given(n=players, seed=seeds, step=st.integers(0, 130))
def test_observation__what_another_is_building_or_holds_unseen__does_not_show(n: int, seed: int, step: int):
    batch = some_game(n, seed, step)
    if batch.over[0]:
        return
    twin = batch.take()
    g, decider = twin.games[0], int(batch.player[0])
    if g["phase"] in (c.FORM_LOT, c.DIVIDE):
        g["lot"], g["lot_seals"], g["last"] = 0, 0, 0
    elif g["phase"] == c.PAY:
        g["phase"], g["target"], g["way"], g["committed"], g["last"] = c.TURN, c.NONE, 0, 0, 0
    unknown = g["hand"][decider, : c.N_TROOP_KINDS] - g["known"][decider]
    g["hand"][decider, : c.N_TROOP_KINDS] -= unknown
    g["hand"][decider, : c.N_TROOP_KINDS] += g["pile"]
    g["pile"][:] = unknown
    pile = int(batch.games["pile"].sum())
    for player in set(range(n)) - {decider}:
        seen, changed = (b.observe_for(player)[0].copy() for b in (batch, twin))
        at = next(piece.start for piece in OBS_LAYOUT if piece.name == "troop_pile")
        assert seen[at] == pile
        changed[at] = pile
        assert (seen == changed).all()


def test_observation__many_games__every_byte_varies_and_none_is_above_its_high():
    low, high = np.full(len(HIGH), 255, np.uint8), np.zeros(len(HIGH), np.uint8)
    for n in (2, 3, 4):
        batch = Batch(600, num_players=n, seed=n)
        for turn, _ in enumerate(played(batch, n)):
            for found in (batch.observe(), batch.observe_for(turn % n)):
                np.minimum(low, found.min(0), out=low)
                np.maximum(high, found.max(0), out=high)
    names = {piece.name: slice(piece.start, piece.stop) for piece in OBS_LAYOUT}
    assert [name for name, where in names.items() if (high > HIGH)[where].any()] == []
    dead = {name: np.flatnonzero((low == high)[where]).tolist() for name, where in names.items()}
    fixed = {name: list(range(c.N_PROVINCES)) for name in names if name.startswith("icons_")}
    last = {"committed": [c.N_KINDS - 1]}  # after the first of the last kind nothing else can follow: no decision
    assert {name: rows for name, rows in dead.items() if rows} == fixed | last | {"present": [0, 1]}


def digest_of_play() -> str:
    """Return a hash of everything two random games of each size go through, and of what is seen and redealt in them."""
    digest = hashlib.sha256()
    for n in (2, 3, 4):
        batch = Batch(2, num_players=n, seed=5, record=True)
        for step, _ in enumerate(played(batch, n)):
            for buffer in batch.buffers():
                digest.update(buffer.tobytes())
            digest.update(batch.observe_for(step % n).tobytes())
            if step % 20 == 3:
                copies = batch.take()
                copies.redeal(np.arange(2), step % n, 3)
                digest.update(copies.games.tobytes())
            assert not batch.check().any()
    return digest.hexdigest()


@pytest.mark.full
@pytest.mark.parametrize("switch", ["NUMBA_DISABLE_JIT", pytest.param("NUMBA_BOUNDSCHECK", marks=pytest.mark.slow)])
def test_play__without_compiler_or_with_bounds_checks__is_the_same_by_bytes(switch: str):
    code = f"import numpy; numpy.seterr(over='ignore'); from {__name__} import digest_of_play as d; print(d())"
    environment = {**os.environ, switch: "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    found = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr
    assert found.stdout.strip() == digest_of_play()
