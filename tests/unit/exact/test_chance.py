"""Outcomes of chance: they add up to one, hold what the engine draws, and come as often as it draws them."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from shogun_env import shitenno, shogun
from shogun_env.exact.chance import after, outcomes, throw_law
from shogun_env.exact.tree import TreeError
from shogun_env.kernel.log import entries
from shogun_env.shikoku import Batch
from shogun_env.shogun import constants as c
from shogun_env.shogun.rules.tower import throw


def thrown(g: np.void, games: int, seed: int) -> Counter[tuple[int, ...]]:
    """Return how often the engine's throw of what lies in the tray of a state leaves which tray."""
    trays: Counter[tuple[int, ...]] = Counter()
    rng, log = np.array([seed, 0], np.uint64), np.zeros(1, np.int16)
    rows = np.array([g] * games, g.dtype)
    for row in rows:
        throw(row, rng, log, c.WHY_BATTLE)
        trays[tuple(row["tray"].tolist())] += 1
    return trays


TOWERS = {
    "one floor": (1, (1 / 3, 0.0, 1 / 3), [(1, 0, 0, 0, 0, 2)], (2, 1, 0, 0, 0, 1)),
    "two floors": (2, (0.3, 0.2, 0.0), [(1, 0, 0, 0, 0, 1), (0, 1, 0, 0, 0, 0)], (1, 1, 0, 0, 0, 1)),
    "two floors, shaken": (2, (0.3, 0.25, 0.5), [(1, 0, 0, 0, 0, 1), (0, 1, 0, 0, 0, 0)], (1, 0, 0, 0, 0, 1)),
    "three floors": (3, (0.5, 0.5, 0.0), [(1, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 1), (1, 0, 0, 0, 0, 0)],
                     (1, 0, 0, 0, 0, 1)),
}  # fmt: skip


@pytest.mark.parametrize("name", TOWERS)
def test_throw_law__of_some_towers__is_how_often_the_engine_throws_it(name: str, games: int = 20_000):
    n_floors, chances, inside, cubes = TOWERS[name]
    batch = shogun.Batch(1, tower=(n_floors, *chances))
    g = batch.games[0]
    g["tower"], g["tray"] = 0, cubes
    g["tower"][:n_floors] = inside
    law = throw_law(tuple(inside), cubes, *(Fraction(int(g[field]), 2**32) for field in ("stick", "dislodge", "shake")))
    assert sum(law.values()) == 1
    trays = thrown(g, games, seed=5)
    assert set(trays) <= set(law)
    for tray, chance in law.items():
        p = float(chance)
        assert abs(trays[tray] / games - p) <= 5 * np.sqrt(p * (1 - p) / games) + 1e-9, (tray, p)


def all_outcomes(batch: Batch, action: int) -> dict[tuple[tuple[int, int], ...], Fraction]:
    """Return everything that chance may bring in a step, event after event, with the probabilities."""
    whole, open_ = {}, [((), Fraction(1))]
    while open_:
        tape, chance = open_.pop()
        following = outcomes(batch, 0, action, tape)
        assert not following or sum(one.chance for one in following) == 1
        open_ += [((*tape, *one.tape), chance * one.chance) for one in following]
        if not following:
            whole[tape] = chance
    return whole


@pytest.mark.parametrize("size", ["small", "large"])
def test_outcomes__along_random_games__add_up_and_hold_what_the_engine_draws(size: str):
    rng = np.random.default_rng(1)
    several = 0
    for seed in range(12):
        batch = Batch(1, size=size, seed=seed, record=True)
        while not batch.over[0]:
            action = int(rng.choice(np.flatnonzero(batch.legal[0])))
            whole = all_outcomes(batch, action)
            assert sum(whole.values()) == 1
            several += len(whole) > 1
            before = len(entries(batch._arrays.logs[0]))
            batch.step([action])
            assert taped(entries(batch._arrays.logs[0])[before:]) in whole
    assert several > 12


def taped(rows: np.ndarray) -> tuple[tuple[int, int], ...]:
    """Return the outcomes of chance in log entries as on a tape."""
    pairs: list[tuple[int, int]] = []
    for kind, *values in rows.tolist():
        if kind == c.LOG_TRAY:
            pairs += [(kind, value) for value in values[:6]]
        elif kind in c.CHANCE:
            pairs.append((kind, values[0]))
    return tuple(pairs)


def test_outcomes__of_shitenno__add_up():
    rng = np.random.default_rng(2)
    batch, events = shitenno.Batch(1, num_players=2, seed=4), 0
    while not batch.over[0]:
        action = int(rng.choice(np.flatnonzero(batch.legal[0])))
        following = outcomes(batch, 0, action)
        assert not following or sum(one.chance for one in following) == 1
        events += bool(following)
        batch.step([action])
    assert events > 3


def test_outcomes__that_cannot_be_listed_or_do_not_fit__are_refused():
    batch = Batch(1)
    with pytest.raises(ValueError, match="action=118: must be one of"):
        outcomes(batch, 0, 118)
    large = shogun.Batch(1, num_players=3, seed=1)
    rng = np.random.default_rng(0)
    with pytest.raises(TreeError, match="more than 14 cubes"):
        while True:
            action = int(rng.choice(np.flatnonzero(large.legal[0])))
            outcomes(large, 0, action)
            large.step([action])


def test_after__every_outcome__is_a_game_that_the_engine_reaches_as_often():
    batch = Batch(1, seed=2)
    while len(outcomes(batch, 0, action := int(batch.legal[0].argmax()))) < 2:
        batch.step([action])
    reached: dict[bytes, float] = {}
    waiting = [((), 1.0)]
    while waiting:
        tape, chance = waiting.pop()
        listed = outcomes(batch, 0, action, tape)
        waiting += [((*tape, *one.tape), chance * float(one.chance)) for one in listed]
        if not listed:
            game = after(batch, 0, action, tape)
            assert not game.check().any()
            key = game.games[0].tobytes()
            reached[key] = reached.get(key, 0.0) + chance
    assert sum(reached.values()) == pytest.approx(1.0)
    many = Batch(20_000, seed=7)
    many.games[:] = batch.games[0]
    many.refresh()
    many.step(np.full(20_000, action))
    counts = Counter(state.tobytes() for state in many.games)
    assert set(counts) == set(reached)
    for state, chance in reached.items():
        assert abs(counts[state] / 20_000 - chance) < 5 * np.sqrt(chance * (1 - chance) / 20_000)
    with pytest.raises(ValueError, match="chance is asked for more"):
        after(batch, 0, action)
